// Many labels: distributions over examples and labels, and the tests that best part them, beside
// what trying everything finds.
#include <cmath>

#include "mixed.hpp"
#include "weaklearn/labels/label_grower.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

struct Labelled {
  size_t m, k;
  std::vector<int8_t> sign;
  std::vector<int64_t> copies;
  std::vector<double> prior;
  LabelWeights weights(bool pairs, bool one) const {
    return LabelWeights(m, k, sign.data(), prior.empty() ? nullptr : prior.data(),
                        copies.empty() ? nullptr : copies.data(), pairs, one);
  }
};

enum class Labels { one, any, some };  // one holds; any number; some do not count

Labelled draw_labels(Random& random, size_t m, size_t k, Labels labels, int64_t most_copies,
                     bool importances) {
  Labelled drawn{m, k, std::vector<int8_t>(m * k, -1), {}, {}};
  for (size_t i = 0; i < m; ++i) {
    if (labels == Labels::one)
      drawn.sign[i * k + random.below(k)] = 1;
    else
      for (size_t l = 0; l < k; ++l)
        drawn.sign[i * k + l] =
            labels == Labels::some && random.chance(0.3) ? int8_t{0} : random.sign();
    if (most_copies > 0)
      drawn.copies.push_back(1 +
                             static_cast<int64_t>(random.below(static_cast<size_t>(most_copies))));
    if (importances) drawn.prior.push_back(0.01 + random.uniform());
  }
  if (labels == Labels::some) drawn.sign[0] = 1;  // something has weight
  return drawn;
}

// The weights by their definition.
std::vector<double> by_definition(const Labelled& of, const std::vector<double>& F, bool pairs) {
  std::vector<double> w(of.m * of.k, 0.0);
  double total = 0;
  for (size_t i = 0; i < of.m; ++i) {
    const double each = (of.prior.empty() ? 1.0 : of.prior[i]) *
                        static_cast<double>(of.copies.empty() ? 1 : of.copies[i]);
    const int8_t* const sign = &of.sign[i * of.k];
    const double* const f = &F[i * of.k];
    const auto held = std::count(sign, sign + of.k, int8_t{1});
    const auto not_held = std::count(sign, sign + of.k, int8_t{-1});
    for (size_t l = 0; l < of.k; ++l) {
      if (!pairs && sign[l] != 0) w[i * of.k + l] = each * std::exp(-sign[l] * f[l]);
      for (size_t o = 0; pairs && sign[l] > 0 && o < of.k; ++o) {
        if (sign[o] >= 0) continue;
        const double pair =
            each / static_cast<double>(held * not_held) * std::exp((f[o] - f[l]) / 2);
        w[i * of.k + l] += pair / 2;
        w[i * of.k + o] += pair / 2;
      }
    }
  }
  for (double x : w) total += x;
  for (double& x : w) x /= total;
  return w;
}

void weights_follow_their_scores() {
  Random random(1);
  for (size_t k : {1, 2, 3, 5, 8, 9, 26, 40})
    for (Labels labels : {Labels::one, Labels::any, Labels::some})
      for (bool pairs : {false, true}) {
        const Labelled of =
            draw_labels(random, 37, k, labels, random.chance(0.5) ? 4 : 0, random.chance(0.5));
        LabelWeights weights = of.weights(pairs, labels == Labels::one);
        std::vector<double> F(of.m * k, 0.0);
        for (int round = 0; round < 12; ++round) {
          if (weights.total() == 0) break;  // no pairs
          std::vector<int32_t> block(of.m);
          std::vector<double> step(3 * k);
          const double wild = round == 7 ? 900.0 : round == 9 ? 40.0 : 1.0;
          for (int32_t& b : block) b = static_cast<int32_t>(random.below(3));
          for (double& s : step) s = wild * (random.uniform() - 0.5);
          const double total = weights.total();
          const std::vector<double> before = by_definition(of, F, pairs);
          double left = 0;
          for (size_t i = 0; i < of.m; ++i)
            for (size_t l = 0; l < k; ++l) {
              const double s = step[static_cast<size_t>(block[i]) * k + l];
              left += before[i * k + l] * std::exp(-of.sign[i * k + l] * s);
              F[i * k + l] += s;
            }
          if (pairs) left = wild > 1 ? 0 : 1;
          const double Z = weights.reweight(block.data(), step.data(), 3, left, 2);
          const std::vector<double> right = by_definition(of, F, pairs);
          std::vector<double> got(of.m * k);
          weights.signed_shares(got.data());
          for (size_t e = 0; e < got.size(); ++e)
            CHECK(std::abs(got[e] - of.sign[e] * right[e]) <= 1e-13);
          CHECK(weights.total() <= LabelWeights::kMost && total > 0);
          if (wild < 2 && !pairs) CHECK(std::abs(Z - left) <= 1e-12 * left);
        }
      }
}

