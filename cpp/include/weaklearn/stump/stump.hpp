// The exact decision stump: over all features, thresholds and polarities, the least weighted error.
//
// With S the signed weight of a column's known rows and Q the signed weight left of a threshold,
// the rule "s above, -s below" has correlation s (S - 2Q); known rows and a block of missing ones
// add up, so the search maximises the whole number R = |S - 2Q| + |S_missing| (error = (W - R) /
// 2). Candidates whose errors lie within 1e-12 of the total weight of the best are tied: lowest
// feature, then lowest threshold, then polarity +1.
//
// Coarse bins are opened only where they may hold the best. When a bin is opened its extreme inner
// sums are kept; if since then every weight was multiplied by a factor between a and b, the
// extremes of today lie within (a+b)/2 times the old ones, give or take (b-a)/2 times the bin's old
// mass. So most bins stay shut and the answer is still the exact minimum. What is kept between
// calls never changes an answer. A sparse column, likewise, is summed up only where it may hold the
// best: what is kept of it are the extreme sums of listed rows that a threshold can set apart.
// Sparse columns of one value that many rows have, such as common words, are packed eight to a
// byte: a table of 256 sums holds the sums of all eight.
//
// Cost: one addition a cell for changed rows, O(bins) a column, and the rows of the opened bins; of
// sparse columns the entries of those that may be the best.
#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <numeric>
#include <vector>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/columns/route.hpp"
#include "weaklearn/hot/loops.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/weights/weights.hpp"

namespace weaklearn {

enum class CategoricalTest : uint8_t { equality, multiway };
enum class MissingRule : uint8_t { branch, abstain };

struct StumpFound {
  Test test = Test::constant;
  int64_t feature = -1;        // -1: no column has a known value
  double threshold = 0;        // threshold and constant tests
  uint32_t level = 0;          // equality tests
  int8_t polarity = 1;         // the answer above the threshold, or at the level
  int8_t missing = 0;          // the answer where the value is missing; 0 where training had none
  int8_t majority = 1;         // the heavier label over all rows; a tie counts as +1
  int64_t correlation = 0;     // R
  std::vector<int8_t> levels;  // multiway tests: the answer at each level
};

class StumpSearch {
 public:
  StumpSearch(const Columns& columns, CategoricalTest categorical, MissingRule missing, int threads)
      : columns_(columns),
        categorical_(categorical),
        missing_(missing),
        threads_(threads),
        tables_(make_tables()),
        best_(columns.size()) {
    n_coarse_ = 0;
    for (size_t j = 0; j < columns.size(); ++j) n_coarse_ += columns[j].coarse;
    if (n_coarse_ > 0) {
      kept_offset_.resize(columns.size(), 0);
      size_t n = 0;
      for (size_t j = 0; j < columns.size(); ++j) {
        kept_offset_[j] = n;
        if (columns[j].coarse) n += columns[j].n_codes;
      }
      kept_.resize(n);
      opened_.resize(columns.size());
    }
  }

  StumpFound search(const Weights& weights) {
    const bool same = weights_id_ == weights.id();
    const Tables tables = same && weights.version() == version_ ? Tables::current
                          : same && weights.has_change() && weights.version() == version_ + 1
                              ? Tables::follow
                              : Tables::afresh;
    if (!same) forget();
    weights_id_ = 0;  // until they are complete again, the tables belong to no weights
    ++searches_;
    update_spreads(weights);
    if (tables != Tables::current && (n_sparse_ > 0 || !units_[0].grouped)) add_up(weights);
    const int64_t tied = 2 * (weights.total() / 1'000'000'000'000);
    const int64_t doubt = weights.doubt();  // sums of two rules may be this far off one another
    std::atomic<int64_t> best{-1};
    look_at_columns(weights, tables, tied + doubt, best);
    if (units_[0].grouped) {  // any dense column's table adds up to the total
      signed_total_ = known_sum(units_[0].columns[0]);
      const Column& column = columns_[units_[0].columns[0]];
      if (column.has_missing) signed_total_ += table(units_[0].columns[0])[column.n_codes];
    }
    weights_id_ = weights.id();
    version_ = weights.version();
    if (doubt <= Weights::kFewCopies) return first_of(weights, best.load() - tied);
    return settled(weights, best.load(), tied, doubt);
  }

