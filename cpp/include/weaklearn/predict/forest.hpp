// Prediction through many trees.
//
// A score is base + vote * value, tree after tree in their order: the same bits for any number of
// threads, any cut of rows into blocks, singles or doubles, dense or sparse cells. Many rows are
// coded (predict/codes.hpp) and go through small trees folded (predict/branchless_trees.hpp),
// through large ones step by step (predict/compact_walk.hpp); a few, and trees for which codes do
// not pay, read the cells (predict/tree_walk.hpp). Allocation: a few blocks of scratch a task.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "weaklearn/columns/cells.hpp"
#include "weaklearn/hot/loops.hpp"
#include "weaklearn/predict/branchless_trees.hpp"
#include "weaklearn/predict/codes.hpp"
#include "weaklearn/predict/compact_walk.hpp"
#include "weaklearn/predict/tree_walk.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/tree/tree_view.hpp"

namespace weaklearn {

class Forest {
 public:
  // n_categories[j] > 0 marks a categorical column. Tree t adds to score outputs[t], or its whole
  // row of values to all scores where that is -1.
  Forest(const std::vector<uint32_t>& n_categories, size_t n_outputs,
         const std::vector<TreeView>& trees, const double* votes, const int32_t* outputs)
      : n_categories_(n_categories),
        k_(n_outputs),
        walk_(n_categories, check(n_categories, n_outputs, trees, outputs)),
        bytes_(n_categories),
        words_(n_categories),
        fold_(n_categories) {
    std::vector<size_t> small, large;  // trees of the groups of codes to come
    for (size_t t = 0; t < trees.size(); ++t) {
      add(trees[t], votes[t], outputs[t]);
      if (BranchlessTrees::fits(trees[t])) {
        if (bytes_.fit(trees[t])) join(bytes_, trees, t, small, &Forest::fold);
      } else if (CompactWalk::fits(trees[t], n_categories)) {
        if (words_.fit(trees[t])) join(words_, trees, t, large, &Forest::stride);
      }
    }
    fold(trees, small);
    stride(trees, large);
  }

  size_t n_trees() const { return trees_.size(); }
  size_t n_outputs() const { return k_; }
  size_t n_features() const { return n_categories_.size(); }
  bool single_valued() const {
    return std::all_of(trees_.begin(), trees_.end(), [](const Tree& tree) { return tree.k == 1; });
  }

  // Refuses cells of another shape than the trees ask for.
  void expect_cells(const Cells& cells) const {
    if (cells.n_features() != n_categories_.size())
      throw std::invalid_argument("a row has " + std::to_string(cells.n_features()) +
                                  " cells, expected " + std::to_string(n_categories_.size()));
    for (uint32_t j : walk_.used())
      if (cells.has_categories(j) != (n_categories_[j] > 0))
        throw std::invalid_argument("column " + std::to_string(j) + " holds " +
                                    (n_categories_[j] > 0 ? "numbers, expected categories"
                                                          : "categories, expected numbers"));
  }

  // score (rows x outputs) <- base + the answers of the trees [first, last).
  void sum(const Cells& cells, const double* base, size_t first, size_t last, double* score,
           int threads) const {
    const bool by_rows = k_ == 1 || std::any_of(trees_.begin(), trees_.end(),
                                                [](const Tree& tree) { return tree.output < 0; });
    run(cells, first, last, true, threads, [&](const Task& task) {
      double* const to = score + task.begin * k_;
      if (by_rows) {
        for (size_t i = 0; i < task.n; ++i) std::copy(base, base + k_, to + i * k_);
        return send(task, Sum{*this, to, k_, 1});
      }
      std::vector<double> apart(task.n * k_);  // score by score, so that rows are neighbours
      for (size_t l = 0; l < k_; ++l) std::fill_n(&apart[l * task.n], task.n, base[l]);
      send(task, Sum{*this, apart.data(), 1, task.n});
      for (size_t i = 0; i < task.n; ++i)
        for (size_t l = 0; l < k_; ++l) to[i * k_ + l] = apart[l * task.n + i];
    });
  }

  // The same of one row of numbers, categories as their codes.
  void sum_row(const double* row, const double* base, double* score) const {
    sum(RowCells(row, n_categories_), base, 0, n_trees(), score, 1);
  }

