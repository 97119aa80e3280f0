// Trees as flat arrays: what growers write, what scorers and files read.
//
// Promise: the children of a node are neighbours and stand after their parent, so that no cycle can
// be written down and a step is an addition: child = first + outcome.
#pragma once

#include <cstdint>
#include <vector>

namespace weaklearn {

// What an inner node asks. threshold: outcome 1 where x > threshold, else 0. subset: outcome 1
// where the category is in the set, else 0. multiway: the outcome is the category itself.
enum class Ask : uint8_t { leaf = 0, threshold = 1, subset = 2, multiway = 3 };

constexpr int32_t kEveryChild = -1;  // `missing`: a share of the row goes to every child

// A set of category codes.
struct CategorySet {
  uint64_t word[4] = {0, 0, 0, 0};
  bool has(uint32_t category) const { return (word[category >> 6] >> (category & 63)) & 1; }
  void add(uint32_t category) { word[category >> 6] |= uint64_t{1} << (category & 63); }
};

// One tree, or many one after another (then `first` counts from the root of its tree).
struct TreeArrays {
  std::vector<uint8_t> ask;       // Ask
  std::vector<int32_t> feature;   // inner nodes; -1 at leaves
  std::vector<double> threshold;  // threshold tests; 0 elsewhere
  std::vector<int32_t> first;     // first child; 0 at leaves
  std::vector<int32_t> width;     // number of children; 0 at leaves
  std::vector<int32_t> missing;   // which child missing and unseen values go to, or kEveryChild
  std::vector<int32_t> subset;    // subset tests: which of `subsets`; -1 elsewhere
  std::vector<int32_t> value;     // which row of `values` the node answers with
  std::vector<double> weight;     // training weight at the node
  std::vector<int64_t> count;     // training examples at the node (copies count)
  std::vector<double> gain;       // what the test gained; 0 at leaves
  std::vector<CategorySet> subsets;
  std::vector<double> values;  // n_values x n_outputs
  uint32_t n_outputs = 1;

  size_t size() const { return ask.size(); }

  // Appends an unsplit node and gives its number.
  int32_t add(double node_weight, int64_t node_count) {
    ask.push_back(static_cast<uint8_t>(Ask::leaf));
    feature.push_back(-1);
    threshold.push_back(0);
    first.push_back(0);
    width.push_back(0);
    missing.push_back(0);
    subset.push_back(-1);
    value.push_back(-1);
    weight.push_back(node_weight);
    count.push_back(node_count);
    gain.push_back(0);
    return static_cast<int32_t>(size()) - 1;
  }
};

}  // namespace weaklearn
