// Many labels: what cuts between slots, and inside them, cost.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "numbers.hpp"
#include "variant.hpp"

namespace weaklearn::WEAKLEARN_VARIANT {
namespace {

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

}  // namespace
}  // namespace weaklearn::WEAKLEARN_VARIANT
