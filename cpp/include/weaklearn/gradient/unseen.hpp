// Scores of the rows that each of several models did without, side by side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "weaklearn/threads/pool.hpp"
#include "weaklearn/threads/profile.hpp"

namespace weaklearn {

// Some rows of one model, ascending.
struct UnseenRows {
  const uint32_t* rows;
  size_t n;
};

// F holds n_outputs rows of m scores a model; `out`, as wide as there are unseen rows, gets
// n_outputs rows, models one after another. Rows beyond m are refused.
inline void gather_unseen(const double* F, size_t m, size_t n_outputs,
                          const std::vector<UnseenRows>& unseen, double* out, int threads) {
  constexpr size_t chunk = 8192;
  struct Task {
    const double* from;
    UnseenRows of;
    double* to;
  };
  size_t width = 0, before = 0;
  for (const UnseenRows& one : unseen) width += one.n;
  std::vector<Task> tasks;
  for (size_t k = 0; k < unseen.size(); ++k) {
    const UnseenRows& one = unseen[k];
    for (size_t output = 0; output < n_outputs; ++output)
      for (size_t i = 0; i < one.n; i += chunk)
        tasks.push_back({F + (k * n_outputs + output) * m,
                         {one.rows + i, std::min(chunk, one.n - i)},
                         out + output * width + before + i});
    before += one.n;
  }
  Pool::instance().run(tasks.size(), threads_for(2 * width * n_outputs, threads), [&](size_t t) {
    const Timed timed(Phase::losses);
    const Task& task = tasks[t];
    uint32_t most = 0;
    for (size_t i = 0; i < task.of.n; ++i) most = std::max(most, task.of.rows[i]);
    if (most >= m) throw std::invalid_argument("a row is out of range");
    for (size_t i = 0; i < task.of.n; ++i) task.to[i] = task.from[task.of.rows[i]];
  });
}

}  // namespace weaklearn
