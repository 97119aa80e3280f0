// Where the time of a fit goes: seconds by phase, summed over threads, and those that callers spent
// in kernels, counted while asked for.
//
// Cost: nothing is read or written but one flag while nobody asks; two looks at the clock a task
// otherwise.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace weaklearn {

// The last one is the time of whole calls, by the caller's clock: it holds all others and waiting.
enum class Phase : uint8_t { coding, losses, rows, histograms, splits, leaves, calls };
constexpr const char* kPhaseNames[] = {"coding", "losses", "dividing rows", "histograms",
                                       "splits", "leaves", "calls"};
constexpr std::size_t kPhases = std::size(kPhaseNames);

class Profile {
 public:
  static Profile& instance() {
    static Profile profile;
    return profile;
  }
  bool on() const { return on_.load(std::memory_order_relaxed); }
  // Counts from 0, or no longer.
  void turn(bool on) {
    if (on)
      for (auto& one : nanoseconds_) one.store(0);
    on_.store(on);
  }
  void add(Phase phase, int64_t nanoseconds) {
    nanoseconds_[static_cast<std::size_t>(phase)].fetch_add(nanoseconds, std::memory_order_relaxed);
  }
  double seconds(std::size_t phase) const {
    return 1e-9 * static_cast<double>(nanoseconds_[phase].load());
  }

 private:
  std::atomic<bool> on_{false};
  std::atomic<int64_t> nanoseconds_[kPhases] = {};
};

// Adds its own lifetime to a phase.
class Timed {
 public:
  explicit Timed(Phase phase) : phase_(phase), on_(Profile::instance().on()) {
    if (on_) start_ = std::chrono::steady_clock::now();
  }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;
  ~Timed() {
    if (on_)
      Profile::instance().add(phase_, std::chrono::duration_cast<std::chrono::nanoseconds>(
                                          std::chrono::steady_clock::now() - start_)
                                          .count());
  }

 private:
  const Phase phase_;
  const bool on_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace weaklearn
