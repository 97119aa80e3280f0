// Which two columns matter together: what the best cross of one cut through each gains.
//
// Promise: gains do not depend on the order of rows or on threads, and copies count as rows.
// Columns are looked at through at most kGrid coarse cells: ordered ones by mass, levels by their
// rates. What either column explains alone is taken out of the table first. Cost: one pass a pair.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "weaklearn/columns.hpp"
#include "weaklearn/gradient.hpp"
#include "weaklearn/pool.hpp"

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

  // Adds the gain of every pair (first with second, first with third, ...) for one output.
  void add(const Gradients& gradients, std::vector<double>& gains) {
    const size_t m = columns_.n_rows(), n = features_.size();
    std::vector<uint32_t> everyone(m);
    for (size_t i = 0; i < m; ++i) everyone[i] = static_cast<uint32_t>(i);
    WholeGradients whole;
    whole.take({gradients.g, gradients.c, gradients.copies, false}, m, everyone.data(), m,
               threads_);
    g_ = whole.g(), c_ = whole.c();
    std::vector<int64_t> ones;
    if (whole.packed()) {  // one curvature everywhere: spread it out again
      spread_.resize(m);
      ones.assign(m, 1);
      for (size_t i = 0; i < m; ++i) spread_[i] = whole.one()[i] >> kCountBits;
      g_ = spread_.data(), c_ = ones.data();
    }
    g_unit_ = whole.g_unit(), c_unit_ = whole.c_unit();
    coarse_.assign(n, {});
    sizes_.assign(n, 0);
    Pool::instance().run(n, threads_for(n * m, threads_), [&](size_t k) { coarsen(k); });
    gains.resize(n * (n - 1) / 2, 0.0);
    std::vector<std::pair<size_t, size_t>> pairs;
    for (size_t a = 0; a < n; ++a)
      for (size_t b = a + 1; b < n; ++b) pairs.emplace_back(a, b);
    Pool::instance().run(pairs.size(), threads_for(pairs.size() * m, threads_),
                         [&](size_t t) { gains[t] += gain(pairs[t].first, pairs[t].second); });
  }

 private:
  using Table = std::array<double, kGrid * kGrid>;

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
      const double smooth = all_c / static_cast<double>(m) * 10;  // ten examples of the whole
      std::vector<double> rate(n_slots);
      for (size_t s = 0; s < n_slots; ++s)
        rate[s] = static_cast<double>(G[s]) * g_unit_ /
                  (static_cast<double>(C[s]) * c_unit_ + smooth + 1e-300);
      std::stable_sort(order.begin(), order.end(),
                       [&](uint32_t a, uint32_t b) { return rate[a] < rate[b]; });
    }
    const size_t most = kGrid - (column.has_missing ? 1 : 0);
    double known = 0;
    for (const uint32_t s : order) known += static_cast<double>(mass[s]);
    std::vector<uint8_t> cell(n_slots, 0);
    double before = 0;
    size_t next = 0, last = most;
    for (const uint32_t s : order) {  // few enough: a cell each; otherwise by mass
      const auto at = static_cast<size_t>(before / known * static_cast<double>(most));
      const size_t bucket = order.size() <= most ? next : std::min(at, most - 1);
      if (order.size() > most && bucket != last && last != most) ++next;
      cell[s] = static_cast<uint8_t>(next);
      if (order.size() <= most) ++next;
      last = bucket;
      before += static_cast<double>(mass[s]);
    }
    if (order.size() > most) ++next;
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

  double gain(size_t first, size_t second) const {
    const size_t m = columns_.n_rows(), rows = sizes_[first], width = sizes_[second];
    if (rows < 2 || width < 2) return 0;
    std::array<int64_t, kGrid * kGrid> sum_g{}, sum_c{};
    const uint8_t *a = coarse_[first].data(), *b = coarse_[second].data();
    for (size_t i = 0; i < m; ++i) {
      const size_t place = a[i] * kGrid + b[i];
      sum_g[place] += g_[i];
      sum_c[place] += c_[i];
    }
    Table G, C;
    for (size_t k = 0; k < G.size(); ++k) {
      G[k] = static_cast<double>(sum_g[k]) * g_unit_;
      C[k] = static_cast<double>(sum_c[k]) * c_unit_;
    }
    take_out_mains(G, C, rows, width);
    return best_cross(G, C, rows, width);
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

  // The most that four values gain, one a quarter of a cut through rows and one through columns.
  double best_cross(Table& G, Table& C, size_t rows, size_t width) const {
    for (size_t i = 0; i < rows; ++i)  // sums up and to the left
      for (size_t j = 0; j < width; ++j) {
        const size_t k = i * kGrid + j;
        if (j > 0) G[k] += G[k - 1], C[k] += C[k - 1];
      }
    for (size_t i = 1; i < rows; ++i)
      for (size_t j = 0; j < width; ++j) {
        const size_t k = i * kGrid + j;
        G[k] += G[k - kGrid], C[k] += C[k - kGrid];
      }
    const size_t corner = (rows - 1) * kGrid + width - 1;
    const auto part = [&](double g, double c) { return c + l2_ > 0 ? g * g / (c + l2_) : 0.0; };
    double best = 0;
    for (size_t i = 0; i + 1 < rows; ++i)
      for (size_t j = 0; j + 1 < width; ++j) {
        const size_t k = i * kGrid + j, right = i * kGrid + width - 1,
                     below = (rows - 1) * kGrid + j;
        const double g1 = G[k], c1 = C[k], g2 = G[right] - g1, c2 = C[right] - c1,
                     g3 = G[below] - g1, c3 = C[below] - c1;
        const double g4 = G[corner] - g1 - g2 - g3, c4 = C[corner] - c1 - c2 - c3;
        best = std::max(best, part(g1, c1) + part(g2, c2) + part(g3, c3) + part(g4, c4));
      }
    return best;
  }

  const DenseCodes codes_;
  const Columns& columns_;
  const std::vector<int32_t> features_;
  const double l2_;
  const int threads_;
  const int64_t *g_ = nullptr, *c_ = nullptr;
  std::vector<int64_t> spread_;
  double g_unit_ = 1, c_unit_ = 1;
  std::vector<std::vector<uint8_t>> coarse_;
  std::vector<size_t> sizes_;
};

}  // namespace weaklearn
