// Gradient and curvature of the many-class logistic loss.
//
// F lies class by class: K rows of n scores. g_k = p_k - [y = k], c_k = p_k (1 - p_k), each times
// the weight; loss[i] = -ln p_{y_i}, not weighted. The same bits for any number of threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weaklearn/hot/loops.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/threads/profile.hpp"

namespace weaklearn {

inline void softmax_derivatives(const int32_t* y, const double* F, const double* weight, size_t K,
                                size_t n, int threads, double* g, double* c, double* loss) {
  constexpr size_t chunk = 1024;
  Pool::instance().run((n + chunk - 1) / chunk, threads_for(n * K * 4, threads), [&](size_t t) {
    const Timed timed(Phase::losses);
    const size_t first = t * chunk, size = std::min(chunk, n - first);
    double most[chunk], sum[chunk];
    std::copy(F + first, F + first + size, most);
    for (size_t k = 1; k < K; ++k)
      for (size_t i = 0; i < size; ++i) most[i] = std::max(most[i], F[k * n + first + i]);
    std::fill(sum, sum + size, 0.0);
    for (size_t k = 0; k < K; ++k) {
      double* p = g + k * n + first;
      for (size_t i = 0; i < size; ++i) p[i] = F[k * n + first + i] - most[i];
      hot().exponentials(p, size);
      for (size_t i = 0; i < size; ++i) sum[i] += p[i];
    }
    std::copy(sum, sum + size, loss + first);
    hot().logarithms(loss + first, size);
    for (size_t i = 0; i < size; ++i)
      loss[first + i] -= F[static_cast<size_t>(y[first + i]) * n + first + i] - most[i];
    for (size_t k = 0; k < K; ++k) {
      double *p = g + k * n + first, *q = c + k * n + first;
      for (size_t i = 0; i < size; ++i) {
        const double share = p[i] / sum[i];
        p[i] = share - (y[first + i] == static_cast<int32_t>(k) ? 1.0 : 0.0);
        q[i] = share * (1.0 - share);
      }
      if (weight != nullptr)
        for (size_t i = 0; i < size; ++i) {
          p[i] *= weight[first + i];
          q[i] *= weight[first + i];
        }
    }
  });
}

}  // namespace weaklearn
