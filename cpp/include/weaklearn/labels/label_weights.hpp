// A distribution over examples and labels, in fixed point, as boosting moves it.
//
// Over labels (AdaBoost.MH), example i and label l weigh p_i exp(-y_il F_il), with y_il = +1 where
// the label holds, -1 where not, and no weight where y_il = 0. Over pairs (AdaBoost.MR), a label l0
// that does not hold and one l1 that does weigh p_i exp((F_i,l0 - F_i,l1) / 2), with p_i over the
// number of such pairs; what is kept for label l is half the weight of all pairs that it is in.
//
// Scores F are doubles, one a label; weights are rounded to whole numbers for one copy of an
// example, and every sum over examples adds whole numbers: sums do not depend on the order of rows
// or threads, and a weight of k equals k copies.
//
// Most rows of a round have one answer in common, c_l. It is not these rows that change but the
// unit of label l: where the label holds, a whole number stands for exp(-o_l), elsewhere for
// exp(o_l), and o_l gains c_l. Only the other rows are taken on, by the factors in which they
// differ; what their whole numbers gained is kept for sums to follow. The geometric mean of the two
// units of a label is always 1: sums of sqrt(W+ W-) need not know them. When a unit has grown too
// coarse, or many rounds have passed, all weights are found afresh from the scores, so that nothing
// overflows, vanishes or drifts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "weaklearn/hot/aligned.hpp"
#include "weaklearn/hot/loops.hpp"
#include "weaklearn/labels/label_scores.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/weights/weights.hpp"

namespace weaklearn {

// Adds to n how many rows, or copies of them, each block has.
inline void count_rows(const int32_t* block, size_t m, const int64_t* copies,
                       std::vector<int64_t>& n) {
  if (copies == nullptr && n.size() <= 8) {  // one pass a block is quicker than one for all
    for (size_t b = 0; b < n.size(); ++b) {
      int32_t rows = 0;
      for (size_t i = 0; i < m; ++i) rows += block[i] == static_cast<int32_t>(b) ? 1 : 0;
      n[b] += rows;
    }
    return;
  }
  for (size_t i = 0; i < m; ++i)
    n[static_cast<size_t>(block[i])] += copies != nullptr ? copies[i] : 1;
}

class LabelWeights : public LabelScores {
 public:
  static constexpr double kTarget = 36028797018963968.0;  // 2^55
  static constexpr double kMost = 144115188075855872.0;   // 2^57
  static constexpr double kLeast = 4503599627370496.0;    // 2^52
  static constexpr double kMostOffset = 4.0;              // no sum of e^4 2^57 overflows

  // The arguments are those of LabelScores.
  LabelWeights(size_t m, size_t k, const int8_t* sign, const double* prior, const int64_t* copies,
               bool pairs, bool one_label, int threads = 1, const Collective* all = nullptr)
      : LabelScores(m, k, sign, prior, copies, pairs, one_label, all),
        weight_(m * stride_),
        offset_(stride_, 0.0),
        unit_(2 * stride_, 1.0),
        sums_(2 * stride_, 0),
        one_slot_(m, 0) {
    rebase(threads);
  }

  uint64_t id() const { return id_; }  // no two objects of a process share one
  // The numbers of all rows (or of those listed), or what the last reweighting added to them.
  LabelRows rows(const uint32_t* listed = nullptr) const {
    return {weight_.data(), nullptr, repeats_ ? copies() : nullptr, k_, stride_, label(),
            sign_.data(),   listed};
  }
  LabelRows gains() const {
    return {weight_.data(), gain_.data(), nullptr,      k_,
            stride_,        label(),      sign_.data(), changed_.data()};
  }
  // The number of a row and label, all copies, below 0 where the label does not hold.
  int64_t value(size_t i, size_t l) const {
    const int64_t whole = std::llrint(weight_[i * stride_ + l]);
    return sign_[i * stride_ + l] * whole * (repeats_ ? copies_[i] : 1);
  }
  bool has_gains() const { return has_gains_; }
  size_t n_changed() const { return changed_.size(); }

  // Sums over all rows, `stride` of labels that hold and as many of those that do not; what a whole
  // number of each stands for; and the weight of all.
  const int64_t* sums() const { return sums_.data(); }
  const double* unit() const { return unit_.data(); }
  double total() const { return total_; }
  // The share of the weight behind a sum of label l that holds, or, from k on, of label l - k that
  // does not.
  double share(int64_t sum, size_t l) const {
    return static_cast<double>(sum) * unit_[l < k_ ? l : stride_ + l - k_] / total_;
  }

