// The growth of one tree that fits a gradient, best first.
//
// Cost: a node pays for the rows of its smaller child; the larger one is the difference. Histograms
// are kept for open nodes while they fit a fixed budget and made anew beyond it. With several
// threads the next few nodes in line are searched ahead, side by side; what is then not needed
// changes nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/gradient/gain.hpp"
#include "weaklearn/gradient/gradient_data.hpp"
#include "weaklearn/gradient/gradient_leaf.hpp"
#include "weaklearn/gradient/gradient_partition.hpp"
#include "weaklearn/gradient/gradient_queue.hpp"
#include "weaklearn/gradient/gradient_sums.hpp"
#include "weaklearn/gradient/gradient_work.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/tree/tree.hpp"

namespace weaklearn {

class GradientGrowth {
 public:
  GradientGrowth(const GradientData& data, GradientWork& work, const GrowTask& task, int threads)
      : data_(data),
        work_(work),
        task_(task),
        threads_(threads),
        sums_(data, work, task, threads),
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
      if (splits_left > 1 && !nodes_[node].searched) search_ahead(node, splits_left);
      if (nodes_[node].children == 0) {
        conceive(node);
        part_rows(node, threads_);
      }
      enter(node);
      if (splits_left > 1) {
        offer(nodes_[node].children);
        offer(nodes_[node].children + 1);
      }
      sums_.drop(nodes_[node]);
      forget_hopeless(static_cast<size_t>(splits_left - 1));
    }
    for (GradientNode& node : nodes_) sums_.drop(node);
    finish();
    return std::move(tree_);
  }

 private:
  static constexpr size_t kScan = 1500;  // rows that cost as much as looking for a column's split

  // ------------------------------------------------------------------------------ setting out

  // The rows in the bag with their whole numbers, and those outside.
  void list_rows() {
    const size_t m = data_.n_rows();
    const bool whole_sample = task_.rows == nullptr;
    const size_t n = whole_sample ? m : task_.n_rows;
    work_.rows.resize(n);
    work_.spare.resize(m);
    if (whole_sample)
      for (size_t i = 0; i < n; ++i) work_.rows[i] = static_cast<uint32_t>(i);
    else
      std::copy(task_.rows, task_.rows + n, work_.rows.begin());
    work_.whole.take(task_.gradients, m, work_.rows.data(), n, threads_);
    work_.others.clear();
    if (n < m && task_.scores != nullptr) {
      work_.others.resize(m - n);
      size_t next = 0, k = 0;
      for (size_t i = 0; i < m; ++i) {
        if (next < n && work_.rows[next] == i)
          ++next;
        else
          work_.others[k++] = static_cast<uint32_t>(i);
      }
    }
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
      root.terms.noise = work_.whole.noise(task_.rows, root.end, threads_);
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
    if (!(nodes_[node].split.gain > data_.settings.min_gain)) return sums_.drop(nodes_[node]);
    open_.add(node);
    if (sums_.bytes() > data_.settings.most_bytes) sums_.drop(nodes_[node]);
  }

  // Of more open nodes than splits to come, the last in line have no turn: their sums can go.
  void forget_hopeless(size_t splits) {
    constexpr size_t many = 256;  // where looking through all of them would take long
    if (open_.size() > many) return;
    while (open_.size() > splits) sums_.drop(nodes_[open_.take_last()]);
  }

  // -------------------------------------------------------------------------------- searching

  void search_root() {
    GradientNode& root = nodes_[0];
    if (features().empty()) {
      root.terms.total.n = work_.whole.examples();
      return;
    }
    root.sums = sums_.take();
    GatheredValues& values = sums_.gathered(0);
    sums_.gather(root, values, threads_);
    std::vector<GainSplit> found(features().size());
    GradientSums::in_pieces(
        sums_.pieces(), root.size() + kScan,
        [&](const Piece& piece) {
          sums_.fill(root, values, piece);
          NodeTerms terms = root.terms;
          terms.total = sums_.total_of(root, piece.first);  // the same from every column
          scan(root, terms, piece, found);
        },
        threads_);
    root.terms.total = sums_.total_of(root, 0);
    if (may_split(root)) choose(root, found);
  }

  bool may_split(const GradientNode& node) const {
    return node.depth < data_.settings.max_depth &&
           node.terms.total.n >= 2 * data_.settings.min_samples_leaf;
  }

  // Divides a node and searches its children; with threads to spare, those next in line too.
  void search_ahead(size_t node, int32_t splits_left) {
    std::vector<size_t> wave{node};
    // A node worth all threads is shared among them by its columns; small ones go side by side.
    if (threads_ > 1 && threads_for(cost(nodes_[node]) * features().size(), threads_) == 1) {
      open_.add_next_in_line(wave, std::min<size_t>(2 * threads_, (splits_left + 2) / 3));
      size_t total = 0;
      for (const size_t k : wave) total += cost(nodes_[k]);
      if (threads_for(total * features().size(), threads_) == 1) wave.resize(1);
    }
    for (const size_t k : wave) {
      conceive(k);
      make_room(k);
    }
    if (wave.size() == 1) {
      part_rows(node, threads_);
      search_children(node, sums_.gathered(0), threads_);
      return;
    }
    for (size_t k = 0; k < wave.size(); ++k) sums_.gathered(k);
    Pool::instance().run(wave.size(), threads_, [&](size_t k) {
      part_rows(wave[k], 1);
      search_children(wave[k], work_.gathered[k], 1);
    });
  }

  static size_t cost(const GradientNode& node) { return node.size() / 2 + 2 * kScan; }

  // Histograms for both children of a node, that of the parent for the heavier one.
  void make_room(size_t parent) {
    const size_t left = nodes_[parent].children;
    nodes_[parent].searched = true;
    if (!may_split(nodes_[left]) && !may_split(nodes_[left + 1])) return;
    GradientNode& light = nodes_[lighter(left)];
    GradientNode& heavy = nodes_[2 * left + 1 - lighter(left)];
    light.sums = sums_.take();
    nodes_[parent].anew = !nodes_[parent].sums;
    heavy.sums = nodes_[parent].anew ? sums_.take() : std::move(nodes_[parent].sums);
  }

  size_t lighter(size_t left) const {
    return nodes_[left].terms.total.n <= nodes_[left + 1].terms.total.n ? left : left + 1;
  }

  // Histograms and best splits of both children of a divided node.
  void search_children(size_t parent, GatheredValues& values, int threads) {
    const size_t left = nodes_[parent].children;
    GradientNode& light = nodes_[lighter(left)];
    GradientNode& heavy = nodes_[2 * left + 1 - lighter(left)];
    if (!light.sums) return;
    const bool anew = nodes_[parent].anew;  // no budget was left for the parent's sums
    const std::vector<Piece> pieces = sums_.pieces_for(light);
    std::vector<GainSplit> in_light(features().size()), in_heavy(features().size());
    if (anew) {
      sums_.gather(heavy, values, threads);
      GradientSums::in_pieces(
          pieces, heavy.size(), [&](const Piece& piece) { sums_.fill(heavy, values, piece); },
          threads);
    }
    sums_.gather(light, values, threads);
    GradientSums::in_pieces(
        pieces, light.size() + 2 * kScan,
        [&](const Piece& piece) {
          sums_.fill(light, values, piece);
          if (!anew) sums_.subtract(heavy.sums.get(), light.sums.get(), piece);
          if (may_split(light)) scan(light, light.terms, piece, in_light);
          if (may_split(heavy)) scan(heavy, heavy.terms, piece, in_heavy);
        },
        threads);
    choose(light, in_light);
    choose(heavy, in_heavy);
  }

  void scan(const GradientNode& node, const NodeTerms& terms, const Piece& piece,
            std::vector<GainSplit>& found) const {
    for (size_t k = piece.first; k < piece.first + piece.count; ++k) {
      const int32_t feature = features()[k];
      if (!data_.allowed(node.groups, feature)) continue;
      found[k] = best_split(data_.column(feature), SumsView(node.sums[k], work_.whole.constant()),
                            terms, data_.settings, data_.monotone(feature));
      found[k].feature = feature;
    }
  }

  static void choose(GradientNode& node, const std::vector<GainSplit>& found) {
    for (const GainSplit& split : found)
      if (split.gain > node.split.gain) node.split = split;
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

  bool heavy_right(const GradientNode& node) const {
    return node.terms.total.n - node.split.left.n > node.split.left.n;
  }

  // Gives the rows of a node to its children.
  void part_rows(size_t parent, int threads) {
    GradientNode& node = nodes_[parent];
    GradientNode &low = nodes_[node.children], &high = nodes_[node.children + 1];
    const CodeSides sides(data_.column(node.split.feature), node.split, heavy_right(node));
    const uint8_t* const codes = data_.codes(node.split.feature);
    const auto part = [&](std::vector<uint32_t>& rows, size_t offset, size_t begin, size_t end) {
      return begin + part_in_order(rows.data() + begin, work_.spare.data() + offset + begin,
                                   end - begin, codes, sides.to_right, threads);
    };
    low.begin = node.begin, high.end = node.end;
    low.end = high.begin = part(work_.rows, 0, node.begin, node.end);
    low.others_begin = node.others_begin, high.others_end = node.others_end;
    low.others_end = high.others_begin =
        part(work_.others, work_.rows.size(), node.others_begin, node.others_end);
  }

  // Writes a divided node and its children into the tree.
  void enter(size_t parent) {
    GradientNode& node = nodes_[parent];
    const GainSplit& split = node.split;
    const Column& column = data_.column(split.feature);
    const CodeSides sides(column, split, heavy_right(node));
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

  // -------------------------------------------------------------------------------- finishing

  void finish() {
    const size_t n = tree_.size();
    tree_.values.assign(n, 0.0);
    for (size_t k = 0; k < n; ++k) tree_.value[k] = static_cast<int32_t>(k);
    const size_t total_rows = work_.rows.size() + work_.others.size();
    auto one = [&](size_t k) { settle(nodes_[k]); };
    const int threads = threads_for(total_rows * 4, threads_);
    if (threads == 1)
      for (size_t k = 0; k < nodes_.size(); ++k) one(k);
    else
      Pool::instance().run(nodes_.size(), threads, one);
  }

  // The value of a node, and the new scores of the rows where it is a leaf.
  void settle(const GradientNode& node) {
    const int32_t number = node.number;
    if (number < 0) return;  // searched ahead in vain
    const double l2 = data_.settings.l2;
    tree_.count[number] = node.terms.total.n;
    if (tree_.ask[number] != static_cast<uint8_t>(Ask::leaf)) {
      tree_.values[number] = gain::value_of(node.terms, node.terms.total, l2);
      tree_.weight[number] = static_cast<double>(node.terms.total.c) * node.terms.c_unit;
      return;
    }
    const LeafAnswer answer = answer_of(task_, work_, node, l2);
    tree_.values[number] = answer.value;
    tree_.weight[number] = answer.weight;
    if (task_.scores != nullptr) move_scores(task_, work_, node, task_.vote * answer.value);
  }

  const std::vector<int32_t>& features() const { return sums_.features(); }

  const GradientData& data_;
  GradientWork& work_;
  const GrowTask& task_;
  const int threads_;
  GradientSums sums_;
  std::vector<GradientNode> nodes_;
  OpenNodes open_;  // those that may be split
  TreeArrays tree_;
};

}  // namespace weaklearn
