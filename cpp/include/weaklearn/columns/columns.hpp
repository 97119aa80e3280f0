// All columns of a sample, coded from a matrix, a table of columns, or sparse columns or rows.
//
// Columns are coded side by side; neither the order of rows nor the number of threads changes a
// code. Cost and memory: see coding.hpp and column.hpp; while coding, a copy of some columns a
// thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "weaklearn/columns/coding.hpp"
#include "weaklearn/columns/column.hpp"
#include "weaklearn/columns/pages.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/threads/profile.hpp"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace weaklearn {

// Hands the system what was freed: coding sorts copies of columns, tens of megabytes a thread, and
// the allocator would keep them.
inline void give_memory_back() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

// All the columns of a sample, coded once; from here on nothing looks at X again.
class Columns {
 public:
  Columns(size_t n_rows, size_t n_features, const Binning& binning = {})
      : n_rows_(n_rows), columns_(n_features), binning_(binning) {
    if (binning.copies != nullptr)
      for (size_t i = 0; i < n_rows; ++i) examples_ += static_cast<size_t>(binning.copies[i]);
  }

  size_t n_rows() const { return n_rows_; }
  size_t size() const { return columns_.size(); }
  const Column& operator[](size_t j) const { return columns_[j]; }

  // A whole numeric matrix: element (i, j) at data + i * row_stride + j * column_stride. Each chunk
  // of columns is copied before it is looked at: a line of row-major memory is read once, and what
  // another thread writes meanwhile can change values but do no harm.
  template <class Real>
  void code_matrix(const char* data, ptrdiff_t row_stride, ptrdiff_t column_stride, int threads) {
    reserve_blocks();
    const size_t d = columns_.size();
    const auto workers = static_cast<size_t>(std::max(threads, 1));
    const size_t each = (d + workers - 1) / workers;
    const size_t chunk = n_rows_ < 4096
                             ? 4096 / (n_rows_ + 1) + 16
                             : std::clamp<size_t>((size_t{16} << 20) / (n_rows_ * sizeof(Real)), 1,
                                                  std::clamp<size_t>(each, 1, 16));
    Lent<coding::Scratch> scratches;
    Pool::instance().run((d + chunk - 1) / chunk, threads_for(n_rows_ * d * 8, threads),
                         [&](size_t t) {
                           const Timed timed(Phase::coding);
                           const size_t first = t * chunk, n = std::min(d - first, chunk);
                           auto scratch = scratches.borrow();
                           Real* const turned = scratch->turned.room<Real>(n * n_rows_);
                           coding::turn<Real>(data + static_cast<ptrdiff_t>(first) * column_stride,
                                              row_stride, column_stride, n_rows_, n, turned);
                           for (size_t j = 0; j < n; ++j) {
                             code_copy(first + j, turned + j * n_rows_, *scratch);
                             Pool::check_interrupt();
                           }
                           scratches.give_back(std::move(scratch));
                         });
    give_memory_back();
  }

  // Room for the codes of the first columns, all of them where none is sparse; call it once before
  // they are coded, in any order.
  void reserve_blocks(size_t n) {
    block_ = std::make_unique_for_overwrite<uint8_t[]>(bytes_of_blocks(n_rows_, n));
    room_ = block_.get();
  }
  void reserve_blocks() { reserve_blocks(columns_.size()); }
  // The same for all columns in the caller's room of `bytes_to_borrow`, such as a mapped file,
  // which must outlive them: values and order lie behind the codes, where bins are to be opened.
  void borrow_blocks(uint8_t* room) {
    room_ = room;
    if (!binning_.keep_order) return;
    const size_t n = columns_.size();
    uint8_t* const values = room + in_words(bytes_of_blocks(n_rows_, n));
    for (size_t j = 0; j < n; ++j) {
      columns_[j].values_room = values + j * n_rows_ * sizeof(double);
      columns_[j].order_room =
          values + n * n_rows_ * sizeof(double) + j * n_rows_ * sizeof(uint32_t);
    }
  }
  bool is_borrowed() const { return room_ != nullptr && block_ == nullptr; }
  static size_t bytes_to_borrow(size_t n_rows, size_t n, bool keep_order) {
    const size_t codes = in_words(bytes_of_blocks(n_rows, n));
    return keep_order ? codes + n_rows * n * (sizeof(double) + sizeof(uint32_t)) : codes;
  }

