// The node that is looked at: its rows with their weights and labels side by side, and their sums.
//
// Of many classes only those present count; where two are left, they are pairs.
//
// Cost: O(rows of the node) to enter it. Memory: O(rows of the largest node entered).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "weaklearn/tree/examples.hpp"
#include "weaklearn/tree/medians.hpp"
#include "weaklearn/tree/split.hpp"
#include "weaklearn/tree/tree_data.hpp"
#include "weaklearn/tree/tree_settings.hpp"

namespace weaklearn {

class Node {
 public:
  enum class View : uint8_t { packed, pairs, classes };

  Node(const TreeData& on, const TreeSettings& by) : data(on), settings(by) {
    class_sum.assign(data.n_classes(), 0);
    const bool tolled =
        settings.categorical == CategorySplit::subset && settings.category_noise > 0;
    const bool one_number = data.n_classes() == 0 && data.n_targets() == 0;
    for (size_t j = 0; j < data.size() && one_number; ++j)
      scatters_ |= tolled && data.column(j).categorical;
    present_at_.assign(data.n_classes(), 0);
  }

  const TreeData& data;
  const TreeSettings& settings;

  // A new tree.
  void begin(const Examples& examples) {
    examples_ = &examples;
    plain = examples.plain();
    logs = examples.logs();
    all = examples.total();
    scale = examples.scale();
    single_ = examples.bag().count == static_cast<int64_t>(examples.bag().rows.size());
    if (single_) counts.assign(counts.size(), 1);
    repeats = examples.bag().repeats;
    least_ = settings.least_share * static_cast<double>(all) * (1 - 1e-12);
  }

  // Looks at rows; own: the weights of one copy of each, or null for the bag's.
  void enter(const uint32_t* of, size_t size, const int64_t* own) {
    rows = of;
    n = size;
    own_ = own;
    make_room();
    if (data.n_classes() > 2)
      enter_classes();
    else if (plain && data.n_classes() > 0)
      enter_packed();
    else
      enter_pairs();
  }

  // What the node answers: class shares, or the mean. Gives the class of a pure node, else -1.
  int32_t answer(double* out) const {
    const size_t k = data.n_classes();
    if (data.n_targets() > 0) return answer_targets(out);
    if (k == 0) {
      const bool median = settings.criterion == Criterion::absolute_error;
      const double centre = pure ? least_number_ : median ? middle_number() : sum.mean() / scale;
      out[0] = centre * data.reach() + data.middle();
      return -1;
    }
    const double w = static_cast<double>(sum.w);
    if (k <= 2) {
      if (k == 2) out[1] = static_cast<double>(sum.a) / w;
      out[0] = static_cast<double>(sum.w - sum.a) / w;
      return !pure ? -1 : sum.a > 0 ? 1 : 0;
    }
    std::fill(out, out + k, 0.0);
    for (uint32_t c : present) out[c] = static_cast<double>(class_sum[c]) / w;
    return pure ? static_cast<int32_t>(present[0]) : -1;
  }

  // Gains are whole numbers times this: the data's numbers, squares of them, or 1.
  double gain_unit() const {
    const double unit = data.reach() / scale;
    if (data.n_classes() > 0 || data.n_targets() > 0) return 1.0;
    return settings.criterion == Criterion::squared_error ? unit * unit : unit;
  }
  // Gains closer than this are tied.
  double tie() const {
    const double range = highest() - lowest(), all_of_it = kTied * static_cast<double>(sum.w);
    if (data.n_targets() > 0) return all_of_it * spread_;
    if (settings.criterion == Criterion::poisson) return all_of_it * (highest() - zero());
    return all_of_it * (settings.criterion == Criterion::absolute_error ? range : range * range);
  }
  // The mean of a block of numbers that are all 0.
  double zero() const { return -data.middle() / data.reach() * scale; }
  // Whether a block is worth a rate: where every number is 0, no later event would be likely.
  bool has_rate(const Pair& block) const {
    const double w = static_cast<double>(block.w);
    return static_cast<double>(block.a) - w * zero() > kTied * w * (highest() - zero());
  }
  // Between which means of pairs lie at this node.
  double lowest() const { return data.n_classes() == 0 ? least_number_ * scale : 0.0; }
  double highest() const { return data.n_classes() == 0 ? most_number_ * scale : 1.0; }