void vote_errors_are_counted() {
  Random random(2);
  for (size_t k : {1, 2, 3, 6, 8, 20})
    for (Labels labels : {Labels::one, Labels::any, Labels::some}) {
      const Labelled of = draw_labels(random, 60, k, labels, 3, false);
      LabelWeights weights = of.weights(false, labels == Labels::one);
      std::vector<int32_t> block(of.m);
      std::vector<double> step(4 * k);
      for (int32_t& b : block) b = static_cast<int32_t>(random.below(4));
      for (double& s : step) s = static_cast<double>(random.below(5)) - 2;  // ties and zeros
      weights.reweight(block.data(), step.data(), 4, 1.0, 1);
      int64_t wrong_labels = 0, wrong_rows = 0;
      double least = std::numeric_limits<double>::infinity();
      for (size_t i = 0; i < of.m; ++i) {
        const double* const f = &step[static_cast<size_t>(block[i]) * k];
        const int8_t* const sign = &of.sign[i * k];
        size_t best = 0, label = 0;
        bool exact = true;
        double margin = std::numeric_limits<double>::infinity();
        for (size_t l = 0; l < k; ++l) {
          if (f[l] > f[best]) best = l;
          if (sign[l] > 0) label = l;
          if (sign[l] == 0) continue;
          wrong_labels += sign[l] * f[l] <= 0 ? of.copies[i] : 0;
          exact = exact && (f[l] > 0) == (sign[l] > 0);
          if (labels != Labels::one) margin = std::min(margin, sign[l] * f[l]);
        }
        for (size_t l = 0; labels == Labels::one && l < k; ++l)
          if (l != label) margin = std::min(margin, f[label] - f[l]);
        wrong_rows += (labels == Labels::one ? best != label : !exact) ? of.copies[i] : 0;
        least = std::min(least, margin);
      }
      CHECK(weights.vote_errors().labels == wrong_labels);
      CHECK(weights.vote_errors().rows == wrong_rows);
      if (k > 1 || labels != Labels::one) CHECK(weights.vote_errors().least == least);
    }
}

void ranks_are_counted() {
  Random random(3);
  for (size_t k : {2, 3, 9})
    for (Labels labels : {Labels::one, Labels::any}) {
      const Labelled of = draw_labels(random, 40, k, labels, 3, true);
      LabelWeights weights = of.weights(true, labels == Labels::one);
      if (weights.total() == 0) continue;
      std::vector<int32_t> block(of.m);
      std::vector<double> step(4 * k);
      for (int32_t& b : block) b = static_cast<int32_t>(random.below(4));
      for (double& s : step) s = static_cast<double>(random.below(4)) - 1.5;
      weights.reweight(block.data(), step.data(), 4, 1.0, 1);
      double loss = 0, all = 0;
      for (size_t i = 0; i < of.m; ++i) {
        const double* const f = &step[static_cast<size_t>(block[i]) * k];
        double wrong = 0, pairs = 0;
        for (size_t l = 0; l < k; ++l)
          for (size_t o = 0; o < k; ++o)
            if (of.sign[i * k + l] > 0 && of.sign[i * k + o] < 0) {
              ++pairs;
              wrong += f[o] >= f[l];
            }
        if (pairs == 0) continue;
        const double weight = of.prior[i] * static_cast<double>(of.copies[i]);
        all += weight;
        loss += weight * wrong / pairs;
      }
      CHECK(std::abs(weights.rank_loss() - loss / all) <= 1e-12);
    }
}

// Blocks of a candidate, and what they cost.
struct Tried {
  double cost;
  Test test;
  size_t feature;
  double threshold;
  uint32_t category;
};

