// The open nodes of a tree that grows best first: a heap, the greatest gain on top, then the lowest
// number.
#pragma once

#include <algorithm>
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

 private:
  bool before(size_t a, size_t b) const {
    const double x = nodes_[a].split.gain, y = nodes_[b].split.gain;
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
