// Signed sums of weights by code of every column, kept from search to search.
//
// Dense columns are summed in groups of six, which one pass over the rows (or over those that
// changed) serves. Sparse columns are summed up one by one, where asked for; those of one value
// that many rows have, such as common words, are packed eight to a byte: a table of 256 sums holds
// the sums of all eight. Sums are of whole numbers: no order of rows or number of threads changes
// them.
//
// Cost: one addition a cell for changed rows; of sparse columns the entries of those asked for.
// Memory: a table of at most 256 sums a column.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/hot/loops.hpp"
#include "weaklearn/partitions/collective.hpp"
#include "weaklearn/stump/stump_found.hpp"
#include "weaklearn/stump/weight_drift.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/threads/profile.hpp"
#include "weaklearn/weights/weights.hpp"

namespace weaklearn {

// What the tables need before they hold the sums of given weights.
enum class SumsNeed : uint8_t { current, follow, afresh };

// Columns summed by one thread: dense ones in sixes, which one pass over the rows serves; sparse
// ones and those of small samples by the dozen, each on its own and afresh every time.
struct ColumnGroup {
  bool in_one_pass = false;  // dense columns, side by side
  std::vector<size_t> columns;
  enum : uint8_t { dense, sparse, packed } kind = dense;
  size_t place = 0;    // of its first column among the sparse ones, or of its first pack
  int64_t best = -1;   // R among the columns in this search
  SparseBounds all{};  // sparse: of all of them
  bool live = true;    // sparse: whether something was found out of one of them
};

class ColumnSums {
 public:
  static constexpr size_t kBatch = 16;  // neighbours among the sparse columns, looked at together

  // in_partitions: the rows are one partition of several; columns are dense then.
  ColumnSums(const Columns& columns, MissingRule missing, bool in_partitions = false)
      : columns_(columns), missing_(missing), in_partitions_(in_partitions) {
    lay_out();
  }

  // The groups that one pass serves first.
  std::vector<ColumnGroup>& groups() { return groups_; }
  const std::vector<ColumnGroup>& groups() const { return groups_; }
  size_t n_in_one_pass() const { return n_grouped_; }
  size_t n_sparse() const { return sparse_.size(); }  // that are not packed
  // Whether the signed total must be known before columns are summed.
  bool needs_total() const { return n_listed_ > 0 || !groups_[0].in_one_pass; }

  // The signed weight of all rows.
  int64_t signed_total() const { return signed_total_; }
  void add_up(const Weights& weights) {
    signed_total_ = 0;
    for (size_t i = 0; i < weights.size(); ++i) signed_total_ += weights.value()[i];
  }
  // The same from the table of a dense column, which adds up to the total.
  void take_total() {
    const size_t j = groups_[0].columns[0];
    signed_total_ = known_sum(j);
    if (columns_[j].has_missing) signed_total_ += table(j)[columns_[j].n_codes];
  }

  // Signed sums by code of a column; those of missing rows behind them.
  const int64_t* table(size_t j) const { return &tables_[offset_[j]]; }
  int64_t known_sum(size_t j) const {
    int64_t s = 0;
    for (uint32_t c = 0; c < columns_[j].n_codes; ++c) s += table(j)[c];
    return s;
  }

  // What answering for missing rows on their own adds to R.
  int64_t missing_gain(size_t j) const {
    const Column& column = columns_[j];
    if (!column.has_missing || missing_ == MissingRule::abstain) return 0;
    return std::abs(table(j)[column.n_codes]);
  }

  // The best R of column j over the candidates its codes show (all, where it is coded exactly).
  int64_t best_of(size_t j, CategoricalTest categorical) const {
    const Column& column = columns_[j];
    if (column.n_codes == 0) return -1;
    const int64_t* sums = table(j);
    const int64_t s = known_sum(j);
    int64_t best = std::abs(s);
    if (column.categorical && categorical == CategoricalTest::multiway) {
      best = 0;
      for (uint32_t c = 0; c < column.n_codes; ++c) best += std::abs(sums[c]);
    } else if (column.categorical) {
      for (uint32_t c = 0; c < column.n_codes; ++c)
        best = std::max(best, std::abs(2 * sums[c] - s));
    } else {
      int64_t twice = -s;
      for (uint32_t c = 0; c + 1 < column.n_codes; ++c) {
        twice += 2 * sums[c];
        best = std::max(best, std::abs(twice));
      }
    }
    return best + missing_gain(j);
  }

