// Items in queries, and how good an order of them is: NDCG, average precision, reciprocal rank.
//
// Items of a query stand in an order of their own, which the caller makes free of the order of
// rows; equal scores are put in that order where an order is needed. A metric is the mean over all
// orders of equal scores, so that nothing is gained by a lucky one.
//
// Cost: a sort and one pass an evaluation. Allocation: one buffer a task.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "weaklearn/threads/pool.hpp"

namespace weaklearn {

enum class RankMetric : int { ndcg, map, mrr };

class Queries {
 public:
  // `rows` lists the rows of the first query, then those of the second, ...; query q has those
  // from starts[q] on. Of every query the first k places count.
  Queries(const int64_t* rows, size_t n_rows, const int64_t* starts, size_t n_queries,
          const double* grade, RankMetric metric, size_t k)
      : rows_(rows, rows + n_rows), starts_(starts, starts + n_queries + 1), metric_(metric) {
    for (size_t q = 0; q < n_queries; ++q) longest_ = std::max(longest_, size(q));
    k_ = std::min(k, longest_);
    discount_.resize(longest_, 0.0);
    for (size_t p = 0; p < k_; ++p)
      discount_[p] = metric == RankMetric::ndcg ? 1 / std::log2(static_cast<double>(p + 2))
                                                : 1 / static_cast<double>(p + 1);
    gain_.resize(n_rows);
    for (size_t q = 0; q < n_queries; ++q) set_gains(q, grade);
    cut_tasks();
  }

  size_t n_rows() const { return rows_.size(); }
  size_t n_queries() const { return starts_.size() - 1; }
  size_t n_tasks() const { return tasks_.size() - 1; }
  size_t longest() const { return longest_; }
  size_t k() const { return k_; }
  size_t begin(size_t q) const { return static_cast<size_t>(starts_[q]); }
  size_t size(size_t q) const { return static_cast<size_t>(starts_[q + 1] - starts_[q]); }
  size_t row(size_t item) const { return static_cast<size_t>(rows_[item]); }

  // One query in the order of its scores, the best first. Gains are shares: of NDCG those of the
  // best order, of average precision 1 over what the best order finds, of others 1 or 0.
  struct Ranked {
    std::vector<uint32_t> order;
    std::vector<double> score, gain;
    size_t n = 0;
  };

  // Calls body(q, ranked) for all queries of a task.
  template <class Body>
  void each_of_task(size_t task, const double* F, Body&& body) const {
    Ranked ranked;
    for (size_t q = tasks_[task]; q < tasks_[task + 1]; ++q) {
      rank(q, F, ranked);
      body(q, ranked);
    }
  }

  // The metric of every query; NaN where it has none: no gain to be had.
  void values(const double* F, double* value, int threads) const {
    Pool::instance().run(n_tasks(), threads_for(n_rows() * 16, threads), [&](size_t t) {
      each_of_task(t, F, [&](size_t q, const Ranked& ranked) { value[q] = value_of(ranked); });
    });
  }

  double value_of(const Ranked& of) const {
    if (of.n == 0) return std::numeric_limits<double>::quiet_NaN();
    return metric_ == RankMetric::ndcg  ? discounted(of)
           : metric_ == RankMetric::map ? precision(of)
                                        : reciprocal(of);
  }

  // What exchanging the items at places i < j changes: |gain_i - gain_j| (first_i + second_j), for
  // i below `end`; nothing changes for others.
  struct Changes {
    std::vector<double> first, second;
    size_t end = 0;
  };

  void changes(const Ranked& of, Changes& out) const {
    out.first.resize(of.n);
    out.second.resize(of.n);
    out.end = std::min(of.n, k_);
    if (metric_ == RankMetric::ndcg)
      for (size_t p = 0; p < of.n; ++p) out.second[p] = -(out.first[p] = discount_[p]);
    else if (metric_ == RankMetric::map)
      changes_of_precision(of, out);
    else
      changes_of_reciprocal(of, out);
  }

 private:
  std::vector<int64_t> rows_, starts_;
  RankMetric metric_;
  size_t k_ = 0, longest_ = 0;
  std::vector<double> gain_, discount_;
  std::vector<size_t> tasks_;

  void set_gains(size_t q, const double* grade) {
    const size_t from = begin(q), n = size(q);
    for (size_t i = from; i < from + n; ++i) {
      const double y = grade[row(i)];
      gain_[i] = metric_ == RankMetric::ndcg ? std::exp2(y) - 1 : y > 0 ? 1.0 : 0.0;
    }
    if (metric_ == RankMetric::mrr) return;
    std::vector<double> best(gain_.begin() + static_cast<ptrdiff_t>(from),
                             gain_.begin() + static_cast<ptrdiff_t>(from + n));
    std::sort(best.begin(), best.end(), std::greater<>());
    double most = 0;
    for (size_t p = 0; p < std::min(n, k_); ++p)
      most += metric_ == RankMetric::ndcg ? best[p] * discount_[p] : best[p];
    for (size_t i = from; i < from + n; ++i) gain_[i] = most > 0 ? gain_[i] / most : 0.0;
  }