  // node (rows x trees) <- the leaf each row ends in; where a row goes to every child, the one in
  // which the heaviest children end.
  void apply(const Cells& cells, int32_t* node, int threads) const {
    run(cells, 0, n_trees(), false, threads, [&](const Task& task) {
      send(task, Apply{*this, node + task.begin * n_trees(), n_trees()});
    });
  }

  // value (rows x trees) <- each tree's own answer, before its vote; single-valued trees only.
  void each(const Cells& cells, double* value, int threads) const {
    run(cells, 0, n_trees(), true, threads, [&](const Task& task) {
      send(task, Each{*this, value + task.begin * n_trees(), n_trees()});
    });
  }

 private:
  static constexpr size_t kFewRows = 16;     // fewer are walked one by one
  static constexpr size_t kMostRows = 1024;  // of a task
  static constexpr size_t kStepsSaved =
      32;  // what codes save a row in a large tree, in steps of coding

  struct Tree {
    TreeWalk::Root root;
    uint32_t folded = kNone, strided = kNone;
    size_t leaf = 0;   // in leaves_ (the places of leaves) and, single-valued and folded, answers_
    size_t value = 0;  // in values_
    uint32_t n_leaves = 0, k = 1;
    int32_t output = 0;
    double vote = 1;
  };

  // -------------------------------------------------------------------------------------- packing

  // Checks everything; answers which features are asked.
  static std::vector<uint32_t> check(const std::vector<uint32_t>& n_categories, size_t n_outputs,
                                     const std::vector<TreeView>& trees, const int32_t* outputs) {
    std::vector<uint8_t> asked(n_categories.size(), 0);
    size_t n_nodes = 0;
    for (size_t t = 0; t < trees.size(); ++t) {
      const TreeView& tree = trees[t];
      const std::string name = "tree " + std::to_string(t) + ": ";
      if (outputs[t] < -1 || outputs[t] >= static_cast<int64_t>(n_outputs))
        throw std::invalid_argument(name + "its output is out of range");
      if (tree.n_outputs != (outputs[t] < 0 ? n_outputs : 1))
        throw std::invalid_argument(name + "its values have the wrong width");
      check_tree(tree, n_categories, name);
      n_nodes += tree.n;
      for (size_t v = 0; v < tree.n; ++v)
        if (tree.feature[v] >= 0) asked[static_cast<size_t>(tree.feature[v])] = 1;
    }
    if (n_nodes >= size_t{1} << 31) throw std::invalid_argument("the trees have too many nodes");
    std::vector<uint32_t> used;
    for (uint32_t j = 0; j < asked.size(); ++j)
      if (asked[j]) used.push_back(j);
    return used;
  }

  void add(const TreeView& view, double vote, int32_t output) {
    Tree tree;
    tree.k = static_cast<uint32_t>(view.n_outputs);
    tree.output = output;
    tree.vote = vote;
    tree.leaf = leaves_.size();
    tree.value = values_.size();
    tree.root = walk_.add(view, TreeWalk::traffic_of(view), keep_values(view), leaves_);
    tree.n_leaves = static_cast<uint32_t>(leaves_.size() - tree.leaf);
    if (tree.k == 1 && BranchlessTrees::fits(view)) {
      leaves_.resize(tree.leaf + (tree.n_leaves + 31) / 32 * 32, 0);  // looked up 32 at once
      answers_.resize(leaves_.size(), 0.0);
      for (size_t l = tree.leaf; l < tree.leaf + tree.n_leaves; ++l)
        answers_[l] = vote * *value_of(tree, walk_.value_at(leaves_[l]));
    }
    trees_.push_back(tree);
  }

  // Adds a tree to a group, or closes the group and opens the next one with it.
  template <class Code, class Close>
  void join(Codes<Code>& codes, const std::vector<TreeView>& trees, size_t t,
            std::vector<size_t>& open, Close close) {
    if (!codes.join(trees[t])) {
      (this->*close)(trees, open);
      if (!codes.join(trees[t])) return;
    }
    open.push_back(t);
  }

  void fold(const std::vector<TreeView>& trees, std::vector<size_t>& open) {
    for (size_t t : open) trees_[t].folded = fold_.add(trees[t], bytes_);
    bytes_.close();
    open.clear();
  }

