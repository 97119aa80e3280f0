// Boxes that belong together: the classes of the closure of a symmetric rule over pairs.
//
// A class is walked from box to box; boxes that are reached leave the search. The others are kept
// in order of size (by powers of two), row and column of a grid as coarse as they are, and a box is
// compared with those alone that are near enough to pass. Many boxes over few objects cost
// O(n log n); the worst, n boxes that all meet and do not belong together, n^2 comparisons. Classes
// are numbered by their first members, and equal boxes are of one class whatever the rule says.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <vector>

#include "weaklearn/threads/pool.hpp"

namespace weaklearn {

struct Box {
  int32_t left, top, width, height;
  bool operator==(const Box&) const = default;
};

// How far before and after its own left (and top) edge a box may find those of others; 0 or more.
struct BoxReach {
  int64_t before_x, after_x, before_y, after_y;
};

// Rules say of two boxes whether they belong together; whether a box may find others whose longer
// sides go from `least` to less than `below`; and where.

// More in common than a share (0 or more) of what both cover.
struct SharedArea {
  double share;

  bool operator()(const Box& a, const Box& b) const {
    const double left = std::max<double>(a.left, b.left), top = std::max<double>(a.top, b.top);
    const double right = std::min(end(a.left, a.width), end(b.left, b.width));
    const double bottom = std::min(end(a.top, a.height), end(b.top, b.height));
    const double common = std::max(right - left, 0.0) * std::max(bottom - top, 0.0);
    const double either = area(a) + area(b) - common;
    return common / (either > 0.0 ? either : 1.0) > share;
  }
  // What is in common is in either direction more than the share of either side: sides and
  // places cannot differ by more than that. A pixel more, whatever was rounded.
  bool may_suit(const Box& box, int64_t least, int64_t below) const {
    const double side = std::max({box.width, box.height, 1}), part = std::min(share, 1.0);
    return static_cast<double>(below) > part * side - 1.0 &&
           part * (static_cast<double>(least) - 1.0) <= side;
  }
  BoxReach reach(const Box& box, int64_t below) const {
    const auto rest = [this](int64_t side) {
      const double left_over = (1.0 - std::min(share, 1.0)) * static_cast<double>(side);
      return static_cast<int64_t>(std::max(left_over, 0.0)) + 1;
    };
    return {rest(below), rest(box.width), rest(below), rest(box.height)};
  }

 private:
  static double end(int32_t from, int32_t length) { return static_cast<double>(from) + length; }
  static double area(const Box& box) { return static_cast<double>(box.width) * box.height; }
};

// OpenCV's rule: no edge further apart than a share (0 or more) of the mean smaller side.
struct SimilarEdges {
  double share;

  bool operator()(const Box& a, const Box& b) const {
    const double sides = static_cast<double>(std::min(a.width, b.width)) +
                         static_cast<double>(std::min(a.height, b.height));
    const double allowed = share * sides * 0.5;
    const int64_t x = int64_t{a.left} - b.left, y = int64_t{a.top} - b.top;
    const int64_t far_x = x + a.width - b.width, far_y = y + a.height - b.height;
    return static_cast<double>(
               std::max({std::abs(x), std::abs(y), std::abs(far_x), std::abs(far_y)})) <= allowed;
  }
  bool may_suit(const Box&, int64_t, int64_t) const { return true; }
  BoxReach reach(const Box& box, int64_t) const {
    const double sides = static_cast<double>(box.width) + static_cast<double>(box.height);
    const auto far = static_cast<int64_t>(std::clamp(share * sides * 0.5, -1.0, 0x1p33)) + 1;
    return {far, far, far, far};
  }
};

template <class Rule>
class BoxClasses {
 public:
  BoxClasses(const Box* boxes, size_t n, Rule rule) : boxes_(boxes), rule_(rule), place_(n) {
    for (size_t i = 0; i < n; ++i) place_[i] = place_of(i);
    std::sort(place_.begin(), place_.end());
    next_.resize(n + 1);
    std::iota(next_.begin(), next_.end(), size_t{0});
    for (size_t p = 0; p < n; ++p)
      if (p == 0 || place_[p].octave != place_[p - 1].octave) first_.push_back(p);
    first_.push_back(n);
  }

