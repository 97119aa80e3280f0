// Trees grown side by side, each on a bag of its own, and what they say of rows they did not see.
//
// Promise: a tree depends on its number, the seed and the bag's places alone; sums over trees are
// whole numbers. So any number of threads gives the same grove.
#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "weaklearn/grower.hpp"

namespace weaklearn {

// With more classes the answers of inner nodes would take most of a tree's room: they are left out.
constexpr size_t kManyClasses = 16;

// How the bags of a grove are drawn.
struct Draws {
  uint64_t seed = 0;
  bool with_replacement = true;
  int64_t n = 0;
};

// Answers of trees to the rows outside their bags, added up.
class OutOfBag {
 public:
  OutOfBag(const Ground& ground, size_t n_trees)
      : ground_(ground), sums_(ground.n_rows() * ground.n_outputs()), counts_(ground.n_rows()) {
    int exponent = 0;
    std::frexp(static_cast<double>(n_trees) + 1, &exponent);
    scale_ = std::ldexp(1.0, 61 - exponent);  // answers lie between -1 and +1
  }

  void add(size_t row, const double* answer) {
    const size_t k = ground_.n_outputs();
    for (size_t c = 0; c < k; ++c) {
      if (ground_.n_classes() > 0 && answer[c] == 0) continue;
      const double x =
          ground_.n_classes() > 0 ? answer[c] : (answer[c] - ground_.middle()) / ground_.reach();
      sums_[row * k + c].fetch_add(std::llrint(x * scale_), std::memory_order_relaxed);
    }
    counts_[row].fetch_add(1, std::memory_order_relaxed);
  }

  // The sum over trees of the answers to each row, and how many trees answered.
  void read(double* sum, int64_t* count) const {
    const size_t k = ground_.n_outputs();
    for (size_t i = 0; i < ground_.n_rows(); ++i) {
      count[i] = counts_[i].load();
      for (size_t c = 0; c < k; ++c) {
        const double x = static_cast<double>(sums_[i * k + c].load()) / scale_;
        sum[i * k + c] =
            ground_.n_classes() > 0
                ? x
                : x * ground_.reach() + static_cast<double>(count[i]) * ground_.middle();
      }
    }
  }

 private:
  const Ground& ground_;
  std::vector<std::atomic<int64_t>> sums_, counts_;
  double scale_;
};

// Grows trees first, first + 1, ... into `trees`; weight: of one copy of each row, or empty.
inline void grow_grove(const Ground& ground, const Rules& rules, const WholeLogs& logs,
                       const Places& places, const Draws& draws, const std::vector<int64_t>& weight,
                       uint64_t first, int threads, std::vector<TreeArrays>& trees,
                       OutOfBag* out_of_bag) {
  std::mutex idle_lock;
  std::vector<std::unique_ptr<Growth>> idle;  // workspaces pass from tree to tree
  Pool::instance().run(trees.size(), threads, [&](size_t t) {
    std::unique_ptr<Growth> growth;
    {
      std::lock_guard<std::mutex> guard(idle_lock);
      if (!idle.empty()) growth = std::move(idle.back()), idle.pop_back();
    }
    if (growth == nullptr) growth = std::make_unique<Growth>(ground, rules, logs);
    Bag bag;
    bag.weight = weight;
    if (draws.with_replacement)
      places.draw(draws.seed, first + t, draws.n, bag.copies);
    else
      places.choose(draws.seed, first + t, draws.n, bag.copies);
    bag.close();
    trees[t] = growth->grow(bag, first + t, ground.n_classes() > kManyClasses);
    const TreeArrays& tree = trees[t];
    for (size_t i = 0; out_of_bag != nullptr && i < ground.n_rows(); ++i) {
      if (bag.copies[i] > 0) continue;
      const int32_t leaf = growth->leaf_of(tree, i);
      out_of_bag->add(i, &tree.values[static_cast<size_t>(tree.value[leaf]) * tree.n_outputs]);
    }
    std::lock_guard<std::mutex> guard(idle_lock);
    idle.push_back(std::move(growth));
  });
}

}  // namespace weaklearn
