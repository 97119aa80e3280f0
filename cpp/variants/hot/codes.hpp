// Codes of numbers: places among cuts that stand in the order of a search, in one byte or two.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "lanes.hpp"
#include "variant.hpp"

namespace weaklearn::WEAKLEARN_VARIANT {
namespace {

#if defined(WEAKLEARN_AVX512)
// The codes of as many numbers as a register holds, or some of them.
template <class Lanes, class Code>
void codes_of_lanes(const typename Lanes::Real* x, size_t n, const typename Lanes::Real* cuts,
                    int steps, Code* low, Code* high) {
  using Mask = typename Lanes::Mask;
  constexpr size_t lanes = Lanes::kLanes;
  for (size_t i = 0; i < n; i += lanes) {
    const auto some = static_cast<Mask>(n - i < lanes ? (1u << (n - i)) - 1 : (1u << lanes) - 1);
    const auto value = Lanes::load(some, x + i);
    __m512i place = _mm512_setzero_si512();
    for (int step = 0; step < steps; ++step) {
      const auto cut = entries<Lanes>(cuts + (1 << step) - 1, 1 << step, place);
      place = Lanes::descend(place, Lanes::greater(value, cut));
    }
    Lanes::store(low + i, some, place, 0);
    if (high != nullptr) Lanes::store(high + i, some, place, Lanes::missing(value));
  }
}

template <class Code>
void codes_of(const float* x, size_t n, const float* cuts, int steps, Code* low, Code* high) {
  codes_of_lanes<Singles>(x, n, cuts, steps, low, high);
}

// The search is made among singles, sixteen at once. Rounding keeps order, so that only a number
// whose single is that of a cut (then met on the way) has to be compared again.
template <class Code>
void codes_of(const double* x, size_t n, const double* cuts, const float* near, int steps,
              Code* low, Code* high) {
  const size_t whole = near == nullptr ? 0 : n / 16 * 16;
  for (size_t i = 0; i < whole; i += 16) {
    const __m512 value =
        _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(_mm512_loadu_pd(x + i))),
                           _mm512_cvtpd_ps(_mm512_loadu_pd(x + i + 8)), 1);
    __m512i place = _mm512_setzero_si512();
    __mmask16 met = 0;
    for (int step = 0; step < steps; ++step) {
      const __m512 cut = entries<Singles>(near + (1 << step) - 1, 1 << step, place);
      met |= Singles::equal(value, cut);
      place = Singles::descend(place, Singles::greater(value, cut));
    }
    Singles::store(low + i, 0xffff, place, 0);
    if (high != nullptr) Singles::store(high + i, 0xffff, place, Singles::missing(value));
    for (size_t k = 0; met != 0; ++k, met = static_cast<__mmask16>(met >> 1))
      if (met & 1)
        codes_of_lanes<Doubles>(x + i + k, 1, cuts, steps, low + i + k,
                                high == nullptr ? high : high + i + k);
  }
  codes_of_lanes<Doubles>(x + whole, n - whole, cuts, steps, low + whole,
                          high == nullptr ? high : high + whole);
}
#else
template <class Real, class Code>
void codes_of(const Real* x, size_t n, const Real* cuts, int steps, Code* low, Code* high) {
  constexpr size_t kBlock = 64;
  constexpr Code kMissing = static_cast<Code>(-1);
  for (size_t begin = 0; begin < n; begin += kBlock) {
    const size_t m = n - begin < kBlock ? n - begin : kBlock;
    uint32_t place[kBlock] = {};
    for (int step = 0; step < steps; ++step) {  // every row walks in step: no branch
      const Real* category = cuts + (1 << step) - 1;
      for (size_t i = 0; i < m; ++i)
        place[i] = 2 * place[i] + (x[begin + i] > category[place[i]] ? 1u : 0u);
    }
    for (size_t i = 0; i < m; ++i) low[begin + i] = static_cast<Code>(place[i]);
    if (high == nullptr) continue;
    for (size_t i = 0; i < m; ++i)
      high[begin + i] = x[begin + i] != x[begin + i] ? kMissing : static_cast<Code>(place[i]);
  }
}
template <class Code>
void codes_of(const double* x, size_t n, const double* cuts, const float*, int steps, Code* low,
              Code* high) {
  codes_of(x, n, cuts, steps, low, high);
}
#endif

void codes_f32(const float* x, size_t n, const float* cuts, int steps, uint8_t* low,
               uint8_t* high) {
  codes_of(x, n, cuts, steps, low, high);
}
void codes(const double* x, size_t n, const double* cuts, const float* near, int steps,
           uint8_t* low, uint8_t* high) {
  codes_of(x, n, cuts, near, steps, low, high);
}
void wide_codes_f32(const float* x, size_t n, const float* cuts, int steps, uint16_t* low,
                    uint16_t* high) {
  codes_of(x, n, cuts, steps, low, high);
}
void wide_codes(const double* x, size_t n, const double* cuts, const float* near, int steps,
                uint16_t* low, uint16_t* high) {
  codes_of(x, n, cuts, near, steps, low, high);
}

}  // namespace
}  // namespace weaklearn::WEAKLEARN_VARIANT
