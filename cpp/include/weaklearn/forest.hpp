// Prediction through many trees.
//
// A score is base + vote * value, tree after tree in their order: the same bits for any number of
// threads, any cut of rows into blocks, singles or doubles, dense or sparse cells. Everything a
// tree says is checked when the forest is packed, so that no array can lead a row astray.
//
// Many rows of a small tree are sent down together. The numbers of a column become codes, one byte
// each (how many of the forest's thresholds lie below), and the tree is folded from its leaves to
// its root: at every node each row keeps the leaf of its side, kTogether rows at once. Large trees
// are walked, several rows side by side so that none waits for memory alone; a single row walks
// several trees side by side. Cost: O(nodes) bytes a row and small tree, O(depth) steps a row and
// large tree. Allocation: a few blocks of scratch a task.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "weaklearn/cells.hpp"
#include "weaklearn/hot.hpp"
#include "weaklearn/pool.hpp"
#include "weaklearn/tree.hpp"

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
  const LevelSet* subsets = nullptr;
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

class Forest {
 public:
  // n_levels[j] > 0 marks a categorical column. Tree t adds to score outputs[t], or its whole row
  // of values to all scores where that is -1.
  Forest(size_t n_features, const uint32_t* n_levels, size_t n_outputs,
         const std::vector<TreeView>& trees, const double* votes, const int32_t* outputs)
      : n_features_(n_features), k_(n_outputs), n_levels_(n_levels, n_levels + n_features) {
    std::vector<uint8_t> asked(n_features, 0);
    size_t n_nodes = 0;
    for (size_t t = 0; t < trees.size(); ++t) {
      check(t, trees[t], outputs[t]);
      n_nodes += trees[t].n;
      for (size_t v = 0; v < trees[t].n; ++v)
        if (trees[t].feature[v] >= 0) asked[static_cast<size_t>(trees[t].feature[v])] = 1;
    }
    if (n_nodes >= size_t{1} << 31) throw std::invalid_argument("the trees have too many nodes");
    column_of_.assign(n_features, 0);
    for (size_t j = 0; j < n_features; ++j)
      if (asked[j]) {
        column_of_[j] = static_cast<uint32_t>(used_.size());
        used_.push_back(static_cast<uint32_t>(j));
      }
    nodes_.resize(n_nodes);
    aside_.resize(n_nodes);
    for (size_t t = 0; t < trees.size(); ++t) pack(trees[t], votes[t], outputs[t]);
    Gathering gathering;
    for (size_t t = 0; t < trees.size(); ++t) gather(trees, t, gathering);
    close(trees, gathering);
  }

  size_t n_trees() const { return trees_.size(); }
  size_t n_outputs() const { return k_; }
  size_t n_features() const { return n_features_; }
  // Refuses cells of another shape than the trees ask for.
  void expect_cells(const Cells& cells) const {
    if (cells.n_features() != n_features_)
      throw std::invalid_argument("a row has " + std::to_string(cells.n_features()) +
                                  " cells, expected " + std::to_string(n_features_));
    for (uint32_t j : used_)
      if (cells.has_levels(j) != (n_levels_[j] > 0))
        throw std::invalid_argument(
            "column " + std::to_string(j) + " holds " +
            (n_levels_[j] > 0 ? "numbers, expected levels" : "levels, expected numbers"));
  }
  bool single_valued() const {
    return std::all_of(trees_.begin(), trees_.end(), [](const Tree& tree) { return tree.k == 1; });
  }

  // score (rows x outputs) <- base + the answers of the trees [first, last).
  void sum(const Cells& cells, const double* base, size_t first, size_t last, double* score,
           int threads) const {
    const bool by_rows = k_ == 1 || std::any_of(trees_.begin(), trees_.end(),
                                                [](const Tree& tree) { return tree.output < 0; });
    run(cells, first, last, threads, [&](size_t begin, size_t n) {
      double* const to = score + begin * k_;
      for (size_t i = 0; i < n; ++i) std::copy(base, base + k_, to + i * k_);
      if (by_rows) return send(cells, first, last, begin, n, Sum{*this, to, k_, 1});
      std::vector<double> apart(n * k_);  // score by score, so that rows are neighbours
      for (size_t l = 0; l < k_; ++l) std::fill_n(&apart[l * n], n, base[l]);
      send(cells, first, last, begin, n, Sum{*this, apart.data(), 1, n});
      for (size_t i = 0; i < n; ++i)
        for (size_t l = 0; l < k_; ++l) to[i * k_ + l] = apart[l * n + i];
    });
  }

  // node (rows x trees) <- the leaf each row ends in; where a row goes to every child, the one in
  // which the heaviest children end.
  void apply(const Cells& cells, int32_t* node, int threads) const {
    run(cells, 0, n_trees(), threads, [&](size_t begin, size_t n) {
      send(cells, 0, n_trees(), begin, n, Apply{*this, node + begin * n_trees(), n_trees()});
    });
  }

