// What a test calls, by its C names, to let an allocation of this extension or of numpy fail.
#include "allocations.hpp"

#define WEAKLEARN_SEEN extern "C" __attribute__((visibility("default")))

WEAKLEARN_SEEN void weaklearn_fail_allocation(long after) { weaklearn::fail_allocation(after); }
WEAKLEARN_SEEN long weaklearn_allocations_left() { return weaklearn::allocations_left.load(); }
WEAKLEARN_SEEN long weaklearn_allocations_alive() { return weaklearn::allocations_alive.load(); }

// The four functions of a memory handler of numpy.
WEAKLEARN_SEEN void* weaklearn_numpy_malloc(void*, std::size_t size) {
  return weaklearn::allocate_or_fail([&] { return std::malloc(size); });
}
WEAKLEARN_SEEN void* weaklearn_numpy_calloc(void*, std::size_t count, std::size_t size) {
  return weaklearn::allocate_or_fail([&] { return std::calloc(count, size); });
}
WEAKLEARN_SEEN void* weaklearn_numpy_realloc(void*, void* found, std::size_t size) {
  if (weaklearn::allocation_fails()) return nullptr;
  if (found == nullptr) ++weaklearn::allocations_alive;
  return std::realloc(found, size);
}
WEAKLEARN_SEEN void weaklearn_numpy_free(void*, void* found, std::size_t) {
  weaklearn::release(found);
}
