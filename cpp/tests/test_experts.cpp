// Sleeping experts: weights are those of the definition, their sum never grows, and no run is too
// long for them.
#include "check.hpp"
#include "weaklearn/online/experts.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

struct Run {
  std::vector<int64_t> start{0}, mistakes;
  std::vector<int32_t> expert, label, truth, majority, drawn;
  std::vector<double> chances, place, chance;

  explicit Run(size_t n) : mistakes(n, 0), chances(n, 0.0) {}

  void play(double epsilon, size_t n_labels, bool learns = true) {
    const size_t T = truth.size();
    chance.resize(T);
    majority.resize(T);
    drawn.resize(T);
    Experts experts(epsilon, chances.data(), mistakes.data());
    experts.play({T, start.data(), expert.data(), label.data(), truth.data()}, n_labels,
                 place.data(), {chance.data(), majority.data(), drawn.data()}, learns);
  }
};

Run drawn_run(Random& random, size_t n, size_t T, size_t n_labels, double awake) {
  Run run(n);
  for (size_t t = 0; t < T; ++t) {
    run.truth.push_back(static_cast<int32_t>(random.below(n_labels)));
    run.place.push_back(random.uniform());
    for (size_t i = 0; i < n; ++i)
      if (random.chance(awake)) {
        run.expert.push_back(static_cast<int32_t>(i));
        run.label.push_back(static_cast<int32_t>(random.below(n_labels)));
      }
    run.start.push_back(static_cast<int64_t>(run.expert.size()));
  }
  return run;
}

void definition(Random& random) {
  for (size_t n_labels : {2, 3, 7}) {
    const double epsilon = 0.3;
    const size_t n = 9, T = 60;
    Run run = drawn_run(random, n, T, n_labels, 0.4);
    run.play(epsilon, n_labels);
    std::vector<double> w(n, 1.0);
    double total = static_cast<double>(n);
    for (size_t t = 0; t < T; ++t) {
      double all = 0, wrong = 0;
      std::vector<double> votes(n_labels, 0.0);
      const int64_t first = run.start[t], last = run.start[t + 1];
      for (int64_t c = first; c < last; ++c) {
        all += w[run.expert[c]];
        wrong += run.label[c] != run.truth[t] ? w[run.expert[c]] : 0.0;
        votes[run.label[c]] += w[run.expert[c]];
      }
      if (first == last) {
        CHECK(std::isnan(run.chance[t]) && run.majority[t] == -1 && run.drawn[t] == -1);
        continue;
      }
      const double q = wrong / all;
      CHECK(std::abs(run.chance[t] - q) < 1e-12);
      for (double vote : votes) CHECK(vote <= votes[run.majority[t]] + 1e-9);
      CHECK(votes[run.drawn[t]] > 0);
      double sum = 0;
      for (int64_t c = first; c < last; ++c)
        w[run.expert[c]] *=
            std::pow(1 + epsilon, q / (1 + epsilon) - (run.label[c] != run.truth[t]));
      for (double weight : w) sum += weight;
      CHECK(sum <= total + 1e-9);
      total = sum;
    }
    const Experts experts(epsilon, run.chances.data(), run.mistakes.data());
    for (size_t i = 0; i < n; ++i)
      CHECK(std::abs(std::exp(experts.log_weight(i)) - w[i]) < 1e-9 * w[i]);
  }
}

void nothing_is_learnt_unless_asked(Random& random) {
  Run run = drawn_run(random, 5, 20, 2, 0.5);
  run.play(0.5, 2, false);
  for (size_t i = 0; i < 5; ++i) CHECK(run.chances[i] == 0 && run.mistakes[i] == 0);
}

// Two experts that are always wrong, and one that is awake at the end alone.
void long_runs() {
  Run run(3);
  const size_t T = 200'000;
  for (size_t t = 0; t < T; ++t) {
    run.truth.push_back(0);
    run.place.push_back(0.5);
    for (int32_t i : {0, 1, 2}) {
      if (i == 2 && t + 1 < T) continue;
      run.expert.push_back(i);
      run.label.push_back(i == 0 ? 1 : i == 1 ? static_cast<int32_t>(t % 2) : 0);
    }
    run.start.push_back(static_cast<int64_t>(run.expert.size()));
  }
  run.play(0.9, 2);
  CHECK(run.mistakes[0] == static_cast<int64_t>(T));
  CHECK(run.chance[T - 1] < 1e-300 && run.majority[T - 1] == 0);
  for (double chance : run.chance) CHECK(chance >= 0 && chance <= 1);
}

void ties() {
  Run run(2);
  run.start = {0, 2};
  run.expert = {0, 1};
  run.label = {1, 0};
  run.truth = {0};
  run.place = {0.5};
  run.play(0.5, 2, false);
  CHECK(run.majority[0] == 1 && run.drawn[0] == 0 && run.chance[0] == 0.5);
}

}  // namespace

int main() {
  Random random(5);
  definition(random);
  nothing_is_learnt_unless_asked(random);
  long_runs();
  ties();
}
