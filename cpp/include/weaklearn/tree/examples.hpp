// The examples of one tree: weight and label of every row in its bag, ready to be added up.
//
// Two classes of unweighted examples are packed, count and count of the second class in one word;
// otherwise a row is a pair. Where missing values go down every branch, nodes have weights of their
// own instead, and whole copies are made fine enough to be shared out.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "weaklearn/tree/bag.hpp"
#include "weaklearn/tree/criterion.hpp"
#include "weaklearn/tree/tree_data.hpp"

namespace weaklearn {

// A block of two classes or of numbers: its weight, and the weight of the second class or the sum.
// A row of many classes: its weight and its class.
struct Pair {
  int64_t w, a;
  Pair& operator+=(const Pair& other) {
    w += other.w;
    a += other.a;
    return *this;
  }
  double mean() const { return static_cast<double>(a) / static_cast<double>(w); }
};

inline Pair unpacked(uint64_t v) {
  return {static_cast<int64_t>(v >> 32), static_cast<int64_t>(v & 0xffffffffu)};
}
inline uint64_t packed(int64_t copies, bool second) {
  const auto c = static_cast<uint64_t>(copies);
  return c << 32 | (second ? c : 0);
}

class Examples {
 public:
  Examples(const TreeData& data, const WholeLogs& logs) : data_(data), whole_logs_(logs) {}

  // Takes the bag of a new tree.
  void take(const Bag& bag) {
    bag_ = &bag;
    plain_ = bag.plain() && !data_.shares();
    shift_ = 0;
    if (bag.plain() && data_.shares())
      while (static_cast<double>(bag.total) * std::ldexp(1.0, shift_ + 1) < 0x1p58) ++shift_;
    int exponent = 0;
    std::frexp(static_cast<double>(std::max<int64_t>(total(), 1)), &exponent);
    scale_ = std::ldexp(1.0, 61 - exponent);
    if (!data_.shares()) fill();
  }

  const Bag& bag() const { return *bag_; }
  bool plain() const { return plain_; }  // weights are numbers of copies
  const WholeLogs* logs() const { return plain_ ? &whole_logs_ : nullptr; }
  int64_t total() const { return bag_->total << shift_; }
  double scale() const { return scale_; }  // whole numbers a unit of weight and of the numbers
  uint64_t packed_at(uint32_t row) const { return packed_[row]; }
  const Pair& pair_at(uint32_t row) const { return pairs_[row]; }
  // Several targets: the row's part of the sum of each.
  const int64_t* targets_at(uint32_t row) const { return &targets_[row * data_.n_targets()]; }

  // Where nodes have weights of their own: that of one copy at the root, and a row as a pair.
  int64_t own_weight(uint32_t row) const {
    return bag_->plain() ? int64_t{1} << shift_ : bag_->weight[row];
  }
  Pair pair_of(uint32_t row, int64_t own) const {
    const int64_t times = bag_->times_of(row), w = own * times;
    if (data_.n_targets() > 0) return {w, 0};
    if (data_.n_classes() == 0) return {w, sum_of(own, row) * times};
    const int32_t label = data_.labels()[row];
    return {w, data_.n_classes() > 2 ? label : label == 1 ? w : 0};
  }

 private:
  int64_t sum_of(int64_t weight, size_t row) const {  // one copy's part of a sum of numbers
    return std::llrint(static_cast<double>(weight) * data_.numbers()[row] * scale_);
  }

  void fill() {
    const Bag& bag = *bag_;
    if (plain_ && (data_.n_classes() == 1 || data_.n_classes() == 2)) {
      packed_.resize(data_.n_rows());
      for (uint32_t i : bag.rows) packed_[i] = packed(bag.copies[i], data_.labels()[i] == 1);
      return;
    }
    pairs_.resize(data_.n_rows());
    for (uint32_t i : bag.rows) pairs_[i] = pair_of(i, bag.plain() ? 1 : bag.weight[i]);
    if (data_.n_targets() > 0) fill_targets();
  }

  void fill_targets() {
    const size_t k = data_.n_targets();
    targets_.resize(data_.n_rows() * k);
    for (uint32_t i : bag_->rows) {
      const int64_t one = bag_->plain() ? 1 : bag_->weight[i], times = bag_->times_of(i);
      const double weight = static_cast<double>(one) * scale_;
      for (size_t t = 0; t < k; ++t)
        targets_[i * k + t] = std::llrint(weight * data_.targets_of(i)[t]) * times;
    }
  }

  const TreeData& data_;
  const WholeLogs& whole_logs_;
  const Bag* bag_ = nullptr;
  bool plain_ = true;
  int shift_ = 0;
  double scale_ = 1;
  std::vector<uint64_t> packed_;
  std::vector<Pair> pairs_;
  std::vector<int64_t> targets_;
};

}  // namespace weaklearn
