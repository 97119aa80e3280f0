// What trees of gradients grow on: coded columns, and what holds for every tree.
//
// Codes stand twice where rows are many: by column for large nodes, in bands for small ones.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/columns/dense_codes.hpp"
#include "weaklearn/gradient/bands.hpp"
#include "weaklearn/gradient/gain.hpp"
#include "weaklearn/gradient/gradient_draws.hpp"
#include "weaklearn/partitions/collective.hpp"
#include "weaklearn/threads/pool.hpp"

namespace weaklearn {

// How trees of gradients are grown.
struct GradientSettings : GainSettings {
  int32_t max_leaf_nodes = 31;
  int32_t max_depth = INT32_MAX;
  double min_gain = 0;
  int32_t level_features = INT32_MAX;        // drawn for a level of the tree
  int32_t node_features = INT32_MAX;         // drawn from these for a node
  std::vector<double> feature_weights;       // of each feature in these draws, or empty
  std::vector<double> feature_factors;       // of each feature, on the gain of its splits, or empty
  std::vector<int8_t> monotonic;             // -1, 0 or +1 a feature, or empty
  std::vector<std::vector<int32_t>> groups;  // features that may stand on one path, or empty
  // Splits that are made first, the root's before all others: each with a feature, the code up to
  // which it goes left, and the places of those of its sides (-1: none).
  std::vector<int32_t> forced_feature, forced_cut, forced_left, forced_right;
  size_t most_bytes = size_t{512} << 20;  // of histograms that one tree may keep
  size_t worth_bands = 200'000;           // rows from which codes are laid out in bands too
  size_t worth_cells = 3'000;             // rows from which pairs of codes are summed
};

class GradientData {
 public:
  // `room`, where not null, takes the bands: as many bytes as `bytes_of_bands`.
  GradientData(const Columns& columns, GradientSettings given, int threads,
               const Collective* partitions = nullptr, uint8_t* room = nullptr)
      : settings(std::move(given)),
        columns_(columns),
        codes_(columns),
        all_rows_(sum_over(partitions, static_cast<int64_t>(columns.n_rows()))),
        usable_(usable(columns)) {
    bands_ = std::make_unique<Bands>(usable_);
    if (n_rows() >= settings.worth_bands) {
      give_memory_back();  // what was freed before the first round would stand beside the bands
      bands_->lay(codes_, n_rows(), threads, room);
    }
    held_ = settings.l1 > 0 || settings.path_smoothing > 0 || std::isfinite(settings.max_step);
    for (const int8_t direction : settings.monotonic) held_ |= direction != 0;
    const std::vector<std::vector<int32_t>>& groups = settings.groups;
    if (!groups.empty()) groups_of_.resize(columns.size());
    for (size_t k = 0; k < groups.size(); ++k)
      for (const int32_t feature : groups[k])
        groups_of_[feature].push_back(static_cast<int32_t>(k));
    by_cells_ = !groups.empty() && settings.forced_feature.empty() &&
                std::all_of(groups.begin(), groups.end(),
                            [&](const auto& group) { return fits_cells(group); });
  }

  static size_t bytes_of_bands(const Columns& columns, const GradientSettings& settings) {
    const std::vector<int32_t> features = usable(columns);
    return columns.n_rows() < settings.worth_bands ? 0 : Bands(features).bytes(columns.n_rows());
  }

  size_t n_rows() const { return columns_.n_rows(); }  // of this partition
  size_t n_features() const { return columns_.size(); }
  const Column& column(int32_t feature) const { return columns_[feature]; }
  const uint8_t* codes(int32_t feature) const { return codes_[feature]; }
  const Bands& bands() const { return *bands_; }
  // The features that can be split on at all, ascending.
  const std::vector<int32_t>& usable() const { return usable_; }

  int monotone(int32_t feature) const {
    return settings.monotonic.empty() ? 0 : settings.monotonic[feature];
  }
  // The best split of a node on a feature, from its sums.
  GainSplit best_split_on(int32_t feature, const SumsView& sums, const NodeTerms& node) const {
    const uint64_t number =
        settings.random_cuts ? draws::at(draws::at(node.key, draws::kCuts), feature) : 0;
    GainSplit found = best_split(column(feature), sums, node, settings, monotone(feature), number);
    found.feature = feature;
    if (!settings.feature_factors.empty()) found.gain *= settings.feature_factors[feature];
    return found;
  }

