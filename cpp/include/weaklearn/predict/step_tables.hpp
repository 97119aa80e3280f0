// Step functions of few cuts, laid out for registers (see StepTable in hot/loops.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "weaklearn/hot/loops.hpp"

namespace weaklearn {

constexpr size_t kMostStepCuts = (size_t{1} << kMostSteps) - 1;

// How many of the cuts lie below a place in a search of so many steps: its bits, the first one the
// highest.
inline size_t cuts_below(uint32_t place, int steps) {
  size_t below = 0;
  for (int b = 0; b < steps; ++b)
    if (place >> b & 1) below += size_t{1} << (steps - 1 - b);
  return below;
}

// The table of at most kMostStepCuts ascending cuts; `value` has one answer more, then that to a
// missing value.
template <class Real>
StepTable<Real> step_table(size_t column, const std::vector<Real>& cuts, const int64_t* value) {
  StepTable<Real> table{};
  const size_t n = cuts.size();
  table.column = column;
  table.missing = value[n + 1];
  while ((size_t{1} << table.steps) <= n) ++table.steps;
  const int steps = table.steps;
  for (int l = 0; l < steps; ++l)
    for (uint32_t place = 0; place < 16; ++place) {
      const uint32_t so_far = place & ((1u << l) - 1);
      const size_t at = cuts_below(so_far, steps) + (size_t{1} << (steps - 1 - l)) - 1;
      table.level[l][place] = at < n ? cuts[at] : std::numeric_limits<Real>::infinity();
    }
  for (uint32_t place = 0; place < 1u << steps; ++place)
    table.value[place] = value[std::min(cuts_below(place, steps), n)];
  return table;
}

}  // namespace weaklearn
