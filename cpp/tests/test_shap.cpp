// Shapley values are those of their definition: the mean over all orders in which features join.
#include <bit>

#include "check.hpp"
#include "weaklearn/predict/shap.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

constexpr size_t kFeatures = 4;

// Thresholds, some with a branch or every branch for missing values, on a few features.
TreeArrays draw_tree(Random& random, size_t n_splits) {
  TreeArrays tree;
  std::vector<size_t> leaves{static_cast<size_t>(tree.add(64, 64))};
  for (size_t s = 0; s < n_splits; ++s) {
    const size_t which = random.below(leaves.size()), v = leaves[which];
    leaves.erase(leaves.begin() + static_cast<ptrdiff_t>(which));
    tree.ask[v] = static_cast<uint8_t>(Ask::threshold);
    tree.feature[v] = static_cast<int32_t>(random.below(kFeatures));
    tree.threshold[v] = static_cast<double>(random.below(8)) / 8;
    tree.width[v] = 2 + random.chance(0.3);
    tree.missing[v] = tree.width[v] == 3 ? 2 : static_cast<int32_t>(random.below(3)) - 1;
    tree.first[v] = static_cast<int32_t>(tree.size());
    for (int32_t c = 0; c < tree.width[v]; ++c) {
      const double weight = static_cast<double>(random.below(5));  // some have no example
      leaves.push_back(static_cast<size_t>(tree.add(weight, static_cast<int64_t>(weight))));
    }
  }
  for (size_t v = 0; v < tree.size(); ++v) {
    tree.value[v] = static_cast<int32_t>(v);
    tree.values.push_back(static_cast<double>(random.below(1000)) / 100 - 5);
  }
  return tree;
}

double worth(const TreeArrays& tree, const double* x, unsigned known, size_t v = 0) {
  if (tree.width[v] == 0) return tree.values[v];
  const size_t first = static_cast<size_t>(tree.first[v]);
  const size_t width = static_cast<size_t>(tree.width[v]);
  double whole = 0, total = 0;
  for (size_t c = 0; c < width; ++c) whole += tree.weight[first + c];
  const size_t j = static_cast<size_t>(tree.feature[v]);
  int32_t way = tree.missing[v];
  if (!std::isnan(x[j])) way = x[j] > tree.threshold[v];
  for (size_t c = 0; c < width; ++c) {
    double part = whole > 0 ? tree.weight[first + c] / whole : 1.0 / static_cast<double>(width);
    if ((known >> j & 1) && way != kEveryChild) part = static_cast<int32_t>(c) == way;
    if (part > 0) total += part * worth(tree, x, known, first + c);
  }
  return total;
}

double weight_of(size_t size) {  // |S|! (n - |S| - 1)! / n!
  const double factorial[] = {1, 1, 2, 6, 24};
  return factorial[size] * factorial[kFeatures - size - 1] / factorial[kFeatures];
}

}  // namespace

int main() {
  for (size_t n = 1; n <= 40; ++n) {  // exact up to degree 2n - 1
    const Quadrature rule(n);
    for (size_t degree = 0; degree < 2 * n; ++degree) {
      double sum = 0;
      for (size_t q = 0; q < n; ++q)
        sum += rule.weight[q] * std::pow(rule.point[q], static_cast<double>(degree));
      CHECK(std::abs(sum - 1.0 / static_cast<double>(degree + 1)) < 1e-14);
    }
  }
  Random random(5);
  for (int trial = 0; trial < 60; ++trial) {
    const TreeArrays tree = draw_tree(random, 1 + random.below(12));
    const size_t m = 1 + random.below(40);
    std::vector<double> x(m * kFeatures);
    for (double& cell : x)
      cell = random.chance(0.2) ? std::nan("") : static_cast<double>(random.below(9)) / 8;
    const double vote = 0.5;
    const int32_t output = 0;
    const Shap shap(std::vector<uint32_t>(kFeatures, 0), 1, {TreeView::of(tree)},
                    {tree.weight.data()}, &vote, &output);
    const MatrixCells<double> cells(x.data(), m, kFeatures, kFeatures * sizeof(double),
                                    sizeof(double));
    std::vector<double> phi(m * kFeatures), pairs(m * kFeatures * kFeatures);
    shap.contributions(cells, phi.data(), 1 + trial % 2);
    shap.interactions(cells, phi.data(), pairs.data(), 1 + trial % 2);
    for (size_t i = 0; i < m; ++i) {
      const double* row = &x[i * kFeatures];
      CHECK(std::abs(shap.base()[0] - vote * worth(tree, row, 0)) < 1e-12);
      for (size_t j = 0; j < kFeatures; ++j) {
        double wanted = 0, together = 0;
        for (unsigned known = 0; known < 1u << kFeatures; ++known) {
          if (known >> j & 1) continue;
          const size_t size = static_cast<size_t>(std::popcount(known));
          const double joined = worth(tree, row, known | 1u << j);
          wanted += weight_of(size) * vote * (joined - worth(tree, row, known));
        }
        CHECK(std::abs(phi[i * kFeatures + j] - wanted) < 1e-12);
        for (size_t k = 0; k < kFeatures; ++k)
          together += pairs[(i * kFeatures + j) * kFeatures + k];
        CHECK(std::abs(together - wanted) < 1e-12);
      }
    }
  }
  return 0;
}