  void add_group(const Weights& weights, SumsNeed tables, const ColumnGroup& group) {
    int64_t* sums = own(group.columns[0]);
    if (tables == SumsNeed::afresh) std::fill(sums, sums + group.columns.size() * 256, 0);
    add_blocks(weights, tables, group, 0, weights.n_blocks(), sums);
  }

  // Of several partitions: the tables of all of them, in one question, from those of the rows at
  // hand.
  void add_all(const Weights& weights, SumsNeed tables, const Collective& all, int threads) {
    const int helpers = threads_at_hand(columns_.size() * weights.size() / 2, threads);
    Pool::instance().run(groups_.size(), helpers, [&](size_t u) {
      const Timed timed(Phase::histograms);
      add_group(weights, tables, groups_[u]);
    });
    std::vector<int64_t> sums;
    for (size_t j = 0; j < columns_.size(); ++j)
      sums.insert(sums.end(), own(j), own(j) + columns_[j].n_slots());
    all.sum(sums.data(), sums.size());
    const int64_t* from = sums.data();
    for (size_t j = 0; j < columns_.size(); ++j, from += columns_[j].n_slots())
      std::copy_n(from, columns_[j].n_slots(), &tables_[offset_[j]]);
  }

  // Few columns, many rows: slices of the rows are summed side by side, each into tables of its
  // own. Those of all slices make up a column's table once take_slices is called for it.
  void add_slices(const Weights& weights, SumsNeed tables, int threads) {
    const size_t n_blocks = weights.n_blocks();
    n_slices_ = slices_of(weights.size(), threads);
    slices_.resize(n_slices_ * n_grouped_ * kGroup * 256);
    sliced_ = tables;
    Pool::instance().run_near(n_slices_ * n_grouped_, threads, [&](size_t task) {
      const Timed timed(Phase::histograms);
      const size_t slice = task / n_grouped_;
      const ColumnGroup& group = groups_[task % n_grouped_];
      int64_t* const own = &slices_[task * kGroup * 256];
      std::fill(own, own + group.columns.size() * 256, 0);
      add_blocks(weights, tables, group, n_blocks * slice / n_slices_,
                 n_blocks * (slice + 1) / n_slices_, own);
    });
  }
  // The table of the k-th column of dense group u.
  void take_slices(size_t u, size_t k) {
    int64_t* const sums = &tables_[offset_[groups_[u].columns[k]]];
    if (sliced_ == SumsNeed::afresh) std::fill(sums, sums + 256, 0);
    for (size_t slice = 0; slice < n_slices_; ++slice) {
      const int64_t* const own = &slices_[((slice * n_grouped_ + u) * kGroup + k) * 256];
      for (size_t c = 0; c < 256; ++c) sums[c] += own[c];
    }
  }

  // Packed columns: the sums of eight at a time, then those of each.
  void add_packs(const Weights& weights, SumsNeed tables, const ColumnGroup& group) {
    const size_t m = columns_.n_rows(), width = (group.columns.size() + kPacked - 1) / kPacked;
    const uint8_t* codes[kGroup] = {};
    for (size_t k = 0; k < width; ++k) codes[k] = bits_.get() + (group.place + k) * m;
    int64_t* const sums = &pack_sums_[group.place * 256];
    if (tables == SumsNeed::afresh) std::fill(sums, sums + width * 256, 0);
    if (tables != SumsNeed::current)
      add_codes(weights, tables, codes, width, 0, weights.n_blocks(), sums);
    for (size_t k = 0; k < group.columns.size(); ++k) {
      const size_t j = group.columns[k], bit = k % kPacked;
      const int64_t* const table = sums + k / kPacked * 256;
      int64_t listed = 0;
      for (size_t c = 0; c < 256; ++c) listed += table[c] & -static_cast<int64_t>(c >> bit & 1);
      int64_t* const own = &tables_[offset_[j]];
      own[columns_[j].zero_code] = signed_total_ - listed;
      own[1 - columns_[j].zero_code] = listed;
    }
  }

