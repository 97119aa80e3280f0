// Weights of examples as a weak rule answers: their sides, growth, whole numbers and sums.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "numbers.hpp"
#include "variant.hpp"

namespace weaklearn::WEAKLEARN_VARIANT {
namespace {

void whole_numbers(const double* weight, size_t n, const int64_t* copies, const int8_t* sign,
                   int64_t* value) {
  for (size_t i = 0; i < n; ++i) value[i] = whole_number(weight[i]);
  if (copies != nullptr)
    for (size_t i = 0; i < n; ++i) value[i] *= copies[i];
  if (sign != nullptr)
    for (size_t i = 0; i < n; ++i) {
      const int64_t below = static_cast<int64_t>(sign[i]) >> 63;
      value[i] = (value[i] ^ below) - below;
    }
}

size_t changes(const int8_t* side, size_t n, uint32_t first, const int64_t* fresh, int64_t* value,
               uint32_t* rows, int64_t* change) {
  size_t count = 0, i = 0;
#if defined(WEAKLEARN_AVX512)
  const __m512i eight = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
  for (; i + 8 <= n; i += 8) {
    const __m512i now = _mm512_loadu_si512(fresh + i);
    const __m512i moved = _mm512_sub_epi64(now, _mm512_loadu_si512(value + i));
    const __m512i s =
        _mm512_cvtepi8_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(side + i)));
    const __mmask8 here = _mm512_cmpneq_epi64_mask(s, _mm512_set1_epi64(1));
    const __m512i at = _mm512_add_epi64(eight, _mm512_set1_epi64(static_cast<int64_t>(first + i)));
    // Compressing in registers and storing all eight is far faster than a compressing store.
    _mm512_storeu_si512(change + count, _mm512_maskz_compress_epi64(here, moved));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(rows + count),
                        _mm256_maskz_compress_epi32(here, _mm512_cvtepi64_epi32(at)));
    _mm512_storeu_si512(value + i, now);
    count += static_cast<size_t>(_mm_popcnt_u32(here));
  }
#endif
  for (; i < n; ++i) {
    rows[count] = first + static_cast<uint32_t>(i);
    change[count] = fresh[i] - value[i];
    value[i] = fresh[i];
    count += side[i] != 1;
  }
  return count;
}

void grow(const int8_t* side, size_t n, const double* step, const double* factor, double* growth,
          double* weight) {
  const double step_wrong = step[0], step_silent = step[1], step_right = step[2];
  const double times_wrong = factor[0], times_silent = factor[1], times_right = factor[2];
  for (size_t i = 0; i < n; ++i) {
    const int64_t s = side[i];
    growth[i] += s < 0 ? step_wrong : s == 0 ? step_silent : step_right;
    weight[i] *= s < 0 ? times_wrong : s == 0 ? times_silent : times_right;
  }
}

void sides(const uint8_t* codes, const int8_t* answer, const int8_t* label, size_t n,
           int8_t* side) {
  for (size_t i = 0; i < n; ++i) side[i] = static_cast<int8_t>(answer[codes[i]] * label[i]);
}

void sides_cut(const uint8_t* codes, uint8_t cut, uint8_t gap, int8_t low, int8_t high,
               int8_t missing, const int8_t* label, size_t n, int8_t* side) {
  for (size_t i = 0; i < n; ++i) {  // labels are -1 or +1: their sign decides, no product needed
    const int8_t known = codes[i] < cut ? low : high;
    const int8_t answer = codes[i] == gap ? missing : known;
    side[i] = static_cast<int8_t>(label[i] < 0 ? -answer : answer);
  }
}

void sums_of(const int64_t* value, const uint32_t* rows, size_t n, int64_t* sum, int64_t* mass) {
  int64_t all = 0, size = 0;
  for (size_t k = 0; k < n; ++k) {
    const int64_t v = value[static_cast<int32_t>(rows[k])];
    const int64_t below = v >> 63;
    all += v;
    size += (v ^ below) - below;
  }
  *sum = all;
  *mass = size;
}

void masses(const int8_t* side, const int64_t* value, size_t n, int64_t* wrong, int64_t* silent,
            int64_t* silent_rows) {
  int64_t on_wrong = 0, on_silent = 0, rows = 0;
  for (size_t i = 0; i < n; ++i) {
    const int64_t s = side[i];
    const int64_t below = value[i] >> 63;
    const int64_t size = (value[i] ^ below) - below;
    on_wrong += size & (s >> 63);
    on_silent += size & ((s & 1) - 1);
    rows -= (s & 1) - 1;
  }
  *wrong = on_wrong;
  *silent = on_silent;
  *silent_rows = rows;
}

// What rounding a weight to a whole number leaves out, in units of 2^-20.
inline int64_t left_out(double weight) {
  const double two52 = 4503599627370496.0, middle = 6755399441055744.0;
  const double rounded = (weight + two52) - two52;
  const double left = weight < two52 ? weight - rounded : 0.0;
  return static_cast<int64_t>(to_bits(left * 1048576.0 + middle) - to_bits(middle));
}

void remainders(const int8_t* side, const double* weight, const int64_t* copies, size_t n,
                int64_t* wrong, int64_t* silent, int64_t* all) {
  int64_t on_wrong = 0, on_silent = 0, on_all = 0;
  const auto add = [&](size_t i, int64_t left) {
    const int64_t s = side[i];
    on_all += left;
    on_wrong += left & (s >> 63);
    on_silent += left & ((s & 1) - 1);
  };
  if (copies == nullptr)
    for (size_t i = 0; i < n; ++i) add(i, left_out(weight[i]));
  else
    for (size_t i = 0; i < n; ++i) add(i, left_out(weight[i]) * copies[i]);
  *wrong = on_wrong;
  *silent = on_silent;
  *all = on_all;
}

void vote_errors(const double* growth, size_t n, double bar, const int8_t* sign,
                 const int64_t* copies, double* most, int64_t* count) {
  *most = largest(growth, n);
  int64_t above = 0, category = 0;
  if (copies == nullptr)
    for (size_t i = 0; i < n; ++i) above += growth[i] > bar ? 1 : 0;
  else
    for (size_t i = 0; i < n; ++i) above += growth[i] > bar ? copies[i] : 0;
  for (size_t i = 0; i < n; ++i) category += growth[i] == bar ? 1 : 0;
  if (category > 0)
    for (size_t i = 0; i < n; ++i)
      if (growth[i] == bar && (sign == nullptr || sign[i] > 0))
        above += copies == nullptr ? 1 : copies[i];
  *count = above;
}

}  // namespace
}  // namespace weaklearn::WEAKLEARN_VARIANT
