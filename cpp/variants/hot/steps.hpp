// What step functions of a few cuts add to the scores of rows: the columns of a block of rows are
// laid one after another, and each looks up its cuts and its answers in registers.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "lanes.hpp"
#include "variant.hpp"
#include "weaklearn/hot/loops.hpp"

#if defined(WEAKLEARN_AVX512)

namespace weaklearn::WEAKLEARN_VARIANT {
namespace {

constexpr size_t kStepRows = 128;  // that are scored together: their columns stay in the cache

// Which of so many rows stands in a lane: of sixteen, the first eight in the even lanes, so that
// the numbers of 64 bits found in even and in odd lanes belong to neighbours.
template <class Lanes>
constexpr size_t row_of_lane(size_t lane) {
  return Lanes::kLanes == 16 ? lane / 2 + lane % 2 * 8 : lane;
}

// Sixteen columns of sixteen rows: column c to out + c * kStepRows.
inline void turn(const float* const* row, __mmask16 some, float* out) {
  __m512 a[16], b[16];
  for (int i = 0; i < 16; ++i) a[i] = _mm512_maskz_loadu_ps(some, row[i]);
  for (int i = 0; i < 16; i += 2) {
    b[i] = _mm512_unpacklo_ps(a[i], a[i + 1]);
    b[i + 1] = _mm512_unpackhi_ps(a[i], a[i + 1]);
  }
  for (int i = 0; i < 16; i += 4)
    for (int h = 0; h < 2; ++h) {  // a[i + c]: rows from i on, columns c, 4 + c, 8 + c, 12 + c
      const __m512d low = _mm512_castps_pd(b[i + h]), high = _mm512_castps_pd(b[i + 2 + h]);
      a[i + 2 * h] = _mm512_castpd_ps(_mm512_unpacklo_pd(low, high));
      a[i + 2 * h + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(low, high));
    }
  for (int c = 0; c < 4; ++c) {
    const __m512 low = _mm512_shuffle_f32x4(a[c], a[4 + c], 0x44);
    const __m512 high = _mm512_shuffle_f32x4(a[c], a[4 + c], 0xee);
    const __m512 low2 = _mm512_shuffle_f32x4(a[8 + c], a[12 + c], 0x44);
    const __m512 high2 = _mm512_shuffle_f32x4(a[8 + c], a[12 + c], 0xee);
    float* const to = out + static_cast<size_t>(c) * kStepRows;
    _mm512_storeu_ps(to, _mm512_shuffle_f32x4(low, low2, 0x88));
    _mm512_storeu_ps(to + 4 * kStepRows, _mm512_shuffle_f32x4(low, low2, 0xdd));
    _mm512_storeu_ps(to + 8 * kStepRows, _mm512_shuffle_f32x4(high, high2, 0x88));
    _mm512_storeu_ps(to + 12 * kStepRows, _mm512_shuffle_f32x4(high, high2, 0xdd));
  }
}

// Eight columns of eight rows.
inline void turn(const double* const* row, __mmask8 some, double* out) {
  __m512d a[8], b[8];
  for (int i = 0; i < 8; ++i) a[i] = _mm512_maskz_loadu_pd(some, row[i]);
  for (int i = 0; i < 8; i += 2) {  // b[i + c]: rows i and i + 1, columns c, 2 + c, 4 + c, 6 + c
    b[i] = _mm512_unpacklo_pd(a[i], a[i + 1]);
    b[i + 1] = _mm512_unpackhi_pd(a[i], a[i + 1]);
  }
  for (int c = 0; c < 2; ++c) {
    const __m512d low = _mm512_shuffle_f64x2(b[c], b[2 + c], 0x44);
    const __m512d high = _mm512_shuffle_f64x2(b[c], b[2 + c], 0xee);
    const __m512d low2 = _mm512_shuffle_f64x2(b[4 + c], b[6 + c], 0x44);
    const __m512d high2 = _mm512_shuffle_f64x2(b[4 + c], b[6 + c], 0xee);
    double* const to = out + static_cast<size_t>(c) * kStepRows;
    _mm512_storeu_pd(to, _mm512_shuffle_f64x2(low, low2, 0x88));
    _mm512_storeu_pd(to + 2 * kStepRows, _mm512_shuffle_f64x2(low, low2, 0xdd));
    _mm512_storeu_pd(to + 4 * kStepRows, _mm512_shuffle_f64x2(high, high2, 0x88));
    _mm512_storeu_pd(to + 6 * kStepRows, _mm512_shuffle_f64x2(high, high2, 0xdd));
  }
}

// The answers at the places of eight rows, numbers of 64 bits whose higher half is ignored.
template <int kSteps>
inline __m512i answers_at(const __m512i* value, __m512i place) {
  if constexpr (kSteps <= 3) return _mm512_permutexvar_epi64(place, value[0]);
  const __m512i found = _mm512_permutex2var_epi64(value[0], place, value[1]);
  if constexpr (kSteps <= 4) return found;
  const __m512i more = _mm512_permutex2var_epi64(value[2], place, value[3]);
  return _mm512_mask_mov_epi64(found, _mm512_test_epi64_mask(place, _mm512_set1_epi64(16)), more);
}

inline void add_to(int64_t* score, __m512i answers) {
  _mm512_storeu_si512(score, _mm512_add_epi64(_mm512_loadu_si512(score), answers));
}

template <int kSteps>
void add_step(const float* x, size_t n, const StepTable<float>& of, int64_t* score) {
  __m512 level[kSteps + 1];
  for (int l = 0; l < kSteps; ++l) level[l] = _mm512_loadu_ps(of.level[l]);
  __m512i value[4];
  for (int k = 0; k < 4; ++k) value[k] = _mm512_loadu_si512(of.value + 8 * k);
  for (size_t i = 0; i < n; i += 16) {
    const __m512 row = _mm512_loadu_ps(x + i);
    __m512i place = _mm512_setzero_si512();
    for (int l = 0; l < kSteps; ++l) {
      const __m512 cut = l == 0 ? level[l] : _mm512_permutexvar_ps(place, level[l]);
      const __mmask16 above = _mm512_cmp_ps_mask(row, cut, _CMP_GT_OQ);
      place = _mm512_mask_or_epi32(place, above, place, _mm512_set1_epi32(1 << l));
    }
    add_to(score + i, answers_at<kSteps>(value, place));
    add_to(score + i + 8, answers_at<kSteps>(value, _mm512_srli_epi64(place, 32)));
  }
}

template <int kSteps>
void add_step(const double* x, size_t n, const StepTable<double>& of, int64_t* score) {
  __m512d level[kSteps + 1];
  for (int l = 0; l < kSteps; ++l) level[l] = _mm512_loadu_pd(of.level[l]);
  const __m512d rest = _mm512_loadu_pd(of.level[kMostSteps - 1] + 8);
  __m512i value[4];
  for (int k = 0; k < 4; ++k) value[k] = _mm512_loadu_si512(of.value + 8 * k);
  for (size_t i = 0; i < n; i += 8) {
    const __m512d row = _mm512_loadu_pd(x + i);
    __m512i place = _mm512_setzero_si512();
    for (int l = 0; l < kSteps; ++l) {
      const __m512d cut = l == 0  ? level[l]
                          : l < 4 ? _mm512_permutexvar_pd(place, level[l])
                                  : _mm512_permutex2var_pd(level[l], place, rest);
      const __mmask8 above = _mm512_cmp_pd_mask(row, cut, _CMP_GT_OQ);
      place = _mm512_mask_or_epi64(place, above, place, _mm512_set1_epi64(1 << l));
    }
    add_to(score + i, answers_at<kSteps>(value, place));
  }
}

// A missing value is above no cut: where there are any, the answer to the lowest place is replaced.
template <class Lanes>
void correct_missing(const typename Lanes::Real* x, size_t n,
                     const StepTable<typename Lanes::Real>& of, int64_t* score) {
  unsigned any = 0;
  for (size_t i = 0; i < n; i += Lanes::kLanes) any |= Lanes::missing(Lanes::load(x + i));
  if (any == 0) return;
  for (size_t i = 0; i < n; ++i) {
    const size_t lane = i % Lanes::kLanes;
    if (x[i] != x[i]) score[i - lane + row_of_lane<Lanes>(lane)] += of.missing - of.value[0];
  }
}

template <class Lanes>
void score_steps(const char* rows, ptrdiff_t row_stride, size_t n_columns, size_t n,
                 const StepTable<typename Lanes::Real>* tables, size_t n_tables, int64_t* score) {
  using Real = typename Lanes::Real;
  constexpr size_t kLanes = Lanes::kLanes;
  alignas(64) Real x[kLanes * kStepRows];
  alignas(64) int64_t sum[kStepRows];
  for (size_t first = 0; first < n; first += kStepRows) {
    const size_t length = n - first < kStepRows ? n - first : kStepRows;
    const size_t padded = (length + kLanes - 1) / kLanes * kLanes;
    for (size_t i = 0; i < padded; ++i) sum[i] = 0;
    for (size_t t = 0; t < n_tables;) {
      const size_t begin = tables[t].column, wide = n_columns - begin;
      const auto some = static_cast<typename Lanes::Mask>(wide < kLanes ? (1u << wide) - 1 : ~0u);
      for (size_t i = 0; i < padded; i += kLanes) {
        const Real* row[kLanes];
        for (size_t lane = 0; lane < kLanes; ++lane) {  // behind the last row, that one again
          const size_t at = i + row_of_lane<Lanes>(lane);
          const auto place = static_cast<ptrdiff_t>(first + (at < length ? at : length - 1));
          row[lane] = reinterpret_cast<const Real*>(rows + place * row_stride) + begin;
        }
        turn(row, some, x + i);
      }
      for (; t < n_tables && tables[t].column < begin + kLanes; ++t) {
        const StepTable<Real>& of = tables[t];
        const Real* column = x + (of.column - begin) * kStepRows;
        switch (of.steps) {
          case 0:
            add_step<0>(column, padded, of, sum);
            break;
          case 1:
            add_step<1>(column, padded, of, sum);
            break;
          case 2:
            add_step<2>(column, padded, of, sum);
            break;
          case 3:
            add_step<3>(column, padded, of, sum);
            break;
          case 4:
            add_step<4>(column, padded, of, sum);
            break;
          default:
            add_step<5>(column, padded, of, sum);
        }
        correct_missing<Lanes>(column, padded, of, sum);
      }
    }
    for (size_t i = 0; i < length; ++i) score[first + i] += sum[i];
  }
}

}  // namespace
}  // namespace weaklearn::WEAKLEARN_VARIANT

#endif
