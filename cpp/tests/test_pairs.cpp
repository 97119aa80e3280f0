// Crosses are found where they are, and nothing else moves a statistic.
#include "mixed.hpp"
#include "weaklearn/gradient/pairs.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

struct Ranked {
  std::vector<double> statistic, gain;
};

Ranked rank(const Columns& columns, const std::vector<double>& g, const std::vector<double>& c,
            const int64_t* copies, int threads) {
  std::vector<int32_t> features;
  for (size_t j = 0; j < columns.size(); ++j) features.push_back(static_cast<int32_t>(j));
  Ranked found;
  PairSearch(columns, features, 1.0, threads)
      .add({g.data(), c.empty() ? nullptr : c.data(), copies, false}, found.statistic, found.gain);
  return found;
}

size_t greatest(const std::vector<double>& x) {
  return static_cast<size_t>(std::max_element(x.begin(), x.end()) - x.begin());
}

// Slopes that depend on the signs of columns 1 and 2 together, and on column 0 alone.
void the_cross_is_found() {
  Random random(1);
  const size_t m = 4000;
  std::vector<std::vector<double>> x;
  for (int j = 0; j < 4; ++j) x.push_back(draw_column(random, Kind::many, m, 0.05));
  std::vector<double> g(m), c(m);
  for (size_t i = 0; i < m; ++i) {
    const bool together = (x[1][i] > 0) == (x[2][i] > 0);
    g[i] = (together ? 0.3 : -0.3) + (x[0][i] > 0 ? 0.5 : -0.5) + random.uniform() - 0.5;
    c[i] = 0.2 + 0.05 * random.uniform();
  }
  const Columns columns = code_dense(x);
  const Ranked found = rank(columns, g, c, nullptr, 1);
  CHECK(found.statistic.size() == 6);  // 01 02 03 12 13 23
  CHECK(greatest(found.statistic) == 3 && greatest(found.gain) == 3);
  for (size_t k = 0; k < 6; ++k)
    if (k != 3) CHECK(found.statistic[k] * 5 < found.statistic[3]);
}

// Threads, the order of rows and copies in place of rows change no bit.
void bits() {
  Random random(2);
  const size_t m = 700;
  for (const bool constant : {false, true}) {
    const Mixed mixed = draw_mixed(random, m, 0.1);
    std::vector<double> g(m), c(constant ? 0 : m);
    for (double& value : g) value = random.uniform() - 0.5;
    for (double& value : c) value = 0.1 + random.uniform();
    const Ranked once = rank(mixed.columns, g, c, nullptr, 1);
    const Ranked twice = rank(mixed.columns, g, c, nullptr, 4);
    CHECK(once.statistic == twice.statistic && once.gain == twice.gain);
    for (const double value : once.statistic) CHECK(std::isfinite(value) && value >= 0);

    std::vector<std::vector<double>> few(3), many(3);
    std::vector<double> few_g, few_c, many_g, many_c;
    std::vector<int64_t> copies;
    for (size_t i = 0; i < 200; ++i) {
      copies.push_back(static_cast<int64_t>(1 + random.below(3)));
      const double slope = random.uniform() - 0.5, curvature = 0.1 + random.uniform();
      few_g.push_back(slope), few_c.push_back(curvature);
      for (size_t j = 0; j < 3; ++j) few[j].push_back(draw(random, Kind::few));
      for (int64_t k = 0; k < copies.back(); ++k) {
        many_g.push_back(slope), many_c.push_back(curvature);
        for (size_t j = 0; j < 3; ++j) many[j].push_back(few[j].back());
      }
    }
    const std::vector<size_t> order = shuffled(random, many_g.size());
    for (auto& column : many) column = permuted(column, order);
    many_g = permuted(many_g, order), many_c = permuted(many_c, order);
    if (constant) few_c.clear(), many_c.clear();
    const Ranked counted = rank(code_dense(few), few_g, few_c, copies.data(), 1);
    const Ranked spelt = rank(code_dense(many), many_g, many_c, nullptr, 1);
    CHECK(counted.statistic == spelt.statistic && counted.gain == spelt.gain);
  }
}

// A column of one value is in no pair; huge slopes stay finite.
void odd_columns() {
  Random random(3);
  const size_t m = 100;
  std::vector<std::vector<double>> x = {draw_column(random, Kind::constant, m, 0),
                                        draw_column(random, Kind::many, m, 0),
                                        draw_column(random, Kind::hostile, m, 0.5)};
  std::vector<double> g(m, 1e300), c(m, 1.0);
  for (size_t i = 0; i < m; ++i) g[i] *= random.sign();
  const Ranked found = rank(code_dense(x), g, c, nullptr, 1);
  CHECK(found.statistic[0] == 0 && found.statistic[1] == 0);
  for (const double value : found.statistic) CHECK(!std::isnan(value));
}

}  // namespace

int main() {
  the_cross_is_found();
  bits();
  odd_columns();
}
