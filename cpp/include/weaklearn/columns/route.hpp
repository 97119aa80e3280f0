// Where a test sends each row of coded columns, and the canonical hash of rows.
//
// Promise: routing by codes gives the same answer as comparing real values with the real threshold.
// Cost: O(m) for a dense column, O(m + entries) for a sparse one.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "weaklearn/columns/columns.hpp"

namespace weaklearn {

// The place of a threshold among the codes: codes below `code` are low, above it high; rows of
// `code` itself are low up to `position` in the column's order (coarse columns only).
struct Cut {
  uint32_t code = 0;      // first code that is not wholly low
  uint32_t position = 0;  // coarse: first high position; only within the bin of `code`
  bool inside = false;    // the threshold lies inside the bin of `code`
};

inline Cut cut_at(const Column& column, double threshold) {
  Cut cut;
  if (!column.coarse) {
    cut.code = static_cast<uint32_t>(
        std::upper_bound(column.values, column.values + column.n_codes, threshold) - column.values);
    return cut;
  }
  uint32_t low = 0, high = column.n_codes;  // first code whose greatest value exceeds the threshold
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (column.greatest(middle) > threshold)
      high = middle;
    else
      low = middle + 1;
  }
  cut.code = low;
  if (low == column.n_codes || column.least(low) > threshold) return cut;
  uint32_t first = column.bin_start[low], last = column.bin_start[low + 1];
  while (first < last) {
    const uint32_t middle = (first + last) / 2;
    if (column.sorted(middle) > threshold)
      last = middle;
    else
      first = middle + 1;
  }
  cut.inside = true;
  cut.position = first;
  return cut;
}

enum class Test : uint8_t { constant, threshold, equality, multiway };

// The answers of a stump, as routing needs them.
struct Answers {
  Test test = Test::constant;
  double threshold = 0;
  uint32_t category = 0;
  int32_t low = 0, high = 0, missing = 0;
  const int32_t* by_category = nullptr;  // multiway
};

// outcome[slot] for every code of the column, and the cut for thresholds inside a bin.
inline Cut outcomes(const Column& column, const Answers& answers, int32_t* outcome) {
  Cut cut;
  std::fill(outcome, outcome + 256, answers.high);
  if (answers.test == Test::equality) {
    std::fill(outcome, outcome + column.n_codes, answers.low);
    if (answers.category < column.n_codes) outcome[answers.category] = answers.high;
  } else if (answers.test == Test::multiway) {
    for (uint32_t c = 0; c < column.n_codes; ++c) outcome[c] = answers.by_category[c];
  } else if (!column.categorical) {
    cut = cut_at(column, answers.threshold);
    std::fill(outcome, outcome + cut.code, answers.low);
    if (cut.inside) outcome[cut.code] = answers.low;
  }
  if (column.has_missing) outcome[column.n_codes] = answers.missing;
  return cut;
}

// Calls work(first, n) for parts of the rows, on several threads.
template <class Work>
void each_part(size_t n_rows, int threads, const Work& work) {
  constexpr size_t part = 16384;
  Pool::instance().run_near((n_rows + part - 1) / part, threads, [&](size_t t) {
    const Timed timed(Phase::rows);
    work(t * part, std::min(part, n_rows - t * part));
  });
}

// Calls emit(row, outcome[slot]) for every row; slot is the row's code. With an inside cut the
// rows of its bin from `position` on get `high` instead. The rows of dense columns are divided
// among threads.
template <class Emit>
void route(const Column& column, size_t n_rows, const int32_t* outcome, const Cut& cut,
           int32_t high, Emit&& emit, int threads = 1) {
  if (column.sparse) {
    if (column.zero_code != kNoCode)
      for (size_t i = 0; i < n_rows; ++i) emit(i, outcome[column.zero_code]);
    for (size_t k = 0; k < column.n_entries; ++k)
      emit(column.entry_rows[k], outcome[column.codes[k]]);
  } else {
    each_part(n_rows, threads_at_hand(n_rows, threads), [&](size_t first, size_t n) {
      for (size_t i = first; i < first + n; ++i) emit(i, outcome[column.codes[i]]);
    });
  }
  if (cut.inside)
    for (uint32_t p = cut.position; p < column.bin_start[cut.code + 1]; ++p)
      emit(column.order[p] & kRowMask, high);
}

