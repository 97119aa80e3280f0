// The pool: every task once, errors handed on, nested and concurrent jobs, forks, interrupts.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <new>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "check.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/threads/share.hpp"

#if !defined(_WIN32)
#include <sys/wait.h>
#include <unistd.h>
#endif

static std::atomic<bool> no_memory{false};

void* operator new(std::size_t n) {
  void* const room = no_memory ? nullptr : std::malloc(n);
  if (room == nullptr) throw std::bad_alloc();
  return room;
}
void operator delete(void* room) noexcept { std::free(room); }
void operator delete(void* room, std::size_t) noexcept { std::free(room); }

using weaklearn::Interrupted;
using weaklearn::Pool;

namespace {

void every_task_once() {
  for (int threads : {1, 2, 3, 8})
    for (size_t tasks : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> seen(tasks);
      Pool::instance().run(tasks, threads, [&](size_t task) { ++seen[task]; });
      Pool::instance().run_near(tasks, threads, [&](size_t task) { ++seen[task]; });
      for (const auto& count : seen) CHECK(count == 2);
    }
}

void many_jobs_in_a_row() {
  std::atomic<size_t> sum{0};
  for (int job = 0; job < 2000; ++job)
    Pool::instance().run(5, 1 + job % 4, [&](size_t task) { sum += task; });
  CHECK(sum == 2000 * 10);
}

void errors_are_handed_on() {
  for (int threads : {1, 4}) {
    std::atomic<int> done{0};
    bool caught = false;
    try {
      Pool::instance().run(200, threads, [&](size_t task) {
        if (task == 17) throw std::runtime_error("seventeen");
        ++done;
      });
    } catch (const std::runtime_error& error) {
      caught = std::string(error.what()) == "seventeen";
    }
    CHECK(caught);
    CHECK(done < 200);
    Pool::instance().run(3, threads, [&](size_t) { ++done; });  // it still works
  }
  // Many errors at once: one of them arrives.
  bool caught = false;
  try {
    Pool::instance().run(64, 4, [](size_t task) { throw task; });
  } catch (size_t task) {
    caught = task < 64;
  }
  CHECK(caught);
}

void jobs_inside_jobs() {
  std::atomic<size_t> count{0};
  Pool::instance().run(8, 4, [&](size_t) {
    Pool::instance().run(8, 4,
                         [&](size_t) { Pool::instance().run(2, 2, [&](size_t) { ++count; }); });
  });
  CHECK(count == 8 * 8 * 2);
}

// Those of the outer job's threads that have no task help with the jobs inside it, and no others
// do.
void idle_threads_help_inside() {
  std::atomic<int> at_work{0}, most_at_work{0};
  std::mutex mutex;
  std::set<std::thread::id> seen;
  for (int job = 0; job < 200 && seen.size() < 4; ++job) {
    seen.clear();
    Pool::instance().run(2, 4, [&](size_t) {
      Pool::instance().run(12, 4, [&](size_t) {
        const int now = ++at_work;
        int most = most_at_work;
        while (now > most && !most_at_work.compare_exchange_weak(most, now)) {
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        {
          std::lock_guard<std::mutex> lock(mutex);
          seen.insert(std::this_thread::get_id());
        }
        --at_work;
      });
    });
  }
  CHECK(seen.size() == 4);
  CHECK(most_at_work <= 4);
}

// Those who helped inside come back to the outer job, however many others there are that may not.
void helpers_come_back_from_inside() {
  constexpr int kThreads = 4;
  Pool::instance().run(64, 16, [](size_t) {});  // more workers than the jobs below may have
  for (int job = 0; job < 20; ++job) {
    std::mutex mutex;
    std::set<std::thread::id> late;
    const auto all_are_there = [&] {
      std::lock_guard<std::mutex> lock(mutex);
      late.insert(std::this_thread::get_id());
      return late.size() == kThreads;
    };
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    Pool::instance().run(60, kThreads, [&](size_t task) {
      const auto nap = [](size_t) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
      if (task < 2) return Pool::instance().run(8, kThreads, nap);
      if (task < 20) return nap(task);
      while (!all_are_there() && std::chrono::steady_clock::now() < end) nap(task);
    });
    CHECK(late.size() == kThreads);
  }
}

// An error inside ends both jobs, and the threads that helped are there for the next one.
void errors_inside() {
  for (int job = 0; job < 100; ++job) {
    bool caught = false;
    try {
      Pool::instance().run(3, 6, [&](size_t outer) {
        Pool::instance().run(50, 3, [&](size_t inner) {
          if (outer == 1 && inner == 20) throw std::runtime_error("inside");
        });
      });
    } catch (const std::runtime_error&) {
      caught = true;
    }
    CHECK(caught);
  }
  std::atomic<int> count{0};
  Pool::instance().run(3, 6,
                       [&](size_t) { Pool::instance().run(50, 3, [&](size_t) { ++count; }); });
  CHECK(count == 150);
}

void shares_of_threads() {
  weaklearn::ThreadShare share(8, 5);
  const int expected[] = {2, 2, 3, 4, 8};
  for (const int threads : expected) {
    CHECK(share.now() == threads);
    share.task_ended();
  }
  CHECK(share.now() == 8);
  CHECK(weaklearn::ThreadShare(4, 100).now() == 1);
}

void jobs_side_by_side() {
  std::atomic<size_t> sum{0};
  std::vector<std::thread> callers;
  for (int c = 0; c < 4; ++c)
    callers.emplace_back([&] {
      for (int job = 0; job < 300; ++job)
        Pool::instance().run(9, 3, [&](size_t task) { sum += task; });
    });
  for (std::thread& caller : callers) caller.join();
  CHECK(sum == 4 * 300 * 36);
}

// Workers that cannot be hired for want of memory are done without, as often as that may be.
void jobs_without_memory_for_workers() {
  std::atomic<int> done{0};
  Pool::instance();
  no_memory = true;
  for (int job = 0; job < 20; ++job) Pool::instance().run(4, 4, [&](size_t) { ++done; });
  no_memory = false;
  CHECK(done == 80);
}

// While one caller has a long job, another one's tasks are not left to it alone.
void callers_share_the_workers() {
  Pool::instance().run(64, 8, [](size_t) {});  // workers that are there from now on
  std::atomic<bool> over{false};
  std::thread other([&] {
    Pool::instance().run(4, 4, [&](size_t) {
      while (!over) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
  });
  std::mutex mutex;
  std::set<std::thread::id> seen;
  for (int job = 0; job < 1000 && seen.size() < 2; ++job)
    Pool::instance().run(8, 4, [&](size_t) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      std::lock_guard<std::mutex> lock(mutex);
      seen.insert(std::this_thread::get_id());
    });
  over = true;
  other.join();
  CHECK(seen.size() >= 2);
}

#if !defined(_WIN32)
void a_child_has_its_own_pool() {
  std::atomic<int> before{0};
  Pool::instance().run(100, 4, [&](size_t) { ++before; });  // threads that the fork leaves behind
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    alarm(20);  // a child that hangs is a failure
    std::atomic<int> count{0};
    for (int job = 0; job < 50; ++job) Pool::instance().run(100, 4, [&](size_t) { ++count; });
    _exit(count == 5000 ? 0 : 1);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  Pool::instance().run(100, 4, [&](size_t) { ++before; });
  CHECK(before == 200);
}
#endif

std::atomic<int> polls{0};

void a_poll_stops_the_job() {
  for (int threads : {1, 3}) {
    weaklearn::poll_hook.store([] { return ++polls >= 2; });
    polls = 0;
    std::atomic<int> done{0};
    bool stopped = false;
    try {
      Pool::instance().run(100'000, threads, [&](size_t) {
        ++done;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      });
    } catch (const Interrupted&) {
      stopped = true;
    }
    CHECK(stopped);
    CHECK(polls == 2);
    CHECK(done < 100'000);
    weaklearn::poll_hook.store(nullptr);
    Pool::instance().run(10, threads, [&](size_t) { ++done; });  // and the next one runs
  }
}

// The caller has done its share and waits; a helper has long tasks, or jobs inside one, left.
void a_poll_stops_what_is_waited_for() {
  constexpr int kMany = 20'000;
  for (const bool inside : {false, true}) {
    weaklearn::poll_hook.store([] { return true; });
    const std::thread::id caller = std::this_thread::get_id();
    std::atomic<bool> begun{false};
    std::atomic<int> steps{0};
    const auto step = [&] {
      ++steps;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    bool stopped = false;
    try {
      Pool::instance().run(2, 2, [&](size_t) {
        if (std::this_thread::get_id() == caller) {
          begun.wait(false);
          return;
        }
        begun = true;
        begun.notify_one();
        if (inside) return Pool::instance().run(kMany, 1, [&](size_t) { step(); });
        for (int k = 0; k < kMany; ++k) {
          step();
          Pool::check_interrupt();
        }
      });
    } catch (const Interrupted&) {
      stopped = true;
    }
    weaklearn::poll_hook.store(nullptr);
    CHECK(stopped);
    CHECK(steps < kMany / 2);
  }
}

// Once the hook has taken a signal it is not asked again, though a helper takes long to leave.
void a_poll_that_stopped_is_the_last() {
  weaklearn::poll_hook.store([] { return ++polls > 0; });
  polls = 0;
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> begun{false};
  bool stopped = false;
  try {
    Pool::instance().run(2, 2, [&](size_t) {
      if (std::this_thread::get_id() == caller) {
        begun.wait(false);
        return;
      }
      begun = true;
      begun.notify_one();
      while (polls == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      std::this_thread::sleep_for(std::chrono::milliseconds(150));
    });
  } catch (const Interrupted&) {
    stopped = true;
  }
  weaklearn::poll_hook.store(nullptr);
  CHECK(stopped);
  CHECK(polls == 1);
}

void small_work_stays_alone() {
  using weaklearn::kWorkWorthAThread;
  using weaklearn::threads_for;
  CHECK(threads_for(0, 8) == 1);
  CHECK(threads_for(2 * kWorkWorthAThread - 1, 8) == 1);
  CHECK(threads_for(3 * kWorkWorthAThread, 8) == 3);
  CHECK(threads_for(100 * kWorkWorthAThread, 8) == 8);
  CHECK(threads_for(100 * kWorkWorthAThread, 1) == 1);
  using weaklearn::threads_at_hand;
  CHECK(threads_at_hand(kWorkWorthAThread - 1, 8) == 1);
  CHECK(threads_at_hand(100 * kWorkWorthAThread, 8) == 8);
  CHECK(threads_at_hand(100 * kWorkWorthAThread, 1) == 1);
  const int some = threads_at_hand(2 * kWorkWorthAThread, 8);
  CHECK(some >= 2 && some <= 8);
}

}  // namespace

int main() {
  jobs_without_memory_for_workers();  // before any worker is there
  every_task_once();
  many_jobs_in_a_row();
  errors_are_handed_on();
  jobs_inside_jobs();
  idle_threads_help_inside();
  helpers_come_back_from_inside();
  errors_inside();
  shares_of_threads();
  jobs_side_by_side();
  callers_share_the_workers();
#if !defined(_WIN32)
  a_child_has_its_own_pool();
#endif
  a_poll_stops_the_job();
  a_poll_stops_what_is_waited_for();
  a_poll_that_stopped_is_the_last();
  small_work_stays_alone();
}
