#include <tuple>

#include "check.hpp"
#include "weaklearn/online/linear.hpp"

using namespace weaklearn;
using weaklearn::testing::Random;

namespace {

// Random rows, half of whose cells are zeros, dense and sparse.
struct Rows {
  size_t n, d;
  std::vector<double> cells, data;
  std::vector<float> singles;
  std::vector<int32_t> features, y;
  std::vector<int64_t> starts{0};

  Rows(size_t rows, size_t columns, uint64_t seed) : n(rows), d(columns) {
    Random random(seed);
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j < d; ++j) {
        const auto x = static_cast<float>(random.chance(0.5) ? 0.0 : random.uniform() - 0.4);
        cells.push_back(x);
        singles.push_back(x);
        if (x != 0) {
          data.push_back(x);
          features.push_back(static_cast<int32_t>(j));
        }
      }
      starts.push_back(static_cast<int64_t>(data.size()));
      y.push_back(random.sign());
    }
  }

  DenseLines<double> dense(bool constant) const { return {cells.data(), n, d, d, constant}; }
  DenseLines<float> single(bool constant) const { return {singles.data(), n, d, d, constant}; }
  SparseLines sparse(bool constant) const {
    return {data.data(), features.data(), starts.data(), n, d, constant};
  }
  // The same with a column of ones behind the others.
  std::vector<double> with_ones() const {
    std::vector<double> wider;
    for (size_t i = 0; i < n; ++i) {
      wider.insert(wider.end(), cells.begin() + i * d, cells.begin() + (i + 1) * d);
      wider.push_back(1.0);
    }
    return wider;
  }
};

struct Learnt {
  std::vector<double> w, drift, kept, scores, losses;
  std::vector<uint8_t> mistakes;
  Passed passed;
};

template <class Lines>
Learnt learn(const Lines& lines, const std::vector<int32_t>& y, size_t outputs, Cost cost,
             const Steps& steps, int64_t seen = 0, const int64_t* order = nullptr) {
  const size_t size = outputs * lines.width(), n = lines.size();
  Learnt learnt{std::vector<double>(size),
                std::vector<double>(size),
                std::vector<double>(size),
                std::vector<double>(n * outputs),
                std::vector<double>(n),
                std::vector<uint8_t>(n),
                {}};
  learnt.passed =
      linear_pass(lines, {n, y.data(), order, seen, false},
                  {outputs, learnt.w.data(), learnt.drift.data(), learnt.kept.data()}, cost, steps,
                  {learnt.scores.data(), learnt.mistakes.data(), learnt.losses.data()});
  return learnt;
}

constexpr Cost kCosts[] = {Cost::perceptron, Cost::hinge, Cost::logistic, Cost::squared};

void alike_whatever_the_form() {
  for (size_t d : {1u, 5u, 8u, 13u, 16u, 23u}) {
    const Rows rows(200, d, d);
    const std::vector<double> ones = rows.with_ones();
    for (Cost cost : kCosts) {
      const Steps steps{0.1, cost == Cost::squared, nullptr};
      for (bool constant : {false, true}) {
        const Learnt dense = learn(rows.dense(constant), rows.y, 1, cost, steps);
        const Learnt single = learn(rows.single(constant), rows.y, 1, cost, steps);
        const Learnt sparse = learn(rows.sparse(constant), rows.y, 1, cost, steps);
        CHECK(dense.w == single.w && dense.w == sparse.w);
        CHECK(dense.scores == single.scores && dense.scores == sparse.scores);
        CHECK(dense.drift == sparse.drift && dense.kept == sparse.kept);
        CHECK(dense.losses == sparse.losses && dense.mistakes == sparse.mistakes);
        if (constant) {
          const DenseLines<double> wider(ones.data(), rows.n, d + 1, d + 1, false);
          CHECK(learn(wider, rows.y, 1, cost, steps).w == dense.w);
        }
      }
    }
  }
}

