// The slots of a coded column, as tables over its codes see them: where they meet, the slot of
// every row, and how many rows each has.
//
// Cost: O(codes) for the cuts, O(rows) for the codes, on one thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weaklearn/columns/columns.hpp"

namespace weaklearn {

// The thresholds between neighbouring codes of an ordered column; none of a categorical one.
inline std::vector<double> cuts_of(const Column& column) {
  std::vector<double> cuts;
  for (uint32_t k = 0; !column.categorical && k + 1 < column.n_codes; ++k)
    cuts.push_back(cut_between(column.greatest(k), column.least(k + 1)));
  return cuts;
}

// The code of every row; n_codes where it is missing.
inline void write_codes(const Column& column, size_t n_rows, uint8_t* out) {
  if (!column.sparse) {
    std::copy(column.codes, column.codes + n_rows, out);
    return;
  }
  std::fill_n(out, n_rows, static_cast<uint8_t>(column.zero_code));
  for (uint32_t k = 0; k < column.n_entries; ++k) out[column.entry_rows[k]] = column.codes[k];
}

// How many of the listed rows (null: all) have each code of a column, a row counted `copies` times
// (null: once); 256 counts, that of missing values at n_codes. `scratch` holds a byte per row.
inline void count_codes(const Column& column, size_t n_rows, const int64_t* rows, size_t n_listed,
                        const int64_t* copies, uint8_t* scratch, int64_t* counts) {
  const uint8_t* codes = column.codes;
  if (column.sparse) {
    write_codes(column, n_rows, scratch);
    codes = scratch;
  }
  std::fill_n(counts, 256, 0);
  const size_t n = rows == nullptr ? n_rows : n_listed;
  for (size_t k = 0; k < n; ++k) {
    const size_t i = rows == nullptr ? k : static_cast<size_t>(rows[k]);
    counts[codes[i]] += copies == nullptr ? 1 : copies[i];
  }
}

// The columns with more than one slot, ascending: the others do not tell any two rows apart.
inline std::vector<int32_t> varying_columns(const Columns& columns) {
  std::vector<int32_t> varying;
  for (size_t j = 0; j < columns.size(); ++j)
    if (columns[j].n_slots() > 1) varying.push_back(static_cast<int32_t>(j));
  return varying;
}

}  // namespace weaklearn
