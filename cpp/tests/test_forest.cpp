// Trees packed for prediction answer, to the last bit, as one row and one node at a time would.
#include "check.hpp"
#include "weaklearn/predict/forest.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

// A random tree over columns of so many categories (0: numbers), grown at random leaves.
TreeArrays draw_tree(Random& random, const std::vector<uint32_t>& n_categories, size_t n_leaves,
                     uint32_t n_outputs, Kind kind, bool fractional) {
  TreeArrays tree;
  tree.n_outputs = n_outputs;
  std::vector<int32_t> leaves{tree.add(1, 1)};
  while (!leaves.empty() && leaves.size() < n_leaves) {
    const size_t which = random.below(leaves.size());
    const auto v = static_cast<size_t>(leaves[which]);
    leaves.erase(leaves.begin() + static_cast<ptrdiff_t>(which));
    const size_t j = random.below(n_categories.size());
    int32_t width = 2;
    Ask ask = Ask::threshold;
    if (n_categories[j] > 0 && random.chance(0.9))
      ask = random.chance(0.5) ? Ask::multiway : Ask::subset;
    if (ask == Ask::threshold) tree.threshold[v] = draw(random, kind);
    if (ask == Ask::multiway) width = static_cast<int32_t>(n_categories[j]);
    if (ask == Ask::subset) {
      CategorySet set;
      for (uint32_t c = 0; c < n_categories[j]; ++c)
        if (random.chance(0.5)) set.add(c);
      tree.subset[v] = static_cast<int32_t>(tree.subsets.size());
      tree.subsets.push_back(set);
    }
    tree.missing[v] = static_cast<int32_t>(random.below(static_cast<size_t>(width)));
    if (random.chance(0.3))
      tree.missing[v] = width++;
    else if (fractional && random.chance(0.5))
      tree.missing[v] = kEveryChild;
    tree.ask[v] = static_cast<uint8_t>(ask);
    tree.feature[v] = static_cast<int32_t>(j);
    tree.first[v] = static_cast<int32_t>(tree.size());
    tree.width[v] = width;
    for (int32_t c = 0; c < width; ++c)
      leaves.push_back(tree.add(static_cast<double>(random.below(4)), 1));
  }
  for (size_t v = 0; v < tree.size(); ++v) {
    tree.value[v] = static_cast<int32_t>(v);
    for (uint32_t l = 0; l < n_outputs; ++l) tree.values.push_back(random.uniform() - 0.5);
  }
  return tree;
}

int32_t outcome(const TreeArrays& tree, size_t v, const std::vector<double>& row) {
  const double x = row[static_cast<size_t>(tree.feature[v])];
  if (std::isnan(x)) return tree.missing[v];
  if (static_cast<Ask>(tree.ask[v]) == Ask::threshold) return x > tree.threshold[v];
  if (static_cast<Ask>(tree.ask[v]) == Ask::multiway) return static_cast<int32_t>(x);
  return tree.subsets[static_cast<size_t>(tree.subset[v])].has(static_cast<uint32_t>(x));
}

void answer(const TreeArrays& tree, size_t v, double part, const std::vector<double>& row,
            std::vector<double>& value) {
  if (tree.width[v] == 0) {
    const auto at = static_cast<size_t>(tree.value[v]) * tree.n_outputs;
    for (size_t l = 0; l < tree.n_outputs; ++l) value[l] += part * tree.values[at + l];
    return;
  }
  const auto first = static_cast<size_t>(tree.first[v]);
  const int32_t child = outcome(tree, v, row);
  if (child != kEveryChild)
    return answer(tree, first + static_cast<size_t>(child), part, row, value);
  const auto width = static_cast<size_t>(tree.width[v]);
  double total = 0;
  for (size_t c = 0; c < width; ++c) total += tree.weight[first + c];
  for (size_t c = 0; c < width; ++c) {
    const double share =
        total > 0 ? tree.weight[first + c] / total : 1.0 / static_cast<double>(width);
    if (share > 0) answer(tree, first + c, part * share, row, value);
  }
}

struct Case {
  std::vector<uint32_t> n_categories;
  std::vector<std::vector<double>> rows;  // categories as numbers
  std::vector<TreeArrays> trees;
  std::vector<double> votes;
  std::vector<int32_t> outputs;
  size_t k = 1;

