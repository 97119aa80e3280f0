// The best stump over very many rectangle features, found in codes and settled in values.
//
// The values of a feature are coded to one byte a window: fine around the middle of the feature's
// values, coarser towards the tails, in steps that never break the order of values. As many
// features keep their codes as a memory limit allows, the others are coded anew in every search.
//
// A search adds up the weights of both labels by code, both in one 64-bit number of 2 x 31 bits.
// For the error criterion these sums bound what any threshold inside a code can reach; features
// whose bound may beat the best are opened, their windows of the codes in question sorted by value
// and weighed in full length. The answer is the exact minimum over all features and thresholds;
// errors within 1e-12 of the total weight are tied: lowest feature, lowest threshold, polarity +1.
// For confidence-rated stumps the best feature is the best one between codes, and its threshold is
// then found exactly.
//
// Cost: one addition a cell, 256 steps a feature, and the opened features.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/vision/haar.hpp"
#include "weaklearn/vision/haar_stump.hpp"
#include "weaklearn/weights/weights.hpp"

namespace weaklearn {

template <class T>
class HaarSearch {
 public:
  // `keep` is how many bytes of codes may stay in memory.
  HaarSearch(const WindowStack<T>& stack, const HaarFeatures<T>& features, size_t keep, int threads)
      : stack_(stack),
        features_(features),
        threads_(threads),
        room_(stack.n_bundles() * kLanes),
        n_kept_(std::min(features.size(), keep / std::max<size_t>(room_, 1))) {
    spread();
    codes_.resize(n_kept_ * room_);
    // Bundle after bundle, so that its integral images are read from the cache.
    const size_t parts = (n_kept_ + kPart - 1) / kPart;
    Pool::instance().run(stack.n_bundles() * parts, threads_, [&](size_t task) {
      const size_t b = task / parts, first = task % parts * kPart;
      for (size_t f = first; f < std::min(n_kept_, first + kPart); ++f)
        code(f, b, &codes_[f * room_ + b * kLanes]);
    });
  }

  size_t n_kept() const { return n_kept_; }

  // The stump of least error.
  HaarStump search(const Weights& weights) {
    pack(weights.value(), weights.total());
    std::vector<int32_t> best(features_.size()), reach(features_.size());
    each_table(
        [&](size_t f, const int64_t* table) { hot().packed_reach(table, &best[f], &reach[f]); });
    return settle(weights, best, reach);
  }

  // The stump that rates best under weights prior * exp(-y F).
  HaarStump rate(const double* prior, const double* F, const int8_t* y, Rating rating) {
    std::vector<int64_t> value;
    const int64_t total = weigh(prior, F, y, value);
    pack(value.data(), total);
    std::vector<double> merit(features_.size());
    each_table([&](size_t f, const int64_t* table) {
      merit[f] = hot().packed_merit(table, rating == Rating::real);
    });
    HaarStump found;
    found.feature =
        static_cast<size_t>(std::max_element(merit.begin(), merit.end()) - merit.begin());
    best_cut(value.data(), total, rating, found);
    return found;
  }

 private:
  static constexpr size_t kPart = 512;     // features coded at a time
  static constexpr size_t kGroup = 6;      // features summed in one pass over the windows
  static constexpr size_t kLooked = 1024;  // windows that the spread of values is taken from
  static constexpr int kSum = 30;          // bits of a packed total

  // Where the codes of each feature are fine: around the mean of some windows, as wide as their
  // mean deviation. The windows are drawn by what they hold, each but once, and their values
  // rounded so that they add up the same in any order.
  void spread() {
    const WindowStack<T> few(stack_, looked_at());
    centre_.resize(features_.size());
    scale_.resize(features_.size());
    const size_t parts = (features_.size() + kPart - 1) / kPart;
    Pool::instance().run(parts, threads_, [&](size_t part) {
      std::vector<double> x(few.n_bundles() * kLanes);
      for (size_t f = part * kPart; f < std::min(features_.size(), (part + 1) * kPart); ++f) {
        constexpr double unit = 1024, most = 1e9;
        double sum = 0, off = 0;
        few.values(features_, f, x.data());
        for (size_t k = 0; k < few.size(); ++k)
          sum += std::rint(std::clamp(x[k], -most, most) * unit);
        const auto n = static_cast<double>(few.size());
        centre_[f] = sum / unit / n;
        for (size_t k = 0; k < few.size(); ++k)
          off += std::rint(std::min(std::abs(x[k] - centre_[f]), most) * unit);
        scale_[f] = off > 0 ? 3 * unit * n / off : 1.0;
      }
    });
  }

