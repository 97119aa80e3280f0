// Medians, and distances from them, beside their definitions.
#include <cmath>

#include "check.hpp"
#include "weaklearn/tree/medians.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

double distance_by_definition(const std::vector<Weighed>& rows, double median) {
  double sum = 0;
  for (const Weighed& row : rows) sum += static_cast<double>(row.w) * std::abs(row.number - median);
  return sum;
}

std::vector<Weighed> drawn(Random& random, size_t n, uint64_t most) {
  std::vector<Weighed> rows;
  for (size_t i = 0; i < n; ++i) {
    const auto number = static_cast<int64_t>(random.below(most));
    const auto w = static_cast<int64_t>(1 + random.below(3));
    rows.push_back({static_cast<double>(number), w, w * number});
  }
  return rows;
}

void the_middle_of_an_even_number_answers() {
  std::vector<Weighed> rows{{4, 1, 4}, {1, 1, 1}};
  CHECK(median_of(rows) == 2.5);
  rows = {{4, 2, 8}, {1, 1, 1}};
  CHECK(median_of(rows) == 4);
  rows = {{7, 3, 21}};
  CHECK(median_of(rows) == 7);
}

void no_number_is_nearer_than_the_median() {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<Weighed> rows = drawn(random, 1 + random.below(30), 12);
    const double least = distance_by_definition(rows, median_of(rows));
    for (int number = 0; number < 12; ++number)
      CHECK(least <= distance_by_definition(rows, number));
  }
}

void sums_by_rank_know_the_distance() {
  Random random(2);
  for (int round = 0; round < 200; ++round) {
    const size_t most = 1 + random.below(40);
    std::vector<Weighed> rows = drawn(random, 1 + random.below(50), most);
    RankedSums sums;
    sums.clear(most);
    const auto number = [](size_t rank) { return static_cast<double>(rank); };
    while (!rows.empty()) {  // all of them, then fewer and fewer
      if (sums.weight() == 0)
        for (const Weighed& row : rows) sums.add(static_cast<size_t>(row.number), row.w, row.a);
      std::vector<Weighed> copy = rows;
      CHECK(sums.distance(number) == distance_by_definition(rows, median_of(copy)));
      sums.add(static_cast<size_t>(rows.back().number), -rows.back().w, -rows.back().a);
      rows.pop_back();
    }
    CHECK(sums.distance(number) == 0);
  }
}

}  // namespace

int main() {
  the_middle_of_an_even_number_answers();
  no_number_is_nearer_than_the_median();
  sums_by_rank_know_the_distance();
}
