// Weights: the distribution of the definition, free of the order of rows, for any number of rounds.
#include <algorithm>
#include <numeric>

#include "check.hpp"
#include "weaklearn/weights/weights.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

using Sides = std::vector<int8_t>;

Verdict verdict(const Sides& side) {
  Verdict given(side.size());
  given.side = side;
  return given;
}

std::vector<double> shares(const Weights& weights) {
  std::vector<double> out(weights.size());
  weights.shares(out.data());
  return out;
}

bool close(double a, double b, double relative = 1e-9, double absolute = 1e-15) {
  return std::abs(a - b) <= absolute + relative * std::abs(b);
}

void check_total(const Weights& weights) {
  int64_t sum = 0;
  for (size_t i = 0; i < weights.size(); ++i) sum += std::abs(weights.value()[i]);
  CHECK(sum == weights.total());
  CHECK(weights.total() <= int64_t{1} << 61);
  CHECK(weights.total() >= (int64_t{1} << 56) - (int64_t{1} << 40));
}

Sides draw_sides(Random& random, size_t m, double silent) {
  Sides side(m);
  for (int8_t& s : side) s = random.chance(silent) ? int8_t{0} : random.sign();
  return side;
}

// The definition in long double: log-weights, shifted by the largest.
struct Plain {
  std::vector<long double> log_weight, score;
  explicit Plain(const std::vector<double>& prior) : score(prior.size(), 0) {
    for (double p : prior) log_weight.push_back(std::log(static_cast<long double>(p)));
  }
  void reweight(double alpha, const Sides& side) {
    for (size_t i = 0; i < side.size(); ++i) {
      log_weight[i] -= static_cast<long double>(alpha) * side[i];
      score[i] += static_cast<long double>(alpha) * side[i];
    }
  }
  std::vector<double> shares() const {
    const long double most = *std::max_element(log_weight.begin(), log_weight.end());
    std::vector<long double> w;
    for (long double g : log_weight) w.push_back(std::exp(g - most));
    const long double sum = std::accumulate(w.begin(), w.end(), 0.0L);
    std::vector<double> out;
    for (long double x : w) out.push_back(static_cast<double>(x / sum));
    return out;
  }
  double mass(const Sides& side, int8_t which) const {
    const std::vector<double> D = shares();
    long double sum = 0;
    for (size_t i = 0; i < D.size(); ++i) sum += side[i] == which ? D[i] : 0;
    return static_cast<double>(sum);
  }
};

void the_definition_round_by_round() {
  Random random(1);
  for (size_t m : {1, 2, 10, 300, 9000})
    for (int variant = 0; variant < 4; ++variant) {
      std::vector<double> prior(m, 1.0), weight(m, 1.0);
      std::vector<int64_t> copies(m, 1);
      Sides sign(m);
      for (size_t i = 0; i < m; ++i) {
        if (variant & 1) prior[i] = 0.01 + random.uniform();
        if (variant & 2) copies[i] = 1 + static_cast<int64_t>(random.below(5));
        weight[i] = prior[i] * static_cast<double>(copies[i]);
        sign[i] = random.sign();
      }
      Weights weights(m, variant & 1 ? prior.data() : nullptr,
                      variant & 2 ? copies.data() : nullptr, sign.data());
      Plain plain(weight);
      for (int round = 0; round < 40; ++round) {
        const std::vector<double> got = shares(weights), expected = plain.shares();
        for (size_t i = 0; i < m; ++i) {
          CHECK(close(got[i], expected[i]));
          CHECK(weights.value()[i] == 0 || (weights.value()[i] > 0) == (sign[i] > 0));
        }
        check_total(weights);
        const Sides side = draw_sides(random, m, round % 3 == 0 ? 0.2 : 0.0);
        for (int8_t which : {-1, 0, 1})
          CHECK(close(weights.mass(verdict(side), which), plain.mass(side, which)));
        const double alpha = (random.uniform() - 0.3) * (round % 10 == 9 ? 30 : 2);
        weights.reweight(alpha, verdict(side), 1 + round % 3);
        plain.reweight(alpha, side);
        const Weights::VoteErrors vote_errors = weights.vote_errors();
        const long double least = *std::min_element(plain.score.begin(), plain.score.end());
        CHECK(close(vote_errors.least_score, static_cast<double>(least), 1e-9, 1e-9));
        int64_t errors = 0;
        for (size_t i = 0; i < m; ++i)
          errors += plain.score[i] < -1e-9L || (std::abs(plain.score[i]) <= 1e-9L && sign[i] > 0)
                        ? copies[i]
                        : 0;
        CHECK(vote_errors.errors == errors);
      }
    }
}

