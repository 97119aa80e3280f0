// The tests of a column at a node of many classes.
//
// The column is turned into cells, the weight of one class at one code, in order of code: by a
// table where rows are many for the codes and classes present, else by sorting the rows. Walking
// the cells, phi of one class changes on both sides with each; the sums of phi are whole numbers,
// so that what they come to does not depend on the way.
//
// Cost: O(rows) and O(cells) a column, whatever the number of classes of the whole sample.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "weaklearn/contest.hpp"
#include "weaklearn/node.hpp"
#include "weaklearn/value_order.hpp"

namespace weaklearn {

class ClassScan {
 public:
  ClassScan(const Node& node, Contest& contest, ValueOrder& order)
      : node_(node), contest_(contest), order_(order) {}

  // A new node of more than two classes.
  void enter() {
    const size_t k = node_.present.size();
    phi_ = Phi(node_.rules.criterion, node_.sum.w, k, node_.logs);
    total_.resize(k);
    total_phi_.resize(k);
    with(node_.rules.criterion, [&]<Criterion c>() {
      for (size_t i = 0; i < k; ++i) {
        total_[i] = node_.class_sum[node_.present[i]];
        total_phi_[i] = part_of<c>(&total_[i], 1).sum;
      }
      node_part_ = part_of<c>(total_.data(), k);
      node_merit_ = merit<c>(node_part_);
    });
  }

  // Offers the tests of column j.
  void look(uint32_t j) {
    list_cells(j);
    with(node_.rules.criterion, [&]<Criterion c>() { look_at<c>(j); });
  }

 private:
  // Of the rows with a value, in order of code and value; those without, by class.
  struct Cell {
    uint32_t code, rank, k;
    int64_t w, count;
  };
  // The weight of a block, the sum of phi (or the heaviest class), and the examples in it.
  struct Part {
    int64_t w = 0, sum = 0, count = 0;
  };

  size_t n_classes() const { return total_.size(); }

  // ---- cells

  void list_cells(uint32_t j) {
    const Column& column = node_.ground.column(j);
    const size_t slots = column.n_slots() * n_classes();
    const bool table = slots <= 2 * node_.n + 64 && !node_.counting();
    n_cells_ = 0;
    if (cells_.size() < std::max(node_.n, slots)) cells_.resize(std::max(node_.n, slots));
    has_missing_ = false;
    if (node_.ground.ranks(j) != nullptr)
      list_values(j);
    else if (table)
      list_table(j);
    else
      list_sorted(j);
  }

  void add(uint32_t code, uint32_t rank, uint32_t k, int64_t w, int64_t count) {
    cells_[n_cells_++] = {code, rank, k, w, count};
  }
  void add_row(size_t i, uint32_t code, uint32_t rank, uint32_t gap) {
    const int64_t w = node_.pair_rows[i].w, count = node_.counting() ? node_.counts[i] : w;
    if (code == gap)
      lose(node_.labels[i], w, count);
    else
      add(code, rank, node_.labels[i], w, count);
  }
  void lose(uint32_t k, int64_t w, int64_t count) {
    if (!has_missing_) {
      has_missing_ = true;
      missing_.assign(n_classes(), 0);
      missing_part_ = {};
    }
    missing_[k] += w;
    missing_part_.w += w;
    missing_part_.count += count;
  }

  // Exact thresholds: row by row in order of value.
  void list_values(uint32_t j) {
    const uint32_t gap = node_.ground.column(j).n_codes;
    const uint8_t* codes = node_.ground.codes(j);
    bool open[256];
    std::fill(open, open + 256, true);
    if (node_.ground.column(j).has_missing) open[gap] = false;
    for (uint64_t v : order_.list(j, open)) {
      const auto i = static_cast<size_t>(v & 0xffffffffu);
      add_row(i, codes[node_.rows[i]], static_cast<uint32_t>(v >> 32), gap);
    }
    for (size_t i = 0; node_.ground.column(j).has_missing && i < node_.n; ++i)
      if (codes[node_.rows[i]] == gap) add_row(i, gap, 0, gap);
  }

