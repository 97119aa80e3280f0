// Small trees, folded: kTogether rows at once go through all nodes.
//
// A tree is folded from its leaves to its root: at each node every row keeps the leaf of the side
// it belongs to. Cost: O(nodes) steps for kTogether rows, whatever they hold. Allocation: slots
// that the caller keeps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weaklearn/hot/loops.hpp"
#include "weaklearn/predict/codes.hpp"
#include "weaklearn/tree/tree_view.hpp"

namespace weaklearn {

class BranchlessTrees {
 public:
  explicit BranchlessTrees(const std::vector<uint32_t>& n_categories)
      : n_categories_(n_categories) {}

  // Whether a tree that codes fit is small enough.
  static bool fits(const TreeView& view) {
    size_t n_leaves = 0, n_choices = 0;
    for (size_t v = 0; v < view.n; ++v)
      if (static_cast<Ask>(view.ask[v]) == Ask::leaf)
        ++n_leaves;
      else
        n_choices += static_cast<size_t>(view.width[v]) - 1;
    return n_leaves <= kMostLeaves && n_choices <= kMostChoices;
  }

  // Folds a tree whose thresholds have joined the open group of codes; gives its number.
  uint32_t add(const TreeView& view, Codes<uint8_t>& codes) {
    trees_.emplace_back();
    trees_.back().group = codes.n_groups();
    Folding{*this, view, codes, trees_.back(), {}, {}, {}}.fold();
    return static_cast<uint32_t>(trees_.size() - 1);
  }

  size_t steps(uint32_t tree) const { return 2 + trees_[tree].n_choices / 16; }  // a row, roughly

  void want(uint32_t tree, const Codes<uint8_t>& codes, Codes<uint8_t>::Wanted& wanted) const {
    codes.want(trees_[tree].group, trees_[tree].asked, wanted);
  }

  // Where rows are folded; the lowest slots hold the numbers of leaves.
  AlignedBytes slots() const {
    AlignedBytes slots(n_slots_ * kTogether);
    for (size_t l = 0; l < most_leaves_; ++l)
      std::fill_n(slots.get() + l * kTogether, kTogether, static_cast<uint8_t>(l));
    return slots;
  }

  // Calls take(i, n, leaf) with the leaves, numbered from 0, of rows i, ..., i + n - 1.
  template <class Take>
  void send(uint32_t number, Codes<uint8_t>::Rows& rows, const AlignedBytes& slots,
            Take&& take) const {
    const Tree& tree = trees_[number];
    for (size_t i = 0; i < rows.size(); i += kTogether) {
      hot().choose(choices_.data() + tree.choice, tree.n_choices, rows.part(tree.group, i),
                   sets_.empty() ? nullptr : sets_[0].word, slots.get());
      take(i, std::min(kTogether, rows.size() - i), slots.get() + tree.slot);
    }
  }

 private:
  static constexpr size_t kMostLeaves = 255, kMostChoices = 1024;

  struct Tree {
    uint32_t group = 0;
    uint32_t choice = 0, n_choices = 0;
    uint32_t slot = 0;            // where its leaves stand at the end
    std::vector<uint32_t> asked;  // features of the group
  };

  // Turns a tree into choices, from its leaves to its root. Slots from kMostLeaves on hold what has
  // been chosen so far.
  struct Folding {
    BranchlessTrees& whole;
    const TreeView& view;
    Codes<uint8_t>& codes;
    Tree& tree;
    std::vector<uint8_t> taken;  // slots
    std::vector<size_t> leaf_of;
    std::vector<uint32_t> need;  // how many slots a subtree needs: the neediest goes first

    void fold() {
      leaf_of.resize(view.n);
      need.assign(view.n, 0);
      size_t n_leaves = 0;
      for (size_t v = 0; v < view.n; ++v)
        if (is_leaf(v)) leaf_of[v] = n_leaves++;
      for (size_t v = view.n; v-- > 0;)
        for (int32_t c = 0; c < view.width[v]; ++c) {
          const uint32_t of_child = need[static_cast<size_t>(view.first[v] + c)];
          need[v] = of_child == need[v] ? of_child + 1 : std::max(of_child, need[v]);
        }
      tree.choice = static_cast<uint32_t>(whole.choices_.size());
      tree.slot = visit(0);
      tree.n_choices = static_cast<uint32_t>(whole.choices_.size()) - tree.choice;
      std::sort(tree.asked.begin(), tree.asked.end());
      tree.asked.erase(std::unique(tree.asked.begin(), tree.asked.end()), tree.asked.end());
      whole.n_slots_ = std::max(whole.n_slots_, kMostLeaves + taken.size());
      whole.most_leaves_ = std::max(whole.most_leaves_, n_leaves);
    }

