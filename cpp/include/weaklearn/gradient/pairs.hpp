// Which two columns matter together: how clearly the best cross of one cut through each parts the
// gradients.
//
// A cross has four quarters. Where two columns say nothing together, the square of the sum of the
// gradients of a quarter is about its noise; the statistic is how many times that it is, over the
// quarters. The noise is the sum of their squares, or of their curvatures (in units of the noise of
// all rows) where that is more: some rows are noisier than others, and where an event is rare,
// squares alone would take its absence for certainty.
//
// Promise: statistics do not depend on the order of rows or on threads, and copies count as rows.
// Columns are looked at through at most kGrid coarse cells: ordered ones by mass, categories by
// rate. What either column explains alone is taken out of the table first. Cost: one pass a pair.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/columns/dense_codes.hpp"
#include "weaklearn/columns/merge.hpp"
#include "weaklearn/gradient/whole_gradients.hpp"
#include "weaklearn/threads/pool.hpp"

namespace weaklearn {

constexpr size_t kGrid = 32;

class PairSearch {
 public:
  PairSearch(const Columns& columns, std::vector<int32_t> features, double l2, int threads)
      : codes_(columns),
        columns_(columns),
        features_(std::move(features)),
        l2_(l2),
        threads_(threads) {}

  // Adds the statistic of every pair (first with second, first with third, ...) for one output, and
  // what its best cross gains.
  void add(const Gradients& gradients, std::vector<double>& found, std::vector<double>& gains) {
    const size_t m = columns_.n_rows(), n = features_.size();
    std::vector<uint32_t> everyone(m);
    for (size_t i = 0; i < m; ++i) everyone[i] = static_cast<uint32_t>(i);
    WholeGradients whole;
    const Gradients wide{gradients.g, gradients.c, gradients.copies, false};
    whole.take(wide, m, GradientExtent::of(wide, m, everyone.data(), m, threads_), threads_);
    g_ = whole.g(), c_ = whole.c();
    std::vector<int64_t> ones;
    if (whole.packed()) {  // one curvature everywhere: spread it out again
      spread_.resize(m);
      ones.assign(m, 1);
      for (size_t i = 0; i < m; ++i) spread_[i] = whole.one()[i] >> kCountBits;
      g_ = spread_.data(), c_ = ones.data();
    }
    g_unit_ = whole.g_unit(), c_unit_ = whole.c_unit();
    examples_ = static_cast<double>(std::max<int64_t>(whole.examples(), 1));
    coarse_.assign(n, {});
    sizes_.assign(n, 0);
    Pool::instance().run(n, threads_for(n * m, threads_), [&](size_t k) { coarsen(k); });
    square(gradients);
    found.resize(n * (n - 1) / 2, 0.0);
    gains.resize(found.size(), 0.0);
    std::vector<std::pair<size_t, size_t>> pairs;
    for (size_t a = 0; a < n; ++a)
      for (size_t b = a + 1; b < n; ++b) pairs.emplace_back(a, b);
    Pool::instance().run(pairs.size(), threads_for(pairs.size() * m, threads_), [&](size_t t) {
      const Found one = look(pairs[t].first, pairs[t].second);
      found[t] += one.statistic;
      gains[t] += one.gain;
    });
  }

 private:
  using Table = std::array<double, kGrid * kGrid>;

  // Squares of the gradients as whole numbers, copies counted.
  void square(const Gradients& of) {
    const size_t m = columns_.n_rows();
    int64_t all = 0;
    for (size_t i = 0; i < m; ++i) all += of.times(i);
    const double most = std::min(std::pow(largest(of.g, m, threads_), 2), 0x1p1000);
    int exponent = 0;
    std::frexp(most, &exponent);
    const int bits =
        std::min(50, 61 - static_cast<int>(std::bit_width(static_cast<uint64_t>(all))));
    const double scale = std::ldexp(1.0, std::clamp(bits - exponent, -1000, 1000));
    squares_.resize(m);
    int64_t total = 0;
    for (size_t i = 0; i < m; ++i) {
      squares_[i] = nearest_whole(std::min(of.g[i] * of.g[i], most) * scale) * of.times(i);
      total += squares_[i];
    }
    square_unit_ = 1 / scale;
    one_square_ =
        all > 0 ? static_cast<double>(total) * square_unit_ / static_cast<double>(all) : 0;
  }

  // The coarse cell of every row in a column.
  void coarsen(size_t k) {
    const Column& column = columns_[features_[k]];
    const uint8_t* const codes = codes_[features_[k]];
    const size_t m = columns_.n_rows(), n_slots = column.n_slots();
    std::vector<int64_t> G(n_slots), C(n_slots), mass(n_slots);
    for (size_t i = 0; i < m; ++i) {
      G[codes[i]] += g_[i];
      C[codes[i]] += c_[i];
    }
    for (size_t s = 0; s < n_slots; ++s) mass[s] = C[s];
    std::vector<uint32_t> order;
    for (uint32_t s = 0; s < column.n_codes; ++s)
      if (mass[s] > 0) order.push_back(s);
    if (column.categorical) {
      const double all_c = static_cast<double>(sum(C)) * c_unit_;
      const double smooth = all_c / examples_ * 10;  // ten examples of the whole
      std::vector<double> rate(n_slots);
      for (size_t s = 0; s < n_slots; ++s)
        rate[s] = static_cast<double>(G[s]) * g_unit_ /
                  (static_cast<double>(C[s]) * c_unit_ + smooth + 1e-300);
      std::stable_sort(order.begin(), order.end(),
                       [&](uint32_t a, uint32_t b) { return rate[a] < rate[b]; });
    }
    const size_t most = kGrid - (column.has_missing ? 1 : 0);
    std::vector<int64_t> in_order;
    for (const uint32_t s : order) in_order.push_back(mass[s]);
    const std::vector<uint8_t> group = groups_by_mass(in_order, static_cast<uint32_t>(most));
    std::vector<uint8_t> cell(n_slots, 0);
    for (size_t k = 0; k < order.size(); ++k) cell[order[k]] = group[k];
    size_t next = order.empty() ? 0 : group.back() + size_t{1};
    if (column.has_missing) cell[column.n_codes] = static_cast<uint8_t>(next++);
    sizes_[k] = std::max<size_t>(next, 1);
    coarse_[k].resize(m);
    for (size_t i = 0; i < m; ++i) coarse_[k][i] = cell[codes[i]];
  }

