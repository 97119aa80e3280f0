// Which two columns matter together: how clearly the best cross of one cut through each parts the
// gradients.
//
// A cross has four quarters. Where two columns say nothing together, the square of the sum of the
// gradients of a quarter is about its noise; the statistic is how many times that it is, over the
// quarters. The noise is the sum of their squares, or of their curvatures (in units of the noise of
// all rows) where that is more: some rows are noisier than others, and where an event is rare,
// squares alone would take its absence for certainty.
//
// Promise: statistics do not depend on the order of rows, on threads or partitions, and copies
// count as rows.
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
#include "weaklearn/gradient/gain.hpp"
#include "weaklearn/gradient/whole_gradients.hpp"
#include "weaklearn/partitions/collective.hpp"
#include "weaklearn/threads/pool.hpp"

namespace weaklearn {

constexpr size_t kGrid = 32;

class PairSearch {
 public:
  PairSearch(const Columns& columns, std::vector<int32_t> features, double l2, int threads,
             const Collective* partitions = nullptr)
      : codes_(columns),
        columns_(columns),
        features_(std::move(features)),
        l2_(l2),
        threads_(threads),
        partitions_(partitions) {}

  // Adds the statistic of every pair (first with second, first with third, ...) for one output, and
  // what its best cross gains.
  void add(const Gradients& gradients, std::vector<double>& found, std::vector<double>& gains) {
    const size_t m = columns_.n_rows(), n = features_.size();
    std::vector<uint32_t> everyone(m);
    for (size_t i = 0; i < m; ++i) everyone[i] = static_cast<uint32_t>(i);
    WholeGradients whole;
    const Gradients wide{gradients.g, gradients.c, gradients.copies, false};
    const GradientExtent extent =
        GradientExtent::of(wide, m, everyone.data(), m, threads_).over(partitions_);
    whole.take(wide, m, extent, threads_);
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
    coarsen_all(n);
    square(gradients, extent);
    found.resize(n * (n - 1) / 2, 0.0);
    gains.resize(found.size(), 0.0);
    std::vector<std::pair<size_t, size_t>> pairs;
    for (size_t a = 0; a < n; ++a)
      for (size_t b = a + 1; b < n; ++b) pairs.emplace_back(a, b);
    const size_t batch = partitions_ == nullptr ? pairs.size() : kAsked;
    for (size_t begin = 0; begin < pairs.size(); begin += batch)
      look_at(pairs, begin, std::min(pairs.size(), begin + batch), found, gains);
  }

 private:
  static constexpr size_t kAsked = 64;  // pairs whose sums go into one question over partitions
  using Table = std::array<double, kGrid * kGrid>;
  using Pair = std::pair<size_t, size_t>;

  // Adds the statistics of some of the pairs. Over partitions the sums of all of them are asked for
  // at once, before they are looked at.
  void look_at(const std::vector<Pair>& pairs, size_t begin, size_t end, std::vector<double>& found,
               std::vector<double>& gains) const {
    const size_t n = end - begin;
    const int threads = threads_for(n * columns_.n_rows(), threads_);
    const auto add = [&](size_t t, const Cells& cells) {
      const Found one = look(sizes_[pairs[t].first], sizes_[pairs[t].second], cells);
      found[t] += one.statistic;
      gains[t] += one.gain;
    };
    if (partitions_ == nullptr) {
      Pool::instance().run(n, threads, [&](size_t k) { add(begin + k, sum(pairs[begin + k])); });
      return;
    }
    std::vector<Cells> cells(n);
    Pool::instance().run(n, threads, [&](size_t k) { cells[k] = sum(pairs[begin + k]); });
    std::vector<int64_t> numbers;
    for (const Cells& one : cells)
      for (const auto* part : {&one.g, &one.c, &one.s})
        numbers.insert(numbers.end(), part->begin(), part->end());
    partitions_->sum(numbers.data(), numbers.size());
    const int64_t* next = numbers.data();
    for (Cells& one : cells)
      for (auto* part : {&one.g, &one.c, &one.s}) {
        std::copy_n(next, part->size(), part->begin());
        next += part->size();
      }
    Pool::instance().run(n, threads, [&](size_t k) { add(begin + k, cells[k]); });
  }

