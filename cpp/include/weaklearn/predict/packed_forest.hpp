// Many trees packed for prediction: checked, their values kept once, small ones folded, large ones
// coded where that pays.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "weaklearn/columns/cells.hpp"
#include "weaklearn/predict/branchless_trees.hpp"
#include "weaklearn/predict/codes.hpp"
#include "weaklearn/predict/compact_walk.hpp"
#include "weaklearn/predict/tree_walk.hpp"
#include "weaklearn/tree/tree_view.hpp"

namespace weaklearn {

class PackedForest {
 public:
  struct Tree {
    TreeWalk::Root root;
    uint32_t folded = kNone, strided = kNone;
    size_t leaf = 0;   // in leaves_ (the places of leaves) and, single-valued and folded, answers_
    size_t value = 0;  // in values_
    uint32_t n_leaves = 0, k = 1;
    int32_t output = 0;
    double vote = 1;
  };

  // n_categories[j] > 0 marks a categorical column. Tree t adds to score outputs[t], or its whole
  // row of values to all scores where that is -1. With `apart` the values that leaves answer with
  // are those of a tree's leaves in the order of their nodes, be they equal or not.
  PackedForest(const std::vector<uint32_t>& n_categories, size_t n_outputs,
               const std::vector<TreeView>& trees, const double* votes, const int32_t* outputs,
               bool apart = false)
      : n_categories_(n_categories),
        k_(n_outputs),
        apart_(apart),
        walk_(n_categories, check(n_categories, n_outputs, trees, outputs)),
        bytes_(n_categories),
        words_(n_categories),
        fold_(n_categories) {
    std::vector<size_t> small, large;  // trees of the groups of codes to come
    for (size_t t = 0; t < trees.size(); ++t) {
      add(trees[t], votes[t], outputs[t]);
      if (BranchlessTrees::fits(trees[t])) {
        if (bytes_.fit(trees[t])) join(bytes_, trees, t, small, &PackedForest::fold);
      } else if (CompactWalk::fits(trees[t], n_categories)) {
        if (words_.fit(trees[t])) join(words_, trees, t, large, &PackedForest::stride);
      }
    }
    fold(trees, small);
    stride(trees, large);
  }

  size_t n_trees() const { return trees_.size(); }
  size_t n_outputs() const { return k_; }
  size_t n_features() const { return n_categories_.size(); }
  bool single_valued() const {
    return std::all_of(trees_.begin(), trees_.end(), [](const Tree& tree) { return tree.k == 1; });
  }

  // Refuses cells of another shape than the trees ask for.
  void expect_cells(const Cells& cells) const {
    if (cells.n_features() != n_categories_.size())
      throw std::invalid_argument("a row has " + std::to_string(cells.n_features()) +
                                  " cells, expected " + std::to_string(n_categories_.size()));
    for (uint32_t j : walk_.used())
      if (cells.has_categories(j) != (n_categories_[j] > 0))
        throw std::invalid_argument("column " + std::to_string(j) + " holds " +
                                    (n_categories_[j] > 0 ? "numbers, expected categories"
                                                          : "categories, expected numbers"));
  }

  const TreeWalk& walk() const { return walk_; }
  // The places of a tree's leaves, and, single-valued and folded, its answers times its vote.
  const uint32_t* leaves(const Tree& tree) const { return &leaves_[tree.leaf]; }
  const double* answers(const Tree& tree) const { return &answers_[tree.leaf]; }
  const double* value_of(const Tree& tree, uint32_t row) const {
    return values_.data() + tree.value + static_cast<size_t>(row) * tree.k;
  }

 private:
  static constexpr size_t kStepsSaved =
      32;  // what codes save a row in a large tree, in steps of coding

  // Checks everything; answers which features are asked.
  static std::vector<uint32_t> check(const std::vector<uint32_t>& n_categories, size_t n_outputs,
                                     const std::vector<TreeView>& trees, const int32_t* outputs) {
    std::vector<uint8_t> asked(n_categories.size(), 0);
    size_t n_nodes = 0;
    for (size_t t = 0; t < trees.size(); ++t) {
      const TreeView& tree = trees[t];
      const std::string name = "tree " + std::to_string(t) + ": ";
      if (outputs[t] < -1 || outputs[t] >= static_cast<int64_t>(n_outputs))
        throw std::invalid_argument(name + "its output is out of range");
      if (tree.n_outputs != (outputs[t] < 0 ? n_outputs : 1))
        throw std::invalid_argument(name + "its values have the wrong width");
      check_tree(tree, n_categories, name);
      n_nodes += tree.n;
      for (size_t v = 0; v < tree.n; ++v)
        if (tree.feature[v] >= 0) asked[static_cast<size_t>(tree.feature[v])] = 1;
    }
    if (n_nodes >= size_t{1} << 31) throw std::invalid_argument("the trees have too many nodes");
    std::vector<uint32_t> used;
    for (uint32_t j = 0; j < asked.size(); ++j)
      if (asked[j]) used.push_back(j);
    return used;
  }

