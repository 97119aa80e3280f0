// Allocations that fail on demand: the n-th from now, once.
//
// Promise: a program that includes this file, in one of its sources, has its operator new replaced
// by malloc with two counters, and no more until `fail_allocation` is called.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace weaklearn {

// How many allocations succeed before one fails; below zero none does.
inline std::atomic<long> allocations_left{-1};
// Allocations that were not freed yet.
inline std::atomic<long> allocations_alive{0};

inline void fail_allocation(long after) { allocations_left.store(after); }

inline bool allocation_fails() {
  return allocations_left.load() >= 0 && allocations_left.fetch_sub(1) == 0;
}

// What `allocate` finds, counted; nullptr where it is this allocation's turn to fail.
template <class Allocate>
void* allocate_or_fail(Allocate&& allocate) {
  void* const found = allocation_fails() ? nullptr : allocate();
  if (found != nullptr) ++allocations_alive;
  return found;
}

inline void* or_throw(void* found) {
  if (found == nullptr) throw std::bad_alloc();
  return found;
}

inline void* allocate(std::size_t size) noexcept {
  return allocate_or_fail([&] { return std::malloc(size == 0 ? 1 : size); });
}

inline void* allocate(std::size_t size, std::align_val_t alignment) noexcept {
  const std::size_t step = static_cast<std::size_t>(alignment);
  return allocate_or_fail(
      [&] { return std::aligned_alloc(step, (size + step - 1) / step * step); });
}

inline void release(void* found) noexcept {
  if (found != nullptr) --allocations_alive;
  std::free(found);
}

}  // namespace weaklearn

void* operator new(std::size_t size) { return weaklearn::or_throw(weaklearn::allocate(size)); }
void* operator new[](std::size_t size) { return weaklearn::or_throw(weaklearn::allocate(size)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return weaklearn::or_throw(weaklearn::allocate(size, alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return weaklearn::or_throw(weaklearn::allocate(size, alignment));
}
// Those that return nullptr, which std::stable_sort calls; a library's own would not count them.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return weaklearn::allocate(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return weaklearn::allocate(size);
}
void operator delete(void* found) noexcept { weaklearn::release(found); }
void operator delete[](void* found) noexcept { weaklearn::release(found); }
void operator delete(void* found, const std::nothrow_t&) noexcept { weaklearn::release(found); }
void operator delete[](void* found, const std::nothrow_t&) noexcept { weaklearn::release(found); }
void operator delete(void* found, std::size_t) noexcept { weaklearn::release(found); }
void operator delete[](void* found, std::size_t) noexcept { weaklearn::release(found); }
void operator delete(void* found, std::align_val_t) noexcept { weaklearn::release(found); }
void operator delete[](void* found, std::align_val_t) noexcept { weaklearn::release(found); }
void operator delete(void* found, std::size_t, std::align_val_t) noexcept {
  weaklearn::release(found);
}
void operator delete[](void* found, std::size_t, std::align_val_t) noexcept {
  weaklearn::release(found);
}
