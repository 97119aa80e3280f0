// Weighted sums of numbers, free of their order.
//
// Numbers are rounded to whole multiples of a unit that depends on the largest of them and on how
// many there are, about 40 binary digits below the largest (but at least 2^-1000), and added as
// whole numbers: any order of rows gives the same bits, and a row of k copies counts as k rows.
// Cost: three passes over the numbers, on one thread. No allocation.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "weaklearn/weights/rounding.hpp"

namespace weaklearn {

// How many examples n rows are; copies null: one each.
inline uint64_t count_examples(const int64_t* copies, size_t n) {
  if (copies == nullptr) return n;
  uint64_t examples = 0;
  for (size_t i = 0; i < n; ++i) examples += static_cast<uint64_t>(copies[i]);
  return examples;
}

// The sum of x times copies (null: 1). NaN where one of the numbers is.
inline double total(const double* x, const int64_t* copies, size_t n) {
  unsigned unknown = 0;
  for (size_t i = 0; i < n; ++i) unknown |= x[i] != x[i] ? 1u : 0u;
  const double most = unknown ? std::numeric_limits<double>::quiet_NaN() : largest(x, n);
  if (!(most > 0) || !std::isfinite(most)) return most;
  int exponent;
  std::frexp(most, &exponent);
  const auto width = static_cast<int>(std::bit_width(count_examples(copies, n)));
  const int bits = std::min(50, 61 - width) - exponent;  // so that no sum leaves 62 bits
  const double scale = std::ldexp(1.0, std::min(bits, 1000));
  int64_t sum = 0;
  for (size_t i = 0; i < n; ++i)
    sum += nearest_whole(x[i] * scale) * (copies != nullptr ? copies[i] : 1);
  return static_cast<double>(sum) / scale;
}

}  // namespace weaklearn
