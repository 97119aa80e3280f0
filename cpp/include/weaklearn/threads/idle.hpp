// Waiting for another thread without giving up the core: for a fraction of a millisecond, and only
// where nobody else wants it.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

#if defined(__linux__)
#include <sys/resource.h>
#endif
#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#endif

namespace weaklearn {

// A pause of some tens of cycles, in which the other thread of the core runs freely.
inline void relax() {
#if defined(__x86_64__) || defined(_M_X64)
  _mm_pause();
#elif defined(__aarch64__) && defined(__GNUC__)
  asm volatile("isb");
#endif
}

// Whether this thread has its core to itself: it was not pushed from it just now, nor, the more
// often that happened lately, in the last milliseconds. Where the system does not say, it has not.
inline bool has_idle_core() {
#if defined(__linux__) && !defined(WEAKLEARN_EAGER_THREADS)
  using Clock = std::chrono::steady_clock;
  constexpr Clock::duration kShortest = std::chrono::microseconds(200);
  constexpr Clock::duration kLongest = std::chrono::milliseconds(64);
  static const bool only_one = std::thread::hardware_concurrency() < 2;
  thread_local long times_pushed = 0;
  thread_local Clock::duration wary = kShortest;
  thread_local Clock::time_point last{}, end{};
  rusage usage;
  if (only_one || getrusage(RUSAGE_THREAD, &usage) != 0) return false;
  const Clock::time_point now = Clock::now();
  if (usage.ru_nivcsw != times_pushed) {
    wary = now - last < 2 * kLongest ? std::min(2 * wary, kLongest) : kShortest;
    times_pushed = usage.ru_nivcsw;
    last = now;
    end = now + wary;
  }
  return now >= end;
#else
  return false;
#endif
}

// Looks until `arrived` answers true or the time is up; returns its last answer.
template <class Arrived>
bool idle_until(const Arrived& arrived) {
  constexpr auto kLongest = std::chrono::microseconds(300);
  if (arrived()) return true;
  if (!has_idle_core()) return false;
  const auto end = std::chrono::steady_clock::now() + kLongest;
  do {
    for (int i = 0; i < 16; ++i) {
      relax();
      if (arrived()) return true;
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

}  // namespace weaklearn