  // value (rows x trees) <- each tree's own answer, before its vote; single-valued trees only.
  void each(const Cells& cells, double* value, int threads) const {
    run(cells, 0, n_trees(), threads, [&](size_t begin, size_t n) {
      send(cells, 0, n_trees(), begin, n, Each{*this, value + begin * n_trees(), n_trees()});
    });
  }

 private:
  // A node as it is walked: next = first + (x > threshold). A leaf asks whether 0 exceeds infinity
  // and leads to itself.
  struct Node {
    double threshold;
    uint32_t column;
    uint32_t first;
  };
  // What more a node may ask, in trees that ask more than thresholds.
  struct Branch {
    Ask ask;
    int32_t width;
    uint32_t set;
    double share;  // of its parent's rows, where these go to every child
  };
  enum class Kind : uint8_t { plain, general, fractional };
  struct Tree {
    Kind kind = Kind::plain;
    bool small = false;
    uint32_t root = 0, n_nodes = 0;
    uint32_t leaf = 0, n_leaves = 0;           // in leaf_node_ and leaf_value_
    uint32_t branch = 0;                       // in branches_
    uint32_t choice = 0, n_choices = 0;        // in choices_
    uint32_t group = 0, slot = 0, answer = 0;  // of a small tree; answers_
    uint32_t k = 1;
    int32_t output = 0;
    double vote = 1;
    size_t value = 0;  // in values_
  };
  // Codes of one feature, for the small trees of one group.
  struct Coded {
    uint32_t feature = 0;
    uint32_t low = kNone, high = kNone;  // columns of codes: missing is 0 in one, 255 in the other
    std::vector<std::pair<uint8_t, uint32_t>> as_level;  // missing is this level in that column
    int steps = 0;
    std::vector<double> cuts;     // in the order of a search
    std::vector<float> cuts_f32;  // rounded down: no single lies between a cut and its rounding
  };
  // Neighbouring small trees with at most 254 thresholds a feature.
  struct Group {
    std::vector<Coded> columns;
    uint32_t n_codes = 0;
  };
  struct Gathering {
    size_t first = 0, last = 0;  // trees
    std::vector<std::vector<double>> cuts;
  };

  static constexpr uint32_t kNone = 0xffffffff;
  static constexpr uint32_t kMissingCode = 255;
  static constexpr size_t kMostLeaves = 255, kMostCuts = 254, kMostChoices = 1024;
  static constexpr size_t kFewRows = 16;  // fewer are walked one by one
  static constexpr size_t kSideBySide = 8;
  static constexpr size_t kMostRows = 1024;  // of a task

  // ------------------------------------------------------------------------------------- checking

  [[noreturn]] static void refuse(size_t t, const std::string& what) {
    throw std::invalid_argument("tree " + std::to_string(t) + ": " + what);
  }

  void check(size_t t, const TreeView& tree, int32_t output) const {
    if (tree.n == 0) refuse(t, "it has no node");
    if (tree.n >= size_t{1} << 31) refuse(t, "it has too many nodes");
    if (output < -1 || (output >= 0 && static_cast<size_t>(output) >= k_))
      refuse(t, "its output is out of range");
    if (tree.n_outputs != (output < 0 ? k_ : 1)) refuse(t, "its values have the wrong width");
    std::vector<uint8_t> has_parent(tree.n, 0);
    for (size_t v = 0; v < tree.n; ++v) {
      const auto at = [&](const char* what) {
        return std::string(what) + " of node " + std::to_string(v) + " is out of range";
      };
      const int32_t width = tree.width[v], missing = tree.missing[v];
      if (tree.ask[v] > static_cast<uint8_t>(Ask::multiway)) refuse(t, at("the test"));
      if (tree.value[v] < -1 || tree.value[v] >= static_cast<int64_t>(tree.n_values))
        refuse(t, at("the value"));
      if (tree.ask[v] == static_cast<uint8_t>(Ask::leaf)) {
        if (tree.value[v] < 0) refuse(t, at("the value"));
        if (tree.feature[v] >= 0 || width != 0) refuse(t, at("the width"));
        continue;
      }
      if (tree.feature[v] < 0 || static_cast<size_t>(tree.feature[v]) >= n_features_)
        refuse(t, at("the feature"));
      const Ask ask = static_cast<Ask>(tree.ask[v]);
      const uint32_t levels = n_levels_[static_cast<size_t>(tree.feature[v])];
      if ((ask == Ask::threshold) != (levels == 0)) refuse(t, at("the kind of feature"));
      if (ask == Ask::threshold && !std::isfinite(tree.threshold[v]))
        refuse(t, at("the threshold"));
      if (ask == Ask::subset &&
          (tree.subset[v] < 0 || static_cast<size_t>(tree.subset[v]) >= tree.n_subsets))
        refuse(t, at("the subset"));
      // One more child than outcomes is the missing values' own.
      const int64_t outcomes = ask == Ask::multiway ? static_cast<int64_t>(levels) : 2;
      if (width != outcomes && (width != outcomes + 1 || missing != width - 1))
        refuse(t, at("the width"));
      if (missing < kEveryChild || missing >= width) refuse(t, at("the side of missing values"));
      if (missing == kEveryChild && tree.weight == nullptr) refuse(t, at("the weight"));
      if (tree.first[v] <= static_cast<int64_t>(v) ||
          static_cast<int64_t>(tree.first[v]) + width > static_cast<int64_t>(tree.n))
        refuse(t, at("the first child"));
      for (int32_t c = 0; c < width; ++c)
        if (has_parent[static_cast<size_t>(tree.first[v] + c)]++ != 0)
          refuse(t, "node " + std::to_string(tree.first[v] + c) + " has two parents");
    }
    for (size_t v = 1; v < tree.n; ++v)
      if (!has_parent[v]) refuse(t, "node " + std::to_string(v) + " has no parent");
  }