  std::vector<size_t> looked_at() const {
    std::vector<std::pair<uint64_t, size_t>> keyed(stack_.size());
    for (size_t i = 0; i < stack_.size(); ++i) keyed[i] = {key_of(i), i};
    std::sort(keyed.begin(), keyed.end());
    std::vector<size_t> chosen;
    for (size_t k = 0; k < keyed.size() && chosen.size() < kLooked; ++k)
      if (k == 0 || keyed[k].first != keyed[k - 1].first) chosen.push_back(keyed[k].second);
    std::sort(chosen.begin(), chosen.end());  // neighbours share a bundle
    return chosen;
  }
  uint64_t key_of(size_t i) const {
    const T* own = stack_.planes(i / kLanes) + i % kLanes;
    uint64_t key = 0x9E3779B97F4A7C15ull;
    for (size_t c = 0; c < stack_.n_corners(); ++c) {
      uint64_t bits = 0;
      const T x = own[c * kLanes];
      std::memcpy(&bits, &x, sizeof x);
      key = (key ^ bits) * 0xBF58476D1CE4E5B9ull;
      key ^= key >> 29;
    }
    return key;
  }

  void code(size_t f, size_t bundle, uint8_t* out) const {
    T sums[kLanes];
    double x[kLanes];
    corner_sums(stack_.planes(bundle), features_.places(f), features_.factors(f),
                features_.n_corners(f), sums);
    divide(sums, stack_.sigma(bundle), x);
    hot().spread_codes(x, centre_[f], scale_[f], out);
  }
  // The codes of a feature, kept or made.
  const uint8_t* codes(size_t f, std::vector<uint8_t>& room) const {
    if (f < n_kept_) return &codes_[f * room_];
    room.resize(room_);
    for (size_t b = 0; b < stack_.n_bundles(); ++b) code(f, b, &room[b * kLanes]);
    return room.data();
  }

  // Weights as 30 bits of a sum, those of label +1 in the upper half.
  void pack(const int64_t* value, int64_t total) {
    packed_.assign(room_, 0);
    int shift = 0;
    while (total >> shift >= int64_t{1} << kSum) ++shift;
    shift_ = shift;
    const int64_t half = shift > 0 ? int64_t{1} << (shift - 1) : 0;
    for (size_t i = 0; i < stack_.size(); ++i) {
      const int64_t q = (std::abs(value[i]) + half) >> shift;
      packed_[i] = value[i] > 0 ? q << 32 : q;
    }
  }

  // Sums by code of every feature, handed to `look` one after another.
  template <class Look>
  void each_table(Look&& look) const {
    const size_t parts = (features_.size() + kPart - 1) / kPart;
    Pool::instance().run(parts, threads_, [&](size_t part) {
      const size_t first = part * kPart, last = std::min(features_.size(), first + kPart);
      std::vector<uint8_t> made;
      const size_t kept = std::clamp(n_kept_, first, last);
      if (kept < last) {
        made.resize((last - kept) * room_);
        for (size_t b = 0; b < stack_.n_bundles(); ++b) {
          for (size_t f = kept; f < last; ++f) code(f, b, &made[(f - kept) * room_ + b * kLanes]);
          Pool::check_interrupt();
        }
      }
      int64_t tables[kGroup * 256];
      for (size_t f = first; f < last; f += kGroup) {
        const size_t width = std::min(kGroup, last - f);
        const uint8_t* codes[kGroup] = {};
        for (size_t k = 0; k < width; ++k)
          codes[k] = f + k < kept ? &codes_[(f + k) * room_] : &made[(f + k - kept) * room_];
        std::fill(tables, tables + width * 256, 0);
        hot().histogram(codes, width, packed_.data(), 0, stack_.size(), tables);
        for (size_t k = 0; k < width; ++k) look(f + k, tables + k * 256);
        Pool::check_interrupt();
      }
    });
  }

