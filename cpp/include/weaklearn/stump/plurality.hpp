// The exact stump for many classes: each block answers its heaviest class (the smallest label on
// ties).
//
// The search maximises the weight R that is right: heaviest class left + heaviest class right +
// heaviest class among the missing. Ties within 1e-12 of the total weight go to the lowest feature,
// then the lowest threshold or category. A coarse bin is opened where even giving its whole mass to
// both sides would reach the best so far. A test may be asked to leave a least share of the total
// weight in every block; weights may carry signs, which do not count.
//
// Cost: one addition a cell, O(K bins) a column, and O(K) a row of the opened bins.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/columns/route.hpp"
#include "weaklearn/stump/stump_found.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/weights/weights.hpp"

namespace weaklearn {

struct PluralityFound {
  Test test = Test::constant;
  int64_t feature = -1;
  double threshold = 0;
  uint32_t category = 0;
  int32_t low = 0, high = 0;  // classes below and above the threshold (off and at the category)
  int32_t missing = -1;       // class where the value is missing; -1 where training had none
  int32_t majority = 0;       // heaviest class over all rows
  int64_t right = 0;          // R
  std::vector<int32_t> by_category;  // multiway tests: the class at each category
};

class PluralitySearch {
 public:
  PluralitySearch(const Columns& columns, const int32_t* labels, size_t n_classes,
                  CategoricalTest categorical, MissingRule missing, double least_share,
                  bool by_sign, int threads)
      : columns_(columns),
        labels_(labels, labels + columns.n_rows()),
        k_(n_classes),
        least_share_(least_share),
        by_sign_(by_sign),
        categorical_(categorical),
        missing_(missing),
        threads_(threads),
        best_(columns.size()) {}

  PluralityFound search(const Weights& weights) {
    tied_ = weights.total() / 1'000'000'000'000;
    // A block that holds the share exactly may fall short of it by rounding.
    const double least = least_share_ * static_cast<double>(weights.total());
    least_ = std::max(int64_t{0}, static_cast<int64_t>(least) - tied_ - weights.doubt());
    const int64_t doubt = weights.doubt();
    std::atomic<int64_t> best{-1};
    Pool::instance().run(columns_.size(),
                         threads_for(columns_.size() * columns_.n_rows(), threads_), [&](size_t j) {
                           const int64_t bar = best.load(std::memory_order_relaxed) - tied_ - doubt;
                           best_[j] = Scan(*this, weights, j, bar).best();
                           int64_t seen = best.load(std::memory_order_relaxed);
                           while (best_[j] > seen && !best.compare_exchange_weak(seen, best_[j])) {
                           }
                         });
    std::vector<int64_t> all(k_, 0);
    for (size_t i = 0; i < weights.size(); ++i) all[labels_[i]] += std::abs(weights.value()[i]);
    const bool few = doubt <= Weights::kFewCopies;
    const int64_t bar = best.load() - tied_ - (few ? 0 : doubt);
    std::vector<PluralityFound> candidates;
    bool constant_seen = false;
    for (size_t j = 0; j < columns_.size() && (candidates.empty() || !few); ++j)
      if (best_[j] >= 0 && best_[j] >= bar)
        Scan(*this, weights, j, bar)
            .choose(static_cast<int64_t>(j), bar, few, constant_seen, candidates);
    PluralityFound found = candidates.empty()       ? PluralityFound{}
                           : candidates.size() == 1 ? candidates[0]
                                                    : settled(weights, candidates, best.load());
    found.majority = heaviest(all.data(), true);
    return found;
  }

 private:
  // Where whole numbers cannot tell a tie, what rounding left out of the weights decides.
  PluralityFound settled(const Weights& weights, const std::vector<PluralityFound>& candidates,
                         int64_t best) const {
    std::vector<int64_t> finer(candidates.size());
    std::vector<int8_t> side(columns_.n_rows());
    for (size_t k = 0; k < candidates.size(); ++k) {
      const PluralityFound& found = candidates[k];
      const Column& column = columns_[static_cast<size_t>(found.feature)];
      const Answers answers{found.test, found.threshold, found.category,          found.low,
                            found.high, found.missing,   found.by_category.data()};
      int32_t outcome[256];
      const Cut cut = outcomes(column, answers, outcome);
      const auto judge = [&](size_t i, int32_t answer) {
        side[i] = answer == labels_[i] ? int8_t{1} : int8_t{0};
      };
      route(column, columns_.n_rows(), outcome, cut, answers.high, judge, threads_);
      finer[k] =
          ((found.right - best) << Weights::kFiner) + weights.remainder(side.data(), threads_);
      Pool::check_interrupt();
    }
    const int64_t bar = *std::max_element(finer.begin(), finer.end()) - (tied_ << Weights::kFiner);
    size_t k = 0;
    while (finer[k] < bar) ++k;
    return candidates[k];
  }

