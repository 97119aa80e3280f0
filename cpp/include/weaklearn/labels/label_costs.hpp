// What tests of a column cost, of examples of many labels.
//
// Ways to judge the blocks that a test makes of the examples, by the weights W+ and W- of a label
// in a block (where the label holds, and where not):
//   partition  the sum over blocks and labels of 2 sqrt(W+ W-), which each block's own confidences
//              make of the weight; least is best
//   product    one answer -1 or +1 to each block, one factor u_l to each label: minus the sum over
//              labels of |sum over blocks of answer (W+ - W-)|
//   discrete   one answer -1 or +1 to each block and label: minus the sum over both of |W+ - W-|
//   abstain    the block above the threshold, or at the category, answers with its confidences, the
//              others are silent: their weight, and 2 sqrt(W+ W-) of that block
//
// Cost: O(labels) a test, and as much for the bound of a coarse bin. Nothing is allocated but one
// row of sums.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/hot/aligned.hpp"
#include "weaklearn/hot/loops.hpp"
#include "weaklearn/labels/label_weights.hpp"

namespace weaklearn {

enum class LabelCost : uint8_t { partition, product, discrete, abstain };

// The sums of one column's codes at a node, as the costs of its tests need them.
struct LabelScan {
  const Column& column;
  size_t feature;  // its number
  const int64_t* table;
  Aligned<int64_t> known;        // sums of rows whose value is known
  const int64_t* gap = nullptr;  // of those whose value is missing
  double gap_cost = 0;
  std::vector<int64_t> count;  // examples by slot, where they are counted
  int64_t known_count = 0;
  double known_weight = 0;
};

class LabelCosts {
 public:
  LabelCosts() = default;
  // tied: costs that far apart are equal.
  LabelCosts(const LabelWeights& weights, LabelCost cost, double tied)
      : weights_(&weights), cost_(cost), stride_(weights.stride()), tied_(tied) {}

  // What all rows cost as one block.
  double cost_of(const int64_t* sums) const {
    double cost = 0;
    if (cost_ == LabelCost::partition) {
      hot().label_costs(sums, 1, stride_, sums, &cost);
      return 2 * cost;
    }
    if (cost_ == LabelCost::abstain) return weight_of(sums);
    double spread = 0;
    for (size_t l = 0; l < stride_; ++l) spread += std::abs(lean(sums, l));
    return -spread;
  }
  // W+ - W- of a label.
  double lean(const int64_t* sums, size_t l) const {
    const double* const unit = weights_->unit();
    return static_cast<double>(sums[l]) * unit[l] -
           static_cast<double>(sums[stride_ + l]) * unit[stride_ + l];
  }

  double weight_of(const int64_t* sums) const {
    double weight = 0;
    for (size_t l = 0; l < 2 * stride_; ++l)
      weight += static_cast<double>(sums[l]) * weights_->unit()[l];
    return weight;
  }

  // What parting `low` from the other known rows costs, the missing ones apart.
  double cost_of_two(const LabelScan& scan, const int64_t* low) const {
    if (cost_ == LabelCost::partition) {
      double cost = 0;
      hot().label_costs(low, 1, stride_, scan.known.data(), &cost);
      return 2 * cost + scan.gap_cost;
    }
    if (cost_ != LabelCost::product) return cost_apart(low, scan.known.data()) + scan.gap_cost;
    const auto [plain, turned] = spreads(scan, low);
    return -std::max(plain, turned);
  }
  // Discrete and abstain: what `low` and the rest of `known` cost.
  double cost_apart(const int64_t* low, const int64_t* known) const {
    const double* const unit = weights_->unit();
    double cost = 0;
    for (size_t l = 0; l < stride_; ++l) {
      if (cost_ == LabelCost::discrete) {
        const double below = lean(low, l);
        cost -= std::abs(below) + std::abs(lean(known, l) - below);
        continue;
      }
      const auto plus = static_cast<double>(known[l] - low[l]);
      const auto minus = static_cast<double>(known[stride_ + l] - low[stride_ + l]);
      cost += static_cast<double>(low[l]) * unit[l];
      cost += static_cast<double>(low[stride_ + l]) * unit[stride_ + l];
      cost += 2 * std::sqrt(plus * minus);  // the units of both are inverse to one another
    }
    return cost;
  }
  // Product: the sum over labels of |high - low + gap|, and of |high - low - gap|.
  std::pair<double, double> spreads(const LabelScan& scan, const int64_t* low) const {
    double plain = 0, turned = 0;
    for (size_t l = 0; l < stride_; ++l) {
      const double apart = lean(scan.known.data(), l) - 2 * lean(low, l);
      const double gap = scan.gap != nullptr ? lean(scan.gap, l) : 0.0;
      plain += std::abs(apart + gap);
      turned += std::abs(apart - gap);
    }
    return {plain, turned};
  }

