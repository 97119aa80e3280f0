#include "weaklearn/online/linear.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <variant>

#include "bind.hpp"
#include "weaklearn/online/circuit.hpp"

namespace weaklearn::bind {
namespace {

// Rows with the arrays they lie in.
struct HeldLines {
  std::variant<DenseLines<double>, DenseLines<float>, SparseLines> lines;
  std::vector<nb::object> arrays;

  size_t size() const {
    return std::visit([](const auto& of) { return of.size(); }, lines);
  }
  size_t width() const {
    return std::visit([](const auto& of) { return of.width(); }, lines);
  }
};

template <class Real>
HeldLines of_matrix(const Matrix<Real>& x, bool constant) {
  if (x.shape(0) > 0 && x.shape(1) > 1 && x.stride(1) != 1)
    throw std::invalid_argument("the numbers of a row must lie side by side");
  if (x.shape(0) > 1 && x.stride(0) < 0) throw std::invalid_argument("rows must lie in order");
  return {DenseLines<Real>(x.data(), x.shape(0), x.shape(1), static_cast<size_t>(x.stride(0)),
                           constant),
          {nb::cast(x)}};
}

HeldLines of_sparse(size_t n_features, const Vector<double>& data, const Vector<int32_t>& features,
                    const Vector<int64_t>& starts, bool constant) {
  if (starts.shape(0) == 0) throw std::invalid_argument("starts has 0 entries, expected one more");
  const size_t n = starts.shape(0) - 1;
  const auto entries = static_cast<int64_t>(std::min(data.shape(0), features.shape(0)));
  for (size_t i = 0; i < n; ++i)
    if (starts.data()[i] < 0 || starts.data()[i + 1] < starts.data()[i] ||
        starts.data()[i + 1] > entries)
      throw std::invalid_argument("starts is out of range");
  for (int64_t e = n > 0 ? starts.data()[0] : 0; e < starts.data()[n]; ++e)
    if (features.data()[e] < 0 || static_cast<size_t>(features.data()[e]) >= n_features)
      throw std::invalid_argument("a feature is out of range");
  return {SparseLines(data.data(), features.data(), starts.data(), n, n_features, constant),
          {nb::cast(data), nb::cast(features), nb::cast(starts)}};
}

// The arguments that both kinds of passes take.
struct Given {
  Lesson lesson;
  Steps steps;
  Told told;

