// label_rows.hpp in registers of 512 bits: eight labels of a row at a time.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "exponentials.hpp"
#include "label_rows.hpp"
#include "variant.hpp"
#include "weaklearn/hot/loops.hpp"

namespace weaklearn::WEAKLEARN_VARIANT {
namespace {

#if defined(WEAKLEARN_AVX512)

// Which of eight labels of a row hold, and which do not.
struct Holding {
  __mmask8 plus, minus;
};
inline Holding holding(const LabelTable& of, size_t i, size_t first) {
  if (of.label != nullptr) {
    const size_t own = static_cast<size_t>(of.label[i]) - first;
    const auto plus = static_cast<__mmask8>(own < 8 ? 1u << own : 0u);
    return {plus, static_cast<__mmask8>(~plus)};
  }
  const __m512i sign = _mm512_cvtepi8_epi64(
      _mm_loadl_epi64(reinterpret_cast<const __m128i*>(of.sign + i * of.stride + first)));
  return {_mm512_cmpgt_epi64_mask(sign, _mm512_setzero_si512()),
          _mm512_cmplt_epi64_mask(sign, _mm512_setzero_si512())};
}

inline __m512d score_of(const LabelTable& of, size_t i, size_t first) {
  return _mm512_add_pd(_mm512_loadu_pd(of.score + i * of.stride + first),
                       _mm512_loadu_pd(of.common + first));
}

inline double wide_best_other(const LabelTable& of, size_t i) {
  __m512d most = _mm512_set1_pd(kNoScore);
  for (size_t first = 0; first < of.stride; first += 8)
    most = _mm512_mask_max_pd(most, holding(of, i, first).minus, most, score_of(of, i, first));
  return _mm512_reduce_max_pd(most);
}

void wide_look_at_one(const LabelTable& of, size_t begin, size_t end, LabelErrors* vote_errors) {
  const __m512d zero = _mm512_setzero_pd();
  int64_t wrong_labels = 0;
  for (size_t i = begin; i < end; ++i) {
    const size_t label = static_cast<size_t>(of.label[i]);
    const double own = of.score[i * of.stride + label] + of.common[label];
    const __m512d bar = _mm512_set1_pd(own);
    int wrong = (own <= 0.0) - (own >= 0.0), as_high = 0;
    for (size_t first = 0; first < of.stride; first += 8) {
      const __m512d f = score_of(of, i, first);
      wrong += _mm_popcnt_u32(_mm512_cmp_pd_mask(f, zero, _CMP_GE_OQ));
      as_high += _mm_popcnt_u32(_mm512_cmp_pd_mask(f, bar, _CMP_GE_OQ));
    }
    wrong_labels += row_copies(of, i) * wrong;
    if (as_high > 1) note_behind(of, i, wide_best_other(of, i), vote_errors);
  }
  vote_errors->labels += wrong_labels;
}

void wide_look_at_any(const LabelTable& of, size_t begin, size_t end, LabelErrors* vote_errors) {
  const __m512d zero = _mm512_setzero_pd();
  __m512d least = _mm512_set1_pd(vote_errors->least);
  for (size_t i = begin; i < end; ++i) {
    int wrong = 0;
    unsigned denied = 0;
    for (size_t first = 0; first < of.stride; first += 8) {
      const __m512d f = score_of(of, i, first);
      const Holding has = holding(of, i, first);
      const auto counts = static_cast<__mmask8>(has.plus | has.minus);
      const __m512d side = _mm512_mask_sub_pd(f, has.minus, zero, f);
      least = _mm512_mask_min_pd(least, counts, least, side);
      wrong += _mm_popcnt_u32(_mm512_mask_cmp_pd_mask(counts, side, zero, _CMP_LE_OQ));
      denied |= _mm512_mask_cmp_pd_mask(has.plus, f, zero, _CMP_LE_OQ) |
                _mm512_mask_cmp_pd_mask(has.minus, f, zero, _CMP_GT_OQ);
    }
    vote_errors->labels += row_copies(of, i) * wrong;
    vote_errors->rows += denied != 0 ? row_copies(of, i) : 0;
  }
  vote_errors->least = _mm512_reduce_min_pd(least);
}

// The weights of n times eight labels of a row, from `first` on.
template <size_t n>
inline void weigh_strip(const LabelTable& of, size_t i, size_t first, __m512d base) {
  __m512d x[n];
  for (size_t v = 0; v < n; ++v) {
    const Holding has = holding(of, i, first + 8 * v);
    const __m512d f = score_of(of, i, first + 8 * v);
    x[v] = _mm512_mask_sub_pd(_mm512_set1_pd(-2000.0), has.plus, base, f);
    x[v] = _mm512_mask_add_pd(x[v], has.minus, base, f);
  }
  exponentials_beside<n>(x);
  for (size_t v = 0; v < n; ++v) _mm512_storeu_pd(of.weight + i * of.stride + first + 8 * v, x[v]);
}

void wide_weigh_row(const LabelTable& of, size_t i, double row_base) {
  const __m512d base = _mm512_set1_pd(row_base);
  size_t first = 0;
  for (; first + 32 <= of.stride; first += 32) weigh_strip<4>(of, i, first, base);
  for (; first + 16 <= of.stride; first += 16) weigh_strip<2>(of, i, first, base);
  if (first < of.stride) weigh_strip<1>(of, i, first, base);
}

void wide_move_row(const LabelTable& of, const LabelStep& by, size_t i, int64_t* gain) {
  const size_t block = static_cast<size_t>(by.block[i]) * of.stride;
  const __m512i times = _mm512_set1_epi64(row_times(of, i));
  const bool repeats = of.repeats;
  for (size_t first = 0; first < of.stride; first += 8) {
    const size_t from = block + first;
    double* const score = of.score + i * of.stride + first;
    double* const weight = of.weight + i * of.stride + first;
    const __mmask8 plus = holding(of, i, first).plus;
    _mm512_storeu_pd(score, _mm512_add_pd(_mm512_loadu_pd(score), _mm512_loadu_pd(by.step + from)));
    const __m512d factor =
        _mm512_mask_loadu_pd(_mm512_loadu_pd(by.minus + from), plus, by.plus + from);
    const __m512d before = _mm512_loadu_pd(weight), after = _mm512_mul_pd(before, factor);
    _mm512_storeu_pd(weight, after);
    __m512i more = _mm512_sub_epi64(_mm512_cvtpd_epi64(after), _mm512_cvtpd_epi64(before));
    if (repeats) more = _mm512_mullo_epi64(more, times);
    _mm512_storeu_si512(gain + first, more);
  }
}

#endif

}  // namespace
}  // namespace weaklearn::WEAKLEARN_VARIANT
