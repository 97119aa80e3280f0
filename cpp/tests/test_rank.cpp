// Metrics of orders by hand, and lambdas that neither threads nor the order of rows change.
#include <cmath>
#include <numeric>

#include "check.hpp"
#include "weaklearn/rank/lambdas.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

constexpr size_t kAll = 1u << 30;

double value(RankMetric metric, size_t k, const std::vector<double>& grade,
             const std::vector<double>& F) {
  std::vector<int64_t> rows(grade.size());
  std::iota(rows.begin(), rows.end(), 0);
  const std::vector<int64_t> starts = {0, static_cast<int64_t>(rows.size())};
  const Queries of(rows.data(), rows.size(), starts.data(), 1, grade.data(), metric, k);
  double found = 0;
  of.values(F.data(), &found, 1);
  return found;
}

bool near(double a, double b) { return std::fabs(a - b) < 1e-12; }

void metrics_by_hand() {
  const std::vector<double> grade = {0, 2, 1}, F = {3, 2, 1};
  const double gained = 3 / std::log2(3.0) + 1 / 2.0, best = 3 + 1 / std::log2(3.0);
  CHECK(near(value(RankMetric::ndcg, kAll, grade, F), gained / best));
  CHECK(near(value(RankMetric::map, kAll, grade, F), (1 / 2.0 + 2 / 3.0) / 2));
  CHECK(near(value(RankMetric::mrr, kAll, grade, F), 1 / 2.0));
  CHECK(near(value(RankMetric::mrr, 1, grade, F), 0));
  CHECK(near(value(RankMetric::mrr, kAll, {0, 1}, {0, 0}), 3 / 4.0));
  CHECK(near(value(RankMetric::map, kAll, {0, 1}, {0, 0}), 3 / 4.0));
  CHECK(std::isnan(value(RankMetric::ndcg, kAll, {0, 0}, {1, 0})));
}

void lambdas_on_threads() {
  Random random(5);
  const size_t n = 4000, n_queries = 100;
  std::vector<int64_t> rows(n), starts(n_queries + 1);
  std::iota(rows.begin(), rows.end(), 0);
  for (size_t q = 0; q <= n_queries; ++q) starts[q] = static_cast<int64_t>(q * n / n_queries);
  std::vector<double> grade(n), F(n);
  for (size_t i = 0; i < n; ++i) {
    grade[i] = std::floor(random.uniform() * 4);
    F[i] = std::floor(random.uniform() * 20) / 4;
  }
  for (const RankMetric metric : {RankMetric::ndcg, RankMetric::map, RankMetric::mrr}) {
    const Queries of(rows.data(), n, starts.data(), n_queries, grade.data(), metric, 10);
    std::vector<double> g(n), c(n), g2(n), c2(n), found(n_queries), found2(n_queries);
    rank_lambdas(of, F.data(), nullptr, {}, {}, g.data(), c.data(), found.data(), 1);
    rank_lambdas(of, F.data(), nullptr, {}, {}, g2.data(), c2.data(), found2.data(), 4);
    CHECK(g == g2 && c == c2 && found == found2);
    for (size_t q = 0; q < n_queries; ++q) {
      double sum = 0;
      for (int64_t i = starts[q]; i < starts[q + 1]; ++i) sum += g[static_cast<size_t>(i)];
      CHECK(std::fabs(sum) < 1e-9);  // what pulls one item up pulls another down
    }
    for (const double bend : c) CHECK(bend >= 0);
  }
}

}  // namespace

int main() {
  metrics_by_hand();
  lambdas_on_threads();
}
