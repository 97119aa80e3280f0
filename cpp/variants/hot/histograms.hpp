// Sums by code: into one table a column, and out of it.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <bit>

#include "variant.hpp"
#include "weaklearn/hot/loops.hpp"

namespace weaklearn::WEAKLEARN_VARIANT {
namespace {

// work.operator()<width>(), with a width of 1 to `most` that the compiler knows.
template <size_t most, class Work>
inline void with_width(size_t width, const Work& work) {
  if constexpr (most > 1) {
    if (width != most) return with_width<most - 1>(width, work);
  }
  work.template operator()<most>();
}

// row(k): the row that value[k] belongs to.
template <size_t width, class Row>
inline void histogram_n(const uint8_t* const* codes, const Row& row, const int64_t* value,
                        size_t begin, size_t end, int64_t* tables) {
  const uint8_t* column[width];
  for (size_t j = 0; j < width; ++j) column[j] = codes[j];
  for (size_t k = begin; k < end; ++k) {
    const int64_t v = value[k];
    const size_t i = row(k);
    for (size_t j = 0; j < width; ++j) tables[j * 256 + column[j][i]] += v;
  }
}

void histogram(const uint8_t* const* codes, size_t width, const int64_t* value, size_t begin,
               size_t end, int64_t* tables) {
  const auto itself = [](size_t k) { return k; };
  with_width<6>(width,
                [&]<size_t n>() { histogram_n<n>(codes, itself, value, begin, end, tables); });
}

void histogram_of(const uint8_t* const* codes, size_t width, const uint32_t* rows,
                  const int64_t* value, size_t begin, size_t end, int64_t* tables) {
  const auto listed = [rows](size_t k) -> size_t { return rows[k]; };
  with_width<6>(width,
                [&]<size_t n>() { histogram_n<n>(codes, listed, value, begin, end, tables); });
}

// The number whose byte j, from the lowest, is codes[j].
inline uint64_t eight(const uint8_t* codes) {
  uint64_t word;
  memcpy(&word, codes, sizeof word);
  if constexpr (std::endian::native == std::endian::big) {
    uint64_t turned = 0;
    for (int j = 0; j < 8; ++j) turned |= ((word >> (56 - 8 * j)) & 255) << (8 * j);
    return turned;
  }
  return word;
}

template <size_t width>
void histogram_beside_n(const uint8_t* codes, size_t stride, const uint8_t* bytes,
                        const uint32_t* rows, const int64_t* value, size_t begin, size_t end,
                        size_t known, int64_t* tables) {
  constexpr size_t ahead = 48;  // rows between asking for codes and using them
  uint64_t shift[width];
  for (size_t j = 0; j < width; ++j) shift[j] = uint64_t{8} * bytes[j];
  const auto add = [&](size_t k) {
    const int64_t v = value[k];
    const uint64_t word = eight(codes + stride * rows[k]);
    for (size_t j = 0; j < width; ++j) tables[j * 256 + ((word >> shift[j]) & 255)] += v;
  };
  size_t k = begin;
  for (; k < end && k + ahead < known; ++k) {
    ask_for(codes + stride * rows[k + ahead]);
    add(k);
  }
  for (; k < end; ++k) add(k);
}

void histogram_beside(const uint8_t* codes, size_t stride, const uint8_t* bytes, size_t width,
                      const uint32_t* rows, const int64_t* value, size_t begin, size_t end,
                      size_t known, int64_t* tables) {
  with_width<8>(width, [&]<size_t n>() {
    histogram_beside_n<n>(codes, stride, bytes, rows, value, begin, end, known, tables);
  });
}

size_t take_out(int64_t* table, size_t n, uint32_t* at, int64_t* w) {
  size_t count = 0, i = 0;
#if defined(WEAKLEARN_AVX512)
  const __m256i eight = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  for (; i + 8 <= n; i += 8) {
    const __m512i here = _mm512_loadu_si512(table + i);
    const __mmask8 full = _mm512_test_epi64_mask(here, here);
    if (full == 0) continue;
    const __m256i places = _mm256_add_epi32(eight, _mm256_set1_epi32(static_cast<int>(i)));
    _mm512_storeu_si512(w + count, _mm512_maskz_compress_epi64(full, here));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(at + count),
                        _mm256_maskz_compress_epi32(full, places));
    _mm512_storeu_si512(table + i, _mm512_setzero_si512());
    count += static_cast<size_t>(_mm_popcnt_u32(full));
  }
#endif
  for (; i < n; ++i) {
    at[count] = static_cast<uint32_t>(i);
    w[count] = table[i];
    count += table[i] != 0;
    table[i] = 0;
  }
  return count;
}

}  // namespace
}  // namespace weaklearn::WEAKLEARN_VARIANT
