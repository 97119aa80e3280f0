// Growing one tree: nodes are opened, searched and split until no rule allows more.
//
// The rows of a node are a stretch of one list, parted in place and in order, so that a node costs
// what its rows cost, however deep it lies; nothing recurses. Without a limit on leaves, nodes are
// opened depth first; with one, the node whose test gains most is split first. Where missing values
// go down every branch, nodes own lists of rows and weights instead.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <queue>
#include <vector>

#include "weaklearn/search.hpp"
#include "weaklearn/tree.hpp"

namespace weaklearn {

class Growth {
 public:
  Growth(const Ground& ground, const Rules& rules, const WholeLogs& logs)
      : ground_(ground), rules_(rules), search_(ground, rules, logs) {}

  // Grows the tree of a bag; the key tells its drawn columns from those of other trees.
  TreeArrays grow(const Bag& bag, uint64_t key) {
    tree_ = TreeArrays{};
    tree_.n_outputs = static_cast<uint32_t>(ground_.n_outputs());
    cut_.clear();
    pure_row_.assign(ground_.n_classes(), -1);
    answer_.resize(ground_.n_outputs());
    bag_ = &bag;
    search_.begin(bag, key);
    unit_ = static_cast<double>(bag.count) / static_cast<double>(search_.node().all);
    rows_ = bag.rows;
    scratch_.resize(rows_.size());
    Open root;
    root.end = static_cast<uint32_t>(rows_.size());
    root.node = add_node();
    if (rules_.missing == MissingTest::fraction) {
      root.members = std::make_unique<Members>();
      root.members->rows = rows_;
      for (uint32_t i : rows_) root.members->weight.push_back(search_.node().own_weight(i));
    }
    if (rules_.max_leaf_nodes == 0)
      grow_deep(std::move(root));
    else
      grow_best(std::move(root));
    return std::move(tree_);
  }

  // The leaf a row of the ground reaches in a tree this object has grown last. Not for trees whose
  // missing values go down every branch.
  int32_t leaf_of(const TreeArrays& tree, size_t row) const {
    int32_t node = 0;
    while (tree.width[node] > 0) node = tree.first[node] + outcome(tree, node, row);
    return node;
  }

 private:
  struct Members {  // of a node that owns its rows
    std::vector<uint32_t> rows;
    std::vector<int64_t> weight;  // of one copy
  };
  // A node whose children are not known yet.
  struct Open {
    uint32_t begin = 0, end = 0;  // its rows in the list
    int32_t node = 0;
    uint32_t depth = 0;
    uint64_t path = 1;
    double low = -std::numeric_limits<double>::infinity();  // bounds on answers, where columns
    double high = std::numeric_limits<double>::infinity();  // are monotone
    std::unique_ptr<Members> members;
  };

  int32_t add_node() {
    cut_.push_back(0);
    return tree_.add(0, 0);
  }

  void grow_deep(Open root) {
    std::vector<Open> stack, children;
    stack.push_back(std::move(root));
    Split split;
    for (size_t opened = 0; !stack.empty(); ++opened) {
      if (opened % 64 == 0) Pool::breathe();
      Open open = std::move(stack.back());
      stack.pop_back();
      if (!look_at(open, split)) continue;
      part(open, split, children);
      while (!children.empty()) {  // the first child is opened first
        stack.push_back(std::move(children.back()));
        children.pop_back();
      }
    }
  }

  struct Ready {  // a node with its best test, waiting to be split
    Open open;
    Split split;
    bool operator<(const Ready& other) const {
      return split.gain != other.split.gain ? split.gain < other.split.gain
                                            : open.node > other.open.node;
    }
  };

  void grow_best(Open root) {
    std::vector<Ready> heap;
    std::vector<Open> children;
    children.push_back(std::move(root));
    size_t leaves = 1;
    for (;;) {
      for (Open& child : children) {
        Pool::breathe();
        Ready ready;
        if (!look_at(child, ready.split)) continue;
        ready.open = std::move(child);
        heap.push_back(std::move(ready));
        std::push_heap(heap.begin(), heap.end());
      }
      children.clear();
      if (heap.empty()) return;
      std::pop_heap(heap.begin(), heap.end());
      const Ready best = std::move(heap.back());
      heap.pop_back();
      if (leaves + best.split.width - 1 > rules_.max_leaf_nodes) continue;
      leaves += best.split.width - 1;
      part(best.open, best.split, children);
    }
  }

