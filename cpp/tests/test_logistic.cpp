// Derivatives of the logistic loss by their formulas, and a total that no order changes.
#include <cmath>
#include <cstring>
#include <numeric>

#include "check.hpp"
#include "weaklearn/gradient/logistic.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

struct Rows {
  std::vector<int8_t> y;
  std::vector<double> F, weight;
  std::vector<int64_t> copies;

  ScoredSigns view(bool weighted, bool counted) const {
    return {y.data(), F.data(), weighted ? weight.data() : nullptr,
            counted ? copies.data() : nullptr, F.size()};
  }
  Rows in_order(const std::vector<size_t>& order) const {
    Rows rows;
    for (const size_t i : order) {
      rows.y.push_back(y[i]);
      rows.F.push_back(F[i]);
      rows.weight.push_back(weight[i]);
      rows.copies.push_back(copies[i]);
    }
    return rows;
  }
};

Rows draw_rows(Random& random, size_t n) {
  Rows rows;
  for (size_t i = 0; i < n; ++i) {
    rows.y.push_back(random.sign());
    rows.F.push_back(random.uniform() * 20 - 10);
    rows.weight.push_back(random.uniform() * 3);
    rows.copies.push_back(static_cast<int64_t>(random.below(4)) + 1);
  }
  return rows;
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

void formulas() {
  Random random(1);
  const Rows rows = draw_rows(random, 20000);
  const size_t n = rows.F.size();
  for (const bool weighted : {false, true})
    for (const bool counted : {false, true}) {
      std::vector<double> g(n), c(n), g2(n), c2(n);
      const ScoredSigns of = rows.view(weighted, counted);
      const double loss = logistic_derivatives(of, g.data(), c.data(), 1);
      CHECK(same_bits(loss, logistic_derivatives(of, g2.data(), c2.data(), 4)));
      CHECK(g == g2 && c == c2);
      long double sum = 0;
      for (size_t i = 0; i < n; ++i) {
        const double y = rows.y[i], w = weighted ? rows.weight[i] : 1;
        const double p = 1 / (1 + std::exp(y * rows.F[i]));
        CHECK(std::abs(g[i] + w * y * p) <= 1e-12);
        CHECK(std::abs(c[i] - w * p * (1 - p)) <= 1e-12);
        sum += w * std::log1p(std::exp(-y * rows.F[i])) *
               static_cast<double>(counted ? rows.copies[i] : 1);
      }
      CHECK(std::abs(loss - static_cast<double>(sum)) <= 1e-6 * static_cast<double>(sum));
    }
}

void order_and_copies() {
  Random random(2);
  const Rows rows = draw_rows(random, 10000);
  std::vector<size_t> order(rows.F.size()), spread;
  std::iota(order.begin(), order.end(), size_t{0});
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  for (size_t i = 0; i < rows.F.size(); ++i)
    spread.insert(spread.end(), static_cast<size_t>(rows.copies[i]), i);
  const auto loss_of = [](const Rows& some, bool counted) {
    std::vector<double> g(some.F.size()), c(some.F.size());
    return logistic_derivatives(some.view(true, counted), g.data(), c.data(), 2);
  };
  CHECK(same_bits(loss_of(rows, true), loss_of(rows.in_order(order), true)));
  CHECK(same_bits(loss_of(rows, true), loss_of(rows.in_order(spread), false)));
}

}  // namespace

int main() {
  formulas();
  order_and_copies();
}
