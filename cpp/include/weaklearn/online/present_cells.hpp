// The cells of a matrix that are not missing, row by row.
//
// Cost: O(cells), without a branch a cell. Allocation: the lists, and a row of scratch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weaklearn {

// Row i has the entries start[i] .. start[i + 1] - 1.
struct PresentCells {
  std::vector<int64_t> start;
  std::vector<int32_t> column;
  std::vector<double> value;
};

// The cells that are not NaN of n rows of d numbers.
template <class T>
PresentCells present_cells(const T* cells, size_t n, size_t d) {
  PresentCells found;
  found.start.assign(n + 1, 0);
  std::vector<int32_t> here(d);
  for (size_t i = 0; i < n; ++i) {
    const T* const row = cells + i * d;
    size_t k = 0;
    for (size_t j = 0; j < d; ++j) {
      here[k] = static_cast<int32_t>(j);
      k += row[j] == row[j];
    }
    found.column.insert(found.column.end(), here.begin(),
                        here.begin() + static_cast<std::ptrdiff_t>(k));
    for (size_t c = 0; c < k; ++c) found.value.push_back(row[here[c]]);
    found.start[i + 1] = static_cast<int64_t>(found.column.size());
  }
  return found;
}

}  // namespace weaklearn
