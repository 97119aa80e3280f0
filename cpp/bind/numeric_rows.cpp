#include <variant>

#include "bind.hpp"
#include "weaklearn/online/cholesky.hpp"
#include "weaklearn/online/dual.hpp"
#include "weaklearn/online/gram.hpp"

namespace weaklearn::bind {
namespace {

using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Rows of numbers, dense or sparse, and the arrays that they lie in.
class Numbers {
 public:
  explicit Numbers(Table cells)
      : rows_(DenseRows{cells.data(), cells.shape(0), cells.shape(1)}), dense_(std::move(cells)) {}

  Numbers(Vector<int64_t> start, Vector<int32_t> column, Vector<double> cell, size_t d)
      : start_(std::move(start)), column_(std::move(column)), cell_(std::move(cell)) {
    if (start_.shape(0) == 0) throw std::invalid_argument("start is empty");
    const size_t n = start_.shape(0) - 1, n_cells = cell_.shape(0);
    expect(column_.shape(0), n_cells, "column");
    const int64_t* const at = start_.data();
    if (at[0] != 0 || at[n] != static_cast<int64_t>(n_cells))
      throw std::invalid_argument("start does not begin at 0 and end at the number of cells");
    for (size_t i = 0; i < n; ++i) {
      if (at[i] > at[i + 1]) throw std::invalid_argument("start falls");
      for (int64_t c = at[i]; c < at[i + 1]; ++c) {
        const int32_t k = column_.data()[c];
        const bool rises = c == at[i] || column_.data()[c - 1] < k;
        if (k < 0 || static_cast<size_t>(k) >= d || !rises)
          throw std::invalid_argument("columns of a row must ascend, from 0 to below d");
      }
    }
    rows_ = SparseRows{at, column_.data(), cell_.data(), n, d};
  }

  template <class Work>
  void with(Work&& work) const {
    without_gil([&] { std::visit(work, rows_); });
  }
  size_t n() const {
    return std::visit([](const auto& rows) { return rows.n; }, rows_);
  }
  size_t d() const {
    return std::visit([](const auto& rows) { return rows.d; }, rows_);
  }
  const DenseRows& dense() const {
    if (!std::holds_alternative<DenseRows>(rows_)) throw std::invalid_argument("rows are sparse");
    return std::get<DenseRows>(rows_);
  }

