// Trees through which rows are walked step by step.
//
// Several rows, or one row through several trees, take their steps side by side, so that none waits
// for memory alone; a step has no branch to mispredict. Nodes are laid out along the busiest paths.
// Cost: O(depth) a row and tree. Allocation: none but what the caller hands in.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "weaklearn/columns/cells.hpp"
#include "weaklearn/tree/tree_view.hpp"

namespace weaklearn {

class TreeWalk {
 public:
  // `plain` trees ask for thresholds only; in `fractional` ones rows may go to every child.
  enum class Kind : uint8_t { plain, general, fractional };
  struct Root {
    Kind kind = Kind::plain;
    uint32_t at = 0;      // its place among all nodes
    uint32_t branch = 0;  // in branches_
  };
  static constexpr size_t kSideBySide = 8;

  // Trees over columns of so many categories (0: numbers), of which those in `used` are asked.
  TreeWalk(const std::vector<uint32_t>& n_categories, std::vector<uint32_t> used)
      : n_categories_(n_categories), used_(std::move(used)), column_of_(n_categories.size(), 0) {
    for (size_t c = 0; c < used_.size(); ++c) column_of_[used_[c]] = static_cast<uint32_t>(c);
  }

  // How many rows go through each node: the training weight, or, where that is not known, the
  // number of nodes below.
  static std::vector<double> traffic_of(const TreeView& view) {
    std::vector<double> traffic(view.n, 1.0);
    if (view.weight != nullptr) {
      for (size_t v = 0; v < view.n; ++v) traffic[v] = view.weight[v] > 0 ? view.weight[v] : 0;
      return traffic;
    }
    for (size_t v = view.n; v-- > 0;)
      for (int32_t c = 0; c < view.width[v]; ++c)
        traffic[v] += traffic[static_cast<size_t>(view.first[v] + c)];
    return traffic;
  }

  const std::vector<uint32_t>& used() const { return used_; }

  // What a leaf holds: a row of values (as `value_of` numbered it), and its number in its own tree.
  uint32_t value_at(uint32_t leaf) const { return static_cast<uint32_t>(nodes_[leaf].threshold); }
  int32_t number_at(uint32_t leaf) const { return aside_[leaf]; }

  // Adds a checked tree; node v is as busy as traffic[v], and answers with value_of[v] where it
  // is a leaf. The places of its leaves, in the order of their numbers, are appended to `leaves`.
  Root add(const TreeView& view, const std::vector<double>& traffic,
           const std::vector<uint32_t>& value_of, std::vector<uint32_t>& leaves) {
    Root root{kind_of(view), static_cast<uint32_t>(nodes_.size()),
              static_cast<uint32_t>(branches_.size())};
    const std::vector<uint32_t> place = places_of(view, traffic);
    const auto sets = static_cast<uint32_t>(sets_.size());
    nodes_.resize(nodes_.size() + view.n);
    aside_.resize(aside_.size() + view.n);
    if (root.kind != Kind::plain) {
      branches_.resize(branches_.size() + view.n);
      sets_.insert(sets_.end(), view.subsets, view.subsets + view.n_subsets);
    }
    for (size_t v = 0; v < view.n; ++v) {
      const uint32_t at = root.at + place[v];
      const Ask ask = static_cast<Ask>(view.ask[v]);
      if (ask == Ask::leaf) {
        nodes_[at] = {static_cast<double>(value_of[v]), static_cast<uint32_t>(used_.size()), at};
        aside_[at] = static_cast<int32_t>(v);
        leaves.push_back(at);
      } else {
        nodes_[at] = {view.threshold[v], column_of_[static_cast<size_t>(view.feature[v])],
                      root.at + place[static_cast<size_t>(view.first[v])]};
        aside_[at] = view.missing[v];
      }
      if (root.kind == Kind::plain) continue;
      Branch& branch = branches_[root.branch + place[v]];
      branch.ask = ask;
      branch.width = view.width[v];
      if (ask == Ask::subset) branch.set = sets + static_cast<uint32_t>(view.subset[v]);
      if (ask != Ask::leaf && view.missing[v] == kEveryChild)
        share_out(view, v, &branches_[root.branch + place[static_cast<size_t>(view.first[v])]]);
    }
    return root;
  }

  // ---------------------------------------------------------------------------------------- rows

  size_t row_size() const { return used_.size() + 1; }

