// The distribution over examples, in fixed point, as boosting moves it.
//
// An example's log-growth G_i is a double; its weight is w_i = p_i exp(G_i - shift) rounded to a
// whole number q_i for one copy, and v_i = sign_i * copies_i * q_i is what every sum adds up. Whole
// numbers make sums independent of the order of rows, of threads and of partitions, and weight k
// equals k copies. The total is kept between 2^57 and 2^61; G is rebased when it leaves that range,
// so that nothing overflows, vanishes or drifts, however many rounds are played.
//
// `reweight` multiplies weights by exp(-alpha * side_i) up to a common factor chosen so that rows
// with side +1 do not change at all: only the others are visited by incremental histograms.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <vector>

#include "weaklearn/hot/loops.hpp"
#include "weaklearn/partitions/collective.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/threads/profile.hpp"
#include "weaklearn/weights/masses.hpp"

namespace weaklearn {

class Weights {
 public:
  static constexpr double kTarget = 288230376151711744.0;  // 2^58
  static constexpr double kMost = 2305843009213693952.0;   // 2^61
  static constexpr double kLeast = 144115188075855872.0;   // 2^57
  static constexpr double kFewCopies = 131072;  // their rounding stays below 1e-12 of the total
  static constexpr int64_t kCoarseMass = int64_t{1} << 32;  // below it a mass is summed more finely

  // prior: relative weight of one copy (null: all equal); copies: repetitions (null: one each);
  // sign: -1 or +1 a row (null: all +1). Where the m rows are one partition of several (`all`), the
  // unit, totals and masses are those of all rows.
  Weights(size_t m, const double* prior, const int64_t* copies, const int8_t* sign,
          const Collective* all = nullptr)
      : all_(all), growth_(m, 0.0), weight_(m, 0.0), value_(m, 0) {
    if (prior != nullptr) {
      log_prior_.resize(m);
      for (size_t i = 0; i < m; ++i) log_prior_[i] = std::log(prior[i]);  // -inf for weight 0
    }
    count(copies);
    if (sign != nullptr) sign_.assign(sign, sign + m);
    double most = 0;
    vote_errors_.errors = sum_over(all_, m > 0 ? look_at(0, m, &most) : 0);
    rebase(1);
  }

  size_t size() const { return value_.size(); }  // of the rows at hand
  const Collective* all() const { return all_; }
  uint64_t id() const { return id_; }  // no two objects of a process share one
  const int64_t* value() const { return value_.data(); }
  int64_t total() const { return total_; }
  uint64_t version() const { return version_; }
  bool has_change() const { return has_change_; }
  // The rows the last reweight changed and by how much each value moved, in blocks of kBlock rows:
  // block b has n_changed(b) of them, listed from position list_of(b) on. The lists have room to
  // spare, into which vectors may write; the numbers of a block stay in the first-level cache.
  static constexpr size_t kBlock = 512;
  size_t n_blocks() const { return (size() + kBlock - 1) / kBlock; }
  static size_t list_of(size_t block) { return block * (kBlock + 8); }
  size_t n_changed(size_t block) const { return n_changed_[block]; }
  const uint32_t* changed() const { return changed_.data(); }
  const int64_t* change() const { return change_.data(); }
  double log_least() const {
    return log_least_;
  }  // sums of the smallest and largest log-factors so far
  double log_most() const { return log_most_; }
  // At most so many copies are rounded in n rows, each by half a unit.
  double copies_in(size_t n) const {
    return std::min(static_cast<double>(n) * most_copies_, copies_total_);
  }

  // The share of the weight on one side: -1 wrong, 0 silent, +1 right. It is exactly 0 only where
  // no row of that side has weight.
  double mass(const Verdict& verdict, int8_t which, int threads = 1) {
    const Masses& of = masses(verdict, threads);
    const int64_t sum = which < 0    ? of.wrong
                        : which == 0 ? of.silent
                                     : total_ - of.wrong - of.silent;
    if (which == 0 && of.silent_rows == 0) return 0;
    if (sum < kCoarseMass) return fine_share(verdict.side.data(), which);
    const int64_t left = which < 0    ? of.wrong_left
                         : which == 0 ? of.silent_left
                                      : of.all_left - of.wrong_left - of.silent_left;
    return (static_cast<double>(sum) + std::ldexp(static_cast<double>(left), -kFiner)) /
           (static_cast<double>(total_) + std::ldexp(static_cast<double>(of.all_left), -kFiner));
  }

