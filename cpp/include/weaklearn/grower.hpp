// Growing one tree, on one thread or on several.
//
// With several threads the columns of the topmost nodes are shared out, and below them every thread
// takes parts of the tree. Any number of threads grows the same tree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "weaklearn/graft.hpp"
#include "weaklearn/shoot.hpp"

namespace weaklearn {

class Growth {
 public:
  Growth(const Ground& ground, const Rules& rules, const WholeLogs& logs)
      : ground_(ground),
        rules_(rules),
        examples_(ground, logs),
        parting_(ground),
        trunk_(std::make_unique<Shoot>(ground, rules)) {}

  // Grows the tree of a bag; the key tells its drawn columns from those of other trees. Of a lean
  // tree the inner nodes all answer as the root does: many classes then take little room.
  TreeArrays grow(const Bag& bag, uint64_t key, bool lean = false) {
    grow_trunk(bag, key, 1, 0, lean);
    return std::move(trunk_->tree);
  }

  // The same on threads of the pool, for a caller outside of any job.
  TreeArrays grow_on(int threads, const Bag& bag, uint64_t key) {
    const size_t columns = rules_.max_features > 0 ? rules_.max_features : ground_.size();
    const int helpers = threads_for(8 * bag.rows.size() * columns, threads);
    if (helpers < 2 || rules_.max_leaf_nodes > 0) {
      TreeArrays tree;
      Pool::instance().run(1, 1, [&](size_t) { tree = grow(bag, key); });
      return tree;
    }
    const size_t least = bag.rows.size() / (4 * static_cast<size_t>(helpers));
    std::vector<Bud> buds = grow_trunk(bag, key, helpers, least, false);
    if (buds.empty()) return std::move(trunk_->tree);
    std::vector<std::unique_ptr<Shoot>> parts(buds.size() + 1);
    std::vector<size_t> order(buds.size());  // the largest first
    for (size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return buds[a].rows.size() > buds[b].rows.size(); });
    Pool::instance().run(buds.size(), helpers, [&](size_t t) {
      const size_t k = order[t];
      parts[k + 1] = std::make_unique<Shoot>(ground_, rules_);
      parts[k + 1]->begin(examples_, parting_, key, false);
      std::vector<Bud> none;
      Bud bud;
      std::swap(bud, buds[k]);
      buds[k].node = bud.node;
      parts[k + 1]->grow(std::move(bud), 1, 0, none);
    });
    parts[0] = std::move(trunk_);
    TreeArrays tree = Graft(parts, buds).tree();
    trunk_ = std::move(parts[0]);
    return tree;
  }

 private:
  std::vector<Bud> grow_trunk(const Bag& bag, uint64_t key, int threads, size_t least, bool lean) {
    examples_.take(bag);
    Bud root;
    root.rows = parting_.begin(examples_);
    trunk_->begin(examples_, parting_, key, lean);
    std::vector<Bud> aside;
    trunk_->grow(std::move(root), threads, least, aside);
    return aside;
  }

  const Ground& ground_;
  const Rules& rules_;
  Examples examples_;
  Parting parting_;
  std::unique_ptr<Shoot> trunk_;
};

}  // namespace weaklearn
