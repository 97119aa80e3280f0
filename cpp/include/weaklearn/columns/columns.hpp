// Coded columns: one byte a cell, with the real values beside them.
//
// A column of at most 255 distinct values is coded exactly. One with more gets at most 255 coarse
// codes and, to open a coarse bin exactly, the rows in order of value. Codes follow the order of
// values and do not depend on the order of rows. A sparse column lists its entries and has an
// implicit code for zero. Cost: O(m) for an exact column, O(m) radix passes for a coarse one; 1
// byte a cell, 8 or 12 more if coarse.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "weaklearn/threads/pool.hpp"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace weaklearn {

// Hands the system what was freed: coding sorts copies of columns, tens of megabytes a thread, and
// the allocator would keep them.
inline void give_memory_back() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

constexpr uint32_t kMostCodes = 255;  // value codes of a column; one more may stand for missing
constexpr uint32_t kNewValue =
    0x80000000u;  // flag on an entry of `order`: a new distinct value starts
constexpr uint32_t kRowMask = 0x7fffffffu;
constexpr size_t kLeastBin = 64;  // rows below which a coarse bin costs more to weigh than to open
constexpr uint32_t kNoCode = 0xffffffffu;

// How columns of many values are coded. Searches that open bins keep the order of rows and want
// bins of some size; those that only cut between bins want as many as there are codes.
struct Binning {
  uint32_t most_codes = kMostCodes;
  size_t least_rows = kLeastBin;
  bool keep_order = true;
  const int64_t* copies = nullptr;  // of each row, null: one; looked at while coding only
};

template <class T>
using Block = std::unique_ptr<T[]>;

struct Column {
  bool categorical = false;
  bool sparse = false;
  bool has_missing = false;
  bool coarse = false;
  uint32_t n_codes = 0;  // value codes 0 .. n_codes-1; missing rows have code n_codes
  uint32_t zero_code =
      kNoCode;             // sparse: the code of the rows that are not listed, if there are any
  uint32_t n_entries = 0;  // sparse: listed rows
  uint32_t n_known = 0;    // coarse: length of `order`
  const uint8_t* codes = nullptr;        // dense: one a row; sparse: one an entry
  const uint32_t* entry_rows = nullptr;  // sparse: in the lists of all columns
  const double* values = nullptr;        // exact numeric: the value of each code
  Block<double> own_values;              // where these are not shared with other columns
  Block<uint32_t> order;      // coarse: listed, not missing rows by value, flagged with kNewValue
  Block<uint32_t> bin_start;  // coarse: first position of each code in `order`; n_codes + 1 of them
  Block<float> sorted_f32;  // coarse: values along `order`, in single precision where that is exact
  Block<double> sorted_f64;  // coarse: otherwise
  Block<double> ends;        // coarse: smallest and largest value of each code, one after the other

  uint32_t n_slots() const { return n_codes + (has_missing ? 1u : 0u); }
  double sorted(uint32_t position) const {
    return sorted_f32 ? static_cast<double>(sorted_f32[position]) : sorted_f64[position];
  }
  // Smallest and largest value of a code, for cut points between neighbouring codes.
  double least(uint32_t code) const { return coarse ? ends[2 * code] : values[code]; }
  double greatest(uint32_t code) const { return coarse ? ends[2 * code + 1] : values[code]; }
};

// The midpoint of two neighbouring values, or the lower one where no float lies between them (C++
// floats may be adjacent, or the sum may overflow): the test is "above the cut", so either
// separates.
inline double cut_between(double a, double b) {
  const double middle = (a + b) / 2;
  return middle >= a && middle < b ? middle : a;
}
// The constant rule stands one below the smallest value, or at minus infinity where that is no
// step.
inline double cut_below(double first) {
  const double below = first - 1;
  return below < first ? below : -std::numeric_limits<double>::infinity();
}

