// Small trees, folded: kTogether rows at once go through all their nodes.
//
// The numbers of a column become codes of one byte: how many of the forest's thresholds lie below.
// Then a tree is folded from its leaves to its root: at each node every row keeps the leaf of the
// side it belongs to. What is missing has a code that lies on the side it goes to. Trees that
// follow each other share their codes as long as no feature has more than 254 thresholds. Cost:
// O(nodes) steps for kTogether rows. Allocation: scratch that the caller keeps.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "weaklearn/cells.hpp"
#include "weaklearn/hot.hpp"
#include "weaklearn/tree_view.hpp"

namespace weaklearn {

// Bytes that begin with a cache line.
class AlignedBytes {
 public:
  explicit AlignedBytes(size_t n)
      : data_(static_cast<uint8_t*>(::operator new[](n, std::align_val_t{64}))) {}
  uint8_t* get() const { return data_.get(); }

 private:
  struct Free {
    void operator()(uint8_t* at) const { ::operator delete[](at, std::align_val_t{64}); }
  };
  std::unique_ptr<uint8_t, Free> data_;
};

class Fold {
 public:
  static constexpr uint32_t kNone = 0xffffffff;

  explicit Fold(const std::vector<uint32_t>& n_levels) : n_levels_(n_levels) {}

  // Whether a checked tree is small enough.
  bool fits(const TreeView& view) const {
    size_t n_leaves = 0, n_choices = 0;
    for (size_t v = 0; v < view.n; ++v) {
      if (static_cast<Ask>(view.ask[v]) == Ask::leaf) {
        ++n_leaves;
        continue;
      }
      if (n_levels_[static_cast<size_t>(view.feature[v])] >= kMissingCode) return false;
      if (view.missing[v] == kEveryChild) return false;
      n_choices += static_cast<size_t>(view.width[v]) - 1;
    }
    return n_leaves <= kMostLeaves && n_choices <= kMostChoices;
  }

  // Adds a tree that fits and gives its number; the view must live until `finish`.
  uint32_t add(const TreeView& view) {
    std::vector<Cut> fresh = cuts_of(view);
    if (!join(fresh)) {
      finish();
      join(fresh);
    }
    open_.push_back(view);
    return static_cast<uint32_t>(trees_.size() + open_.size() - 1);
  }

  // Codes the features of the trees added last, and folds these trees.
  void finish() {
    if (open_.empty()) return;
    groups_.emplace_back();
    Group& group = groups_.back();
    for (const TreeView& view : open_) {
      trees_.push_back({});
      trees_.back().group = static_cast<uint32_t>(groups_.size() - 1);
      Folding{*this, view, group, trees_.back(), {}, {}, {}}.fold();
    }
    for (Coded& coded : group.coded) arrange(coded, known_cuts(coded.feature));
    open_.clear();
    cuts_.clear();
  }

  size_t steps(uint32_t tree) const { return 2 + trees_[tree].n_choices / 16; }  // a row, roughly

  // Which features have to be coded for some trees of the same group.
  class Selection {
   public:
    void add(const Fold& fold, uint32_t tree) {
      const Tree& added = fold.trees_[tree];
      const Group& group = fold.groups_[added.group];
      if (wanted_.size() <= added.group) wanted_.resize(added.group + 1);
      std::vector<uint8_t>& wanted = wanted_[added.group];
      wanted.resize(group.coded.size(), 0);
      for (uint32_t k = 0; k < added.n_choices; ++k)
        wanted[group.owner[fold.choices_[added.choice + k].column / kTogether]] = 1;
    }

   private:
    friend class Fold;
    std::vector<std::vector<uint8_t>> wanted_;
  };

  // A block of rows on its way through the trees.
  class Rows {
   public:
    Rows(const Fold& fold, const Selection& selection, const Cells& cells, size_t begin, size_t n)
        : fold_(fold),
          selection_(selection),
          cells_(cells),
          begin_(begin),
          n_(n),
          slots_(fold.n_slots_ * kTogether),
          codes_(0) {
      for (size_t l = 0; l < fold.most_leaves_; ++l)
        std::fill_n(slots_.get() + l * kTogether, kTogether, static_cast<uint8_t>(l));
    }