  void list_table(uint32_t j) {
    const Column& column = node_.ground.column(j);
    const size_t k = n_classes(), slots = column.n_slots() * k;
    if (table_.size() < slots) table_.resize(slots, 0);
    const Node::Codes codes = node_.codes(j);
    int64_t* const table = table_.data();
    for (size_t i = 0; i < node_.n; ++i)
      table[codes[node_.rows[i]] * k + node_.labels[i]] += node_.pair_rows[i].w;
    const int64_t* sum = table;
    for (uint32_t code = 0; code < column.n_codes; ++code)
      for (uint32_t label = 0; label < k; ++label, ++sum) {
        cells_[n_cells_] = {code, 0, label, *sum, *sum};
        n_cells_ += *sum != 0;
      }
    for (uint32_t label = 0; column.has_missing && label < k; ++label, ++sum)
      if (*sum != 0) lose(label, *sum, *sum);
    std::fill(table, table + slots, 0);
  }

  void list_sorted(uint32_t j) {
    const uint32_t gap = node_.ground.column(j).n_codes;
    const Node::Codes codes = node_.codes(j);
    sorted_.resize(node_.n);
    uint64_t touched[4] = {0, 0, 0, 0};
    for (size_t i = 0; i < node_.n; ++i) {
      const uint8_t c = codes[node_.rows[i]];
      ++start_[c];
      touched[c >> 6] |= uint64_t{1} << (c & 63);
    }
    uint32_t before = 0;
    for (uint32_t word = 0; word < 4; ++word)
      for (uint64_t bits = touched[word]; bits != 0; bits &= bits - 1) {
        uint32_t& start = start_[64 * word + static_cast<uint32_t>(std::countr_zero(bits))];
        before += std::exchange(start, before);
      }
    for (size_t i = 0; i < node_.n; ++i) {
      const uint8_t c = codes[node_.rows[i]];
      sorted_[start_[c]++] = static_cast<uint64_t>(i) << 8 | c;
    }
    for (uint64_t v : sorted_) {
      const auto code = static_cast<uint32_t>(v & 255);
      start_[code] = 0;
      add_row(static_cast<size_t>(v >> 8), code, 0, gap);
    }
  }

  // ---- blocks

  template <Criterion c>
  Part part_of(const int64_t* weights, size_t k) const {  // examples are left to the caller
    Part part;
    for (size_t i = 0; i < k; ++i) {
      part.w += weights[i];
      if constexpr (c == Criterion::error)
        part.sum = std::max(part.sum, weights[i]);
      else if (weights[i] > 0)
        part.sum += phi_.of<c>(weights[i]);
    }
    return part;
  }
  template <Criterion c>
  double merit(const Part& part) const {
    return part.w > 0 ? phi_.merit<c>(part.w, part.sum) : 0.0;
  }
  int64_t examples(const Part& part, int64_t counted) const {
    return node_.counting() ? counted : part.w;
  }

  template <Criterion c>
  void look_at(uint32_t j) {
    if (n_cells_ == 0) return;
    const Cell &first = cells_[0], &last = cells_[n_cells_ - 1];
    if (first.code == last.code && first.rank == last.rank && !has_missing_) return;
    const size_t k = n_classes();
    const MissingTest rule = node_.rules.missing;
    if (!has_missing_) missing_part_ = {};
    parted_ = total_;
    parted_phi_ = total_phi_;
    parted_part_ = node_part_;
    parted_part_.count = examples(node_part_, node_.count);
    base_ = node_merit_;
    double beside = 0;  // the merit of a branch of missing rows
    if (has_missing_) missing_part_.sum = part_of<c>(missing_.data(), k).sum;
    if (has_missing_ && rule != MissingTest::side) {
      for (size_t i = 0; i < k; ++i) {
        parted_[i] -= missing_[i];
        parted_phi_[i] = part_of<c>(&parted_[i], 1).sum;
      }
      parted_part_ = part_of<c>(parted_.data(), k);
      parted_part_.count = examples(parted_part_, node_.count - missing_part_.count);
      if (rule == MissingTest::branch) beside = merit<c>(missing_part_);
      base_ = rule == MissingTest::fraction ? merit<c>(parted_part_) : node_merit_ - beside;
    }
    const Column& column = node_.ground.column(j);
    if (column.categorical && node_.rules.levels == LevelTest::multiway)
      offer_levels<c>(j);
    else if (column.categorical)
      each_side([&](int side) { offer_equality<c>(j, side); });
    else
      each_side([&](int side) { offer_cuts<c>(j, side); });
    if (has_missing_ && rule != MissingTest::fraction) offer_known<c>(j);
  }

