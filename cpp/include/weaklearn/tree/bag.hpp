// Which rows a tree sees, how often, and with what weight.
//
// Draws are keyed, never a running stream: the same key gives the same bag and the same columns on
// any number of threads. A place in the canonical order stands for one copy of a row, so that
// neither the order of rows nor copies against weights matter.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "weaklearn/columns/route.hpp"

namespace weaklearn {

// Random numbers from a key.
class Stream {
 public:
  Stream(uint64_t a, uint64_t b, uint64_t c) : state_(mix(mix(mix(a + kStep) + b + kStep) + c)) {}
  uint64_t next() { return mix(state_ += kStep); }
  // 0 .. n-1, n below 2^53.
  uint64_t below(uint64_t n) {
    const double u = static_cast<double>(next() >> 11) * 0x1p-53;
    return std::min(static_cast<uint64_t>(u * static_cast<double>(n)), n - 1);
  }

 private:
  static constexpr uint64_t kStep = 0x9E3779B97F4A7C15ull;
  uint64_t state_;
};

struct Bag {
  std::vector<uint32_t> rows;    // those in the bag, ascending
  std::vector<int64_t> copies;   // of every row; 0 where it is not in the bag
  std::vector<int64_t> weight;   // of one copy of every row; empty where all weigh 1
  std::vector<int64_t> times;    // what `weight` is multiplied with; empty: the copies
  int64_t count = 0, total = 0;  // examples and weight of the whole bag
  double repeats = 1;            // how often the example of a draw was drawn, on average

  bool plain() const { return weight.empty(); }
  int64_t times_of(size_t row) const { return times.empty() ? copies[row] : times[row]; }
  int64_t weight_of(size_t row) const {
    return plain() ? copies[row] : weight[row] * times_of(row);
  }

  static constexpr double kMost = 2305843009213693952.0;  // 2^61: no sum of weights exceeds it

  // To be called when copies and weights stand: lists the rows that have weight.
  void close() {
    double sum = 0;
    count = 0;
    for (size_t i = 0; i < copies.size(); ++i) {
      count += copies[i];
      if (copies[i] > 0) sum += static_cast<double>(plain() ? 1 : weight[i]) * times_double(i);
    }
    if (plain() && count >= int64_t{1} << 31) {  // too many for sums of pairs in one word
      weight.assign(copies.size(), 1);
    }
    while (sum > kMost) {
      for (int64_t& w : weight) w >>= 1;
      sum /= 2;
    }
    rows.clear();
    total = 0;
    count = 0;
    for (size_t i = 0; i < copies.size(); ++i) {
      if (copies[i] == 0 || weight_of(i) == 0) continue;
      rows.push_back(static_cast<uint32_t>(i));
      total += weight_of(i);
      count += copies[i];
    }
  }

 private:
  double times_double(size_t i) const { return static_cast<double>(times_of(i)); }
};

// The places of a canonical order, and the draws of bags among them.
class Places {
 public:
  // order: which row stands where (empty: as they are); copies: places a row takes (empty: one).
  Places(size_t n_rows, std::vector<int64_t> order, std::vector<int64_t> copies)
      : n_rows_(n_rows), order_(std::move(order)), copies_(std::move(copies)) {
    if (copies_.empty()) return;
    ends_.resize(n_rows);
    int64_t end = 0;
    for (size_t k = 0; k < n_rows; ++k) ends_[k] = end += copies_[row(k)];
  }

  int64_t size() const { return ends_.empty() ? static_cast<int64_t>(n_rows_) : ends_.back(); }

  // How often each row is drawn in n draws with replacement.
  void draw(uint64_t seed, uint64_t tree, int64_t n, std::vector<int64_t>& count) const {
    count.assign(n_rows_, 0);
    Stream stream(seed, tree, kBagKey);
    const auto places = static_cast<uint64_t>(size());
    for (int64_t k = 0; k < n; ++k) {
      const auto place = static_cast<int64_t>(stream.below(places));
      const size_t at =
          ends_.empty() ? static_cast<size_t>(place)
                        : static_cast<size_t>(std::upper_bound(ends_.begin(), ends_.end(), place) -
                                              ends_.begin());
      ++count[row(at)];
    }
  }

  // The same without replacement: place after place, each as likely as what is left allows.
  void choose(uint64_t seed, uint64_t tree, int64_t n, std::vector<int64_t>& count) const {
    if (n >= size()) {
      count = copies_;
      if (count.empty()) count.assign(n_rows_, 1);
      return;
    }
    count.assign(n_rows_, 0);
    Stream stream(seed, tree, kBagKey);
    auto left = static_cast<uint64_t>(size());
    for (size_t k = 0; k < n_rows_; ++k)
      for (int64_t c = copies_.empty() ? 1 : copies_[row(k)]; c > 0; --c, --left)
        if (static_cast<int64_t>(stream.below(left)) < n) {
          ++count[row(k)];
          --n;
        }
  }

 private:
  static constexpr uint64_t kBagKey = 0x424147;
  size_t row(size_t place) const {
    return order_.empty() ? place : static_cast<size_t>(order_[place]);
  }
  size_t n_rows_;
  std::vector<int64_t> order_, copies_, ends_;
};

}  // namespace weaklearn
