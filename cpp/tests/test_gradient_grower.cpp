// Gradients as whole numbers, and trees grown on them.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "mixed.hpp"
#include "weaklearn/columns/merge.hpp"
#include "weaklearn/gradient/gradient_grower.hpp"
#include "weaklearn/gradient/whole_gradients.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

struct Slopes {
  std::vector<double> g, c;
};

Slopes draw_slopes(Random& random, size_t m, double size = 1) {
  Slopes slopes;
  for (size_t i = 0; i < m; ++i) {
    const double p = random.uniform();
    slopes.g.push_back((random.chance(0.5) ? p - 1 : p) * size);
    slopes.c.push_back(p * (1 - p) * size);
  }
  return slopes;
}

void take(WholeGradients& whole, const Gradients& from, size_t m,
          const std::vector<uint32_t>& bag) {
  whole.take(from, m, GradientExtent::of(from, m, bag.data(), bag.size(), 1), 1);
}

// Whatever their size, rounded gradients keep as many digits as they have bits.
void rounded_gradients() {
  Random random(1);
  const size_t m = 1000;
  std::vector<uint32_t> rows(m);
  std::iota(rows.begin(), rows.end(), 0u);
  for (const double size : {1.0, 3.7, 1e-30, 1e300, 1e-280})
    for (const bool bounded : {true, false})
      for (const bool constant : {true, false}) {
        const Slopes slopes = draw_slopes(random, m, size);
        WholeGradients whole;
        take(whole, {slopes.g.data(), constant ? nullptr : slopes.c.data(), nullptr, bounded}, m,
             rows);
        CHECK(whole.packed() == (bounded || constant) && whole.constant() == constant);
        CHECK(whole.examples() == static_cast<int64_t>(m));
        const double most_g = largest(slopes.g.data(), m), most_c = largest(slopes.c.data(), m);
        const double g_slack = constant ? 0x1p-35 : bounded ? 0x1p-13 : 0x1p-50;
        for (size_t i = 0; i < m; ++i) {
          int64_t g = 0, c = 0, n = 0;
          if (whole.packed())
            hot().unpack(whole.one() + i, 1, kCountBits, whole.c_bits(), &g, &c, &n);
          else
            g = whole.g()[i], c = whole.c()[i], n = whole.n()[i];
          CHECK(n == 1);
          CHECK(std::abs(static_cast<double>(g) * whole.g_unit() - slopes.g[i]) <=
                g_slack * most_g);
          if (!constant)
            CHECK(std::abs(static_cast<double>(c) * whole.c_unit() - slopes.c[i]) <=
                  (bounded ? 0x1p-10 : 0x1p-50) * most_c);
        }
        long double G = 0, C = 0;
        for (size_t i = 0; i < m; ++i) G += slopes.g[i], C += constant ? 1 : slopes.c[i];
        const WholeGradients::ExactSums sums = whole.exact(rows.data(), m);
        CHECK(std::abs(whole.gradient(sums) - static_cast<double>(G)) <= most_g * m * 0x1p-50);
        CHECK(std::abs(whole.curvature(sums) - static_cast<double>(C)) <=
              1e-12 * static_cast<double>(C));
      }
}

// So many copies that 13 bits a gradient would leave 64: fewer bits, and no overflow.
void many_copies() {
  const size_t m = 4;
  const std::vector<double> g{1, 1, 1, -1}, c{0.25, 0.25, 0.25, 0.25};
  const std::vector<int64_t> copies{int64_t{1} << 51, int64_t{1} << 51, int64_t{1} << 50, 1};
  const std::vector<uint32_t> rows{0, 1, 2, 3};
  const double n = 0x1.4p52;
  for (const bool bounded : {true, false}) {
    WholeGradients whole;
    take(whole, {g.data(), c.data(), copies.data(), bounded}, m, rows);
    CHECK(!whole.packed());
    int64_t sum = 0;
    for (size_t i = 0; i < m; ++i) sum += whole.g()[i];
    CHECK(static_cast<double>(sum) * whole.g_unit() == n - 1);
    const WholeGradients::ExactSums sums = whole.exact(rows.data(), m);
    CHECK(whole.gradient(sums) == n - 1 && whole.curvature(sums) == (n + 1) / 4);
  }
}

