// Trees that fit a gradient: Newton's step in every leaf, on coded columns.
//
// Promise: the tree depends on the multiset of rows only: not on their order, not on the number of
// threads or partitions, and k copies are a row of weight k.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/columns/pages.hpp"
#include "weaklearn/gradient/gradient_data.hpp"
#include "weaklearn/gradient/gradient_growth.hpp"
#include "weaklearn/gradient/gradient_work.hpp"
#include "weaklearn/gradient/growth_over_partitions.hpp"
#include "weaklearn/partitions/collective.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/threads/share.hpp"
#include "weaklearn/tree/tree.hpp"

namespace weaklearn {

class GradientGrower {
 public:
  GradientGrower(const Columns& columns, GradientSettings settings, int threads,
                 const Collective* partitions = nullptr)
      : data_(columns, std::move(settings), threads, partitions),
        threads_(threads),
        partitions_(partitions) {}

  size_t n_rows() const { return data_.n_rows(); }
  size_t n_features() const { return data_.n_features(); }

  // Grows every task's tree, all side by side. Where there are fewer than threads, each has its
  // share of them, the last one all.
  std::vector<TreeArrays> grow(const std::vector<GrowTask>& tasks) {
    if (partitions_ != nullptr)
      return GrowthOverPartitions(data_, works_, threads_, *partitions_).grow(tasks);
    std::vector<TreeArrays> trees(tasks.size());
    ThreadShare share(threads_, tasks.size());
    Pool::instance().run(tasks.size(), threads_, [&](size_t t) {
      auto work = works_.borrow();
      trees[t] = GradientGrowth(data_, *work, tasks[t], share).grow();
      works_.give_back(std::move(work));
      share.task_ended();
    });
    return trees;
  }

  // Frees the memory that trees leave to the next one, which asks for it again.
  void release() { works_.clear(); }

 private:
  const GradientData data_;
  const int threads_;
  const Collective* const partitions_;
  Lent<GradientWork> works_;
};

}  // namespace weaklearn
