// Slopes in the leaves of trees: what a leaf answers besides its value, along columns of numbers.
//
// A leaf answers value + sum of slope * (x - centre), each x held between the least and the largest
// of training there; where one of these x is missing, its value alone. Slopes are added up in the
// order in which they are given. Where that takes little room, all leaves of a tree have as many
// slopes, the last of them along a column of zeros, so that no step branches: a missing x makes the
// sum NaN. Cost: O(slopes of the fullest leaf) a row. Allocation: none but here.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "weaklearn/columns/cells.hpp"
#include "weaklearn/hot/loops.hpp"
#include "weaklearn/tree/tree_view.hpp"

namespace weaklearn {

// The slopes of one tree, node after node: how many each has, then a number for each slope.
struct SlopesView {
  const int32_t* count;
  const int32_t* feature;
  const double *slope, *centre, *low, *high;
  size_t n;
};

class LeafSlopes {
 public:
  LeafSlopes(const std::vector<uint32_t>& n_categories, const std::vector<TreeView>& trees,
             const std::vector<SlopesView>& slopes) {
    std::vector<uint32_t> place(n_categories.size(), 0);
    for (const SlopesView& of : slopes)
      for (size_t k = 0; k < of.n; ++k) {
        const auto j = static_cast<size_t>(of.feature[k]);
        if (of.feature[k] < 0 || j >= place.size() || n_categories[j] > 0)
          throw std::invalid_argument("a slope is along no column of numbers");
        place[j] = 1;
      }
    for (uint32_t j = 0; j < place.size(); ++j)
      if (place[j]) {
        place[j] = static_cast<uint32_t>(used_.size());
        used_.push_back(j);
      }
    for (size_t t = 0; t < trees.size(); ++t) add(trees[t], slopes[t], place);
  }

  // The cells of rows that slopes ask for, column after column, and a column of zeros.
  std::vector<double> read(const Cells& cells, size_t begin, size_t n) const {
    std::vector<double> x(n * (used_.size() + 1), 0.0);
    for (size_t c = 0; c < used_.size(); ++c)
      cells.numbers(used_[c], begin, n, x.data() + c * n, 1);
    return x;
  }

  // score[i] += vote * answer for n rows, column j of row i at x[j * stride + i]; `leaf` numbers
  // the leaves of a tree in the order of their nodes. Only where `has_tables` says so.
  bool has_tables(size_t tree) const { return !tables_[tree].numbers.empty(); }
  void add(size_t tree, size_t n, const uint8_t* leaf, double vote, const double* x, size_t stride,
           double* score) const {
    const Tables& of = tables_[tree];
    hot().add_sloped(
        {of.numbers.data(), of.columns.data(), of.columns.size(), of.n_leaves, of.room(), vote},
        leaf, n, x, stride, score);
  }

  // Calls take(i, answer) for n rows; `value` holds the values of the leaves.
  template <class Leaf, class Take>
  void answer(size_t tree, size_t n, const Leaf* leaf, const double* value, const double* x,
              size_t stride, Take&& take) const {
    const uint32_t* const starts = starts_.data() + first_[tree];
    for (size_t i = 0; i < n; ++i, ++x) {
      const Slope* const end = slopes_.data() + starts[leaf[i] + 1];
      double more = 0;
      for (const Slope* s = slopes_.data() + starts[leaf[i]]; s != end; ++s)
        more += s->slope * (std::min(std::max(x[s->column * stride], s->low), s->high) - s->centre);
      const double v = value[leaf[i]];
      take(i, more == more ? v + more : v);
    }
  }

 private:
  struct Slope {
    double slope, centre, low, high;
    size_t column;  // among those that are used
  };

  // A small tree as hot().add_sloped takes it.
  struct Tables {
    std::vector<double> numbers;
    std::vector<uint32_t> columns;
    size_t n_leaves = 0;
    size_t room() const { return (n_leaves + 31) / 32 * 32; }
  };
  static constexpr size_t kMostLeaves = 64, kMostColumns = 64;  // of a tree in tables
  static constexpr size_t kMostRoom = 8;  // times that of the slopes, for as many in each leaf

