// One variant of the hot loops; compiled several times with WEAKLEARN_VARIANT set to its name.
#include "weaklearn/hot.hpp"

#include <string.h>

#include <bit>

#include "weaklearn/log2.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#ifndef WEAKLEARN_VARIANT
#define WEAKLEARN_VARIANT baseline
#endif
#define WEAKLEARN_TEXT2(x) #x
#define WEAKLEARN_TEXT(x) WEAKLEARN_TEXT2(x)

namespace weaklearn {
namespace WEAKLEARN_VARIANT {
namespace {

inline double from_bits(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
inline uint64_t to_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

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
  const int64_t whole = static_cast<int64_t>(to_bits(shifted) - to_bits(round_shift));
  // Half of it, rounded down: not every processor shifts signed numbers.
  const int64_t half = static_cast<int64_t>(static_cast<uint64_t>(whole + 2048) >> 1) - 1024;
  const double scale1 = from_bits(static_cast<uint64_t>(half + 1023) << 52);
  const double scale2 = from_bits(static_cast<uint64_t>(whole - half + 1023) << 52);
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

#if defined(__AVX512DQ__) && defined(__AVX512VL__)

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

size_t take_out(int64_t* table, size_t n, uint32_t* at, int64_t* w) {
  size_t count = 0, i = 0;
#if defined(__AVX512F__) && defined(__AVX512VL__)
  const __m256i eight = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  for (; i + 8 <= n; i += 8) {
    const __m512i here = _mm512_loadu_si512(table + i);
    const __mmask8 full = _mm512_test_epi64_mask(here, here);
    if (full == 0) continue;
    const __m256i places = _mm256_add_epi32(eight, _mm256_set1_epi32(static_cast<int>(i)));
    _mm512_storeu_si512(w + count, _mm512_maskz_compress_epi64(full, here));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(at + count),
                        _mm256_maskz_compress_epi32(full, places));
    _mm512_storeu_si512(table + i, _mm512_setzero_si512());
    count += static_cast<size_t>(_mm_popcnt_u32(full));
  }
#endif
  for (; i < n; ++i) {
    at[count] = static_cast<uint32_t>(i);
    w[count] = table[i];
    count += table[i] != 0;
    table[i] = 0;
  }
  return count;
}

// The nearest whole number, halves to even: below 2^52 adding 2^52 rounds, from there on a double
// is whole already and only its bits need shifting.
inline int64_t whole_number(double x) {
  const double two52 = 4503599627370496.0;
  const int64_t small = static_cast<int64_t>(to_bits(x + two52) - to_bits(two52));
  const uint64_t bits = to_bits(x);
  const uint64_t mantissa = (bits & 0xfffffffffffffull) | 0x10000000000000ull;
  const uint64_t large = mantissa << (((bits >> 52) - 1075) & 63);
  return x < two52 ? small : static_cast<int64_t>(large);
}

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
#if defined(__AVX512F__) && defined(__AVX512VL__)
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

template <size_t width>
void histogram_n(const uint8_t* const* codes, const int64_t* value, size_t begin, size_t end,
                 int64_t* tables) {
  const uint8_t* column[width];
  for (size_t j = 0; j < width; ++j) column[j] = codes[j];
  for (size_t i = begin; i < end; ++i) {
    const int64_t v = value[i];
    for (size_t j = 0; j < width; ++j) tables[j * 256 + column[j][i]] += v;
  }
}

void histogram(const uint8_t* const* codes, size_t width, const int64_t* value, size_t begin,
               size_t end, int64_t* tables) {
  if (width == 6) return histogram_n<6>(codes, value, begin, end, tables);
  if (width == 5) return histogram_n<5>(codes, value, begin, end, tables);
  if (width == 4) return histogram_n<4>(codes, value, begin, end, tables);
  if (width == 3) return histogram_n<3>(codes, value, begin, end, tables);
  if (width == 2) return histogram_n<2>(codes, value, begin, end, tables);
  histogram_n<1>(codes, value, begin, end, tables);
}

template <size_t width>
void histogram_of_n(const uint8_t* const* codes, const uint32_t* rows, const int64_t* value,
                    size_t begin, size_t end, int64_t* tables) {
  const uint8_t* column[width];
  for (size_t j = 0; j < width; ++j) column[j] = codes[j];
  for (size_t k = begin; k < end; ++k) {
    const int64_t v = value[k];
    const size_t i = rows[k];
    for (size_t j = 0; j < width; ++j) tables[j * 256 + column[j][i]] += v;
  }
}

void histogram_of(const uint8_t* const* codes, size_t width, const uint32_t* rows,
                  const int64_t* value, size_t begin, size_t end, int64_t* tables) {
  if (width == 6) return histogram_of_n<6>(codes, rows, value, begin, end, tables);
  if (width == 5) return histogram_of_n<5>(codes, rows, value, begin, end, tables);
  if (width == 4) return histogram_of_n<4>(codes, rows, value, begin, end, tables);
  if (width == 3) return histogram_of_n<3>(codes, rows, value, begin, end, tables);
  if (width == 2) return histogram_of_n<2>(codes, rows, value, begin, end, tables);
  histogram_of_n<1>(codes, rows, value, begin, end, tables);
}

// The number whose byte j, from the lowest, is codes[j].
inline uint64_t eight(const uint8_t* codes) {
  uint64_t word;
  memcpy(&word, codes, sizeof word);
  if constexpr (std::endian::native == std::endian::big) {
    uint64_t turned = 0;
    for (int j = 0; j < 8; ++j) turned |= ((word >> (56 - 8 * j)) & 255) << (8 * j);
    return turned;
  }
  return word;
}

template <size_t width>
void histogram_beside_n(const uint8_t* codes, size_t stride, const uint8_t* bytes,
                        const uint32_t* rows, const int64_t* value, size_t begin, size_t end,
                        size_t known, int64_t* tables) {
  constexpr size_t ahead = 48;  // rows between asking for codes and using them
  uint64_t shift[width];
  for (size_t j = 0; j < width; ++j) shift[j] = uint64_t{8} * bytes[j];
  const auto add = [&](size_t k) {
    const int64_t v = value[k];
    const uint64_t word = eight(codes + stride * rows[k]);
    for (size_t j = 0; j < width; ++j) tables[j * 256 + ((word >> shift[j]) & 255)] += v;
  };
  size_t k = begin;
  for (; k < end && k + ahead < known; ++k) {
    ask_for(codes + stride * rows[k + ahead]);
    add(k);
  }
  for (; k < end; ++k) add(k);
}

void histogram_beside(const uint8_t* codes, size_t stride, const uint8_t* bytes, size_t width,
                      const uint32_t* rows, const int64_t* value, size_t begin, size_t end,
                      size_t known, int64_t* tables) {
  const auto with = [&]<size_t n>() {
    histogram_beside_n<n>(codes, stride, bytes, rows, value, begin, end, known, tables);
  };
  switch (width) {
    case 8:
      return with.template operator()<8>();
    case 7:
      return with.template operator()<7>();
    case 6:
      return with.template operator()<6>();
    case 5:
      return with.template operator()<5>();
    case 4:
      return with.template operator()<4>();
    case 3:
      return with.template operator()<3>();
    case 2:
      return with.template operator()<2>();
    default:
      return with.template operator()<1>();
  }
}

template <class Real>
void places_of(const Real* x, size_t n, const Real* cuts, size_t n_cuts, uint32_t* place) {
  const uint32_t missing = static_cast<uint32_t>(n_cuts + 1);
  if (n_cuts <= 24) {  // counting all the cuts is faster than searching among so few
    for (size_t i = 0; i < n; ++i) place[i] = 0;
    for (size_t k = 0; k < n_cuts; ++k) {
      const Real cut = cuts[k];
      for (size_t i = 0; i < n; ++i) place[i] += x[i] > cut ? 1u : 0u;
    }
  } else {
    for (size_t i = 0; i < n; ++i) place[i] = 0;
    for (size_t length = n_cuts; length > 0;) {  // every row walks in step: no branch to mispredict
      const size_t half = (length + 1) / 2;
      for (size_t i = 0; i < n; ++i)
        place[i] += x[i] > cuts[place[i] + half - 1] ? static_cast<uint32_t>(half) : 0u;
      length -= half;
    }
  }
  for (size_t i = 0; i < n; ++i) place[i] = x[i] != x[i] ? missing : place[i];
}

void places(const double* x, size_t n, const double* cuts, size_t n_cuts, uint32_t* place) {
  places_of(x, n, cuts, n_cuts, place);
}
void places_f32(const float* x, size_t n, const float* cuts, size_t n_cuts, uint32_t* place) {
  places_of(x, n, cuts, n_cuts, place);
}

// One by one: gathering eight at a time is slower on many processors.
#if defined(__GNUC__) && !defined(__clang__)
__attribute__((optimize("no-tree-vectorize")))
#endif
void look_up(const uint32_t* place, size_t n, const int64_t* table, int64_t* score) {
  for (size_t i = 0; i < n; ++i) score[i] += table[place[i]];
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
  if (copies == nullptr) {
    for (size_t i = 0; i < n; ++i) {
      const int64_t s = side[i], left = left_out(weight[i]);
      on_all += left;
      on_wrong += left & (s >> 63);
      on_silent += left & ((s & 1) - 1);
    }
  } else {
    for (size_t i = 0; i < n; ++i) {
      const int64_t s = side[i], left = left_out(weight[i]) * copies[i];
      on_all += left;
      on_wrong += left & (s >> 63);
      on_silent += left & ((s & 1) - 1);
    }
  }
  *wrong = on_wrong;
  *silent = on_silent;
  *all = on_all;
}

// Eight running maxima: the compiler may not reorder a single one.
void standing(const double* growth, size_t n, double bar, const int8_t* sign, const int64_t* copies,
              double* most, int64_t* count) {
  double top[8];
  for (int k = 0; k < 8; ++k) top[k] = growth[0];
  size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (int k = 0; k < 8; ++k) top[k] = growth[i + k] > top[k] ? growth[i + k] : top[k];
  for (; i < n; ++i) top[0] = growth[i] > top[0] ? growth[i] : top[0];
  for (int k = 1; k < 8; ++k) top[0] = top[k] > top[0] ? top[k] : top[0];
  *most = top[0];
  int64_t above = 0, level = 0;
  if (copies == nullptr) {
    for (i = 0; i < n; ++i) above += growth[i] > bar ? 1 : 0;
    for (i = 0; i < n; ++i) level += growth[i] == bar ? 1 : 0;
  } else {
    for (i = 0; i < n; ++i) above += growth[i] > bar ? copies[i] : 0;
    for (i = 0; i < n; ++i) level += growth[i] == bar ? 1 : 0;
  }
  if (level > 0)
    for (i = 0; i < n; ++i)
      if (growth[i] == bar && (sign == nullptr || sign[i] > 0))
        above += copies == nullptr ? 1 : copies[i];
  *count = above;
}

// The nearest whole number of either sign, below 2^51, as the low bits of a double.
inline int64_t nearest(double x) {
  const double middle = 6755399441055744.0;  // 1.5 * 2^52
  return static_cast<int64_t>(to_bits(x + middle) - to_bits(middle));
}

void pack(const double* g, const double* c, size_t n, double g_scale, double c_scale, int n_bits,
          int c_bits, int64_t* packed) {
  const int64_t g_one = int64_t{1} << (n_bits + c_bits), c_one = int64_t{1} << n_bits;
  if (c == nullptr) {
    for (size_t i = 0; i < n; ++i) packed[i] = nearest(g[i] * g_scale) * g_one + 1;
  } else {
    for (size_t i = 0; i < n; ++i)
      packed[i] = nearest(g[i] * g_scale) * g_one + nearest(c[i] * c_scale) * c_one + 1;
  }
}

void square_sums(const double* g, const double* c, const int64_t* copies, size_t n, double most,
                 double scale, double c_scale, int64_t* sums) {
  int64_t squares = 0, weights = 0;
  const auto square = [&](size_t i) {
    const double x = g[i] * g[i];
    return nearest((x < most ? x : most) * scale);
  };
  const auto weight = [&](size_t i) { return c == nullptr ? int64_t{1} : nearest(c[i] * c_scale); };
  if (copies == nullptr) {
    for (size_t i = 0; i < n; ++i) squares += square(i);
    for (size_t i = 0; i < n; ++i) weights += weight(i);
  } else {
    for (size_t i = 0; i < n; ++i) squares += square(i) * copies[i];
    for (size_t i = 0; i < n; ++i) weights += weight(i) * copies[i];
  }
  sums[0] += squares;
  sums[1] += weights;
}

void unpack(const int64_t* packed, size_t n_slots, int n_bits, int c_bits, int64_t* g, int64_t* c,
            int64_t* n) {
  const int64_t n_mask = (int64_t{1} << n_bits) - 1, c_mask = (int64_t{1} << c_bits) - 1;
  const int g_shift = n_bits + c_bits;
  for (size_t k = 0; k < n_slots; ++k) {
    n[k] += packed[k] & n_mask;
    g[k] += packed[k] >> g_shift;
  }
  if (c != nullptr)
    for (size_t k = 0; k < n_slots; ++k) c[k] += (packed[k] >> n_bits) & c_mask;
}

void gains(const int64_t* g, const int64_t* c, const int64_t* n, size_t n_cuts,
           const GainTerms* terms, double* gain) {
  const GainTerms t = *terms;
  int64_t gl[256], cl[256], nl[256];
  int64_t G = t.g0, C = t.c0, N = t.n0;
  for (size_t k = 0; k < n_cuts; ++k) {
    gl[k] = G += g[k];
    cl[k] = C += c[k];
    nl[k] = N += n[k];
  }
  for (size_t k = 0; k < n_cuts; ++k) {
    const double a = static_cast<double>(cl[k]) * t.c_unit + t.l2;
    const double b = static_cast<double>(t.c - cl[k]) * t.c_unit + t.l2;
    const double x = static_cast<double>(gl[k]) * t.g_unit;
    const double y = static_cast<double>(t.g - gl[k]) * t.g_unit;
    const bool fits = (nl[k] >= t.least_n) & (t.n - nl[k] >= t.least_n) & (cl[k] >= t.least_c) &
                      (t.c - cl[k] >= t.least_c);
    const double value = (x * x * b + y * y * a) / (a * b);
    gain[k] = fits ? value : -1.0;
  }
}

size_t greatest(const double* x, size_t n) {
  double top[8];
  for (int k = 0; k < 8; ++k) top[k] = x[0];
  size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (int k = 0; k < 8; ++k) top[k] = x[i + k] > top[k] ? x[i + k] : top[k];
  for (; i < n; ++i) top[0] = x[i] > top[0] ? x[i] : top[0];
  for (int k = 1; k < 8; ++k) top[0] = top[k] > top[0] ? top[k] : top[0];
  for (i = 0; i < n && x[i] != top[0];) ++i;
  return i;
}

size_t part(const uint32_t* rows, size_t n, const uint8_t* codes, const uint8_t* to_right,
            uint32_t* left, uint32_t* right) {
  size_t n_left = 0, n_right = 0;
  for (size_t k = 0; k < n; ++k) {
    const uint32_t row = rows[k];
    const size_t side = to_right[codes[row]] != 0;
    left[n_left] = row;
    right[n_right] = row;
    n_right += side;
    n_left += 1 - side;
  }
  return n_left;
}

int64_t logistic(const int8_t* y, const double* F, const double* weight, const int64_t* copies,
                 size_t n, double scale, double* g, double* c) {
  constexpr size_t block = 64;  // in steps over arrays of their own, so that each is vectorised
  double sign[block], z[block], e[block], slope[block], bend[block], w[block];
  int64_t loss[block], total = 0;
  for (size_t first = 0; first < n; first += block) {
    const size_t size = n - first < block ? n - first : block;
    for (size_t i = 0; i < size; ++i) sign[i] = y[first + i];
    for (size_t i = 0; i < size; ++i) z[i] = sign[i] * F[first + i];
    for (size_t i = size; i < block; ++i) sign[i] = z[i] = 0.0;
    for (size_t i = 0; i < block; ++i) w[i] = 1.0;
    if (weight != nullptr)
      for (size_t i = 0; i < size; ++i) w[i] = weight[first + i];
    for (size_t i = 0; i < block; ++i) e[i] = exponential(z[i] < 0 ? z[i] : -z[i]);
    for (size_t i = 0; i < block; ++i) {
      const double whole = 1.0 + e[i];
      slope[i] = -sign[i] * ((z[i] < 0 ? 1.0 : e[i]) / whole) * w[i];
      bend[i] = e[i] / (whole * whole) * w[i];
    }
    for (size_t i = 0; i < block; ++i) {
      const double cost = logarithm(1.0 + e[i]) + (z[i] < 0 ? -z[i] : 0.0);
      loss[i] = nearest((cost < 4096.0 ? cost : 4096.0) * w[i] * scale);
    }
    for (size_t i = 0; i < size; ++i) g[first + i] = slope[i];
    for (size_t i = 0; i < size; ++i) c[first + i] = bend[i];
    for (size_t i = 0; i < size; ++i)
      total += loss[i] * (copies == nullptr ? 1 : copies[first + i]);
  }
  return total;
}

// ------------------------------------------------------------------- small trees, many rows at
// once

#if defined(__AVX512BW__)
// The entries at the places given of a table of so many numbers; 31 more may be read behind it.
// Small tables are looked up in registers.
inline __m512 entries(const float* table, int size, __m512i place) {
  if (size > 128) return _mm512_i32gather_ps(place, table, 4);
  const __m512 first = _mm512_loadu_ps(table);
  if (size <= 16) return _mm512_permutexvar_ps(place, first);
  __m512 found = _mm512_permutex2var_ps(first, place, _mm512_loadu_ps(table + 16));
  for (int at = 32; at < size; at += 32) {
    const __m512 more = _mm512_permutex2var_ps(_mm512_loadu_ps(table + at), place,
                                               _mm512_loadu_ps(table + at + 16));
    const __mmask16 here = _mm512_cmpge_epu32_mask(place, _mm512_set1_epi32(at));
    found = _mm512_mask_mov_ps(found, here, more);
  }
  return found;
}
inline __m512d entries(const double* table, int size, __m512i place) {
  if (size > 64) return _mm512_i64gather_pd(place, table, 8);
  const __m512d first = _mm512_loadu_pd(table);
  if (size <= 8) return _mm512_permutexvar_pd(place, first);
  __m512d found = _mm512_permutex2var_pd(first, place, _mm512_loadu_pd(table + 8));
  for (int at = 16; at < size; at += 16) {
    const __m512d more =
        _mm512_permutex2var_pd(_mm512_loadu_pd(table + at), place, _mm512_loadu_pd(table + at + 8));
    const __mmask8 here = _mm512_cmpge_epu64_mask(place, _mm512_set1_epi64(at));
    found = _mm512_mask_mov_pd(found, here, more);
  }
  return found;
}

// Sixteen, or eight, codes; of those in `gap` the last code there is.
inline void store(uint8_t* to, __mmask16 some, __m512i place, __mmask16 gap) {
  _mm512_mask_cvtepi32_storeu_epi8(to, some, _mm512_mask_set1_epi32(place, gap, 255));
}
inline void store(uint16_t* to, __mmask16 some, __m512i place, __mmask16 gap) {
  _mm512_mask_cvtepi32_storeu_epi16(to, some, _mm512_mask_set1_epi32(place, gap, 65535));
}
inline void store_8(uint8_t* to, __mmask8 some, __m512i place, __mmask8 gap) {
  _mm512_mask_cvtepi64_storeu_epi8(to, some, _mm512_mask_set1_epi64(place, gap, 255));
}
inline void store_8(uint16_t* to, __mmask8 some, __m512i place, __mmask8 gap) {
  _mm512_mask_cvtepi64_storeu_epi16(to, some, _mm512_mask_set1_epi64(place, gap, 65535));
}

template <class Code>
void codes_of(const float* x, size_t n, const float* cuts, int steps, Code* low, Code* high) {
  for (size_t i = 0; i < n; i += 16) {
    const auto some = static_cast<__mmask16>(n - i < 16 ? (1u << (n - i)) - 1 : 0xffffu);
    const __m512 value = _mm512_maskz_loadu_ps(some, x + i);
    __m512i place = _mm512_setzero_si512();
    for (int step = 0; step < steps; ++step) {
      const __m512 cut = entries(cuts + (1 << step) - 1, 1 << step, place);
      const __mmask16 above = _mm512_cmp_ps_mask(value, cut, _CMP_GT_OQ);
      place = _mm512_add_epi32(place, place);
      place = _mm512_mask_sub_epi32(place, above, place, _mm512_set1_epi32(-1));
    }
    store(low + i, some, place, 0);
    if (high != nullptr)
      store(high + i, some, place, _mm512_cmp_ps_mask(value, value, _CMP_UNORD_Q));
  }
}

template <class Code>
void codes_far(const double* x, size_t n, const double* cuts, int steps, Code* low, Code* high) {
  for (size_t i = 0; i < n; i += 8) {
    const auto some = static_cast<__mmask8>(n - i < 8 ? (1u << (n - i)) - 1 : 0xffu);
    const __m512d value = _mm512_maskz_loadu_pd(some, x + i);
    __m512i place = _mm512_setzero_si512();
    for (int step = 0; step < steps; ++step) {
      const __m512d cut = entries(cuts + (1 << step) - 1, 1 << step, place);
      const __mmask8 above = _mm512_cmp_pd_mask(value, cut, _CMP_GT_OQ);
      place = _mm512_add_epi64(place, place);
      place = _mm512_mask_sub_epi64(place, above, place, _mm512_set1_epi64(-1));
    }
    store_8(low + i, some, place, 0);
    if (high != nullptr)
      store_8(high + i, some, place, _mm512_cmp_pd_mask(value, value, _CMP_UNORD_Q));
  }
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
      const __m512 cut = entries(near + (1 << step) - 1, 1 << step, place);
      const __mmask16 above = _mm512_cmp_ps_mask(value, cut, _CMP_GT_OQ);
      met |= _mm512_cmp_ps_mask(value, cut, _CMP_EQ_OQ);
      place = _mm512_add_epi32(place, place);
      place = _mm512_mask_sub_epi32(place, above, place, _mm512_set1_epi32(-1));
    }
    store(low + i, 0xffff, place, 0);
    if (high != nullptr)
      store(high + i, 0xffff, place, _mm512_cmp_ps_mask(value, value, _CMP_UNORD_Q));
    for (size_t k = 0; met != 0; ++k, met = static_cast<__mmask16>(met >> 1))
      if (met & 1)
        codes_far(x + i + k, 1, cuts, steps, low + i + k, high == nullptr ? high : high + i + k);
  }
  codes_far(x + whole, n - whole, cuts, steps, low + whole, high == nullptr ? high : high + whole);
}

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
      const __m512d answer = entries(answers, static_cast<int>(n_answers), place);
      _mm512_storeu_pd(score + i, _mm512_add_pd(_mm512_loadu_pd(score + i), answer));
    }
  for (; i < n; ++i) score[i] += answers[leaf[i]];
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
      const Real* level = cuts + (1 << step) - 1;
      for (size_t i = 0; i < m; ++i)
        place[i] = 2 * place[i] + (x[begin + i] > level[place[i]] ? 1u : 0u);
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

