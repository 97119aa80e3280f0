#include "weaklearn/weights/weights.hpp"

#include <nanobind/stl/optional.h>

#include <cmath>
#include <optional>

#include "bind.hpp"
#include "weaklearn/hot/elementwise.hpp"
#include "weaklearn/weights/draw.hpp"
#include "weaklearn/weights/total.hpp"
#include "weaklearn/weights/verdict.hpp"

namespace weaklearn::bind {
namespace {

void make(Weights* self, size_t n_rows, const std::optional<Vector<double>>& prior,
          const std::optional<Vector<int64_t>>& copies, const std::optional<Vector<int8_t>>& sign,
          const Collective* all) {
  if (n_rows == 0 && all == nullptr) throw std::invalid_argument("no rows");
  if (prior) {
    expect(prior->shape(0), n_rows, "prior");
    double most = 0;
    for (size_t i = 0; i < n_rows; ++i) {
      const double p = prior->data()[i];
      if (!(p >= 0) || std::isinf(p))
        throw std::invalid_argument("weights must be finite and not negative");
      most = p > most ? p : most;
    }
    if (maximum_over(all, most) == 0) throw std::invalid_argument("all weights are zero");
  }
  if (copies) {
    expect(copies->shape(0), n_rows, "copies");
    double sum = 0;
    for (size_t i = 0; i < n_rows; ++i) {
      if (copies->data()[i] < 1) throw std::invalid_argument("copies must be at least 1");
      sum += static_cast<double>(copies->data()[i]);
    }
    if (sum >= 9007199254740992.0) throw std::invalid_argument("copies add up to 2^53 or more");
  }
  if (sign) expect(sign->shape(0), n_rows, "sign");
  without_gil([&] {
    new (self) Weights(n_rows, prior ? prior->data() : nullptr, copies ? copies->data() : nullptr,
                       sign ? sign->data() : nullptr, all);
  });
}

Out<double> shares(const Weights& weights) {
  auto out = std::make_unique<double[]>(weights.size());
  weights.shares(out.get());
  return give(std::move(out), {weights.size()});
}

Out<double> exact_shares(const Weights& weights) {
  auto out = std::make_unique<double[]>(weights.size());
  weights.exact_shares(out.get());
  return give(std::move(out), {weights.size()});
}

void check(const Weights& weights, const Verdict& verdict) {
  expect(verdict.side.size(), weights.size(), "the verdict");
}

template <void (*Hot::*function)(double*, size_t)>
Out<double> each(const Vector<double>& x, int threads) {
  auto out = std::make_unique_for_overwrite<double[]>(x.shape(0));
  without_gil([&] { elementwise<function>(x.data(), x.shape(0), out.get(), threads); });
  return give(std::move(out), {x.shape(0)});
}

double sum_of(const Vector<double>& x, const std::optional<Vector<int64_t>>& copies, int threads) {
  if (copies) expect(copies->shape(0), x.shape(0), "the copies");
  double sum = 0;
  without_gil(
      [&] { sum = total(x.data(), copies ? copies->data() : nullptr, x.shape(0), threads); });
  return sum;
}

// What the sum over all partitions needs to know of one of them.
nb::tuple extent_of(const Vector<double>& x, const std::optional<Vector<int64_t>>& copies,
                    int threads) {
  if (copies) expect(copies->shape(0), x.shape(0), "the copies");
  double most = 0;
  uint64_t examples = 0;
  without_gil([&] {
    most = largest_or_nan(x.data(), x.shape(0), threads);
    examples = count_examples(copies ? copies->data() : nullptr, x.shape(0));
  });
  return nb::make_tuple(most, examples);
}

nb::tuple whole_sum_of(const Vector<double>& x, const std::optional<Vector<int64_t>>& copies,
                       double most, uint64_t examples, int threads) {
  if (copies) expect(copies->shape(0), x.shape(0), "the copies");
  const double scale = whole_scale(most, examples);
  int64_t sum = 0;
  without_gil([&] {
    sum = whole_total(x.data(), copies ? copies->data() : nullptr, x.shape(0), scale, threads);
  });
  return nb::make_tuple(sum, scale);
}

using Before = std::optional<Vector<uint64_t>>;

Contents contents_of(const Vector<uint64_t>& content, const Before& before) {
  if (before) expect(before->shape(0), content.shape(0), "before");
  return {content.data(), before ? before->data() : nullptr, content.shape(0)};
}

using Inside = std::optional<Vector<uint8_t>>;

nb::list drawn_rows(const Vector<uint64_t>& content, const Listed<Before>& befores_of,
                    const Listed<Inside>& insides_of, uint64_t salt, double chance, int threads) {
  const auto befores = vector_of<Before>(befores_of);
  const auto insides = vector_of<Inside>(insides_of);
  expect(insides.size(), befores.size(), "inside");
  std::vector<std::unique_ptr<uint32_t[]>> rows;
  std::vector<DrawnRows> bags;
  for (size_t k = 0; k < befores.size(); ++k) {
    Contents of = contents_of(content, befores[k]);
    if (insides[k]) {
      expect(insides[k]->shape(0), of.n, "inside");
      of.inside = insides[k]->data();
    }
    rows.push_back(std::make_unique_for_overwrite<uint32_t[]>(of.n + 1));
    bags.push_back({of, rows[k].get()});
  }
  without_gil([&] { draw_rows(Draw(salt, chance), bags, threads); });
  nb::list out;
  for (size_t k = 0; k < bags.size(); ++k) out.append(give(std::move(rows[k]), {bags[k].count}));
  return out;
}

Out<int64_t> drawn_copies(const Vector<uint64_t>& content, const Before& before,
                          const Vector<int64_t>& copies, uint64_t salt, double chance,
                          int threads) {
  const Contents of = contents_of(content, before);
  expect(copies.shape(0), of.n, "the copies");
  auto drawn = std::make_unique_for_overwrite<int64_t[]>(of.n);
  without_gil([&] { draw_copies(Draw(salt, chance), of, copies.data(), drawn.get(), threads); });
  return give(std::move(drawn), {of.n});
}

}  // namespace

void weights(nb::module_& m) {
  nb::class_<Verdict>(m, "Verdict", "Right (+1), wrong (-1) or silent (0), a row each.")
      .def("__init__",
           [](Verdict* self, const Vector<int8_t>& side) {
             new (self) Verdict(side.shape(0));
             for (size_t i = 0; i < side.shape(0); ++i) {
               if (side.data()[i] < -1 || side.data()[i] > 1)
                 throw std::invalid_argument("sides are -1, 0 or +1");
               self->side[i] = side.data()[i];
             }
           })
      .def(
          "__array__",
          [](const Verdict& self, const nb::object&, const nb::object&) {
            auto out = std::make_unique<int8_t[]>(self.side.size());
            std::copy(self.side.begin(), self.side.end(), out.get());
            return give(std::move(out), {self.side.size()});
          },
          nb::arg("dtype") = nb::none(), nb::arg("copy") = nb::none())
      .def("__len__", [](const Verdict& self) { return self.side.size(); });
  nb::class_<Weights>(m, "Weights", "A distribution over examples in fixed point.")
      .def("__init__", &make, nb::arg("n_rows"), nb::arg("prior").noconvert().none(),
           nb::arg("copies").noconvert().none(), nb::arg("sign").noconvert().none(),
           nb::arg("all").none() = nb::none(), nb::keep_alive<1, 6>())
      .def(
          "mass",
          [](Weights& self, const Verdict& verdict, int which, int threads) {
            check(self, verdict);
            double share = 0;
            without_gil([&] { share = self.mass(verdict, static_cast<int8_t>(which), threads); });
            return share;
          },
          nb::arg("verdict"), nb::arg("which"), nb::arg("threads") = 1,
          "Share of the weight on that side.")
      .def(
          "reweight",
          [](Weights& self, double alpha, const Verdict& verdict, int threads) {
            check(self, verdict);
            without_gil([&] { self.reweight(alpha, verdict, threads); });
          },
          nb::arg("alpha"), nb::arg("verdict"), nb::arg("threads"),
          "Multiplies each weight by exp(-alpha side).")
      .def(
          "vote_errors",
          [](const Weights& self) {
            const Weights::VoteErrors s = self.vote_errors();
            return nb::make_tuple(s.least_score, s.errors);
          },
          "Smallest y F of the votes so far, and how many copies they get wrong.")
      .def("shares", &shares, "The distribution as an array.")
      .def("exact_shares", &exact_shares, "The distribution in whole numbers of 2^-52 a copy.")
      .def_prop_ro("version", &Weights::version)
      .def("__len__", &Weights::size);
  m.def("total", &sum_of, nb::arg("x").noconvert(), nb::arg("copies").none(), nb::arg("threads"));
  m.def("extent", &extent_of, nb::arg("x").noconvert(), nb::arg("copies").none(),
        nb::arg("threads"), "The largest size of the numbers, and how many examples they are.");
  m.def("whole_total", &whole_sum_of, nb::arg("x").noconvert(), nb::arg("copies").none(),
        nb::arg("most"), nb::arg("examples"), nb::arg("threads"),
        "The sum as a whole number, and by how much that is too large.");
  m.def("exponentials", &each<&Hot::exponentials>, nb::arg("x"), nb::arg("threads") = 1);
  m.def("logarithms", &each<&Hot::logarithms>, nb::arg("x"), nb::arg("threads") = 1);
  m.def("draw", &drawn_rows, nb::arg("content"), nb::arg("before"), nb::arg("inside"),
        nb::arg("salt"), nb::arg("chance"), nb::arg("threads"),
        "The rows drawn for each of several bags.");
  m.def("draw_copies", &drawn_copies, nb::arg("content"), nb::arg("before").none(),
        nb::arg("copies"), nb::arg("salt"), nb::arg("chance"), nb::arg("threads"));
}

}  // namespace weaklearn::bind
