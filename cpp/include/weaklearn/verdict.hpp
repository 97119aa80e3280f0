// Right, wrong or silent: what a hypothesis says of every training row.
//
// side[i] is +1 where the answer equals the label, -1 where it differs, 0 where the hypothesis
// abstains. Cost: one pass over the rows.
#pragma once

#include <cstdint>
#include <vector>

#include "weaklearn/route.hpp"
#include "weaklearn/stump.hpp"

namespace weaklearn {

struct Verdict {
  std::vector<int8_t> side;
  explicit Verdict(size_t m) : side(m) {}
};

// The answers of a stump, as routing needs them.
struct Answers {
  Test test = Test::constant;
  double threshold = 0;
  uint32_t level = 0;
  int32_t low = 0, high = 0, missing = 0;
  const int32_t* levels = nullptr;  // multiway
  int32_t abstain = 0;              // the answer that means silence
};

// outcome[slot] for every code of the column, and the cut for thresholds inside a bin.
inline Cut outcomes(const Column& column, const Answers& answers, int32_t* outcome) {
  Cut cut;
  std::fill(outcome, outcome + 256, answers.high);
  if (answers.test == Test::equality) {
    std::fill(outcome, outcome + column.n_codes, answers.low);
    if (answers.level < column.n_codes) outcome[answers.level] = answers.high;
  } else if (answers.test == Test::multiway) {
    for (uint32_t c = 0; c < column.n_codes; ++c) outcome[c] = answers.levels[c];
  } else if (!column.categorical) {
    cut = cut_at(column, answers.threshold);
    std::fill(outcome, outcome + cut.code, answers.low);
    if (cut.inside) outcome[cut.code] = answers.low;
  }
  if (column.has_missing) outcome[column.n_codes] = answers.missing;
  return cut;
}

template <class Label>
void judge(const Columns& columns, size_t j, const Answers& answers, const Label* labels,
           Verdict& verdict) {
  int32_t outcome[256];
  const Cut cut = outcomes(columns[j], answers, outcome);
  int8_t* side = verdict.side.data();
  const int32_t silent = answers.abstain;
  route(columns[j], columns.n_rows(), outcome, cut, answers.high, [&](size_t i, int32_t answer) {
    side[i] = answer == silent ? int8_t{0} : answer == labels[i] ? int8_t{1} : int8_t{-1};
  });
}

}  // namespace weaklearn
