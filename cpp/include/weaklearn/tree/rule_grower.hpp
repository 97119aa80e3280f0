// Rules of a few tests, grown on one part of the examples and pruned on the other.
//
// Every column is coded by the ranks of its values; missing ones come last. Tests are x <= t and
// x > t, t between two neighbouring values, x = v of categories, and that a value is missing. Grown
// is by the merit (sqrt(W+) - sqrt(W-))^2 with the sign of the difference, W+ and W- the weights of
// the positive and negative examples covered; of equals the lowest feature, then the lowest value,
// then "above". Cost: O(rows covered) a test of the rule and a column.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "weaklearn/margin/exact_products.hpp"

namespace weaklearn {

// One test: of a feature what is asked, and the number of a value.
enum class RuleAsks : int32_t { at_most, above, category, missing };
struct RuleTest {
  int32_t feature;
  RuleAsks asks;
  int32_t value;
};

// The ranks of n rows in d columns, column after column.
struct RankedColumns {
  const int32_t* rank;
  const int64_t* n_values;  // missing values have this rank
  const uint8_t* categorical;
  const uint8_t* missing;  // whether there are missing values
  size_t n, d;

  bool meets(size_t row, const RuleTest& test) const {
    const size_t j = static_cast<size_t>(test.feature);
    const int32_t code = rank[j * n + row];
    if (test.asks == RuleAsks::at_most) return code <= test.value;
    if (test.asks == RuleAsks::above) return code > test.value && code < n_values[j];
    return code == test.value;
  }
};

struct CoveredWeights {
  double plus, minus;
};

inline double rule_merit(double plus, double minus) {
  const double lead = std::sqrt(plus) - std::sqrt(minus);
  return lead * std::fabs(lead);
}

class RuleGrower {
 public:
  RuleGrower(const RankedColumns& columns, double grow, int64_t most_tests, double least_share)
      : columns_(columns), grow_(grow), most_tests_(most_tests), least_share_(least_share) {
    for (size_t j = 0; j < columns.d; ++j) starts_.push_back(slots_), slots_ += width(j);
  }

  // The rule for the positive examples: keys are random numbers that equal examples share.
  std::vector<RuleTest> rule(const double* weight, const int8_t* z, const int64_t* copies,
                             const uint64_t* keys, double m) {
    const size_t n = columns_.n;
    drawn_copies(weight, copies, keys);
    grown_.resize(n);
    rest_.resize(n);
    for (size_t i = 0; i < n; ++i) {
      grown_[i] = weight[i] / static_cast<double>(copies[i]) * static_cast<double>(drawn_[i]);
      rest_[i] = weight[i] - grown_[i];
    }
    std::vector<RuleTest> tests;
    const std::vector<CoveredWeights> way = grown(z, tests);
    tests.resize(kept(way, way_of(z, tests), m));
    return tests;
  }

  // The number of copies of each row to grow on: those of the lowest keys, `grow_` of the weight.
  const std::vector<int64_t>& drawn_copies(const double* weight, const int64_t* copies,
                                           const uint64_t* keys) {
    const size_t n = columns_.n;
    order_.resize(n);
    for (size_t i = 0; i < n; ++i) order_[i] = {keys[i], static_cast<uint32_t>(i)};
    std::sort(order_.begin(), order_.end());
    starts_of_equal_.clear();
    ends_.clear();
    for (size_t first = 0; first < n;) {  // identical examples
      size_t last = first + 1;
      while (last < n && order_[last].first == order_[first].first) ++last;
      const double rest =
          pair_sum([&](size_t k) { return weight[order_[k].second]; }, last - first - 1, first + 1);
      const double sum = weight[order_[first].second] + rest;
      starts_of_equal_.push_back(first);
      ends_.push_back(ends_.empty() ? sum : ends_.back() + sum);
      first = last;
    }
    const double aim = grow_ * ends_.back();
    const auto reached = std::lower_bound(ends_.begin(), ends_.end() - 1, aim);
    const auto border = static_cast<size_t>(reached - ends_.begin());
    const size_t begin = starts_of_equal_[border];
    const size_t end = border + 1 < ends_.size() ? starts_of_equal_[border + 1] : n;
    drawn_.assign(n, 0);
    for (size_t k = 0; k < begin; ++k) drawn_[order_[k].second] = copies[order_[k].second];
    int64_t here = 0;
    for (size_t k = begin; k < end; ++k) here += copies[order_[k].second];
    const double before = border > 0 ? ends_[border - 1] : 0.0;
    const double share = (aim - before) / (ends_[border] - before);
    const double wanted = std::ceil(share * static_cast<double>(here) * (1 - kTied));
    int64_t some = 0;  // also where no row has weight, and there is no share
    if (wanted > 0) some = wanted < static_cast<double>(here) ? static_cast<int64_t>(wanted) : here;
    for (size_t k = begin; k < end; ++k) {
      const uint32_t row = order_[k].second;
      drawn_[row] = std::clamp<int64_t>(some, 0, copies[row]);
      some -= copies[row];
    }
    return drawn_;
  }