 private:
  // What is remembered of a coarse bin from the last time it was opened. Single precision is
  // enough: the bounds leave room for its rounding.
  struct Kept {
    float least = 0, most = 0;  // extreme inner prefix sums
    float sum = 0, mass = 0;    // of the bin, signed and absolute
    uint32_t opened = 0;        // search in which it was opened; 0: never
  };
  // What is remembered of a sparse column: the extreme sums of listed rows that a cut sets apart
  // from the others (the empty sum among them), and the mass of all that are listed.
  struct Apart {
    float least = 0, most = 0, mass = 0;
    float copies = 0;     // that were rounded
    uint32_t looked = 0;  // search in which it was summed up; 0: never
  };
  // Neighbouring columns: what none of their masses exceeds, and whether best_ tells anything of
  // one of them.
  struct Shelf {
    Apart all;
    bool live = true;
  };
  void forget() {
    for (Kept& kept : kept_) kept.opened = 0;
    for (Apart& apart : apart_) apart.looked = 0;
    for (Shelf& shelf : shelf_) shelf.all.looked = 0;
  }
  static constexpr uint32_t kStrip = 512;  // rows of a bin gathered at a time
  // A bin opened in this search, and its best inner R (without the gain of missing rows).
  struct Opened {
    uint32_t code;
    int64_t best;
  };

  // Between which factors the weights have moved since a search.
  struct Spread {
    double least = 1, most = 1;
    double middle() const { return (least + most) / 2; }
    double half() const { return (most - least) / 2; }
  };
  static constexpr uint32_t kMemory = 256;  // a bin not opened for so long is opened again

  void update_spreads(const Weights& weights) {
    spread_.resize(kMemory);
    const double least = std::exp(weights.log_least() - log_least_);
    const double most = std::exp(weights.log_most() - log_most_);
    log_least_ = weights.log_least();
    log_most_ = weights.log_most();
    for (Spread& since : spread_) {
      since.least *= least;
      since.most *= most;
    }
    spread_[searches_ % kMemory] = Spread{};
  }

  static void raise(std::atomic<int64_t>& best, int64_t value) {
    int64_t seen = best.load(std::memory_order_relaxed);
    while (value > seen && !best.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
    }
  }

  // What the tables need before they hold the sums of given weights.
  enum class Tables : uint8_t { current, follow, afresh };

  static constexpr size_t kGroup = 6;
  // Columns summed by one thread: dense ones in sixes, which one pass over the rows serves; sparse
  // ones and those of small samples by the dozen, each on its own and afresh every time.
  struct Unit {
    bool grouped = false;
    std::vector<size_t> columns;
    enum : uint8_t { dense, sparse, packed } kind = dense;
    size_t place = 0;   // of its first column among the sparse ones, or of its first pack
    int64_t best = -1;  // R among the columns in this search
  };
  static constexpr size_t kPacked = 8, kCommon = 32;  // of so many rows one has a common value
  static constexpr size_t kShelf = 16;                // neighbours among the sparse columns
  static constexpr size_t kSparseUnit = 256;          // of which some shelves make a unit

  // The last groups are small, so that the threads end at about the same time.
  static size_t group_size(size_t columns_left) {
    return columns_left > 2 * kGroup ? kGroup : columns_left > kGroup ? kGroup / 2 : 2;
  }

  // One table of signed sums a column, laid out one after another; grouped ones have 256 slots.
  std::vector<int64_t> make_tables() {
    offset_.resize(columns_.size());
    std::vector<Unit> singles;
    std::vector<size_t> sparse;
    size_t n = 0, room = 0;
    const bool narrow = columns_.n_rows() < 2048;  // tiny columns: pack the tables tightly
    for (size_t j = 0; j < columns_.size(); ++j) {
      const bool grouped = !columns_[j].sparse && !narrow;
      offset_[j] = n;
      n += grouped ? 256 : columns_[j].n_slots();
      n_sparse_ += columns_[j].sparse;
      if (columns_[j].sparse) {
        (!narrow && is_common(columns_[j]) ? packed_ : sparse).push_back(j);
        continue;
      }
      std::vector<Unit>& units = grouped ? units_ : singles;
      // A group's tables lie side by side: only neighbours share one.
      const bool joins = !units.empty() && units.back().columns.size() < room &&
                         (!grouped || units.back().columns.back() + 1 == j);
      if (!joins) room = grouped ? group_size(columns_.size() - j) : 64;
      if (!joins) units.push_back({grouped, {}});
      units.back().columns.push_back(j);
    }
    n_grouped_ = units_.size();
    pack();
    shelve(sparse);
    units_.insert(units_.end(), singles.begin(), singles.end());
    order_.resize(units_.size());
    std::iota(order_.begin(), order_.end(), size_t{0});
    return std::vector<int64_t>(n, 0);
  }