  // The smallest class within 1e-12 of the total weight of the heaviest. With two classes standing
  // for signs, a tie above the cut goes to the larger one: polarity +1 is preferred.
  int32_t heaviest(const int64_t* sums, bool above) const {
    const int64_t most = *std::max_element(sums, sums + k_);
    if (by_sign_ && above && sums[1] >= most - tied_) return 1;
    int32_t l = 0;
    while (sums[l] < most - tied_) ++l;
    return l;
  }

  // One column looked at: its table of sums by code and class, and the walk over its candidates.
  class Scan {
   public:
    Scan(const PluralitySearch& search, const Weights& weights, size_t j, int64_t bar)
        : column_(search.columns_[j]),
          search_(search),
          weights_(weights),
          k_(search.k_),
          bar_(bar) {
      table_.assign(static_cast<size_t>(column_.n_slots()) * k_, 0);
      known_.assign(k_, 0);
      const int64_t* value = weights.value();
      const size_t m = search.columns_.n_rows();
      if (column_.sparse) {
        for (size_t i = 0; i < m && column_.zero_code != kNoCode; ++i)
          at(column_.zero_code)[label(i)] += std::abs(value[i]);
        for (size_t e = 0; e < column_.n_entries; ++e) {
          const uint32_t i = column_.entry_rows[e];
          const int64_t v = std::abs(value[i]);
          at(column_.codes[e])[label(i)] += v;
          if (column_.zero_code != kNoCode) at(column_.zero_code)[label(i)] -= v;
        }
      } else {
        for (size_t i = 0; i < m; ++i) at(column_.codes[i])[label(i)] += std::abs(value[i]);
      }
      for (uint32_t c = 0; c < column_.n_codes; ++c)
        for (size_t l = 0; l < k_; ++l) known_[l] += at(c)[l];
      if (column_.has_missing && search.missing_ == MissingRule::branch)
        gain_ = most(at(column_.n_codes));
    }

    // The best R; bins that cannot reach the bar stay shut.
    int64_t best() {
      if (column_.n_codes == 0) return -1;
      int64_t best = -1;
      walk([&](int64_t right, Test, uint32_t, double (*)(const Column&, uint32_t), uint32_t,
               const int64_t*, const int64_t*) {
        best = std::max(best, right);
        return false;
      });
      return best + gain_;
    }

    // Lists the candidates that reach the bar in the order of preference, or only the first; the
    // constant, which is the same on every column without missing values, once.
    void choose(int64_t j, int64_t bar, bool first_only, bool& constant_seen,
                std::vector<PluralityFound>& list) {
      PluralityFound found;
      found.feature = j;
      if (column_.has_missing && search_.missing_ == MissingRule::branch)
        found.missing = search_.heaviest(at(column_.n_codes), false);
      walk([&](int64_t right, Test test, uint32_t category, double (*cut)(const Column&, uint32_t),
               uint32_t place, const int64_t* low, const int64_t* high) {
        if (right + gain_ < bar) return false;
        found.test = test;
        found.category = category;
        found.threshold = cut(column_, place);
        found.right = right + gain_;
        found.by_category.clear();
        if (test == Test::multiway) {
          for (uint32_t c = 0; c < column_.n_codes; ++c)
            found.by_category.push_back(search_.heaviest(at(c), false));
        } else {
          found.high = search_.heaviest(high, true);
          found.low = test == Test::constant ? found.high : search_.heaviest(low, false);
        }
        const bool plain = test == Test::constant && !column_.has_missing;
        if (!(plain && constant_seen)) list.push_back(found);
        constant_seen = constant_seen || plain;
        return first_only;
      });
    }

