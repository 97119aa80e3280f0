// The exact decision stump: over all features, thresholds and polarities, the least weighted error.
//
// With S the signed weight of a column's known rows and Q the signed weight left of a threshold,
// the rule "s above, -s below" has correlation s (S - 2Q); known rows and a block of missing ones
// add up, so the search maximises the whole number R = |S - 2Q| + |S_missing| (error = (W - R) /
// 2). Candidates whose errors lie within 1e-12 of the total weight of the best are tied: lowest
// feature, then lowest threshold, then polarity +1.
//
// Coarse bins are opened only where they may hold the best: when one is opened its extreme inner
// sums are remembered (weight_drift.hpp), so that most bins stay shut and the answer is still the
// exact minimum. A sparse column, likewise, is summed up only where it may hold the best. What is
// remembered between calls never changes an answer.
//
// Cost: one addition a cell for changed rows, O(bins) a column, and the rows of the opened bins; of
// sparse columns the entries of those that may be the best.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/stump/column_sums.hpp"
#include "weaklearn/stump/joint_bins.hpp"
#include "weaklearn/stump/stump_candidates.hpp"
#include "weaklearn/stump/stump_found.hpp"
#include "weaklearn/stump/weight_drift.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/threads/profile.hpp"
#include "weaklearn/weights/weights.hpp"

namespace weaklearn {

class StumpSearch {
 public:
  // Where rows are one partition of several (`all`), the best stump is that of all rows.
  StumpSearch(const Columns& columns, CategoricalTest categorical, MissingRule missing, int threads,
              const Collective* all = nullptr)
      : columns_(columns),
        categorical_(categorical),
        missing_(missing),
        threads_(threads),
        all_(all),
        sums_(columns, missing, all != nullptr),
        order_(groups().size()),
        sparse_bounds_(sums_.n_sparse()),
        batches_(sums_.n_sparse() / ColumnSums::kBatch + 1),
        best_(columns.size()) {
    std::iota(order_.begin(), order_.end(), size_t{0});
    if (all != nullptr) joint_bins_ = std::make_unique<JointBins>(columns, *all);
    for (size_t u = 0; u < sums_.n_in_one_pass(); ++u)
      for (size_t k = 0; k < groups()[u].columns.size(); ++k) dense_.push_back({u, k});
    size_t n_bins = 0;
    for (size_t j = 0; j < columns.size(); ++j)
      if (columns[j].coarse) n_bins += columns[j].n_codes;
    if (n_bins == 0 || all != nullptr) return;
    bin_bounds_.resize(n_bins);
    bounds_offset_.resize(columns.size(), 0);
    inner_.resize(n_bins, -1);
    for (size_t j = 1; j < columns.size(); ++j)
      bounds_offset_[j] =
          bounds_offset_[j - 1] + (columns[j - 1].coarse ? columns[j - 1].n_codes : 0);
    for (const auto& [u, k] : dense_)
      if (const size_t j = groups()[u].columns[k]; columns[j].coarse) to_open_.push_back(j);
  }

  StumpFound search(const Weights& weights) {
    const bool same = weights_id_ == weights.id();
    const SumsNeed need = same && weights.version() == version_ ? SumsNeed::current
                          : same && weights.has_change() && weights.version() == version_ + 1
                              ? SumsNeed::follow
                              : SumsNeed::afresh;
    if (!same) reset_bounds();
    weights_id_ = 0;  // until they are complete again, the sums belong to no weights
    drift_.begin(weights);
    if (need != SumsNeed::current && sums_.needs_total()) sums_.add_up(weights);
    const int64_t tied = 2 * (weights.total() / 1'000'000'000'000);
    const int64_t doubt = weights.doubt();  // sums of two rules may be this far off one another
    std::atomic<int64_t> best{-1};
    if (all_ != nullptr)
      look_at_all_partitions(weights, need, tied + doubt, best);
    else
      look_at_columns(weights, need, tied + doubt, best);
    if (groups()[0].in_one_pass) sums_.take_total();
    weights_id_ = weights.id();
    version_ = weights.version();
    const StumpCandidates candidates(columns_, sums_, categorical_, missing_, best_, inner_,
                                     bounds_offset_, joint_bins_.get());
    if (doubt <= Weights::kFewCopies) return candidates.first_of(weights, best.load() - tied);
    return candidates.settled(weights, best.load(), tied, doubt, threads_);
  }

 private:
  static constexpr uint32_t kStrip = 512;  // rows of a bin gathered at a time

  std::vector<ColumnGroup>& groups() { return sums_.groups(); }

