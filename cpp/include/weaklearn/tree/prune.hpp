// Pessimistic pruning: which tests of a grown tree are not worth keeping.
//
// A leaf that makes E errors on N examples (both may be fractions) is expected to make N U(E, N),
// U being the upper limit p under which E errors or fewer still have the chance 1/4. A node becomes
// a leaf where that promises no more errors than the leaves below it do together.
//
// Cost: a few limits a node, each O(sqrt N).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weaklearn/threads/pool.hpp"
#include "weaklearn/tree/beta.hpp"

namespace weaklearn {

// N U(E, N): U is the upper quartile of Beta(E + 1, N - E), and 1 where all are errors.
inline double upper_errors(double E, double N) {
  if (E >= N) return N;
  return N * (E <= 0 ? Beta::upper_quartile_of_last(N) : Beta(E + 1, N - E).upper_quartile());
}

// A tree of class shares as pruning sees it; the children of a node stand after it.
struct Shares {
  size_t n;
  const int32_t *first, *width;
  const double* weight;
  int64_t count;         // examples at the root
  const int32_t* value;  // which row of shares a node has
  const double* values;  // shares, n_outputs a row
  size_t n_values, n_outputs;
};

// Where nearly all are errors, N U is N but for rounding, and so is the sum over the leaves below.
constexpr double kTiedErrors = 1 + 1e-12;

// The nodes that become leaves, in descending order; some may lie below others.
inline std::vector<int32_t> pessimistic(const Shares& tree, int threads) {
  std::vector<double> N(tree.n), E(tree.n), expected(tree.n), greatest(tree.n_values);
  for (size_t v = 0; v < tree.n_values; ++v) {
    const double* row = tree.values + v * tree.n_outputs;
    greatest[v] = *std::max_element(row, row + tree.n_outputs);
  }
  const double unit = static_cast<double>(tree.count) / tree.weight[0];
  constexpr size_t chunk = 128;
  constexpr size_t steps = 500;  // of a limit
  Pool::instance().run((tree.n + chunk - 1) / chunk, threads_for(tree.n * steps / 4, threads),
                       [&](size_t t) {
                         for (size_t i = t * chunk; i < std::min(tree.n, (t + 1) * chunk); ++i) {
                           N[i] = tree.weight[i] * unit;
                           E[i] = N[i] * (1 - greatest[static_cast<size_t>(tree.value[i])]);
                           if (tree.width[i] == 0) expected[i] = upper_errors(E[i], N[i]);
                         }
                       });
  std::vector<int32_t> collapsed;
  for (size_t i = tree.n; i-- > 0;) {
    if (tree.width[i] == 0) continue;
    double below = 0;
    const double* child = &expected[static_cast<size_t>(tree.first[i])];
    for (int32_t k = 0; k < tree.width[i]; ++k) below += child[k];
    expected[i] = below;
    below *= kTiedErrors;
    // Limits are dear. They exceed the mean of Beta(E + 1, N - E) where its density is log-concave
    // (by Gruenbaum's inequality no such law has 3/4 of its mass below the mean), and else E / N;
    // and one look at the law tells most of the others.
    if ((N[i] - E[i] >= 1 ? (E[i] + 1) * (N[i] / (N[i] + 1)) : E[i]) > below) continue;
    if (E[i] > 0 && below < N[i] && Beta(E[i] + 1, N[i] - E[i]).quartile_exceeds(below / N[i]))
      continue;
    const double own = upper_errors(E[i], N[i]);
    if (own > below) continue;
    expected[i] = own;
    collapsed.push_back(static_cast<int32_t>(i));
  }
  return collapsed;
}

}  // namespace weaklearn
