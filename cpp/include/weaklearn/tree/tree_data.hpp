// What trees grow on: codes of every cell, labels or numbers to predict.
//
// Codes stand twice: by column for large nodes, and row by row for small ones, whose rows lie
// scattered, so that a row costs one line of the cache whatever the number of columns asked.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/columns/dense_codes.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/tree/tree_settings.hpp"

namespace weaklearn {

// Several targets a row: numbers, or for classes whether the row has each class of each output.
struct Targets {
  const double* numbers = nullptr;  // row by row
  size_t n = 0;                     // a row
  size_t n_outputs = 1;             // over which impurities are averaged
};

class TreeData {
 public:
  // labels: classes 0 .. n_classes-1, or null; numbers: where labels is null.
  TreeData(const Columns& columns, const int32_t* labels, const double* numbers, size_t n_classes,
           const TreeSettings& settings, int threads, const Targets& targets = {})
      : columns_(columns), codes_(columns), n_classes_(n_classes), n_targets_(targets.n) {
    const size_t m = columns.n_rows();
    if (n_targets_ > 0)
      take(targets, m, is_of_numbers(settings.criterion));
    else if (labels != nullptr)
      labels_.assign(labels, labels + m);
    else
      centre(numbers, m);
    const size_t searched = settings.max_features == 0 ? columns.size() : settings.max_features;
    // Shallow trees have no small nodes, and a few columns of very many share no line of the cache.
    if (settings.max_depth > 4 && searched * 64 >= columns.size()) lay_across(threads);
    if (settings.exact) rank(threads);
    for (size_t j = 0; j < columns.size(); ++j)
      shares_ |= settings.missing == MissingTest::fraction && columns[j].has_missing;
  }

  const Columns& columns() const { return columns_; }
  const Column& column(size_t j) const { return columns_[j]; }
  size_t n_rows() const { return columns_.n_rows(); }
  size_t size() const { return columns_.size(); }
  size_t n_classes() const { return n_classes_; }  // 0: numbers
  size_t n_outputs() const { return std::max<size_t>({n_targets_, n_classes_, 1}); }
  const int32_t* labels() const { return labels_.data(); }

  // Whether there are rows whose weight is shared out over children.
  bool shares() const { return shares_; }

  // Numbers as multiples of `reach` above or below `middle`: between -1 and +1.
  const double* numbers() const { return numbers_.data(); }
  double middle() const { return middle_; }
  double reach() const { return reach_; }

  // Several targets: those of a row, numbers in the same way, each with a middle and a reach of its
  // own; shares of classes are as they are. `share` is what a squared difference counts.
  struct Target {
    double middle = 0, reach = 1, share = 1;
  };
  size_t n_targets() const { return n_targets_; }  // 0: one
  size_t n_parts() const { return n_parts_; }      // outputs that the targets belong to
  const Target& target(size_t k) const { return targets_[k]; }
  const double* targets_of(uint32_t row) const { return &numbers_[row * n_targets_]; }

  const uint8_t* codes(size_t j) const { return codes_[j]; }
  const uint8_t* across() const { return across_; }  // may be null
  size_t stride() const { return stride_; }
  // Whether n rows are so few that reading them across costs less than down a column.
  bool scattered(size_t n) const {
    return across_ != nullptr && (n < n_rows() / 16 || stride_ <= 16);
  }

  // Coarse columns, where asked for: a row's value as its place among the values, those of the
  // column's order and, in a sparse one, its zeros.
  const uint32_t* ranks(size_t j) const { return ranks_.empty() ? nullptr : ranks_[j].get(); }
  // The value of a row with this code and rank.
  double value(size_t j, uint32_t code, uint32_t rank) const {
    const Column& column = columns_[j];
    if (!column.coarse) return column.values[code];
    if (code == column.zero_code) return 0;
    return column.sorted(rank - (column.zero_code != kNoCode && code > column.zero_code));
  }