 private:
  std::variant<DenseRows, SparseRows> rows_;
  Table dense_;
  Vector<int64_t> start_;
  Vector<int32_t> column_;
  Vector<double> cell_;
};

template <class Kernel>
Out<double> kernels(const Numbers& rows, const Table& panel, int threads) {
  expect(panel.shape(0), rows.d(), "panel");
  const size_t n = rows.n(), m = panel.shape(1);
  auto out = std::make_unique_for_overwrite<double[]>(n * m);
  rows.with([&](const auto& r) { gram<Kernel>(r, panel.data(), m, out.get(), threads); });
  return give(std::move(out), {n, m});
}

Out<double> products_along(const Numbers& rows, const Vector<double>& v, int threads) {
  expect(v.shape(0), rows.d(), "v");
  auto out = std::make_unique_for_overwrite<double[]>(rows.n());
  rows.with([&](const auto& r) { along(r, v.data(), out.get(), threads); });
  return give(std::move(out), {rows.n()});
}

Out<double> squared(const Numbers& rows) {
  auto out = std::make_unique_for_overwrite<double[]>(rows.n());
  rows.with([&](const auto& r) { squares(r, out.get()); });
  return give(std::move(out), {rows.n()});
}

Out<double> sums_across(const Numbers& rows, const Vector<double>& v) {
  expect(v.shape(0), rows.n(), "v");
  auto out = std::make_unique_for_overwrite<double[]>(rows.d());
  rows.with([&](const auto& r) { across(r, v.data(), out.get()); });
  return give(std::move(out), {rows.d()});
}

Out<double> normal_matrix(const Numbers& rows, const Vector<double>& v, int threads) {
  expect(v.shape(0), rows.n(), "v");
  const DenseRows& dense = rows.dense();
  const size_t d = dense.d;
  auto out = std::make_unique_for_overwrite<double[]>(d * d);
  without_gil([&] { normal(dense, v.data(), out.get(), threads); });
  return give(std::move(out), {d, d});
}

Dual dual_of(const Vector<double>& y, const Vector<double>& cap, const Vector<double>& K,
             const Room<double>& a) {
  const size_t n = y.shape(0);
  for (const size_t found : {cap.shape(0), K.shape(0), a.shape(0)})
    expect(found, n, "an array of the dual");
  return {y.data(), cap.data(), K.data(), n, a.data()};
}

void dual_pass(const Numbers& rows, const Vector<double>& y, const Vector<double>& cap,
               const Vector<double>& K, const Room<double>& a, const Room<double>& w,
               uint64_t key) {
  const Dual dual = dual_of(y, cap, K, a);
  expect(rows.n(), dual.n, "rows");
  expect(w.shape(0), rows.d(), "w");
  if (dual.n > UINT32_MAX) throw std::invalid_argument("there are too many rows");
  rows.with([&](const auto& r) { pass(dual, r, w.data(), key); });
}

size_t dual_climb(const Table& matrix, const Vector<double>& y, const Vector<double>& cap,
                  const Vector<double>& K, const Room<double>& a, const Room<double>& g,
                  size_t steps) {
  const Dual dual = dual_of(y, cap, K, a);
  expect(matrix.shape(0), dual.n, "the matrix");
  expect(matrix.shape(1), dual.n, "a row of the matrix");
  expect(g.shape(0), dual.n, "g");
  size_t done = 0;
  without_gil([&] { done = climb(dual, matrix.data(), g.data(), steps); });
  return done;
}

bool dual_settle(const Table& Q, const Vector<double>& slope, const Vector<double>& cap,
                 const Room<double>& a) {
  const size_t q = slope.shape(0);
  expect(Q.shape(0), q, "Q");
  expect(Q.shape(1), q, "a row of Q");
  expect(cap.shape(0), q, "cap");
  expect(a.shape(0), q, "a");
  bool whole = true;
  without_gil([&] { whole = settle(Q.data(), q, slope.data(), cap.data(), a.data()); });
  return whole;
}

// Of several right sides, one a row.
Out<double> solved(const Table& A, const Table& right) {
  const size_t q = A.shape(0), n = right.shape(0);
  expect(A.shape(1), q, "a row of the matrix");
  expect(right.shape(1), q, "a right side");
  auto x = std::make_unique_for_overwrite<double[]>(n * q);
  std::copy(right.data(), right.data() + n * q, x.get());
  without_gil([&] {
    std::vector<double> factor(A.data(), A.data() + q * q);
    const Cholesky cholesky(factor.data(), q);
    for (size_t i = 0; i < n; ++i) cholesky.solve(x.get() + i * q);
  });
  return give(std::move(x), {n, q});
}

}  // namespace

void numeric_rows(nb::module_& m) {
  nb::class_<Numbers>(m, "Numbers", "Rows of numbers, dense or sparse, for sums in a fixed order.")
      .def(nb::init<Table>(), nb::arg("cells").noconvert())
      .def(nb::init<Vector<int64_t>, Vector<int32_t>, Vector<double>, size_t>(),
           nb::arg("start").noconvert(), nb::arg("column").noconvert(), nb::arg("cell").noconvert(),
           nb::arg("d"))
      .def("inner_products", &kernels<InnerProduct>, nb::arg("panel").noconvert(),
           nb::arg("threads"), "x.z of every row with every column of the panel.")
      .def("all_products", &kernels<AllProducts>, nb::arg("panel").noconvert(), nb::arg("threads"),
           "prod (1 + x_k z_k) of every row with every column of the panel.")
      .def("along", &products_along, nb::arg("v").noconvert(), nb::arg("threads"),
           "The inner product of every row with v.")
      .def("squares", &squared, "The inner product of every row with itself.")
      .def("across", &sums_across, nb::arg("v").noconvert(), "The sum of the rows, weighted by v.")
      .def("normal", &normal_matrix, nb::arg("v").noconvert(), nb::arg("threads"),
           "The sum of v x x' over the rows: its lower half.")
      .def("dual_pass", &dual_pass, nb::arg("y").noconvert(), nb::arg("cap").noconvert(),
           nb::arg("K").noconvert(), nb::arg("a").noconvert(), nb::arg("w").noconvert(),
           nb::arg("key"), "One pass of coordinate ascent over all rows; changes a and w.")
      .def("__len__", &Numbers::n)
      .def_prop_ro("d", &Numbers::d);
  m.def("dual_climb", &dual_climb, nb::arg("matrix").noconvert(), nb::arg("y").noconvert(),
        nb::arg("cap").noconvert(), nb::arg("K").noconvert(), nb::arg("a").noconvert(),
        nb::arg("g").noconvert(), nb::arg("steps"),
        "Steps of coordinate ascent that gain most; changes a and g, and returns how many.");
  m.def("dual_settle", &dual_settle, nb::arg("Q").noconvert(), nb::arg("slope").noconvert(),
        nb::arg("cap").noconvert(), nb::arg("a").noconvert(),
        "Moves all coordinates at once, as far as their limits allow; whether all the way.");
  m.def("solve", &solved, nb::arg("A").noconvert(), nb::arg("right").noconvert(),
        "Solutions of a positive definite system, whose lower half is read, one a row.");
}

}  // namespace weaklearn::bind