  // -------------------------------------------------------------------------------------- packing

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

  // Where each node is put: children beside each other, and the first of them followed by what
  // hangs below it, so that steps are often short.
  static std::vector<uint32_t> places_of(const TreeView& view) {
    std::vector<uint32_t> place(view.n), waiting{0};
    uint32_t next = 1;
    while (!waiting.empty()) {
      const uint32_t v = waiting.back();
      waiting.pop_back();
      for (int32_t c = 0; c < view.width[v]; ++c)
        place[static_cast<size_t>(view.first[v] + c)] = next++;
      for (int32_t c = view.width[v] - 1; c >= 0; --c)
        waiting.push_back(static_cast<uint32_t>(view.first[v] + c));
    }
    return place;
  }

  void pack(const TreeView& view, double vote, int32_t output) {
    Tree tree;
    tree.kind = kind_of(view);
    if (!trees_.empty()) tree.root = trees_.back().root + trees_.back().n_nodes;
    tree.n_nodes = static_cast<uint32_t>(view.n);
    tree.leaf = static_cast<uint32_t>(leaf_node_.size());
    tree.branch = static_cast<uint32_t>(branches_.size());
    tree.k = static_cast<uint32_t>(view.n_outputs);
    tree.output = output;
    tree.vote = vote;
    tree.value = values_.size();
    values_.insert(values_.end(), view.values, view.values + view.n_values * view.n_outputs);
    if (tree.kind != Kind::plain) branches_.resize(branches_.size() + view.n);
    const std::vector<uint32_t> place = places_of(view);
    const auto sets = static_cast<uint32_t>(sets_.size());
    sets_.insert(sets_.end(), view.subsets, view.subsets + view.n_subsets);
    for (size_t v = 0; v < view.n; ++v) {
      const uint32_t at = tree.root + place[v];
      if (static_cast<Ask>(view.ask[v]) == Ask::leaf) {
        nodes_[at] = {std::numeric_limits<double>::infinity(), static_cast<uint32_t>(used_.size()),
                      at};
        aside_[at] = static_cast<int32_t>(tree.n_leaves++);
        leaf_node_.push_back(static_cast<int32_t>(v));
        leaf_value_.push_back(static_cast<uint32_t>(view.value[v]));
      } else {
        nodes_[at] = {view.threshold[v], column_of_[static_cast<size_t>(view.feature[v])],
                      tree.root + place[static_cast<size_t>(view.first[v])]};
        aside_[at] = view.missing[v];
      }
      if (tree.kind != Kind::plain) {
        Branch& branch = branches_[tree.branch + place[v]];
        branch.ask = static_cast<Ask>(view.ask[v]);
        branch.width = view.width[v];
        branch.set = branch.ask == Ask::subset ? sets + static_cast<uint32_t>(view.subset[v]) : 0;
        if (tree.kind == Kind::fractional) share_out(view, v, place, tree);
      }
    }
    tree.small = tree.kind != Kind::fractional && tree.n_leaves <= kMostLeaves && is_small(view);
    trees_.push_back(tree);
  }

  // The shares of a node's children: their weights, or equal ones where nothing weighs anything.
  void share_out(const TreeView& view, size_t v, const std::vector<uint32_t>& place,
                 const Tree& tree) {
    const int32_t first = view.first[v], width = view.width[v];
    double total = 0;
    for (int32_t c = 0; c < width && view.weight != nullptr; ++c) total += view.weight[first + c];
    for (int32_t c = 0; c < width; ++c) {
      const auto child = static_cast<size_t>(first + c);
      branches_[tree.branch + place[child]].share =
          total > 0 ? view.weight[child] / total : 1.0 / width;
    }
  }

  bool is_small(const TreeView& view) const {
    size_t n_choices = 0;
    for (size_t v = 0; v < view.n; ++v) {
      if (view.ask[v] == static_cast<uint8_t>(Ask::leaf)) continue;
      if (n_levels_[static_cast<size_t>(view.feature[v])] >= kMissingCode) return false;
      n_choices += static_cast<size_t>(view.width[v]);
    }
    return n_choices <= kMostChoices;
  }

