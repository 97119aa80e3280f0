// How large numbers are and how many, over all partitions: what a unit of whole numbers depends on.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "weaklearn/partitions/collective.hpp"

namespace weaklearn {

struct Extent {
  double most = 0;  // at least 0
  uint64_t examples = 0;

  // The largest number and all examples, in one question.
  Extent over(const Collective* partitions) const {
    if (partitions == nullptr) return *this;
    const int64_t own[] = {std::bit_cast<int64_t>(most), static_cast<int64_t>(examples)};
    Extent all;
    for (const std::vector<int64_t>& part : partitions->gather(own, 2)) {
      all.most = std::max(all.most, std::bit_cast<double>(part[0]));
      all.examples += static_cast<uint64_t>(part[1]);
    }
    return all;
  }
};

}  // namespace weaklearn