  bool is_common(const Column& column) const {
    return can_remember(column) && column.n_codes == 2 &&
           column.n_entries * kCommon > columns_.n_rows();
  }

  // Common columns, eight to a byte, and their units.
  void pack() {
    const size_t m = columns_.n_rows(), n = (packed_.size() + kPacked - 1) / kPacked;
    bits_ = std::make_unique<uint8_t[]>(n * m + 8);
    pack_sums_.assign(n * 256, 0);
    for (size_t k = 0; k < packed_.size(); ++k) {
      const Column& column = columns_[packed_[k]];
      uint8_t* const bits = bits_.get() + k / kPacked * m;
      for (uint32_t e = 0; e < column.n_entries; ++e)
        bits[column.entry_rows[e]] |= static_cast<uint8_t>(1u << (k % kPacked));
      if (k % (kPacked * kGroup) == 0) units_.push_back({false, {}, Unit::packed, k / kPacked});
      units_.back().columns.push_back(packed_[k]);
    }
  }

  // Sparse columns on shelves.
  void shelve(const std::vector<size_t>& sparse) {
    apart_.resize(sparse.size());
    shelf_.resize(sparse.size() / kShelf + 1);
    for (size_t k = 0; k < sparse.size(); ++k) {
      if (k % kSparseUnit == 0) units_.push_back({false, {}, Unit::sparse, k});
      units_.back().columns.push_back(sparse[k]);
    }
  }

  // Sums up the packs of a unit, and takes them apart.
  void look_at_packs(const Weights& weights, Tables tables, Unit& unit,
                     std::atomic<int64_t>& best) {
    const size_t m = columns_.n_rows(), width = (unit.columns.size() + kPacked - 1) / kPacked;
    const uint8_t* codes[kGroup] = {};
    for (size_t k = 0; k < width; ++k) codes[k] = bits_.get() + (unit.place + k) * m;
    int64_t* const sums = &pack_sums_[unit.place * 256];
    if (tables == Tables::afresh) std::fill(sums, sums + width * 256, 0);
    if (tables != Tables::current)
      add_codes(weights, tables, codes, width, 0, weights.n_blocks(), sums);
    for (size_t k = 0; k < unit.columns.size(); ++k) {
      const size_t j = unit.columns[k], bit = k % kPacked;
      const int64_t* const table = sums + k / kPacked * 256;
      int64_t listed = 0;
      for (size_t c = 0; c < 256; ++c) listed += table[c] & -static_cast<int64_t>(c >> bit & 1);
      int64_t* const own = &tables_[offset_[j]];
      own[columns_[j].zero_code] = signed_total_ - listed;
      own[1 - columns_[j].zero_code] = listed;
      best_[j] = best_of(j);
      raise(best, best_[j]);
    }
    unit.best = best_among(unit);
  }

  void add_up(const Weights& weights) {
    signed_total_ = 0;
    for (size_t i = 0; i < weights.size(); ++i) signed_total_ += weights.value()[i];
  }

