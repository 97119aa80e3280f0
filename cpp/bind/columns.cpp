#include "weaklearn/columns/columns.hpp"

#include <nanobind/stl/optional.h>

#include <optional>

#include "bind.hpp"
#include "weaklearn/columns/route.hpp"
#include "weaklearn/columns/row_keys.hpp"
#include "weaklearn/columns/slots.hpp"

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

// A table by columns: 1-D arrays of float64 (numbers) or int32 (categories, -1 missing),
// n_categories of each.
class Tabular {
 public:
  Tabular(size_t n_rows, const nb::list& table, const Vector<int32_t>& n_categories)
      : n_rows_(n_rows),
        n_categories_(n_categories.data(), n_categories.data() + n_categories.shape(0)),
        numbers_(table.size()),
        categories_(table.size()) {
    expect(n_categories.shape(0), table.size(), "n_categories");
    for (size_t j = 0; j < table.size(); ++j) {
      if (nb::try_cast(table[j], categories_[j], false)) {
        expect(categories_[j].shape(0), n_rows, "a column");
        if (n_categories_[j] < 0 || n_categories_[j] > static_cast<int32_t>(kMostCodes))
          throw std::invalid_argument("a categorical column has 0 to 255 categories");
      } else {
        numbers_[j] = nb::cast<Vector<double>>(table[j], false);
        expect(numbers_[j].shape(0), n_rows, "a column");
      }
    }
  }
  size_t size() const { return numbers_.size(); }

  // Codes the first columns.
  void code(Columns& columns, int threads) const {
    columns.reserve_blocks(size());
    Pool::instance().run(size(), threads_for(n_rows_ * size() * 8, threads), [&](size_t j) {
      if (categories_[j].is_valid())
        columns.code_categories(j, categories_[j].data(), static_cast<uint32_t>(n_categories_[j]));
      else
        columns.code_column(j, numbers_[j].data());
    });
  }

 private:
  size_t n_rows_;
  std::vector<int32_t> n_categories_;
  std::vector<Vector<double>> numbers_;
  std::vector<Vector<int32_t>> categories_;
};

std::unique_ptr<Columns> from_table(size_t n_rows, const nb::list& table,
                                    const Vector<int32_t>& n_categories, int threads,
                                    uint32_t most_codes, size_t least_rows, bool keep_order,
                                    const Copies& copies) {
  check_rows(n_rows);
  const Tabular cells(n_rows, table, n_categories);
  auto columns = std::make_unique<Columns>(
      n_rows, cells.size(), binning(n_rows, most_codes, least_rows, keep_order, copies));
  without_gil([&] { cells.code(*columns, threads); });
  return columns;
}

// Where the columns or rows of a sparse matrix begin, checked: a copy of our own.
template <class Index>
std::vector<Index> checked(const Vector<Index>& starts, size_t n_entries) {
  if (starts.shape(0) < 1 || starts.data()[0] != 0)
    throw std::invalid_argument("indptr must start with 0");
  const std::vector<Index> start(starts.data(), starts.data() + starts.shape(0));
  for (size_t j = 0; j + 1 < start.size(); ++j)
    if (start[j + 1] < start[j]) throw std::invalid_argument("indptr must not decrease");
  if (start[0] < 0 || static_cast<size_t>(start.back()) > n_entries)
    throw std::invalid_argument("indptr ends beyond the entries");
  return start;
}

template <class Real, class Index>
std::unique_ptr<Columns> from_sparse(size_t n_rows, const Vector<Real>& data,
                                     const Vector<Index>& rows, const Vector<Index>& starts,
                                     int threads, uint32_t most_codes, size_t least_rows,
                                     bool keep_order, const Copies& copies) {
  check_rows(n_rows);
  const std::vector<Index> start = checked(starts, std::min(rows.shape(0), data.shape(0)));
  auto columns = std::make_unique<Columns>(
      n_rows, start.size() - 1, binning(n_rows, most_codes, least_rows, keep_order, copies));
  without_gil([&] { columns->code_by_columns(0, data.data(), rows.data(), start, threads); });
  return columns;
}

