// What a cut through the categories of a column, sorted by their rates, gains by chance.
//
// The rates of categories that mean nothing scatter around the node's. If every category had a
// block of its own, the gain would grow with each by the gain of that scatter; a cut in order of
// rates keeps 2/pi of it where categories are large and all of it where they hold one example each,
// give or take the square root of their number. What exceeds the chance of numeric columns, with
// which the column competes, is taken off its gain.
#pragma once

#include <algorithm>
#include <cmath>

#include "weaklearn/tree/criterion.hpp"

namespace weaklearn {

constexpr double kNumbersChance = 4;  // what the best cut through numbers gains, as counted below

// The expected gain of a cut through categories of so many examples each, and one deviation more,
// as a multiple of the gain of one category's scatter.
inline double chance_of_categories(double categories, double examples) {
  constexpr double two_over_pi = 0.63661977236758134;
  const double kept = two_over_pi + (1 - two_over_pi) / (examples * examples);
  return std::max(kept * (categories - 1) + std::sqrt(categories - 1) - kNumbersChance, 0.0);
}

// The gain of the scatter of one category of n >= 1 examples of weight 1, where the second class
// has the share p. That has the variance p (1 - p) / n, and gains half the curvature of the
// impurity times that; the next term of the series matters where a class is rare. No category gains
// more than its impurity.
template <Criterion criterion>
inline double chance_of_category(double p, double n) {
  const double q = 1 - p, pq = p * q;
  if constexpr (criterion == Criterion::error) {  // no curvature: what passes 1/2 by a deviation
    const double lesser = std::min(p, q), high = lesser + (1 - lesser) / std::sqrt(n);
    return n * lesser * std::max(2 * high - 1, 0.0);
  }
  if constexpr (criterion == Criterion::sqrt) {
    const double s = std::sqrt(pq);
    return std::min(n * 2 * s, (1 + 7 / (16 * n * pq)) / (4 * s));
  }
  if constexpr (criterion == Criterion::entropy) {
    constexpr double half_nat = 0.72134752044448170;  // in bits
    return std::min(n * -(x_log_x(p) + x_log_x(q)), (1 + (1 / pq - 1) / (6 * n)) * half_nat);
  }
  return 2 * pq;
}

}  // namespace weaklearn