  // x (n x row_size) <- the used columns of rows begin, begin + 1, ... as doubles, NaN for missing,
  // and a zero for leaves to ask. Answers whether any cell is missing.
  bool read(const Cells& cells, size_t begin, size_t n, double* x) const {
    const size_t size = row_size();
    bool gaps = false;
    for (size_t c = 0; c < used_.size(); ++c) {
      const uint32_t j = used_[c];
      if (n_categories_[j] > 0) {
        const int32_t* category = cells.categories(j) + begin;
        for (size_t i = 0; i < n; ++i)
          x[i * size + c] = static_cast<uint32_t>(category[i]) < n_categories_[j]
                                ? category[i]
                                : std::numeric_limits<double>::quiet_NaN();
      } else {
        cells.numbers(j, begin, n, x + c, size);
      }
      for (size_t i = 0; i < n; ++i) gaps |= x[i * size + c] != x[i * size + c];
    }
    for (size_t i = 0; i < n; ++i) x[i * size + used_.size()] = 0;
    return gaps;
  }

  // found[i] <- find(leaf) of the leaf in which row i ends; where it goes to every child, the leaf
  // in which the heaviest children end.
  template <class Find>
  void rows(const Root& root, bool gaps, const double* x, size_t n, uint32_t* found,
            Find&& find) const {
    const size_t size = row_size();
    if (root.kind != Kind::plain) {
      for (size_t i = 0; i < n; ++i) found[i] = find(general(root, x + i * size));
      return;
    }
    gaps ? plain_rows<true>(root.at, x, n, found, find)
         : plain_rows<false>(root.at, x, n, found, find);
  }

  // The same for one row and kSideBySide plain trees; root_of(k) is the place of the k-th root.
  template <class RootOf, class Find>
  void trees(RootOf&& root_of, bool gaps, const double* x, uint32_t* found, Find&& find) const {
    uint32_t at[kSideBySide];
    for (size_t k = 0; k < kSideBySide; ++k) at[k] = root_of(k);
    const auto same_row = [x](size_t) { return x; };
    gaps ? side_by_side<true>(at, same_row) : side_by_side<false>(at, same_row);
    for (size_t k = 0; k < kSideBySide; ++k) found[k] = find(at[k]);
  }

  struct Share {
    uint32_t at;
    double part;
  };

  // Calls give(leaf, part) for every leaf that a share of the row reaches, in the order of
  // children.
  template <class Give>
  void shares(const Root& root, const double* x, std::vector<Share>& waiting, Give&& give) const {
    waiting.assign(1, {root.at, 1.0});
    while (!waiting.empty()) {
      const Share share = waiting.back();
      waiting.pop_back();
      const Branch& branch = branch_of(root, share.at);
      const uint32_t first = nodes_[share.at].first;
      if (branch.ask == Ask::leaf) {
        give(share.at, share.part);
        continue;
      }
      const int32_t child = outcome(branch, share.at, x);
      if (child != kEveryChild) {
        waiting.push_back({first + static_cast<uint32_t>(child), share.part});
        continue;
      }
      for (int32_t c = branch.width - 1; c >= 0; --c) {
        const uint32_t at = first + static_cast<uint32_t>(c);
        const double part = branch_of(root, at).share;
        if (part > 0) waiting.push_back({at, share.part * part});
      }
    }
  }

 private:
  // A step is next = first + (x > threshold). A leaf leads to itself: it asks whether 0 is above
  // the number of its value.
  struct Node {
    double threshold;
    uint32_t column;
    uint32_t first;
  };
  // What else a node may ask, in trees that ask more than thresholds.
  struct Branch {
    Ask ask = Ask::leaf;
    int32_t width = 0;
    uint32_t set = 0;
    double share = 0;  // of its parent's rows, where these go to every child
  };

  static Kind kind_of(const TreeView& view) {
    Kind kind = Kind::plain;
    for (size_t v = 0; v < view.n; ++v) {
      const Ask ask = static_cast<Ask>(view.ask[v]);
      if (ask == Ask::leaf) continue;
      if (view.missing[v] == kEveryChild) return Kind::fractional;
      if (ask != Ask::threshold) kind = Kind::general;
    }
    return kind;
  }

  // Where each node is put: children beside each other, followed by what hangs below the busiest of
  // them, so that most steps stay within a cache line or two.
  static std::vector<uint32_t> places_of(const TreeView& view, const std::vector<double>& traffic) {
    std::vector<uint32_t> place(view.n), waiting{0};
    uint32_t next = 1;
    while (!waiting.empty()) {
      const uint32_t v = waiting.back();
      waiting.pop_back();
      const auto before = static_cast<ptrdiff_t>(waiting.size());
      for (int32_t c = 0; c < view.width[v]; ++c) {
        const auto child = static_cast<uint32_t>(view.first[v] + c);
        place[child] = next++;
        waiting.push_back(child);
      }
      std::sort(waiting.begin() + before, waiting.end(),
                [&](uint32_t a, uint32_t b) { return traffic[a] < traffic[b]; });
    }
    return place;
  }

