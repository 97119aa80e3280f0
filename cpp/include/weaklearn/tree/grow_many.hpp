// Trees grown side by side, each on some of the rows.
//
// Weights become whole numbers in a unit that belongs to the subset. So a tree depends on the rows
// of its subset and on their weights alone, not on other subsets, and any number of threads grows
// the same trees.
//
// Cost: what the rows of the subsets cost; O(all rows) of memory for each thread.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <vector>

#include "weaklearn/tree/tree_grower.hpp"

namespace weaklearn {

using RowSubset = std::span<const int32_t>;  // rows, each once

// What the trees of one thread are grown in, one after another.
class SubsetGrower {
 public:
  SubsetGrower(const TreeData& data, const TreeSettings& settings, const WholeLogs& logs,
               const std::vector<int64_t>& copies)
      : growth_(data, settings, logs) {
    bag_.copies = copies.empty() ? std::vector<int64_t>(data.n_rows(), 1) : copies;
    bag_.weight.assign(data.n_rows(), 0);
  }

  // weight: of one copy of every row.
  TreeArrays grow(RowSubset subset, const double* weight) {
    int64_t examples = 0;
    double most = 0;
    for (int32_t row : subset) {
      examples += bag_.copies[static_cast<size_t>(row)];
      most = std::max(most, weight[row]);
    }
    bag_.rows.clear();
    bag_.count = bag_.total = 0;
    if (most > 0) take(subset, weight, scale_for(most, examples));
    if (bag_.rows.empty()) throw std::invalid_argument("no row of a subset has weight");
    return growth_.grow(bag_, 0);
  }

 private:
  // By what weights are multiplied, so that no sum over so many examples leaves 61 bits.
  static double scale_for(double most, int64_t examples) {
    int exponent = 0;
    std::frexp(most, &exponent);
    return std::ldexp(1.0, 61 - std::bit_width(static_cast<uint64_t>(examples)) - exponent);
  }

  void take(RowSubset subset, const double* weight, double scale) {
    for (int32_t row : subset) {
      const auto i = static_cast<size_t>(row);
      bag_.weight[i] = std::llrint(weight[i] * scale);
      if (bag_.weight[i] == 0) continue;
      bag_.rows.push_back(static_cast<uint32_t>(row));
      bag_.count += bag_.copies[i];
      bag_.total += bag_.weight_of(i);
    }
  }

  Growth growth_;
  Bag bag_;
};

inline void grow_many(const TreeData& data, const TreeSettings& settings, const WholeLogs& logs,
                      const std::vector<int64_t>& copies, const double* weight,
                      const std::vector<RowSubset>& subsets, int threads,
                      std::vector<TreeArrays>& trees) {
  size_t rows = 0;
  for (const RowSubset& subset : subsets) rows += subset.size();
  trees.resize(subsets.size());
  std::mutex idle_lock;
  std::vector<std::unique_ptr<SubsetGrower>> idle;  // workspaces pass from tree to tree
  Pool::instance().run(subsets.size(), threads_for(rows * data.size(), threads), [&](size_t t) {
    std::unique_ptr<SubsetGrower> work;
    {
      std::lock_guard<std::mutex> guard(idle_lock);
      if (!idle.empty()) work = std::move(idle.back()), idle.pop_back();
    }
    if (work == nullptr) work = std::make_unique<SubsetGrower>(data, settings, logs, copies);
    trees[t] = work->grow(subsets[t], weight);
    std::lock_guard<std::mutex> guard(idle_lock);
    idle.push_back(std::move(work));
  });
}

}  // namespace weaklearn
