// Which examples enter a bag, by what they hold and not by where they stand.
//
// Of the copies of an example every one has the same chance, and they are taken evenly: one at
// every step of 1/chance, from a place that content and salt give. So k identical rows and a row of
// k copies draw alike, and counting many copies costs no more than one. Cost: O(1) a row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "weaklearn/columns/route.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/threads/profile.hpp"

namespace weaklearn {

// The upper half of a product of 128 bits.
inline uint64_t high_product(uint64_t a, uint64_t b) {
  const uint64_t a1 = a >> 32, a0 = a & 0xffffffffu, b1 = b >> 32, b0 = b & 0xffffffffu;
  const uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
  return a1 * b1 + (middle >> 32) + ((a0 * b1 + (middle & 0xffffffffu)) >> 32);
}

class Draw {
 public:
  // chance is below 1.
  Draw(uint64_t salt, double chance)
      : salt_(salt), step_(std::max<uint64_t>(1, static_cast<uint64_t>(chance * 0x1p64))) {}

  // Whether the copy with `before` copies of the same content before it enters.
  bool takes(uint64_t content, uint64_t before) const { return place(content, before) > ~step_; }

  // How many of k such copies do.
  uint64_t count(uint64_t content, uint64_t before, uint64_t k) const {
    const uint64_t from = place(content, before);
    return high_product(k, step_) + (from + k * step_ < from ? 1 : 0);
  }

 private:
  // Places go round a circle of 2^64; the copy whose step completes a round enters.
  uint64_t place(uint64_t content, uint64_t before) const {
    return mix(content ^ salt_) + before * step_;
  }

  uint64_t salt_, step_;
};

// Rows by what they hold; before: how many copies of the same content come before a row, or null
// where none do.
struct Contents {
  const uint64_t* content;
  const uint64_t* before;
  size_t n;
  uint64_t before_row(size_t i) const { return before != nullptr ? before[i] : 0; }
};

constexpr size_t kDrawnAtOnce = 16384;  // rows that one thread draws from at a time

// Writes the rows that enter, ascending, and returns how many do; there is room for n + 1.
inline size_t draw_rows(const Draw& draw, const Contents& of, uint32_t* rows, int threads) {
  const size_t chunks = (of.n + kDrawnAtOnce - 1) / kDrawnAtOnce;
  std::vector<size_t> counts(chunks);
  Pool::instance().run(chunks, threads_for(4 * of.n, threads), [&](size_t t) {
    const Timed timed(Phase::rows);
    const size_t begin = t * kDrawnAtOnce, end = std::min(of.n, begin + kDrawnAtOnce);
    size_t count = 0;
    for (size_t i = begin; i < end; ++i) {  // within the chunk's own room: count <= i - begin
      rows[begin + count] = static_cast<uint32_t>(i);
      count += draw.takes(of.content[i], of.before_row(i));
    }
    counts[t] = count;
  });
  size_t total = 0;
  for (size_t t = 0; t < chunks; ++t) {
    std::memmove(rows + total, rows + t * kDrawnAtOnce, counts[t] * sizeof(uint32_t));
    total += counts[t];
  }
  return total;
}

// Writes how many of each row's copies enter.
inline void draw_copies(const Draw& draw, const Contents& of, const int64_t* copies, int64_t* drawn,
                        int threads) {
  const size_t chunks = (of.n + kDrawnAtOnce - 1) / kDrawnAtOnce;
  Pool::instance().run(chunks, threads_for(4 * of.n, threads), [&](size_t t) {
    const Timed timed(Phase::rows);
    const size_t end = std::min(of.n, (t + 1) * kDrawnAtOnce);
    for (size_t i = t * kDrawnAtOnce; i < end; ++i)
      drawn[i] = static_cast<int64_t>(
          draw.count(of.content[i], of.before_row(i), static_cast<uint64_t>(copies[i])));
  });
}

}  // namespace weaklearn