    bool is_leaf(size_t v) const { return static_cast<Ask>(view.ask[v]) == Ask::leaf; }
    static uint16_t slot_of(size_t slot) { return static_cast<uint16_t>(slot * kTogether); }

    // The slot, in bytes, in which the answer of the subtree will stand.
    uint16_t visit(size_t v) {
      if (is_leaf(v)) return slot_of(leaf_of[v]);
      if (static_cast<Ask>(view.ask[v]) == Ask::multiway) return visit_categories(v);
      const auto first = static_cast<size_t>(view.first[v]);
      const auto feature = static_cast<uint32_t>(view.feature[v]);
      const int32_t missing = view.missing[v];
      const bool low_first = need[first] >= need[first + 1];
      const uint16_t a = visit(low_first ? first : first + 1);
      const uint16_t b = visit(low_first ? first + 1 : first);
      Choice choice = {};
      choice.low = low_first ? a : b;
      choice.high = low_first ? b : a;
      if (whole.n_categories_[feature] == 0) {
        choice.column = missing == 1 ? codes.high_column(feature) : codes.low_column(feature);
        choice.cut = codes.place(feature, view.threshold[v]);
      } else {
        choice.column = codes.high_column(feature);
        choice.within = 1;
        choice.set = static_cast<uint32_t>(whole.sets_.size());
        whole.sets_.push_back(set_of(v, missing == 1));
      }
      const uint16_t chosen = push(choice);
      return missing == 2 ? push_missing(feature, chosen, visit(first + 2)) : chosen;
    }

    // The codes for which a test of categories holds.
    CategorySet set_of(size_t v, bool missing) const {
      CategorySet set;
      for (uint32_t category = 0;
           category < whole.n_categories_[static_cast<size_t>(view.feature[v])]; ++category)
        if (static_cast<Ask>(view.ask[v]) == Ask::subset
                ? view.subsets[view.subset[v]].has(category)
                : category > view.threshold[v])
          set.add(category);
      if (missing) set.add(Codes<uint8_t>::kMissing);
      return set;
    }

    // Category after category: what is above one chooses again.
    uint16_t visit_categories(size_t v) {
      const auto first = static_cast<size_t>(view.first[v]);
      const auto feature = static_cast<uint32_t>(view.feature[v]);
      const auto missing = static_cast<size_t>(view.missing[v]);
      const size_t n_categories = whole.n_categories_[feature];
      Choice choice = {};
      choice.column = missing < n_categories ? codes.category_column(feature, missing)
                                             : codes.high_column(feature);
      uint16_t chosen = visit(first);
      for (size_t c = 1; c < n_categories; ++c) {
        choice.high = visit(first + c);
        choice.low = chosen;
        choice.cut = static_cast<uint8_t>(c - 1);
        chosen = push(choice);
      }
      return missing < n_categories ? chosen
                                    : push_missing(feature, chosen, visit(first + missing));
    }

    uint16_t push_missing(uint32_t feature, uint16_t known, uint16_t missing) {
      Choice choice = {};
      choice.column = codes.high_column(feature);
      choice.low = known;
      choice.high = missing;
      choice.cut = Codes<uint8_t>::kMissing - 1;
      return push(choice);
    }

    uint16_t push(Choice choice) {
      for (uint16_t used : {choice.low, choice.high})
        if (used >= slot_of(kMostLeaves)) taken[used / kTogether - kMostLeaves] = 0;
      const auto free =
          static_cast<size_t>(std::find(taken.begin(), taken.end(), 0) - taken.begin());
      if (free == taken.size()) taken.push_back(0);
      taken[free] = 1;
      choice.slot = slot_of(kMostLeaves + free);
      whole.choices_.push_back(choice);
      tree.asked.push_back(codes.owner(choice.column));
      return choice.slot;
    }
  };

  std::vector<uint32_t> n_categories_;
  std::vector<Tree> trees_;
  std::vector<Choice> choices_;
  std::vector<CategorySet> sets_;
  size_t n_slots_ = 0, most_leaves_ = 0;
};

}  // namespace weaklearn
