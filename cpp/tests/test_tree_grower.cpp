// Trees hold the rows they say they hold, whatever the settings, the weights and the threads.
#include "mixed.hpp"
#include "weaklearn/hot/log2.hpp"
#include "weaklearn/tree/forest_grower.hpp"
#include "weaklearn/tree/grow_many.hpp"
#include "weaklearn/tree/tree_grower.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

constexpr Criterion kClassCriteria[] = {Criterion::error, Criterion::gini, Criterion::entropy,
                                        Criterion::gain_ratio, Criterion::sqrt};

struct Sample {
  Mixed mixed;
  std::vector<int32_t> labels;
  std::vector<double> numbers;
  size_t n_classes;
};

Sample draw_sample(Random& random, size_t m, size_t n_classes, double missing) {
  Sample sample{draw_mixed(random, m, missing), {}, {}, n_classes};
  for (size_t i = 0; i < m; ++i) {
    const double x = sample.mixed.x[0][i];
    const bool hint = random.chance(0.6) && std::abs(x) < 1e6;
    const size_t k = std::max<size_t>(n_classes, 1);
    sample.labels.push_back(
        static_cast<int32_t>(hint ? static_cast<size_t>(std::abs(x)) % k : random.below(k)));
    sample.numbers.push_back((hint ? x : 0) + random.uniform());
  }
  return sample;
}

TreeData data_of(const Sample& sample, const TreeSettings& settings) {
  return TreeData(sample.mixed.columns, sample.n_classes > 0 ? sample.labels.data() : nullptr,
                  sample.n_classes > 0 ? nullptr : sample.numbers.data(), sample.n_classes,
                  settings, 2);
}

Bag bag_of(Random& random, size_t m, bool weighted) {
  Bag bag;
  for (size_t i = 0; i < m; ++i) {
    bag.copies.push_back(static_cast<int64_t>(random.below(3)));
    if (weighted) bag.weight.push_back(static_cast<int64_t>(random.next() >> 20));
  }
  bag.copies[0] = 1;
  if (weighted) bag.weight[0] = 1;
  bag.close();
  return bag;
}

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](T x, T y) {
           return std::memcmp(&x, &y, sizeof x) == 0;
         });
}
bool same_tree(const TreeArrays& a, const TreeArrays& b) {
  bool sets = a.subsets.size() == b.subsets.size();
  for (size_t k = 0; sets && k < a.subsets.size(); ++k)
    sets = std::equal(a.subsets[k].word, a.subsets[k].word + 4, b.subsets[k].word);
  return sets && same(a.ask, b.ask) && same(a.feature, b.feature) &&
         same(a.threshold, b.threshold) && same(a.first, b.first) && same(a.width, b.width) &&
         same(a.missing, b.missing) && same(a.subset, b.subset) && same(a.value, b.value) &&
         same(a.weight, b.weight) && same(a.count, b.count) && same(a.gain, b.gain) &&
         same(a.values, b.values);
}

// Where real values lead; categories are numbers too.
int32_t walked(const TreeArrays& tree, const Mixed& mixed, size_t row) {
  int32_t node = 0;
  while (tree.width[node] > 0) {
    const double x = mixed.x[static_cast<size_t>(tree.feature[node])][row];
    int32_t outcome = tree.missing[node];
    if (!std::isnan(x)) switch (static_cast<Ask>(tree.ask[node])) {
        case Ask::multiway:
          outcome = static_cast<int32_t>(x);
          break;
        case Ask::subset:
          outcome =
              tree.subsets[static_cast<size_t>(tree.subset[node])].has(static_cast<uint32_t>(x));
          break;
        default:
          outcome = x > tree.threshold[node];
      }
    node = tree.first[node] + outcome;
  }
  return node;
}

