// The distinct numbers of columns in order, as keys, and how many examples lie below each.
//
// -0 and 0 are one number; missing ones are left out. Cost: radix passes over the known rows of a
// column. Columns of a matrix are copied some at a time, so that a line of row-major memory is read
// once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "weaklearn/columns/coding.hpp"
#include "weaklearn/columns/number_keys.hpp"
#include "weaklearn/columns/pages.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/threads/profile.hpp"

namespace weaklearn {

struct DistinctValues {
  std::unique_ptr<uint64_t[]> keys;  // ascending
  size_t n = 0;
  // The examples below each, and all of them behind; null: below the k-th are k.
  std::unique_ptr<int64_t[]> below;
  bool has_missing = false;
};

namespace distinct {

struct Key32 {
  uint32_t key;
};
struct Key64 {
  uint64_t key;
};

inline int64_t examples_of(const Key32&, const int64_t*) { return 1; }
inline int64_t examples_of(const Key64&, const int64_t*) { return 1; }
inline int64_t examples_of(const coding::Keyed32& item, const int64_t* copies) {
  return copies[item.row];
}
inline int64_t examples_of(const coding::Keyed64& item, const int64_t* copies) {
  return copies[item.row];
}

inline void set_row(Key32&, size_t) {}
inline void set_row(Key64&, size_t) {}
inline void set_row(coding::Keyed32& item, size_t i) { item.row = static_cast<uint32_t>(i); }
inline void set_row(coding::Keyed64& item, size_t i) { item.row = static_cast<uint32_t>(i); }

// Of n numbers, sorted as `Keyed`, which knows the row where rows have copies.
template <class Keyed, class Real>
DistinctValues of_column(const Real* numbers, size_t n, const int64_t* copies,
                         coding::Scratch& scratch) {
  Keyed* const listed = scratch.items.room<Keyed>(n);
  size_t known = 0;
  for (size_t i = 0; i < n; ++i) {
    listed[known].key = coding::key_of(numbers[i]);
    set_row(listed[known], i);
    known += numbers[i] == numbers[i];
  }
  const Keyed* const items = coding::radix_sort(listed, scratch.spare.room<Keyed>(known), known);
  DistinctValues found;
  found.has_missing = known < n;
  for (size_t i = 0; i < known; ++i) found.n += i == 0 || items[i].key != items[i - 1].key;
  found.keys = std::make_unique_for_overwrite<uint64_t[]>(found.n);
  const bool alone = found.n == known && copies == nullptr;
  if (!alone) found.below = std::make_unique_for_overwrite<int64_t[]>(found.n + 1);
  int64_t before = 0;
  size_t k = 0;
  for (size_t i = 0; i < known; ++i) {
    if (i == 0 || items[i].key != items[i - 1].key) {
      found.keys[k] = coding::key_of(static_cast<double>(coding::value_of(items[i].key)));
      if (!alone) found.below[k] = before;
      ++k;
    }
    before += examples_of(items[i], copies);
  }
  if (!alone) found.below[k] = before;
  return found;
}

template <class Real>
DistinctValues of_column(const Real* numbers, size_t n, const int64_t* copies,
                         coding::Scratch& scratch) {
  constexpr bool narrow = sizeof(Real) == sizeof(float);
  using Key = std::conditional_t<narrow, Key32, Key64>;
  using Keyed = std::conditional_t<narrow, coding::Keyed32, coding::Keyed64>;
  return copies == nullptr ? of_column<Key>(numbers, n, copies, scratch)
                           : of_column<Keyed>(numbers, n, copies, scratch);
}

}  // namespace distinct

// Of d columns of a matrix, whose element (i, j) is at data + i * row_stride + j * column_stride.
template <class Real>
std::vector<DistinctValues> distinct_values(const char* data, ptrdiff_t row_stride,
                                            ptrdiff_t column_stride, size_t n_rows, size_t d,
                                            const int64_t* copies, int threads) {
  constexpr size_t most_bytes = size_t{16} << 20, most = 16;
  const auto workers = static_cast<size_t>(std::max(threads, 1));
  const size_t chunk = std::clamp<size_t>(most_bytes / (n_rows * sizeof(Real) + 1), 1,
                                          std::clamp<size_t>((d + workers - 1) / workers, 1, most));
  std::vector<DistinctValues> found(d);
  Lent<coding::Scratch> scratches;
  Pool::instance().run(
      (d + chunk - 1) / chunk, threads_for(n_rows * d * 8, threads), [&](size_t t) {
        const Timed timed(Phase::coding);
        const size_t first = t * chunk, n = std::min(d - first, chunk);
        auto scratch = scratches.borrow();
        Real* const turned = scratch->turned.template room<Real>(n * n_rows);
        coding::turn<Real>(data + static_cast<ptrdiff_t>(first) * column_stride, row_stride,
                           column_stride, n_rows, n, turned);
        for (size_t j = 0; j < n; ++j) {
          found[first + j] = distinct::of_column(turned + j * n_rows, n_rows, copies, *scratch);
          Pool::check_interrupt();
        }
        scratches.give_back(std::move(scratch));
      });
  return found;
}

}  // namespace weaklearn