  // Sums, scans and opens the columns, unit by unit: those first that were best in the last search,
  // so that the bar for opening bins is high from the start.
  void look_at_columns(const Weights& weights, Tables tables, int64_t margin,
                       std::atomic<int64_t>& best) {
    const size_t cells = columns_.size() * (weights.size() / 2 + 64);
    const int threads = threads_for(cells, threads_);
    const bool by_rows =
        threads > 1 && n_grouped_ > 0 && n_grouped_ < 2 * static_cast<size_t>(threads);
    if (by_rows && tables != Tables::current) add_by_rows(weights, tables, threads);
    if (last_apart_ < apart_.size())
      look_at_single(weights, last_best_, &apart_[last_apart_], margin, best);
    Pool::instance().run(units_.size(), threads, [&](size_t task) {
      Unit& unit = units_[order_[task]];
      if (unit.kind == Unit::packed) return look_at_packs(weights, tables, unit, best);
      if (unit.kind == Unit::sparse) return look_at_shelves(weights, unit, margin, best);
      if (!unit.grouped) {
        for (size_t j : unit.columns) look_at_single(weights, j, nullptr, margin, best);
        unit.best = best_among(unit);
        return;
      }
      if (tables != Tables::current && !by_rows) add_unit(weights, tables, unit);
      for (size_t j : unit.columns) {
        best_[j] = best_of(j);
        raise(best, best_[j]);
      }
      for (size_t j : unit.columns)
        if (columns_[j].coarse) open_column(weights, j, margin, best);
      unit.best = best_among(unit);
    });
    // The best unit comes first, then the large ones, then the small.
    const size_t top = static_cast<size_t>(
        std::max_element(units_.begin(), units_.end(),
                         [](const Unit& a, const Unit& b) { return a.best < b.best; }) -
        units_.begin());
    last_apart_ = SIZE_MAX;
    for (size_t k = 0; k < units_[top].columns.size(); ++k) {
      const size_t j = units_[top].columns[k];
      if (best_[j] != units_[top].best) continue;
      last_best_ = j;
      if (units_[top].kind == Unit::sparse) last_apart_ = units_[top].place + k;
    }
    std::sort(order_.begin(), order_.end(), [&](size_t a, size_t b) {
      const size_t large = units_[a].columns.size(), small = units_[b].columns.size();
      if ((a == top) != (b == top)) return a == top;
      if (large != small) return large > small;
      return units_[a].best != units_[b].best ? units_[a].best > units_[b].best : a < b;
    });
  }

  int64_t best_among(const Unit& unit) const {
    int64_t best = -1;
    for (size_t j : unit.columns) best = std::max(best, best_[j]);
    return best;
  }

  // Sparse columns shelf by shelf: of many rare ones a single look says that none is the best.
  void look_at_shelves(const Weights& weights, Unit& unit, int64_t margin,
                       std::atomic<int64_t>& best) {
    unit.best = -1;
    for (size_t first = 0; first < unit.columns.size(); first += kShelf) {
      const size_t n = std::min(kShelf, unit.columns.size() - first);
      const size_t* const columns = &unit.columns[first];
      Shelf& shelf = shelf_[(unit.place + first) / kShelf];
      look_at_shelf(weights, shelf, columns, &apart_[unit.place + first], n, margin, best);
      if (shelf.live)
        for (size_t k = 0; k < n; ++k) unit.best = std::max(unit.best, best_[columns[k]]);
    }
  }

  void look_at_shelf(const Weights& weights, Shelf& shelf, const size_t* columns, Apart* apart,
                     size_t n, int64_t margin, std::atomic<int64_t>& best) {
    if (!may_be_best(shelf.all, best.load(std::memory_order_relaxed) - margin)) {
      if (shelf.live)
        for (size_t k = 0; k < n; ++k) best_[columns[k]] = -1;
      shelf.live = false;
      return;
    }
    shelf.live = true;
    Apart all{0, 0, 0, 0, searches_};
    for (size_t k = 0; k < n; ++k) {
      look_at_single(weights, columns[k], &apart[k], margin, best);
      if (apart[k].looked == 0) all.looked = 0;  // it cannot be remembered
      const Spread& since = spread_[apart[k].looked % kMemory];
      // What its mass may have grown to, rounded up.
      const auto mass = static_cast<float>(since.most * 1.000001 * apart[k].mass);
      all.mass = std::max(all.mass, mass + 3 * apart[k].copies);
      all.copies = std::max(all.copies, apart[k].copies);
    }
    all.most = all.mass;
    all.least = -all.mass;
    shelf.all = all;
  }