  // One numeric column of a table.
  template <class Real>
  void code_column(size_t j, const Real* data) {
    coding::Scratch scratch;
    Real* const copy = scratch.turned.room<Real>(n_rows_);
    std::copy(data, data + n_rows_, copy);
    code_copy(j, copy, scratch);
  }

  // One categorical column: codes in order of value, -1 for missing; at most 255 categories.
  void code_categories(size_t j, const int32_t* categories, uint32_t n_categories) {
    Column& column = columns_[j];
    column.categorical = true;
    column.n_codes = n_categories;
    column.has_missing = binning_.given != nullptr && binning_.given[j].has_missing;
    uint8_t* codes = own_block(j);
    for (size_t i = 0; i < n_rows_; ++i) {
      const int32_t category = categories[i];
      if (category < -1 || category >= static_cast<int32_t>(n_categories))
        throw std::invalid_argument("a category code is out of range");
      column.has_missing |= category < 0;
      codes[i] =
          static_cast<uint8_t>(category < 0 ? n_categories : static_cast<uint32_t>(category));
    }
  }

  // Columns from `from` on are a sparse matrix by columns: the entries of its column j begin at
  // start[j], rows ascending, without repeats. Listed zeros join those that are not listed. `start`
  // is the caller's own; what another thread writes to the other arrays meanwhile can change values
  // but do no harm.
  template <class Real, class Index>
  void code_by_columns(size_t from, const Real* data, const Index* rows,
                       const std::vector<Index>& start, int threads) {
    const size_t d = start.size() - 1, n = static_cast<size_t>(start[d]);
    const Listed listed = list(n, n);
    std::atomic<bool> orderly{true};
    by_chunks<Real>(d, n, threads, [&](size_t j, std::vector<Real>& kept, auto& scratch) {
      const auto first = static_cast<size_t>(start[j]), last = static_cast<size_t>(start[j + 1]);
      kept.clear();
      size_t next = 0;  // the least row that may follow
      for (size_t e = first; e < last; ++e) {
        const Real x = data[e];
        const auto row = static_cast<size_t>(rows[e]);
        if (row < next || row >= n_rows_) orderly = false;
        next = row + 1;
        if (x == Real(0)) continue;
        listed.rows[first + kept.size()] = static_cast<uint32_t>(row);
        kept.push_back(x);
      }
      if (orderly) code_entries(from + j, kept.data(), listed.at(first), kept.size(), scratch);
    });
    if (!orderly) throw std::invalid_argument("row indices must ascend within the number of rows");
    give_memory_back();
  }

