// Items in queries: metrics of their order, and gradients of their pairs.
#include <nanobind/stl/optional.h>

#include <optional>

#include "bind.hpp"
#include "weaklearn/rank/lambdas.hpp"

namespace weaklearn::bind {
namespace {

std::unique_ptr<Queries> queries_of(const Vector<int64_t>& rows, const Vector<int64_t>& starts,
                                    const Vector<double>& grades, int metric, size_t k) {
  const size_t n = rows.shape(0), m = starts.shape(0);
  expect(grades.shape(0), n, "the grades");
  if (m < 1 || starts.data()[0] != 0 || starts.data()[m - 1] != static_cast<int64_t>(n) ||
      !std::is_sorted(starts.data(), starts.data() + m))
    throw std::invalid_argument("the starts of queries are out of range");
  std::vector<bool> seen(n);
  for (size_t i = 0; i < n; ++i) {
    const int64_t row = rows.data()[i];
    if (row < 0 || row >= static_cast<int64_t>(n) || seen[static_cast<size_t>(row)])
      throw std::invalid_argument("every row must be listed once");
    seen[static_cast<size_t>(row)] = true;
  }
  if (metric < 0 || metric > 2 || k < 1) throw std::invalid_argument("there is no such metric");
  if (n > 0xffffffffu) throw std::invalid_argument("there are too many rows");
  return std::make_unique<Queries>(rows.data(), n, starts.data(), m - 1, grades.data(),
                                   static_cast<RankMetric>(metric), k);
}

Out<double> values(const Queries& of, const Vector<double>& F, int threads) {
  expect(F.shape(0), of.n_rows(), "the scores");
  auto value = std::make_unique_for_overwrite<double[]>(of.n_queries());
  without_gil([&] { of.values(F.data(), value.get(), threads); });
  return give(std::move(value), {of.n_queries()});
}

void check_positions(const Vector<int32_t>& position, size_t n_rows, size_t n_positions) {
  expect(position.shape(0), n_rows, "the positions");
  for (size_t i = 0; i < n_rows; ++i)
    if (position.data()[i] < 0 || static_cast<size_t>(position.data()[i]) >= n_positions)
      throw std::invalid_argument("a position is out of range");
}

Out<double> lambdas(const Queries& of, const Vector<double>& F,
                    const std::optional<Vector<double>>& weight, double sigma, bool normalize,
                    const std::optional<Vector<int32_t>>& position,
                    const std::optional<Vector<double>>& clicked,
                    const std::optional<Vector<double>>& passed, const Room<double>& g,
                    const Room<double>& c, int threads) {
  const size_t n = of.n_rows();
  expect(F.shape(0), n, "the scores");
  expect(g.shape(0), n, "room for the gradient");
  expect(c.shape(0), n, "room for the curvature");
  if (weight) expect(weight->shape(0), n, "the weights");
  Shown shown;
  if (position) {
    if (!clicked || !passed) throw std::invalid_argument("positions need their biases");
    expect(passed->shape(0), clicked->shape(0), "the biases");
    check_positions(*position, n, clicked->shape(0));
    for (const auto* bias : {&*clicked, &*passed})
      for (size_t i = 0; i < bias->shape(0); ++i)
        if (!(bias->data()[i] >= kLeastBias)) throw std::invalid_argument("a bias is too small");
    shown = {position->data(), clicked->data(), passed->data()};
  }
  auto value = std::make_unique_for_overwrite<double[]>(of.n_queries());
  without_gil([&] {
    rank_lambdas(of, F.data(), weight ? weight->data() : nullptr, {sigma, normalize}, shown,
                 g.data(), c.data(), value.get(), threads);
  });
  return give(std::move(value), {of.n_queries()});
}

nb::tuple position_costs(const Queries& of, const Vector<double>& F,
                         const Vector<double>& query_weight, const Vector<int32_t>& position,
                         size_t n_positions, double sigma, int threads) {
  expect(F.shape(0), of.n_rows(), "the scores");
  expect(query_weight.shape(0), of.n_queries(), "the weights of queries");
  check_positions(position, of.n_rows(), n_positions);
  const double* const w = query_weight.data();
  const double most = *std::max_element(w, w + of.n_queries());
  auto cost = std::make_unique_for_overwrite<int64_t[]>(n_positions * n_positions);
  double unit = 1;
  without_gil([&] {
    unit = cost_by_position(of, F.data(), w, most, position.data(), n_positions, sigma, cost.get(),
                            threads);
  });
  return nb::make_tuple(give(std::move(cost), {n_positions, n_positions}), unit);
}

}  // namespace

void rank(nb::module_& m) {
  nb::class_<Queries>(m, "Queries", "Items in queries with their grades, judged by a metric.")
      .def(nb::new_(&queries_of), nb::arg("rows").noconvert(), nb::arg("starts").noconvert(),
           nb::arg("grades").noconvert(), nb::arg("metric"), nb::arg("k"))
      .def("values", &values, nb::arg("F").noconvert(), nb::arg("threads"),
           "The metric of every query, NaN where there is no gain to be had.")
      .def("lambdas", &lambdas, nb::arg("F").noconvert(), nb::arg("weight").none(),
           nb::arg("sigma"), nb::arg("normalize"), nb::arg("position").none(),
           nb::arg("clicked").none(), nb::arg("passed").none(), nb::arg("g").noconvert(),
           nb::arg("c").noconvert(), nb::arg("threads"),
           "Writes gradient and curvature into g and c; returns the metric of every query.")
      .def(
          "position_costs", &position_costs, nb::arg("F").noconvert(),
          nb::arg("query_weight").noconvert(), nb::arg("position").noconvert(),
          nb::arg("n_positions"), nb::arg("sigma"), nb::arg("threads"),
          "The cost of pairs by where their better and their worse item were shown, and its unit.");
}

}  // namespace weaklearn::bind