  static int64_t sum(const std::vector<int64_t>& x) {
    int64_t total = 0;
    for (const int64_t value : x) total += value;
    return total;
  }

  struct Found {
    double statistic = 0, gain = 0;
  };

  Found look(size_t first, size_t second) const {
    const size_t m = columns_.n_rows(), rows = sizes_[first], width = sizes_[second];
    if (rows < 2 || width < 2) return {};
    std::array<int64_t, kGrid * kGrid> sum_g{}, sum_c{}, sum_s{};
    const uint8_t *a = coarse_[first].data(), *b = coarse_[second].data();
    for (size_t i = 0; i < m; ++i) {
      const size_t place = a[i] * kGrid + b[i];
      sum_g[place] += g_[i];
      sum_c[place] += c_[i];
      sum_s[place] += squares_[i];
    }
    Table G, C, S;
    for (size_t k = 0; k < G.size(); ++k) {
      G[k] = static_cast<double>(sum_g[k]) * g_unit_;
      C[k] = static_cast<double>(sum_c[k]) * c_unit_;
      S[k] = static_cast<double>(sum_s[k]) * square_unit_;
    }
    take_out_mains(G, C, rows, width);
    add_up(G, rows, width);
    add_up(C, rows, width);
    add_up(S, rows, width);
    const size_t corner = (rows - 1) * kGrid + width - 1;
    const double noise = C[corner] > 0 ? S[corner] / C[corner] : 0;
    Found best;
    for (size_t i = 0; i + 1 < rows; ++i)
      for (size_t j = 0; j + 1 < width; ++j) {
        Found one;
        const std::array<double, 4> g = quarters(G, i, j, rows, width),
                                    c = quarters(C, i, j, rows, width),
                                    s = quarters(S, i, j, rows, width);
        for (int q = 0; q < 4; ++q) {  // one example more keeps few rows from proving much
          one.statistic += share(g[q], std::max(s[q], noise * c[q]) + one_square_);
          one.gain += share(g[q], std::max(c[q], 0.0) + l2_);
        }
        best.statistic = std::max(best.statistic, one.statistic);
        best.gain = std::max(best.gain, one.gain);
      }
    return best;
  }

  // Moves the gradient by what a function of each column alone would still explain.
  void take_out_mains(Table& G, const Table& C, size_t rows, size_t width) const {
    double of_row[kGrid] = {}, of_column[kGrid] = {};
    for (int sweep = 0; sweep < 4; ++sweep) {
      for (size_t i = 0; i < rows; ++i) {
        double g = 0, c = l2_;
        for (size_t j = 0; j < width; ++j) {
          g += G[i * kGrid + j] + C[i * kGrid + j] * of_column[j];
          c += C[i * kGrid + j];
        }
        of_row[i] = c > 0 ? -g / c : 0;
      }
      for (size_t j = 0; j < width; ++j) {
        double g = 0, c = l2_;
        for (size_t i = 0; i < rows; ++i) {
          g += G[i * kGrid + j] + C[i * kGrid + j] * of_row[i];
          c += C[i * kGrid + j];
        }
        of_column[j] = c > 0 ? -g / c : 0;
      }
    }
    for (size_t i = 0; i < rows; ++i)
      for (size_t j = 0; j < width; ++j)
        G[i * kGrid + j] += C[i * kGrid + j] * (of_row[i] + of_column[j]);
  }

  // Every cell becomes the sum of those above and to the left.
  static void add_up(Table& table, size_t rows, size_t width) {
    for (size_t i = 0; i < rows; ++i)
      for (size_t j = 1; j < width; ++j) table[i * kGrid + j] += table[i * kGrid + j - 1];
    for (size_t i = 1; i < rows; ++i)
      for (size_t j = 0; j < width; ++j) table[i * kGrid + j] += table[(i - 1) * kGrid + j];
  }

  static double share(double g, double of) { return of > 0 ? g * g / of : 0.0; }

  // The sums over the four quarters of a cut below row i and right of column j.
  static std::array<double, 4> quarters(const Table& table, size_t i, size_t j, size_t rows,
                                        size_t width) {
    const double first = table[i * kGrid + j], right = table[i * kGrid + width - 1] - first,
                 below = table[(rows - 1) * kGrid + j] - first;
    return {first, right, below, table[(rows - 1) * kGrid + width - 1] - first - right - below};
  }

  const DenseCodes codes_;
  const Columns& columns_;
  const std::vector<int32_t> features_;
  const double l2_;
  const int threads_;
  const int64_t *g_ = nullptr, *c_ = nullptr;
  std::vector<int64_t> spread_, squares_;
  double g_unit_ = 1, c_unit_ = 1, square_unit_ = 1;
  double one_square_ = 0;  // the mean
  double examples_ = 1;    // copies counted
  std::vector<std::vector<uint8_t>> coarse_;
  std::vector<size_t> sizes_;
};

}  // namespace weaklearn