 private:
  // The middle of the range, not the mean: it does not depend on the order of rows.
  void centre(const double* numbers, size_t m) {
    const auto [least, most] = std::minmax_element(numbers, numbers + m);
    middle_ = *least / 2 + *most / 2;
    reach_ = std::max(*most / 2 - *least / 2, std::numeric_limits<double>::min());
    numbers_.resize(m);
    for (size_t i = 0; i < m; ++i)
      numbers_[i] = std::clamp((numbers[i] - middle_) / reach_, -1.0, 1.0);
  }

  void take(const Targets& given, size_t m, bool of_numbers) {
    targets_.resize(given.n);
    numbers_.assign(given.numbers, given.numbers + m * given.n);
    for (size_t k = 0; k < given.n; ++k) {
      Target& target = targets_[k];
      if (of_numbers) {
        double least = numbers_[k], most = numbers_[k];
        for (size_t i = 0; i < m; ++i) {
          least = std::min(least, numbers_[i * given.n + k]);
          most = std::max(most, numbers_[i * given.n + k]);
        }
        target.middle = least / 2 + most / 2;
        target.reach = std::max(most / 2 - least / 2, std::numeric_limits<double>::min());
        for (size_t i = 0; i < m; ++i) {
          double& y = numbers_[i * given.n + k];
          y = std::clamp((y - target.middle) / target.reach, -1.0, 1.0);
        }
      }
      target.share = target.reach * target.reach / static_cast<double>(given.n_outputs);
    }
    n_parts_ = given.n_outputs;
  }

  void lay_across(int threads) {
    const size_t m = n_rows(), d = size();
    stride_ = 1;
    while (stride_ < d && stride_ < 64) stride_ *= 2;
    stride_ = (d + stride_ - 1) / stride_ * stride_;
    // Rows start where lines of the cache start.
    block_ = std::make_unique_for_overwrite<uint8_t[]>(m * stride_ + 64);
    const auto address = reinterpret_cast<uintptr_t>(block_.get());
    uint8_t* const out = block_.get() + (64 - address % 64) % 64;
    constexpr size_t rows = 1024;
    Pool::instance().run((m + rows - 1) / rows, threads_for(m * d, threads), [&](size_t t) {
      const size_t begin = t * rows, end = std::min(m, begin + rows);
      for (size_t j = 0; j < d; ++j) {
        const uint8_t* codes = codes_[j];
        for (size_t i = begin; i < end; ++i) out[i * stride_ + j] = codes[i];
      }
    });
    across_ = out;
  }

  void rank(int threads) {
    ranks_.resize(size());
    const size_t m = n_rows();
    Pool::instance().run(size(), threads_for(m * size(), threads), [&](size_t j) {
      const Column& column = columns_[j];
      if (!column.coarse || !column.order) return;
      ranks_[j] = std::make_unique_for_overwrite<uint32_t[]>(m);
      const bool zeros = column.zero_code != kNoCode;
      const uint32_t below = zeros ? column.bin_start[column.zero_code] : column.n_known;
      std::fill(ranks_[j].get(), ranks_[j].get() + m, below);
      uint32_t first = 0;
      for (uint32_t p = 0; p < column.n_known; ++p) {
        if (column.order[p] & kNewValue) first = p;
        ranks_[j][column.order[p] & kRowMask] = first + (zeros && p >= below);
      }
    });
  }

  const Columns& columns_;
  DenseCodes codes_;
  size_t n_classes_;
  size_t n_targets_, n_parts_ = 1;
  std::vector<Target> targets_;
  bool shares_ = false;
  std::vector<int32_t> labels_;
  std::vector<double> numbers_;
  double middle_ = 0, reach_ = 1;
  size_t stride_ = 0;
  Block<uint8_t> block_;
  const uint8_t* across_ = nullptr;  // into the block
  std::vector<Block<uint32_t>> ranks_;
};

}  // namespace weaklearn