  // What was remembered belongs to other weights.
  void reset_bounds() {
    if (joint_bins_ != nullptr) joint_bins_->reset();
    for (BinBounds& bounds : bin_bounds_) bounds.opened = 0;
    for (SparseBounds& bounds : sparse_bounds_) bounds.looked = 0;
    for (ColumnBatch& batch : batches_) batch.all.looked = 0;
    for (ColumnGroup& group : groups()) group.all.looked = 0;
  }

  static void raise(std::atomic<int64_t>& best, int64_t value) {
    int64_t seen = best.load(std::memory_order_relaxed);
    while (value > seen && !best.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
    }
  }

  // Sums, scans and opens the columns. Few dense groups are summed by parts of the rows, then
  // opened column by column; else every thread looks at whole groups, those first that were best in
  // the last search, so that the bar for opening bins is high from the start.
  void look_at_columns(const Weights& weights, SumsNeed tables, int64_t margin,
                       std::atomic<int64_t>& best) {
    const size_t cells = columns_.size() * (weights.size() / 2 + 64);
    const int threads = threads_at_hand(cells, threads_);
    const size_t n_dense = sums_.n_in_one_pass();
    const bool by_rows = threads > 1 && n_dense > 0 && n_dense < 2 * static_cast<size_t>(threads);
    if (by_rows) look_at_dense(weights, tables, threads, margin, best);
    if (last_sparse_ < sparse_bounds_.size())
      look_at_single(weights, last_best_, &sparse_bounds_[last_sparse_], margin, best);
    if (!by_rows || groups().size() > n_dense)
      Pool::instance().run(groups().size(), threads, [&](size_t task) {
        ColumnGroup& group = groups()[order_[task]];
        if (!by_rows || !group.in_one_pass) look_at_group(weights, tables, group, margin, best);
      });
    remember_best();
  }

  // The same over all partitions: tables are added up, and looked at in each of them alike.
  void look_at_all_partitions(const Weights& weights, SumsNeed tables, int64_t margin,
                              std::atomic<int64_t>& best) {
    if (tables != SumsNeed::current) sums_.add_all(weights, tables, *all_, threads_);
    for (size_t j = 0; j < columns_.size(); ++j) look_at_codes(j, best);
    int64_t top = best.load();
    joint_bins_->open(weights, sums_, drift_, margin, threads_, top, best_);
    raise(best, top);
  }

  // All dense groups, on several threads.
  void look_at_dense(const Weights& weights, SumsNeed tables, int threads, int64_t margin,
                     std::atomic<int64_t>& best) {
    if (tables != SumsNeed::current) sums_.add_slices(weights, tables, threads);
    Pool::instance().run(dense_.size(), threads, [&](size_t task) {
      const Timed timed(Phase::splits);
      const auto [u, k] = dense_[task];
      if (tables != SumsNeed::current) sums_.take_slices(u, k);
      look_at_codes(groups()[u].columns[k], best);
    });
    // Columns that are good as far as their codes show raise the bar, and have most to open.
    std::sort(to_open_.begin(), to_open_.end(), [&](size_t a, size_t b) {
      return best_[a] != best_[b] ? best_[a] > best_[b] : a < b;
    });
    const size_t parts = parts_of_bins(weights.size());
    std::vector<int64_t> inner(to_open_.size() * parts, -1);
    Pool::instance().run(inner.size(), threads, [&](size_t task) {
      const Timed timed(Phase::splits);
      const size_t j = to_open_[task / parts], part = task % parts;
      const size_t n = columns_[j].n_codes;
      inner[task] = open_bins(weights, j, static_cast<uint32_t>(n * part / parts),
                              static_cast<uint32_t>(n * (part + 1) / parts), margin, best);
    });
    for (size_t task = 0; task < inner.size(); ++task) {
      int64_t& best_there = best_[to_open_[task / parts]];
      best_there = std::max(best_there, inner[task]);
    }
    for (size_t u = 0; u < sums_.n_in_one_pass(); ++u) groups()[u].best = best_among(groups()[u]);
  }

  // How many parts the bins of a column are opened in: some thousand rows each, so that the threads
  // end at about the same time.
  static size_t parts_of_bins(size_t n_rows) {
    constexpr size_t rows_a_part = 12'288;
    return std::clamp<size_t>(n_rows / rows_a_part, 1, 64);
  }