void check_leaves(const TreeArrays& tree, const Sample& sample, const Bag& bag) {
  std::vector<int64_t> count(tree.size(), 0);
  for (size_t i = 0; i < sample.labels.size(); ++i) {
    const int32_t leaf = walked(tree, sample.mixed, i);
    if (bag.weight_of(i) > 0) count[static_cast<size_t>(leaf)] += bag.copies[i];
  }
  for (size_t node = tree.size(); node-- > 0;) {
    for (int32_t k = 0; k < tree.width[node]; ++k)
      count[node] += count[static_cast<size_t>(tree.first[node] + k)];
    CHECK(count[node] == tree.count[node]);
    CHECK(tree.gain[node] >= 0 || tree.width[node] > 0);
  }
}

void trees_hold_their_rows() {
  Random random(1);
  for (int trial = 0; trial < 240; ++trial) {
    const size_t m = trial % 8 == 0 ? 3000 : 1 + random.below(120);
    const size_t k = random.below(5);
    const Sample sample = draw_sample(random, m, k, random.chance(0.5) ? 0.2 : 0.0);
    TreeSettings settings;
    settings.criterion = k == 0 ? Criterion::squared_error : kClassCriteria[random.below(5)];
    settings.exact = random.chance(0.5);
    settings.categorical = static_cast<CategorySplit>(random.below(3));
    const bool two = k == 1 || k == 2;  // missing values may be silent
    settings.missing = static_cast<MissingTest>(random.below(two ? 4 : 3));
    settings.split_zero_gain = random.chance(0.3);
    if (random.chance(0.3)) settings.min_samples_leaf = 3;
    if (random.chance(0.3)) settings.max_features = 2;
    if (random.chance(0.5)) settings.category_noise = 1;
    if (random.chance(0.2)) settings.max_leaf_nodes = 6;
    if (random.chance(0.2)) settings.max_depth = 3;
    if (k <= 2 && random.chance(0.2)) settings.monotonic.assign(sample.mixed.x.size(), 0);
    const TreeData data = data_of(sample, settings);
    const Bag bag = bag_of(random, m, random.chance(0.5));
    const WholeLogs logs(static_cast<size_t>(bag.count));
    Growth growth(data, settings, logs);
    const TreeArrays tree = growth.grow(bag, 7);
    if (settings.missing != MissingTest::fraction) check_leaves(tree, sample, bag);
    for (int threads : {2, 5}) {
      Growth other(data, settings, logs);
      CHECK(same_tree(tree, other.grow_on(threads, bag, 7)));
    }
    CHECK(same_tree(tree, growth.grow(bag, 7)));  // a workspace serves again
  }
}

void groves_do_not_depend_on_threads() {
  Random random(2);
  for (size_t k : {0, 2, 4}) {
    const Sample sample = draw_sample(random, 300, k, 0.1);
    TreeSettings settings;
    settings.criterion = k == 0 ? Criterion::squared_error : Criterion::gini;
    settings.max_features = 3;
    settings.category_noise = 1;
    const TreeData data = data_of(sample, settings);
    const WholeLogs logs(300);
    const Places places(300, {}, {});
    std::vector<TreeArrays> first(9);
    grow_forest(data, settings, logs, places, {5, true, 300}, {}, 0, 1, first);
    for (int threads : {2, 4}) {
      std::vector<TreeArrays> again(9);
      grow_forest(data, settings, logs, places, {5, true, 300}, {}, 0, threads, again);
      for (size_t t = 0; t < 9; ++t) CHECK(same_tree(first[t], again[t]));
    }
  }
}

