#include <nanobind/stl/optional.h>

#include <vector>

#include "bind.hpp"
#include "row_checks.hpp"
#include "weaklearn/columns/distinct_values.hpp"
#include "weaklearn/columns/played_bins.hpp"

namespace weaklearn::bind {
namespace {

template <class Real>
nb::list distinct(const Matrix<Real>& columns, const Copies& copies, int threads) {
  const size_t d = columns.shape(0), n = columns.shape(1);
  check_rows(n);
  if (copies) expect(copies->shape(0), n, "the copies");
  const auto size = static_cast<ptrdiff_t>(sizeof(Real));
  std::vector<DistinctValues> found;
  without_gil([&] {
    found = distinct_values<Real>(reinterpret_cast<const char*>(columns.data()),
                                  columns.stride(1) * size, columns.stride(0) * size, n, d,
                                  copies ? copies->data() : nullptr, threads);
  });
  nb::list out;
  for (DistinctValues& one : found) {
    nb::object below = nb::none();
    if (one.below) below = nb::cast(give(std::move(one.below), {one.n + 1}));
    out.append(nb::make_tuple(give(std::move(one.keys), {one.n}), below, one.has_missing));
  }
  return out;
}

nb::tuple play(const Vector<int64_t>& below, const Vector<int64_t>& upto, int64_t most,
               int64_t least) {
  expect(upto.shape(0), below.shape(0), "upto");
  if (below.shape(0) < 2) throw std::invalid_argument("a column has two ends");
  const PlayedBins found = play_bins(below.data(), upto.data(), below.shape(0), most, least);
  return nb::make_tuple(array_of(found.ends, {found.ends.size()}),
                        array_of(found.gaps, {found.gaps.size()}));
}

}  // namespace

void joint_values(nb::module_& m) {
  const auto doc =
      "Of each column (a row of the matrix) the distinct numbers as ascending keys, the examples "
      "below each and, behind, all (None: below the k-th are k), and whether some are missing.";
  m.def("distinct_values", &distinct<float>, nb::arg("columns").noconvert(),
        nb::arg("copies").none(), nb::arg("threads"), doc);
  m.def("distinct_values", &distinct<double>, nb::arg("columns").noconvert(),
        nb::arg("copies").none(), nb::arg("threads"));
  m.def("play_bins", &play, nb::arg("below").noconvert(), nb::arg("upto").noconvert(),
        nb::arg("most"), nb::arg("least"),
        "The places of the values that end a bin, and of the gaps in which others may do so.");
}

}  // namespace weaklearn::bind