// A table by columns, and behind them the columns of a sparse matrix by rows.
template <class Real, class Index>
std::unique_ptr<Columns> from_rows(const nb::list& table, const Vector<int32_t>& n_categories,
                                   size_t n_columns, const Vector<Real>& data,
                                   const Vector<Index>& places, const Vector<Index>& starts,
                                   int threads, uint32_t most_codes, size_t least_rows,
                                   bool keep_order, const Copies& copies) {
  const std::vector<Index> start = checked(starts, std::min(places.shape(0), data.shape(0)));
  const size_t n_rows = start.size() - 1;
  check_rows(n_rows);
  const Tabular beside(n_rows, table, n_categories);
  auto columns =
      std::make_unique<Columns>(n_rows, beside.size() + n_columns,
                                binning(n_rows, most_codes, least_rows, keep_order, copies));
  without_gil([&] {
    if (beside.size() > 0) beside.code(*columns, threads);
    columns->code_by_rows(beside.size(), n_columns, data.data(), places.data(), start, threads);
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

Out<int32_t> varying(const Columns& columns) {
  const std::vector<int32_t> found = varying_columns(columns);
  return array_of(found, {found.size()});
}

template <class Real, class Index>
Out<uint64_t> row_keys(const Vector<Real>& data, const Vector<Index>& places,
                       const Vector<Index>& starts, const Vector<uint64_t>& factors) {
  const std::vector<Index> start = checked(starts, std::min(places.shape(0), data.shape(0)));
  const size_t n_rows = start.size() - 1;
  auto keys = std::make_unique<uint64_t[]>(n_rows);
  size_t outside = 0;
  without_gil([&] {
    outside = add_row_keys(data.data(), places.data(), start.data(), n_rows, factors.data(),
                           factors.shape(0), keys.get());
  });
  if (outside > 0) throw std::invalid_argument("an index is out of range");
  return give(std::move(keys), {n_rows});
}

// Keys of the rows of a dense matrix, their hashes (None unless asked for), the ends of its
// columns.
template <class Real>
nb::tuple read_matrix(const Matrix<Real>& x, const Vector<uint64_t>& factors, bool hashes,
                      int threads) {
  const size_t n = x.shape(0), d = x.shape(1);
  expect(factors.shape(0), d, "the factors");
  auto keys = std::make_unique_for_overwrite<uint64_t[]>(n);
  auto hash = std::make_unique_for_overwrite<uint64_t[]>(hashes ? n : 0);
  auto low = std::make_unique_for_overwrite<double[]>(d);
  auto high = std::make_unique_for_overwrite<double[]>(d);
  without_gil([&] {
    read_rows(x.data(), x.stride(0), x.stride(1), n, factors.data(), d, keys.get(),
              hashes ? hash.get() : nullptr, low.get(), high.get(), threads);
  });
  nb::object found = nb::none();
  if (hashes) found = nb::cast(give(std::move(hash), {n}));
  return nb::make_tuple(give(std::move(keys), {n}), found, give(std::move(low), {d}),
                        give(std::move(high), {d}));
}

// What there is for each type of numbers and indices.
template <class Real, class Index>
void sparse_forms(nb::module_& m, nb::class_<Columns>& columns) {
  columns.def_static("from_sparse", &from_sparse<Real, Index>, nb::arg("n_rows"),
                     nb::arg("data").noconvert(), nb::arg("rows").noconvert(),
                     nb::arg("starts").noconvert(), nb::arg("threads"),
                     nb::arg("most_codes") = kMostCodes, nb::arg("least_rows") = kLeastBin,
                     nb::arg("keep_order") = true, nb::arg("copies") = nb::none());
  columns.def_static("from_rows", &from_rows<Real, Index>, nb::arg("table"),
                     nb::arg("n_categories").noconvert(), nb::arg("n_columns"),
                     nb::arg("data").noconvert(), nb::arg("places").noconvert(),
                     nb::arg("starts").noconvert(), nb::arg("threads"),
                     nb::arg("most_codes") = kMostCodes, nb::arg("least_rows") = kLeastBin,
                     nb::arg("keep_order") = true, nb::arg("copies") = nb::none());
  m.def("row_keys", &row_keys<Real, Index>, nb::arg("data").noconvert(),
        nb::arg("places").noconvert(), nb::arg("starts").noconvert(),
        nb::arg("factors").noconvert(), "A sum of hashes over the entries of each row.");
}

}  // namespace

void columns(nb::module_& m) {
  nb::class_<Columns> columns(m, "Columns", "Coded columns of a sample.");
  columns
      .def_static("from_matrix", &from_matrix<float>, nb::arg("x").noconvert(), nb::arg("threads"),
                  nb::arg("most_codes") = kMostCodes, nb::arg("least_rows") = kLeastBin,
                  nb::arg("keep_order") = true, nb::arg("copies") = nb::none())
      .def_static("from_matrix", &from_matrix<double>, nb::arg("x").noconvert(), nb::arg("threads"),
                  nb::arg("most_codes") = kMostCodes, nb::arg("least_rows") = kLeastBin,
                  nb::arg("keep_order") = true, nb::arg("copies") = nb::none())
      .def_static("from_table", &from_table, nb::arg("n_rows"), nb::arg("table"),
                  nb::arg("n_categories").noconvert(), nb::arg("threads"),
                  nb::arg("most_codes") = kMostCodes, nb::arg("least_rows") = kLeastBin,
                  nb::arg("keep_order") = true, nb::arg("copies") = nb::none())
      .def_prop_ro("n_rows", &Columns::n_rows)
      .def_prop_ro("n_features", &Columns::size)
      .def("hash_rows", &hash, nb::arg("threads") = 1,
           "A hash of each row's content, free of row order.")
      .def("varying", &varying, "The columns that are not constant.")
      .def("describe", &describe, nb::arg("column"));
  const auto read_doc = "Keys of rows, their hashes or None, least and greatest values of columns.";
  m.def("read_rows", &read_matrix<float>, nb::arg("x").noconvert(), nb::arg("factors").noconvert(),
        nb::arg("hashes"), nb::arg("threads"), read_doc);
  m.def("read_rows", &read_matrix<double>, nb::arg("x").noconvert(), nb::arg("factors").noconvert(),
        nb::arg("hashes"), nb::arg("threads"));
  sparse_forms<float, int32_t>(m, columns);
  sparse_forms<double, int32_t>(m, columns);
  sparse_forms<float, int64_t>(m, columns);
  sparse_forms<double, int64_t>(m, columns);
}

}  // namespace weaklearn::bind
