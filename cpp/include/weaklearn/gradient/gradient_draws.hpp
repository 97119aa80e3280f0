// What trees of gradients draw: columns for a level and for a node, and cuts.
//
// A draw is a function of the tree's key and of the path to the node. So it depends neither on the
// order of rows, nor on threads, nor on which nodes are searched ahead.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "weaklearn/columns/route.hpp"
#include "weaklearn/hot/log2.hpp"

namespace weaklearn::draws {

// The number at one place of the stream of a key.
inline uint64_t at(uint64_t key, uint64_t place) {
  return mix(key + 0x9E3779B97F4A7C15ull * (place + 1));
}

// What the numbers of a node's stream are for.
constexpr uint64_t kLeft = 0, kRight = 1, kColumns = 2, kCuts = 3;
// Of a tree's: those of its levels begin here.
constexpr uint64_t kLevels = 1024;

// A whole number below n > 0.
inline size_t below(size_t n, uint64_t number) {
  const auto place =
      static_cast<size_t>(static_cast<double>(number >> 11) * 0x1p-53 * static_cast<double>(n));
  return std::min(place, n - 1);
}

// So many of the columns, ascending. They are drawn one after another, each with a chance in
// proportion to its weight among those left; without weights all weigh alike. A column of weight 0
// is not drawn. Each is given a time that is exponential with its weight, and the first ones win.
inline std::vector<int32_t> columns(const std::vector<int32_t>& from, size_t n,
                                    const std::vector<double>& weights, uint64_t key) {
  std::vector<std::pair<double, int32_t>> times;
  std::vector<int32_t> drawn;
  for (const int32_t column : from) {
    const auto place = static_cast<size_t>(column);
    const double weight = weights.empty() ? 1.0 : weights[place];
    if (!(weight > 0)) continue;
    const double share = (static_cast<double>(at(key, place) >> 11) + 0.5) * 0x1p-53;
    times.emplace_back(-log2_of(share) / weight, column);
  }
  n = std::min(n, times.size());
  std::partial_sort(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(n), times.end());
  for (size_t k = 0; k < n; ++k) drawn.push_back(times[k].second);
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

}  // namespace weaklearn::draws
