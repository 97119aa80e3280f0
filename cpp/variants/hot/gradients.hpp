// Gradients: what a loss gives, packed whole numbers, gains of cuts, rows parted.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "exponentials.hpp"
#include "numbers.hpp"
#include "variant.hpp"
#include "weaklearn/hot/loops.hpp"

namespace weaklearn::WEAKLEARN_VARIANT {
namespace {

void pack(const double* g, const double* c, size_t n, double g_scale, double c_scale, int n_bits,
          int c_bits, int64_t* packed) {
  const int64_t g_one = int64_t{1} << (n_bits + c_bits), c_one = int64_t{1} << n_bits;
  if (c == nullptr) {
    for (size_t i = 0; i < n; ++i) packed[i] = nearest(g[i] * g_scale) * g_one + 1;
  } else {
    for (size_t i = 0; i < n; ++i)
      packed[i] = nearest(g[i] * g_scale) * g_one + nearest(c[i] * c_scale) * c_one + 1;
  }
}

void square_sums(const double* g, const double* c, const int64_t* copies, size_t n, double most,
                 double scale, double c_scale, int64_t* sums) {
  int64_t squares = 0, weights = 0;
  const auto square = [&](size_t i) {
    const double x = g[i] * g[i];
    return nearest((x < most ? x : most) * scale);
  };
  const auto weight = [&](size_t i) { return c == nullptr ? int64_t{1} : nearest(c[i] * c_scale); };
  if (copies == nullptr) {
    for (size_t i = 0; i < n; ++i) squares += square(i);
    for (size_t i = 0; i < n; ++i) weights += weight(i);
  } else {
    for (size_t i = 0; i < n; ++i) squares += square(i) * copies[i];
    for (size_t i = 0; i < n; ++i) weights += weight(i) * copies[i];
  }
  sums[0] += squares;
  sums[1] += weights;
}

void unpack(const int64_t* packed, size_t n_slots, int n_bits, int c_bits, int64_t* g, int64_t* c,
            int64_t* n) {
  const int64_t n_mask = (int64_t{1} << n_bits) - 1, c_mask = (int64_t{1} << c_bits) - 1;
  const int g_shift = n_bits + c_bits;
  for (size_t k = 0; k < n_slots; ++k) {
    n[k] += packed[k] & n_mask;
    g[k] += packed[k] >> g_shift;
  }
  if (c != nullptr)
    for (size_t k = 0; k < n_slots; ++k) c[k] += (packed[k] >> n_bits) & c_mask;
}

void gains(const int64_t* g, const int64_t* c, const int64_t* n, size_t n_cuts,
           const GainTerms* terms, double* gain) {
  const GainTerms t = *terms;
  int64_t gl[256], cl[256], nl[256];
  int64_t G = t.g0, C = t.c0, N = t.n0;
  for (size_t k = 0; k < n_cuts; ++k) {
    gl[k] = G += g[k];
    cl[k] = C += c[k];
    nl[k] = N += n[k];
  }
  for (size_t k = 0; k < n_cuts; ++k) {
    const double a = static_cast<double>(cl[k]) * t.c_unit + t.l2;
    const double b = static_cast<double>(t.c - cl[k]) * t.c_unit + t.l2;
    const double x = static_cast<double>(gl[k]) * t.g_unit;
    const double y = static_cast<double>(t.g - gl[k]) * t.g_unit;
    const bool fits = (nl[k] >= t.least_n) & (t.n - nl[k] >= t.least_n) & (cl[k] >= t.least_c) &
                      (t.c - cl[k] >= t.least_c);
    const double value = (x * x * b + y * y * a) / (a * b);
    gain[k] = fits ? value : -1.0;
  }
}

size_t greatest(const double* x, size_t n) {
  const double most = largest(x, n);
  size_t i = 0;
  while (i < n && x[i] != most) ++i;
  return i;
}

size_t part(const uint32_t* rows, size_t n, const uint8_t* codes, const uint8_t* to_right,
            uint32_t* left, uint32_t* right) {
  size_t n_left = 0, n_right = 0, k = 0;
#if defined(WEAKLEARN_AVX512)
  uint64_t sides[8] = {};  // one bit a code
  for (size_t q = 0; q < 4; ++q) {
    const __m512i some = _mm512_loadu_si512(to_right + 64 * q);
    sides[q] = _mm512_test_epi8_mask(some, some);
  }
  const __m512i table = _mm512_loadu_si512(sides);
  const __m512i one = _mm512_set1_epi32(1), last = _mm512_set1_epi32(31);
  for (; k + 16 <= n; k += 16) {  // neither list is ever longer than what was read
    const __m512i row = _mm512_loadu_si512(rows + k);
    const __m512i code =
        _mm512_and_si512(_mm512_i32gather_epi32(row, codes, 1), _mm512_set1_epi32(255));
    const __m512i word = _mm512_permutexvar_epi32(_mm512_srli_epi32(code, 5), table);
    const __m512i bit = _mm512_srlv_epi32(word, _mm512_and_si512(code, last));
    const __mmask16 goes = _mm512_test_epi32_mask(one, bit);
    _mm512_storeu_si512(left + n_left, _mm512_maskz_compress_epi32(~goes, row));
    _mm512_storeu_si512(right + n_right, _mm512_maskz_compress_epi32(goes, row));
    const auto moved = static_cast<size_t>(_mm_popcnt_u32(goes));
    n_right += moved;
    n_left += 16 - moved;
  }
#endif
  for (; k < n; ++k) {
    const uint32_t row = rows[k];
    const size_t side = to_right[codes[row]] != 0;
    left[n_left] = row;
    right[n_right] = row;
    n_right += side;
    n_left += 1 - side;
  }
  return n_left;
}

int64_t logistic(const int8_t* y, const double* F, const double* weight, const int64_t* copies,
                 size_t n, double scale, double* g, double* c) {
  constexpr size_t block = 64;  // in steps over arrays of their own, so that each is vectorised
  double sign[block], z[block], e[block], slope[block], bend[block], w[block];
  int64_t loss[block], total = 0;
  for (size_t first = 0; first < n; first += block) {
    const size_t size = n - first < block ? n - first : block;
    for (size_t i = 0; i < size; ++i) sign[i] = y[first + i];
    for (size_t i = 0; i < size; ++i) z[i] = sign[i] * F[first + i];
    for (size_t i = size; i < block; ++i) sign[i] = z[i] = 0.0;
    for (size_t i = 0; i < block; ++i) w[i] = 1.0;
    if (weight != nullptr)
      for (size_t i = 0; i < size; ++i) w[i] = weight[first + i];
    for (size_t i = 0; i < block; ++i) e[i] = exponential(z[i] < 0 ? z[i] : -z[i]);
    for (size_t i = 0; i < block; ++i) {
      const double whole = 1.0 + e[i];
      slope[i] = -sign[i] * ((z[i] < 0 ? 1.0 : e[i]) / whole) * w[i];
      bend[i] = e[i] / (whole * whole) * w[i];
    }
    for (size_t i = 0; i < size; ++i) g[first + i] = slope[i];
    for (size_t i = 0; i < size; ++i) c[first + i] = bend[i];
    if (scale == 0) continue;
    for (size_t i = 0; i < block; ++i) {
      const double cost = logarithm(1.0 + e[i]) + (z[i] < 0 ? -z[i] : 0.0);
      loss[i] = nearest((cost < 4096.0 ? cost : 4096.0) * w[i] * scale);
    }
    for (size_t i = 0; i < size; ++i)
      total += loss[i] * (copies == nullptr ? 1 : copies[first + i]);
  }
  return total;
}

}  // namespace
}  // namespace weaklearn::WEAKLEARN_VARIANT
