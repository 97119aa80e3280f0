// Rules cover what their tests say, stop where no negative example is left, and two thirds of the
// weight are drawn to grow on.
#include <cmath>

#include "check.hpp"
#include "weaklearn/tree/rule_grower.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

// Two columns of ranks: numbers with missing values, and categories.
struct Table {
  size_t n;
  std::vector<int32_t> rank;
  std::vector<int64_t> n_values{6, 3}, copies;
  std::vector<uint8_t> categorical{0, 1}, missing{1, 0};
  std::vector<int8_t> z;
  std::vector<double> weight;
  std::vector<uint64_t> keys;

  Table(Random& random, size_t rows) : n(rows), rank(2 * rows) {
    for (size_t i = 0; i < n; ++i) {
      rank[i] = static_cast<int32_t>(random.below(7));
      rank[n + i] = random.chance(0.7) ? 1 : static_cast<int32_t>(random.below(3));
      z.push_back(rank[i] > 1 && rank[i] < 6 && rank[n + i] == 1 ? int8_t{1} : int8_t{-1});
      copies.push_back(static_cast<int64_t>(1 + random.below(3)));
      weight.push_back(static_cast<double>(copies[i]) * 0x1p-12);
      keys.push_back(random.next());
    }
  }
  RankedColumns columns() const {
    return {rank.data(), n_values.data(), categorical.data(), missing.data(), n, 2};
  }
  RuleGrower grower(int64_t most = 100, double least = 0.0) const {
    return RuleGrower(columns(), 2.0 / 3, most, least);
  }
  std::vector<RuleTest> rule(RuleGrower grower) const {
    return grower.rule(weight.data(), z.data(), copies.data(), keys.data(), static_cast<double>(n));
  }
};

void the_rule_is_found(Random& random) {
  const Table table(random, 400);
  const std::vector<RuleTest> tests = table.rule(table.grower());
  CHECK(tests.size() == 2);
  for (size_t i = 0; i < table.n; ++i) {
    bool covered = true;
    for (const RuleTest& test : tests) covered = covered && table.columns().meets(i, test);
    CHECK(covered == (table.z[i] > 0));
  }
  CHECK(table.rule(table.grower(1)).size() == 1);
  CHECK(table.rule(table.grower(0)).empty());
  CHECK(table.rule(table.grower(100, 0.999)).empty());
}

void a_share_of_the_weight_is_drawn(Random& random) {
  for (int k = 0; k < 20; ++k) {
    const Table table(random, 1 + random.below(50));
    RuleGrower grower = table.grower();
    const auto& drawn =
        grower.drawn_copies(table.weight.data(), table.copies.data(), table.keys.data());
    int64_t all = 0, some = 0;
    for (size_t i = 0; i < table.n; ++i) {
      CHECK(drawn[i] >= 0 && drawn[i] <= table.copies[i]);
      all += table.copies[i];
      some += drawn[i];
    }
    CHECK(3 * some >= 2 * all);
    CHECK(3 * (some - 1) < 2 * all);
  }
}

// Weights that no booster has, and numbers of examples, end in some rule all the same.
void odd_weights_end(Random& random) {
  for (const double odd : {0.0, -1.0, std::nan("")}) {
    Table table(random, 30);
    std::fill(table.weight.begin(), table.weight.end(), odd);
    CHECK(table.rule(table.grower(5)).size() <= 5);
    RuleGrower grower = table.grower(5);
    const std::vector<double> even(table.n, 0x1p-12);
    const auto tests = grower.rule(even.data(), table.z.data(), table.copies.data(),
                                   table.keys.data(), std::fabs(odd) * 0.0);
    CHECK(tests.size() <= 5);
  }
}

void missing_values_meet_their_own_test_alone() {
  const std::vector<int32_t> rank{0, 1, 2};
  const std::vector<int64_t> n_values{2};
  const std::vector<uint8_t> no{0}, yes{1};
  const RankedColumns columns{rank.data(), n_values.data(), no.data(), yes.data(), 3, 1};
  CHECK(!columns.meets(2, {0, RuleAsks::above, 0}));
  CHECK(!columns.meets(2, {0, RuleAsks::at_most, 0}));
  CHECK(columns.meets(2, {0, RuleAsks::missing, 2}));
  CHECK(columns.meets(1, {0, RuleAsks::above, 0}));
}

}  // namespace

int main() {
  Random random(3);
  the_rule_is_found(random);
  a_share_of_the_weight_is_drawn(random);
  odd_weights_end(random);
  missing_values_meet_their_own_test_alone();
}
