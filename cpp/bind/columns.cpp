#include "weaklearn/columns/columns.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <array>
#include <optional>
#include <tuple>
#include <vector>

#include "bind.hpp"
#include "weaklearn/columns/route.hpp"
#include "weaklearn/columns/row_keys.hpp"
#include "weaklearn/columns/slots.hpp"
#include "weaklearn/columns/sort_keys.hpp"

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

// Adds the columns of a table, float64 or int32, to keys of its rows, and mixes them.
void table_keys(const nb::list& table, const Vector<uint64_t>& factors, const Room<uint64_t>& keys,
                int threads) {
  const size_t n = keys.shape(0), d = table.size();
  expect(factors.shape(0), d, "the factors");
  std::vector<Vector<double>> numbers(d);
  std::vector<Vector<int32_t>> categories(d);
  std::vector<TableColumn> columns(d);
  for (size_t j = 0; j < d; ++j) {
    const bool coded = nb::try_cast(table[j], categories[j], false);
    if (!coded) numbers[j] = nb::cast<Vector<double>>(table[j], false);
    expect(coded ? categories[j].shape(0) : numbers[j].shape(0), n, "a column");
    columns[j] = {coded ? nullptr : numbers[j].data(), coded ? categories[j].data() : nullptr};
  }
  without_gil([&] { add_table_keys(columns, n, factors.data(), keys.data(), threads); });
}

using Labels = std::optional<Vector<uint64_t>>;
using RowWeights = std::optional<Vector<double>>;

Examples examples_of(const Vector<uint64_t>& labels, const RowWeights& weights,
                     const Copies& copies, size_t n) {
  expect(labels.shape(0), n, "the labels");
  if (weights) expect(weights->shape(0), n, "the weights");
  if (copies) expect(copies->shape(0), n, "the copies");
  return {labels.data(), weights ? weights->data() : nullptr, copies ? copies->data() : nullptr};
}

// Keys of the rows of a dense matrix, the ends of its columns, and two sums of hashes of the
// examples (None unless labels are given).
template <class Real>
nb::tuple read_matrix(const Matrix<Real>& x, const Vector<uint64_t>& factors, const Labels& labels,
                      const RowWeights& weights, const Copies& copies, int threads) {
  const size_t n = x.shape(0), d = x.shape(1);
  expect(factors.shape(0), d, "the factors");
  Examples examples;
  if (labels) examples = examples_of(*labels, weights, copies, n);
  auto keys = std::make_unique_for_overwrite<uint64_t[]>(n);
  auto low = std::make_unique_for_overwrite<double[]>(d);
  auto high = std::make_unique_for_overwrite<double[]>(d);
  HashSums sums{};
  without_gil([&] {
    sums = read_rows(x.data(), x.stride(0), x.stride(1), n, factors.data(), d,
                     labels ? &examples : nullptr, keys.get(), low.get(), high.get(), threads);
  });
  nb::object hash = nb::none();
  if (labels) hash = nb::make_tuple(sums[0], sums[1]);
  return nb::make_tuple(give(std::move(keys), {n}), give(std::move(low), {d}),
                        give(std::move(high), {d}), hash);
}

// Row numbers; None: all rows.
using RowNumbers = std::optional<Vector<int64_t>>;

void check_numbers(const RowNumbers& rows, size_t n_rows) {
  for (size_t k = 0; rows && k < rows->shape(0); ++k)
    if (rows->data()[k] < 0 || static_cast<size_t>(rows->data()[k]) >= n_rows)
      throw std::invalid_argument("a row number is out of range");
}

// A row of 256 counts for each column.
Out<int64_t> code_counts(const Columns& columns, const RowNumbers& rows, const Copies& copies) {
  const size_t n = columns.n_rows(), d = columns.size();
  check_numbers(rows, n);
  if (copies) expect(copies->shape(0), n, "the copies");
  auto counts = std::make_unique_for_overwrite<int64_t[]>(256 * d);
  std::vector<uint8_t> scratch(n);
  without_gil([&] {
    for (size_t j = 0; j < d; ++j)
      count_codes(columns[j], n, rows ? rows->data() : nullptr, rows ? rows->shape(0) : 0,
                  copies ? copies->data() : nullptr, scratch.data(), counts.get() + 256 * j);
  });
  return give(std::move(counts), {d, 256});
}

nb::tuple hash_of_examples(const Vector<uint64_t>& rows, const Vector<uint64_t>& labels,
                           const RowWeights& weights, const Copies& copies) {
  const Examples examples = examples_of(labels, weights, copies, rows.shape(0));
  HashSums sums{};
  without_gil([&] { hash_examples(rows.data(), examples, rows.shape(0), sums); });
  return nb::make_tuple(sums[0], sums[1]);
}

Out<uint64_t> sorted_keys(const Vector<uint64_t>& keys, int threads) {
  const size_t n = keys.shape(0);
  check_rows(n);
  auto out = std::make_unique_for_overwrite<uint64_t[]>(n);
  without_gil([&] { sort_keys(keys.data(), n, out.get(), threads); });
  return give(std::move(out), {n});
}

Out<int64_t> ordered_rows(const Vector<uint64_t>& keys, int threads) {
  const size_t n = keys.shape(0);
  check_rows(n);
  auto out = std::make_unique_for_overwrite<int64_t[]>(n);
  without_gil([&] { order_by_keys(keys.data(), n, out.get(), threads); });
  return give(std::move(out), {n});
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
      .def_prop_ro("n_rows", &Columns::n_rows)
      .def_prop_ro("n_features", &Columns::size)
      .def("hash_rows", &hash, nb::arg("threads") = 1,
           "A hash of each row's content, free of row order.")
      .def("varying", &varying, "The columns that are not constant.")
      .def("describe", &describe, nb::arg("column"));
  const auto read_doc =
      "Keys of rows, least and greatest values of columns, and, given labels, the hash of the "
      "examples.";
  m.def("read_rows", &read_matrix<float>, nb::arg("x").noconvert(), nb::arg("factors").noconvert(),
        nb::arg("labels").none().noconvert(), nb::arg("weights").none(), nb::arg("copies").none(),
        nb::arg("threads"), read_doc);
  m.def("read_rows", &read_matrix<double>, nb::arg("x").noconvert(), nb::arg("factors").noconvert(),
        nb::arg("labels").none().noconvert(), nb::arg("weights").none(), nb::arg("copies").none(),
        nb::arg("threads"));
  m.def("code_counts", &code_counts, nb::arg("columns"), nb::arg("rows").none(),
        nb::arg("copies").none(), "How many of the listed rows have each code of each column.");
  m.def("hash_examples", &hash_of_examples, nb::arg("rows").noconvert(),
        nb::arg("labels").noconvert(), nb::arg("weights").none(), nb::arg("copies").none(),
        "Two sums of hashes over rows with their labels, weights and copies.");
  m.def("add_table_keys", &table_keys, nb::arg("table"), nb::arg("factors").noconvert(),
        nb::arg("keys").noconvert(), nb::arg("threads"),
        "Adds the columns of a table to the keys of its rows, and mixes them.");
  m.def("sort_keys", &sorted_keys, nb::arg("keys").noconvert(), nb::arg("threads"),
        "The keys in order.");
  m.def("order_by_keys", &ordered_rows, nb::arg("keys").noconvert(), nb::arg("threads"),
        "The rows in the order of their keys, equal ones as they come.");
  sparse_forms<float, int32_t>(m, columns);
  sparse_forms<double, int32_t>(m, columns);
  sparse_forms<float, int64_t>(m, columns);
  sparse_forms<double, int64_t>(m, columns);
}

}  // namespace weaklearn::bind