  // Opens features in order of promise until none can be better, or tied.
  HaarStump settle(const Weights& weights, const std::vector<int32_t>& best,
                   const std::vector<int32_t>& reach) {
    const int64_t tied = 2 * (weights.total() / 1'000'000'000'000);
    // A packed sum may be off by half a unit a window, R by twice that.
    const int64_t slack = ((static_cast<int64_t>(stack_.size()) + 2) << shift_) + tied;
    std::vector<uint32_t> order(features_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::atomic<int64_t> most{-1};
    const auto top = static_cast<size_t>(std::max_element(best.begin(), best.end()) - best.begin());
    most = open(weights, top, -1);
    const auto bound = [&](uint32_t f) {
      return (static_cast<int64_t>(reach[f]) << shift_) + slack;
    };
    std::erase_if(order, [&](uint32_t f) { return f != top && bound(f) < most.load() - tied; });
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return reach[a] != reach[b] ? reach[a] > reach[b] : a < b;
    });
    std::vector<int64_t> exact(order.size(), -1);
    std::atomic<size_t> opened{0};
    Pool::instance().run(order.size(), threads_, [&](size_t k) {
      const int64_t floor = most.load(std::memory_order_relaxed) - tied;
      if (bound(order[k]) < floor) return;
      exact[k] = open(weights, order[k], floor);
      opened.fetch_add(1, std::memory_order_relaxed);
      int64_t seen = most.load(std::memory_order_relaxed);
      while (exact[k] > seen &&
             !most.compare_exchange_weak(seen, exact[k], std::memory_order_relaxed)) {
      }
    });
    HaarStump found;
    found.feature = features_.size();
    for (size_t k = 0; k < order.size(); ++k)
      if (exact[k] >= most.load() - tied) found.feature = std::min<size_t>(found.feature, order[k]);
    found.opened = opened.load();
    first_cut(weights, most.load() - tied, found);
    return found;
  }

