#include "weaklearn/tree/tree_grower.hpp"

#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>

#include "bind.hpp"
#include "settings.hpp"
#include "weaklearn/tree/sample_grower.hpp"

namespace weaklearn::bind {
namespace {

template <class T>
using Maybe = std::optional<Vector<T>>;

template <class T>
std::vector<T> list_of(const Maybe<T>& from, size_t n, const char* what) {
  if (!from) return {};
  expect(from->shape(0), n, what);
  return std::vector<T>(from->data(), from->data() + n);
}

void check_copies(const int64_t* copies, size_t n, int64_t least) {
  double sum = 0;
  for (size_t i = 0; i < n; ++i) {
    if (copies[i] < least) throw std::invalid_argument("copies are too few");
    sum += static_cast<double>(copies[i]);
  }
  if (!(sum > 0) || sum >= 0x1p53)
    throw std::invalid_argument("copies add up to 0, or beyond 2^53");
}

void check_settings(const TreeSettings& settings, const Columns& columns, size_t n_classes) {
  if (!(settings.least_share >= 0 && settings.least_share <= 1))
    throw std::invalid_argument("least_share must lie between 0 and 1");
  if (!(settings.min_gain >= 0) || !(settings.category_noise >= 0))
    throw std::invalid_argument("min_gain and category_noise must not be negative");
  const std::vector<int8_t>& monotonic = settings.monotonic;
  if (!monotonic.empty()) expect(monotonic.size(), columns.size(), "monotonic");
  for (size_t j = 0; j < monotonic.size(); ++j)
    if (std::abs(monotonic[j]) > 1 || (monotonic[j] != 0 && columns[j].categorical))
      throw std::invalid_argument("monotonic holds -1, 0 or +1, and 0 for categorical columns");
  if (!monotonic.empty() && n_classes > 2)
    throw std::invalid_argument("monotonic columns need numbers or two classes");
  if (settings.missing == MissingTest::abstain && (n_classes == 0 || n_classes > 2))
    throw std::invalid_argument("missing values are silent in trees of two classes alone");
  if (settings.by_row() &&
      (settings.missing != MissingTest::side || settings.categorical == CategorySplit::multiway))
    throw std::invalid_argument("tests looked at by row have two sides, for missing values too");
  if (settings.criterion == Criterion::absolute_error && !monotonic.empty())
    throw std::invalid_argument("monotonic columns cannot be had by absolute_error");
  for (size_t j = 0; settings.exact && j < columns.size(); ++j)
    if (columns[j].coarse && columns[j].order == nullptr)
      throw std::invalid_argument("exact thresholds need columns coded with their order kept");
}

void check_target(const TreeSettings& settings, size_t m, const Maybe<int32_t>& labels,
                  const Maybe<double>& numbers, size_t n_classes) {
  const bool classes = !is_of_numbers(settings.criterion);
  if (classes != labels.has_value() || classes == numbers.has_value() || classes != (n_classes > 0))
    throw std::invalid_argument("classes need labels, squared_error and its like numbers");
  if (classes) {
    expect(labels->shape(0), m, "the labels");
    for (size_t i = 0; i < m; ++i)
      if (labels->data()[i] < 0 || static_cast<size_t>(labels->data()[i]) >= n_classes)
        throw std::invalid_argument("a label is out of range");
  } else {
    expect(numbers->shape(0), m, "the numbers");
    for (size_t i = 0; i < m; ++i)
      if (!std::isfinite(numbers->data()[i])) throw std::invalid_argument("a number is not finite");
  }
}

void check_targets(const TreeSettings& settings, size_t m, const Maybe<int32_t>& labels,
                   const Maybe<double>& numbers, size_t n_targets, size_t n_outputs) {
  if (labels || !numbers || n_outputs == 0 || n_outputs > n_targets ||
      n_targets > std::numeric_limits<size_t>::max() / std::max<size_t>(m, 1))
    throw std::invalid_argument("several targets are numbers, at least one an output");
  expect(numbers->shape(0), m * n_targets, "the numbers");
  const bool classes = !is_of_numbers(settings.criterion);
  for (size_t i = 0; i < m * n_targets; ++i) {
    const double y = numbers->data()[i];
    if (!std::isfinite(y)) throw std::invalid_argument("a number is not finite");
    if (classes && y != 0 && y != 1) throw std::invalid_argument("classes are told by 0 and 1");
  }
  const Criterion known[] = {Criterion::gini, Criterion::entropy, Criterion::squared_error};
  if (std::find(std::begin(known), std::end(known), settings.criterion) == std::end(known))
    throw std::invalid_argument("several targets are parted by gini, entropy or squared_error");
  if (!settings.monotonic.empty() || settings.missing != MissingTest::side ||
      settings.categorical == CategorySplit::multiway)
    throw std::invalid_argument("trees of several targets have tests of two sides, none monotonic");
}

void make(SampleGrower* self, const Columns& columns, const Maybe<int32_t>& labels,
          const Maybe<double>& numbers, size_t n_classes, const Maybe<int64_t>& copies,
          const Weights* prior, const TreeSettings& settings, int threads, size_t n_targets,
          size_t n_outputs) {
  const size_t m = columns.n_rows();
  if (m == 0) throw std::invalid_argument("no rows");
  check_settings(settings, columns, n_classes);
  Targets targets;
  if (n_targets > 0) {
    check_targets(settings, m, labels, numbers, n_targets, n_outputs);
    targets = {numbers->data(), n_targets, n_outputs};
  } else {
    check_target(settings, m, labels, numbers, n_classes);
  }
  std::vector<int64_t> times = list_of(copies, m, "copies");
  if (!times.empty()) check_copies(times.data(), m, 1);
  if (prior != nullptr) expect(prior->size(), m, "the weights");
  std::vector<int64_t> weight;
  if (prior != nullptr) weight = weight_of_copies(*prior, times);
  new (self) SampleGrower(columns, labels ? labels->data() : nullptr,
                          numbers ? numbers->data() : nullptr, n_targets > 0 ? 0 : n_classes,
                          std::move(times), std::move(weight), settings, threads, targets);
}

nb::dict grow(const SampleGrower& self, const Weights* weights, const Maybe<int64_t>& copies,
              uint64_t key) {
  if (weights != nullptr && copies) throw std::invalid_argument("pass weights or copies, not both");
  if (weights != nullptr) expect(weights->size(), self.n_rows(), "the weights");
  if (copies) {
    expect(copies->shape(0), self.n_rows(), "copies");
    check_copies(copies->data(), self.n_rows(), 0);
  }
  TreeArrays tree;
  without_gil(
      [&] { tree = copies ? self.grow_on_copies(copies->data(), key) : self.grow(weights, key); });
  return arrays_of(tree);
}

nb::list list_of(std::vector<TreeArrays>& trees) {
  nb::list out;
  for (TreeArrays& tree : trees) {
    out.append(arrays_of(tree));
    tree = TreeArrays{};
  }
  return out;
}

nb::list forest_of(const SampleGrower& self, size_t n_trees, bool bootstrap, int64_t n_draws,
                   uint64_t seed, const Maybe<int64_t>& canonical, uint64_t first) {
  const size_t m = self.n_rows();
  std::vector<int64_t> order = list_of(canonical, m, "canonical");
  std::vector<bool> seen(m, false);
  for (int64_t row : order) {
    if (row < 0 || static_cast<size_t>(row) >= m || seen[static_cast<size_t>(row)])
      throw std::invalid_argument("canonical must hold every row once");
    seen[static_cast<size_t>(row)] = true;
  }
  std::vector<TreeArrays> trees;
  without_gil([&] {
    trees = self.grow_forest(n_trees, {seed, bootstrap, n_draws}, std::move(order), first);
  });
  return list_of(trees);
}

nb::list many_of(const SampleGrower& self, const Vector<double>& weight,
                 const Vector<int32_t>& rows, const Vector<int64_t>& ends) {
  const size_t m = self.n_rows();
  expect(weight.shape(0), m, "the weights");
  for (size_t i = 0; i < m; ++i)
    if (!(weight.data()[i] >= 0 && weight.data()[i] <= std::numeric_limits<double>::max()))
      throw std::invalid_argument("a weight is negative or not finite");
  for (size_t k = 0; k < rows.shape(0); ++k)
    if (rows.data()[k] < 0 || static_cast<size_t>(rows.data()[k]) >= m)
      throw std::invalid_argument("a subset has a row that there is not");
  std::vector<RowSubset> subsets;
  int64_t begin = 0;
  for (size_t k = 0; k < ends.shape(0); ++k) {
    const int64_t end = ends.data()[k];
    if (end < begin || static_cast<size_t>(end) > std::min(rows.shape(0), begin + m))
      throw std::invalid_argument("a subset ends before it begins, or beyond its rows");
    subsets.emplace_back(rows.data() + begin, static_cast<size_t>(end - begin));
    begin = end;
  }
  std::vector<TreeArrays> trees;
  without_gil([&] { trees = self.grow_many(subsets, weight.data()); });
  return list_of(trees);
}

}  // namespace

void tree_grower(nb::module_& m) {
  nb::class_<TreeSettings> settings(m, "TreeSettings", "The settings a tree grows by.");
  settings.def(nb::init<>())
      .def_rw("exact", &TreeSettings::exact)
      .def_rw("min_samples_split", &TreeSettings::min_samples_split)
      .def_rw("min_samples_leaf", &TreeSettings::min_samples_leaf)
      .def_rw("least_share", &TreeSettings::least_share)
      .def_rw("min_gain", &TreeSettings::min_gain)
      .def_rw("split_zero_gain", &TreeSettings::split_zero_gain)
      .def_rw("category_noise", &TreeSettings::category_noise)
      .def_rw("seed", &TreeSettings::seed);
  def_choice(settings, "criterion", &TreeSettings::criterion,
             {"error", "gini", "entropy", "gain_ratio", "sqrt", "squared_error", "poisson",
              "absolute_error"});
  def_choice(settings, "splitter", &TreeSettings::splitter, {"best", "random"});
  def_choice(settings, "categorical", &TreeSettings::categorical,
             {"multiway", "equality", "subset"});
  def_choice(settings, "missing", &TreeSettings::missing,
             {"side", "branch", "fraction", "abstain"});
  def_limit(settings, "max_depth", &TreeSettings::max_depth, std::numeric_limits<uint32_t>::max());
  def_limit(settings, "max_leaf_nodes", &TreeSettings::max_leaf_nodes, uint32_t{0});
  def_limit(settings, "max_features", &TreeSettings::max_features, uint32_t{0});
  def_list(settings, "monotonic", &TreeSettings::monotonic);
  nb::class_<SampleGrower>(m, "TreeGrower", "Grows trees on coded columns by impurity.")
      .def("__init__", &make, nb::arg("columns"), nb::arg("labels").noconvert().none(),
           nb::arg("numbers").noconvert().none(), nb::arg("n_classes"),
           nb::arg("copies").noconvert().none(), nb::arg("prior").none(), nb::arg("settings"),
           nb::arg("threads"), nb::arg("n_targets") = 0, nb::arg("n_outputs") = 1,
           nb::keep_alive<1, 2>())
      .def("grow", &grow, nb::arg("weights").none(), nb::arg("copies").noconvert().none(),
           nb::arg("key"), "The arrays of one tree.")
      .def("forest", &forest_of, nb::arg("n_trees"), nb::arg("bootstrap"), nb::arg("n_draws"),
           nb::arg("seed"), nb::arg("canonical").noconvert().none(), nb::arg("first"),
           "The arrays of trees on bags.")
      .def("grow_many", &many_of, nb::arg("weight").noconvert(), nb::arg("rows").noconvert(),
           nb::arg("ends").noconvert(),
           "The arrays of trees on some of the rows each; a row at most once in each.");
}

}  // namespace weaklearn::bind
