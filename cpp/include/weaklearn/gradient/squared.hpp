// Gradient and total of the squared loss (y - F)^2 / 2, whose curvature is 1.
//
// g[i] is F[i] - y[i], times the weight of the row. Losses are added as `total` adds them: any
// order of rows and any number of threads gives the same bits, and a row of k copies counts as k
// rows. Cost: two passes over the rows. Allocation: two numbers a chunk of 8192 rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "weaklearn/partitions/collective.hpp"
#include "weaklearn/partitions/extent.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/threads/profile.hpp"
#include "weaklearn/weights/rounding.hpp"
#include "weaklearn/weights/total.hpp"

namespace weaklearn {

// Rows of numbers with their scores; weight and copies may be null: 1 each.
struct ScoredNumbers {
  const double* y;
  const double* F;
  const double* weight;
  const int64_t* copies;
  size_t n;

  double loss(size_t i) const {
    const double r = y[i] - F[i], value = r * r / 2;
    return weight == nullptr ? value : value * weight[i];
  }
};

// Writes g, and returns the total loss: NaN where a loss or a gradient is not finite.
inline double squared_derivatives(const ScoredNumbers& of, double* g, int threads,
                                  const Collective* partitions = nullptr) {
  constexpr size_t chunk = 8192;
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const size_t pieces = (of.n + chunk - 1) / chunk;
  const int helpers = threads_for(of.n * 3, threads);
  std::vector<double> most(pieces);
  Pool::instance().run(pieces, helpers, [&](size_t t) {
    const Timed timed(Phase::losses);
    const size_t end = std::min(of.n, (t + 1) * chunk);
    double loss[chunk];
    unsigned unknown = 0;
    for (size_t i = t * chunk; i < end; ++i) {
      g[i] = of.F[i] - of.y[i];
      loss[i - t * chunk] = of.loss(i);
      unknown |= loss[i - t * chunk] <= std::numeric_limits<double>::max() ? 0u : 1u;
    }
    if (of.weight != nullptr)
      for (size_t i = t * chunk; i < end; ++i) g[i] *= of.weight[i];
    most[t] = unknown ? kUnknown : largest(loss, end - t * chunk);
  });
  Extent extent{0, count_examples(of.copies, of.n)};
  for (const double one : most)
    extent.most = one != one ? std::numeric_limits<double>::infinity() : std::max(extent.most, one);
  extent = extent.over(partitions);
  if (extent.most > std::numeric_limits<double>::max()) return kUnknown;
  if (extent.most == 0) return 0;
  const double scale = whole_scale(extent.most, extent.examples);
  std::vector<int64_t> sums(pieces);
  Pool::instance().run(pieces, helpers, [&](size_t t) {
    const Timed timed(Phase::losses);
    const size_t end = std::min(of.n, (t + 1) * chunk);
    int64_t sum = 0;
    for (size_t i = t * chunk; i < end; ++i)
      sum += nearest_whole(of.loss(i) * scale) * (of.copies != nullptr ? of.copies[i] : 1);
    sums[t] = sum;
  });
  const int64_t sum = std::accumulate(sums.begin(), sums.end(), int64_t{0});
  return static_cast<double>(sum_over(partitions, sum)) / scale;
}

}  // namespace weaklearn
