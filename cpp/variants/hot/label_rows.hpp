// Many labels: scores and weights of one row after another, in plain loops.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "exponentials.hpp"
#include "numbers.hpp"
#include "variant.hpp"
#include "weaklearn/hot/loops.hpp"

namespace weaklearn::WEAKLEARN_VARIANT {
namespace {

inline int64_t row_copies(const LabelTable& of, size_t i) {
  return of.copies != nullptr ? of.copies[i] : 1;
}
inline int64_t row_times(const LabelTable& of, size_t i) { return of.repeats ? of.copies[i] : 1; }

// Notes a row of one label, with the best score of the others, which is as high or higher.
inline void note_behind(const LabelTable& of, size_t i, double other, LabelErrors* vote_errors) {
  const double* const score = of.score + i * of.stride;
  const size_t label = static_cast<size_t>(of.label[i]);
  const double own = score[label] + of.common[label];
  bool behind = other > own;
  for (size_t l = 0; !behind && l < label; ++l) behind = score[l] + of.common[l] == own;
  vote_errors->rows += behind ? row_copies(of, i) : 0;
  vote_errors->least = own - other < vote_errors->least ? own - other : vote_errors->least;
}

inline double best_other(const LabelTable& of, size_t i) {
  const double* const score = of.score + i * of.stride;
  const size_t label = static_cast<size_t>(of.label[i]);
  double other = kNoScore;
  for (size_t l = 0; l < of.stride; ++l) {
    const double f = score[l] + of.common[l];
    other = l != label && f > other ? f : other;
  }
  return other;
}

void look_at_one(const LabelTable& of, size_t begin, size_t end, LabelErrors* vote_errors) {
  const size_t stride = of.stride;
  for (size_t i = begin; i < end; ++i) {
    const double* const score = of.score + i * stride;
    const size_t label = static_cast<size_t>(of.label[i]);
    const double own = score[label] + of.common[label];
    int64_t wrong = 0, as_high = 0;
    for (size_t l = 0; l < stride; ++l) {
      const double f = score[l] + of.common[l];
      wrong += f >= 0.0 ? 1 : 0;
      as_high += f >= own ? 1 : 0;
    }
    vote_errors->labels += row_copies(of, i) * (wrong + (own <= 0.0) - (own >= 0.0));
    if (as_high > 1) note_behind(of, i, best_other(of, i), vote_errors);
  }
}

void look_at_any(const LabelTable& of, size_t begin, size_t end, LabelErrors* vote_errors) {
  const size_t stride = of.stride;
  double least = vote_errors->least;
  for (size_t i = begin; i < end; ++i) {
    const int8_t* const sign = of.sign + i * stride;
    const double* const score = of.score + i * stride;
    int64_t wrong = 0, denied = 0;
    for (size_t l = 0; l < stride; ++l) {
      const double s = sign[l], f = score[l] + of.common[l];
      wrong += (s != 0.0) & (s * f <= 0.0) ? 1 : 0;
      denied += (s * f < 0.0) | ((s > 0.0) & (f == 0.0)) ? 1 : 0;
    }
    vote_errors->labels += row_copies(of, i) * wrong;
    vote_errors->rows += denied != 0 ? row_copies(of, i) : 0;
    for (size_t l = 0; l < stride; ++l) {
      const double side = sign[l] != 0 ? sign[l] * (score[l] + of.common[l]) : least;
      least = side < least ? side : least;
    }
  }
  vote_errors->least = least;
}

void weigh_row(const LabelTable& of, size_t i, double base) {
  const size_t stride = of.stride, at = i * stride;
  for (size_t l = 0; l < stride; ++l) {
    const double s = of.sign[at + l];
    of.weight[at + l] = s != 0.0 ? base - s * (of.score[at + l] + of.common[l]) : -2000.0;
  }
  exponentials(of.weight + at, stride);
}

void move_row(const LabelTable& of, const LabelStep& by, size_t i, int64_t* gain) {
  const size_t stride = of.stride, at = i * stride;
  const size_t from = static_cast<size_t>(by.block[i]) * stride;
  const int64_t times = row_times(of, i);
  double *const score = of.score + at, *const weight = of.weight + at;
  for (size_t l = 0; l < stride; ++l) score[l] += by.step[from + l];
  for (size_t l = 0; l < stride; ++l) gain[l] = whole_number(weight[l]);
  if (of.label != nullptr) {
    const size_t label = static_cast<size_t>(of.label[i]);
    const double own = weight[label] * by.plus[from + label];
    for (size_t l = 0; l < stride; ++l) weight[l] *= by.minus[from + l];
    weight[label] = own;
  } else {
    const int8_t* const sign = of.sign + at;
    for (size_t l = 0; l < stride; ++l)
      weight[l] *= sign[l] > 0 ? by.plus[from + l] : by.minus[from + l];
  }
  for (size_t l = 0; l < stride; ++l) gain[l] = whole_number(weight[l]) - gain[l];
  if (times != 1)
    for (size_t l = 0; l < stride; ++l) gain[l] *= times;
}

}  // namespace
}  // namespace weaklearn::WEAKLEARN_VARIANT
