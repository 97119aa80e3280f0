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
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "weaklearn/tree/best_split.hpp"
#include "weaklearn/tree/code_counts.hpp"
#include "weaklearn/tree/node.hpp"
#include "weaklearn/tree/value_order.hpp"

namespace weaklearn {

class ClassSplitScan {
 public:
  ClassSplitScan(const Node& node, BestSplit& best_split, ValueOrder& order, CodeCounts& counts)
      : node_(node), best_split_(best_split), order_(order), counts_(counts) {}

  // A new node of more than two classes.
  void enter() {
    const size_t k = node_.present.size();
    phi_ = Phi(node_.settings.criterion, node_.sum.w, k, node_.logs);
    total_.resize(k);
    total_phi_.resize(k);
    with(node_.settings.criterion, [&]<Criterion c>() {
      node_part_ = {};
      for (size_t i = 0; i < k; ++i) total_[i] = node_.class_sum[node_.present[i]];
      if constexpr (c != Criterion::error) phi_.of<c>(total_.data(), k, total_phi_.data());
      if constexpr (c == Criterion::error) total_phi_ = total_;
      for (size_t i = 0; i < k; ++i) {
        node_part_.w += total_[i];
        node_part_.sum = c == Criterion::error ? std::max(node_part_.sum, total_[i])
                                               : node_part_.sum + total_phi_[i];
      }
      node_merit_ = merit<c>(node_part_);
    });
  }

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
  // Weights of one class at one code, or at one value, in order; of rows that have a value.
  struct Cells {
    size_t n = 0;
    std::vector<uint32_t> code, k;
    std::vector<int64_t> w;
    std::vector<uint32_t> rank;  // where codes are opened
    std::vector<int64_t> count;  // of examples, where they are counted apart
    bool ranked = false, counted = false;

    void clear(size_t room, bool by_rank, bool by_count) {
      n = 0;
      ranked = by_rank;
      counted = by_count;
      if (w.size() < room) code.resize(room), k.resize(room), w.resize(room);
      if (ranked && rank.size() < room) rank.resize(room);
      if (counted && count.size() < room) count.resize(room);
    }
    void add(uint32_t at, uint32_t place, uint32_t label, int64_t weight, int64_t examples) {
      code[n] = at;
      k[n] = label;
      w[n] = weight;
      if (ranked) rank[n] = place;
      if (counted) count[n] = examples;
      ++n;
    }
    int64_t examples(size_t i) const { return counted ? count[i] : w[i]; }
    bool same_code(size_t i, size_t j) const { return code[i] == code[j]; }
    bool same_value(size_t i, size_t j) const {
      return code[i] == code[j] && (!ranked || rank[i] == rank[j]);
    }
  };
  // The weight of a block, the sum of phi (or the heaviest class), and the examples in it.
  struct Part {
    int64_t w = 0, sum = 0, count = 0;
  };

  size_t n_classes() const { return total_.size(); }

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

  // ---- cells

  static constexpr size_t kBatch = 4;

  bool by_table(uint32_t j) const {
    return node_.data.ranks(j) == nullptr &&
           node_.data.column(j).n_slots() * n_classes() <= 2 * node_.n + 64;
  }

  void list_cells(uint32_t j, int64_t* table, size_t k) {
    const size_t slots = table != nullptr ? node_.data.column(j).n_slots() * k : 0;
    const bool by_row = table == nullptr;
    cells_.clear(std::max(node_.n, slots) + 8, node_.data.ranks(j) != nullptr,
                 by_row && node_.counting());
    has_missing_ = false;
    if (table != nullptr)
      list_table(j, table, k);
    else if (node_.data.ranks(j) != nullptr)
      list_values(j);
    else
      list_sorted(j);
  }

  void add_row(size_t i, uint32_t code, uint32_t rank, uint32_t gap) {
    const int64_t w = node_.pair_rows[i].w, count = node_.counting() ? node_.counts[i] : w;
    if (code == gap)
      lose(node_.labels[i], w, count);
    else
      cells_.add(code, rank, node_.labels[i], w, count);
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
    const uint32_t gap = node_.data.column(j).n_codes;
    const uint8_t* codes = node_.data.codes(j);
    bool open[256];
    std::fill(open, open + 256, true);
    if (node_.data.column(j).has_missing) open[gap] = false;
    for (uint64_t v : order_.list(j, open)) {
      const auto i = static_cast<size_t>(v & 0xffffffffu);
      add_row(i, codes[node_.rows[i]], static_cast<uint32_t>(v >> 32), gap);
    }
    for (size_t i = 0; node_.data.column(j).has_missing && i < node_.n; ++i)
      if (codes[node_.rows[i]] == gap) add_row(i, gap, 0, gap);
  }

