// Trees that ask for at most two columns on any path, added up into tables over the codes of those
// columns.
//
// Promise: the tables together answer what the trees do for every code, votes applied, leaves added
// in their order: each belongs to the column, or the pair, that its path asks for. The last slot of
// a column is that of missing values, whether training had any or not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/tree/tree.hpp"

namespace weaklearn {

// Trees as they were grown, one list a round.
struct GrownTrees {
  std::vector<std::vector<TreeArrays>> rounds;
};

// What the trees of one model add up to.
struct Tables {
  double constant = 0;                                    // trees that ask nothing
  std::vector<std::vector<double>> mains;                 // a column each; empty: never asked for
  std::vector<std::vector<double>> pairs;                 // one a pair, row by row
  std::vector<std::pair<int32_t, int32_t>> pair_columns;  // the first before the second
};

class Tabulation {
 public:
  Tabulation(const Columns& columns, std::vector<std::pair<int32_t, int32_t>> pairs)
      : columns_(columns) {
    tables_.mains.resize(columns.size());
    tables_.pair_columns = std::move(pairs);
    for (const auto& [a, b] : tables_.pair_columns)
      tables_.pairs.emplace_back(slots(a) * slots(b), 0.0);
  }

  void add(const TreeArrays& tree, double vote) { descend(tree, vote, 0, {}); }

  Tables take() { return std::move(tables_); }

 private:
  size_t slots(int32_t j) const { return columns_[j].n_codes + size_t{1}; }

  // A column of a path, and those of its codes that reach the node.
  struct Asked {
    int32_t column;
    std::vector<uint32_t> codes;
  };

  double* pair_of(int32_t a, int32_t b) {
    const auto& known = tables_.pair_columns;
    const auto found = std::find(known.begin(), known.end(), std::pair{a, b});
    if (found == known.end()) throw std::invalid_argument("a tree asks for an unknown pair");
    return tables_.pairs[static_cast<size_t>(found - known.begin())].data();
  }

  void descend(const TreeArrays& tree, double vote, int32_t node, std::vector<Asked> path) {
    if (tree.ask[node] == static_cast<uint8_t>(Ask::leaf)) {
      std::sort(path.begin(), path.end(),
                [](const Asked& a, const Asked& b) { return a.column < b.column; });
      return settle(vote * tree.values[tree.value[node]], path);
    }
    const int32_t column = tree.feature[node];
    auto asked = std::find_if(path.begin(), path.end(),
                              [&](const Asked& known) { return known.column == column; });
    if (asked == path.end()) {
      if (path.size() == 2) throw std::invalid_argument("a path asks for more than two columns");
      path.push_back({column, {}});
      asked = path.end() - 1;
      for (uint32_t k = 0; k < slots(column); ++k) asked->codes.push_back(k);
    }
    std::vector<uint32_t> sides[2];
    for (const uint32_t code : asked->codes) sides[goes_right(tree, node, code)].push_back(code);
    for (int side = 0; side < 2; ++side) {
      asked->codes = std::move(sides[side]);
      descend(tree, vote, tree.first[node] + side, path);
    }
  }

  void settle(double answer, const std::vector<Asked>& path) {
    if (path.empty()) {
      tables_.constant += answer;
    } else if (path.size() == 1) {
      std::vector<double>& main = tables_.mains[path[0].column];
      if (main.empty()) main.assign(slots(path[0].column), 0.0);
      for (const uint32_t a : path[0].codes) main[a] += answer;
    } else {
      double* const table = pair_of(path[0].column, path[1].column);
      const size_t width = slots(path[1].column);
      for (const uint32_t a : path[0].codes)
        for (const uint32_t b : path[1].codes) table[a * width + b] += answer;
    }
  }

  bool goes_right(const TreeArrays& tree, int32_t node, uint32_t code) const {
    const Column& column = columns_[tree.feature[node]];
    if (code == column.n_codes) return tree.missing[node] == 1;
    if (tree.ask[node] == static_cast<uint8_t>(Ask::subset))
      return tree.subsets[tree.subset[node]].has(code);
    return column.least(code) > tree.threshold[node];
  }

  const Columns& columns_;
  Tables tables_;
};

}  // namespace weaklearn