    // Calls take(i, m, leaf) with the leaves, numbered from 0, of rows i, ..., i + m - 1.
    template <class Take>
    void send(uint32_t number, Take&& take) {
      const Tree& tree = fold_.trees_[number];
      const Group& group = fold_.groups_[tree.group];
      if (coded_ != tree.group) code(tree.group);
      for (size_t i = 0; i < n_; i += kTogether) {
        hot().choose(fold_.choices_.data() + tree.choice, tree.n_choices,
                     codes_.get() + i / kTogether * group.size,
                     fold_.sets_.empty() ? nullptr : fold_.sets_[0].word, slots_.get());
        take(i, std::min(kTogether, n_ - i), slots_.get() + tree.slot);
      }
    }

   private:
    void code(uint32_t number) {
      const Group& group = fold_.groups_[number];
      codes_ = AlignedBytes(group.size * ((n_ + kTogether - 1) / kTogether));
      for (size_t i = 0; i < n_; i += kTogether)
        for (size_t k = 0; k < group.coded.size(); ++k)
          if (selection_.wanted_[number][k])
            fold_.code(cells_, group.coded[k], begin_ + i, std::min(kTogether, n_ - i),
                       codes_.get() + i / kTogether * group.size);
      coded_ = number;
    }

    const Fold& fold_;
    const Selection& selection_;
    const Cells& cells_;
    size_t begin_, n_;
    uint32_t coded_ = kNone;
    AlignedBytes slots_, codes_;
  };

 private:
  static constexpr uint32_t kMissingCode = 255;
  static constexpr size_t kMostLeaves = 255, kMostCuts = 254, kMostChoices = 1024;

  struct Tree {
    uint32_t group = 0;
    uint32_t choice = 0, n_choices = 0;
    uint32_t slot = 0;  // where its leaves stand at the end
  };
  // The codes of one feature; places are in bytes.
  struct Coded {
    uint32_t feature = 0;
    uint32_t low = kNone, high = kNone;                  // missing is 0 in one, 255 in the other
    std::vector<std::pair<uint8_t, uint32_t>> as_level;  // missing is this level in that one
    int steps = 0;
    std::vector<double> cuts;     // in the order of a search
    std::vector<float> cuts_f32;  // rounded down: no single lies between a cut and its rounding
    std::vector<float> near;      // the nearest singles, or none where two are the same
  };
  struct Group {
    std::vector<Coded> coded;
    std::vector<uint32_t> owner;  // which of them each column of codes belongs to
    size_t size = 0;              // bytes of all columns, for kTogether rows
    uint32_t add(size_t which) {
      owner.push_back(static_cast<uint32_t>(which));
      size += kTogether;
      return static_cast<uint32_t>(size - kTogether);
    }
  };

  // ------------------------------------------------------------------------------------ thresholds

  struct Cut {
    uint32_t feature;
    double at;
    bool operator<(const Cut& other) const {
      return feature != other.feature ? feature < other.feature : at < other.at;
    }
    bool operator==(const Cut& other) const { return feature == other.feature && at == other.at; }
  };

  std::vector<Cut> cuts_of(const TreeView& view) const {
    std::vector<Cut> cuts;
    for (size_t v = 0; v < view.n; ++v)
      if (static_cast<Ask>(view.ask[v]) == Ask::threshold &&
          n_levels_[static_cast<size_t>(view.feature[v])] == 0)
        cuts.push_back({static_cast<uint32_t>(view.feature[v]), view.threshold[v]});
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    return cuts;
  }

  // Adds cuts to those of the open trees, unless a feature would get too many.
  bool join(const std::vector<Cut>& fresh) {
    std::vector<Cut> joined;
    joined.reserve(cuts_.size() + fresh.size());
    std::set_union(cuts_.begin(), cuts_.end(), fresh.begin(), fresh.end(),
                   std::back_inserter(joined));
    for (size_t k = kMostCuts; k < joined.size(); ++k)
      if (joined[k].feature == joined[k - kMostCuts].feature) return false;
    cuts_ = std::move(joined);
    return true;
  }

  // The cuts of one feature among those of the open trees, ascending.
  std::vector<double> known_cuts(uint32_t feature) const {
    std::vector<double> found;
    const Cut lowest{feature, -std::numeric_limits<double>::infinity()};
    for (auto at = std::lower_bound(cuts_.begin(), cuts_.end(), lowest);
         at != cuts_.end() && at->feature == feature; ++at)
      found.push_back(at->at);
    return found;
  }

