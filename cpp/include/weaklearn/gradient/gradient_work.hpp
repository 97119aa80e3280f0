// A tree of gradients while it grows: its task, its nodes, and the memory it leaves to the next
// one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "weaklearn/gradient/gain.hpp"
#include "weaklearn/gradient/whole_gradients.hpp"

namespace weaklearn {

// One tree to be grown.
struct GrowTask {
  Gradients gradients;
  const uint32_t* rows = nullptr;  // ascending; null: all rows
  size_t n_rows = 0;
  const int32_t* features = nullptr;  // ascending; null: all features
  size_t n_features = 0;
  uint64_t key = 0;                   // of what it draws
  double vote = 1;                    // scores move by vote times value
  double* scores = nullptr;           // one a row of the sample, in the bag or not
  const double* residuals = nullptr;  // for leaves that answer a quantile of them
  double quantile = 0.5;
};

// The rows of a node are a stretch of the tree's list, those outside the bag one of the others.
struct GradientNode {
  size_t begin = 0, end = 0, others_begin = 0, others_end = 0;
  int32_t number = -1;  // in the tree; -1: not there, and perhaps never
  int32_t depth = 0;
  NodeTerms terms;
  std::unique_ptr<Sums[]> sums;
  GainSplit split;
  std::vector<int32_t> groups;                // those whose features may still follow
  std::optional<std::vector<int32_t>> drawn;  // the features that it may ask for, where drawn
  size_t children = 0;                        // place of the left one; 0: not divided yet
  int32_t forced = -1;                        // number of the split that is asked for, if any
  bool searched = false;                      // whether the children have their splits
  bool anew = false;  // whether both children's sums are made from their rows
  size_t size() const { return end - begin; }
  // What open nodes come in the order of: forced splits before all others.
  double priority() const {
    return split.forced ? std::numeric_limits<double>::infinity() : split.gain;
  }
  bool may_ask(int32_t feature) const {
    return !drawn || std::binary_search(drawn->begin(), drawn->end(), feature);
  }
};

// Values of some rows, side by side.
struct GatheredValues {
  std::vector<int64_t> one, c, n;
};

struct GradientWork {
  WholeGradients whole;
  std::vector<uint32_t> rows, others, spare;
  std::vector<uint8_t> leaf_of;          // of each row, once a tree of few leaves is grown
  std::vector<GatheredValues> gathered;  // one a node searched at the same time
  std::vector<std::unique_ptr<Sums[]>> free;
  size_t width = 0;  // columns of a free histogram
};

}  // namespace weaklearn
