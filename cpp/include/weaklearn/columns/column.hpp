// A coded column: one byte a cell, with the real values beside them.
//
// A column of at most 255 distinct values is coded exactly. One with more gets at most 255 coarse
// codes and, to open a coarse bin exactly, the rows in order of value. A sparse column lists its
// entries and has an implicit code for zero. Memory: 1 byte a cell, 8 or 12 more if coarse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "weaklearn/hot/loops.hpp"

namespace weaklearn {

constexpr uint32_t kMostCodes = 255;  // value codes of a column; one more may stand for missing
constexpr uint32_t kNewValue =
    0x80000000u;  // flag on an entry of `order`: a new distinct value starts
constexpr uint32_t kRowMask = 0x7fffffffu;
constexpr size_t kLeastBin = 64;  // rows below which a coarse bin costs more to weigh than to open
constexpr uint32_t kNoCode = 0xffffffffu;

// The codes of a column where its rows are one partition of several: those that all rows have.
struct GivenCodes {
  bool has_missing = false, coarse = false;
  std::vector<double> values;  // of each code; coarse: smallest and largest, one after the other
};

// How columns of many values are coded. Searches that open bins keep the order of rows and want
// bins of some size; those that only cut between bins want as many as there are codes.
struct Binning {
  uint32_t most_codes = kMostCodes;
  size_t least_rows = kLeastBin;
  bool keep_order = true;
  const int64_t* copies = nullptr;    // of each row, null: one; looked at while coding only
  size_t worth_counting = 131'072;    // rows from which bins are counted where they need no order
  const GivenCodes* given = nullptr;  // of each column, null: found from the rows
};

template <class T>
using Block = std::unique_ptr<T[]>;

struct Column {
  bool categorical = false;
  bool sparse = false;
  bool has_missing = false;
  bool coarse = false;
  uint32_t n_codes = 0;  // value codes 0 .. n_codes-1; missing rows have code n_codes
  uint32_t zero_code =
      kNoCode;             // sparse: the code of the rows that are not listed, if there are any
  uint32_t n_entries = 0;  // sparse: listed rows
  uint32_t n_known = 0;    // coarse: length of `order`
  const uint8_t* codes = nullptr;        // dense: one a row; sparse: one an entry
  const uint32_t* entry_rows = nullptr;  // sparse: in the lists of all columns
  const double* values = nullptr;        // exact numeric: the value of each code
  Block<double> own_values;              // where these are not shared with other columns
  Block<uint32_t> order;      // coarse: listed, not missing rows by value, flagged with kNewValue
  Block<uint32_t> bin_start;  // coarse: first position of each code in `order`; n_codes + 1 of them
  Block<float> sorted_f32;  // coarse: values along `order`, in single precision where that is exact
  Block<double> sorted_f64;  // coarse: otherwise
  Block<double> ends;        // coarse: smallest and largest value of each code, one after the other

  uint32_t n_slots() const { return n_codes + (has_missing ? 1u : 0u); }
  double sorted(uint32_t position) const {
    return sorted_f32 ? static_cast<double>(sorted_f32[position]) : sorted_f64[position];
  }
  // Smallest and largest value of a code, for cut points between neighbouring codes.
  double least(uint32_t code) const { return coarse ? ends[2 * code] : values[code]; }
  double greatest(uint32_t code) const { return coarse ? ends[2 * code + 1] : values[code]; }
};

// The midpoint of two neighbouring values, or the lower one where no float lies between them (C++
// floats may be adjacent, or the sum may overflow): the test is "above the cut", so either
// separates.
inline double cut_between(double a, double b) {
  const double middle = (a + b) / 2;
  return middle >= a && middle < b ? middle : a;
}
// The constant rule stands one below the smallest value, or at minus infinity where that is no
// step.
inline double cut_below(double first) {
  const double below = first - 1;
  return below < first ? below : -std::numeric_limits<double>::infinity();
}

}  // namespace weaklearn
