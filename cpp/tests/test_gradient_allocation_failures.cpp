// Every allocation of a tree of gradients fails once, and none is for sums that nobody reads.
#include "failing.hpp"
#include "mixed.hpp"
#include "weaklearn/gradient/gradient_grower.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

void gradients(const Mixed& mixed, Random& random) {
  const size_t m = mixed.columns.n_rows();
  std::vector<double> g(m), scores(m);
  for (double& each : g) each = random.uniform() - 0.5;
  GradientSettings settings;
  settings.min_samples_leaf = 1;
  GrowTask task;
  task.gradients = {g.data(), nullptr, nullptr, false};
  task.vote = 0.1;
  task.scores = scores.data();
  for (const int threads : {1, 3})
    each_allocation_fails([&] {
      GradientGrower grower(mixed.columns, settings, threads);
      grower.grow({task});
    });
}

// Sums of a pair of columns are made only where a child of the root is searched: a tree of one
// split costs as much with each column in pairs as beside itself alone.
void one_split_needs_no_pairs(const Columns& columns, Random& random) {
  const size_t m = columns.n_rows(), d = columns.size();
  std::vector<double> g(m);
  for (double& each : g) each = random.uniform() - 0.5;
  GrowTask task;
  task.gradients = {g.data(), nullptr, nullptr, false};
  GradientSettings settings;
  settings.worth_cells = 0;
  const auto allocations = [&](size_t step) {
    settings.groups.clear();
    for (size_t j = 0; j < d; ++j)
      settings.groups.push_back({static_cast<int32_t>(j), static_cast<int32_t>((j + step) % d)});
    GradientGrower grower(columns, settings, 1);
    fail_allocation(kMost);
    CHECK(grower.grow({task})[0].size() > 1);
    return kMost - allocations_left.exchange(-1);
  };
  settings.max_depth = 1;
  CHECK(allocations(1) == allocations(0));
  settings.max_depth = 6;
  settings.max_leaf_nodes = 2;
  CHECK(allocations(1) == allocations(0));
}

}  // namespace

int main() {
  Random random(5);
  one_split_needs_no_pairs(draw_mixed(random, 60, 0.1).columns, random);
  gradients(draw_mixed(random, 60, 0.1), random);
}
