// The library's own small pool of threads: work handed out task by task, several jobs at a time.
//
// Promise: `run` calls body(task) exactly once for every task unless the job is interrupted; the
// order is free, so bodies must not depend on it. Callers in different threads share the workers. A
// job inside a job that has workers is helped by those of the outer job's threads that are idle,
// and done by its caller alone where none is: all of them together are never more than the outer
// job asked for. After a fork the child starts with a fresh pool: threads do not survive a fork.
//
// Cost: a worker that finds nothing to do looks for the next job for a fraction of a millisecond,
// then sleeps; one that was pushed from its core lately sleeps at once, so that a busy neighbour
// loses nothing.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <type_traits>

#include "weaklearn/threads/idle.hpp"

#if !defined(_WIN32)
#include <pthread.h>
#endif

namespace weaklearn {

// Thrown out of a kernel whose caller asked it to stop.
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

// Asked now and then by the calling thread; answers true when the work should stop.
using Poll = bool (*)();
inline std::atomic<Poll> poll_hook{nullptr};

class Pool {
 public:
  static Pool& instance() {
    Pool* pool = current().load(std::memory_order_acquire);
    if (pool == nullptr) {
      static std::mutex making;
      std::lock_guard<std::mutex> lock(making);
      pool = current().load(std::memory_order_acquire);
      if (pool == nullptr) {
        pool = new Pool;  // never destroyed: workers may outlive static destruction
        current().store(pool, std::memory_order_release);
#if !defined(_WIN32)
        static const int registered =
            pthread_atfork(nullptr, nullptr, [] { current().store(nullptr); });
        (void)registered;
#endif
      }
    }
    return *pool;
  }

  template <class Body>
  void run(std::size_t tasks, int threads, Body&& body) {
    Job job;
    do_job(job, tasks, threads, body);
  }

  // The same where one job after another divides the same rows: a thread begins with the part that
  // it had the last time, which is in its caches, and helps the others then.
  template <class Body>
  void run_near(std::size_t tasks, int threads, Body&& body) {
    Job job;
    job.placed = tasks <= kMostNear;
    do_job(job, tasks, threads, body);
  }

  // How many workers will see the next job at once, without being woken.
  int looking() const { return looking_.load(std::memory_order_relaxed); }

  // For long tasks to call between their steps: ends the task where the job is to stop.
  static void check_interrupt() {
    Job* const job = current_job();
    if (job == nullptr) return;
    look_up(*job);
    if (job->stopped()) throw Interrupted{};
  }

 private:
  static constexpr std::size_t kMostNear = 512;

  struct Job {
    std::size_t tasks = 0;
    std::size_t left_to_caller = 0;
    Job* outermost = nullptr;   // of the jobs around it, or itself: the first that has workers
    int all_helpers = 0;        // of an outermost job: that it and those inside it may have
    std::atomic<int> spare{0};  // those of them that have nothing to do
    std::atomic<std::size_t> next{0};
    bool placed = false;   // each thread claims tasks from its own place on
    std::size_t crew = 1;  // among whom the places are shared out
    std::atomic<uint64_t> claimed[kMostNear / 64] = {};
    std::atomic<bool> stop{false};
    std::exception_ptr error;
    std::mutex error_mutex;
    std::thread::id caller = std::this_thread::get_id();
    std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
    void* context = nullptr;
    void (*call)(void*, std::size_t) = nullptr;

    void share_out(int helpers) {
      outermost = this;
      all_helpers = helpers;
      spare.store(helpers, std::memory_order_relaxed);
    }
    // Whether it, or the job around it, is to stop.
    bool stopped() const {
      return stop.load(std::memory_order_relaxed) ||
             (outermost != nullptr && outermost->stop.load(std::memory_order_relaxed));
    }
    int idle() const { return spare.load(std::memory_order_relaxed); }
    bool take_one() {
      int left = idle();
      while (left > 0)
        if (spare.compare_exchange_weak(left, left - 1, std::memory_order_relaxed)) return true;
      return false;
    }
    void give_one_back() { spare.fetch_add(1, std::memory_order_relaxed); }
  };

  // Where one caller's job lies for the workers to join. `places` counts those who may still join
  // times kPlace plus those who look at the job or work on it, for whom it stays there.
  struct alignas(64) Desk {
    static constexpr uint32_t kPlace = 1u << 16;
    std::atomic<bool> taken{false};
    std::atomic<uint32_t> places{0};
    Job* job = nullptr;
    std::mutex leaving;
    std::condition_variable left;  // the last who worked is gone

