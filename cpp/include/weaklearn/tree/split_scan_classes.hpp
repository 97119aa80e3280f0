// The tests of a column at a node of many classes.
//
// The column is turned into cells (class_cells.hpp); walking them gives what every cut has on both
// sides (class_cuts.hpp), and what a test gains.
//
// Cost: O(rows) and O(cells) a column, whatever the number of classes of the whole sample.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "weaklearn/tree/best_split.hpp"
#include "weaklearn/tree/class_cuts.hpp"
#include "weaklearn/tree/code_counts.hpp"
#include "weaklearn/tree/node.hpp"
#include "weaklearn/tree/value_order.hpp"

namespace weaklearn {

class ClassSplitScan : private ClassCuts {
 public:
  ClassSplitScan(const Node& node, BestSplit& best_split, ValueOrder& order, CodeCounts& counts)
      : ClassCuts(node, order, counts), best_split_(best_split) {}
  using ClassCuts::enter;

  // Offers the tests of columns. sums(j): the sums of the node by code and class of the sample,
  // where they are known; the others, if by tables, go over the rows a few at a time.
  template <class SumsOf>
  void look(const uint32_t* features, size_t n, SumsOf&& sums) {
    for (size_t f = 0; f < n;) {
      if (const int64_t* known = sums(features[f])) {
        const size_t k = node_.data.n_classes();
        const size_t slots = node_.data.column(features[f]).n_slots() * k;
        if (simple(features[f], known, k)) {
          look_at_cuts(features[f++], known, node_.class_sum.data(), k);
          continue;
        }
        if (tables_.size() < slots) tables_.resize(slots, 0);
        std::copy(known, known + slots, tables_.begin());
        look_at(features[f++], tables_.data(), k);
        continue;
      }
      size_t width = 0;
      while (width < kBatch && f + width < n && by_table(features[f + width])) ++width;
      if (width == 0) look_at(features[f++], nullptr, n_classes());
      if (width > 0) tabulate(features + f, width);
      int64_t* table = tables_.data();
      for (size_t b = 0; b < width; ++b, ++f) {
        const size_t slots = node_.data.column(features[f]).n_slots() * n_classes();
        if (simple(features[f], table, n_classes())) {
          look_at_cuts(features[f], table, total_.data(), n_classes());
          std::fill(table, table + slots, 0);
        } else {
          look_at(features[f], table, n_classes());
        }
        table += slots;
      }
    }
  }

 private:
  // One column; k: the classes that its table has room for.
  void look_at(uint32_t j, int64_t* table, size_t k) {
    best_split_.open_feature();
    list_cells(j, table, k);
    with(node_.settings.criterion, [&]<Criterion c>() { offer_all<c>(j); });
    best_split_.close_feature();
  }

  // ---- cuts, and nothing but cuts

  // The common case where one kernel does it all: cuts of a column of numbers by entropy, few
  // classes, and none of the numbers missing here.
  bool simple(uint32_t j, const int64_t* table, size_t k) const {
    const Column& column = node_.data.column(j);
    const int64_t* const gap = table + column.n_codes * k;
    return hot().class_cuts != nullptr && by_entropy() && k <= kMostClasses &&
           !column.categorical &&
           (!column.has_missing || std::all_of(gap, gap + k, [](int64_t w) { return w == 0; }));
  }
  bool by_entropy() const {
    return node_.settings.criterion == Criterion::entropy ||
           node_.settings.criterion == Criterion::gain_ratio;
  }

  void look_at_cuts(uint32_t j, const int64_t* table, const int64_t* total, size_t k) {
    const size_t n_codes = node_.data.column(j).n_codes;
    cells_.clear(n_codes + 8, false, false);
    make_room(n_codes + 8);
    has_missing_ = false;
    part_all();
    const ClassTerms terms{total, k, node_.sum.w, phi_.scale(), phi_.back(), base_};
    cells_.n =
        hot().class_cuts(table, n_codes, &terms, cells_.code.data(), cut_w_.data(), gain_.data());
    std::iota(cut_at_.begin(), cut_at_.begin() + static_cast<ptrdiff_t>(cells_.n), 0u);
    best_split_.open_feature();
    offer_best(j, -1, cells_.n - 1);
    best_split_.close_feature();
  }

  // ---- tests

