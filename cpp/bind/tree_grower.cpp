#include "weaklearn/tree/tree_grower.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>

#include "bind.hpp"
#include "weaklearn/tree/forest_grower.hpp"
#include "weaklearn/tree/grow_many.hpp"
#include "weaklearn/weights/weights.hpp"

namespace weaklearn::bind {
namespace {

template <class T>
using Maybe = std::optional<Vector<T>>;

template <class Kind>
Kind named(const std::string& name, std::initializer_list<const char*> names, const char* what) {
  int k = 0;
  for (const char* known : names) {
    if (name == known) return static_cast<Kind>(k);
    ++k;
  }
  throw std::invalid_argument(std::string(what) + " has no value " + name);
}

// TreeSettings, data and weights of a sample, from which any number of trees are grown.
class TreeGrower {
 public:
  TreeGrower(const Columns& columns, const int32_t* labels, const double* numbers, size_t n_classes,
             std::vector<int64_t> copies, std::vector<int64_t> weight, const TreeSettings& settings,
             int threads)
      : settings_(settings),
        data_(columns, labels, numbers, n_classes, settings, threads),
        copies_(std::move(copies)),
        weight_(std::move(weight)),
        examples_(copies_.empty() ? static_cast<int64_t>(columns.n_rows())
                                  : std::accumulate(copies_.begin(), copies_.end(), int64_t{0})),
        logs_(static_cast<size_t>(examples_)),
        threads_(threads) {}

  const TreeData& data() const { return data_; }

  // The sample's own weights, or those of a distribution over it.
  Bag own(const Weights* weights) const {
    Bag bag;
    bag.copies = copies_.empty() ? std::vector<int64_t>(data_.n_rows(), 1) : copies_;
    bag.weight = weight_;
    if (weights == nullptr) return bag;
    const bool repeated = examples_ < int64_t{1} << 31;  // as weights see it
    bag.weight.resize(data_.n_rows());
    for (size_t i = 0; i < data_.n_rows(); ++i)
      bag.weight[i] = std::abs(weights->value()[i]) / (repeated ? bag.copies[i] : 1);
    if (!repeated) bag.times.assign(data_.n_rows(), 1);
    return bag;
  }

  Bag of_copies(const int64_t* copies) const {
    Bag bag;
    bag.copies.assign(copies, copies + data_.n_rows());
    bag.weight = weight_;
    return bag;
  }

  TreeArrays grow(Bag& bag, uint64_t key) const {
    bag.close();
    if (bag.rows.empty()) throw std::invalid_argument("no row of the bag has weight");
    return Growth(data_, settings_, logs_).grow_on(threads_, bag, key);
  }

  std::vector<TreeArrays> forest(size_t n, const Draws& draws, std::vector<int64_t> order,
                                 uint64_t first) const {
    const Places places(data_.n_rows(), std::move(order), copies_);
    if (draws.n < 1) throw std::invalid_argument("a bag needs a draw");
    if (!draws.with_replacement && draws.n > places.size())
      throw std::invalid_argument("more draws without replacement than examples");
    std::vector<TreeArrays> trees(n);
    grow_forest(data_, settings_, logs_, places, draws, weight_, first, threads_, trees);
    return trees;
  }

  std::vector<TreeArrays> subsets(const std::vector<RowSubset>& of, const double* weight) const {
    std::vector<TreeArrays> trees;
    grow_many(data_, settings_, logs_, copies_, weight, of, threads_, trees);
    return trees;
  }

