#include "weaklearn/columns/columns.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <array>
#include <optional>
#include <tuple>
#include <vector>

#include "bind.hpp"
#include "row_checks.hpp"
#include "weaklearn/columns/route.hpp"
#include "weaklearn/columns/row_keys.hpp"
#include "weaklearn/columns/slots.hpp"

namespace weaklearn::bind {
namespace {

Binning binning(size_t n_rows, uint32_t most_codes, size_t least_rows, bool keep_order,
                const Copies& copies) {
  if (most_codes < 2 || most_codes > kMostCodes)
    throw std::invalid_argument("a column has 2 to 255 codes");
  if (copies) expect(copies->shape(0), n_rows, "the copies");
  for (size_t i = 0; copies && i < n_rows; ++i)  // bins are filled by the copies that are left
    if (copies->data()[i] < 1) throw std::invalid_argument("a row has 1 copy at least");
  return {most_codes, std::max<size_t>(least_rows, 1), keep_order,
          copies ? copies->data() : nullptr};
}

// The codes of columns over all partitions: whether some values are missing, whether codes are
// bins, and the value of each code, or the smallest and largest of each bin.
using Codes = nb::typed<nb::sequence, nb::typed<nb::tuple, bool, bool, Vector<double>>>;
using Given = std::optional<Codes>;

std::vector<GivenCodes> given_codes(const Given& given, size_t n_columns) {
  std::vector<GivenCodes> found;
  if (!given) return found;
  for (const nb::handle entry : *given) {
    const auto [has_missing, coarse, values] =
        nb::cast<std::tuple<bool, bool, Vector<double>>>(entry);
    const size_t n = values.shape(0), a_code = coarse ? 2 : 1;
    if (n > kMostCodes * a_code || n % a_code != 0)
      throw std::invalid_argument("a column has at most 255 codes");
    found.push_back({has_missing, coarse, {values.data(), values.data() + n}});
  }
  expect(found.size(), n_columns, "the given codes");
  return found;
}

template <class Real>
std::unique_ptr<Columns> from_matrix(const Matrix<Real>& x, int threads, uint32_t most_codes,
                                     size_t least_rows, bool keep_order, const Copies& copies,
                                     const Given& given) {
  check_rows(x.shape(0));
  const std::vector<GivenCodes> codes = given_codes(given, x.shape(1));
  Binning how = binning(x.shape(0), most_codes, least_rows, keep_order, copies);
  if (given) how.given = codes.data();
  auto columns = std::make_unique<Columns>(x.shape(0), x.shape(1), how);
  const auto size = static_cast<ptrdiff_t>(sizeof(Real));
  without_gil([&] {
    columns->template code_matrix<Real>(reinterpret_cast<const char*>(x.data()), x.stride(0) * size,
                                        x.stride(1) * size, threads);
  });
  return columns;
}

// A table by columns: 1-D arrays of float64 or float32 (numbers) or int32 (categories, -1 missing),
// n_categories of each.
class Tabular {
 public:
  Tabular(size_t n_rows, const nb::list& table, const Vector<int32_t>& n_categories)
      : n_rows_(n_rows),
        n_categories_(n_categories.data(), n_categories.data() + n_categories.shape(0)),
        numbers_(table.size()),
        singles_(table.size()),
        categories_(table.size()) {
    expect(n_categories.shape(0), table.size(), "n_categories");
    for (size_t j = 0; j < table.size(); ++j) {
      if (nb::try_cast(table[j], categories_[j], false)) {
        expect(categories_[j].shape(0), n_rows, "a column");
        if (n_categories_[j] < 0 || n_categories_[j] > static_cast<int32_t>(kMostCodes))
          throw std::invalid_argument("a categorical column has 0 to 255 categories");
      } else if (nb::try_cast(table[j], singles_[j], false)) {
        expect(singles_[j].shape(0), n_rows, "a column");
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
    code_from(columns, 0, threads);
  }
  // Codes as many columns, from one on, in the room that there is.
  void code_from(Columns& columns, size_t first, int threads) const {
    Pool::instance().run(size(), threads_for(n_rows_ * size() * 8, threads), [&](size_t j) {
      if (categories_[j].is_valid())
        columns.code_categories(first + j, categories_[j].data(),
                                static_cast<uint32_t>(n_categories_[j]));
      else if (singles_[j].is_valid())
        columns.code_column(first + j, singles_[j].data());
      else
        columns.code_column(first + j, numbers_[j].data());
    });
  }

 private:
  size_t n_rows_;
  std::vector<int32_t> n_categories_;
  std::vector<Vector<double>> numbers_;
  std::vector<Vector<float>> singles_;
  std::vector<Vector<int32_t>> categories_;
};

// Columns in room of the caller's, to be coded a few at a time.
std::unique_ptr<Columns> in_room(size_t n_rows, size_t n_features, const Room<uint8_t>& room,
                                 uint32_t most_codes, size_t least_rows, bool keep_order,
                                 const Copies& copies) {
  check_rows(n_rows);
  expect(room.shape(0), Columns::bytes_to_borrow(n_rows, n_features, keep_order), "the room");
  auto columns = std::make_unique<Columns>(
      n_rows, n_features, binning(n_rows, most_codes, least_rows, keep_order, copies));
  columns->borrow_blocks(room.data());
  return columns;
}

void code_some(Columns& columns, size_t first, const nb::list& table,
               const Vector<int32_t>& n_categories, int threads) {
  const Tabular cells(columns.n_rows(), table, n_categories);
  if (first > columns.size() || table.size() > columns.size() - first)
    throw std::invalid_argument("there are more columns than there is room for");
  without_gil([&] { cells.code_from(columns, first, threads); });
}

std::unique_ptr<Columns> from_table(size_t n_rows, const nb::list& table,
                                    const Vector<int32_t>& n_categories, int threads,
                                    uint32_t most_codes, size_t least_rows, bool keep_order,
                                    const Copies& copies, const Given& given) {
  check_rows(n_rows);
  const Tabular cells(n_rows, table, n_categories);
  const std::vector<GivenCodes> codes = given_codes(given, cells.size());
  Binning how = binning(n_rows, most_codes, least_rows, keep_order, copies);
  if (given) how.given = codes.data();
  auto columns = std::make_unique<Columns>(n_rows, cells.size(), how);
  without_gil([&] { cells.code(*columns, threads); });
  return columns;
}

// Where the columns or rows of a sparse matrix begin, checked: a copy of our own.
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
  auto out = std::make_unique_for_overwrite<uint64_t[]>(columns.n_rows());
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
  std::vector<double> ends;  // least and greatest value of each code
  for (uint32_t k = 0; k < column.n_codes && !column.categorical; ++k)
    ends.insert(ends.end(), {column.least(k), column.greatest(k)});
  d["ends"] = array_of(ends, {ends.size()});
  return d;
}

Out<int32_t> varying(const Columns& columns) {
  const std::vector<int32_t> found = varying_columns(columns);
  return array_of(found, {found.size()});
}

// What there is for each type of numbers and indices.
template <class Real, class Index>
void sparse_forms(nb::class_<Columns>& columns) {
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
}

}  // namespace

void columns(nb::module_& m) {
  nb::class_<Columns> columns(m, "Columns", "Coded columns of a sample.");
  columns
      .def_static("from_matrix", &from_matrix<float>, nb::arg("x").noconvert(), nb::arg("threads"),
                  nb::arg("most_codes") = kMostCodes, nb::arg("least_rows") = kLeastBin,
                  nb::arg("keep_order") = true, nb::arg("copies") = nb::none(),
                  nb::arg("given") = nb::none())
      .def_static("from_matrix", &from_matrix<double>, nb::arg("x").noconvert(), nb::arg("threads"),
                  nb::arg("most_codes") = kMostCodes, nb::arg("least_rows") = kLeastBin,
                  nb::arg("keep_order") = true, nb::arg("copies") = nb::none(),
                  nb::arg("given") = nb::none())
      .def_static("from_table", &from_table, nb::arg("n_rows"), nb::arg("table"),
                  nb::arg("n_categories").noconvert(), nb::arg("threads"),
                  nb::arg("most_codes") = kMostCodes, nb::arg("least_rows") = kLeastBin,
                  nb::arg("keep_order") = true, nb::arg("copies") = nb::none(),
                  nb::arg("given") = nb::none())
      .def_static("in_room", &in_room, nb::arg("n_rows"), nb::arg("n_features"),
                  nb::arg("room").noconvert(), nb::arg("most_codes") = kMostCodes,
                  nb::arg("least_rows") = kLeastBin, nb::arg("keep_order") = true,
                  nb::arg("copies") = nb::none(), nb::keep_alive<0, 3>(), nb::keep_alive<0, 7>(),
                  "Columns in room of the caller's, to be coded a few at a time.")
      .def_static("bytes_to_borrow", &Columns::bytes_to_borrow, nb::arg("n_rows"),
                  nb::arg("n_features"), nb::arg("keep_order"), "How much room these take.")
      .def("code", &code_some, nb::arg("first"), nb::arg("table"),
           nb::arg("n_categories").noconvert(), nb::arg("threads"),
           "Codes some columns, from one on.")
      .def_prop_ro("n_rows", &Columns::n_rows)
      .def_prop_ro("is_borrowed", &Columns::is_borrowed)
      .def_prop_ro("n_features", &Columns::size)
      .def("hash_rows", &hash, nb::arg("threads") = 1,
           "A hash of each row's content, free of row order.")
      .def("varying", &varying, "The columns that are not constant.")
      .def("describe", &describe, nb::arg("column"));
  sparse_forms<float, int32_t>(columns);
  sparse_forms<double, int32_t>(columns);
  sparse_forms<float, int64_t>(columns);
  sparse_forms<double, int64_t>(columns);
}

}  // namespace weaklearn::bind
