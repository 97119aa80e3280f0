// The loops in which the time goes, compiled once for every instruction set and chosen at run time.
//
// Promise: every variant gives the same bits (no contraction, no reordering of floating-point
// sums). This header includes nothing from the standard library but fixed-width integers, so that
// no inline function compiled for a newer processor can leak into the plain build.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace weaklearn {

struct Hot {
  // x[i] <- exp(x[i]); 0 below -745, no overflow handling above 700 (callers shift their
  // arguments).
  void (*exponentials)(double* x, size_t n);
  // value[i] <- the nearest whole number to weight[i] (below 2^62), times copies[i], with the sign
  // of sign[i]; copies and sign may be null.
  void (*whole_numbers)(const double* weight, size_t n, const int64_t* copies, const int8_t* sign,
                        int64_t* value);
  // Lists the positions (from `first` on) whose side is not +1 with fresh - value there, and sets
  // value to fresh; returns how many. Both lists need room for 8 entries more than n.
  size_t (*changes)(const int8_t* side, size_t n, uint32_t first, const int64_t* fresh,
                    int64_t* value, uint32_t* rows, int64_t* change);
  // growth[i] += step[side[i] + 1] and weight[i] *= factor[side[i] + 1].
  void (*grow)(const int8_t* side, size_t n, const double* step, const double* factor,
               double* growth, double* weight);
  // side[i] <- answer[codes[i]] * label[i].
  void (*sides)(const uint8_t* codes, const int8_t* answer, const int8_t* label, size_t n,
                int8_t* side);
  // side[i] <- label[i] times low where codes[i] < cut, missing where it is `gap`, high elsewhere.
  void (*sides_cut)(const uint8_t* codes, uint8_t cut, uint8_t gap, int8_t low, int8_t high,
                    int8_t missing, const int8_t* label, size_t n, int8_t* side);
  // tables[j*256 + codes[j][i]] += value[i] for the columns j < width (1..6) and rows [begin, end).
  void (*histogram)(const uint8_t* const* codes, size_t width, const int64_t* value, size_t begin,
                    size_t end, int64_t* tables);
  // The same for the listed rows only: value[k] belongs to rows[k].
  void (*histogram_of)(const uint8_t* const* codes, size_t width, const uint32_t* rows,
                       const int64_t* value, size_t begin, size_t end, int64_t* tables);
  // place[i] <- number of cuts below x[i] (cuts ascending); n_cuts + 1 where x[i] is missing.
  void (*places)(const double* x, size_t n, const double* cuts, size_t n_cuts, uint32_t* place);
  void (*places_f32)(const float* x, size_t n, const float* cuts, size_t n_cuts, uint32_t* place);
  // score[i] += table[place[i]].
  void (*look_up)(const uint32_t* place, size_t n, const int64_t* table, int64_t* score);
  // The absolute values on side -1 and on side 0, summed, and how many rows are silent.
  void (*masses)(const int8_t* side, const int64_t* value, size_t n, int64_t* wrong,
                 int64_t* silent, int64_t* silent_rows);
  // What rounding to whole numbers left out of the weights on side -1, on side 0 and on all, summed
  // over copies (null: one each) in units of 2^-20.
  void (*remainders)(const int8_t* side, const double* weight, const int64_t* copies, size_t n,
                     int64_t* wrong, int64_t* silent, int64_t* all);
  // The largest growth, and how many rows (copies, where given) have growth above the bar, or at it
  // where the sign is +1 (everywhere, where no signs are given).
  void (*standing)(const double* growth, size_t n, double bar, const int8_t* sign,
                   const int64_t* copies, double* most, int64_t* count);
  const char* name;
};

// The best variant this processor runs; WEAKLEARN_SIMD=baseline (avx2, avx512) asks for one by
// name.
const Hot& hot();

}  // namespace weaklearn
