// The hardest distribution against given hypotheses, by Mehrotra's interior-point method.
//
//   min  total * b + curve * RE(D || D_1)   subject to  r(D) <= b,  sum D = 1,  0 <= D <= cap
//
// with r(D) the correlations of the hypotheses under D; without a total b is given. Newton's steps
// go towards the conditions of an optimum, whose products fall together. Every operation has a
// fixed order, so that all machines find the same bits.
//
// Cost: a step is O(t^3 / 6 + n t) for t hypotheses and n patterns, and the Gram matrix, n t^2.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "weaklearn/margin/exact_products.hpp"

namespace weaklearn {

// e^x - 1, by a rational function near 0 (Moshier's Cephes): the same bits whatever the library.
inline double exp_minus_one(double x) {
  if (std::isnan(x)) return x;
  if (std::isinf(x)) return x > 0 ? x : -1.0;
  if (x < -0.5 || x > 0.5) return std::exp(x) - 1.0;
  const double xx = x * x;
  const double over = x * ((1.2617719307481059087798E-4 * xx + 3.0299440770744196129956E-2) * xx +
                           9.9999999999999999991025E-1);
  const double under = ((3.0019850513866445504159E-6 * xx + 2.5244834034968410419224E-3) * xx +
                        2.2726554820815502876593E-1) *
                           xx +
                       2.0000000000000000000897E0;
  const double ratio = over / (under - over);
  return ratio + ratio;
}

// The factor of a positive matrix, given as its upper half row after row; both halves are filled.
class UpdatedCholesky {
 public:
  static constexpr double kTiny = 1e-14;  // of the largest pivot: the least one

  UpdatedCholesky(double* matrix, size_t t) : L_(matrix), t_(t) {
    double most = L_[0];
    for (size_t k = 1; k < t; ++k)
      if (!(L_[k * t + k] <= most)) most = L_[k * t + k];
    const double least = kTiny * most;
    for (size_t k = 0; k < t; ++k) {
      double* const row = L_ + k * t;
      const double root = std::sqrt(least > row[k] ? least : row[k]);
      row[k] = root;
      for (size_t i = k + 1; i < t; ++i) row[i] /= root;
      for (size_t j = k + 1; j < t; ++j) {
        double* const later = L_ + j * t;
        const double factor = row[j];
        for (size_t i = j; i < t; ++i) later[i] -= factor * row[i];
      }
    }
    for (size_t k = 0; k < t; ++k)
      for (size_t i = 0; i < k; ++i) L_[k * t + i] = L_[i * t + k];
  }

  // x, which holds the right side, becomes the solution.
  void solve(double* x) const {
    for (size_t k = 0; k < t_; ++k) {
      const double* const row = L_ + k * t_;
      const double now = x[k] /= row[k];
      for (size_t i = k + 1; i < t_; ++i) x[i] -= row[i] * now;
    }
    for (size_t k = t_; k-- > 0;) {
      const double* const row = L_ + k * t_;
      const double now = x[k] /= row[k];
      for (size_t i = 0; i < k; ++i) x[i] -= row[i] * now;
    }
  }

 private:
  double* L_;
  size_t t_;
};

// An interior point, or a step. `v` holds one after another D, q = cap - D and s = b - r(D); `u`
// holds x, xi and w, their multipliers, of D >= 0, q >= 0 and s >= 0. rho is that of sum D = 1.
struct InteriorPoint {
  std::vector<double> v, u;
  double b = 0.0, rho = 0.0;

  // The complementarity gap: the sum of variables times multipliers, 0 at an optimum.
  double products() const {
    return pair_sum([this](size_t i) { return v[i] * u[i]; }, v.size());
  }
};

struct InteriorLimits {
  int steps;       // at most
  int vain;        // steps in a row that may come no nearer
  double close;    // what may be missing in all
  double closest;  // and of a mean product where nothing is curved
  double share;    // of the way to where a number would be 0
  double slow;     // products fall no faster where the objective is curved
};

// `Gram` writes sum over patterns of theta times the products of any two sides, (t, t).
template <class Side, class Gram>
class InteriorSearch {
 public:
  InteriorSearch(Sides<Side> sides, const double* share, const double* cap, double curve,
                 std::optional<double> total, const InteriorLimits& limits, Gram gram)
      : sides_(std::move(sides)),
        share_(share),
        cap_(cap),
        curve_(curve),
        total_(total),
        limits_(limits),
        gram_(std::move(gram)),
        n_(sides_.n()),
        t_(sides_.t()),
        size_(2 * n_ + t_),
        slope_off_(n_),
        bound_off_(t_),
        cap_off_(n_),
        theta_(n_),
        M_(t_ * t_),
        r_(t_),
        by_rho_(t_),
        by_b_(t_),
        pulls_(size_),
        pull_(n_),
        moved_(n_),
        margins_(n_),
        change_(size_) {}

