// Rows as learners of one example at a time read them: dense or sparse, perhaps with a constant
// feature of 1 behind the others.
//
// Promise: the product with a vector is summed in eight lanes, feature j in lane j % 8 in rising
// order, and the lanes in one fixed order: a sparse row and the same row written out give the same
// bits, as do a constant feature and a column of ones. O(d) a row, O(entries) of a sparse one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "weaklearn/hot/loops.hpp"

namespace weaklearn {

// Sums in the making, one for each remainder of a feature's number by eight.
struct Lanes {
  double sum[8] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};

  double total() const {
    return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
  }
};

// The product of two vectors of d numbers, to which `last` may be added as a (d + 1)-th product.
template <class Real>
inline double product(const Real* x, const double* w, size_t d, const double* last = nullptr) {
  Lanes lanes;
  size_t j = 0;
  for (; j + 8 <= d; j += 8)
    for (size_t l = 0; l < 8; ++l) lanes.sum[l] += static_cast<double>(x[j + l]) * w[j + l];
  // Lanes are named by constants, so that they stay in registers.
  const size_t rest = d - j;
  for (size_t l = 0; l < 7; ++l)
    if (l < rest) lanes.sum[l] += static_cast<double>(x[j + l]) * w[j + l];
  if (last != nullptr)
    for (size_t l = 0; l < 8; ++l)
      if (l == rest) lanes.sum[l] += *last;
  return lanes.total();
}

template <class Real>
class DenseLines {
 public:
  // Rows of d numbers, `stride` numbers apart.
  DenseLines(const Real* cells, size_t n, size_t d, size_t stride, bool constant)
      : cells_(cells), n_(n), d_(d), stride_(stride), constant_(constant) {}

  size_t size() const { return n_; }
  size_t n_features() const { return d_; }
  size_t width() const { return d_ + constant_; }

  double times(size_t i, const double* w) const {
    return product(row(i), w, d_, constant_ ? w + d_ : nullptr);
  }
  // w += c x
  void add(size_t i, double c, double* w) const {
    const Real* x = row(i);
    for (size_t j = 0; j < d_; ++j) w[j] += c * static_cast<double>(x[j]);
    if (constant_) w[d_] += c;
  }
  bool is_zero(size_t i) const {
    const Real* x = row(i);
    size_t j = 0;
    while (j < d_ && x[j] == 0) ++j;
    return j == d_ && !constant_;
  }
  void ask(size_t i) const {
    const char* x = reinterpret_cast<const char*>(row(i));
    for (size_t at = 0; at < d_ * sizeof(Real); at += 64) ask_for(x + at);
  }

 private:
  const Real* row(size_t i) const { return cells_ + i * stride_; }

  const Real* cells_;
  size_t n_, d_, stride_;
  bool constant_;
};

class SparseLines {
 public:
  // The entries of row i are those from starts[i] up to starts[i + 1]; features rise in a row.
  SparseLines(const double* data, const int32_t* features, const int64_t* starts, size_t n,
              size_t d, bool constant)
      : data_(data), features_(features), starts_(starts), n_(n), d_(d), constant_(constant) {}

  size_t size() const { return n_; }
  size_t n_features() const { return d_; }
  size_t width() const { return d_ + constant_; }

  double times(size_t i, const double* w) const {
    Lanes lanes;
    for (int64_t e = starts_[i]; e < starts_[i + 1]; ++e)
      lanes.sum[features_[e] % 8] += data_[e] * w[features_[e]];
    if (constant_) lanes.sum[d_ % 8] += w[d_];
    return lanes.total();
  }
  void add(size_t i, double c, double* w) const {
    for (int64_t e = starts_[i]; e < starts_[i + 1]; ++e) w[features_[e]] += c * data_[e];
    if (constant_) w[d_] += c;
  }
  bool is_zero(size_t i) const {
    int64_t e = starts_[i];
    while (e < starts_[i + 1] && data_[e] == 0) ++e;
    return e == starts_[i + 1] && !constant_;
  }
  void ask(size_t i) const {
    ask_for(data_ + starts_[i]);
    ask_for(features_ + starts_[i]);
  }

 private:
  const double* data_;
  const int32_t* features_;
  const int64_t* starts_;
  size_t n_, d_;
  bool constant_;
};

}  // namespace weaklearn