// ---------------------------------------------------------------------------------- many labels

// The numbers of a row to be added, from label `first` on.
template <size_t lanes>
inline void numbers_of(const LabelRows& of, size_t place, size_t i, size_t first, int64_t* number) {
  if (of.gain != nullptr) {
    const int64_t* const gain = of.gain + place * of.stride + first;
    for (size_t l = 0; l < lanes; ++l) number[l] = gain[l];
    return;
  }
  const double* const weight = of.weight + i * of.stride + first;
  for (size_t l = 0; l < lanes; ++l) number[l] = whole_number(weight[l]);
  if (of.copies != nullptr)
    for (size_t l = 0; l < lanes; ++l) number[l] *= of.copies[i];
}

// Adds `lanes` labels from `first` on of the rows to the tables.
template <size_t lanes>
void add_labels(const LabelRows& of, size_t first, size_t begin, size_t end,
                const uint8_t* const* codes, size_t width, int64_t* const* tables) {
  const size_t stride = of.stride;
  for (size_t place = begin; place < end; ++place) {
    const size_t i = of.rows != nullptr ? of.rows[place] : place;
    const int8_t* const sign = of.sign + i * stride + first;
    int64_t number[lanes], above[lanes];
    numbers_of<lanes>(of, place, i, first, number);
    for (size_t l = 0; l < lanes; ++l) {
      const int64_t holds = sign[l];
      above[l] = holds > 0 ? number[l] : 0;
      number[l] -= above[l];
    }
    for (size_t j = 0; j < width; ++j) {
      int64_t* const sums = tables[j] + codes[j][i] * 2 * stride + first;
      for (size_t l = 0; l < lanes; ++l) sums[l] += above[l];
      for (size_t l = 0; l < lanes; ++l) sums[stride + l] += number[l];
    }
  }
}

