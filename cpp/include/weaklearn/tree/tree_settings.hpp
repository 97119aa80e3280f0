// The settings a tree grows by; a field has the name that Python gives it.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "weaklearn/tree/criterion.hpp"

namespace weaklearn {

enum class CategorySplit : uint8_t { multiway, equality, subset };
// Of a column the best cut there is, or one that is drawn.
enum class Splitter : uint8_t { best, random };
// Missing values follow the better side, take a branch of their own, or go down every branch with a
// share of their weight; or, of two classes, they take a branch that answers nothing, and counts as
// one of both classes in equal shares.
enum class MissingTest : uint8_t { side, branch, fraction, abstain };

struct TreeSettings {
  Criterion criterion = Criterion::gini;
  Splitter splitter = Splitter::best;
  bool exact = false;  // thresholds between any two values, not only between codes
  CategorySplit categorical = CategorySplit::subset;
  MissingTest missing = MissingTest::side;
  uint32_t max_depth = std::numeric_limits<uint32_t>::max();
  uint32_t max_leaf_nodes = 0;  // 0: no limit; otherwise the best node is split first
  int64_t min_samples_split = 2;
  int64_t min_samples_leaf = 1;  // of examples; of a multiway test at least two branches hold them
  double least_share = 0;        // of a block, as a share of all weight
  double min_gain = 0;           // of a test, as a share of all weight
  uint32_t max_features = 0;     // drawn afresh at each node; 0: all
  bool split_zero_gain = false;
  double category_noise = 0;  // how many times what sorted categories gain by chance is taken off
  uint64_t seed = 0;
  std::vector<int8_t> monotonic;  // -1, 0, +1 a column; empty: none
  bool of_several = false;        // rows have several targets

  // Whether a column's tests are looked at row by row, and sums by code serve none of them.
  bool by_row() const {
    return splitter == Splitter::random || criterion == Criterion::absolute_error || of_several;
  }
  // Whether missing values have a branch of their own.
  bool branches() const {
    return missing == MissingTest::branch || missing == MissingTest::abstain;
  }
};

}  // namespace weaklearn
