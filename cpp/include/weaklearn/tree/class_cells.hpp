// A column at a node of many classes, turned into cells: the weight of one class at one code, in
// order of code; by a table where rows are many for the codes and classes present, else by sorting
// the rows.
//
// Cost: O(rows) and O(cells) a column, whatever the number of classes of the whole sample.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "weaklearn/tree/code_counts.hpp"
#include "weaklearn/tree/node.hpp"
#include "weaklearn/tree/value_order.hpp"

namespace weaklearn {

class ClassCells {
 protected:
  ClassCells(const Node& node, ValueOrder& order, CodeCounts& counts)
      : node_(node), counts_(counts), order_(order) {}

  // Weights of one class at one code, or at one value, in order; of rows that have a value.
  struct Cells {
    size_t n = 0;
    std::vector<uint32_t> code, k;
    std::vector<int64_t> w;
    std::vector<uint32_t> rank;  // where codes are opened
    std::vector<int64_t> count;  // of examples, where they are counted apart
    bool ranked = false, counted = false;

    void clear(size_t room, bool by_rank, bool by_count) {
      n = 0;
      ranked = by_rank;
      counted = by_count;
      if (w.size() < room) code.resize(room), k.resize(room), w.resize(room);
      if (ranked && rank.size() < room) rank.resize(room);
      if (counted && count.size() < room) count.resize(room);
    }
    void add(uint32_t at, uint32_t place, uint32_t label, int64_t weight, int64_t examples) {
      code[n] = at;
      k[n] = label;
      w[n] = weight;
      if (ranked) rank[n] = place;
      if (counted) count[n] = examples;
      ++n;
    }
    int64_t examples(size_t i) const { return counted ? count[i] : w[i]; }
    bool same_code(size_t i, size_t j) const { return code[i] == code[j]; }
    bool same_value(size_t i, size_t j) const {
      return code[i] == code[j] && (!ranked || rank[i] == rank[j]);
    }
  };
  // The weight of a block, the sum of phi (or the heaviest class), and the examples in it.
  struct Part {
    int64_t w = 0, sum = 0, count = 0;
  };

  size_t n_classes() const { return total_.size(); }

  static constexpr size_t kBatch = 4;

  bool by_table(uint32_t j) const {
    return node_.data.ranks(j) == nullptr &&
           node_.data.column(j).n_slots() * n_classes() <= 2 * node_.n + 64;
  }

  void list_cells(uint32_t j, int64_t* table, size_t k) {
    const size_t slots = table != nullptr ? node_.data.column(j).n_slots() * k : 0;
    const bool by_row = table == nullptr;
    cells_.clear(std::max(node_.n, slots) + 8, node_.data.ranks(j) != nullptr,
                 by_row && node_.counting());
    has_missing_ = false;
    if (table != nullptr)
      list_table(j, table, k);
    else if (node_.data.ranks(j) != nullptr)
      list_values(j);
    else
      list_sorted(j);
  }

  // Tables of sums by code and class, one after another; zero before, and again when listed.
  void tabulate(const uint32_t* features, size_t width) {
    size_t room = 0, start[kBatch];
    for (size_t f = 0; f < width; ++f) {
      start[f] = room;
      room += node_.data.column(features[f]).n_slots() * n_classes();
    }
    if (tables_.size() < room) tables_.resize(room, 0);
    size_t f = 0;
    if (width == kBatch) add_rows<kBatch>(features, start), f = kBatch;
    if (f + 2 <= width) add_rows<2>(features + f, start + f), f += 2;
    if (f < width) add_rows<1>(features + f, start + f);
  }

  const Node& node_;
  CodeCounts& counts_;
  std::vector<int64_t> total_;  // of the node, by class
  // Of the column.
  Cells cells_;
  bool has_missing_ = false;
  std::vector<int64_t> missing_;
  Part missing_part_;
  std::vector<int64_t> tables_;

 private:
  void add_row(size_t i, uint32_t code, uint32_t rank, uint32_t gap) {
    const int64_t w = node_.pair_rows[i].w, count = node_.counting() ? node_.counts[i] : w;
    if (code == gap)
      lose(node_.labels[i], w, count);
    else
      cells_.add(code, rank, node_.labels[i], w, count);
  }
  void lose(uint32_t k, int64_t w, int64_t count) {
    if (!has_missing_) {
      has_missing_ = true;
      missing_.assign(n_classes(), 0);
      missing_part_ = {};
    }
    missing_[k] += w;
    missing_part_.w += w;
    missing_part_.count += count;
  }

