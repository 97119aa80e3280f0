// The search for the best test of a node: which columns are asked, and what becomes of the answer.
//
// The columns of a large node are shared out over threads; as the choice among tests does not
// depend on the order in which they are offered, any number of threads finds the same.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "weaklearn/threads/pool.hpp"
#include "weaklearn/tree/node.hpp"
#include "weaklearn/tree/split_scan.hpp"

namespace weaklearn {

class Search {
 public:
  Search(const TreeData& data, const TreeSettings& settings)
      : node_(data, settings), histogram_(data, settings) {
    for (size_t j = 0; j < data.size(); ++j)
      if (data.column(j).n_slots() > 1 || data.column(j).coarse)
        order_.push_back(static_cast<uint32_t>(j));
    scanners_.push_back(std::make_unique<SplitScan>(node_, histogram_));
  }

  Node& node() { return node_; }
  const Histogram& histogram() const { return histogram_; }

  // A new tree; the key tells its drawn columns from those of other trees.
  void begin(const Examples& examples, uint64_t key) {
    node_.begin(examples);
    histogram_.begin(examples);
    key_ = key;
  }

  // The best test of the node entered, if there is one worth asking; answers of its children stay
  // within [low, high]. sums: those of the node by code, or null. Several threads only where no job
  // of the pool is under way.
  bool find(uint64_t path, double low, double high, Sums* sums, int threads, Split& split) {
    node_.key = key_;
    node_.path = path;
    scanners_[0]->enter(low, high, sums);
    const size_t d = order_.size();
    if (node_.settings.max_features == 0 || node_.settings.max_features >= d)
      look_at_all(low, high, sums, threads);
    else
      look_at_some(path);
    scanners_[0]->leave();
    const Candidate* chosen = best_split().chosen();
    if (chosen == nullptr) return false;
    decide(*chosen, split);
    return true;
  }

 private:
  BestSplit& best_split() { return scanners_[0]->best_split(); }

  // ---- columns

  void look_at_all(double low, double high, Sums* sums, int threads) {
    const size_t d = order_.size(), steps = node_.view == Node::View::classes ? 4 : 1;
    const auto parts = std::min(static_cast<size_t>(threads_for(steps * node_.n * d, threads)), d);
    if (parts < 2) return scanners_[0]->look_at(order_.data(), d);
    while (scanners_.size() < parts)
      scanners_.push_back(std::make_unique<SplitScan>(node_, histogram_));
    Pool::instance().run(parts, static_cast<int>(parts), [&](size_t t) {
      const size_t first = d * t / parts, last = d * (t + 1) / parts;
      if (t > 0) scanners_[t]->enter(low, high, sums);
      scanners_[t]->look_at(&order_[first], last - first);
    });
    for (size_t t = 1; t < parts; ++t) {
      scanners_[t]->leave();
      best_split().join(scanners_[t]->best_split());
    }
  }

  // Columns in an order drawn for this node: as many as asked for, and more until one helps.
  void look_at_some(uint64_t path) {
    Stream stream(node_.settings.seed, key_, path);
    const size_t d = order_.size();
    swaps_.clear();
    const auto next = [&] {
      const size_t i = swaps_.size(), r = i + stream.below(d - i);
      std::swap(order_[i], order_[r]);
      swaps_.push_back(static_cast<uint32_t>(r));
      return order_[i];
    };
    drawn_.clear();
    while (drawn_.size() < node_.settings.max_features) drawn_.push_back(next());
    std::sort(drawn_.begin(), drawn_.end());
    scanners_[0]->look_at(drawn_.data(), drawn_.size());
    while (best_split().chosen() == nullptr && swaps_.size() < d) {
      const uint32_t j = next();
      scanners_[0]->look_at(&j, 1);
    }
    for (size_t i = swaps_.size(); i > 0; --i) std::swap(order_[i - 1], order_[swaps_[i - 1]]);
  }

  // ---- the chosen test

