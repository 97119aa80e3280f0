// Large trees of thresholds, walked on codes: nodes of 8 bytes, and rows of two bytes a feature.
//
// Several rows take their steps side by side; a step has no branch, and nearly all it reads is in
// the nearest cache. Cost: O(depth) a row. Allocation: none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "weaklearn/predict/codes.hpp"
#include "weaklearn/tree/tree_view.hpp"

namespace weaklearn {

using WideCodes = Codes<uint16_t>;

class CompactWalk {
 public:
  static constexpr size_t kMostFeatures = 30'000;  // two columns each, numbered in two bytes

  // Whether a tree that codes fit asks for thresholds of numbers only.
  static bool fits(const TreeView& view, const std::vector<uint32_t>& n_categories) {
    for (size_t v = 0; v < view.n; ++v)
      if (static_cast<Ask>(view.ask[v]) != Ask::leaf &&
          n_categories[static_cast<size_t>(view.feature[v])] > 0)
        return false;
    return true;
  }

  // Adds a tree whose thresholds have joined the open group of codes; gives its number. Node v is
  // as busy as traffic[v], and answers with answer[v] where it is a leaf.
  uint32_t add(const TreeView& view, const std::vector<double>& traffic,
               const std::vector<uint32_t>& answer, WideCodes& codes) {
    Tree tree;
    tree.group = codes.n_groups();
    tree.root = static_cast<uint32_t>(nodes_.size());
    std::vector<std::pair<uint32_t, uint32_t>> waiting{{0, tree.root}};  // a node, and its place
    grow(1);
    while (!waiting.empty()) {
      const auto [v, place] = waiting.back();
      waiting.pop_back();
      uint32_t at = place;
      if (static_cast<Ask>(view.ask[v]) == Ask::leaf) {
        nodes_[at] = {at, 0, WideCodes::kMissing};
        answer_[at] = answer[v];
        continue;
      }
      const auto feature = static_cast<uint32_t>(view.feature[v]);
      const auto first = static_cast<uint32_t>(view.first[v]);
      std::pair<uint32_t, uint32_t> children[3];
      if (view.width[v] == 3) {  // missing values are told apart first
        const uint32_t pair = grow(2);
        nodes_[at] = {pair, column(codes.high_column(feature)), WideCodes::kMissing - 1};
        children[2] = {first + 2, pair + 1};
        at = pair;
      }
      const uint32_t pair = grow(2);
      const uint32_t of_codes =
          view.missing[v] == 1 ? codes.high_column(feature) : codes.low_column(feature);
      nodes_[at] = {pair, column(of_codes), codes.place(feature, view.threshold[v])};
      children[0] = {first, pair};
      children[1] = {first + 1, pair + 1};
      tree.asked.push_back(codes.owner(of_codes));
      const auto before = static_cast<ptrdiff_t>(waiting.size());
      waiting.insert(waiting.end(), children, children + view.width[v]);
      std::sort(waiting.begin() + before, waiting.end(),
                [&](const auto& a, const auto& b) { return traffic[a.first] < traffic[b.first]; });
    }
    std::sort(tree.asked.begin(), tree.asked.end());
    tree.asked.erase(std::unique(tree.asked.begin(), tree.asked.end()), tree.asked.end());
    trees_.push_back(std::move(tree));
    return static_cast<uint32_t>(trees_.size() - 1);
  }

  void want(uint32_t tree, const WideCodes& codes, WideCodes::Wanted& wanted) const {
    codes.want(trees_[tree].group, trees_[tree].asked, wanted);
  }

  // found[i] <- the answer of the leaf in which row i ends.
  void send(uint32_t number, WideCodes::Rows& rows, uint32_t* found) const {
    const Tree& tree = trees_[number];
    for (size_t i = 0; i < rows.size(); i += kTogether) {
      const uint16_t* codes = rows.part(tree.group, i);
      for (size_t k = 0; k < std::min(kTogether, rows.size() - i); k += kSideBySide) {
        uint32_t at[kSideBySide];
        walk(tree.root, codes + k, at);
        for (size_t s = 0; s < std::min(kSideBySide, rows.size() - i - k); ++s)
          found[i + k + s] = answer_[at[s]];
      }
    }
  }

 private:
  static constexpr size_t kSideBySide = 8;
  static_assert(kTogether % kSideBySide == 0);

  // A step is next = first + (code > cut); a leaf leads to itself.
  struct Node {
    uint32_t first;
    uint16_t column;
    uint16_t cut;
  };
  struct Tree {
    uint32_t group = 0, root = 0;
    std::vector<uint32_t> asked;  // features of the group
  };

  static uint16_t column(uint32_t place) { return static_cast<uint16_t>(place / kTogether); }

  uint32_t grow(size_t n) {
    nodes_.resize(nodes_.size() + n);
    answer_.resize(nodes_.size());
    return static_cast<uint32_t>(nodes_.size() - n);
  }

  void walk(uint32_t root, const uint16_t* codes, uint32_t* at) const {
    const Node* const nodes = nodes_.data();
    uint32_t now[kSideBySide];
    for (size_t k = 0; k < kSideBySide; ++k) now[k] = root;
    for (uint32_t moved = 1; moved != 0;) {
      moved = 0;
#if defined(__GNUC__)
#pragma GCC unroll 8
#endif
      for (size_t k = 0; k < kSideBySide; ++k) {
        const Node& node = nodes[now[k]];
        const uint32_t next = node.first + (codes[k + node.column * kTogether] > node.cut ? 1 : 0);
        moved |= next ^ now[k];
        now[k] = next;
      }
    }
    for (size_t k = 0; k < kSideBySide; ++k) at[k] = now[k];
  }

  std::vector<Tree> trees_;
  std::vector<Node> nodes_;
  std::vector<uint32_t> answer_;  // of leaves
};

}  // namespace weaklearn
