// The stumps that may be the best, in the order of preference, once columns are summed up.
//
// The order: lowest feature, then lowest threshold or category, then polarity +1. Cost: O(codes) of
// the columns that reach the bar, and the rows of their opened bins.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/columns/route.hpp"
#include "weaklearn/stump/column_sums.hpp"
#include "weaklearn/stump/joint_bins.hpp"
#include "weaklearn/stump/stump_found.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/weights/weights.hpp"

namespace weaklearn {

class StumpCandidates {
 public:
  // best: R of each column, -1 where it is not the best; inner: that inside each bin of the coarse
  // columns (without the gain of missing rows), -1 where it was not opened, from `offset` of the
  // column on. Where rows are one partition of several, `joint` has the cuts inside bins instead.
  StumpCandidates(const Columns& columns, const ColumnSums& sums, CategoricalTest categorical,
                  MissingRule missing, const std::vector<int64_t>& best,
                  const std::vector<int64_t>& inner, const std::vector<size_t>& offset,
                  const JointBins* joint)
      : columns_(columns),
        sums_(sums),
        categorical_(categorical),
        missing_(missing),
        best_(best),
        inner_(inner),
        offset_(offset),
        joint_(joint) {}

  // The first candidate, in the order of preference, whose R is at least `bar`.
  StumpFound first_of(const Weights& weights, int64_t bar) const {
    StumpFound first = nothing(weights);
    each_candidate(weights, bar, [&](const StumpFound& found) {
      first = found;
      return true;
    });
    return first;
  }

  // The same where so many copies were rounded that their whole numbers cannot tell a tie: among
  // the candidates that may be best, what rounding left out decides.
  StumpFound settled(const Weights& weights, int64_t best, int64_t tied, int64_t doubt,
                     int threads) const {
    std::vector<StumpFound> candidates;
    bool seen[2] = {false,
                    false};  // constants: every column without missing values has the same two
    each_candidate(weights, best - tied - doubt, [&](const StumpFound& found) {
      const bool plain =
          found.test == Test::constant && !columns_[static_cast<size_t>(found.feature)].has_missing;
      if (!(plain && seen[found.polarity > 0])) candidates.push_back(found);
      if (plain) seen[found.polarity > 0] = true;
      return false;
    });
    if (candidates.size() < 2) return candidates.empty() ? nothing(weights) : candidates[0];
    std::vector<int64_t> finer(candidates.size());
    std::vector<int8_t> side(columns_.n_rows());
    for (size_t k = 0; k < candidates.size(); ++k) {
      judge_rows(candidates[k], weights, side.data(), threads);
      finer[k] = weights.remainder(side.data(), threads);
      Pool::check_interrupt();
    }
    if (weights.all() != nullptr) weights.all()->sum(finer.data(), finer.size());
    for (size_t k = 0; k < candidates.size(); ++k)
      finer[k] += (candidates[k].correlation - best) << Weights::kFiner;
    const int64_t bar = *std::max_element(finer.begin(), finer.end()) - (tied << Weights::kFiner);
    size_t k = 0;
    while (finer[k] < bar) ++k;
    return candidates[k];
  }

 private:
  // A signed sum of at most this size counts as 0.
  static int64_t tolerance(const Weights& weights) { return weights.total() / 1'000'000'000'000; }

  // No test at all, only the majority.
  StumpFound nothing(const Weights& weights) const {
    StumpFound found;
    found.majority = sums_.signed_total() >= -tolerance(weights) ? 1 : -1;
    return found;
  }

  void judge_rows(const StumpFound& found, const Weights& weights, int8_t* side,
                  int threads) const {
    const Column& column = columns_[static_cast<size_t>(found.feature)];
    const std::vector<int32_t> by_category(found.by_category.begin(), found.by_category.end());
    const Answers answers{found.test,     found.threshold, found.category,    -found.polarity,
                          found.polarity, found.missing,   by_category.data()};
    int32_t outcome[256];
    const Cut cut = outcomes(column, answers, outcome);
    const auto judge = [&](size_t i, int32_t answer) {
      side[i] = static_cast<int8_t>(answer * weights.sign(i));
    };
    route(column, columns_.n_rows(), outcome, cut, answers.high, judge, threads);
  }

