// What the blocks of a test are worth where each row of the node has been sent to one of them: its
// two sides, and the rows without a value.
//
// Cost: O(rows); by absolute error O(rows log rows) a union of blocks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weaklearn/tree/medians.hpp"
#include "weaklearn/tree/node.hpp"

namespace weaklearn {

class RowBlocks {
 public:
  explicit RowBlocks(const Node& node) : node_(node) {}

  static constexpr uint8_t kLow = 1, kHigh = 2, kMissing = 4, kEvery = 7;  // blocks, as bits
  struct Union {
    Pair sum{0, 0};
    int64_t count = 0;
  };

  // A node has been entered.
  void enter() {
    block.resize(std::max(block.size(), node_.n));
    yard_ = {node_.sum.mean(), node_.zero(), node_.logs};
    if (node_.view == Node::View::classes)
      phi_ = Phi(node_.settings.criterion, node_.sum.w, node_.present.size(), node_.logs);
    if (by_median()) rank_numbers();
  }

  // Adds up the rows by `block`.
  void add_up() {
    for (Union& u : unions_) u = {};
    const size_t k = by_class() ? node_.present.size() : 0;
    for (auto& weights : class_weights_) weights.assign(k, 0);
    const size_t n_targets = node_.data.n_targets();
    for (auto& sums : target_sums_) sums.assign(n_targets, 0);
    for (size_t i = 0; i < node_.n; ++i) {
      const Pair p = pair_at(i);
      Union& u = unions_[block[i]];
      u.sum.w += p.w;
      if (k == 0) u.sum.a += p.a;
      u.count += node_.counting() ? node_.counts[i] : p.w;
      if (k > 0) class_weights_[block[i]][node_.labels[i]] += p.w;
      for (size_t t = 0; t < n_targets; ++t) target_sums_[block[i]][t] += node_.targets_at(i)[t];
    }
  }

  // Of the rows whose block is in the set.
  Union of(uint8_t set) const {
    Union all;
    for (uint8_t b : {kLow, kHigh, kMissing})
      if ((set & b) != 0) all.sum += unions_[b].sum, all.count += unions_[b].count;
    return all;
  }
  double merit(uint8_t set) {
    const Pair p = of(set).sum;
    if (p.w == 0) return 0;
    if (node_.data.n_targets() > 0) return node_.target_merit(p.w, targets_of(set));
    if (by_class()) return class_merit(set, p.w);
    if (by_median()) return -distance(set);
    return with(node_.settings.criterion, [&]<Criterion c>() {
      return pair_merit<c>(static_cast<double>(p.w), static_cast<double>(p.a), yard_);
    });
  }

  // Several targets: their sums over the rows whose block is in the set.
  const int64_t* targets_of(uint8_t set) {
    union_sums_.assign(node_.data.n_targets(), 0);
    for (uint8_t b : {kLow, kHigh, kMissing})
      for (size_t t = 0; (set & b) != 0 && t < union_sums_.size(); ++t)
        union_sums_[t] += target_sums_[b][t];
    return union_sums_.data();
  }

  Pair pair_at(size_t i) const {
    return node_.view == Node::View::packed ? unpacked(node_.packed_rows[i]) : node_.pair_rows[i];
  }

  // By absolute error: the numbers of the node in order, and the place of each row's among them.
  const std::vector<double>& numbers() const { return numbers_; }
  size_t rank(size_t i) const { return ranks_[i]; }

  std::vector<uint8_t> block;  // of each row of the node

 private:
  bool by_class() const { return node_.view == Node::View::classes; }
  bool by_median() const { return node_.settings.criterion == Criterion::absolute_error; }

  void rank_numbers() {
    numbers_.resize(node_.n);
    const auto number = [&](size_t i) { return node_.data.numbers()[node_.rows[i]] * node_.scale; };
    for (size_t i = 0; i < node_.n; ++i) numbers_[i] = number(i);
    std::sort(numbers_.begin(), numbers_.end());
    numbers_.erase(std::unique(numbers_.begin(), numbers_.end()), numbers_.end());
    ranks_.resize(node_.n);
    for (size_t i = 0; i < node_.n; ++i)
      ranks_[i] = static_cast<size_t>(
          std::lower_bound(numbers_.begin(), numbers_.end(), number(i)) - numbers_.begin());
  }

  double distance(uint8_t set) {
    sums_.clear(numbers_.size());
    for (size_t i = 0; i < node_.n; ++i)
      if ((set & block[i]) != 0) sums_.add(ranks_[i], pair_at(i).w, pair_at(i).a);
    return sums_.distance([&](size_t at) { return numbers_[at]; });
  }

  double class_merit(uint8_t set, int64_t w) const {
    return with(node_.settings.criterion, [&]<Criterion c>() {
      int64_t sum = 0;
      for (size_t k = 0; k < node_.present.size(); ++k) {
        int64_t weight = 0;
        for (uint8_t b : {kLow, kHigh, kMissing})
          if ((set & b) != 0) weight += class_weights_[b][k];
        if constexpr (c == Criterion::error)
          sum = std::max(sum, weight);
        else if (weight > 0)
          sum += phi_.of<c>(weight);
      }
      return phi_.merit<c>(w, sum);
    });
  }

  const Node& node_;
  Yardstick yard_;
  Phi phi_;
  Union unions_[kMissing + 1];
  std::vector<int64_t> class_weights_[kMissing + 1];
  std::vector<int64_t> target_sums_[kMissing + 1], union_sums_;
  std::vector<double> numbers_;
  std::vector<size_t> ranks_;
  RankedSums sums_;
};

}  // namespace weaklearn