class Trying {
 public:
  Trying(const Mixed& mixed, const LabelWeights& weights, LabelSettings settings)
      : mixed_(mixed), weights_(weights), settings_(settings), k_(weights.n_labels()) {}

  std::vector<Tried> all() const {
    std::vector<Tried> tried;
    for (size_t j = 0; j < mixed_.x.size(); ++j) {
      const bool gaps = mixed_.columns[j].has_missing;
      if (mixed_.columns[j].n_codes == 0) continue;
      const bool categories = mixed_.n_categories[j] > 0;
      if (categories && settings_.categorical == CategoricalTest::multiway &&
          settings_.cost == LabelCost::partition) {
        if (mixed_.n_categories[j] > 1) tried.push_back({multiway(j), Test::multiway, j, 0, 0});
      } else {
        for (const Candidate& candidate : candidates(mixed_, j))
          if (candidate.test != Test::constant && mixed_.columns[j].n_codes > 1)
            tried.push_back(
                {cost(candidate), candidate.test, j, candidate.threshold, candidate.category});
      }
      const double most = std::numeric_limits<double>::max();  // above which no number is
      if (gaps) tried.push_back({cost({Test::constant, j, 0, 0}), Test::constant, j, most, 0});
    }
    return tried;
  }

  double whole() const {
    std::vector<std::vector<int64_t>> blocks{std::vector<int64_t>(2 * k_, 0)};
    for (size_t i = 0; i < weights_.size(); ++i) add(i, blocks[0]);
    return cost_of(blocks, {1});
  }

 private:
  void add(size_t i, std::vector<int64_t>& sums) const {
    for (size_t l = 0; l < k_; ++l) {
      const int64_t v = weights_.value(i, l);
      sums[v > 0 ? l : k_ + l] += std::abs(v);
    }
  }
  double cost_of(const std::vector<std::vector<int64_t>>& blocks,
                 const std::vector<int>& side) const {
    double cost = 0;
    for (size_t l = 0; l < k_; ++l) {
      double spread = 0;
      for (size_t b = 0; b < blocks.size(); ++b) {
        const double plus = weights_.share(blocks[b][l], l) * weights_.total();
        const double minus = weights_.share(blocks[b][k_ + l], k_ + l) * weights_.total();
        if (settings_.cost == LabelCost::partition) cost += 2 * std::sqrt(plus * minus);
        if (settings_.cost == LabelCost::product) spread += side[b] * (plus - minus);
        if (settings_.cost == LabelCost::discrete) cost -= std::abs(plus - minus);
        if (settings_.cost == LabelCost::abstain)
          cost += side[b] == 2 ? 2 * std::sqrt(plus * minus) : plus + minus;
      }
      cost -= std::abs(spread);
    }
    return cost;
  }
  double cost(const Candidate& candidate) const {
    std::vector<std::vector<int64_t>> blocks(3, std::vector<int64_t>(2 * k_, 0));
    for (size_t i = 0; i < weights_.size(); ++i) {
      const double x = mixed_.x[candidate.feature][i];
      add(i, blocks[std::isnan(x) ? 2 : above(candidate, x) ? 1 : 0]);
    }
    if (settings_.cost == LabelCost::abstain) return cost_of(blocks, {0, 2, 0});  // 2: it speaks
    return std::min(cost_of(blocks, {-1, 1, 1}), cost_of(blocks, {-1, 1, -1}));
  }
  double multiway(size_t j) const {
    std::vector<std::vector<int64_t>> blocks(mixed_.n_categories[j] + 1,
                                             std::vector<int64_t>(2 * k_, 0));
    for (size_t i = 0; i < weights_.size(); ++i) {
      const double x = mixed_.x[j][i];
      add(i, blocks[std::isnan(x) ? mixed_.n_categories[j] : static_cast<size_t>(x)]);
    }
    return cost_of(blocks, {});
  }

  const Mixed& mixed_;
  const LabelWeights& weights_;
  LabelSettings settings_;
  size_t k_;
};

