// Every allocation of coding, stumps and trees fails once.
#include "failing.hpp"
#include "mixed.hpp"
#include "weaklearn/tree/sample_grower.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

void coding_and_stumps(const Mixed& mixed, const Weights& weights) {
  each_allocation_fails([&] {
    Columns columns(mixed.columns.n_rows(), 3);
    columns.reserve_blocks();
    for (size_t j = 0; j < 3; ++j) columns.code_column(j, mixed.x[j].data());
  });
  each_allocation_fails([&] {
    StumpSearch search(mixed.columns, CategoricalTest::equality, MissingRule::branch, 1);
    search.search(weights);
  });
}

void trees(const Mixed& mixed, Random& random) {
  const size_t m = mixed.columns.n_rows();
  std::vector<int32_t> labels(m);
  for (int32_t& label : labels) label = static_cast<int32_t>(random.below(3));
  const std::vector<int64_t> copies(m, 1);
  TreeSettings settings;
  settings.max_depth = 3;
  for (const int threads : {1, 3})
    each_allocation_fails([&] {
      const SampleGrower grower(mixed.columns, labels.data(), nullptr, 3, copies, {}, settings,
                                threads);
      grower.grow_forest(2, Draws{7, true, 50}, {}, 0);
    });
}

}  // namespace

int main() {
  Random random(5);
  const Mixed mixed = draw_mixed(random, 60, 0.1);
  std::vector<int64_t> copies(60, 1);
  const Weights weights(60, nullptr, copies.data(), nullptr);
  coding_and_stumps(mixed, weights);
  trees(mixed, random);
}
