// The distribution over examples, in fixed point, as boosting moves it.
//
// An example's log-growth G_i is a double; its weight is w_i = p_i exp(G_i - shift) rounded to a
// whole number q_i for one copy, and v_i = sign_i * copies_i * q_i is what every sum adds up. Whole
// numbers make sums independent of the order of rows, of threads and of partitions, and weight k
// equals k copies. The total is kept between 2^56 and 2^61; G is rebased when it leaves that range,
// so that nothing overflows, vanishes or drifts, however many rounds are played.
//
// `tilt` multiplies weights by exp(-alpha * side_i) up to a common factor chosen so that rows with
// side +1 do not change at all: only the others are visited by incremental histograms.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "weaklearn/hot.hpp"

namespace weaklearn {

class Weights {
 public:
  static constexpr double kTarget = 144115188075855872.0;   // 2^57
  static constexpr double kMost = 2305843009213693952.0;    // 2^61
  static constexpr double kLeast = 72057594037927936.0;     // 2^56
  static constexpr int64_t kCoarseMass = int64_t{1} << 32;  // below it a mass is summed more finely

  // prior: relative weight of one copy (null: all equal); copies: repetitions (null: one each);
  // sign: -1 or +1 a row (null: all +1).
  Weights(size_t m, const double* prior, const int64_t* copies, const int8_t* sign)
      : growth_(m, 0.0), value_(m, 0) {
    if (prior != nullptr) {
      prior_.assign(prior, prior + m);
      const double most = *std::max_element(prior_.begin(), prior_.end());
      for (double& p : prior_) p /= most;
    }
    if (copies != nullptr) copies_.assign(copies, copies + m);
    if (sign != nullptr) sign_.assign(sign, sign + m);
    rebase();
  }

  size_t size() const { return value_.size(); }
  uint64_t id() const { return id_; }  // no two objects of a process share one
  const int64_t* value() const { return value_.data(); }
  int64_t total() const { return total_; }
  uint64_t version() const { return version_; }
  bool has_change() const { return has_change_; }
  // The rows the last tilt changed, ascending, and by how much each value moved.
  size_t n_changed() const { return n_changed_; }
  const uint32_t* changed() const { return changed_.data(); }
  const int64_t* change() const { return change_.data(); }
  double log_least() const {
    return log_least_;
  }  // sums of the smallest and largest log-factors so far
  double log_most() const { return log_most_; }

  // The share of the weight on one side: -1 wrong, 0 silent, +1 right. It is exactly 0 only where
  // no row of that side has weight.
  double mass(const int8_t* side, int8_t which) const {
    int64_t wrong = 0, silent = 0;
    hot().masses(side, value_.data(), size(), &wrong, &silent);
    const int64_t sum = which < 0 ? wrong : which == 0 ? silent : total_ - wrong - silent;
    if (sum >= kCoarseMass) return static_cast<double>(sum) / static_cast<double>(total_);
    return fine_share(side, which);
  }

  // D_i <- D_i exp(-alpha side_i), up to normalising.
  void tilt(double alpha, const int8_t* side) {
    const double step_wrong = 2 * alpha, step_abstain = alpha;
    int64_t wrong = 0, silent = 0;
    hot().masses(side, value_.data(), size(), &wrong, &silent);
    const double expected = static_cast<double>(total_ - wrong - silent) +
                            static_cast<double>(silent) * std::exp(step_abstain) +
                            static_cast<double>(wrong) * std::exp(step_wrong);
    vote_sum_ += alpha;
    log_least_ += std::min(0.0, step_wrong);
    log_most_ += std::max(0.0, step_wrong);
    ++version_;
    collect_changed(side);
    if (expected > kMost || expected < kLeast) {
      for (size_t k = 0; k < n_changed_; ++k) {
        const uint32_t i = changed_[k];
        growth_[i] += side[i] < 0 ? step_wrong : step_abstain;
      }
      rebase();
      return;
    }
    const size_t n = n_changed_;
    scratch_.resize(size());
    change_.resize(size());
    for (size_t k = 0; k < n; ++k) {
      const uint32_t i = changed_[k];
      growth_[i] += side[i] < 0 ? step_wrong : step_abstain;
      scratch_[k] = growth_[i] - shift_;
    }
    hot().exponentials(scratch_.data(), n);
    int64_t gained = 0;
    for (size_t k = 0; k < n; ++k) {
      const uint32_t i = changed_[k];
      const int64_t fresh = fixed(i, scratch_[k]);
      change_[k] = fresh - value_[i];
      gained += std::abs(fresh) - std::abs(value_[i]);
      value_[i] = fresh;
    }
    total_ += gained;
    has_change_ = true;
  }

