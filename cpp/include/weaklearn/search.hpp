// The search for the best test of a node: which columns are asked, and what becomes of the answer.
//
// Rows of the node are summed by code, a batch of columns at a time. A small node notes the slots
// it touches, so that it costs what its rows cost and never a whole table.
//
// Cost: one addition a row and column asked. Memory: O(rows of the root).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "weaklearn/class_scan.hpp"
#include "weaklearn/contest.hpp"
#include "weaklearn/node.hpp"
#include "weaklearn/pair_scan.hpp"
#include "weaklearn/value_order.hpp"

namespace weaklearn {

class Search {
 public:
  Search(const Ground& ground, const Rules& rules, const WholeLogs& logs)
      : node_(ground, rules, logs),
        contest_(node_),
        value_order_(node_),
        pairs_(node_, contest_, value_order_),
        classes_(node_, contest_, value_order_),
        order_(ground.size()) {
    for (size_t j = 0; j < order_.size(); ++j) order_[j] = static_cast<uint32_t>(j);
    pair_tables_.assign(kBatch * 256, Pair{0, 0});
    packed_tables_.assign(kBatch * 256, 0);
    count_tables_.assign(kBatch * 256, 0);
  }

  Node& node() { return node_; }

  // A new tree; the key tells its drawn columns from those of other trees.
  void begin(const Bag& bag, uint64_t key) {
    node_.begin(bag);
    key_ = key;
  }

  // The best test of the node entered, if there is one worth asking; answers of its children stay
  // within [low, high].
  bool find(uint64_t path, double low, double high, Split& split) {
    contest_.clear(low, high);
    if (node_.view == Node::View::classes) classes_.enter();
    const size_t d = node_.ground.size();
    if (node_.rules.max_features == 0 || node_.rules.max_features >= d)
      look_at(order_.data(), d);
    else
      look_at_some(path);
    value_order_.leave();
    const Candidate* chosen = contest_.chosen();
    if (chosen == nullptr) return false;
    decide(*chosen, split);
    return true;
  }

 private:
  static constexpr size_t kBatch = 8;
  static constexpr size_t kFew = 128;  // rows up to which slots are noted as they are touched

  // ---- columns

  // Columns in an order drawn for this node: as many as asked for, and more until one helps.
  void look_at_some(uint64_t path) {
    Stream stream(node_.rules.seed, key_, path);
    const size_t d = node_.ground.size();
    swaps_.clear();
    const auto next = [&] {
      const size_t i = swaps_.size(), r = i + stream.below(d - i);
      std::swap(order_[i], order_[r]);
      swaps_.push_back(static_cast<uint32_t>(r));
      return order_[i];
    };
    drawn_.clear();
    while (drawn_.size() < node_.rules.max_features) drawn_.push_back(next());
    std::sort(drawn_.begin(), drawn_.end());
    look_at(drawn_.data(), drawn_.size());
    while (contest_.chosen() == nullptr && swaps_.size() < d) {
      const uint32_t j = next();
      look_at(&j, 1);
    }
    for (size_t i = swaps_.size(); i > 0; --i) std::swap(order_[i - 1], order_[swaps_[i - 1]]);
  }

  void look_at(const uint32_t* features, size_t n) {
    if (node_.view != Node::View::classes) {
      for (size_t f = 0; f < n; f += kBatch) look_at_batch(features + f, std::min(kBatch, n - f));
      return;
    }
    for (size_t f = 0; f < n; ++f) {
      contest_.open_feature();
      classes_.look(features[f]);
      contest_.close_feature();
    }
  }

  void look_at_batch(const uint32_t* features, size_t width) {
    const bool packed = node_.view == Node::View::packed;
    const bool few = node_.n <= kFew;
    if (packed)
      tabulate(features, width, node_.packed_rows.data(), packed_tables_.data());
    else
      tabulate(features, width, node_.pair_rows.data(), pair_tables_.data());
    if (node_.counting()) tabulate(features, width, node_.counts.data(), count_tables_.data());
    for (size_t f = 0; f < width; ++f) {
      PairTable table;
      if (packed) table.packed = &packed_tables_[f * 256];
      if (!packed) table.pairs = &pair_tables_[f * 256];
      if (node_.counting()) table.counts = &count_tables_[f * 256];
      if (few) table.touched = touched_ + 4 * f;
      contest_.open_feature();
      pairs_.look(features[f], table);
      contest_.close_feature();
    }
  }

  // Sums of the node's rows by code for a batch of columns, into tables that are zero.
  template <class Value>
  void tabulate(const uint32_t* features, size_t width, const Value* value, Value* tables) {
    if (node_.n > kFew || !node_.ground.scattered(node_.n)) {
      for (size_t f = 0; f < width; ++f) add_column(features[f], value, tables + f * 256);
      if (node_.n <= kFew) touch(features, width);
      return;
    }
    switch (width) {  // a row's codes lie together: all its columns at once
      case 8:
        return add_few<8>(features, value, tables);
      case 7:
        return add_few<7>(features, value, tables);
      case 6:
        return add_few<6>(features, value, tables);
      case 5:
        return add_few<5>(features, value, tables);
      case 4:
        return add_few<4>(features, value, tables);
      case 3:
        return add_few<3>(features, value, tables);
      case 2:
        return add_few<2>(features, value, tables);
      default:
        return add_few<1>(features, value, tables);
    }
  }

