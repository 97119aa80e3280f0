// Coarse bins opened over all partitions of the rows.
//
// The values of a bin lie in all partitions, and a cut inside it needs their common order. A bin
// that may hold the best is first divided in a few parts, the same in every partition: sums over
// all of them give the cuts between the parts exactly and bound those inside. Parts that may still
// hold the best are divided again where they hold many values, and listed, value by value with its
// weight, where they hold few. Every partition sees the same sums and lists, and so the same cuts.
//
// Cost: the rows of the bins opened; over the network 24 bytes a part, then 16 bytes a value
// listed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/columns/number_keys.hpp"
#include "weaklearn/partitions/collective.hpp"
#include "weaklearn/stump/column_sums.hpp"
#include "weaklearn/stump/weight_drift.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/threads/profile.hpp"
#include "weaklearn/weights/weights.hpp"

namespace weaklearn {

// A cut inside a bin: the signed weight of the column's rows below it, and the values beside it.
struct JointCut {
  size_t column;
  uint32_t code;
  int64_t below;
  double left, right;
};

class JointBins {
 public:
  JointBins(const Columns& columns, const Collective& all) : columns_(columns), all_(all) {
    for (size_t j = 0; j < columns.size(); ++j) {
      if (!columns[j].coarse) continue;
      coarse_.push_back({j, n_bins_});
      n_bins_ += columns[j].n_codes;
    }
    bounds_.resize(n_bins_);
  }

  // What was remembered belongs to other weights.
  void reset() { std::fill(bounds_.begin(), bounds_.end(), BinBounds{}); }

  // Finds the cuts inside bins that reach `best`, short of a margin, which they may raise; best_of
  // is R of each column.
  void open(const Weights& weights, const ColumnSums& sums, const WeightDrift& drift,
            int64_t margin, int threads, int64_t& best, std::vector<int64_t>& best_of) {
    cuts_.clear();
    if (coarse_.empty()) return;
    refresh(weights, sums, drift, threads);
    const Bar bar{sums, margin, best, best_of};
    std::vector<Range> live = bins_that_may_hold(weights, drift, bar), listed;
    for (size_t n_parts = kFirstParts; !live.empty(); n_parts = kLaterParts)
      live = divided(weights, drift, live, n_parts, threads, bar, listed);
    list(weights, listed, bar);
  }

  // The cuts found inside a bin, in ascending order.
  std::pair<const JointCut*, const JointCut*> cuts(size_t column, uint32_t code) const {
    const auto before = [](const JointCut& cut, const std::pair<size_t, uint32_t>& bin) {
      return std::pair{cut.column, cut.code} < bin;
    };
    const auto first =
        std::lower_bound(cuts_.begin(), cuts_.end(), std::pair{column, code}, before);
    auto last = first;
    while (last != cuts_.end() && last->column == column && last->code == code) ++last;
    return {cuts_.data() + (first - cuts_.begin()), cuts_.data() + (last - cuts_.begin())};
  }

 private:
  static constexpr size_t kFirstParts = 16, kLaterParts = 256;
  static constexpr int64_t kFewValues = 128;  // that are listed rather than divided

  struct CoarseColumn {
    size_t column, first_bin;
  };

  // Some neighbouring values of a bin, from one key to another, both included.
  struct Range {
    size_t column, bin;
    uint32_t code;
    uint64_t low, high;
    uint32_t first, last;  // the rows at hand, by their places in the column's order
    int64_t before;        // signed weight of the column's rows below it, of all partitions
    int64_t values = 0;    // how many distinct ones partitions have, added up
    int64_t rank = 0;      // the same of the values of the bin below it
  };

  // What is known of a part of a range, added up over partitions.
  struct Part {
    int64_t sum, mass, values;
    int64_t positive() const { return (mass + sum) / 2; }
    int64_t negative() const { return (mass - sum) / 2; }
  };
  static constexpr size_t kNumbers = 3;

  // The best so far, and how cuts compare with it.
  struct Bar {
    const ColumnSums& sums;
    int64_t margin;
    int64_t& best;
    std::vector<int64_t>& best_of;

    // R of a cut below which the known rows of column j have a signed weight; raises the best.
    int64_t meet(size_t j, int64_t below, int64_t s, int64_t gain) const {
      const int64_t r = std::abs(2 * below - s) + gain;
      best = std::max(best, r);
      best_of[j] = std::max(best_of[j], r);
      return r;
    }
    bool reached(int64_t r) const { return r >= best - margin; }
  };

