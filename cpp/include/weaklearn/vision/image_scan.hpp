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
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "weaklearn/hot/loops.hpp"
#include "weaklearn/threads/pool.hpp"

namespace weaklearn {

struct ScanRect {
  int32_t top, left, height, width;
};

// What src/weaklearn/vision/cascade.py describes; its checks have been made.
struct CascadeArrays {
  int32_t height = 0, width = 0;
  bool inset = false;
  std::vector<ScanRect> rects;
  std::vector<double> rect_weight;
  std::vector<int64_t> feature_start;
  std::vector<int32_t> node_feature;
  std::vector<double> threshold, low, high;
  std::vector<int64_t> stage_start;
  std::vector<double> stage_threshold;
  std::vector<uint8_t> tilted;                 // empty: none
  std::vector<int32_t> low_child, high_child;  // empty: no trees
  std::vector<uint8_t> goes_on;  // stages whose sums go on from those of the stage before; see fold

  // A stage may begin with all nodes of the stage before (a soft cascade): its sum goes on from the
  // other's, and what stands twice is left out. The sums are the same to the bit.
  void fold() {
    const size_t n_stages = stage_threshold.size();
    goes_on.assign(n_stages, 0);
    if (!low_child.empty()) return;
    std::vector<int64_t> starts(1, 0);
    std::vector<size_t> kept;
    for (size_t s = 0; s < n_stages; ++s) {
      const auto first = static_cast<size_t>(stage_start[s]);
      const auto last = static_cast<size_t>(stage_start[s + 1]);
      const size_t before = s == 0 ? first : static_cast<size_t>(stage_start[s - 1]);
      const size_t length = first - before;
      goes_on[s] = length > 0 && last - first >= length && is_repeated(before, first, length);
      for (size_t n = goes_on[s] ? first + length : first; n < last; ++n) kept.push_back(n);
      starts.push_back(static_cast<int64_t>(kept.size()));
    }
    for (size_t k = 0; k < kept.size(); ++k) {
      node_feature[k] = node_feature[kept[k]];
      threshold[k] = threshold[kept[k]];
      low[k] = low[kept[k]];
      high[k] = high[kept[k]];
    }
    node_feature.resize(kept.size());
    threshold.resize(kept.size());
    low.resize(kept.size());
    high.resize(kept.size());
    stage_start = std::move(starts);
  }

  bool has_tilted() const {
    return std::any_of(tilted.begin(), tilted.end(), [](uint8_t t) { return t != 0; });
  }

 private:
  bool is_repeated(size_t a, size_t b, size_t length) const {
    for (size_t i = 0; i < length; ++i)
      if (node_feature[a + i] != node_feature[b + i] || threshold[a + i] != threshold[b + i] ||
          low[a + i] != low[b + i] || high[a + i] != high[b + i])
        return false;
    return true;
  }
};

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

// The windows OpenCV visits after some were rejected by the first stage: it passes over the next
// one. By a byte of rejections and whether the window before them was rejected: a byte of visits,
// and above it whether the next window is passed over.
inline constexpr auto kScanVisits = [] {
  std::array<uint16_t, 512> visits{};
  for (unsigned i = 0; i < 512; ++i) {
    unsigned seen = 0;
    bool over = i >= 256;
    for (unsigned bit = 0; bit < 8; ++bit) {
      if (!over) seen |= 1u << bit;
      over = !over && ((i >> bit) & 1u) != 0;
    }
    visits[i] = static_cast<uint16_t>(seen | (over ? 256u : 0u));
  }
  return visits;
}();

template <class Sum, class Square, class Real>
class ScanPlan {
 public:
  using Loops = ScanLoops<Sum, Square, Real>;
  static constexpr bool kSingles = std::is_same_v<Real, float>;

  ScanPlan(const CascadeArrays& cascade, const ScanLevel& level, const Loops& loops)
      : cascade_(cascade), level_(level), loops_(loops) {
    for (int32_t at = 0; at <= std::max(cascade.height, cascade.width); ++at)
      edge_.push_back(scaled_edge(level.scale, at));
    window_ = scaled({0, 0, cascade.height, cascade.width});
    const int32_t margin = cascade.inset ? 1 : 0;
    const ScanRect inner = {margin, margin, cascade.height - 2 * margin,
                            cascade.width - 2 * margin};
    base_area_ = static_cast<double>(inner.height) * inner.width;
    lay_planes(scaled(inner));
    lay_nodes();
  }

  const ScanLevel& level() const { return level_; }

