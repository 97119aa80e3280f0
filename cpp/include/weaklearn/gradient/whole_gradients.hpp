// Gradients and curvatures as whole numbers, ready to be summed in any order.
//
// Promise: sums of the whole numbers do not depend on the order of rows; a row of k copies counts
// as k rows of its own. Where gradients are bounded and weights alike, gradient, curvature and
// count travel in one 64-bit number (13, 10 and 1 bits, sums of at most kPackedRows rows); with the
// same curvature everywhere the gradient gets 35 bits. Otherwise each has a 64-bit sum of its own.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "weaklearn/hot/loops.hpp"
#include "weaklearn/partitions/collective.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/threads/profile.hpp"
#include "weaklearn/weights/rounding.hpp"

namespace weaklearn {

constexpr size_t kPackedRows = 8191;  // examples whose packed sums cannot overflow
constexpr int kCountBits = 14;
constexpr int kCurvatureBits = 23;  // 10 bits a row

// Gradient and curvature of every row, as doubles; curvature null means 1 everywhere.
struct Gradients {
  const double* g = nullptr;
  const double* c = nullptr;
  const int64_t* copies = nullptr;  // null: one each
  bool bounded = true;              // gradients of one scale: 13 bits tell them well enough
  int64_t times(size_t i) const { return copies == nullptr ? 1 : copies[i]; }
  // Those of the rows from i on.
  Gradients from(size_t i) const {
    return {g + i, c == nullptr ? c : c + i, copies == nullptr ? copies : copies + i, bounded};
  }
};

constexpr size_t kAhead = 32;  // rows between asking for memory and reading it

// What the scales of whole numbers are chosen by: the largest of all rows, and the size of the bag
// that is to be summed. Be a row of k copies or k rows in it, they are the same.
struct GradientExtent {
  double most_g = 0, most_c = 1;
  int64_t examples = 0;  // in the bag
  bool several = false;  // whether a row of the bag has not exactly one copy

  static GradientExtent of(const Gradients& from, size_t n_rows, const uint32_t* bag, size_t n_bag,
                           int threads) {
    GradientExtent extent;
    extent.most_g = largest(from.g, n_rows, threads);
    if (from.c != nullptr) extent.most_c = largest(from.c, n_rows, threads);
    extent.examples = static_cast<int64_t>(n_bag);
    if (from.copies == nullptr) return extent;
    extent.examples = 0;
    for (size_t k = 0; k < n_bag; ++k) {
      extent.examples += from.copies[bag[k]];
      extent.several |= from.copies[bag[k]] != 1;
    }
    return extent;
  }

  // Those of all partitions.
  GradientExtent over(const Collective* partitions) const {
    std::vector<GradientExtent> one{*this};
    if (partitions != nullptr) join(one, *partitions);
    return one[0];
  }