  // Sums up, scans and opens one column, unless what is remembered of it says that it is not the
  // best.
  void look_at_single(const Weights& weights, size_t j, Apart* apart, int64_t margin,
                      std::atomic<int64_t>& best) {
    best_[j] = -1;
    if (apart != nullptr && !is_stale(*apart) &&
        !may_be_best(*apart, best.load(std::memory_order_relaxed) - margin))
      return;
    const Column& column = columns_[j];
    if (can_remember(column))
      *apart = add_apart(weights, j);
    else
      add_single(weights, j);
    best_[j] = best_of(j);
    raise(best, best_[j]);
    if (column.coarse) open_column(weights, j, margin, best);
  }

  // Whether so much may have changed that a fresh look will spare several.
  bool is_stale(const Apart& apart) const { return spread_[apart.looked % kMemory].most > 4; }

  static bool can_remember(const Column& column) {
    return column.sparse && !column.coarse && !column.has_missing && column.zero_code != kNoCode;
  }

  // Whether a column may hold an R of at least `bar`, for all that is remembered of it. A cut sets
  // some listed rows of sum Q apart from all others: R = |2 Q - S|.
  bool may_be_best(const Apart& apart, int64_t bar) const {
    if (apart.looked == 0 || searches_ - apart.looked >= kMemory) return true;
    const double middle = spread_[apart.looked % kMemory].middle();
    const double half = spread_[apart.looked % kMemory].half();
    if (!(half < 1e100)) return true;
    // As for a bin: what rounding to whole numbers and single precision may have moved.
    const double slack =
        apart.copies * (2.0 + middle + half) + 8192 + (half + 1e-6 * (middle + half)) * apart.mass;
    const double s = static_cast<double>(signed_total_);
    return std::max(2 * (middle * apart.most + slack) - s,
                    s - 2 * (middle * apart.least - slack)) >= static_cast<double>(bar);
  }

  // The table of a sparse column, and what is to be remembered of it.
  Apart add_apart(const Weights& weights, size_t j) {
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
    const auto meet = [&](uint32_t code) {
      sum += sums[code];
      least = std::min(least, sum);
      most = std::max(most, sum);
    };
    for (uint32_t c = 0; c < column.zero_code; ++c) meet(c);
    sum = 0;
    for (uint32_t c = column.n_codes - 1; c > column.zero_code; --c) meet(c);
    return {static_cast<float>(least), static_cast<float>(most), static_cast<float>(mass),
            static_cast<float>(weights.copies_in(column.n_entries)), searches_};
  }

  void add_unit(const Weights& weights, Tables tables, const Unit& unit) {
    int64_t* sums = &tables_[offset_[unit.columns[0]]];
    if (tables == Tables::afresh) std::fill(sums, sums + unit.columns.size() * 256, 0);
    add_blocks(weights, tables, unit, 0, weights.n_blocks(), sums);
  }

  // Few columns, many rows: each thread sums a part of the rows for itself.
  void add_by_rows(const Weights& weights, Tables tables, int threads) {
    constexpr size_t blocks_a_part = 32;
    const size_t parts = (weights.n_blocks() + blocks_a_part - 1) / blocks_a_part;
    std::vector<std::mutex> lock(n_grouped_);
    if (tables == Tables::afresh)
      for (size_t u = 0; u < n_grouped_; ++u) {
        int64_t* sums = &tables_[offset_[units_[u].columns[0]]];
        std::fill(sums, sums + units_[u].columns.size() * 256, 0);
      }
    Pool::instance().run(n_grouped_ * parts, threads, [&](size_t task) {
      const Unit& unit = units_[task / parts];
      const size_t first = task % parts * blocks_a_part;
      const size_t last = std::min(weights.n_blocks(), first + blocks_a_part);
      std::vector<int64_t> own(unit.columns.size() * 256, 0);
      add_blocks(weights, tables, unit, first, last, own.data());
      std::lock_guard<std::mutex> guard(lock[task / parts]);
      int64_t* sums = &tables_[offset_[unit.columns[0]]];
      for (size_t k = 0; k < own.size(); ++k) sums[k] += own[k];
    });
  }

