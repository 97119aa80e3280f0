#include "weaklearn/gradient/gradient_grower.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "bind.hpp"
#include "weaklearn/gradient/softmax.hpp"
#include "weaklearn/gradient/tables.hpp"
#include "weaklearn/weights/draw.hpp"

namespace weaklearn::bind {
namespace {

using Plane = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Scores = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Lists = std::vector<std::optional<Vector<T>>>;

void check_plane(const Plane& plane, size_t tasks, size_t m, const char* what) {
  expect(plane.shape(0), tasks, what);
  expect(plane.shape(1), m, what);
}

template <class T>
void check_ascending(const Vector<T>& list, size_t below, const char* what) {
  for (size_t k = 0; k < list.shape(0); ++k) {
    const T x = list.data()[k];
    if (x < 0 || static_cast<size_t>(x) >= below || (k > 0 && x <= list.data()[k - 1]))
      throw std::invalid_argument(std::string(what) + " must ascend within range");
  }
}

std::vector<nb::dict> grow(GradientGrower& self, const Plane& g, const std::optional<Plane>& c,
                           bool bounded, const Lists<int64_t>& copies, const Lists<uint32_t>& rows,
                           const Lists<int32_t>& features, double vote, const Scores& scores,
                           const std::optional<Plane>& residuals,
                           const std::vector<double>& quantiles, bool keep, GrownTrees* kept) {
  const size_t m = self.n_rows(), n = g.shape(0);
  check_plane(g, n, m, "g");
  if (c) check_plane(*c, n, m, "c");
  expect(scores.shape(0), n, "scores");
  expect(scores.shape(1), m, "scores");
  if (residuals) check_plane(*residuals, n, m, "residuals");
  expect(copies.size(), n, "copies");
  expect(rows.size(), n, "rows");
  expect(features.size(), n, "features");
  if (residuals) expect(quantiles.size(), n, "quantiles");
  std::vector<GrowTask> tasks(n);
  for (size_t t = 0; t < n; ++t) {
    GrowTask& task = tasks[t];
    task.gradients = {g.data() + t * m, c ? c->data() + t * m : nullptr, nullptr, bounded};
    if (copies[t]) {
      expect(copies[t]->shape(0), m, "copies");
      task.gradients.copies = copies[t]->data();
    }
    if (rows[t]) {
      check_ascending(*rows[t], m, "rows");
      task.rows = rows[t]->data();
      task.n_rows = rows[t]->shape(0);
    }
    if (features[t]) {
      check_ascending(*features[t], self.n_features(), "features");
      task.features = features[t]->data();
      task.n_features = features[t]->shape(0);
    }
    task.vote = vote;
    task.scores = scores.data() + t * m;
    if (residuals) {
      task.residuals = residuals->data() + t * m;
      task.quantile = quantiles[t];
    }
  }
  std::vector<TreeArrays> trees;
  without_gil([&] { trees = self.grow(tasks); });
  std::vector<nb::dict> out;
  if (kept != nullptr) kept->rounds.push_back(std::move(trees));
  if (!keep || kept != nullptr) return out;
  for (const TreeArrays& tree : trees) out.push_back(arrays_of(tree));
  return out;
}

// x <- f(x), element by element, in a fresh array.
template <void (*Hot::*function)(double*, size_t)>
Out<double> each(const Vector<double>& x, int threads) {
  const size_t n = x.shape(0);
  auto out = std::make_unique_for_overwrite<double[]>(n);
  without_gil([&] {
    constexpr size_t chunk = 8192;
    Pool::instance().run((n + chunk - 1) / chunk, threads_for(n * 4, threads), [&](size_t t) {
      const size_t first = t * chunk, size = std::min(chunk, n - first);
      std::copy(x.data() + first, x.data() + first + size, out.get() + first);
      (hot().*function)(out.get() + first, size);
    });
  });
  return give(std::move(out), {n});
}

double logistic(const Vector<int8_t>& y, const Vector<double>& F,
                const std::optional<Vector<double>>& weight,
                const std::optional<Vector<int64_t>>& copies, const Room<double>& g,
                const Room<double>& c, int threads) {
  const size_t n = F.shape(0);
  expect(g.shape(0), n, "room for the gradient");
  expect(c.shape(0), n, "room for the curvature");
  expect(y.shape(0), n, "y");
  if (weight) expect(weight->shape(0), n, "the weights");
  if (copies) expect(copies->shape(0), n, "the copies");
  double loss = 0;
  without_gil([&] {
    constexpr size_t chunk = 8192;
    const size_t n_chunks = (n + chunk - 1) / chunk;
    std::vector<int64_t> losses(n_chunks);
    uint64_t examples = n;
    if (copies) {
      examples = 0;
      for (size_t i = 0; i < n; ++i) examples += static_cast<uint64_t>(copies->data()[i]);
    }
    int exponent = 0;  // no weight is above 2^exponent
    if (weight) std::frexp(largest(weight->data(), n), &exponent);
    // Each loss is at most 2^12: no sum leaves 62 bits, and no loss 50.
    const int bits = std::min(38, 49 - static_cast<int>(std::bit_width(examples))) - exponent;
    const double scale = std::ldexp(1.0, bits);
    Pool::instance().run(n_chunks, threads_for(n * 10, threads), [&](size_t t) {
      const size_t i = t * chunk, size = std::min(chunk, n - i);
      losses[t] = hot().logistic(y.data() + i, F.data() + i, weight ? weight->data() + i : nullptr,
                                 copies ? copies->data() + i : nullptr, size, scale, g.data() + i,
                                 c.data() + i);
    });
    int64_t total = 0;
    for (const int64_t part : losses) total += part;
    loss = static_cast<double>(total) / scale;
  });
  return loss;
}

// The sum of x times copies (null: 1), free of order: to 40 binary digits or so below the largest.
// NaN where one of them is.
double total(const Vector<double>& x, const std::optional<Vector<int64_t>>& copies) {
  const size_t n = x.shape(0);
  if (copies) expect(copies->shape(0), n, "the copies");
  double sum = 0;
  without_gil([&] {
    unsigned unknown = 0;
    for (size_t i = 0; i < n; ++i) unknown |= x.data()[i] != x.data()[i] ? 1u : 0u;
    const double most = unknown ? std::numeric_limits<double>::quiet_NaN() : largest(x.data(), n);
    if (!(most > 0) || !std::isfinite(most)) {
      sum = most;
      return;
    }
    uint64_t examples = n;
    if (copies) {
      examples = 0;
      for (size_t i = 0; i < n; ++i) examples += static_cast<uint64_t>(copies->data()[i]);
    }
    int exponent;
    std::frexp(most, &exponent);
    const int bits = std::min(50, 61 - static_cast<int>(std::bit_width(examples))) - exponent;
    const double scale = std::ldexp(1.0, std::min(bits, 1000));
    int64_t whole = 0;
    for (size_t i = 0; i < n; ++i)
      whole += nearest_whole(x.data()[i] * scale) * (copies ? copies->data()[i] : 1);
    sum = static_cast<double>(whole) / scale;
  });
  return sum;
}

using Before = std::optional<Vector<uint64_t>>;  // copies of the same content before a row; null: 0

// The rows of a bag that each enters with the given chance, by its content and a salt.
Out<uint32_t> draw(const Vector<uint64_t>& content, const Before& before, uint64_t salt,
                   double chance) {
  const size_t n = content.shape(0);
  if (before) expect(before->shape(0), n, "before");
  const Draw draw(salt, chance);
  auto rows = std::make_unique_for_overwrite<uint32_t[]>(n + 1);
  size_t count = 0;
  without_gil([&] {
    for (size_t i = 0; i < n; ++i) {
      rows[count] = static_cast<uint32_t>(i);
      count += draw.takes(content.data()[i], before ? before->data()[i] : 0);
    }
  });
  return give(std::move(rows), {count});
}

// The same for rows of several copies: how many of each row's enter.
Out<int64_t> draw_copies(const Vector<uint64_t>& content, const Before& before,
                         const Vector<int64_t>& copies, uint64_t salt, double chance) {
  const size_t n = content.shape(0);
  if (before) expect(before->shape(0), n, "before");
  expect(copies.shape(0), n, "the copies");
  const Draw draw(salt, chance);
  auto drawn = std::make_unique_for_overwrite<int64_t[]>(n);
  without_gil([&] {
    for (size_t i = 0; i < n; ++i)
      drawn[i] = static_cast<int64_t>(draw.count(content.data()[i], before ? before->data()[i] : 0,
                                                 static_cast<uint64_t>(copies.data()[i])));
  });
  return give(std::move(drawn), {n});
}

nb::tuple softmax(const Vector<int32_t>& y, const Plane& F,
                  const std::optional<Vector<double>>& weight, int threads) {
  const size_t K = F.shape(0), n = F.shape(1);
  expect(y.shape(0), n, "y");
  if (weight) expect(weight->shape(0), n, "the weights");
  for (size_t i = 0; i < n; ++i)
    if (y.data()[i] < 0 || static_cast<size_t>(y.data()[i]) >= K)
      throw std::invalid_argument("a label is out of range");
  auto g = std::make_unique_for_overwrite<double[]>(K * n);
  auto c = std::make_unique_for_overwrite<double[]>(K * n);
  auto loss = std::make_unique_for_overwrite<double[]>(n);
  without_gil([&] {
    softmax_derivatives(y.data(), F.data(), weight ? weight->data() : nullptr, K, n, threads,
                        g.get(), c.get(), loss.get());
  });
  return nb::make_tuple(give(std::move(g), {K, n}), give(std::move(c), {K, n}),
                        give(std::move(loss), {n}));
}

}  // namespace

void gradient_grower(nb::module_& m) {
  nb::class_<GradientGrower>(m, "GradientGrower", "Grows trees that fit gradients.")
      .def(
          "__init__",
          [](GradientGrower* self, const Columns& columns, int32_t max_leaves, int32_t max_depth,
             int64_t min_samples_leaf, double min_curvature, double l2, double level_noise,
             double level_smooth, double min_gain, const std::optional<Vector<int8_t>>& monotone,
             const std::vector<std::vector<int32_t>>& groups, int threads) {
            GrowerLimits limits;
            limits.gain = {min_samples_leaf, min_curvature, l2, level_noise, level_smooth};
            limits.most_leaves = max_leaves;
            limits.most_depth = max_depth;
            limits.least_gain = min_gain;
            std::vector<int8_t> directions;
            if (monotone) {
              expect(monotone->shape(0), columns.size(), "monotone");
              directions.assign(monotone->data(), monotone->data() + columns.size());
            }
            for (const auto& group : groups)
              for (const int32_t feature : group)
                if (feature < 0 || static_cast<size_t>(feature) >= columns.size())
                  throw std::invalid_argument("a group holds a feature that is not there");
            new (self) GradientGrower(columns, limits, std::move(directions), groups, threads);
          },
          nb::arg("columns"), nb::arg("max_leaves"), nb::arg("max_depth"),
          nb::arg("min_samples_leaf"), nb::arg("min_curvature"), nb::arg("l2"),
          nb::arg("level_noise"), nb::arg("level_smooth"), nb::arg("min_gain"),
          nb::arg("monotone").none(), nb::arg("groups"), nb::arg("threads"), nb::keep_alive<1, 2>())
      .def("grow", &grow, nb::arg("g").noconvert(), nb::arg("c").none().noconvert(),
           nb::arg("bounded"), nb::arg("copies"), nb::arg("rows"), nb::arg("features"),
           nb::arg("vote"), nb::arg("scores").noconvert(), nb::arg("residuals").none().noconvert(),
           nb::arg("quantiles"), nb::arg("keep"), nb::arg("kept").none() = nb::none(),
           "Grows one tree for each row of g and moves its scores; they are returned, or kept.");
  m.def("exponentials", &each<&Hot::exponentials>, nb::arg("x"), nb::arg("threads") = 1);
  m.def("logarithms", &each<&Hot::logarithms>, nb::arg("x"), nb::arg("threads") = 1);
  m.def("logistic", &logistic, nb::arg("y").noconvert(), nb::arg("F").noconvert(),
        nb::arg("weight").none(), nb::arg("copies").none(), nb::arg("g").noconvert(),
        nb::arg("c").noconvert(), nb::arg("threads"),
        "Writes gradient and curvature into g and c; returns the total loss.");
  m.def("total", &total, nb::arg("x").noconvert(), nb::arg("copies").none());
  m.def("draw", &draw, nb::arg("content"), nb::arg("before").none(), nb::arg("salt"),
        nb::arg("chance"));
  m.def("draw_copies", &draw_copies, nb::arg("content"), nb::arg("before").none(),
        nb::arg("copies"), nb::arg("salt"), nb::arg("chance"));
  m.def("softmax", &softmax, nb::arg("y").noconvert(), nb::arg("F").noconvert(),
        nb::arg("weight").none(), nb::arg("threads"));
}

}  // namespace weaklearn::bind
