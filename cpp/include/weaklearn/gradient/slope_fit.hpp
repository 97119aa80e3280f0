// Slopes of the leaves of a tree that fits gradients: a ridge regression in each leaf.
//
// In a leaf, with m the mean of its complete rows (weighed by curvature), the slopes b minimise
//
//   sum over complete rows of g b(x - m) + c (b(x - m))^2 / 2,  + l2 / 2 * sum of variance_j b_j^2
//
// so that b solves (S + l2 / C diag S) b = -sum g (x - m), with S = sum c (x - m)(x - m)' and C the
// sum of c. Around that mean the value of the leaf and the slopes do not ask for one another.
//
// Promise: sums are of whole numbers, as large as the examples of the leaf allow, of x in units of
// half its range in the leaf, around the middle: they depend on the multiset of rows only, and k
// copies are a row of weight k. A column of which others leave no more than rounding has no slope.
// Cost: O(rows * columns^2). Allocation: the rows in the order of their leaves, and one leaf a
// thread.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

#include "weaklearn/gradient/whole_gradients.hpp"
#include "weaklearn/online/cholesky.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/weights/rounding.hpp"

namespace weaklearn {

// For each node the columns that it may have slopes along; x holds these columns, NaN for missing.
struct SlopeTask {
  Gradients from;
  size_t m = 0;                    // rows
  const uint32_t* rows = nullptr;  // of the bag; null: all
  size_t n_rows = 0;
  const int32_t* leaf = nullptr;  // the node of each row
  std::vector<int32_t> starts;    // of each node among `columns`, and where the last ends
  std::vector<int32_t> columns;   // places in x
  std::vector<const double*> x;
  double l2 = 1;
};

// A number for each entry of `columns`; the slope is 0 where there is none.
struct FoundSlopes {
  std::vector<double> slope, centre, low, high;
};

class SlopeFit {
 public:
  explicit SlopeFit(const SlopeTask& task) : task_(task) { sort_rows(); }

  FoundSlopes find(int threads) const {
    const size_t k = task_.columns.size();
    FoundSlopes found{std::vector<double>(k, 0.0), std::vector<double>(k, 0.0),
                      std::vector<double>(k, 0.0), std::vector<double>(k, 0.0)};
    const size_t n_nodes = task_.starts.size() - 1;
    Pool::instance().run(n_nodes, threads_for(16 * order_.size(), threads), [&](size_t v) {
      if (task_.starts[v] < task_.starts[v + 1]) Leaf(*this, v).solve(found);
    });
    return found;
  }

 private:
  // The rows of the bag, leaf after leaf.
  void sort_rows() {
    const size_t n = task_.rows == nullptr ? task_.m : task_.n_rows, n_nodes = task_.starts.size();
    begins_.assign(n_nodes, 0);
    const auto row = [&](size_t k) {
      return task_.rows == nullptr ? static_cast<uint32_t>(k) : task_.rows[k];
    };
    for (size_t k = 0; k < n; ++k) ++begins_[static_cast<size_t>(task_.leaf[row(k)]) + 1];
    for (size_t v = 1; v < n_nodes; ++v) begins_[v] += begins_[v - 1];
    std::vector<size_t> next(begins_);
    order_.resize(n);
    for (size_t k = 0; k < n; ++k) order_[next[static_cast<size_t>(task_.leaf[row(k)])]++] = row(k);
  }

  // So that the largest number has so many bits before the point.
  static int shift(double largest, int bits) {
    if (!(largest > 0)) return 0;
    int exponent;
    std::frexp(largest, &exponent);
    return std::min(bits - exponent, 1000);
  }

  // One column within a leaf.
  struct Axis {
    const double* x;
    size_t place;  // among `columns`
    double low = 0, high = 0, middle = 0, half = 0;

    double at(uint32_t row) const { return (x[row] - middle) / half; }
    // Measures the rows in which it is not missing; answers whether they tell slopes along it.
    bool spans(const uint32_t* first, const uint32_t* last) {
      low = std::numeric_limits<double>::infinity(), high = -low;
      for (const uint32_t* row = first; row != last; ++row) {
        low = std::min(low, x[*row]);  // stays where x is NaN
        high = std::max(high, x[*row]);
      }
      low += 0.0, high += 0.0;  // no zero below zero: which one came first would tell
      middle = low / 2 + high / 2;
      half = high / 2 - low / 2;
      return low < high && 1 / half < std::numeric_limits<double>::infinity();
    }
  };

  // The sums of one leaf, and its slopes.
  class Leaf {
    // Of a pivot, in units of the sums: each example adds half a unit at most to each of the sums
    // that a variance is made of, and a pivot takes up the rounding of several variances.
    static constexpr int64_t kRounding = 16;

