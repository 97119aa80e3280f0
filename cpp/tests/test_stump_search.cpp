// The search finds the first of the best stumps, in every round, whatever it remembers.
#include <chrono>
#include <thread>

#include "mixed.hpp"
#include "weaklearn/stump/stump_search.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

constexpr CategoricalTest kTests[] = {CategoricalTest::equality, CategoricalTest::multiway};
constexpr MissingRule kRules[] = {MissingRule::branch, MissingRule::abstain};

// Signed weight above the threshold (at the category) and in all, by candidate, for sorted
// prefixes.
struct Signed {
  int64_t high = 0, all = 0;
};

// Sums for every candidate of column j: one pass over the rows in order of value.
std::vector<Signed> sums(const Mixed& mixed, size_t j, const std::vector<Candidate>& list,
                         const Weights& weights) {
  std::vector<size_t> rows;
  int64_t all = 0;
  for (size_t i = 0; i < mixed.x[j].size(); ++i)
    if (!std::isnan(mixed.x[j][i])) {
      rows.push_back(i);
      all += weights.value()[i];
    }
  std::vector<Signed> out;
  if (mixed.n_categories[j] > 0) {
    for (const Candidate& candidate : list) {
      Signed sum{0, all};
      for (size_t i : rows)
        if (above(candidate, mixed.x[j][i])) sum.high += weights.value()[i];
      out.push_back(sum);
    }
    return out;
  }
  std::sort(rows.begin(), rows.end(),
            [&](size_t a, size_t b) { return mixed.x[j][a] < mixed.x[j][b]; });
  int64_t left = 0;
  size_t next = 0;
  for (const Candidate& candidate : list) {
    while (next < rows.size() && !above(candidate, mixed.x[j][rows[next]]))
      left += weights.value()[rows[next++]];
    out.push_back({all - left, all});
  }
  return out;
}

StumpFound tried_all(const Mixed& mixed, const Weights& weights, CategoricalTest categorical,
                     MissingRule rule) {
  const int64_t tied = 2 * (weights.total() / 1'000'000'000'000);
  const int64_t nothing = weights.total() / 1'000'000'000'000;
  int64_t best = -1, everything = 0;
  for (size_t i = 0; i < weights.size(); ++i) everything += weights.value()[i];
  StumpFound found;
  for (bool choosing : {false, true})
    for (size_t j = 0; j < mixed.x.size(); ++j) {
      int64_t lost = 0;
      bool any_lost = false;
      for (size_t i = 0; i < weights.size(); ++i)
        if (std::isnan(mixed.x[j][i])) {
          lost += weights.value()[i];
          any_lost = true;
        }
      const int64_t gain = rule == MissingRule::branch ? std::abs(lost) : 0;
      const auto take = [&](Test test, double threshold, uint32_t category, int64_t r, bool sided) {
        const int64_t size = sided ? std::abs(r) : r;
        if (!choosing) {
          best = std::max(best, size + gain);
          return false;
        }
        if (size + gain < best - tied) return false;
        found.test = test;
        found.feature = static_cast<int64_t>(j);
        found.threshold = threshold;
        found.category = category;
        found.polarity = !sided || r + gain >= best - tied ? 1 : -1;
        found.correlation = (sided ? found.polarity * r : r) + gain;
        found.missing = 0;
        if (any_lost && rule == MissingRule::branch) found.missing = lost > nothing ? 1 : -1;
        return true;
      };
      if (mixed.n_categories[j] > 0 && categorical == CategoricalTest::multiway) {
        std::vector<int64_t> by_category(mixed.n_categories[j], 0);
        for (size_t i = 0; i < weights.size(); ++i)
          if (!std::isnan(mixed.x[j][i]))
            by_category[static_cast<size_t>(mixed.x[j][i])] += weights.value()[i];
        int64_t r = 0;
        for (int64_t s : by_category) r += std::abs(s);
        if (take(Test::multiway, 0, 0, r, false)) {
          for (int64_t s : by_category) found.by_category.push_back(s > nothing ? 1 : -1);
          goto done;
        }
        continue;
      }
      const std::vector<Candidate> list = candidates(mixed, j);
      const std::vector<Signed> summed = sums(mixed, j, list, weights);
      for (size_t k = 0; k < list.size(); ++k)
        if (take(list[k].test, list[k].threshold, list[k].category,
                 2 * summed[k].high - summed[k].all, true))
          goto done;
    }
done:
  found.majority = everything >= -nothing ? 1 : -1;
  return found;
}

