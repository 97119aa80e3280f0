// Judging by codes is judging by values.
#include "mixed.hpp"
#include "weaklearn/weights/verdict.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

// Random tests on column j: thresholds at, beside and beyond its values, and every kind of
// category.
Answers draw_answers(Random& random, const Mixed& mixed, size_t j, std::vector<int32_t>& categories,
                     int32_t least, int32_t most) {
  const auto any = [&] {
    return least + static_cast<int32_t>(random.below(static_cast<size_t>(most - least + 1)));
  };
  Answers answers;
  answers.low = any();
  answers.high = any();
  answers.missing = any();
  if (mixed.n_categories[j] > 0) {
    const Test tests[] = {Test::constant, Test::equality, Test::multiway};
    answers.test = tests[random.below(3)];
    answers.threshold = -INFINITY;
    answers.category = static_cast<uint32_t>(random.below(mixed.n_categories[j]));
    categories.clear();
    for (uint32_t c = 0; c < mixed.n_categories[j]; ++c) categories.push_back(any());
    answers.by_category = categories.data();
    return answers;
  }
  answers.test = Test::threshold;
  const double value = mixed.x[j][random.below(mixed.x[j].size())];
  const double near[] = {value,
                         std::nextafter(value, -INFINITY),
                         std::nextafter(value, INFINITY),
                         value * 0.99,
                         -INFINITY,
                         1e308};
  answers.threshold = near[random.below(std::size(near))];
  if (std::isnan(answers.threshold)) answers.threshold = 0;
  return answers;
}

void two_classes() {
  Random random(1);
  for (size_t m : {1, 2, 63, 64, 65, 900, 3000})
    for (double missing : {0.0, 0.2, 1.0}) {
      const Mixed mixed = draw_mixed(random, m, missing);
      std::vector<int8_t> labels(m);
      for (int8_t& label : labels) label = random.sign();
      for (size_t j = 0; j < mixed.x.size(); ++j)
        for (int repeat = 0; repeat < 10; ++repeat) {
          std::vector<int32_t> categories;
          const Answers answers = draw_answers(random, mixed, j, categories, -1, 1);
          Verdict verdict(m);
          judge_signed(mixed.columns, j, answers, labels.data(), verdict);
          for (size_t i = 0; i < m; ++i)
            CHECK(verdict.side[i] ==
                  answer(answers, mixed.n_categories[j] > 0, mixed.x[j][i]) * labels[i]);
        }
    }
}

// Rows in parts, on several threads.
void threads_change_nothing() {
  constexpr size_t m = 450'000;
  Random random(3);
  Mixed mixed{{draw_column(random, Kind::many, m, 0.01), draw_column(random, Kind::few, m, 0.0)},
              {0, 0},
              Columns(m, 2)};
  mixed.columns.reserve_blocks();
  std::vector<int8_t> labels(m);
  std::vector<int32_t> classes(m);
  for (size_t i = 0; i < m; ++i) {
    labels[i] = random.sign();
    classes[i] = static_cast<int32_t>(random.below(4));
  }
  for (size_t j = 0; j < 2; ++j) {
    mixed.columns.code_column(j, mixed.x[j].data());
    for (int repeat = 0; repeat < 4; ++repeat) {
      std::vector<int32_t> categories;
      const Answers two = draw_answers(random, mixed, j, categories, -1, 1);
      Verdict alone(m), together(m);
      judge_signed(mixed.columns, j, two, labels.data(), alone);
      judge_signed(mixed.columns, j, two, labels.data(), together, 3);
      CHECK(alone.side == together.side);
      const Answers many = draw_answers(random, mixed, j, categories, -1, 3);
      judge_classes(mixed.columns, j, many, classes.data(), alone);
      judge_classes(mixed.columns, j, many, classes.data(), together, 3);
      CHECK(alone.side == together.side);
    }
  }
}

void many_classes() {
  Random random(2);
  for (size_t m : {1, 70, 1500}) {
    const Mixed mixed = draw_mixed(random, m, 0.1);
    std::vector<int32_t> labels(m);
    for (int32_t& label : labels) label = static_cast<int32_t>(random.below(4));
    for (size_t j = 0; j < mixed.x.size(); ++j)
      for (int repeat = 0; repeat < 10; ++repeat) {
        std::vector<int32_t> categories;
        const Answers answers = draw_answers(random, mixed, j, categories, -1, 3);
        Verdict verdict(m);
        judge_classes(mixed.columns, j, answers, labels.data(), verdict);
        for (size_t i = 0; i < m; ++i) {
          const int32_t said = answer(answers, mixed.n_categories[j] > 0, mixed.x[j][i]);
          CHECK(verdict.side[i] == (said < 0 ? 0 : said == labels[i] ? 1 : -1));
        }
      }
  }
}

}  // namespace

int main() {
  two_classes();
  many_classes();
  threads_change_nothing();
}
