#include "weaklearn/margin/interior_point.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include "bind.hpp"

namespace weaklearn::bind {
namespace {

using SideMatrix = nb::ndarray<const int8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Square = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

constexpr size_t kKept = size_t{1} << 20;  // so many sides are made floats once

constexpr size_t kSmall = size_t{1} << 17;  // products that are made sooner than asked for

// Asks Python for the Gram matrix, where it is one product of matrices, unless it is small.
template <class Held>
struct AskedGram {
  const nb::callable& ask;
  size_t n, t;
  Held sides;

  void operator()(const double* theta, double* out) {
    if (n * t * t <= kSmall) return sides.gram(theta, out);
    nb::gil_scoped_acquire acquire;
    auto copy = std::make_unique_for_overwrite<double[]>(n);
    std::copy(theta, theta + n, copy.get());
    const auto found = nb::cast<Square>(ask(give(std::move(copy), {n})));
    expect(found.shape(0), t, "the Gram matrix");
    expect(found.shape(1), t, "a row of the Gram matrix");
    std::copy(found.data(), found.data() + t * t, out);
  }
};

double search(const SideMatrix& sides, const Vector<double>& share, const Vector<double>& cap,
              double curve, std::optional<double> total, const Room<double>& v,
              const Room<double>& u, std::pair<double, double> b_rho, int steps, int vain,
              std::pair<double, double> close, double way, double slow, const nb::callable& gram) {
  const size_t n = sides.shape(0), t = sides.shape(1);
  if (n == 0 || t == 0) throw std::invalid_argument("there are no sides");
  expect(share.shape(0), n, "share");
  expect(cap.shape(0), n, "cap");
  expect(v.shape(0), 2 * n + t, "v");
  expect(u.shape(0), 2 * n + t, "u");
  double error = 0.0;
  without_gil([&] {
    InteriorPoint point{{v.data(), v.data() + v.shape(0)},
                        {u.data(), u.data() + u.shape(0)},
                        b_rho.first,
                        b_rho.second};
    const InteriorLimits limits{steps, vain, close.first, close.second, way, slow};
    const auto settle = [&](auto held) {
      error = InteriorSearch(held, share.data(), cap.data(), curve, total, limits,
                             AskedGram<decltype(held)>{gram, n, t, held})
                  .search(point);
    };
    if (n * t <= kKept) {
      const std::vector<double> kept(sides.data(), sides.data() + n * t);
      settle(Sides<double>(kept.data(), n, t));
    } else {
      settle(Sides<int8_t>(sides.data(), n, t));
    }
    std::copy(point.v.begin(), point.v.end(), v.data());
    std::copy(point.u.begin(), point.u.end(), u.data());
  });
  return error;
}

}  // namespace

void interior_point(nb::module_& m) {
  m.def("interior_point", &search, nb::arg("sides").noconvert(), nb::arg("share").noconvert(),
        nb::arg("cap").noconvert(), nb::arg("curve"), nb::arg("total").none(),
        nb::arg("v").noconvert(), nb::arg("u").noconvert(), nb::arg("b_rho"), nb::arg("steps"),
        nb::arg("vain"), nb::arg("close"), nb::arg("way"), nb::arg("slow"), nb::arg("gram"),
        "Moves v and u to the best point that an interior-point method finds; what is missing.");
}

}  // namespace weaklearn::bind