void check_found(const Mixed& mixed, const LabelWeights& weights, const LabelSettings& settings,
                 const LabelTree& grown) {
  const Trying trying(mixed, weights, settings);
  const double tied = weights.total() * 1e-12;
  double best = trying.whole();
  const std::vector<Tried> all = trying.all();
  for (const Tried& tried : all) best = std::min(best, tried.cost);
  const TreeArrays& tree = grown.tree;
  if (trying.whole() - best <= 0.5 * tied) {
    CHECK(tree.size() == 1);
    return;
  }
  if (trying.whole() - best <= 2 * tied) return;
  CHECK(tree.size() > 1);
  // The first within the tolerance; one that rounding puts to its edge may be taken for it or not.
  for (const Tried& tried : all) {
    if (tried.cost > best + 1.5 * tied) continue;
    const bool categories = mixed.n_categories[tried.feature] > 0;
    const bool same =
        static_cast<size_t>(tree.feature[0]) == tried.feature &&
        (categories ? tried.test == Test::multiway ? tree.ask[0] == 3 : tree.ask[0] == 2
                    : tree.threshold[0] == tried.threshold);
    const bool same_category =
        !categories || tried.test == Test::multiway ||
        (tree.ask[0] == 2 && tree.subsets[0].has(tried.category) == (tried.test == Test::equality));
    if (!(same && same_category) && tried.cost > best + 0.5 * tied) continue;
    CHECK(same && same_category);
    CHECK(std::abs(tree.gain[0] * weights.total() - (trying.whole() - tried.cost)) <= 2 * tied);
    return;
  }
  CHECK(false);
}

// Blocks answer with their confidences.
void check_answers(const LabelWeights& weights, const LabelTree& grown, double s) {
  const size_t k = weights.n_labels();
  for (size_t node = 0; node < grown.tree.size(); ++node)
    for (size_t l = 0; l < k; ++l) {
      const double plus = weights.share(grown.sums[node * 2 * k + l], l);
      const double minus = weights.share(grown.sums[node * 2 * k + k + l], k + l);
      const double right = 0.5 * std::log((plus + s) / (minus + s));
      CHECK(std::abs(grown.tree.values[node * k + l] - right) <= 1e-12 * (1 + std::abs(right)));
    }
}

// The sums of nodes are those of the rows that ended there.
void check_leaves(const LabelWeights& weights, const LabelTree& grown) {
  const size_t k = weights.n_labels(), n = grown.tree.size();
  const std::vector<int64_t> sums = weights.sums(grown.leaf.data(), n);
  for (size_t node = 0; node < n; ++node) {
    if (grown.tree.width[node] > 0) continue;
    for (size_t l = 0; l < 2 * k; ++l)
      CHECK(sums[node * 2 * k + l] == grown.sums[node * 2 * k + l]);
  }
}

// Sums that follow the weights from round to round are those of all rows.
void check_sums(const LabelWeights& weights) {
  const std::vector<int32_t> block(weights.size(), 0);
  const std::vector<int64_t> sums = weights.sums(block.data(), 1);
  const size_t k = weights.n_labels();
  double total = 0;
  for (size_t l = 0; l < 2 * k; ++l) {
    CHECK(weights.sums()[l < k ? l : weights.stride() + l - k] == sums[l]);
    total += weights.share(sums[l], l);
  }
  CHECK(std::abs(total - 1) <= 1e-14);
}

void play(Random& random, size_t m, size_t k, Labels labels, double missing, int rounds) {
  const Mixed mixed = draw_mixed(random, m, missing);
  const Labelled of = draw_labels(random, m, k, labels, random.chance(0.5) ? 3 : 0, false);
  for (LabelCost cost :
       {LabelCost::partition, LabelCost::product, LabelCost::discrete, LabelCost::abstain})
    for (CategoricalTest categorical : {CategoricalTest::equality, CategoricalTest::multiway}) {
      LabelTreeSettings settings;
      settings.cost = cost;
      settings.categorical = categorical;
      LabelWeights weights = of.weights(false, labels == Labels::one);
      LabelGrower grower(mixed.columns, settings, 3);
      for (int round = 0; round < rounds; ++round) {
        const LabelTree grown = grower.grow(weights, 0.01);
        if (cost == LabelCost::partition) check_answers(weights, grown, 0.01);
        check_found(mixed, weights, settings, grown);
        check_leaves(weights, grown);
        const size_t n = grown.tree.size();
        std::vector<double> step(n * k);
        for (double& s : step) s = random.uniform() - 0.5;
        weights.reweight(grown.leaf.data(), step.data(), n, 1.0, 2);
        check_sums(weights);
      }
    }
}