  // Rows of windows that share a table: as many as fit into a megabyte, but at least as many as a
  // window is high, for rows under two strips are added up twice.
  int32_t strip_rows() const {
    const double row = bytes(level_.step) - bytes(0);
    const double fit = ((1 << 20) - bytes(window_.height)) / row;
    const double least = static_cast<double>(window_.height) / level_.step;
    return static_cast<int32_t>(std::max({fit, least, 1.0}));
  }
  double strip_bytes(int32_t rows) const { return bytes(rows * level_.step + window_.height); }

  template <class Image>
  void scan(Image&& image, int32_t number, int32_t first, int32_t last,
            std::vector<ScanHit>& hits) const {
    const int32_t pixel_rows = (last - first - 1) * level_.step + window_.height;
    const size_t plane = sums_.size(pixel_rows);
    const auto table = std::make_unique_for_overwrite<Sum[]>(plane * (has_tilted_ ? 2 : 1));
    const auto squares = std::make_unique_for_overwrite<Square[]>(squares_.size(pixel_rows));
    std::fill(table.get() + plane - 2 * kScanLanes, table.get() + plane, Sum{0});
    if (plane * 2 > size_t{1} << 31) throw std::length_error("the image is too wide to be scanned");
    std::vector<int32_t> corner;  // where some lie in the table of turned sums, behind the other
    if (has_tilted_) {
      corner = corner_;
      for (size_t c = 0; c < corner.size(); ++c)
        if (turned_[c / 4]) corner[c] += static_cast<int32_t>(plane);
    }
    fill(image, first * level_.step, pixel_rows, table.get(), squares.get(), table.get() + plane);
    ScanNodes<Real> nodes = {(has_tilted_ ? corner : corner_).data(),
                             weight_.data(),
                             rect_start_.data(),
                             threshold_.data(),
                             cascade_.low.data(),
                             cascade_.high.data(),
                             nullptr,
                             nullptr,
                             nullptr,
                             largest_tree_};
    if (!root_.empty()) {
      nodes.low_child = cascade_.low_child.data();
      nodes.high_child = cascade_.high_child.data();
      nodes.root = root_.data();
    }
    for (int32_t row = first; row < last; ++row) {
      const auto down = static_cast<size_t>(row - first);
      judge_row(nodes, table.get() + down * sums_.window_pitch(),
                squares.get() + down * squares_.window_pitch(), number, row, hits);
      if (row % 16 == 15) Pool::breathe();
    }
  }

 private:
  ScanRect scaled(const ScanRect& r) const {
    const auto edge = [&](int32_t at) { return edge_[static_cast<size_t>(at)]; };
    return {edge(r.top), edge(r.left), edge(r.top + r.height) - edge(r.top),
            edge(r.left + r.width) - edge(r.left)};
  }
  // Lengths are rounded down, so that the rectangle stays inside the window.
  ScanRect scaled_turned(const ScanRect& r) const {
    return {scaled_edge(level_.scale, r.top), scaled_edge(level_.scale, r.left),
            static_cast<int32_t>(level_.scale * r.height),
            static_cast<int32_t>(level_.scale * r.width)};
  }
  // Corners in the order of ScanNodes, as (down, across).
  static std::array<std::array<int32_t, 2>, 4> corners(const ScanRect& r, bool turned) {
    if (turned)
      return {{{r.top, r.left},
               {r.top + r.height, r.left - r.height},
               {r.top + r.width, r.left + r.width},
               {r.top + r.width + r.height, r.left + r.width - r.height}}};
    return {{{r.top, r.left},
             {r.top, r.left + r.width},
             {r.top + r.height, r.left},
             {r.top + r.height, r.left + r.width}}};
  }
  template <class Do>
  void each_rect_of(size_t feature, Do&& act) const {
    const bool turned = !cascade_.tilted.empty() && cascade_.tilted[feature] != 0;
    for (auto r = static_cast<size_t>(cascade_.feature_start[feature]);
         r < static_cast<size_t>(cascade_.feature_start[feature + 1]); ++r) {
      const ScanRect& base = cascade_.rects[r];
      act(r, turned ? scaled_turned(base) : scaled(base), turned);
    }
  }

