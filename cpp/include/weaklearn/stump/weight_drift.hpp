// What is remembered of sums between searches, and what it says of today's weights.
//
// If since a sum was taken every weight was multiplied by a factor between a and b, the extremes of
// today lie within (a+b)/2 times the old ones, give or take (b-a)/2 times the old mass. Bounds may
// only say "look again", never what the answer is: they change the cost of a search, not its
// result.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/weights/weights.hpp"

namespace weaklearn {

// What is remembered of a coarse bin from the last time it was opened. Single precision is
// enough: the bounds leave room for its rounding.
struct BinBounds {
  float least = 0, most = 0;  // extreme inner prefix sums
  float sum = 0, mass = 0;    // of the bin, signed and absolute
  uint32_t opened = 0;        // search in which it was opened; 0: never
};

// What is remembered of a sparse column: the extreme sums of listed rows that a cut sets apart
// from the others (the empty sum among them), and the mass of all that are listed.
struct SparseBounds {
  float least = 0, most = 0, mass = 0;
  float copies = 0;     // that were rounded
  uint32_t looked = 0;  // search in which it was summed up; 0: never
};

// Neighbouring sparse columns: bounds of all of them, and whether the search has found one in it.
struct ColumnBatch {
  SparseBounds all;
  bool live = true;
};

// Bounds hold for the weights of the search they were taken in. Since then every weight was
// multiplied by a factor between two that are known: sums have moved no further than those allow.
class WeightDrift {
 public:
  // Between which factors the weights have moved since a search.
  struct Spread {
    double least = 1, most = 1;
    double middle() const { return (least + most) / 2; }
    double half() const { return (most - least) / 2; }
  };

  // A new search, under these weights.
  void begin(const Weights& weights) {
    ++search_;
    update_spreads(weights);
  }
  // The number of this search; bounds are dated by it, and 0 is none.
  uint32_t search() const { return search_; }
  const Spread& since(uint32_t search) const { return spread_[search % kMemory]; }

  // Whether bounds say anything yet: the bin was opened not too long ago, and the weights have not
  // moved too far since. Some bounds are so old that they soon will not.
  bool is_known(const BinBounds& bounds) const {
    return bounds.opened != 0 && search_ - bounds.opened < kMemory &&
           since(bounds.opened).half() < 1e100;
  }
  bool is_old(const BinBounds& bounds) const { return search_ - bounds.opened > kMemory / 2; }

  // Whether a bin of n rows, before which the signed sum is `before`, may hold an R of at least
  // `bar`.
  bool may_hold(const BinBounds& bounds, size_t n, int64_t before, int64_t sum, int64_t s,
                int64_t bar, const Weights& weights) const {
    if (n < 2) return false;
    if (!is_known(bounds)) return true;
    if (bounds.least > bounds.most) return false;  // one value: nothing inside to cut
    const double middle = since(bounds.opened).middle();
    const double half = since(bounds.opened).half();
    // Each copy was rounded then and now by half a unit; sums of up to 2^61 lose 2^9 as doubles;
    // what is remembered has single precision.
    const double slack =
        weights.copies_in(n) * (2.0 + middle + half) + 8192 + 1e-6 * (middle + half) * bounds.mass;
    // A prefix and the rest of the bin bound each other: half the slack each, moved by the known
    // sum.
    const double moved = static_cast<double>(sum) - middle * bounds.sum;
    const double most = middle * bounds.most + (half * bounds.mass + moved) / 2 + slack;
    const double least = middle * bounds.least - (half * bounds.mass - moved) / 2 - slack;
    const double at = 2.0 * static_cast<double>(before) - static_cast<double>(s);
    return std::max(std::abs(at + 2 * most), std::abs(at + 2 * least)) >= static_cast<double>(bar);
  }

  // Whether a column may hold an R of at least `bar`, for all that is remembered of it. A cut sets
  // some listed rows of sum Q apart from all others: R = |2 Q - S|.
  bool may_be_best(const SparseBounds& bounds, int64_t signed_total, int64_t bar) const {
    if (bounds.looked == 0 || search_ - bounds.looked >= kMemory) return true;
    const double middle = since(bounds.looked).middle();
    if (!(since(bounds.looked).half() < 1e100)) return true;
    const double slack = slack_of(bounds);
    const double s = static_cast<double>(signed_total);
    return std::max(2 * (middle * bounds.most + slack) - s,
                    s - 2 * (middle * bounds.least - slack)) >= static_cast<double>(bar);
  }

  // Widens bounds of this search, so that they hold for others too, those moved to today's weights
  // and rounded up. What cannot be remembered of one cannot be of all.
  void widen(SparseBounds& all, const SparseBounds& one) const {
    if (one.looked == 0 || search_ - one.looked >= kMemory || !(since(one.looked).half() < 1e100))
      all.looked = 0;
    if (all.looked == 0) return;
    const double slack = slack_of(one), middle = since(one.looked).middle();
    const double mass = since(one.looked).most * one.mass + 3.0 * one.copies;
    all.most = std::max(all.most, static_cast<float>((middle * one.most + slack) * kRoundedUp));
    all.least = std::min(all.least, static_cast<float>((middle * one.least - slack) * kRoundedUp));
    all.mass = std::max(all.mass, static_cast<float>(mass * kRoundedUp));
    all.copies = std::max(all.copies, one.copies);
  }

  // Whether so much may have changed that a fresh look will spare several.
  bool is_stale(const SparseBounds& bounds) const { return since(bounds.looked).most > 4; }

 private:
  static constexpr uint32_t kMemory = 256;  // bounds older than so many searches are taken anew
  static constexpr double kRoundedUp = 1.000001;

  // By how much sums of a sparse column may have moved off the middle: by the weights, and, as in a
  // bin, by rounding to whole numbers and single precision.
  double slack_of(const SparseBounds& bounds) const {
    const double middle = since(bounds.looked).middle(), half = since(bounds.looked).half();
    return bounds.copies * (2.0 + middle + half) + 8192 +
           (half + 1e-6 * (middle + half)) * bounds.mass;
  }

  void update_spreads(const Weights& weights) {
    spread_.resize(kMemory);
    const double least = std::exp(weights.log_least() - log_least_);
    const double most = std::exp(weights.log_most() - log_most_);
    log_least_ = weights.log_least();
    log_most_ = weights.log_most();
    for (Spread& since : spread_) {
      since.least *= least;
      since.most *= most;
    }
    spread_[search_ % kMemory] = Spread{};
  }

  uint32_t search_ = 0;
  double log_least_ = 0, log_most_ = 0;  // the weights' running log-factors at the last search
  std::vector<Spread> spread_;           // of the last kMemory searches, by search modulo kMemory
};

}  // namespace weaklearn