  template <size_t width, class Value>
  void add_few(const uint32_t* features, const Value* value, Value* tables) {
    std::fill(touched_, touched_ + 4 * width, 0);
    uint32_t at[width];
    for (size_t f = 0; f < width; ++f) at[f] = features[f];
    const uint8_t* const across = node_.ground.across();
    const size_t stride = node_.ground.stride();
    for (size_t k = 0; k < node_.n; ++k) {
      const uint8_t* codes = across + node_.rows[k] * stride;
      const Value v = value[k];
      for (size_t f = 0; f < width; ++f) {
        const uint8_t c = codes[at[f]];
        tables[f * 256 + c] += v;
        touched_[4 * f + (c >> 6)] |= uint64_t{1} << (c & 63);
      }
    }
  }

  template <class Value>
  void add_column(uint32_t j, const Value* value, Value* table) const {
    const Node::Codes codes = node_.codes(j);
    for (size_t k = 0; k < node_.n; ++k) table[codes[node_.rows[k]]] += value[k];
  }

  void touch(const uint32_t* features, size_t width) {
    std::fill(touched_, touched_ + 4 * width, 0);
    for (size_t f = 0; f < width; ++f) {
      const Node::Codes codes = node_.codes(features[f]);
      for (size_t k = 0; k < node_.n; ++k) {
        const uint8_t c = codes[node_.rows[k]];
        touched_[4 * f + (c >> 6)] |= uint64_t{1} << (c & 63);
      }
    }
  }

  // ---- the chosen test

  void decide(const Candidate& c, Split& split) const {
    const Column& column = node_.ground.column(c.feature);
    const bool has_missing = column.has_missing && misses(c.feature);
    split = Split{};
    split.ask = c.ask;
    split.feature = c.feature;
    split.gain = c.gain * node_.gain_unit();
    split.set = c.set;
    split.low_value = c.low_value;
    split.high_value = c.high_value;
    split.width = c.ask == Ask::multiway ? column.n_codes : 2;
    const bool own = has_missing && node_.rules.missing == MissingTest::branch && !c.known;
    split.missing = static_cast<int32_t>(own ? split.width : has_missing ? c.missing : c.heaviest);
    split.width += own;
    uint32_t cut = 0;
    if (c.known) {  // no number is larger, and no level is in the empty set
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
    if (node_.rules.missing == MissingTest::fraction) split.missing = kEveryChild;
  }

  bool misses(uint32_t j) const {
    const Node::Codes codes = node_.codes(j);
    const uint32_t gap = node_.ground.column(j).n_codes;
    for (size_t k = 0; k < node_.n; ++k)
      if (codes[node_.rows[k]] == gap) return true;
    return false;
  }

  // The threshold between two neighbouring values or codes, and the first code beyond it. Between
  // codes it never falls inside the range of a third one: codes and values part rows alike.
  uint32_t place_threshold(const Candidate& c, Split& split) const {
    const Column& column = node_.ground.column(c.feature);
    if (c.inner) {
      split.threshold = cut_between(column.sorted(c.low), column.sorted(c.high));
      split.inner = true;
      split.rank = c.high;
      split.open = code_at(column, c.high);
      return split.open + 1;
    }
    if (node_.ground.ranks(c.feature) != nullptr) {
      split.threshold =
          cut_between(end_of(c.feature, c.low, true), end_of(c.feature, c.high, false));
      return c.high;
    }
    split.threshold = cut_between(column.greatest(c.low), column.least(c.high));
    uint32_t first = c.low + 1;
    while (column.greatest(first) <= split.threshold) ++first;
    if (column.least(first) <= split.threshold)
      split.threshold = cut_between(column.greatest(first - 1), column.least(first));
    return first;
  }
  static uint32_t code_at(const Column& column, uint32_t position) {
    const uint32_t* starts = column.bin_start.get();
    return static_cast<uint32_t>(std::upper_bound(starts, starts + column.n_codes + 1, position) -
                                 starts - 1);
  }

  // The largest (smallest) value of a code among the node's rows.
  double end_of(uint32_t j, uint32_t code, bool largest) const {
    const uint8_t* codes = node_.ground.codes(j);
    const uint32_t* ranks = node_.ground.ranks(j);
    uint32_t least = std::numeric_limits<uint32_t>::max(), most = 0;
    for (size_t k = 0; k < node_.n; ++k) {
      if (codes[node_.rows[k]] != code) continue;
      least = std::min(least, ranks[node_.rows[k]]);
      most = std::max(most, ranks[node_.rows[k]]);
    }
    return node_.ground.value(j, code, largest ? most : least);
  }

  Node node_;
  Contest contest_;
  ValueOrder value_order_;
  PairScan pairs_;
  ClassScan classes_;
  uint64_t key_ = 0;
  std::vector<uint32_t> order_, swaps_, drawn_;
  uint64_t touched_[4 * kBatch];
  std::vector<Pair> pair_tables_;
  std::vector<uint64_t> packed_tables_;
  std::vector<int64_t> count_tables_;
};

}  // namespace weaklearn