  // F_i += step[block[i]], a row of k numbers each; gives the weight that is left, Z. `guess` is Z
  // to a factor of 4, as far as weights that can be seen make it up.
  double reweight(const int32_t* block, const double* step, size_t n_blocks, double guess,
                  int threads) {
    Aligned<double> padded(n_blocks * stride_, 0.0);
    for (size_t b = 0; b < n_blocks; ++b) std::copy_n(step + b * k_, k_, &padded[b * stride_]);
    const double old_shift = shift_, old_total = total_;
    ++version_;
    const int32_t still = part(block, n_blocks);
    if (exact_ && !stays_exact(padded)) settle();
    const double* const common = &padded[static_cast<size_t>(still) * stride_];
    const bool follows = guess > 0 && can_follow(padded, n_blocks, common, guess);
    const bool seen = guess > 0 && (follows || tame(padded, n_blocks, nullptr));
    for (size_t l = 0; l < k_; ++l) offset_[l] = follows ? offset_[l] + common[l] : 0.0;
    if (exact_) {  // what all have in common is not added row by row
      for (size_t l = 0; l < k_; ++l) common_[l] += common[l];
      const Aligned<double> base(common, common + stride_);
      for (size_t b = 0; b < n_blocks; ++b)
        for (size_t l = 0; l < k_; ++l) padded[b * stride_ + l] -= base[l];
    }
    if (follows) {
      follow(block, padded, n_blocks, static_cast<size_t>(still), threads);
    } else {
      if (seen) shift_ += one_logarithm(guess * old_total / kTarget);
      add_all(block, padded, threads);
      if (seen) renew(threads);
      if (!seen || total_ > kMost || total_ < kLeast) rebase(threads);
    }
    return total_ / old_total * one_exponential(std::clamp(shift_ - old_shift, -700.0, 700.0));
  }

  // Sums by block: for each of them k of labels that hold, then k of those that do not.
  std::vector<int64_t> sums(const int32_t* block, size_t n_blocks) const {
    std::vector<int64_t> sums(n_blocks * 2 * k_, 0);
    for (size_t i = 0; i < m_; ++i) {
      int64_t* const plus = &sums[static_cast<size_t>(block[i]) * 2 * k_];
      for (size_t l = 0; l < k_; ++l) {
        const int64_t v = value(i, l);
        plus[v > 0 ? l : k_ + l] += std::abs(v);
      }
    }
    if (all_ != nullptr) all_->sum(sums.data(), sums.size());
    return sums;
  }

  // What the scores say of the examples.
  const LabelErrors& vote_errors() const { return vote_errors_; }
  // The weights as shares, below 0 where a label does not hold: of all copies of a row, or of one.
  void signed_shares(double* out, bool of_one = false) const {
    for (size_t i = 0; i < m_; ++i)
      for (size_t l = 0; l < k_; ++l) {
        const int64_t v = value(i, l) / (of_one && repeats_ ? copies_[i] : 1);
        out[i * k_ + l] = static_cast<double>(v) * unit_[v > 0 ? l : stride_ + l] / total_;
      }
  }

  // How far rounding to whole numbers can set two sums apart.
  double doubt() const { return copies_total_ * static_cast<double>(k_) * 54.6; }

 private:
  static constexpr int kMostRounds = 256;  // after which products have rounded often enough
  static constexpr size_t kStrip = 2048;   // numbers that stay in the first-level cache

  // The block of most examples, the first of equals; the rows of the others are listed.
  int32_t part(const int32_t* block, size_t n_blocks) {
    std::vector<int64_t> n(n_blocks, 0);
    count_rows(block, m_, repeats_ ? copies_.data() : nullptr, n);
    if (all_ != nullptr) all_->sum(n.data(), n.size());
    const auto still = static_cast<int32_t>(std::max_element(n.begin(), n.end()) - n.begin());
    changed_.resize(m_ + 16);
    changed_.resize(hot().other_rows(block, m_, still, changed_.data()));
    return still;
  }

  // Whether weights too light to be seen cannot grow to much, up to half a unit for every copy:
  // steps of a label differ by so little from those given (null: from 0).
  bool tame(const Aligned<double>& step, size_t n_blocks, const double* from) const {
    double most = 0;
    for (size_t b = 0; b < n_blocks; ++b)
      for (size_t l = 0; l < k_; ++l)
        most = std::max(most, std::abs(step[b * stride_ + l] - (from != nullptr ? from[l] : 0.0)));
    return most < 600 &&
           copies_total_ * static_cast<double>(k_) / 2 * one_exponential(most) <= kTarget;
  }

