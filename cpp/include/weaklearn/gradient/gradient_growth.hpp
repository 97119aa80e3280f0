// The growth of one tree that fits a gradient, best first.
//
// Cost: a node pays for the rows of its smaller child; the larger one is the difference. Histograms
// are kept for open nodes while they fit a fixed budget and made anew beyond it. With several
// threads the next nodes in line are searched ahead, as many as keep all threads busy; what is then
// not needed changes nothing. Trees of one or two columns are grown on sums of their codes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/gradient/gain.hpp"
#include "weaklearn/gradient/gradient_cells.hpp"
#include "weaklearn/gradient/gradient_data.hpp"
#include "weaklearn/gradient/gradient_finish.hpp"
#include "weaklearn/gradient/gradient_partition.hpp"
#include "weaklearn/gradient/gradient_queue.hpp"
#include "weaklearn/gradient/gradient_sums.hpp"
#include "weaklearn/gradient/gradient_wave.hpp"
#include "weaklearn/gradient/gradient_work.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/threads/profile.hpp"
#include "weaklearn/threads/share.hpp"
#include "weaklearn/tree/tree.hpp"

namespace weaklearn {

class GradientGrowth {
 public:
  GradientGrowth(const GradientData& data, GradientWork& work, const GrowTask& task,
                 const ThreadShare& share)
      : data_(data),
        work_(work),
        task_(task),
        share_(share),
        by_cells_(data.by_cells() && task.residuals == nullptr),
        sums_(data, work, task, share.now()),
        wave_(data, work, sums_, nodes_, share),
        cells_(data, work, sums_),
        open_(nodes_) {}

  TreeArrays grow() {
    list_rows();
    plant();
    search_root();
    offer(0);
    for (int32_t leaves = 1; !open_.empty() && leaves < data_.settings.max_leaf_nodes; ++leaves) {
      Pool::check_interrupt();
      const size_t node = open_.take_best();
      const int32_t splits_left = data_.settings.max_leaf_nodes - leaves;
      if (by_cells_)
        divide_cells(node, splits_left > 1);
      else
        divide_rows(node, splits_left);
      enter(node);
      if (splits_left > 1) {
        offer(nodes_[node].children);
        offer(nodes_[node].children + 1);
      }
      sums_.drop(nodes_[node].sums);
      forget_hopeless(static_cast<size_t>(splits_left - 1));
    }
    for (GradientNode& node : nodes_) sums_.drop(node.sums);
    GradientFinish finish(task_, work_, data_.settings.l2, share_);
    if (by_cells_)
      finish.settle(nodes_, tree_, cells_);
    else
      finish.settle(nodes_, tree_);
    return std::move(tree_);
  }

 private:
  static constexpr size_t kChunk = 32768;  // rows that one thread lists at a time

  // ------------------------------------------------------------------------------ setting out

  // The rows in the bag with their whole numbers, and those outside.
  void list_rows() {
    const size_t m = data_.n_rows();
    const bool whole_sample = task_.rows == nullptr;
    const size_t n = whole_sample ? m : task_.n_rows;
    work_.rows.resize(n);
    if (!by_cells_) work_.spare.resize(m);
    in_chunks(n, [&](size_t begin, size_t end) {
      for (size_t k = begin; k < end; ++k)
        work_.rows[k] = whole_sample ? static_cast<uint32_t>(k) : task_.rows[k];
    });
    work_.whole.take(task_.gradients, m, work_.rows.data(), n, share_.now());
    work_.others.resize(task_.scores != nullptr && !by_cells_ ? m - n : 0);
    if (work_.others.empty()) return;
    in_chunks(m, [&](size_t begin, size_t end) {
      const auto* next = std::lower_bound(task_.rows, task_.rows + n, begin);
      size_t k = begin - static_cast<size_t>(next - task_.rows);
      for (size_t i = begin; i < end; ++i) {
        if (next < task_.rows + n && *next == i)
          ++next;
        else
          work_.others[k++] = static_cast<uint32_t>(i);
      }
    });
  }