  // Adds a tree to the group being gathered, or opens the next group with it.
  void gather(const std::vector<TreeView>& trees, size_t t, Gathering& group) {
    if (!trees_[t].small) return;
    if (group.cuts.empty()) group.cuts.resize(used_.size());
    for (int tries = 0;; ++tries) {
      std::vector<std::vector<double>> before;
      bool fits = true;
      std::vector<std::pair<uint32_t, double>> fresh;
      for (size_t v = 0; v < trees[t].n; ++v)
        if (trees[t].ask[v] == static_cast<uint8_t>(Ask::threshold))
          fresh.emplace_back(column_of_[static_cast<size_t>(trees[t].feature[v])],
                             trees[t].threshold[v] + 0.0);  // -0 is 0
      std::sort(fresh.begin(), fresh.end());
      fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end());
      std::vector<size_t> added(used_.size(), 0);
      for (const auto& [column, cut] : fresh) {
        const auto& cuts = group.cuts[column];
        if (!std::binary_search(cuts.begin(), cuts.end(), cut)) ++added[column];
        fits = fits && cuts.size() + added[column] <= kMostCuts;
      }
      if (fits || tries > 0) {
        for (const auto& [column, cut] : fresh) {
          auto& cuts = group.cuts[column];
          const auto at = std::lower_bound(cuts.begin(), cuts.end(), cut);
          if (at == cuts.end() || *at != cut) cuts.insert(at, cut);
        }
        break;
      }
      close(trees, group);
      group.first = t;
      group.cuts.assign(used_.size(), {});
    }
    group.last = t + 1;
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
    for (double cut : coded.cuts) coded.cuts_f32.push_back(rounded_down(cut));
    coded.cuts.resize(size + 31, kInfinity);
    coded.cuts_f32.resize(size + 31, std::numeric_limits<float>::infinity());
  }

  // Ends a group: its columns of codes, and the choices of its trees.
  void close(const std::vector<TreeView>& trees, const Gathering& gathered) {
    if (gathered.first == gathered.last) return;
    Group group;
    std::vector<uint32_t> coded_of(used_.size(), kNone);
    for (size_t t = gathered.first; t < gathered.last; ++t)
      if (trees_[t].small) {
        trees_[t].group = static_cast<uint32_t>(groups_.size());
        Folding folding{*this, trees[t], trees_[t], group, gathered.cuts, coded_of, {}, {}, {}};
        folding.fold();
      }
    for (Coded& coded : group.columns) arrange(coded, gathered.cuts[column_of_[coded.feature]]);
    groups_.push_back(std::move(group));
  }

  // Turns a small tree into choices from its leaves to its root. Slots below kMostLeaves hold the
  // numbers of the leaves, those above what has been chosen so far.
  struct Folding {
    Forest& forest;
    const TreeView& view;
    Tree& tree;
    Group& group;
    const std::vector<std::vector<double>>& cuts;
    std::vector<uint32_t>& coded_of;
    std::vector<uint8_t> taken;  // slots
    std::vector<uint32_t> leaf_of, need;

    void fold() {
      leaf_of.resize(view.n);
      need.assign(view.n, 0);
      for (uint32_t l = 0; l < tree.n_leaves; ++l)
        leaf_of[static_cast<size_t>(forest.leaf_node_[tree.leaf + l])] = l;
      for (size_t v = view.n; v-- > 0;)  // how many slots a subtree needs: the neediest goes first
        for (int32_t c = 0; c < view.width[v]; ++c) {
          const uint32_t of_child = need[static_cast<size_t>(view.first[v] + c)];
          need[v] = of_child == need[v] ? of_child + 1 : std::max(of_child, need[v]);
        }
      tree.choice = static_cast<uint32_t>(forest.choices_.size());
      tree.slot = visit(0);
      tree.n_choices = static_cast<uint32_t>(forest.choices_.size()) - tree.choice;
      forest.n_slots_ = std::max(forest.n_slots_, kMostLeaves + taken.size());
      forest.most_leaves_ = std::max<size_t>(forest.most_leaves_, tree.n_leaves);
      if (tree.k != 1) return;
      auto& answers = forest.answers_;
      tree.answer = static_cast<uint32_t>(answers.size());
      for (uint32_t l = 0; l < tree.n_leaves; ++l)
        answers.push_back(tree.vote * forest.value_of(tree, l)[0]);
      answers.resize((answers.size() + 31) / 32 * 32, 0.0);
    }

    uint32_t visit(size_t v) {
      if (view.ask[v] == static_cast<uint8_t>(Ask::leaf)) return leaf_of[v];
      const auto first = static_cast<size_t>(view.first[v]);
      const auto feature = static_cast<size_t>(view.feature[v]);
      const auto missing = static_cast<size_t>(view.missing[v]);
      const Ask ask = static_cast<Ask>(view.ask[v]);
      if (ask == Ask::multiway) return visit_levels(v);
      const bool low_first = need[first] >= need[first + 1];
      const uint32_t a = visit(low_first ? first : first + 1);
      const uint32_t b = visit(low_first ? first + 1 : first);
      Choice choice = {};
      choice.low = static_cast<uint16_t>(low_first ? a : b);
      choice.high = static_cast<uint16_t>(low_first ? b : a);
      if (ask == Ask::threshold) {
        const auto& of_feature = cuts[forest.column_of_[feature]];
        choice.column = column(feature, missing == 1);
        choice.cut = static_cast<uint8_t>(
            std::lower_bound(of_feature.begin(), of_feature.end(), view.threshold[v]) -
            of_feature.begin());
      } else {
        choice.column = column(feature, true);
        choice.within = 1;
        choice.set = static_cast<uint32_t>(forest.sets_.size());
        LevelSet set = view.subsets[view.subset[v]];
        set.word[3] &= ~(uint64_t{1} << 63);
        if (missing == 1) set.add(kMissingCode);
        forest.sets_.push_back(set);
      }
      const uint32_t chosen = push(choice);
      return missing == 2 ? push_missing(feature, chosen, visit(first + 2)) : chosen;
    }

    // Level after level: what is above one chooses again.
    uint32_t visit_levels(size_t v) {
      const auto first = static_cast<size_t>(view.first[v]);
      const auto feature = static_cast<size_t>(view.feature[v]);
      const auto missing = static_cast<size_t>(view.missing[v]);
      const size_t n_levels = forest.n_levels_[feature];
      Choice choice = {};
      choice.column = missing < n_levels ? column_as(feature, missing) : column(feature, true);
      uint32_t chosen = visit(first);
      for (size_t c = 1; c < n_levels; ++c) {
        choice.high = static_cast<uint16_t>(visit(first + c));
        choice.low = static_cast<uint16_t>(chosen);
        choice.cut = static_cast<uint8_t>(c - 1);
        chosen = push(choice);
      }
      return missing < n_levels ? chosen : push_missing(feature, chosen, visit(first + missing));
    }

    uint32_t push_missing(size_t feature, uint32_t known, uint32_t missing) {
      Choice choice = {};
      choice.column = column(feature, true);
      choice.low = static_cast<uint16_t>(known);
      choice.high = static_cast<uint16_t>(missing);
      choice.cut = kMissingCode - 1;
      return push(choice);
    }

    uint32_t push(Choice choice) {
      for (uint16_t used : {choice.low, choice.high})
        if (used >= kMostLeaves) taken[used - kMostLeaves] = 0;
      const auto free = std::find(taken.begin(), taken.end(), 0) - taken.begin();
      if (static_cast<size_t>(free) == taken.size()) taken.push_back(0);
      taken[static_cast<size_t>(free)] = 1;
      choice.slot = static_cast<uint16_t>(kMostLeaves + static_cast<size_t>(free));
      forest.choices_.push_back(choice);
      return choice.slot;
    }

    Coded& coded(size_t feature) {
      uint32_t& which = coded_of[forest.column_of_[feature]];
      if (which == kNone) {
        which = static_cast<uint32_t>(group.columns.size());
        group.columns.push_back({});
        group.columns.back().feature = static_cast<uint32_t>(feature);
        group.columns.back().low = group.n_codes++;
      }
      return group.columns[which];
    }

    uint32_t column(size_t feature, bool missing_high) {
      Coded& of_feature = coded(feature);
      if (!missing_high) return of_feature.low;
      if (of_feature.high == kNone) of_feature.high = group.n_codes++;
      return of_feature.high;
    }

    uint32_t column_as(size_t feature, size_t level) {
      auto& as_level = coded(feature).as_level;
      for (const auto& [known, at] : as_level)
        if (known == level) return at;
      as_level.emplace_back(static_cast<uint8_t>(level), group.n_codes++);
      return as_level.back().second;
    }
  };

  const double* value_of(const Tree& tree, uint32_t leaf) const {
    return values_.data() + tree.value +
           static_cast<size_t>(leaf_value_[tree.leaf + leaf]) * tree.k;
  }

  // -------------------------------------------------------------------------- what becomes of
  // leaves

  struct Sum {
    const Forest& forest;
    double* score;  // of row i and output l: score[i * row_step + l * output_step]
    size_t row_step, output_step;
    static constexpr bool wants_values = true;

    template <class Leaf>
    void take(size_t t, size_t begin, size_t n, const Leaf* leaf) const {
      const Tree& tree = forest.trees_[t];
      double* to = score + begin * row_step;
      if (tree.k > 1) {
        for (size_t i = 0; i < n; ++i)
          give(tree, to + i * row_step, forest.value_of(tree, leaf[i]));
        return;
      }
      if (tree.output > 0) to += static_cast<size_t>(tree.output) * output_step;
      if constexpr (sizeof(Leaf) == 1) {
        const double* answers = forest.answers_.data() + tree.answer;
        if (row_step == 1) return hot().add_answers(leaf, n, answers, tree.n_leaves, to);
        for (size_t i = 0; i < n; ++i) to[i * row_step] += answers[leaf[i]];
      } else {
        for (size_t i = 0; i < n; ++i)
          to[i * row_step] += tree.vote * forest.value_of(tree, leaf[i])[0];
      }
    }
    void take_values(size_t t, size_t i, const double* value) const {
      const Tree& tree = forest.trees_[t];
      double* to = score + i * row_step;
      if (tree.output > 0) to += static_cast<size_t>(tree.output) * output_step;
      give(tree, to, value);
    }
    void give(const Tree& tree, double* to, const double* value) const {
      for (size_t l = 0; l < tree.k; ++l) to[l * output_step] += tree.vote * value[l];
    }
  };

  struct Apply {
    const Forest& forest;
    int32_t* node;
    size_t step;
    static constexpr bool wants_values = false;

    template <class Leaf>
    void take(size_t t, size_t begin, size_t n, const Leaf* leaf) const {
      const int32_t* number = &forest.leaf_node_[forest.trees_[t].leaf];
      for (size_t i = 0; i < n; ++i) node[(begin + i) * step + t] = number[leaf[i]];
    }
    void take_values(size_t, size_t, const double*) const {}
  };

  struct Each {
    const Forest& forest;
    double* value;
    size_t step;
    static constexpr bool wants_values = true;

    template <class Leaf>
    void take(size_t t, size_t begin, size_t n, const Leaf* leaf) const {
      const Tree& tree = forest.trees_[t];
      for (size_t i = 0; i < n; ++i)
        value[(begin + i) * step + t] = forest.value_of(tree, leaf[i])[0];
    }
    void take_values(size_t t, size_t i, const double* found) const {
      value[i * step + t] = *found;
    }
  };

  // -------------------------------------------------------------------------------------- sending

  // Calls body(begin, n) for blocks of rows, with threads where there is enough to do.
  template <class Body>
  void run(const Cells& cells, size_t first, size_t last, int threads, Body&& body) const {
    const size_t n = cells.n_rows();
    if (n == 0) return;
    if (n < kFewRows) return body(size_t{0}, n);
    size_t steps = used_.size() * 2;
    bool all_small = true;
    for (size_t t = first; t < last; ++t) {
      const Tree& tree = trees_[t];
      all_small = all_small && tree.small;
      steps += tree.small ? 2 + tree.n_choices / 16 : 40;
    }
    const int hands = threads_for(n * steps, threads);
    size_t rows = (n + 4 * static_cast<size_t>(hands) - 1) / (4 * static_cast<size_t>(hands));
    rows = (rows + kTogether - 1) / kTogether * kTogether;
    rows = std::min(rows, all_small ? 2 * kTogether : kMostRows);
    Pool::instance().run((n + rows - 1) / rows, hands,
                         [&](size_t task) { body(task * rows, std::min(rows, n - task * rows)); });
  }

  // Sends rows [begin, begin + n) down the trees, one tree after another.
  template <class Sink>
  void send(const Cells& cells, size_t first, size_t last, size_t begin, size_t n,
            const Sink& sink) const {
    if (n < kFewRows) return send_few(cells, first, last, begin, n, sink);
    std::unique_ptr<uint8_t[]> codes, slots;
    std::unique_ptr<double[]> x;
    std::unique_ptr<uint32_t[]> leaf;
    const size_t parts = (n + kTogether - 1) / kTogether;
    uint32_t coded = kNone;
    bool gaps = false;
    for (size_t t = first; t < last; ++t) {
      const Tree& tree = trees_[t];
      if (tree.small) {
        if (!slots) slots = leaf_slots();
        const Group& group = groups_[tree.group];
        const size_t part_size = group.n_codes * kTogether;
        if (coded != tree.group) {
          codes.reset(new uint8_t[part_size * parts]);
          for (size_t p = 0; p < parts; ++p)
            code(cells, group, begin + p * kTogether, std::min(kTogether, n - p * kTogether),
                 codes.get() + p * part_size);
          coded = tree.group;
        }
        for (size_t p = 0; p < parts; ++p) {
          hot().choose(choices_.data() + tree.choice, tree.n_choices, codes.get() + p * part_size,
                       sets_.empty() ? nullptr : sets_[0].word, slots.get());
          sink.take(t, p * kTogether, std::min(kTogether, n - p * kTogether),
                    &slots[tree.slot * kTogether]);
        }
        continue;
      }
      if (!x) {
        x.reset(new double[n * row_size()]);
        leaf.reset(new uint32_t[n]);
        gaps = read(cells, begin, n, x.get());
      }
      if (tree.kind == Kind::fractional && Sink::wants_values) {
        for (size_t i = 0; i < n; ++i) average(t, i, &x[i * row_size()], sink);
        continue;
      }
      walk(tree, gaps, x.get(), n, leaf.get());
      sink.take(t, 0, n, leaf.get());
    }
  }

  template <class Sink>
  void send_few(const Cells& cells, size_t first, size_t last, size_t begin, size_t n,
                const Sink& sink) const {
    double near[256];
    std::unique_ptr<double[]> far;
    if (n * row_size() > 256) far.reset(new double[n * row_size()]);
    double* const x = far ? far.get() : near;
    const bool gaps = read(cells, begin, n, x);
    for (size_t i = 0; i < n; ++i) {
      const double* row = x + i * row_size();
      for (size_t t = first; t < last;) {
        uint32_t leaf[kSideBySide];
        size_t plain = 0;
        while (plain < kSideBySide && t + plain < last && trees_[t + plain].kind == Kind::plain)
          ++plain;
        if (plain == kSideBySide) {
          gaps ? walk_trees<true>(&trees_[t], row, leaf) : walk_trees<false>(&trees_[t], row, leaf);
          for (size_t k = 0; k < plain; ++k) sink.take(t + k, i, 1, leaf + k);
          t += plain;
          continue;
        }
        if (trees_[t].kind == Kind::fractional && Sink::wants_values) {
          average(t, i, row, sink);
        } else {
          walk(trees_[t], gaps, row, 1, leaf);
          sink.take(t, i, 1, leaf);
        }
        ++t;
      }
    }
  }

  // The slots that hold the numbers of leaves, filled, and room for those that are chosen.
  std::unique_ptr<uint8_t[]> leaf_slots() const {
    std::unique_ptr<uint8_t[]> slots(new uint8_t[n_slots_ * kTogether]);
    for (size_t l = 0; l < most_leaves_; ++l)
      std::fill_n(&slots[l * kTogether], kTogether, static_cast<uint8_t>(l));
    return slots;
  }

  // The codes of a group's columns for n <= kTogether rows; those beyond n are codes too.
  void code(const Cells& cells, const Group& group, size_t begin, size_t n, uint8_t* codes) const {
    alignas(64) double x[kTogether];
    const bool single = cells.single();
    auto* const x_f32 = reinterpret_cast<float*>(x);
    if (n < kTogether) std::fill_n(x, kTogether, 0.0);
    for (const Coded& coded : group.columns) {
      const size_t j = coded.feature;
      uint8_t* low = codes + coded.low * kTogether;
      uint8_t* high = coded.high == kNone ? nullptr : codes + coded.high * kTogether;
      if (n_levels_[j] > 0) {
        if (high != nullptr) code_levels(cells, j, begin, n, kMissingCode, high);
        for (const auto& [level, at] : coded.as_level)
          code_levels(cells, j, begin, n, level, codes + at * kTogether);
      } else if (single) {
        cells.singles(j, begin, n, x_f32);
        hot().codes_f32(x_f32, kTogether, coded.cuts_f32.data(), coded.steps, low, high);
      } else {
        cells.numbers(j, begin, n, x, 1);
        hot().codes(x, kTogether, coded.cuts.data(), coded.steps, low, high);
      }
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

  // ------------------------------------------------------------------------------------- walking

  size_t row_size() const { return used_.size() + 1; }

  // Rows of the used columns, as doubles with NaN for missing, and a zero for leaves to ask;
  // answers whether a number is missing.
  bool read(const Cells& cells, size_t begin, size_t n, double* x) const {
    const size_t size = row_size();
    bool gaps = false;
    for (size_t c = 0; c < used_.size(); ++c) {
      const uint32_t j = used_[c];
      if (n_levels_[j] > 0) {
        const int32_t* level = cells.levels(j) + begin;
        for (size_t i = 0; i < n; ++i)
          x[i * size + c] = static_cast<uint32_t>(level[i]) < n_levels_[j]
                                ? level[i]
                                : std::numeric_limits<double>::quiet_NaN();
      } else {
        cells.numbers(j, begin, n, x + c, size);
        for (size_t i = 0; i < n; ++i) gaps = gaps || x[i * size + c] != x[i * size + c];
      }
    }
    for (size_t i = 0; i < n; ++i) x[i * size + used_.size()] = 0;
    return gaps;
  }

  template <bool gaps>
  uint32_t step(uint32_t at, const double* x) const {
    const Node& node = nodes_[at];
    const double value = x[node.column];
    if constexpr (gaps) {
      const auto known = static_cast<uint32_t>(value > node.threshold);
      return node.first + (value != value ? static_cast<uint32_t>(aside_[at]) : known);
    }
    return node.first + static_cast<uint32_t>(value > node.threshold);
  }

  template <bool gaps>
  uint32_t walk_row(uint32_t at, const double* x) const {
    for (;;) {
      const uint32_t next = step<gaps>(at, x);
      if (next == at) return static_cast<uint32_t>(aside_[at]);
      at = next;
    }
  }

  template <bool gaps>
  void walk_rows(uint32_t root, const double* x, size_t n, uint32_t* leaf) const {
    const size_t size = row_size();
    size_t i = 0;
    for (; i + kSideBySide <= n; i += kSideBySide) {
      uint32_t at[kSideBySide];
      for (size_t k = 0; k < kSideBySide; ++k) at[k] = root;
      for (uint32_t moved = 1; moved != 0;) {
        moved = 0;
        for (size_t k = 0; k < kSideBySide; ++k) {
          const uint32_t next = step<gaps>(at[k], x + (i + k) * size);
          moved |= next ^ at[k];
          at[k] = next;
        }
      }
      for (size_t k = 0; k < kSideBySide; ++k) leaf[i + k] = static_cast<uint32_t>(aside_[at[k]]);
    }
    for (; i < n; ++i) leaf[i] = walk_row<gaps>(root, x + i * size);
  }

  template <bool gaps>
  void walk_trees(const Tree* trees, const double* x, uint32_t* leaf) const {
    uint32_t at[kSideBySide];
    for (size_t k = 0; k < kSideBySide; ++k) at[k] = trees[k].root;
    for (uint32_t moved = 1; moved != 0;) {
      moved = 0;
      for (size_t k = 0; k < kSideBySide; ++k) {
        const uint32_t next = step<gaps>(at[k], x);
        moved |= next ^ at[k];
        at[k] = next;
      }
    }
    for (size_t k = 0; k < kSideBySide; ++k) leaf[k] = static_cast<uint32_t>(aside_[at[k]]);
  }

  void walk(const Tree& tree, bool gaps, const double* x, size_t n, uint32_t* leaf) const {
    if (tree.kind == Kind::plain)
      return gaps ? walk_rows<true>(tree.root, x, n, leaf)
                  : walk_rows<false>(tree.root, x, n, leaf);
    for (size_t i = 0; i < n; ++i) leaf[i] = walk_general(tree, x + i * row_size());
  }

  const Branch& branch_of(const Tree& tree, uint32_t at) const {
    return branches_[tree.branch + (at - tree.root)];
  }

  // Which child a node sends the row to, or kEveryChild.
  int32_t outcome(const Branch& branch, uint32_t at, const double* x) const {
    const double value = x[nodes_[at].column];
    if (value != value) return aside_[at];
    if (branch.ask == Ask::threshold) return value > nodes_[at].threshold;
    const auto level = static_cast<uint32_t>(value);
    if (branch.ask == Ask::multiway) return static_cast<int32_t>(level);
    return level < 256 && sets_[branch.set].has(level);
  }

  uint32_t walk_general(const Tree& tree, const double* x) const {
    uint32_t at = tree.root;
    for (;;) {
      const Branch& branch = branch_of(tree, at);
      if (branch.ask == Ask::leaf) return static_cast<uint32_t>(aside_[at]);
      int32_t child = outcome(branch, at, x);
      if (child == kEveryChild) {
        child = 0;
        const Branch* children = &branch_of(tree, nodes_[at].first);
        for (int32_t c = 1; c < branch.width; ++c)
          if (children[c].share > children[child].share) child = c;
      }
      at = nodes_[at].first + static_cast<uint32_t>(child);
    }
  }

  // The values of all leaves a row reaches, weighed with the shares that reach them, in the order
  // of children.
  template <class Sink>
  void average(size_t t, size_t i, const double* x, const Sink& sink) const {
    struct Share {
      uint32_t at;
      double part;
    };
    const Tree& tree = trees_[t];
    std::vector<double> value(tree.k, 0.0);
    std::vector<Share> waiting{{tree.root, 1.0}};
    while (!waiting.empty()) {
      const Share share = waiting.back();
      waiting.pop_back();
      const Branch& branch = branch_of(tree, share.at);
      const uint32_t first = nodes_[share.at].first;
      if (branch.ask == Ask::leaf) {
        const double* found = value_of(tree, static_cast<uint32_t>(aside_[share.at]));
        for (size_t l = 0; l < tree.k; ++l) value[l] += share.part * found[l];
        continue;
      }
      const int32_t child = outcome(branch, share.at, x);
      if (child != kEveryChild) {
        waiting.push_back({first + static_cast<uint32_t>(child), share.part});
        continue;
      }
      for (int32_t c = branch.width - 1; c >= 0; --c) {
        const uint32_t at = first + static_cast<uint32_t>(c);
        const double part = branch_of(tree, at).share;
        if (part > 0) waiting.push_back({at, share.part * part});
      }
    }
    sink.take_values(t, i, value.data());
  }

  size_t n_features_, k_;
  std::vector<uint32_t> n_levels_;
  std::vector<uint32_t> used_, column_of_;  // features asked; the place of a feature among them
  std::vector<Tree> trees_;
  std::vector<Node> nodes_;
  std::vector<int32_t> aside_;  // inner nodes: the child of missing values; leaves: their number
  std::vector<Branch> branches_;
  std::vector<LevelSet> sets_;
  std::vector<int32_t> leaf_node_;  // as the tree numbers it
  std::vector<uint32_t> leaf_value_;
  std::vector<double> values_;
  std::vector<Group> groups_;
  std::vector<Choice> choices_;
  std::vector<double> answers_;  // vote * value by leaf, of small single-valued trees
  size_t n_slots_ = 0, most_leaves_ = 0;
};

}  // namespace weaklearn
