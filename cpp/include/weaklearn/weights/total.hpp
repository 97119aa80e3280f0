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

// The largest |x|, NaN where one of the numbers is.
inline double largest_or_nan(const double* x, size_t n, int threads) {
  constexpr size_t chunk = 32768;
  const size_t pieces = (n + chunk - 1) / chunk;
  std::vector<double> most(pieces);
  Pool::instance().run(pieces, threads_for(n, threads), [&](size_t t) {
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
  return greatest;
}

// The sum of x times copies (null: 1) as a whole number of units of 1 / scale.
inline int64_t whole_total(const double* x, const int64_t* copies, size_t n, double scale,
                           int threads) {
  constexpr size_t chunk = 32768;
  const size_t pieces = (n + chunk - 1) / chunk;
  std::vector<int64_t> sums(pieces);
  Pool::instance().run(pieces, threads_for(n, threads), [&](size_t t) {
    const size_t end = std::min(n, (t + 1) * chunk);
    for (size_t i = t * chunk; i < end; ++i)
      sums[t] += nearest_whole(x[i] * scale) * (copies != nullptr ? copies[i] : 1);
  });
  return std::accumulate(sums.begin(), sums.end(), int64_t{0});
}

// The sum of x times copies (null: 1). NaN where one of the numbers is.
inline double total(const double* x, const int64_t* copies, size_t n, int threads = 1) {
  const double most = largest_or_nan(x, n, threads);
  if (!(most > 0) || !std::isfinite(most)) return most;
  const double scale = whole_scale(most, count_examples(copies, n));
  return static_cast<double>(whole_total(x, copies, n, scale, threads)) / scale;
}

}  // namespace weaklearn