  struct Standing {
    double least_score;  // the smallest y F
    int64_t errors;      // copies with sign(F) != y, where sign(0) = -1
  };
  // What the votes so far make of the training rows; without signs y F <= 0 is an error.
  Standing standing() const {
    double most = 0;
    int64_t errors = 0;
    hot().standing(growth_.data(), size(), vote_sum_, sign_.empty() ? nullptr : sign_.data(),
                   copies_.empty() ? nullptr : copies_.data(), &most, &errors);
    return {vote_sum_ - most, errors};
  }

  void shares(double* out) const {
    const double total = static_cast<double>(total_);
    for (size_t i = 0; i < size(); ++i) out[i] = static_cast<double>(std::abs(value_[i])) / total;
  }

 private:
  bool positive(size_t i) const { return prior_.empty() || prior_[i] > 0; }

  int64_t fixed(size_t i, double exponential) const {
    const double w = prior_.empty() ? exponential : prior_[i] * exponential;
    int64_t q = std::llrint(w);
    if (!copies_.empty()) q *= copies_[i];
    return sign_.empty() || sign_[i] > 0 ? q : -q;
  }

  void collect_changed(const int8_t* side) {
    changed_.resize(size());
    n_changed_ = 0;
    for (size_t i = 0; i < size(); ++i) {
      changed_[n_changed_] = static_cast<uint32_t>(i);
      n_changed_ += side[i] != 1;
    }
  }

  double copies_total() const {
    if (copies_.empty()) return static_cast<double>(size());
    int64_t sum = 0;
    for (int64_t c : copies_) sum += c;
    return static_cast<double>(sum);
  }

  // Chooses the shift anew from the largest growth, then once more from the total it gives.
  void rebase() {
    double most = -std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < size(); ++i)
      if (positive(i)) most = std::max(most, growth_[i]);
    const double old_shift = shift_ - most;
    for (double& g : growth_) g -= most;
    vote_sum_ -= most;
    shift_ = std::log(copies_total()) - std::log(kTarget);
    revalue();
    shift_ += std::log(static_cast<double>(total_)) - std::log(kTarget);
    revalue();
    log_least_ -= shift_ - old_shift;
    log_most_ -= shift_ - old_shift;
    has_change_ = false;
    ++version_;
  }

  void revalue() {
    scratch_.resize(size());
    for (size_t i = 0; i < size(); ++i) scratch_[i] = growth_[i] - shift_;
    hot().exponentials(scratch_.data(), size());
    total_ = 0;
    for (size_t i = 0; i < size(); ++i) {
      value_[i] = fixed(i, scratch_[i]);
      total_ += std::abs(value_[i]);
    }
  }

  // A small mass, summed relative to its own largest weight so that it keeps its digits.
  double fine_share(const int8_t* side, int8_t which) const {
    double most = -std::numeric_limits<double>::infinity();
    bool any = false;
    for (size_t i = 0; i < size(); ++i)
      if (side[i] == which && positive(i)) {
        most = std::max(most, growth_[i]);
        any = true;
      }
    if (!any) return 0;
    const double unit = 4503599627370496.0 / copies_total();  // 2^52 over the copies: no overflow
    int64_t sum = 0;
    for (size_t i = 0; i < size(); ++i) {
      if (side[i] != which || !positive(i)) continue;
      double e = growth_[i] - most;
      hot().exponentials(&e, 1);
      const int64_t q = std::llrint((prior_.empty() ? e : prior_[i] * e) * unit);
      sum += copies_.empty() ? q : q * copies_[i];
    }
    double scale = most - shift_;
    hot().exponentials(&scale, 1);
    const double share = static_cast<double>(sum) / unit * scale / static_cast<double>(total_);
    return std::max(share, std::numeric_limits<double>::min());
  }

  static uint64_t next_id() {
    static std::atomic<uint64_t> last{0};
    return ++last;
  }

  uint64_t id_ = next_id();
  std::vector<double> prior_;
  std::vector<int64_t> copies_;
  std::vector<int8_t> sign_;
  std::vector<double> growth_;
  std::vector<int64_t> value_;
  int64_t total_ = 0;
  double shift_ = 0;
  double vote_sum_ = 0;  // sum of the votes, rebased with the growth: y_i F_i = vote_sum - growth_i
  uint64_t version_ = 0;
  bool has_change_ = false;
  size_t n_changed_ = 0;
  std::vector<uint32_t> changed_;
  std::vector<int64_t> change_;
  double log_least_ = 0, log_most_ = 0;
  std::vector<double> scratch_;
};

}  // namespace weaklearn
