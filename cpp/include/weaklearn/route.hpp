// Where a test sends each row of coded columns, and the canonical hash of rows.
//
// Promise: routing by codes gives the same answer as comparing real values with the real threshold.
// Cost: O(m) for a dense column, O(m + entries) for a sparse one.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "weaklearn/columns.hpp"

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
        std::upper_bound(column.values.get(), column.values.get() + column.n_codes, threshold) -
        column.values.get());
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
  uint32_t level = 0;
  int32_t low = 0, high = 0, missing = 0;
  const int32_t* levels = nullptr;  // multiway
};

// outcome[slot] for every code of the column, and the cut for thresholds inside a bin.
inline Cut outcomes(const Column& column, const Answers& answers, int32_t* outcome) {
  Cut cut;
  std::fill(outcome, outcome + 256, answers.high);
  if (answers.test == Test::equality) {
    std::fill(outcome, outcome + column.n_codes, answers.low);
    if (answers.level < column.n_codes) outcome[answers.level] = answers.high;
  } else if (answers.test == Test::multiway) {
    for (uint32_t c = 0; c < column.n_codes; ++c) outcome[c] = answers.levels[c];
  } else if (!column.categorical) {
    cut = cut_at(column, answers.threshold);
    std::fill(outcome, outcome + cut.code, answers.low);
    if (cut.inside) outcome[cut.code] = answers.low;
  }
  if (column.has_missing) outcome[column.n_codes] = answers.missing;
  return cut;
}

// Calls emit(row, outcome[slot]) for every row; slot is the row's code. With an inside cut the
// rows of its bin from `position` on get `high` instead.
template <class Emit>
void route(const Column& column, size_t n_rows, const int32_t* outcome, const Cut& cut,
           int32_t high, Emit&& emit) {
  if (column.sparse) {
    if (column.zero_code != kNoCode)
      for (size_t i = 0; i < n_rows; ++i) emit(i, outcome[column.zero_code]);
    for (size_t k = 0; k < column.n_entries; ++k)
      emit(column.entry_rows[k], outcome[column.entry_codes[k]]);
  } else {
    for (size_t i = 0; i < n_rows; ++i) emit(i, outcome[column.codes[i]]);
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

// A hash of each row's content: independent of the order of rows and of dense or sparse storage.
inline void hash_rows(const Columns& columns, uint64_t* hash) {
  const size_t m = columns.n_rows();
  std::fill(hash, hash + m, 0);
  for (size_t j = 0; j < columns.size(); ++j) {
    const Column& column = columns[j];
    const uint64_t seed = mix(0x9E3779B97F4A7C15ull * (j + 1));
    const auto term = [&](double value) -> uint64_t {
      if (value == 0) return 0;
      uint64_t bits;
      std::memcpy(&bits, &value, sizeof bits);
      return mix(seed ^ mix(bits));
    };
    std::vector<uint64_t> of_code(256, 0);
    if (column.has_missing) of_code[column.n_codes] = mix(seed + 0x4D495353ull);
    if (column.categorical) {
      for (uint32_t c = 0; c < column.n_codes; ++c) of_code[c] = mix(seed + c + 1);
    } else if (!column.coarse) {
      for (uint32_t c = 0; c < column.n_codes; ++c) of_code[c] = term(column.values[c]);
    } else if (!column.order) {  // values in one bin are one value to whoever reads the codes
      for (uint32_t c = 0; c < column.n_codes; ++c)
        of_code[c] = column.sparse && c == column.zero_code ? 0 : term(column.least(c));
    } else {
      for (uint32_t p = 0; p < column.n_known; ++p)
        hash[column.order[p] & kRowMask] += term(column.sorted(p));
    }
    const size_t n = column.sparse ? column.n_entries : m;
    if (!column.coarse || !column.order || column.has_missing)
      for (size_t k = 0; k < n; ++k)
        hash[column.sparse ? column.entry_rows[k] : k] += of_code[column.codes[k]];
  }
}

}  // namespace weaklearn
