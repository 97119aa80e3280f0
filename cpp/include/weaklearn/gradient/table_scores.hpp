// Scores moved by tables over the codes of one or two columns.
//
// Each row's score takes the tables in their order, whatever the number of threads: the same bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weaklearn/threads/pool.hpp"
#include "weaklearn/threads/profile.hpp"

namespace weaklearn {

// What rows get by their codes in a column and, where there is a second one, in that.
struct CodedTable {
  const uint8_t* first;
  const uint8_t* second;  // null: there is none
  size_t width;           // codes of the second
  const double* values;   // a row's place times n_outputs, and its output

  size_t place(size_t i) const {
    return second == nullptr ? first[i] : first[i] * width + second[i];
  }
};

// Adds the tables to n_outputs rows of m scores.
inline void add_tables(const std::vector<CodedTable>& tables, size_t n_outputs, size_t m, double* F,
                       int threads) {
  constexpr size_t chunk = 2048;  // rows whose scores stay in the nearest cache
  const size_t chunks = (m + chunk - 1) / chunk, steps = 2 * m * n_outputs * tables.size();
  Pool::instance().run(chunks, threads_for(steps, threads), [&](size_t t) {
    const Timed timed(Phase::leaves);
    const size_t end = std::min(m, (t + 1) * chunk);
    for (const CodedTable& table : tables)
      for (size_t k = 0; k < n_outputs; ++k)
        for (size_t i = t * chunk; i < end; ++i)
          F[k * m + i] += table.values[table.place(i) * n_outputs + k];
  });
}

}  // namespace weaklearn