  // Large trees are walked on codes where there are enough of them to make up for the coding.
  void stride(const std::vector<TreeView>& trees, std::vector<size_t>& open) {
    const bool worth = open.size() * kStepsSaved >= words_.steps() &&
                       walk_.used().size() <= CompactWalk::kMostFeatures;
    for (size_t t : open) {
      if (!worth) break;
      std::vector<uint32_t> row_of(trees[t].n, 0);
      for (size_t v = 0, l = trees_[t].leaf; v < trees[t].n; ++v)
        if (static_cast<Ask>(trees[t].ask[v]) == Ask::leaf)
          row_of[v] = walk_.value_at(leaves_[l++]);
      trees_[t].strided = stride_.add(trees[t], TreeWalk::traffic_of(trees[t]), row_of, words_);
    }
    words_.close();
    open.clear();
  }

  // Keeps the rows of values that leaves answer with, equal ones once; answers which row each node
  // has got.
  std::vector<uint32_t> keep_values(const TreeView& view) {
    const size_t k = view.n_outputs, begin = values_.size();
    size_t size = 64;
    while (size < 2 * view.n) size *= 2;
    // 1 + a row, by its hash and by where it comes from.
    std::vector<uint32_t> known(size, 0), taken(view.n_values, 0), row_of(view.n, 0);
    uint32_t n_rows = 0;
    for (size_t v = 0; v < view.n; ++v) {
      if (static_cast<Ask>(view.ask[v]) != Ask::leaf) continue;
      uint32_t& mine = taken[static_cast<size_t>(view.value[v])];
      if (mine != 0) {
        row_of[v] = mine - 1;
        continue;
      }
      const double* row = view.values + static_cast<size_t>(view.value[v]) * k;
      uint64_t hash = 0;
      for (size_t l = 0; l < k; ++l) {
        uint64_t bits;
        std::memcpy(&bits, row + l, sizeof bits);
        hash = (hash ^ bits) * 0x9E3779B97F4A7C15ull;
        hash ^= hash >> 32;
      }
      size_t at = hash & (size - 1);
      while (known[at] != 0 &&
             std::memcmp(&values_[begin + (known[at] - 1) * k], row, k * sizeof(double)) != 0)
        at = (at + 1) & (size - 1);
      if (known[at] == 0) {
        values_.insert(values_.end(), row, row + k);
        known[at] = ++n_rows;
      }
      mine = known[at];
      row_of[v] = mine - 1;
    }
    return row_of;
  }

  // ------------------------------------------------------------------------- what becomes

  struct Sum {
    const Forest& forest;
    double* score;  // of row i and output l: score[i * row_step + l * output_step]
    size_t row_step, output_step;
    static constexpr bool wants_values = true;

    uint32_t find(uint32_t leaf) const { return forest.walk_.value_at(leaf); }

    void take_folded(const Tree& tree, size_t, size_t begin, size_t n, const uint8_t* leaf) const {
      const uint32_t* leaves = &forest.leaves_[tree.leaf];
      if (tree.k > 1) {
        for (size_t i = 0; i < n; ++i)
          give(tree, begin + i, forest.value_of(tree, find(leaves[leaf[i]])));
        return;
      }
      const double* answers = &forest.answers_[tree.leaf];
      double* to = start(tree, begin);
      if (row_step == 1) return hot().add_answers(leaf, n, answers, tree.n_leaves, to);
      for (size_t i = 0; i < n; ++i) to[i * row_step] += answers[leaf[i]];
    }
    void take(const Tree& tree, size_t, size_t begin, size_t n, const uint32_t* row) const {
      if (tree.k > 1) {
        for (size_t i = 0; i < n; ++i) give(tree, begin + i, forest.value_of(tree, row[i]));
        return;
      }
      const double vote = tree.vote;
      const double* values = forest.value_of(tree, 0);
      double* to = start(tree, begin);
      for (size_t i = 0; i < n; ++i) to[i * row_step] += vote * values[row[i]];
    }
    void take_value(const Tree& tree, size_t, size_t i, const double* value) const {
      if (tree.k > 1) return give(tree, i, value);
      *start(tree, i) += tree.vote * *value;
    }

    double* start(const Tree& tree, size_t i) const {
      const size_t output = tree.output < 0 ? 0 : static_cast<size_t>(tree.output);
      return score + i * row_step + output * output_step;
    }
    // All scores of a row: they are neighbours.
    void give(const Tree& tree, size_t i, const double* value) const {
      double* to = score + i * row_step;
      const double vote = tree.vote;
      for (size_t l = 0, k = tree.k; l < k; ++l) to[l] += vote * value[l];
    }
  };