  // body(begin, end) over stretches of n rows.
  template <class Body>
  void in_chunks(size_t n, const Body& body) const {
    Pool::instance().run((n + kChunk - 1) / kChunk, threads_for(n, share_.now()), [&](size_t t) {
      const Timed timed(Phase::rows);
      body(t * kChunk, std::min(n, (t + 1) * kChunk));
    });
  }

  void plant() {
    GradientNode root;
    root.number = 0;
    root.end = work_.rows.size();
    root.others_end = work_.others.size();
    root.terms.g_unit = work_.whole.g_unit();
    root.terms.c_unit = work_.whole.c_unit();
    root.terms.bounded = data_.bounded();
    if (data_.settings.category_noise > 0 && any_categories())
      root.terms.noise = work_.whole.noise(task_.rows, root.end, share_.now());
    for (size_t k = 0; k < data_.n_groups(); ++k) root.groups.push_back(static_cast<int32_t>(k));
    nodes_.push_back(std::move(root));
    tree_.add(0, 0);
  }

  bool any_categories() const {
    return std::any_of(features().begin(), features().end(),
                       [&](int32_t j) { return data_.column(j).categorical; });
  }

  // -------------------------------------------------------------------------------- the queue

  void offer(size_t node) {
    if (!(nodes_[node].split.gain > data_.settings.min_gain)) return sums_.drop(nodes_[node].sums);
    open_.add(node);
    const bool too_many = sums_.bytes() > data_.settings.most_bytes;
    if (too_many && !by_cells_) sums_.drop(nodes_[node].sums);  // cells are cut from the root's
  }

  // Of more open nodes than splits to come, the last in line have no turn: their sums can go.
  void forget_hopeless(size_t splits) {
    constexpr size_t many = 256;  // where looking through all of them would take long
    if (open_.size() > many) return;
    while (open_.size() > splits) sums_.drop(nodes_[open_.take_last()].sums);
  }

  // -------------------------------------------------------------------------------- searching

  void search_root() {
    GradientNode& root = nodes_[0];
    if (features().empty()) {
      root.terms.total.n = work_.whole.examples();
      return;
    }
    root.sums = sums_.take();
    wave_.search_root();
  }

  void divide_rows(size_t node, int32_t splits_left) {
    if (splits_left > 1 && !nodes_[node].searched) search_ahead(node, splits_left);
    if (nodes_[node].children > 0) return;
    conceive(node);
    wave_.divide({node});
  }

  // The same without looking at rows.
  void divide_cells(size_t node, bool search) {
    conceive(node);
    const GradientNode& parent = nodes_[node];
    const size_t left = parent.children;
    search = search && (wave_.may_split(nodes_[left]) || wave_.may_split(nodes_[left + 1]));
    if (!cells_.begun()) {
      const std::vector<int32_t> none;
      cells_.begin(parent, search ? nodes_[left].groups : none, share_.now());
    }
    const int32_t feature = parent.split.feature;
    cells_.divide(node, left, feature,
                  {data_.column(feature), parent.split, GradientWave::heavy_right(parent)});
    const Timed timed(Phase::splits);
    for (const size_t child : {left, left + 1})
      if (search && wave_.may_split(nodes_[child]))
        nodes_[child].split = cells_.search(nodes_[child], child);
  }

  // Divides a node and searches its children; with threads to spare, those next in line too.
  void search_ahead(size_t node, int32_t splits_left) {
    std::vector<size_t> wave{node};
    const int threads = share_.now();
    if (threads > 1) add_next_in_line(wave, static_cast<size_t>(splits_left), threads);
    for (const size_t parent : wave) {
      conceive(parent);
      make_room(parent);
    }
    wave_.divide(wave);
  }

  // As many nodes as keep the threads busy for much longer than it takes to wake them; of those
  // that may still have their turn about a third, since not all will.
  void add_next_in_line(std::vector<size_t>& wave, size_t splits_left, int most_threads) const {
    const size_t threads = static_cast<size_t>(most_threads), columns = features().size();
    const size_t enough = kWorkWorthAThread * threads * std::max<size_t>(1, threads / 4);
    const size_t room = data_.settings.most_bytes / 4 / sums_.bytes_of_one();
    size_t total = GradientWave::cost(nodes_[wave[0]]) * columns;
    if (total >= enough) return;
    open_.add_next_in_line(wave, std::min({2 * threads, (splits_left + 2) / 3, room}));
    size_t kept = 1;
    for (; kept < wave.size() && total < enough; ++kept)
      total += GradientWave::cost(nodes_[wave[kept]]) * columns;
    wave.resize(threads_for(total, most_threads) == 1 ? 1 : kept);
  }

