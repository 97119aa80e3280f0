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
#include <memory>
#include <optional>
#include <vector>

#include "weaklearn/columns/cells.hpp"
#include "weaklearn/predict/packed_forest.hpp"
#include "weaklearn/predict/tree_answers.hpp"
#include "weaklearn/threads/pool.hpp"

namespace weaklearn {

class Forest : public PackedForest {
 public:
  // `slopes`: those of each tree's leaves, where there are any.
  Forest(const std::vector<uint32_t>& n_categories, size_t n_outputs,
         const std::vector<TreeView>& trees, const double* votes, const int32_t* outputs,
         const std::vector<SlopesView>* slopes = nullptr)
      : PackedForest(n_categories, n_outputs, trees, votes, outputs, slopes != nullptr) {
    if (slopes == nullptr) return;
    for (const Tree& tree : trees_)
      if (tree.output < 0 || tree.root.kind == TreeWalk::Kind::fractional)
        throw std::invalid_argument("a tree with slopes answers all scores, or shares rows out");
    slopes_.emplace(n_categories, trees, *slopes);
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
        return add(task, to, k_, 1);
      }
      std::vector<double> apart(task.n * k_);  // score by score, so that rows are neighbours
      for (size_t l = 0; l < k_; ++l) std::fill_n(&apart[l * task.n], task.n, base[l]);
      add(task, apart.data(), 1, task.n);
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
      send(task, LeafOfTrees{*this, node + task.begin * n_trees(), n_trees()});
    });
  }

  // value (rows x trees) <- each tree's own answer, before its vote; single-valued trees only.
  void each(const Cells& cells, double* value, int threads) const {
    run(cells, 0, n_trees(), true, threads, [&](const Task& task) {
      send(task, AnswerOfTrees{*this, value + task.begin * n_trees(), n_trees()});
    });
  }

 private:
  static constexpr size_t kFewRows = 16;     // fewer are walked one by one
  static constexpr size_t kMostRows = 1024;  // of a task
  struct Task;

  // Adds the answers of a task's rows to their scores.
  void add(const Task& task, double* score, size_t row_step, size_t output_step) const {
    if (!slopes_) return send(task, SumOfTrees{*this, score, row_step, output_step});
    const std::vector<double> x = slopes_->read(task.cells, task.begin, task.n);
    send(task, SumOfSlopes{*this, *slopes_, x.data(), task.n, score, row_step, output_step});
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

  std::optional<LeafSlopes> slopes_;
};

}  // namespace weaklearn
