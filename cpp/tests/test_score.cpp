// Packed votes give, to the last bit, the sum of the members' own answers.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"
#include "weaklearn/predict/score.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

// Members as plain lists.
struct Votes {
  std::vector<uint8_t> test;
  std::vector<int64_t> feature, vote, begin{0};
  std::vector<double> threshold;
  std::vector<uint32_t> category;
  std::vector<int32_t> low, high, missing, by_category, output;

  Members members() const {
    return {test.size(),     test.data(),        feature.data(), threshold.data(),
            category.data(), low.data(),         high.data(),    missing.data(),
            begin.data(),    by_category.data(), vote.data(),    output.data()};
  }
};

int32_t answer(Random& random, int32_t output, size_t k) {
  return output >= 0 ? static_cast<int32_t>(random.below(3)) - 1
                     : static_cast<int32_t>(random.below(k + 1)) - 1;
}

// T random members over d numeric features, the last `categorical` of which have categories
// instead.
Votes draw_votes(Random& random, size_t T, const std::vector<uint32_t>& n_categories, size_t k,
                 bool of_classes, const std::vector<std::vector<double>>& x) {
  Votes votes;
  for (size_t t = 0; t < T; ++t) {
    const size_t j = random.below(n_categories.size());
    const bool categorical = n_categories[j] > 0;
    const Test numeric[] = {Test::threshold, Test::constant};
    const Test coded[] = {Test::equality, Test::multiway, Test::constant};
    const Test test = categorical ? coded[random.below(3)] : numeric[random.below(2)];
    const int32_t output = of_classes ? -1 : static_cast<int32_t>(random.below(k));
    double threshold = -INFINITY;
    if (test == Test::threshold) threshold = x[j][random.below(x[j].size())];
    if (std::isnan(threshold)) threshold = 0.25;
    votes.test.push_back(static_cast<uint8_t>(test));
    votes.feature.push_back(static_cast<int64_t>(j));
    votes.threshold.push_back(threshold);
    votes.category.push_back(categorical ? static_cast<uint32_t>(random.below(n_categories[j]))
                                         : 0);
    votes.low.push_back(answer(random, output, k));
    votes.high.push_back(answer(random, output, k));
    votes.missing.push_back(answer(random, output, k));
    if (test == Test::multiway)
      for (uint32_t c = 0; c < n_categories[j]; ++c)
        votes.by_category.push_back(answer(random, output, k));
    votes.begin.push_back(static_cast<int64_t>(votes.by_category.size()));
    votes.vote.push_back(static_cast<int64_t>(random.next() >> 12) - (int64_t{1} << 51));
    votes.output.push_back(output);
  }
  return votes;
}

// The same by asking every member about every row; categories are numbers, -1 missing.
std::vector<int64_t> summed(const Votes& votes, const std::vector<uint32_t>& n_categories, size_t k,
                            const std::vector<std::vector<double>>& x, size_t n) {
  std::vector<int64_t> score(n * k, 0);
  for (size_t t = 0; t < votes.test.size(); ++t)
    for (size_t i = 0; i < n; ++i) {
      const size_t j = static_cast<size_t>(votes.feature[t]);
      const double value = x[j][i];
      const Test test = static_cast<Test>(votes.test[t]);
      int32_t a = value > votes.threshold[t] ? votes.high[t] : votes.low[t];
      if (n_categories[j] > 0) {
        a = votes.high[t];
        if (test == Test::equality && value != votes.category[t]) a = votes.low[t];
        if (test == Test::multiway && value >= 0)
          a = votes.by_category[static_cast<size_t>(votes.begin[t]) + static_cast<size_t>(value)];
      }
      if (n_categories[j] > 0 ? value < 0 : std::isnan(value)) a = votes.missing[t];
      if (votes.output[t] >= 0)
        score[i * k + static_cast<size_t>(votes.output[t])] += a * votes.vote[t];
      else if (a >= 0)
        score[i * k + static_cast<size_t>(a)] += votes.vote[t];
    }
  return score;
}

