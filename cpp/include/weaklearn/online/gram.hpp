// Kernels between rows and a panel: inner products, and products over all features.
//
// A panel is d x m: feature after feature, the m rows of the second kind side by side. Sums and
// products run over the features in their order, for dense and for sparse rows alike; a cell of 0
// changes neither, so that both give the same bits.
//
// Cost: O(cells of the rows that are not 0) times m. Rows are shared out to threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weaklearn/threads/pool.hpp"

namespace weaklearn {

// Rows of numbers: dense, one after another, or their cells other than 0 with ascending columns.
struct DenseRows {
  const double* cell;
  size_t n, d;

  template <class See>
  void each(size_t i, See&& see) const {
    const double* const row = cell + i * d;
    for (size_t k = 0; k < d; ++k)
      if (row[k] != 0) see(k, row[k]);
  }
  size_t cells() const { return n * d; }
};

struct SparseRows {
  const int64_t* start;  // n + 1 of them
  const int32_t* column;
  const double* cell;
  size_t n, d;

  template <class See>
  void each(size_t i, See&& see) const {
    for (int64_t c = start[i]; c < start[i + 1]; ++c) see(static_cast<size_t>(column[c]), cell[c]);
  }
  size_t cells() const { return static_cast<size_t>(start[n] - start[0]); }
};

// x.z and prod (1 + x_k z_k), a feature at a time.
struct InnerProduct {
  static constexpr double start = 0;
  static double with(double so_far, double xz) { return so_far + xz; }
};
struct AllProducts {
  static constexpr double start = 1;
  static double with(double so_far, double xz) { return so_far * (1 + xz); }
};

// out[i * m + j] <- the kernel of row i and of row j of the panel.
template <class Kernel, class Rows>
void gram(const Rows& rows, const double* panel, size_t m, double* out, int threads) {
  constexpr size_t width = 16;  // so many sums stay in registers
  constexpr size_t block = 32;
  const size_t blocks = (rows.n + block - 1) / block;
  Pool::instance().run(blocks, threads_for(rows.cells() * m / 4, threads), [&](size_t b) {
    const size_t last = rows.n < (b + 1) * block ? rows.n : (b + 1) * block;
    for (size_t first = 0; first < m; first += width) {
      const size_t size = m - first < width ? m - first : width;
      for (size_t i = b * block; i < last; ++i) {
        double sum[width];
        for (size_t j = 0; j < width; ++j) sum[j] = Kernel::start;
        if (size == width) {
          rows.each(i, [&](size_t k, double x) {
            const double* const z = panel + k * m + first;
            for (size_t j = 0; j < width; ++j) sum[j] = Kernel::with(sum[j], x * z[j]);
          });
        } else {
          rows.each(i, [&](size_t k, double x) {
            const double* const z = panel + k * m + first;
            for (size_t j = 0; j < size; ++j) sum[j] = Kernel::with(sum[j], x * z[j]);
          });
        }
        for (size_t j = 0; j < size; ++j) out[i * m + first + j] = sum[j];
      }
    }
  });
}

// out[i] <- the inner product of row i with v, features in their order.
template <class Rows>
void along(const Rows& rows, const double* v, double* out, int threads) {
  constexpr size_t block = 1024;
  const size_t blocks = (rows.n + block - 1) / block;
  Pool::instance().run(blocks, threads_for(rows.cells(), threads), [&](size_t b) {
    const size_t last = rows.n < (b + 1) * block ? rows.n : (b + 1) * block;
    for (size_t i = b * block; i < last; ++i) {
      double sum = 0;
      rows.each(i, [&](size_t k, double x) { sum += x * v[k]; });
      out[i] = sum;
    }
  });
}

// out[i] <- the inner product of row i with itself.
template <class Rows>
void squares(const Rows& rows, double* out) {
  for (size_t i = 0; i < rows.n; ++i) {
    out[i] = 0;
    rows.each(i, [&](size_t, double x) { out[i] += x * x; });
  }
}

// out[k] <- sum over the rows of v[i] x_ik, rows in their order; nothing is read where v[i] = 0.
template <class Rows>
void across(const Rows& rows, const double* v, double* out) {
  for (size_t k = 0; k < rows.d; ++k) out[k] = 0;
  for (size_t i = 0; i < rows.n; ++i)
    if (v[i] != 0) rows.each(i, [&](size_t k, double x) { out[k] += v[i] * x; });
}

// out[k * d + l] <- sum over the rows of v[i] x_ik x_il, for l <= k: four rows at a time, and in
// chunks of rows whose number does not depend on the threads. Cost: n d^2 / 2.
inline void normal(const DenseRows& rows, const double* v, double* out, int threads) {
  constexpr size_t chunk = 4096;
  const size_t chunks = (rows.n + chunk - 1) / chunk, d = rows.d;
  std::vector<double> parts(chunks * d * d, 0.0);
  Pool::instance().run(chunks, threads_for(rows.cells() * d / 4, threads), [&](size_t c) {
    double* const part = parts.data() + c * d * d;
    const size_t last = rows.n < (c + 1) * chunk ? rows.n : (c + 1) * chunk;
    for (size_t i = c * chunk; i < last; i += 4) {
      const size_t size = last - i < 4 ? last - i : 4;
      const double* row[4];
      double weight[4];
      for (size_t r = 0; r < 4; ++r) {  // where there are fewer, the first stands in with weight 0
        row[r] = rows.cell + (r < size ? i + r : i) * d;
        weight[r] = r < size ? v[i + r] : 0.0;
      }
      for (size_t k = 0; k < d; ++k) {
        double x[4];
        for (size_t r = 0; r < 4; ++r) x[r] = weight[r] * row[r][k];
        double* const sums = part + k * d;
        for (size_t l = 0; l <= k; ++l)
          sums[l] += (x[0] * row[0][l] + x[1] * row[1][l]) + (x[2] * row[2][l] + x[3] * row[3][l]);
      }
    }
  });
  for (size_t e = 0; e < d * d; ++e) out[e] = 0;
  for (size_t c = 0; c < chunks; ++c)
    for (size_t e = 0; e < d * d; ++e) out[e] += parts[c * d * d + e];
}

}  // namespace weaklearn