  // Squares of the gradients as whole numbers, copies counted.
  void square(const Gradients& of, const GradientExtent& extent) {
    const size_t m = columns_.n_rows();
    const int64_t all = extent.examples;
    const double most = std::min(std::pow(extent.most_g, 2), 0x1p1000);
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
    total = sum_over(partitions_, total);
    square_unit_ = 1 / scale;
    one_square_ =
        all > 0 ? static_cast<double>(total) * square_unit_ / static_cast<double>(all) : 0;
  }

  // The coarse cells of every row in all columns.
  void coarsen_all(size_t n) {
    const size_t m = columns_.n_rows();
    const int threads = threads_for(n * m, threads_);
    std::vector<int64_t> sums(n * 2 * kSlots);  // of gradients, then of curvatures, by code
    Pool::instance().run(n, threads, [&](size_t k) {
      const uint8_t* const codes = codes_[features_[k]];
      int64_t *const G = &sums[k * 2 * kSlots], *const C = G + kSlots;
      for (size_t i = 0; i < m; ++i) {
        G[codes[i]] += g_[i];
        C[codes[i]] += c_[i];
      }
    });
    if (partitions_ != nullptr) partitions_->sum(sums.data(), sums.size());
    Pool::instance().run(n, threads, [&](size_t k) { coarsen(k, &sums[k * 2 * kSlots]); });
  }

  // Those in a column, from the sums by its codes.
  void coarsen(size_t k, const int64_t* sums) {
    const Column& column = columns_[features_[k]];
    const uint8_t* const codes = codes_[features_[k]];
    const size_t m = columns_.n_rows(), n_slots = column.n_slots();
    const std::vector<int64_t> G(sums, sums + n_slots);
    const std::vector<int64_t> C(sums + kSlots, sums + kSlots + n_slots);
    std::vector<uint32_t> order;
    for (uint32_t s = 0; s < column.n_codes; ++s)
      if (C[s] > 0) order.push_back(s);
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
    for (const uint32_t s : order) in_order.push_back(C[s]);
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

  // Sums of gradient, curvature and square by the cells of two columns.
  struct Cells {
    std::array<int64_t, kGrid * kGrid> g{}, c{}, s{};
  };

  Cells sum(const Pair& pair) const {
    Cells cells;
    const size_t m = columns_.n_rows();
    if (sizes_[pair.first] < 2 || sizes_[pair.second] < 2) return cells;
    const uint8_t *a = coarse_[pair.first].data(), *b = coarse_[pair.second].data();
    for (size_t i = 0; i < m; ++i) {
      const size_t place = a[i] * kGrid + b[i];
      cells.g[place] += g_[i];
      cells.c[place] += c_[i];
      cells.s[place] += squares_[i];
    }
    return cells;
  }

  // The best cross of two columns of so many cells.
  Found look(size_t rows, size_t width, const Cells& cells) const {
    if (rows < 2 || width < 2) return {};
    Table G, C, S;
    for (size_t k = 0; k < G.size(); ++k) {
      G[k] = static_cast<double>(cells.g[k]) * g_unit_;
      C[k] = static_cast<double>(cells.c[k]) * c_unit_;
      S[k] = static_cast<double>(cells.s[k]) * square_unit_;
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
  const Collective* const partitions_;
  const int64_t *g_ = nullptr, *c_ = nullptr;
  std::vector<int64_t> spread_, squares_;
  double g_unit_ = 1, c_unit_ = 1, square_unit_ = 1;
  double one_square_ = 0;  // the mean
  double examples_ = 1;    // copies counted
  std::vector<std::vector<uint8_t>> coarse_;
  std::vector<size_t> sizes_;
};

}  // namespace weaklearn