  // Adds the values (or, following, what changed of them) of some blocks of rows to a group's
  // tables.
  void add_blocks(const Weights& weights, Tables tables, const Unit& unit, size_t first,
                  size_t last, int64_t* sums) const {
    const size_t width = unit.columns.size();
    const uint8_t* codes[kGroup] = {};
    for (size_t k = 0; k < width; ++k) codes[k] = columns_[unit.columns[k]].codes;
    add_codes(weights, tables, codes, width, first, last, sums);
  }
  void add_codes(const Weights& weights, Tables tables, const uint8_t* const* codes, size_t width,
                 size_t first, size_t last, int64_t* sums) const {
    for (size_t b = first; b < last; ++b) {
      const size_t begin = b * Weights::kBlock;
      const size_t list = Weights::list_of(b);
      if (tables == Tables::follow)
        hot().histogram_of(codes, width, weights.changed(), weights.change(), list,
                           list + weights.n_changed(b), sums);
      else
        hot().histogram(codes, width, weights.value(), begin,
                        std::min(begin + Weights::kBlock, weights.size()), sums);
    }
  }

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

  const int64_t* table(size_t j) const { return &tables_[offset_[j]]; }

  int64_t missing_gain(size_t j) const {
    const Column& column = columns_[j];
    if (!column.has_missing || missing_ == MissingRule::abstain) return 0;
    return std::abs(table(j)[column.n_codes]);
  }

  int64_t known_sum(size_t j) const {
    int64_t s = 0;
    for (uint32_t c = 0; c < columns_[j].n_codes; ++c) s += table(j)[c];
    return s;
  }

