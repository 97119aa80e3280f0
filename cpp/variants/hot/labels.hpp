// Many labels: scores and weights of rows, eight labels at a time where there are as many.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "label_rows.hpp"
#include "variant.hpp"
#include "weaklearn/hot/loops.hpp"
#include "wide_label_rows.hpp"

namespace weaklearn::WEAKLEARN_VARIANT {
namespace {

inline bool is_wide([[maybe_unused]] const LabelTable& of) {
#if defined(WEAKLEARN_AVX512)
  return of.stride >= 8;
#else
  return false;
#endif
}

size_t other_rows(const int32_t* block, size_t n, int32_t still, uint32_t* rows) {
  size_t count = 0, i = 0;
#if defined(WEAKLEARN_AVX512)
  const __m512i common = _mm512_set1_epi32(still), sixteen = _mm512_set1_epi32(16);
  __m512i at = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  for (; i + 16 <= n; i += 16) {
    const __mmask16 here = _mm512_cmpneq_epi32_mask(_mm512_loadu_si512(block + i), common);
    _mm512_storeu_si512(rows + count, _mm512_maskz_compress_epi32(here, at));
    count += static_cast<size_t>(_mm_popcnt_u32(here));
    at = _mm512_add_epi32(at, sixteen);
  }
#endif
  for (; i < n; ++i) {
    rows[count] = static_cast<uint32_t>(i);
    count += block[i] != still;
  }
  return count;
}

void label_look(const LabelTable* of, size_t begin, size_t end, LabelErrors* vote_errors) {
  auto look = of->label != nullptr ? look_at_one : look_at_any;
#if defined(WEAKLEARN_AVX512)
  if (is_wide(*of)) look = of->label != nullptr ? wide_look_at_one : wide_look_at_any;
#endif
  look(*of, begin, end, vote_errors);
}

void label_add(const LabelTable* of, const LabelStep* by, size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i) {
    const double* const step = by->step + static_cast<size_t>(by->block[i]) * of->stride;
    double* const score = of->score + i * of->stride;
    for (size_t l = 0; l < of->stride; ++l) score[l] += step[l];
  }
}

void label_weigh(const LabelTable* of, size_t begin, size_t end, double shift) {
  auto weigh = weigh_row;
#if defined(WEAKLEARN_AVX512)
  if (is_wide(*of)) weigh = wide_weigh_row;
#endif
  for (size_t i = begin; i < end; ++i)
    weigh(*of, i, (of->log_prior != nullptr ? of->log_prior[i] : 0.0) - shift);
}

void label_move(const LabelTable* of, const LabelStep* by, const uint32_t* rows, size_t n,
                int64_t* gain) {
  auto move = move_row;
#if defined(WEAKLEARN_AVX512)
  if (is_wide(*of)) move = wide_move_row;
#endif
  constexpr size_t kAhead = 6;  // rows lie here and there: they are asked for in time
  for (size_t k = 0; k < n; ++k) {
    if (k + kAhead < n)
      for (size_t l = 0; l < of->stride; l += 8) {
        const size_t at = rows[k + kAhead] * of->stride + l;
        ask_for(of->score + at);
        ask_for(of->weight + at);
      }
    move(*of, *by, rows[k], gain + k * of->stride);
  }
}

}  // namespace
}  // namespace weaklearn::WEAKLEARN_VARIANT