void matrices_and_sparse_columns() {
  Random random(1);
  for (size_t n : {1, 511, 512, 513, 1500})
    for (size_t T : {1, 3, 20, 300})
      for (size_t k : {1, 3})
        for (bool of_classes : {false, true}) {
          if (of_classes && k == 1) continue;
          const size_t d = 5;
          std::vector<std::vector<double>> x;
          for (size_t j = 0; j < d; ++j) x.push_back(draw_column(random, kKinds[j], n, 0.1));
          const std::vector<uint32_t> n_categories(d, 0);
          const Votes votes = draw_votes(random, T, n_categories, k, of_classes, x);
          const std::vector<int64_t> expected = summed(votes, n_categories, k, x, n);
          const Scorer scorer(d, k, n_categories.data(), votes.members());
          std::vector<double> by_rows(n * d);
          std::vector<double> data;
          std::vector<int32_t> rows, starts{0};
          for (size_t j = 0; j < d; ++j) {
            for (size_t i = 0; i < n; ++i) {
              by_rows[i * d + j] = x[j][i];
              if (x[j][i] == 0) continue;
              data.push_back(x[j][i]);
              rows.push_back(static_cast<int32_t>(i));
            }
            starts.push_back(static_cast<int32_t>(data.size()));
          }
          std::vector<int64_t> score(n * k, -1);
          constexpr ptrdiff_t size = sizeof(double);
          for (int threads : {1, 3}) {
            scorer.score_matrix<double>(reinterpret_cast<const char*>(by_rows.data()), d * size,
                                        size, n, score.data(), threads);
            CHECK(score == expected);
          }
          scorer.score_sparse(data.data(), rows.data(), starts.data(), n, score.data());
          CHECK(score == expected);
          for (size_t i = 0; i < n; ++i) scorer.score_row(&by_rows[i * d], &score[i * k]);
          CHECK(score == expected);
        }
}

// A matrix of so many rows and columns as it may lie in memory: `step` numbers from one row to the
// next, by row or by column.
template <class Real>
void check_matrix(const Scorer& scorer, const std::vector<std::vector<double>>& x, size_t n,
                  const std::vector<int64_t>& expected) {
  const size_t d = x.size();
  constexpr auto size = static_cast<ptrdiff_t>(sizeof(Real));
  for (size_t beside : {d, d + 3, n * d}) {
    const size_t step = beside == n * d ? 1 : beside, across = beside == n * d ? n : 1;
    std::vector<Real> data(n * (d + 3), std::numeric_limits<Real>::quiet_NaN());
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j < d; ++j) data[i * step + j * across] = static_cast<Real>(x[j][i]);
    const char* const at = reinterpret_cast<const char*>(data.data());
    const ptrdiff_t row = static_cast<ptrdiff_t>(step) * size;
    const ptrdiff_t column = static_cast<ptrdiff_t>(across) * size;
    for (int threads : {1, 3}) {
      std::vector<int64_t> score(n, -1), backwards(n, -1);
      scorer.score_matrix<Real>(at, row, column, n, score.data(), threads);
      CHECK(score == expected);
      scorer.score_matrix<Real>(at + static_cast<ptrdiff_t>(n - 1) * row, -row, column, n,
                                backwards.data(), threads);
      std::reverse(backwards.begin(), backwards.end());
      CHECK(backwards == expected);
    }
  }
}

// Columns of no cut to more than fit into registers, some without any member, and singles.
void matrices_of_many_columns() {
  Random random(4);
  for (size_t n : {1, 7, 16, 127, 130, 400})
    for (size_t d : {1, 8, 15, 17, 40})
      for (bool single : {false, true}) {
        std::vector<std::vector<double>> x;
        for (size_t j = 0; j < d; ++j) {
          x.push_back(draw_column(random, kKinds[j % 5], n, j % 3 == 0 ? 0.1 : 0.0));
          for (double& value : x[j])
            if (single) value = static_cast<double>(static_cast<float>(value));
        }
        for (auto& column : x)
          for (double& value : column)
            if (std::isinf(value)) value = 1;
        const std::vector<uint32_t> n_categories(d, 0);
        for (size_t T : {d / 2 + 1, 4 * d, 25 * d}) {
          Votes votes = draw_votes(random, T, n_categories, 1, false, x);
          for (double& threshold : votes.threshold)
            if (random.chance(0.3)) threshold += random.uniform() - 0.5;
          const Scorer scorer(d, 1, n_categories.data(), votes.members());
          const std::vector<int64_t> expected = summed(votes, n_categories, 1, x, n);
          check_matrix<double>(scorer, x, n, expected);
          if (single) check_matrix<float>(scorer, x, n, expected);
        }
      }
}