  // Tables of sums by code and class, one after another; zero before, and again when listed.
  void tabulate(const uint32_t* features, size_t width) {
    size_t room = 0, start[kBatch];
    for (size_t f = 0; f < width; ++f) {
      start[f] = room;
      room += node_.data.column(features[f]).n_slots() * n_classes();
    }
    if (tables_.size() < room) tables_.resize(room, 0);
    size_t f = 0;
    if (width == kBatch) add_rows<kBatch>(features, start), f = kBatch;
    if (f + 2 <= width) add_rows<2>(features + f, start + f), f += 2;
    if (f < width) add_rows<1>(features + f, start + f);
  }

  template <size_t width>
  void add_rows(const uint32_t* features, const size_t* start) {
    const uint8_t* codes[width];
    int64_t* tables[width];
    for (size_t f = 0; f < width; ++f) {
      codes[f] = node_.codes(features[f]).codes;
      tables[f] = tables_.data() + start[f];
    }
    const size_t step = node_.codes(features[0]).step, k = n_classes(), n = node_.n;
    const uint32_t *rows = node_.rows, *labels = node_.labels.data();
    const Pair* pairs = node_.pair_rows.data();
    for (size_t i = 0; i < n; ++i) {
      const size_t row = rows[i] * step, label = labels[i];
      const int64_t w = pairs[i].w;
      for (size_t f = 0; f < width; ++f) tables[f][codes[f][row] * k + label] += w;
    }
  }

  void list_table(uint32_t j, int64_t* table, size_t k) {
    const Column& column = node_.data.column(j);
    const size_t known = column.n_codes * k, slots = column.n_slots() * k;
    const size_t n = hot().take_out(table, known, cells_.code.data(), cells_.w.data());
    const uint64_t part = (uint64_t{1} << 40) / k + 1;  // division by k, exact for places so small
    const bool local = k == n_classes();
    for (size_t i = 0; i < n; ++i) {
      const uint32_t at = cells_.code[i];
      cells_.code[i] = static_cast<uint32_t>(at * part >> 40);
      const uint32_t label = at - cells_.code[i] * static_cast<uint32_t>(k);
      cells_.k[i] = local ? label : node_.place_of(label);
    }
    cells_.n = n;
    for (size_t c = 0; known + c < slots; ++c) {
      const int64_t w = std::exchange(table[known + c], 0);
      const auto label = static_cast<uint32_t>(c);
      if (w != 0) lose(local ? label : node_.place_of(label), w, w);
    }
    if (node_.counting() && (column.categorical || has_missing_)) count_cells(j);
  }

  // Examples by code: the first cell of each stands for all of them.
  void count_cells(uint32_t j) {
    const int64_t* counts = counts_.of(j);
    cells_.counted = true;
    if (cells_.count.size() < cells_.n) cells_.count.resize(cells_.n);
    for (size_t i = 0; i < cells_.n; ++i)
      cells_.count[i] = i > 0 && cells_.same_code(i - 1, i) ? 0 : counts[cells_.code[i]];
    if (has_missing_) missing_part_.count = counts[node_.data.column(j).n_codes];
  }

