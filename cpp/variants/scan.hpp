// The loops of a scan (weaklearn/scan_loops.hpp), in one variant; included by hot.cpp alone, inside
// the variant's namespace.

#if defined(__AVX2__)
constexpr int kFewFloats = 1, kFewDoubles = 2;
#else
constexpr int kFewFloats = 4, kFewDoubles = 6;
#endif

// A sum of pixels as it is meant: differences of tables wrap around.
inline int32_t meant(uint32_t sum) { return static_cast<int32_t>(sum); }
inline int64_t meant(uint64_t sum) { return static_cast<int64_t>(sum); }

template <class Sum>
inline auto scan_sum(const Sum* table, const int32_t* corner) {
  return meant(table[corner[0]] - table[corner[1]] - table[corner[2]] + table[corner[3]]);
}

template <class Sum, class Square>
void scan_add_row(const uint8_t* pixel, size_t n, Sum* sum, Square* square) {
  Sum so_far = 0;
  Square squares = 0;
  for (size_t x = 0; x < n; ++x) {
    const uint32_t p = pixel[x];
    so_far += p;
    squares += p * p;
    sum[x + 1] += so_far;
    square[x + 1] += squares;
  }
}

uint32_t scan_norms_opencv(const ScanNorm* how, const uint32_t* sum, const uint32_t* square, bool,
                           float* norm) {
  double spread[kScanLanes];
  for (size_t i = 0; i < kScanLanes; ++i) {
    const double s = scan_sum(sum + i, how->sum);
    const double q = static_cast<uint32_t>(scan_sum(square + i, how->square));
    spread[i] = how->area * q - s * s;
  }
  uint32_t fit = 0;
  for (size_t i = 0; i < kScanLanes; ++i) {
    norm[i] = static_cast<float>(1.0 / root(spread[i] > 0.0 ? spread[i] : 1.0));
    const bool fits = spread[i] > 0.0 && how->area * static_cast<double>(norm[i]) < 1e-1;
    fit |= static_cast<uint32_t>(fits) << i;
  }
  return fit;
}

template <class Sum>
uint32_t scan_norms(const ScanNorm* how, const Sum* sum, const uint64_t* square, bool strict,
                    double* norm) {
  uint32_t fit = 0;
  const double scale = 1.0 / (how->area * how->area);
  for (size_t i = 0; i < kScanLanes; ++i) {
    const double s = static_cast<double>(scan_sum(sum + i, how->sum));
    const double q = static_cast<double>(scan_sum(square + i, how->square));
    const double spread = how->area * q - s * s;
    norm[i] = spread > 0.0 ? root(spread * scale) : 0.0;
    fit |= static_cast<uint32_t>(!strict || norm[i] > 10.0) << i;
    if (norm[i] == 0.0) norm[i] = 1.0;
  }
  return fit;
}

// Whether a value lies low. OpenCV multiplies by 1 / (area sigma) in singles; ours compares with
// threshold times sigma.
inline bool scan_low(float value, float norm, float threshold) { return value * norm <= threshold; }
inline bool scan_low(double value, double norm, double threshold) {
  return value <= threshold * norm;
}

template <class Real, class Sum>
inline Real scan_value(const ScanNodes<Real>& of, int32_t first, int32_t last, const Sum* table) {
  Real value = of.weight[first] * static_cast<Real>(scan_sum(table, of.corner + 4 * first));
  for (int32_t r = first + 1; r < last; ++r)
    value += of.weight[r] * static_cast<Real>(scan_sum(table, of.corner + 4 * r));
  return value;
}

// kScanLanes windows at once. Where there are wide registers they are used by name: what a loop
// over the lanes becomes depends too much on the compiler.
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
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

// value[i] <- that of a node in the window at table + i.
template <class Real, class Sum>
inline void lane_values(const ScanNodes<Real>& of, size_t node, const Sum* table, Real* value) {
  const int32_t first = of.rect_start[node], last = of.rect_start[node + 1];
  for (int32_t r = first; r < last; ++r) {
    const int32_t* const corner = of.corner + 4 * r;
    const Real weight = of.weight[r];
    for (size_t i = 0; i < kScanLanes; ++i) {
      const Real term = weight * static_cast<Real>(scan_sum(table + i, corner));
      value[i] = r == first ? term : value[i] + term;
    }
  }
}

template <class Real, class Sum>
void scan_judge_plain(const ScanNodes<Real>& of, size_t begin, size_t end, const Sum* table,
                      const Real* norm, double* total) {
  Real by[kScanLanes], value[kScanLanes];
  double sum[kScanLanes];
  for (size_t i = 0; i < kScanLanes; ++i) by[i] = norm[i];
  for (size_t i = 0; i < kScanLanes; ++i) sum[i] = total[i];
  for (size_t n = begin; n < end; ++n) {
    lane_values(of, n, table, value);
    const Real threshold = of.threshold[n];
    const double low = of.low[n], high = of.high[n];
    for (size_t i = 0; i < kScanLanes; ++i)
      sum[i] += scan_low(value[i], by[i], threshold) ? low : high;
  }
  for (size_t i = 0; i < kScanLanes; ++i) total[i] = sum[i];
}

