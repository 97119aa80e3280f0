// Which rows a hypothesis gets right, and the weight on each side.
#pragma once

#include <atomic>
#include <cstdint>
#include <iterator>
#include <vector>

#include "weaklearn/partitions/collective.hpp"

namespace weaklearn {

// No two objects of a process share a number.
inline uint64_t next_number() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

// Right, wrong or silent: side[i] is +1 where the answer equals the label, -1 where it differs, 0
// where the hypothesis abstains.
struct Verdict {
  std::vector<int8_t> side;
  uint64_t id = next_number();
  explicit Verdict(size_t m) : side(m) {}
};

// The weight of the rows that are wrong and silent, in whole numbers, and what rounding left out of
// it, in units of 2^-Weights::kFiner.
struct Masses {
  uint64_t verdict = 0, version = 0;  // of which verdict, under which weights
  int64_t wrong = 0, silent = 0, silent_rows = 0;
  int64_t wrong_left = 0, silent_left = 0, all_left = 0;

  void add(const Masses& part) {
    wrong += part.wrong;
    silent += part.silent;
    silent_rows += part.silent_rows;
    wrong_left += part.wrong_left;
    silent_left += part.silent_left;
    all_left += part.all_left;
  }
  // Those of all partitions.
  void add_up(const Collective& all) {
    int64_t sums[] = {wrong, silent, silent_rows, wrong_left, silent_left, all_left};
    all.sum(sums, std::size(sums));
    wrong = sums[0], silent = sums[1], silent_rows = sums[2];
    wrong_left = sums[3], silent_left = sums[4], all_left = sums[5];
  }
};

}  // namespace weaklearn
