// Tables over codes answer what the trees answer.
#include "mixed.hpp"
#include "weaklearn/columns/dense_codes.hpp"
#include "weaklearn/gradient/gradient_grower.hpp"
#include "weaklearn/gradient/tables.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

// A tree by hand: a node asks for a column, or is a leaf.
struct Sapling {
  TreeArrays tree;
  int32_t leaf(double value) { return node(Ask::leaf, -1, 0, value); }
  int32_t node(Ask ask, int32_t feature, double threshold, double value) {
    tree.ask.push_back(static_cast<uint8_t>(ask));
    tree.feature.push_back(feature);
    tree.threshold.push_back(threshold);
    tree.first.push_back(-1);
    tree.missing.push_back(0);
    tree.subset.push_back(-1);
    tree.value.push_back(static_cast<int32_t>(tree.values.size()));
    tree.values.push_back(value);
    return static_cast<int32_t>(tree.ask.size()) - 1;
  }
};

// x[a] > 0.5, then x[b] > 0.5 on the right; missing values go right first, left below.
TreeArrays cross(int32_t a, int32_t b) {
  Sapling sapling;
  sapling.node(Ask::threshold, a, 0.5, 0);
  sapling.leaf(1);
  sapling.node(Ask::threshold, b, 0.5, 0);
  sapling.leaf(10);
  sapling.leaf(100);
  sapling.tree.first[0] = 1;
  sapling.tree.missing[0] = 1;
  sapling.tree.first[2] = 3;
  return sapling.tree;
}

double answer(const TreeArrays& tree, const std::vector<std::vector<double>>& x, size_t i) {
  int32_t node = 0;
  while (tree.ask[node] != static_cast<uint8_t>(Ask::leaf)) {
    const double value = x[tree.feature[node]][i];
    const bool right = std::isnan(value) ? tree.missing[node] == 1 : value > tree.threshold[node];
    node = tree.first[node] + (right ? 1 : 0);
  }
  return tree.values[tree.value[node]];
}

void tables_add_up() {
  Random random(1);
  const size_t m = 300;
  std::vector<std::vector<double>> x;
  for (int j = 0; j < 3; ++j) x.push_back(draw_column(random, Kind::few, m, 0.2));
  const Columns columns = code_dense(x);
  const DenseCodes codes(columns);
  Sapling stump, constant;
  stump.node(Ask::threshold, 2, -1.5, 0);
  stump.leaf(-3), stump.leaf(4);
  stump.tree.first[0] = 1;
  constant.leaf(7);
  const std::vector<std::pair<TreeArrays, double>> trees = {
      {cross(0, 1), 1.0},
      {cross(1, 0), 0.5},
      {stump.tree, 2.0},
      {constant.tree, 0.25},
      {cross(0, 0), 1.0}};  // the same column twice is a table of one column
  Tabulation tabulation(columns, {{0, 1}});
  for (const auto& [tree, vote] : trees) tabulation.add(tree, vote);
  const Tables tables = tabulation.take();
  CHECK(tables.constant == 7 * 0.25 && tables.pairs.size() == 1);
  const size_t width = columns[1].n_codes + size_t{1};
  for (size_t i = 0; i < m; ++i) {
    double expected = 0, found = tables.constant;
    for (const auto& [tree, vote] : trees) expected += vote * answer(tree, x, i);
    for (size_t j = 0; j < 3; ++j)
      if (!tables.mains[j].empty()) found += tables.mains[j][codes[j][i]];
    found += tables.pairs[0][codes[0][i] * width + codes[1][i]];
    CHECK(found == expected);  // halves and quarters are exact
  }
}

template <class Call>
bool refused(const Call& call) {
  try {
    call();
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

void strangers_are_refused() {
  const Columns columns = code_dense({{0, 1}, {0, 1}, {0, 1}});
  CHECK(refused([&] { Tabulation(columns, {{0, 1}}).add(cross(0, 2), 1); }));
  Sapling deep;  // three columns on one path
  deep.node(Ask::threshold, 0, 0.5, 0);
  deep.leaf(0);
  deep.node(Ask::threshold, 1, 0.5, 0);
  deep.leaf(0);
  deep.node(Ask::threshold, 2, 0.5, 0);
  deep.leaf(0), deep.leaf(1);
  deep.tree.first[0] = 1, deep.tree.first[2] = 3, deep.tree.first[4] = 5;
  CHECK(refused([&] { Tabulation(columns, {{0, 1}, {0, 2}, {1, 2}}).add(deep.tree, 1); }));
}

}  // namespace

int main() {
  tables_add_up();
  strangers_are_refused();
}