  struct Apply {
    const Forest& forest;
    int32_t* node;
    size_t step;
    static constexpr bool wants_values = false;

    uint32_t find(uint32_t leaf) const {
      return static_cast<uint32_t>(forest.walk_.number_at(leaf));
    }
    void take_folded(const Tree& tree, size_t t, size_t begin, size_t n,
                     const uint8_t* leaf) const {
      const uint32_t* leaves = &forest.leaves_[tree.leaf];
      int32_t number[256];
      for (size_t l = 0; l < tree.n_leaves; ++l) number[l] = forest.walk_.number_at(leaves[l]);
      for (size_t i = 0; i < n; ++i) node[(begin + i) * step + t] = number[leaf[i]];
    }
    void take(const Tree&, size_t t, size_t begin, size_t n, const uint32_t* found) const {
      for (size_t i = 0; i < n; ++i) node[(begin + i) * step + t] = static_cast<int32_t>(found[i]);
    }
    void take_value(const Tree&, size_t, size_t, const double*) const {}
  };

  struct Each {
    const Forest& forest;
    double* value;
    size_t step;
    static constexpr bool wants_values = true;

    uint32_t find(uint32_t leaf) const { return forest.walk_.value_at(leaf); }
    void take_folded(const Tree& tree, size_t t, size_t begin, size_t n,
                     const uint8_t* leaf) const {
      const uint32_t* leaves = &forest.leaves_[tree.leaf];
      for (size_t i = 0; i < n; ++i)
        value[(begin + i) * step + t] = *forest.value_of(tree, find(leaves[leaf[i]]));
    }
    void take(const Tree& tree, size_t t, size_t begin, size_t n, const uint32_t* row) const {
      for (size_t i = 0; i < n; ++i) value[(begin + i) * step + t] = *forest.value_of(tree, row[i]);
    }
    void take_value(const Tree&, size_t t, size_t i, const double* found) const {
      value[i * step + t] = *found;
    }
  };

  const double* value_of(const Tree& tree, uint32_t row) const {
    return values_.data() + tree.value + static_cast<size_t>(row) * tree.k;
  }

  // -------------------------------------------------------------------------------------- sending

  struct Wanted {
    Codes<uint8_t>::Wanted bytes;
    WideCodes::Wanted words;
  };

  // Rows [begin, begin + n) and the trees [first, last) they are sent through.
  struct Task {
    const Cells& cells;
    const Wanted& wanted;
    size_t first, last, begin, n;
  };

  // Calls body(task) for blocks of rows, with threads where there is enough to do. `values` tells
  // whether the leaves' values are asked for.
  template <class Body>
  void run(const Cells& cells, size_t first, size_t last, bool values, int threads,
           Body&& body) const {
    const size_t n = cells.n_rows();
    Wanted wanted;
    if (n < kFewRows) {
      if (n > 0) body(Task{cells, wanted, first, last, 0, n});
      return;
    }
    size_t steps = walk_.used().size() * 2;
    bool all_folded = true;
    for (size_t t = first; t < last; ++t) {
      const Tree& tree = trees_[t];
      const bool folded = tree.folded != kNone;
      all_folded = all_folded && folded;
      steps += folded ? fold_.steps(tree.folded) : 40;
      if (folded) fold_.want(tree.folded, bytes_, wanted.bytes);
      if (values && tree.strided != kNone) stride_.want(tree.strided, words_, wanted.words);
    }
    const int hands = threads_for(n * steps, threads);
    const size_t share = n / (4 * static_cast<size_t>(hands)) + 1;  // a few tasks for every hand
    const size_t rows = std::min((share + kTogether - 1) / kTogether * kTogether,
                                 all_folded ? 2 * kTogether : kMostRows);
    Pool::instance().run((n + rows - 1) / rows, hands, [&](size_t task) {
      const size_t begin = task * rows;
      body(Task{cells, wanted, first, last, begin, std::min(rows, n - begin)});
    });
  }

