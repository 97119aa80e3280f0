// How good a test is: what the blocks it makes are worth, as sums over their weights.
//
// The merit of a block is minus its impurity times its weight, up to a term that every partition of
// the same rows shares; a test gains the merit of its blocks less that of the node. All merits are
// convex and grow in proportion to the weights, so that no test loses.
//
// Of two classes, or of numbers, a block is a pair: its weight w and the part a of it that lies in
// the second class, or its weighted sum. Of many classes it is w and the sum of phi over its class
// weights, kept in whole numbers so that adding rows in any order gives the same bits; phi(w) is
//   gini: w^2          merit  sum phi / w         (impurity 1 - sum p^2)
//   entropy: w lg w    merit  sum phi - w lg w    (impurity in bits)
//   sqrt: sqrt(w)      merit  -(sum phi)^2        (impurity sum over k != l of sqrt(p_k p_l))
//   error: the merit is the heaviest class itself (impurity 1 - max p).
// Of numbers y, whose sum in a block is s, the merit is
//   squared_error: w (mean - that of the node)^2   (impurity: the variance)
//   poisson: s ln(s / w), of y >= 0                (impurity: half the mean Poisson deviance)
//   absolute_error: see medians.hpp                (impurity: the mean distance from the median)
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "weaklearn/hot/log2.hpp"
#include "weaklearn/hot/loops.hpp"

namespace weaklearn {

enum class Criterion : uint8_t {
  error,
  gini,
  entropy,
  gain_ratio,
  sqrt,
  squared_error,
  poisson,
  absolute_error
};

inline bool is_of_numbers(Criterion criterion) { return criterion >= Criterion::squared_error; }

inline double x_log_x(double x) { return x > 0 ? x * log2_of(x) : 0.0; }

// x lg x of whole numbers: from a table while they are small.
class WholeLogs {
 public:
  static constexpr size_t kMost = size_t{1} << 16;
  explicit WholeLogs(size_t most) : table_(std::min(most, kMost) + 1) {
    for (size_t x = 0; x < table_.size(); ++x) table_[x] = x_log_x(static_cast<double>(x));
  }
  double operator()(double x) const {
    const auto whole = static_cast<uint64_t>(x);
    return whole < table_.size() ? table_[whole] : x_log_x(x);
  }

