// Doubles as whole numbers, so that sums of them do not depend on their order.
//
// Cost: one pass over the numbers. Allocation: one number a chunk where there are several threads.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "weaklearn/threads/pool.hpp"

namespace weaklearn {

// The nearest whole number to x, |x| < 2^51.
inline int64_t nearest_whole(double x) {
  const double middle = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds
  const double shifted = x + middle;
  int64_t bits, zero;
  std::memcpy(&bits, &shifted, sizeof bits);
  std::memcpy(&zero, &middle, sizeof zero);
  return bits - zero;
}

// The largest |x|; 0 of none.
inline double largest(const double* x, size_t n) {
  double top[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (int k = 0; k < 8; ++k) top[k] = std::max(top[k], std::fabs(x[i + k]));
  for (; i < n; ++i) top[0] = std::max(top[0], std::fabs(x[i]));
  return *std::max_element(top, top + 8);
}

// The same on several threads.
inline double largest(const double* x, size_t n, int threads) {
  constexpr size_t chunk = 32768;
  const size_t pieces = (n + chunk - 1) / chunk;
  std::vector<double> top(pieces + 1, 0.0);
  Pool::instance().run(pieces, threads_for(n, threads), [&](size_t t) {
    top[t] = largest(x + t * chunk, std::min(chunk, n - t * chunk));
  });
  return *std::max_element(top.begin(), top.end());
}

}  // namespace weaklearn