  // D_i <- D_i exp(-alpha side_i), up to normalising.
  void reweight(double alpha, const Verdict& verdict, int threads) {
    const int8_t* side = verdict.side.data();
    const Masses& of = masses(verdict, threads);
    const int64_t wrong = of.wrong, silent = of.silent;
    const double step[3] = {2 * alpha, alpha, 0};
    const bool wild = std::abs(alpha) > 300;  // the factors leave the range of doubles
    double factor[3] = {wild ? 0 : 2 * alpha, wild ? 0 : alpha, 0};
    hot().exponentials(factor, 3);
    const double expected = static_cast<double>(total_ - wrong - silent) +
                            static_cast<double>(silent) * factor[1] +
                            static_cast<double>(wrong) * factor[0];
    // Rows too light to count may grow too: each copy weighs up to half a unit unseen. And a weight
    // that has left the range of doubles comes back only by rebasing, before it could count again.
    const double unseen = copies_total_ / 2 * std::max({1.0, factor[0], factor[1]});
    risen_ += std::max(0.0, 2 * alpha);
    const bool stays = !wild && risen_ <= 600 && expected + unseen <= kMost && expected >= kLeast;
    vote_sum_ += alpha;
    log_least_ += std::min(0.0, 2 * alpha);
    log_most_ += std::max(0.0, 2 * alpha);
    ++version_;
    changed_.resize(list_of(n_blocks()));
    change_.resize(list_of(n_blocks()));
    n_changed_.resize(n_blocks());
    std::atomic<int64_t> total{0}, errors{0};
    std::vector<double> most(n_blocks());
    const int helpers = threads_at_hand(10 * size(), threads);
    const size_t tasks = helpers > 1 ? std::min(n_blocks(), size_t{4} * helpers) : 1;
    Pool::instance().run_near(tasks, helpers, [&](size_t task) {
      const Timed timed(Phase::losses);
      int64_t wrong_here = 0, total_here = 0;
      const size_t last = n_blocks() * (task + 1) / tasks;
      for (size_t b = n_blocks() * task / tasks; b < last; ++b) {
        Moved moved;
        const size_t first = b * kBlock;
        move(first, std::min(kBlock, size() - first), side, step, factor, stays, list_of(b), moved);
        n_changed_[b] = moved.changed;
        most[b] = moved.most;
        wrong_here += moved.errors;
        total_here += moved.total;
      }
      errors.fetch_add(wrong_here, std::memory_order_relaxed);
      total.fetch_add(total_here, std::memory_order_relaxed);
    });
    const Moved moved = over_all({0, greatest(most), errors.load(), total.load()});
    vote_errors_ = {vote_sum_ - moved.most, moved.errors};
    has_change_ = stays;
    if (stays)
      total_ = moved.total;
    else
      rebase(threads);
  }

  // How far rounding to whole numbers can set two sums over the rows apart.
  int64_t doubt() const { return static_cast<int64_t>(copies_total_); }
  // What rounding left out of the weights, in units of 2^-kFiner: the sum over rows of
  // side * copies * (weight - whole number), side being -1, 0 or +1. It is that of the rows at
  // hand, even where they are one partition of several.
  static constexpr int kFiner = 20;
  int64_t remainder(const int8_t* side, int threads) const {
    std::atomic<int64_t> sum{0};
    each_chunk(threads_at_hand(2 * size(), threads), [&](size_t, size_t first, size_t n) {
      int64_t wrong = 0, silent = 0, all = 0;
      hot().remainders(side + first, &weight_[first], repeated_ ? &copies_[first] : nullptr, n,
                       &wrong, &silent, &all);
      sum.fetch_add(all - silent - 2 * wrong, std::memory_order_relaxed);
    });
    return sum.load();
  }
  int64_t sign(size_t i) const { return sign_.empty() || sign_[i] > 0 ? 1 : -1; }

  struct VoteErrors {
    double least_score;  // the smallest y F
    int64_t errors;      // copies with sign(F) != y, where sign(0) = -1
  };
  // What the votes so far make of the training rows; without signs y F <= 0 is an error.
  VoteErrors vote_errors() const { return vote_errors_; }

  void shares(double* out) const {
    const double total = static_cast<double>(total_);
    for (size_t i = 0; i < size(); ++i) out[i] = static_cast<double>(std::abs(value_[i])) / total;
  }

  // Shares rounded to whole numbers of 2^-52 a copy: doubles add them up without rounding, so that
  // code outside this library, too, finds the same sums in any order and for copies as for weights.
  void exact_shares(double* out) const {
    constexpr double units = 4503599627370496.0;  // 2^52
    const double scale = units / static_cast<double>(total_);
    for (size_t i = 0; i < size(); ++i) {
      const int64_t copies = repeated_ ? copies_[i] : 1;
      const double one = static_cast<double>(std::abs(value_[i]) / copies);
      out[i] = static_cast<double>(copies) * std::rint(one * scale) / units;
    }
  }

