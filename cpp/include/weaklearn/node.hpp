// The node that is looked at: its rows with their weights and labels side by side, and their sums.
//
// Weights are whole numbers, so that no sum depends on the order of rows. Two classes of unweighted
// examples are packed, count and count of the second class in one word; otherwise two classes and
// numbers are pairs. Of many classes only those present count; where two are left, they are pairs.
//
// Cost: O(rows of the node) to enter it. Memory: O(rows of the root).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "weaklearn/bag.hpp"
#include "weaklearn/criterion.hpp"
#include "weaklearn/ground.hpp"
#include "weaklearn/rules.hpp"
#include "weaklearn/split.hpp"

namespace weaklearn {

// A block of two classes or of numbers: its weight, and the weight of the second class or the sum.
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

class Node {
 public:
  enum class View : uint8_t { packed, pairs, classes };

  Node(const Ground& on, const Rules& by, const WholeLogs& whole_logs)
      : ground(on), rules(by), whole_logs_(whole_logs) {
    class_sum.assign(ground.n_classes(), 0);
    present_at_.assign(ground.n_classes(), 0);
  }

  const Ground& ground;
  const Rules& rules;

  // A new tree.
  void begin(const Bag& bag) {
    bag_ = &bag;
    plain = bag.plain() && rules.missing != MissingTest::fraction;
    logs = plain ? &whole_logs_ : nullptr;
    shift_ = 0;
    if (bag.plain() && !plain)  // whole copies are to be shared out
      while (static_cast<double>(bag.total) * std::ldexp(1.0, shift_ + 1) < 0x1p58) ++shift_;
    all = bag.total << shift_;
    int exponent = 0;
    std::frexp(static_cast<double>(std::max<int64_t>(all, 1)), &exponent);
    scale = std::ldexp(1.0, 61 - exponent);
    least_ = rules.min_weight * static_cast<double>(all) * (1 - 1e-12);
    fill_rows();
    const size_t room = bag.rows.size();
    if (plain && ground.n_classes() > 0) packed_rows.resize(room);
    if (!plain || ground.n_classes() != 2) pair_rows.resize(room);
    if (ground.n_classes() > 2) labels.resize(room);
    counts.resize(room);
  }

  // The weight of one copy of a row at the root, where rows carry weights of their own.
  int64_t own_weight(size_t row) const {
    return bag_->plain() ? int64_t{1} << shift_ : bag_->weight[row];
  }

  // Looks at rows; own: the weights of one copy of each, or null for the bag's.
  void enter(const uint32_t* of, size_t size, const int64_t* own) {
    rows = of;
    n = size;
    own_ = own;
    if (ground.n_classes() > 2)
      enter_classes();
    else if (plain && ground.n_classes() > 0)
      enter_packed();
    else
      enter_pairs();
  }

  // What the node answers: class shares, or the mean. Gives the class of a pure node, else -1.
  int32_t answer(double* out) const {
    const size_t k = ground.n_classes();
    if (k == 0) {
      out[0] = (pure ? least_number_ : sum.mean() / scale) * ground.reach() + ground.middle();
      return -1;
    }
    const double w = static_cast<double>(sum.w);
    if (k <= 2) {
      if (k == 2) out[1] = static_cast<double>(sum.a) / w;
      out[0] = static_cast<double>(sum.w - sum.a) / w;
      return !pure ? -1 : sum.a > 0 ? 1 : 0;
    }
    std::fill(out, out + k, 0.0);
    for (uint32_t c : present) out[c] = static_cast<double>(class_sum[c]) / w;
    return pure ? static_cast<int32_t>(present[0]) : -1;
  }

  // Gains are whole numbers times this: squares of the ground's numbers, or 1.
  double gain_unit() const {
    const double unit = ground.reach() / scale;
    return ground.n_classes() == 0 ? unit * unit : 1.0;
  }
  // Gains closer than this are tied.
  double tie() const {
    const double range = highest() - lowest();
    return kTied * static_cast<double>(sum.w) * range * range;
  }
  // Between which means of pairs lie at this node.
  double lowest() const { return ground.n_classes() == 0 ? least_number_ * scale : 0.0; }
  double highest() const { return ground.n_classes() == 0 ? most_number_ * scale : 1.0; }

  // Examples are counted apart where weights are not counts.
  bool counting() const { return rules.min_samples_leaf > 1 && !plain; }
  // Whether any block that a test makes is large enough.
  bool any_block() const { return rules.min_samples_leaf <= 1 && least_ <= 1; }
  bool enough(int64_t w, int64_t examples) const {
    return examples >= rules.min_samples_leaf && static_cast<double>(w) >= least_;
  }
  // More than rounding may have made of equal weights.
  bool heavier(int64_t a, int64_t b) const {
    return static_cast<double>(a - b) > kTied * static_cast<double>(sum.w);
  }

  // The codes of column j for row i at codes[rows[i] * step]: across where rows lie far apart.
  struct Codes {
    const uint8_t* codes;
    size_t step;
    uint8_t operator[](uint32_t row) const { return codes[row * step]; }
  };
  Codes codes(uint32_t j) const {
    if (ground.scattered(n)) return {ground.across() + j, ground.stride()};
    return {ground.codes(j), 1};
  }

