// The loops of a scan, as hot/loops.hpp hands them out, and what they work on.
//
// Windows of a row stand `step` pixels apart, and the tables keep columns `step` apart side by
// side: what kScanLanes neighbouring windows read at one of their corners is one run of memory.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace weaklearn {

constexpr size_t kScanLanes = 16;  // windows judged at a time; tables have as many entries to spare

// The nodes of a cascade at one scale. Corners are places in the table, counted from a window's
// own: a rectangle's sum is [0] - [1] - [2] + [3].
template <class Real>
struct ScanNodes {
  const int32_t* corner;      // four a rectangle, rectangles in the order of nodes
  const Real* weight;         // of each rectangle
  const int32_t* rect_start;  // rectangles of node n: from rect_start[n] to rect_start[n + 1]
  const Real* threshold;
  const double* low;   // score where value <= threshold
  const double* high;  // score elsewhere
  // Null where every node is a weak classifier of its own; else how many nodes further the next
  // question stands, 0 where there is none, and whether a tree begins.
  const int32_t* low_child;
  const int32_t* high_child;
  const uint8_t* root;
  size_t largest_tree;  // nodes of it
};

// How the deviations of windows are found: corners in the table of sums and in that of squares.
struct ScanNorm {
  int32_t sum[4], square[4];
  double area;
};

// Sums are kept as Sum, sums of squares as Square, both modulo their size, so that differences are
// right wherever the sum of one window fits; values of features are Reals.
template <class Sum, class Square, class Real>
struct ScanLoops {
  // sum[x + 1] += what the pixels up to x add up to, square[x + 1] their squares.
  void (*add_row)(const uint8_t* pixel, size_t n, Sum* sum, Square* square);
  // OpenCV's rules, where Real is float: norm <- 1 / (area sigma), and where all are doubles:
  // norm <- sigma. Returns a bit for each window that may be judged: with `strict` those of more
  // than 10 grey levels of deviation, else all (and a sigma of 0 becomes 1).
  uint32_t (*norms)(const ScanNorm* how, const Sum* sum, const Square* square, bool strict,
                    Real* norm);
  // total[i] += the scores of the nodes from begin to end, one after another, for the windows at
  // table + i.
  void (*judge)(const ScanNodes<Real>* nodes, size_t begin, size_t end, const Sum* table,
                const Real* norm, double* total);
  // The same for one window; gives the total.
  double (*judge_one)(const ScanNodes<Real>* nodes, size_t begin, size_t end, const Sum* table,
                      Real norm, double total);
  // So few windows of kScanLanes are better judged one by one.
  int few;
};

// A scan of a shrunken image by OpenCV's rules, of scaled features, and of scaled features whose
// sums need more than 31 bits.
using PyramidLoops = ScanLoops<uint32_t, uint32_t, float>;
using FeatureLoops = ScanLoops<uint32_t, uint64_t, double>;
using GiantLoops = ScanLoops<uint64_t, uint64_t, double>;

}  // namespace weaklearn
