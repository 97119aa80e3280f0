// The search for many classes finds the first of the best stumps.
#include "mixed.hpp"
#include "weaklearn/stump/plurality.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

constexpr CategoricalTest kTests[] = {CategoricalTest::equality, CategoricalTest::multiway};
constexpr MissingRule kRules[] = {MissingRule::branch, MissingRule::abstain};

struct Labelled {
  const Mixed& mixed;
  const std::vector<int32_t>& labels;
  size_t k;
  const Weights& weights;
  int64_t tied() const { return weights.total() / 1'000'000'000'000; }

  int32_t heaviest(const std::vector<int64_t>& sums) const {
    const int64_t most = *std::max_element(sums.begin(), sums.end());
    for (size_t l = 0; l < k; ++l)
      if (sums[l] >= most - tied()) return static_cast<int32_t>(l);
    return -1;
  }
};

PluralityFound tried_all(const Labelled& given, CategoricalTest categorical, MissingRule rule) {
  const Mixed& mixed = given.mixed;
  const size_t m = given.labels.size(), k = given.k;
  const auto value = [&](size_t i) { return std::abs(given.weights.value()[i]); };
  const auto most = [](const std::vector<int64_t>& sums) {
    return *std::max_element(sums.begin(), sums.end());
  };
  int64_t best = -1;
  PluralityFound found;
  std::vector<int64_t> everything(k, 0);
  for (size_t i = 0; i < m; ++i) everything[static_cast<size_t>(given.labels[i])] += value(i);
  found.majority = given.heaviest(everything);
  for (bool choosing : {false, true})
    for (size_t j = 0; j < mixed.x.size(); ++j) {
      std::vector<int64_t> lost(k, 0);
      bool any_lost = false;
      for (size_t i = 0; i < m; ++i)
        if (std::isnan(mixed.x[j][i])) {
          lost[static_cast<size_t>(given.labels[i])] += value(i);
          any_lost = true;
        }
      const bool branch = rule == MissingRule::branch && any_lost;
      const int64_t gain = branch ? most(lost) : 0;
      const auto take = [&](const Candidate& candidate, int64_t right) {
        if (!choosing) {
          best = std::max(best, right + gain);
          return false;
        }
        if (right + gain < best - given.tied()) return false;
        found.test = candidate.test;
        found.feature = static_cast<int64_t>(j);
        found.threshold = candidate.threshold;
        found.category = candidate.category;
        found.right = right + gain;
        found.missing = branch ? given.heaviest(lost) : -1;
        return true;
      };
      if (mixed.n_categories[j] > 0 && categorical == CategoricalTest::multiway) {
        std::vector<std::vector<int64_t>> by_category(mixed.n_categories[j],
                                                      std::vector<int64_t>(k, 0));
        for (size_t i = 0; i < m; ++i)
          if (!std::isnan(mixed.x[j][i]))
            by_category[static_cast<size_t>(mixed.x[j][i])][static_cast<size_t>(given.labels[i])] +=
                value(i);
        int64_t right = 0;
        for (const auto& sums : by_category) right += most(sums);
        if (take({Test::multiway, j, 0, 0}, right)) {
          for (const auto& sums : by_category) found.by_category.push_back(given.heaviest(sums));
          return found;
        }
        continue;
      }
      for (const Candidate& candidate : candidates(mixed, j)) {
        std::vector<int64_t> low(k, 0), high(k, 0);
        for (size_t i = 0; i < m; ++i)
          if (!std::isnan(mixed.x[j][i]))
            (above(candidate, mixed.x[j][i]) ? high : low)[static_cast<size_t>(given.labels[i])] +=
                value(i);
        if (candidate.test == Test::constant) low = high;
        const int64_t right =
            candidate.test == Test::constant ? most(high) : most(low) + most(high);
        if (take(candidate, right)) {
          found.low = given.heaviest(low);
          found.high = given.heaviest(high);
          return found;
        }
      }
    }
  return found;
}

