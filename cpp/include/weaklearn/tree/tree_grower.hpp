// Growing one tree, on one thread or on several.
//
// With several threads the columns of the topmost nodes are shared out, and below them every thread
// takes parts of the tree. Any number of threads grows the same tree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "weaklearn/tree/join_subtrees.hpp"
#include "weaklearn/tree/subtree_grower.hpp"

namespace weaklearn {

class Growth {
 public:
  Growth(const TreeData& data, const TreeSettings& settings, const WholeLogs& logs)
      : data_(data),
        settings_(settings),
        examples_(data, logs),
        partition_(data),
        trunk_(std::make_unique<SubtreeGrower>(data, settings)) {}

  // Grows the tree of a bag; the key tells its drawn columns from those of other trees. Of a lean
  // tree the inner nodes all answer as the root does: many classes then take little room.
  TreeArrays grow(const Bag& bag, uint64_t key, bool lean = false) {
    grow_trunk(bag, key, 1, 0, lean);
    return std::move(trunk_->tree);
  }

  // The same on threads of the pool, for a caller outside of any job.
  TreeArrays grow_on(int threads, const Bag& bag, uint64_t key) {
    const size_t columns = settings_.max_features > 0 ? settings_.max_features : data_.size();
    const int helpers = threads_for(8 * bag.rows.size() * columns, threads);
    if (helpers < 2 || settings_.max_leaf_nodes > 0) {
      TreeArrays tree;
      Pool::instance().run(1, 1, [&](size_t) { tree = grow(bag, key); });
      return tree;
    }
    const size_t least = bag.rows.size() / (4 * static_cast<size_t>(helpers));
    std::vector<Bud> buds = grow_trunk(bag, key, helpers, least, false);
    if (buds.empty()) return std::move(trunk_->tree);
    std::vector<std::unique_ptr<SubtreeGrower>> parts(buds.size() + 1);
    std::vector<size_t> order(buds.size());  // the largest first
    for (size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return buds[a].rows.size() > buds[b].rows.size(); });
    Pool::instance().run(buds.size(), helpers, [&](size_t t) {
      const size_t k = order[t];
      parts[k + 1] = std::make_unique<SubtreeGrower>(data_, settings_);
      parts[k + 1]->begin(examples_, partition_, key, false);
      std::vector<Bud> none;
      Bud bud;
      std::swap(bud, buds[k]);
      buds[k].node = bud.node;
      parts[k + 1]->grow(std::move(bud), 1, 0, none);
    });
    parts[0] = std::move(trunk_);
    TreeArrays tree = SubtreeJoiner(parts, buds).tree();
    trunk_ = std::move(parts[0]);
    return tree;
  }

 private:
  std::vector<Bud> grow_trunk(const Bag& bag, uint64_t key, int threads, size_t least, bool lean) {
    examples_.take(bag);
    Bud root;
    root.rows = partition_.begin(examples_);
    trunk_->begin(examples_, partition_, key, lean);
    std::vector<Bud> aside;
    trunk_->grow(std::move(root), threads, least, aside);
    return aside;
  }

  const TreeData& data_;
  const TreeSettings& settings_;
  Examples examples_;
  RowPartition partition_;
  std::unique_ptr<SubtreeGrower> trunk_;
};

}  // namespace weaklearn
