// Quantiles of the residuals in the leaves of a tree: of own rows by sorting, over partitions by
// the sums of the weights, one digit of the residual after another.
//
// Promise: the same bits however rows are divided. A digit has 8 bits: eight questions over
// partitions, each of 256 sums a leaf (512 where two residuals are looked for).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace weaklearn {

// Residuals with their weights.
using Weighted = std::vector<std::pair<double, int64_t>>;

// The middle of the least residual that has at least a share of the weight at or below it and of
// the least one that has more: most often they are the same one.
inline double quantile_of(Weighted& residuals, double share) {
  if (residuals.empty()) return 0;
  std::sort(residuals.begin(), residuals.end());
  int64_t total = 0, sum = 0;
  for (const auto& [residual, weight] : residuals) total += weight;
  const double wanted = share * static_cast<double>(total);
  const size_t n = residuals.size();
  size_t met = n;
  for (size_t k = 0; k < n; ++k) {
    sum += residuals[k].second;
    if (k + 1 < n && residuals[k + 1].first == residuals[k].first) continue;
    if (static_cast<double>(sum) < wanted) continue;
    if (met == n) met = k;
    if (static_cast<double>(sum) == wanted && k + 1 < n) continue;
    return (met == k ? residuals[k].first : (residuals[met].first + residuals[k].first) / 2) + 0.0;
  }
  return residuals.back().first + 0.0;  // -0 is 0
}

// The same of several leaves at once, over partitions: `write` gives numbers, which `read` takes
// when they are summed, until it says that no more are wanted.
class LeafQuantiles {
 public:
  explicit LeafQuantiles(double share) : share_(share) {}

  // A leaf's own residuals and its weight in all partitions.
  void add(Weighted own, int64_t total) {
    Leaf leaf;
    leaf.wanted = share_ * static_cast<double>(total);
    leaf.empty = total == 0;
    leaf.keys.reserve(own.size());
    for (const auto& [residual, weight] : own) leaf.keys.emplace_back(key_of(residual), weight);
    std::sort(leaf.keys.begin(), leaf.keys.end());
    leaf.met.end = leaf.passed.end = own.size();
    leaves_.push_back(std::move(leaf));
  }

  void write(std::vector<int64_t>& numbers) const {
    for (const Leaf& leaf : leaves_) {
      write(leaf, leaf.met, numbers);
      if (leaf.apart) write(leaf, leaf.passed, numbers);
    }
  }

  bool read(const int64_t* numbers) {
    for (Leaf& leaf : leaves_) {
      const int64_t* const first = numbers;
      const int64_t* const second = leaf.apart ? first + kDigits : first;
      numbers = second + kDigits;
      narrow(leaf, leaf.met, first,
             [&](int64_t sum) { return static_cast<double>(sum) >= leaf.wanted; });
      narrow(leaf, leaf.passed, second,
             [&](int64_t sum) { return static_cast<double>(sum) > leaf.wanted; });
      leaf.apart = leaf.met.prefix != leaf.passed.prefix;
    }
    shift_ -= kBits;
    return shift_ >= 0;
  }

  double of(size_t k) const {
    const Leaf& leaf = leaves_[k];
    if (leaf.empty) return 0;
    const double met = number_of(leaf.met.prefix), passed = number_of(leaf.passed.prefix);
    return leaf.apart ? (met + passed) / 2 : met;
  }

 private:
  static constexpr int kBits = 8;
  static constexpr size_t kDigits = size_t{1} << kBits;

  // What is known of a residual: its first digits, the weight below, own rows that have them.
  struct Sought {
    uint64_t prefix = 0;
    int64_t below = 0;
    size_t begin = 0, end = 0;
  };
  struct Leaf {
    std::vector<std::pair<uint64_t, int64_t>> keys;  // ascending, with their weights
    double wanted = 0;
    bool empty = false, apart = false;  // apart: the two that are sought differ
    Sought met, passed;
  };

  // Whole numbers in the order of the residuals.
  static uint64_t key_of(double x) {
    const auto bits = std::bit_cast<uint64_t>(x + 0.0);
    return bits >> 63 != 0 ? ~bits : bits | uint64_t{1} << 63;
  }
  static double number_of(uint64_t key) {
    return std::bit_cast<double>(key >> 63 != 0 ? key & ~(uint64_t{1} << 63) : ~key);
  }

  size_t digit(uint64_t key) const { return (key >> shift_) % kDigits; }

  void write(const Leaf& leaf, const Sought& sought, std::vector<int64_t>& numbers) const {
    const size_t first = numbers.size();
    numbers.resize(first + kDigits, 0);
    for (size_t k = sought.begin; k < sought.end; ++k)
      numbers[first + digit(leaf.keys[k].first)] += leaf.keys[k].second;
  }

  // Takes the first digit up to which there is enough, or the last that has any weight.
  template <class Enough>
  void narrow(const Leaf& leaf, Sought& sought, const int64_t* sums, const Enough& enough) {
    size_t chosen = 0;
    int64_t below = sought.below, sum = below;
    for (size_t d = 0; d < kDigits; ++d) {
      if (sums[d] == 0) continue;
      chosen = d;
      below = sum;
      sum += sums[d];
      if (enough(sum)) break;
    }
    sought.below = below;
    sought.prefix |= static_cast<uint64_t>(chosen) << shift_;
    const auto range = std::equal_range(
        leaf.keys.begin() + static_cast<ptrdiff_t>(sought.begin),
        leaf.keys.begin() + static_cast<ptrdiff_t>(sought.end),
        std::pair<uint64_t, int64_t>(sought.prefix, 0),
        [&](const auto& a, const auto& b) { return a.first >> shift_ < b.first >> shift_; });
    sought.begin = static_cast<size_t>(range.first - leaf.keys.begin());
    sought.end = static_cast<size_t>(range.second - leaf.keys.begin());
  }

  const double share_;
  int shift_ = 64 - kBits;  // of the digit that is asked for next
  std::vector<Leaf> leaves_;
};

}  // namespace weaklearn
