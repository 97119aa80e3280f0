// The exact search for the test that best parts examples of many labels, by one of the costs of
// label_costs.hpp.
//
// Missing values are a block of their own. Costs within 1e-12 of the total weight are equal: then
// no test at all goes before one, the lower feature before the higher, the lower threshold or
// category before the higher. A coarse bin is opened where a cut inside it may cost as little as
// the best so far, by a bound from the sums before, in and behind it.
//
// A term is a sparse column of zeros and one other number: its sums are those of the rows that are
// listed, and what is left of all.
//
// Cost: one addition a cell (of a sparse column: an entry) and label, O(K bins) a column, O(K) a
// row of the opened bins. Sums are of whole numbers: neither the order of rows nor the number of
// threads changes the answer.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/columns/route.hpp"
#include "weaklearn/labels/label_costs.hpp"
#include "weaklearn/labels/label_tests.hpp"
#include "weaklearn/labels/label_weights.hpp"
#include "weaklearn/threads/pool.hpp"

namespace weaklearn {

struct LabelFound {
  Test test = Test::constant;
  int64_t feature = -1;  // -1: no test
  double threshold = 0;
  uint32_t category = 0;
  double cost = 0, cost_before = 0;  // of the blocks, and of all rows as one block
  bool missing = false;              // the last block is that of missing values
  size_t n_blocks = 1;
  std::vector<int64_t> sums;  // by block: k above 0, k below
  std::vector<int8_t> side;   // product: the answer of each block
};

class LabelSearch : private LabelTests {
 public:
  // Where rows are one partition of several (`all`), columns are dense and all rows are parted.
  LabelSearch(const Columns& columns, const LabelSettings& settings, int threads,
              const Collective* all = nullptr)
      : LabelTests(columns, settings, threads, all), best_(columns.size()) {}

  LabelFound search(const LabelWeights& weights, const LabelNode& node) {
    weights_ = &weights;
    node_ = node;
    stride_ = weights.stride();
    tied_ = weights.total() * 1e-12;
    least_ = settings_.least_share * weights.total() - tied_ - weights.doubt();
    costs_ = LabelCosts(weights, settings_.cost, tied_);
    layout();
    add_up();
    best_cost_.store(std::numeric_limits<double>::infinity(), std::memory_order_relaxed);
    const int helpers =
        threads_for(std::max<size_t>(node.n, 1) * columns_.size() * stride_, threads_);
    const bool follows = is_root() && table_id_ == weights.id() &&
                         (table_version_ == weights.version() ||
                          (table_version_ + 1 == weights.version() && weights.has_gains()));
    if (all_ != nullptr) add_partitions(follows, helpers);
    Pool::instance().run(tasks_.size(), helpers, [&](size_t t) { look_at(tasks_[t], follows); });
    if (is_root()) {
      table_id_ = keeps_ ? weights.id() : 0;
      table_version_ = weights.version();
    }
    look_at_terms();
    if (all_ != nullptr)
      open_in_partitions();
    else if (keeps_)  // by now the best cut between bins is known, and most bins stay shut
      Pool::instance().run(opened_.size(), helpers, [&](size_t t) {
        const size_t j = opened_[t];
        note(j, scan_of(j, kept(j)), false);
      });
    LabelFound found;
    found.cost_before = costs_.cost_of(total_.data());
    found.cost = std::min(found.cost_before, best_cost_.load());
    if (found.cost_before - found.cost > tied_) choose(found);
    if (found.feature < 0) keep_whole(found);
    return found;
  }

 private:
  static constexpr size_t kOften = 4;                 // times that terms list a row, to round it
  static constexpr size_t kWhole = size_t{32} << 20;  // numbers that are rounded beforehand

  // The least costs of the columns of a task.
  void look_at(const Task& task, bool follows) {
    Tables scratch(keeps_ ? 0 : offset_[task.last] - offset_[task.first]);
    int64_t* const at = keeps_ ? kept(task.first) : scratch.data();
    if (all_ == nullptr) tabulate(task.first, task.last, at, follows);
    for (size_t j = task.first; j < task.last; ++j) {
      if (is_term(j)) continue;
      const LabelScan scan = scan_of(j, at + (offset_[j] - offset_[task.first]));
      best_[j] = std::numeric_limits<double>::infinity();
      note(j, scan, true);
      if (!keeps_ && opens(scan.column)) note(j, scan, false);
      Pool::check_interrupt();
    }
  }

