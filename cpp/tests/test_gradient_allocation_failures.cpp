// Every allocation of a tree of gradients fails once.
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

}  // namespace

int main() {
  Random random(5);
  gradients(draw_mixed(random, 60, 0.1), random);
}
