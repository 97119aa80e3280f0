// Vectors that begin with a line of memory: what is read in whole lines never straddles two.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace weaklearn {

template <class T>
struct LineAllocator {
  static constexpr std::align_val_t kLine{64};
  using value_type = T;
  LineAllocator() = default;
  template <class U>
  LineAllocator(const LineAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kLine)); }
  void deallocate(T* at, std::size_t) { ::operator delete(at, kLine); }
  template <class U>
  bool operator==(const LineAllocator<U>&) const {
    return true;
  }
};

template <class T>
using Aligned = std::vector<T, LineAllocator<T>>;

}  // namespace weaklearn
