// Places of numbers among cuts, and what tables hold there: how stumps answer.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "variant.hpp"

namespace weaklearn::WEAKLEARN_VARIANT {
namespace {

template <class Real>
void places_of(const Real* x, size_t n, const Real* cuts, size_t n_cuts, uint32_t* place) {
  const uint32_t missing = static_cast<uint32_t>(n_cuts + 1);
  if (n_cuts <= 24) {  // counting all the cuts is faster than searching among so few
    for (size_t i = 0; i < n; ++i) place[i] = 0;
    for (size_t k = 0; k < n_cuts; ++k) {
      const Real cut = cuts[k];
      for (size_t i = 0; i < n; ++i) place[i] += x[i] > cut ? 1u : 0u;
    }
  } else {
    for (size_t i = 0; i < n; ++i) place[i] = 0;
    for (size_t length = n_cuts; length > 0;) {  // every row walks in step: no branch to mispredict
      const size_t half = (length + 1) / 2;
      for (size_t i = 0; i < n; ++i)
        place[i] += x[i] > cuts[place[i] + half - 1] ? static_cast<uint32_t>(half) : 0u;
      length -= half;
    }
  }
  for (size_t i = 0; i < n; ++i) place[i] = x[i] != x[i] ? missing : place[i];
}

void places(const double* x, size_t n, const double* cuts, size_t n_cuts, uint32_t* place) {
  places_of(x, n, cuts, n_cuts, place);
}
void places_f32(const float* x, size_t n, const float* cuts, size_t n_cuts, uint32_t* place) {
  places_of(x, n, cuts, n_cuts, place);
}

// One by one: gathering eight at a time is slower on many processors.
#if defined(__GNUC__) && !defined(__clang__)
__attribute__((optimize("no-tree-vectorize")))
#endif
void look_up(const uint32_t* place, size_t n, const int64_t* table, int64_t* score) {
  for (size_t i = 0; i < n; ++i) score[i] += table[place[i]];
}

}  // namespace
}  // namespace weaklearn::WEAKLEARN_VARIANT