void check_same(const PluralityFound& a, const PluralityFound& b) {
  CHECK(a.test == b.test);
  CHECK(a.feature == b.feature);
  CHECK(a.right == b.right);
  CHECK(a.missing == b.missing);
  CHECK(a.majority == b.majority);
  CHECK(a.by_category == b.by_category);
  if (a.test == Test::multiway) return;
  CHECK(a.low == b.low && a.high == b.high);
  if (a.test == Test::equality)
    CHECK(a.category == b.category);
  else
    CHECK(a.threshold == b.threshold);
}

void play(Random& random, size_t m, size_t k, double missing, int rounds, int64_t most_copies) {
  const Mixed mixed = draw_mixed(random, m, missing);
  std::vector<int32_t> labels(m);
  std::vector<int64_t> copies(m);
  for (size_t i = 0; i < m; ++i) {
    const double x = mixed.x[0][i];
    const size_t hint =
        std::isnan(x) || !(std::abs(x) < 1e6) ? 0 : static_cast<size_t>(std::abs(x));
    labels[i] = static_cast<int32_t>(random.chance(0.5) ? random.below(k) : hint % k);
    copies[i] = 1 + static_cast<int64_t>(random.below(static_cast<size_t>(most_copies)));
  }
  for (CategoricalTest categorical : kTests)
    for (MissingRule rule : kRules) {
      Weights weights(m, nullptr, copies.data(), nullptr);
      PluralitySearch search(mixed.columns, labels.data(), k, categorical, rule, 0.0, false, 3);
      for (int round = 0; round < rounds; ++round) {
        const PluralityFound f = search.search(weights);
        check_same(f, tried_all({mixed, labels, k, weights}, categorical, rule));
        if (f.feature < 0) return;
        Answers answers{f.test, f.threshold, f.category,          f.low,
                        f.high, f.missing,   f.by_category.data()};
        Verdict verdict(m);
        judge_classes(mixed.columns, static_cast<size_t>(f.feature), answers, labels.data(),
                      verdict);
        weights.reweight(0.2 + random.uniform(), verdict, 2);
      }
    }
}

void games() {
  Random random(1);
  for (size_t m : {1, 2, 4, 9, 40})
    for (size_t k : {2, 3, 7})
      for (double missing : {0.0, 0.3, 1.0}) play(random, m, k, missing, 8, 3);
  for (size_t k : {3, 10}) play(random, 700, k, 0.1, 6, 1);
  play(random, 1000, 4, 0.0, 6, 1'000'000);
}

void one_class_is_always_right() {
  Random random(2);
  const Mixed mixed = draw_mixed(random, 30, 0.0);
  const std::vector<int32_t> labels(30, 0);
  const Weights weights(30, nullptr, nullptr, nullptr);
  PluralitySearch search(mixed.columns, labels.data(), 1, CategoricalTest::equality,
                         MissingRule::branch, 0.0, false, 1);
  const PluralityFound found = search.search(weights);
  CHECK(found.test == Test::constant && found.feature == 0 && found.right == weights.total());
}

// A least share of the weight in every block rules candidates out, never the constant.
void blocks_may_be_asked_to_weigh_something() {
  const std::vector<std::vector<double>> x{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}};
  const std::vector<int32_t> labels{1, 0, 0, 0, 0, 0, 0, 0, 2, 2};
  const Columns columns = code_dense(x);
  const Weights weights(10, nullptr, nullptr, nullptr);
  const auto cut = [&](double share) {
    PluralitySearch search(columns, labels.data(), 3, CategoricalTest::equality,
                           MissingRule::branch, share, false, 1);
    return search.search(weights);
  };
  CHECK(cut(0.0).threshold == 7.5 && cut(0.0).high == 2);
  CHECK(cut(0.15).threshold == 7.5);
  CHECK(cut(0.25).threshold == 6.5 && cut(0.25).high == 2);
  CHECK(cut(0.45).test == Test::constant && cut(0.45).high == 0);
}

}  // namespace

int main() {
  games();
  one_class_is_always_right();
  blocks_may_be_asked_to_weigh_something();
}