  // The class of every box.
  std::vector<int64_t> labels() {
    const size_t n = place_.size();
    std::vector<int64_t> label(n, -1);
    std::vector<size_t> at(n);  // where boxes stand in order
    for (size_t p = 0; p < n; ++p) at[place_[p].box] = p;
    int64_t classes = 0;
    std::vector<size_t> walk;
    size_t steps = 0;
    for (size_t i = 0; i < n; ++i) {
      if (label[i] >= 0) continue;
      label[i] = classes;
      next_[at[i]] = at[i] + 1;
      walk.push_back(i);
      while (!walk.empty()) {
        const size_t from = walk.back();
        walk.pop_back();
        if (++steps % 256 == 0) Pool::check_interrupt();
        for (size_t k = 0; k + 1 < first_.size(); ++k)
          near(boxes_[from], first_[k], first_[k + 1], [&](size_t p) {
            const size_t to = place_[p].box;
            if (boxes_[to] != boxes_[from] && !rule_(boxes_[from], boxes_[to])) return;
            label[to] = classes;
            next_[p] = p + 1;
            walk.push_back(to);
          });
      }
      ++classes;
    }
    return label;
  }

 private:
  struct Place {
    int32_t octave;
    int64_t row, column;
    size_t box;
    auto key() const { return std::tie(octave, row, column, box); }
    bool operator<(const Place& other) const { return key() < other.key(); }
  };

  static int32_t octave_of(const Box& box) {
    const auto side = static_cast<uint32_t>(std::max({box.width, box.height, 1}));
    return static_cast<int32_t>(std::bit_width(side)) - 1;
  }
  // The grid of an octave, whose sides are from 2^octave to below twice that.
  static int64_t cell_of(int64_t edge, int32_t octave) { return edge >> octave; }

  Place place_of(size_t i) const {
    const int32_t octave = octave_of(boxes_[i]);
    return {octave, cell_of(boxes_[i].top, octave), cell_of(boxes_[i].left, octave), i};
  }

  // The first place from p on whose box was not reached yet.
  size_t open_from(size_t p) {
    while (next_[p] != p) p = next_[p] = next_[next_[p]];
    return p;
  }

  // Boxes not reached yet, in the places from first to last, in the cells near to a box.
  template <class Found>
  void near(const Box& box, size_t first, size_t last, Found&& found) {
    size_t p = open_from(first);
    if (p >= last) return;
    const int32_t octave = place_[first].octave;
    const int64_t least = int64_t{1} << octave, below = 2 * least;
    if (!rule_.may_suit(box, octave > 0 ? least : 0, below)) return;
    const BoxReach reach = rule_.reach(box, below);
    const int64_t top = cell_of(box.top - reach.before_y, octave);
    const int64_t bottom = cell_of(box.top + reach.after_y, octave);
    const int64_t left = cell_of(box.left - reach.before_x, octave);
    const int64_t right = cell_of(box.left + reach.after_x, octave);
    const auto seek = [&](int64_t row) {
      const auto from = place_.begin();
      const auto to = from + static_cast<std::ptrdiff_t>(last);
      const Place sought{octave, row, left, 0};
      const auto at = std::lower_bound(from + static_cast<std::ptrdiff_t>(p), to, sought);
      return open_from(static_cast<size_t>(at - from));
    };
    for (p = seek(top); p < last && place_[p].row <= bottom;) {
      if (place_[p].column > right) {
        p = seek(place_[p].row + 1);
      } else if (place_[p].column < left) {
        p = seek(place_[p].row);
      } else {
        found(p);
        p = open_from(p + 1);
      }
    }
  }

  const Box* boxes_;
  Rule rule_;
  std::vector<Place> place_;
  std::vector<size_t> first_;  // places where octaves begin, and the end
  std::vector<size_t> next_;   // itself where a box is open, else a later place
};

template <class Rule>
std::vector<int64_t> box_classes(const Box* boxes, size_t n, Rule rule) {
  std::vector<int64_t> label;
  Pool::instance().run(1, 1, [&](size_t) { label = BoxClasses<Rule>(boxes, n, rule).labels(); });
  return label;
}

}  // namespace weaklearn
