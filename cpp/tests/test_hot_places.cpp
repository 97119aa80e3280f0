// Places among cuts: every variant agrees with the definitions.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "variants.hpp"

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

}  // namespace

int main() { places_and_look_ups(); }
