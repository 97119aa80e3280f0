#include "weaklearn/vision/image_scan.hpp"

#include <nanobind/stl/optional.h>

#include <optional>

#include "bind.hpp"

namespace weaklearn::bind {
namespace {

template <class T>
std::vector<T> copy_of(const Vector<T>& from) {
  return {from.data(), from.data() + from.shape(0)};
}
template <class T>
std::vector<T> copy_of(const std::optional<Vector<T>>& from) {
  return from ? copy_of(*from) : std::vector<T>{};
}

std::vector<ScanLevel> levels_of(const Vector<double>& scale, const Matrix<int32_t>& geometry) {
  expect(geometry.shape(0), scale.shape(0), "geometry");
  expect(geometry.shape(1), 5, "a row of geometry");
  std::vector<ScanLevel> levels;
  for (size_t l = 0; l < scale.shape(0); ++l)
    levels.push_back({scale.data()[l], geometry(l, 0), geometry(l, 1), geometry(l, 2),
                      geometry(l, 3), geometry(l, 4)});
  return levels;
}

// Every window must lie in its level, and every level of a scan of features in the image.
void check(const CascadeArrays& cascade, const Pixels& image, bool pyramid,
           const std::vector<ScanLevel>& levels) {
  for (const ScanLevel& l : levels) {
    if (!(l.scale >= 1.0) || l.step < 1 || l.rows < 0 || l.columns < 0)
      throw std::invalid_argument("a level is out of range");
    if (l.rows == 0 || l.columns == 0) continue;
    const int64_t bottom = int64_t{l.rows - 1} * l.step + scaled_edge(l.scale, cascade.height);
    const int64_t right = int64_t{l.columns - 1} * l.step + scaled_edge(l.scale, cascade.width);
    const bool plain = static_cast<int64_t>(image.height) == l.height &&
                       static_cast<int64_t>(image.width) == l.width;
    if (bottom > l.height || right > l.width || (!pyramid && !plain) || (pyramid && l.scale != 1.0))
      throw std::invalid_argument("a level does not fit the image");
  }
}

nb::tuple arrays_of(const std::vector<ScanHit>& hits) {
  auto places = std::make_unique_for_overwrite<int32_t[]>(3 * hits.size());
  auto scores = std::make_unique_for_overwrite<double[]>(hits.size());
  for (size_t h = 0; h < hits.size(); ++h) {
    places[3 * h] = hits[h].level;
    places[3 * h + 1] = hits[h].row;
    places[3 * h + 2] = hits[h].column;
    scores[h] = hits[h].score;
  }
  return nb::make_tuple(give(std::move(places), {hits.size(), 3}),
                        give(std::move(scores), {hits.size()}));
}

}  // namespace

void image_scan(nb::module_& m) {
  nb::class_<CascadeArrays>(m, "CascadeArrays", "A cascade as the kernels keep it.")
      .def(
          "__init__",
          [](CascadeArrays* self, int32_t height, int32_t width, bool inset,
             const Vector<int32_t>& rects, const Vector<double>& rect_weight,
             const Vector<int64_t>& feature_start, const Vector<int32_t>& node_feature,
             const Vector<double>& node_threshold, const Vector<double>& node_low,
             const Vector<double>& node_high, const Vector<int64_t>& stage_start,
             const Vector<double>& stage_threshold, const std::optional<Vector<uint8_t>>& tilted,
             const std::optional<Vector<int32_t>>& low_child,
             const std::optional<Vector<int32_t>>& high_child) {
            CascadeArrays made;
            made.height = height;
            made.width = width;
            made.inset = inset;
            for (size_t r = 0; r + 4 <= rects.shape(0); r += 4) {
              const int32_t* const at = rects.data() + r;
              made.rects.push_back({at[0], at[1], at[2], at[3]});
            }
            made.rect_weight = copy_of(rect_weight);
            made.feature_start = copy_of(feature_start);
            made.node_feature = copy_of(node_feature);
            made.threshold = copy_of(node_threshold);
            made.low = copy_of(node_low);
            made.high = copy_of(node_high);
            made.stage_start = copy_of(stage_start);
            made.stage_threshold = copy_of(stage_threshold);
            made.tilted = copy_of(tilted);
            made.low_child = copy_of(low_child);
            made.high_child = copy_of(high_child);
            made.fold();
            new (self) CascadeArrays(std::move(made));
          },
          nb::arg("height"), nb::arg("width"), nb::arg("inset"), nb::arg("rects"),
          nb::arg("rect_weight"), nb::arg("feature_start"), nb::arg("node_feature"),
          nb::arg("node_threshold"), nb::arg("node_low"), nb::arg("node_high"),
          nb::arg("stage_start"), nb::arg("stage_threshold"), nb::arg("tilted").none(),
          nb::arg("low_child").none(), nb::arg("high_child").none(),
          "Trusts its arrays: vision.Cascade.checked has looked at them.")
      .def(
          "scan",
          [](const CascadeArrays& self, const Matrix<uint8_t>& image, bool pyramid,
             const Vector<double>& scale, const Matrix<int32_t>& geometry, int threads) {
            if (image.shape(0) > 0 && image.shape(1) > 1 && image.stride(1) != 1)
              throw std::invalid_argument("the pixels of a row must lie side by side");
            const Pixels pixels = {image.data(), image.shape(0), image.shape(1),
                                   static_cast<size_t>(image.stride(0))};
            const auto levels = levels_of(scale, geometry);
            check(self, pixels, pyramid, levels);
            std::vector<ScanHit> hits;
            without_gil([&] {
              hits = weaklearn::scan(self, pixels, pyramid ? ScanWay::kPyramid : ScanWay::kFeatures,
                                     levels, threads);
            });
            return arrays_of(hits);
          },
          nb::arg("image"), nb::arg("pyramid"), nb::arg("scale"), nb::arg("geometry"),
          nb::arg("threads"),
          "Windows that pass every stage: (n, 3) level, row and column, and scores. A level has a "
          "row of geometry: height and width of the image scanned, step, rows and columns of "
          "windows.");
}

}  // namespace weaklearn::bind