  // The same of several at once.
  static void join(std::vector<GradientExtent>& extents, const Collective& partitions) {
    const size_t n = extents.size();
    std::vector<int64_t> own;
    for (const GradientExtent& one : extents)
      own.insert(own.end(), {std::bit_cast<int64_t>(one.most_g), std::bit_cast<int64_t>(one.most_c),
                             one.examples, one.several ? 1 : 0});
    extents.assign(n, {0, 0, 0, false});
    for (const std::vector<int64_t>& list : partitions.gather(own.data(), own.size()))
      for (size_t t = 0; t < n; ++t) {
        const int64_t* const of = list.data() + 4 * t;
        extents[t].most_g = std::max(extents[t].most_g, std::bit_cast<double>(of[0]));
        extents[t].most_c = std::max(extents[t].most_c, std::bit_cast<double>(of[1]));
        extents[t].examples += of[2];
        extents[t].several |= of[3] != 0;
      }
  }
};

class WholeGradients {
 public:
  void take(const Gradients& from, size_t n_rows, const GradientExtent& extent, int threads) {
    const double most_g = extent.most_g, most_c = extent.most_c;
    examples_ = extent.examples;
    const int wide =
        std::min(50, 61 - static_cast<int>(std::bit_width(static_cast<uint64_t>(examples_))));
    constant_ = from.c == nullptr;
    packed_ = (constant_ || from.bounded) && !extent.several;
    g_size_ = c_size_ = wide;
    if (constant_) g_size_ = std::min(wide, 63 - kCountBits - 14);
    if (!constant_ && from.bounded) g_size_ = std::min(wide, 13), c_size_ = std::min(wide, 10);
    g_scale_ = scale(most_g, g_size_);
    c_scale_ = constant_ ? 1.0 : scale(most_c, c_size_);
    c_bits_ = constant_ ? 0 : kCurvatureBits;
    const size_t chunk = 16384, n_tasks = (n_rows + chunk - 1) / chunk;
    if (packed_) {
      one_.resize(n_rows);
      Pool::instance().run(n_tasks, threads_for(n_rows * 2, threads), [&](size_t t) {
        const Timed timed(Phase::losses);
        const size_t i = t * chunk, n = std::min(chunk, n_rows - i);
        hot().pack(from.g + i, constant_ ? nullptr : from.c + i, n, g_scale_, c_scale_, kCountBits,
                   c_bits_, one_.data() + i);
      });
    } else {
      g_.resize(n_rows);
      c_.resize(n_rows);
      n_.resize(n_rows);
      Pool::instance().run(n_tasks, threads_for(n_rows * 6, threads), [&](size_t t) {
        const Timed timed(Phase::losses);
        const size_t end = std::min(n_rows, (t + 1) * chunk);
        for (size_t i = t * chunk; i < end; ++i) {
          n_[i] = from.times(i);
          g_[i] = of_copies(nearest_whole(from.g[i] * g_scale_), n_[i]);
          c_[i] = constant_ ? n_[i] : of_copies(nearest_whole(from.c[i] * c_scale_), n_[i]);
        }
      });
    }
    from_ = from;
    n_rows_ = n_rows;
    most_g_ = most_g;
    wide_ = wide;
    exact_g_ = scale(most_g, wide);
    exact_c_ = scale(most_c, wide);
  }

  bool packed() const { return packed_; }
  bool constant() const { return constant_; }
  int c_bits() const { return c_bits_; }
  double g_unit() const { return 1 / g_scale_; }
  double c_unit() const { return 1 / c_scale_; }
  const int64_t* one() const { return one_.data(); }  // packed
  const int64_t* g() const { return g_.data(); }      // otherwise
  const int64_t* c() const { return c_.data(); }
  const int64_t* n() const { return n_.data(); }
  size_t n_rows() const { return n_rows_; }
  int64_t examples() const { return examples_; }  // in the bag
  // Bits of the largest gradient and of the largest curvature of one example.
  int g_size() const { return g_size_; }
  int c_size() const { return c_size_; }

  // The curvature of a row's copies, in units of which those of the bag can be summed.
  int64_t weight(size_t i) const {
    return constant_ ? from_.times(i) : nearest_whole(from_.c[i] * exact_c_) * from_.times(i);
  }

