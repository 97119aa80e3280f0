// Rectangle features of windows, and the cuts of their values.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "numbers.hpp"
#include "variant.hpp"

namespace weaklearn::WEAKLEARN_VARIANT {
namespace {

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

}  // namespace
}  // namespace weaklearn::WEAKLEARN_VARIANT
