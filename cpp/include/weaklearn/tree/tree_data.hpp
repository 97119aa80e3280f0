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

class TreeData {
 public:
  // labels: classes 0 .. n_classes-1, or null; numbers: where labels is null.
  TreeData(const Columns& columns, const int32_t* labels, const double* numbers, size_t n_classes,
           const TreeSettings& settings, int threads)
      : columns_(columns), codes_(columns), n_classes_(n_classes) {
    const size_t m = columns.n_rows();
    if (labels != nullptr) labels_.assign(labels, labels + m);
    if (labels == nullptr) centre(numbers, m);
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
  size_t n_outputs() const { return std::max<size_t>(n_classes_, 1); }
  const int32_t* labels() const { return labels_.data(); }

  // Whether there are rows whose weight is shared out over children.
  bool shares() const { return shares_; }

  // Numbers as multiples of `reach` above or below `middle`: between -1 and +1.
  const double* numbers() const { return numbers_.data(); }
  double middle() const { return middle_; }
  double reach() const { return reach_; }

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
