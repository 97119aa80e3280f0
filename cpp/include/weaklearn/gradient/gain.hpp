// The best split of a node on one coded column, from sums of gradient, curvature and count by code.
//
// The gain of a split is G_L^2/(C_L + l2) + G_R^2/(C_R + l2) - G^2/(C + l2): twice what a Newton
// step in each part lowers the loss by, beyond one step for all. Where steps are held back (by l1,
// by a greatest step, by the value of the node above, by monotone columns), it is twice what the
// steps that are then made lower it by. Missing values go to the side where they gain more;
// categories are put in order of their smoothed rate and cut there.
// Ties go to the lowest cut. Cost: O(codes), O(codes log codes) for a category.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/gradient/gradient_draws.hpp"
#include "weaklearn/hot/loops.hpp"
#include "weaklearn/tree/tree.hpp"

namespace weaklearn {

constexpr size_t kSlots = 256;
constexpr size_t kFewCategories = 8;  // categories among which chance finds little to gain

// Whole-number sums over a set of rows.
struct Total {
  int64_t g = 0, c = 0, n = 0;
  Total operator-(const Total& other) const { return {g - other.g, c - other.c, n - other.n}; }
};

// Sums by code of one column.
struct Sums {
  int64_t g[kSlots], c[kSlots], n[kSlots];
};

// The same to be read; where curvature is 1 everywhere, c is n.
struct SumsView {
  const int64_t *g, *c, *n;
  SumsView(const Sums& sums, bool constant) : g(sums.g), c(constant ? sums.n : sums.c), n(sums.n) {}
  // Of a single slot.
  explicit SumsView(const Total& slot) : g(&slot.g), c(&slot.c), n(&slot.n) {}
};

// What a split of a tree of gradients must keep to.
struct GainSettings {
  int64_t min_samples_leaf = 1;  // examples on a side
  double min_curvature = 0;      // on a side
  double l1 = 0;                 // by which the gradient of a side is drawn towards 0
  double l2 = 0;                 // added to the curvature of a side
  double max_step = std::numeric_limits<double>::infinity();  // the largest value of a side
  double path_smoothing =
      0;  // examples of the node's own value that those of a side are mixed with
  double category_noise =
      0;  // how much a cut of a category must gain beyond chance, see on_categories
  double category_smooth = 0;  // examples of the node's own rate that each category is mixed with
  bool random_cuts = false;    // one cut of a column is drawn, and no other is looked at
};

// What is known of a node beyond its sums: units, and what its values must keep to.
struct NodeTerms {
  Total total;
  double g_unit = 1, c_unit = 1;
  double low = -std::numeric_limits<double>::infinity();  // of values
  double high = std::numeric_limits<double>::infinity();
  double above = 0, smoothing = 0;  // so many examples of the parent's value are mixed in
  bool held = false;                // whether values may be others than Newton's steps
  double noise = 0;                 // the square of a gradient over its curvature, on average
  uint64_t key = 0;                 // of what it draws
};

struct GainSplit {
  double gain = 0;  // 0: none found
  int32_t feature = -1;
  uint32_t cut = 0;  // threshold: codes up to this one go left
  bool categories = false;
  bool missing_right = false;
  bool missing_met = false;  // whether the node holds missing values
  bool forced = false;       // whether it was asked for, whatever it gains
  CategorySet right;         // categories that go right
  CategorySet met;           // categories that the node holds
  Total left;
};

namespace gain {

// Newton's step.
inline double step_of(double G, double C, double l1, double l2) {
  if (l1 > 0) G = std::copysign(std::max(std::abs(G) - l1, 0.0), G);
  return -G / (C + l2);
}

// A step of n examples, mixed with the value above it and held in the node's range.
inline double held_back(const NodeTerms& node, double step, int64_t n, double above,
                        double smoothing) {
  if (smoothing > 0) {
    const double share = static_cast<double>(n) / (static_cast<double>(n) + smoothing);
    step = share * step + (1 - share) * above;
  }
  return std::clamp(step, node.low, node.high);
}

inline double step_of(const NodeTerms& node, const Total& part, const GainSettings& settings) {
  return step_of(static_cast<double>(part.g) * node.g_unit,
                 static_cast<double>(part.c) * node.c_unit, settings.l1, settings.l2);
}

// The value of a node.
inline double value_of(const NodeTerms& node, const GainSettings& settings) {
  return held_back(node, step_of(node, node.total, settings), node.total.n, node.above,
                   node.smoothing);
}

// The value that a part of a node has as its child; `own` is the node's.
inline double value_of(const NodeTerms& node, const Total& part, double own,
                       const GainSettings& settings) {
  return held_back(node, step_of(node, part, settings), part.n, own, settings.path_smoothing);
}

// What a step of `value` lowers the loss of a part by, doubled.
inline double fall_of(const NodeTerms& node, const Total& part, double value,
                      const GainSettings& settings) {
  const double G = static_cast<double>(part.g) * node.g_unit;
  const double C = static_cast<double>(part.c) * node.c_unit + settings.l2;
  const double fall = -(2 * G * value + C * value * value);
  return settings.l1 > 0 ? fall - 2 * settings.l1 * std::abs(value) : fall;
}

constexpr double kNoCut = -std::numeric_limits<double>::infinity();

// The gains of all cuts where steps are held back: slower.
inline void held_gains(const SumsView& sums, size_t n_cuts, const GainTerms& t,
                       const NodeTerms& node, const GainSettings& settings, int monotone,
                       double* gains) {
  const double own = value_of(node, settings);
  Total left{t.g0, t.c0, t.n0};
  for (size_t k = 0; k < n_cuts; ++k) {
    left = {left.g + sums.g[k], left.c + sums.c[k], left.n + sums.n[k]};
    const Total right = node.total - left;
    gains[k] = kNoCut;
    if (left.n < t.least_n || right.n < t.least_n || left.c < t.least_c || right.c < t.least_c)
      continue;
    const double low = value_of(node, left, own, settings);
    const double high = value_of(node, right, own, settings);
    if ((monotone > 0 && low > high) || (monotone < 0 && low < high)) continue;
    gains[k] = fall_of(node, left, low, settings) + fall_of(node, right, high, settings);
  }
}

struct Best {
  double gain = kNoCut;
  size_t cut = 0;
  bool missing_right = true;
};

// A cut whose steps raise the loss is none, but for smoothing: it may raise that of a node by more.
inline bool worth(const Best& best, const GainSettings& settings) {
  return best.gain >= 0 || settings.path_smoothing > 0;
}

// The best cut through slots in a given order, missing values (of their own sums) on either side.
inline Best best_cut(const SumsView& sums, size_t n_cuts, const Total& missing,
                     const NodeTerms& node, const GainSettings& settings, int monotone) {
  Best best;
  if (n_cuts == 0) return best;
  double gains[kSlots];
  const double least =
      std::ceil(settings.min_curvature / node.c_unit);  // beyond 2^62: more than any sum
  const int64_t least_c =
      std::max<int64_t>(settings.l2 > 0 ? 0 : 1, static_cast<int64_t>(std::min(least, 0x1p62)));
  GainTerms t{node.total.g, node.total.c, node.total.n, 0,          0, 0, settings.min_samples_leaf,
              least_c,      node.g_unit,  node.c_unit,  settings.l2};
  for (const bool missing_right : {true, false}) {
    if (!missing_right) {
      if (missing.n == 0) break;
      t.g0 = missing.g, t.c0 = missing.c, t.n0 = missing.n;
    }
    if (node.held)
      held_gains(sums, n_cuts, t, node, settings, monotone, gains);
    else
      hot().gains(sums.g, sums.c, sums.n, n_cuts, &t, gains);
    const size_t cut = hot().greatest(gains, n_cuts);
    if (gains[cut] > best.gain) best = {gains[cut], cut, missing_right};
  }
  return best;
}

// The sums of the codes up to a cut.
inline Total up_to(const SumsView& sums, size_t cut) {
  Total left;
  for (size_t k = 0; k <= cut; ++k)
    left = {left.g + sums.g[k], left.c + sums.c[k], left.n + sums.n[k]};
  return left;
}

// One cut, drawn from those between codes that the node holds; where it holds one code alone, that
// between known and missing values.
inline Best drawn_cut(const SumsView& sums, size_t n_known, const Total& missing,
                      const NodeTerms& node, const GainSettings& settings, int monotone,
                      uint64_t number) {
  size_t low = 0, high = n_known;
  while (low < n_known && sums.n[low] == 0) ++low;
  while (high > low && sums.n[high - 1] == 0) --high;
  const size_t between = high > low ? high - low - 1 : 0;
  if (between == 0 && (missing.n == 0 || high == low)) return {};
  const size_t cut = between > 0 ? low + draws::below(between, number) : n_known - 1;
  const Total left = up_to(sums, cut);
  Best best = best_cut(SumsView(left), 1, missing, node, settings, monotone);
  best.cut = cut;
  return best;
}

// What the node has without a split.
inline double whole(const NodeTerms& node, const GainSettings& settings) {
  return fall_of(node, node.total, value_of(node, settings), settings);
}

inline Total missing_of(const Column& column, const SumsView& sums) {
  if (!column.has_missing) return {};
  return {sums.g[column.n_codes], sums.c[column.n_codes], sums.n[column.n_codes]};
}

// A cut of an ordered column as a split, as yet without its gain.
inline GainSplit of_cut(const SumsView& sums, const Best& best, const Total& missing) {
  GainSplit split;
  split.cut = static_cast<uint32_t>(best.cut);
  split.missing_right = best.missing_right;
  split.missing_met = missing.n > 0;
  split.left = up_to(sums, best.cut);
  if (!best.missing_right)
    split.left = {split.left.g + missing.g, split.left.c + missing.c, split.left.n + missing.n};
  return split;
}

// The split of an ordered column at one cut, whatever it gains; not forced where a side would break
// a limit, which best_cut tells by a number that no gain is.
inline GainSplit at_cut(const Column& column, const SumsView& sums, const NodeTerms& node,
                        const GainSettings& settings, int monotone, size_t cut) {
  if (column.n_codes == 0) return {};
  const Total missing = missing_of(column, sums), left = up_to(sums, cut);
  Best best = best_cut(SumsView(left), 1, missing, node, settings, monotone);
  if (node.held ? best.gain == kNoCut : best.gain < 0) return {};
  best.cut = cut;
  GainSplit split = of_cut(sums, best, missing);
  split.gain = std::max(best.gain - whole(node, settings), 0.0);
  split.forced = true;
  return split;
}

inline GainSplit on_numbers(const Column& column, const SumsView& sums, const NodeTerms& node,
                            const GainSettings& settings, int monotone, uint64_t number) {
  GainSplit split;
  if (column.n_codes == 0) return split;
  const Total missing = missing_of(column, sums);
  // A last cut with all known values on the left sets missing apart from known.
  const size_t n_cuts = column.n_codes - (missing.n > 0 ? 0u : 1u);
  const Best best = settings.random_cuts
                        ? drawn_cut(sums, column.n_codes, missing, node, settings, monotone, number)
                        : best_cut(sums, n_cuts, missing, node, settings, monotone);
  const double gained = best.gain - whole(node, settings);
  if (!worth(best, settings) || !(gained > 0)) return split;
  split = of_cut(sums, best, missing);
  split.gain = gained;
  return split;
}

// A category whose rate is pure chance has G^2/C of about the noise, and categories in order of
// rate are cut where most of it is gained: every category beyond a few makes a cut look better by a
// share of the noise, which is taken off. Missing is one more category here. A category's rate is
// mixed with the node's, so that rare categories do not lead the order by chance.
inline GainSplit on_categories(const Column& column, const SumsView& sums, const NodeTerms& node,
                               const GainSettings& settings, uint64_t number) {
  GainSplit split;
  uint32_t present[kSlots];
  double rate[kSlots];
  size_t n_present = 0;
  const double G = static_cast<double>(node.total.g) * node.g_unit;
  const double C = static_cast<double>(node.total.c) * node.c_unit;
  const double share = settings.category_smooth / static_cast<double>(node.total.n);
  for (uint32_t k = 0; k < column.n_slots(); ++k) {
    if (sums.n[k] == 0) continue;
    rate[k] = (static_cast<double>(sums.g[k]) * node.g_unit + share * G) /
              (static_cast<double>(sums.c[k]) * node.c_unit + share * C + 1e-300);
    present[n_present++] = k;
  }
  if (n_present < 2) return split;
  std::stable_sort(present, present + n_present,
                   [&](uint32_t a, uint32_t b) { return rate[a] > rate[b]; });
  Sums sorted;
  for (size_t k = 0; k < n_present; ++k) {
    sorted.g[k] = sums.g[present[k]];
    sorted.c[k] = sums.c[present[k]];
    sorted.n[k] = sums.n[present[k]];
  }
  const SumsView in_order(sorted, false);
  const Best best = settings.random_cuts
                        ? drawn_cut(in_order, n_present, {}, node, settings, 0, number)
                        : best_cut(in_order, n_present - 1, {}, node, settings, 0);
  const double chance = n_present > kFewCategories
                            ? static_cast<double>(n_present - kFewCategories) * node.noise
                            : 0.0;
  const double gained = best.gain - whole(node, settings) - settings.category_noise * chance;
  if (!worth(best, settings) || !(gained > 0)) return split;
  split.gain = gained;
  split.categories = true;
  for (size_t k = 0; k < n_present; ++k) {
    if (present[k] == column.n_codes)
      split.missing_met = true;
    else
      split.met.add(present[k]);
    if (k <= best.cut) {
      split.left.g += sorted.g[k];
      split.left.c += sorted.c[k];
      split.left.n += sorted.n[k];
    } else if (present[k] == column.n_codes) {
      split.missing_right = true;
    } else {
      split.right.add(present[k]);
    }
  }
  return split;
}

}  // namespace gain

// `number`: random, for the cut, where cuts are drawn.
inline GainSplit best_split(const Column& column, const SumsView& sums, const NodeTerms& node,
                            const GainSettings& settings, int monotone, uint64_t number = 0) {
  return column.categorical ? gain::on_categories(column, sums, node, settings, number)
                            : gain::on_numbers(column, sums, node, settings, monotone, number);
}

}  // namespace weaklearn
