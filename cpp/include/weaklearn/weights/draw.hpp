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
// where none do; inside: 1 for rows that may enter, 0 for others, or null where all may.
struct Contents {
  const uint64_t* content;
  const uint64_t* before;
  size_t n;
  const uint8_t* inside = nullptr;
  uint64_t before_row(size_t i) const { return before != nullptr ? before[i] : 0; }
};

constexpr size_t kDrawnAtOnce = 16384;  // rows that one thread draws from at a time

// The rows of one bag that enter, to be written to.
struct DrawnRows {
  Contents of;
  uint32_t* rows;    // room for n + 1
  size_t count = 0;  // how many enter
};

// Writes the rows that enter, ascending, into every bag.
inline void draw_rows(const Draw& draw, std::vector<DrawnRows>& bags, int threads) {
  struct Task {
    DrawnRows* bag;
    size_t begin, count;
  };
  std::vector<Task> tasks;
  size_t n = 0;
  for (DrawnRows& bag : bags) {
    n += bag.of.n;
    for (size_t i = 0; i < bag.of.n; i += kDrawnAtOnce) tasks.push_back({&bag, i, 0});
  }
  Pool::instance().run(tasks.size(), threads_for(4 * n, threads), [&](size_t t) {
    const Timed timed(Phase::rows);
    const Contents& of = tasks[t].bag->of;
    const size_t begin = tasks[t].begin, end = std::min(of.n, begin + kDrawnAtOnce);
    uint32_t* const rows = tasks[t].bag->rows + begin;
    size_t count = 0;
    for (size_t i = begin; i < end; ++i) {  // within the chunk's own room: count <= i - begin
      rows[count] = static_cast<uint32_t>(i);
      const bool inside = of.inside == nullptr || of.inside[i] != 0;
      count += inside & draw.takes(of.content[i], of.before_row(i));
    }
    tasks[t].count = count;
  });
  Pool::instance().run(bags.size(), threads_for(n, threads), [&](size_t k) {
    const Timed timed(Phase::rows);
    DrawnRows& bag = bags[k];
    for (const Task& task : tasks) {
      if (task.bag != &bag) continue;
      std::memmove(bag.rows + bag.count, bag.rows + task.begin, task.count * sizeof(uint32_t));
      bag.count += task.count;
    }
  });
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
