// The threads that one of several tasks side by side may use: the more, the fewer tasks are left.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace weaklearn {

class ThreadShare {
 public:
  ThreadShare(int threads, std::size_t tasks) : threads_(threads), left_(static_cast<int>(tasks)) {}

  // Its part of all threads, rounded up: those that others do not use come to help.
  int now() const {
    const int left = std::max(1, left_.load(std::memory_order_relaxed));
    return (threads_ + left - 1) / left;
  }

  void task_ended() { left_.fetch_sub(1, std::memory_order_relaxed); }

 private:
  const int threads_;
  std::atomic<int> left_;
};

}  // namespace weaklearn
