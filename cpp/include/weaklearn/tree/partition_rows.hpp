// The rows of a tree, and how a test parts them among children.
//
// The rows of a node are a stretch of one list, parted in place and in order, so that a node costs
// what its rows cost, however deep it lies. Where missing values go down every branch, nodes own
// lists of rows and weights instead.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "weaklearn/tree/examples.hpp"
#include "weaklearn/tree/split.hpp"
#include "weaklearn/tree/tree_data.hpp"

namespace weaklearn {

// Rows that a node owns, with the weight that one copy of each has there.
struct Members {
  std::vector<uint32_t> rows;
  std::vector<int64_t> weight;
};

// The rows of a node: a stretch of the tree's list, or members of its own.
struct Stretch {
  uint32_t begin = 0, end = 0;
  std::unique_ptr<Members> members;
  size_t size() const { return members != nullptr ? members->rows.size() : end - begin; }
};

class RowPartition {
 public:
  explicit RowPartition(const TreeData& data) : data_(data) {}

  // The rows of a new tree, as the root has them.
  Stretch begin(const Examples& examples) {
    examples_ = &examples;
    rows_ = examples.bag().rows;
    scratch_.resize(rows_.size());
    Stretch root{0, static_cast<uint32_t>(rows_.size()), nullptr};
    if (!data_.shares()) return root;
    root.members = std::make_unique<Members>();
    root.members->rows = rows_;
    for (uint32_t i : rows_) root.members->weight.push_back(examples.own_weight(i));
    return root;
  }

  const uint32_t* rows(const Stretch& stretch) const {
    return stretch.members != nullptr ? stretch.members->rows.data() : &rows_[stretch.begin];
  }
  const int64_t* weights(const Stretch& stretch) const {
    return stretch.members != nullptr ? stretch.members->weight.data() : nullptr;
  }

  // Parts a stretch among as many children as the test has outcomes. Different threads may part
  // different stretches.
  void part(const Stretch& stretch, const Split& split, Stretch* children) {
    if (stretch.members != nullptr)
      share_out(*stretch.members, split, children);
    else if (split.width == 2)
      part_in_two(stretch, split, children);
    else
      part_in_many(stretch, split, children);
  }

 private:
  // Where a test sends rows.
  struct Sender {
    Sender(const TreeData& data, const Split& by)
        : split(by), codes(data.codes(by.feature)), ranks(data.ranks(by.feature)) {}
    uint32_t operator()(uint32_t row) const {
      const uint8_t code = codes[row];
      if (split.inner && code == split.open) return ranks[row] >= split.rank;
      return split.outcome[code];
    }
    const Split& split;
    const uint8_t* codes;
    const uint32_t* ranks;
  };

  void part_in_two(const Stretch& stretch, const Split& split, Stretch* children) {
    uint32_t* const rows = rows_.data();
    uint32_t* const aside = &scratch_[stretch.begin];
    uint32_t left = stretch.begin, right = 0;
    const auto send = [&](uint32_t row, uint32_t side) {  // without a branch to mispredict
      rows[left] = aside[right] = row;
      left += 1 - side;
      right += side;
    };
    if (split.inner) {
      const Sender sender(data_, split);
      for (uint32_t k = stretch.begin; k < stretch.end; ++k) send(rows[k], sender(rows[k]));
    } else {
      const bool scattered = data_.scattered(stretch.size());
      const uint8_t* codes =
          scattered ? data_.across() + split.feature : data_.codes(split.feature);
      const size_t step = scattered ? data_.stride() : 1;
      for (uint32_t k = stretch.begin; k < stretch.end; ++k)
        send(rows[k], split.outcome[codes[rows[k] * step]]);
    }
    std::copy(aside, aside + right, rows + left);
    children[0].begin = stretch.begin;
    children[0].end = children[1].begin = left;
    children[1].end = stretch.end;
  }

  void part_in_many(const Stretch& stretch, const Split& split, Stretch* children) {
    const Sender sender(data_, split);
    uint32_t start[257] = {};
    for (uint32_t k = stretch.begin; k < stretch.end; ++k) ++start[sender(rows_[k]) + 1];
    start[0] = stretch.begin;
    for (uint32_t k = 0; k < split.width; ++k) {
      start[k + 1] += start[k];
      children[k].begin = start[k];
      children[k].end = start[k + 1];
    }
    for (uint32_t k = stretch.begin; k < stretch.end; ++k)
      scratch_[start[sender(rows_[k])]++] = rows_[k];
    std::copy(scratch_.begin() + stretch.begin, scratch_.begin() + stretch.end,
              rows_.begin() + stretch.begin);
  }

  // Rows with a value follow it; of the others every child gets its share of the known weight.
  void share_out(const Members& members, const Split& split, Stretch* children) const {
    const Sender sender(data_, split);
    const uint32_t gap = data_.column(split.feature).n_codes;
    std::vector<int64_t> known(split.width, 0);
    int64_t total = 0;
    for (size_t k = 0; k < members.rows.size(); ++k) {
      const uint32_t row = members.rows[k];
      if (sender.codes[row] == gap) continue;
      const int64_t w = members.weight[k] * examples_->bag().times_of(row);
      known[sender(row)] += w;
      total += w;
    }
    std::vector<double> share(split.width);
    for (uint32_t c = 0; c < split.width; ++c) {
      share[c] = static_cast<double>(known[c]) / static_cast<double>(total);
      children[c].members = std::make_unique<Members>();
    }
    const auto give = [&](uint32_t c, uint32_t row, int64_t w) {
      if (w == 0) return;
      children[c].members->rows.push_back(row);
      children[c].members->weight.push_back(w);
    };
    for (size_t k = 0; k < members.rows.size(); ++k) {
      const uint32_t row = members.rows[k];
      const double w = static_cast<double>(members.weight[k]);
      if (sender.codes[row] != gap) give(sender(row), row, members.weight[k]);
      for (uint32_t c = 0; sender.codes[row] == gap && c < split.width; ++c)
        give(c, row, static_cast<int64_t>(w * share[c]));
    }
  }

  const TreeData& data_;
  const Examples* examples_ = nullptr;
  std::vector<uint32_t> rows_, scratch_;
};

}  // namespace weaklearn
