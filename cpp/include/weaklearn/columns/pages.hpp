// Room for scratch that goes back to the system when it is dropped, whichever thread it served.
//
// An allocator keeps what a thread freed for that thread: with many threads that adds up to more
// than the sample. Large room is asked of the system itself, in large pages where it has them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace weaklearn {

class Pages {
 public:
  Pages() = default;
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  ~Pages() { drop(); }

  // Room for n numbers, none of which is set; what was there before is lost.
  template <class T>
  T* room(size_t n) {
    if (n * sizeof(T) > size_) take(n * sizeof(T));
    return reinterpret_cast<T*>(data_);
  }

 private:
  static constexpr size_t kLarge = size_t{1} << 20, kLargePage = size_t{2} << 20;

  void take(size_t size) {
    drop();
#if defined(__linux__)
    if (size >= kLarge) {
      void* const at = mmap(nullptr, size + kLargePage, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (at == MAP_FAILED) throw std::bad_alloc();
      mapped_ = at;
      size_ = size;
      const auto first = reinterpret_cast<uintptr_t>(at);
      data_ = static_cast<unsigned char*>(at) + (kLargePage - first % kLargePage) % kLargePage;
#if defined(MADV_HUGEPAGE)
      madvise(data_, size, MADV_HUGEPAGE);  // or not
#endif
      return;
    }
#endif
    const size_t some = std::max<size_t>(size, 1024);
    data_ = static_cast<unsigned char*>(::operator new(some));
    size_ = some;
  }

  void drop() {
#if defined(__linux__)
    if (mapped_ != nullptr)
      munmap(mapped_, size_ + kLargePage);
    else
#endif
      ::operator delete(data_);
    mapped_ = nullptr;
    data_ = nullptr;
    size_ = 0;
  }

  unsigned char* data_ = nullptr;
  size_t size_ = 0;
  void* mapped_ = nullptr;  // where the system was asked
};

// Things that tasks on several threads use one after another, as many as there are threads at work.
template <class T>
class Lent {
 public:
  std::unique_ptr<T> borrow() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (idle_.empty()) return std::make_unique<T>();
    auto one = std::move(idle_.back());
    idle_.pop_back();
    return one;
  }
  void give_back(std::unique_ptr<T> one) {
    const std::lock_guard<std::mutex> lock(mutex_);
    idle_.push_back(std::move(one));
  }
  // Drops those that nobody uses.
  void clear() {
    const std::lock_guard<std::mutex> lock(mutex_);
    idle_.clear();
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> idle_;
};

}  // namespace weaklearn