  // Moves a point to the best one found; returns what is missing there.
  double search(InteriorPoint& point) {
    InteriorPoint best = point, ahead = point, step = point, trial = point;
    double least = std::numeric_limits<double>::infinity();
    int vain = 0;
    for (int k = 0; k < limits_.steps; ++k) {
      look(point);
      const double products = point.products(), error = error_at(point, products);
      if (error < least) {
        best = point;
        least = error;
        vain = 0;
      } else {
        ++vain;
      }
      const bool settled = error < limits_.close &&
                           (curve_ > 0 || products / static_cast<double>(size_) < limits_.closest);
      if (vain > limits_.vain || settled) break;
      factor(point);
      for (size_t i = 0; i < size_; ++i) change_[i] = -(point.v[i] * point.u[i]);
      newton(point, ahead);
      trial = point;
      move(trial, ahead, 1.0);
      const double fall = std::pow(trial.products() / products, 3.0);
      const double slow = curve_ > 0 ? limits_.slow : 0.0;
      const double aim = products / static_cast<double>(size_) * (slow > fall ? slow : fall);
      for (size_t i = 0; i < size_; ++i)
        change_[i] = aim - point.v[i] * point.u[i] - ahead.v[i] * ahead.u[i];
      newton(point, step);
      move(point, step, limits_.share);
    }
    point = std::move(best);
    return least;
  }

 private:
  // The residuals of the optimality conditions, complementarity excepted.
  void look(const InteriorPoint& p) {
    const double *D = p.v.data(), *q = D + n_, *s = q + n_;
    const double *x = p.u.data(), *xi = x + n_, *w = xi + n_;
    sides_.margins(w, slope_off_.data());
    for (size_t i = 0; i < n_; ++i) {
      const double slope = curve_ * (std::log(D[i] / share_[i]) + 1);
      slope_off_[i] = slope_off_[i] + slope - p.rho - x[i] + xi[i];
      cap_off_[i] = D[i] + q[i] - cap_[i];
    }
    sides_.correlations(D, bound_off_.data());
    for (size_t j = 0; j < t_; ++j) bound_off_[j] = bound_off_[j] - p.b + s[j];
    one_off_ = array_sum(D, n_) - 1;
    total_off_ = total_ ? *total_ - array_sum(w, t_) : 0.0;
  }

  // The largest residual; that of the gradient in units of weight.
  double error_at(const InteriorPoint& p, double products) const {
    double slope = most(slope_off_);
    if (curve_ > 0) {
      slope = pair_sum(
          [&](size_t i) {
            const double down = -slope_off_[i];
            return p.v[i] * std::fabs(exp_minus_one(down > 600.0 ? 600.0 : down));
          },
          n_);
    }
    const double off = larger(larger(most(bound_off_), most(cap_off_)), std::fabs(one_off_));
    const double weight = larger(1.0, array_sum(p.u.data() + 2 * n_, t_));
    return larger(larger(products / weight, off), slope);
  }

  // The Newton equations at a point, reduced to the steps of w, rho and b.
  void factor(const InteriorPoint& p) {
    const double *D = p.v.data(), *q = D + n_, *s = q + n_;
    const double *x = p.u.data(), *xi = x + n_, *w = xi + n_;
    for (size_t i = 0; i < n_; ++i)  // D moves by theta times a slope
      theta_[i] = 1 / ((x[i] + curve_) / D[i] + xi[i] / q[i]);
    mass_ = array_sum(theta_.data(), n_);
    gram_(theta_.data(), M_.data());
    for (size_t j = 0; j < t_; ++j) M_[j * t_ + j] += s[j] / w[j];
    cholesky_.emplace(M_.data(), t_);
    sides_.correlations(theta_.data(), r_.data());
    by_rho_ = r_;
    std::fill(by_b_.begin(), by_b_.end(), 1.0);
    cholesky_->solve(by_rho_.data());
    cholesky_->solve(by_b_.data());
  }

