// Coordinate ascent climbs: no step makes the dual smaller, the primal stays above it, and dense
// and sparse rows give the same bits.
#include "check.hpp"
#include "weaklearn/online/dual.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

struct Task {
  size_t n, d;
  std::vector<double> X, y, cap, K, a;
  std::vector<int64_t> start{0};
  std::vector<int32_t> column;
  std::vector<double> cell;

  Task(Random& random, size_t rows, size_t features) : n(rows), d(features) {
    for (size_t i = 0; i < n; ++i) {
      double length = 0;
      for (size_t k = 0; k < d; ++k) {
        const double x = random.chance(0.4) ? 0.0 : 2 * random.uniform() - 1;
        X.push_back(x);
        length += x * x;
        if (x != 0) {
          column.push_back(static_cast<int32_t>(k));
          cell.push_back(x);
        }
      }
      start.push_back(static_cast<int64_t>(cell.size()));
      y.push_back(random.sign());
      cap.push_back(0.5 + 3 * random.uniform());
      K.push_back(length);
    }
    a.assign(n, 0.0);
  }

  DenseRows dense() const { return {X.data(), n, d}; }
  SparseRows sparse() const { return {start.data(), column.data(), cell.data(), n, d}; }
  Dual dual() { return {y.data(), cap.data(), K.data(), n, a.data()}; }

  double objective(const double* w) const {
    double sum = 0;
    for (size_t i = 0; i < n; ++i) sum += a[i];
    return sum - product(w, w, d);
  }
  double primal(const double* w) const {
    double sum = product(w, w, d);
    for (size_t i = 0; i < n; ++i) {
      const double margin = y[i] * product(X.data() + i * d, w, d);
      sum += cap[i] * std::max(0.0, 1 - margin);
    }
    return sum;
  }
};

void passes(Random& random) {
  Task one(random, 60, 7), other = one;
  std::vector<double> w(one.d, 0.0), v(one.d, 0.0);
  double before = 0;
  for (uint64_t key = 1; key <= 40; ++key) {
    pass(one.dual(), one.dense(), w.data(), key);
    pass(other.dual(), other.sparse(), v.data(), key);
    CHECK(one.a == other.a && w == v);
    const double now = one.objective(w.data());
    CHECK(now >= before - 1e-12 && one.primal(w.data()) >= now - 1e-12);
    before = now;
    for (size_t i = 0; i < one.n; ++i) CHECK(one.a[i] >= 0 && one.a[i] <= one.cap[i]);
  }
  CHECK(one.primal(w.data()) - before < 1e-2 * before);
}

// A row whose kernels are all 0 belongs at its limit.
void rows_of_length_zero() {
  const double y = 1, cap = 3, K = 0;
  double a = 0;
  const Dual dual{&y, &cap, &K, 1, &a};
  CHECK(dual.best(0, 0.0) == 3);
  CHECK(dual.best(0, 1.5) == 0);
}

void climbing(Random& random) {
  Task task(random, 40, 25);
  std::vector<double> panel(task.d * task.n), matrix(task.n * task.n), g(task.n, 0.0);
  for (size_t i = 0; i < task.n; ++i)
    for (size_t k = 0; k < task.d; ++k) panel[k * task.n + i] = task.X[i * task.d + k];
  gram<InnerProduct>(task.dense(), panel.data(), task.n, matrix.data(), 1);
  const auto value = [&] {
    double sum = 0;
    for (size_t i = 0; i < task.n; ++i) sum += task.a[i] - task.a[i] * g[i] / 2;
    return sum;
  };
  const auto gap = [&] {
    double sum = 0;
    for (size_t i = 0; i < task.n; ++i)
      sum += g[i] < 1 ? (task.cap[i] - task.a[i]) * (1 - g[i]) : task.a[i] * (g[i] - 1);
    return sum;
  };
  double before = 0;
  for (int round = 0; round < 30; ++round) {
    climb(task.dual(), matrix.data(), g.data(), 20);
    CHECK(value() >= before - 1e-12);
    before = value();
    std::vector<size_t> face;
    for (size_t i = 0; i < task.n; ++i)
      if (task.a[i] > 0 && task.a[i] < task.cap[i]) face.push_back(i);
    const size_t q = face.size();
    std::vector<double> Q(q * q), slope(q), cap(q), a(q);
    for (size_t s = 0; s < q; ++s) {
      const size_t i = face[s];
      for (size_t t = 0; t < q; ++t)
        Q[s * q + t] = matrix[i * task.n + face[t]] * task.y[i] * task.y[face[t]] / 2;
      slope[s] = 1 - g[i];
      cap[s] = task.cap[i];
      a[s] = task.a[i];
    }
    settle(Q.data(), q, slope.data(), cap.data(), a.data());
    for (size_t s = 0; s < q; ++s) {
      const double step = (a[s] - task.a[face[s]]) * task.y[face[s]] / 2;
      CHECK(a[s] >= 0 && a[s] <= cap[s]);
      task.a[face[s]] = a[s];
      for (size_t j = 0; j < task.n; ++j) g[j] += step * task.y[j] * matrix[face[s] * task.n + j];
    }
    CHECK(value() >= before - 1e-12);
    before = value();
  }
  CHECK(gap() < 1e-9 * before);
}

