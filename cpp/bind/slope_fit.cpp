#include "weaklearn/gradient/slope_fit.hpp"

#include <nanobind/stl/optional.h>

#include <optional>
#include <vector>

#include "bind.hpp"

namespace weaklearn::bind {
namespace {

template <class T>
void check_range(const Vector<T>& numbers, size_t below, const char* what) {
  for (size_t k = 0; k < numbers.shape(0); ++k)
    if (numbers(k) < 0 || static_cast<size_t>(numbers(k)) >= below)
      throw std::invalid_argument(std::string(what) + " is out of range");
}

nb::tuple fit(const Vector<double>& g, const std::optional<Vector<double>>& c,
              const std::optional<Vector<int64_t>>& copies,
              const std::optional<Vector<uint32_t>>& rows, const Vector<int32_t>& leaf,
              const Vector<int32_t>& counts, const Vector<int32_t>& columns,
              const Listed<Vector<double>>& x_of, double l2, int threads) {
  const auto x = vector_of<Vector<double>>(x_of);
  const size_t m = g.shape(0), n_nodes = counts.shape(0);
  if (c) expect(c->shape(0), m, "c");
  if (copies) expect(copies->shape(0), m, "copies");
  expect(leaf.shape(0), m, "leaf");
  check_range(leaf, n_nodes, "a leaf");
  if (rows) check_range(*rows, m, "a row");
  check_range(columns, x.size(), "a column");
  SlopeTask task;
  task.from = {g.data(), c ? c->data() : nullptr, copies ? copies->data() : nullptr, false};
  task.m = m;
  static constexpr uint32_t none = 0;  // where there are none: no rows are not all rows
  if (rows) task.rows = rows->shape(0) > 0 ? rows->data() : &none;
  if (rows) task.n_rows = rows->shape(0);
  task.leaf = leaf.data();
  task.starts.push_back(0);
  check_range(counts, columns.shape(0) + 1, "a number of columns");
  for (size_t v = 0; v < n_nodes; ++v) task.starts.push_back(task.starts.back() + counts(v));
  expect(columns.shape(0), static_cast<size_t>(task.starts.back()), "columns");
  task.columns.assign(columns.data(), columns.data() + columns.shape(0));
  for (const Vector<double>& one : x) {
    expect(one.shape(0), m, "a column");
    task.x.push_back(one.data());
  }
  task.l2 = l2;
  FoundSlopes found;
  without_gil([&] { found = SlopeFit(task).find(threads); });
  const size_t k = columns.shape(0);
  return nb::make_tuple(array_of(found.slope, {k}), array_of(found.centre, {k}),
                        array_of(found.low, {k}), array_of(found.high, {k}));
}

}  // namespace

void slope_fit(nb::module_& m) {
  m.def("leaf_slopes", &fit, nb::arg("g").noconvert(), nb::arg("c").none().noconvert(),
        nb::arg("copies").none().noconvert(), nb::arg("rows").none().noconvert(),
        nb::arg("leaf").noconvert(), nb::arg("counts").noconvert(), nb::arg("columns").noconvert(),
        nb::arg("x"), nb::arg("l2"), nb::arg("threads"),
        "The slope, centre, least and largest value of each column of each node of a tree.");
}

}  // namespace weaklearn::bind