void check_same(const StumpFound& a, const StumpFound& b) {
  CHECK(a.test == b.test);
  CHECK(a.feature == b.feature);
  CHECK(a.correlation == b.correlation);
  CHECK(a.missing == b.missing);
  CHECK(a.majority == b.majority);
  CHECK(a.by_category == b.by_category);
  if (a.test == Test::multiway) return;
  CHECK(a.polarity == b.polarity);
  if (a.test == Test::equality)
    CHECK(a.category == b.category);
  else
    CHECK(a.threshold == b.threshold);
}

Verdict judged(const Mixed& mixed, const StumpFound& f, const std::vector<int8_t>& labels) {
  Answers answers{f.test, f.threshold, f.category, -f.polarity, f.polarity, f.missing, nullptr};
  const std::vector<int32_t> by_category(f.by_category.begin(), f.by_category.end());
  answers.by_category = by_category.data();
  Verdict verdict(labels.size());
  judge_signed(mixed.columns, static_cast<size_t>(f.feature), answers, labels.data(), verdict);
  return verdict;
}

std::vector<int8_t> draw_labels(Random& random, const Mixed& mixed) {
  std::vector<int8_t> labels;
  for (size_t i = 0; i < mixed.x[0].size(); ++i) {
    double score = random.uniform() - 0.5;
    for (const auto& column : mixed.x)
      score += std::isnan(column[i]) ? 0.1 : std::clamp(column[i], -1.0, 1.0) * 0.2;
    labels.push_back(score > 0.4 ? int8_t{1} : int8_t{-1});
  }
  return labels;
}

// Plays rounds with votes drawn by `vote`; each answer is checked against trying everything.
template <class Vote>
void play(Random& random, size_t m, double missing, int rounds, int64_t most_copies, Vote&& vote) {
  const Mixed mixed = draw_mixed(random, m, missing);
  const std::vector<int8_t> labels = draw_labels(random, mixed);
  std::vector<int64_t> copies(m);
  for (int64_t& c : copies)
    c = 1 + static_cast<int64_t>(random.below(static_cast<size_t>(most_copies)));
  for (CategoricalTest categorical : kTests)
    for (MissingRule rule : kRules) {
      Weights weights(m, nullptr, most_copies > 1 ? copies.data() : nullptr, labels.data());
      StumpSearch search(mixed.columns, categorical, rule, 2);
      for (int round = 0; round < rounds; ++round) {
        const StumpFound found = search.search(weights);
        check_same(found, tried_all(mixed, weights, categorical, rule));
        check_same(found, search.search(weights));  // asked twice
        check_same(found, StumpSearch(mixed.columns, categorical, rule, 1).search(weights));
        if (found.feature < 0) return;
        const Verdict verdict = judged(mixed, found, labels);
        const double wrong = std::clamp(weights.mass(verdict, -1), 1e-300, 1 - 1e-9);
        weights.reweight(vote(round, 0.5 * std::log((1 - wrong) / wrong)), verdict, 2);
        if (round % 7 == 6) weights.reweight(0.05, verdict, 1);  // a step the search does not see
      }
    }
}

void small_samples() {
  Random random(1);
  for (size_t m : {1, 2, 3, 5, 12, 60})
    for (double missing : {0.0, 0.2, 0.9})
      for (int repeat = 0; repeat < 4; ++repeat)
        play(random, m, missing, 12, repeat % 2 ? 4 : 1, [](int, double own) { return own; });
}

void large_samples_with_their_own_votes() {
  Random random(2);
  for (size_t m : {700, 2500})
    for (double missing : {0.0, 0.1})
      play(random, m, missing, 40, 1, [](int, double own) { return own; });
}