  // Opens the bins of all coarse columns, the same in every partition.
  void open_in_partitions() {
    std::vector<LabelScan> scans;
    for (size_t j = 0; j < columns_.size(); ++j)
      if (columns_[j].coarse) scans.push_back(scan_of(j, kept(j)));
    double best = best_cost_.load();
    joint_->open(*weights_, costs_, scans, tied_, threads_, best, best_);
    lower(best);
  }

  // The costs of all terms.
  void look_at_terms() {
    constexpr size_t chunk = 256;
    const size_t n = terms_.size(), k = 2 * stride_;
    if (n == 0) return;
    if (zeros_.size() < weights_->size()) zeros_.assign(weights_->size(), 0);
    const size_t m = weights_->size();
    round_rows();
    Pool::instance().run((n + chunk - 1) / chunk, threads_for(m * n / 16 * stride_, threads_),
                         [&](size_t t) {
                           Tables sums(k), table(limited() ? 3 * k : 0);
                           double best = std::numeric_limits<double>::infinity();
                           for (size_t p = t * chunk; p < std::min(n, (t + 1) * chunk); ++p) {
                             const size_t j = terms_[p];
                             best_[j] = std::numeric_limits<double>::infinity();
                             if (limited()) {
                               tabulate(j, j + 1, table.data(), false, true);
                               note(j, scan_of(j, table.data()), true);
                               continue;
                             }
                             best_[j] = cost_of_term(columns_[j], sums.data());
                             best = std::min(best, best_[j]);
                           }
                           lower(best);
                           Pool::check_interrupt();
                         });
  }

  double cost_of_term(const Column& column, int64_t* sums) const {
    const size_t k = 2 * stride_;
    std::fill(sums, sums + k, 0);
    add_listed(column, sums);
    if (column.zero_code == 0)
      for (size_t l = 0; l < k; ++l) sums[l] = total_[l] - sums[l];
    if (settings_.cost == LabelCost::partition) {
      double cost = 0;
      hot().label_costs(sums, 1, stride_, total_.data(), &cost);
      return 2 * cost;
    }
    if (settings_.cost != LabelCost::product) return costs_.cost_apart(sums, total_.data());
    double spread = 0;
    for (size_t l = 0; l < stride_; ++l)
      spread += std::abs(costs_.lean(total_.data(), l) - 2 * costs_.lean(sums, l));
    return -spread;
  }

  // The whole numbers of all rows, where each has one label: rounded once for the many terms that
  // list them.
  void round_rows() {
    whole_.clear();
    const size_t m = weights_->size();
    const bool often = n_listed_ >= kOften * m && m * stride_ <= kWhole;
    if (!is_root() || weights_->rows().label == nullptr || !often) return;
    whole_.assign(m * stride_, 0);  // behind the labels as well
    for (size_t i = 0; i < m; ++i)
      for (size_t l = 0; l < weights_->n_labels(); ++l)
        whole_[i * stride_ + l] = std::abs(weights_->value(i, l));
  }

  // Sums of the rows that a sparse column lists.
  void add_listed(const Column& column, int64_t* sums) const {
    if (!whole_.empty()) {
      const int32_t* const label = weights_->rows().label;
      int64_t* const others = sums + stride_;
      for (uint32_t e = 0; e < column.n_entries; ++e) {
        const uint32_t i = column.entry_rows[e];
        const int64_t* const number = &whole_[i * stride_];
        sums[label[i]] += number[label[i]];
        for (size_t l = 0; l < stride_; ++l) others[l] += number[l];
      }
      for (size_t l = 0; l < stride_; ++l) others[l] -= sums[l];
      return;
    }
    if (is_root()) {
      const uint8_t* const codes = zeros_.data();
      const LabelRows of = weights_->rows(column.entry_rows);
      hot().label_sums(&of, 0, column.n_entries, &codes, 1, &sums);
      return;
    }
    for (uint32_t e = 0; e < column.n_entries; ++e)
      if (node_.has(column.entry_rows[e])) add_row(column.entry_rows[e], sums);
  }