  template <Criterion c>
  void offer_all(uint32_t j) {
    if (cells_.n == 0 || (cells_.same_value(0, cells_.n - 1) && !has_missing_)) return;
    const size_t k = n_classes();
    const MissingTest rule = node_.settings.missing;
    part_all();
    double beside = 0;  // the merit of a branch of missing rows
    if (has_missing_) missing_part_.sum = part_of<c>(missing_.data(), k).sum;
    if (has_missing_ && rule != MissingTest::side) {
      known_.resize(k);
      known_phi_.resize(k);
      for (size_t i = 0; i < k; ++i) {
        known_[i] = total_[i] - missing_[i];
        known_phi_[i] = part_of<c>(&known_[i], 1).sum;
      }
      parted_ = known_.data();
      parted_phi_ = known_phi_.data();
      parted_part_ = part_of<c>(parted_, k);
      parted_part_.count = examples(parted_part_, node_.count - missing_part_.count);
      if (rule == MissingTest::branch) beside = merit<c>(missing_part_);
      base_ = rule == MissingTest::fraction ? merit<c>(parted_part_) : node_merit_ - beside;
    }
    const Column& column = node_.data.column(j);
    if (column.categorical && node_.settings.categorical == CategorySplit::multiway)
      offer_categories<c>(j);
    else if (column.categorical)
      each_side([&](int side) { offer_equality<c>(j, side); });
    else
      each_side([&](int side) { offer_cuts<c>(j, side); });
    if (has_missing_ && rule != MissingTest::fraction) offer_known<c>(j);
  }

  // Once for each side the missing rows may follow: 0, 1, or -1 where they do not.
  template <class Body>
  void each_side(Body&& body) const {
    if (node_.settings.missing != MissingTest::side || !has_missing_) return body(-1);
    body(0);
    body(1);
  }

  bool allowed(const Part& left, const Part& right) const {
    return node_.enough(left.w, left.count) && node_.enough(right.w, right.count);
  }

  // Offers a test that is allowed; gives room for the rest where it may be chosen.
  Candidate* offer(double gain, uint32_t j, uint64_t place, int side, const Part& left,
                   const Part& right) {
    Candidate* found = best_split_.offer(gain, j, 2 * place + (side == 1));
    if (found == nullptr) return nullptr;
    found->ask = Ask::threshold;
    found->missing = side >= 0 ? static_cast<uint32_t>(side) : 2;
    found->heaviest = node_.heavier(right.w, left.w);
    found->parts[0] = static_cast<double>(left.w);
    found->parts[1] = static_cast<double>(right.w);
    if (side < 0) found->parts[2] = static_cast<double>(missing_part_.w);
    return found;
  }

  // Every cut between neighbouring codes or values. First the class weights on both sides after
  // each cell, then phi of them all at once, then their sums at the cuts.
  template <Criterion c>
  void offer_cuts(uint32_t j, int side) {
    const size_t n = cells_.n - 1;
    make_room(cells_.n);
    if constexpr (c == Criterion::error)
      weigh_heaviest(side, n);
    else
      work_out_phi<c>(side, n);
    const size_t n_cuts = add_up_cuts<c>(side, n);
    const int64_t all = parted_part_.w;
    if constexpr (c == Criterion::entropy) {
      for (size_t i = 0; i < n_cuts; ++i) {
        sides_[i] = cut_w_[i];
        sides_[n_cuts + i] = all - cut_w_[i];
      }
      phi_.of<c>(sides_.data(), 2 * n_cuts, phis_.data());
    }
    for (size_t i = 0; i < n_cuts; ++i)
      gain_[i] = phi_.merit<c>(cut_w_[i], cut_left_[i], phis_[i]) +
                 phi_.merit<c>(all - cut_w_[i], cut_right_[i], phis_[n_cuts + i]) - base_;
    offer_best(j, side, n_cuts);
  }

  // Offers the best of the cuts, their gains known.
  void offer_best(uint32_t j, int side, size_t n_cuts) {
    const double tie = best_split_.tie();
    const double most = best_allowed(gain_.data(), n_cuts, node_, tie,
                                     [&](size_t i) { return enough_beside(j, i); });
    if (!(most >= best_split_.bar())) return;
    for (size_t i = 0; i < n_cuts; ++i)
      if (gain_[i] >= most - tie) offer_cut(j, side, i);
  }

  // Whether a cut leaves enough on both sides; examples are counted only here, where they are not
  // known by cell.
  bool enough_beside(uint32_t j, size_t cut) const {
    const int64_t w = cut_w_[cut], rest = parted_part_.w - w;
    if (!node_.counting()) return node_.enough(w, w) && node_.enough(rest, rest);
    if (cells_.counted)
      return node_.enough(w, cut_count_[cut]) &&
             node_.enough(rest, parted_part_.count - cut_count_[cut]);
    return node_.heavy(w) && node_.heavy(rest) &&
           counts_.enough_beside(j, cells_.code[cut_at_[cut]]);
  }

