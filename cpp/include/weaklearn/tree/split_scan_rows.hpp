// The tests of a column that are looked at row by row: one that is drawn, or all by absolute error
// or of several targets.
//
// The drawn cut of a column of numbers lies anywhere between its least and largest value at the
// node, each place as likely; of a column of categories any set may be drawn. Draws are keyed by
// the seed, the tree, the way to the node and the column: rows may come in any order, and copies
// draw as one. Whether a value is missing may always be asked; where any is, those rows follow the
// side that gains more.
//
// Cost: O(rows) a drawn test; O(rows log rows) a column by absolute error, times its categories; of
// several targets as many times more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "weaklearn/tree/best_split.hpp"
#include "weaklearn/tree/node.hpp"
#include "weaklearn/tree/row_blocks.hpp"
#include "weaklearn/tree/value_order.hpp"

namespace weaklearn {

class RowSplitScan {
 public:
  RowSplitScan(const Node& node, BestSplit& best_split, ValueOrder& order)
      : node_(node), best_split_(best_split), order_(order), blocks_(node) {}

  // A node has been entered.
  void enter() {
    blocks_.enter();
    std::fill(blocks_.block.begin(), blocks_.block.end(), kLow);
    blocks_.add_up();
    base_ = blocks_.merit(RowBlocks::kEvery);
  }

  // Offers tests of column j.
  void look(uint32_t j) {
    best_split_.open_feature();
    if (!mark_missing(j)) {  // else there is nothing but missing values
      if (node_.settings.splitter == Splitter::random)
        draw(j);
      else if (node_.data.column(j).categorical)
        each_category(j);
      else
        each_cut(j);
    }
    if (has_missing_ && n_known_ > 0) {
      for (size_t i = 0; i < node_.n; ++i)
        if (blocks_.block[i] != kMissing) blocks_.block[i] = kLow;
      blocks_.add_up();
      if (Candidate* found = offer(j, kLastPlace, 1, kLow, kMissing)) found->known = true;
    }
    best_split_.close_feature();
  }

 private:
  static constexpr uint8_t kLow = RowBlocks::kLow, kHigh = RowBlocks::kHigh,
                           kMissing = RowBlocks::kMissing;
  static constexpr uint64_t kPurpose = 0x435554;  // of these draws

  uint32_t code(size_t i) const { return codes_[i]; }  // of the column that is looked at
  uint32_t rank(uint32_t j, size_t i) const {
    const uint32_t* ranks = node_.data.ranks(j);
    return ranks == nullptr ? 0 : ranks[node_.rows[i]];
  }

  // Gives whether no row has a value.
  bool mark_missing(uint32_t j) {
    const uint32_t gap = node_.data.column(j).n_codes;
    const Node::Codes codes = node_.codes(j);
    codes_.resize(std::max(codes_.size(), node_.n));
    n_known_ = 0;
    for (size_t i = 0; i < node_.n; ++i) {
      codes_[i] = codes[node_.rows[i]];
      blocks_.block[i] = code(i) == gap ? kMissing : kLow;
      n_known_ += blocks_.block[i] != kMissing;
    }
    has_missing_ = n_known_ < node_.n;
    return n_known_ == 0;
  }

  // ---- offers

  // The sides of a test as they stand, missing rows on one of them or, where there are none, apart.
  template <class Fill>
  void offer_sides(uint32_t j, uint64_t place, Fill&& fill) {
    blocks_.add_up();
    if (!has_missing_) {
      if (Candidate* found = offer(j, place, -1, kLow, kHigh)) fill(*found);
      return;
    }
    if (Candidate* found = offer(j, place, 0, kLow | kMissing, kHigh)) fill(*found);
    if (Candidate* found = offer(j, place, 1, kLow, kHigh | kMissing)) fill(*found);
  }

  Candidate* offer(uint32_t j, uint64_t place, int side, uint8_t low, uint8_t high) {
    const RowBlocks::Union left = blocks_.of(low), right = blocks_.of(high);
    if (!allowed(j, left, right)) return nullptr;
    return offer(j, place, side, blocks_.merit(low) + blocks_.merit(high) - base_, left, right);
  }
  Candidate* offer(uint32_t j, uint64_t place, int side, double gain, const RowBlocks::Union& left,
                   const RowBlocks::Union& right) {
    Candidate* found = best_split_.offer(gain, j, 2 * place + (side == 1));
    if (found == nullptr) return nullptr;
    found->ask = Ask::threshold;
    found->missing = side >= 0 ? static_cast<uint32_t>(side) : 2;
    found->heaviest = node_.heavier(right.sum.w, left.sum.w);
    found->low_value = left.sum.mean();
    found->high_value = right.sum.mean();
    found->parts[0] = static_cast<double>(left.sum.w);
    found->parts[1] = static_cast<double>(right.sum.w);
    return found;
  }