void games() {
  Random random(4);
  for (size_t m : {1, 2, 5, 30})
    for (size_t k : {1, 2, 3, 9})
      for (Labels labels : {Labels::one, Labels::any, Labels::some})
        for (double missing : {0.0, 0.3}) play(random, m, k, labels, missing, 4);
  play(random, 700, 3, Labels::one, 0.1, 4);  // bins to open
  play(random, 700, 11, Labels::any, 0.0, 3);
}

// Neither the order of rows nor copies against repeated rows change a tree.
void order_and_copies_do_not_matter() {
  Random random(5);
  const size_t m = 400, k = 5;
  std::vector<std::vector<double>> x;
  for (Kind kind : {Kind::many, Kind::few, Kind::mostly_zero})
    x.push_back(draw_column(random, kind, m, 0.1));
  Labelled of = draw_labels(random, m, k, Labels::one, 3, false);
  std::vector<std::vector<double>> y(x.size());
  Labelled other{0, k, {}, {}, {}};
  for (size_t i : shuffled(random, m))
    for (int64_t c = 0; c < of.copies[i]; ++c) {
      for (size_t j = 0; j < x.size(); ++j) y[j].push_back(x[j][i]);
      other.sign.insert(other.sign.end(), &of.sign[i * k], &of.sign[i * k] + k);
      ++other.m;
    }
  const Columns plain = code_dense(x), spread = code_sparse(y, random);
  LabelWeights a = of.weights(false, true), b = other.weights(false, true);
  LabelTreeSettings settings;
  settings.max_depth = 4;
  settings.max_leaf_nodes = 7;
  LabelGrower one(plain, settings, 1), two(spread, settings, 3);
  for (int round = 0; round < 6; ++round) {
    const LabelTree s = one.grow(a), t = two.grow(b);
    CHECK(s.tree.feature == t.tree.feature && s.tree.threshold == t.tree.threshold);
    CHECK(s.sums == t.sums && s.tree.count == t.tree.count && s.tree.size() > 3);
    check_leaves(a, s);
    check_leaves(b, t);
    std::vector<double> step(s.tree.size() * k);
    for (double& v : step) v = random.uniform() - 0.5;
    CHECK(a.reweight(s.leaf.data(), step.data(), s.tree.size(), 0.9, 1) ==
          b.reweight(t.leaf.data(), step.data(), t.tree.size(), 0.9, 2));
    CHECK(a.total() == b.total());
  }
}

void limits_are_kept() {
  Random random(6);
  const size_t m = 300, k = 4;
  const Mixed mixed = draw_mixed(random, m, 0.0);
  const Labelled of = draw_labels(random, m, k, Labels::one, 0, false);
  const LabelWeights weights = of.weights(false, true);
  LabelTreeSettings settings;
  settings.max_depth = 5;
  settings.min_samples_split = 60;
  settings.min_samples_leaf = 20;
  const LabelTree counted = LabelGrower(mixed.columns, settings, 2).grow(weights);
  for (size_t node = 0; node < counted.tree.size(); ++node) {
    CHECK(counted.tree.count[node] >= 20);
    if (counted.tree.width[node] > 0) CHECK(counted.tree.count[node] >= 60);
  }
  CHECK(counted.tree.size() > 3);
  settings.min_samples_split = 2;
  settings.min_samples_leaf = 1;
  settings.least_share = 0.2;
  const LabelTree heavy = LabelGrower(mixed.columns, settings, 2).grow(weights);
  for (double w : heavy.tree.weight) CHECK(w >= 0.2 - 1e-9);
  LabelTreeSettings small;
  small.max_depth = 9;
  small.max_leaf_nodes = 4;
  const LabelTree few = LabelGrower(mixed.columns, small, 2).grow(weights);
  size_t leaves = 0;
  for (int32_t width : few.tree.width) leaves += width == 0;
  CHECK(leaves == 4);
}

}  // namespace

int main() {
  weights_follow_their_scores();
  vote_errors_are_counted();
  ranks_are_counted();
  games();
  order_and_copies_do_not_matter();
  limits_are_kept();
}