inline uint64_t mix(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

namespace hashing {

inline uint64_t seed_of(size_t column) { return mix(0x9E3779B97F4A7C15ull * (column + 1)); }
inline uint64_t of_missing(uint64_t seed) { return mix(seed + 0x4D495353ull); }

// What each code of a column adds to a row; values in one bin are one value where no order is kept.
inline void terms(const Column& column, uint64_t seed, uint64_t* of_code) {
  std::fill(of_code, of_code + column.n_slots(), 0);
  if (column.has_missing) of_code[column.n_codes] = of_missing(seed);
  for (uint32_t c = 0; c < column.n_codes; ++c) {
    if (column.categorical) {
      of_code[c] = mix(seed + c + 1);
    } else if (!column.coarse || !column.order) {
      const double value = column.least(c);
      uint64_t bits;
      std::memcpy(&bits, &value, sizeof bits);
      const bool holds_zero = value <= 0 && column.greatest(c) >= 0;  // as rows not listed do
      of_code[c] = holds_zero ? 0 : mix(seed ^ mix(bits));
    }
  }
}

inline void add_ordered(const Column& column, uint64_t seed, uint64_t* hash) {
  for (uint32_t p = 0; p < column.n_known; ++p) {
    const double value = column.sorted(p);
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    if (value != 0) hash[column.order[p] & kRowMask] += mix(seed ^ mix(bits));
  }
}

// What listed entries, and values in order, of a column add.
inline void add_listed(const Columns& columns, size_t j, uint64_t* hash) {
  const Column& column = columns[j];
  if (column.coarse && column.order) add_ordered(column, seed_of(j), hash);
  if (!column.sparse) return;
  uint64_t term[256];
  terms(column, seed_of(j), term);
  for (size_t k = 0; k < column.n_entries; ++k) hash[column.entry_rows[k]] += term[column.codes[k]];
}

// The same of all such columns, divided among the threads, each with sums of its own.
inline void add_all_listed(const Columns& columns, const std::vector<size_t>& listed,
                           uint64_t* hash, int threads) {
  const size_t m = columns.n_rows(), n = listed.size();
  const auto parts = static_cast<size_t>(threads_for(m * n, threads));
  std::mutex adding;
  Pool::instance().run(parts, static_cast<int>(parts), [&](size_t t) {
    if (parts == 1) {
      for (const size_t j : listed) add_listed(columns, j, hash);
      return;
    }
    std::vector<uint64_t> mine(m, 0);
    for (size_t k = t * n / parts; k < (t + 1) * n / parts; ++k)
      add_listed(columns, listed[k], mine.data());
    const std::lock_guard<std::mutex> lock(adding);
    for (size_t i = 0; i < m; ++i) hash[i] += mine[i];
  });
}

// What the codes of dense columns add, row by row.
inline void add_coded(const Columns& columns, const std::vector<size_t>& coded, uint64_t* hash,
                      int threads) {
  constexpr size_t chunk = 4096, at_once = 256;  // rows and columns whose sums stay near at hand
  const size_t m = columns.n_rows();
  const auto term =
      std::make_unique_for_overwrite<uint64_t[]>(std::min(coded.size(), at_once) * 256);
  for (size_t first = 0; first < coded.size(); first += at_once) {
    const size_t n = std::min(at_once, coded.size() - first);
    for (size_t k = 0; k < n; ++k)
      terms(columns[coded[first + k]], seed_of(coded[first + k]), &term[k * 256]);
    Pool::instance().run((m + chunk - 1) / chunk, threads_for(m * n, threads), [&](size_t t) {
      const size_t end = std::min(m, (t + 1) * chunk);
      for (size_t k = 0; k < n; ++k) {
        const uint8_t* const codes = columns[coded[first + k]].codes;
        for (size_t i = t * chunk; i < end; ++i) hash[i] += term[k * 256 + codes[i]];
      }
    });
  }
}

}  // namespace hashing

// A hash of each row's content: independent of the order of rows and of dense or sparse storage.
inline void hash_rows(const Columns& columns, uint64_t* hash, int threads = 1) {
  std::vector<size_t> listed, coded;
  for (size_t j = 0; j < columns.size(); ++j) {
    const Column& column = columns[j];
    const bool ordered = column.coarse && column.order;
    if (column.sparse || ordered) listed.push_back(j);
    if (!column.sparse && (!ordered || column.has_missing)) coded.push_back(j);
  }
  std::fill(hash, hash + columns.n_rows(), 0);
  if (!listed.empty()) hashing::add_all_listed(columns, listed, hash, threads);
  hashing::add_coded(columns, coded, hash, threads);
}

}  // namespace weaklearn
