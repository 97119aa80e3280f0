// Sums of the weights of labels by column and code, for the examples of a node.
//
// Columns lie in sets whose tables fit the cache. The tables of all rows, where they are small
// enough to be kept, follow the weights from round to round. A term has none. Where rows are one
// partition of several, tables are kept of the rows at hand and, beside them, of all.
//
// Cost: one addition a cell (of a sparse column: an entry) and label.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/hot/aligned.hpp"
#include "weaklearn/labels/label_weights.hpp"
#include "weaklearn/partitions/collective.hpp"
#include "weaklearn/threads/pool.hpp"

namespace weaklearn {

// The examples that are to be parted: all of them, or those that stand at a node.
struct LabelNode {
  const uint32_t* rows = nullptr;  // null: all
  size_t n = 0;
  const int32_t* place = nullptr;  // the node that each row of the sample stands at; null with rows
  int32_t node = 0;
  bool has(size_t i) const { return rows == nullptr || place[i] == node; }
};

class LabelTables {
 protected:
  LabelTables(const Columns& columns, int threads, const Collective* all)
      : columns_(columns), threads_(threads), all_(all) {}

  using Tables = Aligned<int64_t>;

  struct Task {
    size_t first, last;  // columns
  };

  size_t table_size(size_t j) const { return (columns_[j].n_slots() + 1) * 2 * stride_; }

  // Columns in sets whose tables fit the cache, enough of them for all threads.
  void layout() {
    if (!tasks_.empty() && laid_for_ == stride_) return;
    laid_for_ = stride_;
    tasks_.clear();
    opened_.clear();
    terms_.clear();
    n_listed_ = 0;
    for (size_t j = 0; j < columns_.size(); ++j) {
      if (opens(columns_[j])) opened_.push_back(j);
      if (!is_term(j)) continue;
      terms_.push_back(static_cast<uint32_t>(j));
      n_listed_ += columns_[j].n_entries;
    }
    offset_.assign(columns_.size() + 1, 0);  // terms have no table
    for (size_t j = 0; j < columns_.size(); ++j)
      offset_[j + 1] = offset_[j] + (is_term(j) ? 0 : table_size(j));
    const size_t all = offset_.back() * sizeof(int64_t);
    keeps_ = all <= kKept || all_ != nullptr;
    for (Tables& kept : kept_) kept.clear();
    own_.clear();
    table_id_ = 0;
    const size_t share = all / static_cast<size_t>(std::max(threads_, 1)) + 1;
    const size_t most = std::min(kSet, share);
    for (size_t j = 0; j < columns_.size();) {
      size_t last = j + 1;
      while (last < columns_.size() && (offset_[last + 1] - offset_[j]) * sizeof(int64_t) <= most)
        ++last;
      tasks_.push_back({j, last});
      j = last;
    }
  }

  bool is_term(size_t j) const {
    const Column& column = columns_[j];
    return column.sparse && !column.coarse && !column.has_missing && column.n_codes == 2 &&
           column.zero_code != kNoCode;
  }

  bool is_root() const { return node_.rows == nullptr; }
  // The tables that stay: those of all rows follow the weights from round to round.
  int64_t* kept(size_t j) { return kept_[is_root() ? 0 : 1].data() + offset_[j]; }

  // The tables of all partitions, in one question, from those of the rows at hand.
  void add_partitions(bool follows, int helpers) {
    own_.resize(offset_.back());
    Pool::instance().run(tasks_.size(), helpers, [&](size_t t) {
      tabulate(tasks_[t].first, tasks_[t].last, own_.data() + offset_[tasks_[t].first], follows);
    });
    const size_t k = weights_->n_labels(), n = own_.size() / stride_;  // without what pads labels
    std::vector<int64_t> sums(n * k);
    for (size_t s = 0; s < n; ++s) std::copy_n(&own_[s * stride_], k, &sums[s * k]);
    all_->sum(sums.data(), sums.size());
    std::fill(kept_[0].begin(), kept_[0].end(), 0);
    for (size_t s = 0; s < n; ++s) std::copy_n(&sums[s * k], k, &kept_[0][s * stride_]);
  }

