// What a leaf of a tree of gradients answers, and how the scores of its rows follow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "weaklearn/gradient/gradient_work.hpp"
#include "weaklearn/gradient/whole_gradients.hpp"
#include "weaklearn/hot/loops.hpp"

namespace weaklearn {

// The quantile of the residuals in a leaf: the least one with that share of the weight (the
// curvature) at or below it, or the middle of two where the share is met exactly.
inline double quantile_of(const GrowTask& task, const GradientWork& work,
                          const GradientNode& leaf) {
  std::vector<std::pair<double, int64_t>> sorted;
  sorted.reserve(leaf.size());
  int64_t total = 0;
  for (size_t k = leaf.begin; k < leaf.end; ++k) {
    const uint32_t i = work.rows[k];
    const int64_t weight = work.whole.weight(i);
    if (weight > 0) sorted.emplace_back(task.residuals[i], weight);
    total += weight;
  }
  if (sorted.empty()) return 0;
  std::sort(sorted.begin(), sorted.end());
  const double wanted = task.quantile * static_cast<double>(total);
  int64_t sum = 0;
  for (size_t k = 0; k < sorted.size(); ++k) {
    sum += sorted[k].second;
    if (static_cast<double>(sum) < wanted) continue;
    const bool met = static_cast<double>(sum) == wanted && k + 1 < sorted.size();
    return met ? (sorted[k].first + sorted[k + 1].first) / 2 : sorted[k].first;
  }
  return sorted.back().first;
}

// A leaf's value, from the sums of its rows.
inline double leaf_value(const GrowTask& task, const GradientWork& work, const GradientNode& leaf,
                         const WholeGradients::ExactSums& sums, double l2) {
  const double C = work.whole.curvature(sums);
  double value = C + l2 > 0 ? -work.whole.gradient(sums) / (C + l2) : 0.0;
  if (task.residuals != nullptr) value = quantile_of(task, work, leaf);
  return std::clamp(value, leaf.terms.low, leaf.terms.high);
}

// Moves the scores of some rows.
inline void move_scores(double* scores, const uint32_t* rows, size_t n, double step) {
  for (size_t k = 0; k < n; ++k) {
    if (k + kAhead < n) ask_for(scores + rows[k + kAhead]);
    scores[rows[k]] += step;
  }
}

}  // namespace weaklearn