  void list_sorted(uint32_t j) {
    const uint32_t gap = node_.data.column(j).n_codes;
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

  // Tests part all rows of the node.
  void part_all() {
    if (!has_missing_) missing_part_ = {};
    parted_ = total_.data();
    parted_phi_ = total_phi_.data();
    parted_part_ = node_part_;
    parted_part_.count = examples(node_part_, node_.count);
    base_ = node_merit_;
  }

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
  // ---- tests

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

  void make_room(size_t n) {
    if (gain_.size() >= n) return;
    gain_.resize(n);
    cut_at_.resize(n);
    for (auto* list : {&rest_, &cut_w_, &cut_left_, &cut_right_, &cut_count_}) list->resize(n);
    for (auto* list : {&sides_, &phis_}) list->resize(2 * n);
  }

  template <Criterion c>
  void work_out_phi(int side, size_t n) {
    left_.assign(n_classes(), 0);
    if (side == 0) left_ = missing_;
    size_t open = 0;  // after the last cell of a class there is nothing to work out
    for (size_t i = 0; i < n; ++i) {
      const uint32_t k = cells_.k[i];
      const int64_t l = left_[k] += cells_.w[i], r = parted_[k] - l;
      sides_[2 * open] = l;
      sides_[2 * open + 1] = rest_[i] = r;
      open += r != 0;
    }
    phi_.of<c>(sides_.data(), 2 * open, phis_.data());
  }

  // Sums of phi on both sides of every cut; gives their number.
  template <Criterion c>
  size_t add_up_cuts(int side, size_t n) {
    const size_t k = n_classes();
    int64_t w = 0, count = 0, left = 0, right = parted_part_.sum;
    left_phi_.assign(k, 0);
    right_phi_.assign(parted_phi_, parted_phi_ + k);
    if (side == 0) {  // missing rows stand before all others
      w = missing_part_.w;
      count = missing_part_.count;
      left = missing_part_.sum;
      for (size_t i = 0; c != Criterion::error && i < k; ++i) {
        const int64_t rest = parted_[i] - missing_[i];
        left_phi_[i] = part_of<c>(&missing_[i], 1).sum;
        right_phi_[i] = part_of<c>(&rest, 1).sum;
        right += right_phi_[i] - parted_phi_[i];
      }
    }
    size_t open = 0, n_cuts = 0;
    for (size_t i = 0; i < n; ++i) {
      w += cells_.w[i];
      if (cells_.counted) count += cells_.count[i];
      if constexpr (c == Criterion::error) {
        left = phis_[i];
        right = phis_[n + i];
      } else {
        const uint32_t label = cells_.k[i];
        const bool last = rest_[i] == 0;
        const int64_t lp = last ? parted_phi_[label] : phis_[open];
        const int64_t rp = last ? 0 : phis_[open + 1];
        open += last ? 0 : 2;
        left += lp - left_phi_[label];
        right += rp - right_phi_[label];
        left_phi_[label] = lp;
        right_phi_[label] = rp;
      }
      cut_at_[n_cuts] = static_cast<uint32_t>(i);
      cut_w_[n_cuts] = w;
      cut_left_[n_cuts] = left;
      cut_right_[n_cuts] = right;
      cut_count_[n_cuts] = count;
      n_cuts += !cells_.same_value(i, i + 1);
    }
    return n_cuts;
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

  // The heaviest class before and after each cut, in place of sums of phi.
  void weigh_heaviest(int side, size_t n) {
    left_.assign(n_classes(), 0);
    right_.assign(n_classes(), 0);
    if (side == 0) left_ = missing_;
    if (side == 1) right_ = missing_;
    int64_t most = *std::max_element(left_.begin(), left_.end());
    for (size_t i = 0; i < n; ++i)
      phis_[i] = most = std::max(most, left_[cells_.k[i]] += cells_.w[i]);
    most = *std::max_element(right_.begin(), right_.end());
    for (size_t i = n; i > 0; --i)
      phis_[n + i - 1] = most = std::max(most, right_[cells_.k[i]] += cells_.w[i]);
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

  const Node& node_;
  BestSplit& best_split_;
  ValueOrder& order_;
  CodeCounts& counts_;
  Phi phi_;
  // Of the node, by class.
  std::vector<int64_t> total_, total_phi_;
  Part node_part_;
  double node_merit_ = 0;
  // Of the column.
  Cells cells_;
  bool has_missing_ = false;
  std::vector<int64_t> missing_;
  Part missing_part_;
  std::vector<int64_t> known_, known_phi_;
  const int64_t *parted_ = nullptr, *parted_phi_ = nullptr;  // of the rows that a test parts
  Part parted_part_;
  double base_ = 0;
  std::vector<int64_t> left_, right_, left_phi_, right_phi_, sides_, phis_, rest_;
  std::vector<uint32_t> cut_at_;  // the cell before each cut
  std::vector<int64_t> cut_w_, cut_left_, cut_right_, cut_count_;
  std::vector<double> gain_;
  std::vector<int64_t> tables_;
  std::vector<uint64_t> sorted_;
  uint32_t start_[256] = {};
};

}  // namespace weaklearn