 private:
  // Repetitions, whose weights are whole numbers for one copy. More of them than there could be
  // rows would leave too few digits to a copy: they become importances, and count only as errors
  // do.
  void count(const int64_t* copies) {
    copies_total_ = static_cast<double>(sum_over(all_, static_cast<int64_t>(size())));
    if (copies == nullptr) return;
    copies_.assign(copies, copies + size());
    const int64_t sum = sum_over(all_, std::accumulate(copies_.begin(), copies_.end(), int64_t{0}));
    repeated_ = sum < int64_t{1} << 31;
    if (repeated_) {
      copies_total_ = static_cast<double>(sum);
      int64_t most = 1;
      for (const int64_t each : copies_) most = std::max(most, each);
      most_copies_ = static_cast<double>(maximum_over(all_, most));
      return;
    }
    log_prior_.resize(size(), 0.0);
    for (size_t i = 0; i < size(); ++i) log_prior_[i] += std::log(static_cast<double>(copies_[i]));
  }

  // The logarithm of one copy's weight, up to the shift; -inf for weight 0.
  double log_weight(size_t i) const {
    return log_prior_.empty() ? growth_[i] : growth_[i] + log_prior_[i];
  }

  static constexpr size_t kChunk = 8192;  // rows that one thread sums at a time
  // Masses of a verdict, summed once for each distribution. With few copies what rounding leaves
  // out is below the tolerance of ties and is not looked at.
  const Masses& masses(const Verdict& verdict, int threads) {
    if (masses_.verdict == verdict.id && masses_.version == version_) return masses_;
    masses_ = {};
    std::vector<Masses> parts(n_chunks());
    each_chunk(threads_at_hand(2 * size(), threads), [&](size_t t, size_t first, size_t n) {
      parts[t] = masses_of(verdict.side.data(), first, n);
    });
    for (const Masses& part : parts) masses_.add(part);
    if (all_ != nullptr) masses_.add_up(*all_);
    masses_.verdict = verdict.id;
    masses_.version = version_;
    return masses_;
  }

  // work(chunk, first row, number of rows) for chunks of all rows, in any order.
  size_t n_chunks() const { return (size() + kChunk - 1) / kChunk; }
  template <class Work>
  void each_chunk(int threads, const Work& work) const {
    Pool::instance().run_near(n_chunks(), threads, [&](size_t t) {
      const Timed timed(Phase::losses);
      work(t, t * kChunk, std::min(kChunk, size() - t * kChunk));
    });
  }

  // The same of some rows.
  Masses masses_of(const int8_t* side, size_t first, size_t n) const {
    Masses of;
    hot().masses(side + first, value_.data() + first, n, &of.wrong, &of.silent, &of.silent_rows);
    if (copies_total_ > kFewCopies)
      hot().remainders(side + first, weight_.data() + first,
                       repeated_ ? copies_.data() + first : nullptr, n, &of.wrong_left,
                       &of.silent_left, &of.all_left);
    return of;
  }

  // The largest growth of rows [first, first + n), and how many copies the votes get wrong there.
  int64_t look_at(size_t first, size_t n, double* most) const {
    int64_t errors = 0;
    hot().vote_errors(&growth_[first], n, vote_sum_, sign_.empty() ? nullptr : &sign_[first],
                      copies_.empty() ? nullptr : &copies_[first], most, &errors);
    return errors;
  }

  // What moving a block of rows has come to.
  struct Moved {
    size_t changed = 0;
    double most = kNothing;
    int64_t errors = 0, total = 0;
  };
  // The same of all rows, in one question: a list of the largest growth, the errors and the total.
  Moved over_all(const Moved& own) const {
    if (all_ == nullptr) return own;
    const int64_t list[] = {std::bit_cast<int64_t>(own.most), own.errors, own.total};
    Moved of;
    for (const std::vector<int64_t>& each : all_->gather(list, std::size(list))) {
      of.most = std::max(of.most, std::bit_cast<double>(each[0]));
      of.errors += each[1];
      of.total += each[2];
    }
    return of;
  }
  static double greatest(const std::vector<double>& x) {
    return x.empty() ? kNothing : *std::max_element(x.begin(), x.end());
  }
  // Moves rows [first, first + n) by one reweight and lists what changed behind the `list`-th
  // place.
  void move(size_t first, size_t n, const int8_t* side, const double* step, const double* factor,
            bool stays, size_t list, Moved& moved) {
    hot().grow(side + first, n, step, factor, &growth_[first], &weight_[first]);
    moved.errors = look_at(first, n, &moved.most);
    if (!stays) return;
    int64_t fresh[kBlock];
    fix(first, n, fresh);
    moved.changed = hot().changes(side + first, n, static_cast<uint32_t>(first), fresh,
                                  &value_[first], &changed_[list], &change_[list]);
    for (size_t i = 0; i < n; ++i) moved.total += std::abs(fresh[i]);
  }

