// Hashes in order, or rows in the order of their hashes, on several threads.
//
// Keys are dealt out by their highest bits, of which hashes have all values about as often, and
// every share is sorted alone. Of equal keys the row that comes first stays first. Cost: O(n log n)
// for any keys, divided among the threads for hashes. Allocation: rows by key need a copy of both.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "weaklearn/threads/pool.hpp"

namespace weaklearn {

struct RowOfKey {
  uint64_t key;
  uint32_t row;
  bool operator<(const RowOfKey& other) const {
    return key != other.key ? key < other.key : row < other.row;
  }
};

namespace sorting {

inline uint64_t item_of(const uint64_t* keys, size_t i, uint64_t*) { return keys[i]; }
inline RowOfKey item_of(const uint64_t* keys, size_t i, RowOfKey*) {
  return {keys[i], static_cast<uint32_t>(i)};
}

// Writes the n keys, or keys with their rows, in order.
template <class Item>
void sort_into(const uint64_t* keys, size_t n, Item* out, int threads) {
  constexpr size_t each = 512, chunk = 65536;  // keys of a share; keys dealt out at a time
  const int bits = std::clamp(static_cast<int>(std::bit_width(n / each)), 1, 11);
  const size_t shares = size_t{1} << bits, chunks = (n + chunk - 1) / chunk;
  const auto share_of = [&](uint64_t key) { return static_cast<size_t>(key >> (64 - bits)); };
  const int helpers = threads_for(n * 16, threads);
  std::vector<uint32_t> next(chunks * shares);  // first counts, then places
  Pool::instance().run(chunks, helpers, [&](size_t t) {
    uint32_t* const count = &next[t * shares];
    for (size_t i = t * chunk; i < std::min(n, (t + 1) * chunk); ++i) ++count[share_of(keys[i])];
  });
  std::vector<uint32_t> start(shares + 1);
  uint32_t place = 0;
  for (size_t s = 0; s < shares; ++s) {
    start[s] = place;
    for (size_t t = 0; t < chunks; ++t) {
      const uint32_t count = next[t * shares + s];
      next[t * shares + s] = place;
      place += count;
    }
  }
  start[shares] = place;
  Pool::instance().run(chunks, helpers, [&](size_t t) {
    uint32_t* const at = &next[t * shares];
    for (size_t i = t * chunk; i < std::min(n, (t + 1) * chunk); ++i)
      out[at[share_of(keys[i])]++] = item_of(keys, i, out);
  });
  const size_t together = std::max<size_t>(1, shares / 128);
  Pool::instance().run(shares / together, helpers, [&](size_t t) {
    for (size_t s = t * together; s < (t + 1) * together; ++s)
      std::sort(out + start[s], out + start[s + 1]);
  });
}

}  // namespace sorting

// Writes n < 2^32 keys in order.
inline void sort_keys(const uint64_t* keys, size_t n, uint64_t* out, int threads) {
  sorting::sort_into(keys, n, out, threads);
}

// Writes the numbers of n < 2^32 rows in the order of their keys, equal ones as they come.
inline void order_by_keys(const uint64_t* keys, size_t n, int64_t* rows, int threads) {
  const auto items = std::make_unique_for_overwrite<RowOfKey[]>(n);
  sorting::sort_into(keys, n, items.get(), threads);
  constexpr size_t chunk = 65536;
  Pool::instance().run((n + chunk - 1) / chunk, threads_for(n, threads), [&](size_t t) {
    for (size_t i = t * chunk; i < std::min(n, (t + 1) * chunk); ++i) rows[i] = items[i].row;
  });
}

}  // namespace weaklearn
