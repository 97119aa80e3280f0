// What categories gain by chance is what they gain when labels are drawn.
#include "check.hpp"
#include "weaklearn/tree/chance.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

struct Category {
  double w, a;
};

// Categories of n examples each, whose labels are of the second class with chance p.
std::vector<Category> draw_categories(Random& random, size_t categories, int n, double p) {
  std::vector<Category> drawn;
  for (size_t k = 0; k < categories; ++k) {
    Category category{static_cast<double>(n), 0};
    for (int i = 0; i < n; ++i) category.a += random.chance(p);
    drawn.push_back(category);
  }
  return drawn;
}

template <Criterion c>
double merit(const Category& l) {
  return l.w > 0 ? pair_merit<c>(l.w, l.a, {}) : 0.0;
}

Category sum_of(const std::vector<Category>& categories) {
  Category sum{0, 0};
  for (const Category& l : categories) sum = {sum.w + l.w, sum.a + l.a};
  return sum;
}

// The mean gain of a category where each has a block of its own.
template <Criterion c>
double gain_of_a_category(Random& random, int n, double p) {
  double gain = 0;
  const size_t categories = 20'000;
  const auto drawn = draw_categories(random, categories, n, p);
  for (const Category& l : drawn) gain += merit<c>(l);
  return (gain - merit<c>(sum_of(drawn))) / static_cast<double>(categories);
}

template <Criterion c>
void scatter_of_a_category(Random& random) {
  for (double p : {0.5, 0.1})
    for (int n : {1, 5, 50, 400}) {
      const double found = gain_of_a_category<c>(random, n, p), told = chance_of_category<c>(p, n);
      CHECK(std::abs(told - found) < (n == 5 ? 0.35 : 0.08) * found);  // few: a series cut short
    }
}

// The gain of the best cut through categories in order of their rates.
double best_gain(std::vector<Category> categories) {
  constexpr Criterion gini = Criterion::gini;
  std::sort(categories.begin(), categories.end(),
            [](const Category& x, const Category& y) { return x.a / x.w < y.a / y.w; });
  const Category all = sum_of(categories);
  Category left{0, 0};
  double best = 0;
  for (const Category& l : categories) {
    left = {left.w + l.w, left.a + l.a};
    const Category right{all.w - left.w, all.a - left.a};
    best = std::max(best, merit<gini>(left) + merit<gini>(right) - merit<gini>(all));
  }
  return best;
}

// A deviation above the mean, less what numbers have: chance passes it now and then, not often.
void a_cut_through_categories() {
  Random random(5);
  for (size_t categories : {12, 40, 150}) {
    int passed = 0;
    double sum = 0;
    const int trials = 400;
    const double told = (chance_of_categories(categories, 30) + kNumbersChance) * 0.5;
    for (int trial = 0; trial < trials; ++trial) {
      const double gain = best_gain(draw_categories(random, categories, 30, 0.5));
      passed += gain > told;
      sum += gain;
    }
    const double mean = sum / trials, deviation = std::sqrt(static_cast<double>(categories)) * 0.5;
    CHECK(mean > told - 1.5 * deviation && mean < told - 0.3 * deviation);
    CHECK(passed > trials / 50 && passed < trials * 2 / 5);
  }
}

void few_categories_are_free() {
  for (double categories : {1, 2, 3, 4}) CHECK(chance_of_categories(categories, 2) == 0);
  for (double categories = 6; categories < 256; ++categories) {
    CHECK(chance_of_categories(categories, 2) > chance_of_categories(categories - 1, 2));
    CHECK(chance_of_categories(categories, 2) > chance_of_categories(categories, 3));
    CHECK(chance_of_categories(categories, 2) <
          2 * categories - 1);  // categories that are pure always gain
  }
}

}  // namespace

int main() {
  Random random(4);
  scatter_of_a_category<Criterion::gini>(random);
  scatter_of_a_category<Criterion::entropy>(random);
  scatter_of_a_category<Criterion::sqrt>(random);
  for (int n : {1, 20, 100}) {  // a kink has no curvature: the right size is enough
    const double found = gain_of_a_category<Criterion::error>(random, n, 0.5);
    const double told = chance_of_category<Criterion::error>(0.5, n);
    CHECK(told > found * 0.98 && told < found * 1.35);
    if (n > 1) CHECK(chance_of_category<Criterion::error>(0.2, n) < 0.1 * told);
  }
  a_cut_through_categories();
  few_categories_are_free();
}
