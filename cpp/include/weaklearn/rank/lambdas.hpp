// Gradient and curvature of pairs of items, weighted by what their exchange changes in a metric.
//
// Of two items of one query with s_a and s_b, of which a has the higher grade,
//   rho = 1 / (1 + exp(sigma (s_a - s_b))),   w = change / ((spread + |s_a - s_b|) bias of the
//   pair)
// and the pair adds -sigma w rho to the gradient of a, as much with the other sign to that of b,
// and sigma^2 w rho (1 - rho) to the curvature of both. Without `normalize` the divisor is 1; with
// it a query is also scaled by log2(1 + L) / L, L the sum of its |sigma w rho|.
//
// Promise: what a pair adds is rounded to a whole number of units, powers of two that depend on the
// size of the query and the settings alone; so neither threads nor the order of rows change a bit.
// Scores more than 700 / sigma below the best of their query count as if they were there.
// Cost: one exponential an item, one or two divisions a pair of which one is in the first k places.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <vector>

#include "weaklearn/hot/loops.hpp"
#include "weaklearn/rank/queries.hpp"
#include "weaklearn/threads/profile.hpp"
#include "weaklearn/weights/rounding.hpp"

namespace weaklearn {

constexpr double kSpread = 0.01;     // of scores: keeps pairs of equal scores from outweighing all
constexpr double kLeastBias = 0.01;  // of a position
constexpr double kFarthest = 700.0;  // differences of scores that exponentials still tell apart

// Where items were shown when they were clicked on (from 0 on, by row), and how likely positions
// are to be clicked, and not to be, relative to the first one. Null: unknown.
struct Shown {
  const int32_t* position = nullptr;
  const double* clicked = nullptr;
  const double* passed = nullptr;
};

struct PairSettings {
  double sigma = 1;
  bool normalize = true;
};

namespace rank_detail {

// The whole number nearest to x as a double, |x| < 2^51.
inline double whole(double x) {
  constexpr double middle = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds
  return (x + middle) - middle;
}

// The power of two by which n numbers of at most `most` become whole ones whose sums are exact.
inline double unit_scale(double most, size_t n) {
  int exponent;
  std::frexp(most * static_cast<double>(n), &exponent);
  return std::ldexp(1.0, 50 - exponent);
}

struct Room {
  Queries::Changes change;
  std::vector<double> e, g, c, clicked, passed;