    bool hold() { return change_open(1); }
    bool take_place() { return change_open(0 - kPlace); }
    // The last to leave wakes the caller, which may sleep already: the lock is what it sleeps by.
    void leave() {
      if (places.fetch_sub(1) != 1) return;
      {
        std::lock_guard<std::mutex> lock(leaving);
      }
      left.notify_one();
    }

   private:
    // Adds to the places while one is left.
    bool change_open(uint32_t by) {
      uint32_t now = places.load();
      while (now >= kPlace)
        if (places.compare_exchange_weak(now, now + by)) return true;
      return false;
    }
  };
  static constexpr std::size_t kDesks = 16;
  static constexpr std::chrono::milliseconds kBetweenPolls{20};

  static std::atomic<Pool*>& current() {
    static std::atomic<Pool*> pool{nullptr};
    return pool;
  }

  // ------------------------------------------------------------------------------- the caller

  template <class Body>
  void do_job(Job& job, std::size_t tasks, int threads, Body& body) {
    job.tasks = tasks;
    job.left_to_caller = tasks >= 8 * static_cast<std::size_t>(threads) ? 1 : 0;
    using Callee = std::remove_reference_t<Body>;
    job.context = const_cast<void*>(static_cast<const void*>(&body));
    job.call = [](void* context, std::size_t task) { (*static_cast<Callee*>(context))(task); };
    Job* const around = current_job() != nullptr ? current_job()->outermost : nullptr;
    const int most = around == nullptr ? threads - 1 : std::min(threads - 1, around->idle());
    const auto others = static_cast<int>(std::min<std::size_t>(tasks, INT32_MAX)) - 1;
    const int helpers = std::max(0, std::min(most, others));
    if (around == nullptr && helpers > 0) job.share_out(threads - 1);
    if (around != nullptr) job.outermost = around;
    Desk* const desk = helpers > 0 ? free_desk() : nullptr;
    if (desk != nullptr) {
      hire(around == nullptr ? helpers : around->all_helpers);
      job.crew = static_cast<std::size_t>(workers_.load(std::memory_order_relaxed)) + 1;
      post(*desk, job, helpers);
      work(job);
      collect(*desk, job);
    } else {
      work(job);
    }
    if (job.error) std::rethrow_exception(job.error);
    if (job.stopped()) throw Interrupted{};
  }

  Desk* free_desk() {
    for (Desk& desk : desks_)
      if (!desk.taken.load(std::memory_order_relaxed) && !desk.taken.exchange(true)) return &desk;
    return nullptr;
  }

  void hire(int helpers) {
    if (workers_.load(std::memory_order_relaxed) >= helpers) return;
    std::lock_guard<std::mutex> lock(hiring_);
    try {
      while (workers_.load(std::memory_order_relaxed) < helpers) {
        const int number = workers_.load(std::memory_order_relaxed) + 1;
        std::thread([this, number] { serve(number); }).detach();
        workers_.fetch_add(1, std::memory_order_relaxed);
      }
    } catch (const std::exception&) {  // no more threads to be had: those there are must do
    }
  }

  void post(Desk& desk, Job& job, int helpers) {
    desk.job = &job;
    desk.places.store(static_cast<uint32_t>(helpers) * Desk::kPlace);
    posted_.fetch_add(1);
    const int wanted = helpers - looking_.load();
    if (2 * wanted > workers_.load(std::memory_order_relaxed))
      posted_.notify_all();
    else
      for (int k = 0; k < wanted; ++k) posted_.notify_one();
  }

  // Lets nobody join any more, and waits for those who have; the hook is asked meanwhile.
  static void collect(Desk& desk, Job& job) {
    desk.places.fetch_and(Desk::kPlace - 1);
    const auto all_left = [&] { return desk.places.load() == 0; };
    for (bool done = idle_until(all_left); !done;) {
      {
        std::unique_lock<std::mutex> lock(desk.leaving);
        done = desk.left.wait_for(lock, kBetweenPolls, all_left);
      }
      if (!done && !job.stopped()) look_up(job);
    }
    desk.taken.store(false);
  }

  // ------------------------------------------------------------------------------ the workers

  // Half of the workers look from the other end, so that two jobs find as many.
  void serve(int number) {
    own_number() = static_cast<std::size_t>(number);
    const bool backwards = number % 2 == 0;
    for (;;) {
      const uint32_t seen = posted_.load();
      if (join_any(backwards)) continue;
      looking_.fetch_add(1);
      const bool news = idle_until([&] { return posted_.load() != seen; });
      looking_.fetch_sub(1);
      if (!news) posted_.wait(seen);
    }
  }