  // Whole numbers of rows [first, first + n) from their weights.
  void fix(size_t first, size_t n, int64_t* value) const {
    hot().whole_numbers(&weight_[first], n, repeated_ ? &copies_[first] : nullptr,
                        sign_.empty() ? nullptr : &sign_[first], value);
  }

  // Chooses the shift anew: from the largest growth first, then from the total that gives.
  void rebase(int threads) {
    const int helpers = threads_at_hand(10 * size(), threads);
    std::vector<double> tops(n_chunks());
    each_chunk(helpers, [&](size_t t, size_t first, size_t n) {
      tops[t] = log_weight(first);
      for (size_t i = first; i < first + n; ++i) tops[t] = std::max(tops[t], log_weight(i));
    });
    const double most = maximum_over(all_, greatest(tops));
    const double old_shift = shift_ - most;
    vote_sum_ -= most;
    shift_ = std::log(copies_total_) - std::log(kTarget);
    revalue(most, helpers);
    // Up to the target, step by step: what cannot be seen yet, half a unit a copy, must not
    // overflow.
    const double most_up = std::log(4 * kTarget) - std::log(copies_total_);
    for (int step = 0; step < 64; ++step) {
      const double up = std::log(kTarget) - std::log(static_cast<double>(total_));
      if (step > 0 && std::abs(up) < 0.5) break;
      shift_ -= std::min(up, most_up);
      revalue(0, helpers);
    }
    log_least_ -= shift_ - old_shift;
    log_most_ -= shift_ - old_shift;
    risen_ = 0;
    has_change_ = false;
    ++version_;
  }

  // Takes `down` off every growth; weights and whole numbers follow.
  void revalue(double down, int threads) {
    std::atomic<int64_t> total{0};
    each_chunk(threads, [&](size_t, size_t first, size_t n) {
      for (size_t i = first; i < first + n; ++i) growth_[i] -= down;
      for (size_t i = first; i < first + n; ++i) weight_[i] = log_weight(i) - shift_;
      hot().exponentials(&weight_[first], n);
      fix(first, n, &value_[first]);
      int64_t sum = 0;
      for (size_t i = first; i < first + n; ++i) sum += std::abs(value_[i]);
      total.fetch_add(sum, std::memory_order_relaxed);
    });
    total_ = sum_over(all_, total.load());
  }

  // A small mass, summed relative to its own largest weight so that it keeps its digits.
  double fine_share(const int8_t* side, int8_t which) const {
    double most = kNothing;
    for (size_t i = 0; i < size(); ++i)
      if (side[i] == which) most = std::max(most, log_weight(i));
    most = maximum_over(all_, most);
    if (most == kNothing) return 0;
    const double unit = kMost / copies_total_;  // no sum over the copies overflows
    int64_t sum = 0;
    for (size_t i = 0; i < size(); ++i) {
      if (side[i] != which) continue;
      double e = log_weight(i) - most;
      hot().exponentials(&e, 1);
      const int64_t q = std::llrint(e * unit);
      sum += repeated_ ? q * copies_[i] : q;
    }
    sum = sum_over(all_, sum);
    double scale = most - shift_;
    hot().exponentials(&scale, 1);
    const double share = static_cast<double>(sum) / unit * scale / static_cast<double>(total_);
    return std::max(share, std::numeric_limits<double>::min());
  }

  static constexpr double kNothing = -std::numeric_limits<double>::infinity();

  const Collective* all_;  // of all partitions; null where there is one
  uint64_t id_ = next_number();
  std::vector<double> log_prior_;  // of one copy; empty where all are equal
  std::vector<int64_t> copies_;
  bool repeated_ = false;  // the weights are those of one copy
  std::vector<int8_t> sign_;
  std::vector<double> growth_;
  std::vector<double> weight_;  // of one copy; multiplied on between rebases
  std::vector<int64_t> value_;
  int64_t total_ = 0;
  double shift_ = 0;
  Masses masses_;
  VoteErrors vote_errors_{0, 0};
  double vote_sum_ = 0;  // sum of the votes, rebased with the growth: y_i F_i = vote_sum - growth_i
  uint64_t version_ = 0;
  bool has_change_ = false;
  std::vector<size_t> n_changed_;
  std::vector<uint32_t> changed_;
  std::vector<int64_t> change_;
  double log_least_ = 0, log_most_ = 0;
  double risen_ = 0;  // the most a weight can have grown, as a logarithm, since the last rebase
  double copies_total_ = 0, most_copies_ = 1;  // repetitions: of all rows, of one
};

}  // namespace weaklearn
