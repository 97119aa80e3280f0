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
#include <numeric>
#include <vector>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/columns/route.hpp"
#include "weaklearn/hot/aligned.hpp"
#include "weaklearn/labels/label_costs.hpp"
#include "weaklearn/labels/label_weights.hpp"
#include "weaklearn/stump/stump_found.hpp"
#include "weaklearn/threads/pool.hpp"

namespace weaklearn {

struct LabelSettings {
  LabelCost cost = LabelCost::partition;
  CategoricalTest categorical = CategoricalTest::equality;
  double least_share = 0;        // of the weight, on each side of a test
  int64_t min_samples_leaf = 1;  // examples on each side
};

// The examples that are to be parted: all of them, or those that stand at a node.
struct LabelNode {
  const uint32_t* rows = nullptr;  // null: all
  size_t n = 0;
  const int32_t* place = nullptr;  // the node that each row of the sample stands at; null with rows
  int32_t node = 0;
  bool has(size_t i) const { return rows == nullptr || place[i] == node; }
};

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

class LabelSearch {
 public:
  LabelSearch(const Columns& columns, const LabelSettings& settings, int threads)
      : columns_(columns), settings_(settings), threads_(threads), best_(columns.size()) {}

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
    const int helpers = threads_for(node.n * columns_.size() * stride_, threads_);
    const bool follows = is_root() && table_id_ == weights.id() &&
                         (table_version_ == weights.version() ||
                          (table_version_ + 1 == weights.version() && weights.has_gains()));
    Pool::instance().run(tasks_.size(), helpers, [&](size_t t) { look_at(tasks_[t], follows); });
    if (is_root()) {
      table_id_ = keeps_ ? weights.id() : 0;
      table_version_ = weights.version();
    }
    look_at_terms();
    if (keeps_)  // by now the best cut between bins is known, and most bins stay shut
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
  static constexpr size_t kKept = size_t{8} << 20;    // bytes of tables that are kept
  static constexpr size_t kSet = size_t{512} << 10;   // of the tables that rows are read once for
  static constexpr size_t kGroup = size_t{64} << 10;  // of those filled side by side
  static constexpr size_t kRows = size_t{128} << 10;  // of the rows read at a time
  static constexpr size_t kMostWide = 8;
  static constexpr size_t kOften = 4;                 // times that terms list a row, to round it
  static constexpr size_t kWhole = size_t{32} << 20;  // numbers that are rounded beforehand
  using Tables = Aligned<int64_t>;

  struct Task {
    size_t first, last;  // columns
  };

  size_t table_size(size_t j) const { return (columns_[j].n_slots() + 1) * 2 * stride_; }

  // Columns in sets whose tables fit the cache, enough of them for all threads.
  void layout() {
    if (!tasks_.empty() && laid_for_ == stride_) return;
    laid_for_ = stride_;
    tasks_.clear();
    opened_.clear();
    terms_.clear();
    n_listed_ = 0;
    for (size_t j = 0; j < columns_.size(); ++j) {
      if (opens(columns_[j])) opened_.push_back(j);
      if (!is_term(j)) continue;
      terms_.push_back(static_cast<uint32_t>(j));
      n_listed_ += columns_[j].n_entries;
    }
    offset_.assign(columns_.size() + 1, 0);  // terms have no table
    for (size_t j = 0; j < columns_.size(); ++j)
      offset_[j + 1] = offset_[j] + (is_term(j) ? 0 : table_size(j));
    const size_t all = offset_.back() * sizeof(int64_t);
    keeps_ = all <= kKept;
    for (Tables& kept : kept_) kept.clear();
    table_id_ = 0;
    const size_t share = all / static_cast<size_t>(std::max(threads_, 1)) + 1;
    const size_t most = std::min(kSet, share);
    for (size_t j = 0; j < columns_.size();) {
      size_t last = j + 1;
      while (last < columns_.size() && (offset_[last + 1] - offset_[j]) * sizeof(int64_t) <= most)
        ++last;
      tasks_.push_back({j, last});
      j = last;
    }
  }

  bool is_term(size_t j) const {
    const Column& column = columns_[j];
    return column.sparse && !column.coarse && !column.has_missing && column.n_codes == 2 &&
           column.zero_code != kNoCode;
  }

