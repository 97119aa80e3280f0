// The library's own small pool of threads: work handed out task by task, no spinning, one job at a
// time.
//
// Promise: `run` calls body(task) exactly once for every task unless the job is interrupted; the
// order is free, so bodies must not depend on it. A second caller finds the pool busy and works
// alone rather than waiting. After a fork the child starts with a fresh pool: threads do not
// survive a fork.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <type_traits>

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
    job.tasks = tasks;
    job.left_to_caller = tasks >= 8 * static_cast<std::size_t>(threads) ? 1 : 0;
    using Callee = std::remove_reference_t<Body>;
    job.context = const_cast<void*>(static_cast<const void*>(&body));
    job.call = [](void* context, std::size_t task) { (*static_cast<Callee*>(context))(task); };
    const int helpers =
        tasks < 2 ? 0 : static_cast<int>(std::min<std::size_t>(threads - 1, tasks - 1));
    const Turn turn(busy_, helpers > 0);
    if (turn.mine) {
      hire(helpers);
      {
        std::lock_guard<std::mutex> lock(mutex_);
        job_ = &job;
        wanted_ = helpers;
        ++generation_;
      }
      for (int i = 0; i < helpers; ++i) wake_.notify_one();
      work(job);
      std::unique_lock<std::mutex> lock(mutex_);
      wanted_ = 0;
      done_.wait(lock, [&] { return working_ == 0; });
      job_ = nullptr;
    } else {
      work(job);
    }
    if (job.error) std::rethrow_exception(job.error);
    if (job.stop.load(std::memory_order_relaxed)) throw Interrupted{};
  }

  // For long tasks to call between their steps: ends the task where the job is to stop.
  static void check_interrupt() {
    Job* const job = current_job();
    if (job == nullptr) return;
    look_up(*job);
    if (job->stop.load(std::memory_order_relaxed)) throw Interrupted{};
  }

 private:
  struct Job {
    std::size_t tasks = 0;
    std::size_t left_to_caller = 0;
    std::atomic<std::size_t> next{0};
    std::atomic<bool> stop{false};
    std::exception_ptr error;
    std::mutex error_mutex;
    std::thread::id caller = std::this_thread::get_id();
    std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
    void* context = nullptr;
    void (*call)(void*, std::size_t) = nullptr;
  };

  // The right to employ the workers, given to one caller at a time; a thread may ask again inside.
  struct Turn {
    std::atomic<bool>& busy;
    const bool mine;
    Turn(std::atomic<bool>& flag, bool wanted) : busy(flag), mine(wanted && !flag.exchange(true)) {}
    ~Turn() {
      if (mine) busy.store(false);
    }
  };

  static std::atomic<Pool*>& current() {
    static std::atomic<Pool*> pool{nullptr};
    return pool;
  }

  void hire(int helpers) {
    std::lock_guard<std::mutex> lock(mutex_);
    try {
      while (static_cast<int>(workers_) < helpers) {
        std::thread([this] { serve(); }).detach();
        ++workers_;
      }
    } catch (const std::system_error&) {  // no more threads to be had: those there are must do
    }
  }

  void serve() {
    std::unique_lock<std::mutex> lock(mutex_);
    std::size_t seen = 0;
    for (;;) {
      wake_.wait(lock, [&] { return wanted_ > 0 && generation_ != seen; });
      seen = generation_;
      --wanted_;
      ++working_;
      Job* job = job_;
      lock.unlock();
      work(*job);
      lock.lock();
      if (--working_ == 0) done_.notify_one();
    }
  }

  // Asks the hook, at most every 20 ms and only in the thread that called `run`.
  static void look_up(Job& job) {
    if (job.caller != std::this_thread::get_id()) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - job.last < std::chrono::milliseconds(20)) return;
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
    try {
      for (;;) {
        if (job.stop.load(std::memory_order_relaxed)) return;
        const std::size_t task = claim(job);
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

  std::atomic<bool> busy_{false};  // set by the caller whose job the workers serve
  std::mutex mutex_;               // guards everything below
  std::condition_variable wake_, done_;
  Job* job_ = nullptr;
  int wanted_ = 0;
  int working_ = 0;
  std::size_t generation_ = 0;
  std::size_t workers_ = 0;
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

}  // namespace weaklearn