// The same where one label holds: it is added by itself.
template <size_t lanes>
void add_one_label(const LabelRows& of, size_t first, size_t begin, size_t end,
                   const uint8_t* const* codes, size_t width, int64_t* const* tables) {
  const size_t stride = of.stride;
  for (size_t place = begin; place < end; ++place) {
    const size_t i = of.rows != nullptr ? of.rows[place] : place;
    const size_t label = static_cast<size_t>(of.label[i]);
    int64_t number[lanes], own = 0;
    numbers_of<lanes>(of, place, i, first, number);
    if (first == 0) numbers_of<1>(of, place, i, label, &own);
    for (size_t l = 0; l < lanes; ++l) number[l] = first + l != label ? number[l] : 0;
    for (size_t j = 0; j < width; ++j) {
      int64_t* const slot = tables[j] + codes[j][i] * 2 * stride;
      slot[label] += own;
      int64_t* const sums = slot + stride + first;
      for (size_t l = 0; l < lanes; ++l) sums[l] += number[l];
    }
  }
}

using AddLabels = void (*)(const LabelRows&, size_t, size_t, size_t, const uint8_t* const*, size_t,
                           int64_t* const*);

template <size_t lanes>
AddLabels adding(bool one) {
  return one ? add_one_label<lanes> : add_labels<lanes>;
}

