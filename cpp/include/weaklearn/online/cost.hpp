// What a score costs, by z = y F, and how hard an example pushes: -dL/dz.
//
// Promise: the same bits everywhere.
#pragma once

#include <cstddef>
#include <cstdint>

#include "weaklearn/hot/loops.hpp"

namespace weaklearn {

enum class Cost : uint8_t { perceptron, hinge, logistic, squared };

// Losses added up in the order of the examples; logarithms are added up as the logarithm of a
// product, taken now and then.
class LossSum {
 public:
  void add(double loss) { sum_ += loss; }
  // Adds ln(factor), a factor of 1 to 2.
  void add_log(double factor) {
    product_ *= factor;
    if (++factors_ == kFactors) flush();
  }
  double total() {
    flush();
    return sum_;
  }

 private:
  static constexpr int kFactors = 512;  // whose product is at most 2^512

  void flush() {
    hot().logarithms(&product_, 1);
    sum_ += product_;
    product_ = 1.0;
    factors_ = 0;
  }

  double sum_ = 0.0, product_ = 1.0;
  int factors_ = 0;
};

// max(0, -z), whose slope at 0 counts as -1: a score of 0 is a mistake.
struct PerceptronCost {
  double push(double z, LossSum& sum) const {
    if (z > 0) return 0.0;
    sum.add(-z);
    return 1.0;
  }
  double value(double z) const { return z < 0 ? -z : 0.0; }
};

// max(0, 1 - z)
struct HingeCost {
  double push(double z, LossSum& sum) const {
    if (z >= 1) return 0.0;
    sum.add(1 - z);
    return 1.0;
  }
  double value(double z) const { return z < 1 ? 1 - z : 0.0; }
};

// (1 - z)^2
struct SquaredCost {
  double push(double z, LossSum& sum) const {
    sum.add((1 - z) * (1 - z));
    return 2 * (1 - z);
  }
  double value(double z) const { return (1 - z) * (1 - z); }
};

// ln(1 + exp(-z))
struct LogisticCost {
  double push(double z, LossSum& sum) const {
    const double e = small(z);
    if (z < 0) sum.add(-z);
    sum.add_log(1 + e);
    return (z >= 0 ? e : 1.0) / (1 + e);
  }
  double value(double z) const {
    double log = 1 + small(z);
    hot().logarithms(&log, 1);
    return (z < 0 ? -z : 0.0) + log;
  }

 private:
  static double small(double z) {  // exp(-|z|)
    double e = z < 0 ? z : -z;
    hot().exponentials(&e, 1);
    return e;
  }
};

// Calls work with the cost named.
template <class Work>
void with_cost(Cost cost, Work&& work) {
  switch (cost) {
    case Cost::perceptron:
      return work(PerceptronCost{});
    case Cost::hinge:
      return work(HingeCost{});
    case Cost::logistic:
      return work(LogisticCost{});
    case Cost::squared:
      return work(SquaredCost{});
  }
}

}  // namespace weaklearn