  // Writes down what the node is, and finds its test unless a rule makes it a leaf.
  bool look_at(const Open& open, Split& split) {
    Node& node = search_.node();
    if (open.members != nullptr)
      node.enter(open.members->rows.data(), open.members->rows.size(), open.members->weight.data());
    else
      node.enter(&rows_[open.begin], open.end - open.begin, nullptr);
    tree_.weight[open.node] = static_cast<double>(node.sum.w) * unit_;
    tree_.count[open.node] = node.count;
    write_answer(open.node);
    if (node.pure || open.depth >= rules_.max_depth || node.count < rules_.min_samples_split)
      return false;
    return search_.find(open.path, open.low, open.high, split);
  }

  // Pure nodes of a class share one row of values.
  void write_answer(int32_t node) {
    const int32_t pure = search_.node().answer(answer_.data());
    if (pure >= 0 && pure_row_[static_cast<size_t>(pure)] >= 0) {
      tree_.value[node] = pure_row_[static_cast<size_t>(pure)];
      return;
    }
    tree_.value[node] = static_cast<int32_t>(tree_.values.size() / answer_.size());
    tree_.values.insert(tree_.values.end(), answer_.begin(), answer_.end());
    if (pure >= 0) pure_row_[static_cast<size_t>(pure)] = tree_.value[node];
  }

  void part(const Open& open, const Split& split, std::vector<Open>& children) {
    const int32_t node = open.node;
    tree_.ask[node] = static_cast<uint8_t>(split.ask);
    tree_.feature[node] = static_cast<int32_t>(split.feature);
    tree_.threshold[node] = split.threshold;
    tree_.width[node] = static_cast<int32_t>(split.width);
    tree_.missing[node] = split.missing;
    tree_.gain[node] = split.gain * unit_;
    if (split.ask == Ask::subset) {
      tree_.subset[node] = static_cast<int32_t>(tree_.subsets.size());
      tree_.subsets.push_back(split.set);
    }
    uint32_t cut = 0;
    const uint32_t n_codes = ground_.column(split.feature).n_codes;
    while (cut < n_codes && split.outcome[cut] == 0) ++cut;
    cut_[node] = static_cast<uint8_t>(cut);
    tree_.first[node] = static_cast<int32_t>(tree_.size());
    children.resize(split.width);
    for (uint32_t k = 0; k < split.width; ++k) {
      children[k] = Open{};
      children[k].node = add_node();
      children[k].depth = open.depth + 1;
      children[k].path = mix(open.path + 0x9E3779B97F4A7C15ull * (k + 1));
      children[k].low = open.low;
      children[k].high = open.high;
    }
    bound(split, children);
    if (open.members != nullptr)
      share_out(*open.members, split, children);
    else
      part_rows(open, split, children);
    // A child without rows answers as its parent does.
    std::erase_if(children, [&](const Open& child) {
      const bool empty =
          child.members != nullptr ? child.members->rows.empty() : child.begin == child.end;
      if (empty) tree_.value[child.node] = tree_.value[node];
      return empty;
    });
  }

  // Below a test on a monotone column the answers of one side stay below those of the other.
  void bound(const Split& split, std::vector<Open>& children) const {
    if (rules_.monotonic.empty() || rules_.monotonic[split.feature] == 0) return;
    const double middle = split.low_value / 2 + split.high_value / 2;
    const bool rising = rules_.monotonic[split.feature] > 0;
    Open &lower = children[rising ? 0 : 1], &upper = children[rising ? 1 : 0];
    lower.high = std::min(lower.high, middle);
    upper.low = std::max(upper.low, middle);
  }

  uint32_t outcome(const Split& split, const uint8_t* codes, const uint32_t* ranks,
                   uint32_t row) const {
    const uint8_t code = codes[row];
    if (split.inner && code == split.open) return ranks[row] >= split.rank;
    return split.outcome[code];
  }

