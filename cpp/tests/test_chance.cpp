// What levels gain by chance is what they gain when labels are drawn.
#include "check.hpp"
#include "weaklearn/tree/chance.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

struct Level {
  double w, a;
};

// Levels of n examples each, whose labels are of the second class with chance p.
std::vector<Level> draw_levels(Random& random, size_t levels, int n, double p) {
  std::vector<Level> drawn;
  for (size_t k = 0; k < levels; ++k) {
    Level level{static_cast<double>(n), 0};
    for (int i = 0; i < n; ++i) level.a += random.chance(p);
    drawn.push_back(level);
  }
  return drawn;
}

template <Criterion c>
double merit(const Level& l) {
  return l.w > 0 ? pair_merit<c>(l.w, l.a, {}) : 0.0;
}

Level sum_of(const std::vector<Level>& levels) {
  Level sum{0, 0};
  for (const Level& l : levels) sum = {sum.w + l.w, sum.a + l.a};
  return sum;
}

// The mean gain of a level where each has a block of its own.
template <Criterion c>
double gain_of_a_level(Random& random, int n, double p) {
  double gain = 0;
  const size_t levels = 20'000;
  const auto drawn = draw_levels(random, levels, n, p);
  for (const Level& l : drawn) gain += merit<c>(l);
  return (gain - merit<c>(sum_of(drawn))) / static_cast<double>(levels);
}

template <Criterion c>
void scatter_of_a_level(Random& random) {
  for (double p : {0.5, 0.1})
    for (int n : {1, 5, 50, 400}) {
      const double found = gain_of_a_level<c>(random, n, p), told = chance_of_level<c>(p, n);
      CHECK(std::abs(told - found) < (n == 5 ? 0.35 : 0.08) * found);  // few: a series cut short
    }
}

// The gain of the best cut through levels in order of their rates.
double best_gain(std::vector<Level> levels) {
  constexpr Criterion gini = Criterion::gini;
  std::sort(levels.begin(), levels.end(),
            [](const Level& x, const Level& y) { return x.a / x.w < y.a / y.w; });
  const Level all = sum_of(levels);
  Level left{0, 0};
  double best = 0;
  for (const Level& l : levels) {
    left = {left.w + l.w, left.a + l.a};
    const Level right{all.w - left.w, all.a - left.a};
    best = std::max(best, merit<gini>(left) + merit<gini>(right) - merit<gini>(all));
  }
  return best;
}

// A deviation above the mean, less what numbers have: chance passes it now and then, not often.
void a_cut_through_levels() {
  Random random(5);
  for (size_t levels : {12, 40, 150}) {
    int passed = 0;
    double sum = 0;
    const int games = 400;
    const double told = (chance_of_levels(levels, 30) + kNumbersChance) * 0.5;
    for (int game = 0; game < games; ++game) {
      const double gain = best_gain(draw_levels(random, levels, 30, 0.5));
      passed += gain > told;
      sum += gain;
    }
    const double mean = sum / games, deviation = std::sqrt(static_cast<double>(levels)) * 0.5;
    CHECK(mean > told - 1.5 * deviation && mean < told - 0.3 * deviation);
    CHECK(passed > games / 50 && passed < games * 2 / 5);
  }
}

void few_levels_are_free() {
  for (double levels : {1, 2, 3, 4}) CHECK(chance_of_levels(levels, 2) == 0);
  for (double levels = 6; levels < 256; ++levels) {
    CHECK(chance_of_levels(levels, 2) > chance_of_levels(levels - 1, 2));
    CHECK(chance_of_levels(levels, 2) > chance_of_levels(levels, 3));
    CHECK(chance_of_levels(levels, 2) < 2 * levels - 1);  // levels that are pure always gain
  }
}

}  // namespace

int main() {
  Random random(4);
  scatter_of_a_level<Criterion::gini>(random);
  scatter_of_a_level<Criterion::entropy>(random);
  scatter_of_a_level<Criterion::sqrt>(random);
  for (int n : {1, 20, 100}) {  // a kink has no curvature: the right size is enough
    const double found = gain_of_a_level<Criterion::error>(random, n, 0.5);
    const double told = chance_of_level<Criterion::error>(0.5, n);
    CHECK(told > found * 0.98 && told < found * 1.35);
    if (n > 1) CHECK(chance_of_level<Criterion::error>(0.2, n) < 0.1 * told);
  }
  a_cut_through_levels();
  few_levels_are_free();
}
