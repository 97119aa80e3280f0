// Gradient, curvature and total of the logistic loss ln(1 + exp(-y F)), y = -1 or +1.
//
// g[i] and c[i] are the first and second derivatives by F[i], times the weight of the row. Losses
// are added as whole numbers of a unit that depends on the largest weight and on the number of
// examples: any order of rows and any number of threads gives the same bits, and a row of k copies
// counts as k rows in the loss. Cost: one exponential a row, and one logarithm where the total is
// asked for. Allocation: one number a chunk of 8192 rows.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weaklearn/hot/loops.hpp"
#include "weaklearn/partitions/collective.hpp"
#include "weaklearn/partitions/extent.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/threads/profile.hpp"
#include "weaklearn/weights/total.hpp"

namespace weaklearn {

// Rows of two classes with their scores; weight and copies may be null: 1 each.
struct ScoredSigns {
  const int8_t* y;
  const double* F;
  const double* weight;
  const int64_t* copies;
  size_t n;
};

// What an example's loss is multiplied with, to be added as a whole number.
inline double loss_scale(const ScoredSigns& of, const Collective* partitions) {
  const Extent extent =
      Extent{of.weight != nullptr ? largest(of.weight, of.n) : 0.0, count_examples(of.copies, of.n)}
          .over(partitions);
  int exponent = 0;  // no weight is above 2^exponent
  if (of.weight != nullptr) std::frexp(extent.most, &exponent);
  // Each loss is at most 2^12: no sum leaves 62 bits, and no loss 50.
  const auto width = static_cast<int>(std::bit_width(extent.examples));
  return std::ldexp(1.0, std::min(38, 49 - width) - exponent);
}

// Writes g and c, and returns the total loss: 0 where it is not `wanted`.
inline double logistic_derivatives(const ScoredSigns& of, double* g, double* c, int threads,
                                   const Collective* partitions = nullptr, bool wanted = true) {
  constexpr size_t chunk = 8192;
  const size_t n_chunks = (of.n + chunk - 1) / chunk;
  std::vector<int64_t> losses(n_chunks);
  const double scale = wanted ? loss_scale(of, partitions) : 0.0;
  Pool::instance().run(n_chunks, threads_for(of.n * 10, threads), [&](size_t t) {
    const Timed timed(Phase::losses);
    const size_t i = t * chunk, size = std::min(chunk, of.n - i);
    losses[t] =
        hot().logistic(of.y + i, of.F + i, of.weight != nullptr ? of.weight + i : nullptr,
                       of.copies != nullptr ? of.copies + i : nullptr, size, scale, g + i, c + i);
  });
  if (!wanted) return 0.0;
  int64_t total = 0;
  for (const int64_t part : losses) total += part;
  return static_cast<double>(sum_over(partitions, total)) / scale;
}

}  // namespace weaklearn
