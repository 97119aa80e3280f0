// Trees of one or two columns as tables, and which pairs of columns are worth one.
#include "weaklearn/gradient/tables.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "bind.hpp"
#include "weaklearn/columns/merge.hpp"
#include "weaklearn/columns/slots.hpp"
#include "weaklearn/gradient/pairs.hpp"
#include "weaklearn/gradient/table_scores.hpp"

namespace weaklearn::bind {
namespace {

using Pair = std::pair<int32_t, int32_t>;
using Plane = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using PlaneRoom = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

nb::tuple tables_of(const GrownTrees& self, const Columns& columns, size_t task, size_t n_rounds,
                    double vote, const Listed<Pair>& pairs_of) {
  const std::vector<Pair> pairs = vector_of<Pair>(pairs_of);
  for (const auto& [a, b] : pairs)
    if (a < 0 || a >= b || static_cast<size_t>(b) >= columns.size())
      throw std::invalid_argument("a pair is out of range");
  if (n_rounds > self.rounds.size()) throw std::invalid_argument("there are not so many rounds");
  Tables found;
  without_gil([&] {
    Tabulation sum(columns, pairs);
    for (size_t t = 0; t < n_rounds; ++t) sum.add(self.rounds[t].at(task), vote);
    found = sum.take();
  });
  nb::dict mains;
  for (size_t j = 0; j < found.mains.size(); ++j)
    if (!found.mains[j].empty())
      mains[nb::int_(j)] = array_of(found.mains[j], {found.mains[j].size()});
  nb::list tables_of_pairs;
  for (const std::vector<double>& table : found.pairs)
    tables_of_pairs.append(array_of(table, {table.size()}));
  return nb::make_tuple(found.constant, mains, tables_of_pairs);
}

using Codes = Vector<uint8_t>;

// The number of the largest of so many codes, and one.
size_t span_of(const Codes& codes, size_t m) {
  expect(codes.shape(0), m, "codes");
  return m == 0 ? 0 : size_t{*std::max_element(codes.data(), codes.data() + m)} + 1;
}

void add_to_scores(const PlaneRoom& F, const Listed<Plane>& tables_of,
                   const Listed<Codes>& firsts_of, const Listed<std::optional<Codes>>& seconds_of,
                   const Listed<size_t>& widths_of, int threads) {
  const auto planes = vector_of<Plane>(tables_of);
  const auto firsts = vector_of<Codes>(firsts_of);
  const auto seconds = vector_of<std::optional<Codes>>(seconds_of);
  const auto widths = vector_of<size_t>(widths_of);
  const size_t K = F.shape(0), m = F.shape(1);
  for (const size_t found : {firsts.size(), seconds.size(), widths.size()})
    expect(found, planes.size(), "what tables are looked up by");
  std::vector<CodedTable> tables;
  for (size_t t = 0; t < planes.size(); ++t) {
    const size_t width = seconds[t] ? widths[t] : 1;
    expect(planes[t].shape(1), K, "a table");
    if (span_of(firsts[t], m) * width > planes[t].shape(0) ||
        (seconds[t] && span_of(*seconds[t], m) > width))
      throw std::invalid_argument("a code is out of range");
    tables.push_back(
        {firsts[t].data(), seconds[t] ? seconds[t]->data() : nullptr, width, planes[t].data()});
  }
  without_gil([&] { add_tables(tables, K, m, F.data(), threads); });
}

nb::tuple pair_statistics(const Columns& columns, const Plane& g, const std::optional<Plane>& c,
                          const std::optional<Vector<int64_t>>& copies,
                          const Vector<int32_t>& features, double l2, int threads,
                          const Collective* partitions) {
  const size_t m = columns.n_rows();
  expect(g.shape(1), m, "g");
  if (c) expect(c->shape(1), m, "c");
  if (c) expect(c->shape(0), g.shape(0), "c");
  if (copies) expect(copies->shape(0), m, "copies");
  std::vector<int32_t> chosen(features.data(), features.data() + features.shape(0));
  for (const int32_t j : chosen)
    if (j < 0 || static_cast<size_t>(j) >= columns.size())
      throw std::invalid_argument("a feature is out of range");
  std::vector<double> found, gains;
  without_gil([&] {
    PairSearch search(columns, std::move(chosen), l2, threads, partitions);
    for (size_t k = 0; k < g.shape(0); ++k)
      search.add({g.data() + k * m, c ? c->data() + k * m : nullptr,
                  copies ? copies->data() : nullptr, false},
                 found, gains);
  });
  return nb::make_tuple(array_of(found, {found.size()}), array_of(gains, {gains.size()}));
}

nb::tuple grid(const Columns& columns, size_t j) {
  if (j >= columns.size()) throw nb::index_error("no such column");
  const Column& column = columns[j];
  const std::vector<double> cuts = cuts_of(column);
  return nb::make_tuple(column.categorical, column.n_codes, column.has_missing,
                        array_of(cuts, {cuts.size()}));
}

Out<uint8_t> codes(const Columns& columns, size_t j) {
  if (j >= columns.size()) throw nb::index_error("no such column");
  auto out = std::make_unique_for_overwrite<uint8_t[]>(columns.n_rows());
  write_codes(columns[j], columns.n_rows(), out.get());
  return give(std::move(out), {columns.n_rows()});
}

}  // namespace

void tables(nb::module_& m) {
  nb::class_<GrownTrees>(m, "GrownTrees", "Trees kept as they were grown, round by round.")
      .def(nb::init<>())
      .def("__len__", [](const GrownTrees& self) { return self.rounds.size(); })
      .def("tables", &tables_of, nb::arg("columns"), nb::arg("task"), nb::arg("n_rounds"),
           nb::arg("vote"), nb::arg("pairs"),
           "What one model's trees add up to: a constant, tables of columns and of pairs.");
  m.def("add_tables", &add_to_scores, nb::arg("F").noconvert(), nb::arg("tables"),
        nb::arg("firsts"), nb::arg("seconds"), nb::arg("widths"), nb::arg("threads"),
        "Adds to scores what tables hold for the codes of one or two columns.");
  m.def("pair_statistics", &pair_statistics, nb::arg("columns"), nb::arg("g").noconvert(),
        nb::arg("c").none().noconvert(), nb::arg("copies").none(), nb::arg("features"),
        nb::arg("l2"), nb::arg("threads"), nb::arg("partitions").none() = nb::none(),
        "How clearly the best cross of two cuts parts the gradients, for every pair of the "
        "features.");
  m.def(
      "merge",
      [](const Columns& columns, uint32_t most, const std::optional<Vector<int64_t>>& copies,
         const Collective* collective, const std::optional<Room<uint8_t>>& room) {
        if (most < 2) throw std::invalid_argument("a column has 2 codes at least");
        if (copies) expect(copies->shape(0), columns.n_rows(), "copies");
        if (room)
          expect(room->shape(0), Columns::bytes_to_borrow(columns.n_rows(), columns.size(), false),
                 "the room");
        std::unique_ptr<Columns> coarse;
        without_gil([&] {
          coarse = merge(columns, most, copies ? copies->data() : nullptr, collective,
                         room ? room->data() : nullptr);
        });
        return coarse;
      },
      nb::arg("columns"), nb::arg("most"), nb::arg("copies").none(),
      nb::arg("collective").none() = nb::none(), nb::arg("room").none() = nb::none(),
      nb::keep_alive<0, 5>(), "The columns with at most so many codes in each ordered one.");
  m.def(
      "grid", &grid, nb::arg("columns"), nb::arg("column"),
      "Whether a column is categorical, how many codes it has, whether cells are missing, and the "
      "cuts between its codes.");
  m.def("codes_of", &codes, nb::arg("columns"), nb::arg("column"),
        "The code of every row in a column; n_codes where it is missing.");
}

}  // namespace weaklearn::bind