void what_changed_is_listed() {
  Random random(2);
  for (size_t m : {1, 4095, 4096, 4097, 20'000}) {
    Sides sign(m, 1);
    for (int8_t& s : sign) s = random.sign();
    Weights weights(m, nullptr, nullptr, sign.data());
    int seen = 0;
    for (int round = 0; round < 30; ++round) {
      std::vector<int64_t> before(weights.value(), weights.value() + m);
      const Sides side = draw_sides(random, m, 0.1);
      const uint64_t version = weights.version();
      weights.reweight(0.1 + 0.2 * random.uniform(), verdict(side), 2);
      CHECK(weights.version() > version);
      if (!weights.has_change()) continue;
      CHECK(weights.version() == version + 1);
      ++seen;
      size_t listed = 0;
      for (size_t b = 0; b < weights.n_blocks(); ++b)
        for (size_t k = 0; k < weights.n_changed(b); ++k, ++listed) {
          const size_t at = Weights::list_of(b) + k;
          CHECK(side[weights.changed()[at]] != 1);
          CHECK(k == 0 || weights.changed()[at - 1] < weights.changed()[at]);
          before[weights.changed()[at]] += weights.change()[at];
        }
      CHECK(listed == m - static_cast<size_t>(std::count(side.begin(), side.end(), int8_t{1})));
      CHECK(std::equal(before.begin(), before.end(), weights.value()));
    }
    CHECK(seen > 10);
  }
}

void the_order_of_rows_and_threads_changes_no_bit() {
  Random random(3);
  constexpr size_t m = 10'000;
  std::vector<double> prior(m);
  std::vector<int64_t> copies(m);
  Sides sign(m);
  for (size_t i = 0; i < m; ++i) {
    prior[i] = random.uniform() + 1e-3;
    copies[i] = 1 + static_cast<int64_t>(random.below(3));
    sign[i] = random.sign();
  }
  const std::vector<size_t> order = shuffled(random, m);
  const auto mixed_prior = permuted(prior, order);
  const auto mixed_copies = permuted(copies, order);
  const auto mixed_sign = permuted(sign, order);
  Weights a(m, prior.data(), copies.data(), sign.data());
  Weights b(m, mixed_prior.data(), mixed_copies.data(), mixed_sign.data());
  for (int round = 0; round < 60; ++round) {
    const Sides side = draw_sides(random, m, 0.05), mixed = permuted(side, order);
    CHECK(a.mass(verdict(side), -1) == b.mass(verdict(mixed), -1));
    a.reweight(0.4, verdict(side), 1);
    b.reweight(0.4, verdict(mixed), 4);
    CHECK(a.total() == b.total());
    CHECK(a.vote_errors().errors == b.vote_errors().errors);
    CHECK(a.vote_errors().least_score == b.vote_errors().least_score);
    for (size_t i = 0; i < m; ++i) CHECK(b.value()[i] == a.value()[order[i]]);
  }
}

// Masses of many rows are summed in parts, with what rounding left out of them.
void masses_in_parts() {
  Random random(14);
  constexpr size_t m = 200'000;
  std::vector<double> prior(m);
  std::vector<int64_t> copies(m);
  for (size_t i = 0; i < m; ++i) {
    prior[i] = random.uniform() + 1e-3;
    copies[i] = 1 + static_cast<int64_t>(random.below(2));
  }
  Weights alone(m, prior.data(), copies.data(), nullptr);
  Weights shared(m, prior.data(), copies.data(), nullptr);
  for (int round = 0; round < 3; ++round) {
    const Verdict of = verdict(draw_sides(random, m, 0.05));
    double all = 0;
    for (int8_t which : {-1, 0, 1}) {
      CHECK(alone.mass(of, which, 1) == shared.mass(of, which, 4));
      all += alone.mass(of, which);
    }
    CHECK(close(all, 1));
    alone.reweight(0.4, of, 1);
    shared.reweight(0.4, of, 4);
    CHECK(alone.total() == shared.total());
  }
}

void copies_are_rows() {
  Random random(4);
  constexpr size_t m = 500;
  std::vector<int64_t> copies(m);
  Sides sign(m), long_sign;
  std::vector<size_t> row;
  for (size_t i = 0; i < m; ++i) {
    copies[i] = 1 + static_cast<int64_t>(random.below(6));
    sign[i] = random.sign();
    for (int64_t c = 0; c < copies[i]; ++c) {
      row.push_back(i);
      long_sign.push_back(sign[i]);
    }
  }
  Weights few(m, nullptr, copies.data(), sign.data());
  Weights many(row.size(), nullptr, nullptr, long_sign.data());
  for (int round = 0; round < 50; ++round) {
    const Sides side = draw_sides(random, m, 0.1), long_side = permuted(side, row);
    for (int8_t which : {-1, 0, 1})
      CHECK(few.mass(verdict(side), which) == many.mass(verdict(long_side), which));
    few.reweight(0.3, verdict(side), 1);
    many.reweight(0.3, verdict(long_side), 1);
    CHECK(few.total() == many.total());
    CHECK(few.vote_errors().errors == many.vote_errors().errors);
    for (size_t k = 0; k < row.size(); ++k)
      CHECK(many.value()[k] * copies[row[k]] == few.value()[row[k]]);
  }
}

void scaled_priors_are_one_prior() {
  std::vector<double> prior{0.25, 0.5, 3.0, 0.125}, scaled(prior);
  for (double& p : scaled) p *= 0x1p-700;
  const Weights a(4, prior.data(), nullptr, nullptr), b(4, scaled.data(), nullptr, nullptr);
  for (size_t i = 0; i < 4; ++i) CHECK(close(shares(a)[i], shares(b)[i], 1e-12));
}

void a_hundred_thousand_rounds() {
  Random random(5);
  constexpr size_t m = 12;
  Weights weights(m, nullptr, nullptr, nullptr);
  std::vector<long double> score(m, 0);
  long double total = 0;
  for (int round = 0; round < 100'000; ++round) {
    // Two rows are always right, one always wrong by a little; the rest come and go.
    Sides side = draw_sides(random, m, 0.0);
    side[0] = side[1] = 1;
    const double wrong = std::max(weights.mass(verdict(side), -1), 1e-6);
    const double alpha = std::min(0.5 * std::log((1 - wrong) / wrong), 2.0);
    weights.reweight(alpha, verdict(side), 1);
    total += std::abs(alpha);
    for (size_t i = 0; i < m; ++i) score[i] += static_cast<long double>(alpha) * side[i];
    if (round % 1000 == 0) check_total(weights);
  }
  double sum = 0;
  for (double share : shares(weights)) {
    CHECK(std::isfinite(share) && share >= 0);
    sum += share;
  }
  CHECK(close(sum, 1));
  const long double least = *std::min_element(score.begin(), score.end());
  CHECK(std::abs(weights.vote_errors().least_score - static_cast<double>(least)) <=
        1e-9 * static_cast<double>(total));
}

void tiny_masses_keep_their_digits() {
  // One row of three becomes lighter and lighter: its share is known in closed form.
  const Sides rights{1, 1, 1}, side{-1, 1, 1};
  Weights weights(3, nullptr, nullptr, nullptr);
  const Sides favoured{1, -1, -1};
  for (int round = 1; round <= 60; ++round) {
    weights.reweight(2.0, verdict(favoured), 1);
    const double ratio = std::exp(-4.0 * round);
    CHECK(close(weights.mass(verdict(side), -1), ratio / (2 + ratio), 1e-9, 0));
  }
  CHECK(weights.mass(verdict(rights), -1) == 0);
  for (int round = 0; round < 1000; ++round) weights.reweight(2.0, verdict(favoured), 1);
  CHECK(weights.mass(verdict(side), -1) > 0);  // far below the smallest double, and still not zero
  CHECK(weights.mass(verdict(side), 1) == 1);
}

void light_priors_keep_their_digits() {
  for (double p : {1e-3, 1e-9, 1e-20, 1e-200}) {
    const std::vector<double> prior{p, 1, 1};
    const Sides side{-1, 1, 1};
    Weights weights(3, prior.data(), nullptr, nullptr);
    CHECK(close(weights.mass(verdict(side), -1), p / (2 + p), 1e-9, 0));
    const double alpha = 0.5 * std::log(2 / p);
    weights.reweight(alpha, verdict(side), 1);  // as AdaBoost does: half the weight is now on row 0
    CHECK(close(weights.mass(verdict(side), -1), 0.5));
    check_total(weights);
  }
}

void a_step_may_lift_rows_too_light_to_count() {
  // Row 0 rounds to nothing; one step carries it past all the others together.
  const std::vector<double> prior{1e-25, 1, 1};
  Weights weights(3, prior.data(), nullptr, nullptr);
  weights.reweight(60.0, verdict({-1, 1, 1}), 1);
  check_total(weights);
  CHECK(close(shares(weights)[0], 1));
  CHECK(close(weights.mass(verdict({1, -1, -1}), -1), 2e25 * std::exp(-120.0), 1e-9, 0));
}

void a_wide_range_of_priors_survives_rebasing() {
  const std::vector<double> prior{1e-200, 1, 1};
  const Sides first{-1, 1, 1}, second{1, -1, -1};
  Weights weights(3, prior.data(), nullptr, nullptr);
  Plain plain(prior);
  for (int round = 0; round < 200; ++round) {
    const Sides& side = round % 3 == 2 ? second : first;
    weights.reweight(5.0, verdict(side), 1);
    plain.reweight(5.0, side);
    const std::vector<double> got = shares(weights), expected = plain.shares();
    for (size_t i = 0; i < 3; ++i) CHECK(close(got[i], expected[i]));
    check_total(weights);
  }
}

void rows_without_weight_stay_without() {
  const std::vector<double> prior{0, 1, 2};
  Weights weights(3, prior.data(), nullptr, nullptr);
  const Sides side{-1, 1, 1}, other{-1, -1, 1};
  for (int round = 0; round < 3000; ++round) {  // row 0 is wrong every time
    CHECK(weights.mass(verdict(side), -1) == 0);
    weights.reweight(1.0, verdict(round % 2 ? side : other), 1);
    CHECK(weights.value()[0] == 0);
    check_total(weights);
  }
}

void light_rows_come_back() {
  // Row 0 loses e^-4 a round until it is far below any double, then gains it all back.
  const Sides side{-1, 1, 1};
  Weights weights(3, nullptr, nullptr, nullptr);
  for (double alpha : {-2.0, 2.0})
    for (int round = 0; round < 400; ++round) weights.reweight(alpha, verdict(side), 1);
  for (double share : shares(weights)) CHECK(close(share, 1.0 / 3));
}

void extreme_steps() {
  Random random(6);
  for (double alpha : {1e-300, 1e-18, 300.0, 354.0, 1e5, 3e8, -1e-9, -400.0, -1e6}) {
    Weights weights(50, nullptr, nullptr, nullptr);
    for (int round = 0; round < 20; ++round) {
      const Sides side = draw_sides(random, 50, 0.1);
      weights.reweight(alpha, verdict(side), 1);
      check_total(weights);
      for (double share : shares(weights)) CHECK(share >= 0 && share <= 1);
      CHECK(std::isfinite(weights.vote_errors().least_score));
    }
  }
}

void no_two_objects_share_an_id() {
  const Weights a(1, nullptr, nullptr, nullptr), b(1, nullptr, nullptr, nullptr);
  CHECK(a.id() != b.id());
}

}  // namespace

int main() {
  the_definition_round_by_round();
  what_changed_is_listed();
  the_order_of_rows_and_threads_changes_no_bit();
  masses_in_parts();
  copies_are_rows();
  scaled_priors_are_one_prior();
  a_hundred_thousand_rounds();
  tiny_masses_keep_their_digits();
  light_priors_keep_their_digits();
  a_step_may_lift_rows_too_light_to_count();
  rows_without_weight_stay_without();
  a_wide_range_of_priors_survives_rebasing();
  light_rows_come_back();
  extreme_steps();
  no_two_objects_share_an_id();
}