void votes_of_every_size() {
  Random random(3);
  for (int64_t copies : {int64_t{1}, int64_t{1'000'000}, int64_t{3'000'000'000}})
    play(random, 1500, 0.1, 40, copies, [&](int round, double own) {
      const double votes[] = {own, 3 * own, 1e-5, 8.0, -0.5, 40.0, 400.0};
      return votes[static_cast<size_t>(round) % std::size(votes)];
    });
}

// One coarse column boosted for so long that what is remembered of bins grows old.
void a_long_game() {
  Random random(4);
  Mixed mixed{{draw_column(random, Kind::many, 3000, 0.0)}, {0}, Columns(3000, 1)};
  mixed.columns.reserve_blocks();
  mixed.columns.code_column(0, mixed.x[0].data());
  const std::vector<int8_t> labels = draw_labels(random, mixed);
  Weights weights(3000, nullptr, nullptr, labels.data());
  StumpSearch search(mixed.columns, CategoricalTest::equality, MissingRule::branch, 1);
  for (int round = 0; round < 1200; ++round) {
    const StumpFound found = search.search(weights);
    if (round % 5 == 0)
      check_same(found, tried_all(mixed, weights, CategoricalTest::equality, MissingRule::branch));
    const Verdict verdict = judged(mixed, found, labels);
    const double wrong = weights.mass(verdict, -1);
    weights.reweight(0.5 * std::log((1 - wrong) / wrong), verdict, 1);
  }
}

// Large repetitions make rounding large too: bins whose weights were all rounded to nothing must
// still be opened once they count again.
void bins_that_were_too_light_to_see() {
  constexpr size_t m = 640;
  Random random(5);
  std::vector<std::vector<double>> x(2, std::vector<double>(m));
  std::vector<int64_t> copies(m, 1);
  std::vector<int8_t> labels(m);
  for (size_t i = 0; i < m; ++i) {
    x[0][i] = static_cast<double>(i);      // coarse
    x[1][i] = static_cast<double>(i % 2);  // exact
    labels[i] = random.sign();
    if (i >= 256 && i < 384) copies[i] = 16'000'000;
  }
  Mixed mixed{x, {0, 0}, Columns(m, 2)};
  mixed.columns.reserve_blocks();
  for (size_t j = 0; j < 2; ++j) mixed.columns.code_column(j, x[j].data());
  CHECK(mixed.columns[0].coarse);
  Weights weights(m, nullptr, copies.data(), labels.data());
  StumpSearch search(mixed.columns, CategoricalTest::equality, MissingRule::branch, 1);
  Verdict heavy(m), light(m);
  for (size_t i = 0; i < m; ++i) {
    const bool many = copies[i] > 1;
    heavy.side[i] = many ? int8_t{1} : int8_t{-1};  // those with one copy gain
    light.side[i] = many ? int8_t{-1} : int8_t{1};
  }
  for (int step = 0; step < 90; ++step) {
    weights.reweight(0.5, step < 45 ? heavy : light, 1);
    check_same(search.search(weights),
               tried_all(mixed, weights, CategoricalTest::equality, MissingRule::branch));
  }
}

// Few columns of many rows, which several threads sum in slices: the answers of one thread,
// whatever else there is beside the dense columns.
void slices_of_rows() {
  constexpr size_t m = 130'000;
  Random random(7);
  for (double missing : {0.0, 0.05}) {
    std::vector<std::vector<double>> x;
    for (int j = 0; j < 7; ++j)
      x.push_back(draw_column(random, j % 2 == 0 ? Kind::many : Kind::few, m, missing));
    Mixed mixed{x, std::vector<uint32_t>(7, 0), Columns(m, 7)};
    mixed.columns.reserve_blocks();
    for (size_t j = 0; j < 6; ++j) mixed.columns.code_column(j, x[j].data());
    std::vector<int32_t> rows(m);
    std::iota(rows.begin(), rows.end(), 0);
    code_entries(mixed.columns, 6, x[6], rows, m);  // a sparse one, of entries alone
    const std::vector<int8_t> labels = draw_labels(random, mixed);
    Weights weights(m, nullptr, nullptr, labels.data()), same(m, nullptr, nullptr, labels.data());
    StumpSearch alone(mixed.columns, CategoricalTest::equality, MissingRule::branch, 1);
    StumpSearch together(mixed.columns, CategoricalTest::equality, MissingRule::branch, 16);
    for (int round = 0; round < 30; ++round) {
      const StumpFound found = alone.search(weights);
      check_same(found, together.search(same));
      check_same(found, together.search(same));  // asked twice
      const Verdict verdict = judged(mixed, found, labels);
      const double wrong = weights.mass(verdict, -1);
      CHECK(wrong == same.mass(verdict, -1, 16));
      weights.reweight(0.5 * std::log((1 - wrong) / wrong), verdict, 1);
      same.reweight(0.5 * std::log((1 - wrong) / wrong), verdict, 16);
      CHECK(std::equal(weights.value(), weights.value() + m, same.value()));
    }
  }
}

// A search that was interrupted halfway answers rightly when asked again.
void an_interrupt_leaves_no_trace() {
  constexpr size_t m = 400'000, d = 128;  // enough work for the pool to ask its hook
  Random random(6);
  Columns columns(m, d);
  columns.reserve_blocks();
  std::vector<double> x(m);
  for (size_t j = 0; j < d; ++j) {
    if (j % 32 == 0)
      for (double& value : x) value = static_cast<double>(random.below(200));
    columns.code_column(j, x.data());
  }
  std::vector<int8_t> labels(m);
  for (int8_t& label : labels) label = random.sign();
  Weights weights(m, nullptr, nullptr, labels.data());
  StumpSearch search(columns, CategoricalTest::equality, MissingRule::branch, 1);
  for (int round = 0; round < 6; ++round) {
    Verdict verdict(m);
    for (int8_t& side : verdict.side) side = random.sign();
    weights.reweight(0.3, verdict, 1);
    if (round % 2 == 1) poll_hook.store([] { return true; });
    try {
      search.search(weights);
    } catch (const Interrupted&) {
    }
    poll_hook.store(nullptr);
    StumpSearch fresh(columns, CategoricalTest::equality, MissingRule::branch, 1);
    check_same(search.search(weights), fresh.search(weights));
  }
}

// Rare and common terms, of one value or of two, more than are looked at together: what is
// remembered of a term, of a few neighbours and of many never changes an answer.
void terms_of_every_frequency() {
  constexpr size_t m = 2500, d = 900;
  Random random(7);
  Columns columns(m, d);
  std::vector<double> score(m);
  for (size_t j = 0; j < d; ++j) {
    const double often = 0.4 / static_cast<double>(1 + random.below(d)),
                 tilt = random.uniform() - 0.5;
    std::vector<double> data;
    std::vector<int32_t> rows;
    for (size_t i = 0; i < m; ++i) {
      if (!random.chance(often)) continue;
      data.push_back(j % 9 == 0 && random.chance(0.5) ? -1.0 : 1.0);
      rows.push_back(static_cast<int32_t>(i));
      score[i] += tilt;
    }
    code_entries(columns, j, data, rows, data.size());
  }
  std::vector<int8_t> labels;
  for (double s : score) labels.push_back(s + random.uniform() > 0.5 ? int8_t{1} : int8_t{-1});
  const double votes[] = {1, 1, 1, 0.1, 1, 3, 1, 1, -0.5, 1, 1, 60};  // times its own
  for (int threads : {1, 3}) {
    Weights weights(m, nullptr, nullptr, labels.data());
    StumpSearch search(columns, CategoricalTest::equality, MissingRule::branch, threads);
    for (int round = 0; round < 400; ++round) {
      const StumpFound found = search.search(weights);
      check_same(
          found,
          StumpSearch(columns, CategoricalTest::equality, MissingRule::branch, 1).search(weights));
      Verdict verdict(m);
      const Answers answers{found.test,     found.threshold, 0,      -found.polarity,
                            found.polarity, found.missing,   nullptr};
      judge_signed(columns, static_cast<size_t>(found.feature), answers, labels.data(), verdict);
      const double wrong = std::clamp(weights.mass(verdict, -1), 1e-9, 1 - 1e-9);
      const double times = votes[static_cast<size_t>(round) % std::size(votes)];
      weights.reweight(times * 0.5 * std::log((1 - wrong) / wrong), verdict, 1);
    }
  }
}

}  // namespace

int main() {
  small_samples();
  large_samples_with_their_own_votes();
  votes_of_every_size();
  a_long_game();
  bins_that_were_too_light_to_see();
  slices_of_rows();
  an_interrupt_leaves_no_trace();
  terms_of_every_frequency();
}
