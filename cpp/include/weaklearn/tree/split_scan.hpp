// Looking at columns of a node: their rows are summed by code, and their tests offered.
//
// A batch of columns is summed at a time. A small node notes the slots it touches, so that it costs
// what its rows cost and never a whole table. Several scanners may look at one node, each at
// columns of its own.
//
// Cost: one addition a row and column.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weaklearn/tree/best_split.hpp"
#include "weaklearn/tree/code_counts.hpp"
#include "weaklearn/tree/histogram.hpp"
#include "weaklearn/tree/node.hpp"
#include "weaklearn/tree/split_scan_classes.hpp"
#include "weaklearn/tree/split_scan_pairs.hpp"
#include "weaklearn/tree/split_scan_rows.hpp"
#include "weaklearn/tree/value_order.hpp"

namespace weaklearn {

class SplitScan {
 public:
  SplitScan(const Node& node, const Histogram& histogram)
      : node_(node),
        histogram_(histogram),
        best_split_(node),
        value_order_(node),
        counts_(node),
        pairs_(node, best_split_, value_order_, counts_),
        classes_(node, best_split_, value_order_, counts_),
        rows_(node, best_split_, value_order_) {
    pair_tables_.assign(kBatch * 256, Pair{0, 0});
    packed_tables_.assign(kBatch * 256, 0);
  }

  BestSplit& best_split() { return best_split_; }

  // A node has been entered; answers of its children stay within [low, high]. Its sums by code, if
  // it has them, are read in place of its rows.
  void enter(double low, double high, Sums* sums) {
    best_split_.clear(low, high);
    counts_.enter();
    sums_ = sums;
    if (node_.settings.by_row()) return rows_.enter();
    if (node_.view == Node::View::classes) classes_.enter();
  }
  // To be called before another node is entered.
  void leave() { value_order_.leave(); }

  // Offers the tests of these columns, which ascend.
  void look_at(const uint32_t* features, size_t n) {
    if (node_.settings.by_row()) {
      for (size_t f = 0; f < n; ++f) rows_.look(features[f]);
      return;
    }
    if (node_.view == Node::View::classes)
      return classes_.look(features, n, [&](uint32_t j) -> const int64_t* {
        const bool by_code = node_.data.ranks(j) == nullptr;
        return sums_ != nullptr && by_code ? sums_->data() + histogram_.start(j) : nullptr;
      });
    // The sums of many classes do not serve a node of two.
    if (sums_ != nullptr && node_.data.n_classes() <= 2) return look_at_sums(features, n);
    for (size_t f = 0; f < n; f += kBatch) look_at_batch(features + f, std::min(kBatch, n - f));
  }

 private:
  static constexpr size_t kBatch = 8;
  static constexpr size_t kFew = 128;  // rows up to which slots are noted as they are touched

  void look_at_sums(const uint32_t* features, size_t n) {
    for (size_t f = 0; f < n; ++f) {
      int64_t* sums = sums_->data() + histogram_.start(features[f]);
      PairTable table;
      table.kept = true;
      if (node_.view == Node::View::packed)
        table.packed = reinterpret_cast<uint64_t*>(sums);
      else
        table.words = sums;
      best_split_.open_feature();
      pairs_.look(features[f], table);
      best_split_.close_feature();
    }
  }

  void look_at_batch(const uint32_t* features, size_t width) {
    const bool packed = node_.view == Node::View::packed;
    const bool few = node_.n <= kFew;
    if (packed)
      tabulate(features, width, node_.packed_rows.data(), packed_tables_.data());
    else
      tabulate(features, width, node_.pair_rows.data(), pair_tables_.data());
    for (size_t f = 0; f < width; ++f) {
      PairTable table;
      if (packed) table.packed = &packed_tables_[f * 256];
      if (!packed) table.pairs = &pair_tables_[f * 256];
      if (few) table.touched = touched_ + 4 * f;
      best_split_.open_feature();
      pairs_.look(features[f], table);
      best_split_.close_feature();
    }
  }

  // Sums of the node's rows by code for a batch of columns, into tables that are zero.
  template <class Value>
  void tabulate(const uint32_t* features, size_t width, const Value* value, Value* tables) {
    if (node_.n > kFew || !node_.data.scattered(node_.n)) {
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
    const uint8_t* const across = node_.data.across();
    const size_t stride = node_.data.stride();
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

  const Node& node_;
  const Histogram& histogram_;
  Sums* sums_ = nullptr;
  BestSplit best_split_;
  ValueOrder value_order_;
  CodeCounts counts_;
  PairSplitScan pairs_;
  ClassSplitScan classes_;
  RowSplitScan rows_;
  uint64_t touched_[4 * kBatch];
  std::vector<Pair> pair_tables_;
  std::vector<uint64_t> packed_tables_;
};

}  // namespace weaklearn
