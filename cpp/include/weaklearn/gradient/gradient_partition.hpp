// How a split on sums of gradients sends codes to the sides, and how a list of rows follows it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/gradient/gain.hpp"
#include "weaklearn/hot/loops.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/tree/tree.hpp"

namespace weaklearn {

// Which codes of a column go right.
struct CodeSides {
  uint8_t to_right[kSlots];
  CategorySet categories;  // those of a category
  bool missing_right;

  // What the node has not seen follows the heavier side.
  CodeSides(const Column& column, const GainSplit& split, bool heavy_right)
      : missing_right(split.missing_met ? split.missing_right : heavy_right) {
    for (uint32_t code = 0; code < column.n_codes; ++code) {
      bool right = split.categories ? split.right.has(code) : code > split.cut;
      if (split.categories && !split.met.has(code)) right = heavy_right;
      to_right[code] = right;
      if (split.categories && right) categories.add(code);
    }
    to_right[column.n_codes] = missing_right;
  }
};

// Splits a list of n rows in order, with spare room for as many; returns how many go left.
inline size_t part_in_order(uint32_t* list, uint32_t* spare, size_t n, const uint8_t* codes,
                            const uint8_t* to_right, int most_threads) {
  constexpr size_t kChunk = 16384;
  const int threads = n < 2 * kChunk ? 1 : most_threads;
  if (threads == 1) {
    const size_t left = hot().part(list, n, codes, to_right, list, spare);
    std::copy(spare, spare + (n - left), list + left);
    return left;
  }
  const size_t chunks = (n + kChunk - 1) / kChunk;
  std::vector<size_t> left(chunks);
  Pool::instance().run(chunks, threads, [&](size_t t) {
    const size_t from = t * kChunk, size = std::min(kChunk, n - from);
    left[t] = hot().part(list + from, size, codes, to_right, list + from, spare + from);
  });
  size_t total = 0;
  for (size_t t = 0; t < chunks; ++t) {  // the left parts move up, in order
    std::memmove(list + total, list + t * kChunk, left[t] * sizeof(uint32_t));
    total += left[t];
  }
  size_t at = total;
  for (size_t t = 0; t < chunks; ++t) {
    const size_t size = std::min(kChunk, n - t * kChunk) - left[t];
    std::memcpy(list + at, spare + t * kChunk, size * sizeof(uint32_t));
    at += size;
  }
  return total;
}

}  // namespace weaklearn
