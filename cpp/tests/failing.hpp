// Lets every allocation of a kernel fail once. To be included by one source of a program.
#pragma once

#include <new>

#include "../faults/allocations.hpp"
#include "check.hpp"

namespace weaklearn::testing {

constexpr long kMost = 100'000;  // allocations, far more than any of the kernels makes here

// Each time nothing but std::bad_alloc comes out, nothing stays behind, and the next call works.
template <class Work>
void each_allocation_fails(Work&& work) {
  work();  // threads are hired, buffers of a thread are there
  for (long after = 0; after < kMost; ++after) {
    const long alive = allocations_alive.load();
    bool caught = false;
    fail_allocation(after);
    try {
      work();
    } catch (const std::bad_alloc&) {
      caught = true;
    }
    const bool came = allocations_left.load() < 0;
    fail_allocation(-1);
    CHECK(came || !caught);  // a sort does without its buffer, so not all are seen
    CHECK(allocations_alive.load() == alive);
    if (!came) return;
  }
  CHECK(!"a kernel without end");
}

}  // namespace weaklearn::testing
