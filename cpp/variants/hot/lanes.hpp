// Registers of 512 bits by the numbers they hold: sixteen singles or eight doubles, each with a
// place of its own in a table.
#pragma once

#include <stdint.h>

#include "variant.hpp"

#if defined(WEAKLEARN_AVX512)

namespace weaklearn::WEAKLEARN_VARIANT {
namespace {

struct Singles {
  using Real = float;
  using Vector = __m512;
  using Mask = __mmask16;
  static constexpr int kLanes = 16;

  static Vector load(const float* x) { return _mm512_loadu_ps(x); }
  static Vector load(Mask some, const float* x) { return _mm512_maskz_loadu_ps(some, x); }
  static Mask greater(Vector a, Vector b) { return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ); }
  static Mask equal(Vector a, Vector b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
  static Mask missing(Vector x) { return _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q); }

  static Mask from(__m512i place, int at) {
    return _mm512_cmpge_epu32_mask(place, _mm512_set1_epi32(at));
  }
  // 2 place, or 2 place + 1 where `above`.
  static __m512i descend(__m512i place, Mask above) {
    const __m512i twice = _mm512_add_epi32(place, place);
    return _mm512_mask_sub_epi32(twice, above, twice, _mm512_set1_epi32(-1));
  }
  // Writes some places as codes; those in `gap` as the last code there is.
  static void store(uint8_t* to, Mask some, __m512i place, Mask gap) {
    _mm512_mask_cvtepi32_storeu_epi8(to, some, _mm512_mask_set1_epi32(place, gap, 255));
  }
  static void store(uint16_t* to, Mask some, __m512i place, Mask gap) {
    _mm512_mask_cvtepi32_storeu_epi16(to, some, _mm512_mask_set1_epi32(place, gap, 65535));
  }

  static Vector gather(const float* table, __m512i place) {
    return _mm512_i32gather_ps(place, table, 4);
  }
  static Vector pick(Vector from, __m512i place) { return _mm512_permutexvar_ps(place, from); }
  static Vector pick(Vector first, Vector second, __m512i place) {
    return _mm512_permutex2var_ps(first, place, second);
  }
  static Vector blend(Vector a, Mask where, Vector b) { return _mm512_mask_mov_ps(a, where, b); }
};

struct Doubles {
  using Real = double;
  using Vector = __m512d;
  using Mask = __mmask8;
  static constexpr int kLanes = 8;

  static Vector load(const double* x) { return _mm512_loadu_pd(x); }
  static Vector load(Mask some, const double* x) { return _mm512_maskz_loadu_pd(some, x); }
  static Mask greater(Vector a, Vector b) { return _mm512_cmp_pd_mask(a, b, _CMP_GT_OQ); }
  static Mask missing(Vector x) { return _mm512_cmp_pd_mask(x, x, _CMP_UNORD_Q); }

  static Mask from(__m512i place, int at) {
    return _mm512_cmpge_epu64_mask(place, _mm512_set1_epi64(at));
  }
  static __m512i descend(__m512i place, Mask above) {
    const __m512i twice = _mm512_add_epi64(place, place);
    return _mm512_mask_sub_epi64(twice, above, twice, _mm512_set1_epi64(-1));
  }
  static void store(uint8_t* to, Mask some, __m512i place, Mask gap) {
    _mm512_mask_cvtepi64_storeu_epi8(to, some, _mm512_mask_set1_epi64(place, gap, 255));
  }
  static void store(uint16_t* to, Mask some, __m512i place, Mask gap) {
    _mm512_mask_cvtepi64_storeu_epi16(to, some, _mm512_mask_set1_epi64(place, gap, 65535));
  }

  static Vector gather(const double* table, __m512i place) {
    return _mm512_i64gather_pd(place, table, 8);
  }
  static Vector pick(Vector from, __m512i place) { return _mm512_permutexvar_pd(place, from); }
  static Vector pick(Vector first, Vector second, __m512i place) {
    return _mm512_permutex2var_pd(first, place, second);
  }
  static Vector blend(Vector a, Mask where, Vector b) { return _mm512_mask_mov_pd(a, where, b); }
};

// The entries at the places given of a table of so many numbers; 31 more may be read behind it.
// Small tables are looked up in registers.
template <class Lanes>
inline typename Lanes::Vector entries(const typename Lanes::Real* table, int size, __m512i place) {
  constexpr int one = Lanes::kLanes, two = 2 * one;
  if (size > 8 * one) return Lanes::gather(table, place);
  const typename Lanes::Vector first = Lanes::load(table);
  if (size <= one) return Lanes::pick(first, place);
  typename Lanes::Vector found = Lanes::pick(first, Lanes::load(table + one), place);
  for (int at = two; at < size; at += two) {
    const typename Lanes::Vector more =
        Lanes::pick(Lanes::load(table + at), Lanes::load(table + at + one), place);
    found = Lanes::blend(found, Lanes::from(place, at), more);
  }
  return found;
}

}  // namespace
}  // namespace weaklearn::WEAKLEARN_VARIANT

#endif
