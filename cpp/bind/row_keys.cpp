// Keys of rows by their content, their order, and counts of codes.
#include "weaklearn/columns/row_keys.hpp"

#include <nanobind/stl/optional.h>

#include <optional>
#include <vector>

#include "bind.hpp"
#include "row_checks.hpp"
#include "weaklearn/columns/columns.hpp"
#include "weaklearn/columns/slots.hpp"
#include "weaklearn/columns/sort_keys.hpp"

namespace weaklearn::bind {
namespace {

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

// Adds the columns of a table, float64 or int32, to keys of its rows, and mixes them unless more
// columns are to follow.
void table_keys(const nb::list& table, const Vector<uint64_t>& factors, const Room<uint64_t>& keys,
                int threads, bool more) {
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
  without_gil([&] { add_table_keys(columns, n, factors.data(), keys.data(), threads, more); });
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

template <class Real, class Index>
void keys_of_sparse_rows(nb::module_& m) {
  m.def("row_keys", &row_keys<Real, Index>, nb::arg("data").noconvert(),
        nb::arg("places").noconvert(), nb::arg("starts").noconvert(),
        nb::arg("factors").noconvert(), "A sum of hashes over the entries of each row.");
}

}  // namespace

void rows_by_content(nb::module_& m) {
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
        nb::arg("keys").noconvert(), nb::arg("threads"), nb::arg("more") = false,
        "Adds the columns of a table to the keys of its rows, and mixes them unless more follow.");
  m.def("sort_keys", &sorted_keys, nb::arg("keys").noconvert(), nb::arg("threads"),
        "The keys in order.");
  m.def("order_by_keys", &ordered_rows, nb::arg("keys").noconvert(), nb::arg("threads"),
        "The rows in the order of their keys, equal ones as they come.");
  keys_of_sparse_rows<float, int32_t>(m);
  keys_of_sparse_rows<double, int32_t>(m);
  keys_of_sparse_rows<float, int64_t>(m);
  keys_of_sparse_rows<double, int64_t>(m);
}

}  // namespace weaklearn::bind
