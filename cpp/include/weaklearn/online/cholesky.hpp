// Symmetric positive definite systems, solved in place.
//
// A pivot that is no more than rounding leaves its unknown at 0: what it would add, others have
// added already. Sums are those of `product`, in a fixed order. Cost: q^3 / 6 products.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "weaklearn/online/lines.hpp"

namespace weaklearn {

// The factor L of a matrix whose lower half is given, row after row; the upper half is not read.
class Cholesky {
 public:
  static constexpr double kRounding = 1e-13;  // of the entry on the diagonal

  // No pivot up to `rounding` counts either: that of the sums which the matrix was made of.
  Cholesky(double* matrix, size_t q, double rounding = 0) : L_(matrix), q_(q), live_(q) {
    for (size_t i = 0; i < q; ++i) {
      double* const row = L_ + i * q;
      for (size_t j = 0; j < i; ++j)
        row[j] = live_[j] ? (row[j] - product(row, L_ + j * q, j)) / L_[j * q + j] : 0.0;
      const double pivot = row[i] - product(row, row, i);
      live_[i] = pivot > std::max(kRounding * row[i], rounding);
      row[i] = live_[i] ? std::sqrt(pivot) : 0.0;
    }
  }

  // x, which holds the right side, becomes the solution.
  void solve(double* x) const {
    for (size_t i = 0; i < q_; ++i)
      x[i] = live_[i] ? (x[i] - product(L_ + i * q_, x, i)) / L_[i * q_ + i] : 0.0;
    for (size_t i = q_; i-- > 0;) {
      if (!live_[i]) continue;
      x[i] /= L_[i * q_ + i];
      for (size_t j = 0; j < i; ++j) x[j] -= L_[i * q_ + j] * x[i];
    }
  }

 private:
  double* L_;
  size_t q_;
  std::vector<char> live_;
};

}  // namespace weaklearn