  // The shares of a node's children: their weights, or equal ones where nothing weighs anything.
  static void share_out(const TreeView& view, size_t v, Branch* children) {
    const double* weight = view.weight + view.first[v];
    double total = 0;
    for (int32_t c = 0; c < view.width[v]; ++c) total += weight[c];
    for (int32_t c = 0; c < view.width[v]; ++c)
      children[c].share = total > 0 ? weight[c] / total : 1.0 / view.width[v];
  }

  const Branch& branch_of(const Root& root, uint32_t at) const {
    return branches_[root.branch + (at - root.at)];
  }

  template <bool gaps>
  static uint32_t step(const Node* nodes, const int32_t* aside, uint32_t at, const double* x) {
    const Node& node = nodes[at];
    const double value = x[node.column];
    const auto above = static_cast<uint32_t>(value > node.threshold);
    if constexpr (gaps)
      return node.first + (value != value ? static_cast<uint32_t>(aside[at]) : above);
    return node.first + above;
  }

  // Moves every place in `at` to its leaf; row_of(k) is the row that walks there.
  template <bool gaps, class RowOf>
  void side_by_side(uint32_t* at, RowOf&& row_of) const {
    const Node* const nodes = nodes_.data();
    const int32_t* const aside = aside_.data();
    uint32_t now[kSideBySide];
    for (size_t k = 0; k < kSideBySide; ++k) now[k] = at[k];
    for (uint32_t moved = 1; moved != 0;) {
      moved = 0;
#if defined(__GNUC__)
#pragma GCC unroll 8
#endif
      for (size_t k = 0; k < kSideBySide; ++k) {
        const uint32_t next = step<gaps>(nodes, aside, now[k], row_of(k));
        moved |= next ^ now[k];
        now[k] = next;
      }
    }
    for (size_t k = 0; k < kSideBySide; ++k) at[k] = now[k];
  }

  template <bool gaps, class Find>
  void plain_rows(uint32_t root, const double* x, size_t n, uint32_t* found, Find&& find) const {
    const size_t size = row_size();
    size_t i = 0;
    for (; i + kSideBySide <= n; i += kSideBySide) {
      uint32_t at[kSideBySide];
      const double* row[kSideBySide];
      for (size_t k = 0; k < kSideBySide; ++k) {
        at[k] = root;
        row[k] = x + (i + k) * size;
      }
      side_by_side<gaps>(at, [&row](size_t k) { return row[k]; });
      for (size_t k = 0; k < kSideBySide; ++k) found[i + k] = find(at[k]);
    }
    for (; i < n; ++i) {
      uint32_t at = root;
      for (uint32_t next = at;; at = next) {
        next = step<gaps>(nodes_.data(), aside_.data(), at, x + i * size);
        if (next == at) break;
      }
      found[i] = find(at);
    }
  }

  // Which child a node sends the row to, or kEveryChild.
  int32_t outcome(const Branch& branch, uint32_t at, const double* x) const {
    const double value = x[nodes_[at].column];
    if (value != value) return aside_[at];
    if (branch.ask == Ask::threshold) return value > nodes_[at].threshold;
    const auto category = static_cast<uint32_t>(value);
    if (branch.ask == Ask::multiway) return static_cast<int32_t>(category);
    return category < 256 && sets_[branch.set].has(category);
  }

  uint32_t general(const Root& root, const double* x) const {
    uint32_t at = root.at;
    for (;;) {
      const Branch& branch = branch_of(root, at);
      if (branch.ask == Ask::leaf) return at;
      int32_t child = outcome(branch, at, x);
      if (child == kEveryChild) {
        child = 0;
        const Branch* children = &branch_of(root, nodes_[at].first);
        for (int32_t c = 1; c < branch.width; ++c)
          if (children[c].share > children[child].share) child = c;
      }
      at = nodes_[at].first + static_cast<uint32_t>(child);
    }
  }

  std::vector<uint32_t> n_categories_;
  std::vector<uint32_t> used_, column_of_;
  std::vector<Node> nodes_;
  std::vector<int32_t> aside_;  // inner nodes: the child of missing values; leaves: their number
  std::vector<Branch> branches_;
  std::vector<CategorySet> sets_;
};

}  // namespace weaklearn
