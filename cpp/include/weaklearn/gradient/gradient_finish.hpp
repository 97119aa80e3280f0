// The end of a tree of gradients: the values of its nodes, and the scores that follow its leaves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "weaklearn/gradient/gain.hpp"
#include "weaklearn/gradient/gradient_cells.hpp"
#include "weaklearn/gradient/gradient_leaf.hpp"
#include "weaklearn/gradient/gradient_work.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/threads/profile.hpp"
#include "weaklearn/threads/share.hpp"
#include "weaklearn/tree/tree.hpp"

namespace weaklearn {

class GradientFinish {
 public:
  GradientFinish(const GrowTask& task, GradientWork& work, const GainSettings& settings,
                 const ThreadShare& share)
      : task_(task), work_(work), settings_(settings), share_(share) {}

  // Settles the inner nodes, and sums the rows of the leaves: sets of codes, where there are cells.
  // Leaves differ in size by a thousand: their rows are shared out among threads, not they.
  void add_up(const std::vector<GradientNode>& nodes, TreeArrays& tree,
              const GradientCells* cells) {
    settle_inner(nodes, tree);
    if (cells != nullptr) {
      std::vector<size_t> places;
      for (const Leaf& leaf : leaves_)
        places.push_back(static_cast<size_t>(leaf.node - nodes.data()));
      by_codes_ = cells->leaves(places);
      add_up_cells(*by_codes_);
    } else if (leaves_.size() <= kMarked) {
      add_up_marked(nodes);
    } else {
      add_up_leaves();
    }
  }

  // Settles the leaves, whose sums are known, and moves the scores.
  void settle(TreeArrays& tree) {
    settle_leaves(tree);
    if (task_.scores == nullptr) return;
    if (by_codes_)
      move_by(*by_codes_);
    else if (leaves_.size() <= kMarked)
      move_by([&](size_t i) { return work_.leaf_of[i] % kMarked; });
    else
      move_all_scores();
  }

  // ------------------------------------------------------------------------------ over partitions

  // Numbers to be summed between `add_up` and `settle`, until `read` says that no more are wanted:
  // sums of the leaves, then what their quantiles ask for.
  void write(std::vector<int64_t>& numbers) const {
    if (quantiles_) return quantiles_->write(numbers);
    for (const Leaf& leaf : leaves_) numbers.insert(numbers.end(), {leaf.sums.g, leaf.sums.c});
  }

  bool read(const int64_t* numbers) {
    if (quantiles_) return quantiles_->read(numbers);
    for (Leaf& leaf : leaves_) {
      leaf.sums = {numbers[0], numbers[1]};
      numbers += 2;
    }
    if (task_.residuals == nullptr) return false;
    quantiles_.emplace(task_.quantile);
    for (const Leaf& leaf : leaves_)
      quantiles_->add(residuals_of(task_, work_, *leaf.node), leaf.sums.c);
    return true;
  }

 private:
  static constexpr size_t kChunk = 8192;  // rows that one thread has at a time
  static constexpr size_t kMarked = 128;  // leaves at most that rows are marked with

  struct Leaf {
    const GradientNode* node;
    WholeGradients::ExactSums sums;
    double step = 0;
  };

  // Some rows of a leaf.
  struct Stretch {
    size_t leaf;
    const uint32_t* rows;
    size_t n;
    WholeGradients::ExactSums sums;
  };

  void settle_inner(const std::vector<GradientNode>& nodes, TreeArrays& tree) {
    tree.values.assign(tree.size(), 0.0);
    for (size_t k = 0; k < tree.size(); ++k) tree.value[k] = static_cast<int32_t>(k);
    for (const GradientNode& node : nodes) settle_inner(node, tree);
  }

  void settle_inner(const GradientNode& node, TreeArrays& tree) {
    const int32_t number = node.number;
    if (number < 0) return;  // searched ahead in vain
    tree.count[number] = node.terms.total.n;
    if (tree.ask[number] == static_cast<uint8_t>(Ask::leaf)) {
      leaves_.push_back({&node, {}, 0});
      return;
    }
    tree.values[number] = gain::value_of(node.terms, settings_);
    tree.weight[number] = static_cast<double>(node.terms.total.c) * node.terms.c_unit;
  }

  void settle_leaves(TreeArrays& tree) {
    const size_t quantile_steps = task_.residuals == nullptr ? 0 : 20 * work_.rows.size();
    const int threads = threads_for(quantile_steps, share_.now());
    Pool::instance().run(leaves_.size(), threads, [&](size_t t) {
      Leaf& leaf = leaves_[t];
      const int32_t number = leaf.node->number;
      const NodeTerms& terms = leaf.node->terms;
      tree.values[number] =
          gain::held_back(terms, value_of(t), terms.total.n, terms.above, terms.smoothing);
      tree.weight[number] = work_.whole.curvature(leaf.sums);
      leaf.step = task_.vote * tree.values[number];
    });
  }

  double value_of(size_t t) const {
    if (quantiles_) return quantiles_->of(t);
    if (task_.residuals == nullptr) return leaf_value(work_, leaves_[t].sums, settings_);
    Weighted residuals = residuals_of(task_, work_, *leaves_[t].node);
    return quantile_of(residuals, task_.quantile);
  }

  // ------------------------------------------------------------------------------ lists of rows

  // All rows of the leaves: those in the bag, or the others.
  std::vector<Stretch> stretches(bool others) const {
    std::vector<Stretch> all;
    for (size_t t = 0; t < leaves_.size(); ++t) {
      const GradientNode& leaf = *leaves_[t].node;
      const uint32_t* const list = others ? work_.others.data() : work_.rows.data();
      const size_t begin = others ? leaf.others_begin : leaf.begin;
      const size_t end = others ? leaf.others_end : leaf.end;
      for (size_t k = begin; k < end; k += kChunk)
        all.push_back({t, list + k, std::min(kChunk, end - k), {}});
    }
    return all;
  }

