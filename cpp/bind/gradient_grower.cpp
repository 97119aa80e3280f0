#include "weaklearn/gradient/gradient_grower.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>

#include "bind.hpp"
#include "settings.hpp"
#include "weaklearn/gradient/gradient_draws.hpp"
#include "weaklearn/gradient/tables.hpp"

namespace weaklearn::bind {
namespace {

using Plane = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Scores = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Lists = Listed<std::optional<Vector<T>>>;

void check_plane(const Plane& plane, size_t tasks, size_t m, const char* what) {
  expect(plane.shape(0), tasks, what);
  expect(plane.shape(1), m, what);
}

template <class T>
void check_ascending(const Vector<T>& list, size_t below, const char* what) {
  const T* const x = list.data();
  const size_t n = list.shape(0);
  bool ascends = n == 0 || (x[0] >= 0 && static_cast<size_t>(x[n - 1]) < below);
  for (size_t k = 1; k < n; ++k) ascends &= x[k - 1] < x[k];
  if (!ascends) throw std::invalid_argument(std::string(what) + " must ascend within range");
}

std::vector<nb::dict> grow(GradientGrower& self, const Plane& g, const std::optional<Plane>& c,
                           bool bounded, const Lists<int64_t>& copies_of,
                           const Lists<uint32_t>& rows_of, const Lists<int32_t>& features_of,
                           double vote, const Scores& scores, const std::optional<Plane>& residuals,
                           const Listed<double>& quantiles_of, bool keep, GrownTrees* kept,
                           uint64_t key) {
  const auto copies = vector_of<std::optional<Vector<int64_t>>>(copies_of);
  const auto rows = vector_of<std::optional<Vector<uint32_t>>>(rows_of);
  const auto features = vector_of<std::optional<Vector<int32_t>>>(features_of);
  const std::vector<double> quantiles = vector_of<double>(quantiles_of);
  const size_t m = self.n_rows(), n = g.shape(0);
  check_plane(g, n, m, "g");
  if (c) check_plane(*c, n, m, "c");
  expect(scores.shape(0), n, "scores");
  expect(scores.shape(1), m, "scores");
  if (residuals) check_plane(*residuals, n, m, "residuals");
  expect(copies.size(), n, "copies");
  expect(rows.size(), n, "rows");
  expect(features.size(), n, "features");
  if (residuals) expect(quantiles.size(), n, "quantiles");
  std::vector<GrowTask> tasks(n);
  for (size_t t = 0; t < n; ++t) {
    GrowTask& task = tasks[t];
    task.gradients = {g.data() + t * m, c ? c->data() + t * m : nullptr, nullptr, bounded};
    if (copies[t]) {
      expect(copies[t]->shape(0), m, "copies");
      task.gradients.copies = copies[t]->data();
    }
    if (rows[t]) {
      static constexpr uint32_t none = 0;  // where there are none: no rows are not all rows
      task.rows = rows[t]->shape(0) > 0 ? rows[t]->data() : &none;
      task.n_rows = rows[t]->shape(0);
    }
    if (features[t]) {
      check_ascending(*features[t], self.n_features(), "features");
      task.features = features[t]->data();
      task.n_features = features[t]->shape(0);
    }
    task.key = key;
    task.vote = vote;
    task.scores = scores.data() + t * m;
    if (residuals) {
      task.residuals = residuals->data() + t * m;
      task.quantile = quantiles[t];
    }
  }
  std::vector<TreeArrays> trees;
  without_gil([&] { trees = self.grow(tasks); });
  std::vector<nb::dict> out;
  if (kept != nullptr) kept->rounds.push_back(std::move(trees));
  if (!keep || kept != nullptr) return out;
  for (const TreeArrays& tree : trees) out.push_back(arrays_of(tree));
  return out;
}

void check_settings(const GradientSettings& settings, const Columns& columns) {
  const auto check = [&](size_t n, const char* what) {
    if (n > 0) expect(n, columns.size(), what);
  };
  check(settings.monotonic.size(), "monotonic");
  check(settings.feature_weights.size(), "feature_weights");
  check(settings.feature_factors.size(), "feature_factors");
  for (const auto& group : settings.groups)
    for (const int32_t feature : group)
      if (feature < 0 || static_cast<size_t>(feature) >= columns.size())
        throw std::invalid_argument("a group holds a feature that is not there");
  const size_t n = settings.forced_feature.size();
  expect(settings.forced_cut.size(), n, "forced_cut");
  expect(settings.forced_left.size(), n, "forced_left");
  expect(settings.forced_right.size(), n, "forced_right");
  for (size_t k = 0; k < n; ++k) {
    const int32_t feature = settings.forced_feature[k], cut = settings.forced_cut[k];
    const bool there = feature >= 0 && static_cast<size_t>(feature) < columns.size();
    if (!there || columns[feature].categorical || cut < 0 ||
        cut >= std::max<int64_t>(columns[feature].n_codes, 1))
      throw std::invalid_argument("a forced split is at no cut of an ordered feature");
    for (const int32_t next : {settings.forced_left[k], settings.forced_right[k]})
      if (next != -1 && (next <= static_cast<int64_t>(k) || next >= static_cast<int64_t>(n)))
        throw std::invalid_argument("forced splits must follow those above them");
  }
}

}  // namespace

void gradient_grower(nb::module_& m) {
  nb::class_<GradientSettings> settings(m, "GradientSettings",
                                        "The settings a tree of gradients grows by.");
  settings.def(nb::init<>())
      .def_rw("min_samples_leaf", &GradientSettings::min_samples_leaf)
      .def_rw("min_curvature", &GradientSettings::min_curvature)
      .def_rw("l1", &GradientSettings::l1)
      .def_rw("l2", &GradientSettings::l2)
      .def_rw("max_step", &GradientSettings::max_step)
      .def_rw("path_smoothing", &GradientSettings::path_smoothing)
      .def_rw("category_noise", &GradientSettings::category_noise)
      .def_rw("category_smooth", &GradientSettings::category_smooth)
      .def_rw("random_cuts", &GradientSettings::random_cuts)
      .def_rw("min_gain", &GradientSettings::min_gain);
  def_limit(settings, "max_leaf_nodes", &GradientSettings::max_leaf_nodes, INT32_MAX);
  def_limit(settings, "max_depth", &GradientSettings::max_depth, INT32_MAX);
  def_limit(settings, "level_features", &GradientSettings::level_features, INT32_MAX);
  def_limit(settings, "node_features", &GradientSettings::node_features, INT32_MAX);
  def_list(settings, "feature_weights", &GradientSettings::feature_weights);
  def_list(settings, "feature_factors", &GradientSettings::feature_factors);
  def_list(settings, "monotonic", &GradientSettings::monotonic);
  def_list(settings, "groups", &GradientSettings::groups);
  def_list(settings, "forced_feature", &GradientSettings::forced_feature);
  def_list(settings, "forced_cut", &GradientSettings::forced_cut);
  def_list(settings, "forced_left", &GradientSettings::forced_left);
  def_list(settings, "forced_right", &GradientSettings::forced_right);
  m.def(
      "draw_columns",
      [](const Vector<int32_t>& from, size_t n, const Vector<double>& weights, uint64_t key) {
        std::vector<int32_t> columns(from.data(), from.data() + from.shape(0));
        for (const int32_t column : columns)
          if (column < 0 || static_cast<size_t>(column) >= weights.shape(0))
            throw std::invalid_argument("a column has no weight");
        return draws::columns(columns, n, {weights.data(), weights.data() + weights.shape(0)}, key);
      },
      nb::arg("columns"), nb::arg("n"), nb::arg("weights"), nb::arg("key"),
      "So many of the columns, ascending, drawn one after another by their weights.");
  nb::class_<GradientGrower>(m, "GradientGrower", "Grows trees that fit gradients.")
      .def(
          "__init__",
          [](GradientGrower* self, const Columns& columns, const GradientSettings& settings,
             int threads, const Collective* partitions, const std::optional<Room<uint8_t>>& room) {
            check_settings(settings, columns);
            if (room)
              expect(room->shape(0), GradientData::bytes_of_bands(columns, settings), "the room");
            uint8_t* const bands = room ? room->data() : nullptr;
            without_gil(
                [&] { new (self) GradientGrower(columns, settings, threads, partitions, bands); });
          },
          nb::arg("columns"), nb::arg("settings"), nb::arg("threads"),
          nb::arg("partitions").none() = nb::none(),
          nb::arg("room").none().noconvert() = nb::none(), nb::keep_alive<1, 2>(),
          nb::keep_alive<1, 5>(), nb::keep_alive<1, 6>())
      .def_static("bytes_of_bands", &GradientData::bytes_of_bands, nb::arg("columns"),
                  nb::arg("settings"), "How much room the codes in bands take; 0: there are none.")
      .def("release", &GradientGrower::release,
           "Frees the memory that trees leave to the next one, which asks for it again.")
      .def("grow", &grow, nb::arg("g").noconvert(), nb::arg("c").none().noconvert(),
           nb::arg("bounded"), nb::arg("copies"), nb::arg("rows"), nb::arg("features"),
           nb::arg("vote"), nb::arg("scores").noconvert(), nb::arg("residuals").none().noconvert(),
           nb::arg("quantiles"), nb::arg("keep"), nb::arg("kept").none() = nb::none(),
           nb::arg("key") = 0,
           "Grows one tree for each row of g and moves its scores; they are returned, or kept.");
}

}  // namespace weaklearn::bind
