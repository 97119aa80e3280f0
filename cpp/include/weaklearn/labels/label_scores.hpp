// Examples of many labels, with the scores that boosting has given them so far.
//
// Scores F are kept less what all rows have in common, as long as steps are whole numbers of 2^-40:
// sums of such numbers are exact, in whatever order they are added up.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "weaklearn/hot/aligned.hpp"
#include "weaklearn/hot/loops.hpp"
#include "weaklearn/partitions/collective.hpp"

namespace weaklearn {

// How many numbers a row of so many labels takes.
inline size_t label_stride(size_t n_labels) {
  if (n_labels <= 2) return n_labels;
  return n_labels <= 4 ? 4 : (n_labels + 7) / 8 * 8;
}

class LabelScores {
 public:
  // sign: m x k of +1, -1 and 0; prior: relative weight of one copy (null: all equal); copies:
  // repetitions (null: one each). `one_label`: exactly one sign of each row is +1, no one is 0.
  // Where rows are one partition of several (`all`), what is said of rows is said of all.
  LabelScores(size_t m, size_t k, const int8_t* sign, const double* prior, const int64_t* copies,
              bool pairs, bool one_label, const Collective* all)
      : all_(all),
        m_(m),
        k_(k),
        stride_(label_stride(k)),
        pairs_(pairs),
        one_label_(one_label),
        sign_(m * stride_, 0),
        score_(m * stride_, 0.0),
        common_(stride_, 0.0) {
    for (size_t i = 0; i < m; ++i) {
      std::copy_n(sign + i * k, k, &sign_[i * stride_]);
      std::fill(&score_[i * stride_] + k, &score_[i * stride_] + stride_, kNoScore);
    }
    if (one_label) {
      label_.resize(m);
      for (size_t i = 0; i < m; ++i)
        label_[i] =
            static_cast<int32_t>(std::find(sign + i * k, sign + (i + 1) * k, 1) - (sign + i * k));
    }
    examples_ = sum_over(all_, static_cast<int64_t>(m));
    copies_total_ = static_cast<double>(examples_);
    if (copies != nullptr) count(copies);
    weigh_rows(prior, copies != nullptr && !repeats_);
  }

  size_t size() const { return m_; }
  size_t n_labels() const { return k_; }
  size_t stride() const { return stride_; }
  uint64_t version() const { return version_; }  // how often scores have changed
  int64_t examples() const { return examples_; }
  const int64_t* copies() const { return copies_.empty() ? nullptr : copies_.data(); }  // counted
  double score(size_t i, size_t l) const { return score_[i * stride_ + l] + common_[l]; }

  // Over pairs the share (by the first weights) of those in which the label that does not hold
  // scores as high as the one that does.
  double rank_loss() const {
    int64_t loss = 0, all = 0;
    std::vector<double> others;
    const double unit = std::ldexp(1.0, 60) / std::max(copies_total_, 1.0);
    for (size_t i = 0; i < m_; ++i) {
      const double wrong = misranked(i, others);
      if (wrong < 0) continue;
      const int64_t copies = repeats_ ? copies_[i] : 1;
      const double weight = first_weight_.empty() ? 1.0 : first_weight_[i] / heaviest_row_;
      all += copies * std::llrint(weight * unit);
      loss += copies * std::llrint(weight * wrong * unit);
    }
    return all > 0 ? static_cast<double>(loss) / static_cast<double>(all) : 0.0;
  }

 protected:
  const int32_t* label() const { return label_.empty() ? nullptr : label_.data(); }

  static double one_exponential(double x) {
    hot().exponentials(&x, 1);
    return x;
  }
  static double one_logarithm(double x) {
    hot().logarithms(&x, 1);
    return x;
  }

  // Whether scores stay sums of whole numbers of 2^-40, small enough to be exact.
  bool stays_exact(const Aligned<double>& step) {
    double most = 0;
    for (const double s : step) {
      const double units = s * 1099511627776.0;  // 2^40
      if (std::abs(units) > 4503599627370496.0 || units != std::rint(units)) return false;
      most = std::max(most, std::abs(s));
    }
    reach_ += most;
    return reach_ < 2048;
  }
  // Scores as they are, from now on.
  void settle() {
    exact_ = false;
    for (size_t i = 0; i < m_; ++i)
      for (size_t l = 0; l < k_; ++l) score_[i * stride_ + l] += common_[l];
    std::fill(common_.begin(), common_.end(), 0.0);
  }

  // The smallest lead of a row's one label over the best other, where no row is behind.
  double least_lead() const {
    double least = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < m_; ++i) {
      const auto label = static_cast<size_t>(label_[i]);
      double other = kNoScore;
      for (size_t l = 0; l < k_; ++l)
        if (l != label) other = std::max(other, score(i, l));
      least = std::min(least, score(i, label) - other);
    }
    return least;
  }

