// The leaves in which coded rows land: a tree of thresholds is walked on the codes of its sample.
//
// Promise: the same leaves as comparing real values with the real thresholds gives.
// Cost: O(nodes) to prepare, O(depth) a row; several rows are walked at once, as each waits for its
// own look-ups.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/tree/tree_view.hpp"

namespace weaklearn {

class LeafOfRow {
 public:
  LeafOfRow(const Columns& columns, const TreeView& tree)
      : n_rows_(columns.n_rows()), nodes_(tree.n) {
    for (size_t v = 0; v < tree.n && possible_; ++v) {
      Node& node = nodes_[v];
      node.first = static_cast<uint32_t>(v);  // a leaf is its own child
      if (static_cast<Ask>(tree.ask[v]) != Ask::leaf) possible_ = prepare(columns, tree, v, node);
    }
    const uint8_t* any = nodes_[0].codes;
    for (Node& node : nodes_)
      if (node.codes == nullptr) node.codes = any;
    possible_ &= any != nullptr;
  }

  // Not where a test is on categories or sparse cells, splits rows of one code, or is absent.
  bool possible() const { return possible_; }

  // leaf[i] <- the leaf of row i.
  void find(int32_t* leaf, int threads) const {
    constexpr size_t rows = 2048;
    Pool::instance().run((n_rows_ + rows - 1) / rows, threads_for(16 * n_rows_, threads),
                         [&](size_t t) {
                           const size_t end = std::min(n_rows_, (t + 1) * rows);
                           size_t i = t * rows;
                           for (; i + kAbreast <= end; i += kAbreast) walk<kAbreast>(i, leaf);
                           for (; i < end; ++i) walk<1>(i, leaf);
                         });
  }

 private:
  static constexpr size_t kAbreast = 8;
  static constexpr uint16_t kNever = std::numeric_limits<uint16_t>::max();

  struct Node {
    const uint8_t* codes = nullptr;
    uint32_t first = 0;
    uint16_t cut = kNever;  // codes from here on have outcome 1
    uint8_t missing = 0;
    bool gaps = false;
    uint8_t gap = 0;
  };

  static bool prepare(const Columns& columns, const TreeView& tree, size_t v, Node& node) {
    const Column& column = columns[static_cast<size_t>(tree.feature[v])];
    if (static_cast<Ask>(tree.ask[v]) != Ask::threshold || column.categorical || column.sparse)
      return false;
    if (column.has_missing && tree.missing[v] == kEveryChild) return false;
    uint32_t cut = 0, end = column.n_codes;  // the first code with a value above the threshold
    while (cut < end) {
      const uint32_t middle = (cut + end) / 2;
      if (column.greatest(middle) > tree.threshold[v])
        end = middle;
      else
        cut = middle + 1;
    }
    node.codes = column.codes;
    node.first = static_cast<uint32_t>(tree.first[v]);
    node.cut = static_cast<uint16_t>(cut);
    node.gaps = column.has_missing;
    node.gap = static_cast<uint8_t>(column.n_codes);
    node.missing = static_cast<uint8_t>(std::max(tree.missing[v], 0));
    return cut == column.n_codes || column.least(cut) > tree.threshold[v];
  }

  template <size_t width>
  void walk(size_t row, int32_t* leaf) const {
    uint32_t at[width] = {};
    for (bool moved = true; moved;) {
      moved = false;
      for (size_t k = 0; k < width; ++k) {
        const Node& node = nodes_[at[k]];
        const uint8_t code = node.codes[row + k];
        const uint32_t outcome = node.gaps && code == node.gap ? node.missing : code >= node.cut;
        const uint32_t next = node.first + outcome;
        moved |= next != at[k];
        at[k] = next;
      }
    }
    for (size_t k = 0; k < width; ++k) leaf[row + k] = static_cast<int32_t>(at[k]);
  }

  size_t n_rows_;
  bool possible_ = true;
  std::vector<Node> nodes_;
};

}  // namespace weaklearn
