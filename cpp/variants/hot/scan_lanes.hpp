// kScanLanes windows at once. Where there are wide registers they are used by name: what a loop
// over the lanes becomes depends too much on the compiler.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "variant.hpp"
#include "weaklearn/vision/image_scan_loops.hpp"

namespace weaklearn::WEAKLEARN_VARIANT {
namespace {

#if defined(WEAKLEARN_AVX512)
using LaneMask = __mmask16;  // a bit a lane
inline LaneMask lanes_all() { return 0xffff; }
inline LaneMask lanes_both(LaneMask a, LaneMask b) { return a & b; }
inline LaneMask lanes_without(LaneMask a, LaneMask b) { return static_cast<LaneMask>(a & ~b); }

inline __m512i lane_sums(const uint32_t* table, const int32_t* corner) {
  const auto at = [&](size_t c) { return _mm512_loadu_si512(table + corner[c]); };
  return _mm512_add_epi32(_mm512_sub_epi32(_mm512_sub_epi32(at(0), at(1)), at(2)), at(3));
}

inline LaneMask lanes_low(const ScanNodes<float>& of, size_t node, const uint32_t* table,
                          const float* norm) {
  const auto term = [&](int32_t r) {
    return _mm512_mul_ps(_mm512_set1_ps(of.weight[r]),
                         _mm512_cvtepi32_ps(lane_sums(table, of.corner + 4 * r)));
  };
  const int32_t first = of.rect_start[node], last = of.rect_start[node + 1];
  __m512 value = term(first);
  for (int32_t r = first + 1; r < last; ++r) value = _mm512_add_ps(value, term(r));
  return _mm512_cmp_ps_mask(_mm512_mul_ps(value, _mm512_loadu_ps(norm)),
                            _mm512_set1_ps(of.threshold[node]), _CMP_LE_OQ);
}

inline LaneMask lanes_low(const ScanNodes<double>& of, size_t node, const uint32_t* table,
                          const double* norm) {
  const int32_t first = of.rect_start[node], last = of.rect_start[node + 1];
  __m512d near = _mm512_setzero_pd(), far = near;
  for (int32_t r = first; r < last; ++r) {
    const __m512i sums = lane_sums(table, of.corner + 4 * r);
    const __m512d weight = _mm512_set1_pd(of.weight[r]);
    const __m512d a = _mm512_cvtepi32_pd(_mm512_castsi512_si256(sums));
    const __m512d b = _mm512_cvtepi32_pd(_mm512_extracti64x4_epi64(sums, 1));
    near = _mm512_add_pd(near, _mm512_mul_pd(weight, a));
    far = _mm512_add_pd(far, _mm512_mul_pd(weight, b));
  }
  const __m512d t = _mm512_set1_pd(of.threshold[node]);
  const __m512d near_bar = _mm512_mul_pd(t, _mm512_loadu_pd(norm));
  const __m512d far_bar = _mm512_mul_pd(t, _mm512_loadu_pd(norm + 8));
  return static_cast<LaneMask>(_mm512_cmp_pd_mask(near, near_bar, _CMP_LE_OQ) |
                               _mm512_cmp_pd_mask(far, far_bar, _CMP_LE_OQ) << 8);
}

struct LaneTotals {
  __m512d near, far;