  bool allowed(uint32_t j, const RowBlocks::Union& left, const RowBlocks::Union& right) const {
    if (left.sum.w == 0 || right.sum.w == 0) return false;
    if (!node_.enough(left.sum.w, left.count) || !node_.enough(right.sum.w, right.count))
      return false;
    if (node_.settings.criterion == Criterion::poisson &&
        !(node_.has_rate(left.sum) && node_.has_rate(right.sum)))
      return false;
    if (node_.settings.monotonic.empty()) return true;
    const double rise = (right.sum.mean() - left.sum.mean()) * node_.settings.monotonic[j];
    return rise >= 0 && best_split_.within(left.sum) && best_split_.within(right.sum);
  }

  // Categories that do not occur at the node follow the heavier side of a set that was drawn.
  void offer_set(uint32_t j, uint64_t place, const CategorySet& set, const CategorySet& present) {
    for (size_t i = 0; i < node_.n; ++i)
      if (blocks_.block[i] != kMissing) blocks_.block[i] = set.has(code(i)) ? kHigh : kLow;
    offer_sides(j, place, [&](Candidate& found) {
      found.ask = Ask::subset;
      found.set = set;
      if (found.heaviest != 1 || node_.settings.splitter != Splitter::random) return;
      for (uint32_t c = 0; c < node_.data.column(j).n_codes; ++c)
        if (!present.has(c)) found.set.add(c);
    });
  }

  CategorySet categories(uint32_t j, std::vector<uint32_t>& listed) const {
    CategorySet present;
    for (size_t i = 0; i < node_.n; ++i)
      if (blocks_.block[i] != kMissing) present.add(code(i));
    listed.clear();
    for (uint32_t c = 0; c < node_.data.column(j).n_codes; ++c)
      if (present.has(c)) listed.push_back(c);
    return present;
  }

  // ---- one test, drawn

  void draw(uint32_t j) {
    Stream stream(node_.settings.seed, node_.key, mix(node_.path + kPurpose) + j);
    if (node_.data.column(j).categorical)
      draw_set(j, stream);
    else
      draw_cut(j, stream);
  }

  void draw_set(uint32_t j, Stream& stream) {
    const CategorySet present = categories(j, listed_);
    const size_t n = listed_.size();
    if (n < 2) return;
    CategorySet set;
    size_t high = 0;
    for (uint32_t c : listed_)
      if (stream.below(2) == 1) set.add(c), ++high;
    if (high == 0) set.add(listed_[stream.below(n)]);
    if (high == n) {
      set = CategorySet{};
      set.add(listed_[stream.below(n)]);
    }
    offer_set(j, 0, set, present);
  }

  // The value of a row, or the least or largest of its code where values share codes.
  double value(uint32_t j, size_t i, bool largest) const {
    const Column& column = node_.data.column(j);
    if (node_.data.ranks(j) != nullptr) return node_.data.value(j, code(i), rank(j, i));
    return largest ? column.greatest(code(i)) : column.least(code(i));
  }

  void draw_cut(uint32_t j, Stream& stream) {
    double least = std::numeric_limits<double>::infinity(), most = -least, top = -least;
    for (size_t i = 0; i < node_.n; ++i) {
      if (blocks_.block[i] == kMissing) continue;
      least = std::min(least, value(j, i, false));
      top = std::max(top, value(j, i, false));
      most = std::max(most, value(j, i, true));
    }
    if (!(least < top)) return;  // one value, or one code
    const double u = static_cast<double>(stream.next() >> 11) * 0x1p-53;
    double cut = std::max(least * (1 - u) + most * u, least);
    if (cut >= top) {  // within the last code: the cut stands before it
      cut = least;
      for (size_t i = 0; i < node_.n; ++i)
        if (blocks_.block[i] != kMissing && value(j, i, false) < top)
          cut = std::max(cut, value(j, i, true));
    }
    size_t low = node_.n, high = node_.n;  // the rows beside the cut
    for (size_t i = 0; i < node_.n; ++i) {
      if (blocks_.block[i] == kMissing) continue;
      const double x = value(j, i, false);
      size_t& beside = x > cut ? high : low;
      blocks_.block[i] = x > cut ? kHigh : kLow;
      if (beside == node_.n || (x > cut) == (x < value(j, beside, false))) beside = i;
    }
    offer_sides(j, 0, [&](Candidate& found) {
      stand_between(j, low, high, found);
      found.drawn = cut;
    });
  }

  // ---- all tests, by absolute error or of several targets

  void each_category(uint32_t j) {
    const CategorySet present = categories(j, listed_);
    if (listed_.size() < 2) return;
    for (uint32_t c : listed_) {
      CategorySet set;
      set.add(c);
      offer_set(j, c, set, present);
    }
  }

