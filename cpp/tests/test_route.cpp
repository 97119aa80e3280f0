// Routing by codes gives the answer of the real comparison; hashes depend on content alone.
#include <set>

#include "check.hpp"
#include "weaklearn/columns/route.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

constexpr int32_t kLow = 3, kHigh = 5, kLost = 9;

std::vector<int32_t> routed(const Column& column, size_t n, double threshold) {
  int32_t outcome[256];
  const Cut cut = cut_at(column, threshold);
  std::fill(outcome, outcome + 256, kHigh);
  std::fill(outcome, outcome + cut.code, kLow);
  if (cut.inside) outcome[cut.code] = kLow;
  if (column.has_missing) outcome[column.n_codes] = kLost;
  std::vector<int32_t> answer(n, -1);
  route(column, n, outcome, cut, kHigh, [&](size_t i, int32_t value) { answer[i] = value; });
  return answer;
}

void codes_answer_as_values_do() {
  Random random(1);
  for (size_t n : {1, 2, 50, 2500})
    for (Kind kind : kKinds) {
      const std::vector<std::vector<double>> x{draw_column(random, kind, n, 0.1)};
      const Columns dense = code_dense(x), sparse = code_sparse(x, random);
      std::vector<double> thresholds{-INFINITY, INFINITY, 0.0, -0.0, 1.5};
      for (int k = 0; k < 25; ++k) {
        const double value = x[0][random.below(n)];
        if (std::isnan(value)) continue;
        thresholds.insert(thresholds.end(), {value, std::nextafter(value, -INFINITY),
                                             std::nextafter(value, INFINITY), value / 2});
      }
      for (double threshold : thresholds) {
        const auto a = routed(dense[0], n, threshold), b = routed(sparse[0], n, threshold);
        for (size_t i = 0; i < n; ++i) {
          const double value = x[0][i];
          const int32_t expected = std::isnan(value) ? kLost : value > threshold ? kHigh : kLow;
          CHECK(a[i] == expected);
          CHECK(b[i] == expected);
        }
      }
    }
}

std::vector<uint64_t> hashes(const Columns& columns) {
  std::vector<uint64_t> hash(columns.n_rows());
  hash_rows(columns, hash.data());
  return hash;
}

void hashes_follow_content() {
  Random random(2);
  constexpr size_t n = 1500;
  std::vector<std::vector<double>> x;
  for (Kind kind : kKinds) x.push_back(draw_column(random, kind, n, 0.1));
  const std::vector<uint64_t> dense = hashes(code_dense(x));
  CHECK(hashes(code_sparse(x, random)) == dense);
  const std::vector<size_t> order = shuffled(random, n);
  std::vector<std::vector<double>> mixed;
  for (const auto& column : x) mixed.push_back(permuted(column, order));
  CHECK(hashes(code_dense(mixed)) == permuted(dense, order));
  CHECK(std::set<uint64_t>(dense.begin(), dense.end()).size() == n);  // all rows differ here
}

void equal_rows_have_equal_hashes() {
  const std::vector<std::vector<double>> x{{0.0, -0.0, 1.0, 1.0, kMissing, 0.0},
                                           {2.0, 2.0, 2.0, 2.0, 2.0, kMissing}};
  const std::vector<uint64_t> hash = hashes(code_dense(x));
  CHECK(hash[0] == hash[1]);
  CHECK(hash[2] == hash[3]);
  CHECK((std::set<uint64_t>{hash[0], hash[2], hash[4], hash[5]}.size() == 4));
  // Columns are told apart: (a, b) is not (b, a).
  const std::vector<uint64_t> swapped = hashes(code_dense({{1.0, 2.0}, {2.0, 1.0}}));
  CHECK(swapped[0] != swapped[1]);
}

void categories_hash_by_code() {
  Columns columns(4, 1);
  const std::vector<int32_t> categories{0, 1, 0, -1};
  columns.reserve_blocks();
  columns.code_categories(0, categories.data(), 2);
  const std::vector<uint64_t> hash = hashes(columns);
  CHECK(hash[0] == hash[2]);
  CHECK((std::set<uint64_t>(hash.begin(), hash.end()).size() == 3));
}

}  // namespace

int main() {
  codes_answer_as_values_do();
  hashes_follow_content();
  equal_rows_have_equal_hashes();
  categories_hash_by_code();
}
