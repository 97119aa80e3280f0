// A function of one number, put to many: out[i] = f(x[i]).
//
// The function is one of the hot loops, which give the same bits for a number wherever it stands:
// so does this, for any number of threads. Cost: one pass. No allocation.
#pragma once

#include <algorithm>
#include <cstddef>

#include "weaklearn/hot/loops.hpp"
#include "weaklearn/threads/pool.hpp"

namespace weaklearn {

// x and out may be the same array.
template <void (*Hot::*function)(double*, size_t)>
void elementwise(const double* x, size_t n, double* out, int threads) {
  constexpr size_t chunk = 8192;
  Pool::instance().run((n + chunk - 1) / chunk, threads_for(n * 4, threads), [&](size_t t) {
    const size_t first = t * chunk, size = std::min(chunk, n - first);
    if (x != out) std::copy(x + first, x + first + size, out + first);
    (hot().*function)(out + first, size);
  });
}

}  // namespace weaklearn