 private:
  using Rows = std::vector<uint32_t>;
  static constexpr double kTied = 1e-12;
  static constexpr double kUnit = 4503599627370496.0;  // 2^52: weights are multiples of its inverse

  size_t width(size_t j) const { return static_cast<size_t>(columns_.n_values[j]) + 1; }

  // Adds tests while the merit rises; returns the weights covered by the first 0, 1, 2, ... tests.
  std::vector<CoveredWeights> grown(const int8_t* z, std::vector<RuleTest>& tests) {
    Rows plus, minus;
    for (size_t i = 0; i < columns_.n; ++i)
      if (grown_[i] != 0 && z[i] != 0)
        (z[i] > 0 ? plus : minus).push_back(static_cast<uint32_t>(i));
    const double total = array_sum(grown_.data(), columns_.n), tie = kTied * total;
    std::vector<CoveredWeights> way{{covered(plus), covered(minus)}};
    while (way.back().minus > 0 && static_cast<int64_t>(tests.size()) < most_tests_) {
      const auto found = best(plus, minus, tie, least_share_ * total);
      if (!found || found->first <= rule_merit(way.back().plus, way.back().minus) + tie) break;
      tests.push_back(found->second);
      for (Rows* rows : {&plus, &minus}) keep(*rows, tests.back());
      way.push_back({covered(plus), covered(minus)});
    }
    return way;
  }

  double covered(const Rows& rows) const {
    return pair_sum([&](size_t k) { return grown_[rows[k]]; }, rows.size());
  }

  void keep(Rows& rows, const RuleTest& test) const {
    std::erase_if(rows, [&](uint32_t row) { return !columns_.meets(row, test); });
  }

  // The weights of the other part that are covered by the first 0, 1, 2, ... tests.
  std::vector<CoveredWeights> way_of(const int8_t* z, const std::vector<RuleTest>& tests) const {
    Rows rows;
    for (size_t i = 0; i < columns_.n; ++i)
      if (rest_[i] != 0) rows.push_back(static_cast<uint32_t>(i));
    std::vector<CoveredWeights> way;
    for (size_t k = 0;; ++k) {
      const double plus =
          pair_sum([&](size_t i) { return z[rows[i]] > 0 ? rest_[rows[i]] : 0.0; }, rows.size());
      const double all = pair_sum([&](size_t i) { return rest_[rows[i]]; }, rows.size());
      way.push_back({plus, all - plus});
      if (k == tests.size()) return way;
      keep(rows, tests[k]);
    }
  }

  // The number of tests of least loss on the other part; of equals the fewest.
  static size_t kept(const std::vector<CoveredWeights>& grown,
                     const std::vector<CoveredWeights>& pruned, double m) {
    if (pruned[0].plus + pruned[0].minus == 0) return grown.size() - 1;  // nothing to judge by
    const double less = 0.5 / m;
    std::vector<double> losses;
    for (size_t k = 0; k < grown.size(); ++k) {
      const double c = 0.5 * std::log((grown[k].plus + less) / (grown[k].minus + less));
      losses.push_back(1 - pruned[k].plus - pruned[k].minus + pruned[k].plus * std::exp(-c) +
                       pruned[k].minus * std::exp(c));
    }
    const double least = *std::min_element(losses.begin(), losses.end());
    size_t k = 0;
    while (k + 1 < losses.size() && !(losses[k] <= least + kTied)) ++k;
    return k;
  }