  void lay_planes(const ScanRect& inner) {
    const auto inner_corners = corners(inner, false);
    std::vector<int32_t> downs, acrosses;
    for (const auto& [down, across] : inner_corners) {
      downs.push_back(down);
      acrosses.push_back(across);
    }
    squares_ = ScanPlane(level_.step, level_.width, downs, acrosses);
    std::vector<uint8_t> looked_down(static_cast<size_t>(window_.height) + 1, 0);
    std::vector<uint8_t> looked_across(static_cast<size_t>(window_.width) + 1, 0);
    if (level_.step > 1)
      for (size_t f = 0; f + 1 < cascade_.feature_start.size(); ++f)
        each_rect_of(f, [&](size_t, const ScanRect& rect, bool turned) {
          for (const auto& [down, across] : corners(rect, turned)) {
            looked_down[static_cast<size_t>(down)] = 1;
            looked_across[static_cast<size_t>(across)] = 1;
          }
        });
    for (int32_t y = 0; y <= window_.height; ++y)
      if (looked_down[static_cast<size_t>(y)]) downs.push_back(y);
    for (int32_t x = 0; x <= window_.width; ++x)
      if (looked_across[static_cast<size_t>(x)]) acrosses.push_back(x);
    sums_ = ScanPlane(level_.step, level_.width, downs, acrosses);
    for (size_t c = 0; c < 4; ++c) {
      const auto& [down, across] = inner_corners[c];
      norm_.sum[c] = static_cast<int32_t>(sums_.row_place(down) + sums_.column_place(across));
      norm_.square[c] =
          static_cast<int32_t>(squares_.row_place(down) + squares_.column_place(across));
    }
    norm_.area = static_cast<double>(inner.height) * inner.width;
  }

  void lay_nodes() {
    const size_t n_nodes = cascade_.node_feature.size();
    has_tilted_ = cascade_.has_tilted();
    std::vector<int64_t> row_place, column_place;
    for (int32_t y = 0; y <= window_.height; ++y) row_place.push_back(sums_.row_place(y));
    for (int32_t x = 0; x <= window_.width; ++x) column_place.push_back(sums_.column_place(x));
    rect_start_.reserve(n_nodes + 1);
    rect_start_.push_back(0);
    corner_.reserve(16 * n_nodes);
    for (size_t n = 0; n < n_nodes; ++n) {
      each_rect_of(
          static_cast<size_t>(cascade_.node_feature[n]),
          [&](size_t r, const ScanRect& rect, bool turned) {
            for (const auto& [down, across] : corners(rect, turned))
              corner_.push_back(static_cast<int32_t>(row_place[static_cast<size_t>(down)] +
                                                     column_place[static_cast<size_t>(across)]));
            const ScanRect& base = cascade_.rects[r];
            const double correction = (static_cast<double>(base.height) * base.width) /
                                      (static_cast<double>(rect.height) * rect.width);
            weight_.push_back(static_cast<Real>(cascade_.rect_weight[r] * correction));
            turned_.push_back(turned);
          });
      rect_start_.push_back(static_cast<int32_t>(weight_.size()));
    }
    for (const double t : cascade_.threshold)
      threshold_.push_back(static_cast<Real>(kSingles ? t / base_area_ : t));
    if (cascade_.low_child.empty()) return;
    root_.assign(n_nodes, 1);
    for (size_t n = 0; n < n_nodes; ++n)
      for (const int32_t child : {cascade_.low_child[n], cascade_.high_child[n]})
        if (child > 0) root_[n + static_cast<size_t>(child)] = 0;
    for (size_t n = 0, size = 0; n < n_nodes; ++n) {
      size = root_[n] ? 1 : size + 1;
      largest_tree_ = std::max(largest_tree_, size);
    }
  }

  double bytes(int32_t pixel_rows) const {
    return static_cast<double>(sums_.size(pixel_rows)) * sizeof(Sum) * (has_tilted_ ? 2 : 1) +
           static_cast<double>(squares_.size(pixel_rows)) * sizeof(Square);
  }

  template <class Image>
  void fill(Image& image, int32_t top, int32_t pixel_rows, Sum* table, Square* squares,
            Sum* turned) const {
    const auto width = static_cast<size_t>(level_.width);
    std::vector<Sum> sum(width + 1, 0);
    std::vector<Square> square(width + 1, 0);
    Turning turning(has_tilted_ ? width : 0);
    for (int32_t y = 0;; ++y) {
      sums_.store(y, sum.data(), table);
      squares_.store(y, square.data(), squares);
      if (has_tilted_) sums_.store(y, turning.row(), turned);
      if (y == pixel_rows) return;
      const uint8_t* const pixels = image.row(top + y);
      loops_.add_row(pixels, width, sum.data(), square.data());
      if (has_tilted_) turning.add(pixels);
    }
  }

  // Sums over the pixels above a corner between both diagonals through it, row by row:
  // T(x, y) = T(x-1, y-1) + T(x+1, y-1) - T(x, y-2) + the two pixels above (x-1/2, y).
  class Turning {
   public:
    explicit Turning(size_t width) : width_(width) {
      for (auto& row : rows_) row.assign(width + 2, 0);
      before_.assign(width, 0);
    }
    const Sum* row() const { return rows_[0].data(); }
    void add(const uint8_t* pixels) {
      std::swap(rows_[2], rows_[1]);
      std::swap(rows_[1], rows_[0]);
      Sum* const now = rows_[0].data();
      const Sum* const above = rows_[1].data();
      const Sum* const higher = rows_[2].data();
      for (size_t x = 1; x <= width_; ++x)
        now[x] = static_cast<Sum>(above[x - 1] + above[x + 1] - higher[x] + pixels[x - 1] +
                                  before_[x - 1]);
      now[0] = above[1];
      now[width_ + 1] = above[width_];
      std::copy(pixels, pixels + width_, before_.begin());
    }