// For the next labels of so many: up to 32, with little padding behind the last eight.
AddLabels adding(size_t n, bool one, size_t* lanes) {
  const size_t tail = n % 8;
  *lanes = n >= 32 ? 32 : n < 8 ? (n <= 2 ? n : n <= 4 ? 4 : 8) : n - tail;
  if (n > 8 && n < 32 && tail > 0) *lanes += tail <= 2 ? 2 : tail <= 4 ? 4 : 8;
  switch (*lanes) {
    case 1:
      return adding<1>(one);
    case 2:
      return adding<2>(one);
    case 4:
      return adding<4>(one);
    case 8:
      return adding<8>(one);
    case 10:
      return adding<10>(one);
    case 12:
      return adding<12>(one);
    case 16:
      return adding<16>(one);
    case 18:
      return adding<18>(one);
    case 20:
      return adding<20>(one);
    case 24:
      return adding<24>(one);
    case 26:
      return adding<26>(one);
    case 28:
      return adding<28>(one);
    default:
      return adding<32>(one);
  }
}

void label_sums(const LabelRows* of, size_t begin, size_t end, const uint8_t* const* codes,
                size_t width, int64_t* const* tables) {
  for (size_t first = 0, lanes; first < of->n_labels; first += lanes) {
    const AddLabels add = adding(of->n_labels - first, of->label != nullptr, &lanes);
    add(*of, first, begin, end, codes, width, tables);
  }
}

