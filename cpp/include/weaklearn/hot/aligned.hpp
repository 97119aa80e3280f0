// Vectors that begin with a line of memory: what is read in whole lines never straddles two. Large
// ones ask the system for large pages. Numbers that are not given are not set.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace weaklearn {

template <class T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::size_t kLine = 64, kLargePage = std::size_t{2} << 20;
  LineAllocator() = default;
  template <class U>
  LineAllocator(const LineAllocator<U>&) {}

  static std::align_val_t alignment(std::size_t n) {
    return std::align_val_t{n * sizeof(T) >= kLargePage ? kLargePage : kLine};
  }
  T* allocate(std::size_t n) {
    void* const at = ::operator new(n * sizeof(T), alignment(n));
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (n * sizeof(T) >= kLargePage) madvise(at, n * sizeof(T), MADV_HUGEPAGE);  // or not
#endif
    return static_cast<T*>(at);
  }
  void deallocate(T* at, std::size_t n) { ::operator delete(at, alignment(n)); }
  template <class U>
  void construct(U* at) noexcept {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class... Given>
  void construct(U* at, Given&&... given) {
    ::new (static_cast<void*>(at)) U(static_cast<Given&&>(given)...);
  }
  template <class U>
  bool operator==(const LineAllocator<U>&) const {
    return true;
  }
};

template <class T>
using Aligned = std::vector<T, LineAllocator<T>>;

}  // namespace weaklearn