  // Once for each side the missing rows may follow: 0, 1, or -1 where they do not.
  template <class Body>
  void each_side(Body&& body) const {
    if (node_.rules.missing != MissingTest::side || !has_missing_) return body(-1);
    body(0);
    body(1);
  }

  Candidate* offer(double gain, uint32_t j, uint64_t place, int side, const Part& left,
                   const Part& right) {
    if (!(gain >= contest_.bar()) || !node_.enough(left.w, left.count) ||
        !node_.enough(right.w, right.count))
      return nullptr;
    Candidate* found = contest_.offer(gain, j, 2 * place + (side == 1));
    if (found == nullptr) return nullptr;
    found->ask = Ask::threshold;
    found->missing = side >= 0 ? static_cast<uint32_t>(side) : 2;
    found->heaviest = node_.heavier(right.w, left.w);
    if (contest_.by_ratio()) {
      const double weights[] = {static_cast<double>(left.w), static_cast<double>(right.w),
                                side < 0 ? static_cast<double>(missing_part_.w) : 0.0};
      found->information = split_information(weights, 3, static_cast<double>(node_.sum.w));
    }
    return found;
  }
  template <Criterion c>
  Candidate* offer(uint32_t j, uint64_t place, int side, const Part& left, const Part& right) {
    return offer(merit<c>(left) + merit<c>(right) - base_, j, place, side, left, right);
  }

  // ---- tests

  template <Criterion c>
  void offer_cuts(uint32_t j, int side) {
    const size_t k = n_classes();
    left_.assign(k, 0);
    left_phi_.assign(k, 0);
    right_phi_ = parted_phi_;
    Part left, right = parted_part_;
    if (side == 0)  // missing rows stand before all others
      for (uint32_t i = 0; i < k; ++i)
        if (missing_[i] > 0) move<c>({0, 0, i, missing_[i], 0}, left, right);
    if (side == 0) left.count = missing_part_.count, right.count -= missing_part_.count;
    if constexpr (c == Criterion::error) weigh_from_the_right(side);
    for (size_t i = 0; i + 1 < n_cells_; ++i) {
      const Cell &cell = cells_[i], &next = cells_[i + 1];
      move<c>(cell, left, right);
      if (cell.code == next.code && cell.rank == next.rank) continue;
      if constexpr (c == Criterion::error) right.sum = heaviest_from_[i + 1];
      const bool inner = cell.code == next.code;
      const uint64_t place = inner ? place_inside(cell.code, next.rank) : place_after(cell.code);
      if (Candidate* found = offer<c>(j, place, side, left, right)) {
        found->inner = inner;
        found->low = inner ? cell.rank : cell.code;
        found->high = inner ? next.rank : next.code;
      }
    }
  }

  // A cell goes from right to left. The last of its class leaves nothing to work out.
  template <Criterion c>
  void move(const Cell& cell, Part& left, Part& right) {
    const uint32_t k = cell.k;
    left.w += cell.w;
    right.w -= cell.w;
    left.count += cell.count;
    right.count -= cell.count;
    const int64_t l = left_[k] += cell.w, r = parted_[k] - l;
    if constexpr (c == Criterion::error) {
      left.sum = std::max(left.sum, l);
    } else {
      const int64_t lp = r == 0 ? parted_phi_[k] : phi_.of<c>(l), rp = r == 0 ? 0 : phi_.of<c>(r);
      left.sum += lp - left_phi_[k];
      right.sum += rp - right_phi_[k];
      left_phi_[k] = lp;
      right_phi_[k] = rp;
    }
  }

  // The heaviest class of the cells from each one on, with the missing rows on side 1.
  void weigh_from_the_right(int side) {
    heaviest_from_.resize(n_cells_);
    right_.assign(n_classes(), 0);
    if (side == 1) right_ = missing_;
    int64_t most = *std::max_element(right_.begin(), right_.end());
    for (size_t i = n_cells_; i > 0; --i) {
      most = std::max(most, right_[cells_[i - 1].k] += cells_[i - 1].w);
      heaviest_from_[i - 1] = most;
    }
  }