  explicit LaneTotals(const double* total)
      : near(_mm512_loadu_pd(total)), far(_mm512_loadu_pd(total + 8)) {}
  void add(LaneMask low, double if_low, double if_high) {
    const __m512d l = _mm512_set1_pd(if_low), h = _mm512_set1_pd(if_high);
    near = _mm512_add_pd(near, _mm512_mask_blend_pd(static_cast<__mmask8>(low), h, l));
    far = _mm512_add_pd(far, _mm512_mask_blend_pd(static_cast<__mmask8>(low >> 8), h, l));
  }
  void add_where(LaneMask some, double score) {
    const __m512d s = _mm512_set1_pd(score);
    near = _mm512_mask_add_pd(near, static_cast<__mmask8>(some), near, s);
    far = _mm512_mask_add_pd(far, static_cast<__mmask8>(some >> 8), far, s);
  }
  void to(double* total) const {
    _mm512_storeu_pd(total, near);
    _mm512_storeu_pd(total + 8, far);
  }
};
#elif defined(__AVX2__)
struct LaneMask {  // all bits of a double
  __m256d part[4];
};
inline LaneMask lanes_all() {
  const __m256d all = _mm256_castsi256_pd(_mm256_set1_epi64x(-1));
  return {{all, all, all, all}};
}
inline LaneMask lanes_both(const LaneMask& a, const LaneMask& b) {
  LaneMask made;
  for (size_t i = 0; i < 4; ++i) made.part[i] = _mm256_and_pd(a.part[i], b.part[i]);
  return made;
}
inline LaneMask lanes_without(const LaneMask& a, const LaneMask& b) {
  LaneMask made;
  for (size_t i = 0; i < 4; ++i) made.part[i] = _mm256_andnot_pd(b.part[i], a.part[i]);
  return made;
}

inline void lane_sums(const uint32_t* table, const int32_t* corner, __m256i* sums) {
  for (size_t half = 0; half < 2; ++half) {
    const auto at = [&](size_t c) {
      return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(table + corner[c] + 8 * half));
    };
    sums[half] = _mm256_add_epi32(_mm256_sub_epi32(_mm256_sub_epi32(at(0), at(1)), at(2)), at(3));
  }
}

inline LaneMask lanes_low(const ScanNodes<float>& of, size_t node, const uint32_t* table,
                          const float* norm) {
  const int32_t first = of.rect_start[node], last = of.rect_start[node + 1];
  __m256 value[2];
  for (int32_t r = first; r < last; ++r) {
    __m256i sums[2];
    lane_sums(table, of.corner + 4 * r, sums);
    const __m256 weight = _mm256_set1_ps(of.weight[r]);
    for (size_t half = 0; half < 2; ++half) {
      const __m256 term = _mm256_mul_ps(weight, _mm256_cvtepi32_ps(sums[half]));
      value[half] = r == first ? term : _mm256_add_ps(value[half], term);
    }
  }
  LaneMask mask;
  const __m256 bar = _mm256_set1_ps(of.threshold[node]);
  for (size_t half = 0; half < 2; ++half) {
    const __m256 v = _mm256_mul_ps(value[half], _mm256_loadu_ps(norm + 8 * half));
    const __m256i low = _mm256_castps_si256(_mm256_cmp_ps(v, bar, _CMP_LE_OQ));
    const __m128i a = _mm256_castsi256_si128(low), b = _mm256_extracti128_si256(low, 1);
    mask.part[2 * half] = _mm256_castsi256_pd(_mm256_cvtepi32_epi64(a));
    mask.part[2 * half + 1] = _mm256_castsi256_pd(_mm256_cvtepi32_epi64(b));
  }
  return mask;
}

inline LaneMask lanes_low(const ScanNodes<double>& of, size_t node, const uint32_t* table,
                          const double* norm) {
  const int32_t first = of.rect_start[node], last = of.rect_start[node + 1];
  __m256d value[4];
  for (auto& part : value) part = _mm256_setzero_pd();
  for (int32_t r = first; r < last; ++r) {
    __m256i sums[2];
    lane_sums(table, of.corner + 4 * r, sums);
    const __m256d weight = _mm256_set1_pd(of.weight[r]);
    for (size_t i = 0; i < 4; ++i) {
      const __m128i quarter = i % 2 == 0 ? _mm256_castsi256_si128(sums[i / 2])
                                         : _mm256_extracti128_si256(sums[i / 2], 1);
      value[i] = _mm256_add_pd(value[i], _mm256_mul_pd(weight, _mm256_cvtepi32_pd(quarter)));
    }
  }
  LaneMask mask;
  const __m256d t = _mm256_set1_pd(of.threshold[node]);
  for (size_t i = 0; i < 4; ++i)
    mask.part[i] =
        _mm256_cmp_pd(value[i], _mm256_mul_pd(t, _mm256_loadu_pd(norm + 4 * i)), _CMP_LE_OQ);
  return mask;
}

struct LaneTotals {
  __m256d part[4];

  explicit LaneTotals(const double* total) {
    for (size_t i = 0; i < 4; ++i) part[i] = _mm256_loadu_pd(total + 4 * i);
  }
  void add(const LaneMask& low, double if_low, double if_high) {
    const __m256d l = _mm256_set1_pd(if_low), h = _mm256_set1_pd(if_high);
    for (size_t i = 0; i < 4; ++i)
      part[i] = _mm256_add_pd(part[i], _mm256_blendv_pd(h, l, low.part[i]));
  }
  void add_where(const LaneMask& some, double score) {
    const __m256d s = _mm256_set1_pd(score);
    for (size_t i = 0; i < 4; ++i) part[i] = _mm256_add_pd(part[i], _mm256_and_pd(some.part[i], s));
  }
  void to(double* total) const {
    for (size_t i = 0; i < 4; ++i) _mm256_storeu_pd(total + 4 * i, part[i]);
  }
};
#endif

}  // namespace
}  // namespace weaklearn::WEAKLEARN_VARIANT