  bool is_root() const { return node_.rows == nullptr; }
  // The tables that stay: those of all rows follow the weights from round to round.
  int64_t* kept(size_t j) { return &kept_[is_root() ? 0 : 1][offset_[j]]; }

  // Sums over all rows of the node.
  void add_up() {
    if (keeps_) kept_[is_root() ? 0 : 1].resize(offset_.back());
    if (is_root()) {
      total_.assign(weights_->sums(), weights_->sums() + 2 * stride_);
      return;
    }
    total_.assign(2 * stride_, 0);
    int64_t* table = total_.data();
    if (zeros_.size() < weights_->size()) zeros_.assign(weights_->size(), 0);
    const uint8_t* codes = zeros_.data();
    const LabelRows of = weights_->rows(node_.rows);
    hot().label_sums(&of, 0, node_.n, &codes, 1, &table);
  }

  // ---- tables

  // Fills the tables of columns [first, last), or lets them follow the weights; `at` is where the
  // first one begins. Alone, a term has a table as well.
  void tabulate(size_t first, size_t last, int64_t* at, bool follows, bool alone = false) const {
    const auto table = [&](size_t j) { return at + (offset_[j] - offset_[first]); };
    const bool fresh = follows && table_version_ == weights_->version();
    const auto has_table = [&](size_t j) { return alone || offset_[j + 1] > offset_[j]; };
    for (size_t j = first; j < last; ++j)
      if (has_table(j) && (!follows || columns_[j].sparse))
        std::fill(table(j), table(j) + table_size(j), 0);
    const LabelRows of = follows ? weights_->gains() : weights_->rows(node_.rows);
    const size_t n = fresh ? 0 : follows ? weights_->n_changed() : node_.n;
    const size_t step = std::max<size_t>(64, kRows / (stride_ * sizeof(int64_t)));
    for (size_t begin = 0; begin < n; begin += step) {
      const size_t end = std::min(begin + step, n);
      for (size_t j = first; j < last;) {
        const uint8_t* codes[kMostWide];
        int64_t* tables[kMostWide];
        size_t width = 0, bytes = 0;
        for (; j < last && width < kMostWide && (width == 0 || bytes < kGroup); ++j) {
          if (columns_[j].sparse) continue;
          codes[width] = columns_[j].codes;
          tables[width++] = table(j);
          bytes += table_size(j) * sizeof(int64_t);
        }
        if (width > 0) hot().label_sums(&of, begin, end, codes, width, tables);
      }
      Pool::check_interrupt();
    }
    for (size_t j = first; j < last; ++j)
      if (columns_[j].sparse && has_table(j)) tabulate_sparse(columns_[j], table(j));
  }

  void tabulate_sparse(const Column& column, int64_t* table) const {
    const size_t k = 2 * stride_;
    for (uint32_t e = 0; e < column.n_entries; ++e)
      if (node_.has(column.entry_rows[e]))
        add_row(column.entry_rows[e], table + column.codes[e] * k);
    if (column.zero_code == kNoCode) return;
    std::vector<int64_t> listed(k, 0);
    for (uint32_t c = 0; c < column.n_slots(); ++c)
      for (size_t l = 0; l < k; ++l) listed[l] += table[c * k + l];
    for (size_t l = 0; l < k; ++l) table[column.zero_code * k + l] += total_[l] - listed[l];
  }

  void add_row(size_t i, int64_t* sums) const {
    for (size_t l = 0; l < weights_->n_labels(); ++l) {
      const int64_t v = weights_->value(i, l);
      sums[v > 0 ? l : stride_ + l] += std::abs(v);
    }
  }

  // ---- the sums of a column

  LabelScan scan_of(size_t j, const int64_t* table) const {
    const size_t k = 2 * stride_;
    LabelScan scan{columns_[j], table, Tables(k, 0), nullptr, 0, {}, 0, 0};
    for (uint32_t c = 0; c < scan.column.n_codes; ++c)
      for (size_t l = 0; l < k; ++l) scan.known[l] += table[c * k + l];
    if (scan.column.has_missing) {
      scan.gap = table + scan.column.n_codes * k;
      if (settings_.cost != LabelCost::product) scan.gap_cost = costs_.cost_of(scan.gap);
    }
    scan.known_weight = costs_.weight_of(scan.known.data());
    if (settings_.min_samples_leaf > 1) count(scan);
    return scan;
  }

