// The tests of a column for examples of many labels, one after another in the order of preference,
// with their costs by label_costs.hpp.
//
// Where rows are one partition of several, the cuts inside bins are those of joint_label_bins.hpp.
//
// Cost: O(K bins) a column, O(K) a row of the opened bins.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/columns/route.hpp"
#include "weaklearn/labels/joint_label_bins.hpp"
#include "weaklearn/labels/label_costs.hpp"
#include "weaklearn/labels/label_tables.hpp"
#include "weaklearn/stump/stump_found.hpp"

namespace weaklearn {

struct LabelSettings {
  LabelCost cost = LabelCost::partition;
  CategoricalTest categorical = CategoricalTest::equality;
  double least_share = 0;        // of the weight, on each side of a test
  int64_t min_samples_leaf = 1;  // examples on each side
};

class LabelTests : protected LabelTables {
 protected:
  LabelTests(const Columns& columns, const LabelSettings& settings, int threads,
             const Collective* all)
      : LabelTables(columns, threads, all), settings_(settings) {
    if (all != nullptr) joint_ = std::make_unique<JointLabelBins>(columns, *all);
  }

  // ---- the sums of a column

  LabelScan scan_of(size_t j, const int64_t* table) const {
    const size_t k = 2 * stride_;
    LabelScan scan{columns_[j], j, table, Tables(k, 0), nullptr, 0, {}, 0, 0};
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

  template <class Visit>
  bool walk_cuts(const LabelScan& scan, double bar, bool shut, Visit& visit) const {
    const Column& column = scan.column;
    const size_t k = 2 * stride_;
    const uint32_t n = column.n_codes;
    double cost[256], bound[256];
    if (n > 1) costs_.costs_of_cuts(scan, cost);
    if (n > 1 && !limited()) bar = std::min(bar, *std::min_element(cost, cost + n - 1) + tied_);
    const bool joint = joint_ != nullptr && column.coarse && !shut;
    const bool open = joint_ == nullptr && opens(column) && !shut;
    if (open) costs_.bounds(scan, scan.table, n, bound);
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
      if (joint && walk_joint(scan, c, visit)) return true;
      if (c + 1 == n) break;
      if (!limited() && cost[c] > bar) continue;
      catch_up(c + 1);
      if (limited() && !enough(scan, low.data(), low_count)) continue;
      if (visit(cost[c], Test::threshold, c, false, low.data())) return true;
    }
    return false;
  }

  template <class Visit>
  bool walk_joint(const LabelScan& scan, uint32_t c, Visit& visit) const {
    const std::vector<JointLabelCut>& cuts = joint_->cuts();
    for (size_t p = joint_->first_cut(scan.feature, c);
         p < cuts.size() && cuts[p].column == scan.feature && cuts[p].code == c; ++p)
      if (visit(cuts[p].cost, Test::threshold, static_cast<uint32_t>(p), true,
                cuts[p].below.data()))
        return true;
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

  // Between which values a cut inside a bin lies: by its place in the column's order, or among the
  // cuts of all partitions.
  double cut_inside(const Column& column, uint32_t place) const {
    if (joint_ == nullptr) return cut_between(column.sorted(place - 1), column.sorted(place));
    return cut_between(joint_->cuts()[place].left, joint_->cuts()[place].right);
  }

  LabelSettings settings_;
  std::unique_ptr<JointLabelBins> joint_;  // where rows are one partition of several
  double tied_ = 0, least_ = 0;
  LabelCosts costs_;
};

}  // namespace weaklearn