// Scales have room for the copies in the bag: those outside it, of any number, are not summed.
void copies_outside_the_bag() {
  const size_t m = 4, n_parts = 2;
  const std::vector<double> g{1, -1, 1, 1}, c{0.25, 0.5, 0.25, 1};
  const std::vector<int64_t> copies{3, 5, int64_t{1} << 40, int64_t{1} << 40};
  const std::vector<uint32_t> bag{0, 1};
  const std::vector<uint8_t> part{0, 1, n_parts, n_parts + 1};
  for (const bool constant : {true, false}) {
    WholeGradients whole;
    take(whole, {g.data(), constant ? nullptr : c.data(), copies.data(), false}, m, bag);
    std::vector<WholeGradients::ExactSums> sums(2 * n_parts);
    whole.add_exact(0, m, part.data(), n_parts, sums.data());
    for (size_t k = 0; k < n_parts; ++k) {
      const WholeGradients::ExactSums right = whole.exact(&bag[k], 1);
      CHECK(sums[k].g == right.g && sums[k].c == right.c);
      CHECK(whole.gradient(sums[k]) == g[k] * static_cast<double>(copies[k]));
      CHECK(sums[n_parts + k].g == 0 && sums[n_parts + k].c == 0);
    }
  }
}

bool same(const TreeArrays& a, const TreeArrays& b) {
  return a.ask == b.ask && a.feature == b.feature && a.threshold == b.threshold &&
         a.first == b.first && a.width == b.width && a.missing == b.missing &&
         a.subset == b.subset && a.value == b.value && a.weight == b.weight && a.count == b.count &&
         a.gain == b.gain && a.values == b.values && a.subsets.size() == b.subsets.size() &&
         (a.subsets.empty() || std::memcmp(a.subsets.data(), b.subsets.data(),
                                           a.subsets.size() * sizeof(CategorySet)) == 0);
}

// With room for no histogram, for a few or for all, on one thread or many, with the codes in
// columns alone or in bands too: the same trees.
void memory_and_threads_change_nothing() {
  Random random(3);
  for (const size_t m : {300, 9000}) {
    const Mixed mixed = draw_mixed(random, m, 0.05);
    std::vector<Slopes> slopes;
    std::vector<GrowTask> tasks;
    std::vector<uint32_t> bag;
    for (uint32_t i = 0; i < m; ++i)
      if (random.chance(0.7)) bag.push_back(i);
    std::vector<int32_t> some;
    for (int32_t j = 0; j < static_cast<int32_t>(mixed.columns.size()); ++j)
      if (j % 3 != 1) some.push_back(j);
    for (int k = 0; k < 3; ++k) slopes.push_back(draw_slopes(random, m));
    for (int k = 0; k < 3; ++k) {
      GrowTask task;
      task.gradients = {slopes[k].g.data(), k == 1 ? nullptr : slopes[k].c.data(), nullptr, k < 2};
      if (k > 0) task.rows = bag.data(), task.n_rows = bag.size();
      if (k == 2) task.features = some.data(), task.n_features = some.size();
      tasks.push_back(task);
    }
    std::vector<std::vector<TreeArrays>> grown;
    std::vector<std::vector<double>> scores;
    for (const size_t room : {size_t{0}, 3 * mixed.columns.size() * sizeof(Sums), size_t{1} << 30})
      for (const int threads : {1, 4})
        for (const bool together : {true, false}) {
          GradientSettings settings;
          settings.worth_bands = together == (threads > 1) ? 0 : m + 1;
          settings.min_samples_leaf = 2;
          settings.min_curvature = 1e-3;
          settings.l2 = 1.0;
          settings.category_noise = 0.6;
          settings.category_smooth = 10.0;
          settings.max_leaf_nodes = 40;
          settings.most_bytes = room;
          GradientGrower grower(mixed.columns, settings, threads);
          std::vector<double> F(3 * m, 0.0);
          for (int k = 0; k < 3; ++k) tasks[k].scores = F.data() + k * m;
          std::vector<TreeArrays> trees;
          if (together)
            trees = grower.grow(tasks);
          else
            for (const GrowTask& task : tasks) trees.push_back(grower.grow({task})[0]);
          grown.push_back(std::move(trees));
          scores.push_back(F);
        }
    CHECK(grown[0][0].size() == 79 && grown[0][1].size() == 79 && grown[0][2].size() > 20);
    for (size_t k = 1; k < grown.size(); ++k) {
      for (int t = 0; t < 3; ++t) CHECK(same(grown[0][t], grown[k][t]));
      CHECK(scores[0] == scores[k]);
    }
  }
}