  Forest forest() const {
    std::vector<TreeView> views;
    for (const TreeArrays& tree : trees) views.push_back(TreeView::of(tree));
    return Forest(n_categories, k, views, votes.data(), outputs.data());
  }

  std::vector<double> expected(const std::vector<double>& base) const {
    std::vector<double> score;
    for (const auto& row : rows) {
      std::vector<double> of_row = base;
      for (size_t t = 0; t < trees.size(); ++t) {
        std::vector<double> value(trees[t].n_outputs, 0.0);
        answer(trees[t], 0, 1.0, row, value);
        for (size_t l = 0; l < value.size(); ++l)
          of_row[outputs[t] < 0 ? l : static_cast<size_t>(outputs[t])] += votes[t] * value[l];
      }
      score.insert(score.end(), of_row.begin(), of_row.end());
    }
    return score;
  }

  // The columns of a table, held by `numbers` and `categories`.
  TableCells cells(std::vector<std::vector<double>>& numbers,
                   std::vector<std::vector<int32_t>>& categories) const {
    numbers.resize(n_categories.size());
    categories.resize(n_categories.size());
    std::vector<const double*> number_of(n_categories.size());
    std::vector<const int32_t*> categories_of(n_categories.size());
    for (size_t j = 0; j < n_categories.size(); ++j) {
      for (const auto& row : rows) {
        numbers[j].push_back(row[j]);
        categories[j].push_back(
            std::isnan(row[j]) || n_categories[j] == 0 ? -1 : static_cast<int32_t>(row[j]));
      }
      number_of[j] = numbers[j].data();
      categories_of[j] = categories[j].data();
    }
    return TableCells(rows.size(), number_of, categories_of);
  }
};

Case draw_case(Random& random, const std::vector<uint32_t>& n_categories, size_t n, size_t n_trees,
               size_t n_leaves, size_t k, bool apart, Kind kind, bool fractional) {
  Case drawn;
  drawn.n_categories = n_categories;
  drawn.k = k;
  for (size_t t = 0; t < n_trees; ++t) {
    drawn.trees.push_back(draw_tree(random, n_categories, 1 + random.below(n_leaves),
                                    apart ? 1 : static_cast<uint32_t>(k), kind, fractional));
    drawn.votes.push_back(random.uniform() * 2 - 1);
    drawn.outputs.push_back(apart ? static_cast<int32_t>(random.below(k)) : -1);
  }
  for (size_t i = 0; i < n; ++i) {
    std::vector<double> row;
    for (uint32_t categories : n_categories)
      row.push_back(random.chance(0.1) ? kMissing
                    : categories > 0   ? static_cast<double>(random.below(categories))
                                       : draw(random, kind));
    drawn.rows.push_back(row);
  }
  return drawn;
}

void tables_of_numbers_and_categories() {
  Random random(1);
  const std::vector<uint32_t> numbers(4, 0), mixed{0, 3, 200, 0, 1, 256};
  for (size_t n : {1, 15, 16, 300})
    for (size_t n_leaves : {1, 30, 70, 600})
      for (size_t k : {1, 3})
        for (bool apart : {false, true})
          for (Kind kind : kKinds) {
            const Case drawn = draw_case(random, random.chance(0.5) ? numbers : mixed, n, 9,
                                         n_leaves, k, apart, kind, random.chance(0.3));
            std::vector<std::vector<double>> held;
            std::vector<std::vector<int32_t>> categories;
            const TableCells cells = drawn.cells(held, categories);
            const std::vector<double> base(k, 0.25);
            std::vector<double> score(n * k);
            for (int threads : {1, 3}) {
              drawn.forest().sum(cells, base.data(), 0, 9, score.data(), threads);
              CHECK(score == drawn.expected(base));
            }
            const Forest forest = drawn.forest();
            for (size_t i = 0; i < std::min<size_t>(n, 20); ++i) {  // the same row by row
              std::vector<double> of_row(k);
              forest.sum_row(drawn.rows[i].data(), base.data(), of_row.data());
              CHECK(std::equal(of_row.begin(), of_row.end(), &score[i * k]));
            }
          }
}

