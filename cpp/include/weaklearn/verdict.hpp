// Right, wrong or silent: what a hypothesis says of every training row.
//
// side[i] is +1 where the answer equals the label, -1 where it differs, 0 where the hypothesis
// abstains. Cost: one pass over the rows.
#pragma once

#include <cstdint>
#include <vector>

#include "weaklearn/hot.hpp"
#include "weaklearn/route.hpp"
#include "weaklearn/stump.hpp"

namespace weaklearn {

// The answers of a stump, as routing needs them.
struct Answers {
  Test test = Test::constant;
  double threshold = 0;
  uint32_t level = 0;
  int32_t low = 0, high = 0, missing = 0;
  const int32_t* levels = nullptr;  // multiway
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

// Two classes, answers and labels -1 or +1 (0 silent): a dense column needs one look-up a row.
inline void judge_signed(const Columns& columns, size_t j, const Answers& answers,
                         const int8_t* labels, Verdict& verdict) {
  const Column& column = columns[j];
  int32_t outcome[256];
  const Cut cut = outcomes(column, answers, outcome);
  int8_t* side = verdict.side.data();
  if (column.sparse) {
    route(column, columns.n_rows(), outcome, cut, answers.high,
          [&](size_t i, int32_t answer) { side[i] = static_cast<int8_t>(answer * labels[i]); });
    return;
  }
  int8_t narrow[256];
  for (int c = 0; c < 256; ++c) narrow[c] = static_cast<int8_t>(outcome[c]);
  hot().sides(column.codes, narrow, labels, columns.n_rows(), side);
  if (cut.inside)
    for (uint32_t p = cut.position; p < column.bin_start[cut.code + 1]; ++p) {
      const uint32_t i = column.order[p] & kRowMask;
      side[i] = static_cast<int8_t>(answers.high * labels[i]);
    }
}

// Many classes: right where the class named is the label, silent where none is named (-1).
inline void judge_classes(const Columns& columns, size_t j, const Answers& answers,
                          const int32_t* labels, Verdict& verdict) {
  int32_t outcome[256];
  const Cut cut = outcomes(columns[j], answers, outcome);
  int8_t* side = verdict.side.data();
  route(columns[j], columns.n_rows(), outcome, cut, answers.high, [&](size_t i, int32_t answer) {
    side[i] = answer < 0 ? int8_t{0} : answer == labels[i] ? int8_t{1} : int8_t{-1};
  });
}

}  // namespace weaklearn
