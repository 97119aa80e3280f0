// Exponentials and logarithms, the same bits in every variant.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "numbers.hpp"
#include "variant.hpp"

namespace weaklearn::WEAKLEARN_VARIANT {
namespace {

// exp by range reduction to |r| <= ln(2)/2 and a Taylor polynomial of degree 13 (remainder below
// 1e-17).
inline double exponential(double x) {
  const double round_shift = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to an integer
  const double clipped = x < -746.0 ? -746.0 : x;
  const double shifted = clipped * 1.4426950408889634074 + round_shift;
  const double k = shifted - round_shift;
  const double r = (clipped - k * 0.69314718036912381649) - k * 1.9082149292705877e-10;
  double p = 1.0 / 6227020800.0;
  p = p * r + 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  // 2^k in two factors, so that results in the subnormal range are still right.
  const uint64_t whole = to_bits(shifted) - to_bits(round_shift);
  // Half of it, rounded down: not every processor shifts signed numbers.
  const uint64_t half = ((whole + 2048) >> 1) - 1024;
  const double scale1 = from_bits((half + 1023) << 52);
  const double scale2 = from_bits((whole - half + 1023) << 52);
  const double value = p * scale1 * scale2;
  return x < -745.0 ? 0.0 : value;
}

// ln x for x > 0: x = 2^k m with m near 1, and ln m = 2 artanh((m - 1) / (m + 1)) as a series of
// odd powers (remainder below 1e-17). Subnormal numbers are scaled first.
inline double logarithm(double x) {
  const double tiny = x < 2.2250738585072014e-308 ? 1.0 : 0.0;
  const double scaled = tiny > 0 ? x * 18014398509481984.0 : x;  // 2^54
  const uint64_t bits = to_bits(scaled);
  // The exponent such that m lies between sqrt(1/2) and sqrt(2).
  const int64_t k = static_cast<int64_t>((bits - 0x3fe6a09e667f3bcdull) >> 52) << 52;
  const int64_t signed_k = k >> 52;
  const double m = from_bits(bits - static_cast<uint64_t>(k));
  const double s = (m - 1.0) / (m + 1.0), q = s * s;
  double p = 1.0 / 25.0;
  p = p * q + 1.0 / 23.0;
  p = p * q + 1.0 / 21.0;
  p = p * q + 1.0 / 19.0;
  p = p * q + 1.0 / 17.0;
  p = p * q + 1.0 / 15.0;
  p = p * q + 1.0 / 13.0;
  p = p * q + 1.0 / 11.0;
  p = p * q + 1.0 / 9.0;
  p = p * q + 1.0 / 7.0;
  p = p * q + 1.0 / 5.0;
  p = p * q + 1.0 / 3.0;
  const double e = static_cast<double>(signed_k) - 54.0 * tiny;
  return e * 0.69314718036912381649 + (2.0 * s + (2.0 * s * q * p + e * 1.9082149292705877e-10));
}

void logarithms(double* x, size_t n) {
  for (size_t i = 0; i < n; ++i) x[i] = logarithm(x[i]);
}

void exponentials(double* x, size_t n) {
  for (size_t i = 0; i < n; ++i) x[i] = exponential(x[i]);
}

#if defined(WEAKLEARN_AVX512)

// x <- exponential(x), n times eight side by side, so that none waits for the other; below
// exp(-700) it stays there.
template <size_t n>
inline void exponentials_beside(__m512d* x) {
  const __m512d round_shift = _mm512_set1_pd(6755399441055744.0);
  __m512d shifted[n], p[n];
  for (size_t v = 0; v < n; ++v) {
    x[v] = _mm512_max_pd(x[v], _mm512_set1_pd(-700.0));
    shifted[v] =
        _mm512_add_pd(_mm512_mul_pd(x[v], _mm512_set1_pd(1.4426950408889634074)), round_shift);
    const __m512d k = _mm512_sub_pd(shifted[v], round_shift);
    x[v] =
        _mm512_sub_pd(_mm512_sub_pd(x[v], _mm512_mul_pd(k, _mm512_set1_pd(0.69314718036912381649))),
                      _mm512_mul_pd(k, _mm512_set1_pd(1.9082149292705877e-10)));
    p[v] = _mm512_set1_pd(1.0 / 6227020800.0);
  }
  const auto next = [&](double term) {
    for (size_t v = 0; v < n; ++v)
      p[v] = _mm512_add_pd(_mm512_mul_pd(p[v], x[v]), _mm512_set1_pd(term));
  };
  next(1.0 / 479001600.0);
  next(1.0 / 39916800.0);
  next(1.0 / 3628800.0);
  next(1.0 / 362880.0);
  next(1.0 / 40320.0);
  next(1.0 / 5040.0);
  next(1.0 / 720.0);
  next(1.0 / 120.0);
  next(1.0 / 24.0);
  next(1.0 / 6.0);
  next(0.5);
  next(1.0);
  next(1.0);
  // Times 2^k, which the last digits of the shifted number hold.
  for (size_t v = 0; v < n; ++v)
    x[v] = _mm512_castsi512_pd(_mm512_add_epi64(
        _mm512_castpd_si512(p[v]), _mm512_slli_epi64(_mm512_castpd_si512(shifted[v]), 52)));
}

#endif

}  // namespace
}  // namespace weaklearn::WEAKLEARN_VARIANT