  void look_at_group(const Weights& weights, SumsNeed tables, ColumnGroup& group, int64_t margin,
                     std::atomic<int64_t>& best) {
    if (group.kind == ColumnGroup::sparse) {
      const Timed timed(Phase::histograms);
      return look_at_sparse(weights, group, margin, best);
    }
    if (group.kind == ColumnGroup::packed || group.in_one_pass) {
      const Timed timed(Phase::histograms);
      if (group.kind == ColumnGroup::packed)
        sums_.add_packs(weights, tables, group);
      else if (tables != SumsNeed::current)
        sums_.add_group(weights, tables, group);
    }
    const Timed timed(Phase::splits);
    for (size_t j : group.columns)
      if (group.kind == ColumnGroup::packed || group.in_one_pass)
        look_at_codes(j, best);
      else
        look_at_single(weights, j, nullptr, margin, best);
    if (group.in_one_pass)
      for (size_t j : group.columns)
        if (columns_[j].coarse) open_column(weights, j, margin, best);
    group.best = best_among(group);
  }

  // The best column, and the order of the groups in the next search: the best comes first, then
  // the large ones, then the small.
  void remember_best() {
    const size_t top =
        static_cast<size_t>(std::max_element(groups().begin(), groups().end(),
                                             [](const ColumnGroup& a, const ColumnGroup& b) {
                                               return a.best < b.best;
                                             }) -
                            groups().begin());
    last_sparse_ = SIZE_MAX;
    for (size_t k = 0; k < groups()[top].columns.size(); ++k) {
      const size_t j = groups()[top].columns[k];
      if (best_[j] != groups()[top].best) continue;
      last_best_ = j;
      if (groups()[top].kind == ColumnGroup::sparse) last_sparse_ = groups()[top].place + k;
    }
    std::sort(order_.begin(), order_.end(), [&](size_t a, size_t b) {
      const size_t large = groups()[a].columns.size(), small = groups()[b].columns.size();
      if ((a == top) != (b == top)) return a == top;
      if (large != small) return large > small;
      return groups()[a].best != groups()[b].best ? groups()[a].best > groups()[b].best : a < b;
    });
  }

  // The best of a column as far as its codes show.
  void look_at_codes(size_t j, std::atomic<int64_t>& best) {
    best_[j] = sums_.best_of(j, categorical_);
    raise(best, best_[j]);
  }

  int64_t best_among(const ColumnGroup& group) const {
    int64_t best = -1;
    for (size_t j : group.columns) best = std::max(best, best_[j]);
    return best;
  }

  bool may_be_best(const SparseBounds& bounds, int64_t margin,
                   const std::atomic<int64_t>& best) const {
    const int64_t bar = best.load(std::memory_order_relaxed) - margin;
    return drift_.may_be_best(bounds, sums_.signed_total(), bar);
  }

  // Sparse columns group by group and batch by batch: of many rare ones a single look says that
  // none is the best.
  void look_at_sparse(const Weights& weights, ColumnGroup& group, int64_t margin,
                      std::atomic<int64_t>& best) {
    group.best = -1;
    const bool live = may_be_best(group.all, margin, best);
    if (!live && !group.live) return;
    group.live = live;
    SparseBounds all{0, 0, 0, 0, drift_.search()};
    for (size_t first = 0; first < group.columns.size(); first += ColumnSums::kBatch) {
      const size_t n = std::min(ColumnSums::kBatch, group.columns.size() - first);
      const size_t* const columns = &group.columns[first];
      ColumnBatch& batch = batches_[(group.place + first) / ColumnSums::kBatch];
      if (live && may_be_best(batch.all, margin, best))
        look_at_batch(weights, batch, columns, &sparse_bounds_[group.place + first], n, margin,
                      best);
      else
        forget_batch(batch, columns, n);
      drift_.widen(all, batch.all);
      if (batch.live)
        for (size_t k = 0; k < n; ++k) group.best = std::max(group.best, best_[columns[k]]);
    }
    if (live) group.all = all;
  }

  // No column of the batch is the best.
  void forget_batch(ColumnBatch& batch, const size_t* columns, size_t n) {
    if (batch.live)
      for (size_t k = 0; k < n; ++k) best_[columns[k]] = -1;
    batch.live = false;
  }

  void look_at_batch(const Weights& weights, ColumnBatch& batch, const size_t* columns,
                     SparseBounds* bounds, size_t n, int64_t margin, std::atomic<int64_t>& best) {
    batch.live = true;
    for (size_t k = 0; k < n; ++k) ask_for(&columns_[columns[k]]);
    SparseBounds all{0, 0, 0, 0, drift_.search()};
    for (size_t k = 0; k < n; ++k) {
      look_at_single(weights, columns[k], &bounds[k], margin, best);
      drift_.widen(all, bounds[k]);
    }
    batch.all = all;
  }