  // Whether units can follow the steps that most rows have in common.
  bool can_follow(const Aligned<double>& step, size_t n_blocks, const double* common,
                  double guess) {
    const double expected = guess * total_;
    if (pairs_ || expected > kMost / 2 || expected < kLeast * 2 || ++since_ >= kMostRounds)
      return false;
    for (size_t l = 0; l < k_; ++l)
      if (std::abs(offset_[l] + common[l]) > kMostOffset) return false;
    return tame(step, n_blocks, common);
  }

  LabelTable table() {
    return {stride_,       sign_.data(),
            label(),       log_prior_.empty() ? nullptr : log_prior_.data(),
            copies(),      repeats_,
            score_.data(), common_.data(),
            weight_.data()};
  }

  // Runs body(begin, end) over strips of rows, some tasks side by side.
  template <class Body>
  void by_strips(size_t work, int threads, Body&& body) {
    const size_t strip = std::max<size_t>(1, kStrip / stride_);
    const size_t n_strips = (m_ + strip - 1) / strip;
    const int helpers = threads_for(work * m_ * stride_, threads);
    const size_t tasks = helpers > 1 ? std::min(n_strips, size_t{4} * helpers) : 1;
    Pool::instance().run(tasks, helpers, [&](size_t task) {
      for (size_t s = n_strips * task / tasks; s < n_strips * (task + 1) / tasks; ++s) {
        body(task, s * strip, std::min((s + 1) * strip, m_));
        Pool::check_interrupt();
      }
    });
  }
  size_t most_tasks(int threads) const {
    return size_t{4} * static_cast<size_t>(std::max(threads, 1));
  }

  // Takes the listed rows on by what they differ from the others, and looks at all.
  void follow(const int32_t* block, const Aligned<double>& step, size_t n_blocks, size_t still,
              int threads) {
    // Factors, and steps of scores: where these are kept whole, rows are moved by the rest of them.
    Aligned<double> plus(step), minus(step), rest(step.size(), 0.0);
    for (size_t b = 0; b < n_blocks; ++b)
      for (size_t l = 0; l < stride_; ++l) {
        const size_t at = b * stride_ + l;
        const double apart = step[at] - step[still * stride_ + l];
        plus[at] = -apart;
        minus[at] = apart;
        if (exact_) rest[at] = step[at];
      }
    hot().exponentials(plus.data(), plus.size());
    hot().exponentials(minus.data(), minus.size());
    gain_.resize(changed_.size() * stride_);
    has_gains_ = true;
    const LabelTable of = table();
    const LabelStep all{block, step.data(), nullptr, nullptr};
    const LabelStep by{block, rest.data(), plus.data(), minus.data()};
    std::vector<LabelErrors> vote_errors(most_tasks(threads), nothing());
    Aligned<int64_t> gained(most_tasks(threads) * 2 * stride_, 0);
    by_strips(2, threads, [&](size_t task, size_t begin, size_t end) {
      if (!exact_) hot().label_add(&of, &all, begin, end);
      const auto first = std::lower_bound(changed_.begin(), changed_.end(), begin);
      const auto last = std::lower_bound(first, changed_.end(), end);
      const auto place = static_cast<size_t>(first - changed_.begin());
      const auto n = static_cast<size_t>(last - first);
      hot().label_move(&of, &by, changed_.data() + place, n, gain_.data() + place * stride_);
      add_rows(gains(), place, place + n, &gained[task * 2 * stride_]);
      hot().label_look(&of, begin, end, &vote_errors[task]);
    });
    Aligned<int64_t> gains(2 * stride_, 0);
    for (size_t at = 0; at < gained.size(); ++at) gains[at % (2 * stride_)] += gained[at];
    add_up(vote_errors, gains);
    for (size_t l = 0; l < 2 * stride_; ++l) sums_[l] += gains[l];
    weigh_sums();
  }

  // The steps of all rows, whose weights are to be found afresh.
  void add_all(const int32_t* block, const Aligned<double>& step, int threads) {
    const LabelTable of = table();
    const LabelStep all{block, step.data(), nullptr, nullptr};
    by_strips(1, threads,
              [&](size_t, size_t begin, size_t end) { hot().label_add(&of, &all, begin, end); });
  }

  // All weights from the scores.
  void renew(int threads) {
    since_ = 0;
    has_gains_ = false;
    const LabelTable of = table();
    std::vector<LabelErrors> vote_errors(most_tasks(threads), nothing());
    by_strips(8, threads, [&](size_t task, size_t begin, size_t end) {
      if (pairs_)
        weigh_pairs(begin, end);
      else
        hot().label_weigh(&of, begin, end, shift_);
      hot().label_look(&of, begin, end, &vote_errors[task]);
    });
    std::fill(sums_.begin(), sums_.end(), 0);
    add_rows(rows(), 0, m_, sums_.data());
    add_up(vote_errors, sums_);
    weigh_sums();
  }