  // Histograms for both children of a node, that of the parent for the heavier one.
  void make_room(size_t parent) {
    const size_t left = nodes_[parent].children;
    nodes_[parent].searched = true;
    if (!wave_.may_split(nodes_[left]) && !wave_.may_split(nodes_[left + 1])) return;
    GradientNode& light = nodes_[wave_.lighter(left)];
    GradientNode& heavy = nodes_[2 * left + 1 - wave_.lighter(left)];
    light.sums = sums_.take();
    nodes_[parent].anew = !nodes_[parent].sums;
    heavy.sums = nodes_[parent].anew ? sums_.take() : std::move(nodes_[parent].sums);
  }

  // ------------------------------------------------------------------------------- dividing

  // Two new nodes for the sides of a node's split, as yet without rows.
  void conceive(size_t parent) {
    const GradientNode& node = nodes_[parent];
    const GainSplit& split = node.split;
    GradientNode low, high;
    low.depth = high.depth = node.depth + 1;
    low.terms = high.terms = node.terms;
    low.terms.total = split.left;
    high.terms.total = node.terms.total - split.left;
    bind_values(node, split.feature, low, high);
    low.groups = data_.groups_with(node.groups, split.feature);
    high.groups = low.groups;
    nodes_[parent].children = nodes_.size();
    nodes_.push_back(std::move(low));
    nodes_.push_back(std::move(high));
  }

  // Writes a divided node and its children into the tree.
  void enter(size_t parent) {
    GradientNode& node = nodes_[parent];
    const GainSplit& split = node.split;
    const Column& column = data_.column(split.feature);
    const CodeSides sides(column, split, GradientWave::heavy_right(node));
    const int32_t number = node.number, first = tree_.add(0, 0);
    tree_.add(0, 0);
    nodes_[node.children].number = first;
    nodes_[node.children + 1].number = first + 1;
    tree_.ask[number] = static_cast<uint8_t>(split.categories ? Ask::subset : Ask::threshold);
    tree_.feature[number] = split.feature;
    tree_.first[number] = first;
    tree_.width[number] = 2;
    tree_.missing[number] = sides.missing_right ? 1 : 0;
    tree_.gain[number] = split.gain;
    if (split.categories) {
      tree_.subset[number] = static_cast<int32_t>(tree_.subsets.size());
      tree_.subsets.push_back(sides.categories);
    } else {
      tree_.threshold[number] =
          split.cut + 1 < column.n_codes
              ? cut_between(column.greatest(split.cut), column.least(split.cut + 1))
              : std::numeric_limits<double>::max();  // all there are, known from missing
    }
  }

  // Children of a split on a monotone column may not pass each other's middle.
  void bind_values(const GradientNode& node, int32_t feature, GradientNode& low,
                   GradientNode& high) const {
    const int direction = data_.monotone(feature);
    if (direction == 0) return;
    const double l2 = data_.settings.l2;
    const double middle = (gain::value_of(node.terms, low.terms.total, l2) +
                           gain::value_of(node.terms, high.terms.total, l2)) /
                          2;
    if (direction > 0)
      low.terms.high = high.terms.low = middle;
    else
      low.terms.low = high.terms.high = middle;
  }

  const std::vector<int32_t>& features() const { return sums_.features(); }

  const GradientData& data_;
  GradientWork& work_;
  const GrowTask& task_;
  const ThreadShare& share_;
  const bool by_cells_;  // whether nodes are sets of codes, or lists of rows
  GradientSums sums_;
  std::vector<GradientNode> nodes_;
  GradientWave wave_;
  GradientCells cells_;
  OpenNodes open_;  // those that may be split
  TreeArrays tree_;
};

}  // namespace weaklearn
