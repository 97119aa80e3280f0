// Trees of a sample: under its own weights, on bags, as forests and on subsets of its rows.
#include <numeric>

#include "mixed.hpp"
#include "weaklearn/tree/sample_grower.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

bool same_tests(const TreeArrays& a, const TreeArrays& b) {
  return a.feature == b.feature && a.threshold == b.threshold && a.first == b.first &&
         a.count == b.count;
}
bool same(const TreeArrays& a, const TreeArrays& b) {
  return same_tests(a, b) && a.weight == b.weight && a.values == b.values;
}

}  // namespace

int main() {
  Random random(3);
  const size_t m = 400;
  const Mixed mixed = draw_mixed(random, m, 0.1);
  std::vector<int32_t> labels(m);
  for (int32_t& label : labels) label = static_cast<int32_t>(random.below(3));
  std::vector<int64_t> copies(m);
  for (int64_t& times : copies) times = static_cast<int64_t>(random.below(3)) + 1;
  TreeSettings settings;
  settings.max_depth = 4;
  const SampleGrower one(mixed.columns, labels.data(), nullptr, 3, copies, {}, settings, 1);
  const SampleGrower several(mixed.columns, labels.data(), nullptr, 3, copies, {}, settings, 3);
  const TreeArrays tree = one.grow(nullptr, 0);
  CHECK(tree.count[0] == std::accumulate(copies.begin(), copies.end(), int64_t{0}));
  CHECK(same(tree, several.grow(nullptr, 0)));
  CHECK(same(tree, one.grow_on_copies(copies.data(), 0)));  // the whole sample as a bag
  const Weights weights(m, nullptr, copies.data(), nullptr);
  CHECK(same_tests(tree, one.grow(&weights, 0)));  // the uniform distribution over examples
  for (const int64_t weight : weight_of_copies(weights, copies)) CHECK(weight > 0);

  const Draws draws{7, true, 300};
  const std::vector<TreeArrays> forest = one.grow_forest(5, draws, {}, 0);
  const std::vector<TreeArrays> rest = several.grow_forest(3, draws, {}, 2);
  for (size_t t = 0; t < 3; ++t) CHECK(same(forest[t + 2], rest[t]));
  for (const TreeArrays& grown : forest) CHECK(grown.count[0] == 300);

  std::vector<int32_t> rows(m);
  std::iota(rows.begin(), rows.end(), 0);
  const std::vector<double> each(m, 1.0);
  const std::vector<RowSubset> subsets{{rows.data(), m}, {rows.data(), 100}, {rows.data(), m}};
  const std::vector<TreeArrays> many = several.grow_many(subsets, each.data());
  CHECK(many.size() == 3 && same(many[0], many[2]) && !same(many[0], many[1]));
}