   private:
    int64_t* at(uint32_t code) { return &table_[static_cast<size_t>(code) * k_]; }
    int32_t label(size_t i) const { return search_.labels_[i]; }
    int64_t most(const int64_t* sums) const { return *std::max_element(sums, sums + k_); }
    // Whether a block holds the least weight asked for.
    bool enough(const int64_t* sums) const {
      return search_.least_ == 0 || std::accumulate(sums, sums + k_, int64_t{0}) >= search_.least_;
    }

    static double no_cut(const Column&, uint32_t) { return 0; }
    static double below_all(const Column& column, uint32_t) {
      return column.categorical ? -std::numeric_limits<double>::infinity()
                                : cut_below(column.least(0));
    }
    static double after_code(const Column& column, uint32_t code) {
      return cut_between(column.greatest(code), column.least(code + 1));
    }
    static double before_position(const Column& column, uint32_t position) {
      return cut_between(column.sorted(position - 1), column.sorted(position));
    }

    // Calls visit for every candidate in the order of preference until it answers true.
    template <class Visit>
    void walk(Visit&& visit) {
      const uint32_t n = column_.n_codes;
      if (column_.categorical && search_.categorical_ == CategoricalTest::multiway) {
        int64_t right = 0;
        bool allowed = true;
        for (uint32_t c = 0; c < n; ++c) {
          right += most(at(c));
          allowed = allowed && enough(at(c));
        }
        if (allowed)
          visit(right, Test::multiway, 0, &no_cut, 0, nullptr, nullptr);
        else
          visit(most(known_.data()), Test::constant, 0, &below_all, 0, known_.data(),
                known_.data());
        return;
      }
      if (visit(most(known_.data()), Test::constant, 0, &below_all, 0, known_.data(),
                known_.data()))
        return;
      std::vector<int64_t> low(k_, 0), high(known_);
      if (column_.categorical) {
        for (uint32_t c = 0; c < n; ++c) {
          for (size_t l = 0; l < k_; ++l) low[l] = known_[l] - at(c)[l];
          if (enough(low.data()) && enough(at(c)) &&
              visit(most(low.data()) + most(at(c)), Test::equality, c, &no_cut, 0, low.data(),
                    at(c)))
            return;
        }
        return;
      }
      for (uint32_t c = 0; c < n; ++c) {
        if (column_.coarse && may_hold(c, low, high) && walk_inside(c, low, high, visit)) return;
        for (size_t l = 0; l < k_; ++l) {
          low[l] += at(c)[l];
          high[l] -= at(c)[l];
        }
        if (c + 1 < n && enough(low.data()) && enough(high.data()) &&
            visit(most(low.data()) + most(high.data()), Test::threshold, 0, &after_code, c,
                  low.data(), high.data()))
          return;
      }
    }

    bool may_hold(uint32_t c, const std::vector<int64_t>& low, const std::vector<int64_t>& high) {
      if (column_.bin_start[c + 1] - column_.bin_start[c] < 2) return false;
      int64_t left = 0;
      for (size_t l = 0; l < k_; ++l) left = std::max(left, low[l] + at(c)[l]);
      return left + most(high.data()) + gain_ >= bar_;
    }

    template <class Visit>
    bool walk_inside(uint32_t c, std::vector<int64_t> low, std::vector<int64_t> high,
                     Visit& visit) {
      const uint32_t first = column_.bin_start[c], last = column_.bin_start[c + 1];
      for (uint32_t p = first; p < last; ++p) {
        const uint32_t i = column_.order[p] & kRowMask;
        if ((column_.order[p] & kNewValue) && p > first && enough(low.data()) &&
            enough(high.data()) &&
            visit(most(low.data()) + most(high.data()), Test::threshold, 0, &before_position, p,
                  low.data(), high.data()))
          return true;
        const int64_t v = std::abs(weights_.value()[i]);
        low[label(i)] += v;
        high[label(i)] -= v;
      }
      return false;
    }

    const Column& column_;
    const PluralitySearch& search_;
    const Weights& weights_;
    size_t k_;
    int64_t bar_;
    int64_t gain_ = 0;
    std::vector<int64_t> table_, known_;
  };

  const Columns& columns_;
  std::vector<int32_t> labels_;
  size_t k_;
  double least_share_;
  bool by_sign_;  // two classes that stand for -1 and +1
  CategoricalTest categorical_;
  MissingRule missing_;
  int threads_;
  int64_t tied_ = 0;
  int64_t least_ = 0;  // the least weight of a block
  std::vector<int64_t> best_;
};

}  // namespace weaklearn