  // Sums up, scans and opens one column, unless what is remembered of it says that it is not the
  // best.
  void look_at_single(const Weights& weights, size_t j, SparseBounds* bounds, int64_t margin,
                      std::atomic<int64_t>& best) {
    best_[j] = -1;
    if (bounds != nullptr && !drift_.is_stale(*bounds) && !may_be_best(*bounds, margin, best))
      return;
    const Column& column = columns_[j];
    if (ColumnSums::can_remember(column))
      *bounds = sums_.add_sparse(weights, j, drift_.search());
    else
      sums_.add_single(weights, j);
    look_at_codes(j, best);
    if (column.coarse) open_column(weights, j, margin, best);
  }

  void open_column(const Weights& weights, size_t j, int64_t margin, std::atomic<int64_t>& best) {
    best_[j] = std::max(best_[j], open_bins(weights, j, 0, columns_[j].n_codes, margin, best));
  }

  // Opens those bins of column j from `first` to `last` that may hold the best: the best R inside
  // them, or -1.
  int64_t open_bins(const Weights& weights, size_t j, uint32_t first, uint32_t last, int64_t margin,
                    std::atomic<int64_t>& best) {
    const Column& column = columns_[j];
    const int64_t gain = sums_.missing_gain(j);
    const int64_t s = sums_.known_sum(j);
    const int64_t* sums = sums_.table(j);
    int64_t before = 0, most = -1;
    for (uint32_t c = 0; c < first; ++c) before += sums[c];
    for (uint32_t c = first; c < last; ++c) {
      BinBounds& bounds = bin_bounds_[bounds_offset_[j] + c];
      int64_t& inner = inner_[bounds_offset_[j] + c];
      const int64_t bar = best.load(std::memory_order_relaxed) - margin - gain;
      inner = -1;
      const size_t n = column.bin_start[c + 1] - column.bin_start[c];
      if (drift_.may_hold(bounds, n, before, sums[c], s, bar, weights))
        inner = scan_bin(column, c, before, s, weights, bounds);
      if (inner >= 0) {
        most = std::max(most, inner + gain);
        raise(best, inner + gain);
      }
      before += sums[c];
    }
    return most;
  }

  // Looks at every threshold inside a bin: its best R, or -1 where it holds one value only.
  int64_t scan_bin(const Column& column, uint32_t c, int64_t before, int64_t s,
                   const Weights& weights, BinBounds& bounds) const {
    const int64_t* value = weights.value();
    const uint32_t first = column.bin_start[c], last = column.bin_start[c + 1];
    int64_t sum = 0, mass = 0;
    int64_t least = INT64_MAX, most = INT64_MIN;
    int64_t inner[kStrip];  // gathered first, so that no sum waits for memory
    for (uint32_t begin = first; begin < last; begin += kStrip) {
      const uint32_t n = std::min(kStrip, last - begin);
      const uint32_t* entries = &column.order[begin];
      for (uint32_t k = 0; k < n; ++k) inner[k] = value[entries[k] & kRowMask];
      for (uint32_t k = 0; k < n; ++k) {
        if ((entries[k] & kNewValue) && begin + k > first) {
          least = std::min(least, sum);
          most = std::max(most, sum);
        }
        sum += inner[k];
        mass += std::abs(inner[k]);
      }
    }
    bounds.opened = drift_.search();
    bounds.sum = static_cast<float>(sum);
    bounds.mass = static_cast<float>(mass);
    if (least > most) {  // one value: nothing inside to cut
      bounds.least = 1;
      bounds.most = -1;
      return -1;
    }
    bounds.least = static_cast<float>(least);
    bounds.most = static_cast<float>(most);
    return std::max(std::abs(2 * (before + most) - s), std::abs(2 * (before + least) - s));
  }

  const Columns& columns_;
  CategoricalTest categorical_;
  MissingRule missing_;
  int threads_;
  const Collective* all_;  // partitions; null where there is one
  ColumnSums sums_;
  WeightDrift drift_;
  std::vector<size_t> order_;  // of the groups, by their best R in the last search
  std::vector<std::pair<size_t, size_t>> dense_;  // columns by group and place
  std::vector<SparseBounds> sparse_bounds_;       // of sparse columns that are not packed
  std::vector<ColumnBatch> batches_;
  std::vector<int64_t> best_;              // R of each column in this search; -1: not the best
  size_t last_best_ = 0;                   // the best column of the last search,
  size_t last_sparse_ = SIZE_MAX;          // and its place, where it is to be looked at first
  std::vector<BinBounds> bin_bounds_;      // of coarse bins, where there are any
  std::vector<size_t> bounds_offset_;      // of each column's first
  std::vector<int64_t> inner_;             // the best R inside a coarse bin in this search, or -1
  std::vector<size_t> to_open_;            // coarse columns of dense groups
  std::unique_ptr<JointBins> joint_bins_;  // coarse bins of several partitions
  uint64_t weights_id_ = 0;
  uint64_t version_ = 0;
};

}  // namespace weaklearn
