// The loops in which the time goes, compiled once for every instruction set and chosen at run time.
//
// Promise: every variant gives the same bits (no contraction, no reordering of floating-point
// sums). This header includes nothing from the standard library but fixed-width integers, so that
// no inline function compiled for a newer processor can leak into the plain build.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "weaklearn/vision/image_scan_loops.hpp"

namespace weaklearn {

constexpr size_t kBeyondCodes = 8;  // bytes that follow the codes of all rows, of whatever value

// Whole-number sums over a node, and what a cut of it must leave on both sides. Real sums are the
// whole ones times their unit.
struct GainTerms {
  int64_t g, c, n;     // gradient, curvature and examples of the node
  int64_t g0, c0, n0;  // what lies left of every cut (missing values sent there)
  int64_t least_n, least_c;
  double g_unit, c_unit, l2;
};

// A node of k <= kMostClasses classes and what its tests are measured by: entropies in whole
// numbers (see tree/criterion.hpp) and the merit of the node itself.
constexpr size_t kMostClasses = 32;
struct ClassTerms {
  const int64_t* total;  // weights by class
  size_t k;
  int64_t w;  // of all classes
  double scale, back, base;
};

// A test of a small tree, put to kTogether rows at once (see predict/branchless_trees.hpp): one
// byte a row, be it the code of a column or the leaf found so far. Places are in bytes.
constexpr size_t kTogether = 128;
struct Choice {
  uint32_t column;           // whose codes are asked
  uint16_t low, high, slot;  // slot <- high where the test holds, low elsewhere
  uint8_t within;            // 0: the code is above `cut`; 1: it is in a set of 256 bits
  uint8_t cut;
  uint32_t set;
};

// A small tree whose leaves have slopes, in tables of `room` numbers (a multiple of 32, of which
// n_leaves count): the values of the leaves, then for each column their slopes (0: none), centres,
// least and largest values (see predict/leaf_slopes.hpp).
struct SlopedTree {
  const double* tables;
  const uint32_t* columns;
  size_t n_columns, n_leaves, room;
  double vote;
};

// A step function of one column, of fewer than 2^kMostSteps cuts: a search of so many steps, whose
// answers are the bits of a place, that of the first step the lowest. level[l] has the cut to ask
// in step l at each place so far (of the first one everywhere), value what stands at the last one.
constexpr int kMostSteps = 5;
template <class Real>
struct StepTable {
  Real level[kMostSteps][16];
  int64_t value[32];
  int64_t missing;
  size_t column;
  int steps;
};

// Numbers of examples and labels stand in rows, one an example, `stride` apart: as many as there
// are labels, and padding up to 1, 2, 4 or a multiple of 8.
//
// Sums by slot, those of a column in a table of their own: for each slot `stride` sums of the
// labels that hold, then as many of those that do not. Rows are those listed, or all; what is added
// is the whole number nearest to each weight, copies times over, or, where they are given, the
// gains, which stand in the order of the list.
struct LabelRows {
  const double* weight;
  const int64_t* gain;    // null: the weights
  const int64_t* copies;  // null: one each; gains are those of all copies
  size_t n_labels, stride;
  const int32_t* label;  // the one label that holds, of every row; null: see `sign`
  const int8_t* sign;    // +1 where a label holds, -1 where not, 0 where it does not count
  const uint32_t* rows;  // null: all
};

constexpr double kNoScore = -1e300;  // where a row is padded

// Scores and weights of examples and labels, in rows as above.
struct LabelTable {
  size_t stride;
  const int8_t* sign;       // +1 where a label holds, -1 where not, 0 where it does not count
  const int32_t* label;     // the one label that holds, of every row; null: any number may
  const double* log_prior;  // of each row; null: all 0
  const int64_t* copies;    // of each row, for counting; null: all 1
  bool repeats;             // whether copies are weighed as such
  double* score;            // less what all rows have in common
  const double* common;     // of each label
  double* weight;           // of one copy
};

// A step of scores that differ from what all rows have in common: that of row i is in row block[i]
// of `step`, and its weights grow by the factors of `plus` where a label holds, of `minus`
// elsewhere.
struct LabelStep {
  const int32_t* block;
  const double *step, *plus, *minus;
};

// What scores say of examples: labels whose score has the wrong sign or none, rows (copies counted)
// that are wrong, and the smallest margin. Where one label holds, a row is right if its score is
// the largest (the first of equals), and its margin, the lead over the best other, is looked at
// only where it is 0 or less; else a row is right if all labels are, where a score of 0 denies the
// label, and its margin is the smallest of them.
struct LabelErrors {
  int64_t labels, rows;
  double least;
};

// Asks for a line of memory that will be read soon.
inline void ask_for([[maybe_unused]] const void* place) {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(place);
#endif
}

// What the columns of a matrix add to the keys and hashes of its rows.
struct RowTerms {
  size_t n_columns;
  const uint64_t* factor;   // of the keys
  const uint64_t* seed;     // of the hashes
  const uint64_t* missing;  // what a missing value adds to a hash
};

struct Hot {
  // x[i] <- exp(x[i]); 0 below -745, no overflow handling above 700 (callers shift their
  // arguments).
  void (*exponentials)(double* x, size_t n);
  // x[i] <- ln(x[i]), x[i] positive and finite.
  void (*logarithms)(double* x, size_t n);
  // x[i] <- x[i] lg(x[i]); 0 stays 0.
  void (*x_log_x)(double* x, size_t n);
  // out[i] <- the whole part of w[i] lg(w[i]) scale, below 2^62; 0 for w[i] = 0.
  void (*whole_x_log_x)(const int64_t* w, size_t n, double scale, int64_t* out);
  // Lists the places of the table that are not 0 with what stands there, and sets them to 0;
  // returns how many. Both lists need room for 8 entries more than n.
  size_t (*take_out)(int64_t* table, size_t n, uint32_t* at, int64_t* w);
  // From weights by code and class, one code after another: the codes that occur, the weight up to
  // and with each of them, and what a cut behind it gains in entropy (the last one: any number).
  // Returns how many; all lists need room for 8 more. Null where vectors are too short to pay.
  size_t (*class_cuts)(const int64_t* table, size_t n_codes, const ClassTerms* terms,
                       uint32_t* code, int64_t* w, double* gain);
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
  // The same where the codes of a row stand side by side: those of row i from codes[stride * i] on,
  // that of column j (of 1..8) at byte bytes[j] < 8. Rows before `known` are asked for ahead; 0:
  // they are in the cache. Reads eight bytes a row.
  void (*histogram_beside)(const uint8_t* codes, size_t stride, const uint8_t* bytes, size_t width,
                           const uint32_t* rows, const int64_t* value, size_t begin, size_t end,
                           size_t known, int64_t* tables);
  // place[i] <- number of cuts below x[i] (cuts ascending); n_cuts + 1 where x[i] is missing.
  void (*places)(const double* x, size_t n, const double* cuts, size_t n_cuts, uint32_t* place);
  void (*places_f32)(const float* x, size_t n, const float* cuts, size_t n_cuts, uint32_t* place);
  // score[i] += table[place[i]].
  void (*look_up)(const uint32_t* place, size_t n, const int64_t* table, int64_t* score);
  // score[i] += the sum of the tables (by ascending column) at row i, of n_columns numbers side by
  // side, `row_stride` bytes apart. Null where vectors are too short to pay.
  void (*score_steps)(const char* rows, ptrdiff_t row_stride, size_t n_columns, size_t n,
                      const StepTable<double>* tables, size_t n_tables, int64_t* score);
  void (*score_steps_f32)(const char* rows, ptrdiff_t row_stride, size_t n_columns, size_t n,
                          const StepTable<float>* tables, size_t n_tables, int64_t* score);
  // Rows of doubles, `stride` apart. key[i] <- the sum of factor times bits, folded, mixed; hash[i]
  // <- the sum of mixed bits, without zeros (may be null); low and high of every column move to its
  // least and greatest value.
  void (*row_content)(const double* x, ptrdiff_t stride, size_t n_rows, const RowTerms& of,
                      uint64_t* key, uint64_t* hash, double* low, double* high);
  // Adds to two sums, modulo 2^64, the hashes of examples by row, label and weight (null: none),
  // each `copies` times (null: once).
  void (*hash_examples)(const uint64_t* rows, const uint64_t* labels, const double* weights,
                        const int64_t* copies, size_t n, uint64_t* sums);
  // The values of the listed rows, summed, and their absolute values.
  void (*sums_of)(const int64_t* value, const uint32_t* rows, size_t n, int64_t* sum,
                  int64_t* mass);
  // The absolute values on side -1 and on side 0, summed, and how many rows are silent.
  void (*masses)(const int8_t* side, const int64_t* value, size_t n, int64_t* wrong,
                 int64_t* silent, int64_t* silent_rows);
  // What rounding to whole numbers left out of the weights on side -1, on side 0 and on all, summed
  // over copies (null: one each) in units of 2^-20.
  void (*remainders)(const int8_t* side, const double* weight, const int64_t* copies, size_t n,
                     int64_t* wrong, int64_t* silent, int64_t* all);
  // The largest growth, and how many rows (copies, where given) have growth above the bar, or at it
  // where the sign is +1 (everywhere, where no signs are given).
  void (*vote_errors)(const double* growth, size_t n, double bar, const int8_t* sign,
                      const int64_t* copies, double* most, int64_t* count);
  // packed[i] <- gradient, curvature and 1 in one number: the count in the lowest n_bits, the
  // curvature in the c_bits above, the gradient on top; c may be null.
  void (*pack)(const double* g, const double* c, size_t n, double g_scale, double c_scale,
               int n_bits, int c_bits, int64_t* packed);
  // Adds g^2 (at most `most`) times its scale and c times its own to two sums, in whole numbers,
  // copies times over (null: once); c may be null, and counts as 1 then.
  void (*square_sums)(const double* g, const double* c, const int64_t* copies, size_t n,
                      double most, double scale, double c_scale, int64_t* sums);
  // Adds the fields of packed sums to g, c and n; c may be null.
  void (*unpack)(const int64_t* packed, size_t n_slots, int n_bits, int c_bits, int64_t* g,
                 int64_t* c, int64_t* n);
  // gain[k] <- G^2/(C + l2) of the slots up to k plus that of the rest, -1 where a side is too
  // small. At most 256 slots.
  void (*gains)(const int64_t* g, const int64_t* c, const int64_t* n, size_t n_cuts,
                const GainTerms* terms, double* gain);
  // The first place of the greatest of n >= 1 numbers.
  size_t (*greatest)(const double* x, size_t n);
  // Splits a list of rows in order: those with to_right[codes[row]] != 0 go to `right`, the others
  // to `left`; one of these may be `rows` itself. Returns how many went left. There are 256 sides,
  // and kBeyondCodes bytes behind the codes may be read.
  size_t (*part)(const uint32_t* rows, size_t n, const uint8_t* codes, const uint8_t* to_right,
                 uint32_t* left, uint32_t* right);
  // g and c of the logistic loss ln(1 + exp(-y F)), y = -1 or +1, times weight (null: 1). Returns
  // the sum of the losses (each cut off at 4096, then weighed) in whole numbers of 1/scale, copies
  // (null: 1) counted; 0 without looking at them where the scale is 0.
  int64_t (*logistic)(const int8_t* y, const double* F, const double* weight, const int64_t* copies,
                      size_t n, double scale, double* g, double* c);
  // low[i] <- number of cuts below x[i], 0 where x[i] is missing; high[i] the same, 255 where it is
  // missing (may be null). The 2^steps - 1 cuts (fewer than 256) stand in the order of a search:
  // the middle one, then those in the middle of both halves, ...; room for 31 more is behind them.
  // `near` are the cuts as the nearest singles, null where two of them would be the same.
  void (*codes)(const double* x, size_t n, const double* cuts, const float* near, int steps,
                uint8_t* low, uint8_t* high);
  void (*codes_f32)(const float* x, size_t n, const float* cuts, int steps, uint8_t* low,
                    uint8_t* high);
  // The same for fewer than 65536 cuts; missing is 65535.
  void (*wide_codes)(const double* x, size_t n, const double* cuts, const float* near, int steps,
                     uint16_t* low, uint16_t* high);
  void (*wide_codes_f32)(const float* x, size_t n, const float* cuts, int steps, uint16_t* low,
                         uint16_t* high);
  // Makes the choices one after another. Codes and slots begin at a multiple of 64 bytes.
  void (*choose)(const Choice* choices, size_t n, const uint8_t* codes, const uint64_t* sets,
                 uint8_t* slots);
  // score[i] += answers[leaf[i]]; there is room for a multiple of 32 answers.
  void (*add_answers)(const uint8_t* leaf, size_t n, const double* answers, size_t n_answers,
                      double* score);
  // score[i] += vote * the answer of leaf[i]; column j of row i is x[j * stride + i]. Null where
  // the variant has none.
  void (*add_sloped)(const SlopedTree& tree, const uint8_t* leaf, size_t n, const double* x,
                     size_t stride, double* score);
  // tables[j][codes[j][i] * 2 stride ...] += the numbers of row i, for the columns j < width and
  // the rows (or places of the list of rows) from begin to end.
  void (*label_sums)(const LabelRows* of, size_t begin, size_t end, const uint8_t* const* codes,
                     size_t width, int64_t* const* tables);
  // cost[c] <- the sum over labels of sqrt(W+ W-) of the slots up to c and of the rest, for the
  // cuts c < n; total: the sums of all slots.
  void (*label_costs)(const int64_t* table, size_t n, size_t stride, const int64_t* total,
                      double* cost);
  // bound[c] <- what no cut inside slot c can cost less than.
  void (*label_bounds)(const int64_t* table, size_t n, size_t stride, const int64_t* total,
                       double* bound);
  // Lists the rows whose block is another than `still`, in order; returns how many. The list needs
  // room for 16 entries more than n.
  size_t (*other_rows)(const int32_t* block, size_t n, int32_t still, uint32_t* rows);
  // What the scores of rows from begin to end say; adds to the vote_errors.
  void (*label_look)(const LabelTable* of, size_t begin, size_t end, LabelErrors* vote_errors);
  // score += step[block], for rows from begin to end.
  void (*label_add)(const LabelTable* of, const LabelStep* by, size_t begin, size_t end);
  // Weights of rows from begin to end: exp(log_prior - shift - sign score).
  void (*label_weigh)(const LabelTable* of, size_t begin, size_t end, double shift);
  // Takes the listed rows a step on: scores and weights; and what their whole numbers gain, all
  // copies, one row after another.
  void (*label_move)(const LabelTable* of, const LabelStep* by, const uint32_t* rows, size_t n,
                     int64_t* gain);
  // out[i] <- the sum over the corners k of factor[k] * planes[place[k] * 256 + i], for 256 lanes.
  void (*corner_sums)(const int32_t* planes, const uint32_t* place, const int32_t* factor,
                      size_t n_corners, int32_t* out);
  void (*corner_sums_f64)(const double* planes, const uint32_t* place, const double* factor,
                          size_t n_corners, double* out);
  // out[i] <- x[i] / by[i], for 256 lanes.
  void (*quotients)(const int32_t* x, const double* by, double* out);
  // codes[i] <- the place of x[i] around the centre, in 32 steps to a doubling of 1 + |x - centre|
  // * scale, for 256 lanes; codes rise with x.
  void (*spread_codes)(const double* x, double centre, double scale, uint8_t* codes);
  // A table of 256 slots, each the weight of label +1 above that of label -1 in the lower 32 bits,
  // all together below 2^31. With Q the signed weight up to a cut and S that of all: the largest
  // |S - 2Q| between slots, and what no cut inside a slot can exceed.
  void (*packed_reach)(const int64_t* table, int32_t* best, int32_t* reach);
  // The best cut between slots of such a table: by -sum of sqrt(W+ W-) (root) or by sum of (W+ -
  // W-)^2 / (W+ + W-) over both sides.
  double (*packed_merit)(const int64_t* table, bool root);
  // out[x] <- a[x] (256 - share) + b[x] share.
  void (*blend_rows)(const uint8_t* a, const uint8_t* b, uint32_t share, size_t n, uint16_t* out);
  // out[x] <- the neighbours row[first[x]] and row[first[x] + 1], blended in the same way, rounded
  // from 65536ths.
  void (*blend_columns)(const uint16_t* row, const int32_t* first, const uint16_t* share, size_t n,
                        uint8_t* out);
  PyramidLoops scan_pyramid;
  FeatureLoops scan_features;
  GiantLoops scan_giant;
  const char* name;
};

// The best variant this processor runs; WEAKLEARN_SIMD=baseline (avx2, avx512) asks for one by
// name.
const Hot& hot();

}  // namespace weaklearn
