// A tree that lies anywhere, and whether it can be trusted.
//
// Promise: after `check_tree` every row, whatever it holds, ends in a leaf with a value, and no
// index leads outside of the arrays. O(nodes).
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "weaklearn/tree/tree.hpp"

namespace weaklearn {

// One tree's arrays, wherever they lie (see TreeArrays).
struct TreeView {
  size_t n = 0;
  const uint8_t* ask = nullptr;
  const int32_t* feature = nullptr;
  const double* threshold = nullptr;
  const int32_t* first = nullptr;
  const int32_t* width = nullptr;
  const int32_t* missing = nullptr;
  const int32_t* subset = nullptr;
  const int32_t* value = nullptr;
  const double* weight = nullptr;  // may be null where no node sends rows to every child
  size_t n_subsets = 0;
  const CategorySet* subsets = nullptr;
  size_t n_values = 0;
  size_t n_outputs = 1;
  const double* values = nullptr;

  static TreeView of(const TreeArrays& a) {
    return {a.size(),
            a.ask.data(),
            a.feature.data(),
            a.threshold.data(),
            a.first.data(),
            a.width.data(),
            a.missing.data(),
            a.subset.data(),
            a.value.data(),
            a.weight.empty() ? nullptr : a.weight.data(),
            a.subsets.size(),
            a.subsets.data(),
            a.values.size() / a.n_outputs,
            a.n_outputs,
            a.values.data()};
  }
};

// Refuses a tree whose children, features, categories, subsets or values are out of range;
// n_categories[j] is 0 for numbers. A threshold may be put to categories too: their codes are
// compared. `name` begins the message.
inline void check_tree(const TreeView& tree, const std::vector<uint32_t>& n_categories,
                       const std::string& name) {
  const auto refuse = [&](const std::string& what) { throw std::invalid_argument(name + what); };
  if (tree.n == 0) refuse("it has no node");
  if (tree.n >= size_t{1} << 31) refuse("it has too many nodes");
  std::vector<uint8_t> has_parent(tree.n, 0);
  for (size_t v = 0; v < tree.n; ++v) {
    const auto expect = [&](bool in_range, const char* what) {
      if (!in_range)
        refuse(std::string(what) + " of node " + std::to_string(v) + " is out of range");
    };
    const Ask ask = static_cast<Ask>(tree.ask[v]);
    const bool leaf = ask == Ask::leaf;
    const int64_t feature = tree.feature[v], first = tree.first[v], width = tree.width[v];
    const int64_t missing = tree.missing[v];
    expect(ask <= Ask::multiway, "the test");
    expect(tree.value[v] >= (leaf ? 0 : -1) && tree.value[v] < static_cast<int64_t>(tree.n_values),
           "the value");
    if (leaf) {
      expect(feature < 0, "the feature");
      expect(width == 0, "the width");
      continue;
    }
    expect(feature >= 0 && feature < static_cast<int64_t>(n_categories.size()), "the feature");
    const uint32_t categories = n_categories[static_cast<size_t>(feature)];
    expect(ask == Ask::threshold || categories > 0, "the kind of feature");
    if (ask == Ask::threshold) expect(std::isfinite(tree.threshold[v]), "the threshold");
    if (ask == Ask::subset)
      expect(tree.subset[v] >= 0 && tree.subset[v] < static_cast<int64_t>(tree.n_subsets),
             "the subset");
    const int64_t outcomes =
        ask == Ask::multiway ? categories : 2;  // one more is for missing values
    expect(width == outcomes || (width == outcomes + 1 && missing == outcomes), "the width");
    expect(missing >= kEveryChild && missing < width, "the side of missing values");
    expect(missing != kEveryChild || tree.weight != nullptr, "the weight");
    expect(first > static_cast<int64_t>(v) && first + width <= static_cast<int64_t>(tree.n),
           "the first child");
    for (int64_t c = first; c < first + width; ++c)
      if (has_parent[static_cast<size_t>(c)]++ != 0)
        refuse("node " + std::to_string(c) + " has two parents");
  }
  for (size_t v = 1; v < tree.n; ++v)
    if (has_parent[v] == 0) refuse("node " + std::to_string(v) + " has no parent");
}

}  // namespace weaklearn