  // Calls visit, in the order of preference, for the candidates whose R is at least `bar`, until it
  // answers true.
  template <class Visit>
  void each_candidate(const Weights& weights, int64_t bar, Visit&& visit) const {
    for (size_t j = 0; j < columns_.size(); ++j) {
      if (best_[j] < 0 || best_[j] < bar) continue;
      const Column& column = columns_[j];
      StumpFound found = nothing(weights);
      found.feature = static_cast<int64_t>(j);
      if (column.has_missing && missing_ == MissingRule::branch)
        found.missing = sums_.table(j)[column.n_codes] > tolerance(weights) ? 1 : -1;
      if (each_of_column(weights, j, bar, found, visit)) return;
    }
  }

  // One candidate with correlation r at polarity +1, in either polarity that reaches the bar.
  template <class Visit>
  static bool offer(int64_t r, int64_t gain, int64_t bar, StumpFound& found, Visit& visit) {
    for (const int8_t polarity : {int8_t{1}, int8_t{-1}}) {
      found.polarity = polarity;
      found.correlation = polarity * r + gain;
      if (found.correlation >= bar && visit(found)) return true;
    }
    return false;
  }

  template <class Visit>
  bool each_of_column(const Weights& weights, size_t j, int64_t bar, StumpFound& found,
                      Visit& visit) const {
    const Column& column = columns_[j];
    const int64_t* sums = sums_.table(j);
    const int64_t s = sums_.known_sum(j), gain = sums_.missing_gain(j);
    if (column.categorical && categorical_ == CategoricalTest::multiway) {
      found.test = Test::multiway;
      found.correlation = best_[j];
      for (uint32_t c = 0; c < column.n_codes; ++c)
        found.by_category.push_back(sums[c] > tolerance(weights) ? 1 : -1);
      return visit(found);
    }
    found.test = Test::constant;
    found.threshold =
        column.categorical ? -std::numeric_limits<double>::infinity() : cut_below(column.least(0));
    if (offer(s, gain, bar, found, visit)) return true;
    if (column.categorical) {
      found.test = Test::equality;
      for (found.category = 0; found.category < column.n_codes; ++found.category)
        if (offer(2 * sums[found.category] - s, gain, bar, found, visit)) return true;
      return false;
    }
    found.test = Test::threshold;
    int64_t before = 0;
    for (uint32_t c = 0; c < column.n_codes; ++c) {
      if (column.coarse && each_inside(
                               weights, j, c, before,
                               [&](int64_t inner, auto&& cut) {
                                 if (std::abs(s - 2 * inner) + gain < bar) return false;
                                 found.threshold = cut();
                                 return offer(s - 2 * inner, gain, bar, found, visit);
                               },
                               bar - gain))
        return true;
      before += sums[c];
      if (c + 1 < column.n_codes && std::abs(s - 2 * before) + gain >= bar) {
        found.threshold = cut_between(column.greatest(c), column.least(c + 1));
        if (offer(s - 2 * before, gain, bar, found, visit)) return true;
      }
    }
    return false;
  }

  // Calls look(signed weight below it, its threshold) for the cuts inside a bin that may reach
  // `bar`, in ascending order, until it answers true.
  template <class Look>
  bool each_inside(const Weights& weights, size_t j, uint32_t c, int64_t before, Look&& look,
                   int64_t bar) const {
    if (joint_ != nullptr) {
      const auto [first, last] = joint_->cuts(j, c);
      return std::any_of(first, last, [&](const JointCut& cut) {
        return look(cut.below, [&] { return cut_between(cut.left, cut.right); });
      });
    }
    if (inner_[offset_[j] + c] < std::max(bar, int64_t{0})) return false;
    const Column& column = columns_[j];
    const uint32_t first = column.bin_start[c], last = column.bin_start[c + 1];
    for (uint32_t p = first; p < last; ++p) {
      if ((column.order[p] & kNewValue) && p > first &&
          look(before, [&] { return cut_between(column.sorted(p - 1), column.sorted(p)); }))
        return true;
      before += weights.value()[column.order[p] & kRowMask];
    }
    return false;
  }

  const Columns& columns_;
  const ColumnSums& sums_;
  CategoricalTest categorical_;
  MissingRule missing_;
  const std::vector<int64_t>& best_;
  const std::vector<int64_t>& inner_;
  const std::vector<size_t>& offset_;
  const JointBins* joint_;
};

}  // namespace weaklearn
