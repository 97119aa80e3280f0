#include "check.hpp"
#include "weaklearn/online/circuit.hpp"

using namespace weaklearn;
using weaklearn::testing::Random;

namespace {

constexpr size_t kRows = 40, kFeatures = 5;

std::vector<double> drawn(size_t n, uint64_t seed) {
  Random random(seed);
  std::vector<double> x;
  for (size_t i = 0; i < n; ++i) x.push_back(random.uniform() - 0.5);
  return x;
}

// Weights of layers 5 -> 4 -> 3 -> outputs, one behind the other.
struct Weights {
  std::vector<double> w;
  std::vector<Layer> layers;

  Weights(size_t outputs, bool constant)
      : w(drawn(4 * (5 + constant) + 3 * (4 + constant) + outputs * (3 + constant), 9)) {
    layers = {{4, w.data()},
              {3, w.data() + 4 * (5 + constant)},
              {outputs, w.data() + 4 * (5 + constant) + 3 * (4 + constant)}};
  }
};

double total_cost(const DenseLines<double>& lines, const std::vector<Layer>& layers, int32_t y,
                  const auto& cost) {
  Circuit<DenseLines<double>> circuit(lines, layers);
  circuit.forward(0);
  double loss = 0.0;
  for (size_t o = 0; o < circuit.outputs(); ++o)
    loss += cost.value(target(o, circuit.outputs(), y) * circuit.scores()[o]);
  return loss;
}

// What a step changes is the slope of the cost, as differences tell it.
void steps_follow_the_slope() {
  const std::vector<double> x = drawn(kFeatures, 4);
  for (bool constant : {false, true})
    for (size_t outputs : {1u, 3u})
      for (Cost cost : {Cost::hinge, Cost::logistic, Cost::squared}) {
        const DenseLines<double> lines(x.data(), 1, kFeatures, kFeatures, constant);
        const int32_t y = outputs == 1 ? -1 : 2;
        Weights before(outputs, constant), after(outputs, constant), moved(outputs, constant);
        circuit_pass(lines, {1, &y, nullptr, 0, false}, after.layers, cost, {1e-3, false, nullptr},
                     {});
        for (size_t k = 0; k < before.w.size(); ++k) {
          double low = 0.0, high = 0.0;
          with_cost(cost, [&](const auto& of) {
            moved.w[k] = before.w[k] - 1e-5;
            low = total_cost(lines, moved.layers, y, of);
            moved.w[k] = before.w[k] + 1e-5;
            high = total_cost(lines, moved.layers, y, of);
          });
          moved.w[k] = before.w[k];
          const double slope = (high - low) / 2e-5;
          CHECK(std::abs((before.w[k] - after.w[k]) / 1e-3 - slope) < 1e-6 * (1 + std::abs(slope)));
        }
      }
}

// One layer alone is a linear score.
void one_layer_is_linear() {
  const std::vector<double> x = drawn(kRows * kFeatures, 5);
  std::vector<int32_t> y;
  for (size_t i = 0; i < kRows; ++i) y.push_back(x[i * kFeatures] > 0.1 ? 1 : -1);
  for (bool constant : {false, true}) {
    const DenseLines<double> lines(x.data(), kRows, kFeatures, kFeatures, constant);
    std::vector<double> a(lines.width()), b(lines.width()), scores(kRows), said(kRows);
    const Lesson lesson{kRows, y.data(), nullptr, 3, false};
    const Steps steps{0.7, true, nullptr};
    linear_pass(lines, lesson, {1, a.data()}, Cost::hinge, steps, {scores.data()});
    circuit_pass(lines, lesson, {{1, b.data()}}, Cost::hinge, steps, {said.data()});
    CHECK(a == b && scores == said);
    circuit_scores(lines, {{1, b.data()}}, said.data(), 2);
    linear_scores(lines, 1, a.data(), scores.data(), 2);
    CHECK(scores == said);
  }
}

}  // namespace

int main() {
  steps_follow_the_slope();
  one_layer_is_linear();
}