// A whole number below 2^63 as the nearest double: its halves are exact, and their sum rounds once.
inline double nearest_double(int64_t x) {
  const double high = from_bits((static_cast<uint64_t>(x) >> 32) | 0x4530000000000000ull);
  const double low = from_bits((static_cast<uint64_t>(x) & 0xffffffffull) | 0x4330000000000000ull);
  return (high - 19342813118337666422669312.0) + low;  // 2^84 + 2^52
}

inline double root(double x) {
#if defined(__GNUC__) || defined(__clang__)
  return __builtin_sqrt(x);
#else
  return ::sqrt(x);
#endif
}

constexpr size_t kLanes = 8;

// Eight sums, added up in one order whatever the variant.
inline double sum_of_lanes(const double* sum) {
  return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

void label_costs(const int64_t* table, size_t n, size_t stride, const int64_t* total,
                 double* cost) {
  // Eight labels at a time, all cuts: sums of four numbers stay in registers.
  const size_t lanes = stride < kLanes ? stride : kLanes;
  double sums[256][kLanes];
  for (size_t first = 0; first < stride; first += lanes) {
    int64_t plus[kLanes] = {}, minus[kLanes] = {}, all_plus[kLanes] = {}, all_minus[kLanes] = {};
    for (size_t l = 0; l < lanes; ++l) {
      all_plus[l] = total[first + l];
      all_minus[l] = total[stride + first + l];
    }
    for (size_t c = 0; c < n; ++c) {
      const int64_t* const slot = table + c * 2 * stride + first;
      if (lanes == kLanes) {
        for (size_t l = 0; l < kLanes; ++l) plus[l] += slot[l];
        for (size_t l = 0; l < kLanes; ++l) minus[l] += slot[stride + l];
      } else {
        for (size_t l = 0; l < lanes; ++l) plus[l] += slot[l];
        for (size_t l = 0; l < lanes; ++l) minus[l] += slot[stride + l];
      }
      for (size_t l = 0; l < kLanes; ++l) {
        const double here =
            root(nearest_double(plus[l]) * nearest_double(minus[l])) +
            root(nearest_double(all_plus[l] - plus[l]) * nearest_double(all_minus[l] - minus[l]));
        sums[c][l] = first == 0 ? here : sums[c][l] + here;
      }
    }
  }
  for (size_t c = 0; c < n; ++c) cost[c] = sum_of_lanes(sums[c]);
}

// The cost of a cut is a concave function of what lies before it, label by label: it is least at a
// corner of what is possible.
void label_bounds(const int64_t* table, size_t n, size_t stride, const int64_t* total,
                  double* bound) {
  const size_t lanes = stride < kLanes ? stride : kLanes;
  double sums[256][kLanes];
  for (size_t first = 0; first < stride; first += lanes) {
    int64_t plus[kLanes] = {}, minus[kLanes] = {}, all_plus[kLanes] = {}, all_minus[kLanes] = {};
    for (size_t l = 0; l < lanes; ++l) {
      all_plus[l] = total[first + l];
      all_minus[l] = total[stride + first + l];
    }
    for (size_t c = 0; c < n; ++c) {
      const int64_t* const slot = table + c * 2 * stride + first;
      int64_t more_plus[kLanes] = {}, more_minus[kLanes] = {};
      for (size_t l = 0; l < lanes; ++l) more_plus[l] = slot[l];
      for (size_t l = 0; l < lanes; ++l) more_minus[l] = slot[stride + l];
      for (size_t l = 0; l < kLanes; ++l) {
        const double p0 = nearest_double(plus[l]), m0 = nearest_double(minus[l]);
        const double p1 = nearest_double(plus[l] + more_plus[l]);
        const double m1 = nearest_double(minus[l] + more_minus[l]);
        const double q0 = nearest_double(all_plus[l] - plus[l]);
        const double o0 = nearest_double(all_minus[l] - minus[l]);
        const double q1 = nearest_double(all_plus[l] - plus[l] - more_plus[l]);
        const double o1 = nearest_double(all_minus[l] - minus[l] - more_minus[l]);
        const double a = root(p0 * m0) + root(q0 * o0), b = root(p1 * m1) + root(q1 * o1);
        const double d = root(p1 * m0) + root(q1 * o0), e = root(p0 * m1) + root(q0 * o1);
        const double ab = a < b ? a : b, de = d < e ? d : e;
        const double here = ab < de ? ab : de;
        sums[c][l] = first == 0 ? here : sums[c][l] + here;
      }
      for (size_t l = 0; l < kLanes; ++l) plus[l] += more_plus[l];
      for (size_t l = 0; l < kLanes; ++l) minus[l] += more_minus[l];
    }
  }
  for (size_t c = 0; c < n; ++c) bound[c] = sum_of_lanes(sums[c]);
}

inline int64_t row_copies(const LabelTable& of, size_t i) {
  return of.copies != nullptr ? of.copies[i] : 1;
}
inline int64_t row_times(const LabelTable& of, size_t i) { return of.repeats ? of.copies[i] : 1; }

// Notes a row of one label, with the best score of the others, which is as high or higher.
inline void note_behind(const LabelTable& of, size_t i, double other, LabelStanding* standing) {
  const double* const score = of.score + i * of.stride;
  const size_t label = static_cast<size_t>(of.label[i]);
  const double own = score[label] + of.common[label];
  bool behind = other > own;
  for (size_t l = 0; !behind && l < label; ++l) behind = score[l] + of.common[l] == own;
  standing->rows += behind ? row_copies(of, i) : 0;
  standing->least = own - other < standing->least ? own - other : standing->least;
}

inline double best_other(const LabelTable& of, size_t i) {
  const double* const score = of.score + i * of.stride;
  const size_t label = static_cast<size_t>(of.label[i]);
  double other = kNoScore;
  for (size_t l = 0; l < of.stride; ++l) {
    const double f = score[l] + of.common[l];
    other = l != label && f > other ? f : other;
  }
  return other;
}

void look_at_one(const LabelTable& of, size_t begin, size_t end, LabelStanding* standing) {
  const size_t stride = of.stride;
  for (size_t i = begin; i < end; ++i) {
    const double* const score = of.score + i * stride;
    const size_t label = static_cast<size_t>(of.label[i]);
    const double own = score[label] + of.common[label];
    int64_t wrong = 0, as_high = 0;
    for (size_t l = 0; l < stride; ++l) {
      const double f = score[l] + of.common[l];
      wrong += f >= 0.0 ? 1 : 0;
      as_high += f >= own ? 1 : 0;
    }
    standing->labels += row_copies(of, i) * (wrong + (own <= 0.0) - (own >= 0.0));
    if (as_high > 1) note_behind(of, i, best_other(of, i), standing);
  }
}

void look_at_any(const LabelTable& of, size_t begin, size_t end, LabelStanding* standing) {
  const size_t stride = of.stride;
  double least = standing->least;
  for (size_t i = begin; i < end; ++i) {
    const int8_t* const sign = of.sign + i * stride;
    const double* const score = of.score + i * stride;
    int64_t wrong = 0, denied = 0;
    for (size_t l = 0; l < stride; ++l) {
      const double s = sign[l], f = score[l] + of.common[l];
      wrong += (s != 0.0) & (s * f <= 0.0) ? 1 : 0;
      denied += (s * f < 0.0) | ((s > 0.0) & (f == 0.0)) ? 1 : 0;
    }
    standing->labels += row_copies(of, i) * wrong;
    standing->rows += denied != 0 ? row_copies(of, i) : 0;
    for (size_t l = 0; l < stride; ++l) {
      const double side = sign[l] != 0 ? sign[l] * (score[l] + of.common[l]) : least;
      least = side < least ? side : least;
    }
  }
  standing->least = least;
}

void weigh_row(const LabelTable& of, size_t i, double base) {
  const size_t stride = of.stride, at = i * stride;
  for (size_t l = 0; l < stride; ++l) {
    const double s = of.sign[at + l];
    of.weight[at + l] = s != 0.0 ? base - s * (of.score[at + l] + of.common[l]) : -2000.0;
  }
  exponentials(of.weight + at, stride);
}

void move_row(const LabelTable& of, const LabelStep& by, size_t i, int64_t* gain) {
  const size_t stride = of.stride, at = i * stride;
  const size_t from = static_cast<size_t>(by.block[i]) * stride;
  const int64_t times = row_times(of, i);
  double *const score = of.score + at, *const weight = of.weight + at;
  for (size_t l = 0; l < stride; ++l) score[l] += by.step[from + l];
  for (size_t l = 0; l < stride; ++l) gain[l] = whole_number(weight[l]);
  if (of.label != nullptr) {
    const size_t label = static_cast<size_t>(of.label[i]);
    const double own = weight[label] * by.plus[from + label];
    for (size_t l = 0; l < stride; ++l) weight[l] *= by.minus[from + l];
    weight[label] = own;
  } else {
    const int8_t* const sign = of.sign + at;
    for (size_t l = 0; l < stride; ++l)
      weight[l] *= sign[l] > 0 ? by.plus[from + l] : by.minus[from + l];
  }
  for (size_t l = 0; l < stride; ++l) gain[l] = whole_number(weight[l]) - gain[l];
  if (times != 1)
    for (size_t l = 0; l < stride; ++l) gain[l] *= times;
}

#if defined(__AVX512DQ__) && defined(__AVX512VL__)

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

void wide_look_at_one(const LabelTable& of, size_t begin, size_t end, LabelStanding* standing) {
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
    if (as_high > 1) note_behind(of, i, wide_best_other(of, i), standing);
  }
  standing->labels += wrong_labels;
}