  // Works on a posted job, if there is one with a place left and the caller's threads are not all
  // at work. Whoever gives a spare thread back looks again: others may have missed it.
  bool join_any(bool backwards) {
    for (std::size_t k = 0; k < kDesks; ++k) {
      Desk& desk = desks_[backwards ? kDesks - 1 - k : k];
      if (!desk.hold()) continue;
      Job& job = *desk.job;
      const bool spare = job.outermost->take_one();
      if (spare) {
        if (desk.take_place()) work(job);
        job.outermost->give_one_back();
      }
      desk.leave();
      if (spare) return true;
    }
    return false;
  }

  // Asks the hook, at most every 20 ms and only in the thread that called `run`.
  static void look_up(Job& job) {
    if (job.caller != std::this_thread::get_id()) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - job.last < kBetweenPolls) return;
    job.last = now;
    const Poll poll = poll_hook.load(std::memory_order_relaxed);
    if (poll != nullptr && poll()) job.stop.store(true, std::memory_order_relaxed);
  }

  static Job*& current_job() {
    thread_local Job* job = nullptr;
    return job;
  }

  static void work(Job& job) {
    Job* const outer = current_job();
    current_job() = &job;
    do_tasks(job);
    current_job() = outer;
  }

  // Of a worker: from 1 on; of a caller: 0.
  static std::size_t& own_number() {
    thread_local std::size_t number = 0;
    return number;
  }

  // The next task from place `at` on that nobody has claimed.
  static std::size_t claim_near(Job& job, std::size_t& at) {
    for (std::size_t k = 0; k < job.tasks; ++k) {
      const std::size_t task = at;
      at = at + 1 < job.tasks ? at + 1 : 0;
      std::atomic<uint64_t>& word = job.claimed[task / 64];
      const uint64_t bit = uint64_t{1} << (task % 64);
      if ((word.load(std::memory_order_relaxed) & bit) != 0) continue;
      if ((word.fetch_or(bit, std::memory_order_relaxed) & bit) == 0) return task;
    }
    return job.tasks;
  }

  // The next task. Where there are many, the last one is left to the caller: it starts
  // later than what the helpers still have in hand, so that the caller seldom has to sleep until
  // they are done, and be woken again.
  static std::size_t claim(Job& job) {
    if (job.caller == std::this_thread::get_id())
      return job.next.fetch_add(1, std::memory_order_relaxed);
    std::size_t task = job.next.load(std::memory_order_relaxed);
    while (task + job.left_to_caller < job.tasks)
      if (job.next.compare_exchange_weak(task, task + 1, std::memory_order_relaxed)) return task;
    return job.tasks;
  }

  static void do_tasks(Job& job) {
    std::size_t at = job.tasks * (own_number() % job.crew) / job.crew;
    try {
      for (;;) {
        if (job.stopped()) return;
        const std::size_t task = job.placed ? claim_near(job, at) : claim(job);
        if (task >= job.tasks) return;
        job.call(job.context, task);
        look_up(job);
      }
    } catch (...) {
      std::lock_guard<std::mutex> lock(job.error_mutex);
      if (!job.error) job.error = std::current_exception();
      job.stop.store(true, std::memory_order_relaxed);
    }
  }

  Desk desks_[kDesks];
  alignas(64) std::atomic<uint32_t> posted_{0};  // jobs so far
  alignas(64) std::atomic<int> looking_{0};      // workers that will see the next job at once
  std::atomic<int> workers_{0};
  std::mutex hiring_;
};

// Waking a thread costs about as much as this many simple steps: less work than that is done alone.
#if defined(WEAKLEARN_EAGER_THREADS)  // for tests: threads for the least work
constexpr std::size_t kWorkWorthAThread = 1;
#else
constexpr std::size_t kWorkWorthAThread = 100'000;
#endif

inline int threads_for(std::size_t work, int most) {
  const std::size_t worth = work / kWorkWorthAThread;
  if (worth < 2 || most < 2) return 1;
  return worth < static_cast<std::size_t>(most) ? static_cast<int>(worth) : most;
}

// The same for jobs that follow one another closely, as those of a round do: a worker that still
// looks for work need not be woken, and pays from a fifth of the work on.
inline int threads_at_hand(std::size_t work, int most) {
  const int woken = threads_for(work, most);
  if (woken == most || work < kWorkWorthAThread) return woken;
  const std::size_t worth = 5 * work / kWorkWorthAThread;
  const int awake = std::min(Pool::instance().looking() + 1, most);
  return std::max(woken, worth < static_cast<std::size_t>(awake) ? static_cast<int>(worth) : awake);
}

}  // namespace weaklearn
