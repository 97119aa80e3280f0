// Numbers to codes: exactly where they are few, in bins of about the same size where they are many.
//
// Codes follow the order of values and do not depend on the order of rows. Cost: O(m) for an exact
// column, O(m) radix passes for a coarse one. Scratch passes from column to column.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "weaklearn/columns/column.hpp"
#include "weaklearn/columns/counted_bins.hpp"
#include "weaklearn/columns/number_keys.hpp"
#include "weaklearn/columns/pages.hpp"

namespace weaklearn {

namespace coding {

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

// Stable radix sort by key, 11 bits a pass, passes with one digit left out. Returns where the items
// lie in order: where they were, or in the spare room.
template <class Keyed>
Keyed* radix_sort(Keyed* items, Keyed* spare, size_t n) {
  if (n < 2) return items;
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
    std::swap(items, spare);
  }
  return items;
}

// Scratch one thread keeps between columns.
struct Scratch {
  Pages turned;         // columns of a matrix, one after another
  Pages items, spare;   // of a column that is sorted
  CountingRoom counts;  // of one that is counted
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

// Codes as given over sorted items, which may leave some without a row.
template <class Items>
void bin_as_given(Column& column, const Items& items) {
  const size_t n = items.size();
  column.n_known = static_cast<uint32_t>(n);
  column.order = std::make_unique_for_overwrite<uint32_t[]>(n);
  column.bin_start = std::make_unique<uint32_t[]>(kMostCodes + 1);
  uint32_t code = 0;
  for (size_t i = 0; i < n; ++i) {
    const bool new_value = i == 0 || items[i].key != items[i - 1].key;
    column.order[i] = items[i].row | (new_value ? kNewValue : 0u);
    for (const auto x = static_cast<double>(value_of(items[i].key));
         code + 1 < column.n_codes && column.ends[2 * code + 2] <= x;)
      column.bin_start[++code] = static_cast<uint32_t>(i);
  }
  while (code < column.n_codes) column.bin_start[++code] = static_cast<uint32_t>(n);
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
// row) where `numbers.rows` is null, else one an entry, in the order of `numbers.rows`.
template <class Key, class Keyed, class Real>
void code_coarse(Column& column, const Numbers<Real>& numbers, const Binning& binning,
                 bool with_zero, uint8_t* codes, Scratch& scratch) {
  const bool given = column.ends != nullptr;
  Keyed* const listed = scratch.items.room<Keyed>(numbers.n);
  size_t known = 0, n_below_zero = 0;
  for (size_t i = 0; i < numbers.n; ++i) {
    const Real x = numbers.at(i);
    // While sorting, `row` is the position in the list: codes are written by it.
    listed[known] = {key_of(static_cast<Key>(x)), static_cast<uint32_t>(i)};
    known += x == x;
    n_below_zero += x < 0;
  }
  const std::span<const Keyed> items(radix_sort(listed, scratch.spare.room<Keyed>(known), known),
                                     known);
  if (given)
    bin_as_given(column, items);
  else
    bin_coarsely(column, items, numbers, binning, with_zero, n_below_zero);
  const size_t n = items.size();
  if (!given) column.ends = std::make_unique<double[]>(2 * kMostCodes);
  for (uint32_t code = 0; code < column.n_codes; ++code) {
    const uint32_t first = column.bin_start[code], last = column.bin_start[code + 1];
    for (uint32_t p = first; p < last; ++p) codes[items[p].row] = static_cast<uint8_t>(code);
    // The implicit zero of a sparse column has no items: both ends stay 0.
    if (given || first == last) continue;
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

// Whether nothing but the ends of the bins of a column has to be known, and rows are so many that
// counting them takes less time than sorting.
template <class Real>
bool is_counted(const Numbers<Real>& numbers, const Binning& binning, bool with_zero) {
  return !binning.keep_order && binning.copies == nullptr && numbers.rows == nullptr &&
         !with_zero && numbers.n >= binning.worth_counting;
}

// Takes over the codes of a column as given.
inline void take_codes(Column& column, const GivenCodes& given) {
  const size_t n = given.values.size();
  auto values = std::make_unique_for_overwrite<double[]>(n);
  std::copy(given.values.begin(), given.values.end(), values.get());
  column.has_missing = given.has_missing;
  column.coarse = given.coarse;
  column.n_codes = static_cast<uint32_t>(given.coarse ? n / 2 : n);
  if (given.coarse) {
    column.ends = std::move(values);
  } else {
    column.own_values = std::move(values);
    column.values = column.own_values.get();
  }
}

// Writes codes as given, without the order of rows.
template <class Real>
void code_between(const Column& column, const Numbers<Real>& numbers, uint8_t* codes) {
  std::vector<uint64_t> cuts;
  for (uint32_t k = 1; k < column.n_codes; ++k) cuts.push_back(key_of(column.least(k)));
  const KeySearch<uint64_t> search(cuts);
  for (size_t i = 0; i < numbers.n; ++i)
    codes[i] = static_cast<uint8_t>(search(key_of(static_cast<double>(numbers.at(i)))));
}

// Codes one numeric column: `codes` receives one byte for each of the numbers.
template <class Real>
void code_numbers(Column& column, const Numbers<Real>& numbers, const Binning& binning,
                  const GivenCodes* given, bool with_zero, uint8_t* codes, Scratch& scratch) {
  FewValues<Real> few;
  bool is_few = with_zero ? few.add(Real(0)) : true;
  for (size_t i = 0; i < numbers.n && is_few && given == nullptr; ++i) {
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
  if (given != nullptr) take_codes(column, *given);
  if (given != nullptr && !(given->coarse && binning.keep_order)) {
    code_between(column, numbers, codes);
  } else if (given == nullptr && is_few && few.count() <= binning.most_codes) {
    column.n_codes = few.count();
    column.own_values = std::make_unique<double[]>(few.count());
    few.rank(column.own_values.get());
    column.values = column.own_values.get();
    if (with_zero) column.zero_code = few.code(Real(0));
    for (size_t i = 0; i < numbers.n; ++i) {
      const Real x = numbers.at(i);
      if (x == x) codes[i] = few.code(x);
    }
  } else if (given == nullptr && is_counted(numbers, binning, with_zero)) {
    if (all_narrow)
      code_by_counting<float>(column, numbers.data, numbers.n, binning, codes, scratch.counts);
    else
      code_by_counting<double>(column, numbers.data, numbers.n, binning, codes, scratch.counts);
  } else if (all_narrow) {
    code_coarse<float, Keyed32>(column, numbers, binning, with_zero, codes, scratch);
  } else {
    code_coarse<double, Keyed64>(column, numbers, binning, with_zero, codes, scratch);
  }
  if (column.has_missing)
    for (size_t i = 0; i < numbers.n; ++i) {
      const Real x = numbers.at(i);
      if (x != x) codes[i] = static_cast<uint8_t>(column.n_codes);
    }
}

}  // namespace coding

}  // namespace weaklearn