  void decide(const Candidate& c, Split& split) const {
    const Column& column = node_.data.column(c.feature);
    const bool has_missing = column.has_missing && misses(c.feature);
    split = Split{};
    split.ask = c.ask;
    split.feature = c.feature;
    split.gain = c.gain * node_.gain_unit();
    split.set = c.set;
    split.low_value = c.low_value;
    split.high_value = c.high_value;
    split.width = c.ask == Ask::multiway ? column.n_codes : 2;
    const bool own = has_missing && node_.settings.branches() && !c.known;
    split.missing = static_cast<int32_t>(own ? split.width : has_missing ? c.missing : c.heaviest);
    split.width += own;
    uint32_t cut = 0;
    if (c.known) {  // no number is larger, and no category is in the empty set
      cut = column.n_codes;
      if (column.categorical) split.ask = Ask::subset;
      if (!column.categorical) split.threshold = std::numeric_limits<double>::max();
    } else if (c.ask == Ask::threshold) {
      cut = place_threshold(c, split);
    }
    for (uint32_t code = 0; code < column.n_codes; ++code)
      split.outcome[code] = static_cast<uint8_t>(c.ask == Ask::multiway    ? code
                                                 : c.ask == Ask::threshold ? code >= cut
                                                                           : c.set.has(code));
    if (column.has_missing) split.outcome[column.n_codes] = static_cast<uint8_t>(split.missing);
    if (node_.settings.missing == MissingTest::fraction) split.missing = kEveryChild;
  }

  bool misses(uint32_t j) const {
    const Node::Codes codes = node_.codes(j);
    const uint32_t gap = node_.data.column(j).n_codes;
    for (size_t k = 0; k < node_.n; ++k)
      if (codes[node_.rows[k]] == gap) return true;
    return false;
  }

  // The threshold between two neighbouring values or codes, and the first code beyond it. Between
  // codes it never falls inside the range of a third one: codes and values part rows alike.
  uint32_t place_threshold(const Candidate& c, Split& split) const {
    const Column& column = node_.data.column(c.feature);
    const auto between = [&](double a, double b) {
      return std::isnan(c.drawn) ? cut_between(a, b) : std::max(c.drawn, a);
    };
    if (c.inner) {
      split.threshold = between(node_.data.value(c.feature, c.code, c.low),
                                node_.data.value(c.feature, c.code, c.high));
      split.inner = true;
      split.rank = c.high;
      split.open = c.code;
      return c.code + 1;
    }
    if (node_.data.ranks(c.feature) != nullptr) {
      split.threshold = between(end_of(c.feature, c.low, true), end_of(c.feature, c.high, false));
      return c.high;
    }
    split.threshold = between(column.greatest(c.low), column.least(c.high));
    uint32_t first = c.low + 1;
    while (column.greatest(first) <= split.threshold) ++first;
    if (column.least(first) <= split.threshold)
      split.threshold = cut_between(column.greatest(first - 1), column.least(first));
    return first;
  }

  // The largest (smallest) value of a code among the node's rows.
  double end_of(uint32_t j, uint32_t code, bool largest) const {
    const uint8_t* codes = node_.data.codes(j);
    const uint32_t* ranks = node_.data.ranks(j);
    uint32_t least = std::numeric_limits<uint32_t>::max(), most = 0;
    for (size_t k = 0; k < node_.n; ++k) {
      if (codes[node_.rows[k]] != code) continue;
      least = std::min(least, ranks[node_.rows[k]]);
      most = std::max(most, ranks[node_.rows[k]]);
    }
    return node_.data.value(j, code, largest ? most : least);
  }

  Node node_;
  Histogram histogram_;
  std::vector<std::unique_ptr<SplitScan>>
      scanners_;  // the first for all, the others for large nodes
  uint64_t key_ = 0;
  std::vector<uint32_t> order_;  // columns that tell rows apart; the others are never drawn
  std::vector<uint32_t> swaps_, drawn_;
};

}  // namespace weaklearn
