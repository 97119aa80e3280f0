// Settings, data and weights of one sample, from which any number of trees are grown: one under a
// distribution or on a bag, a forest on bags that are drawn, or one tree for each of many subsets.
//
// Promise: a tree depends on what it is grown on alone, not on the number of threads. Allocation:
// the codes of the sample once; a bag and a workspace for every tree grown at the same time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "weaklearn/tree/forest_grower.hpp"
#include "weaklearn/tree/grow_many.hpp"
#include "weaklearn/tree/tree_grower.hpp"
#include "weaklearn/weights/weights.hpp"

namespace weaklearn {

// The weight that one copy of each row has under a distribution over rows; copies empty: one each.
inline std::vector<int64_t> weight_of_copies(const Weights& prior,
                                             const std::vector<int64_t>& copies) {
  std::vector<int64_t> weight(prior.size());
  for (size_t i = 0; i < weight.size(); ++i) {
    const int64_t value = std::abs(prior.value()[i]);
    weight[i] = copies.empty() || value == 0 ? value : std::max<int64_t>(value / copies[i], 1);
  }
  return weight;
}

class SampleGrower {
 public:
  // copies, weight: of every row, or empty; the weight is that of one copy.
  SampleGrower(const Columns& columns, const int32_t* labels, const double* numbers,
               size_t n_classes, std::vector<int64_t> copies, std::vector<int64_t> weight,
               const TreeSettings& settings, int threads, const Targets& targets = {})
      : settings_(settings_for(settings, targets)),
        data_(columns, labels, numbers, n_classes, settings_, threads, targets),
        copies_(std::move(copies)),
        weight_(std::move(weight)),
        examples_(copies_.empty() ? static_cast<int64_t>(columns.n_rows())
                                  : std::accumulate(copies_.begin(), copies_.end(), int64_t{0})),
        logs_(static_cast<size_t>(examples_)),
        threads_(threads) {}

  size_t n_rows() const { return data_.n_rows(); }

  // One tree under the sample's own weights, or those of a distribution over it.
  TreeArrays grow(const Weights* weights, uint64_t key) const {
    Bag bag;
    bag.copies = copies_.empty() ? std::vector<int64_t>(n_rows(), 1) : copies_;
    bag.weight = weight_;
    if (weights != nullptr) {
      const bool repeated = examples_ < int64_t{1} << 31;  // as weights see it
      bag.weight.resize(n_rows());
      for (size_t i = 0; i < n_rows(); ++i)
        bag.weight[i] = std::abs(weights->value()[i]) / (repeated ? bag.copies[i] : 1);
      if (!repeated) bag.times.assign(n_rows(), 1);
    }
    return grow_on(bag, key);
  }

  // One tree on a bag that has so many copies of every row; 0: the row is not in it.
  TreeArrays grow_on_copies(const int64_t* copies, uint64_t key) const {
    Bag bag;
    bag.copies.assign(copies, copies + n_rows());
    bag.weight = weight_;
    return grow_on(bag, key);
  }

  // Trees first, first + 1, ..., each on a bag of its own; draws address copies of rows in `order`.
  std::vector<TreeArrays> grow_forest(size_t n, const Draws& draws, std::vector<int64_t> order,
                                      uint64_t first) const {
    const Places places(n_rows(), std::move(order), copies_);
    if (draws.n < 1) throw std::invalid_argument("a bag needs a draw");
    if (!draws.with_replacement && draws.n > places.size())
      throw std::invalid_argument("more draws without replacement than examples");
    std::vector<TreeArrays> trees(n);
    weaklearn::grow_forest(data_, settings_, logs_, places, draws, weight_, first, threads_, trees);
    return trees;
  }

  // One tree on each of the subsets, by weights of one copy of every row.
  std::vector<TreeArrays> grow_many(const std::vector<RowSubset>& subsets,
                                    const double* weight) const {
    std::vector<TreeArrays> trees;
    weaklearn::grow_many(data_, settings_, logs_, copies_, weight, subsets, threads_, trees);
    return trees;
  }

 private:
  static TreeSettings settings_for(TreeSettings settings, const Targets& targets) {
    settings.of_several = targets.n > 0;
    return settings;
  }

  TreeArrays grow_on(Bag& bag, uint64_t key) const {
    bag.close();
    if (bag.rows.empty()) throw std::invalid_argument("no row of the bag has weight");
    return Growth(data_, settings_, logs_).grow_on(threads_, bag, key);
  }

  TreeSettings settings_;
  TreeData data_;
  std::vector<int64_t> copies_, weight_;
  int64_t examples_;
  WholeLogs logs_;
  int threads_;
};

}  // namespace weaklearn