   private:
    size_t width_;
    std::array<std::vector<Sum>, 3> rows_;
    std::vector<uint8_t> before_;
  };

  static uint32_t above(const double* total, double threshold) {
    uint32_t bits = 0;
    for (size_t i = 0; i < kScanLanes; ++i)
      bits |= static_cast<uint32_t>(total[i] > threshold) << i;
    return bits;
  }

  void judge_row(const ScanNodes<Real>& nodes, const Sum* table, const Square* squares,
                 int32_t number, int32_t row, std::vector<ScanHit>& hits) const {
    const size_t n_stages = cascade_.stage_threshold.size();
    const auto columns = static_cast<size_t>(level_.columns);
    unsigned over = 0;  // whether the next window is passed over
    Real norm[kScanLanes];
    double total[kScanLanes], margin[kScanLanes];
    for (size_t first = 0; first < columns; first += kScanLanes) {
      const size_t lanes = std::min(columns - first, kScanLanes);
      const uint32_t fit =
          loops_.norms(&norm_, table + first, squares + first, kSingles || cascade_.inset, norm) &
          ((1u << lanes) - 1u);
      uint32_t alive = fit;
      std::fill(margin, margin + kScanLanes, 0.0);
      size_t stage = 0;
      for (; stage < n_stages && (stage == 0 ? alive != 0 : std::popcount(alive) > loops_.few);
           ++stage) {
        if (!cascade_.goes_on[stage]) std::fill(total, total + kScanLanes, 0.0);
        judge(nodes, stage, table + first, norm, total);
        alive &= above(total, cascade_.stage_threshold[stage]);
        for (size_t i = 0; i < kScanLanes; ++i)
          margin[i] += total[i] - cascade_.stage_threshold[stage];
        if (kSingles && stage == 0) alive &= visited(fit & ~alive, over);
      }
      if (kSingles && fit == 0) visited(0, over);
      for (; alive != 0; alive &= alive - 1) {
        const auto lane = static_cast<size_t>(std::countr_zero(alive));
        double score = margin[lane];
        if (!passes(nodes, stage, table + first + lane, norm[lane], total[lane], score)) continue;
        hits.push_back({number, row, static_cast<int32_t>(first + lane), score});
      }
    }
  }

  void judge(const ScanNodes<Real>& nodes, size_t stage, const Sum* table, const Real* norm,
             double* total) const {
    loops_.judge(&nodes, static_cast<size_t>(cascade_.stage_start[stage]),
                 static_cast<size_t>(cascade_.stage_start[stage + 1]), table, norm, total);
  }

  // Whether one window passes the stages from `stage` on, with the sum of the stage before; their
  // margins are added to the score.
  bool passes(const ScanNodes<Real>& nodes, size_t stage, const Sum* table, Real norm, double total,
              double& score) const {
    for (; stage < cascade_.stage_threshold.size(); ++stage) {
      total = loops_.judge_one(&nodes, static_cast<size_t>(cascade_.stage_start[stage]),
                               static_cast<size_t>(cascade_.stage_start[stage + 1]), table, norm,
                               cascade_.goes_on[stage] ? total : 0.0);
      if (!(total > cascade_.stage_threshold[stage])) return false;
      score += total - cascade_.stage_threshold[stage];
    }
    return true;
  }

  static uint32_t visited(uint32_t rejected, unsigned& over) {
    static_assert(kScanLanes == 16);
    const unsigned low = kScanVisits[(rejected & 255u) | (over << 8)];
    const unsigned high = kScanVisits[((rejected >> 8) & 255u) | (low & 256u)];
    over = high >> 8;
    return (low & 255u) | ((high & 255u) << 8);
  }

  const CascadeArrays& cascade_;
  ScanLevel level_;
  const Loops& loops_;
  ScanRect window_;
  double base_area_;
  ScanPlane sums_, squares_;
  ScanNorm norm_;
  bool has_tilted_ = false;
  size_t largest_tree_ = 1;
  std::vector<int32_t> edge_, corner_;
  std::vector<Real> weight_, threshold_;
  std::vector<uint8_t> turned_, root_;
  std::vector<int32_t> rect_start_;
};

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