  // One column on its own, afresh.
  void add_single(const Weights& weights, size_t j) {
    const Column& column = columns_[j];
    int64_t* sums = &tables_[offset_[j]];
    std::fill(sums, sums + column.n_slots(), 0);
    const int64_t* value = weights.value();
    if (!column.sparse) {
      for (size_t i = 0; i < columns_.n_rows(); ++i) sums[column.codes[i]] += value[i];
      return;
    }
    for (size_t k = 0; k < column.n_entries; ++k)
      sums[column.codes[k]] += value[column.entry_rows[k]];
    if (column.zero_code == kNoCode) return;
    int64_t rest = signed_total_;  // the rows a sparse column does not list are what is left
    for (uint32_t c = 0; c < column.n_slots(); ++c) rest -= sums[c];
    sums[column.zero_code] += rest;
  }

  // Whether the extreme sums of a column can be remembered.
  static bool can_remember(const Column& column) {
    return column.sparse && !column.coarse && !column.has_missing && column.zero_code != kNoCode;
  }

  // The table of a sparse column that can be remembered, and what is to be remembered of it.
  SparseBounds add_sparse(const Weights& weights, size_t j, uint32_t search) {
    const Column& column = columns_[j];
    int64_t* const sums = &tables_[offset_[j]];
    const int64_t* const value = weights.value();
    int64_t mass = 0, listed = 0;
    if (column.n_codes == 2) {  // one value is listed
      hot().sums_of(value, column.entry_rows, column.n_entries, &listed, &mass);
      sums[1 - column.zero_code] = listed;
    } else {
      std::fill(sums, sums + column.n_codes, 0);
      for (size_t k = 0; k < column.n_entries; ++k) {
        const int64_t v = value[column.entry_rows[k]];
        sums[column.codes[k]] += v;
        listed += v;
        mass += std::abs(v);
      }
    }
    sums[column.zero_code] = signed_total_ - listed;
    int64_t least = 0, most = 0, sum = 0;
    const auto take = [&](uint32_t code) {
      sum += sums[code];
      least = std::min(least, sum);
      most = std::max(most, sum);
    };
    for (uint32_t c = 0; c < column.zero_code; ++c) take(c);
    sum = 0;
    for (uint32_t c = column.n_codes - 1; c > column.zero_code; --c) take(c);
    return {static_cast<float>(least), static_cast<float>(most), static_cast<float>(mass),
            static_cast<float>(weights.copies_in(column.n_entries)), search};
  }

 private:
  static constexpr size_t kGroup = 6;
  static constexpr size_t kPacked = 8, kCommon = 32;  // of so many rows one has a common value
  static constexpr size_t kSparseGroup = 256;         // of which some batches make a group

  // One slice a thread, or a few where rows are many; none so small that adding up its tables
  // would count.
  static size_t slices_of(size_t n_rows, int threads) {
    constexpr size_t least = 4096, most = 24576;
    const auto workers = static_cast<size_t>(threads);
    const size_t each = std::clamp<size_t>(n_rows / (workers * most), 1, 4);
    return std::clamp<size_t>(n_rows / least, 1, each * workers);
  }

  // The last groups are small, so that the threads end at about the same time.
  static size_t group_size(size_t columns_left) {
    return columns_left > 2 * kGroup ? kGroup : columns_left > kGroup ? kGroup / 2 : 2;
  }

  // One table of signed sums a column, laid out one after another; grouped ones have 256 slots.
  void lay_out() {
    offset_.resize(columns_.size());
    std::vector<ColumnGroup> singles;
    size_t n = 0, room = 0;
    const bool narrow = columns_.n_rows() < 2048 && !in_partitions_;  // tables packed tightly
    for (size_t j = 0; j < columns_.size(); ++j) {
      const bool grouped = !columns_[j].sparse && !narrow;
      offset_[j] = n;
      n += grouped ? 256 : columns_[j].n_slots();
      n_listed_ += columns_[j].sparse;
      if (columns_[j].sparse) {
        (!narrow && is_common(columns_[j]) ? packed_ : sparse_).push_back(j);
        continue;
      }
      std::vector<ColumnGroup>& groups = grouped ? groups_ : singles;
      // A group's tables lie side by side: only neighbours share one.
      const bool joins = !groups.empty() && groups.back().columns.size() < room &&
                         (!grouped || groups.back().columns.back() + 1 == j);
      if (!joins) room = grouped ? group_size(columns_.size() - j) : 64;
      if (!joins) groups.push_back({grouped, {}});
      groups.back().columns.push_back(j);
    }
    n_grouped_ = groups_.size();
    pack();
    group_sparse();
    groups_.insert(groups_.end(), singles.begin(), singles.end());
    tables_.assign(n, 0);
    if (in_partitions_) own_.assign(n, 0);
  }