  void lower(double cost) {
    double seen = best_cost_.load(std::memory_order_relaxed);
    while (cost < seen && !best_cost_.compare_exchange_weak(seen, cost)) {
    }
  }

  // The least cost among the tests of a column.
  void note(size_t j, const LabelScan& scan, bool shut) {
    double best = best_[j];
    const double bar = best_cost_.load(std::memory_order_relaxed) + tied_;
    walk(scan, bar, shut, [&](double cost, Test, uint32_t, bool, const int64_t*) {
      best = std::min(best, cost);
      return false;
    });
    best_[j] = best;
    lower(best);
  }

  // The first test within the tolerance of the best.
  void choose(LabelFound& found) {
    const double bar = found.cost + tied_;
    for (size_t j = 0; j < columns_.size() && found.feature < 0; ++j) {
      if (best_[j] > bar) continue;
      const bool stays = keeps_ && !is_term(j);
      Tables scratch(stays ? 0 : table_size(j));
      if (!stays) tabulate(j, j + 1, scratch.data(), false, true);
      const LabelScan scan = scan_of(j, stays ? kept(j) : scratch.data());
      walk(scan, bar, false,
           [&](double cost, Test test, uint32_t place, bool inside, const int64_t* low) {
             if (cost > bar) return false;
             found.feature = static_cast<int64_t>(j);
             found.cost = cost;
             describe(scan, test, place, inside, low, found);
             return true;
           });
    }
  }

  void describe(const LabelScan& scan, Test test, uint32_t place, bool inside, const int64_t* low,
                LabelFound& found) const {
    const Column& column = scan.column;
    const size_t k = 2 * stride_;
    found.test = test;
    std::vector<Tables> blocks;
    Tables first(low, low + k), second(scan.known);
    for (size_t l = 0; l < k; ++l) second[l] -= first[l];
    if (test == Test::multiway) {
      for (uint32_t c = 0; c < column.n_codes; ++c)
        blocks.emplace_back(scan.table + c * k, scan.table + (c + 1) * k);
    } else if (test == Test::constant) {
      blocks = {scan.known};
    } else if (test == Test::equality) {
      found.category = place;
      blocks = {second, first};
    } else {
      blocks = {first, second};
      found.threshold = inside ? cut_inside(column, place)
                               : cut_between(column.greatest(place), column.least(place + 1));
    }
    found.missing = column.has_missing;
    if (settings_.cost == LabelCost::product) {
      const Tables none(k, 0);
      const auto [plain, turned] =
          costs_.spreads(scan, test == Test::constant ? none.data() : blocks[0].data());
      const bool agrees = plain >= turned - tied_;
      if (test != Test::constant) found.side.push_back(-1);
      found.side.push_back(1);
      if (found.missing) found.side.push_back(agrees ? 1 : -1);
    }
    if (found.missing) blocks.emplace_back(scan.gap, scan.gap + k);
    set_blocks(blocks, found);
  }

  void keep_whole(LabelFound& found) const {
    found.cost = found.cost_before;
    found.side = {1};
    set_blocks({total_}, found);
  }
  void set_blocks(const std::vector<Tables>& blocks, LabelFound& found) const {
    const size_t k = weights_->n_labels();
    found.n_blocks = blocks.size();
    found.sums.clear();
    for (const Tables& block : blocks) {
      found.sums.insert(found.sums.end(), block.begin(), block.begin() + static_cast<ptrdiff_t>(k));
      found.sums.insert(found.sums.end(), block.begin() + static_cast<ptrdiff_t>(stride_),
                        block.begin() + static_cast<ptrdiff_t>(stride_ + k));
    }
  }

  Tables whole_;
  std::vector<double> best_;
  std::atomic<double> best_cost_{0};
};

}  // namespace weaklearn