  // Bins never opened, or too long ago, are bounded by their weight on both sides.
  void refresh(const Weights& weights, const ColumnSums& sums, const WeightDrift& drift,
               int threads) {
    if (std::all_of(bounds_.begin(), bounds_.end(),
                    [&](const BinBounds& of) { return drift.is_known(of); }))
      return;
    std::vector<int64_t> found(2 * n_bins_);  // weight and rows of each bin
    Pool::instance().run(coarse_.size(), threads_for(coarse_.size() * weights.size(), threads),
                         [&](size_t t) {
                           const Timed timed(Phase::histograms);
                           const Column& column = columns_[coarse_[t].column];
                           int64_t* const of = &found[2 * coarse_[t].first_bin];
                           int64_t mass[256] = {};
                           for (size_t i = 0; i < weights.size(); ++i)
                             mass[column.codes[i]] += std::abs(weights.value()[i]);
                           for (uint32_t c = 0; c < column.n_codes; ++c) {
                             of[2 * c] = mass[c];
                             of[2 * c + 1] = column.bin_start[c + 1] - column.bin_start[c];
                           }
                         });
    all_.sum(found.data(), found.size());
    rows_.resize(n_bins_);
    for (const CoarseColumn& of : coarse_)
      for (uint32_t c = 0; c < columns_[of.column].n_codes; ++c) {
        const size_t bin = of.first_bin + c;
        rows_[bin] = static_cast<size_t>(found[2 * bin + 1]);
        if (drift.is_known(bounds_[bin]) && !drift.is_old(bounds_[bin])) continue;
        const Part all{sums.table(of.column)[c], found[2 * bin], 0};
        bounds_[bin] = {static_cast<float>(-all.negative()), static_cast<float>(all.positive()),
                        static_cast<float>(all.sum), static_cast<float>(all.mass), drift.search()};
      }
  }

  std::vector<Range> bins_that_may_hold(const Weights& weights, const WeightDrift& drift,
                                        const Bar& bar) const {
    std::vector<Range> live;
    for (const auto& [j, first_bin] : coarse_) {
      const Column& column = columns_[j];
      const int64_t* const sums = bar.sums.table(j);
      const int64_t s = bar.sums.known_sum(j);
      const int64_t least = bar.best - bar.margin - bar.sums.missing_gain(j);
      int64_t before = 0;
      for (uint32_t c = 0; c < column.n_codes; ++c) {
        const size_t bin = first_bin + c;
        const bool one_value = !(column.least(c) < column.greatest(c));
        if (!one_value &&
            drift.may_hold(bounds_[bin], rows_[bin], before, sums[c], s, least, weights))
          live.push_back({j, bin, c, coding::key_of(column.least(c)),
                          coding::key_of(column.greatest(c)), column.bin_start[c],
                          column.bin_start[c + 1], before});
        before += sums[c];
      }
    }
    return live;
  }

  static uint64_t step_of(const Range& range, size_t n_parts) {
    return (range.high - range.low) / n_parts + 1;
  }

  // The parts of all ranges, one after another, added up over partitions.
  std::vector<int64_t> parts_of(const Weights& weights, const std::vector<Range>& ranges,
                                size_t n_parts, int threads) const {
    std::vector<int64_t> found(ranges.size() * n_parts * kNumbers);
    Pool::instance().run(ranges.size(), threads_for(64 * found.size(), threads), [&](size_t t) {
      const Timed timed(Phase::splits);
      const Range& range = ranges[t];
      const Column& column = columns_[range.column];
      const uint64_t step = step_of(range, n_parts);
      int64_t* part = nullptr;
      for (uint32_t p = range.first; p < range.last; ++p) {
        if ((column.order[p] & kNewValue) || part == nullptr) {
          const size_t at = (coding::key_of(column.sorted(p)) - range.low) / step;
          part = &found[(t * n_parts + at) * kNumbers];
          ++part[2];
        }
        const int64_t v = weights.value()[column.order[p] & kRowMask];
        part[0] += v;
        part[1] += std::abs(v);
      }
    });
    all_.sum(found.data(), found.size());
    return found;
  }

