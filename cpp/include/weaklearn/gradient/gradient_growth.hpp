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
#include <optional>
#include <utility>
#include <vector>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/gradient/gain.hpp"
#include "weaklearn/gradient/gradient_cells.hpp"
#include "weaklearn/gradient/gradient_data.hpp"
#include "weaklearn/gradient/gradient_draws.hpp"
#include "weaklearn/gradient/gradient_finish.hpp"
#include "weaklearn/gradient/gradient_partition.hpp"
#include "weaklearn/gradient/gradient_queue.hpp"
#include "weaklearn/gradient/gradient_rows.hpp"
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
  // Over partitions: of this one's rows, as a tree over all.
  GradientGrowth(const GradientData& data, GradientWork& work, const GrowTask& task,
                 const ThreadShare& share, bool over_partitions = false)
      : data_(data),
        work_(work),
        task_(task),
        share_(share),
        over_partitions_(over_partitions),
        by_cells_(data.by_cells() && task.residuals == nullptr),
        sums_(data, work, task, share.now()),
        wave_(data, work, sums_, nodes_, share),
        cells_(data, work, sums_),
        open_(nodes_),
        finish_(task, work, data.settings, share) {}

  // The tree of own rows.
  TreeArrays grow() {
    list_rows(task_, data_.n_rows(), by_cells_, work_, share_.now());
    take_numbers(extent());
    plant();
    if (!features().empty()) wave_.search_root();
    offer(0);
    split_on();
    add_up_leaves();
    finish_.settle(tree_);
    return std::move(tree_);
  }

  // ------------------------------------------------------------------------------ over partitions

  // The largest numbers and the examples of own rows.
  GradientExtent own_extent() {
    list_rows(task_, data_.n_rows(), by_cells_, work_, share_.now());
    return extent();
  }

  // With those of all rows, up to the sums of the root.
  void begin(const GradientExtent& of_all) {
    take_numbers(of_all);
    plant();
    numbers_.clear();
    if (root_noise_) numbers_.insert(numbers_.end(), {root_noise_->g, root_noise_->c});
    if (!features().empty()) wave_.filling().write(numbers_);
  }

  // What is to be summed over partitions before the tree can go on.
  std::vector<int64_t>& numbers() { return numbers_; }

  // Goes on with the sums over partitions; false when the tree is complete.
  bool go_on() {
    if (step_ == Step::root) {
      read_root();
      step_ = Step::splits;
    } else if (step_ == Step::splits) {
      read_split();
    }
    if (step_ == Step::splits) {
      numbers_.clear();
      if (split_on()) return true;
      add_up_leaves();
      step_ = Step::leaves;
      finish_.write(numbers_);
      return true;
    }
    const bool more = finish_.read(numbers_.data());
    numbers_.clear();
    if (more)
      finish_.write(numbers_);
    else
      finish_.settle(tree_);
    return more;
  }

  TreeArrays take_tree() { return std::move(tree_); }

 private:
  enum class Step { root, splits, leaves };  // what the sums that are asked for are of

  void read_root() {
    const int64_t* words = numbers_.data();
    if (root_noise_) {
      root_noise_ = WholeGradients::ExactSums{words[0], words[1]};
      nodes_[0].terms.noise = work_.whole.noise(*root_noise_);
      words += 2;
    }
    if (!features().empty()) {
      wave_.filling().read(words);
      wave_.search_root();
    }
    offer(0);
  }

  void read_split() {
    if (by_cells_) return cells_.read(numbers_.data());
    wave_.filling().read(numbers_.data());
    wave_.search();
  }

  // ----------------------------------------------------------------------------------- splitting

  // Divides the best open nodes until there are leaves enough. True: `numbers` are to be summed
  // over partitions, before it goes on with the same node.
  bool split_on() {
    while (asked_ || (!open_.empty() && leaves_ < data_.settings.max_leaf_nodes)) {
      const int32_t splits_left = data_.settings.max_leaf_nodes - leaves_;
      if (!asked_) {
        Pool::check_interrupt();
        node_ = open_.take_best();
        asked_ = by_cells_ ? sum_cells(node_, splits_left > 1) : divide_rows(node_, splits_left);
        if (asked_) return true;
      }
      asked_ = false;
      if (by_cells_) divide_cells(node_, splits_left > 1);
      enter(node_);
      if (splits_left > 1) {
        offer(nodes_[node_].children);
        offer(nodes_[node_].children + 1);
      }
      sums_.drop(nodes_[node_].sums);
      forget_hopeless(static_cast<size_t>(splits_left - 1));
      ++leaves_;
    }
    return false;
  }

  void add_up_leaves() {
    for (GradientNode& node : nodes_) sums_.drop(node.sums);
    finish_.add_up(nodes_, tree_, by_cells_ ? &cells_ : nullptr);
  }

  static constexpr size_t kAskedAtOnce = 8;  // nodes whose sums go into one question at most

  // ------------------------------------------------------------------------------ setting out

  GradientExtent extent() const {
    return GradientExtent::of(task_.gradients, data_.n_rows(), work_.rows.data(), work_.rows.size(),
                              share_.now());
  }

  void take_numbers(const GradientExtent& of_all) {
    work_.whole.take(task_.gradients, data_.n_rows(), of_all, share_.now());
  }

  // The root with its sums.
  void plant() {
    GradientNode root;
    root.number = 0;
    root.terms = data_.terms_of_root(task_.key);
    root.end = work_.rows.size(), root.others_end = work_.others.size();
    root.terms.g_unit = work_.whole.g_unit();
    root.terms.c_unit = work_.whole.c_unit();
    root.terms.total.n = work_.whole.examples();
    if (data_.settings.category_noise > 0 && any_categories()) {
      root_noise_ = work_.whole.squares(task_.rows, root.end, share_.now());
      root.terms.noise = work_.whole.noise(*root_noise_);
    }
    for (size_t k = 0; k < data_.n_groups(); ++k) root.groups.push_back(static_cast<int32_t>(k));
    draw_features(root);
    root.forced = data_.settings.forced_feature.empty() ? -1 : 0;
    nodes_.push_back(std::move(root));
    tree_.add(0, 0);
    if (features().empty()) return;
    nodes_[0].sums = sums_.take();
    wave_.fill_root();
  }

  bool any_categories() const {
    return std::any_of(features().begin(), features().end(),
                       [&](int32_t j) { return data_.column(j).categorical; });
  }

  // -------------------------------------------------------------------------------- the queue

  void offer(size_t node) {
    if (!(nodes_[node].priority() > data_.settings.min_gain)) return sums_.drop(nodes_[node].sums);
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

  // Divides the rows of a node and searches its children; true where that takes sums over
  // partitions.
  bool divide_rows(size_t node, int32_t splits_left) {
    if (splits_left > 1 && !nodes_[node].searched && search_ahead(node, splits_left)) return true;
    if (nodes_[node].children > 0) return false;
    conceive(node);
    wave_.divide({node});
    return false;
  }

  bool worth_searching(size_t left) const {
    return wave_.may_split(nodes_[left]) || wave_.may_split(nodes_[left + 1]);
  }

  // Before the first division, the sums of codes that trees are then grown on without looking at
  // rows; true where they are to be summed over partitions.
  bool sum_cells(size_t node, bool search) {
    conceive(node);
    if (cells_.begun()) return false;
    const std::vector<int32_t> none;
    const size_t left = nodes_[node].children;
    search = search && worth_searching(left);
    cells_.begin(nodes_[node], search ? nodes_[left].groups : none, share_.now());
    if (!over_partitions_ || !cells_.wants_sums()) return false;
    cells_.write(numbers_);
    return true;
  }

  void divide_cells(size_t node, bool search) {
    const GradientNode& parent = nodes_[node];
    const size_t left = parent.children;
    search = search && worth_searching(left);
    const int32_t feature = parent.split.feature;
    cells_.divide(node, left, feature,
                  {data_.column(feature), parent.split, GradientWave::heavy_right(parent)});
    const Timed timed(Phase::splits);
    for (const size_t child : {left, left + 1})
      if (search && wave_.may_split(nodes_[child]))
        nodes_[child].split = cells_.search(nodes_[child], child);
  }

  // Divides a node and searches its children; with threads to spare, those next in line too. Over
  // partitions, where a question takes longer than a few nodes do, always so many: true where their
  // sums are to be asked for before the search.
  bool search_ahead(size_t node, int32_t splits_left) {
    std::vector<size_t> wave{node};
    const int threads = share_.now();
    const auto left = static_cast<size_t>(splits_left);
    if (over_partitions_)
      open_.add_first_to_come(wave, std::min({kAskedAtOnce, left - 1, room_ahead()}),
                              data_.settings.min_gain);
    else if (threads > 1)
      add_next_in_line(wave, left, threads);
    for (const size_t parent : wave) {
      conceive(parent);
      make_room(parent);
    }
    if (!over_partitions_) {
      wave_.divide(wave);
      return false;
    }
    wave_.fill(wave, true);
    wave_.filling().write(numbers_);
    return !wave_.filling().empty();
  }

  // Nodes whose histograms may be there ahead of their turn.
  size_t room_ahead() const { return data_.settings.most_bytes / 4 / sums_.bytes_of_one(); }

  // As many nodes as keep the threads busy for much longer than it takes to wake them; of those
  // that may still have their turn about a third, since not all will.
  void add_next_in_line(std::vector<size_t>& wave, size_t splits_left, int most_threads) const {
    const size_t threads = static_cast<size_t>(most_threads), columns = features().size();
    const size_t enough = kWorkWorthAThread * threads * std::max<size_t>(1, threads / 4);
    size_t total = GradientWave::cost(nodes_[wave[0]]) * columns;
    if (total >= enough) return;
    open_.add_next_in_line(wave, std::min({2 * threads, (splits_left + 2) / 3, room_ahead()}));
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
    low.terms.above = high.terms.above = gain::value_of(node.terms, data_.settings);
    low.terms.smoothing = high.terms.smoothing = data_.settings.path_smoothing;
    low.terms.total = split.left;
    high.terms.total = node.terms.total - split.left;
    bind_values(split.feature, low, high);
    low.forced = split.forced ? data_.settings.forced_left[node.forced] : -1;
    high.forced = split.forced ? data_.settings.forced_right[node.forced] : -1;
    low.groups = data_.groups_with(node.groups, split.feature);
    high.groups = low.groups;
    low.terms.key = draws::at(node.terms.key, draws::kLeft);
    high.terms.key = draws::at(node.terms.key, draws::kRight);
    draw_features(low);
    draw_features(high);
    nodes_[parent].children = nodes_.size();
    nodes_.push_back(std::move(low));
    nodes_.push_back(std::move(high));
  }

  // Writes a divided node and its children into the tree.
  void enter(size_t parent) {
    GradientNode& node = nodes_[parent];
    const Column& column = data_.column(node.split.feature);
    const CodeSides sides(column, node.split, GradientWave::heavy_right(node));
    const int32_t first = write_split(column, node.split, sides, node.number, tree_);
    nodes_[node.children].number = first;
    nodes_[node.children + 1].number = first + 1;
  }

  void draw_features(GradientNode& node) const {
    if (data_.draws_features())
      node.drawn =
          data_.drawn_features(features(), task_.key, node.depth, node.groups, node.terms.key);
  }

  // Children of a split on a monotone column may not pass each other's middle.
  void bind_values(int32_t feature, GradientNode& low, GradientNode& high) const {
    const int direction = data_.monotone(feature);
    if (direction == 0) return;
    const double middle =
        (gain::value_of(low.terms, data_.settings) + gain::value_of(high.terms, data_.settings)) /
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
  const bool over_partitions_;
  const bool by_cells_;  // whether nodes are sets of codes, or lists of rows
  GradientSums sums_;
  std::vector<GradientNode> nodes_;
  GradientWave wave_;
  GradientCells cells_;
  OpenNodes open_;  // those that may be split
  GradientFinish finish_;
  TreeArrays tree_;
  std::optional<WholeGradients::ExactSums> root_noise_;  // where categories need it
  int32_t leaves_ = 1;
  size_t node_ = 0;     // that is divided
  bool asked_ = false;  // whether it waits for sums over partitions
  Step step_ = Step::root;
  std::vector<int64_t> numbers_;
};

}  // namespace weaklearn