namespace coding {

inline uint32_t key_of(float x) {  // order-preserving; -0 and +0 are one value
  uint32_t bits;
  const float plain = x + 0.0f;
  std::memcpy(&bits, &plain, sizeof bits);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}
inline uint64_t key_of(double x) {
  uint64_t bits;
  const double plain = x + 0.0;
  std::memcpy(&bits, &plain, sizeof bits);
  return bits & 0x8000000000000000ull ? ~bits : bits | 0x8000000000000000ull;
}

// What key_of was made from.
inline float value_of(uint32_t key) {
  const uint32_t bits = key & 0x80000000u ? key ^ 0x80000000u : ~key;
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
inline double value_of(uint64_t key) {
  const uint64_t bits = key & 0x8000000000000000ull ? key ^ 0x8000000000000000ull : ~key;
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

// At most 255 distinct numbers in a small open-addressing table.
template <class Real>
class FewValues {
 public:
  FewValues() { std::fill(std::begin(slot_), std::end(slot_), int16_t{-1}); }
  bool add(Real x) {  // false when there are too many
    auto key = key_of(x);
    uint32_t at = hash(key);
    while (slot_[at] >= 0) {
      if (keys_[slot_[at]] == key) return true;
      at = (at + 1) & 1023u;
    }
    if (count_ == kMostCodes) return false;
    keys_[count_] = key;
    values_[count_] = x + Real(0);
    slot_[at] = static_cast<int16_t>(count_++);
    return true;
  }
  uint32_t count() const { return count_; }
  // Ranks the values; afterwards `code` answers.
  void rank(double* values) {
    uint16_t by_value[kMostCodes];
    for (uint32_t k = 0; k < count_; ++k) by_value[k] = static_cast<uint16_t>(k);
    std::sort(by_value, by_value + count_,
              [&](uint16_t a, uint16_t b) { return keys_[a] < keys_[b]; });
    for (uint32_t k = 0; k < count_; ++k) {
      code_[by_value[k]] = static_cast<uint8_t>(k);
      values[k] = static_cast<double>(values_[by_value[k]]);
    }
  }
  uint8_t code(Real x) const {
    auto key = key_of(x);
    uint32_t at = hash(key);
    while (keys_[slot_[at]] != key) at = (at + 1) & 1023u;
    return code_[slot_[at]];
  }

 private:
  using Key = decltype(key_of(Real{}));
  static uint32_t hash(uint32_t key) { return (key * 2654435769u) >> 22; }
  static uint32_t hash(uint64_t key) {
    return static_cast<uint32_t>((key * 0x9E3779B97F4A7C15ull) >> 54);
  }
  int16_t slot_[1024];
  Key keys_[kMostCodes];
  Real values_[kMostCodes];
  uint8_t code_[kMostCodes];
  uint32_t count_ = 0;
};

struct Keyed32 {
  uint32_t key, row;
};
struct Keyed64 {
  uint64_t key;
  uint32_t row;
};

// Stable radix sort by key, 11 bits a pass, passes with one digit left out.
template <class Keyed>
void radix_sort(std::vector<Keyed>& items, std::vector<Keyed>& spare) {
  const size_t n = items.size();
  if (n < 2) return;
  spare.resize(n);
  constexpr int passes = sizeof(Keyed::key) == 4 ? 3 : 6;
  std::vector<uint32_t> count(static_cast<size_t>(passes) * 2048, 0);
  for (size_t i = 0; i < n; ++i)
    for (int p = 0; p < passes; ++p) ++count[p * 2048 + ((items[i].key >> (11 * p)) & 2047u)];
  for (int p = 0; p < passes; ++p) {
    uint32_t* c = &count[static_cast<size_t>(p) * 2048];
    if (c[(items[0].key >> (11 * p)) & 2047u] == n) continue;
    uint32_t sum = 0;
    for (int b = 0; b < 2048; ++b) {
      const uint32_t k = c[b];
      c[b] = sum;
      sum += k;
    }
    for (size_t i = 0; i < n; ++i) spare[c[(items[i].key >> (11 * p)) & 2047u]++] = items[i];
    items.swap(spare);
  }
}

// Scratch one thread keeps between columns.
struct Scratch {
  std::vector<Keyed32> items32, spare32;
  std::vector<Keyed64> items64, spare64;
};

// Numbers of one column with the rows they stand in.
template <class Real>
struct Numbers {
  const Real* data;
  size_t n;
  const uint32_t* rows = nullptr;  // sparse: row of each; dense: the position itself
  size_t n_zero = 0;               // sparse: examples in rows that are not listed
  Real at(size_t i) const { return data[i]; }
};

// How many examples come before each of the sorted items: their number, or that of their copies.
class Before {
 public:
  template <class Items>
  Before(const Items& items, const uint32_t* rows, const int64_t* copies) {
    if (copies == nullptr) return;
    sums_.reserve(items.size() + 1);
    sums_.push_back(0);
    for (const auto& item : items)
      sums_.push_back(sums_.back() + copies[rows == nullptr ? item.row : rows[item.row]]);
  }
  size_t operator[](size_t i) const { return sums_.empty() ? i : static_cast<size_t>(sums_[i]); }

 private:
  std::vector<int64_t> sums_;
};

// Appends at most `most` bins over the sorted items [begin, end), of about the same number of
// examples each, equal values together: a value that fills a bin alone leaves fewer to the others.
// Before item `zero_at` stand n_zero examples of the value 0 that are not listed.
template <class Items>
void bin_run(Column& column, const Items& items, const Before& before, size_t begin, size_t end,
             size_t most, size_t least, size_t zero_at = SIZE_MAX, size_t n_zero = 0) {
  size_t start = before[begin], left = most;
  const size_t all = before[end] + n_zero;
  const auto share = [&] {
    return std::max(left > 1 ? (all - start + left - 1) / left : all - start, least);
  };
  size_t full = share();
  const auto meet = [&](size_t i, size_t count) {  // a new value, with so many examples before it
    if (count - start < full) return;
    column.bin_start[++column.n_codes] = static_cast<uint32_t>(i);
    start = count;
    --left;
    full = share();
  };
  for (size_t i = begin; i < end; ++i) {
    if (i == zero_at) {
      meet(i, before[i]);
      column.zero_code = column.n_codes;
    }
    const bool new_value = i == begin || i == zero_at || items[i].key != items[i - 1].key;
    if (new_value) meet(i, before[i] + (i >= zero_at ? n_zero : 0));
    if (column.order) column.order[i] = items[i].row | (new_value ? kNewValue : 0u);
  }
  if (end == zero_at) {
    meet(end, before[end]);
    column.zero_code = column.n_codes;
  }
  if (end > begin || n_zero > 0) column.bin_start[++column.n_codes] = static_cast<uint32_t>(end);
}

// Coarse codes over sorted items; `n_below_zero` splits them where a sparse column's implicit zero
// stands.
template <class Items, class Real>
void bin_coarsely(Column& column, const Items& items, const Numbers<Real>& numbers,
                  const Binning& binning, bool with_zero, size_t n_below_zero) {
  const size_t n = items.size(), least = binning.least_rows;
  const Before before(items, numbers.rows, binning.copies);
  column.coarse = true;
  column.n_known = static_cast<uint32_t>(n);
  if (binning.keep_order) column.order = std::make_unique_for_overwrite<uint32_t[]>(n);
  column.bin_start = std::make_unique<uint32_t[]>(kMostCodes + 1);
  column.bin_start[0] = 0;
  if (!with_zero) return bin_run(column, items, before, 0, n, binning.most_codes, least);
  if (!binning.keep_order)  // the bins that the same numbers have in a dense column
    return bin_run(column, items, before, 0, n, binning.most_codes, least, n_below_zero,
                   numbers.n_zero);
  // Bins are to be opened: zero has one of its own, and the others are shared out on both sides of
  // it, at least one each.
  const size_t most = std::max(binning.most_codes, 3u) - 1;
  const size_t below =
      n == 0 ? 0 : std::clamp(most * before[n_below_zero] / before[n], size_t{1}, most - 1);
  bin_run(column, items, before, 0, n_below_zero, below, least);
  column.zero_code = column.n_codes;
  column.bin_start[++column.n_codes] = static_cast<uint32_t>(n_below_zero);
  bin_run(column, items, before, n_below_zero, n, most - below, least);
}

// Copies an n_rows x n part of a matrix into columns that lie one after another.
template <class Real>
void turn(const char* data, ptrdiff_t row_stride, ptrdiff_t column_stride, size_t n_rows, size_t n,
          Real* out) {
  for (size_t i = 0; i < n_rows; ++i) {
    const char* row = data + static_cast<ptrdiff_t>(i) * row_stride;
    for (size_t j = 0; j < n; ++j)
      std::memcpy(&out[j * n_rows + i], row + static_cast<ptrdiff_t>(j) * column_stride,
                  sizeof(Real));
  }
}

inline bool exact_in_f32(float) { return true; }
inline bool exact_in_f32(double x) { return static_cast<double>(static_cast<float>(x)) == x; }

// Sorts, bins and keeps the values of a column with many distinct ones. `codes` is dense (one a
// row) where `numbers.rows` is null, else one an entry in the order of `entry_of_row`'s list.
template <class Key, class Keyed, class Real>
void code_coarse(Column& column, const Numbers<Real>& numbers, const Binning& binning,
                 bool with_zero, uint8_t* codes, std::vector<Keyed>& items,
                 std::vector<Keyed>& spare) {
  items.resize(numbers.n);
  size_t known = 0, n_below_zero = 0;
  for (size_t i = 0; i < numbers.n; ++i) {
    const Real x = numbers.at(i);
    // While sorting, `row` is the position in the list: codes are written by it.
    items[known] = {key_of(static_cast<Key>(x)), static_cast<uint32_t>(i)};
    known += x == x;
    n_below_zero += x < 0;
  }
  items.resize(known);
  radix_sort(items, spare);
  bin_coarsely(column, items, numbers, binning, with_zero, n_below_zero);
  const size_t n = items.size();
  column.ends = std::make_unique<double[]>(2 * kMostCodes);
  for (uint32_t code = 0; code < column.n_codes; ++code) {
    const uint32_t first = column.bin_start[code], last = column.bin_start[code + 1];
    for (uint32_t p = first; p < last; ++p) codes[items[p].row] = static_cast<uint8_t>(code);
    if (first == last) continue;  // the implicit zero of a sparse column: both ends stay 0
    const bool zero_too = code == column.zero_code;
    const auto low = static_cast<double>(value_of(items[first].key));
    const auto high = static_cast<double>(value_of(items[last - 1].key));
    column.ends[2 * code] = zero_too ? std::min(low, 0.0) : low;
    column.ends[2 * code + 1] = zero_too ? std::max(high, 0.0) : high;
  }
  if (!binning.keep_order) return;
  constexpr bool narrow = sizeof(Key) == sizeof(float);
  if constexpr (narrow)
    column.sorted_f32 = std::make_unique_for_overwrite<float[]>(n);
  else
    column.sorted_f64 = std::make_unique_for_overwrite<double[]>(n);
  for (uint32_t code = 0; code < column.n_codes; ++code)
    for (uint32_t p = column.bin_start[code]; p < column.bin_start[code + 1]; ++p) {
      const uint32_t i = items[p].row;
      if constexpr (narrow)
        column.sorted_f32[p] = value_of(items[p].key);
      else
        column.sorted_f64[p] = value_of(items[p].key);
      if (numbers.rows != nullptr)
        column.order[p] = numbers.rows[i] | (column.order[p] & kNewValue);
    }
}

// Codes one numeric column: `codes` receives one byte for each of the numbers.
template <class Real>
void code_numbers(Column& column, const Numbers<Real>& numbers, const Binning& binning,
                  bool with_zero, uint8_t* codes, Scratch& scratch) {
  FewValues<Real> few;
  bool is_few = with_zero ? few.add(Real(0)) : true;
  for (size_t i = 0; i < numbers.n && is_few; ++i) {
    const Real x = numbers.at(i);
    is_few = x != x || few.add(x);
  }
  unsigned missing = 0, wide = 0;
  for (size_t i = 0; i < numbers.n; ++i) {
    const Real x = numbers.at(i);
    missing |= x != x ? 1u : 0u;
    wide |= x == x && !exact_in_f32(x) ? 1u : 0u;
  }
  column.has_missing = missing != 0;
  const bool all_narrow = wide == 0;
  if (is_few && few.count() <= binning.most_codes) {
    column.n_codes = few.count();
    column.own_values = std::make_unique<double[]>(few.count());
    few.rank(column.own_values.get());
    column.values = column.own_values.get();
    if (with_zero) column.zero_code = few.code(Real(0));
    for (size_t i = 0; i < numbers.n; ++i) {
      const Real x = numbers.at(i);
      if (x == x) codes[i] = few.code(x);
    }
  } else if (all_narrow) {
    code_coarse<float>(column, numbers, binning, with_zero, codes, scratch.items32,
                       scratch.spare32);
  } else {
    code_coarse<double>(column, numbers, binning, with_zero, codes, scratch.items64,
                        scratch.spare64);
  }
  if (column.has_missing)
    for (size_t i = 0; i < numbers.n; ++i) {
      const Real x = numbers.at(i);
      if (x != x) codes[i] = static_cast<uint8_t>(column.n_codes);
    }
}

}  // namespace coding

// All the columns of a sample, coded once; from here on nothing looks at X again.
class Columns {
 public:
  Columns(size_t n_rows, size_t n_features, const Binning& binning = {})
      : n_rows_(n_rows), columns_(n_features), binning_(binning) {
    if (binning.copies != nullptr)
      for (size_t i = 0; i < n_rows; ++i) examples_ += static_cast<size_t>(binning.copies[i]);
  }

  size_t n_rows() const { return n_rows_; }
  size_t size() const { return columns_.size(); }
  const Column& operator[](size_t j) const { return columns_[j]; }

  // A whole numeric matrix: element (i, j) at data + i * row_stride + j * column_stride. Each chunk
  // of columns is copied before it is looked at: a line of row-major memory is read once, and what
  // another thread writes meanwhile can change values but do no harm.
  template <class Real>
  void code_matrix(const char* data, ptrdiff_t row_stride, ptrdiff_t column_stride, int threads) {
    reserve_blocks();
    const size_t d = columns_.size();
    const size_t chunk = std::clamp<size_t>((size_t{16} << 20) / (n_rows_ * sizeof(Real)), 1,
                                            n_rows_ < 4096 ? 4096 / n_rows_ + 16 : 16);
    Pool::instance().run((d + chunk - 1) / chunk, threads_for(n_rows_ * d * 8, threads),
                         [&](size_t t) {
                           const size_t first = t * chunk, n = std::min(d - first, chunk);
                           coding::Scratch scratch;
                           std::vector<Real> turned(n * n_rows_);
                           coding::turn<Real>(data + static_cast<ptrdiff_t>(first) * column_stride,
                                              row_stride, column_stride, n_rows_, n, turned.data());
                           for (size_t j = 0; j < n; ++j) {
                             code_copy(first + j, &turned[j * n_rows_], scratch);
                             Pool::breathe();
                           }
                         });
    give_memory_back();
  }

  // Room for the codes of the first columns, all of them where none is sparse; call it once before
  // they are coded, in any order.
  void reserve_blocks(size_t n) {
    block_ = std::make_unique_for_overwrite<uint8_t[]>(n_rows_ * n + 8);
  }
  void reserve_blocks() { reserve_blocks(columns_.size()); }

  // One numeric column of a table.
  template <class Real>
  void code_column(size_t j, const Real* data) {
    coding::Scratch scratch;
    const std::vector<Real> copy(data, data + n_rows_);
    code_copy(j, copy.data(), scratch);
  }

  // One categorical column: level codes in order of value, -1 for missing; at most 255 levels.
  void code_levels(size_t j, const int32_t* levels, uint32_t n_levels) {
    Column& column = columns_[j];
    column.categorical = true;
    column.n_codes = n_levels;
    uint8_t* codes = own_block(j);
    for (size_t i = 0; i < n_rows_; ++i) {
      const int32_t level = levels[i];
      if (level < -1 || level >= static_cast<int32_t>(n_levels))
        throw std::invalid_argument("a level code is out of range");
      column.has_missing |= level < 0;
      codes[i] = static_cast<uint8_t>(level < 0 ? n_levels : static_cast<uint32_t>(level));
    }
  }

  // Columns from `from` on are a sparse matrix by columns: the entries of its column j begin at
  // start[j], rows ascending, without repeats. Listed zeros join those that are not listed. `start`
  // is the caller's own; what another thread writes to the other arrays meanwhile can change values
  // but do no harm.
  template <class Real, class Index>
  void code_by_columns(size_t from, const Real* data, const Index* rows,
                       const std::vector<Index>& start, int threads) {
    const size_t d = start.size() - 1, n = static_cast<size_t>(start[d]);
    const Listed listed = list(n, n);
    std::atomic<bool> orderly{true};
    by_chunks<Real>(d, n, threads, [&](size_t j, std::vector<Real>& kept, auto& scratch) {
      const auto first = static_cast<size_t>(start[j]), last = static_cast<size_t>(start[j + 1]);
      kept.clear();
      size_t next = 0;  // the least row that may follow
      for (size_t e = first; e < last; ++e) {
        const Real x = data[e];
        const auto row = static_cast<size_t>(rows[e]);
        if (row < next || row >= n_rows_) orderly = false;
        next = row + 1;
        if (x == Real(0)) continue;
        listed.rows[first + kept.size()] = static_cast<uint32_t>(row);
        kept.push_back(x);
      }
      if (orderly) code_entries(from + j, kept.data(), listed.at(first), kept.size(), scratch);
    });
    if (!orderly) throw std::invalid_argument("row indices must ascend within the number of rows");
    give_memory_back();
  }

  // The same for d columns by rows: the entries of row i begin at start[i]. Where all numbers but
  // the zeros are one, as in a table of which text holds which term, columns share their codes and
  // values.
  template <class Real, class Index>
  void code_by_rows(size_t from, size_t d, const Real* data, const Index* columns,
                    const std::vector<Index>& start, int threads) {
    const size_t n = static_cast<size_t>(start[n_rows_]);
    const auto parts = static_cast<size_t>(std::clamp(threads_for(n * 8, threads), 1, 8));
    std::vector<Turned<Real>> turned(parts);  // of some rows each, in order
    Pool::instance().run(parts, static_cast<int>(parts), [&](size_t t) {
      Turned<Real>& part = turned[t];
      part.next.assign(d, 0);
      for (size_t i = n_rows_ * t / parts; i < n_rows_ * (t + 1) / parts; ++i) {
        size_t next = 0;
        for (auto e = static_cast<size_t>(start[i]); e < static_cast<size_t>(start[i + 1]); ++e) {
          const Real x = data[e];
          const auto j = static_cast<size_t>(columns[e]);
          if (j < next || j >= d) {
            part.orderly = false;
            return;
          }
          next = j + 1;
          if (x == Real(0)) continue;
          if (part.one == Real(0)) part.one = x;
          part.same &= x == part.one;
          ++part.next[j];
        }
      }
    });
    Real one = 0;  // the number that all are
    bool same = true;
    for (const Turned<Real>& part : turned) {
      if (!part.orderly)
        throw std::invalid_argument("column indices must ascend within the number of columns");
      if (one == Real(0)) one = part.one;
      same &= part.same && (part.one == Real(0) || part.one == one);
    }
    // Where the entries of each column begin, those of each part of the rows among them.
    std::vector<size_t> first(d + 1, 0);
    for (size_t j = 0, at = 0; j < d; ++j) {
      first[j] = at;
      for (Turned<Real>& part : turned) at += std::exchange(part.next[j], at);
      first[j + 1] = at;
    }
    const Listed listed = list(first[d], same ? 2 * n_rows_ : first[d]);
    std::unique_ptr<Real[]> kept;
    if (!same) kept = std::make_unique<Real[]>(first[d]);  // 0 where X changes under our hands
    Pool::instance().run(parts, static_cast<int>(parts), [&](size_t t) {
      std::vector<size_t>& next = turned[t].next;
      for (size_t i = n_rows_ * t / parts; i < n_rows_ * (t + 1) / parts; ++i)
        for (auto e = static_cast<size_t>(start[i]); e < static_cast<size_t>(start[i + 1]); ++e) {
          const Real x = data[e];
          const auto j = static_cast<size_t>(columns[e]);
          if (x == Real(0) || j >= d || next[j] >= first[j + 1]) continue;
          if (!same) kept[next[j]] = x;
          listed.rows[next[j]++] = static_cast<uint32_t>(i);
        }
    });
    const std::vector<size_t>& last = turned.back().next;
    if (same) return share_codes(from, static_cast<double>(one), listed, first, last);
    by_chunks<Real>(d, n, threads, [&](size_t j, std::vector<Real>&, auto& scratch) {
      code_entries(from + j, kept.get() + first[j], listed.at(first[j]), last[j] - first[j],
                   scratch);
    });
    kept.reset();
    give_memory_back();
  }

  // A column whose codes are given, one a row: the values of code k lie from ends[2 * k] to
  // ends[2 * k + 1].
  void set_codes(size_t j, Column&& like, const std::vector<double>& ends,
                 const std::vector<uint8_t>& codes) {
    columns_[j] = std::move(like);
    uint8_t* const mine = own_block(j);
    std::copy(codes.begin(), codes.end(), mine);
    columns_[j].coarse = !columns_[j].categorical;
    columns_[j].ends = std::make_unique_for_overwrite<double[]>(ends.size() + 1);
    std::copy(ends.begin(), ends.end(), columns_[j].ends.get());
  }

 private:
  // Some rows of a sparse matrix on their way into columns: where the next entry of each column
  // goes, and the number that all entries are.
  template <class Real>
  struct Turned {
    std::vector<size_t> next;
    Real one = 0;
    bool same = true, orderly = true;
  };

  // Room for the entries of sparse columns, one after another.
  struct Listed {
    uint32_t* rows;
    uint8_t* codes;
    Listed at(size_t place) const { return {rows + place, codes + place}; }
  };
  Listed list(size_t n_rows, size_t n_codes) {
    entry_rows_.push_back(std::make_unique<uint32_t[]>(n_rows + 1));
    entry_codes_.push_back(std::make_unique<uint8_t[]>(n_codes + 1));
    return {entry_rows_.back().get(), entry_codes_.back().get()};
  }

  // Calls body(column, room for numbers, scratch) for d columns, some side by side.
  template <class Real, class Body>
  void by_chunks(size_t d, size_t n_entries, int threads, Body&& body) {
    constexpr size_t chunk = 64;
    Pool::instance().run((d + chunk - 1) / chunk, threads_for(n_entries * 8, threads),
                         [&](size_t t) {
                           std::vector<Real> kept;
                           coding::Scratch scratch;
                           for (size_t j = t * chunk; j < std::min(d, (t + 1) * chunk); ++j)
                             body(j, kept, scratch);
                           Pool::breathe();
                         });
  }

  // Codes a sparse column with n entries, whose rows are listed.
  template <class Real>
  void code_entries(size_t j, const Real* kept, const Listed& listed, size_t n,
                    coding::Scratch& scratch) {
    Column& column = columns_[j];
    column.sparse = true;
    column.entry_rows = listed.rows;
    column.n_entries = static_cast<uint32_t>(n);
    const coding::Numbers<Real> numbers{kept, n, listed.rows, zeros_beside(column)};
    coding::code_numbers(column, numbers, binning_, n < n_rows_, listed.codes, scratch);
    column.codes = listed.codes;
  }
  size_t zeros_beside(const Column& column) const {
    if (binning_.copies == nullptr) return n_rows_ - column.n_entries;
    size_t n = examples_;
    for (size_t e = 0; e < column.n_entries; ++e)
      n -= static_cast<size_t>(binning_.copies[column.entry_rows[e]]);
    return n;
  }

  // Columns whose entries all are one number; those of column j from first[j] to next[j].
  void share_codes(size_t from, double one, const Listed& listed, const std::vector<size_t>& first,
                   const std::vector<size_t>& next) {
    const uint32_t code = one > 0 ? 1 : 0;
    std::fill_n(listed.codes, n_rows_, static_cast<uint8_t>(code));  // behind them stand zeros
    shared_.push_back(std::make_unique<double[]>(4));
    double* const values = shared_.back().get();
    const double each[4] = {std::min(one, 0.0), std::max(one, 0.0), one, 0.0};
    std::copy(each, each + 4, values);
    for (size_t j = 0; j < next.size(); ++j) {
      Column& column = columns_[from + j];
      column.sparse = true;
      column.entry_rows = listed.rows + first[j];
      column.n_entries = static_cast<uint32_t>(next[j] - first[j]);
      const bool all = column.n_entries == n_rows_, none = column.n_entries == 0;
      column.n_codes = all || none ? 1 : 2;
      column.values = values + (all ? 2 : none ? 3 : 0);
      column.zero_code = all ? kNoCode : none ? 0 : 1 - code;
      column.codes = listed.codes + (all ? n_rows_ : 0);
    }
  }

  template <class Real>
  void code_copy(size_t j, const Real* numbers, coding::Scratch& scratch) {
    coding::code_numbers(columns_[j], coding::Numbers<Real>{numbers, n_rows_}, binning_, false,
                         own_block(j), scratch);
  }

  uint8_t* own_block(size_t j) {
    columns_[j].codes = block_.get() + j * n_rows_;
    return block_.get() + j * n_rows_;
  }

  size_t n_rows_;
  size_t examples_ = 0;  // copies, where given
  std::vector<Column> columns_;
  Binning binning_;
  Block<uint8_t> block_;
  std::vector<Block<uint32_t>> entry_rows_;  // of sparse columns, one after another
  std::vector<Block<uint8_t>> entry_codes_;
  std::vector<Block<double>> shared_;  // values that many columns have
};

// One code a row of every column, those of sparse columns spread out: what trees are grown on.
class DenseCodes {
 public:
  explicit DenseCodes(const Columns& columns) : codes_(columns.size()) {
    const size_t m = columns.n_rows();
    size_t n_sparse = 0;
    for (size_t j = 0; j < columns.size(); ++j) n_sparse += columns[j].sparse;
    if (n_sparse > 0) spread_ = std::make_unique_for_overwrite<uint8_t[]>(n_sparse * m);
    uint8_t* next = spread_.get();
    for (size_t j = 0; j < columns.size(); ++j) {
      const Column& column = columns[j];
      codes_[j] = column.codes;
      if (!column.sparse) continue;
      std::memset(next, static_cast<int>(column.zero_code == kNoCode ? 0 : column.zero_code), m);
      for (uint32_t k = 0; k < column.n_entries; ++k) next[column.entry_rows[k]] = column.codes[k];
      codes_[j] = next;
      next += m;
    }
  }
  const uint8_t* operator[](size_t j) const { return codes_[j]; }

 private:
  std::vector<const uint8_t*> codes_;
  Block<uint8_t> spread_;
};

}  // namespace weaklearn