  // The best R of column j over the candidates its codes show (all, where it is coded exactly).
  int64_t best_of(size_t j) const {
    const Column& column = columns_[j];
    if (column.n_codes == 0) return -1;
    const int64_t* sums = table(j);
    const int64_t s = known_sum(j);
    int64_t best = std::abs(s);
    if (column.categorical && categorical_ == CategoricalTest::multiway) {
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

  // Whether bin c of column j, before which the signed sum is `before`, may hold an R of at least
  // `bar`.
  bool may_hold(const Column& column, const Kept& kept, uint32_t c, int64_t before, int64_t sum,
                int64_t s, int64_t bar, const Weights& weights) const {
    const uint32_t n = column.bin_start[c + 1] - column.bin_start[c];
    if (n < 2) return false;
    if (kept.opened == 0 || searches_ - kept.opened >= kMemory) return true;
    if (kept.least > kept.most) return false;  // one value: nothing inside to cut
    const double middle = spread_[kept.opened % kMemory].middle();
    const double half = spread_[kept.opened % kMemory].half();
    if (!(half < 1e100)) return true;  // the weights have moved too far to say anything
    // Each copy was rounded then and now by half a unit; sums of up to 2^61 lose 2^9 as doubles;
    // what is kept has single precision.
    const double slack =
        weights.copies_in(n) * (2.0 + middle + half) + 8192 + 1e-6 * (middle + half) * kept.mass;
    // A prefix and the rest of the bin bound each other: half the slack each, moved by the known
    // sum.
    const double moved = static_cast<double>(sum) - middle * kept.sum;
    const double most = middle * kept.most + (half * kept.mass + moved) / 2 + slack;
    const double least = middle * kept.least - (half * kept.mass - moved) / 2 - slack;
    const double at = 2.0 * static_cast<double>(before) - static_cast<double>(s);
    return std::max(std::abs(at + 2 * most), std::abs(at + 2 * least)) >= static_cast<double>(bar);
  }

  void open_column(const Weights& weights, size_t j, int64_t margin, std::atomic<int64_t>& best) {
    const Column& column = columns_[j];
    const int64_t gain = missing_gain(j);
    const int64_t s = known_sum(j);
    const int64_t* sums = table(j);
    int64_t before = 0;
    opened_[j].clear();
    for (uint32_t c = 0; c < column.n_codes; ++c) {
      Kept& kept = kept_[kept_offset_[j] + c];
      const int64_t bar = best.load(std::memory_order_relaxed) - margin - gain;
      if (may_hold(column, kept, c, before, sums[c], s, bar, weights)) {
        const int64_t inner = open(column, c, before, s, weights, kept);
        opened_[j].push_back({c, inner});
        if (inner >= 0) {
          best_[j] = std::max(best_[j], inner + gain);
          raise(best, inner + gain);
        }
      }
      before += sums[c];
    }
  }

  // Looks at every threshold inside a bin: its best R, or -1 where it holds one value only.
  int64_t open(const Column& column, uint32_t c, int64_t before, int64_t s, const Weights& weights,
               Kept& kept) const {
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
    kept.opened = searches_;
    kept.sum = static_cast<float>(sum);
    kept.mass = static_cast<float>(mass);
    if (least > most) {  // one value: nothing inside to cut
      kept.least = 1;
      kept.most = -1;
      return -1;
    }
    kept.least = static_cast<float>(least);
    kept.most = static_cast<float>(most);
    return std::max(std::abs(2 * (before + most) - s), std::abs(2 * (before + least) - s));
  }

  // A signed sum of at most this size counts as 0.
  static int64_t level(const Weights& weights) { return weights.total() / 1'000'000'000'000; }

  // No test at all, only the majority.
  StumpFound nothing(const Weights& weights) const {
    StumpFound found;
    found.majority = signed_total_ >= -level(weights) ? 1 : -1;
    return found;
  }

  // The first candidate, in the order of preference, whose R is at least `bar`.
  StumpFound first_of(const Weights& weights, int64_t bar) const {
    StumpFound first = nothing(weights);
    each_candidate(weights, bar, [&](const StumpFound& found) {
      first = found;
      return true;
    });
    return first;
  }

  // The same where so many copies were rounded that their whole numbers cannot tell a tie: among
  // the candidates that may be best, what rounding left out decides.
  StumpFound settled(const Weights& weights, int64_t best, int64_t tied, int64_t doubt) const {
    std::vector<StumpFound> candidates;
    bool seen[2] = {false,
                    false};  // constants: every column without missing values has the same two
    each_candidate(weights, best - tied - doubt, [&](const StumpFound& found) {
      const bool plain =
          found.test == Test::constant && !columns_[static_cast<size_t>(found.feature)].has_missing;
      if (!(plain && seen[found.polarity > 0])) candidates.push_back(found);
      if (plain) seen[found.polarity > 0] = true;
      return false;
    });
    if (candidates.size() < 2) return candidates.empty() ? nothing(weights) : candidates[0];
    std::vector<int64_t> finer(candidates.size());
    std::vector<int8_t> answer(columns_.n_rows());
    for (size_t k = 0; k < candidates.size(); ++k) {
      answer_rows(candidates[k], answer.data());
      finer[k] = ((candidates[k].correlation - best) << Weights::kFiner) +
                 weights.remainder([&](size_t i) { return answer[i] * weights.sign(i); });
      Pool::breathe();
    }
    const int64_t bar = *std::max_element(finer.begin(), finer.end()) - (tied << Weights::kFiner);
    size_t k = 0;
    while (finer[k] < bar) ++k;
    return candidates[k];
  }

  void answer_rows(const StumpFound& found, int8_t* answer) const {
    const Column& column = columns_[static_cast<size_t>(found.feature)];
    const std::vector<int32_t> levels(found.levels.begin(), found.levels.end());
    const Answers answers{found.test,     found.threshold, found.level,  -found.polarity,
                          found.polarity, found.missing,   levels.data()};
    int32_t outcome[256];
    const Cut cut = outcomes(column, answers, outcome);
    route(column, columns_.n_rows(), outcome, cut, answers.high,
          [&](size_t i, int32_t a) { answer[i] = static_cast<int8_t>(a); });
  }

  // Calls visit, in the order of preference, for the candidates whose R is at least `bar`, until it
  // answers true.
  template <class Visit>
  void each_candidate(const Weights& weights, int64_t bar, Visit&& visit) const {
    for (size_t j = 0; j < columns_.size(); ++j) {
      if (best_[j] < 0 || best_[j] < bar) continue;
      const Column& column = columns_[j];
      StumpFound found = nothing(weights);
      found.feature = static_cast<int64_t>(j);
      if (column.has_missing && missing_ == MissingRule::branch)
        found.missing = table(j)[column.n_codes] > level(weights) ? 1 : -1;
      if (each_of_column(weights, j, bar, found, visit)) return;
    }
  }

  // One candidate with correlation r at polarity +1, in either polarity that reaches the bar.
  template <class Visit>
  static bool offer(int64_t r, int64_t gain, int64_t bar, StumpFound& found, Visit& visit) {
    for (const int8_t polarity : {int8_t{1}, int8_t{-1}}) {
      found.polarity = polarity;
      found.correlation = polarity * r + gain;
      if (found.correlation >= bar && visit(found)) return true;
    }
    return false;
  }

  template <class Visit>
  bool each_of_column(const Weights& weights, size_t j, int64_t bar, StumpFound& found,
                      Visit& visit) const {
    const Column& column = columns_[j];
    const int64_t* sums = table(j);
    const int64_t s = known_sum(j), gain = missing_gain(j);
    if (column.categorical && categorical_ == CategoricalTest::multiway) {
      found.test = Test::multiway;
      found.correlation = best_[j];
      for (uint32_t c = 0; c < column.n_codes; ++c)
        found.levels.push_back(sums[c] > level(weights) ? 1 : -1);
      return visit(found);
    }
    found.test = Test::constant;
    found.threshold =
        column.categorical ? -std::numeric_limits<double>::infinity() : cut_below(column.least(0));
    if (offer(s, gain, bar, found, visit)) return true;
    if (column.categorical) {
      found.test = Test::equality;
      for (found.level = 0; found.level < column.n_codes; ++found.level)
        if (offer(2 * sums[found.level] - s, gain, bar, found, visit)) return true;
      return false;
    }
    found.test = Test::threshold;
    int64_t before = 0;
    size_t next = 0;  // among the bins opened, which are listed in order
    for (uint32_t c = 0; c < column.n_codes; ++c) {
      const bool seen = column.coarse && next < opened_[j].size() && opened_[j][next].code == c;
      if (seen && opened_[j][next++].best + gain >= bar) {
        const uint32_t first = column.bin_start[c], last = column.bin_start[c + 1];
        int64_t inner = before;
        for (uint32_t p = first; p < last; ++p) {
          if ((column.order[p] & kNewValue) && p > first && std::abs(s - 2 * inner) + gain >= bar) {
            found.threshold = cut_between(column.sorted(p - 1), column.sorted(p));
            if (offer(s - 2 * inner, gain, bar, found, visit)) return true;
          }
          inner += weights.value()[column.order[p] & kRowMask];
        }
      }
      before += sums[c];
      if (c + 1 < column.n_codes && std::abs(s - 2 * before) + gain >= bar) {
        found.threshold = cut_between(column.greatest(c), column.least(c + 1));
        if (offer(s - 2 * before, gain, bar, found, visit)) return true;
      }
    }
    return false;
  }

  const Columns& columns_;
  CategoricalTest categorical_;
  MissingRule missing_;
  int threads_;
  std::vector<size_t> offset_;  // of each column's table
  std::vector<Unit> units_;     // the grouped ones first
  size_t n_grouped_ = 0, n_sparse_ = 0;
  std::vector<size_t> order_;  // of the units, by their best R in the last search
  std::vector<Apart> apart_;   // of sparse columns that are not packed
  std::vector<Shelf> shelf_;
  std::vector<size_t> packed_;      // common columns
  Block<uint8_t> bits_;             // eight of them to a byte, a row after another
  std::vector<int64_t> pack_sums_;  // 256 for each eight
  std::vector<int64_t> tables_;
  std::vector<int64_t> best_;     // R of each column in this search; -1: not the best
  size_t last_best_ = 0;          // the best column of the last search,
  size_t last_apart_ = SIZE_MAX;  // and its place, where it is to be looked at first
  size_t n_coarse_ = 0;
  std::vector<size_t> kept_offset_;
  std::vector<Kept> kept_;
  std::vector<std::vector<Opened>> opened_;  // by column, in this search
  uint64_t weights_id_ = 0;
  uint64_t version_ = 0;
  uint32_t searches_ = 0;
  int64_t signed_total_ = 0;
  double log_least_ = 0, log_most_ = 0;  // the weights' running log-factors at the last search
  std::vector<Spread> spread_;           // of the last kMemory searches, by search modulo kMemory
};

}  // namespace weaklearn