  void offer_cut(uint32_t j, int side, size_t cut) {
    const Part left{cut_w_[cut], 0, 0}, right{parted_part_.w - cut_w_[cut], 0, 0};
    const size_t i = cut_at_[cut];
    const uint32_t code = cells_.code[i];
    const bool inner = cells_.same_code(i, i + 1);
    const uint64_t place = inner ? place_inside(code, cells_.rank[i + 1]) : place_after(code);
    if (Candidate* found = offer(gain_[cut], j, place, side, left, right)) {
      found->inner = inner;
      found->code = code;
      found->low = inner ? cells_.rank[i] : code;
      found->high = inner ? cells_.rank[i + 1] : cells_.code[i + 1];
    }
  }

  // Calls body(category, examples) for each category, with its class weights in `right_`.
  template <class Body>
  void each_category(Body&& body) {
    for (size_t first = 0, last = 0; first < cells_.n; first = last) {
      right_.assign(n_classes(), 0);
      int64_t count = 0;
      for (; last < cells_.n && cells_.same_code(first, last); ++last) {
        right_[cells_.k[last]] += cells_.w[last];
        count += cells_.examples(last);
      }
      body(cells_.code[first], count);
    }
  }
  void join_missing(int64_t& count) {
    for (size_t i = 0; i < n_classes(); ++i) right_[i] += missing_[i];
    count += missing_part_.count;
  }

  template <Criterion c>
  void offer_equality(uint32_t j, int side) {
    if (cells_.same_code(0, cells_.n - 1)) return;
    const size_t k = n_classes();
    each_category([&](uint32_t category, int64_t count) {
      if (side == 1) join_missing(count);
      left_.assign(parted_, parted_ + k);
      for (size_t i = 0; i < k; ++i) left_[i] -= right_[i];
      Part left = part_of<c>(left_.data(), k), right = part_of<c>(right_.data(), k);
      right.count = count;
      left.count = parted_part_.count - count;
      if (!allowed(left, right)) return;
      const double gain = merit<c>(left) + merit<c>(right) - base_;
      if (Candidate* found = offer(gain, j, category, side, left, right)) {
        found->ask = Ask::subset;
        found->set.add(category);
      }
    });
  }

  // One child per category; missing rows join the heaviest, or have a child of their own.
  template <Criterion c>
  void offer_categories(uint32_t j) {
    const size_t k = n_classes();
    const bool joins = node_.settings.missing == MissingTest::side && has_missing_;
    const bool branches = node_.settings.missing == MissingTest::branch && has_missing_;
    uint32_t heaviest = 0;
    int64_t most = -1;
    each_category([&](uint32_t category, int64_t) {
      const int64_t w = std::accumulate(right_.begin(), right_.end(), int64_t{0});
      if (most < 0 || node_.heavier(w, most)) most = w, heaviest = category;
    });
    double gain = -base_, weights[257];
    size_t n = 0;
    int full = branches && node_.enough(missing_part_.w, missing_part_.count);
    each_category([&](uint32_t category, int64_t count) {
      if (joins && category == heaviest) join_missing(count);
      const Part part = part_of<c>(right_.data(), k);
      gain += merit<c>(part);
      full += node_.enough(part.w, count);
      weights[n++] = static_cast<double>(part.w);
    });
    if (full < 2) return;
    Candidate* found = best_split_.offer(gain, j, 0);
    if (found == nullptr) return;
    found->ask = Ask::multiway;
    found->heaviest = heaviest;
    found->missing = joins ? heaviest : node_.data.column(j).n_codes;
    weights[n++] = joins ? 0.0 : static_cast<double>(missing_part_.w);
    if (best_split_.by_ratio())
      found->information = split_information(weights, n, static_cast<double>(node_.sum.w));
  }

  // Known on one side, missing on the other.
  template <Criterion c>
  void offer_known(uint32_t j) {
    left_ = total_;
    for (size_t i = 0; i < n_classes(); ++i) left_[i] -= missing_[i];
    Part known = part_of<c>(left_.data(), n_classes());
    known.count = examples(known, node_.count - missing_part_.count);
    if (!allowed(known, missing_part_)) return;
    const double gain = merit<c>(known) + merit<c>(missing_part_) - node_merit_;
    if (Candidate* found = offer(gain, j, kLastPlace, 1, known, missing_part_)) found->known = true;
  }

  BestSplit& best_split_;
};

}  // namespace weaklearn