   public:
    Leaf(const SlopeFit& fit, size_t node) : task_(fit.task_) {
      for (int32_t k = task_.starts[node]; k < task_.starts[node + 1]; ++k) {
        const auto place = static_cast<size_t>(k);
        axes_.push_back({task_.x[static_cast<size_t>(task_.columns[place])], place});
      }
      const uint32_t* const first = fit.order_.data() + fit.begins_[node];
      const uint32_t* const last = fit.order_.data() + fit.begins_[node + 1];
      choose(first, last);
      std::copy_if(first, last, std::back_inserter(complete_), [this](uint32_t row) {
        return std::all_of(axes_.begin(), axes_.end(),
                           [row](const Axis& axis) { return axis.x[row] == axis.x[row]; });
      });
      choose(complete_.data(), complete_.data() + complete_.size());
    }

    void solve(FoundSlopes& found) {
      const size_t q = axes_.size();
      if (q == 0) return;
      set_scale();
      add_up(q);
      const double C = curvature(sums_[0]), G = gradient(sums_[q + 1]);
      if (!(C > 0)) return;
      std::vector<double> S(q * q, 0.0), b(q), mean(q);
      for (size_t j = 0; j < q; ++j) mean[j] = curvature(sums_[1 + j]) / C;
      for (size_t j = 0, at = 2 * q + 2; j < q; ++j) {
        b[j] = -(gradient(sums_[q + 2 + j]) - G * mean[j]);
        for (size_t k = 0; k <= j; ++k)
          S[j * q + k] = curvature(sums_[at++]) - C * mean[j] * mean[k];
        S[j * q + j] += task_.l2 / C * S[j * q + j];
      }
      Cholesky(S.data(), q, kRounding * curvature(examples_)).solve(b.data());
      for (size_t j = 0; j < q; ++j) {
        const Axis& axis = axes_[j];
        const double slope = b[j] / axis.half, most = std::fabs(slope) * (axis.high - axis.low);
        if (!(most < std::numeric_limits<double>::infinity())) continue;
        found.slope[axis.place] = slope;
        found.centre[axis.place] = axis.middle + axis.half * mean[j];
        found.low[axis.place] = axis.low;
        found.high[axis.place] = axis.high;
      }
    }

   private:
    // Lets go of the columns along which these rows do not differ.
    void choose(const uint32_t* first, const uint32_t* last) {
      std::erase_if(axes_, [&](Axis& axis) { return !axis.spans(first, last); });
    }

    // The scales of whole numbers, by the examples of the leaf.
    void set_scale() {
      double most_g = 0, most_c = 0;
      for (const uint32_t row : complete_) {
        most_g = std::max(most_g, std::fabs(task_.from.g[row]));
        most_c = std::max(most_c, c_of(row));
        examples_ += task_.from.times(row);
      }
      const int bits =
          std::min(50, 61 - static_cast<int>(std::bit_width(static_cast<uint64_t>(examples_))));
      g_shift_ = shift(most_g, bits);
      c_shift_ = shift(most_c, bits);
    }

    double c_of(uint32_t row) const { return task_.from.c == nullptr ? 1.0 : task_.from.c[row]; }
    double gradient(int64_t sum) const { return std::ldexp(static_cast<double>(sum), -g_shift_); }
    double curvature(int64_t sum) const { return std::ldexp(static_cast<double>(sum), -c_shift_); }

    // Sums of c, of c u_j, of g, of g u_j, then of c u_j u_k for k up to j.
    void add_up(size_t q) {
      sums_.assign(2 * q + 2 + q * (q + 1) / 2, 0);
      std::vector<double> u(q);
      const double g_unit = std::ldexp(1.0, g_shift_), c_unit = std::ldexp(1.0, c_shift_);
      for (const uint32_t row : complete_) {
        const double g = task_.from.g[row] * g_unit, c = c_of(row) * c_unit;
        const int64_t times = task_.from.times(row);
        for (size_t j = 0; j < q; ++j) u[j] = axes_[j].at(row);
        int64_t* sum = sums_.data();
        *sum++ += times * nearest_whole(c);
        for (size_t j = 0; j < q; ++j) *sum++ += times * nearest_whole(c * u[j]);
        *sum++ += times * nearest_whole(g);
        for (size_t j = 0; j < q; ++j) *sum++ += times * nearest_whole(g * u[j]);
        for (size_t j = 0; j < q; ++j)
          for (size_t k = 0; k <= j; ++k) *sum++ += times * nearest_whole(c * u[j] * u[k]);
      }
    }

    const SlopeTask& task_;
    std::vector<Axis> axes_;
    std::vector<uint32_t> complete_;  // the rows in which no column of the axes is missing
    int64_t examples_ = 0;            // in them
    int g_shift_ = 0, c_shift_ = 0;
    std::vector<int64_t> sums_;
  };

  const SlopeTask& task_;
  std::vector<size_t> begins_;
  std::vector<uint32_t> order_;
};

}  // namespace weaklearn
