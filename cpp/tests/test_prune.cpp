// Pessimistic pruning is its definition, and its limits are those of the binomial law.
#include "check.hpp"
#include "weaklearn/tree/prune.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

// The chance of at most E events among N, each of chance p.
double at_most(int E, int N, double p) {
  if (2 * E > N) return 1 - at_most(N - E - 1, N, 1 - p);
  double sum = 0, term = std::pow(1 - p, N);
  for (int k = 0; k <= E; ++k) {
    sum += term;
    term *= p / (1 - p) * (N - k) / (k + 1);
  }
  return sum;
}

void limits() {
  for (int N : {1, 2, 3, 7, 16, 40, 300})
    for (int E = 0; E < N; E += 1 + E / 3) {
      const double p = upper_errors(E, N) / N;
      CHECK(p > 0 && p < 1);
      CHECK(std::abs(at_most(E, N, p) - 0.25) < 1e-10);
    }
}

// The upper quartile of Beta(2, b), where the share beyond p is q^(b+1) + (b + 1) p q^b: fractions.
void limits_of_fractions() {
  for (double b : {1e-3, 0.03, 0.4, 0.9999, 1.0, 1.5, 20.25, 3000.7}) {
    const double p = Beta(2, b).upper_quartile();
    CHECK(p > 0 && p <= 1);
    if (b > 0.1) {
      const double beyond = std::pow(1 - p, b) * (1 - p + (b + 1) * p);
      CHECK(std::abs(beyond - 0.25) < 1e-9);
    } else {
      CHECK(p > 1 - 1e-9);
    }
  }
  Random random(3);
  for (int round = 0; round < 2000; ++round) {  // more errors or fewer examples: a higher limit
    const double N = std::exp(14 * random.uniform() - 5), E = N * random.uniform() * 0.99;
    const double limit = upper_errors(E, N) / N, more = upper_errors(1.001 * E, N) / N;
    CHECK(limit > E / N && limit <= 1 && more >= limit);
    const Beta law(E + 1, N - E);
    if (limit < 0.999) CHECK(!law.quartile_exceeds(1.001 * limit));
    if (limit > 0.01 && limit < 0.99) CHECK(law.quartile_exceeds(0.99 * limit));
  }
}

void ends() {
  CHECK(upper_errors(0, 0) == 0);
  CHECK(upper_errors(3, 3) == 3);
  CHECK(upper_errors(0, 1e-9) == 1e-9);
  CHECK(std::abs(upper_errors(0, 1) - 0.75) < 1e-15);
  CHECK(std::abs(upper_errors(0, 1e9) - 1.3862943611198906) < 1e-8);
}

struct Drawn {
  std::vector<int32_t> first{0}, width{0}, value;
  std::vector<double> weight, values;
};

// Random shapes; the weights by class of a node are the sums over its children.
Drawn draw_tree(Random& random, size_t n_splits) {
  constexpr size_t k = 3;
  Drawn tree;
  std::vector<size_t> leaves{0};
  for (size_t s = 0; s < n_splits; ++s) {
    const size_t which = random.below(leaves.size()), node = leaves[which],
                 width = 2 + random.below(3);
    leaves.erase(leaves.begin() + static_cast<ptrdiff_t>(which));
    tree.first[node] = static_cast<int32_t>(tree.first.size());
    tree.width[node] = static_cast<int32_t>(width);
    for (size_t c = 0; c < width; ++c) {
      leaves.push_back(tree.first.size());
      tree.first.push_back(0);
      tree.width.push_back(0);
    }
  }
  const size_t n = tree.first.size();
  tree.values.resize(n * k);
  tree.weight.resize(n);
  for (size_t node = n; node-- > 0;) {
    tree.value.push_back(static_cast<int32_t>(n - 1 - tree.value.size()));
    double* row = &tree.values[node * k];
    if (tree.width[node] == 0)
      for (size_t c = 0; c < k; ++c) row[c] = static_cast<double>(random.below(4));
    if (tree.width[node] == 0) row[random.below(k)] += random.uniform();
    for (int32_t c = 0; c < tree.width[node]; ++c)
      for (size_t l = 0; l < k; ++l)
        row[l] += tree.values[static_cast<size_t>(tree.first[node] + c) * k + l];
    for (size_t l = 0; l < k; ++l) tree.weight[node] += row[l];
  }
  std::reverse(tree.value.begin(), tree.value.end());
  for (size_t node = 0; node < n; ++node)
    for (size_t l = 0; l < k; ++l) tree.values[node * k + l] /= tree.weight[node];
  return tree;
}

double expected(const Drawn& tree, size_t node, double unit, std::vector<bool>& falls) {
  const double N = tree.weight[node] * unit;
  const double* row = &tree.values[node * 3];
  const double own = upper_errors(N * (1 - std::max({row[0], row[1], row[2]})), N);
  if (tree.width[node] == 0) return own;
  double below = 0;
  for (int32_t c = 0; c < tree.width[node]; ++c)
    below += expected(tree, static_cast<size_t>(tree.first[node] + c), unit, falls);
  if (own > below * kTiedErrors) return below;
  falls[node] = true;
  return own;
}

void definition() {
  Random random(4);
  for (int round = 0; round < 300; ++round) {
    const Drawn tree = draw_tree(random, random.below(30));
    const size_t n = tree.first.size();
    const auto count = static_cast<int64_t>(std::ceil(tree.weight[0]));
    const Shares shares{n,     tree.first.data(), tree.width.data(),  tree.weight.data(),
                        count, tree.value.data(), tree.values.data(), n,
                        3};
    std::vector<bool> falls(n, false), found(n, false);
    expected(tree, 0, static_cast<double>(count) / tree.weight[0], falls);
    for (int32_t node : pessimistic(shares, 1 + round % 2)) found[static_cast<size_t>(node)] = true;
    CHECK(found == falls);
  }
}

}  // namespace

int main() {
  limits();
  limits_of_fractions();
  ends();
  definition();
}
