// Examples by code, where weights are not numbers of examples; and what limits on them leave.
//
// Every code that occurs holds an example. So only cuts near the ends of a column can leave too few
// on a side, and mostly nothing has to be counted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "weaklearn/tree/node.hpp"

namespace weaklearn {

class CodeCounts {
 public:
  explicit CodeCounts(const Node& node) : node_(node) {}

  // A node has been entered.
  void enter() { column_ = kNone; }

  // The examples of the node at each code of column j.
  const int64_t* of(uint32_t j) {
    if (column_ == j) return counts_;
    column_ = j;
    std::fill(counts_, counts_ + node_.data.column(j).n_slots(), 0);
    const Node::Codes codes = node_.codes(j);
    for (size_t i = 0; i < node_.n; ++i) counts_[codes[node_.rows[i]]] += node_.counts[i];
    return counts_;
  }

  // Whether a cut of column j behind a code leaves enough examples on both sides.
  bool enough_beside(uint32_t j, uint32_t code) const {
    const Node::Codes codes = node_.codes(j);
    const int64_t least = node_.settings.min_samples_leaf;
    int64_t sides[2] = {0, 0};
    for (size_t i = 0; i < node_.n && (sides[0] < least || sides[1] < least); ++i)
      sides[codes[node_.rows[i]] > code] += node_.counts[i];
    return sides[0] >= least && sides[1] >= least;
  }

 private:
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
  const Node& node_;
  uint32_t column_ = kNone;
  int64_t counts_[256];
};

// The greatest gain of the cuts that leave enough on both sides; gains of cuts that do not, or that
// do not matter, become minus infinity. enough(i) is asked of few.
template <class Enough>
double best_allowed(double* gain, size_t n, const Node& node, double tie, Enough&& enough) {
  constexpr double nothing = -std::numeric_limits<double>::infinity();
  const size_t margin = node.sure_margin(n);
  double most = nothing;
  for (size_t i = margin; i + margin < n; ++i) most = std::max(most, gain[i]);
  const auto look_at = [&](size_t i) {
    if (gain[i] >= most - tie && enough(i))
      most = std::max(most, gain[i]);
    else
      gain[i] = nothing;
  };
  if (2 * margin >= n) {
    for (size_t i = 0; i < n; ++i) look_at(i);
    return most;
  }
  for (size_t i = 0; i < margin; ++i) look_at(i);
  for (size_t i = n - margin; i < n; ++i) look_at(i);
  return most;
}

}  // namespace weaklearn