  // Of the tree.
  bool plain = true;                // weights are numbers of copies
  const WholeLogs* logs = nullptr;  // where they are
  int64_t all = 0;                  // the weight of the root
  double scale = 1;                 // whole numbers a unit of weight times the ground's numbers

  // Of the node; which list of rows is filled, the view tells.
  const uint32_t* rows = nullptr;
  size_t n = 0;
  View view = View::pairs;
  Pair sum{0, 0};
  int64_t count = 0;
  bool pure = false;
  std::vector<uint64_t> packed_rows;
  std::vector<Pair> pair_rows;
  std::vector<uint32_t> labels;  // classes, numbered among those present
  std::vector<int64_t> counts;
  std::vector<uint32_t> present;   // the classes at the node
  std::vector<int64_t> class_sum;  // by class, over all there are

 private:
  int64_t sum_of(int64_t weight, size_t row) const {  // one copy's part of a sum of numbers
    return std::llrint(static_cast<double>(weight) * ground.numbers()[row] * scale);
  }

  // Weight and label of every row in the bag, unless nodes have weights of their own.
  void fill_rows() {
    const Bag& bag = *bag_;
    if (rules.missing == MissingTest::fraction) return;
    if (plain && (ground.n_classes() == 1 || ground.n_classes() == 2)) {
      packed_of_.resize(ground.n_rows());
      for (uint32_t i : bag.rows) packed_of_[i] = packed(bag.copies[i], ground.labels()[i] == 1);
      return;
    }
    pair_of_.resize(ground.n_rows());
    for (uint32_t i : bag.rows) {
      const int64_t w = bag.weight_of(i);
      if (ground.n_classes() == 0)
        pair_of_[i] = {w, sum_of(bag.plain() ? 1 : bag.weight[i], i) * bag.times_of(i)};
      else
        pair_of_[i] = {w, ground.labels()[i] == 1 ? w : 0};
    }
  }

  Pair pair_at(size_t k) const {
    const uint32_t i = rows[k];
    if (own_ == nullptr) return pair_of_[i];
    const int64_t times = bag_->times_of(i), w = own_[k] * times;
    if (ground.n_classes() == 0) return {w, sum_of(own_[k], i) * times};
    return {w, ground.labels()[i] == 1 ? w : 0};
  }

  void enter_packed() {
    view = View::packed;
    uint64_t total = 0;
    for (size_t k = 0; k < n; ++k) total += packed_rows[k] = packed_of_[rows[k]];
    sum = unpacked(total);
    count = sum.w;
    pure = sum.a == 0 || sum.a == sum.w;
  }

  void enter_pairs() {
    view = View::pairs;
    sum = {0, 0};
    for (size_t k = 0; k < n; ++k) sum += pair_rows[k] = pair_at(k);
    count_rows();
    if (ground.n_classes() > 0) {
      pure = sum.a == 0 || sum.a == sum.w;
      return;
    }
    least_number_ = most_number_ = ground.numbers()[rows[0]];
    for (size_t k = 1; k < n; ++k) {
      least_number_ = std::min(least_number_, ground.numbers()[rows[k]]);
      most_number_ = std::max(most_number_, ground.numbers()[rows[k]]);
    }
    pure = least_number_ == most_number_;
  }

  void count_rows() {
    count = plain ? sum.w : 0;
    if (plain) return;
    for (size_t k = 0; k < n; ++k) count += counts[k] = bag_->copies[rows[k]];
  }

  void enter_classes() {
    for (uint32_t c : present) class_sum[c] = 0;
    present.clear();
    for (size_t k = 0; k < n; ++k) {
      const auto c = static_cast<uint32_t>(ground.labels()[rows[k]]);
      const int64_t w = own_ == nullptr ? pair_of_[rows[k]].w : own_[k] * bag_->times_of(rows[k]);
      if (class_sum[c] == 0) present.push_back(c);
      class_sum[c] += w;
      pair_rows[k].w = w;
      labels[k] = c;
    }
    std::sort(present.begin(), present.end());
    sum = {0, 0};
    for (uint32_t k = 0; k < present.size(); ++k) {
      present_at_[present[k]] = k;
      sum.w += class_sum[present[k]];
    }
    count_rows();
    pure = present.size() < 2;
    if (pure) return;
    const bool two = present.size() == 2;
    view = !two ? View::classes : plain ? View::packed : View::pairs;
    if (two) sum.a = class_sum[present[1]];
    for (size_t k = 0; k < n; ++k) {
      const uint32_t c = labels[k] = present_at_[labels[k]];
      if (view == View::packed) packed_rows[k] = packed(pair_rows[k].w, c == 1);
      if (view == View::pairs) pair_rows[k].a = c == 1 ? pair_rows[k].w : 0;
    }
  }

  const WholeLogs& whole_logs_;
  const Bag* bag_ = nullptr;
  const int64_t* own_ = nullptr;
  int shift_ = 0;
  double least_ = 0;  // weight of a block
  std::vector<uint64_t> packed_of_;
  std::vector<Pair> pair_of_;
  double least_number_ = 0, most_number_ = 0;
  std::vector<uint32_t> present_at_;
};

}  // namespace weaklearn