  static LabelErrors nothing() { return {0, 0, std::numeric_limits<double>::infinity()}; }
  // The errors of parts of the rows together; both they and sums are of all partitions then.
  void add_up(const std::vector<LabelErrors>& parts, Aligned<int64_t>& sums) {
    vote_errors_ = nothing();
    for (const LabelErrors& part : parts) {
      vote_errors_.labels += part.labels;
      vote_errors_.rows += part.rows;
      vote_errors_.least = std::min(vote_errors_.least, part.least);
    }
    if (all_ != nullptr) {
      std::vector<int64_t> numbers(sums.begin(), sums.end());
      numbers.insert(numbers.end(), {vote_errors_.labels, vote_errors_.rows});
      all_->sum(numbers.data(), numbers.size());
      std::copy_n(numbers.begin(), sums.size(), sums.begin());
      vote_errors_.labels = numbers[sums.size()];
      vote_errors_.rows = numbers[sums.size() + 1];
      vote_errors_.least = least_of_all(vote_errors_.least);
    }
    if (one_label_ && std::isinf(vote_errors_.least))
      vote_errors_.least = least_of_all(least_lead());
  }
  double least_of_all(double least) const { return -maximum_over(all_, -least); }

  // Adds the numbers of rows, or of places of their list, to sums.
  void add_rows(const LabelRows& of, size_t begin, size_t end, int64_t* sums) const {
    const uint8_t* const slot = one_slot_.data();
    hot().label_sums(&of, begin, end, &slot, 1, &sums);
  }

  // What the sums over all rows weigh.
  void weigh_sums() {
    for (size_t l = 0; l < stride_; ++l) {
      unit_[l] = -offset_[l];
      unit_[stride_ + l] = offset_[l];
    }
    hot().exponentials(unit_.data(), 2 * stride_);
    total_ = 0;
    for (size_t l = 0; l < 2 * stride_; ++l) total_ += static_cast<double>(sums_[l]) * unit_[l];
  }

  // Weights over pairs: that of a label is its own part times the sum of those on the other side.
  void weigh_pairs(size_t begin, size_t end) {
    const double none = -std::numeric_limits<double>::infinity();
    for (size_t i = begin; i < end; ++i) {
      const int8_t* const sign = &sign_[i * stride_];
      double* const w = &weight_[i * stride_];
      double most[2] = {none, none};
      for (size_t l = 0; l < k_; ++l)
        if (sign[l] != 0)
          most[sign[l] > 0] = std::max(most[sign[l] > 0], -sign[l] * score(i, l) / 2);
      const bool paired = most[0] > none && most[1] > none;
      for (size_t l = 0; l < stride_; ++l)
        w[l] = paired && sign[l] != 0 ? -sign[l] * score(i, l) / 2 - most[sign[l] > 0] : -2000.0;
      hot().exponentials(w, stride_);
      double sum[2] = {0, 0};
      for (size_t l = 0; l < k_; ++l) sum[sign[l] > 0] += w[l];
      const double all =
          paired ? one_exponential(std::min(most[0] + most[1] + log_prior_[i] - shift_, 43.0)) / 2
                 : 0.0;
      for (size_t l = 0; l < k_; ++l) w[l] = std::min(w[l] * sum[sign[l] <= 0] * all, kMost);
    }
  }

  // Chooses the shift anew: from the heaviest first, then from the total that gives.
  void rebase(int threads) {
    const double n = copies_total_ * static_cast<double>(k_);
    shift_ = heaviest() + one_logarithm(n) - one_logarithm(kTarget);
    std::fill(offset_.begin(), offset_.end(), 0.0);
    renew(threads);
    // Up to the target, step by step: what cannot be seen yet must not overflow.
    const double most_up = one_logarithm(4 * kTarget) - one_logarithm(n);
    for (int step = 0; step < 64 && total_ > 0; ++step) {
      const double up = one_logarithm(kTarget) - one_logarithm(total_);
      if (std::abs(up) < 0.5) break;
      shift_ -= std::min(up, most_up);
      renew(threads);
    }
  }

  uint64_t id_ = next_number();
  Aligned<double> weight_;         // of one copy, in units
  Aligned<int64_t> gain_;          // what the whole numbers of changed rows gained
  std::vector<uint32_t> changed_;  // those rows, in order
  bool has_gains_ = false;
  int since_ = 0;           // rounds since all weights were found afresh
  Aligned<double> offset_;  // o_l
  Aligned<double> unit_;    // exp(-o_l), then exp(o_l)
  Aligned<int64_t> sums_;
  std::vector<uint8_t> one_slot_;
  double shift_ = 0, total_ = 0;
  LabelErrors vote_errors_{0, 0, 0};
};

}  // namespace weaklearn