void wide_look_at_any(const LabelTable& of, size_t begin, size_t end, LabelStanding* standing) {
  const __m512d zero = _mm512_setzero_pd();
  __m512d least = _mm512_set1_pd(standing->least);
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
    standing->labels += row_copies(of, i) * wrong;
    standing->rows += denied != 0 ? row_copies(of, i) : 0;
  }
  standing->least = _mm512_reduce_min_pd(least);
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

inline bool is_wide([[maybe_unused]] const LabelTable& of) {
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
  return of.stride >= 8;
#else
  return false;
#endif
}

size_t other_rows(const int32_t* block, size_t n, int32_t still, uint32_t* rows) {
  size_t count = 0, i = 0;
#if defined(__AVX512F__)
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

void label_look(const LabelTable* of, size_t begin, size_t end, LabelStanding* standing) {
  auto look = of->label != nullptr ? look_at_one : look_at_any;
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
  if (is_wide(*of)) look = of->label != nullptr ? wide_look_at_one : wide_look_at_any;
#endif
  look(*of, begin, end, standing);
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
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
  if (is_wide(*of)) weigh = wide_weigh_row;
#endif
  for (size_t i = begin; i < end; ++i)
    weigh(*of, i, (of->log_prior != nullptr ? of->log_prior[i] : 0.0) - shift);
}

void label_move(const LabelTable* of, const LabelStep* by, const uint32_t* rows, size_t n,
                int64_t* gain) {
  auto move = move_row;
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
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

// ---------------------------------------------------------------------- rectangle features of
// windows

constexpr size_t kBundle = 256;

template <size_t count>
void corner_sums_n(const int32_t* planes, const uint32_t* place, const int32_t* factor,
                   int32_t* out) {
  const int32_t* plane[count];
  int32_t times[count];
  for (size_t k = 0; k < count; ++k) {
    plane[k] = planes + static_cast<size_t>(place[k]) * kBundle;
    times[k] = factor[k];
  }
  for (size_t i = 0; i < kBundle; ++i) {
    int32_t sum = 0;
    for (size_t k = 0; k < count; ++k) sum += times[k] * plane[k][i];
    out[i] = sum;
  }
}

template <class T>
void corner_sums_of(const T* planes, const uint32_t* place, const T* factor, size_t n_corners,
                    T* out) {
  for (size_t i = 0; i < kBundle; ++i) out[i] = T(0);
  for (size_t k = 0; k < n_corners; ++k) {
    const T* plane = planes + static_cast<size_t>(place[k]) * kBundle;
    const T times = factor[k];
    for (size_t i = 0; i < kBundle; ++i) out[i] += times * plane[i];
  }
}

void corner_sums(const int32_t* planes, const uint32_t* place, const int32_t* factor,
                 size_t n_corners, int32_t* out) {
  if (n_corners == 4) return corner_sums_n<4>(planes, place, factor, out);
  if (n_corners == 6) return corner_sums_n<6>(planes, place, factor, out);
  if (n_corners == 8) return corner_sums_n<8>(planes, place, factor, out);
  if (n_corners == 9) return corner_sums_n<9>(planes, place, factor, out);
  corner_sums_of(planes, place, factor, n_corners, out);
}

void corner_sums_f64(const double* planes, const uint32_t* place, const double* factor,
                     size_t n_corners, double* out) {
  corner_sums_of(planes, place, factor, n_corners, out);
}

void quotients(const int32_t* x, const double* by, double* out) {
  for (size_t i = 0; i < kBundle; ++i) out[i] = static_cast<double>(x[i]) / by[i];
}

void spread_codes(const double* x, double centre, double scale, uint8_t* codes) {
  for (size_t i = 0; i < kBundle; ++i) {
    const double t = (x[i] - centre) * scale;
    const double far = 1.0 + (t < 0 ? -t : t);
    // Sign, exponent and five bits: their order is that of the numbers.
    const int64_t step = static_cast<int64_t>(to_bits(far) - to_bits(1.0)) >> 47;
    const int64_t near = step < 127 ? step : 127;
    codes[i] = static_cast<uint8_t>(t < 0 ? 127 - near : 128 + near);
  }
}

// What both labels weigh up to each slot, and all together.
struct Prefix {
  int32_t plus[257], minus[257];
};

void prefix_of(const int64_t* table, Prefix& prefix) {
  int64_t sum = 0;
  prefix.plus[0] = prefix.minus[0] = 0;
  for (size_t c = 0; c < 256; ++c) {
    sum += table[c];
    prefix.plus[c + 1] = static_cast<int32_t>(sum >> 32);
    prefix.minus[c + 1] = static_cast<int32_t>(sum & 0xFFFFFFFFll);
  }
}

void packed_reach(const int64_t* table, int32_t* best, int32_t* reach) {
  Prefix at;
  prefix_of(table, at);
  const int32_t all = at.plus[256] - at.minus[256];
  int32_t between = 0, inside = 0;
  for (size_t c = 0; c < 256; ++c) {
    const int32_t here = all - 2 * (at.plus[c] - at.minus[c]);
    const int32_t up = all - 2 * (at.plus[c + 1] - at.minus[c]);
    const int32_t down = all - 2 * (at.plus[c] - at.minus[c + 1]);
    const int32_t plain = here < 0 ? -here : here;
    const int32_t above = down < 0 ? -down : down, below = up < 0 ? -up : up;
    between = plain > between ? plain : between;
    inside = above > inside ? above : inside;
    inside = below > inside ? below : inside;
  }
  *best = between;
  *reach = inside > between ? inside : between;
}

double packed_merit(const int64_t* table, bool by_root) {
  Prefix at;
  prefix_of(table, at);
  double merit[256];
  const double plus = at.plus[256], minus = at.minus[256];
  if (by_root) {
    for (size_t c = 0; c < 256; ++c) {
      const double lp = at.plus[c], ln = at.minus[c];
      merit[c] = -(root(lp * ln) + root((plus - lp) * (minus - ln)));
    }
  } else {
    for (size_t c = 0; c < 256; ++c) {
      const double lp = at.plus[c], ln = at.minus[c], rp = plus - lp, rn = minus - ln;
      const double left = lp + ln > 0 ? lp + ln : 1.0, right = rp + rn > 0 ? rp + rn : 1.0;
      merit[c] = (lp - ln) * (lp - ln) / left + (rp - rn) * (rp - rn) / right;
    }
  }
  double best = merit[0];
  for (size_t c = 1; c < 256; ++c) best = merit[c] > best ? merit[c] : best;
  return best;
}

#include "scan.hpp"

}  // namespace

extern const Hot table;
const Hot table = {
    .exponentials = exponentials,
    .logarithms = logarithms,
    .x_log_x = x_log_x,
    .whole_x_log_x = whole_x_log_x,
    .take_out = take_out,
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
    .class_cuts = class_cuts,
#else
    .class_cuts = nullptr,
#endif
    .whole_numbers = whole_numbers,
    .changes = changes,
    .grow = grow,
    .sides = sides,
    .sides_cut = sides_cut,
    .histogram = histogram,
    .histogram_of = histogram_of,
    .histogram_beside = histogram_beside,
    .places = places,
    .places_f32 = places_f32,
    .look_up = look_up,
    .sums_of = sums_of,
    .masses = masses,
    .remainders = remainders,
    .standing = standing,
    .pack = pack,
    .square_sums = square_sums,
    .unpack = unpack,
    .gains = gains,
    .greatest = greatest,
    .part = part,
    .logistic = logistic,
    .codes = codes,
    .codes_f32 = codes_f32,
    .wide_codes = wide_codes,
    .wide_codes_f32 = wide_codes_f32,
    .choose = choose,
    .add_answers = add_answers,
    .label_sums = label_sums,
    .label_costs = label_costs,
    .label_bounds = label_bounds,
    .other_rows = other_rows,
    .label_look = label_look,
    .label_add = label_add,
    .label_weigh = label_weigh,
    .label_move = label_move,
    .corner_sums = corner_sums,
    .corner_sums_f64 = corner_sums_f64,
    .quotients = quotients,
    .spread_codes = spread_codes,
    .packed_reach = packed_reach,
    .packed_merit = packed_merit,
    .blend_rows = blend_rows,
    .blend_columns = blend_columns,
    .scan_pyramid = {scan_add_row<uint32_t, uint32_t>, scan_norms_opencv,
                     scan_judge<float, uint32_t>, scan_judge_one<float, uint32_t>, kFewFloats},
    .scan_features = {scan_add_row<uint32_t, uint64_t>, scan_norms<uint32_t>,
                      scan_judge<double, uint32_t>, scan_judge_one<double, uint32_t>, kFewDoubles},
    .scan_giant = {scan_add_row<uint64_t, uint64_t>, scan_norms<uint64_t>,
                   scan_judge<double, uint64_t>, scan_judge_one<double, uint64_t>, kFewDoubles},
    .name = WEAKLEARN_TEXT(WEAKLEARN_VARIANT),
};

}  // namespace WEAKLEARN_VARIANT
}  // namespace weaklearn