  // The step that changes the products by `change_`.
  void newton(const InteriorPoint& p, InteriorPoint& step) {
    const double *q = p.v.data() + n_, *s = q + n_;
    const double *xi = p.u.data() + n_, *w = xi + n_;
    double *D = step.v.data(), *inner = D, *ds = D + 2 * n_;
    double *dx = step.u.data(), *dw = dx + 2 * n_;
    for (size_t i = 0; i < size_; ++i) pulls_[i] = change_[i] / p.v[i];
    for (size_t i = 0; i < n_; ++i) {
      pull_[i] = pulls_[i] - pulls_[n_ + i] - xi[i] * cap_off_[i] / q[i] - slope_off_[i];
      moved_[i] = theta_[i] * pull_[i];
    }
    sides_.correlations(moved_.data(), dw);
    for (size_t j = 0; j < t_; ++j) dw[j] = dw[j] + change_[2 * n_ + j] / w[j] + bound_off_[j];
    cholesky_->solve(dw);
    std::tie(step.rho, step.b) = two(dw, array_sum(moved_.data(), n_) + one_off_);
    for (size_t j = 0; j < t_; ++j) dw[j] = dw[j] + by_rho_[j] * step.rho - by_b_[j] * step.b;
    sides_.margins(dw, margins_.data());
    for (size_t i = 0; i < n_; ++i) {
      D[i] = theta_[i] * (pull_[i] - margins_[i] + step.rho);
      D[n_ + i] = -cap_off_[i] - D[i];
    }
    for (size_t i = 0; i < 2 * n_; ++i) dx[i] = pulls_[i] - p.u[i] / p.v[i] * inner[i];
    for (size_t j = 0; j < t_; ++j) ds[j] = (change_[2 * n_ + j] - s[j] * dw[j]) / w[j];
  }

  // The steps of rho and b that restore sum D and sum w.
  std::pair<double, double> two(const double* w, double moved) const {
    const auto with_r = [this](const double* by) {
      return pair_sum([this, by](size_t j) { return r_[j] * by[j]; }, t_);
    };
    const double a = with_r(by_rho_.data()) - mass_, first = moved - with_r(w);
    if (!total_) return {first / a, 0.0};
    const double c = -with_r(by_b_.data()), d = -array_sum(by_b_.data(), t_);
    const double e = array_sum(by_rho_.data(), t_), second = total_off_ - array_sum(w, t_);
    const double scale = a * d - c * e;
    return {(first * d - c * second) / scale, (a * second - first * e) / scale};
  }

  // As far along a step as uses at most this share of every variable.
  static void move(InteriorPoint& p, const InteriorPoint& step, double share) {
    const double primal = room(p.v, step.v, share), dual = room(p.u, step.u, share);
    for (size_t i = 0; i < p.v.size(); ++i) {
      p.v[i] += primal * step.v[i];
      p.u[i] += dual * step.u[i];
    }
    p.b += primal * step.b;
    p.rho += dual * step.rho;
  }

  static double room(const std::vector<double>& v, const std::vector<double>& step, double share) {
    double least = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < v.size(); ++i) {
      if (!(step[i] < 0)) continue;
      const double here = v[i] / -step[i];
      if (std::isnan(here)) return 1.0;
      if (here < least) least = here;
    }
    return share * least < 1.0 ? share * least : 1.0;
  }

  // The largest size; not a number where one of them is none.
  static double most(const std::vector<double>& x) {
    double found = 0.0;
    for (const double one : x) {
      if (std::isnan(one)) return one;
      if (std::fabs(one) > found) found = std::fabs(one);
    }
    return found;
  }
  static double larger(double a, double b) { return b > a ? b : a; }  // a where it is no number

  Sides<Side> sides_;
  const double *share_, *cap_;
  double curve_;
  std::optional<double> total_;
  InteriorLimits limits_;
  Gram gram_;
  size_t n_, t_, size_;
  std::vector<double> slope_off_, bound_off_, cap_off_;
  double one_off_ = 0.0, total_off_ = 0.0, mass_ = 0.0;
  std::vector<double> theta_, M_, r_, by_rho_, by_b_, pulls_, pull_, moved_, margins_, change_;
  std::optional<UpdatedCholesky> cholesky_;
};

}  // namespace weaklearn
