// A key for the content of each row of a matrix: of a sparse one by rows, whatever the order of its
// entries, and of a dense one in any layout, in one pass with the ends of its columns and a hash of
// all examples.
//
// The key is the sum, modulo 2^64, over the entries of a row: the bits of the number, folded, times
// a factor of its column. A zero adds nothing, be it stored or not, and all that is no number is
// the same. Cost: O(entries).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <mutex>
#include <type_traits>
#include <vector>

#include "weaklearn/columns/route.hpp"
#include "weaklearn/hot/loops.hpp"
#include "weaklearn/threads/pool.hpp"

namespace weaklearn {

// The bits of a number, folded so that the low ones tell too.
inline uint64_t folded_bits(double number) {
  double x = number + 0.0;  // -0.0 is 0.0
  if (x != x) x = std::numeric_limits<double>::quiet_NaN();
  uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  bits ^= bits >> 32;
  return bits ^ bits >> 15;
}

// Adds to keys. Returns how many entries lie in a column without a factor; those are left out.
template <class Real, class Index>
size_t add_row_keys(const Real* data, const Index* columns, const Index* start, size_t n_rows,
                    const uint64_t* factors, size_t n_columns, uint64_t* keys) {
  size_t outside = 0;
  for (size_t i = 0; i < n_rows; ++i)
    for (auto e = static_cast<size_t>(start[i]); e < static_cast<size_t>(start[i + 1]); ++e) {
      const auto j = static_cast<size_t>(columns[e]);
      if (j >= n_columns) {
        ++outside;
        continue;
      }
      keys[i] += folded_bits(static_cast<double>(data[e])) * factors[j];
    }
  return outside;
}

// A column of a table: numbers, or codes of categories.
struct TableColumn {
  const double* numbers;
  const int32_t* categories;  // where there are no numbers
};

// Adds what the columns of a table add to the keys of its rows, and mixes these unless more columns
// are to follow.
inline void add_table_keys(const std::vector<TableColumn>& columns, size_t n_rows,
                           const uint64_t* factors, uint64_t* keys, int threads,
                           bool more = false) {
  constexpr size_t chunk = 4096;
  const size_t d = columns.size(), work = n_rows * (d + 1) * 2;
  Pool::instance().run((n_rows + chunk - 1) / chunk, threads_for(work, threads), [&](size_t t) {
    const size_t begin = t * chunk, end = std::min(n_rows, begin + chunk);
    for (size_t j = 0; j < d; ++j) {
      const TableColumn& column = columns[j];
      if (column.numbers != nullptr)
        for (size_t i = begin; i < end; ++i) keys[i] += folded_bits(column.numbers[i]) * factors[j];
      else
        for (size_t i = begin; i < end; ++i)
          keys[i] += folded_bits(static_cast<double>(column.categories[i])) * factors[j];
    }
    for (size_t i = begin; i < end && !more; ++i) keys[i] = mix(keys[i]);
  });
}

// Labels, weights (null: none) and copies (null: one each) of rows, as `hash_examples` takes them.
struct Examples {
  const uint64_t* labels = nullptr;
  const double* weights = nullptr;
  const int64_t* copies = nullptr;

  Examples from(size_t i) const {
    return {labels + i, weights == nullptr ? nullptr : weights + i,
            copies == nullptr ? nullptr : copies + i};
  }
};

using HashSums = std::array<uint64_t, 2>;

// Adds to two sums, modulo 2^64, the hashes of examples by the hash of the row, label and weight,
// as often as there are copies. They do not depend on the order of examples.
inline void hash_examples(const uint64_t* rows, const Examples& of, size_t n, HashSums& sums) {
  hot().hash_examples(rows, of.labels, of.weights, of.copies, n, sums.data());
}

// Of a dense matrix, strides in elements: mixed keys of its rows; the least and greatest value of
// each column, infinite where there is none; and, given examples, the sums of their hashes, with
// rows as hash_rows gives them for columns that keep every value.
template <class Real>
HashSums read_rows(const Real* x, ptrdiff_t row_stride, ptrdiff_t column_stride, size_t n_rows,
                   const uint64_t* factors, size_t d, const Examples* examples, uint64_t* keys,
                   double* low, double* high, int threads) {
  std::vector<uint64_t> seed(d), missing(d);
  for (size_t j = 0; j < d; ++j) {
    seed[j] = hashing::seed_of(j);
    missing[j] = hashing::of_missing(seed[j]);
  }
  const RowTerms terms{d, factors, seed.data(), missing.data()};
  constexpr double kMost = std::numeric_limits<double>::infinity();
  std::fill(low, low + d, kMost);
  std::fill(high, high + d, -kMost);
  const bool as_it_is = std::is_same_v<Real, double> && column_stride == 1;
  const size_t chunk = std::max<size_t>(1, 4096 / std::max<size_t>(d, 1));
  const auto parts = static_cast<size_t>(threads_for(n_rows * d, threads));
  std::mutex joining;
  HashSums sums{};
  Pool::instance().run(parts, static_cast<int>(parts), [&](size_t t) {
    std::vector<double> copy(as_it_is ? 0 : chunk * d), ends(2 * d);
    std::vector<uint64_t> hashes(examples == nullptr ? 0 : chunk);
    HashSums own{};
    std::fill(ends.begin(), ends.begin() + static_cast<ptrdiff_t>(d), kMost);
    std::fill(ends.begin() + static_cast<ptrdiff_t>(d), ends.end(), -kMost);
    const size_t last = (t + 1) * n_rows / parts;
    for (size_t i = t * n_rows / parts; i < last; i += chunk) {
      const size_t n = std::min(chunk, last - i);
      const Real* const from = x + static_cast<ptrdiff_t>(i) * row_stride;
      const double* rows = nullptr;
      if constexpr (std::is_same_v<Real, double>) rows = from;
      if (!as_it_is) {
        for (size_t k = 0; k < n; ++k)
          for (size_t j = 0; j < d; ++j)
            copy[k * d + j] = static_cast<double>(from[static_cast<ptrdiff_t>(k) * row_stride +
                                                       static_cast<ptrdiff_t>(j) * column_stride]);
        rows = copy.data();
      }
      hot().row_content(rows, as_it_is ? row_stride : static_cast<ptrdiff_t>(d), n, terms, keys + i,
                        examples == nullptr ? nullptr : hashes.data(), ends.data(),
                        ends.data() + d);
      if (examples != nullptr) hash_examples(hashes.data(), examples->from(i), n, own);
    }
    const std::lock_guard<std::mutex> lock(joining);
    for (size_t j = 0; j < d; ++j) {
      low[j] = std::min(low[j], ends[j]);
      high[j] = std::max(high[j], ends[d + j]);
    }
    for (size_t k = 0; k < sums.size(); ++k) sums[k] += own[k];
  });
  return sums;
}

}  // namespace weaklearn
