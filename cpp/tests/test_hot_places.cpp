// Places among cuts: every variant agrees with the definitions.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "variants.hpp"
#include "weaklearn/predict/step_tables.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

void places_and_look_ups() {
  Random random(6);
  for (const Hot* hot : variants())
    for (size_t n_cuts : {0, 1, 2, 3, 23, 24, 25, 26, 31, 32, 33, 100, 1000})
      for (size_t n : {1, 7, 512}) {
        std::vector<double> cuts;
        for (size_t k = 0; k < n_cuts; ++k)
          cuts.push_back(k % 5 == 0 ? draw(random, Kind::hostile) : random.uniform() * 10 - 5);
        std::sort(cuts.begin(), cuts.end());
        cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
        std::vector<double> x(n);
        for (double& value : x) {
          value = random.chance(0.1) ? kMissing : random.uniform() * 12 - 6;
          if (!cuts.empty() && random.chance(0.3)) value = cuts[random.below(cuts.size())];
          if (random.chance(0.1)) value = draw(random, Kind::hostile);
        }
        std::vector<uint32_t> place(n);
        hot->places(x.data(), n, cuts.data(), cuts.size(), place.data());
        for (size_t i = 0; i < n; ++i) {
          const size_t below =
              static_cast<size_t>(std::lower_bound(cuts.begin(), cuts.end(), x[i]) - cuts.begin());
          CHECK(place[i] == (std::isnan(x[i]) ? cuts.size() + 1 : below));
        }
        const std::vector<int64_t> table = draw_values(random, cuts.size() + 2, 60);
        std::vector<int64_t> score = draw_values(random, n, 60), right(score);
        hot->look_up(place.data(), n, table.data(), score.data());
        for (size_t i = 0; i < n; ++i) right[i] += table[place[i]];
        CHECK(score == right);
      }
}

// Every number of cuts that a table holds, in rows that leave something over.
template <class Real, class Score>
void check_steps(const Score& score_steps) {
  Random random(7);
  for (size_t n : {1, 5, 16, 127, 128, 300}) {
    const size_t d = kMostStepCuts + 3;
    std::vector<Real> x(n * d);
    for (Real& value : x)
      value = random.chance(0.05) ? static_cast<Real>(kMissing)
                                  : static_cast<Real>(static_cast<int>(random.below(40)));
    std::vector<StepTable<Real>> tables;
    std::vector<int64_t> score = draw_values(random, n, 60), right(score);
    for (size_t n_cuts = 0; n_cuts <= kMostStepCuts; ++n_cuts) {
      const size_t column = n_cuts + (n_cuts > 9) + (n_cuts > 20);  // some columns have no table
      std::vector<Real> cuts(n_cuts);
      for (Real& cut : cuts) cut = static_cast<Real>(static_cast<int>(random.below(40)));
      std::sort(cuts.begin(), cuts.end());
      const std::vector<int64_t> value = draw_values(random, n_cuts + 2, 55);
      tables.push_back(step_table(column, cuts, value.data()));
      for (size_t i = 0; i < n; ++i) {
        const Real at = x[i * d + column];
        const auto below = std::lower_bound(cuts.begin(), cuts.end(), at) - cuts.begin();
        right[i] += value[std::isnan(at) ? n_cuts + 1 : static_cast<size_t>(below)];
      }
    }
    score_steps(reinterpret_cast<const char*>(x.data()), static_cast<ptrdiff_t>(d * sizeof(Real)),
                d, n, tables.data(), tables.size(), score.data());
    CHECK(score == right);
  }
}

void step_tables() {
  for (const Hot* hot : variants()) {
    if (hot->score_steps != nullptr) check_steps<double>(hot->score_steps);
    if (hot->score_steps_f32 != nullptr) check_steps<float>(hot->score_steps_f32);
  }
}

}  // namespace

int main() {
  places_and_look_ups();
  step_tables();
}