 private:
  TreeSettings settings_;
  TreeData data_;
  std::vector<int64_t> copies_, weight_;
  int64_t examples_;
  WholeLogs logs_;
  int threads_;
};

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

void make(TreeGrower* self, const Columns& columns, const Maybe<int32_t>& labels,
          const Maybe<double>& numbers, size_t n_classes, const Maybe<int64_t>& copies,
          const Weights* prior, const std::string& criterion, bool exact,
          const std::string& categorical, const std::string& missing, uint32_t max_depth,
          uint32_t max_leaf_nodes, int64_t min_samples_split, int64_t min_samples_leaf,
          double min_weight, double min_gain, uint32_t max_features, bool split_zero_gain,
          double smoothing, double level_noise, uint64_t seed, const Maybe<int8_t>& monotonic,
          int threads) {
  const size_t m = columns.n_rows();
  if (m == 0) throw std::invalid_argument("no rows");
  TreeSettings settings;
  settings.criterion = named<Criterion>(
      criterion, {"error", "gini", "entropy", "gain_ratio", "sqrt", "squared_error"}, "criterion");
  settings.levels =
      named<LevelTest>(categorical, {"multiway", "equality", "subset"}, "categorical");
  settings.missing = named<MissingTest>(missing, {"side", "branch", "fraction"}, "missing");
  settings.exact = exact;
  settings.max_depth = max_depth;
  settings.max_leaf_nodes = max_leaf_nodes;
  settings.min_samples_split = min_samples_split;
  settings.min_samples_leaf = min_samples_leaf;
  if (!(min_weight >= 0 && min_weight <= 1) || !(min_gain >= 0) || !(smoothing >= 0) ||
      !(level_noise >= 0))
    throw std::invalid_argument(
        "min_weight, min_gain, smoothing and level_noise must not be negative");
  settings.min_weight = min_weight;
  settings.min_gain = min_gain;
  settings.max_features = max_features;
  settings.split_zero_gain = split_zero_gain;
  settings.smoothing = smoothing;
  settings.level_noise = level_noise;
  settings.seed = seed;
  settings.monotonic = list_of(monotonic, columns.size(), "monotonic");
  for (size_t j = 0; j < settings.monotonic.size(); ++j)
    if (std::abs(settings.monotonic[j]) > 1 ||
        (settings.monotonic[j] != 0 && columns[j].categorical))
      throw std::invalid_argument("monotonic holds -1, 0 or +1, and 0 for categorical columns");
  if (!settings.monotonic.empty() && n_classes > 2)
    throw std::invalid_argument("monotonic columns need numbers or two classes");
  const bool classes = settings.criterion != Criterion::squared_error;
  if (classes != labels.has_value() || classes == numbers.has_value() || classes != (n_classes > 0))
    throw std::invalid_argument("classes need labels, squared_error needs numbers");
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
  for (size_t j = 0; exact && j < columns.size(); ++j)
    if (columns[j].coarse && columns[j].order == nullptr)
      throw std::invalid_argument("exact thresholds need columns coded with their order kept");
  std::vector<int64_t> times = list_of(copies, m, "copies"), weight;
  if (!times.empty()) check_copies(times.data(), m, 1);
  if (prior != nullptr) {
    expect(prior->size(), m, "the weights");
    weight.resize(m);
    for (size_t i = 0; i < m; ++i) {
      const int64_t value = std::abs(prior->value()[i]);
      weight[i] = times.empty() || value == 0 ? value : std::max<int64_t>(value / times[i], 1);
    }
  }
  new (self)
      TreeGrower(columns, classes ? labels->data() : nullptr, classes ? nullptr : numbers->data(),
                 n_classes, std::move(times), std::move(weight), settings, threads);
}

nb::dict grow(const TreeGrower& self, const Weights* weights, const Maybe<int64_t>& copies,
              uint64_t key) {
  const size_t m = self.data().n_rows();
  if (weights != nullptr && copies) throw std::invalid_argument("pass weights or copies, not both");
  if (weights != nullptr) expect(weights->size(), m, "the weights");
  if (copies) {
    expect(copies->shape(0), m, "copies");
    check_copies(copies->data(), m, 0);
  }
  TreeArrays tree;
  without_gil([&] {
    Bag bag = copies ? self.of_copies(copies->data()) : self.own(weights);
    tree = self.grow(bag, key);
  });
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

nb::list grow_forest_on(const TreeGrower& self, size_t n_trees, bool bootstrap, int64_t n_draws,
                        uint64_t seed, const Maybe<int64_t>& canonical, uint64_t first) {
  const size_t m = self.data().n_rows();
  std::vector<int64_t> order = list_of(canonical, m, "canonical");
  std::vector<bool> seen(m, false);
  for (int64_t row : order) {
    if (row < 0 || static_cast<size_t>(row) >= m || seen[static_cast<size_t>(row)])
      throw std::invalid_argument("canonical must hold every row once");
    seen[static_cast<size_t>(row)] = true;
  }
  std::vector<TreeArrays> trees;
  without_gil(
      [&] { trees = self.forest(n_trees, {seed, bootstrap, n_draws}, std::move(order), first); });
  return list_of(trees);
}

nb::list grow_many_on(const TreeGrower& self, const Vector<double>& weight,
                      const Vector<int32_t>& rows, const Vector<int64_t>& ends) {
  const size_t m = self.data().n_rows();
  expect(weight.shape(0), m, "the weights");
  for (size_t i = 0; i < m; ++i)
    if (!(weight.data()[i] >= 0 && weight.data()[i] <= std::numeric_limits<double>::max()))
      throw std::invalid_argument("a weight is negative or not finite");
  for (size_t k = 0; k < rows.shape(0); ++k)
    if (rows.data()[k] < 0 || static_cast<size_t>(rows.data()[k]) >= m)
      throw std::invalid_argument("a subset has a row that there is not");
  std::vector<RowSubset> of;
  int64_t begin = 0;
  for (size_t k = 0; k < ends.shape(0); ++k) {
    const int64_t end = ends.data()[k];
    if (end < begin || static_cast<size_t>(end) > std::min(rows.shape(0), begin + m))
      throw std::invalid_argument("a subset ends before it begins, or beyond its rows");
    of.emplace_back(rows.data() + begin, static_cast<size_t>(end - begin));
    begin = end;
  }
  std::vector<TreeArrays> trees;
  without_gil([&] { trees = self.subsets(of, weight.data()); });
  return list_of(trees);
}

}  // namespace

void tree_grower(nb::module_& m) {
  nb::class_<TreeGrower>(m, "TreeGrower", "Grows trees on coded columns by impurity.")
      .def("__init__", &make, nb::arg("columns"), nb::arg("labels").noconvert().none(),
           nb::arg("numbers").noconvert().none(), nb::arg("n_classes"),
           nb::arg("copies").noconvert().none(), nb::arg("prior").none(), nb::arg("criterion"),
           nb::arg("exact"), nb::arg("categorical"), nb::arg("missing"), nb::arg("max_depth"),
           nb::arg("max_leaf_nodes"), nb::arg("min_samples_split"), nb::arg("min_samples_leaf"),
           nb::arg("min_weight"), nb::arg("min_gain"), nb::arg("max_features"),
           nb::arg("split_zero_gain"), nb::arg("smoothing"), nb::arg("level_noise"),
           nb::arg("seed"), nb::arg("monotonic").noconvert().none(), nb::arg("threads"),
           nb::keep_alive<1, 2>())
      .def("grow", &grow, nb::arg("weights").none(), nb::arg("copies").noconvert().none(),
           nb::arg("key"), "The arrays of one tree.")
      .def("forest", &grow_forest_on, nb::arg("n_trees"), nb::arg("bootstrap"), nb::arg("n_draws"),
           nb::arg("seed"), nb::arg("canonical").noconvert().none(), nb::arg("first"),
           "The arrays of trees on bags.")
      .def("grow_many", &grow_many_on, nb::arg("weight").noconvert(), nb::arg("rows").noconvert(),
           nb::arg("ends").noconvert(),
           "The arrays of trees on some of the rows each; a row at most once in each.");
}

}  // namespace weaklearn::bind