// Trees of one and of two columns are the same on sums of codes as on lists of rows, with room for
// no histogram or for all.
void trees_by_cells() {
  Random random(4);
  for (const size_t m : {200, 30'000}) {
    const Mixed fine = draw_mixed(random, m, 0.05);
    const std::unique_ptr<Columns> coarse = merge(fine.columns, 31, nullptr);
    const auto d = static_cast<int32_t>(coarse->size());
    std::vector<uint32_t> bag;
    for (uint32_t i = 0; i < m; ++i)
      if (random.chance(0.6)) bag.push_back(i);
    std::vector<int64_t> copies(m);
    for (int64_t& one : copies) one = static_cast<int64_t>(1 + random.below(3));
    std::vector<Slopes> slopes;
    for (int k = 0; k < 5; ++k) slopes.push_back(draw_slopes(random, m));
    slopes[4].g.assign(m, 0.25);  // nothing to gain: a single leaf
    slopes[4].c.assign(m, 0.25);
    std::vector<GrowTask> tasks(5);
    for (int k = 0; k < 5; ++k) {
      tasks[k].gradients = {slopes[k].g.data(), k == 1 ? nullptr : slopes[k].c.data(),
                            k == 2 ? copies.data() : nullptr, k != 3};
      if (k != 0) tasks[k].rows = bag.data(), tasks[k].n_rows = bag.size();
      tasks[k].vote = 0.1;
    }
    for (const bool pairs : {false, true})
      for (const bool monotone : {false, true}) {
        std::vector<std::vector<TreeArrays>> grown;
        std::vector<std::vector<double>> scores;
        for (const size_t worth_cells : {SIZE_MAX, size_t{0}})
          for (const int threads : {1, 3, 16}) {
            GradientSettings settings;
            settings.min_samples_leaf = 3;
            settings.l2 = 1.0;
            settings.category_noise = 0.6;
            settings.category_smooth = 10.0;
            settings.max_leaf_nodes = 12;
            settings.max_depth = 6;
            settings.worth_cells = worth_cells;
            if (threads == 3) settings.most_bytes = 0;
            if (monotone)
              for (int32_t j = 0; j < d; ++j)
                settings.monotonic.push_back((*coarse)[j].categorical ? 0 : 1);
            // A feature that stands twice is a pair too, so that rows can be asked for.
            for (int32_t j = 0; j < d; ++j) {
              settings.groups.push_back({j, pairs ? (j + 1) % d : j});
              if (pairs) settings.groups.push_back({j, (j + 2) % d});
              if (!pairs && worth_cells == 0) settings.groups.back().pop_back();
            }
            GradientGrower grower(pairs ? *coarse : fine.columns, settings, threads);
            std::vector<double> F(5 * m, 0.5);
            for (int k = 0; k < 5; ++k) tasks[k].scores = F.data() + k * m;
            grown.push_back(grower.grow(tasks));
            scores.push_back(F);
          }
        CHECK(grown[0][0].size() > 5 && grown[0][4].size() == 1);
        for (size_t k = 1; k < grown.size(); ++k) {
          for (int t = 0; t < 5; ++t) CHECK(same(grown[0][t], grown[k][t]));
          CHECK(scores[0] == scores[k]);
        }
      }
  }
}

}  // namespace

int main() {
  rounded_gradients();
  many_copies();
  copies_outside_the_bag();
  memory_and_threads_change_nothing();
  trees_by_cells();
}
