// The dual of a support vector machine, climbed one coordinate at a time.
//
//   max  sum a_i - 1/4 sum a_i a_j y_i y_j K_ij,   0 <= a_i <= cap_i,   w = 1/2 sum a_i y_i x_i
//
// A step sets a_i to where the dual is greatest along it, within its limits:
// a_i <- clip(a_i + 2 (1 - y_i f(x_i)) / K_ii, 0, cap_i). No step makes the dual smaller.
//
// `pass` goes over rows in a drawn order and keeps w itself: O(cells) a pass. `climb` keeps the
// margins g_i = y_i f(x_i) of all rows and takes the step that gains most: O(n) a step. `settle`
// moves all coordinates that are inside their limits at once to where the dual is greatest, as far
// as the limits allow: O(q^3 / 6 + n q) for q of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "weaklearn/online/cholesky.hpp"
#include "weaklearn/online/gram.hpp"

namespace weaklearn {

// 1, 2, ... mixed well: the same numbers everywhere.
class Mixer {
 public:
  explicit Mixer(uint64_t key) : state_(key) {}
  size_t below(size_t n) {
    uint64_t x = state_ += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return static_cast<size_t>((x ^ (x >> 31)) % n);
  }

 private:
  uint64_t state_;
};

struct Dual {
  const double* y;    // -1 or +1
  const double* cap;  // the largest a_i
  const double* K;    // K_ii
  size_t n;
  double* a;

  // a_i after its step, where the margin of row i is g.
  double best(size_t i, double g) const {
    if (K[i] <= 0) return g < 1 ? cap[i] : a[i];
    return std::min(cap[i], std::max(0.0, a[i] + 2 * (1 - g) / K[i]));
  }
};

// One pass over all rows, in an order drawn by the key, with w kept up.
template <class Rows>
void pass(const Dual& dual, const Rows& rows, double* w, uint64_t key) {
  std::vector<uint32_t> order(dual.n);
  for (size_t i = 0; i < dual.n; ++i) order[i] = static_cast<uint32_t>(i);
  Mixer mixer(key);
  Pool::instance().run(1, 1, [&](size_t) {
    for (size_t left = dual.n; left > 0; --left) {
      std::swap(order[left - 1], order[mixer.below(left)]);
      const size_t i = order[left - 1];
      double f = 0;
      rows.each(i, [&](size_t k, double x) { f += x * w[k]; });
      const double a = dual.best(i, dual.y[i] * f), step = dual.y[i] * (a - dual.a[i]) / 2;
      dual.a[i] = a;
      if (step != 0) rows.each(i, [&](size_t k, double x) { w[k] += step * x; });
      if (left % 8192 == 0) Pool::check_interrupt();
    }
  });
}

// So many steps of largest gain, of rows whose kernels with one another are in the matrix.
inline size_t climb(const Dual& dual, const double* matrix, double* g, size_t steps) {
  const size_t n = dual.n;
  size_t done = 0;
  Pool::instance().run(1, 1, [&](size_t) {
    for (; done < steps; ++done) {
      size_t where = n;
      double most = 0;
      for (size_t i = 0; i < n; ++i) {
        const double slope = 1 - g[i], step = dual.best(i, g[i]) - dual.a[i];
        const double gain = step * (slope - step * dual.K[i] / 4);
        if (gain > most) most = gain, where = i;
      }
      if (where == n) break;
      const double a = dual.best(where, g[where]);
      const double step = dual.y[where] * (a - dual.a[where]) / 2;
      dual.a[where] = a;
      const double* const row = matrix + where * n;
      for (size_t j = 0; j < n; ++j) g[j] += step * dual.y[j] * row[j];
      if (done % 64 == 0) Pool::check_interrupt();
    }
  });
  return done;
}

// The coordinates inside their limits, moved together: the way to where the dual is greatest is
// cut off at the limits, in the share of it that gains most. Q is 1/2 y_i y_j K_ij, lower half
// and all; a, slope = 1 - g and cap are those of the q coordinates. Returns whether the whole
// way was free.
inline bool settle(const double* Q, size_t q, const double* slope, const double* cap, double* a) {
  std::vector<double> factor(Q, Q + q * q), way(slope, slope + q), step(q), best(q);
  Cholesky(factor.data(), q).solve(way.data());
  double free = 1;
  for (size_t i = 0; i < q; ++i) {
    if (a[i] + way[i] > cap[i]) free = std::min(free, (cap[i] - a[i]) / way[i]);
    if (a[i] + way[i] < 0) free = std::min(free, -a[i] / way[i]);
  }
  double most = 0;
  const auto attempt = [&](double share) {
    for (size_t i = 0; i < q; ++i)
      step[i] = std::min(cap[i], std::max(0.0, a[i] + share * way[i])) - a[i];
    double gain = product(slope, step.data(), q);
    for (size_t i = 0; i < q; ++i) gain -= step[i] * product(Q + i * q, step.data(), q) / 2;
    if (gain > most) most = gain, best = step;
  };
  attempt(free);
  if (free < 1)
    for (const double share : {1.0, 0.5, 0.25, 0.1, 0.03, 0.01})
      if (share > free) attempt(share);
  if (most <= 0) return true;
  for (size_t i = 0; i < q; ++i) {
    const double moved = a[i] + best[i], near = 1e-14 * cap[i];
    a[i] = moved <= near ? 0 : moved >= cap[i] - near ? cap[i] : moved;
  }
  return free == 1;
}

}  // namespace weaklearn