  static float rounded_down(double cut) {
    const auto near = static_cast<float>(cut);  // beyond the range of singles it is infinite
    return static_cast<double>(near) > cut
               ? std::nextafter(near, -std::numeric_limits<float>::infinity())
               : near;
  }

  // Cuts in the order of a search: the middle, then the middles of both halves, ...
  static void arrange(Coded& coded, const std::vector<double>& cuts) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    while ((size_t{1} << coded.steps) - 1 < cuts.size()) ++coded.steps;
    const size_t size = (size_t{1} << coded.steps) - 1;
    for (int step = 0; step < coded.steps; ++step) {
      const size_t half = size_t{1} << (coded.steps - step - 1);
      for (size_t at = half - 1; at < size; at += 2 * half)
        coded.cuts.push_back(at < cuts.size() ? cuts[at] : kInfinity);
    }
    bool apart = true;
    for (size_t k = 1; k < cuts.size(); ++k)
      apart = apart && static_cast<float>(cuts[k - 1]) < static_cast<float>(cuts[k]);
    for (double cut : coded.cuts) {
      coded.cuts_f32.push_back(rounded_down(cut));
      if (apart) coded.near.push_back(static_cast<float>(cut));
    }
    coded.cuts.resize(size + 31, kInfinity);
    coded.cuts_f32.resize(size + 31, static_cast<float>(kInfinity));
    if (apart) coded.near.resize(size + 31, static_cast<float>(kInfinity));
  }

  // --------------------------------------------------------------------------------------- folding

  // Turns a tree into choices, from its leaves to its root. The lowest slots hold the numbers of
  // the leaves, those from kMostLeaves on what has been chosen so far.
  struct Folding {
    Fold& whole;
    const TreeView& view;
    Group& group;
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
      whole.n_slots_ = std::max(whole.n_slots_, kMostLeaves + taken.size());
      whole.most_leaves_ = std::max(whole.most_leaves_, n_leaves);
    }

    bool is_leaf(size_t v) const { return static_cast<Ask>(view.ask[v]) == Ask::leaf; }
    static uint16_t slot_of(size_t slot) { return static_cast<uint16_t>(slot * kTogether); }

    // The slot, in bytes, in which the answer of the subtree will stand.
    uint16_t visit(size_t v) {
      if (is_leaf(v)) return slot_of(leaf_of[v]);
      if (static_cast<Ask>(view.ask[v]) == Ask::multiway) return visit_levels(v);
      const auto first = static_cast<size_t>(view.first[v]);
      const auto feature = static_cast<uint32_t>(view.feature[v]);
      const int32_t missing = view.missing[v];
      const bool low_first = need[first] >= need[first + 1];
      const uint16_t a = visit(low_first ? first : first + 1);
      const uint16_t b = visit(low_first ? first + 1 : first);
      Choice choice = {};
      choice.low = low_first ? a : b;
      choice.high = low_first ? b : a;
      if (whole.n_levels_[feature] == 0) {
        choice.column = missing == 1 ? high_column(feature) : low_column(feature);
        const Cut cut{feature, view.threshold[v]}, lowest{feature, -HUGE_VAL};
        const auto& cuts = whole.cuts_;
        choice.cut = static_cast<uint8_t>(std::lower_bound(cuts.begin(), cuts.end(), cut) -
                                          std::lower_bound(cuts.begin(), cuts.end(), lowest));
      } else {
        choice.column = high_column(feature);
        choice.within = 1;
        choice.set = static_cast<uint32_t>(whole.sets_.size());
        whole.sets_.push_back(set_of(v, missing == 1));
      }
      const uint16_t chosen = push(choice);
      return missing == 2 ? push_missing(feature, chosen, visit(first + 2)) : chosen;
    }

    // The codes for which a test of levels holds.
    LevelSet set_of(size_t v, bool missing) const {
      LevelSet set;
      for (uint32_t level = 0; level < whole.n_levels_[static_cast<size_t>(view.feature[v])];
           ++level)
        if (static_cast<Ask>(view.ask[v]) == Ask::subset ? view.subsets[view.subset[v]].has(level)
                                                         : level > view.threshold[v])
          set.add(level);
      if (missing) set.add(kMissingCode);
      return set;
    }

