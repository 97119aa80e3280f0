#include "weaklearn/predict/score.hpp"

#include <vector>

#include "bind.hpp"
#include "row.hpp"

namespace weaklearn::bind {
namespace {

void make(Scorer* self, size_t n_features, size_t n_outputs, const Vector<uint32_t>& n_categories,
          const Vector<uint8_t>& test, const Vector<int64_t>& feature,
          const Vector<double>& threshold, const Vector<uint32_t>& category,
          const Vector<int32_t>& low, const Vector<int32_t>& high, const Vector<int32_t>& missing,
          const Vector<int64_t>& by_category_begin, const Vector<int32_t>& by_category,
          const Vector<int64_t>& vote, const Vector<int32_t>& output) {
  const size_t n = test.shape(0);
  expect(n_categories.shape(0), n_features, "n_categories");
  for (size_t found : {feature.shape(0), threshold.shape(0), category.shape(0), low.shape(0),
                       high.shape(0), missing.shape(0), vote.shape(0), output.shape(0)})
    expect(found, n, "a list of members");
  expect(by_category_begin.shape(0), n + 1, "by_category_begin");
  const auto k = static_cast<int32_t>(n_outputs);
  const auto answer_fits = [&](int32_t output_of, int32_t answer) {
    return output_of >= 0 ? answer >= -1 && answer <= 1 : answer >= -1 && answer < k;
  };
  for (size_t t = 0; t < n; ++t) {
    if (feature.data()[t] < 0 || static_cast<size_t>(feature.data()[t]) >= n_features)
      throw std::invalid_argument("a member's feature is out of range");
    if (test.data()[t] > 3 || output.data()[t] < -1 || output.data()[t] >= k)
      throw std::invalid_argument("a member's test or output is out of range");
    const uint32_t n_of = n_categories.data()[feature.data()[t]];
    const bool multiway = test.data()[t] == static_cast<uint8_t>(Test::multiway);
    const int64_t begin = by_category_begin.data()[t], end = by_category_begin.data()[t + 1];
    if (begin < 0 || end < begin || static_cast<size_t>(end) > by_category.shape(0) ||
        (multiway && end - begin != static_cast<int64_t>(n_of)))
      throw std::invalid_argument("a member's answers by category are out of range");
    for (int64_t e = begin; e < end; ++e)
      if (!answer_fits(output.data()[t], by_category.data()[e]))
        throw std::invalid_argument("an answer is out of range");
    for (int32_t answer : {low.data()[t], high.data()[t], missing.data()[t]})
      if (!answer_fits(output.data()[t], answer))
        throw std::invalid_argument("an answer is out of range");
  }
  const Members members{
      n,           test.data(),  feature.data(), threshold.data(),         category.data(),
      low.data(),  high.data(),  missing.data(), by_category_begin.data(), by_category.data(),
      vote.data(), output.data()};
  new (self) Scorer(n_features, n_outputs, n_categories.data(), members);
}

template <class Real>
Out<int64_t> score_matrix(const Scorer& self, const Matrix<Real>& x, size_t n_features,
                          int threads) {
  expect(x.shape(1), n_features, "a row of x");
  const size_t n = x.shape(0);
  auto out = std::make_unique_for_overwrite<int64_t[]>(n * self.n_outputs());
  const auto size = static_cast<ptrdiff_t>(sizeof(Real));
  without_gil([&] {
    self.score_matrix<Real>(reinterpret_cast<const char*>(x.data()), x.stride(0) * size,
                            x.stride(1) * size, n, out.get(), threads);
  });
  return give(std::move(out), {n, self.n_outputs()});
}

Out<int64_t> score_table(const Scorer& self, size_t n, const nb::list& table,
                         const Vector<uint32_t>& n_categories, int threads) {
  std::vector<const double*> numbers(table.size(), nullptr);
  std::vector<const int32_t*> categories(table.size(), nullptr);
  expect(n_categories.shape(0), table.size(), "n_categories");
  for (size_t j : self.used()) {
    if (j >= table.size()) throw std::invalid_argument("too few columns");
    if (n_categories.data()[j] > 0) {
      auto column = nb::cast<Vector<int32_t>>(table[j], false);
      expect(column.shape(0), n, "a column");
      categories[j] = column.data();
    } else {
      auto column = nb::cast<Vector<double>>(table[j], false);
      expect(column.shape(0), n, "a column");
      numbers[j] = column.data();
    }
  }
  auto out = std::make_unique_for_overwrite<int64_t[]>(n * self.n_outputs());
  without_gil([&] { self.score_columns(numbers, categories, n, out.get(), threads); });
  return give(std::move(out), {n, self.n_outputs()});
}

template <class Real, class Index>
Out<int64_t> score_sparse(const Scorer& self, size_t n, const Vector<Real>& data,
                          const Vector<Index>& rows, const Vector<Index>& starts) {
  const size_t entries = std::min(data.shape(0), rows.shape(0));
  const std::vector<Index> start(starts.data(), starts.data() + starts.shape(0));
  for (size_t j = 0; j + 1 < start.size(); ++j)
    if (start[j] < 0 || start[j + 1] < start[j] || static_cast<size_t>(start[j + 1]) > entries)
      throw std::invalid_argument("indptr is out of range");
  for (size_t j : self.used())
    if (j + 1 >= starts.shape(0)) throw std::invalid_argument("too few columns");
  auto out = std::make_unique_for_overwrite<int64_t[]>(n * self.n_outputs());
  without_gil([&] { self.score_sparse(data.data(), rows.data(), start.data(), n, out.get()); });
  return give(std::move(out), {n, self.n_outputs()});
}

// Scores in units, or None where the row is not plain.
nb::object score_row(const Scorer& self, nb::handle row, double unit) {
  const PlainRow plain(row, self.n_features());
  if (plain.x() == nullptr) return nb::none();
  const size_t k = self.n_outputs();
  std::vector<int64_t> whole(k);
  std::vector<double> score(k);
  self.score_row(plain.x(), whole.data());
  for (size_t l = 0; l < k; ++l) score[l] = static_cast<double>(whole[l]) * unit;
  return scores_of(score.data(), k);
}

}  // namespace

void score(nb::module_& m) {
  auto c = nb::class_<Scorer>(m, "Scorer", "A vote of stumps as one step function a feature.")
               .def("__init__", &make, nb::arg("n_features"), nb::arg("n_outputs"),
                    nb::arg("n_categories").noconvert(), nb::arg("test").noconvert(),
                    nb::arg("feature").noconvert(), nb::arg("threshold").noconvert(),
                    nb::arg("category").noconvert(), nb::arg("low").noconvert(),
                    nb::arg("high").noconvert(), nb::arg("missing").noconvert(),
                    nb::arg("by_category_begin").noconvert(), nb::arg("by_category").noconvert(),
                    nb::arg("vote").noconvert(), nb::arg("output").noconvert())
               .def("score_matrix", &score_matrix<float>, nb::arg("x").noconvert(),
                    nb::arg("n_features"), nb::arg("threads"))
               .def("score_matrix", &score_matrix<double>, nb::arg("x").noconvert(),
                    nb::arg("n_features"), nb::arg("threads"))
               .def("score_row", &score_row, nb::arg("row"), nb::arg("unit"),
                    nb::sig("def score_row(self, row: list[float], unit: float) -> "
                            "float | NDArray[numpy.float64] | None"))
               .def("score_table", &score_table, nb::arg("n_rows"), nb::arg("table"),
                    nb::arg("n_categories").noconvert(), nb::arg("threads"));
  const auto sparse = [&c](auto fn) {
    c.def("score_sparse", fn, nb::arg("n_rows"), nb::arg("data").noconvert(),
          nb::arg("rows").noconvert(), nb::arg("starts").noconvert());
  };
  sparse(&score_sparse<float, int32_t>);
  sparse(&score_sparse<double, int32_t>);
  sparse(&score_sparse<float, int64_t>);
  sparse(&score_sparse<double, int64_t>);
}

}  // namespace weaklearn::bind