  // Costs of all cuts between codes.
  void costs_of_cuts(const LabelScan& scan, double* cost) const {
    const size_t n = scan.column.n_codes - 1, k = 2 * stride_;
    if (cost_ == LabelCost::partition) {
      hot().label_costs(scan.table, n, stride_, scan.known.data(), cost);
      for (size_t c = 0; c < n; ++c) cost[c] = 2 * cost[c] + scan.gap_cost;
      return;
    }
    Aligned<int64_t> low(k, 0);
    for (size_t c = 0; c < n; ++c) {
      for (size_t l = 0; l < k; ++l) low[l] += scan.table[c * k + l];
      cost[c] = cost_of_two(scan, low.data());
    }
  }
  // What no cut inside a slot costs less than; a table has the sums of n neighbouring slots, at
  // most 256: those of the column's codes, or of other divisions of it.
  void bounds(const LabelScan& scan, const int64_t* table, size_t n, double* bound) const {
    const size_t k = 2 * stride_;
    if (cost_ == LabelCost::partition) {
      hot().label_bounds(table, n, stride_, scan.known.data(), bound);
      for (size_t c = 0; c < n; ++c) bound[c] = 2 * bound[c] + scan.gap_cost;
      return;
    }
    if (cost_ != LabelCost::product) return bounds_apart(scan, table, n, bound);
    Aligned<int64_t> low(k, 0);
    for (size_t c = 0; c < n; ++c) {
      const int64_t* const slot = table + c * k;
      const double* const unit = weights_->unit();
      double most = 0;
      for (size_t l = 0; l < stride_; ++l) {
        const double apart = lean(scan.known.data(), l) - 2 * lean(low.data(), l);
        const double plus = 2 * static_cast<double>(slot[l]) * unit[l];
        const double minus = 2 * static_cast<double>(slot[stride_ + l]) * unit[stride_ + l];
        most += std::max(std::abs(apart - plus), std::abs(apart + minus));
        if (scan.gap != nullptr) most += std::abs(lean(scan.gap, l));
      }
      bound[c] = -most;
      for (size_t l = 0; l < k; ++l) low[l] += slot[l];
    }
  }

 private:
  // The same where blocks have answers of their own: the cost, label by label, is least at an end
  // of what the bin can give to either side.
  void bounds_apart(const LabelScan& scan, const int64_t* table, size_t n, double* bound) const {
    const size_t k = 2 * stride_;
    const double* const unit = weights_->unit();
    Aligned<int64_t> low(k, 0);
    for (size_t c = 0; c < n; ++c) {
      const int64_t* const slot = table + c * k;
      double least = 0;
      for (size_t l = 0; l < stride_; ++l) {
        const size_t o = stride_ + l;
        if (cost_ == LabelCost::discrete) {
          const double below = lean(low.data(), l), above = lean(scan.known.data(), l) - below;
          const double plus = static_cast<double>(slot[l]) * unit[l];
          const double minus = static_cast<double>(slot[o]) * unit[o];
          least -= std::max(std::abs(below + plus) + std::abs(above - plus),
                            std::abs(below - minus) + std::abs(above + minus));
          continue;
        }
        // W+ + W- less (sqrt W+ - sqrt W-)^2 of what speaks.
        const double most_plus = static_cast<double>(scan.known[l] - low[l]) * unit[l];
        const double most_minus = static_cast<double>(scan.known[o] - low[o]) * unit[o];
        const double plus = static_cast<double>(scan.known[l] - low[l] - slot[l]) * unit[l];
        const double minus = static_cast<double>(scan.known[o] - low[o] - slot[o]) * unit[o];
        const double said = std::max(std::abs(std::sqrt(most_plus) - std::sqrt(minus)),
                                     std::abs(std::sqrt(plus) - std::sqrt(most_minus)));
        least += static_cast<double>(scan.known[l]) * unit[l] +
                 static_cast<double>(scan.known[o]) * unit[o] - said * said;
      }
      bound[c] = least + scan.gap_cost - tied_;  // for what its own rounding may hide
      for (size_t l = 0; l < k; ++l) low[l] += slot[l];
    }
  }

  const LabelWeights* weights_ = nullptr;
  LabelCost cost_ = LabelCost::partition;
  size_t stride_ = 0;
  double tied_ = 0;
};

}  // namespace weaklearn