template <class Real, class Sum>
void scan_judge_trees(const ScanNodes<Real>& of, size_t begin, size_t end, const Sum* table,
                      const Real* norm, double* total) {
  int32_t asked[kScanLanes];  // the node each window has come to
  Real value[kScanLanes];
  for (size_t n = begin; n < end; ++n) {
    lane_values(of, n, table, value);
    const auto here = static_cast<int32_t>(n);
    for (size_t i = 0; i < kScanLanes; ++i) {
      if (of.root[n]) asked[i] = here;
      if (asked[i] != here) continue;
      const bool low = scan_low(value[i], norm[i], of.threshold[n]);
      const int32_t child = low ? of.low_child[n] : of.high_child[n];
      if (child == 0)
        total[i] += low ? of.low[n] : of.high[n];
      else
        asked[i] = here + child;
    }
  }
}

#if defined(__AVX2__)
constexpr size_t kTreeNodes = 16;  // larger trees are rare, and judged lane by lane

// Every node is asked in all windows; which of them have come to it is kept beside.
template <class Real>
void lanes_judge_trees(const ScanNodes<Real>& of, size_t begin, size_t end, const uint32_t* table,
                       const Real* norm, double* total) {
  LaneTotals totals(total);
  LaneMask come[kTreeNodes];
  size_t root = begin;
  for (size_t n = begin; n < end; ++n) {
    if (of.root[n]) {
      root = n;
      come[0] = lanes_all();
    }
    const LaneMask low = lanes_low(of, n, table, norm), here = come[n - root];
    const LaneMask below = lanes_both(here, low), above = lanes_without(here, low);
    if (of.low_child[n] > 0)
      come[n - root + static_cast<size_t>(of.low_child[n])] = below;
    else
      totals.add_where(below, of.low[n]);
    if (of.high_child[n] > 0)
      come[n - root + static_cast<size_t>(of.high_child[n])] = above;
    else
      totals.add_where(above, of.high[n]);
  }
  totals.to(total);
}
#endif

template <class Real, class Sum>
void scan_judge(const ScanNodes<Real>* nodes, size_t begin, size_t end, const Sum* table,
                const Real* norm, double* total) {
  const ScanNodes<Real>& of = *nodes;
#if defined(__AVX2__)
  if constexpr (sizeof(Sum) == 4) {
    if (of.root != nullptr && of.largest_tree <= kTreeNodes)
      return lanes_judge_trees(of, begin, end, table, norm, total);
  }
#endif
  if (of.root != nullptr) return scan_judge_trees(of, begin, end, table, norm, total);
#if defined(__AVX2__)
  if constexpr (sizeof(Sum) == 4) {
    LaneTotals totals(total);
    for (size_t n = begin; n < end; ++n)
      totals.add(lanes_low(of, n, table, norm), of.low[n], of.high[n]);
    totals.to(total);
    return;
  }
#endif
  scan_judge_plain(of, begin, end, table, norm, total);
}

template <class Real, class Sum>
double scan_judge_one(const ScanNodes<Real>* nodes, size_t begin, size_t end, const Sum* table,
                      Real norm, double total) {
  const ScanNodes<Real>& of = *nodes;
  if (of.root == nullptr) {
    for (size_t n = begin; n < end; ++n) {
      const Real value = scan_value(of, of.rect_start[n], of.rect_start[n + 1], table);
      // Which of the two it is cannot be foreseen: both are at hand, and none is jumped to.
      const double scores[2] = {of.high[n], of.low[n]};
      total += scores[scan_low(value, norm, of.threshold[n])];
    }
    return total;
  }
  for (size_t n = begin; n < end;) {
    for (size_t at = n;;) {
      const Real value = scan_value(of, of.rect_start[at], of.rect_start[at + 1], table);
      const bool low = scan_low(value, norm, of.threshold[at]);
      const int32_t child = low ? of.low_child[at] : of.high_child[at];
      if (child == 0) {
        total += low ? of.low[at] : of.high[at];
        break;
      }
      at += static_cast<size_t>(child);
    }
    for (++n; n < end && !of.root[n];) ++n;
  }
  return total;
}

void blend_rows(const uint8_t* a, const uint8_t* b, uint32_t share, size_t n, uint16_t* out) {
  const auto second = static_cast<uint16_t>(share), first = static_cast<uint16_t>(256 - share);
  for (size_t x = 0; x < n; ++x) out[x] = static_cast<uint16_t>(a[x] * first + b[x] * second);
}

void blend_columns(const uint16_t* row, const int32_t* first, const uint16_t* share, size_t n,
                   uint8_t* out) {
  for (size_t x = 0; x < n; ++x) {
    const uint16_t* const at = row + first[x];
    const uint32_t second = share[x];
    out[x] = static_cast<uint8_t>((at[0] * (256 - second) + at[1] * second + 32768) >> 16);
  }
}
