// Derivatives of the squared loss by their formulas, and a total that is that of the losses.
#include <cmath>
#include <cstring>

#include "check.hpp"
#include "weaklearn/gradient/squared.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

void formulas() {
  Random random(1);
  const size_t n = 20000;
  std::vector<double> y(n), F(n), weight(n);
  std::vector<int64_t> copies(n);
  for (size_t i = 0; i < n; ++i) {
    y[i] = random.uniform() * 20 - 10;
    F[i] = random.uniform() * 20 - 10;
    weight[i] = random.uniform() * 3;
    copies[i] = static_cast<int64_t>(random.below(4)) + 1;
  }
  for (const bool weighted : {false, true})
    for (const bool counted : {false, true}) {
      const int64_t* const times = counted ? copies.data() : nullptr;
      const ScoredNumbers of{y.data(), F.data(), weighted ? weight.data() : nullptr, times, n};
      std::vector<double> g(n), again(n), losses(n);
      const double loss = squared_derivatives(of, g.data(), 1);
      CHECK(same_bits(loss, squared_derivatives(of, again.data(), 4)));
      CHECK(g == again);
      for (size_t i = 0; i < n; ++i) {
        const double w = weighted ? weight[i] : 1, r = y[i] - F[i];
        CHECK(g[i] == (F[i] - y[i]) * w);
        losses[i] = r * r / 2 * w;
      }
      CHECK(same_bits(loss, total(losses.data(), times, n)));
    }
}

void special_numbers() {
  const std::vector<double> y{1, 2, 3}, same{1, 2, 3}, far{1, 1e200, 3};
  std::vector<double> g(3);
  CHECK(squared_derivatives({y.data(), same.data(), nullptr, nullptr, 3}, g.data(), 1) == 0);
  CHECK(std::isnan(squared_derivatives({y.data(), far.data(), nullptr, nullptr, 3}, g.data(), 1)));
}

}  // namespace

int main() {
  formulas();
  special_numbers();
}
