// Small trees, put to many rows at once.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "lanes.hpp"
#include "variant.hpp"
#include "weaklearn/hot/loops.hpp"

namespace weaklearn::WEAKLEARN_VARIANT {
namespace {

#if defined(WEAKLEARN_AVX512)

inline __mmask64 is_within(__m512i code, const uint64_t* set) {
  const __m512i seven = _mm512_set1_epi8(7);
  const __m128i* half = reinterpret_cast<const __m128i*>(set);
  const __m512i byte = _mm512_and_si512(_mm512_srli_epi16(code, 3), _mm512_set1_epi8(31));
  const __m512i lower = _mm512_shuffle_epi8(_mm512_broadcast_i32x4(_mm_loadu_si128(half)), byte);
  const __m512i upper =
      _mm512_shuffle_epi8(_mm512_broadcast_i32x4(_mm_loadu_si128(half + 1)), byte);
  const __m512i bits = _mm512_set1_epi64(static_cast<long long>(0x8040201008040201ull));
  const __m512i found = _mm512_mask_mov_epi8(lower, _mm512_movepi8_mask(code), upper);
  return _mm512_test_epi8_mask(found, _mm512_shuffle_epi8(bits, _mm512_and_si512(code, seven)));
}

void choose(const Choice* choices, size_t n, const uint8_t* codes, const uint64_t* sets,
            uint8_t* slots) {
  for (const Choice* c = choices; c != choices + n; ++c) {
    const __m512i code0 = _mm512_load_si512(codes + c->column);
    const __m512i code1 = _mm512_load_si512(codes + c->column + 64);
    __mmask64 yes0, yes1;
    if (c->within) {
      yes0 = is_within(code0, sets + c->set * size_t{4});
      yes1 = is_within(code1, sets + c->set * size_t{4});
    } else {
      const __m512i cut = _mm512_set1_epi8(static_cast<char>(c->cut));
      yes0 = _mm512_cmpgt_epu8_mask(code0, cut);
      yes1 = _mm512_cmpgt_epu8_mask(code1, cut);
    }
    const uint8_t* low = slots + c->low;
    const uint8_t* high = slots + c->high;
    const __m512i chosen0 =
        _mm512_mask_mov_epi8(_mm512_load_si512(low), yes0, _mm512_load_si512(high));
    const __m512i chosen1 =
        _mm512_mask_mov_epi8(_mm512_load_si512(low + 64), yes1, _mm512_load_si512(high + 64));
    _mm512_store_si512(slots + c->slot, chosen0);
    _mm512_store_si512(slots + c->slot + 64, chosen1);
  }
}

void add_answers(const uint8_t* leaf, size_t n, const double* answers, size_t n_answers,
                 double* score) {
  size_t i = 0;
  if (n_answers <= 64)
    for (; i + 8 <= n; i += 8) {
      const __m512i place =
          _mm512_cvtepu8_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(leaf + i)));
      const __m512d answer = entries<Doubles>(answers, static_cast<int>(n_answers), place);
      _mm512_storeu_pd(score + i, _mm512_add_pd(_mm512_loadu_pd(score + i), answer));
    }
  for (; i < n; ++i) score[i] += answers[leaf[i]];
}

// Eight rows at once, the last of them with a mask. Where operands are equal, or one is NaN, the
// second is taken: a missing x stays NaN.
template <int size>
void add_sloped_up_to(const SlopedTree& tree, const uint8_t* leaf, size_t n, const double* x,
                      size_t stride, double* score) {
  const size_t room = tree.room;
  const __m512d zero = _mm512_setzero_pd(), vote = _mm512_set1_pd(tree.vote);
  for (size_t i = 0; i < n; i += 8) {
    const auto rows = static_cast<__mmask8>(n - i >= 8 ? 0xff : (1u << (n - i)) - 1);
    const __m512i place = _mm512_cvtepu8_epi64(_mm_maskz_loadu_epi8(rows, leaf + i));
    const __m512d value = entries<Doubles>(tree.tables, size, place);
    const double* table = tree.tables + room;
    __m512d more = zero;
    for (size_t k = 0; k < tree.n_columns; ++k, table += 4 * room) {
      const __m512d slope = entries<Doubles>(table, size, place);
      const __m512d centre = entries<Doubles>(table + room, size, place);
      const __m512d low = entries<Doubles>(table + 2 * room, size, place);
      const __m512d high = entries<Doubles>(table + 3 * room, size, place);
      const __m512d v = _mm512_maskz_loadu_pd(rows, x + tree.columns[k] * stride + i);
      const __m512d held = _mm512_min_pd(high, _mm512_max_pd(low, v));
      const __mmask8 some = _mm512_cmp_pd_mask(slope, zero, _CMP_NEQ_OQ);
      const __m512d term = _mm512_mul_pd(slope, _mm512_sub_pd(held, centre));
      more = _mm512_mask_add_pd(more, some, more, term);
    }
    const __mmask8 known = _mm512_cmp_pd_mask(more, more, _CMP_ORD_Q);
    const __m512d answer = _mm512_mask_add_pd(value, known, value, more);
    const __m512d before = _mm512_maskz_loadu_pd(rows, score + i);
    _mm512_mask_storeu_pd(score + i, rows, _mm512_add_pd(before, _mm512_mul_pd(vote, answer)));
  }
}

