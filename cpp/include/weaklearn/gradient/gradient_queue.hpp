// The open nodes of a tree that grows best first: a heap, forced splits on top, then the greatest
// gain, then the lowest number.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "weaklearn/gradient/gradient_work.hpp"

namespace weaklearn {

class OpenNodes {
 public:
  explicit OpenNodes(const std::vector<GradientNode>& nodes) : nodes_(nodes) {}

  bool empty() const { return heap_.empty(); }
  size_t size() const { return heap_.size(); }

  void add(size_t node) {
    heap_.push_back(node);
    std::push_heap(heap_.begin(), heap_.end(), later());
  }

  size_t take_best() {
    std::pop_heap(heap_.begin(), heap_.end(), later());
    const size_t node = heap_.back();
    heap_.pop_back();
    return node;
  }

  // Looks through all of them.
  size_t take_last() {
    const auto last = std::max_element(heap_.begin(), heap_.end(),
                                       [&](size_t a, size_t b) { return before(a, b); });
    const size_t node = *last;
    heap_.erase(last);
    std::make_heap(heap_.begin(), heap_.end(), later());
    return node;
  }

  // Adds the best open nodes that are not searched yet, up to `most` in all: a walk down from the
  // top of the heap, which costs no more the more nodes are open.
  void add_next_in_line(std::vector<size_t>& wave, size_t most) const {
    std::vector<size_t> places;  // of the heap, themselves a heap
    const auto lower = [&](size_t a, size_t b) { return before(heap_[b], heap_[a]); };
    if (!heap_.empty()) places.push_back(0);
    for (size_t looked = 0; !places.empty() && wave.size() < most && looked < 8 * most; ++looked) {
      std::pop_heap(places.begin(), places.end(), lower);
      const size_t place = places.back();
      places.pop_back();
      if (!nodes_[heap_[place]].searched) wave.push_back(heap_[place]);
      for (size_t child = 2 * place + 1; child < std::min(2 * place + 3, heap_.size()); ++child) {
        places.push_back(child);
        std::push_heap(places.begin(), places.end(), lower);
      }
    }
  }

  // Adds the nodes that are not searched yet and likely to have their turn first, up to `most` in
  // all: open ones, and descendants of those that were searched ahead. A node has its turn after
  // those above it.
  void add_first_to_come(std::vector<size_t>& wave, size_t most, double min_gain) const {
    std::vector<std::pair<double, size_t>> found;  // the least gain on the way, negative
    const auto visit = [&](const auto& self, size_t node, double above) -> void {
      const GradientNode& one = nodes_[node];
      if (!(one.priority() > min_gain)) return;
      const double gain = std::min(above, one.priority());
      if (!one.searched) return found.push_back({-gain, node});
      self(self, one.children, gain);
      self(self, one.children + 1, gain);
    };
    for (const size_t node : heap_) visit(visit, node, nodes_[node].priority());
    const size_t n = std::min(found.size(), most - std::min(most, wave.size()));
    std::partial_sort(found.begin(), found.begin() + static_cast<ptrdiff_t>(n), found.end());
    for (size_t k = 0; k < n; ++k) wave.push_back(found[k].second);
  }

 private:
  bool before(size_t a, size_t b) const {
    const double x = nodes_[a].priority(), y = nodes_[b].priority();
    return x != y ? x > y : nodes_[a].number < nodes_[b].number;
  }

  // The order of a heap whose top comes before all others.
  struct Later {
    const OpenNodes& of;
    bool operator()(size_t a, size_t b) const { return of.before(b, a); }
  };
  Later later() const { return {*this}; }

  const std::vector<GradientNode>& nodes_;
  std::vector<size_t> heap_;
};

}  // namespace weaklearn