  // The forced split of that number for a node, from the sums of its feature.
  GainSplit forced_split(size_t number, const SumsView& sums, const NodeTerms& node) const {
    const int32_t feature = settings.forced_feature[number];
    GainSplit found = gain::at_cut(column(feature), sums, node, settings, monotone(feature),
                                   static_cast<size_t>(settings.forced_cut[number]));
    found.feature = feature;
    return found;
  }

  // Whether not all features are drawn for every node.
  bool draws_features() const {
    const int32_t least = std::min(settings.level_features, settings.node_features);
    return !settings.feature_weights.empty() || static_cast<size_t>(least) < usable_.size();
  }
  // Those that a node draws, from those of the tree: from those of its level that may follow.
  std::vector<int32_t> drawn_features(const std::vector<int32_t>& of_tree, uint64_t tree,
                                      int32_t level, const std::vector<int32_t>& groups,
                                      uint64_t node) const {
    const std::vector<double>& weights = settings.feature_weights;
    std::vector<int32_t> drawn =
        draws::columns(of_tree, static_cast<size_t>(settings.level_features), weights,
                       draws::at(tree, draws::kLevels + static_cast<uint64_t>(level)));
    std::erase_if(drawn, [&](int32_t feature) { return !allowed(groups, feature); });
    return draws::columns(drawn, static_cast<size_t>(settings.node_features), weights,
                          draws::at(node, draws::kColumns));
  }

  // What is known of a root before its sums.
  NodeTerms terms_of_root(uint64_t key) const {
    NodeTerms terms;
    terms.low = -settings.max_step;
    terms.high = settings.max_step;
    terms.held = held_;
    terms.key = key;
    return terms;
  }

  size_t n_groups() const { return settings.groups.size(); }
  // Whether trees grow on sums by the codes of one or two columns: no path asks for more.
  bool by_cells() const { return by_cells_; }
  // Whether one of the groups, ascending, holds the feature; without groups any feature may follow.
  bool allowed(const std::vector<int32_t>& groups, int32_t feature) const {
    if (settings.groups.empty()) return true;
    const std::vector<int32_t>& mine = groups_of_[feature];
    return std::any_of(mine.begin(), mine.end(), [&](int32_t group) {
      return std::binary_search(groups.begin(), groups.end(), group);
    });
  }
  // Those of the groups that hold the feature.
  std::vector<int32_t> groups_with(const std::vector<int32_t>& groups, int32_t feature) const {
    std::vector<int32_t> held;
    if (settings.groups.empty()) return held;
    for (const int32_t group : groups_of_[feature])
      if (std::binary_search(groups.begin(), groups.end(), group)) held.push_back(group);
    return held;
  }

  const GradientSettings settings;

 private:
  static constexpr size_t kMostCells = 4096;  // of a pair of columns, so that their sums stay near

  static std::vector<int32_t> usable(const Columns& columns) {
    std::vector<int32_t> features;
    for (size_t j = 0; j < columns.size(); ++j)
      if (columns[j].n_slots() > 1) features.push_back(static_cast<int32_t>(j));
    return features;
  }

  bool fits_cells(const std::vector<int32_t>& group) const {
    if (group.size() < 2) return true;
    size_t cells = 1;
    for (const int32_t feature : group) cells *= column(feature).n_codes + size_t{1};
    return group.size() == 2 && cells <= kMostCells &&
           static_cast<size_t>(all_rows_) >= settings.worth_cells;
  }

  const Columns& columns_;
  const DenseCodes codes_;
  const int64_t all_rows_;                       // of all partitions
  std::vector<std::vector<int32_t>> groups_of_;  // of each feature, ascending
  std::vector<int32_t> usable_;
  std::unique_ptr<Bands> bands_;
  bool held_ = false;  // whether values may be others than Newton's steps
  bool by_cells_ = false;
};

}  // namespace weaklearn