  // Sums over some rows, to more digits than searching for splits needs.
  struct ExactSums {
    int64_t g = 0, c = 0;
  };
  ExactSums exact(const uint32_t* rows, size_t n) const {
    ExactSums total;
    for (size_t k = 0; k < n; ++k) {
      if (k + kAhead < n) {
        ask_for(from_.g + rows[k + kAhead]);
        if (!constant_) ask_for(from_.c + rows[k + kAhead]);
      }
      const uint32_t i = rows[k];
      total.g += nearest_whole(from_.g[i] * exact_g_) * from_.times(i);
      total.c += weight(i);
    }
    return total;
  }
  // The same of neighbouring rows by their parts, added to what is there.
  void add_exact(size_t begin, size_t end, const uint8_t* part, size_t n_parts,
                 ExactSums* parts) const {
    for (size_t i = begin; i < end; ++i) {
      ExactSums& total = parts[part[i]];
      const bool counts = part[i] < n_parts;  // the scale has no room for the others
      const int64_t times = counts ? from_.times(i) : 0;
      total.g += nearest_whole(counts ? from_.g[i] * exact_g_ : 0.0) * times;
      total.c += constant_ ? times : nearest_whole(counts ? from_.c[i] * exact_c_ : 0.0) * times;
    }
  }
  // The same by the part that part_of says a row is of, added to what is there.
  template <class PartOf>
  void add_exact(const uint32_t* rows, size_t n, const PartOf& part_of, ExactSums* parts) const {
    for (size_t k = 0; k < n; ++k) {
      const uint32_t i = rows[k];
      ExactSums& total = parts[part_of(i)];
      total.g += nearest_whole(from_.g[i] * exact_g_) * from_.times(i);
      total.c += weight(i);
    }
  }
  double gradient(const ExactSums& sums) const { return static_cast<double>(sums.g) / exact_g_; }
  double curvature(const ExactSums& sums) const { return in_curvature(sums.c); }

  // The mean square of a gradient over the mean curvature: about 1 for a log-loss that tells true.
  double noise(const ExactSums& squares) const {
    const double sum_c = in_curvature(squares.c);
    return sum_c > 0 ? static_cast<double>(squares.g) / scale(most_square(), wide_) / sum_c : 0.0;
  }

  // Sums of the squares of gradients and of the curvatures in the bag (null: all rows).
  ExactSums squares(const uint32_t* rows, size_t n, int threads) const {
    constexpr size_t chunk = 2048;
    const size_t pieces = (n + chunk - 1) / chunk;
    const double most = most_square(), square_scale = scale(most, wide_);
    std::vector<std::array<int64_t, 2>> sums(pieces, {0, 0});
    Pool::instance().run(pieces, threads_for(2 * n, threads), [&](size_t t) {
      const size_t first = t * chunk, size = std::min(chunk, n - first);
      double g[chunk], c[chunk];
      int64_t copies[chunk];
      Gradients part = from_.from(first);
      if (rows != nullptr) {  // side by side first
        for (size_t k = 0; k < size; ++k) g[k] = from_.g[rows[first + k]];
        for (size_t k = 0; !constant_ && k < size; ++k) c[k] = from_.c[rows[first + k]];
        for (size_t k = 0; k < size; ++k) copies[k] = from_.times(rows[first + k]);
        part = {g, constant_ ? nullptr : c, copies};
      }
      hot().square_sums(part.g, part.c, part.copies, size, most, square_scale, exact_c_,
                        sums[t].data());
    });
    ExactSums total;
    for (const auto& part : sums) total.g += part[0], total.c += part[1];
    return total;
  }

 private:
  double most_square() const { return std::min(most_g_ * most_g_, 0x1p1000); }

  double in_curvature(int64_t weights) const {
    return constant_ ? static_cast<double>(weights) : static_cast<double>(weights) / exact_c_;
  }

  // One row's share of a sum. The scale has no room for copies outside the bag: there it may wrap,
  // and nobody reads it.
  static int64_t of_copies(int64_t one, int64_t copies) {
    return static_cast<int64_t>(static_cast<uint64_t>(one) * static_cast<uint64_t>(copies));
  }

  // A power of two that takes the largest number below 2^bits.
  static double scale(double most, int bits) {
    if (!(most > 0)) return 1.0;
    int exponent;
    std::frexp(most, &exponent);  // most < 2^exponent
    return std::ldexp(1.0, std::clamp(bits - exponent, -1000, 1000));
  }

  Gradients from_;
  size_t n_rows_ = 0;
  bool packed_ = false, constant_ = false;
  int64_t examples_ = 0;
  int c_bits_ = 0, g_size_ = 0, c_size_ = 0, wide_ = 0;
  double most_g_ = 0;
  double g_scale_ = 1, c_scale_ = 1, exact_g_ = 1, exact_c_ = 1;
  std::vector<int64_t> one_, g_, c_, n_;
};

}  // namespace weaklearn
