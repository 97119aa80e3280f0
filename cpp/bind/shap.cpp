#include "weaklearn/predict/shap.hpp"

#include <vector>

#include "cells.hpp"
#include "tree_view.hpp"

namespace weaklearn::bind {
namespace {

using Table = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

void make(Shap* self, size_t n_features, const Vector<uint32_t>& n_categories, size_t n_outputs,
          const nb::list& trees, const nb::list& covers, const Vector<double>& votes,
          const Vector<int32_t>& outputs) {
  expect(n_categories.shape(0), n_features, "n_categories");
  expect(covers.size(), trees.size(), "covers");
  expect(votes.shape(0), trees.size(), "votes");
  expect(outputs.shape(0), trees.size(), "outputs");
  if (n_outputs == 0) throw std::invalid_argument("n_outputs is 0, expected at least 1");
  std::vector<TreeView> views;
  std::vector<const double*> shares;
  for (nb::handle tree : trees) views.push_back(view_of(nb::cast<nb::tuple>(tree)));
  for (size_t t = 0; t < trees.size(); ++t) {
    const auto cover = nb::cast<Vector<double>>(covers[t], false);
    expect(cover.shape(0), views[t].n, "a cover");
    for (size_t v = 0; v < views[t].n; ++v)
      if (!(cover.data()[v] >= 0) || !std::isfinite(cover.data()[v]))
        throw std::invalid_argument("a cover is negative or not finite");
    shares.push_back(cover.data());
  }
  new (self) Shap(std::vector<uint32_t>(n_categories.data(), n_categories.data() + n_features),
                  n_outputs, views, shares, votes.data(), outputs.data());
}

Out<double> contributions(const Shap& self, const Held& held, int threads) {
  self.expect_cells(*held.cells);
  const size_t n = held.cells->n_rows(), d = self.n_features(), k = self.n_outputs();
  auto phi = std::make_unique_for_overwrite<double[]>(n * d * k);
  without_gil([&] { self.contributions(*held.cells, phi.get(), threads); });
  return give(std::move(phi), {n, d, k});
}

Out<double> interactions(const Shap& self, const Held& held, const Table& alone, int threads) {
  self.expect_cells(*held.cells);
  const size_t n = held.cells->n_rows(), d = self.n_features(), k = self.n_outputs();
  if (alone.shape(0) != n || alone.shape(1) != d || alone.shape(2) != k)
    throw std::invalid_argument("alone has another shape than the contributions");
  auto phi = std::make_unique_for_overwrite<double[]>(n * d * d * k);
  without_gil([&] { self.interactions(*held.cells, alone.data(), phi.get(), threads); });
  return give(std::move(phi), {n, d, d, k});
}

}  // namespace

void shap(nb::module_& m) {
  nb::class_<Shap>(m, "Shap", "Trees packed for Shapley values.")
      .def("__init__", &make, nb::arg("n_features"), nb::arg("n_categories").noconvert(),
           nb::arg("n_outputs"), nb::arg("trees"), nb::arg("covers"), nb::arg("votes").noconvert(),
           nb::arg("outputs").noconvert())
      .def("base", [](const Shap& self) { return array_of(self.base(), {self.base().size()}); })
      .def("contributions", &contributions, nb::arg("cells"), nb::arg("threads"))
      .def("interactions", &interactions, nb::arg("cells"), nb::arg("alone").noconvert(),
           nb::arg("threads"));
}

}  // namespace weaklearn::bind
