// Keys and hashes of rows of doubles, the ends of their columns, and hashes of examples.
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
  for (size_t i = 0; i < n_rows; ++i) key[i] = mixed(key[i]);
}

void hash_examples(const uint64_t* rows, const uint64_t* labels, const double* weights,
                   const int64_t* copies, size_t n, uint64_t* sums) {
  constexpr size_t kAtOnce = 512;
  uint64_t key[kAtOnce];
  for (size_t begin = 0; begin < n; begin += kAtOnce) {
    const size_t m = n - begin < kAtOnce ? n - begin : kAtOnce;
    for (size_t i = 0; i < m; ++i)
      key[i] = mixed(rows[begin + i] + (labels[begin + i] + 1) * 0x9E3779B97F4A7C15ull);
    if (weights != nullptr)
      for (size_t i = 0; i < m; ++i) key[i] = mixed(key[i] ^ to_bits(weights[begin + i]));
    for (size_t k = 0; k < 2; ++k) {
      const uint64_t salt = k == 0 ? 0x243F6A8885A308D3ull : 0x13198A2E03707344ull;
      uint64_t sum = 0;
      if (copies != nullptr)
        for (size_t i = 0; i < m; ++i)
          sum += static_cast<uint64_t>(copies[begin + i]) * mixed(key[i] ^ salt);
      else
        for (size_t i = 0; i < m; ++i) sum += mixed(key[i] ^ salt);
      sums[k] += sum;
    }
  }
}

}  // namespace
}  // namespace weaklearn::WEAKLEARN_VARIANT
