// The scan of one level: what its windows look at, stage by stage, and the windows that pass.
//
// A plan is made once a level and used by many threads, each on strips of rows of its own, with
// tables that hold what the strip's windows look at and no more.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "weaklearn/hot/loops.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/vision/cascade.hpp"
#include "weaklearn/vision/scan_plane.hpp"

namespace weaklearn {

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
      if (row % 16 == 15) Pool::check_interrupt();
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

}  // namespace weaklearn
