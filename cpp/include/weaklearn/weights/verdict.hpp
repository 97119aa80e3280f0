// Right, wrong or silent: what a hypothesis says of every training row.
//
// side[i] is +1 where the answer equals the label, -1 where it differs, 0 where the hypothesis
// abstains. Cost: one pass over the rows.
#pragma once

#include <cstdint>
#include <vector>

#include "weaklearn/columns/route.hpp"
#include "weaklearn/hot/loops.hpp"
#include "weaklearn/stump/stump_search.hpp"
#include "weaklearn/threads/pool.hpp"

namespace weaklearn {

// Two classes, answers and labels -1 or +1 (0 silent): a dense column needs one look-up a row.
inline void judge_signed(const Columns& columns, size_t j, const Answers& answers,
                         const int8_t* labels, Verdict& verdict, int threads = 1) {
  const Column& column = columns[j];
  const size_t m = columns.n_rows();
  int32_t outcome[256];
  const Cut cut = outcomes(column, answers, outcome);
  int8_t* side = verdict.side.data();
  if (column.sparse) {
    route(column, m, outcome, cut, answers.high,
          [&](size_t i, int32_t answer) { side[i] = static_cast<int8_t>(answer * labels[i]); });
    return;
  }
  const bool by_cut = answers.test == Test::threshold && cut.code < kMostCodes;
  const auto first_high = static_cast<uint8_t>(cut.code + (cut.inside ? 1 : 0));
  const auto gap = static_cast<uint8_t>(column.n_codes);  // where none is missing, no row has it
  int8_t narrow[256];
  for (int c = 0; c < 256; ++c) narrow[c] = static_cast<int8_t>(outcome[c]);
  each_part(m, threads_at_hand(m / 2, threads), [&](size_t first, size_t n) {
    if (by_cut)
      hot().sides_cut(column.codes + first, first_high, gap, static_cast<int8_t>(answers.low),
                      static_cast<int8_t>(answers.high), static_cast<int8_t>(answers.missing),
                      labels + first, n, side + first);
    else
      hot().sides(column.codes + first, narrow, labels + first, n, side + first);
  });
  if (cut.inside)
    for (uint32_t p = cut.position; p < column.bin_start[cut.code + 1]; ++p) {
      const uint32_t i = column.order[p] & kRowMask;
      side[i] = static_cast<int8_t>(answers.high * labels[i]);
    }
}

// Many classes: right where the class named is the label, silent where none is named (-1).
inline void judge_classes(const Columns& columns, size_t j, const Answers& answers,
                          const int32_t* labels, Verdict& verdict, int threads = 1) {
  int32_t outcome[256];
  const Cut cut = outcomes(columns[j], answers, outcome);
  int8_t* side = verdict.side.data();
  const auto judge = [&](size_t i, int32_t answer) {
    side[i] = answer < 0 ? int8_t{0} : answer == labels[i] ? int8_t{1} : int8_t{-1};
  };
  route(columns[j], columns.n_rows(), outcome, cut, answers.high, judge, threads);
}

}  // namespace weaklearn
