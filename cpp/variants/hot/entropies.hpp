// Entropies of classes in whole numbers, and the cuts that they measure.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "variant.hpp"
#include "weaklearn/hot/log2.hpp"
#include "weaklearn/hot/loops.hpp"

namespace weaklearn::WEAKLEARN_VARIANT {
namespace {

// The logarithm of 1 stands in for that of 0.
void x_log_x(double* x, size_t n) {
  double logs[128];
  for (size_t first = 0; first < n; first += 128) {
    const size_t size = n - first < 128 ? n - first : 128;
    double* const here = x + first;
    for (size_t i = 0; i < size; ++i) logs[i] = here[i] + (here[i] == 0.0 ? 1.0 : 0.0);
    for (size_t i = 0; i < size; ++i) here[i] *= log2_of(logs[i]);
  }
}

void whole_x_log_x(const int64_t* w, size_t n, double scale, int64_t* out) {
  double strip[128];
  for (size_t first = 0; first < n; first += 128) {
    const size_t size = n - first < 128 ? n - first : 128;
    for (size_t i = 0; i < size; ++i) strip[i] = static_cast<double>(w[first + i]);
    x_log_x(strip, size);
    for (size_t i = 0; i < size; ++i) out[first + i] = static_cast<int64_t>(strip[i] * scale);
  }
}

#if defined(WEAKLEARN_AVX512)

// log2_of(x), eight at a time.
inline __m512d log2_of_eight(__m512d x) {
  const __m512i half_root = _mm512_set1_epi64(0x3fe6a09e667f3bcdll);
  const __m512i bias = _mm512_set1_epi64(1024), one = _mm512_set1_epi64(int64_t{1024} << 52);
  const __m512i bits = _mm512_castpd_si512(x);
  const __m512i biased =
      _mm512_srli_epi64(_mm512_add_epi64(_mm512_sub_epi64(bits, half_root), one), 52);
  const __m512d z = _mm512_castsi512_pd(
      _mm512_sub_epi64(bits, _mm512_slli_epi64(_mm512_sub_epi64(biased, bias), 52)));
  const __m512d unit = _mm512_set1_pd(1.0);
  const __m512d s = _mm512_div_pd(_mm512_sub_pd(z, unit), _mm512_add_pd(z, unit));
  const __m512d q = _mm512_mul_pd(s, s);
  __m512d p = _mm512_set1_pd(kLog2Terms[0]);
  for (int i = 1; i < 8; ++i) p = _mm512_add_pd(_mm512_mul_pd(p, q), _mm512_set1_pd(kLog2Terms[i]));
  const __m512d e =
      _mm512_castsi512_pd(_mm512_or_si512(biased, _mm512_set1_epi64(0x4330000000000000ll)));
  return _mm512_add_pd(_mm512_sub_pd(e, _mm512_set1_pd(4503599627370496.0 + 1024.0)),
                       _mm512_mul_pd(s, p));
}

// The whole part of w lg w scale, eight at a time; 0 for w = 0.
inline __m512i phi_of_eight(__m512i w, __m512d scale) {
  const __m512d x = _mm512_cvtepi64_pd(w);
  const __m512d logs =
      log2_of_eight(_mm512_mask_mov_pd(x, _mm512_testn_epi64_mask(w, w), _mm512_set1_pd(1.0)));
  return _mm512_cvttpd_epi64(_mm512_mul_pd(_mm512_mul_pd(x, logs), scale));
}

inline int64_t sum_of_four(__m256i x) {
  const __m128i two = _mm_add_epi64(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
  return _mm_cvtsi128_si64(two) + _mm_extract_epi64(two, 1);
}
inline int64_t sum_of_eight(__m512i x) {
  return sum_of_four(_mm256_add_epi64(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64(x, 1)));
}

// The codes that occur, with the weight before and the sums of phi on both sides of the cut behind
// each; behind the last there is none.
struct CutSums {
  uint32_t* code;
  int64_t *w, *left, *right;
  size_t n = 0;
  int64_t before = 0;
  void add(size_t at, int64_t here, int64_t lefts, int64_t rights) {
    code[n] = static_cast<uint32_t>(at);
    w[n] = before += here;
    left[n] = lefts;
    right[n++] = rights;
  }
};

// Up to four classes: those before a cut in the lower half, those behind it in the upper.
void sums_of_few(const int64_t* table, size_t n_codes, const ClassTerms& of, CutSums& sums) {
  const __m512d scale = _mm512_set1_pd(of.scale);
  const auto some = static_cast<__mmask8>((1u << of.k) - 1);
  const __m256i total = _mm256_maskz_loadu_epi64(some, of.total);
  __m512i sides = _mm512_inserti64x4(_mm512_setzero_si512(), total, 1);
  for (size_t c = 0; c < n_codes; ++c) {
    const __m256i here = _mm256_maskz_loadu_epi64(some, table + c * of.k);
    if (_mm256_testz_si256(here, here)) continue;
    const __m256i minus = _mm256_sub_epi64(_mm256_setzero_si256(), here);
    sides = _mm512_add_epi64(sides, _mm512_inserti64x4(_mm512_castsi256_si512(here), minus, 1));
    if (_mm512_test_epi64_mask(sides, sides) < 16) return sums.add(c, sum_of_four(here), 0, 0);
    const __m512i phi = phi_of_eight(sides, scale);
    sums.add(c, sum_of_four(here), sum_of_four(_mm512_castsi512_si256(phi)),
             sum_of_four(_mm512_extracti64x4_epi64(phi, 1)));
  }
}

template <size_t blocks>
void sums_of_many(const int64_t* table, size_t n_codes, const ClassTerms& of, CutSums& sums) {
  const __m512d scale = _mm512_set1_pd(of.scale);
  const auto last = static_cast<__mmask8>((1u << (of.k - 8 * (blocks - 1))) - 1);
  const auto block = [&](const int64_t* from, size_t b) {
    return _mm512_maskz_loadu_epi64(b + 1 < blocks ? __mmask8{0xff} : last, from + 8 * b);
  };
  __m512i left[blocks], right[blocks], here[blocks];
  for (size_t b = 0; b < blocks; ++b) {
    left[b] = _mm512_setzero_si512();
    right[b] = block(of.total, b);
  }
  for (size_t c = 0; c < n_codes; ++c) {
    __m512i all = _mm512_setzero_si512(), lefts = all, rights = all;
    for (size_t b = 0; b < blocks; ++b) {
      here[b] = block(table + c * of.k, b);
      all = _mm512_add_epi64(all, here[b]);
    }
    if (_mm512_test_epi64_mask(all, all) == 0) continue;
    __m512i rest = _mm512_setzero_si512();
    for (size_t b = 0; b < blocks; ++b) {
      left[b] = _mm512_add_epi64(left[b], here[b]);
      right[b] = _mm512_sub_epi64(right[b], here[b]);
      rest = _mm512_or_si512(rest, right[b]);
    }
    if (_mm512_test_epi64_mask(rest, rest) == 0) return sums.add(c, sum_of_eight(all), 0, 0);
    for (size_t b = 0; b < blocks; ++b) {
      lefts = _mm512_add_epi64(lefts, phi_of_eight(left[b], scale));
      rights = _mm512_add_epi64(rights, phi_of_eight(right[b], scale));
    }
    sums.add(c, sum_of_eight(all), sum_of_eight(lefts), sum_of_eight(rights));
  }
}

size_t class_cuts(const int64_t* table, size_t n_codes, const ClassTerms* terms, uint32_t* code,
                  int64_t* w, double* gain) {
  const ClassTerms& of = *terms;
  int64_t left[256 + 8], right[256 + 8];
  CutSums sums{code, w, left, right};
  if (of.k <= 4)
    sums_of_few(table, n_codes, of, sums);
  else if (of.k <= 8)
    sums_of_many<1>(table, n_codes, of, sums);
  else if (of.k <= 16)
    sums_of_many<2>(table, n_codes, of, sums);
  else if (of.k <= 24)
    sums_of_many<3>(table, n_codes, of, sums);
  else
    sums_of_many<4>(table, n_codes, of, sums);
  const __m512d scale = _mm512_set1_pd(of.scale), back = _mm512_set1_pd(of.back);
  const __m512i all = _mm512_set1_epi64(of.w);
  const auto merit = [&](__m512i weight, const int64_t* phis) {
    const __m512i sum = _mm512_loadu_si512(phis);
    const __m512i pure = _mm512_sub_epi64(sum, phi_of_eight(weight, scale));
    return _mm512_mul_pd(_mm512_cvtepi64_pd(pure), back);
  };
  for (size_t i = 0; i < sums.n; i += 8) {
    const __m512i here = _mm512_loadu_si512(w + i);
    const __m512d merits =
        _mm512_add_pd(merit(here, left + i), merit(_mm512_sub_epi64(all, here), right + i));
    _mm512_storeu_pd(gain + i, _mm512_sub_pd(merits, _mm512_set1_pd(of.base)));
  }
  return sums.n;
}

#endif

}  // namespace
}  // namespace weaklearn::WEAKLEARN_VARIANT