void tables_with_categories() {
  Random random(2);
  for (size_t n : {1, 700})
    for (size_t k : {1, 4})
      for (bool of_classes : {false, true}) {
        if (of_classes && k == 1) continue;
        const std::vector<uint32_t> n_categories{0, 3, 0, 1, 200};
        std::vector<std::vector<double>> x;
        std::vector<std::vector<int32_t>> coded(n_categories.size());
        std::vector<const double*> numbers(n_categories.size(), nullptr);
        std::vector<const int32_t*> categories(n_categories.size(), nullptr);
        for (size_t j = 0; j < n_categories.size(); ++j) {
          x.push_back(draw_column(random, Kind::many, n, 0.1));
          for (double& value : x[j])
            if (n_categories[j] > 0) {
              value = static_cast<double>(random.below(n_categories[j] + 1)) - 1;
              coded[j].push_back(static_cast<int32_t>(value));
            }
        }
        for (size_t j = 0; j < n_categories.size(); ++j)
          n_categories[j] > 0 ? (void)(categories[j] = coded[j].data())
                              : (void)(numbers[j] = x[j].data());
        const Votes votes = draw_votes(random, 150, n_categories, k, of_classes, x);
        const Scorer scorer(n_categories.size(), k, n_categories.data(), votes.members());
        std::vector<int64_t> score(n * k);
        scorer.score_columns(numbers, categories, n, score.data(), 2);
        CHECK(score == summed(votes, n_categories, k, x, n));
        for (size_t i = 0; i < n; ++i) {  // categories as their codes, none as what is no number
          std::vector<double> row;
          for (size_t j = 0; j < n_categories.size(); ++j)
            row.push_back(n_categories[j] > 0 && x[j][i] < 0 ? kMissing : x[j][i]);
          scorer.score_row(row.data(), &score[i * k]);
        }
        CHECK(score == summed(votes, n_categories, k, x, n));
      }
}

void single_precision_is_compared_as_it_is() {
  // 0.1f lies above 0.1: a float must be widened before the comparison, not the cut narrowed.
  Votes votes;
  votes.test = {static_cast<uint8_t>(Test::threshold)};
  votes.feature = {0};
  votes.threshold = {0.1};
  votes.category = {0};
  votes.low = {-1};
  votes.high = {1};
  votes.missing = {0};
  votes.begin = {0, 0};
  votes.vote = {7};
  votes.output = {0};
  const uint32_t no_categories = 0;
  const Scorer scorer(1, 1, &no_categories, votes.members());
  const float x[] = {0.1f, 0.05f, std::numeric_limits<float>::quiet_NaN()};
  std::vector<int64_t> score(3);
  scorer.score_matrix<float>(reinterpret_cast<const char*>(x), sizeof(float), sizeof(float), 3,
                             score.data(), 1);
  CHECK((score == std::vector<int64_t>{7, -7, 0}));
}

void votes_that_cancel_give_exactly_zero() {
  Votes votes;
  for (int t = 0; t < 2; ++t) {
    votes.test.push_back(static_cast<uint8_t>(Test::threshold));
    votes.feature.push_back(0);
    votes.threshold.push_back(0.5);
    votes.category.push_back(0);
    votes.low.push_back(t == 0 ? -1 : 1);
    votes.high.push_back(t == 0 ? 1 : -1);
    votes.missing.push_back(0);
    votes.begin.push_back(0);
    votes.vote.push_back(123456789);
    votes.output.push_back(0);
  }
  const uint32_t no_categories = 0;
  const Scorer scorer(1, 1, &no_categories, votes.members());
  const double x[] = {0.0, 1.0};
  std::vector<int64_t> score(2, 5);
  scorer.score_matrix<double>(reinterpret_cast<const char*>(x), sizeof(double), sizeof(double), 2,
                              score.data(), 1);
  CHECK(score[0] == 0 && score[1] == 0);
}

}  // namespace

int main() {
  matrices_and_sparse_columns();
  matrices_of_many_columns();
  tables_with_categories();
  single_precision_is_compared_as_it_is();
  votes_that_cancel_give_exactly_zero();
}
