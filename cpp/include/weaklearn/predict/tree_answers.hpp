// What becomes of the leaves that rows end in: sums of scores, numbers of leaves, single answers.
//
// A sink takes the leaves of n rows at once, of a folded tree (take_folded) or of another (take,
// with what `find` gives for a leaf), or the mean value of a row that ends in several (take_value).
#pragma once

#include <cstddef>
#include <cstdint>

#include "weaklearn/hot/loops.hpp"
#include "weaklearn/predict/leaf_slopes.hpp"
#include "weaklearn/predict/packed_forest.hpp"

namespace weaklearn {

// Adds the answers, times their votes, to scores.
struct SumOfTrees {
  using Tree = PackedForest::Tree;

  const PackedForest& forest;
  double* score;  // of row i and output l: score[i * row_step + l * output_step]
  size_t row_step, output_step;
  static constexpr bool wants_values = true;

  uint32_t find(uint32_t leaf) const { return forest.walk().value_at(leaf); }

  void take_folded(const Tree& tree, size_t, size_t begin, size_t n, const uint8_t* leaf) const {
    const uint32_t* leaves = forest.leaves(tree);
    if (tree.k > 1) {
      for (size_t i = 0; i < n; ++i)
        give(tree, begin + i, forest.value_of(tree, find(leaves[leaf[i]])));
      return;
    }
    const double* answers = forest.answers(tree);
    double* to = start(tree, begin);
    if (row_step == 1) return hot().add_answers(leaf, n, answers, tree.n_leaves, to);
    for (size_t i = 0; i < n; ++i) to[i * row_step] += answers[leaf[i]];
  }
  void take(const Tree& tree, size_t, size_t begin, size_t n, const uint32_t* row) const {
    if (tree.k > 1) {
      for (size_t i = 0; i < n; ++i) give(tree, begin + i, forest.value_of(tree, row[i]));
      return;
    }
    const double vote = tree.vote;
    const double* values = forest.value_of(tree, 0);
    double* to = start(tree, begin);
    for (size_t i = 0; i < n; ++i) to[i * row_step] += vote * values[row[i]];
  }
  void take_value(const Tree& tree, size_t, size_t i, const double* value) const {
    if (tree.k > 1) return give(tree, i, value);
    *start(tree, i) += tree.vote * *value;
  }

  double* start(const Tree& tree, size_t i) const {
    const size_t output = tree.output < 0 ? 0 : static_cast<size_t>(tree.output);
    return score + i * row_step + output * output_step;
  }
  // All scores of a row: they are neighbours.
  void give(const Tree& tree, size_t i, const double* value) const {
    double* to = score + i * row_step;
    const double vote = tree.vote;
    for (size_t l = 0, k = tree.k; l < k; ++l) to[l] += vote * value[l];
  }
};

// Adds what leaves with slopes answer, times the votes of their trees; of trees of one value whose
// values are kept apart. Column j of row i is x[j * stride + i].
struct SumOfSlopes {
  using Tree = PackedForest::Tree;

  const PackedForest& forest;
  const LeafSlopes& slopes;
  const double* x;
  size_t stride;
  double* score;  // of row i and output l: score[i * row_step + l * output_step]
  size_t row_step, output_step;
  static constexpr bool wants_values = true;

  uint32_t find(uint32_t leaf) const { return forest.walk().value_at(leaf); }

  void take_folded(const Tree& tree, size_t t, size_t begin, size_t n, const uint8_t* leaf) const {
    if (row_step == 1 && slopes.has_tables(t))
      return slopes.add(t, n, leaf, tree.vote, x + begin, stride, start(tree, begin));
    take(tree, t, begin, n, leaf);
  }
  template <class Leaf>
  void take(const Tree& tree, size_t t, size_t begin, size_t n, const Leaf* leaf) const {
    const double vote = tree.vote;
    double* const to = start(tree, begin);
    slopes.answer(t, n, leaf, forest.value_of(tree, 0), x + begin, stride,
                  [&](size_t i, double answer) { to[i * row_step] += vote * answer; });
  }
  void take_value(const Tree&, size_t, size_t, const double*) const {}

  double* start(const Tree& tree, size_t i) const {
    return score + i * row_step + static_cast<size_t>(tree.output) * output_step;
  }
};

// Notes the leaf that each row ends in.
struct LeafOfTrees {
  using Tree = PackedForest::Tree;

  const PackedForest& forest;
  int32_t* node;
  size_t step;
  static constexpr bool wants_values = false;

  uint32_t find(uint32_t leaf) const {
    return static_cast<uint32_t>(forest.walk().number_at(leaf));
  }
  void take_folded(const Tree& tree, size_t t, size_t begin, size_t n, const uint8_t* leaf) const {
    const uint32_t* leaves = forest.leaves(tree);
    int32_t number[256];
    for (size_t l = 0; l < tree.n_leaves; ++l) number[l] = forest.walk().number_at(leaves[l]);
    for (size_t i = 0; i < n; ++i) node[(begin + i) * step + t] = number[leaf[i]];
  }
  void take(const Tree&, size_t t, size_t begin, size_t n, const uint32_t* found) const {
    for (size_t i = 0; i < n; ++i) node[(begin + i) * step + t] = static_cast<int32_t>(found[i]);
  }
  void take_value(const Tree&, size_t, size_t, const double*) const {}
};

// Notes each tree's own answer.
struct AnswerOfTrees {
  using Tree = PackedForest::Tree;

  const PackedForest& forest;
  double* value;
  size_t step;
  static constexpr bool wants_values = true;

  uint32_t find(uint32_t leaf) const { return forest.walk().value_at(leaf); }
  void take_folded(const Tree& tree, size_t t, size_t begin, size_t n, const uint8_t* leaf) const {
    const uint32_t* leaves = forest.leaves(tree);
    for (size_t i = 0; i < n; ++i)
      value[(begin + i) * step + t] = *forest.value_of(tree, find(leaves[leaf[i]]));
  }
  void take(const Tree& tree, size_t t, size_t begin, size_t n, const uint32_t* row) const {
    for (size_t i = 0; i < n; ++i) value[(begin + i) * step + t] = *forest.value_of(tree, row[i]);
  }
  void take_value(const Tree&, size_t t, size_t i, const double* found) const {
    value[i * step + t] = *found;
  }
};

}  // namespace weaklearn
