// A cascade of boosted rectangle features, as arrays.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weaklearn {

struct ScanRect {
  int32_t top, left, height, width;
};

// What src/weaklearn/vision/cascade.py describes; its checks have been made.
struct CascadeArrays {
  int32_t height = 0, width = 0;
  bool inset = false;
  std::vector<ScanRect> rects;
  std::vector<double> rect_weight;
  std::vector<int64_t> feature_start;
  std::vector<int32_t> node_feature;
  std::vector<double> threshold, low, high;
  std::vector<int64_t> stage_start;
  std::vector<double> stage_threshold;
  std::vector<uint8_t> tilted;                 // empty: none
  std::vector<int32_t> low_child, high_child;  // empty: no trees
  std::vector<uint8_t> goes_on;  // stages whose sums go on from those of the stage before; see fold

  // A stage may begin with all nodes of the stage before (a soft cascade): its sum goes on from the
  // other's, and what stands twice is left out. The sums are the same to the bit.
  void fold() {
    const size_t n_stages = stage_threshold.size();
    goes_on.assign(n_stages, 0);
    if (!low_child.empty()) return;
    std::vector<int64_t> starts(1, 0);
    std::vector<size_t> kept;
    for (size_t s = 0; s < n_stages; ++s) {
      const auto first = static_cast<size_t>(stage_start[s]);
      const auto last = static_cast<size_t>(stage_start[s + 1]);
      const size_t before = s == 0 ? first : static_cast<size_t>(stage_start[s - 1]);
      const size_t length = first - before;
      goes_on[s] = length > 0 && last - first >= length && is_repeated(before, first, length);
      for (size_t n = goes_on[s] ? first + length : first; n < last; ++n) kept.push_back(n);
      starts.push_back(static_cast<int64_t>(kept.size()));
    }
    for (size_t k = 0; k < kept.size(); ++k) {
      node_feature[k] = node_feature[kept[k]];
      threshold[k] = threshold[kept[k]];
      low[k] = low[kept[k]];
      high[k] = high[kept[k]];
    }
    node_feature.resize(kept.size());
    threshold.resize(kept.size());
    low.resize(kept.size());
    high.resize(kept.size());
    stage_start = std::move(starts);
  }

  bool has_tilted() const {
    return std::any_of(tilted.begin(), tilted.end(), [](uint8_t t) { return t != 0; });
  }

 private:
  bool is_repeated(size_t a, size_t b, size_t length) const {
    for (size_t i = 0; i < length; ++i)
      if (node_feature[a + i] != node_feature[b + i] || threshold[a + i] != threshold[b + i] ||
          low[a + i] != low[b + i] || high[a + i] != high[b + i])
        return false;
    return true;
  }
};

}  // namespace weaklearn