  void add(const TreeView& view, double vote, int32_t output) {
    Tree tree;
    tree.k = static_cast<uint32_t>(view.n_outputs);
    tree.output = output;
    tree.vote = vote;
    tree.leaf = leaves_.size();
    tree.value = values_.size();
    tree.root = walk_.add(view, TreeWalk::traffic_of(view), keep_values(view), leaves_);
    tree.n_leaves = static_cast<uint32_t>(leaves_.size() - tree.leaf);
    if (tree.k == 1 && BranchlessTrees::fits(view)) {
      leaves_.resize(tree.leaf + (tree.n_leaves + 31) / 32 * 32, 0);  // looked up 32 at once
      answers_.resize(leaves_.size(), 0.0);
      for (size_t l = tree.leaf; l < tree.leaf + tree.n_leaves; ++l)
        answers_[l] = vote * *value_of(tree, walk_.value_at(leaves_[l]));
    }
    trees_.push_back(tree);
  }

  // Adds a tree to a group, or closes the group and opens the next one with it.
  template <class Code, class Close>
  void join(Codes<Code>& codes, const std::vector<TreeView>& trees, size_t t,
            std::vector<size_t>& open, Close close) {
    if (!codes.join(trees[t])) {
      (this->*close)(trees, open);
      if (!codes.join(trees[t])) return;
    }
    open.push_back(t);
  }

  void fold(const std::vector<TreeView>& trees, std::vector<size_t>& open) {
    for (size_t t : open) trees_[t].folded = fold_.add(trees[t], bytes_);
    bytes_.close();
    open.clear();
  }

  // Large trees are walked on codes where there are enough of them to make up for the coding.
  void stride(const std::vector<TreeView>& trees, std::vector<size_t>& open) {
    const bool worth = open.size() * kStepsSaved >= words_.steps() &&
                       walk_.used().size() <= CompactWalk::kMostFeatures;
    for (size_t t : open) {
      if (!worth) break;
      std::vector<uint32_t> row_of(trees[t].n, 0);
      for (size_t v = 0, l = trees_[t].leaf; v < trees[t].n; ++v)
        if (static_cast<Ask>(trees[t].ask[v]) == Ask::leaf)
          row_of[v] = walk_.value_at(leaves_[l++]);
      trees_[t].strided = stride_.add(trees[t], TreeWalk::traffic_of(trees[t]), row_of, words_);
    }
    words_.close();
    open.clear();
  }

  // Keeps the rows of values that leaves answer with, equal ones once; answers which row each node
  // has got.
  std::vector<uint32_t> keep_values(const TreeView& view) {
    if (apart_) return keep_all_values(view);
    const size_t k = view.n_outputs, begin = values_.size();
    size_t size = 64;
    while (size < 2 * view.n) size *= 2;
    // 1 + a row, by its hash and by where it comes from.
    std::vector<uint32_t> known(size, 0), taken(view.n_values, 0), row_of(view.n, 0);
    uint32_t n_rows = 0;
    for (size_t v = 0; v < view.n; ++v) {
      if (static_cast<Ask>(view.ask[v]) != Ask::leaf) continue;
      uint32_t& mine = taken[static_cast<size_t>(view.value[v])];
      if (mine != 0) {
        row_of[v] = mine - 1;
        continue;
      }
      const double* row = view.values + static_cast<size_t>(view.value[v]) * k;
      uint64_t hash = 0;
      for (size_t l = 0; l < k; ++l) {
        uint64_t bits;
        std::memcpy(&bits, row + l, sizeof bits);
        hash = (hash ^ bits) * 0x9E3779B97F4A7C15ull;
        hash ^= hash >> 32;
      }
      size_t at = hash & (size - 1);
      while (known[at] != 0 &&
             std::memcmp(&values_[begin + (known[at] - 1) * k], row, k * sizeof(double)) != 0)
        at = (at + 1) & (size - 1);
      if (known[at] == 0) {
        values_.insert(values_.end(), row, row + k);
        known[at] = ++n_rows;
      }
      mine = known[at];
      row_of[v] = mine - 1;
    }
    return row_of;
  }

  std::vector<uint32_t> keep_all_values(const TreeView& view) {
    const size_t k = view.n_outputs;
    std::vector<uint32_t> row_of(view.n, 0);
    uint32_t n_leaves = 0;
    for (size_t v = 0; v < view.n; ++v) {
      if (static_cast<Ask>(view.ask[v]) != Ask::leaf) continue;
      const double* row = view.values + static_cast<size_t>(view.value[v]) * k;
      values_.insert(values_.end(), row, row + k);
      row_of[v] = n_leaves++;
    }
    return row_of;
  }

 protected:
  std::vector<uint32_t> n_categories_;
  size_t k_;
  bool apart_;
  TreeWalk walk_;
  Codes<uint8_t> bytes_;
  WideCodes words_;
  BranchlessTrees fold_;
  CompactWalk stride_;
  std::vector<Tree> trees_;
  std::vector<uint32_t> leaves_;
  std::vector<double> values_, answers_;
};

}  // namespace weaklearn