  // Examples are counted apart where weights are not counts.
  bool counting() const { return settings.min_samples_leaf > 1 && !plain; }
  // Of n cuts all but so many at either end leave enough on both sides: every value between two
  // cuts has an example.
  size_t sure_margin(size_t n) const {
    if (least_ > 1) return n;
    return std::min(static_cast<size_t>(std::max<int64_t>(settings.min_samples_leaf, 1)) - 1, n);
  }
  bool enough(int64_t w, int64_t examples) const {
    return examples >= settings.min_samples_leaf && heavy(w);
  }
  bool heavy(int64_t w) const { return static_cast<double>(w) >= least_; }
  // More than rounding may have made of equal weights.
  bool heavier(int64_t a, int64_t b) const {
    return static_cast<double>(a - b) > kTied * static_cast<double>(sum.w);
  }

  // As many draws of different examples would tell as much.
  double n_drawn() const { return static_cast<double>(count) / repeats; }

  // Several targets: the row's part of the sums, and the sums of the node.
  const int64_t* targets_at(size_t k) const { return examples_->targets_at(rows[k]); }
  std::vector<int64_t> target_sum;

  // What a block of weight w > 0 with such sums of the targets is worth: by squares it is w times
  // the squared distance of its means from the node's, by entropy the sum over classes of w lg w.
  double target_merit(int64_t weight, const int64_t* sums) const {
    const double w = static_cast<double>(weight);
    double total = 0;
    if (settings.criterion == Criterion::entropy) {
      for (size_t k = 0; k < data.n_targets(); ++k)
        total += x_log_x(static_cast<double>(sums[k]) / scale);
      return total / static_cast<double>(data.n_parts()) - x_log_x(w);
    }
    for (size_t k = 0; k < data.n_targets(); ++k) {
      const double away = (static_cast<double>(sums[k]) / w - target_mean_[k]) / scale;
      total += data.target(k).share * away * away;
    }
    return w * total;
  }

  // Where a class of the sample stands among those present.
  uint32_t place_of(uint32_t label) const { return present_at_[label]; }

  // The codes of a column at codes[row * step]: across where rows lie far apart.
  struct Codes {
    const uint8_t* codes;
    size_t step;
    uint8_t operator[](uint32_t row) const { return codes[row * step]; }
  };
  Codes codes(uint32_t j) const {
    if (data.scattered(n)) return {data.across() + j, data.stride()};
    return {data.codes(j), 1};
  }

  // What draws at the node are keyed by: the tree, and the way to the node.
  uint64_t key = 0, path = 1;

  // Of the tree.
  bool plain = true;                // weights are numbers of copies
  const WholeLogs* logs = nullptr;  // where they are
  int64_t all = 0;                  // the weight of the root
  double scale = 1;                 // whole numbers a unit of weight times the data's numbers
  double repeats = 1;               // of an example in the bag

  // Of the node; which list of rows is filled, the view tells.
  const uint32_t* rows = nullptr;
  size_t n = 0;
  View view = View::pairs;
  Pair sum{0, 0};
  int64_t count = 0;
  bool pure = false;
  double scatter = 0;  // numbers: the sum of squares around the mean, where a test may need it
  std::vector<uint64_t> packed_rows;
  std::vector<Pair> pair_rows;
  std::vector<uint32_t> labels;  // classes, numbered among those present
  std::vector<int64_t> counts;
  std::vector<uint32_t> present;   // the classes at the node
  std::vector<int64_t> class_sum;  // by class, over all there are

 private:
  void make_room() {
    const bool packs = plain && data.n_classes() > 0;
    if (packs && packed_rows.size() < n) packed_rows.resize(n);
    const bool pairs = !packs || data.n_classes() > 2;
    if (pairs && pair_rows.size() < n) pair_rows.resize(n);
    if (data.n_classes() > 2 && labels.size() < n) labels.resize(n);
    if (!plain && counts.size() < n) counts.resize(n, 1);
  }

  Pair pair_at(size_t k) const {
    return own_ == nullptr ? examples_->pair_at(rows[k]) : examples_->pair_of(rows[k], own_[k]);
  }

  void enter_packed() {
    view = View::packed;
    uint64_t total = 0;
    for (size_t k = 0; k < n; ++k) total += packed_rows[k] = examples_->packed_at(rows[k]);
    sum = unpacked(total);
    count = sum.w;
    pure = sum.a == 0 || sum.a == sum.w;
  }

  void enter_pairs() {
    view = View::pairs;
    sum = {0, 0};
    for (size_t k = 0; k < n; ++k) sum += pair_rows[k] = pair_at(k);
    count_rows();
    if (data.n_targets() > 0) return enter_targets();
    if (data.n_classes() > 0) {
      pure = sum.a == 0 || sum.a == sum.w;
      return;
    }
    least_number_ = most_number_ = data.numbers()[rows[0]];
    for (size_t k = 1; k < n; ++k) {
      least_number_ = std::min(least_number_, data.numbers()[rows[k]]);
      most_number_ = std::max(most_number_, data.numbers()[rows[k]]);
    }
    pure = least_number_ == most_number_;
    if (scatters_ && !pure) scatter = squares();
  }

