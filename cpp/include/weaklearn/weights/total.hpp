// Weighted sums of numbers, free of their order.
//
// Numbers are rounded to whole multiples of a unit that depends on the largest of them and on how
// many there are, about 40 binary digits below the largest (but at least 2^-1000), and added as
// whole numbers: any order of rows gives the same bits, and a row of k copies counts as k rows.
// Cost: three passes over the numbers. Allocation: two numbers a chunk of 32768.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "weaklearn/threads/pool.hpp"
#include "weaklearn/weights/rounding.hpp"

namespace weaklearn {

// How many examples n rows are; copies null: one each.
inline uint64_t count_examples(const int64_t* copies, size_t n) {
  if (copies == nullptr) return n;
  uint64_t examples = 0;
  for (size_t i = 0; i < n; ++i) examples += static_cast<uint64_t>(copies[i]);
  return examples;
}

// What turns numbers into whole ones: no number of so many examples, none above `most`, leaves 50
// bits, and no sum of them 62.
inline double whole_scale(double most, uint64_t examples) {
  int exponent;
  std::frexp(most, &exponent);
  const int bits = std::min(50, 61 - static_cast<int>(std::bit_width(examples))) - exponent;
  return std::ldexp(1.0, std::min(bits, 1000));
}

// The sum of x times copies (null: 1). NaN where one of the numbers is.
inline double total(const double* x, const int64_t* copies, size_t n, int threads = 1) {
  constexpr size_t chunk = 32768;
  const size_t pieces = (n + chunk - 1) / chunk;
  const int helpers = threads_for(n, threads);
  std::vector<double> most(pieces);
  Pool::instance().run(pieces, helpers, [&](size_t t) {
    const double* const part = x + t * chunk;
    const size_t size = std::min(chunk, n - t * chunk);
    unsigned unknown = 0;
    for (size_t i = 0; i < size; ++i) unknown |= part[i] != part[i] ? 1u : 0u;
    most[t] = unknown ? std::numeric_limits<double>::quiet_NaN() : largest(part, size);
  });
  double greatest = 0;
  for (const double one : most) {
    if (one != one) return one;
    greatest = std::max(greatest, one);
  }
  if (!(greatest > 0) || !std::isfinite(greatest)) return greatest;
  const double scale = whole_scale(greatest, count_examples(copies, n));
  std::vector<int64_t> sums(pieces);
  Pool::instance().run(pieces, helpers, [&](size_t t) {
    const size_t end = std::min(n, (t + 1) * chunk);
    for (size_t i = t * chunk; i < end; ++i)
      sums[t] += nearest_whole(x[i] * scale) * (copies != nullptr ? copies[i] : 1);
  });
  return static_cast<double>(std::accumulate(sums.begin(), sums.end(), int64_t{0})) / scale;
}

}  // namespace weaklearn
