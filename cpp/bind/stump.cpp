#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "bind.hpp"
#include "weaklearn/stump/plurality.hpp"
#include "weaklearn/stump/stump_search.hpp"
#include "weaklearn/weights/verdict.hpp"

namespace weaklearn::bind {
namespace {

CategoricalTest categorical_test(bool multiway) {
  return multiway ? CategoricalTest::multiway : CategoricalTest::equality;
}
MissingRule missing_rule(bool abstain) {
  return abstain ? MissingRule::abstain : MissingRule::branch;
}

// A stump as Python reads it: answers are -1 and +1, or classes.
struct FoundStump {
  int test = 0;
  int64_t feature = -1;
  double threshold = 0;
  uint32_t category = 0;
  int32_t low = 0, high = 0, missing = 0, majority = 0;
  std::vector<int32_t> by_category;
};

FoundStump search_signed(StumpSearch& self, const Columns& columns, const Weights& weights) {
  expect(weights.size(), columns.n_rows(), "the weights");
  StumpFound f;
  without_gil([&] { f = self.search(weights); });
  return {static_cast<int>(f.test),
          f.feature,
          f.threshold,
          f.category,
          -f.polarity,
          f.polarity,
          f.missing,
          f.majority,
          std::vector<int32_t>(f.by_category.begin(), f.by_category.end())};
}

// A search over classes; a signed one has the classes 0 and 1, and answers -1 and +1.
struct ClassSearch {
  PluralitySearch search;
  bool is_signed;
};

FoundStump search_classes(ClassSearch& self, const Columns& columns, const Weights& weights) {
  expect(weights.size(), columns.n_rows(), "the weights");
  PluralityFound f;
  without_gil([&] { f = self.search.search(weights); });
  FoundStump found{static_cast<int>(f.test),
                   f.feature,
                   f.threshold,
                   f.category,
                   f.low,
                   f.high,
                   f.missing,
                   f.majority,
                   std::vector<int32_t>(f.by_category.begin(), f.by_category.end())};
  if (!self.is_signed) return found;
  const auto sign = [](int32_t c) { return 2 * c - 1; };
  found.low = sign(f.low);
  found.high = sign(f.high);
  found.missing = f.missing < 0 ? 0 : sign(f.missing);
  found.majority = sign(f.majority);
  for (int32_t& answer : found.by_category) answer = sign(answer);
  return found;
}

template <class Label>
std::unique_ptr<Verdict> judge_stump(const Columns& columns, size_t feature, int test,
                                     double threshold, uint32_t category, int32_t low, int32_t high,
                                     int32_t missing,
                                     const std::optional<Vector<int32_t>>& by_category,
                                     const Vector<Label>& labels, int threads) {
  if (feature >= columns.size()) throw nb::index_error("no such column");
  expect(labels.shape(0), columns.n_rows(), "the labels");
  Answers answers{static_cast<Test>(test), threshold, category, low, high, missing, nullptr};
  if (answers.test == Test::multiway) {
    if (!by_category || by_category->shape(0) != columns[feature].n_codes)
      throw std::invalid_argument("a multiway test needs one answer a category");
    answers.by_category = by_category->data();
  }
  auto verdict = std::make_unique<Verdict>(columns.n_rows());
  without_gil([&] {
    if constexpr (sizeof(Label) == 1)
      judge_signed(columns, feature, answers, labels.data(), *verdict, threads);
    else
      judge_classes(columns, feature, answers, labels.data(), *verdict, threads);
  });
  return verdict;
}

}  // namespace

void stump(nb::module_& m) {
  nb::class_<FoundStump>(m, "FoundStump", "The best stump: its test, and what each side answers.")
      .def_ro("test", &FoundStump::test)
      .def_ro("feature", &FoundStump::feature, "-1 where no column holds a known value.")
      .def_ro("threshold", &FoundStump::threshold)
      .def_ro("category", &FoundStump::category)
      .def_ro("low", &FoundStump::low)
      .def_ro("high", &FoundStump::high)
      .def_ro("missing", &FoundStump::missing)
      .def_ro("majority", &FoundStump::majority)
      .def_ro("by_category", &FoundStump::by_category,
              "The answers of a multiway test; else empty.");
  nb::class_<StumpSearch>(m, "StumpSearch", "Exact search for the best stump, two classes.")
      .def(
          "__init__",
          [](StumpSearch* self, const Columns& columns, bool multiway, bool abstain, int threads,
             const Collective* all) {
            for (size_t j = 0; j < columns.size() && all != nullptr; ++j)
              if (columns[j].sparse) throw std::invalid_argument("partitions of sparse columns");
            new (self) StumpSearch(columns, categorical_test(multiway), missing_rule(abstain),
                                   threads, all);
          },
          nb::arg("columns"), nb::arg("multiway"), nb::arg("abstain"), nb::arg("threads"),
          nb::arg("all").none() = nb::none(), nb::keep_alive<1, 2>(), nb::keep_alive<1, 6>())
      .def("search", &search_signed, nb::arg("columns"), nb::arg("weights"));
  nb::class_<ClassSearch>(m, "PluralitySearch", "Exact search for the best stump, many classes.")
      .def(
          "__init__",
          [](ClassSearch* self, const Columns& columns, const Vector<int32_t>& labels,
             size_t n_classes, bool multiway, bool abstain, double least_share, bool is_signed,
             int threads) {
            expect(labels.shape(0), columns.n_rows(), "the labels");
            for (size_t i = 0; i < labels.shape(0); ++i)
              if (labels.data()[i] < 0 || static_cast<size_t>(labels.data()[i]) >= n_classes)
                throw std::invalid_argument("a label is out of range");
            new (self) ClassSearch{
                PluralitySearch(columns, labels.data(), n_classes, categorical_test(multiway),
                                missing_rule(abstain), least_share, is_signed, threads),
                is_signed};
          },
          nb::arg("columns"), nb::arg("labels").noconvert(), nb::arg("n_classes"),
          nb::arg("multiway"), nb::arg("abstain"), nb::arg("least_share"), nb::arg("signed"),
          nb::arg("threads"), nb::keep_alive<1, 2>())
      .def("search", &search_classes, nb::arg("columns"), nb::arg("weights"));
  const auto judge_doc = "The verdict of a stump on the coded rows.";
  nb::borrow<nb::class_<Columns>>(m.attr("Columns"))
      .def("judge", &judge_stump<int8_t>, nb::arg("feature"), nb::arg("test"), nb::arg("threshold"),
           nb::arg("category"), nb::arg("low"), nb::arg("high"), nb::arg("missing"),
           nb::arg("by_category").none(), nb::arg("labels").noconvert(), nb::arg("threads"),
           judge_doc)
      .def("judge", &judge_stump<int32_t>, nb::arg("feature"), nb::arg("test"),
           nb::arg("threshold"), nb::arg("category"), nb::arg("low"), nb::arg("high"),
           nb::arg("missing"), nb::arg("by_category").none(), nb::arg("labels").noconvert(),
           nb::arg("threads"));
}

}  // namespace weaklearn::bind