  void count(LabelScan& scan) const {
    const Column& column = scan.column;
    scan.count.assign(column.n_slots() + 1, 0);
    const int64_t* copies = weights_->copies();
    const auto times = [&](size_t i) { return copies != nullptr ? copies[i] : int64_t{1}; };
    if (!column.sparse) {
      for (size_t p = 0; p < node_.n; ++p) {
        const size_t i = node_.rows != nullptr ? node_.rows[p] : p;
        scan.count[column.codes[i]] += times(i);
      }
    } else {
      int64_t all = 0;
      for (size_t p = 0; p < node_.n; ++p) all += times(node_.rows != nullptr ? node_.rows[p] : p);
      for (uint32_t e = 0; e < column.n_entries; ++e)
        if (node_.has(column.entry_rows[e])) {
          scan.count[column.codes[e]] += times(column.entry_rows[e]);
          all -= times(column.entry_rows[e]);
        }
      if (column.zero_code != kNoCode) scan.count[column.zero_code] += all;
    }
    for (uint32_t c = 0; c < column.n_codes; ++c) scan.known_count += scan.count[c];
  }

  // Whether both sides of a test are large enough; `side` are the sums of one of them.
  bool enough(const LabelScan& scan, const int64_t* side, int64_t side_count) const {
    if (settings_.min_samples_leaf > 1 &&
        (side_count < settings_.min_samples_leaf ||
         scan.known_count - side_count < settings_.min_samples_leaf))
      return false;
    if (settings_.least_share <= 0) return true;
    const double weight = costs_.weight_of(side);
    return weight >= least_ && scan.known_weight - weight >= least_;
  }
  bool limited() const { return settings_.min_samples_leaf > 1 || settings_.least_share > 0; }

  // ---- candidates

  // Calls visit(cost, test, place, inside, low) for the tests of a column in the order of
  // preference until it answers true. `low` are the sums of outcome 0 (of the category, for tests
  // of equality); bins whose bound is above the bar stay shut, or all of them.
  template <class Visit>
  void walk(const LabelScan& scan, double bar, bool shut, Visit&& visit) const {
    if (scan.column.n_codes == 0) return;
    if (scan.column.categorical ? walk_categories(scan, visit) : walk_cuts(scan, bar, shut, visit))
      return;
    if (scan.gap == nullptr) return;  // what is known against what is not
    const Tables none(2 * stride_, 0);
    visit(costs_.cost_of_two(scan, none.data()), Test::constant, 0u, false, scan.known.data());
  }

  template <class Visit>
  bool walk_categories(const LabelScan& scan, Visit& visit) const {
    const size_t k = 2 * stride_;
    const uint32_t n = scan.column.n_codes;
    if (n < 2) return false;
    if (settings_.categorical == CategoricalTest::multiway &&
        settings_.cost == LabelCost::partition) {
      double cost = scan.gap_cost;
      bool allowed = true;
      for (uint32_t c = 0; c < n; ++c) {
        cost += costs_.cost_of(scan.table + c * k);
        allowed = allowed && heavy(scan, c);
      }
      return allowed && visit(cost, Test::multiway, 0u, false, scan.table);
    }
    for (uint32_t c = 0; c < n; ++c) {
      const int64_t* const category = scan.table + c * k;
      if (enough(scan, category, counted(scan, c)) &&
          visit(cost_of_category(scan, category), Test::equality, c, false, category))
        return true;
    }
    return false;
  }

  bool heavy(const LabelScan& scan, uint32_t c) const {
    if (settings_.min_samples_leaf > 1 && scan.count[c] > 0 &&
        scan.count[c] < settings_.min_samples_leaf)
      return false;
    return settings_.least_share <= 0 || costs_.weight_of(scan.table + c * 2 * stride_) >= least_;
  }
  static int64_t counted(const LabelScan& scan, uint32_t c) {
    return scan.count.empty() ? 0 : scan.count[c];
  }
  // The category answers +1 in a product, the others -1.
  double cost_of_category(const LabelScan& scan, const int64_t* category) const {
    Tables others(scan.known);
    for (size_t l = 0; l < others.size(); ++l) others[l] -= category[l];
    return costs_.cost_of_two(scan, others.data());
  }