  // The logarithm of the largest weight.
  double heaviest() const {
    const double most = maximum_over(all_, heaviest_here());
    return most > -std::numeric_limits<double>::infinity() ? most : 0.0;
  }
  double heaviest_here() const {
    const double none = -std::numeric_limits<double>::infinity();
    double most = none;
    if (version_ == 0 && m_ > 0) {  // no score is other than 0
      if (log_prior_.empty()) return 0.0;
      for (const double each : log_prior_) most = std::max(most, each);
      return most;
    }
    for (size_t i = 0; i < m_; ++i) {
      double best[2] = {none, none};  // of labels that do not hold, and of those that do
      for (size_t l = 0; l < k_; ++l) {
        const int8_t s = sign_[i * stride_ + l];
        if (s != 0) best[s > 0] = std::max(best[s > 0], -s * score(i, l));
      }
      const double own = pairs_ ? (best[0] + best[1]) / 2 : std::max(best[0], best[1]);
      most = std::max(most, own + (log_prior_.empty() ? 0.0 : log_prior_[i]));
    }
    return most;
  }

  const Collective* all_;  // of all partitions; null where there is one
  size_t m_, k_, stride_;
  bool pairs_, one_label_;
  std::vector<int8_t> sign_;
  std::vector<int32_t> label_;        // of each row, where it has exactly one
  std::vector<int64_t> copies_;       // empty: one each
  std::vector<double> first_weight_;  // of one copy; empty: all 1
  std::vector<double> log_prior_;     // of one copy; empty: all 0
  Aligned<double> score_;             // F less `common_`; lowest where a row has no label
  Aligned<double> common_;            // the scores that all rows have in common
  bool exact_ = true;                 // whether scores are sums of whole numbers
  bool repeats_ = false;              // whether copies multiply weights
  double copies_total_ = 0;
  uint64_t version_ = 0;

 private:
  // Repetitions, whose weights are whole numbers for one copy. More of them than there could be
  // rows would leave too few digits to a copy: they become importances, and are only counted.
  void count(const int64_t* copies) {
    copies_.assign(copies, copies + m_);
    examples_ = sum_over(all_, std::accumulate(copies_.begin(), copies_.end(), int64_t{0}));
    const auto sum = static_cast<double>(examples_);
    repeats_ = sum * static_cast<double>(k_) < 2147483648.0;
    if (repeats_) copies_total_ = sum;
  }

  // The logarithm of the first weight of every row; over pairs, of each of its pairs.
  void weigh_rows(const double* prior, bool heavy) {
    if (prior == nullptr && !heavy && !pairs_) return;
    first_weight_.assign(m_, 1.0);
    log_prior_.assign(m_, 0.0);
    for (size_t i = 0; i < m_; ++i) {
      if (prior != nullptr) first_weight_[i] = prior[i];
      if (heavy) first_weight_[i] *= static_cast<double>(copies_[i]);
      double each = first_weight_[i];
      if (pairs_) {
        const int8_t* const sign = &sign_[i * stride_];
        each /= std::max(static_cast<double>(std::count(sign, sign + k_, int8_t{1})) *
                             static_cast<double>(std::count(sign, sign + k_, int8_t{-1})),
                         1.0);
      }
      log_prior_[i] = each > 0 ? one_logarithm(each) : -2000.0;
    }
    double most = 0;
    for (const double each : first_weight_) most = std::max(most, each);
    heaviest_row_ = maximum_over(all_, most);
  }

  // The share of the pairs of a row that are ranked wrongly, or not at all; -1 where it has none.
  double misranked(size_t i, std::vector<double>& others) const {
    const int8_t* const sign = &sign_[i * stride_];
    others.clear();
    for (size_t l = 0; l < k_; ++l)
      if (sign[l] < 0) others.push_back(score(i, l));
    const size_t holding = static_cast<size_t>(std::count(sign, sign + k_, int8_t{1}));
    if (others.empty() || holding == 0) return -1;
    if (holding > 2) std::sort(others.begin(), others.end());
    size_t wrong = 0;
    for (size_t l = 0; l < k_; ++l) {
      if (sign[l] <= 0) continue;
      if (holding > 2)
        wrong += static_cast<size_t>(others.end() -
                                     std::lower_bound(others.begin(), others.end(), score(i, l)));
      else
        for (double other : others) wrong += other >= score(i, l);
    }
    return static_cast<double>(wrong) / static_cast<double>(others.size() * holding);
  }

  double reach_ = 0;  // the most that a sum of whole numbers can be
  double heaviest_row_ = 1;
  int64_t examples_ = 0;
};

}  // namespace weaklearn
