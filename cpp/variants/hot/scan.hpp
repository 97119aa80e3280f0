// The loops of a scan (weaklearn/vision/image_scan_loops.hpp).
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "numbers.hpp"
#include "scan_lanes.hpp"
#include "variant.hpp"
#include "weaklearn/vision/image_scan_loops.hpp"

namespace weaklearn::WEAKLEARN_VARIANT {
namespace {

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

}  // namespace
}  // namespace weaklearn::WEAKLEARN_VARIANT
