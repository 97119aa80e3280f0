// Derivatives of the logistic losses, of two classes and of many, and of the squared loss; scores
// to be judged by them.
#include "weaklearn/gradient/logistic.hpp"

#include <nanobind/stl/optional.h>

#include <optional>

#include "bind.hpp"
#include "weaklearn/gradient/softmax.hpp"
#include "weaklearn/gradient/squared.hpp"
#include "weaklearn/gradient/unseen.hpp"

namespace weaklearn::bind {
namespace {

using Plane = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using PlaneRoom = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

double derivatives(const Vector<int8_t>& y, const Vector<double>& F,
                   const std::optional<Vector<double>>& weight,
                   const std::optional<Vector<int64_t>>& copies, const Room<double>& g,
                   const Room<double>& c, int threads, const Collective* partitions, bool wanted) {
  const size_t n = F.shape(0);
  expect(g.shape(0), n, "room for the gradient");
  expect(c.shape(0), n, "room for the curvature");
  expect(y.shape(0), n, "y");
  if (weight) expect(weight->shape(0), n, "the weights");
  if (copies) expect(copies->shape(0), n, "the copies");
  const ScoredSigns of{y.data(), F.data(), weight ? weight->data() : nullptr,
                       copies ? copies->data() : nullptr, n};
  double loss = 0;
  without_gil(
      [&] { loss = logistic_derivatives(of, g.data(), c.data(), threads, partitions, wanted); });
  return loss;
}

double squared(const Vector<double>& y, const Vector<double>& F,
               const std::optional<Vector<double>>& weight,
               const std::optional<Vector<int64_t>>& copies, const Room<double>& g, int threads,
               const Collective* partitions) {
  const size_t n = F.shape(0);
  expect(g.shape(0), n, "room for the gradient");
  expect(y.shape(0), n, "y");
  if (weight) expect(weight->shape(0), n, "the weights");
  if (copies) expect(copies->shape(0), n, "the copies");
  const ScoredNumbers of{y.data(), F.data(), weight ? weight->data() : nullptr,
                         copies ? copies->data() : nullptr, n};
  double loss = 0;
  without_gil([&] { loss = squared_derivatives(of, g.data(), threads, partitions); });
  return loss;
}

Out<double> softmax(const Vector<int32_t>& y, const Plane& F,
                    const std::optional<Vector<double>>& weight, const PlaneRoom& g,
                    const PlaneRoom& c, int threads) {
  const size_t K = F.shape(0), n = F.shape(1);
  for (const PlaneRoom* room : {&g, &c}) {
    expect(room->shape(0), K, "room for the derivatives");
    expect(room->shape(1), n, "room for the derivatives");
  }
  expect(y.shape(0), n, "y");
  if (weight) expect(weight->shape(0), n, "the weights");
  unsigned outside = 0;
  for (size_t i = 0; i < n; ++i)
    outside |= static_cast<uint32_t>(y.data()[i]) < static_cast<uint32_t>(K) ? 0u : 1u;
  if (outside) throw std::invalid_argument("a label is out of range");
  auto loss = std::make_unique_for_overwrite<double[]>(n);
  without_gil([&] {
    softmax_derivatives(y.data(), F.data(), weight ? weight->data() : nullptr, K, n, threads,
                        g.data(), c.data(), loss.get());
  });
  return give(std::move(loss), {n});
}

void unseen_scores(const Plane& F, const Listed<Vector<uint32_t>>& rows_of, const PlaneRoom& out,
                   int threads) {
  const auto rows = vector_of<Vector<uint32_t>>(rows_of);
  const size_t m = F.shape(1), models = rows.size();
  if (models == 0 || F.shape(0) % models != 0)
    throw std::invalid_argument("every model has as many scores");
  const size_t n_outputs = F.shape(0) / models;
  std::vector<UnseenRows> unseen;
  size_t width = 0;
  for (const auto& list : rows) {
    unseen.push_back({list.data(), list.shape(0)});
    width += list.shape(0);
  }
  expect(out.shape(0), n_outputs, "room for the scores");
  expect(out.shape(1), width, "room for the scores");
  without_gil([&] { gather_unseen(F.data(), m, n_outputs, unseen, out.data(), threads); });
}

}  // namespace

void logistic(nb::module_& m) {
  m.def("logistic", &derivatives, nb::arg("y").noconvert(), nb::arg("F").noconvert(),
        nb::arg("weight").none(), nb::arg("copies").none(), nb::arg("g").noconvert(),
        nb::arg("c").noconvert(), nb::arg("threads"), nb::arg("partitions").none() = nb::none(),
        nb::arg("wanted") = true,
        "Writes gradient and curvature into g and c; returns the total loss.");
  m.def("squared", &squared, nb::arg("y").noconvert(), nb::arg("F").noconvert(),
        nb::arg("weight").none(), nb::arg("copies").none(), nb::arg("g").noconvert(),
        nb::arg("threads"), nb::arg("partitions").none() = nb::none(),
        "Writes the gradient into g; returns the total loss, NaN where one is not finite.");
  m.def("softmax", &softmax, nb::arg("y").noconvert(), nb::arg("F").noconvert(),
        nb::arg("weight").none(), nb::arg("g").noconvert(), nb::arg("c").noconvert(),
        nb::arg("threads"), "Writes gradient and curvature into g and c; returns the losses.");
  m.def("unseen_scores", &unseen_scores, nb::arg("F").noconvert(), nb::arg("rows"),
        nb::arg("room").noconvert(), nb::arg("threads"),
        "Writes the scores of some rows of every model, models one after another.");
}

}  // namespace weaklearn::bind
