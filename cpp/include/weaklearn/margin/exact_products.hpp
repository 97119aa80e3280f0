// Products of votes and of weights with the sides y h(x) of hypotheses, and sums of floats.
//
// A product is the same to the bit whoever adds up: its factors are rounded to whole numbers of a
// power of two so large that no sum of them is ever rounded. Other sums are made pair by pair in a
// fixed order, which is numpy's.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weaklearn {

// The sum of term(first), ..., term(first + n - 1).
template <class Term>
double pair_sum(const Term& term, size_t n, size_t first = 0) {
  constexpr size_t lanes = 8, straight = 128;
  if (n > straight) {
    const size_t half = n / 2 - n / 2 % lanes;
    return pair_sum(term, half, first) + pair_sum(term, n - half, first + half);
  }
  const size_t end = first + n;
  double sum = 0.0;
  size_t i = first;
  if (n >= lanes) {
    double part[lanes];
    for (size_t k = 0; k < lanes; ++k) part[k] = term(i + k);
    for (i += lanes; i + lanes <= end; i += lanes)
      for (size_t k = 0; k < lanes; ++k) part[k] += term(i + k);
    sum = ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
  }
  for (; i < end; ++i) sum += term(i);
  return sum;
}

inline double array_sum(const double* x, size_t n) {
  return pair_sum([x](size_t i) { return x[i]; }, n);
}

// x rounded to multiples of a power of two whose sum is below 2^52, so that sums are exact.
inline void fixed_point(const double* x, size_t n, double* out) {
  const double total = pair_sum([x](size_t i) { return std::fabs(x[i]); }, n);
  if (total == 0) {
    for (size_t i = 0; i < n; ++i) out[i] = x[i];
    return;
  }
  int exponent = 0;
  if (std::isfinite(total)) std::frexp(total, &exponent);
  const double unit = std::ldexp(1.0, exponent - 51 > -1074 ? exponent - 51 : -1074);
  for (size_t i = 0; i < n; ++i) out[i] = std::nearbyint(x[i] / unit) * unit;
}

// The sides of n patterns (rows) and t hypotheses: -1, 0 or 1.
template <class Side>
class Sides {
 public:
  Sides(const Side* side, size_t n, size_t t) : side_(side), n_(n), t_(t) {}

  size_t n() const { return n_; }
  size_t t() const { return t_; }

  // The margin of each pattern under votes.
  void margins(const double* votes, double* out) {
    constexpr size_t lanes = 8;
    exact_.resize(t_);
    fixed_point(votes, t_, exact_.data());
    for (size_t i = 0; i < n_; ++i) {
      const Side* const row = side_ + i * t_;
      double part[lanes] = {};
      size_t j = 0;
      for (; j + lanes <= t_; j += lanes)
        for (size_t k = 0; k < lanes; ++k)
          part[k] += static_cast<double>(row[j + k]) * exact_[j + k];
      double sum = 0.0;
      for (; j < t_; ++j) sum += static_cast<double>(row[j]) * exact_[j];
      for (const double one : part) sum += one;
      out[i] = sum;
    }
  }

  // The correlation of each hypothesis under D.
  void correlations(const double* D, double* out) {
    exact_.resize(n_);
    fixed_point(D, n_, exact_.data());
    for (size_t j = 0; j < t_; ++j) out[j] = 0.0;
    for (size_t i = 0; i < n_; ++i) {
      const Side* const row = side_ + i * t_;
      const double weight = exact_[i];
      for (size_t j = 0; j < t_; ++j) out[j] += weight * static_cast<double>(row[j]);
    }
  }

  // The sums of D times the products of any two sides, (t, t): the upper half alone.
  void gram(const double* D, double* out) {
    exact_.resize(n_);
    fixed_point(D, n_, exact_.data());
    std::fill(out, out + t_ * t_, 0.0);
    for (size_t i = 0; i < n_; ++i) {
      const Side* const row = side_ + i * t_;
      for (size_t j = 0; j < t_; ++j) {
        const double weight = exact_[i] * static_cast<double>(row[j]);
        double* const to = out + j * t_;
        for (size_t k = j; k < t_; ++k) to[k] += weight * static_cast<double>(row[k]);
      }
    }
  }

 private:
  const Side* side_;
  size_t n_, t_;
  std::vector<double> exact_;
};

}  // namespace weaklearn