  // The test of most merit, and that merit; none where no test is met by enough weight.
  std::optional<std::pair<double, RuleTest>> best(const Rows& plus, const Rows& minus, double tie,
                                                  double least) {
    above_.assign(slots_, kNone);
    below_.assign(slots_, kNone);
    double most = kNone;
    for (size_t j = 0; j < columns_.d; ++j) most = std::max(most, merits(j, plus, minus, least));
    if (most == kNone) return std::nullopt;
    for (size_t j = 0; j < columns_.d; ++j)
      for (size_t k = 0; k < width(j); ++k) {
        const bool above = above_[starts_[j] + k] >= most - tie;
        if (above || below_[starts_[j] + k] >= most - tie)
          return std::pair{most, test(j, k, above)};
      }
    return std::nullopt;
  }

  RuleTest test(size_t j, size_t k, bool above) const {
    const auto value = static_cast<int32_t>(k);
    RuleAsks asks = columns_.categorical[j] ? RuleAsks::category
                    : above                 ? RuleAsks::above
                                            : RuleAsks::at_most;
    if (value == columns_.n_values[j]) asks = RuleAsks::missing;
    return {static_cast<int32_t>(j), asks, value};
  }

  // Fills in the merits of the tests of a column; returns the largest.
  double merits(size_t j, const Rows& plus, const Rows& minus, double least) {
    const size_t values = width(j) - 1;
    double *const above = above_.data() + starts_[j], *const below = below_.data() + starts_[j];
    slot_sums(j, plus, plus_);
    slot_sums(j, minus, minus_);
    double most = kNone;
    const auto note = [&](double* where, int64_t up, int64_t down) {
      const double W_plus = static_cast<double>(up) / kUnit;
      const double W_minus = static_cast<double>(down) / kUnit;
      if (!(W_plus + W_minus >= least)) return;
      *where = rule_merit(W_plus, W_minus);
      if (*where > most) most = *where;
    };
    const bool missing = columns_.missing[j];
    if (columns_.categorical[j]) {
      if (values + missing > 1)
        for (size_t k = 0; k < values; ++k) note(below + k, plus_[k], minus_[k]);
    } else if (values > 1) {
      int64_t all_plus = 0, all_minus = 0, up = 0, down = 0;
      for (size_t k = 0; k < values; ++k) all_plus += plus_[k], all_minus += minus_[k];
      for (size_t k = 0; k + 1 < values; ++k) {
        up += plus_[k], down += minus_[k];
        note(above + k, all_plus - up, all_minus - down);
        note(below + k, up, down);
      }
    }
    if (missing && values > 0) note(below + values, plus_[values], minus_[values]);
    return most;
  }

  // The weight of rows at every rank of a column, in units.
  void slot_sums(size_t j, const Rows& rows, std::vector<int64_t>& out) {
    sums_.assign(width(j), 0.0);
    const int32_t* const rank = columns_.rank + j * columns_.n;
    for (const uint32_t row : rows) sums_[static_cast<size_t>(rank[row])] += grown_[row];
    out.resize(width(j));
    for (size_t k = 0; k < width(j); ++k) out[k] = static_cast<int64_t>(sums_[k] * kUnit);
  }

  static constexpr double kNone = -std::numeric_limits<double>::infinity();

  RankedColumns columns_;
  double grow_;
  int64_t most_tests_;
  double least_share_;
  size_t slots_ = 0;
  std::vector<size_t> starts_, starts_of_equal_;
  std::vector<std::pair<uint64_t, uint32_t>> order_;
  std::vector<int64_t> drawn_, plus_, minus_;
  std::vector<double> ends_, grown_, rest_, above_, below_, sums_;
};

}  // namespace weaklearn
