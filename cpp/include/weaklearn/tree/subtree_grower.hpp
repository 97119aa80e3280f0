// A part of a tree, growing: nodes are opened, searched and split until no rule allows more.
//
// Without a limit on leaves, nodes are opened depth first; with one, the node whose test gains most
// is split first. Nothing recurses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "weaklearn/columns/route.hpp"
#include "weaklearn/tree/partition_rows.hpp"
#include "weaklearn/tree/split_search.hpp"
#include "weaklearn/tree/tree.hpp"

namespace weaklearn {

// A node whose children are not known yet.
struct Bud {
  Stretch rows;
  int32_t node = 0;
  uint32_t depth = 0;
  uint64_t path = 1;  // tells the nodes of a tree apart, however it is grown
  double low = -std::numeric_limits<double>::infinity();  // bounds on answers, where columns are
  double high = std::numeric_limits<double>::infinity();  // monotone
  std::unique_ptr<Sums> sums;                             // by code, where they are known
};

class SubtreeGrower {
 public:
  SubtreeGrower(const TreeData& data, const TreeSettings& settings)
      : data_(data), settings_(settings), search_(data, settings) {}

  // A new part of the tree of these examples; the partition is that of the whole tree. Of a lean
  // tree the inner nodes all answer as the root does.
  void begin(const Examples& examples, RowPartition& partition, uint64_t key, bool lean) {
    partition_ = &partition;
    lean_ = lean;
    tree = TreeArrays{};
    tree.n_outputs = static_cast<uint32_t>(data_.n_outputs());
    pure_row.assign(data_.n_classes(), -1);
    answer_.resize(data_.n_outputs());
    search_.begin(examples, key);
    unit_ = static_cast<double>(examples.bag().count) / static_cast<double>(examples.total());
  }

  // Grows from a bud, which becomes node 0. Buds of at most `least` rows are set aside unopened.
  void grow(Bud bud, int threads, size_t least, std::vector<Bud>& aside) {
    bud.node = add_node();
    if (settings_.max_leaf_nodes == 0)
      grow_deep(std::move(bud), threads, least, aside);
    else
      grow_best(std::move(bud), threads);
  }

  TreeArrays tree;
  std::vector<int32_t> pure_row;  // of each class: the row of values that its pure nodes share

 private:
  struct Ready {  // a node with its best test, waiting to be split
    Bud bud;
    Split split;
    bool operator<(const Ready& other) const {
      return split.gain != other.split.gain ? split.gain < other.split.gain
                                            : bud.node > other.bud.node;
    }
  };

  int32_t add_node() { return tree.add(0, 0); }

  void grow_deep(Bud root, int threads, size_t least, std::vector<Bud>& aside) {
    std::vector<Bud> stack, children;
    stack.push_back(std::move(root));
    Split split;
    for (size_t opened = 0; !stack.empty(); ++opened) {
      if (opened % 64 == 0) Pool::check_interrupt();
      Bud bud = std::move(stack.back());
      stack.pop_back();
      if (bud.rows.size() <= least) {
        aside.push_back(std::move(bud));
        continue;
      }
      if (!look_at(bud, threads, split)) continue;
      part(bud, split, threads, children);
      while (!children.empty()) {  // the first child is opened first
        stack.push_back(std::move(children.back()));
        children.pop_back();
      }
    }
  }

  void grow_best(Bud root, int threads) {
    std::vector<Ready> heap;
    std::vector<Bud> children;
    children.push_back(std::move(root));
    for (size_t leaves = 1;;) {
      for (Bud& child : children) {
        Pool::check_interrupt();
        Ready ready;
        if (!look_at(child, threads, ready.split)) continue;
        ready.bud = std::move(child);
        heap.push_back(std::move(ready));
        std::push_heap(heap.begin(), heap.end());
      }
      children.clear();
      if (heap.empty()) return;
      std::pop_heap(heap.begin(), heap.end());
      Ready best = std::move(heap.back());
      heap.pop_back();
      if (leaves + best.split.width - 1 > settings_.max_leaf_nodes) continue;
      leaves += best.split.width - 1;
      part(best.bud, best.split, threads, children);
    }
  }

  // Writes down what the node is, and finds its test unless a rule makes it a leaf.
  bool look_at(Bud& bud, int threads, Split& split) {
    Node& node = search_.node();
    node.enter(partition_->rows(bud.rows), bud.rows.size(), partition_->weights(bud.rows));
    tree.weight[bud.node] = static_cast<double>(node.sum.w) * unit_;
    tree.count[bud.node] = node.count;
    const bool splits = may_split(bud) && find(bud, threads, split);
    if (splits && lean_ && bud.node > 0)
      tree.value[bud.node] = 0;
    else
      write_answer(bud.node);
    return splits;
  }

