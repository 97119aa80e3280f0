// Numbers and their bits: rounding, conversion and roots in ways that every compiler vectorises.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "variant.hpp"

#if !defined(__GNUC__) && !defined(__clang__)
#include <math.h>
#endif

namespace weaklearn::WEAKLEARN_VARIANT {
namespace {

inline double from_bits(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
inline uint64_t to_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

// The nearest whole number, halves to even: below 2^52 adding 2^52 rounds, from there on a double
// is whole already and only its bits need shifting.
inline int64_t whole_number(double x) {
  const double two52 = 4503599627370496.0;
  const int64_t small = static_cast<int64_t>(to_bits(x + two52) - to_bits(two52));
  const uint64_t bits = to_bits(x);
  const uint64_t mantissa = (bits & 0xfffffffffffffull) | 0x10000000000000ull;
  const uint64_t large = mantissa << (((bits >> 52) - 1075) & 63);
  return x < two52 ? small : static_cast<int64_t>(large);
}

// The nearest whole number of either sign, below 2^51, as the low bits of a double.
inline int64_t nearest(double x) {
  const double middle = 6755399441055744.0;  // 1.5 * 2^52
  return static_cast<int64_t>(to_bits(x + middle) - to_bits(middle));
}

// A whole number below 2^63 as the nearest double: its halves are exact, and their sum rounds once.
inline double nearest_double(int64_t x) {
  const double high = from_bits((static_cast<uint64_t>(x) >> 32) | 0x4530000000000000ull);
  const double low = from_bits((static_cast<uint64_t>(x) & 0xffffffffull) | 0x4330000000000000ull);
  return (high - 19342813118337666422669312.0) + low;  // 2^84 + 2^52
}

// The largest of n >= 1 numbers, by eight running maxima: the compiler may not reorder a single
// one.
inline double largest(const double* x, size_t n) {
  double top[8];
  for (int k = 0; k < 8; ++k) top[k] = x[0];
  size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (int k = 0; k < 8; ++k) top[k] = x[i + k] > top[k] ? x[i + k] : top[k];
  for (; i < n; ++i) top[0] = x[i] > top[0] ? x[i] : top[0];
  for (int k = 1; k < 8; ++k) top[0] = top[k] > top[0] ? top[k] : top[0];
  return top[0];
}

inline double root(double x) {
#if defined(__GNUC__) || defined(__clang__)
  return __builtin_sqrt(x);
#else
  return ::sqrt(x);
#endif
}

}  // namespace
}  // namespace weaklearn::WEAKLEARN_VARIANT
