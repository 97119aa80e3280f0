// Trees over examples of many labels: the search for one test, put again to the blocks it makes.
//
// The block whose test lowers the cost most is parted first (the first of equals), until the limits
// are reached or no test lowers it. Thresholds lie between neighbouring values of the whole sample.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "weaklearn/labels/label_search.hpp"
#include "weaklearn/tree/tree.hpp"

namespace weaklearn {

// How trees over examples of many labels are grown.
struct LabelTreeSettings : LabelSettings {
  uint32_t max_depth = 1;
  uint32_t max_leaf_nodes = 0;    // 0: no limit
  int64_t min_samples_split = 2;  // examples that a block must have to be parted
};

// What is added to both weights of a block where no smoothing is asked for: 1/2 ln of their ratio
// stays finite.
constexpr double kLeastSmoothing = 1e-300;

struct LabelTree {
  TreeArrays tree;            // values: the answers of every node
  std::vector<int64_t> sums;  // by node: k sums above 0, k below
  std::vector<int32_t> leaf;  // of every row
};

class LabelGrower {
 public:
  // Where rows are one partition of several (`all`), trees have one test.
  LabelGrower(const Columns& columns, const LabelTreeSettings& settings, int threads,
              const Collective* all = nullptr)
      : columns_(columns),
        settings_(settings),
        all_(all),
        search_(columns, settings, threads, all) {}

  // Partition: the answers are 1/2 ln((W+ + s)/(W- + s)), W+ and W- in shares of the weight.
  LabelTree grow(const LabelWeights& weights, double smoothing = 0) {
    weights_ = &weights;
    smoothing_ = smoothing > 0 ? smoothing : kLeastSmoothing;
    out_ = LabelTree{};
    out_.leaf.assign(columns_.n_rows(), 0);
    out_.tree.n_outputs = static_cast<uint32_t>(weights.n_labels());
    open_.clear();
    const int64_t examples = weights.examples();
    out_.tree.add(1.0, examples);
    Open root{0, 0, {}, search_.search(weights, {nullptr, columns_.n_rows(), nullptr, 0})};
    out_.sums = total_of(root.found);
    if (settings_.cost != LabelCost::partition) {
      if (settings_.cost == LabelCost::product)
        answer(root);
      else
        values_of(0, answers_of(out_.sums.data(), false));
      if (root.found.feature >= 0) part(root);
      return std::move(out_);
    }
    values_of(0, confidences(out_.sums.data()));
    uint32_t leaves = 1;
    if (gains(root) && examples >= settings_.min_samples_split) open_.push_back(std::move(root));
    while (!open_.empty()) {
      size_t best = 0;
      for (size_t k = 1; k < open_.size(); ++k)
        if (gain(open_[k]) > gain(open_[best])) best = k;
      Open node = std::move(open_[best]);
      open_.erase(open_.begin() + static_cast<ptrdiff_t>(best));
      const auto width = static_cast<uint32_t>(node.found.n_blocks);
      if (settings_.max_leaf_nodes > 0 && leaves + width - 1 > settings_.max_leaf_nodes) continue;
      leaves += width - 1;
      part(node);
      open_children(node);
    }
    return std::move(out_);
  }

 private:
  struct Open {
    int32_t node;
    uint32_t depth;
    std::vector<uint32_t> rows;  // empty at the root
    LabelFound found;
  };

  static double gain(const Open& node) { return node.found.cost_before - node.found.cost; }
  static bool gains(const Open& node) { return node.found.feature >= 0; }

  // Sums of all blocks together.
  std::vector<int64_t> total_of(const LabelFound& found) const {
    const size_t k = 2 * weights_->n_labels();
    std::vector<int64_t> total(k, 0);
    for (size_t b = 0; b < found.n_blocks; ++b)
      for (size_t l = 0; l < k; ++l) total[l] += found.sums[b * k + l];
    return total;
  }

  void values_of(int32_t node, const std::vector<double>& values) {
    TreeArrays& tree = out_.tree;
    tree.value[static_cast<size_t>(node)] =
        static_cast<int32_t>(tree.values.size() / tree.n_outputs);
    tree.values.insert(tree.values.end(), values.begin(), values.end());
  }