void weights_are_the_sum_of_mistakes() {
  const Rows rows(300, 7, 3);
  const Learnt learnt = learn(rows.dense(false), rows.y, 1, Cost::perceptron, {});
  std::vector<double> w(7), average(7);
  int64_t mistakes = 0;
  for (size_t i = 0; i < rows.n; ++i) {
    const double score = product(rows.cells.data() + i * 7, w.data(), 7);
    CHECK(score == learnt.scores[i]);
    CHECK((rows.y[i] * score <= 0) == (learnt.mistakes[i] != 0));
    if (learnt.mistakes[i] != 0) {
      ++mistakes;
      for (size_t j = 0; j < 7; ++j) w[j] += rows.y[i] * rows.cells[i * 7 + j];
    }
    for (size_t j = 0; j < 7; ++j) average[j] += w[j] / static_cast<double>(rows.n);
  }
  CHECK(w == learnt.w);
  CHECK(mistakes == learnt.passed.mistakes && mistakes == learnt.passed.updates);
  CHECK(mistakes > 0 && learnt.passed.n == rows.n && learnt.passed.ending == Ending::all);
  for (size_t j = 0; j < 7; ++j)
    CHECK(std::abs(learnt.w[j] - learnt.drift[j] / static_cast<double>(rows.n) - average[j]) <
          1e-9);
}

void the_pocket_has_the_longest_run() {
  const Rows rows(300, 4, 5);
  const Learnt learnt = learn(rows.dense(false), rows.y, 1, Cost::perceptron, {});
  std::vector<double> w(4), best(4);
  size_t run = 0, most = 0;
  for (size_t i = 0; i <= rows.n; ++i) {
    if (i == rows.n || learnt.mistakes[i] != 0) {
      if (run > most) {
        most = run;
        best = w;
      }
      run = 0;
      for (size_t j = 0; i < rows.n && j < 4; ++j) w[j] += rows.y[i] * rows.cells[i * 4 + j];
    } else {
      ++run;
    }
  }
  CHECK(most == learnt.passed.run && most > 1);
  CHECK(best == learnt.kept);
}

void outputs_learn_apart() {
  const Rows rows(200, 6, 11);
  std::vector<int32_t> classes, sign(rows.n);
  for (size_t i = 0; i < rows.n; ++i) classes.push_back(static_cast<int32_t>(i * 7 % 5 % 3));
  for (Cost cost : kCosts) {
    const Steps steps{0.05, true, nullptr};
    const Learnt all = learn(rows.sparse(true), classes, 3, cost, steps, 10);
    for (int32_t k = 0; k < 3; ++k) {
      for (size_t i = 0; i < rows.n; ++i) sign[i] = classes[i] == k ? 1 : -1;
      const Learnt one = learn(rows.sparse(true), sign, 1, cost, steps, 10);
      CHECK(std::vector<double>(all.w.begin() + k * 7, all.w.begin() + (k + 1) * 7) == one.w);
    }
    for (size_t i = 0; i < rows.n; ++i) {
      bool wrong = false;
      for (int32_t k = 0; k < 3; ++k)
        wrong |= k != classes[i] && all.scores[i * 3 + k] >= all.scores[i * 3 + classes[i]];
      CHECK(wrong == (all.mistakes[i] != 0));
    }
  }
}

void steps_follow_their_schedule() {
  const double x = 1.0;
  const DenseLines<double> one(&x, 1, 1, 1, false);
  const double given = 3.0;
  for (const auto& [steps, seen, wanted] :
       {std::tuple<Steps, int64_t, double>{{0.5, false, nullptr}, 8, 0.5},
        {{0.5, true, nullptr}, 8, 0.5 / 3},
        {{0.5, true, &given}, 8, 1.5}}) {
    const Learnt learnt = learn(one, {1}, 1, Cost::hinge, steps, seen);
    CHECK(learnt.w[0] == wanted);
    CHECK(learnt.drift[0] == 8 * wanted);
  }
  CHECK(learn(one, {1}, 1, Cost::squared, {0.25, false, nullptr}).w[0] == 0.5);
  CHECK(learn(one, {-1}, 1, Cost::logistic, {1.0, false, nullptr}).w[0] == -0.5);
}