  void cut_tasks() {
    constexpr size_t most = 512;  // items
    tasks_.push_back(0);
    size_t items = 0;
    for (size_t q = 0; q < n_queries(); ++q)
      if ((items += size(q)) >= most || q + 1 == n_queries()) {
        tasks_.push_back(q + 1);
        items = 0;
      }
  }

  void rank(size_t q, const double* F, Ranked& out) const {
    const size_t from = begin(q), n = size(q);
    out.n = n;
    out.order.resize(n);
    out.score.resize(n);
    out.gain.resize(n);
    std::iota(out.order.begin(), out.order.end(), static_cast<uint32_t>(from));
    const auto score = [&](uint32_t item) { return F[row(item)]; };
    std::sort(out.order.begin(), out.order.end(), [&](uint32_t a, uint32_t b) {
      const double x = score(a), y = score(b);
      return x > y || (x == y && a < b);
    });
    for (size_t p = 0; p < n; ++p) {
      out.score[p] = score(out.order[p]);
      out.gain[p] = gain_[out.order[p]];
    }
  }

  // The end of the run of equal scores that begins at place p.
  static size_t run_end(const Ranked& of, size_t p) {
    size_t end = p + 1;
    while (end < of.n && of.score[end] == of.score[p]) ++end;
    return end;
  }
  static bool nothing(const Ranked& of) {
    return std::none_of(of.gain.begin(), of.gain.end(), [](double gain) { return gain > 0; });
  }

  double discounted(const Ranked& of) const {
    if (nothing(of)) return std::numeric_limits<double>::quiet_NaN();
    double sum = 0;
    for (size_t p = 0, end; p < std::min(of.n, k_); p = end) {
      end = run_end(of, p);
      double gain = 0, discount = 0;
      for (size_t i = p; i < end; ++i) {
        gain += of.gain[i];
        discount += discount_[i];
      }
      sum += gain * discount / static_cast<double>(end - p);
    }
    return std::min(sum, 1.0);
  }

  double precision(const Ranked& of) const {
    if (nothing(of)) return std::numeric_limits<double>::quiet_NaN();
    double sum = 0, before = 0, gain = 0;
    for (size_t p = 0, end; p < std::min(of.n, k_); p = end) {
      end = run_end(of, p);
      const double t = static_cast<double>(end - p);
      double r = 0;
      for (size_t i = p; i < end; ++i) {
        r += of.gain[i] > 0 ? 1.0 : 0.0;
        gain = std::max(gain, of.gain[i]);
      }
      const double each = t > 1 ? (r - 1) / (t - 1) : 0.0;  // relevant before one, of one place
      for (size_t i = p; r > 0 && i < end; ++i)
        sum += r / t * (before + 1 + static_cast<double>(i - p) * each) * discount_[i];
      before += r;
    }
    return std::min(sum * gain, 1.0);
  }

  double reciprocal(const Ranked& of) const {
    for (size_t p = 0, end; p < std::min(of.n, k_); p = end) {
      end = run_end(of, p);
      double r = 0, sum = 0, still = 1;  // the chance that no place so far is of a relevant one
      for (size_t i = p; i < end; ++i) r += of.gain[i];
      if (r == 0) continue;
      for (size_t i = p; i < end && still > 0; ++i) {
        const double here = std::min(1.0, r / static_cast<double>(end - i));
        sum += still * here * discount_[i];
        still *= 1 - here;
      }
      return sum;
    }
    return 0;
  }

  void changes_of_precision(const Ranked& of, Changes& out) const {
    double found = 0, shares = 0;  // relevant so far, and 1 over their places added up
    for (size_t p = 0; p < of.n; ++p) {
      const double relevant = of.gain[p] > 0 ? 1.0 : 0.0;
      const double before = shares;
      found += relevant;
      shares += relevant * discount_[p];
      out.first[p] = (found + 1 - relevant) * discount_[p] - shares;
      out.second[p] = before - found * discount_[p];
    }
  }

  void changes_of_reciprocal(const Ranked& of, Changes& out) const {
    const auto next = [&](size_t p) {
      while (p < of.n && of.gain[p] == 0) ++p;
      return p;
    };
    const auto share = [&](size_t p) { return p < of.n ? discount_[p] : 0.0; };
    const size_t best = next(0), second = next(std::min(of.n, best + 1));
    for (size_t p = 0; p < of.n; ++p) {
      out.first[p] = discount_[p];
      out.second[p] = -(of.gain[p] > 0 ? share(best) : share(std::min(p, second)));
    }
    out.end = std::min(out.end, best + 1);
  }
};

}  // namespace weaklearn
