// Where the windows of a scan stand, how the table of sums under them lies in memory, and how an
// image is shrunk.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "weaklearn/hot/loops.hpp"

namespace weaklearn {

struct Pixels {
  const uint8_t* data = nullptr;
  size_t height = 0, width = 0, stride = 0;
  const uint8_t* row(size_t y) const { return data + y * stride; }
};

enum class ScanWay { kFeatures, kPyramid };

// One size of window: how features are scaled or the image is shrunk, and where windows stand.
struct ScanLevel {
  double scale;           // of features; 1 in a pyramid
  int32_t height, width;  // of the image scanned
  int32_t step, rows, columns;
};

struct ScanHit {
  int32_t level, row, column;  // the window stands at (row, column) times step
  double score;                // stage sums less their thresholds, added up
};

inline int32_t scaled_edge(double scale, int32_t at) {
  return static_cast<int32_t>(std::floor(scale * at + 0.5));
}

// How a table of sums lies in memory: rows and columns that are a multiple of `step` apart stand
// side by side, and those that no window looks at are left out.
class ScanPlane {
 public:
  ScanPlane() = default;
  ScanPlane(int32_t step, int32_t width, const std::vector<int32_t>& downs,
            const std::vector<int32_t>& acrosses)
      : step_(step),
        width_(width),
        run_(static_cast<size_t>(width / step) + 1),
        row_slot_(slots(step, downs)),
        column_slot_(slots(step, acrosses)),
        rows_kept_(kept(row_slot_)),
        pitch_(kept(column_slot_) * run_) {}

  // Where a corner of a window lies, counted from the window's own place: the sum of both.
  int64_t row_place(int32_t down) const {
    const size_t row =
        static_cast<size_t>(down / step_) * rows_kept_ + slot(row_slot_[down % step_]);
    return static_cast<int64_t>(row * pitch_);
  }
  int64_t column_place(int32_t across) const {
    return static_cast<int64_t>(slot(column_slot_[across % step_]) * run_ +
                                static_cast<size_t>(across / step_));
  }
  size_t window_pitch() const { return rows_kept_ * pitch_; }  // from a row of windows to the next
  size_t size(int32_t pixel_rows) const {
    return (static_cast<size_t>(pixel_rows / step_) + 1) * window_pitch() + 2 * kScanLanes;
  }

  // Keeps what a window looks at of a row of the table.
  template <class Sum>
  void store(int32_t y, const Sum* row, Sum* table) const {
    const int32_t kept_as = row_slot_[y % step_];
    if (kept_as < 0) return;
    Sum* const into =
        table + (static_cast<size_t>(y / step_) * rows_kept_ + slot(kept_as)) * pitch_;
    if (step_ == 1) {
      std::copy(row, row + run_, into);
      return;
    }
    for (int32_t phase = 0; phase < step_ && phase <= width_; ++phase) {
      if (column_slot_[phase] < 0) continue;
      Sum* const run = into + slot(column_slot_[phase]) * run_;
      const Sum* const from = row + phase;
      const auto count = static_cast<size_t>((width_ - phase) / step_) + 1;
      if (step_ == 2)
        for (size_t i = 0; i < count; ++i) run[i] = from[2 * i];
      else
        for (size_t i = 0; i < count; ++i) run[i] = from[static_cast<size_t>(step_) * i];
    }
  }

 private:
  static size_t slot(int32_t of) { return static_cast<size_t>(of); }
  static std::vector<int32_t> slots(int32_t step, const std::vector<int32_t>& offsets) {
    std::vector<int32_t> slot(static_cast<size_t>(step), -1);
    for (const int32_t offset : offsets) slot[static_cast<size_t>(offset % step)] = 0;
    int32_t next = 0;
    for (int32_t& s : slot)
      if (s == 0) s = next++;
    return slot;
  }
  static size_t kept(const std::vector<int32_t>& slot) {
    return static_cast<size_t>(
        std::count_if(slot.begin(), slot.end(), [](int32_t s) { return s >= 0; }));
  }

  int32_t step_ = 1, width_ = 0;
  size_t run_ = 0;
  std::vector<int32_t> row_slot_, column_slot_;
  size_t rows_kept_ = 0, pitch_ = 0;
};

// One axis of OpenCV's INTER_LINEAR_EXACT: which two pixels make one, and the share of the second
// in 256ths.
struct ScanBlend {
  std::vector<int32_t> first;
  std::vector<uint16_t> share;

  ScanBlend() = default;
  ScanBlend(int32_t from, int32_t to)
      : first(static_cast<size_t>(to), 0), share(static_cast<size_t>(to), 0) {
    const double shrink = 1.0 / (static_cast<double>(to) / from);
    for (int32_t i = 0; i < to; ++i) {
      const double at = shrink * (i + 0.5) - 0.5;
      const double whole = std::floor(at);
      if (whole < 0.0) continue;
      const auto k = static_cast<size_t>(i);
      first[k] = static_cast<int32_t>(std::min(whole, from - 1.0));
      if (whole < from - 1.0)
        share[k] = static_cast<uint16_t>(std::nearbyint((at - whole) * 256.0));
    }
  }
};

}  // namespace weaklearn