void an_order_is_followed() {
  const Rows rows(50, 3, 2);
  std::vector<int64_t> order;
  std::vector<double> cells;
  std::vector<int32_t> y;
  for (size_t k = 0; k < 50; ++k) {
    order.push_back(static_cast<int64_t>(k * 7 % 50));
    for (size_t j = 0; j < 3; ++j) cells.push_back(rows.cells[order.back() * 3 + j]);
    y.push_back(rows.y[order.back()]);
  }
  const Learnt there = learn(rows.dense(false), rows.y, 1, Cost::hinge, {}, 0, order.data());
  const Learnt here =
      learn(DenseLines<double>(cells.data(), 50, 3, 3, false), y, 1, Cost::hinge, {});
  CHECK(there.w == here.w && there.scores == here.scores);
}

void what_cannot_be_learnt_ends_the_pass() {
  const std::vector<double> cells{1.0, 0.0, 2.0, std::nan("")};
  const std::vector<int32_t> y{1, -1, 1, 1};
  std::vector<double> w(1);
  const DenseLines<double> lines(cells.data(), 4, 1, 1, false);
  Passed passed =
      linear_pass(lines, {4, y.data(), nullptr, 0, true}, {1, w.data()}, Cost::perceptron, {}, {});
  CHECK(passed.ending == Ending::zero && passed.n == 1 && w[0] == 1.0);
  passed =
      linear_pass(lines, {4, y.data(), nullptr, 0, false}, {1, w.data()}, Cost::perceptron, {}, {});
  CHECK(passed.ending == Ending::unsound && passed.n == 3);
  const DenseLines<double> lifted(cells.data(), 3, 1, 1, true);
  w.resize(2);
  passed =
      linear_pass(lifted, {3, y.data(), nullptr, 0, true}, {1, w.data()}, Cost::perceptron, {}, {});
  CHECK(passed.ending == Ending::all);
}

void errors_are_those_of_the_scores() {
  const Rows rows(5000, 9, 17);
  Random random(1);
  std::vector<double> w(2 * 3 * 9), out(rows.n * 3);
  for (double& x : w) x = random.uniform() - 0.5;
  std::vector<int32_t> classes;
  for (size_t i = 0; i < rows.n; ++i) classes.push_back(static_cast<int32_t>(random.below(3)));
  for (int threads : {1, 3}) {
    const auto found = linear_errors(rows.sparse(false), classes.data(), 2, 3, w.data(), threads);
    for (size_t c = 0; c < 2; ++c) {
      linear_scores(rows.dense(false), 3, w.data() + c * 27, out.data(), threads);
      int64_t wrong = 0;
      for (size_t i = 0; i < rows.n; ++i) {
        const double* s = out.data() + i * 3;
        wrong += std::max_element(s, s + 3) - s != classes[i];
      }
      CHECK(found[c] == wrong);
    }
    const auto two = linear_errors(rows.dense(false), rows.y.data(), 1, 1, w.data(), threads);
    linear_scores(rows.dense(false), 1, w.data(), out.data(), threads);
    int64_t wrong = 0;
    for (size_t i = 0; i < rows.n; ++i) wrong += (out[i] > 0 ? 1 : -1) != rows.y[i];
    CHECK(two[0] == wrong);
  }
}

}  // namespace

int main() {
  alike_whatever_the_form();
  weights_are_the_sum_of_mistakes();
  the_pocket_has_the_longest_run();
  outputs_learn_apart();
  steps_follow_their_schedule();
  an_order_is_followed();
  what_cannot_be_learnt_ends_the_pass();
  errors_are_those_of_the_scores();
}
