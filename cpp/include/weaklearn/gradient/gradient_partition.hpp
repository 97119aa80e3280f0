// How a split on sums of gradients sends codes to the sides, and how a list of rows follows it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/gradient/gain.hpp"
#include "weaklearn/hot/loops.hpp"
#include "weaklearn/tree/tree.hpp"

namespace weaklearn {

// Which codes of a column go right.
struct CodeSides {
  uint8_t to_right[kSlots] = {};
  CategorySet categories;  // those of a category
  bool missing_right;

  // What the node has not seen follows the heavier side.
  CodeSides(const Column& column, const GainSplit& split, bool heavy_right)
      : missing_right(split.missing_met ? split.missing_right : heavy_right) {
    for (uint32_t code = 0; code < column.n_codes; ++code) {
      bool right = split.categories ? split.right.has(code) : code > split.cut;
      if (split.categories && !split.met.has(code)) right = heavy_right;
      to_right[code] = right;
      if (split.categories && right) categories.add(code);
    }
    to_right[column.n_codes] = missing_right;
  }
};

// Writes a split into a tree, with two leaves for its sides; returns the number of the left one.
inline int32_t write_split(const Column& column, const GainSplit& split, const CodeSides& sides,
                           int32_t number, TreeArrays& tree) {
  const int32_t first = tree.add(0, 0);
  tree.add(0, 0);
  tree.ask[number] = static_cast<uint8_t>(split.categories ? Ask::subset : Ask::threshold);
  tree.feature[number] = split.feature;
  tree.first[number] = first;
  tree.width[number] = 2;
  tree.missing[number] = sides.missing_right ? 1 : 0;
  tree.gain[number] = split.gain;
  if (split.categories) {
    tree.subset[number] = static_cast<int32_t>(tree.subsets.size());
    tree.subsets.push_back(sides.categories);
  } else {
    tree.threshold[number] =
        split.cut + 1 < column.n_codes
            ? cut_between(column.greatest(split.cut), column.least(split.cut + 1))
            : std::numeric_limits<double>::max();  // all there are, known from missing
  }
  return first;
}

// Splits a list of rows in order, chunk by chunk, with spare room for as many. Chunks may be parted
// by different threads and then, when all are, placed by different threads.
class ListPartition {
 public:
  ListPartition(uint32_t* list, uint32_t* spare, size_t n, const uint8_t* codes, size_t chunk)
      : list_(list), spare_(spare), n_(n), codes_(codes), chunk_(chunk) {
    left_before_.resize((n + chunk - 1) / chunk + 1);
  }

  size_t chunks() const { return left_before_.size() - 1; }
  // How many rows go left, when all chunks are parted and counted.
  size_t left() const { return left_before_.back(); }
  // The stretches of the list that a chunk's rows are placed in.
  struct Places {
    size_t left_begin, left_end, right_begin, right_end;
  };
  Places places(size_t t) const {
    const size_t from = t * chunk_, to = std::min(n_, from + chunk_);
    const size_t right = left() + from - left_before_[t];
    return {left_before_[t], left_before_[t + 1], right,
            right + (to - from) - (left_before_[t + 1] - left_before_[t])};
  }

  // Parts chunk t; the parts lie in the spare room.
  void part(size_t t, const uint8_t* to_right) {
    const size_t from = t * chunk_, size = std::min(chunk_, n_ - from);
    uint32_t *const list = list_ + from, *const spare = spare_ + from;
    const size_t left = hot().part(list, size, codes_, to_right, spare, list);
    std::copy(list, list + (size - left), spare + left);
    left_before_[t + 1] = left;
  }

  // To be called between the last `part` and the first `place`.
  void count() {
    for (size_t t = 0; t < chunks(); ++t) left_before_[t + 1] += left_before_[t];
  }

  // Copies the rows of chunk t to where they belong.
  void place(size_t t) {
    const Places at = places(t);
    const uint32_t* const from = spare_ + t * chunk_;
    const size_t left = at.left_end - at.left_begin;
    std::copy(from, from + left, list_ + at.left_begin);
    std::copy(from + left, from + left + (at.right_end - at.right_begin), list_ + at.right_begin);
  }

 private:
  uint32_t *list_, *spare_;
  size_t n_;
  const uint8_t* codes_;
  size_t chunk_;
  std::vector<size_t> left_before_;  // rows of the chunks before that go left
};

// Splits a short list of rows in order; returns how many go left.
inline size_t part_in_order(uint32_t* list, uint32_t* spare, size_t n, const uint8_t* codes,
                            const uint8_t* to_right) {
  const size_t left = hot().part(list, n, codes, to_right, list, spare);
  std::copy(spare, spare + (n - left), list + left);
  return left;
}

}  // namespace weaklearn