  // The parts of ranges that may still hold the best and are to be divided again; those of few
  // values join `listed`.
  std::vector<Range> divided(const Weights& weights, const WeightDrift& drift,
                             const std::vector<Range>& ranges, size_t n_parts, int threads,
                             const Bar& bar, std::vector<Range>& listed) {
    const std::vector<int64_t> found = parts_of(weights, ranges, n_parts, threads);
    const auto part_of = [&](size_t t, size_t k) {
      const int64_t* const at = &found[(t * n_parts + k) * kNumbers];
      return Part{at[0], at[1], at[2]};
    };
    for (size_t t = 0; t < ranges.size(); ++t) {
      const Range& range = ranges[t];
      const int64_t s = bar.sums.known_sum(range.column);
      const int64_t gain = bar.sums.missing_gain(range.column);
      int64_t below = 0, least = 0, most = 0, mass = 0;  // within the range
      for (size_t k = 0; k < n_parts; ++k) {
        const Part part = part_of(t, k);
        least = std::min(least, below - part.negative());
        most = std::max(most, below + part.positive());
        below += part.sum;
        mass += part.mass;
        bar.meet(range.column, range.before + below, s, gain);
      }
      if (n_parts == kFirstParts)
        bounds_[range.bin] = {static_cast<float>(least), static_cast<float>(most),
                              static_cast<float>(below), static_cast<float>(mass), drift.search()};
    }
    std::vector<Range> live;
    for (size_t t = 0; t < ranges.size(); ++t) {
      const int64_t s = bar.sums.known_sum(ranges[t].column);
      const int64_t gain = bar.sums.missing_gain(ranges[t].column);
      Range next = ranges[t];
      const uint64_t step = step_of(ranges[t], n_parts);
      for (size_t k = 0; k < n_parts; ++k) {
        const Part part = part_of(t, k);
        next.low = ranges[t].low + k * step;
        next.high = std::min(ranges[t].high, next.low + (step - 1));
        next.values = part.values;
        const int64_t reach = std::max(std::abs(2 * (next.before + part.positive()) - s),
                                       std::abs(2 * (next.before - part.negative()) - s));
        if (part.values > 0 && bar.reached(reach + gain)) {
          next.first = place_of(next.column, ranges[t], next.low);
          next.last = place_of(next.column, ranges[t], next.high + 1);
          (part.values <= kFewValues ? listed : live).push_back(next);
        }
        next.before += part.sum;
        next.rank += part.values;
      }
    }
    return live;
  }

  // The first place of a range's rows at hand whose value has at least this key.
  uint32_t place_of(size_t j, const Range& range, uint64_t key) const {
    const Column& column = columns_[j];
    uint32_t first = range.first, last = range.last;
    while (first < last) {
      const uint32_t middle = first + (last - first) / 2;
      if (coding::key_of(column.sorted(middle)) < key)
        first = middle + 1;
      else
        last = middle;
    }
    return first;
  }

  // Looks at every cut inside the ranges, and at those between neighbours among them.
  void list(const Weights& weights, std::vector<Range>& ranges, const Bar& bar) {
    if (ranges.empty()) return;
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
      return a.bin != b.bin ? a.bin < b.bin : a.low < b.low;
    });
    const std::vector<std::vector<int64_t>> lists = values_of(weights, ranges);
    std::vector<size_t> at(lists.size(), 0);
    std::vector<std::pair<uint64_t, int64_t>> values;
    uint64_t previous = 0;
    for (size_t t = 0; t < ranges.size(); ++t) {
      const Range& range = ranges[t];
      values.clear();
      for (size_t k = 0; k < lists.size(); ++k) {
        const int64_t n = lists[k][at[k]++];
        for (int64_t i = 0; i < n; ++i, at[k] += 2)
          values.push_back({static_cast<uint64_t>(lists[k][at[k]]), lists[k][at[k] + 1]});
      }
      std::sort(values.begin(), values.end());
      const bool follows = t > 0 && ranges[t - 1].bin == range.bin &&
                           ranges[t - 1].rank + ranges[t - 1].values == range.rank;
      const int64_t s = bar.sums.known_sum(range.column);
      const int64_t gain = bar.sums.missing_gain(range.column);
      int64_t below = range.before;
      for (size_t i = 0; i < values.size(); ++i) {
        const bool cut = i > 0 ? values[i].first != previous : follows;
        if (cut && bar.reached(bar.meet(range.column, below, s, gain)))
          cuts_.push_back({range.column, range.code, below, coding::value_of(previous),
                           coding::value_of(values[i].first)});
        below += values[i].second;
        previous = values[i].first;
      }
    }
  }

  // The distinct values of ranges with their signed weight, of every partition: how many a range
  // has, then a key and a weight each.
  std::vector<std::vector<int64_t>> values_of(const Weights& weights,
                                              const std::vector<Range>& ranges) const {
    std::vector<int64_t> own;
    for (const Range& range : ranges) {
      const Column& column = columns_[range.column];
      const size_t head = own.size();
      own.push_back(0);
      for (uint32_t p = range.first; p < range.last; ++p) {
        if ((column.order[p] & kNewValue) || p == range.first) {
          ++own[head];
          own.push_back(static_cast<int64_t>(coding::key_of(column.sorted(p))));
          own.push_back(0);
        }
        own.back() += weights.value()[column.order[p] & kRowMask];
      }
    }
    return all_.gather(own.data(), own.size());
  }

  const Columns& columns_;
  const Collective& all_;
  std::vector<CoarseColumn> coarse_;
  size_t n_bins_ = 0;
  std::vector<BinBounds> bounds_;  // of all coarse bins, the same in every partition
  std::vector<size_t> rows_;       // of each of them, in all partitions
  std::vector<JointCut> cuts_;
};

}  // namespace weaklearn
