// The rows of a node in order of value, for cuts inside coarse codes.
//
// A node that holds most rows reads them off the column's order; a small one sorts its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weaklearn/tree/node.hpp"

namespace weaklearn {

class ValueOrder {
 public:
  explicit ValueOrder(const Node& node) : node_(node) {}

  // Rank and place among the node's rows, in one word, of the rows in the codes marked `open`.
  const std::vector<uint64_t>& list(uint32_t j, const bool* open) {
    const TreeData& data = node_.data;
    const Column& column = data.column(j);
    const uint32_t* ranks = data.ranks(j);
    list_.clear();
    // The implicit zeros of a sparse column do not stand in its order.
    if (node_.n >= 4096 && node_.n >= data.n_rows() / 8 && !column.sparse) {
      mark();
      for (uint32_t c = 0; c < column.n_codes; ++c)
        for (uint32_t p = column.bin_start[c]; open[c] && p < column.bin_start[c + 1]; ++p) {
          const uint32_t row = column.order[p] & kRowMask;
          if (mark_[row] != 0) list_.push_back(uint64_t{ranks[row]} << 32 | (mark_[row] - 1));
        }
      return list_;
    }
    const uint8_t* codes = data.codes(j);
    for (size_t k = 0; k < node_.n; ++k) {
      const uint32_t row = node_.rows[k];
      if (open[codes[row]]) list_.push_back(uint64_t{ranks[row]} << 32 | k);
    }
    std::sort(list_.begin(), list_.end());
    return list_;
  }

  // To be called before another node is entered.
  void leave() {
    if (!marked_) return;
    for (size_t k = 0; k < node_.n; ++k) mark_[node_.rows[k]] = 0;
    marked_ = false;
  }

 private:
  void mark() {  // where each row of the data stands among the node's rows, counted from 1
    if (marked_) return;
    marked_ = true;
    mark_.resize(node_.data.n_rows(), 0);
    for (size_t k = 0; k < node_.n; ++k) mark_[node_.rows[k]] = static_cast<uint32_t>(k) + 1;
  }

  const Node& node_;
  std::vector<uint64_t> list_;
  bool marked_ = false;
  std::vector<uint32_t> mark_;
};

}  // namespace weaklearn