  void add_up_leaves() {
    std::vector<Stretch> all = stretches(false);
    const int threads = threads_for(4 * work_.rows.size(), share_.now());
    Pool::instance().run(all.size(), threads, [&](size_t t) {
      const Timed timed(Phase::leaves);
      all[t].sums = work_.whole.exact(all[t].rows, all[t].n);
    });
    for (const Stretch& one : all) {
      leaves_[one.leaf].sums.g += one.sums.g;
      leaves_[one.leaf].sums.c += one.sums.c;
    }
  }

  void move_all_scores() const {
    std::vector<Stretch> all = stretches(false);
    const std::vector<Stretch> others = stretches(true);
    all.insert(all.end(), others.begin(), others.end());
    const size_t steps = 2 * (work_.rows.size() + work_.others.size());
    Pool::instance().run(all.size(), threads_for(steps, share_.now()), [&](size_t t) {
      const Timed timed(Phase::leaves);
      move_scores(task_.scores, all[t].rows, all[t].n, leaves_[all[t].leaf].step);
    });
  }

  // ---------------------------------------------------------------------------- rows with marks

  // Where leaves are few, every row is marked with its own, so that gradients and scores are then
  // read one after another. Rows outside the bag are marked as such.
  void add_up_marked(const std::vector<GradientNode>& nodes) {
    std::vector<Ascending> parts;
    for (size_t k = 0; k < leaves_.size(); ++k) add_ascending(nodes, *leaves_[k].node, k, parts);
    const size_t m = work_.whole.n_rows(), chunk = m < 32 * kChunk ? kChunk : 4 * kChunk;
    work_.leaf_of.resize(m);
    std::vector<std::vector<WholeGradients::ExactSums>> sums((m + chunk - 1) / chunk);
    Pool::instance().run(sums.size(), threads_for(4 * m, share_.now()), [&](size_t t) {
      const Timed timed(Phase::leaves);
      const size_t begin = t * chunk, end = std::min(m, begin + chunk);
      std::fill(work_.leaf_of.data() + begin, work_.leaf_of.data() + end, uint8_t{kMarked});
      for (const auto& [leaf, node] : parts) {
        mark(work_.rows, node->begin, node->end, begin, end, leaf);
        mark(work_.others, node->others_begin, node->others_end, begin, end, kMarked + leaf);
      }
      sums[t].resize(2 * kMarked);
      work_.whole.add_exact(begin, end, work_.leaf_of.data(), kMarked, sums[t].data());
    });
    add_parts(sums);
  }

  // The rows of a leaf ascend, unless it was divided ahead in vain: then those of its children do.
  struct Ascending {
    size_t leaf;
    const GradientNode* node;
  };
  static void add_ascending(const std::vector<GradientNode>& nodes, const GradientNode& node,
                            size_t leaf, std::vector<Ascending>& parts) {
    if (node.children == 0) return parts.push_back({leaf, &node});
    add_ascending(nodes, nodes[node.children], leaf, parts);
    add_ascending(nodes, nodes[node.children + 1], leaf, parts);
  }

  // Marks those of the rows, an ascending stretch of a list, that lie from begin to end.
  void mark(const std::vector<uint32_t>& list, size_t first, size_t last, size_t begin, size_t end,
            size_t as) {
    const uint32_t* const stop = list.data() + last;
    for (const uint32_t* row = std::lower_bound(list.data() + first, stop, begin);
         row != stop && *row < end; ++row)
      work_.leaf_of[*row] = static_cast<uint8_t>(as);
  }

  void add_parts(const std::vector<std::vector<WholeGradients::ExactSums>>& sums) {
    for (const auto& part : sums)
      for (size_t t = 0; t < leaves_.size(); ++t) {
        leaves_[t].sums.g += part[t].g;
        leaves_[t].sums.c += part[t].c;
      }
  }

  // Moves one row after another, in the bag or not.
  template <class LeafOf>
  void move_by(const LeafOf& leaf_of) const {
    const size_t m = work_.whole.n_rows();
    Pool::instance().run((m + kChunk - 1) / kChunk, threads_for(2 * m, share_.now()),
                         [&](size_t t) {
                           const Timed timed(Phase::leaves);
                           const size_t end = std::min(m, (t + 1) * kChunk);
                           for (size_t i = t * kChunk; i < end; ++i)
                             task_.scores[i] += leaves_[leaf_of(i)].step;
                         });
  }

  // -------------------------------------------------------------------------------- sets of codes

  void add_up_cells(const CellLeaves& leaf_of) {
    const size_t n = work_.rows.size(), chunks = (n + kChunk - 1) / kChunk;
    std::vector<std::vector<WholeGradients::ExactSums>> sums(chunks);
    Pool::instance().run(chunks, threads_for(4 * n, share_.now()), [&](size_t t) {
      const Timed timed(Phase::leaves);
      sums[t].resize(leaves_.size());
      work_.whole.add_exact(work_.rows.data() + t * kChunk, std::min(kChunk, n - t * kChunk),
                            leaf_of, sums[t].data());
    });
    add_parts(sums);
  }

  const GrowTask& task_;
  GradientWork& work_;
  const GainSettings& settings_;
  const ThreadShare& share_;
  std::vector<Leaf> leaves_;
  std::optional<CellLeaves> by_codes_;
  std::optional<LeafQuantiles> quantiles_;
};

}  // namespace weaklearn
