// The rows that a tree of gradients grows on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "weaklearn/gradient/gradient_work.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/threads/profile.hpp"

namespace weaklearn {

// Refuses places of a list that do not go on from those before them, or rows beyond m.
inline void check_rows(const uint32_t* rows, size_t begin, size_t end, size_t m) {
  bool ascends = begin == end || rows[end - 1] < m;
  for (size_t k = std::max<size_t>(begin, 1); k < end; ++k) ascends &= rows[k - 1] < rows[k];
  if (!ascends) throw std::invalid_argument("rows must ascend within range");
}

// Lists the rows of m that are in the bag and, where their scores will move, those outside; where
// nodes are sets of codes, rows are not divided and those outside not listed.
inline void list_rows(const GrowTask& task, size_t m, bool by_cells, GradientWork& work,
                      int threads) {
  constexpr size_t chunk = 32768;  // rows that one thread lists at a time
  const auto in_chunks = [&](size_t n, const auto& body) {
    Pool::instance().run((n + chunk - 1) / chunk, threads_for(n, threads), [&](size_t t) {
      const Timed timed(Phase::rows);
      body(t * chunk, std::min(n, (t + 1) * chunk));
    });
  };
  const bool whole_sample = task.rows == nullptr;
  const size_t n = whole_sample ? m : task.n_rows;
  work.rows.resize(n);
  if (!by_cells) work.spare.resize(m);
  in_chunks(n, [&](size_t begin, size_t end) {
    if (!whole_sample) check_rows(task.rows, begin, end, m);
    for (size_t k = begin; k < end; ++k)
      work.rows[k] = whole_sample ? static_cast<uint32_t>(k) : task.rows[k];
  });
  work.others.resize(task.scores != nullptr && !by_cells ? m - n : 0);
  if (work.others.empty()) return;
  in_chunks(m, [&](size_t begin, size_t end) {
    const auto* next = std::lower_bound(task.rows, task.rows + n, begin);
    size_t k = begin - static_cast<size_t>(next - task.rows);
    for (size_t i = begin; i < end; ++i) {
      if (next < task.rows + n && *next == i)
        ++next;
      else
        work.others[k++] = static_cast<uint32_t>(i);
    }
  });
}

}  // namespace weaklearn