  void set(const Queries& queries, const Queries::Ranked& of, double sigma) {
    queries.changes(of, change);
    e.resize(of.n);
    for (size_t p = 0; p < of.n; ++p)
      e[p] = std::max(sigma * (of.score[p] - of.score[0]), -kFarthest);
    hot().exponentials(e.data(), of.n);
  }
};

template <bool kNormalize, bool kBiased>
inline void add_pairs(const Queries::Ranked& of, Room& room, double sigma, double scale) {
  const double* const e = room.e.data();
  const double* const s = of.score.data();
  const double* const gain = of.gain.data();
  const double* const second = room.change.second.data();
  double* const g = room.g.data();
  double* const c = room.c.data();
  for (size_t i = 0; i < room.change.end; ++i) {
    const double first = room.change.first[i], gain_i = gain[i], e_i = e[i], s_i = s[i];
    double g_i = 0, c_i = 0;
    for (size_t j = i + 1; j < of.n; ++j) {
      const double apart = gain_i - gain[j];
      const double divisor = kNormalize ? (e_i + e[j]) * (kSpread + (s_i - s[j])) : e_i + e[j];
      double w = std::fabs(apart) * (first + second[j]) / divisor;
      if (kBiased)
        w *= apart > 0 ? room.clicked[i] * room.passed[j] : room.clicked[j] * room.passed[i];
      const double lower = apart > 0 ? e[j] : e_i, upper = apart > 0 ? e_i : e[j];
      const double t = sigma * w * lower;
      const double lambda = whole(t * scale),
                   bend = whole(sigma * t * (upper / (e_i + e[j])) * scale);
      const double pull = apart > 0 ? -lambda : lambda;
      g_i += pull;
      g[j] -= pull;
      c_i += bend;
      c[j] += bend;
    }
    g[i] += g_i;
    c[i] += c_i;
  }
}

}  // namespace rank_detail

// Writes gradient, curvature and the metric of every query; weight (by row) may be null.
inline void rank_lambdas(const Queries& queries, const double* F, const double* weight,
                         const PairSettings& settings, const Shown& shown, double* g, double* c,
                         double* value, int threads) {
  const double sigma = settings.sigma, steep = std::max(sigma, sigma * sigma);
  const bool biased = shown.position != nullptr;
  const double most = steep * (settings.normalize ? 1 / kSpread : 1.0) *
                      (biased ? 1 / (kLeastBias * kLeastBias) : 1.0);
  const size_t work = queries.n_rows() * std::min(queries.k(), queries.longest());
  Pool::instance().run(queries.n_tasks(), threads_for(work * 4, threads), [&](size_t t) {
    const Timed timed(Phase::losses);
    rank_detail::Room room;
    queries.each_of_task(t, F, [&](size_t q, const Queries::Ranked& of) {
      value[q] = queries.value_of(of);
      room.set(queries, of, sigma);
      room.g.assign(of.n, 0.0);
      room.c.assign(of.n, 0.0);
      if (biased) {
        room.clicked.resize(of.n);
        room.passed.resize(of.n);
        for (size_t p = 0; p < of.n; ++p) {
          const int32_t at = shown.position[queries.row(of.order[p])];
          room.clicked[p] = 1 / shown.clicked[at];
          room.passed[p] = 1 / shown.passed[at];
        }
      }
      const double scale = rank_detail::unit_scale(most, of.n);
      if (settings.normalize)
        biased ? rank_detail::add_pairs<true, true>(of, room, sigma, scale)
               : rank_detail::add_pairs<true, false>(of, room, sigma, scale);
      else
        biased ? rank_detail::add_pairs<false, true>(of, room, sigma, scale)
               : rank_detail::add_pairs<false, false>(of, room, sigma, scale);
      double factor = 1 / scale;
      if (settings.normalize) {
        double sum = 0;
        for (const double one : room.g) sum += std::fabs(one) / scale;
        if (sum > 0) factor *= std::log2(1 + sum) / sum;
      }
      for (size_t p = 0; p < of.n; ++p) {
        const size_t row = queries.row(of.order[p]);
        const double w = weight == nullptr ? factor : factor * weight[row];
        g[row] = room.g[p] * w;
        c[row] = room.c[p] * w;
      }
    });
  });
}

// What pairs cost by the positions of their items: entry (a, b) of a square of `n_positions` is the
// sum of change * ln(1 + exp(-sigma (s_a - s_b))) over pairs whose better item was shown at a and
// the other at b, times the weight of their query, as whole numbers times the unit returned.
inline double cost_by_position(const Queries& queries, const double* F, const double* query_weight,
                               double most_weight, const int32_t* position, size_t n_positions,
                               double sigma, int64_t* cost, int threads) {
  const double pairs = static_cast<double>(queries.n_rows()) *
                       static_cast<double>(queries.longest()) * std::max(most_weight, 1.0);
  int exponent;
  std::frexp(pairs * (kFarthest + 1), &exponent);
  const double scale = std::ldexp(1.0, std::min(40, 61 - exponent));
  std::fill(cost, cost + n_positions * n_positions, int64_t{0});
  const size_t work = queries.n_rows() * std::min(queries.k(), queries.longest());
  Pool::instance().run(queries.n_tasks(), threads_for(work * 16, threads), [&](size_t t) {
    const Timed timed(Phase::losses);
    rank_detail::Room room;
    std::vector<double> ratio;
    queries.each_of_task(t, F, [&](size_t q, const Queries::Ranked& of) {
      if (query_weight[q] == 0) return;
      room.set(queries, of, sigma);
      ratio.resize(of.n);
      for (size_t i = 0; i < room.change.end; ++i) {
        for (size_t j = i + 1; j < of.n; ++j) {
          const double upper = of.gain[i] > of.gain[j] ? room.e[i] : room.e[j];
          ratio[j] = (room.e[i] + room.e[j]) / upper;
        }
        hot().logarithms(ratio.data() + i + 1, of.n - i - 1);
        const auto at = static_cast<size_t>(position[queries.row(of.order[i])]);
        for (size_t j = i + 1; j < of.n; ++j) {
          const double apart = of.gain[i] - of.gain[j];
          if (apart == 0) continue;
          const double change = std::fabs(apart) * (room.change.first[i] + room.change.second[j]);
          const int64_t one = nearest_whole(change * ratio[j] * scale);
          const int64_t all = nearest_whole(static_cast<double>(one) * query_weight[q]);
          const auto other = static_cast<size_t>(position[queries.row(of.order[j])]);
          const size_t cell = apart > 0 ? at * n_positions + other : other * n_positions + at;
          std::atomic_ref<int64_t>(cost[cell]).fetch_add(all, std::memory_order_relaxed);
        }
      }
    });
  });
  return 1 / scale;
}

}  // namespace weaklearn