// So many leaves at most are told ahead: then tables are looked up without a loop.
void add_sloped(const SlopedTree& tree, const uint8_t* leaf, size_t n, const double* x,
                size_t stride, double* score) {
  const auto loop = tree.n_leaves <= 8    ? add_sloped_up_to<8>
                    : tree.n_leaves <= 16 ? add_sloped_up_to<16>
                    : tree.n_leaves <= 32 ? add_sloped_up_to<32>
                                          : add_sloped_up_to<64>;
  loop(tree, leaf, n, x, stride, score);
}

#else

#if defined(__AVX2__)
inline __m256i is_within(__m256i code, const uint64_t* set) {
  const __m128i* half = reinterpret_cast<const __m128i*>(set);
  const __m256i lower = _mm256_broadcastsi128_si256(_mm_loadu_si128(half));
  const __m256i upper = _mm256_broadcastsi128_si256(_mm_loadu_si128(half + 1));
  const __m256i bits = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201ull));
  const __m256i byte = _mm256_and_si256(_mm256_srli_epi16(code, 3), _mm256_set1_epi8(31));
  const __m256i found =
      _mm256_blendv_epi8(_mm256_shuffle_epi8(lower, byte), _mm256_shuffle_epi8(upper, byte), code);
  const __m256i bit = _mm256_shuffle_epi8(bits, _mm256_and_si256(code, _mm256_set1_epi8(7)));
  return _mm256_cmpeq_epi8(_mm256_and_si256(found, bit), bit);
}

void choose(const Choice* choices, size_t n, const uint8_t* codes, const uint64_t* sets,
            uint8_t* slots) {
  const auto at = [](const uint8_t* bytes) {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(bytes));
  };
  for (const Choice* c = choices; c != choices + n; ++c) {
    const uint8_t* code = codes + c->column;
    const uint8_t* low = slots + c->low;
    const uint8_t* high = slots + c->high;
    uint8_t* slot = slots + c->slot;
    const auto choose_by = [&](auto yes) {
      for (size_t i = 0; i < kTogether; i += 32)
        _mm256_store_si256(reinterpret_cast<__m256i*>(slot + i),
                           _mm256_blendv_epi8(at(low + i), at(high + i), yes(at(code + i))));
    };
    if (c->within) {
      choose_by([&](__m256i x) { return is_within(x, sets + c->set * size_t{4}); });
    } else {  // bytes without a sign have no comparison but this
      const __m256i next = _mm256_set1_epi8(static_cast<char>(c->cut + 1));
      choose_by([&](__m256i x) { return _mm256_cmpeq_epi8(_mm256_max_epu8(x, next), x); });
    }
  }
}
#else
void choose(const Choice* choices, size_t n, const uint8_t* codes, const uint64_t* sets,
            uint8_t* slots) {
  for (const Choice* c = choices; c != choices + n; ++c) {
    const uint8_t* code = codes + c->column;
    const uint8_t* low = slots + c->low;
    const uint8_t* high = slots + c->high;
    uint8_t chosen[kTogether];  // the slot may be one of those read
    if (c->within) {
      const uint64_t* set = sets + c->set * size_t{4};
      for (size_t i = 0; i < kTogether; ++i)
        chosen[i] = (set[code[i] >> 6] >> (code[i] & 63)) & 1 ? high[i] : low[i];
    } else {
      const uint8_t cut = c->cut;
      for (size_t i = 0; i < kTogether; ++i) {  // both are read: no branch
        const uint8_t a = low[i], b = high[i];
        chosen[i] = code[i] > cut ? b : a;
      }
    }
    memcpy(slots + c->slot, chosen, kTogether);
  }
}
#endif

void add_answers(const uint8_t* leaf, size_t n, const double* answers, size_t, double* score) {
  for (size_t i = 0; i < n; ++i) score[i] += answers[leaf[i]];
}
#endif

}  // namespace
}  // namespace weaklearn::WEAKLEARN_VARIANT
