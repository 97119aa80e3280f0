#include "cells.hpp"

#include <utility>
#include <vector>

#include "weaklearn/columns/infinite.hpp"

namespace weaklearn::bind {
namespace {

template <class Real>
Held of_matrix(const Matrix<Real>& x) {
  const auto size = static_cast<ptrdiff_t>(sizeof(Real));
  Held held;
  held.cells = std::make_unique<MatrixCells<Real>>(x.data(), x.shape(0), x.shape(1),
                                                   x.stride(0) * size, x.stride(1) * size);
  held.arrays.push_back(nb::cast(x));
  return held;
}

// Columns of doubles, or of int32 category codes.
Held of_table(size_t n, const nb::list& table) {
  std::vector<const double*> numbers(table.size(), nullptr);
  std::vector<const int32_t*> categories(table.size(), nullptr);
  Held held;
  for (size_t j = 0; j < table.size(); ++j) {
    Vector<double> of_numbers;
    if (nb::try_cast<Vector<double>>(table[j], of_numbers, false)) {
      expect(of_numbers.shape(0), n, "a column");
      numbers[j] = of_numbers.data();
    } else {
      const auto of_categories = nb::cast<Vector<int32_t>>(table[j], false);
      expect(of_categories.shape(0), n, "a column");
      categories[j] = of_categories.data();
    }
    held.arrays.push_back(table[j]);
  }
  held.cells = std::make_unique<TableCells>(n, std::move(numbers), std::move(categories));
  return held;
}

template <class Real, class Index>
Held of_sparse(size_t n, const Vector<Real>& data, const Vector<Index>& rows,
               const Vector<Index>& starts) {
  if (starts.shape(0) == 0) throw std::invalid_argument("starts has 0 entries, expected one more");
  Held held;
  held.cells = std::make_unique<SparseCells<Real, Index>>(
      n, std::vector<Index>(starts.data(), starts.data() + starts.shape(0)), data.data(),
      rows.data(), std::min(data.shape(0), rows.shape(0)));
  held.arrays.push_back(nb::cast(data));
  held.arrays.push_back(nb::cast(rows));
  return held;
}

template <class Real>
bool holds_infinity_in(const Matrix<Real>& x, int threads) {
  bool found = false;
  without_gil([&] {
    found = holds_infinity(x.data(), x.shape(0), x.shape(1), static_cast<ptrdiff_t>(x.stride(0)),
                           static_cast<ptrdiff_t>(x.stride(1)), threads);
  });
  return found;
}

}  // namespace

void cells(nb::module_& m) {
  m.def("holds_infinity", &holds_infinity_in<float>, nb::arg("x").noconvert(), nb::arg("threads"));
  m.def("holds_infinity", &holds_infinity_in<double>, nb::arg("x").noconvert(), nb::arg("threads"),
        "Whether a matrix holds an infinity.");
  auto c = nb::class_<Held>(m, "Cells", "Cells of a matrix, a table or sparse columns.")
               .def_static("matrix", &of_matrix<float>, nb::arg("x").noconvert())
               .def_static("matrix", &of_matrix<double>, nb::arg("x").noconvert())
               .def_static("table", &of_table, nb::arg("n_rows"), nb::arg("columns"));
  const auto sparse = [&c](auto fn) {
    c.def_static("sparse", fn, nb::arg("n_rows"), nb::arg("data").noconvert(),
                 nb::arg("rows").noconvert(), nb::arg("starts").noconvert());
  };
  sparse(&of_sparse<float, int32_t>);
  sparse(&of_sparse<double, int32_t>);
  sparse(&of_sparse<float, int64_t>);
  sparse(&of_sparse<double, int64_t>);
}

}  // namespace weaklearn::bind
