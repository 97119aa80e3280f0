// What a leaf of a tree of gradients answers, and how the scores of its rows follow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "weaklearn/gradient/gain.hpp"
#include "weaklearn/gradient/gradient_work.hpp"
#include "weaklearn/gradient/leaf_quantiles.hpp"
#include "weaklearn/gradient/whole_gradients.hpp"
#include "weaklearn/hot/loops.hpp"

namespace weaklearn {

// The residuals of a leaf's rows, with their weights (the curvatures).
inline Weighted residuals_of(const GrowTask& task, const GradientWork& work,
                             const GradientNode& leaf) {
  Weighted found;
  found.reserve(leaf.size());
  for (size_t k = leaf.begin; k < leaf.end; ++k) {
    const uint32_t i = work.rows[k];
    const int64_t weight = work.whole.weight(i);
    if (weight > 0) found.emplace_back(task.residuals[i], weight);
  }
  return found;
}

// A leaf's value where it is no quantile, from the sums of its rows.
inline double leaf_value(const GradientWork& work, const WholeGradients::ExactSums& sums,
                         const GainSettings& settings) {
  const double C = work.whole.curvature(sums);
  return C + settings.l2 > 0 ? gain::step_of(work.whole.gradient(sums), C, settings.l1, settings.l2)
                             : 0.0;
}

// Moves the scores of some rows.
inline void move_scores(double* scores, const uint32_t* rows, size_t n, double step) {
  for (size_t k = 0; k < n; ++k) {
    if (k + kAhead < n) ask_for(scores + rows[k + kAhead]);
    scores[rows[k]] += step;
  }
}

}  // namespace weaklearn