  // The largest R of a feature, where it is at least `floor`; else something below.
  int64_t open(const Weights& weights, size_t f, int64_t floor) const {
    std::vector<uint8_t> made;
    const uint8_t* code = codes(f, made);
    const int64_t* value = weights.value();
    int64_t sum[256] = {}, mass[256] = {};
    for (size_t i = 0; i < stack_.size(); ++i) {
      sum[code[i]] += value[i];
      mass[code[i]] += std::abs(value[i]);
    }
    int64_t before[256], all = 0;
    for (size_t c = 0; c < 256; ++c) {
      before[c] = all;
      all += sum[c];
    }
    int64_t best = std::abs(all);
    for (size_t c = 0; c < 256; ++c) best = std::max(best, std::abs(all - 2 * before[c]));
    bool shut[256];
    bool any = false;
    for (size_t c = 0; c < 256; ++c) {
      const int64_t up = before[c] + (mass[c] + sum[c]) / 2;
      const int64_t down = before[c] - (mass[c] - sum[c]) / 2;
      const int64_t most = std::max(std::abs(all - 2 * up), std::abs(all - 2 * down));
      shut[c] = most <= best || most < floor;
      any |= !shut[c];
    }
    if (!any) return best;
    struct Item {
      double x;
      int64_t v;
      uint8_t code;
    };
    std::vector<Item> items;
    for (size_t i = 0; i < stack_.size(); ++i)
      if (!shut[code[i]]) items.push_back({stack_.value(features_, f, i), value[i], code[i]});
    std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.x < b.x; });
    int64_t left = 0;
    for (size_t k = 0; k < items.size(); ++k) {
      if (k == 0 || items[k].code != items[k - 1].code) left = before[items[k].code];
      left += items[k].v;
      const bool ends = k + 1 == items.size() || items[k + 1].x != items[k].x;
      if (ends) best = std::max(best, std::abs(all - 2 * left));
    }
    return best;
  }

  struct Ordered {
    double x;
    uint32_t i;
  };
  std::vector<Ordered> ordered(size_t f) const {
    std::vector<double> x(room_);
    stack_.values(features_, f, x.data());
    std::vector<Ordered> rows(stack_.size());
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = {x[i] + 0.0, static_cast<uint32_t>(i)};
    std::sort(rows.begin(), rows.end(),
              [](const Ordered& a, const Ordered& b) { return a.x < b.x; });
    return rows;
  }

  // The lowest threshold of the found feature whose R is at least `bar`.
  void first_cut(const Weights& weights, int64_t bar, HaarStump& found) const {
    const std::vector<Ordered> rows = ordered(found.feature);
    int64_t all = 0, left = 0;
    for (size_t i = 0; i < weights.size(); ++i) all += weights.value()[i];
    for (size_t k = 0; k <= rows.size(); ++k) {
      if (k > 0) left += weights.value()[rows[k - 1].i];
      if (k == rows.size()) break;
      if (k > 0 && rows[k].x == rows[k - 1].x) continue;
      if (std::abs(all - 2 * left) < bar) continue;
      found.threshold = k == 0 ? cut_below(rows[0].x) : cut_between(rows[k - 1].x, rows[k].x);
      found.polarity = all - 2 * left >= 0 ? 1 : -1;
      share(weights.value(), weights.total(), rows, k, found);
      return;
    }
  }

  static void share(const int64_t* value, int64_t total, const std::vector<Ordered>& rows,
                    size_t cut, HaarStump& found) {
    int64_t sums[4] = {};
    for (size_t k = 0; k < rows.size(); ++k) {
      const int64_t v = value[rows[k].i];
      sums[(k >= cut ? 2 : 0) + (v > 0 ? 1 : 0)] += std::abs(v);
    }
    const double all = static_cast<double>(total);
    for (int s = 0; s < 2; ++s) {
      found.low[s] = static_cast<double>(sums[s]) / all;
      found.high[s] = static_cast<double>(sums[2 + s]) / all;
    }
  }

  // Whole weights prior * exp(-y F), signed by y, about 2^58 in all.
  int64_t weigh(const double* prior, const double* F, const int8_t* y,
                std::vector<int64_t>& value) const {
    const size_t m = stack_.size();
    std::vector<double> e(m);
    double most = -std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < m; ++i)
      if (prior[i] > 0) most = std::max(most, e[i] = -static_cast<double>(y[i]) * F[i]);
    double largest = 0;
    for (size_t i = 0; i < m; ++i) largest = std::max(largest, prior[i]);
    for (size_t i = 0; i < m; ++i) e[i] = prior[i] > 0 ? e[i] - most : -800.0;
    hot().exponentials(e.data(), m);
    // The first scale cannot overflow; the second brings the total to its place.
    double unit = Weights::kTarget / static_cast<double>(m) / largest;
    value.resize(m);
    int64_t total = 0;
    for (int pass = 0; pass < 2; ++pass) {
      total = 0;
      for (size_t i = 0; i < m; ++i) {
        const int64_t q = std::llrint(prior[i] * e[i] * unit);
        value[i] = y[i] > 0 ? q : -q;
        total += q;
      }
      unit *= Weights::kTarget / std::max(1.0, static_cast<double>(total));
    }
    return total;
  }

  // The threshold of the found feature that rates best; the lowest of equals.
  void best_cut(const int64_t* value, int64_t total, Rating rating, HaarStump& found) const {
    const std::vector<Ordered> rows = ordered(found.feature);
    int64_t all[2] = {}, left[2] = {};
    for (size_t i = 0; i < rows.size(); ++i) all[value[i] > 0] += std::abs(value[i]);
    double best = -std::numeric_limits<double>::infinity();
    size_t at = 0;
    for (size_t k = 0; k < rows.size(); ++k) {
      if (k == 0 || rows[k].x != rows[k - 1].x) {
        const double merit = merit_of(static_cast<double>(left[1]), static_cast<double>(left[0]),
                                      static_cast<double>(all[1] - left[1]),
                                      static_cast<double>(all[0] - left[0]), rating);
        if (merit > best) {
          best = merit;
          at = k;
        }
      }
      left[value[rows[k].i] > 0] += std::abs(value[rows[k].i]);
    }
    found.threshold = at == 0 ? cut_below(rows[0].x) : cut_between(rows[at - 1].x, rows[at].x);
    share(value, total, rows, at, found);
    found.polarity = found.high[1] >= found.high[0] ? 1 : -1;
  }

  const WindowStack<T>& stack_;
  const HaarFeatures<T>& features_;
  int threads_;
  size_t room_;    // windows, in whole bundles
  size_t n_kept_;  // features whose codes are kept
  std::vector<double> centre_, scale_;
  Aligned<uint8_t> codes_;
  std::vector<int64_t> packed_;
  int shift_ = 0;
};

}  // namespace weaklearn