  bool may_split(const Bud& bud) {
    const Node& node = search_.node();
    return !node.pure && bud.depth < settings_.max_depth &&
           node.count >= settings_.min_samples_split &&
           node.count / 2 >= settings_.min_samples_leaf;
  }

  bool find(Bud& bud, int threads, Split& split) {
    const Node& node = search_.node();
    const Histogram& histogram = search_.histogram();
    if (bud.sums == nullptr && histogram.worth(node.n))
      bud.sums = histogram.of(node.rows, node.n, threads);
    return search_.find(bud.path, bud.low, bud.high, bud.sums.get(), threads, split);
  }

  void write_answer(int32_t node) {
    const int32_t pure = search_.node().answer(answer_.data());
    if (pure >= 0 && pure_row[static_cast<size_t>(pure)] >= 0) {
      tree.value[node] = pure_row[static_cast<size_t>(pure)];
      return;
    }
    tree.value[node] = static_cast<int32_t>(tree.values.size() / answer_.size());
    tree.values.insert(tree.values.end(), answer_.begin(), answer_.end());
    if (pure >= 0) pure_row[static_cast<size_t>(pure)] = tree.value[node];
  }

  // Writes down the test and makes the children.
  void part(Bud& bud, const Split& split, int threads, std::vector<Bud>& children) {
    write_test(bud.node, split);
    tree.first[bud.node] = static_cast<int32_t>(tree.size());
    stretches_.clear();
    stretches_.resize(split.width);
    partition_->part(bud.rows, split, stretches_.data());
    children.clear();
    for (uint32_t k = 0; k < split.width; ++k) {
      const int32_t node = add_node();
      if (stretches_[k].size() == 0) {  // without rows it answers as its parent does
        tree.value[node] = tree.value[bud.node];
        continue;
      }
      Bud& child = children.emplace_back();
      child.rows = std::move(stretches_[k]);
      child.node = node;
      child.depth = bud.depth + 1;
      child.path = mix(bud.path + 0x9E3779B97F4A7C15ull * (k + 1));
      child.low = bud.low;
      child.high = bud.high;
      bound(split, k, child);
    }
    if (bud.sums != nullptr) hand_down(bud, threads, children);
  }

  // The largest child gets what is left of its parent's sums when those of the others are off.
  void hand_down(Bud& bud, int threads, std::vector<Bud>& children) const {
    const Histogram& histogram = search_.histogram();
    const auto largest =
        std::max_element(children.begin(), children.end(),
                         [](const Bud& a, const Bud& b) { return a.rows.size() < b.rows.size(); });
    if (!histogram.worth(largest->rows.size())) return;
    for (auto child = children.begin(); child != children.end(); ++child) {
      if (child == largest) continue;
      const size_t n = child->rows.size();
      child->sums = histogram.of(partition_->rows(child->rows), n, threads);
      Histogram::take_off(*bud.sums, *child->sums);
      if (!histogram.worth(n)) child->sums.reset();
    }
    largest->sums = std::move(bud.sums);
  }

  void write_test(int32_t node, const Split& split) {
    tree.ask[node] = static_cast<uint8_t>(split.ask);
    tree.feature[node] = static_cast<int32_t>(split.feature);
    tree.threshold[node] = split.threshold;
    tree.width[node] = static_cast<int32_t>(split.width);
    tree.missing[node] = split.missing;
    tree.gain[node] = split.gain * unit_;
    if (split.ask == Ask::subset) {
      tree.subset[node] = static_cast<int32_t>(tree.subsets.size());
      tree.subsets.push_back(split.set);
    }
  }

  // Below a test on a monotone column the answers of one side stay below those of the other.
  void bound(const Split& split, uint32_t outcome, Bud& child) const {
    if (settings_.monotonic.empty() || settings_.monotonic[split.feature] == 0 || outcome > 1)
      return;
    const double middle = split.low_value / 2 + split.high_value / 2;
    if ((outcome == 0) == (settings_.monotonic[split.feature] > 0))
      child.high = std::min(child.high, middle);
    else
      child.low = std::max(child.low, middle);
  }

  const TreeData& data_;
  const TreeSettings& settings_;
  Search search_;
  RowPartition* partition_ = nullptr;
  bool lean_ = false;
  double unit_ = 1;  // examples a unit of weight
  std::vector<double> answer_;
  std::vector<Stretch> stretches_;
};

}  // namespace weaklearn