  void enter_targets() {
    const size_t k = data.n_targets();
    target_sum.assign(k, 0);
    target_mean_.assign(k, 0);
    least_target_.assign(data.targets_of(rows[0]), data.targets_of(rows[0]) + k);
    most_target_ = least_target_;
    for (size_t i = 0; i < n; ++i) {
      const int64_t* const part = targets_at(i);
      const double* const y = data.targets_of(rows[i]);
      for (size_t t = 0; t < k; ++t) {
        target_sum[t] += part[t];
        least_target_[t] = std::min(least_target_[t], y[t]);
        most_target_[t] = std::max(most_target_[t], y[t]);
      }
    }
    pure = true;
    spread_ = settings.criterion == Criterion::entropy ? 1.0 : 0.0;
    for (size_t t = 0; t < k; ++t) {
      const double range = most_target_[t] - least_target_[t];
      pure = pure && range == 0;
      if (settings.criterion != Criterion::entropy) spread_ += data.target(t).share * range * range;
      target_mean_[t] = static_cast<double>(target_sum[t]) / static_cast<double>(sum.w);
    }
  }

  int32_t answer_targets(double* out) const {
    for (size_t t = 0; t < data.n_targets(); ++t) {
      const bool alike = least_target_[t] == most_target_[t];
      const double centre = alike ? least_target_[t] : target_mean_[t] / scale;
      out[t] = centre * data.target(t).reach + data.target(t).middle;
    }
    return -1;
  }

  double middle_number() const {
    std::vector<Weighed> all_numbers(n);
    for (size_t k = 0; k < n; ++k)
      all_numbers[k] = {data.numbers()[rows[k]], pair_rows[k].w, pair_rows[k].a};
    return median_of(all_numbers);
  }

  // Each square is rounded to a whole number, of one copy of each row.
  double squares() const {
    int exponent = 0;
    std::frexp(static_cast<double>(sum.w), &exponent);
    const double unit = std::ldexp(1.0, exponent - 61), mean = sum.mean();
    const double range = highest() - lowest();
    int64_t total = 0;
    for (size_t k = 0; k < n; ++k) {
      const int64_t w = pair_rows[k].w, copies = plain ? w : counts[k];
      const double away = (data.numbers()[rows[k]] * scale - mean) / range;
      total += copies * std::llrint(static_cast<double>(w / copies) * away * away / unit);
    }
    return static_cast<double>(total) * unit * range * range;
  }

  void count_rows() {
    count = plain ? sum.w : single_ ? static_cast<int64_t>(n) : 0;
    if (plain || single_) return;
    for (size_t k = 0; k < n; ++k) count += counts[k] = examples_->bag().copies[rows[k]];
  }

  void enter_classes() {
    for (uint32_t c : present) class_sum[c] = 0;
    present.clear();
    for (size_t k = 0; k < n; ++k) {
      const Pair pair = pair_at(k);  // of many classes, the label stands beside the weight
      const auto c = static_cast<uint32_t>(pair.a);
      const int64_t w = pair.w;
      if (class_sum[c] == 0) present.push_back(c);
      class_sum[c] += w;
      pair_rows[k].w = w;
      labels[k] = c;
    }
    std::sort(present.begin(), present.end());
    sum = {0, 0};
    for (uint32_t k = 0; k < present.size(); ++k) {
      present_at_[present[k]] = k;
      sum.w += class_sum[present[k]];
    }
    count_rows();
    pure = present.size() < 2;
    if (pure) return;
    const bool two = present.size() == 2;
    view = !two ? View::classes : plain ? View::packed : View::pairs;
    if (two) sum.a = class_sum[present[1]];
    for (size_t k = 0; k < n; ++k) {
      const uint32_t c = labels[k] = present_at_[labels[k]];
      if (view == View::packed) packed_rows[k] = packed(pair_rows[k].w, c == 1);
      if (view == View::pairs) pair_rows[k].a = c == 1 ? pair_rows[k].w : 0;
    }
  }

  const Examples* examples_ = nullptr;
  const int64_t* own_ = nullptr;
  bool single_ = false;  // every row is one example
  double least_ = 0;     // weight of a block
  double least_number_ = 0, most_number_ = 0;
  bool scatters_ = false;
  std::vector<double> target_mean_, least_target_, most_target_;
  double spread_ = 0;  // several targets: the most that a weight of 1 can be worth
  std::vector<uint32_t> present_at_;
};

}  // namespace weaklearn
