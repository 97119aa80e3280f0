// A key for the content of each row of a sparse matrix by rows, whatever the order of its entries.
//
// The key is the sum, modulo 2^64, over the entries of a row: the bits of the number, folded, times
// a factor of its column. A zero adds nothing, be it stored or not, and all that is no number is
// the same. Cost: O(entries), on one thread. No allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace weaklearn {

// Adds to keys. Returns how many entries lie in a column without a factor; those are left out.
template <class Real, class Index>
size_t add_row_keys(const Real* data, const Index* columns, const Index* start, size_t n_rows,
                    const uint64_t* factors, size_t n_columns, uint64_t* keys) {
  size_t outside = 0;
  for (size_t i = 0; i < n_rows; ++i)
    for (auto e = static_cast<size_t>(start[i]); e < static_cast<size_t>(start[i + 1]); ++e) {
      double x = static_cast<double>(data[e]) + 0.0;
      if (x != x) x = std::numeric_limits<double>::quiet_NaN();
      const auto j = static_cast<size_t>(columns[e]);
      if (j >= n_columns) {
        ++outside;
        continue;
      }
      uint64_t bits;
      std::memcpy(&bits, &x, sizeof bits);
      bits ^= bits >> 32;
      bits ^= bits >> 15;
      keys[i] += bits * factors[j];
    }
  return outside;
}

}  // namespace weaklearn
