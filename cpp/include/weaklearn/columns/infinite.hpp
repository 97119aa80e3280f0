// Whether a matrix holds an infinity.
//
// Cost: one pass over the matrix, divided among threads by rows; no copy.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "weaklearn/threads/pool.hpp"

namespace weaklearn {

// Values that lie one after another, by their bits.
inline bool holds_infinity(const float* x, size_t n) {
  uint32_t found = 0;
  for (size_t i = 0; i < n; ++i) {
    uint32_t bits;
    std::memcpy(&bits, x + i, sizeof bits);
    found |= (bits & 0x7fffffffu) == 0x7f800000u ? 1u : 0u;
  }
  return found != 0;
}

// The same of doubles, for which that takes longer: by running maxima, none of which takes a NaN.
inline bool holds_infinity(const double* x, size_t n) {
  constexpr size_t kLanes = 8;
  double most[kLanes] = {};
  size_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (size_t k = 0; k < kLanes; ++k) {
      const double size = std::fabs(x[i + k]);
      most[k] = size > most[k] ? size : most[k];
    }
  for (; i < n; ++i) most[0] = std::max(most[0], std::fabs(x[i]));  // which leaves a NaN out
  return std::any_of(most, most + kLanes, [](double size) { return std::isinf(size); });
}

// Element (i, j) lies at x + i * row_stride + j * column_stride.
template <class Real>
bool holds_infinity(const Real* x, size_t rows, size_t columns, ptrdiff_t row_stride,
                    ptrdiff_t column_stride, int threads) {
  if (rows == 0 || columns == 0) return false;
  if (row_stride == 1 && column_stride != 1) {  // lines are what lies together
    std::swap(rows, columns);
    std::swap(row_stride, column_stride);
  }
  const bool dense = column_stride == 1 && row_stride == static_cast<ptrdiff_t>(columns);
  constexpr size_t at_once = 65536;  // values that one thread looks at
  const size_t lines = dense ? std::max<size_t>(1, at_once / columns) : 1;
  const size_t tasks = (rows + lines - 1) / lines;
  std::atomic<bool> found{false};
  Pool::instance().run(tasks, threads_for(rows * columns / 2, threads), [&](size_t t) {
    const Real* const line = x + static_cast<ptrdiff_t>(t * lines) * row_stride;
    const size_t n = std::min(lines, rows - t * lines) * columns;
    bool here = false;
    if (column_stride == 1)
      here = holds_infinity(line, n);
    else
      for (size_t j = 0; j < columns; ++j)
        here |= std::isinf(line[static_cast<ptrdiff_t>(j) * column_stride]);
    if (here) found.store(true, std::memory_order_relaxed);
  });
  return found.load();
}

}  // namespace weaklearn