void singles_and_doubles_and_sparse_columns() {
  Random random(2);
  const size_t n = 700, d = 3;
  const Case drawn = draw_case(random, std::vector<uint32_t>(d, 0), n, 40, 60, 1, false,
                               Kind::single_precision, false);
  std::vector<float> by_rows;
  for (const auto& row : drawn.rows)
    for (double x : row) by_rows.push_back(static_cast<float>(x));
  std::vector<double> by_columns, data;
  std::vector<int64_t> rows, starts{0};
  for (size_t j = 0; j < d; ++j) {
    for (size_t i = n; i-- > 0;) {  // in falling order
      data.push_back(drawn.rows[i][j]);
      rows.push_back(static_cast<int64_t>(i));
    }
    for (size_t i = 0; i < n; ++i) by_columns.push_back(drawn.rows[i][j]);
    starts.push_back(static_cast<int64_t>(data.size()));
  }
  const Forest forest = drawn.forest();
  const double base = 0;
  const std::vector<double> expected = drawn.expected({base});
  std::vector<double> score(n);
  const MatrixCells<float> singles(by_rows.data(), n, d, sizeof(float) * d, sizeof(float));
  const MatrixCells<double> doubles(by_columns.data(), n, d, sizeof(double), sizeof(double) * n);
  const SparseCells<double, int64_t> sparse(n, starts, data.data(), rows.data(), data.size());
  for (const Cells* cells :
       {static_cast<const Cells*>(&singles), static_cast<const Cells*>(&doubles),
        static_cast<const Cells*>(&sparse)}) {
    forest.sum(*cells, &base, 0, 40, score.data(), 2);
    CHECK(score == expected);
  }
}

// A chain as deep as it has nodes, and one that asks for categories on its way.
void deep_trees() {
  for (uint32_t n_categories : {0u, 2u}) {
    TreeArrays tree;
    int32_t at = tree.add(1, 1);
    for (int k = 0; k < 50'000; ++k) {
      const auto v = static_cast<size_t>(at);
      tree.ask[v] = static_cast<uint8_t>(n_categories > 0 ? Ask::multiway : Ask::threshold);
      tree.feature[v] = 0;
      tree.threshold[v] = 50'000 - k;
      tree.width[v] = 2;
      tree.first[v] = tree.add(1, 1);
      tree.add(1, 1);
      at = tree.first[v];
    }
    for (size_t v = 0; v < tree.size(); ++v) tree.value[v] = 0;
    tree.values = {1.0};
    const double vote = 2, base = 1, x = 0;
    const int32_t output = -1, category = 0;
    const Forest forest({n_categories}, 1, {TreeView::of(tree)}, &vote, &output);
    const TableCells cells(1, {&x}, {&category});
    double score = 0;
    forest.sum(cells, &base, 0, 1, &score, 1);
    int32_t node = 0;
    forest.apply(cells, &node, 1);
    CHECK(score == 3 && node == at);
  }
}

void arrays_that_lead_astray_are_refused() {
  Random random(3);
  const std::vector<uint32_t> n_categories{0, 3, 200};
  const double vote = 1;
  const int32_t output = -1;
  for (int attempt = 0; attempt < 3000; ++attempt) {
    TreeArrays tree = draw_tree(random, n_categories, 12, 1, Kind::few, true);
    const size_t v = random.below(tree.size());
    const auto any = static_cast<int32_t>(random.below(5)) * static_cast<int32_t>(random.below(9)) -
                     static_cast<int32_t>(random.below(3));
    std::vector<int32_t>* const arrays[] = {&tree.feature, &tree.first,  &tree.width,
                                            &tree.missing, &tree.subset, &tree.value};
    const size_t which = random.below(7);
    if (which < 6)
      (*arrays[which])[v] = any;
    else
      tree.ask[v] = static_cast<uint8_t>(any);
    try {  // it is refused, or leads every row to a leaf
      const Forest forest(n_categories, 1, {TreeView::of(tree)}, &vote, &output);
      const double x[] = {0, 1, kMissing};
      const int32_t three[] = {0, 2, -1}, many[] = {199, 200, -5};
      const TableCells cells(3, {x, nullptr, nullptr}, {nullptr, three, many});
      double score[3];
      forest.sum(cells, &vote, 0, 1, score, 1);
    } catch (const std::invalid_argument&) {
    }
  }
}

}  // namespace

int main() {
  tables_of_numbers_and_categories();
  singles_and_doubles_and_sparse_columns();
  deep_trees();
  arrays_that_lead_astray_are_refused();
}