  template <class Sink>
  void send(const Task& task, const Sink& sink) const {
    if (task.n < kFewRows) return send_few(task, sink);
    const auto& [cells, wanted, first, last, begin, n_rows] = task;
    Codes<uint8_t>::Rows bytes(bytes_, wanted.bytes, cells, begin, n_rows);
    WideCodes::Rows words(words_, wanted.words, cells, begin, n_rows);
    std::optional<AlignedBytes> slots;
    std::unique_ptr<double[]> x;
    std::unique_ptr<uint32_t[]> found;
    bool gaps = false;
    for (size_t t = first; t < last; ++t) {
      const Tree& tree = trees_[t];
      if (tree.folded != kNone) {
        if (!slots) slots = fold_.slots();
        fold_.send(tree.folded, bytes, *slots, [&](size_t i, size_t n, const uint8_t* leaf) {
          sink.take_folded(tree, t, i, n, leaf);
        });
        continue;
      }
      if (!found) found.reset(new uint32_t[n_rows]);
      if (Sink::wants_values && tree.strided != kNone) {
        stride_.send(tree.strided, words, found.get());
        sink.take(tree, t, 0, n_rows, found.get());
      } else {
        if (!x) {
          x.reset(new double[n_rows * walk_.row_size()]);
          gaps = walk_.read(cells, begin, n_rows, x.get());
        }
        send_walked(t, gaps, x.get(), 0, n_rows, found.get(), sink);
      }
      Pool::check_interrupt();
    }
  }

  // Rows one by one, through several trees side by side.
  template <class Sink>
  void send_few(const Task& task, const Sink& sink) const {
    const size_t size = walk_.row_size(), first = task.first, last = task.last;
    double near[256];
    std::unique_ptr<double[]> far;
    if (task.n * size > std::size(near)) far.reset(new double[task.n * size]);
    double* const x = far ? far.get() : near;
    const bool gaps = walk_.read(task.cells, task.begin, task.n, x);
    const auto is_plain = [this](size_t t) { return trees_[t].root.kind == TreeWalk::Kind::plain; };
    for (size_t i = 0; i < task.n; ++i)
      for (size_t t = first; t < last;) {
        uint32_t found[TreeWalk::kSideBySide];
        size_t plain = 0;
        while (plain < TreeWalk::kSideBySide && t + plain < last && is_plain(t + plain)) ++plain;
        if (plain < TreeWalk::kSideBySide) {
          send_walked(t++, gaps, x + i * size, i, 1, found, sink);
          continue;
        }
        walk_.trees([&](size_t k) { return trees_[t + k].root.at; }, gaps, x + i * size, found,
                    [&](uint32_t leaf) { return sink.find(leaf); });
        for (size_t k = 0; k < plain; ++k, ++t) sink.take(trees_[t], t, i, 1, found + k);
      }
  }

  // Walks n rows, the first of them number `begin` of the task, through one tree.
  template <class Sink>
  void send_walked(size_t t, bool gaps, const double* x, size_t begin, size_t n, uint32_t* found,
                   const Sink& sink) const {
    const Tree& tree = trees_[t];
    if (tree.root.kind == TreeWalk::Kind::fractional && Sink::wants_values)
      return send_shared(t, x, begin, n, sink);
    walk_.rows(tree.root, gaps, x, n, found, [&](uint32_t leaf) { return sink.find(leaf); });
    sink.take(tree, t, begin, n, found);
  }

  // The mean of all leaves a row reaches, weighed with the shares that reach them.
  template <class Sink>
  void send_shared(size_t t, const double* x, size_t begin, size_t n, const Sink& sink) const {
    const Tree& tree = trees_[t];
    std::vector<double> mean(tree.k);
    std::vector<TreeWalk::Share> waiting;
    for (size_t i = 0; i < n; ++i) {
      std::fill(mean.begin(), mean.end(), 0.0);
      walk_.shares(tree.root, x + i * walk_.row_size(), waiting, [&](uint32_t leaf, double part) {
        const double* value = value_of(tree, walk_.value_at(leaf));
        for (size_t l = 0; l < tree.k; ++l) mean[l] += part * value[l];
      });
      sink.take_value(tree, t, begin + i, mean.data());
    }
  }

  std::vector<uint32_t> n_categories_;
  size_t k_;
  TreeWalk walk_;
  Codes<uint8_t> bytes_;
  WideCodes words_;
  BranchlessTrees fold_;
  CompactWalk stride_;
  std::vector<Tree> trees_;
  std::vector<uint32_t> leaves_;
  std::vector<double> values_, answers_;
};

}  // namespace weaklearn
