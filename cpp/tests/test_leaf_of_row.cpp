// Rows walked on codes land where their values lead.
#include "check.hpp"
#include "weaklearn/columns/route.hpp"
#include "weaklearn/predict/leaf_of_row.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

struct Drawn {
  std::vector<std::vector<double>> x;
  Columns columns;
};

Drawn draw_columns(Random& random, size_t m, double missing) {
  Drawn drawn{{}, Columns(m, std::size(kKinds))};
  drawn.columns.reserve_blocks();
  for (size_t j = 0; j < std::size(kKinds); ++j) {
    drawn.x.push_back(draw_column(random, kKinds[j], m, missing));
    drawn.columns.code_column(j, drawn.x[j].data());
  }
  return drawn;
}

// Thresholds at values that occur: between codes, or inside of them.
TreeArrays draw_tree(Random& random, const Drawn& drawn, size_t n_splits) {
  TreeArrays tree;
  std::vector<size_t> leaves{static_cast<size_t>(tree.add(1, 1))};
  for (size_t s = 0; s < n_splits; ++s) {
    const size_t which = random.below(leaves.size()), v = leaves[which];
    const size_t j = random.below(drawn.x.size());
    const double threshold = drawn.x[j][random.below(drawn.x[j].size())];
    if (!std::isfinite(threshold)) continue;
    leaves.erase(leaves.begin() + static_cast<ptrdiff_t>(which));
    tree.ask[v] = static_cast<uint8_t>(Ask::threshold);
    tree.feature[v] = static_cast<int32_t>(j);
    tree.threshold[v] = threshold;
    tree.width[v] = 2 + random.chance(0.3);
    tree.missing[v] = tree.width[v] == 3 ? 2 : static_cast<int32_t>(random.below(2));
    tree.first[v] = static_cast<int32_t>(tree.size());
    for (int32_t c = 0; c < tree.width[v]; ++c)
      leaves.push_back(static_cast<size_t>(tree.add(1, 1)));
  }
  return tree;
}

int32_t walked(const TreeArrays& tree, const Drawn& drawn, size_t row) {
  int32_t v = 0;
  while (tree.width[v] > 0) {
    const double x = drawn.x[static_cast<size_t>(tree.feature[v])][row];
    v = tree.first[v] + (std::isnan(x) ? tree.missing[v] : x > tree.threshold[v]);
  }
  return v;
}

void rows_land_where_values_lead() {
  Random random(21);
  size_t told = 0;
  for (int round = 0; round < 300; ++round) {
    const size_t m = 1 + random.below(round % 10 == 0 ? 5000 : 200);
    const Drawn drawn = draw_columns(random, m, round % 3 == 0 ? 0.2 : 0.0);
    const TreeArrays tree = draw_tree(random, drawn, 1 + random.below(20));
    const LeafOfRow landing(drawn.columns, TreeView::of(tree));
    bool inside = tree.size() == 1;
    for (size_t v = 0; v < tree.size(); ++v)
      if (tree.width[v] > 0)
        inside |=
            cut_at(drawn.columns[static_cast<size_t>(tree.feature[v])], tree.threshold[v]).inside;
    CHECK(landing.possible() == !inside);
    if (inside) continue;
    ++told;
    std::vector<int32_t> leaf(m);
    landing.find(leaf.data(), 1 + round % 2);
    for (size_t i = 0; i < m; ++i) CHECK(leaf[i] == walked(tree, drawn, i));
  }
  CHECK(told > 100);
}

void what_codes_do_not_tell() {
  Columns columns(4, 2);
  columns.reserve_blocks();
  const double x[] = {1, 2, kMissing, 3};
  const int32_t categories[] = {0, 1, 2, 1};
  columns.code_column(0, x);
  columns.code_categories(1, categories, 3);
  TreeArrays tree;
  tree.add(1, 1);
  CHECK(!LeafOfRow(columns, TreeView::of(tree)).possible());  // no test
  tree.add(1, 1);
  tree.add(1, 1);
  tree.ask[0] = static_cast<uint8_t>(Ask::threshold);
  tree.feature[0] = 0;
  tree.threshold[0] = 1.5;
  tree.first[0] = 1;
  tree.width[0] = 2;
  CHECK(LeafOfRow(columns, TreeView::of(tree)).possible());
  tree.missing[0] = kEveryChild;  // several leaves
  CHECK(!LeafOfRow(columns, TreeView::of(tree)).possible());
  tree.missing[0] = 0;
  tree.feature[0] = 1;  // categories
  CHECK(!LeafOfRow(columns, TreeView::of(tree)).possible());
}

}  // namespace

int main() {
  rows_land_where_values_lead();
  what_codes_do_not_tell();
}
