// Which nodes of several trees ask, and where their children stand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "weaklearn/files/packed_stream.hpp"

namespace weaklearn::files {

class TreeShapes {
 public:
  std::vector<uint32_t> start;   // the root of each tree, and the end of the last one
  std::vector<uint32_t> tests;   // the nodes that ask
  std::vector<uint32_t> first;   // of each test: its first child
  std::vector<int32_t> width;    // of each test: how many; empty: 2
  std::vector<uint32_t> visits;  // nodes depth first, the first child before the second
  std::vector<bool> inner;

  size_t n_nodes() const { return inner.size(); }
  size_t n_trees() const { return start.size() - 1; }
  int32_t width_of(size_t test) const { return width.empty() ? 2 : width[test]; }

  TreeShapes(const int64_t* length, size_t n_trees) {
    start.push_back(0);
    for (size_t t = 0; t < n_trees; ++t) {
      const uint64_t end = start.back() + static_cast<uint64_t>(length[t]);
      must(end < static_cast<uint64_t>(std::numeric_limits<int32_t>::max()),
           "int32 does not hold all");
      start.push_back(static_cast<uint32_t>(end));
    }
    inner.assign(start.back(), false);
  }

  // Trees of two children a test, of which the marks are in the order of visits.
  void grown_depth_first(const std::vector<bool>& marks) {
    std::vector<uint32_t> first_of(n_nodes()), waiting;
    visits.resize(n_nodes());
    for (size_t t = 0; t < n_trees(); ++t) {
      uint32_t node = start[t], next = start[t] + 1;
      waiting.clear();
      for (uint32_t i = start[t]; i < start[t + 1]; ++i) {
        visits[i] = node;
        if (marks[i]) {
          must(start[t + 1] - next >= 2, kNoTrees);
          inner[node] = true;
          first_of[node] = next;
          waiting.push_back(next + 1);
          node = next;
          next += 2;
        } else if (waiting.empty()) {
          must(i + 1 == start[t + 1], kNoTrees);
        } else {
          must(i + 1 < start[t + 1], kNoTrees);
          node = waiting.back();
          waiting.pop_back();
        }
      }
      must(next == start[t + 1] && waiting.empty(), kNoTrees);
    }
    for (uint32_t node = 0; node < n_nodes(); ++node)
      if (inner[node]) {
        tests.push_back(node);
        first.push_back(first_of[node]);
      }
  }

  // Trees of which each test says how far its first child stands from it, and how many there are.
  void as_told(const std::vector<bool>& marks, const Integers& steps, const Integers& widths,
               size_t from) {
    inner = marks;
    for (uint32_t node = 0; node < n_nodes(); ++node)
      if (inner[node]) tests.push_back(node);
    const size_t n = tests.size();
    steps.each(from, from + n, [&](int64_t step) {
      const uint64_t child = static_cast<uint64_t>(step) + tests[first.size()];
      must(child < n_nodes(), kNoTrees);
      first.push_back(static_cast<uint32_t>(child));
    });
    std::vector<bool> has_parent(n_nodes(), false);
    uint64_t children = 0;
    size_t tree = 0;
    widths.each(from, from + n, [&](int64_t n_children) {
      const size_t test = width.size();
      while (start[tree + 1] <= tests[test]) ++tree;
      const int64_t end = start[tree + 1];
      must(tests[test] < first[test] && first[test] < end && n_children > 0 &&
               n_children <= end - first[test],
           kNoTrees);
      for (int64_t k = 0; k < n_children; ++k) {
        must(!has_parent[first[test] + static_cast<size_t>(k)], kNoTrees);
        has_parent[first[test] + static_cast<size_t>(k)] = true;
      }
      children += static_cast<uint64_t>(n_children);
      width.push_back(static_cast<int32_t>(n_children));
    });
    must(children == n_nodes() - n_trees(), kNoTrees);
  }

  // Writers leave trees that take too many steps from level to level to others.
  void must_be_shallow() const {
    std::vector<uint32_t> depth(n_nodes(), 0);
    std::vector<uint32_t> widest;  // by depth
    for (size_t test = 0; test < tests.size(); ++test) {
      const uint32_t d = depth[tests[test]];
      if (d >= widest.size()) widest.resize(d + 1, 0);
      const auto n = static_cast<uint32_t>(width_of(test));
      widest[d] = std::max(widest[d], n);
      std::fill_n(depth.begin() + first[test], n, d + 1);
    }
    uint64_t steps = 0;
    for (const uint32_t each : widest) steps += each;
    must(steps <= kMostSteps,
         [] { return "trees take more than " + text_of(kMostSteps) + " steps to walk"; });
  }

  void visit() {
    if (!visits.empty()) return;
    std::vector<uint32_t> test_of(n_nodes(), 0), waiting;
    for (size_t test = 0; test < tests.size(); ++test)
      test_of[tests[test]] = static_cast<uint32_t>(test);
    for (size_t t = 0; t < n_trees(); ++t) {
      waiting.assign(1, start[t]);
      while (!waiting.empty()) {
        const uint32_t node = waiting.back();
        waiting.pop_back();
        visits.push_back(node);
        if (!inner[node]) continue;
        const uint32_t test = test_of[node];
        for (int32_t k = width_of(test); k-- > 0;)
          waiting.push_back(first[test] + static_cast<uint32_t>(k));
      }
    }
  }

  // Adds to every node what its children have, in their order, from below.
  template <class T>
  void add_up(T* x) const {
    for (size_t test = tests.size(); test-- > 0;) {
      T sum = x[tests[test]];
      const T* child = x + first[test];
      for (int32_t k = 0; k < width_of(test); ++k) sum += child[k];
      x[tests[test]] = sum;
    }
  }

 private:
  static constexpr const char* kNoTrees = "nodes and children make no trees";
  static constexpr uint64_t kMostSteps = uint64_t{1} << 15;
};

}  // namespace weaklearn::files