  // Exact thresholds: row by row in order of value.
  void list_values(uint32_t j) {
    const uint32_t gap = node_.data.column(j).n_codes;
    const uint8_t* codes = node_.data.codes(j);
    bool open[256];
    std::fill(open, open + 256, true);
    if (node_.data.column(j).has_missing) open[gap] = false;
    for (uint64_t v : order_.list(j, open)) {
      const auto i = static_cast<size_t>(v & 0xffffffffu);
      add_row(i, codes[node_.rows[i]], static_cast<uint32_t>(v >> 32), gap);
    }
    for (size_t i = 0; node_.data.column(j).has_missing && i < node_.n; ++i)
      if (codes[node_.rows[i]] == gap) add_row(i, gap, 0, gap);
  }

  template <size_t width>
  void add_rows(const uint32_t* features, const size_t* start) {
    const uint8_t* codes[width];
    int64_t* tables[width];
    for (size_t f = 0; f < width; ++f) {
      codes[f] = node_.codes(features[f]).codes;
      tables[f] = tables_.data() + start[f];
    }
    const size_t step = node_.codes(features[0]).step, k = n_classes(), n = node_.n;
    const uint32_t *rows = node_.rows, *labels = node_.labels.data();
    const Pair* pairs = node_.pair_rows.data();
    for (size_t i = 0; i < n; ++i) {
      const size_t row = rows[i] * step, label = labels[i];
      const int64_t w = pairs[i].w;
      for (size_t f = 0; f < width; ++f) tables[f][codes[f][row] * k + label] += w;
    }
  }

  void list_table(uint32_t j, int64_t* table, size_t k) {
    const Column& column = node_.data.column(j);
    const size_t known = column.n_codes * k, slots = column.n_slots() * k;
    const size_t n = hot().take_out(table, known, cells_.code.data(), cells_.w.data());
    const uint64_t part = (uint64_t{1} << 40) / k + 1;  // division by k, exact for places so small
    const bool local = k == n_classes();
    for (size_t i = 0; i < n; ++i) {
      const uint32_t at = cells_.code[i];
      cells_.code[i] = static_cast<uint32_t>(at * part >> 40);
      const uint32_t label = at - cells_.code[i] * static_cast<uint32_t>(k);
      cells_.k[i] = local ? label : node_.place_of(label);
    }
    cells_.n = n;
    for (size_t c = 0; known + c < slots; ++c) {
      const int64_t w = std::exchange(table[known + c], 0);
      const auto label = static_cast<uint32_t>(c);
      if (w != 0) lose(local ? label : node_.place_of(label), w, w);
    }
    if (node_.counting() && (column.categorical || has_missing_)) count_cells(j);
  }

  // Examples by code: the first cell of each stands for all of them.
  void count_cells(uint32_t j) {
    const int64_t* counts = counts_.of(j);
    cells_.counted = true;
    if (cells_.count.size() < cells_.n) cells_.count.resize(cells_.n);
    for (size_t i = 0; i < cells_.n; ++i)
      cells_.count[i] = i > 0 && cells_.same_code(i - 1, i) ? 0 : counts[cells_.code[i]];
    if (has_missing_) missing_part_.count = counts[node_.data.column(j).n_codes];
  }

  void list_sorted(uint32_t j) {
    const uint32_t gap = node_.data.column(j).n_codes;
    const Node::Codes codes = node_.codes(j);
    sorted_.resize(node_.n);
    uint64_t touched[4] = {0, 0, 0, 0};
    for (size_t i = 0; i < node_.n; ++i) {
      const uint8_t c = codes[node_.rows[i]];
      ++start_[c];
      touched[c >> 6] |= uint64_t{1} << (c & 63);
    }
    uint32_t before = 0;
    for (uint32_t word = 0; word < 4; ++word)
      for (uint64_t bits = touched[word]; bits != 0; bits &= bits - 1) {
        uint32_t& start = start_[64 * word + static_cast<uint32_t>(std::countr_zero(bits))];
        before += std::exchange(start, before);
      }
    for (size_t i = 0; i < node_.n; ++i) {
      const uint8_t c = codes[node_.rows[i]];
      sorted_[start_[c]++] = static_cast<uint64_t>(i) << 8 | c;
    }
    for (uint64_t v : sorted_) {
      const auto code = static_cast<uint32_t>(v & 255);
      start_[code] = 0;
      add_row(static_cast<size_t>(v >> 8), code, 0, gap);
    }
  }

  ValueOrder& order_;
  std::vector<uint64_t> sorted_;
  uint32_t start_[256] = {};
};

}  // namespace weaklearn
