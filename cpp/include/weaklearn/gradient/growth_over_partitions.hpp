// Trees that grow side by side over partitions of the rows: every question asks for the sums of all
// of them.
//
// Every partition grows the same trees, on its own rows. Which nodes are asked for at once depends
// on sums over all rows alone, never on threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "weaklearn/columns/pages.hpp"
#include "weaklearn/gradient/gradient_data.hpp"
#include "weaklearn/gradient/gradient_growth.hpp"
#include "weaklearn/gradient/gradient_work.hpp"
#include "weaklearn/partitions/collective.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/threads/share.hpp"
#include "weaklearn/tree/tree.hpp"

namespace weaklearn {

class GrowthOverPartitions {
 public:
  GrowthOverPartitions(const GradientData& data, Lent<GradientWork>& works, int threads,
                       const Collective& partitions)
      : data_(data), works_(works), threads_(threads), partitions_(partitions) {}

  std::vector<TreeArrays> grow(const std::vector<GrowTask>& tasks) {
    std::vector<TreeArrays> trees;
    for (size_t first = 0; first < tasks.size(); first += kAtOnce)
      grow_some(tasks.data() + first, std::min(kAtOnce, tasks.size() - first), trees);
    return trees;
  }

 private:
  static constexpr size_t kAtOnce = 16;  // trees, each of which takes memory of its own

  void grow_some(const GrowTask* tasks, size_t n, std::vector<TreeArrays>& trees) {
    ThreadShare share(threads_, n);
    std::vector<std::unique_ptr<GradientWork>> works;
    std::vector<std::unique_ptr<GradientGrowth>> growths;
    for (size_t t = 0; t < n; ++t) {
      works.push_back(works_.borrow());
      growths.push_back(std::make_unique<GradientGrowth>(data_, *works[t], tasks[t], share, true));
    }
    begin(growths);
    std::vector<GradientGrowth*> growing;
    for (const auto& growth : growths) growing.push_back(growth.get());
    while (!growing.empty()) {
      ask(growing);
      std::vector<uint8_t> goes_on(growing.size());
      Pool::instance().run(growing.size(), threads_,
                           [&](size_t t) { goes_on[t] = growing[t]->go_on() ? 1 : 0; });
      std::vector<GradientGrowth*> left;
      for (size_t t = 0; t < growing.size(); ++t) {
        if (goes_on[t] != 0)
          left.push_back(growing[t]);
        else
          share.task_ended();
      }
      growing = left;
    }
    for (size_t t = 0; t < n; ++t) {
      trees.push_back(growths[t]->take_tree());
      works_.give_back(std::move(works[t]));
    }
  }

  // Lists the rows, and finds the scales of the whole numbers.
  void begin(const std::vector<std::unique_ptr<GradientGrowth>>& growths) const {
    const size_t n = growths.size();
    std::vector<GradientExtent> extents(n);
    Pool::instance().run(n, threads_, [&](size_t t) { extents[t] = growths[t]->own_extent(); });
    GradientExtent::join(extents, partitions_);
    Pool::instance().run(n, threads_, [&](size_t t) { growths[t]->begin(extents[t]); });
  }

  // The numbers of all trees become their sums over partitions.
  void ask(const std::vector<GradientGrowth*>& growing) const {
    std::vector<int64_t> all;
    for (GradientGrowth* const one : growing)
      all.insert(all.end(), one->numbers().begin(), one->numbers().end());
    if (all.empty()) return;
    partitions_.sum(all.data(), all.size());
    const int64_t* next = all.data();
    for (GradientGrowth* const one : growing) {
      std::copy_n(next, one->numbers().size(), one->numbers().begin());
      next += one->numbers().size();
    }
  }

  const GradientData& data_;
  Lent<GradientWork>& works_;
  const int threads_;
  const Collective& partitions_;
};

}  // namespace weaklearn