  // The same for d columns by rows: the entries of row i begin at start[i]. Where all numbers but
  // the zeros are one, as in a table of which text holds which term, columns share their codes and
  // values.
  template <class Real, class Index>
  void code_by_rows(size_t from, size_t d, const Real* data, const Index* columns,
                    const std::vector<Index>& start, int threads) {
    const size_t n = static_cast<size_t>(start[n_rows_]);
    const auto parts = static_cast<size_t>(std::clamp(threads_for(n * 8, threads), 1, 8));
    std::vector<Turned<Real>> turned(parts);  // of some rows each, in order
    Pool::instance().run(parts, static_cast<int>(parts), [&](size_t t) {
      Turned<Real>& part = turned[t];
      part.next.assign(d, 0);
      for (size_t i = n_rows_ * t / parts; i < n_rows_ * (t + 1) / parts; ++i) {
        size_t next = 0;
        for (auto e = static_cast<size_t>(start[i]); e < static_cast<size_t>(start[i + 1]); ++e) {
          const Real x = data[e];
          const auto j = static_cast<size_t>(columns[e]);
          if (j < next || j >= d) {
            part.orderly = false;
            return;
          }
          next = j + 1;
          if (x == Real(0)) continue;
          if (part.one == Real(0)) part.one = x;
          part.same &= x == part.one;
          ++part.next[j];
        }
      }
    });
    Real one = 0;  // the number that all are
    bool same = true;
    for (const Turned<Real>& part : turned) {
      if (!part.orderly)
        throw std::invalid_argument("column indices must ascend within the number of columns");
      if (one == Real(0)) one = part.one;
      same &= part.same && (part.one == Real(0) || part.one == one);
    }
    // Where the entries of each column begin, those of each part of the rows among them.
    std::vector<size_t> first(d + 1, 0);
    for (size_t j = 0, at = 0; j < d; ++j) {
      first[j] = at;
      for (Turned<Real>& part : turned) at += std::exchange(part.next[j], at);
      first[j + 1] = at;
    }
    const Listed listed = list(first[d], same ? 2 * n_rows_ : first[d]);
    std::unique_ptr<Real[]> kept;
    if (!same) kept = std::make_unique<Real[]>(first[d]);  // 0 where X changes under our hands
    Pool::instance().run(parts, static_cast<int>(parts), [&](size_t t) {
      std::vector<size_t>& next = turned[t].next;
      for (size_t i = n_rows_ * t / parts; i < n_rows_ * (t + 1) / parts; ++i)
        for (auto e = static_cast<size_t>(start[i]); e < static_cast<size_t>(start[i + 1]); ++e) {
          const Real x = data[e];
          const auto j = static_cast<size_t>(columns[e]);
          if (x == Real(0) || j >= d || next[j] >= first[j + 1]) continue;
          if (!same) kept[next[j]] = x;
          listed.rows[next[j]++] = static_cast<uint32_t>(i);
        }
    });
    const std::vector<size_t>& last = turned.back().next;
    if (same) return share_codes(from, static_cast<double>(one), listed, first, last);
    by_chunks<Real>(d, n, threads, [&](size_t j, std::vector<Real>&, auto& scratch) {
      code_entries(from + j, kept.get() + first[j], listed.at(first[j]), last[j] - first[j],
                   scratch);
    });
    kept.reset();
    give_memory_back();
  }

  // A column whose codes are given, one a row: the values of code k lie from ends[2 * k] to
  // ends[2 * k + 1].
  void set_codes(size_t j, Column&& like, const std::vector<double>& ends,
                 const std::vector<uint8_t>& codes) {
    columns_[j] = std::move(like);
    uint8_t* const mine = own_block(j);
    std::copy(codes.begin(), codes.end(), mine);
    columns_[j].coarse = !columns_[j].categorical;
    columns_[j].ends = std::make_unique_for_overwrite<double[]>(ends.size() + 1);
    std::copy(ends.begin(), ends.end(), columns_[j].ends.get());
  }

 private:
  // Some rows of a sparse matrix on their way into columns: where the next entry of each column
  // goes, and the number that all entries are.
  template <class Real>
  struct Turned {
    std::vector<size_t> next;
    Real one = 0;
    bool same = true, orderly = true;
  };

  // Room for the entries of sparse columns, one after another.
  struct Listed {
    uint32_t* rows;
    uint8_t* codes;
    Listed at(size_t place) const { return {rows + place, codes + place}; }
  };
  Listed list(size_t n_rows, size_t n_codes) {
    entry_rows_.push_back(std::make_unique<uint32_t[]>(n_rows + 1));
    entry_codes_.push_back(std::make_unique<uint8_t[]>(n_codes + 1));
    return {entry_rows_.back().get(), entry_codes_.back().get()};
  }