  // The share of the weight behind one of 2k sums.
  double share(const int64_t* sums, size_t l) const { return weights_->share(sums[l], l); }

  std::vector<double> confidences(const int64_t* sums) const {
    const size_t k = weights_->n_labels();
    std::vector<double> c(2 * k);
    for (size_t l = 0; l < 2 * k; ++l) c[l] = share(sums, l) + smoothing_;
    hot().logarithms(c.data(), 2 * k);
    // In whole numbers of 2^-40, so that sums of them are exact.
    constexpr double unit = 1099511627776.0;
    for (size_t l = 0; l < k; ++l) c[l] = std::rint(0.5 * (c[l] - c[k + l]) * unit) / unit;
    c.resize(k);
    return c;
  }

  // What a block answers by its sums alone; where silence is allowed, only one block speaks.
  std::vector<double> answers_of(const int64_t* sums, bool speaks) const {
    if (settings_.cost == LabelCost::partition || (settings_.cost == LabelCost::abstain && speaks))
      return confidences(sums);
    const size_t k = weights_->n_labels();
    std::vector<double> answers(k, 0.0);
    if (settings_.cost == LabelCost::discrete)
      for (size_t l = 0; l < k; ++l)
        answers[l] = share(sums, l) - share(sums, k + l) > 1e-12 ? 1.0 : -1.0;
    return answers;
  }

  // Product: u_l = sign of the sum over blocks of answer (W+ - W-); 0 has the sign -1.
  void answer(const Open& root) {
    const size_t k = weights_->n_labels();
    u_.assign(k, -1.0);
    for (size_t l = 0; l < k; ++l) {
      double sum = 0;
      for (size_t b = 0; b < root.found.n_blocks; ++b) {
        const int64_t* const sums = &root.found.sums[b * 2 * k];
        sum += root.found.side[b] * (share(sums, l) - share(sums, k + l));
      }
      if (sum > 1e-12) u_[l] = 1.0;
    }
    values_of(0, u_);
  }

  // Adds the blocks of a test as children and sends the rows there.
  void part(const Open& node) {
    const LabelFound& found = node.found;
    TreeArrays& tree = out_.tree;
    const size_t k = weights_->n_labels(), at = static_cast<size_t>(node.node);
    const auto first = static_cast<int32_t>(tree.size());
    tree.feature[at] = static_cast<int32_t>(found.feature);
    ask(at, found);
    tree.first[at] = first;
    tree.width[at] = static_cast<int32_t>(found.n_blocks);
    tree.gain[at] = (found.cost_before - found.cost) / weights_->total();
    int32_t heaviest = 0;
    double most = -1;
    const size_t speaking = found.test == Test::constant ? 0 : 1;
    for (size_t b = 0; b < found.n_blocks; ++b) {
      const auto sums = found.sums.begin() + static_cast<ptrdiff_t>(b * 2 * k);
      double weight = 0;
      for (size_t l = 0; l < 2 * k; ++l) weight += share(&sums[0], l);
      if (weight > most + 1e-12) heaviest = static_cast<int32_t>(b);
      most = std::max(most, weight);
      const int32_t child = tree.add(weight, 0);
      std::vector<double> values(k, 0.0);
      if (settings_.cost == LabelCost::product)
        for (size_t l = 0; l < k; ++l) values[l] = found.side[b] * u_[l];
      else
        values = answers_of(&found.sums[b * 2 * k], b == speaking);
      values_of(child, values);
      out_.sums.insert(out_.sums.end(), sums, sums + static_cast<ptrdiff_t>(2 * k));
    }
    tree.missing[at] = found.missing ? static_cast<int32_t>(found.n_blocks) - 1 : heaviest;
    send(node, first);
    count(first);
  }

  // How many examples the new leaves have.
  void count(int32_t first) {
    TreeArrays& tree = out_.tree;
    std::vector<int64_t> n(tree.size(), 0);
    count_rows(out_.leaf.data(), columns_.n_rows(), weights_->copies(), n);
    if (all_ != nullptr) all_->sum(n.data(), n.size());
    std::copy(n.begin() + first, n.end(), tree.count.begin() + first);
  }

