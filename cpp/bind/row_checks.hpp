// What bindings of columns and of keys of rows share: checks of what they are given.
#pragma once

#include <optional>
#include <vector>

#include "bind.hpp"
#include "weaklearn/columns/columns.hpp"

namespace weaklearn::bind {

inline void check_rows(size_t n_rows) {
  if (n_rows > kRowMask) throw std::invalid_argument("at most 2147483647 rows can be coded");
}

using Copies = std::optional<Vector<int64_t>>;

template <class Index>
std::vector<Index> checked(const Vector<Index>& starts, size_t n_entries) {
  if (starts.shape(0) < 1 || starts.data()[0] != 0)
    throw std::invalid_argument("indptr must start with 0");
  const std::vector<Index> start(starts.data(), starts.data() + starts.shape(0));
  for (size_t j = 0; j + 1 < start.size(); ++j)
    if (start[j + 1] < start[j]) throw std::invalid_argument("indptr must not decrease");
  if (start[0] < 0 || static_cast<size_t>(start.back()) > n_entries)
    throw std::invalid_argument("indptr ends beyond the entries");
  return start;
}

}  // namespace weaklearn::bind