  // Calls body(column, room for numbers, scratch) for d columns, some side by side.
  template <class Real, class Body>
  void by_chunks(size_t d, size_t n_entries, int threads, Body&& body) {
    constexpr size_t chunk = 64;
    Pool::instance().run((d + chunk - 1) / chunk, threads_for(n_entries * 8, threads),
                         [&](size_t t) {
                           std::vector<Real> kept;
                           coding::Scratch scratch;
                           for (size_t j = t * chunk; j < std::min(d, (t + 1) * chunk); ++j)
                             body(j, kept, scratch);
                           Pool::check_interrupt();
                         });
  }

  // Codes a sparse column with n entries, whose rows are listed.
  template <class Real>
  void code_entries(size_t j, const Real* kept, const Listed& listed, size_t n,
                    coding::Scratch& scratch) {
    Column& column = columns_[j];
    column.sparse = true;
    column.entry_rows = listed.rows;
    column.n_entries = static_cast<uint32_t>(n);
    const coding::Numbers<Real> numbers{kept, n, listed.rows, zeros_beside(column)};
    coding::code_numbers(column, numbers, binning_, nullptr, n < n_rows_, listed.codes, scratch);
    column.codes = listed.codes;
  }
  size_t zeros_beside(const Column& column) const {
    if (binning_.copies == nullptr) return n_rows_ - column.n_entries;
    size_t n = examples_;
    for (size_t e = 0; e < column.n_entries; ++e)
      n -= static_cast<size_t>(binning_.copies[column.entry_rows[e]]);
    return n;
  }

  // Columns whose entries all are one number; those of column j from first[j] to next[j].
  void share_codes(size_t from, double one, const Listed& listed, const std::vector<size_t>& first,
                   const std::vector<size_t>& next) {
    const uint32_t code = one > 0 ? 1 : 0;
    std::fill_n(listed.codes, n_rows_, static_cast<uint8_t>(code));  // behind them stand zeros
    shared_.push_back(std::make_unique<double[]>(4));
    double* const values = shared_.back().get();
    const double each[4] = {std::min(one, 0.0), std::max(one, 0.0), one, 0.0};
    std::copy(each, each + 4, values);
    for (size_t j = 0; j < next.size(); ++j) {
      Column& column = columns_[from + j];
      column.sparse = true;
      column.entry_rows = listed.rows + first[j];
      column.n_entries = static_cast<uint32_t>(next[j] - first[j]);
      const bool all = column.n_entries == n_rows_, none = column.n_entries == 0;
      column.n_codes = all || none ? 1 : 2;
      column.values = values + (all ? 2 : none ? 3 : 0);
      column.zero_code = all ? kNoCode : none ? 0 : 1 - code;
      column.codes = listed.codes + (all ? n_rows_ : 0);
    }
  }

  template <class Real>
  void code_copy(size_t j, const Real* numbers, coding::Scratch& scratch) {
    const GivenCodes* const given = binning_.given == nullptr ? nullptr : &binning_.given[j];
    coding::code_numbers(columns_[j], coding::Numbers<Real>{numbers, n_rows_}, binning_, given,
                         false, own_block(j), scratch);
  }

  static size_t bytes_of_blocks(size_t n_rows, size_t n) { return n_rows * n + kBeyondCodes; }
  static size_t in_words(size_t bytes) { return (bytes + 7) / 8 * 8; }

  uint8_t* own_block(size_t j) {
    columns_[j].codes = room_ + j * n_rows_;
    return room_ + j * n_rows_;
  }

  size_t n_rows_;
  size_t examples_ = 0;  // copies, where given
  std::vector<Column> columns_;
  Binning binning_;
  Block<uint8_t> block_;
  uint8_t* room_ = nullptr;                  // of the codes: the block, or the caller's
  std::vector<Block<uint32_t>> entry_rows_;  // of sparse columns, one after another
  std::vector<Block<uint8_t>> entry_codes_;
  std::vector<Block<double>> shared_;  // values that many columns have
};

}  // namespace weaklearn
