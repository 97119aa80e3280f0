// The interior-point method finds the value of small games, a factor solves, and sums are exact.
#include "check.hpp"
#include "weaklearn/margin/interior_point.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

constexpr InteriorLimits kLimits{100, 40, 1e-9, 1e-14, 0.999, 0.1};

bool near(double a, double b, double by) { return std::fabs(a - b) <= by; }

// Sides of n patterns by t hypotheses; D and the votes that settle their game.
struct Game {
  size_t n, t;
  std::vector<double> sides, share, cap;

  Game(size_t patterns, size_t hypotheses, std::vector<double> side, double nu)
      : n(patterns), t(hypotheses), sides(std::move(side)), share(n, 1.0 / static_cast<double>(n)) {
    for (const double one : share) cap.push_back(one / nu);
  }

  void gram(const double* theta, double* out) const {
    for (size_t a = 0; a < t; ++a)
      for (size_t b = 0; b < t; ++b) {
        out[a * t + b] = 0;
        for (size_t i = 0; i < n; ++i)
          out[a * t + b] += theta[i] * sides[i * t + a] * sides[i * t + b];
      }
  }

  template <class Side>
  InteriorPoint settled(double curve, std::optional<double> total) const {
    const std::vector<Side> held(sides.begin(), sides.end());
    Sides<Side> all(held.data(), n, t);
    std::vector<double> r(t);
    all.correlations(share.data(), r.data());
    InteriorPoint p;
    p.b = *std::max_element(r.begin(), r.end()) + 0.5;
    p.v = share;
    for (size_t i = 0; i < n; ++i) p.v.push_back(cap[i] - share[i]);
    for (const double one : r) p.v.push_back(p.b - one);
    p.u.assign(2 * n, 0.5);
    p.u.resize(2 * n + t, (total ? *total : 1.0) / static_cast<double>(t));
    const auto ask = [this](const double* theta, double* out) { gram(theta, out); };
    const double error =
        InteriorSearch(all, share.data(), cap.data(), curve, total, kLimits, ask).search(p);
    CHECK(error < 1e-6);
    return p;
  }
};

void games_have_their_values() {
  // Three hypotheses, each wrong on one of three patterns: all alike, and a margin of 1/3.
  const Game game(3, 3, {-1, 1, 1, 1, -1, 1, 1, 1, -1}, 1.0 / 3);
  const InteriorPoint p = game.settled<double>(0.0, 1.0);
  for (size_t i = 0; i < 3; ++i) {
    CHECK(near(p.v[i], 1.0 / 3, 1e-7));
    CHECK(near(p.u[6 + i], 1.0 / 3, 1e-7));
  }
  // One hypothesis, wrong on one of four patterns: D moves there, up to the cap.
  const InteriorPoint one = Game(4, 1, {-1, 1, 1, 1}, 0.5).settled<double>(0.0, 1.0);
  CHECK(near(one.v[0], 0.5, 1e-7));
}

void sides_of_bytes_give_the_same_bits() {
  Random random(5);
  for (int k = 0; k < 20; ++k) {
    const size_t n = 2 + random.below(20), t = 1 + random.below(9);
    std::vector<double> sides(n * t);
    for (double& side : sides) side = random.sign();
    const Game game(n, t, sides, 0.3);
    const InteriorPoint a = game.settled<double>(1.0, 20.0), b = game.settled<int8_t>(1.0, 20.0);
    CHECK(a.v == b.v);
    CHECK(a.u == b.u);
  }
}

void a_factor_solves() {
  Random random(2);
  const size_t t = 12;
  std::vector<double> A(t * t), M(t * t, 0.0), x(t, 1.0), b(t, 0.0);
  for (double& a : A) a = 2 * random.uniform() - 1;
  for (size_t i = 0; i < t; ++i)
    for (size_t j = 0; j < t; ++j) {
      for (size_t k = 0; k < t; ++k) M[i * t + j] += A[i * t + k] * A[j * t + k];
      M[i * t + j] += i == j;
    }
  for (size_t i = 0; i < t; ++i)
    for (size_t j = 0; j < t; ++j) b[i] += M[i * t + j] * x[j];
  const UpdatedCholesky factor(M.data(), t);
  factor.solve(b.data());
  for (size_t i = 0; i < t; ++i) CHECK(near(b[i], 1.0, 1e-9));
}

void sums_of_rounded_numbers_are_exact() {
  Random random(9);
  std::vector<double> x(1000), exact(1000);
  for (double& one : x) one = random.uniform() - 0.5;
  fixed_point(x.data(), x.size(), exact.data());
  double up = 0, down = 0;
  for (size_t i = 0; i < 1000; ++i) up += exact[i], down += exact[999 - i];
  CHECK(up == down);
  CHECK(up == array_sum(exact.data(), 1000));
  for (size_t i = 0; i < 1000; ++i) CHECK(near(exact[i], x[i], 1e-12));
}

void the_exponential_less_one_is_near() {
  for (const double x : {-700.0, -1.0, -0.5, -1e-9, 0.0, 1e-12, 0.3, 0.5, 2.0, 600.0})
    CHECK(std::fabs(exp_minus_one(x) - std::expm1(x)) <= 1e-14 * std::fabs(std::expm1(x)));
}

}  // namespace

int main() {
  games_have_their_values();
  sides_of_bytes_give_the_same_bits();
  a_factor_solves();
  sums_of_rounded_numbers_are_exact();
  the_exponential_less_one_is_near();
}
