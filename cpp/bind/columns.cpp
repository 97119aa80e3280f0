#include "weaklearn/columns.hpp"

#include <nanobind/stl/optional.h>

#include <limits>
#include <optional>

#include "bind.hpp"
#include "weaklearn/route.hpp"

namespace weaklearn::bind {
namespace {

constexpr size_t kMostRows = kRowMask;

void check_rows(size_t n_rows) {
  if (n_rows > kMostRows) throw std::invalid_argument("at most 2147483647 rows can be coded");
}

using Copies = std::optional<Vector<int64_t>>;

Binning binning(size_t n_rows, uint32_t most_codes, size_t least_rows, bool keep_order,
                const Copies& copies) {
  if (most_codes < 2 || most_codes > kMostCodes)
    throw std::invalid_argument("a column has 2 to 255 codes");
  if (copies) expect(copies->shape(0), n_rows, "the copies");
  return {most_codes, std::max<size_t>(least_rows, 1), keep_order,
          copies ? copies->data() : nullptr};
}

template <class Real>
std::unique_ptr<Columns> from_matrix(const Matrix<Real>& x, int threads, uint32_t most_codes,
                                     size_t least_rows, bool keep_order, const Copies& copies) {
  check_rows(x.shape(0));
  auto columns = std::make_unique<Columns>(
      x.shape(0), x.shape(1), binning(x.shape(0), most_codes, least_rows, keep_order, copies));
  const auto size = static_cast<ptrdiff_t>(sizeof(Real));
  without_gil([&] {
    columns->template code_matrix<Real>(reinterpret_cast<const char*>(x.data()), x.stride(0) * size,
                                        x.stride(1) * size, threads);
  });
  return columns;
}

// A table by columns: 1-D arrays of float64 (numbers) or int32 (levels, -1 missing), n_levels of
// each.
std::unique_ptr<Columns> from_table(size_t n_rows, const nb::list& table,
                                    const Vector<int32_t>& n_levels, int threads,
                                    uint32_t most_codes, size_t least_rows, bool keep_order,
                                    const Copies& copies) {
  check_rows(n_rows);
  const size_t d = table.size();
  expect(n_levels.shape(0), d, "n_levels");
  std::vector<Vector<double>> numbers(d);
  std::vector<Vector<int32_t>> levels(d);
  for (size_t j = 0; j < d; ++j) {
    if (nb::try_cast(table[j], levels[j], false)) {
      expect(levels[j].shape(0), n_rows, "a column");
      if (n_levels.data()[j] < 0 || n_levels.data()[j] > static_cast<int32_t>(kMostCodes))
        throw std::invalid_argument("a categorical column has 0 to 255 levels");
    } else {
      numbers[j] = nb::cast<Vector<double>>(table[j], false);
      expect(numbers[j].shape(0), n_rows, "a column");
    }
  }
  auto columns = std::make_unique<Columns>(
      n_rows, d, binning(n_rows, most_codes, least_rows, keep_order, copies));
  without_gil([&] {
    columns->reserve_blocks();
    Pool::instance().run(d, threads_for(n_rows * d * 8, threads), [&](size_t j) {
      if (levels[j].is_valid())
        columns->code_levels(j, levels[j].data(), static_cast<uint32_t>(n_levels.data()[j]));
      else
        columns->code_column(j, numbers[j].data());
    });
  });
  return columns;
}

template <class Real, class Index>
std::unique_ptr<Columns> from_sparse(size_t n_rows, const Vector<Real>& data,
                                     const Vector<Index>& rows, const Vector<Index>& starts,
                                     int threads, uint32_t most_codes, size_t least_rows,
                                     bool keep_order, const Copies& copies) {
  check_rows(n_rows);
  if (starts.shape(0) < 1 || starts.data()[0] != 0)
    throw std::invalid_argument("indptr must start with 0");
  const size_t d = starts.shape(0) - 1;
  const size_t n = std::min(rows.shape(0), data.shape(0));
  const std::vector<Index> start(starts.data(), starts.data() + d + 1);
  for (size_t j = 0; j < d; ++j)
    if (start[j + 1] < start[j]) throw std::invalid_argument("indptr must not decrease");
  if (start[0] < 0 || static_cast<size_t>(start[d]) > n)
    throw std::invalid_argument("indptr ends beyond the entries");
  auto columns = std::make_unique<Columns>(
      n_rows, d, binning(n_rows, most_codes, least_rows, keep_order, copies));
  without_gil([&] {
    constexpr size_t chunk = 64;
    Pool::instance().run((d + chunk - 1) / chunk, threads_for(n * 8, threads), [&](size_t t) {
      for (size_t j = t * chunk; j < std::min(d, (t + 1) * chunk); ++j) {
        const auto first = static_cast<size_t>(start[j]);
        const auto last = static_cast<size_t>(start[j + 1]);
        columns->code_sparse(j, data.data() + first, rows.data() + first, last - first);
      }
    });
  });
  return columns;
}

Out<uint64_t> hash(const Columns& columns, int threads) {
  auto out = std::make_unique<uint64_t[]>(columns.n_rows());
  without_gil([&] { hash_rows(columns, out.get(), threads); });
  return give(std::move(out), {columns.n_rows()});
}

// For tests and pictures: what column j was coded into.
nb::dict describe(const Columns& columns, size_t j) {
  if (j >= columns.size()) throw nb::index_error("no such column");
  const Column& column = columns[j];
  nb::dict d;
  d["categorical"] = column.categorical;
  d["sparse"] = column.sparse;
  d["coarse"] = column.coarse;
  d["has_missing"] = column.has_missing;
  d["n_codes"] = column.n_codes;
  return d;
}

}  // namespace

void columns(nb::module_& m) {
  nb::class_<Columns>(m, "Columns", "Coded columns of a sample.")
      .def_static("from_matrix", &from_matrix<float>, nb::arg("x").noconvert(), nb::arg("threads"),
                  nb::arg("most_codes") = kMostCodes, nb::arg("least_rows") = kLeastBin,
                  nb::arg("keep_order") = true, nb::arg("copies") = nb::none())
      .def_static("from_matrix", &from_matrix<double>, nb::arg("x").noconvert(), nb::arg("threads"),
                  nb::arg("most_codes") = kMostCodes, nb::arg("least_rows") = kLeastBin,
                  nb::arg("keep_order") = true, nb::arg("copies") = nb::none())
      .def_static("from_table", &from_table, nb::arg("n_rows"), nb::arg("table"),
                  nb::arg("n_levels").noconvert(), nb::arg("threads"),
                  nb::arg("most_codes") = kMostCodes, nb::arg("least_rows") = kLeastBin,
                  nb::arg("keep_order") = true, nb::arg("copies") = nb::none())
      .def_static("from_sparse", &from_sparse<float, int32_t>, nb::arg("n_rows"),
                  nb::arg("data").noconvert(), nb::arg("rows").noconvert(),
                  nb::arg("starts").noconvert(), nb::arg("threads"),
                  nb::arg("most_codes") = kMostCodes, nb::arg("least_rows") = kLeastBin,
                  nb::arg("keep_order") = true, nb::arg("copies") = nb::none())
      .def_static("from_sparse", &from_sparse<double, int32_t>, nb::arg("n_rows"),
                  nb::arg("data").noconvert(), nb::arg("rows").noconvert(),
                  nb::arg("starts").noconvert(), nb::arg("threads"),
                  nb::arg("most_codes") = kMostCodes, nb::arg("least_rows") = kLeastBin,
                  nb::arg("keep_order") = true, nb::arg("copies") = nb::none())
      .def_static("from_sparse", &from_sparse<float, int64_t>, nb::arg("n_rows"),
                  nb::arg("data").noconvert(), nb::arg("rows").noconvert(),
                  nb::arg("starts").noconvert(), nb::arg("threads"),
                  nb::arg("most_codes") = kMostCodes, nb::arg("least_rows") = kLeastBin,
                  nb::arg("keep_order") = true, nb::arg("copies") = nb::none())
      .def_static("from_sparse", &from_sparse<double, int64_t>, nb::arg("n_rows"),
                  nb::arg("data").noconvert(), nb::arg("rows").noconvert(),
                  nb::arg("starts").noconvert(), nb::arg("threads"),
                  nb::arg("most_codes") = kMostCodes, nb::arg("least_rows") = kLeastBin,
                  nb::arg("keep_order") = true, nb::arg("copies") = nb::none())
      .def_prop_ro("n_rows", &Columns::n_rows)
      .def_prop_ro("n_features", &Columns::size)
      .def("hash_rows", &hash, nb::arg("threads") = 1,
           "A hash of each row's content, free of row order.")
      .def("describe", &describe, nb::arg("column"));
}

}  // namespace weaklearn::bind
