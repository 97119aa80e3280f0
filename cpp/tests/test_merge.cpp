// Coarser codes keep the order of values, the missing ones, and categories.
#include <numeric>

#include "mixed.hpp"
#include "weaklearn/columns/dense_codes.hpp"
#include "weaklearn/columns/merge.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

void groups_are_even() {
  Random random(1);
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<int64_t> mass(1 + random.below(255));
    for (int64_t& m : mass)
      m = static_cast<int64_t>(1 + random.below(random.chance(0.1) ? 900 : 9));
    const uint32_t most = static_cast<uint32_t>(1 + random.below(64));
    const std::vector<uint8_t> group = groups_by_mass(mass, most);
    CHECK(group.size() == mass.size() && group[0] == 0 && group.back() < most);
    const int64_t total = std::accumulate(mass.begin(), mass.end(), int64_t{0});
    const int64_t heaviest = *std::max_element(mass.begin(), mass.end());
    std::vector<int64_t> of_group(most);
    for (size_t k = 0; k < mass.size(); ++k) {
      if (k > 0) CHECK(group[k] == group[k - 1] || group[k] == group[k - 1] + 1);
      of_group[group[k]] += mass[k];
    }
    if (mass.size() <= most)
      CHECK(group.back() + size_t{1} == mass.size());
    else  // a group is full once it holds its part; the last code may be heavy
      for (const int64_t held : of_group) CHECK(held <= total / most + 1 + heaviest);
  }
  CHECK(groups_by_mass({}, 5).empty());
}

void coarse_columns() {
  Random random(2);
  for (const size_t m : {1u, 40u, 3000u}) {
    const Mixed mixed = draw_mixed(random, m, 0.1);
    std::vector<int64_t> copies(m);
    for (int64_t& k : copies) k = static_cast<int64_t>(random.below(4));
    for (const uint32_t most : {1u, 2u, 31u, 255u})
      for (const bool weighted : {false, true}) {
        const int64_t* const counted = weighted ? copies.data() : nullptr;
        const auto coarse = merge(mixed.columns, most, counted);
        const DenseCodes fine_codes(mixed.columns), coarse_codes(*coarse);
        for (size_t j = 0; j < mixed.x.size(); ++j) {
          const Column &from = mixed.columns[j], &to = (*coarse)[j];
          CHECK(to.categorical == from.categorical && to.has_missing == from.has_missing);
          CHECK(from.categorical ? to.n_codes == from.n_codes
                                 : to.n_codes <= std::max(most, from.n_codes > 0 ? 1u : 0u));
          for (size_t i = 0; i < m; ++i) {
            const uint8_t code = coarse_codes[j][i];
            CHECK((code == to.n_codes) == (fine_codes[j][i] == from.n_codes));
            if (code == to.n_codes || to.categorical) continue;
            CHECK(to.least(code) <= mixed.x[j][i] && mixed.x[j][i] <= to.greatest(code));
          }
          for (uint32_t k = 1; !to.categorical && k < to.n_codes; ++k)
            CHECK(to.greatest(k - 1) < to.least(k));
        }
      }
  }
}

}  // namespace

int main() {
  groups_are_even();
  coarse_columns();
}
