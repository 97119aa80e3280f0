// Trees grown side by side, each on a bag of its own.
//
// Promise: a tree depends on its number, the seed and the bag's places alone. So any number of
// threads gives the same forest.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "weaklearn/tree/tree_grower.hpp"

namespace weaklearn {

// With more classes the answers of inner nodes would take most of a tree's room: they are left out.
constexpr size_t kManyClasses = 16;

// How the bags of a forest are drawn.
struct Draws {
  uint64_t seed = 0;
  bool with_replacement = true;
  int64_t n = 0;
};

// Grows trees first, first + 1, ... into `trees`; weight: of one copy of each row, or empty.
inline void grow_forest(const TreeData& data, const TreeSettings& settings, const WholeLogs& logs,
                        const Places& places, const Draws& draws,
                        const std::vector<int64_t>& weight, uint64_t first, int threads,
                        std::vector<TreeArrays>& trees) {
  std::mutex idle_lock;
  std::vector<std::unique_ptr<Growth>> idle;  // workspaces pass from tree to tree
  Pool::instance().run(trees.size(), threads, [&](size_t t) {
    std::unique_ptr<Growth> growth;
    {
      std::lock_guard<std::mutex> guard(idle_lock);
      if (!idle.empty()) growth = std::move(idle.back()), idle.pop_back();
    }
    if (growth == nullptr) growth = std::make_unique<Growth>(data, settings, logs);
    Bag bag;
    bag.weight = weight;
    if (draws.with_replacement)
      places.draw(draws.seed, first + t, draws.n, bag.copies);
    else
      places.choose(draws.seed, first + t, draws.n, bag.copies);
    if (draws.with_replacement)  // n draws from m places: one of them, and (n - 1) / m more
      bag.repeats = 1 + static_cast<double>(draws.n - 1) / static_cast<double>(places.size());
    bag.close();
    trees[t] = growth->grow(bag, first + t, data.n_classes() > kManyClasses);
    std::lock_guard<std::mutex> guard(idle_lock);
    idle.push_back(std::move(growth));
  });
}

}  // namespace weaklearn
