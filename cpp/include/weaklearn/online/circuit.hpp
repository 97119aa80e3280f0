// A layered circuit of soft gates a(v) = 1/(1 + exp(-v)), learnt one example at a time by
// back-propagation; the last layer gives its v as they are, one score an output.
//
// Promise: the same bits everywhere; without a hidden layer it is a linear score. O(weights) a row.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "weaklearn/online/linear.hpp"

namespace weaklearn {

// The weights of one layer: a row for each of its units, one for every input; where the lines have
// a constant feature, so has every layer, at the end of a row.
struct Layer {
  size_t units = 0;
  double* w = nullptr;
};

// What the units of a circuit say of one row, and by how much each should say more.
template <class Lines>
class Circuit {
 public:
  Circuit(const Lines& lines, std::vector<Layer> layers)
      : lines_(lines),
        layers_(std::move(layers)),
        constant_(lines.width() > lines.n_features()),
        said_(layers_.size()),
        more_(layers_.size()) {
    for (size_t l = 0; l < layers_.size(); ++l) {
      said_[l].resize(layers_[l].units);
      more_[l].resize(layers_[l].units);
    }
  }

  size_t outputs() const { return layers_.back().units; }
  const double* scores() const { return said_.back().data(); }
  double* pushes() { return more_.back().data(); }

  void forward(size_t i) {
    for (size_t l = 0; l < layers_.size(); ++l) {
      std::vector<double>& v = said_[l];
      const size_t n = inputs(l), width = n + constant_;
      for (size_t u = 0; u < v.size(); ++u) {
        const double* w = layers_[l].w + u * width;
        v[u] = l == 0 ? lines_.times(i, w)
                      : product(said_[l - 1].data(), w, n, constant_ ? w + n : nullptr);
      }
      if (l + 1 < layers_.size()) soften(v);
    }
  }

  // From the pushes at the outputs to those at all units: sums over the layer above, times the
  // slope a (1 - a) of a gate.
  void backward() {
    for (size_t l = layers_.size() - 1; l > 0; --l) {
      const size_t width = inputs(l) + constant_;
      for (size_t u = 0; u < more_[l - 1].size(); ++u) {
        double sum = 0.0;
        for (size_t o = 0; o < more_[l].size(); ++o)
          sum += more_[l][o] * layers_[l].w[o * width + u];
        const double a = said_[l - 1][u];
        more_[l - 1][u] = sum * (a * (1 - a));
      }
    }
  }

  // Every weight moves by step times its part in the pushes.
  void step(size_t i, double step) {
    for (size_t l = 0; l < layers_.size(); ++l) {
      const size_t n = inputs(l), width = n + constant_;
      for (size_t u = 0; u < more_[l].size(); ++u) {
        const double c = step * more_[l][u];
        if (c == 0.0) continue;
        double* w = layers_[l].w + u * width;
        if (l == 0) {
          lines_.add(i, c, w);
          continue;
        }
        for (size_t j = 0; j < n; ++j) w[j] += c * said_[l - 1][j];
        if (constant_) w[n] += c;
      }
    }
  }

 private:
  size_t inputs(size_t l) const { return l == 0 ? lines_.n_features() : layers_[l - 1].units; }

  void soften(std::vector<double>& v) {
    room_.resize(v.size());
    for (size_t u = 0; u < v.size(); ++u) room_[u] = v[u] < 0 ? v[u] : -v[u];
    hot().exponentials(room_.data(), room_.size());
    for (size_t u = 0; u < v.size(); ++u) v[u] = (v[u] >= 0 ? 1.0 : room_[u]) / (1 + room_[u]);
  }

  const Lines& lines_;
  std::vector<Layer> layers_;
  bool constant_;
  std::vector<std::vector<double>> said_, more_;
  std::vector<double> room_;
};

template <class Lines, class CostOf>
Passed circuit_pass_of(const Lines& lines, const Lesson& lesson, const std::vector<Layer>& layers,
                       const CostOf& cost, const Steps& steps, const Told& told) {
  Circuit<Lines> circuit(lines, layers);
  const size_t outputs = circuit.outputs();
  LossSum loss;
  Passed passed;
  for (size_t k = 0; k < lesson.n; ++k) {
    if (k % 64 == 0) Pool::check_interrupt();
    const size_t i = lesson.row(k);
    const int32_t y = lesson.y[i];
    passed.n = k;
    circuit.forward(i);
    bool pushed = false;
    for (size_t o = 0; o < outputs; ++o) {
      const double score = circuit.scores()[o], sign = target(o, outputs, y);
      if (!std::isfinite(score)) {
        passed.ending = Ending::unsound;
        return passed;
      }
      const double push = cost.push(sign * score, loss);
      circuit.pushes()[o] = push * sign;
      pushed |= push != 0.0;
    }
    told.note(k, circuit.scores(), outputs, y, cost);
    passed.mistakes += is_mistake(circuit.scores(), outputs, y);
    if (!pushed) continue;
    ++passed.updates;
    circuit.backward();
    circuit.step(i, steps.at(k, lesson.seen + static_cast<int64_t>(k) + 1));
  }
  passed.n = lesson.n;
  passed.loss = loss.total();
  return passed;
}

// One pass over the lesson; the weights change in place.
template <class Lines>
Passed circuit_pass(const Lines& lines, const Lesson& lesson, const std::vector<Layer>& layers,
                    Cost cost, const Steps& steps, const Told& told) {
  Passed passed;
  Pool::instance().run(1, 1, [&](size_t) {
    with_cost(cost, [&](const auto& of) {
      passed = circuit_pass_of(lines, lesson, layers, of, steps, told);
    });
  });
  return passed;
}

// out[i, o] <- the o-th score of row i
template <class Lines>
void circuit_scores(const Lines& lines, const std::vector<Layer>& layers, double* out,
                    int threads) {
  const size_t n = lines.size(), outputs = layers.back().units;
  size_t size = 0;
  for (const Layer& layer : layers) size += layer.units * lines.width();
  Pool::instance().run(
      (n + kRowsATask - 1) / kRowsATask, threads_for(n * size, threads), [&](size_t task) {
        Circuit<Lines> circuit(lines, layers);
        const size_t last = std::min(n, (task + 1) * kRowsATask);
        for (size_t i = task * kRowsATask; i < last; ++i) {
          if (i % 64 == 0) Pool::check_interrupt();
          circuit.forward(i);
          std::copy(circuit.scores(), circuit.scores() + outputs, out + i * outputs);
        }
      });
}

}  // namespace weaklearn