  // Parts the node's stretch of rows by outcome, each part in the old order.
  void part_rows(const Open& open, const Split& split, std::vector<Open>& children) {
    if (split.width == 2) return part_in_two(open, split, children);
    const uint8_t* codes = ground_.codes(split.feature);
    const uint32_t* ranks = ground_.ranks(split.feature);
    uint32_t start[257] = {};
    for (uint32_t k = open.begin; k < open.end; ++k)
      ++start[outcome(split, codes, ranks, rows_[k]) + 1];
    start[0] = open.begin;
    for (uint32_t k = 0; k < split.width; ++k) start[k + 1] += start[k];
    for (uint32_t k = 0; k < split.width; ++k) {
      children[k].begin = start[k];
      children[k].end = start[k + 1];
    }
    for (uint32_t k = open.begin; k < open.end; ++k)
      scratch_[start[outcome(split, codes, ranks, rows_[k])]++] = rows_[k];
    std::copy(scratch_.begin() + open.begin, scratch_.begin() + open.end,
              rows_.begin() + open.begin);
  }

  void part_in_two(const Open& open, const Split& split, std::vector<Open>& children) {
    const bool scattered = ground_.scattered(open.end - open.begin);
    const uint8_t* codes =
        scattered ? ground_.across() + split.feature : ground_.codes(split.feature);
    const size_t step = scattered ? ground_.stride() : 1;
    const uint32_t* ranks = ground_.ranks(split.feature);
    uint32_t* const rows = rows_.data();
    uint32_t* const aside = scratch_.data();
    uint32_t left = open.begin, right = 0;
    const auto send = [&](uint32_t row, uint32_t side) {  // without a branch to mispredict
      rows[left] = aside[right] = row;
      left += 1 - side;
      right += side;
    };
    if (split.inner)
      for (uint32_t k = open.begin; k < open.end; ++k)
        send(rows[k], outcome(split, ground_.codes(split.feature), ranks, rows[k]));
    else
      for (uint32_t k = open.begin; k < open.end; ++k)
        send(rows[k], split.outcome[codes[rows[k] * step]]);
    std::copy(aside, aside + right, rows + left);
    children[0].begin = open.begin;
    children[0].end = children[1].begin = left;
    children[1].end = open.end;
  }

  // Rows with a value follow it; of the others every child gets its share of the known weight.
  void share_out(const Members& members, const Split& split, std::vector<Open>& children) {
    const Column& column = ground_.column(split.feature);
    const uint8_t* codes = ground_.codes(split.feature);
    const uint32_t* ranks = ground_.ranks(split.feature);
    std::vector<int64_t> known(split.width, 0);
    int64_t total = 0;
    for (Open& child : children) child.members = std::make_unique<Members>();
    for (size_t k = 0; k < members.rows.size(); ++k) {
      const uint32_t row = members.rows[k];
      if (codes[row] == column.n_codes) continue;
      const int64_t w = members.weight[k] * bag_->times_of(row);
      known[outcome(split, codes, ranks, row)] += w;
      total += w;
    }
    for (size_t k = 0; k < members.rows.size(); ++k) {
      const uint32_t row = members.rows[k];
      const bool missing = codes[row] == column.n_codes;
      for (uint32_t c = 0; c < split.width; ++c) {
        if (!missing && c != outcome(split, codes, ranks, row)) continue;
        const double share = static_cast<double>(known[c]) / static_cast<double>(total);
        const int64_t w = missing
                              ? static_cast<int64_t>(static_cast<double>(members.weight[k]) * share)
                              : members.weight[k];
        if (w == 0) continue;
        children[c].members->rows.push_back(row);
        children[c].members->weight.push_back(w);
      }
    }
  }

  int32_t outcome(const TreeArrays& tree, int32_t node, size_t row) const {
    const auto j = static_cast<size_t>(tree.feature[node]);
    const Column& column = ground_.column(j);
    const uint8_t code = ground_.code(row, j);
    if (code == column.n_codes) return tree.missing[node];
    switch (static_cast<Ask>(tree.ask[node])) {
      case Ask::multiway:
        return code;
      case Ask::subset:
        return tree.subsets[tree.subset[node]].has(code);
      default:
        if (ground_.ranks(j) != nullptr)
          return ground_.value(j, code, ground_.ranks(j)[row]) > tree.threshold[node];
        return code >= cut_[node];
    }
  }

  const Ground& ground_;
  const Rules& rules_;
  Search search_;
  const Bag* bag_ = nullptr;
  TreeArrays tree_;
  std::vector<uint8_t> cut_;  // of each node: the first code with outcome 1
  double unit_ = 1;           // examples a unit of weight
  std::vector<uint32_t> rows_, scratch_;
  std::vector<int32_t> pure_row_;
  std::vector<double> answer_;
};

}  // namespace weaklearn
