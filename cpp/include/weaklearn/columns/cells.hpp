// Cells as they lie in memory, read block by block and column by column: of a matrix, a table of
// columns, or sparse columns.
//
// Promise: reading allocates nothing, and what is read does not depend on how rows are cut into
// blocks. NaN is a missing number, -1 a missing or unseen category.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

namespace weaklearn {

class Cells {
 public:
  Cells(size_t n_rows, size_t n_features) : n_rows_(n_rows), n_features_(n_features) {}
  virtual ~Cells() = default;
  size_t n_rows() const { return n_rows_; }
  size_t n_features() const { return n_features_; }

  // Whether all numbers are singles, so that they may be read as such.
  virtual bool single() const { return false; }
  virtual bool has_categories(size_t) const { return false; }

  // out[i * step] <- the number of row begin + i in column j.
  virtual void numbers(size_t j, size_t begin, size_t n, double* out, size_t step) const = 0;
  virtual void singles(size_t, size_t, size_t, float*) const {
    throw std::logic_error("the cells are not singles");
  }
  virtual const int32_t* categories(size_t) const {
    throw std::logic_error("the cells have no categories");
  }

 private:
  size_t n_rows_, n_features_;
};

// Element (i, j) at data + i * row_stride + j * column_stride, in bytes.
template <class Real>
class MatrixCells final : public Cells {
 public:
  MatrixCells(const void* data, size_t n_rows, size_t n_features, ptrdiff_t row_stride,
              ptrdiff_t column_stride)
      : Cells(n_rows, n_features),
        data_(static_cast<const char*>(data)),
        row_stride_(row_stride),
        column_stride_(column_stride) {}

  bool single() const override { return sizeof(Real) == sizeof(float); }

  void numbers(size_t j, size_t begin, size_t n, double* out, size_t step) const override {
    const char* at = start(j, begin);
    for (size_t i = 0; i < n; ++i, at += row_stride_) out[i * step] = read(at);
  }
  void singles(size_t j, size_t begin, size_t n, float* out) const override {
    const char* at = start(j, begin);
    for (size_t i = 0; i < n; ++i, at += row_stride_) out[i] = static_cast<float>(read(at));
  }

 private:
  const char* start(size_t j, size_t begin) const {
    return data_ + static_cast<ptrdiff_t>(j) * column_stride_ +
           static_cast<ptrdiff_t>(begin) * row_stride_;
  }
  static Real read(const char* at) {
    Real x;
    std::memcpy(&x, at, sizeof x);
    return x;
  }

  const char* data_;
  ptrdiff_t row_stride_, column_stride_;
};

// A table by columns: doubles, or categories as int32 codes; of each column one of the two is null.
class TableCells final : public Cells {
 public:
  TableCells(size_t n_rows, std::vector<const double*> numbers,
             std::vector<const int32_t*> categories)
      : Cells(n_rows, numbers.size()),
        numbers_(std::move(numbers)),
        categories_(std::move(categories)) {}

  bool has_categories(size_t j) const override { return categories_[j] != nullptr; }
  void numbers(size_t j, size_t begin, size_t n, double* out, size_t step) const override {
    const double* column = numbers_[j] + begin;
    for (size_t i = 0; i < n; ++i) out[i * step] = column[i];
  }
  const int32_t* categories(size_t j) const override { return categories_[j]; }

 private:
  std::vector<const double*> numbers_;
  std::vector<const int32_t*> categories_;
};

// One row of numbers: categories as their codes, NaN for what is missing or unseen.
class RowCells final : public Cells {
 public:
  RowCells(const double* row, const std::vector<uint32_t>& n_categories)
      : Cells(1, n_categories.size()), row_(row), n_categories_(n_categories) {
    bool any = false;
    for (uint32_t n : n_categories) any = any || n > 0;
    if (!any) return;
    codes_.assign(n_categories.size(), -1);
    for (size_t j = 0; j < n_categories.size(); ++j)
      if (row[j] >= 0 && row[j] < n_categories[j]) codes_[j] = static_cast<int32_t>(row[j]);
  }

  bool has_categories(size_t j) const override { return n_categories_[j] > 0; }
  void numbers(size_t j, size_t, size_t n, double* out, size_t) const override {
    if (n > 0) out[0] = row_[j];
  }
  const int32_t* categories(size_t j) const override { return &codes_[j]; }

 private:
  const double* row_;
  const std::vector<uint32_t>& n_categories_;
  std::vector<int32_t> codes_;
};

// Compressed sparse columns; cells without an entry are zero. All numbers of rows are checked, and
// put in order where they are not.
template <class Real, class Index>
class SparseCells final : public Cells {
 public:
  SparseCells(size_t n_rows, std::vector<Index> starts, const Real* data, const Index* rows,
              size_t n_entries)
      : Cells(n_rows, starts.size() - 1), starts_(std::move(starts)), data_(data), rows_(rows) {
    bool ordered = true;
    for (size_t j = 0; j < n_features(); ++j) {
      const Index begin = starts_[j], end = starts_[j + 1];
      if (begin < 0 || end < begin || static_cast<size_t>(end) > n_entries)
        throw std::invalid_argument("the starts of sparse columns are out of range");
      for (Index e = begin; e < end; ++e) {
        if (rows[e] < 0 || static_cast<size_t>(rows[e]) >= n_rows)
          throw std::invalid_argument("a row index of sparse columns is out of range");
        ordered = ordered && (e == begin || rows[e - 1] <= rows[e]);
      }
    }
    if (!ordered) put_in_order(n_entries);
  }

  bool single() const override { return sizeof(Real) == sizeof(float); }
  void numbers(size_t j, size_t begin, size_t n, double* out, size_t step) const override {
    spread(j, begin, n, out, step);
  }
  void singles(size_t j, size_t begin, size_t n, float* out) const override {
    spread(j, begin, n, out, 1);
  }

 private:
  template <class To>
  void spread(size_t j, size_t begin, size_t n, To* out, size_t step) const {
    for (size_t i = 0; i < n; ++i) out[i * step] = 0;
    const Index* last = rows_ + starts_[j + 1];
    const Index* at = std::lower_bound(rows_ + starts_[j], last, static_cast<Index>(begin));
    for (; at != last; ++at) {
      const size_t i = static_cast<size_t>(*at) - begin;
      if (i >= n) break;
      out[i * step] = static_cast<To>(data_[at - rows_]);
    }
  }

  void put_in_order(size_t n_entries) {
    own_data_.resize(n_entries);
    own_rows_.resize(n_entries);
    std::vector<std::pair<Index, Real>> column;
    for (size_t j = 0; j < n_features(); ++j) {
      column.clear();
      for (Index e = starts_[j]; e < starts_[j + 1]; ++e) column.emplace_back(rows_[e], data_[e]);
      std::stable_sort(column.begin(), column.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
      for (size_t k = 0; k < column.size(); ++k)
        std::tie(own_rows_[static_cast<size_t>(starts_[j]) + k],
                 own_data_[static_cast<size_t>(starts_[j]) + k]) = column[k];
    }
    data_ = own_data_.data();
    rows_ = own_rows_.data();
  }

  std::vector<Index> starts_;
  const Real* data_;
  const Index* rows_;
  std::vector<Real> own_data_;
  std::vector<Index> own_rows_;
};

}  // namespace weaklearn