  static bool opens(const Column& column) { return column.coarse && column.order != nullptr; }

  template <class Visit>
  bool walk_cuts(const LabelScan& scan, double bar, bool shut, Visit& visit) const {
    const Column& column = scan.column;
    const size_t k = 2 * stride_;
    const uint32_t n = column.n_codes;
    double cost[256], bound[256];
    if (n > 1) costs_.costs_of_cuts(scan, cost);
    if (n > 1 && !limited()) bar = std::min(bar, *std::min_element(cost, cost + n - 1) + tied_);
    const bool open = opens(column) && !shut;
    if (open) costs_.bounds_of_bins(scan, bound);
    Tables low(k, 0);
    uint32_t added = 0;  // codes that `low` holds; made up where it is looked at
    int64_t low_count = 0;
    const auto catch_up = [&](uint32_t codes) {
      for (; added < codes; ++added) {
        for (size_t l = 0; l < k; ++l) low[l] += scan.table[added * k + l];
        low_count += counted(scan, added);
      }
    };
    for (uint32_t c = 0; c < n; ++c) {
      if (open && bound[c] <= bar && column.bin_start[c + 1] - column.bin_start[c] > 1) {
        catch_up(c);
        if (walk_inside(scan, c, low, low_count, visit)) return true;
      }
      if (c + 1 == n) break;
      if (!limited() && cost[c] > bar) continue;
      catch_up(c + 1);
      if (limited() && !enough(scan, low.data(), low_count)) continue;
      if (visit(cost[c], Test::threshold, c, false, low.data())) return true;
    }
    return false;
  }

  template <class Visit>
  bool walk_inside(const LabelScan& scan, uint32_t c, Tables low, int64_t low_count,
                   Visit& visit) const {
    const Column& column = scan.column;
    const int64_t* copies = weights_->copies();
    bool any = false;                       // whether a row of the node has been passed
    uint32_t begin = column.bin_start[c];   // of the rows of the same value
    uint32_t passed = column.bin_start[c];  // that of the last row of the node
    for (uint32_t p = begin; p < column.bin_start[c + 1]; ++p) {
      const size_t i = column.order[p] & kRowMask;
      if ((column.order[p] & kNewValue) != 0) begin = p;
      if (!node_.has(i)) continue;
      if (begin != passed && any && (!limited() || enough(scan, low.data(), low_count)) &&
          visit(costs_.cost_of_two(scan, low.data()), Test::threshold, begin, true, low.data()))
        return true;
      any = true;
      passed = begin;
      add_row(i, low.data());
      low_count += copies != nullptr ? copies[i] : 1;
    }
    return false;
  }

  // The least costs of the columns of a task.
  void look_at(const Task& task, bool follows) {
    Tables scratch(keeps_ ? 0 : offset_[task.last] - offset_[task.first]);
    int64_t* const at = keeps_ ? kept(task.first) : scratch.data();
    tabulate(task.first, task.last, at, follows);
    for (size_t j = task.first; j < task.last; ++j) {
      if (is_term(j)) continue;
      const LabelScan scan = scan_of(j, at + (offset_[j] - offset_[task.first]));
      best_[j] = std::numeric_limits<double>::infinity();
      note(j, scan, true);
      if (!keeps_ && opens(scan.column)) note(j, scan, false);
      Pool::check_interrupt();
    }
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
      found.threshold = inside ? cut_between(column.sorted(place - 1), column.sorted(place))
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

  const Columns& columns_;
  LabelSettings settings_;
  int threads_;
  const LabelWeights* weights_ = nullptr;
  LabelNode node_;
  size_t stride_ = 0, laid_for_ = 0;
  double tied_ = 0, least_ = 0;
  LabelCosts costs_;
  bool keeps_ = false;
  uint64_t table_id_ = 0, table_version_ = 0;  // the weights that the tables of all rows sum up
  std::vector<Task> tasks_;
  std::vector<size_t> opened_;  // columns of which bins may be opened
  std::vector<uint32_t> terms_;
  std::vector<size_t> offset_;  // of the table of each column
  size_t n_listed_ = 0;         // entries of all terms
  Tables kept_[2], total_, whole_;
  std::vector<uint8_t> zeros_;
  std::vector<double> best_;
  std::atomic<double> best_cost_{0};
};

}  // namespace weaklearn
