// Keys and hashes of rows of doubles, and the ends of their columns.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "numbers.hpp"
#include "variant.hpp"
#include "weaklearn/hot/loops.hpp"

namespace weaklearn::WEAKLEARN_VARIANT {
namespace {

inline uint64_t mixed(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

uint64_t key_of(const double* row, size_t d, const uint64_t* factor) {
  uint64_t sum = 0;
  for (size_t j = 0; j < d; ++j) {
    const double value = row[j] + 0.0;  // -0.0 is 0.0
    uint64_t bits = value == value ? to_bits(value) : 0x7ff8000000000000ull;
    bits ^= bits >> 32;
    bits ^= bits >> 15;
    sum += bits * factor[j];
  }
  return sum;
}

uint64_t hash_of(const double* row, size_t d, const uint64_t* seed, const uint64_t* missing) {
  uint64_t sum = 0;
  for (size_t j = 0; j < d; ++j) {
    const double value = row[j] + 0.0;
    const uint64_t term = mixed(seed[j] ^ mixed(to_bits(value)));
    const uint64_t known = value != 0 ? term : 0;
    sum += value == value ? known : missing[j];
  }
  return sum;
}

void row_content(const double* x, ptrdiff_t stride, size_t n_rows, const RowTerms& of,
                 uint64_t* key, uint64_t* hash, double* low, double* high) {
  const size_t d = of.n_columns;
  for (size_t i = 0; i < n_rows; ++i) {
    const double* const row = x + static_cast<ptrdiff_t>(i) * stride;
    key[i] = key_of(row, d, of.factor);
    if (hash != nullptr) hash[i] = hash_of(row, d, of.seed, of.missing);
#if defined(__GNUC__)
#pragma GCC ivdep
#endif
    for (size_t j = 0; j < d; ++j) {  // what is missing compares as false
      low[j] = row[j] < low[j] ? row[j] : low[j];
      high[j] = row[j] > high[j] ? row[j] : high[j];
    }
  }
}

}  // namespace
}  // namespace weaklearn::WEAKLEARN_VARIANT