  Given(const HeldLines& lines, size_t outputs, const Vector<int32_t>& y,
        const std::optional<Vector<int64_t>>& order, int64_t seen, bool refuse_zero, double rate,
        bool fading, const std::optional<Vector<double>>& step,
        const std::optional<Room<double>>& scores, const std::optional<Room<uint8_t>>& mistakes,
        const std::optional<Room<double>>& losses) {
    expect(y.shape(0), lines.size(), "y");
    const size_t n = order ? order->shape(0) : lines.size();
    for (size_t i = 0; i < y.shape(0); ++i) {
      const int32_t label = y.data()[i];
      const bool fits = outputs == 1 ? label == 1 || label == -1
                                     : label >= 0 && static_cast<size_t>(label) < outputs;
      if (!fits) throw std::invalid_argument("a label is out of range");
    }
    if (order)
      for (size_t k = 0; k < n; ++k)
        if (order->data()[k] < 0 || static_cast<size_t>(order->data()[k]) >= lines.size())
          throw std::invalid_argument("a row of the order is out of range");
    if (step) expect(step->shape(0), n, "steps");
    if (scores) expect(scores->shape(0), n * outputs, "scores");
    if (mistakes) expect(mistakes->shape(0), n, "mistakes");
    if (losses) expect(losses->shape(0), n, "losses");
    lesson = {n, y.data(), order ? order->data() : nullptr, seen, refuse_zero};
    steps = {rate, fading, step ? step->data() : nullptr};
    told = {scores ? scores->data() : nullptr, mistakes ? mistakes->data() : nullptr,
            losses ? losses->data() : nullptr};
  }
};

// How the pass ended (0: all learnt, 1: a score is no number, 2: a row of zeros) after how many
// examples, mistakes, updates, loss, and the longest run without an update.
nb::tuple facts(const Passed& passed) {
  return nb::make_tuple(static_cast<int>(passed.ending), passed.n, passed.mistakes, passed.updates,
                        passed.loss, passed.run);
}

double* room_of(const std::optional<Room<double>>& room, size_t size, const char* what) {
  if (!room) return nullptr;
  expect(room->shape(0), size, what);
  return room->data();
}

nb::tuple pass(const HeldLines& held, const Vector<int32_t>& y, size_t outputs,
               const Room<double>& w, const std::optional<Room<double>>& drift,
               const std::optional<Room<double>>& kept, uint8_t cost, double rate, bool fading,
               const std::optional<Vector<double>>& step, int64_t seen, bool refuse_zero,
               const std::optional<Vector<int64_t>>& order,
               const std::optional<Room<double>>& scores,
               const std::optional<Room<uint8_t>>& mistakes,
               const std::optional<Room<double>>& losses) {
  const size_t size = outputs * held.width();
  expect(w.shape(0), size, "w");
  const Given given(held, outputs, y, order, seen, refuse_zero, rate, fading, step, scores,
                    mistakes, losses);
  const Halfspaces into{outputs, w.data(), room_of(drift, size, "drift"),
                        room_of(kept, size, "kept")};
  Passed passed;
  without_gil([&] {
    std::visit(
        [&](const auto& lines) {
          passed = linear_pass(lines, given.lesson, into, static_cast<Cost>(cost), given.steps,
                               given.told);
        },
        held.lines);
  });
  return facts(passed);
}

Out<double> scores(const HeldLines& held, size_t outputs, const Vector<double>& w, int threads) {
  expect(w.shape(0), outputs * held.width(), "w");
  auto out = std::make_unique_for_overwrite<double[]>(held.size() * outputs);
  without_gil([&] {
    std::visit(
        [&](const auto& lines) { linear_scores(lines, outputs, w.data(), out.get(), threads); },
        held.lines);
  });
  return give(std::move(out), {held.size(), outputs});
}

std::vector<int64_t> errors(const HeldLines& held, const Vector<int32_t>& y, size_t outputs,
                            const Vector<double>& w, int threads) {
  const size_t size = outputs * held.width();
  if (size == 0 || w.shape(0) % size != 0)
    throw std::invalid_argument("w is no list of whole candidates");
  expect(y.shape(0), held.size(), "y");
  std::vector<int64_t> found;
  without_gil([&] {
    std::visit(
        [&](const auto& lines) {
          found = linear_errors(lines, y.data(), w.shape(0) / size, outputs, w.data(), threads);
        },
        held.lines);
  });
  return found;
}

// The layers of a circuit from its units, first to last; all weights stand in one array.
std::vector<Layer> layers_of(const HeldLines& held, const std::vector<size_t>& units, double* w,
                             size_t n) {
  if (units.empty()) throw std::invalid_argument("a circuit has at least one layer");
  const size_t constant =
      std::visit([](const auto& lines) { return lines.width() - lines.n_features(); }, held.lines);
  std::vector<Layer> layers;
  size_t width = held.width(), at = 0;
  for (const size_t size : units) {
    if (size == 0) throw std::invalid_argument("a layer has at least one unit");
    layers.push_back({size, w + at});
    at += size * width;
    width = size + constant;
  }
  expect(n, at, "w");
  return layers;
}

nb::tuple circuit_pass_on(const HeldLines& held, const Vector<int32_t>& y,
                          const Listed<size_t>& units_of, const Room<double>& w, uint8_t cost,
                          double rate, bool fading, const std::optional<Vector<double>>& step,
                          int64_t seen, const std::optional<Vector<int64_t>>& order,
                          const std::optional<Room<double>>& scores,
                          const std::optional<Room<uint8_t>>& mistakes,
                          const std::optional<Room<double>>& losses) {
  const std::vector<size_t> units = vector_of<size_t>(units_of);
  const std::vector<Layer> layers = layers_of(held, units, w.data(), w.shape(0));
  const Given given(held, units.back(), y, order, seen, false, rate, fading, step, scores, mistakes,
                    losses);
  Passed passed;
  without_gil([&] {
    std::visit(
        [&](const auto& lines) {
          passed = circuit_pass(lines, given.lesson, layers, static_cast<Cost>(cost), given.steps,
                                given.told);
        },
        held.lines);
  });
  return facts(passed);
}

Out<double> circuit_scores_of(const HeldLines& held, const Listed<size_t>& units_of,
                              const Vector<double>& w, int threads) {
  const std::vector<size_t> units = vector_of<size_t>(units_of);
  // The weights are only read here.
  const auto layers = layers_of(held, units, const_cast<double*>(w.data()), w.shape(0));
  auto out = std::make_unique_for_overwrite<double[]>(held.size() * units.back());
  without_gil([&] {
    std::visit([&](const auto& lines) { circuit_scores(lines, layers, out.get(), threads); },
               held.lines);
  });
  return give(std::move(out), {held.size(), units.back()});
}

}  // namespace

void linear(nb::module_& m) {
  nb::class_<HeldLines>(m, "Lines", "Rows to be learnt from one at a time.")
      .def_static("matrix", &of_matrix<float>, nb::arg("x").noconvert(), nb::arg("constant"))
      .def_static("matrix", &of_matrix<double>, nb::arg("x").noconvert(), nb::arg("constant"))
      .def_static("sparse", &of_sparse, nb::arg("n_features"), nb::arg("data").noconvert(),
                  nb::arg("features").noconvert(), nb::arg("starts").noconvert(),
                  nb::arg("constant"))
      .def("__len__", &HeldLines::size)
      .def_prop_ro("width", &HeldLines::width);
  m.def("linear_pass", &pass, nb::arg("lines"), nb::arg("y").noconvert(), nb::arg("outputs"),
        nb::arg("w").noconvert(), nb::arg("drift").noconvert().none(),
        nb::arg("kept").noconvert().none(), nb::arg("cost"), nb::arg("rate"), nb::arg("fading"),
        nb::arg("steps").noconvert().none(), nb::arg("seen"), nb::arg("refuse_zero"),
        nb::arg("order").noconvert().none() = nb::none(),
        nb::arg("scores").noconvert().none() = nb::none(),
        nb::arg("mistakes").noconvert().none() = nb::none(),
        nb::arg("losses").noconvert().none() = nb::none(),
        "One pass of online learning with linear scores; w changes in place.");
  m.def("linear_scores", &scores, nb::arg("lines"), nb::arg("outputs"), nb::arg("w").noconvert(),
        nb::arg("threads"), "The products of every row with the weights of every output.");
  m.def("linear_errors", &errors, nb::arg("lines"), nb::arg("y").noconvert(), nb::arg("outputs"),
        nb::arg("w").noconvert(), nb::arg("threads"),
        "How many rows each of several candidates labels wrongly.");
  m.def("circuit_pass", &circuit_pass_on, nb::arg("lines"), nb::arg("y").noconvert(),
        nb::arg("units"), nb::arg("w").noconvert(), nb::arg("cost"), nb::arg("rate"),
        nb::arg("fading"), nb::arg("steps").noconvert().none(), nb::arg("seen"),
        nb::arg("order").noconvert().none() = nb::none(),
        nb::arg("scores").noconvert().none() = nb::none(),
        nb::arg("mistakes").noconvert().none() = nb::none(),
        nb::arg("losses").noconvert().none() = nb::none(),
        "One pass of back-propagation through a circuit of soft gates; w changes in place.");
  m.def("circuit_scores", &circuit_scores_of, nb::arg("lines"), nb::arg("units"),
        nb::arg("w").noconvert(), nb::arg("threads"), "The scores of a circuit, row by row.");
}

}  // namespace weaklearn::bind