  // Sums over all rows of the node.
  void add_up() {
    if (keeps_) kept_[is_root() ? 0 : 1].resize(offset_.back());
    if (is_root()) {
      total_.assign(weights_->sums(), weights_->sums() + 2 * stride_);
      return;
    }
    total_.assign(2 * stride_, 0);
    int64_t* table = total_.data();
    if (zeros_.size() < weights_->size()) zeros_.assign(weights_->size(), 0);
    const uint8_t* codes = zeros_.data();
    const LabelRows of = weights_->rows(node_.rows);
    hot().label_sums(&of, 0, node_.n, &codes, 1, &table);
  }

  // Fills the tables of columns [first, last), or lets them follow the weights; `at` is where the
  // first one begins. Alone, a term has a table as well.
  void tabulate(size_t first, size_t last, int64_t* at, bool follows, bool alone = false) const {
    const auto table = [&](size_t j) { return at + (offset_[j] - offset_[first]); };
    const bool fresh = follows && table_version_ == weights_->version();
    const auto has_table = [&](size_t j) { return alone || offset_[j + 1] > offset_[j]; };
    for (size_t j = first; j < last; ++j)
      if (has_table(j) && (!follows || columns_[j].sparse))
        std::fill(table(j), table(j) + table_size(j), 0);
    const LabelRows of = follows ? weights_->gains() : weights_->rows(node_.rows);
    const size_t n = fresh ? 0 : follows ? weights_->n_changed() : node_.n;
    const size_t step = std::max<size_t>(64, kRows / (stride_ * sizeof(int64_t)));
    for (size_t begin = 0; begin < n; begin += step) {
      const size_t end = std::min(begin + step, n);
      for (size_t j = first; j < last;) {
        const uint8_t* codes[kMostWide];
        int64_t* tables[kMostWide];
        size_t width = 0, bytes = 0;
        for (; j < last && width < kMostWide && (width == 0 || bytes < kGroup); ++j) {
          if (columns_[j].sparse) continue;
          codes[width] = columns_[j].codes;
          tables[width++] = table(j);
          bytes += table_size(j) * sizeof(int64_t);
        }
        if (width > 0) hot().label_sums(&of, begin, end, codes, width, tables);
      }
      Pool::check_interrupt();
    }
    for (size_t j = first; j < last; ++j)
      if (columns_[j].sparse && has_table(j)) tabulate_sparse(columns_[j], table(j));
  }

  void tabulate_sparse(const Column& column, int64_t* table) const {
    const size_t k = 2 * stride_;
    for (uint32_t e = 0; e < column.n_entries; ++e)
      if (node_.has(column.entry_rows[e]))
        add_row(column.entry_rows[e], table + column.codes[e] * k);
    if (column.zero_code == kNoCode) return;
    std::vector<int64_t> listed(k, 0);
    for (uint32_t c = 0; c < column.n_slots(); ++c)
      for (size_t l = 0; l < k; ++l) listed[l] += table[c * k + l];
    for (size_t l = 0; l < k; ++l) table[column.zero_code * k + l] += total_[l] - listed[l];
  }

  void add_row(size_t i, int64_t* sums) const {
    for (size_t l = 0; l < weights_->n_labels(); ++l) {
      const int64_t v = weights_->value(i, l);
      sums[v > 0 ? l : stride_ + l] += std::abs(v);
    }
  }

  static bool opens(const Column& column) { return column.coarse && column.order != nullptr; }

  const Columns& columns_;
  int threads_;
  const Collective* all_;  // of all partitions; null where there is one
  const LabelWeights* weights_ = nullptr;
  LabelNode node_;
  size_t stride_ = 0, laid_for_ = 0;
  bool keeps_ = false;
  uint64_t table_id_ = 0, table_version_ = 0;  // the weights that the tables of all rows sum up
  std::vector<Task> tasks_;
  std::vector<size_t> opened_;  // columns of which bins may be opened
  std::vector<uint32_t> terms_;
  std::vector<size_t> offset_;  // of the table of each column
  size_t n_listed_ = 0;         // entries of all terms
  Tables kept_[2], own_, total_;
  std::vector<uint8_t> zeros_;

 private:
  static constexpr size_t kKept = size_t{8} << 20;    // bytes of tables that are kept
  static constexpr size_t kSet = size_t{512} << 10;   // of the tables that rows are read once for
  static constexpr size_t kGroup = size_t{64} << 10;  // of those filled side by side
  static constexpr size_t kRows = size_t{128} << 10;  // of the rows read at a time
  static constexpr size_t kMostWide = 8;
};

}  // namespace weaklearn
