// A cascade of rectangle features moved over an image at many scales.
//
// Two ways. `kFeatures` scales the features: corners are rounded, each rectangle's sum is corrected
// by (its area in the base window) / (its area here), and windows stand `step` pixels apart.
// `kPyramid` keeps the features and shrinks the image, with the pixels, singles and skipped windows
// of OpenCV's CascadeClassifier.
//
// Promise: hits come in order of level, row and column, the same for any number of threads and in
// every variant. A level is cut into strips of rows, a task each, with tables of their own: they
// hold what the strip's windows look at and no more, about a megabyte, or as much as the rows under
// one row of windows need (4 bytes a pixel of them at most, less from steps of 25 pixels on).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "weaklearn/hot/loops.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/vision/cascade.hpp"
#include "weaklearn/vision/scan_plan.hpp"
#include "weaklearn/vision/scan_plane.hpp"

namespace weaklearn {

// Rows of an image shrunk to another size as OpenCV's INTER_LINEAR_EXACT does it; the results are
// whole numbers, so that blending rows first gives the same.
class ShrunkenRows {
 public:
  ShrunkenRows(const Pixels& image, const ScanBlend& down, const ScanBlend& across)
      : image_(image), down_(down), across_(across) {
    same_ = across.first.size() == image.width && down.first.size() == image.height;
    if (same_) return;
    blended_.assign(image.width + 1, 0);
    row_.assign(across.first.size(), 0);
  }
  const uint8_t* row(int32_t y) {
    const auto at = static_cast<size_t>(y);
    if (same_) return image_.row(at);
    const auto first = static_cast<size_t>(down_.first[at]);
    hot().blend_rows(image_.row(first), image_.row(std::min(first + 1, image_.height - 1)),
                     down_.share[at], image_.width, blended_.data());
    hot().blend_columns(blended_.data(), across_.first.data(), across_.share.data(), row_.size(),
                        row_.data());
    return row_.data();
  }

 private:
  const Pixels& image_;
  const ScanBlend &down_, &across_;
  bool same_;
  std::vector<uint16_t> blended_;
  std::vector<uint8_t> row_;
};

// The image itself, row by row.
struct PlainRows {
  const Pixels& image;
  const uint8_t* row(int32_t y) const { return image.row(static_cast<size_t>(y)); }
};

namespace scanning {

constexpr double kMostBytes = 1 << 30;  // of the tables of all threads together

// Plans of some levels, cut into strips, done by as many threads as have room for their tables.
template <class Plan, class Rows>
void scan_levels(const std::vector<std::unique_ptr<Plan>>& plans,
                 const std::vector<int32_t>& number, Rows&& rows_of, int threads,
                 std::vector<ScanHit>& hits) {
  struct Strip {
    size_t plan;
    int32_t first, last;
  };
  std::vector<Strip> strips;
  double most = 1.0;
  for (size_t p = 0; p < plans.size(); ++p) {
    const int32_t rows = plans[p]->level().rows, height = plans[p]->strip_rows();
    most = std::max(most, plans[p]->strip_bytes(std::min(height, rows)));
    for (int32_t first = 0; first < rows; first += height)
      strips.push_back({p, first, std::min(rows, first + height)});
  }
  std::vector<std::vector<ScanHit>> found(strips.size());
  const int fitting = static_cast<int>(std::min<double>(threads, kMostBytes / most));
  Pool::instance().run(strips.size(), std::max(1, fitting), [&](size_t s) {
    const Strip& strip = strips[s];
    auto image = rows_of(strip.plan);
    plans[strip.plan]->scan(image, number[strip.plan], strip.first, strip.last, found[s]);
  });
  for (const auto& some : found) hits.insert(hits.end(), some.begin(), some.end());
}

template <class Plan, class Loops>
std::vector<std::unique_ptr<Plan>> plan_all(const CascadeArrays& cascade,
                                            const std::vector<ScanLevel>& levels,
                                            const std::vector<int32_t>& number, const Loops& loops,
                                            int threads) {
  std::vector<std::unique_ptr<Plan>> plans(number.size());
  Pool::instance().run(plans.size(), threads, [&](size_t p) {
    plans[p] = std::make_unique<Plan>(cascade, levels[static_cast<size_t>(number[p])], loops);
  });
  return plans;
}

}  // namespace scanning

inline std::vector<ScanHit> scan(const CascadeArrays& cascade, const Pixels& image, ScanWay way,
                                 const std::vector<ScanLevel>& levels, int threads) {
  std::vector<ScanHit> hits;
  std::vector<int32_t> small, giant;  // levels whose sums fit into 31 bits, and the others
  for (size_t l = 0; l < levels.size(); ++l) {
    if (levels[l].rows < 1 || levels[l].columns < 1) continue;
    const double area = std::pow(levels[l].scale + 1.0, 2) * cascade.height * cascade.width;
    const bool fits = way == ScanWay::kPyramid || area * 255.0 < 2147483648.0;
    (fits ? small : giant).push_back(static_cast<int32_t>(l));
  }
  if (way == ScanWay::kPyramid) {
    using Plan = ScanPlan<uint32_t, uint32_t, float>;
    std::vector<ScanBlend> down, across;
    for (const int32_t l : small) {
      const ScanLevel& level = levels[static_cast<size_t>(l)];
      down.emplace_back(static_cast<int32_t>(image.height), level.height);
      across.emplace_back(static_cast<int32_t>(image.width), level.width);
    }
    const auto plans =
        scanning::plan_all<Plan>(cascade, levels, small, hot().scan_pyramid, threads);
    scanning::scan_levels(
        plans, small, [&](size_t p) { return ShrunkenRows(image, down[p], across[p]); }, threads,
        hits);
    return hits;
  }
  const auto plain = [&](size_t) { return PlainRows{image}; };
  const auto plans = scanning::plan_all<ScanPlan<uint32_t, uint64_t, double>>(
      cascade, levels, small, hot().scan_features, threads);
  scanning::scan_levels(plans, small, plain, threads, hits);
  const auto wide = scanning::plan_all<ScanPlan<uint64_t, uint64_t, double>>(
      cascade, levels, giant, hot().scan_giant, threads);
  scanning::scan_levels(wide, giant, plain, threads, hits);
  return hits;
}

}  // namespace weaklearn
