#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bind.hpp"
#include "weaklearn/tree/rule_grower.hpp"

namespace weaklearn::bind {
namespace {

using Ranks = nb::ndarray<const int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// A grower with the arrays it reads.
struct HeldRules {
  Ranks ranks;  // (columns, rows)
  Vector<int64_t> n_values, copies;
  Vector<uint8_t> categorical, missing;
  RuleGrower grower;
  size_t n;

  HeldRules(const Ranks& ranks_, const Vector<int64_t>& n_values_,
            const Vector<uint8_t>& categorical_, const Vector<uint8_t>& missing_,
            const Vector<int64_t>& copies_, double grow, int64_t most_tests, double least_share)
      : ranks(checked(ranks_, n_values_, categorical_, missing_, copies_)),
        n_values(n_values_),
        copies(copies_),
        categorical(categorical_),
        missing(missing_),
        grower({ranks.data(), n_values.data(), categorical.data(), missing.data(), ranks.shape(1),
                ranks.shape(0)},
               grow, most_tests, least_share),
        n(ranks.shape(1)) {}

  static const Ranks& checked(const Ranks& ranks, const Vector<int64_t>& n_values,
                              const Vector<uint8_t>& categorical, const Vector<uint8_t>& missing,
                              const Vector<int64_t>& copies) {
    const size_t d = ranks.shape(0), n = ranks.shape(1);
    if (n == 0) throw std::invalid_argument("there are no rows");
    expect(n_values.shape(0), d, "n_values");
    expect(categorical.shape(0), d, "categorical");
    expect(missing.shape(0), d, "missing");
    expect(copies.shape(0), n, "copies");
    for (size_t j = 0; j < d; ++j)
      for (size_t i = 0; i < n; ++i) {
        const int64_t rank = ranks.data()[j * n + i];
        if (rank < 0 || rank > n_values.data()[j])
          throw std::invalid_argument("a rank is out of range");
      }
    for (size_t i = 0; i < n; ++i)
      if (copies.data()[i] < 1) throw std::invalid_argument("a row has no copies");
    return ranks;
  }
};

std::vector<std::tuple<int, int, int>> rule_of(HeldRules& held, const Vector<double>& weight,
                                               const Vector<int8_t>& z,
                                               const Vector<uint64_t>& keys, double m) {
  expect(weight.shape(0), held.n, "weight");
  expect(z.shape(0), held.n, "z");
  expect(keys.shape(0), held.n, "keys");
  std::vector<std::tuple<int, int, int>> found;
  without_gil([&] {
    for (const RuleTest& test :
         held.grower.rule(weight.data(), z.data(), held.copies.data(), keys.data(), m))
      found.emplace_back(test.feature, static_cast<int>(test.asks), test.value);
  });
  return found;
}

Out<int64_t> drawn(HeldRules& held, const Vector<double>& weight, const Vector<uint64_t>& keys) {
  expect(weight.shape(0), held.n, "weight");
  expect(keys.shape(0), held.n, "keys");
  return array_of(held.grower.drawn_copies(weight.data(), held.copies.data(), keys.data()),
                  {held.n});
}

}  // namespace

void rule(nb::module_& m) {
  nb::class_<HeldRules>(m, "RuleGrower", "Grows rules on one part of the rows, prunes on the rest.")
      .def(nb::init<const Ranks&, const Vector<int64_t>&, const Vector<uint8_t>&,
                    const Vector<uint8_t>&, const Vector<int64_t>&, double, int64_t, double>(),
           nb::arg("ranks").noconvert(), nb::arg("n_values").noconvert(),
           nb::arg("categorical").noconvert(), nb::arg("missing").noconvert(),
           nb::arg("copies").noconvert(), nb::arg("grow"), nb::arg("most_tests"),
           nb::arg("least_share"))
      .def("rule", &rule_of, nb::arg("weight").noconvert(), nb::arg("z").noconvert(),
           nb::arg("keys").noconvert(), nb::arg("m"),
           "The tests of a rule: feature, what is asked, and the number of a value.")
      .def("drawn", &drawn, nb::arg("weight").noconvert(), nb::arg("keys").noconvert(),
           "The number of copies of each row that the rule of these weights grows on.");
}

}  // namespace weaklearn::bind