// A tree of a subset is that of a bag of its rows, whatever else is grown beside it.
void patches_are_bags_of_some_rows() {
  Random random(4);
  for (int trial = 0; trial < 60; ++trial) {
    const size_t m = trial % 6 == 0 ? 3000 : 2 + random.below(120), k = 1 + random.below(3);
    const Sample sample = draw_sample(random, m, k, 0.1);
    TreeSettings settings;
    settings.criterion = Criterion::sqrt;
    settings.exact = random.chance(0.5);
    settings.categorical = CategorySplit::equality;
    settings.missing = MissingTest::branch;
    settings.max_depth = 1 + static_cast<uint32_t>(random.below(3));
    const TreeData data = data_of(sample, settings);
    const WholeLogs logs(m);
    std::vector<int64_t> copies;
    std::vector<double> weight;
    for (size_t i = 0; i < m; ++i) {
      if (trial % 2 == 0) copies.push_back(1 + static_cast<int64_t>(random.below(3)));
      weight.push_back(std::exp(10 * random.uniform()));
    }
    std::vector<std::vector<int32_t>> rows(5);
    std::vector<RowSubset> subsets;
    for (std::vector<int32_t>& some : rows) {
      for (size_t i = 0; i < m; ++i)
        if (random.chance(0.4)) some.push_back(static_cast<int32_t>(i));
      if (some.empty()) some.push_back(0);
      subsets.emplace_back(some);
    }
    std::vector<TreeArrays> trees;
    grow_many(data, settings, logs, copies, weight.data(), subsets, 1, trees);
    for (size_t p = 0; p < subsets.size(); ++p) {
      Bag bag;
      bag.copies.assign(m, 0);
      bag.weight.assign(m, 0);
      double most = 0;
      int64_t examples = 0;
      for (int32_t i : rows[p]) {
        const auto row = static_cast<size_t>(i);
        examples += bag.copies[row] = copies.empty() ? 1 : copies[row];
        most = std::max(most, weight[row]);
      }
      int exponent = 0;
      std::frexp(most, &exponent);
      const int bits = 61 - static_cast<int>(std::bit_width(static_cast<uint64_t>(examples)));
      for (int32_t i : rows[p])
        bag.weight[static_cast<size_t>(i)] =
            std::llrint(std::ldexp(weight[static_cast<size_t>(i)], bits - exponent));
      bag.close();
      Growth growth(data, settings, logs);
      CHECK(same_tree(trees[p], growth.grow(bag, 0)));
    }
    for (double& w : weight) w *= 8;  // another unit
    for (int threads : {2, 5}) {
      std::vector<TreeArrays> again;
      grow_many(data, settings, logs, copies, weight.data(), subsets, threads, again);
      for (size_t p = 0; p < subsets.size(); ++p) CHECK(same_tree(trees[p], again[p]));
    }
    bool refused = false;
    std::fill(weight.begin(), weight.end(), 0.0);
    try {
      grow_many(data, settings, logs, copies, weight.data(), subsets, 1, trees);
    } catch (const std::invalid_argument&) {
      refused = true;
    }
    CHECK(refused);
  }
}

void logarithms() {
  for (int e = -60; e < 62; ++e) CHECK(log2_of(std::ldexp(1.0, e)) == e);
  Random random(3);
  for (int k = 0; k < 100'000; ++k) {
    const double x = std::exp(random.uniform() * 84 - 42);
    const double right = static_cast<double>(std::log2(static_cast<long double>(x)));
    CHECK(std::abs(log2_of(x) - right) <= 4e-16 * std::max(1.0, std::abs(right)));
  }
}

void bags() {
  const Places places(4, {3, 1, 0, 2}, {1, 2, 3, 4});
  CHECK(places.size() == 10);
  std::vector<int64_t> count;
  for (int64_t n : {1, 5, 10}) {
    places.choose(1, 2, n, count);
    int64_t sum = 0;
    for (size_t i = 0; i < 4; ++i) {
      CHECK(count[i] >= 0 && count[i] <= static_cast<int64_t>(i) + 1);
      sum += count[i];
    }
    CHECK(sum == n);
  }
  std::vector<double> share(4, 0.0);
  for (uint64_t t = 0; t < 4000; ++t) {
    places.draw(1, t, 10, count);
    for (size_t i = 0; i < 4; ++i) share[i] += static_cast<double>(count[i]) / 40000;
  }
  for (size_t i = 0; i < 4; ++i) CHECK(std::abs(share[i] - static_cast<double>(i + 1) / 10) < 0.01);
}

}  // namespace

int main() {
  trees_hold_their_rows();
  groves_do_not_depend_on_threads();
  patches_are_bags_of_some_rows();
  logarithms();
  bags();
}