    // Level after level: what is above one chooses again.
    uint16_t visit_levels(size_t v) {
      const auto first = static_cast<size_t>(view.first[v]);
      const auto feature = static_cast<uint32_t>(view.feature[v]);
      const auto missing = static_cast<size_t>(view.missing[v]);
      const size_t n_levels = whole.n_levels_[feature];
      Choice choice = {};
      choice.column = missing < n_levels ? level_column(feature, missing) : high_column(feature);
      uint16_t chosen = visit(first);
      for (size_t c = 1; c < n_levels; ++c) {
        choice.high = visit(first + c);
        choice.low = chosen;
        choice.cut = static_cast<uint8_t>(c - 1);
        chosen = push(choice);
      }
      return missing < n_levels ? chosen : push_missing(feature, chosen, visit(first + missing));
    }

    uint16_t push_missing(uint32_t feature, uint16_t known, uint16_t missing) {
      Choice choice = {};
      choice.column = high_column(feature);
      choice.low = known;
      choice.high = missing;
      choice.cut = kMissingCode - 1;
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
      return choice.slot;
    }

    size_t coded_of(uint32_t feature) {
      for (size_t k = group.coded.size(); k-- > 0;)
        if (group.coded[k].feature == feature) return k;
      group.coded.emplace_back();
      group.coded.back().feature = feature;
      if (whole.n_levels_[feature] == 0) group.coded.back().low = group.add(group.coded.size() - 1);
      return group.coded.size() - 1;
    }
    uint32_t low_column(uint32_t feature) { return group.coded[coded_of(feature)].low; }
    uint32_t high_column(uint32_t feature) {
      const size_t k = coded_of(feature);
      if (group.coded[k].high == kNone) group.coded[k].high = group.add(k);
      return group.coded[k].high;
    }
    uint32_t level_column(uint32_t feature, size_t level) {
      const size_t k = coded_of(feature);
      auto& as_level = group.coded[k].as_level;
      for (const auto& [known, at] : as_level)
        if (known == level) return at;
      as_level.emplace_back(static_cast<uint8_t>(level), group.add(k));
      return as_level.back().second;
    }
  };

  // ---------------------------------------------------------------------------------------- coding

  // The codes of one feature for n <= kTogether rows; what stands beyond them are codes too.
  void code(const Cells& cells, const Coded& coded, size_t begin, size_t n, uint8_t* codes) const {
    const size_t j = coded.feature;
    uint8_t* high = coded.high == kNone ? nullptr : codes + coded.high;
    if (n_levels_[j] > 0) {
      if (high != nullptr) code_levels(cells, j, begin, n, kMissingCode, high);
      for (const auto& [level, at] : coded.as_level)
        code_levels(cells, j, begin, n, level, codes + at);
    } else if (cells.single()) {
      alignas(64) float x[kTogether];
      cells.singles(j, begin, n, x);
      std::fill(x + n, x + kTogether, 0.0f);
      hot().codes_f32(x, kTogether, coded.cuts_f32.data(), coded.steps, codes + coded.low, high);
    } else {
      alignas(64) double x[kTogether];
      cells.numbers(j, begin, n, x, 1);
      std::fill(x + n, x + kTogether, 0.0);
      hot().codes(x, kTogether, coded.cuts.data(), coded.near.empty() ? nullptr : coded.near.data(),
                  coded.steps, codes + coded.low, high);
    }
  }

  void code_levels(const Cells& cells, size_t j, size_t begin, size_t n, uint32_t missing,
                   uint8_t* code) const {
    const int32_t* level = cells.levels(j) + begin;
    const uint32_t n_levels = n_levels_[j];
    for (size_t i = 0; i < n; ++i) {
      const auto found = static_cast<uint32_t>(level[i]);
      code[i] = static_cast<uint8_t>(found < n_levels ? found : missing);
    }
    std::fill_n(code + n, kTogether - n, uint8_t{0});
  }

  std::vector<uint32_t> n_levels_;
  std::vector<Tree> trees_;
  std::vector<Group> groups_;
  std::vector<Choice> choices_;
  std::vector<LevelSet> sets_;
  size_t n_slots_ = 0, most_leaves_ = 0;
  std::vector<TreeView> open_;  // the trees of the group to come, and their cuts
  std::vector<Cut> cuts_;
};

}  // namespace weaklearn