  // Row after row in order of value goes from the right to the left.
  void each_cut(uint32_t j) {
    list_in_order(j);
    blocks_.add_up();
    if (node_.data.n_targets() > 0) return each_cut_of_targets(j);
    for (int side : {0, 1}) {
      if (side == 0 && !has_missing_) continue;
      RowBlocks::Union left = side == 0 ? blocks_.of(kMissing) : RowBlocks::Union{};
      left_.clear(blocks_.numbers().size());
      right_.clear(blocks_.numbers().size());
      for (size_t i = 0; i < node_.n; ++i) {
        const bool goes_left = side == 0 && blocks_.block[i] == kMissing;
        const Pair p = blocks_.pair_at(i);
        (goes_left ? left_ : right_).add(blocks_.rank(i), p.w, p.a);
      }
      for (size_t at = 0; at + 1 < listed_.size(); ++at) {
        const size_t i = listed_[at], next = listed_[at + 1];
        const Pair p = blocks_.pair_at(i);
        left_.add(blocks_.rank(i), p.w, p.a);
        right_.add(blocks_.rank(i), -p.w, -p.a);
        left.sum += p;
        left.count += node_.counting() ? node_.counts[i] : p.w;
        if (code(i) != code(next) || rank(j, i) != rank(j, next))
          offer_cut(j, has_missing_ ? side : -1, left, i, next);
      }
    }
  }

  void each_cut_of_targets(uint32_t j) {
    const size_t n_targets = node_.data.n_targets();
    for (int side : {0, 1}) {
      if (side == 0 && !has_missing_) continue;
      RowBlocks::Union left = side == 0 ? blocks_.of(kMissing) : RowBlocks::Union{};
      left_targets_.assign(n_targets, 0);
      if (side == 0) std::copy_n(blocks_.targets_of(kMissing), n_targets, left_targets_.begin());
      right_targets_ = node_.target_sum;
      for (size_t t = 0; t < n_targets; ++t) right_targets_[t] -= left_targets_[t];
      for (size_t at = 0; at + 1 < listed_.size(); ++at) {
        const size_t i = listed_[at], next = listed_[at + 1];
        const int64_t w = node_.pair_rows[i].w;
        left.sum.w += w;
        left.count += node_.counting() ? node_.counts[i] : w;
        const int64_t* const part = node_.targets_at(i);
        for (size_t t = 0; t < n_targets; ++t) {
          left_targets_[t] += part[t];
          right_targets_[t] -= part[t];
        }
        if (code(i) == code(next) && rank(j, i) == rank(j, next)) continue;
        const RowBlocks::Union right = rest_of(left);
        if (!allowed(j, left, right)) continue;
        const double gain = node_.target_merit(left.sum.w, left_targets_.data()) +
                            node_.target_merit(right.sum.w, right_targets_.data()) - base_;
        offer_between(j, has_missing_ ? side : -1, gain, left, right, i, next);
      }
    }
  }

  void list_in_order(uint32_t j) {
    listed_.clear();
    if (node_.data.ranks(j) != nullptr) {
      bool open[256];
      for (uint32_t c = 0; c < 256; ++c) open[c] = c < node_.data.column(j).n_codes;
      for (uint64_t v : order_.list(j, open)) listed_.push_back(static_cast<uint32_t>(v));
      return;
    }
    for (uint32_t i = 0; i < node_.n; ++i)
      if (blocks_.block[i] != kMissing) listed_.push_back(i);
    std::sort(listed_.begin(), listed_.end(), [&](uint32_t x, uint32_t y) {
      const uint32_t a = code(x), b = code(y);
      return a != b ? a < b : x < y;
    });
  }

  void offer_cut(uint32_t j, int side, const RowBlocks::Union& left, size_t low, size_t high) {
    const RowBlocks::Union right = rest_of(left);
    if (!allowed(j, left, right)) return;
    const auto number = [&](size_t at) { return blocks_.numbers()[at]; };
    const double gain = -(left_.distance(number) + right_.distance(number)) - base_;
    offer_between(j, side, gain, left, right, low, high);
  }

  RowBlocks::Union rest_of(const RowBlocks::Union& left) const {
    const RowBlocks::Union all = blocks_.of(RowBlocks::kEvery);
    return {{all.sum.w - left.sum.w, all.sum.a - left.sum.a}, all.count - left.count};
  }

  void offer_between(uint32_t j, int side, double gain, const RowBlocks::Union& left,
                     const RowBlocks::Union& right, size_t low, size_t high) {
    const bool inner = code(low) == code(high);
    const uint64_t place = inner ? place_inside(code(low), rank(j, high)) : place_after(code(low));
    if (Candidate* found = offer(j, place, side, gain, left, right))
      stand_between(j, low, high, *found);
  }

  // The cut between two rows that are neighbours in value.
  void stand_between(uint32_t j, size_t low, size_t high, Candidate& found) const {
    found.inner = code(low) == code(high);
    found.code = code(low);
    found.low = found.inner ? rank(j, low) : code(low);
    found.high = found.inner ? rank(j, high) : code(high);
  }

  const Node& node_;
  BestSplit& best_split_;
  ValueOrder& order_;
  RowBlocks blocks_;
  double base_ = 0;
  bool has_missing_ = false;
  size_t n_known_ = 0;
  std::vector<uint8_t> codes_;    // of the node's rows
  std::vector<uint32_t> listed_;  // categories, or rows of the node
  RankedSums left_, right_;
  std::vector<int64_t> left_targets_, right_targets_;  // their sums on both sides of a cut
};

}  // namespace weaklearn
