// Codes by row of every column, be it sparse or not.
//
// Cost: O(rows) time and memory for each sparse column; dense ones are not copied.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "weaklearn/columns/columns.hpp"

namespace weaklearn {

// One code a row of every column, those of sparse columns spread out: what trees are grown on.
class DenseCodes {
 public:
  explicit DenseCodes(const Columns& columns) : codes_(columns.size()) {
    const size_t m = columns.n_rows();
    size_t n_sparse = 0;
    for (size_t j = 0; j < columns.size(); ++j) n_sparse += columns[j].sparse;
    if (n_sparse > 0)
      spread_ = std::make_unique_for_overwrite<uint8_t[]>(n_sparse * m + kBeyondCodes);
    uint8_t* next = spread_.get();
    for (size_t j = 0; j < columns.size(); ++j) {
      const Column& column = columns[j];
      codes_[j] = column.codes;
      if (!column.sparse) continue;
      std::memset(next, static_cast<int>(column.zero_code == kNoCode ? 0 : column.zero_code), m);
      for (uint32_t k = 0; k < column.n_entries; ++k) next[column.entry_rows[k]] = column.codes[k];
      codes_[j] = next;
      next += m;
    }
  }
  const uint8_t* operator[](size_t j) const { return codes_[j]; }

 private:
  std::vector<const uint8_t*> codes_;
  Block<uint8_t> spread_;
};

}  // namespace weaklearn