 private:
  std::vector<double> table_;
};

// What merits of pairs are measured against.
struct Yardstick {
  double mean = 0;                  // numbers: of the rows the test parts
  double zero = 0;                  // numbers: the mean of a block whose numbers are all 0
  const WholeLogs* logs = nullptr;  // where weights are small whole numbers
};

// The merit of a pair of weight w > 0.
template <Criterion criterion>
inline double pair_merit(double w, double a, const Yardstick& by) {
  const double b = w - a;
  if constexpr (criterion == Criterion::error) return std::max(a, b);
  if constexpr (criterion == Criterion::gini) return w - 2 * a * b / w;
  if constexpr (criterion == Criterion::sqrt) return -2 * std::sqrt(a * b);
  if constexpr (criterion == Criterion::squared_error) {
    const double above = a / w - by.mean;
    return w * above * above;
  }
  if constexpr (criterion == Criterion::poisson) {
    const double s = a - w * by.zero;
    return s > 0 ? s * std::log(s / w) : 0.0;
  }
  if (by.logs != nullptr) return (*by.logs)(a) + (*by.logs)(b) - (*by.logs)(w);
  return x_log_x(a) + x_log_x(b) - x_log_x(w);
}

// The merit of two pairs together.
template <Criterion criterion>
inline double pair_merits(double lw, double la, double rw, double ra, const Yardstick& by) {
  if constexpr (criterion == Criterion::gini)  // with one division in place of two
    return lw + rw - 2 * (la * (lw - la) * rw + ra * (rw - ra) * lw) / (lw * rw);
  return pair_merit<criterion>(lw, la, by) + pair_merit<criterion>(rw, ra, by);
}

// The same for many at once, the same bits.
template <Criterion criterion>
inline void pair_merits(size_t n, const double* lw, const double* la, const double* rw,
                        const double* ra, const Yardstick& by, double* out) {
  if (criterion == Criterion::entropy && by.logs == nullptr) {
    constexpr size_t kStrip = 64;
    double logs[6 * kStrip];
    for (size_t first = 0; first < n; first += kStrip) {
      const size_t size = std::min(kStrip, n - first);
      double *a = logs, *b = a + size, *w = b + size;
      double *c = w + size, *d = c + size, *v = d + size;
      for (size_t i = 0; i < size; ++i) {
        const size_t at = first + i;
        a[i] = la[at];
        b[i] = lw[at] - la[at];
        w[i] = lw[at];
        c[i] = ra[at];
        d[i] = rw[at] - ra[at];
        v[i] = rw[at];
      }
      hot().x_log_x(logs, 6 * size);
      for (size_t i = 0; i < size; ++i)
        out[first + i] = (a[i] + b[i] - w[i]) + (c[i] + d[i] - v[i]);
    }
    return;
  }
  for (size_t i = 0; i < n; ++i) out[i] = pair_merits<criterion>(lw[i], la[i], rw[i], ra[i], by);
}

// Calls body with the criterion as a constant; gain ratio weighs blocks as entropy does.
template <class Body>
decltype(auto) with(Criterion criterion, Body&& body) {
  switch (criterion) {
    case Criterion::error:
      return body.template operator()<Criterion::error>();
    case Criterion::gini:
      return body.template operator()<Criterion::gini>();
    case Criterion::sqrt:
      return body.template operator()<Criterion::sqrt>();
    case Criterion::squared_error:
      return body.template operator()<Criterion::squared_error>();
    case Criterion::poisson:
      return body.template operator()<Criterion::poisson>();
    default:
      return body.template operator()<Criterion::entropy>();
  }
}

// phi of class weights at a node of weight `total`, in whole numbers that no sum overflows.
class Phi {
 public:
  Phi() = default;
  Phi(Criterion criterion, int64_t total, size_t n_classes, const WholeLogs* logs) : logs_(logs) {
    const double w = static_cast<double>(std::max<int64_t>(total, 1));
    double most = w * w;
    if (criterion == Criterion::sqrt) most = std::sqrt(w * static_cast<double>(n_classes));
    if (criterion == Criterion::entropy || criterion == Criterion::gain_ratio)
      most = w * std::max(log2_of(w), 1.0);
    int exponent = 0;
    std::frexp(most, &exponent);
    scale_ = std::ldexp(1.0, 60 - exponent);
    back_ = std::ldexp(1.0, exponent - 60);
  }

  double scale() const { return scale_; }  // whole numbers a unit
  double back() const { return back_; }

  template <Criterion criterion>
  int64_t of(int64_t w) const {
    const double x = static_cast<double>(w);
    if constexpr (criterion == Criterion::gini) return static_cast<int64_t>(x * x * scale_);
    if constexpr (criterion == Criterion::sqrt) return static_cast<int64_t>(std::sqrt(x) * scale_);
    return static_cast<int64_t>((logs_ != nullptr ? (*logs_)(x) : x_log_x(x)) * scale_);
  }
  // The same for many.
  template <Criterion criterion>
  void of(const int64_t* w, size_t n, int64_t* out) const {
    if (criterion == Criterion::entropy && logs_ == nullptr)
      return hot().whole_x_log_x(w, n, scale_, out);
    for (size_t i = 0; i < n; ++i) out[i] = of<criterion>(w[i]);
  }

  // The merit of a block of weight w > 0 from its sum of phi (the heaviest class, for errors), and
  // for entropy phi of its weight too.
  template <Criterion criterion>
  double merit(int64_t w, int64_t sum, int64_t w_phi) const {
    if constexpr (criterion == Criterion::error) return static_cast<double>(sum);
    if constexpr (criterion == Criterion::entropy) return static_cast<double>(sum - w_phi) * back_;
    const double s = static_cast<double>(sum) * back_;
    return criterion == Criterion::gini ? s / static_cast<double>(w) : -s * s;
  }
  template <Criterion criterion>
  double merit(int64_t w, int64_t sum) const {
    return merit<criterion>(w, sum, criterion == Criterion::entropy ? of<criterion>(w) : 0);
  }

 private:
  double scale_ = 1, back_ = 1;
  const WholeLogs* logs_ = nullptr;
};

// The information of a split in bits: what it would cost to say which block a row is in.
inline double split_information(const double* weights, size_t n, double total) {
  double bits = 0;
  for (size_t i = 0; i < n; ++i)
    if (weights[i] > 0) bits -= weights[i] / total * log2_of(weights[i] / total);
  return bits;
}

}  // namespace weaklearn