  // Whether a value is known at all is asked as other trees do: no number is larger than the
  // largest, and no category is in the empty set.
  void ask(size_t at, const LabelFound& found) {
    TreeArrays& tree = out_.tree;
    if (found.test == Test::multiway) {
      tree.ask[at] = static_cast<uint8_t>(Ask::multiway);
    } else if (columns_[static_cast<size_t>(found.feature)].categorical) {
      CategorySet set{};
      if (found.test == Test::equality) set.add(found.category);
      tree.ask[at] = static_cast<uint8_t>(Ask::subset);
      tree.subset[at] = static_cast<int32_t>(tree.subsets.size());
      tree.subsets.push_back(set);
    } else {
      tree.ask[at] = static_cast<uint8_t>(Ask::threshold);
      tree.threshold[at] =
          found.test == Test::constant ? std::numeric_limits<double>::max() : found.threshold;
    }
  }

  // The leaf of every row at a node that is parted.
  void send(const Open& node, int32_t first) {
    const LabelFound& found = node.found;
    const Column& column = columns_[static_cast<size_t>(found.feature)];
    std::vector<int32_t> categories(column.n_codes);
    std::iota(categories.begin(), categories.end(), first);
    const int32_t high = found.test == Test::constant ? first : first + 1;
    const int32_t gap = first + static_cast<int32_t>(found.n_blocks) - 1;
    const Answers answers{found.test, found.threshold,  found.category, first, high,
                          gap,        categories.data()};
    int32_t outcome[256];
    const Cut cut = outcomes(column, answers, outcome);
    if (node.rows.empty()) {
      int32_t* const leaf = out_.leaf.data();
      route(column, columns_.n_rows(), outcome, cut, answers.high,
            [leaf](size_t i, int32_t child) { leaf[i] = child; });
      return;
    }
    if (column.sparse) {
      if (column.zero_code != kNoCode)
        for (uint32_t i : node.rows) out_.leaf[i] = outcome[column.zero_code];
      for (uint32_t e = 0; e < column.n_entries; ++e) {
        int32_t& leaf = out_.leaf[column.entry_rows[e]];
        if (leaf == node.node || leaf >= first) leaf = outcome[column.codes[e]];
      }
    } else {
      for (uint32_t i : node.rows) out_.leaf[i] = outcome[column.codes[i]];
    }
    if (cut.inside)
      for (uint32_t p = cut.position; p < column.bin_start[cut.code + 1]; ++p) {
        int32_t& leaf = out_.leaf[column.order[p] & kRowMask];
        if (leaf >= first) leaf = answers.high;
      }
  }

  // Searches the new blocks, where they may be parted further.
  void open_children(const Open& node) {
    if (node.depth + 1 >= settings_.max_depth) return;
    const TreeArrays& tree = out_.tree;
    const int32_t first = tree.first[static_cast<size_t>(node.node)];
    const int32_t width = tree.width[static_cast<size_t>(node.node)];
    std::vector<std::vector<uint32_t>> rows(static_cast<size_t>(width));
    const auto add = [&](uint32_t i) {
      rows[static_cast<size_t>(out_.leaf[i] - first)].push_back(i);
    };
    if (node.rows.empty())
      for (uint32_t i = 0; i < columns_.n_rows(); ++i) add(i);
    else
      for (uint32_t i : node.rows) add(i);
    for (int32_t b = 0; b < width; ++b) {
      const int32_t child = first + b;
      std::vector<uint32_t>& own = rows[static_cast<size_t>(b)];
      if (own.size() < 2 || tree.count[static_cast<size_t>(child)] < settings_.min_samples_split)
        continue;
      const LabelNode at{own.data(), own.size(), out_.leaf.data(), child};
      Open next{child, node.depth + 1, {}, search_.search(*weights_, at)};
      next.rows = std::move(own);
      if (gains(next)) open_.push_back(std::move(next));
    }
  }

  const Columns& columns_;
  LabelTreeSettings settings_;
  const Collective* all_;  // of all partitions; null where there is one
  LabelSearch search_;
  const LabelWeights* weights_ = nullptr;
  LabelTree out_;
  std::vector<Open> open_;
  std::vector<double> u_;
  double smoothing_ = 0;
};

}  // namespace weaklearn
