#include "weaklearn/predict/forest.hpp"

#include <nanobind/stl/optional.h>

#include <optional>
#include <vector>

#include "cells.hpp"
#include "row.hpp"
#include "tree_view.hpp"
#include "weaklearn/predict/leaf_of_row.hpp"

namespace weaklearn::bind {
namespace {

// A tree's slopes: how many each node has, then their numbers; the tuple keeps them alive.
SlopesView slopes_of(const nb::tuple& arrays, const TreeView& tree) {
  expect(arrays.size(), 6, "the slopes of a tree");
  SlopesView of;
  of.n = nb::cast<Vector<int32_t>>(arrays[1], false).shape(0);
  of.count = listed<int32_t>(arrays, 0, tree.n, "count");
  of.feature = listed<int32_t>(arrays, 1, of.n, "feature");
  of.slope = listed<double>(arrays, 2, of.n, "slope");
  of.centre = listed<double>(arrays, 3, of.n, "centre");
  of.low = listed<double>(arrays, 4, of.n, "low");
  of.high = listed<double>(arrays, 5, of.n, "high");
  return of;
}

void make(Forest* self, size_t n_features, const Vector<uint32_t>& n_categories, size_t n_outputs,
          const nb::list& trees, const Vector<double>& votes, const Vector<int32_t>& outputs,
          const std::optional<nb::list>& slopes) {
  expect(n_categories.shape(0), n_features, "n_categories");
  expect(votes.shape(0), trees.size(), "votes");
  expect(outputs.shape(0), trees.size(), "outputs");
  if (n_outputs == 0) throw std::invalid_argument("n_outputs is 0, expected at least 1");
  std::vector<TreeView> views;
  for (nb::handle tree : trees) views.push_back(view_of(nb::cast<nb::tuple>(tree)));
  std::vector<SlopesView> of;
  if (slopes) {
    expect(slopes->size(), trees.size(), "slopes");
    for (size_t t = 0; t < views.size(); ++t)
      of.push_back(slopes_of(nb::cast<nb::tuple>((*slopes)[t]), views[t]));
  }
  new (self) Forest(std::vector<uint32_t>(n_categories.data(), n_categories.data() + n_features),
                    n_outputs, views, votes.data(), outputs.data(), slopes ? &of : nullptr);
}

Out<double> sum(const Forest& self, const Held& held, const Vector<double>& base, size_t first,
                size_t last, int threads) {
  self.expect_cells(*held.cells);
  expect(base.shape(0), self.n_outputs(), "base");
  if (first > last || last > self.n_trees())
    throw std::invalid_argument("the range of trees ends before it begins, or after the last tree");
  const size_t n = held.cells->n_rows();
  std::unique_ptr<double[]> out(new double[n * self.n_outputs()]);
  without_gil([&] { self.sum(*held.cells, base.data(), first, last, out.get(), threads); });
  return give(std::move(out), {n, self.n_outputs()});
}

// The sum over all trees of one row, or None where the row is not plain.
nb::object sum_row(const Forest& self, nb::handle row, const Vector<double>& base) {
  expect(base.shape(0), self.n_outputs(), "base");
  const PlainRow plain(row, self.n_features());
  if (plain.x() == nullptr) return nb::none();
  std::vector<double> score(self.n_outputs());
  self.sum_row(plain.x(), base.data(), score.data());
  return scores_of(score.data(), score.size());
}

Out<int32_t> apply(const Forest& self, const Held& held, int threads) {
  self.expect_cells(*held.cells);
  const size_t n = held.cells->n_rows();
  std::unique_ptr<int32_t[]> out(new int32_t[n * self.n_trees()]);
  without_gil([&] { self.apply(*held.cells, out.get(), threads); });
  return give(std::move(out), {n, self.n_trees()});
}

Out<double> each(const Forest& self, const Held& held, int threads) {
  self.expect_cells(*held.cells);
  if (!self.single_valued())
    throw std::invalid_argument("a tree has several outputs, expected one");
  const size_t n = held.cells->n_rows();
  std::unique_ptr<double[]> out(new double[n * self.n_trees()]);
  without_gil([&] { self.each(*held.cells, out.get(), threads); });
  return give(std::move(out), {n, self.n_trees()});
}

nb::object leaves_of(const Columns& columns, const nb::tuple& arrays, int threads) {
  const TreeView tree = view_of(arrays);
  std::vector<uint32_t> n_categories(columns.size());
  for (size_t j = 0; j < columns.size(); ++j)
    n_categories[j] = columns[j].categorical ? columns[j].n_codes : 0;
  check_tree(tree, n_categories, "the tree: ");
  auto leaf = std::make_unique_for_overwrite<int32_t[]>(columns.n_rows());
  bool possible = false;
  without_gil([&] {
    const LeafOfRow leaves(columns, tree);
    possible = leaves.possible();
    if (possible) leaves.find(leaf.get(), threads);
  });
  if (!possible) return nb::none();
  return nb::cast(give(std::move(leaf), {columns.n_rows()}));
}

}  // namespace

void forest(nb::module_& m) {
  nb::class_<Forest>(m, "Forest", "Trees packed for prediction.")
      .def("__init__", &make, nb::arg("n_features"), nb::arg("n_categories").noconvert(),
           nb::arg("n_outputs"), nb::arg("trees"), nb::arg("votes").noconvert(),
           nb::arg("outputs").noconvert(), nb::arg("slopes").none() = nb::none())
      .def_prop_ro("n_trees", &Forest::n_trees)
      .def("sum", &sum, nb::arg("cells"), nb::arg("base").noconvert(), nb::arg("first"),
           nb::arg("last"), nb::arg("threads"))
      .def("sum_row", &sum_row, nb::arg("row"), nb::arg("base").noconvert(),
           nb::sig("def sum_row(self, row: list[float], base: NDArray[numpy.float64]) -> "
                   "float | NDArray[numpy.float64] | None"))
      .def("apply", &apply, nb::arg("cells"), nb::arg("threads"))
      .def("each", &each, nb::arg("cells"), nb::arg("threads"));
  m.def("leaf_of_row", &leaves_of, nb::arg("columns"), nb::arg("tree"), nb::arg("threads"),
        nb::sig("def leaf_of_row(columns: Columns, tree: tuple, threads: int) -> "
                "NDArray[numpy.int32] | None"),
        "The leaf of every coded row, or None where codes do not tell it.");
}

}  // namespace weaklearn::bind
