// Samples with columns of every kind, and the stumps of least error found by trying them all.
#pragma once

#include <algorithm>
#include <map>

#include "check.hpp"
#include "weaklearn/stump/plurality.hpp"
#include "weaklearn/stump/stump_search.hpp"
#include "weaklearn/weights/verdict.hpp"

namespace weaklearn::testing {

// Columns, and beside them the numbers they were coded from (categories as numbers, NaN missing).
struct Mixed {
  std::vector<std::vector<double>> x;
  std::vector<uint32_t> n_categories;  // 0: a column of numbers
  Columns columns;
};

// One column of each kind, dense and sparse in turn, and two of categories.
inline Mixed draw_mixed(Random& random, size_t m, double missing) {
  std::vector<std::vector<double>> x;
  std::vector<uint32_t> n_categories;
  std::vector<bool> sparse;
  for (Kind kind : kKinds) {
    x.push_back(draw_column(random, kind, m, missing));
    n_categories.push_back(0);
    sparse.push_back(kind == Kind::mostly_zero || random.chance(0.3));
  }
  for (uint32_t n : {3u, 40u}) {
    x.push_back(draw_column(random, Kind::few, m, missing));
    for (double& value : x.back())
      if (!std::isnan(value)) value = static_cast<double>(random.below(n));
    n_categories.push_back(n);
    sparse.push_back(false);
  }
  const std::vector<size_t> order = shuffled(random, x.size());
  Mixed mixed{permuted(x, order), permuted(n_categories, order), Columns(m, x.size())};
  mixed.columns.reserve_blocks();
  for (size_t j = 0; j < mixed.x.size(); ++j) {
    const std::vector<double>& column = mixed.x[j];
    if (mixed.n_categories[j] > 0) {
      std::vector<int32_t> categories;
      for (double value : column)
        categories.push_back(std::isnan(value) ? -1 : static_cast<int32_t>(value));
      mixed.columns.code_categories(j, categories.data(), mixed.n_categories[j]);
    } else if (sparse[order[j]]) {
      std::vector<double> data;
      std::vector<int32_t> rows;
      for (size_t i = 0; i < m; ++i)
        if (column[i] != 0 || random.chance(0.1)) {
          data.push_back(column[i]);
          rows.push_back(static_cast<int32_t>(i));
        }
      code_entries(mixed.columns, j, data, rows, data.size());
    } else {
      mixed.columns.code_column(j, column.data());
    }
  }
  return mixed;
}

// A test on a column: which answers it parts, in the order in which ties are broken.
struct Candidate {
  Test test;
  size_t feature;
  double threshold;
  uint32_t category;
};

inline bool above(const Candidate& candidate, double value) {
  if (candidate.test == Test::equality) return value == candidate.category;
  return candidate.test == Test::constant || value > candidate.threshold;
}

// Every test on column j, without multiway ones.
inline std::vector<Candidate> candidates(const Mixed& mixed, size_t j) {
  std::vector<double> values;
  for (double value : mixed.x[j])
    if (!std::isnan(value)) values.push_back(value + 0.0);
  if (values.empty() && mixed.n_categories[j] == 0) return {};
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::vector<Candidate> all;
  if (mixed.n_categories[j] > 0) {
    all.push_back({Test::constant, j, -INFINITY, 0});
    for (uint32_t c = 0; c < mixed.n_categories[j]; ++c) all.push_back({Test::equality, j, 0, c});
    return all;
  }
  all.push_back({Test::constant, j, cut_below(values[0]), 0});
  for (size_t k = 1; k < values.size(); ++k)
    all.push_back({Test::threshold, j, cut_between(values[k - 1], values[k]), 0});
  return all;
}

// Answers of a stump by comparing real values.
inline int32_t answer(const Answers& stump, bool categorical, double value) {
  if (std::isnan(value)) return stump.missing;
  if (stump.test == Test::equality) return value == stump.category ? stump.high : stump.low;
  if (stump.test == Test::multiway) return stump.by_category[static_cast<size_t>(value)];
  if (categorical) return stump.high;
  return value > stump.threshold ? stump.high : stump.low;
}

}  // namespace weaklearn::testing
