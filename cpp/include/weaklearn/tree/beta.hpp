// The upper quartile of a Beta law, in operations that give the same bits on every machine.
#pragma once

#include <algorithm>
#include <cmath>

#include "weaklearn/hot/log2.hpp"
#include "weaklearn/hot/loops.hpp"

namespace weaklearn {

// Beta(a, b) with a >= 1 and b > 0. A point of it is p, and q = 1 - p beside it: of the two the
// smaller one is as exact as can be.
class Beta {
 public:
  Beta(double a, double b)
      : a_(a), b_(b), log_beta_(log_gamma(a) + log_gamma(b) - log_gamma(a + b)) {}

  // The p that a quarter of the law exceeds.
  //
  // The density of ln q is log-concave, and so is the share beyond p as a function of ln q:
  // Newton's steps on its logarithm get there from anywhere, Halley's correction makes them few.
  double upper_quartile() const {
    Point at = guess();
    for (int n = 0; n < kMostSteps; ++n) {
      const Share beyond = share_beyond(at);
      double step = (kLogQuarter - beyond.log) / beyond.slope;
      const double bend = b_ - (a_ - 1) * at.q / at.p - beyond.slope;
      step /= std::max(1 + 0.5 * step * bend, 0.5);
      at.move(step);
      if (std::abs(step) < kNear * at.p) break;
    }
    return at.p;
  }

  // Whether the upper quartile is larger than p < 1 for certain.
  bool quartile_exceeds(double p) const {
    return share_beyond({p, 1 - p}).log > kLogQuarter + kNear;
  }

  // The same of Beta(1, b), 1 - 4^(-1/b): for the chance of no event at all.
  static double upper_quartile_of_last(double b) {
    const double x = kLogQuarter / b;
    if (x < -0.5) return 1 - exp(x);
    double sum = 1;  // (exp(x) - 1) / x
    for (double k = 15; k > 1; --k) sum = 1 + x / k * sum;
    return -x * sum;
  }

 private:
  static constexpr double kLogQuarter = -1.3862943611198906;
  static constexpr int kMostSteps = 64;
  static constexpr double kMostTerms = 10000;
  static constexpr double kNear = 1e-5;  // a step leaves about its cube

  struct Point {
    double p, q;
    // ln q <- ln q + step.
    void move(double step) {
      if (q < 0.5 || step < -0.5) {
        q = std::min(q * exp(step), 0.75);
        p = 1 - q;
      } else {
        p = std::max(p - q * (step + step * step / 2), p / 4);
        q = 1 - p;
      }
    }
  };
  struct Share {
    double log, slope;  // ln of it, and the derivative by ln q
  };

  Share share_beyond(const Point& at) const {
    const double powers = a_ * ln(at.p) + b_ * ln(at.q) - log_beta_;
    if (at.q * (a_ + b_ + 2) < b_ + 1) {
      const double rest = fraction(b_, a_, at.q);
      return {powers + ln(rest / b_), b_ / (at.p * rest)};
    }
    const double density = exp(powers);
    const double share = std::max(1 - density * fraction(a_, b_, at.p) / a_, 1e-16);
    return {ln(share), density / (at.p * share)};
  }

  Point guess() const {
    if (b_ <= 1) {  // mostly q^b / (b B(a, b)) of the law lies below a small q
      const double q = exp((kLogQuarter + ln(b_) + log_beta_) / b_);
      return {1 - q, q};
    }
    // Abramowitz and Stegun 26.5.22.
    constexpr double y = -0.6744897501960817, lambda = (y * y - 3) / 6;
    const double u = 1 / (2 * a_ - 1), v = 1 / (2 * b_ - 1), h = 2 / (u + v);
    const double w = y * std::sqrt(h + lambda) / h - (v - u) * (lambda + 5.0 / 6 - 2 / (3 * h));
    const double odds = b_ * exp(-2 * w) / a_, p = 1 / (1 + odds);
    return {p, odds * p};
  }

  static double ln(double x) { return 0.6931471805599453 * log2_of(x); }
  static double exp(double x) {
    hot().exponentials(&x, 1);
    return x;
  }

  // Stirling's series, from 8 on.
  static double log_gamma(double x) {
    double below = 1;
    while (x < 8) below *= x++;
    const double r = 1 / x, q = r * r;
    double p = -3617.0 / 122400;
    p = p * q + 1.0 / 156;
    p = p * q - 691.0 / 360360;
    p = p * q + 1.0 / 1188;
    p = p * q - 1.0 / 1680;
    p = p * q + 1.0 / 1260;
    p = p * q - 1.0 / 360;
    p = p * q + 1.0 / 12;
    return (x - 0.5) * ln(x) - x + 0.9189385332046727 + p * r - ln(below);
  }

  // a B(a, b) x^-a (1 - x)^-b times the share of Beta(a, b) below x: a continued fraction, read
  // from its front (Abramowitz and Stegun 26.5.8).
  static double fraction(double a, double b, double x) {
    double top = 1 - (a + b) * x / (a + 1), last_top = 1, last_bottom = 1;  // the bottom is 1
    for (double m = 1; m < kMostTerms; ++m) {
      const double at = a + 2 * m, value = top;
      const double even = m * (b - m) * x / ((at - 1) * at);
      const double odd = -(a + m) * (a + b + m) * x / (at * (at + 1));
      const double half_top = top + even * last_top, half_bottom = 1 + even * last_bottom;
      const double bottom = half_bottom + odd;
      top = (half_top + odd * top) / bottom;
      last_top = half_top / bottom;
      last_bottom = half_bottom / bottom;
      if (std::abs(top - value) < 4e-16 * top) break;
    }
    return 1 / top;
  }

  double a_, b_, log_beta_;
};

}  // namespace weaklearn