  // Calls body(level, examples) for each level, with its class weights in `right_`.
  template <class Body>
  void each_level(Body&& body) {
    for (size_t first = 0, last = 0; first < n_cells_; first = last) {
      right_.assign(n_classes(), 0);
      int64_t count = 0;
      for (; last < n_cells_ && cells_[last].code == cells_[first].code; ++last) {
        right_[cells_[last].k] += cells_[last].w;
        count += cells_[last].count;
      }
      body(cells_[first].code, count);
    }
  }
  void join_missing(int64_t& count) {
    for (size_t i = 0; i < n_classes(); ++i) right_[i] += missing_[i];
    count += missing_part_.count;
  }

  template <Criterion c>
  void offer_equality(uint32_t j, int side) {
    if (cells_[0].code == cells_[n_cells_ - 1].code) return;
    const size_t k = n_classes();
    each_level([&](uint32_t level, int64_t count) {
      if (side == 1) join_missing(count);
      left_ = parted_;
      for (size_t i = 0; i < k; ++i) left_[i] -= right_[i];
      Part left = part_of<c>(left_.data(), k), right = part_of<c>(right_.data(), k);
      right.count = count;
      left.count = parted_part_.count - count;
      if (Candidate* found = offer<c>(j, level, side, left, right)) {
        found->ask = Ask::subset;
        found->set.add(level);
      }
    });
  }

  // One child a level; missing rows join the heaviest, or have a child of their own.
  template <Criterion c>
  void offer_levels(uint32_t j) {
    const size_t k = n_classes();
    const bool joins = node_.rules.missing == MissingTest::side && has_missing_;
    const bool branches = node_.rules.missing == MissingTest::branch && has_missing_;
    uint32_t heaviest = 0;
    int64_t most = -1;
    each_level([&](uint32_t level, int64_t) {
      const int64_t w = std::accumulate(right_.begin(), right_.end(), int64_t{0});
      if (most < 0 || node_.heavier(w, most)) most = w, heaviest = level;
    });
    double gain = -base_, weights[257];
    size_t n = 0;
    int full = branches && node_.enough(missing_part_.w, missing_part_.count);
    each_level([&](uint32_t level, int64_t count) {
      if (joins && level == heaviest) join_missing(count);
      const Part part = part_of<c>(right_.data(), k);
      gain += merit<c>(part);
      full += node_.enough(part.w, count);
      weights[n++] = static_cast<double>(part.w);
    });
    if (full < 2) return;
    Candidate* found = contest_.offer(gain, j, 0);
    if (found == nullptr) return;
    found->ask = Ask::multiway;
    found->heaviest = heaviest;
    found->missing = joins ? heaviest : node_.ground.column(j).n_codes;
    weights[n++] = joins ? 0.0 : static_cast<double>(missing_part_.w);
    if (contest_.by_ratio())
      found->information = split_information(weights, n, static_cast<double>(node_.sum.w));
  }

  // Known on one side, missing on the other.
  template <Criterion c>
  void offer_known(uint32_t j) {
    left_ = total_;
    for (size_t i = 0; i < n_classes(); ++i) left_[i] -= missing_[i];
    Part known = part_of<c>(left_.data(), n_classes());
    known.count = examples(known, node_.count - missing_part_.count);
    const double gain = merit<c>(known) + merit<c>(missing_part_) - node_merit_;
    if (Candidate* found = offer(gain, j, kLastPlace, 1, known, missing_part_)) found->known = true;
  }

  const Node& node_;
  Contest& contest_;
  ValueOrder& order_;
  Phi phi_;
  // Of the node, by class.
  std::vector<int64_t> total_, total_phi_;
  Part node_part_;
  double node_merit_ = 0;
  // Of the column.
  std::vector<Cell> cells_;
  size_t n_cells_ = 0;
  bool has_missing_ = false;
  std::vector<int64_t> missing_;
  Part missing_part_;
  std::vector<int64_t> parted_, parted_phi_;  // of the rows that a test parts
  Part parted_part_;
  double base_ = 0;
  std::vector<int64_t> left_, right_, left_phi_, right_phi_, heaviest_from_;
  std::vector<int64_t> table_;
  std::vector<uint64_t> sorted_;
  uint32_t start_[256] = {};
};

}  // namespace weaklearn