void systems(Random& random) {
  for (size_t q : {1, 2, 9, 40}) {
    std::vector<double> A(q * q), x(q), b(q, 0.0), B(q * q);
    for (double& entry : B) entry = random.uniform() - 0.5;
    for (size_t i = 0; i < q; ++i) {
      x[i] = random.uniform();
      for (size_t j = 0; j < q; ++j)
        A[i * q + j] = product(B.data() + i * q, B.data() + j * q, q) + (i == j ? 0.1 : 0.0);
    }
    for (size_t i = 0; i < q; ++i)
      for (size_t j = 0; j < q; ++j) b[i] += A[i * q + j] * x[j];
    const Cholesky cholesky(A.data(), q);
    cholesky.solve(b.data());
    for (size_t i = 0; i < q; ++i) CHECK(std::abs(b[i] - x[i]) < 1e-9);
  }
  double twice[] = {1, 1, 1, 1}, right[] = {2, 2};  // the second unknown adds nothing
  Cholesky(twice, 2).solve(right);
  CHECK(right[0] == 2 && right[1] == 0);
  double small[] = {4, 0, 0, 0.25}, both[] = {2, 1};
  Cholesky(small, 2, 0.25).solve(both);  // no more than rounding
  CHECK(both[0] == 0.5 && both[1] == 0);
}

void matrices(Random& random) {
  Task task(random, 23, 19);
  const size_t m = 37;
  std::vector<double> panel(task.d * m), one(task.n * m), other(task.n * m);
  for (double& z : panel) z = random.chance(0.2) ? 0.0 : random.uniform() - 0.5;
  for (int threads : {1, 3}) {
    gram<InnerProduct>(task.dense(), panel.data(), m, one.data(), threads);
    gram<InnerProduct>(task.sparse(), panel.data(), m, other.data(), 1);
    CHECK(one == other);
    for (size_t i = 0; i < task.n; ++i)
      for (size_t j = 0; j < m; ++j) {
        double sum = 0;
        for (size_t k = 0; k < task.d; ++k) sum += task.X[i * task.d + k] * panel[k * m + j];
        CHECK(sum == one[i * m + j]);
      }
    gram<AllProducts>(task.dense(), panel.data(), m, one.data(), threads);
    gram<AllProducts>(task.sparse(), panel.data(), m, other.data(), 1);
    CHECK(one == other);
  }
  std::vector<double> v(task.n), w(task.d * task.d), narrow(task.d * task.d);
  for (double& entry : v) entry = random.uniform();
  normal(task.dense(), v.data(), w.data(), 1);
  normal(task.dense(), v.data(), narrow.data(), 4);
  CHECK(w == narrow);
  for (size_t k = 0; k < task.d; ++k)
    for (size_t l = 0; l <= k; ++l) {
      double sum = 0;
      for (size_t i = 0; i < task.n; ++i)
        sum += v[i] * task.X[i * task.d + k] * task.X[i * task.d + l];
      CHECK(std::abs(sum - w[k * task.d + l]) < 1e-12);
    }
  std::vector<double> down(task.d), sparse_down(task.d), along_rows(task.n), sparse_along(task.n);
  across(task.dense(), v.data(), down.data());
  across(task.sparse(), v.data(), sparse_down.data());
  along(task.dense(), down.data(), along_rows.data(), 2);
  along(task.sparse(), down.data(), sparse_along.data(), 1);
  CHECK(down == sparse_down && along_rows == sparse_along);
}

}  // namespace

int main() {
  Random random(11);
  passes(random);
  rows_of_length_zero();
  climbing(random);
  systems(random);
  matrices(random);
}