  void add(const TreeView& tree, const SlopesView& of, const std::vector<uint32_t>& place) {
    size_t total = 0;
    int32_t most = 0;
    for (size_t v = 0; v < tree.n; ++v) {
      const int32_t count = of.count[v];
      if (count < 0 || (count > 0 && static_cast<Ask>(tree.ask[v]) != Ask::leaf))
        throw std::invalid_argument("the slopes are not those of leaves");
      total += static_cast<size_t>(count);
      most = std::max(most, count);
    }
    if (total != of.n) throw std::invalid_argument("the slopes are not those of leaves");
    const auto n_leaves = static_cast<size_t>(
        std::count(tree.ask, tree.ask + tree.n, static_cast<uint8_t>(Ask::leaf)));
    const auto width = static_cast<size_t>(most);
    const size_t least = width * n_leaves <= kMostRoom * total ? width : 0;
    first_.push_back(starts_.size());
    starts_.push_back(static_cast<uint32_t>(slopes_.size()));
    for (size_t v = 0, k = 0; v < tree.n; ++v) {
      if (static_cast<Ask>(tree.ask[v]) != Ask::leaf) continue;
      for (const size_t end = k + static_cast<size_t>(of.count[v]); k < end; ++k)
        slopes_.push_back({of.slope[k], of.centre[k], of.low[k], of.high[k],
                           place[static_cast<size_t>(of.feature[k])]});
      if (slopes_.size() < starts_.back() + least)
        slopes_.resize(starts_.back() + least, {0, 0, 0, 0, used_.size()});
      if (slopes_.size() >= size_t{1} << 31)
        throw std::invalid_argument("the leaves have too many slopes");
      starts_.push_back(static_cast<uint32_t>(slopes_.size()));
    }
    tables_.push_back(hot().add_sloped == nullptr ? Tables{} : tables(tree, width));
  }

  // Whether looking up each column of a tree for every row takes less time than going through the
  // slopes of a leaf: by measurements, of a column 5 and 4 for each register of 8 leaves, and of a
  // slope 32, in units of a thirtieth of a nanosecond.
  static bool pays(size_t n_columns, size_t n_leaves, size_t width) {
    return n_leaves <= kMostLeaves && n_columns <= kMostColumns &&
           n_columns * (5 + 4 * ((n_leaves + 7) / 8)) < 32 * width;
  }

  // The slopes of the last tree in tables; none where these do not pay.
  Tables tables(const TreeView& tree, size_t width) const {
    Tables made;
    const uint32_t* const starts = starts_.data() + first_.back();
    for (size_t k = starts[0]; k < slopes_.size(); ++k)
      if (slopes_[k].column < used_.size())
        made.columns.push_back(static_cast<uint32_t>(slopes_[k].column));
    std::sort(made.columns.begin(), made.columns.end());
    made.columns.erase(std::unique(made.columns.begin(), made.columns.end()), made.columns.end());
    const size_t n_leaves = starts_.size() - first_.back() - 1;
    if (!pays(made.columns.size(), n_leaves, width)) return Tables{};
    made.n_leaves = n_leaves;
    made.numbers.assign((1 + 4 * made.columns.size()) * made.room(), 0.0);
    for (size_t v = 0, leaf = 0; v < tree.n; ++v)
      if (static_cast<Ask>(tree.ask[v]) == Ask::leaf)
        made.numbers[leaf++] = tree.values[static_cast<size_t>(tree.value[v])];
    for (size_t leaf = 0; leaf < n_leaves; ++leaf)
      for (size_t k = starts[leaf]; k < starts[leaf + 1]; ++k) {
        const Slope& s = slopes_[k];
        if (s.column == used_.size()) continue;
        const auto at = std::lower_bound(made.columns.begin(), made.columns.end(), s.column);
        const auto place = static_cast<size_t>(at - made.columns.begin());
        double* to = made.numbers.data() + (1 + 4 * place) * made.room() + leaf;
        for (const double number : {s.slope, s.centre, s.low, s.high}) {
          *to = number;
          to += made.room();
        }
      }
    return made;
  }

  std::vector<uint32_t> used_;
  std::vector<size_t> first_;  // of each tree, the place in starts_
  std::vector<uint32_t>
      starts_;  // of each leaf among the slopes, and where the last of a tree ends
  std::vector<Slope> slopes_;
  std::vector<Tables> tables_;
};

}  // namespace weaklearn