  // Where the sums of the rows at hand are kept.
  int64_t* own(size_t j) { return &(in_partitions_ ? own_ : tables_)[offset_[j]]; }

  bool is_common(const Column& column) const {
    return can_remember(column) && column.n_codes == 2 &&
           column.n_entries * kCommon > columns_.n_rows();
  }

  // Common columns, eight to a byte, and their groups.
  void pack() {
    const size_t m = columns_.n_rows(), n = (packed_.size() + kPacked - 1) / kPacked;
    bits_ = std::make_unique<uint8_t[]>(n * m + 8);
    pack_sums_.assign(n * 256, 0);
    for (size_t k = 0; k < packed_.size(); ++k) {
      const Column& column = columns_[packed_[k]];
      uint8_t* const bits = bits_.get() + k / kPacked * m;
      for (uint32_t e = 0; e < column.n_entries; ++e)
        bits[column.entry_rows[e]] |= static_cast<uint8_t>(1u << (k % kPacked));
      if (k % (kPacked * kGroup) == 0)
        groups_.push_back({false, {}, ColumnGroup::packed, k / kPacked});
      groups_.back().columns.push_back(packed_[k]);
    }
  }

  // Sparse columns that are not packed, the common ones first: where neighbours have about as many
  // entries, a single look tells whether any of them may be the best.
  void group_sparse() {
    std::vector<size_t> of_size[17];
    for (size_t j : sparse_) of_size[std::bit_width(columns_[j].n_entries) / 2].push_back(j);
    sparse_.clear();
    for (size_t size = 17; size > 0; --size)
      sparse_.insert(sparse_.end(), of_size[size - 1].begin(), of_size[size - 1].end());
    for (size_t k = 0; k < sparse_.size(); ++k) {
      if (k % kSparseGroup == 0) groups_.push_back({false, {}, ColumnGroup::sparse, k});
      groups_.back().columns.push_back(sparse_[k]);
    }
  }

  // Adds the values (or, following, what changed of them) of some blocks of rows to a group's
  // tables.
  void add_blocks(const Weights& weights, SumsNeed tables, const ColumnGroup& group, size_t first,
                  size_t last, int64_t* sums) const {
    const size_t width = group.columns.size();
    const uint8_t* codes[kGroup] = {};
    for (size_t k = 0; k < width; ++k) codes[k] = columns_[group.columns[k]].codes;
    add_codes(weights, tables, codes, width, first, last, sums);
  }
  void add_codes(const Weights& weights, SumsNeed tables, const uint8_t* const* codes, size_t width,
                 size_t first, size_t last, int64_t* sums) const {
    for (size_t b = first; b < last; ++b) {
      const size_t begin = b * Weights::kBlock;
      const size_t list = Weights::list_of(b);
      if (tables == SumsNeed::follow)
        hot().histogram_of(codes, width, weights.changed(), weights.change(), list,
                           list + weights.n_changed(b), sums);
      else
        hot().histogram(codes, width, weights.value(), begin,
                        std::min(begin + Weights::kBlock, weights.size()), sums);
    }
  }

  const Columns& columns_;
  MissingRule missing_;
  bool in_partitions_;
  std::vector<size_t> offset_;       // of each column's table
  std::vector<ColumnGroup> groups_;  // those of one pass first
  size_t n_grouped_ = 0, n_listed_ = 0;
  std::vector<size_t> sparse_;      // columns that are neither dense nor packed
  std::vector<size_t> packed_;      // common columns
  Block<uint8_t> bits_;             // eight of them to a byte, a row after another
  std::vector<int64_t> pack_sums_;  // 256 for each eight
  std::vector<int64_t> tables_;
  std::vector<int64_t> own_;     // of several partitions: tables of the rows at hand
  std::vector<int64_t> slices_;  // tables of each slice of the rows, group by group
  size_t n_slices_ = 0;
  SumsNeed sliced_ = SumsNeed::current;
  int64_t signed_total_ = 0;
};

}  // namespace weaklearn
