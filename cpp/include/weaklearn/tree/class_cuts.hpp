// What the blocks of rows at a node of many classes are worth, and what every cut of a column has
// on its two sides.
//
// Walking the cells, phi of one class changes on both sides with each; the sums of phi are whole
// numbers, so that what they come to does not depend on the way.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weaklearn/tree/class_cells.hpp"
#include "weaklearn/tree/node.hpp"

namespace weaklearn {

class ClassCuts : protected ClassCells {
 public:
  // A new node of more than two classes.
  void enter() {
    const size_t k = node_.present.size();
    phi_ = Phi(node_.settings.criterion, node_.sum.w, k, node_.logs);
    total_.resize(k);
    total_phi_.resize(k);
    with(node_.settings.criterion, [&]<Criterion c>() {
      node_part_ = {};
      for (size_t i = 0; i < k; ++i) total_[i] = node_.class_sum[node_.present[i]];
      if constexpr (c != Criterion::error) phi_.of<c>(total_.data(), k, total_phi_.data());
      if constexpr (c == Criterion::error) total_phi_ = total_;
      for (size_t i = 0; i < k; ++i) {
        node_part_.w += total_[i];
        node_part_.sum = c == Criterion::error ? std::max(node_part_.sum, total_[i])
                                               : node_part_.sum + total_phi_[i];
      }
      node_merit_ = merit<c>(node_part_);
    });
  }

 protected:
  ClassCuts(const Node& node, ValueOrder& order, CodeCounts& counts)
      : ClassCells(node, order, counts) {}

  // ---- blocks

  template <Criterion c>
  Part part_of(const int64_t* weights, size_t k) const {  // examples are left to the caller
    Part part;
    for (size_t i = 0; i < k; ++i) {
      part.w += weights[i];
      if constexpr (c == Criterion::error)
        part.sum = std::max(part.sum, weights[i]);
      else if (weights[i] > 0)
        part.sum += phi_.of<c>(weights[i]);
    }
    return part;
  }
  template <Criterion c>
  double merit(const Part& part) const {
    return part.w > 0 ? phi_.merit<c>(part.w, part.sum) : 0.0;
  }
  int64_t examples(const Part& part, int64_t counted) const {
    return node_.counting() ? counted : part.w;
  }

  // Tests part all rows of the node.
  void part_all() {
    if (!has_missing_) missing_part_ = {};
    parted_ = total_.data();
    parted_phi_ = total_phi_.data();
    parted_part_ = node_part_;
    parted_part_.count = examples(node_part_, node_.count);
    base_ = node_merit_;
  }

  // ---- cuts

  void make_room(size_t n) {
    if (gain_.size() >= n) return;
    gain_.resize(n);
    cut_at_.resize(n);
    for (auto* list : {&rest_, &cut_w_, &cut_left_, &cut_right_, &cut_count_}) list->resize(n);
    for (auto* list : {&sides_, &phis_}) list->resize(2 * n);
  }

  template <Criterion c>
  void work_out_phi(int side, size_t n) {
    left_.assign(n_classes(), 0);
    if (side == 0) left_ = missing_;
    size_t open = 0;  // after the last cell of a class there is nothing to work out
    for (size_t i = 0; i < n; ++i) {
      const uint32_t k = cells_.k[i];
      const int64_t l = left_[k] += cells_.w[i], r = parted_[k] - l;
      sides_[2 * open] = l;
      sides_[2 * open + 1] = rest_[i] = r;
      open += r != 0;
    }
    phi_.of<c>(sides_.data(), 2 * open, phis_.data());
  }

  // Sums of phi on both sides of every cut; gives their number.
  template <Criterion c>
  size_t add_up_cuts(int side, size_t n) {
    const size_t k = n_classes();
    int64_t w = 0, count = 0, left = 0, right = parted_part_.sum;
    left_phi_.assign(k, 0);
    right_phi_.assign(parted_phi_, parted_phi_ + k);
    if (side == 0) {  // missing rows stand before all others
      w = missing_part_.w;
      count = missing_part_.count;
      left = missing_part_.sum;
      for (size_t i = 0; c != Criterion::error && i < k; ++i) {
        const int64_t rest = parted_[i] - missing_[i];
        left_phi_[i] = part_of<c>(&missing_[i], 1).sum;
        right_phi_[i] = part_of<c>(&rest, 1).sum;
        right += right_phi_[i] - parted_phi_[i];
      }
    }
    size_t open = 0, n_cuts = 0;
    for (size_t i = 0; i < n; ++i) {
      w += cells_.w[i];
      if (cells_.counted) count += cells_.count[i];
      if constexpr (c == Criterion::error) {
        left = phis_[i];
        right = phis_[n + i];
      } else {
        const uint32_t label = cells_.k[i];
        const bool last = rest_[i] == 0;
        const int64_t lp = last ? parted_phi_[label] : phis_[open];
        const int64_t rp = last ? 0 : phis_[open + 1];
        open += last ? 0 : 2;
        left += lp - left_phi_[label];
        right += rp - right_phi_[label];
        left_phi_[label] = lp;
        right_phi_[label] = rp;
      }
      cut_at_[n_cuts] = static_cast<uint32_t>(i);
      cut_w_[n_cuts] = w;
      cut_left_[n_cuts] = left;
      cut_right_[n_cuts] = right;
      cut_count_[n_cuts] = count;
      n_cuts += !cells_.same_value(i, i + 1);
    }
    return n_cuts;
  }

  // The heaviest class before and after each cut, in place of sums of phi.
  void weigh_heaviest(int side, size_t n) {
    left_.assign(n_classes(), 0);
    right_.assign(n_classes(), 0);
    if (side == 0) left_ = missing_;
    if (side == 1) right_ = missing_;
    int64_t most = *std::max_element(left_.begin(), left_.end());
    for (size_t i = 0; i < n; ++i)
      phis_[i] = most = std::max(most, left_[cells_.k[i]] += cells_.w[i]);
    most = *std::max_element(right_.begin(), right_.end());
    for (size_t i = n; i > 0; --i)
      phis_[n + i - 1] = most = std::max(most, right_[cells_.k[i]] += cells_.w[i]);
  }

  Phi phi_;
  // Of the node, by class.
  std::vector<int64_t> total_phi_;
  Part node_part_;
  double node_merit_ = 0;
  // Of the column.
  std::vector<int64_t> known_, known_phi_;
  const int64_t *parted_ = nullptr, *parted_phi_ = nullptr;  // of the rows that a test parts
  Part parted_part_;
  double base_ = 0;
  std::vector<int64_t> left_, right_, left_phi_, right_phi_, sides_, phis_, rest_;
  std::vector<uint32_t> cut_at_;  // the cell before each cut
  std::vector<int64_t> cut_w_, cut_left_, cut_right_, cut_count_;
  std::vector<double> gain_;
};

}  // namespace weaklearn
