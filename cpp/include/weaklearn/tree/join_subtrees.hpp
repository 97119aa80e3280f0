// One tree from a trunk and the parts that were grown apart.
//
// Promise: nodes, values and sets are numbered as if one hand had grown them all, depth first.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weaklearn/tree/subtree_grower.hpp"

namespace weaklearn {

class SubtreeJoiner {
 public:
  // parts[0] is the trunk; buds[k] is where part k + 1 belongs.
  SubtreeJoiner(const std::vector<std::unique_ptr<SubtreeGrower>>& parts,
                const std::vector<Bud>& buds)
      : parts_(parts), part_at_(parts[0]->tree.size(), 0) {
    for (size_t k = 0; k < buds.size(); ++k)
      part_at_[static_cast<size_t>(buds[k].node)] = static_cast<uint32_t>(k) + 1;
    for (const auto& part : parts) {
      const TreeArrays& tree = part->tree;
      row_of_.emplace_back(tree.values.size() / tree.n_outputs, -1);
      class_of_.emplace_back(row_of_.back().size(), -1);
      for (size_t c = 0; c < part->pure_row.size(); ++c)
        if (part->pure_row[c] >= 0)
          class_of_.back()[static_cast<size_t>(part->pure_row[c])] = static_cast<int32_t>(c);
    }
    pure_row_.assign(parts[0]->pure_row.size(), -1);
    out_.n_outputs = parts[0]->tree.n_outputs;
  }

  TreeArrays tree() {
    std::vector<Place> stack{{0, 0, out_.add(0, 0)}};
    while (!stack.empty()) {
      Place place = stack.back();
      stack.pop_back();
      if (place.part == 0) {
        place.part = part_at_[static_cast<size_t>(place.node)];
        if (place.part > 0) place.node = 0;
      }
      copy(place);
      const TreeArrays& from = parts_[place.part]->tree;
      const int32_t width = from.width[place.node];
      if (width == 0) continue;
      const auto first = static_cast<int32_t>(out_.size());
      out_.first[place.to] = first;
      for (int32_t k = 0; k < width; ++k) out_.add(0, 0);
      for (int32_t k = width - 1; k >= 0; --k)
        stack.push_back({place.part, from.first[place.node] + k, first + k});
    }
    return std::move(out_);
  }

 private:
  struct Place {
    uint32_t part;
    int32_t node, to;
  };

  void copy(const Place& place) {
    const TreeArrays& from = parts_[place.part]->tree;
    const int32_t node = place.node, to = place.to;
    out_.ask[to] = from.ask[node];
    out_.feature[to] = from.feature[node];
    out_.threshold[to] = from.threshold[node];
    out_.width[to] = from.width[node];
    out_.missing[to] = from.missing[node];
    out_.weight[to] = from.weight[node];
    out_.count[to] = from.count[node];
    out_.gain[to] = from.gain[node];
    out_.value[to] = value_row(place.part, from.value[node]);
    if (from.subset[node] < 0) return;
    out_.subset[to] = static_cast<int32_t>(out_.subsets.size());
    out_.subsets.push_back(from.subsets[static_cast<size_t>(from.subset[node])]);
  }

  int32_t value_row(uint32_t part, int32_t row) {
    const auto old = static_cast<size_t>(row);
    int32_t& known = row_of_[part][old];
    if (known >= 0) return known;
    const int32_t pure = class_of_[part][old];
    if (pure >= 0 && pure_row_[static_cast<size_t>(pure)] >= 0)
      return known = pure_row_[static_cast<size_t>(pure)];
    const size_t k = out_.n_outputs;
    const double* values = &parts_[part]->tree.values[old * k];
    known = static_cast<int32_t>(out_.values.size() / k);
    out_.values.insert(out_.values.end(), values, values + k);
    if (pure >= 0) pure_row_[static_cast<size_t>(pure)] = known;
    return known;
  }

  const std::vector<std::unique_ptr<SubtreeGrower>>& parts_;
  std::vector<uint32_t> part_at_;               // of the trunk's nodes; 0: the trunk itself
  std::vector<std::vector<int32_t>> row_of_;    // of each part's rows of values
  std::vector<std::vector<int32_t>> class_of_;  // whose pure nodes they belong to, or -1
  std::vector<int32_t> pure_row_;
  TreeArrays out_;
};

}  // namespace weaklearn
