// Sums of a node's rows by code of every column, kept for its children.
//
// What is left of a node's sums when those of its smaller children are taken off belongs to the
// largest: its rows need not be looked at. Only nodes of more rows than slots keep their sums, so
// that all kept together take no more room than the codes do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "weaklearn/threads/pool.hpp"
#include "weaklearn/tree/examples.hpp"
#include "weaklearn/tree/tree_data.hpp"
#include "weaklearn/tree/tree_settings.hpp"

namespace weaklearn {

using Sums = std::vector<int64_t>;

class Histogram {
 public:
  // A slot holds two counts in one word, a pair, or a weight for each class of the sample.
  Histogram(const TreeData& data, const TreeSettings& settings)
      : data_(data), starts_(data.size() + 1) {
    const bool all = settings.max_features == 0 || settings.max_features >= data.size();
    kept_ = all && !data.shares() && !settings.by_row();
  }

  // A new tree.
  void begin(const Examples& examples) {
    examples_ = &examples;
    if (data_.n_classes() > 2)
      cells_ = data_.n_classes();
    else
      cells_ = examples.plain() && data_.n_classes() > 0 ? 1 : 2;
    for (size_t j = 0; j < data_.size(); ++j)
      starts_[j + 1] = starts_[j] + data_.column(j).n_slots() * cells_;
  }

  // Whether the sums of n rows are worth keeping.
  bool worth(size_t n) const { return kept_ && n * data_.size() >= 2 * starts_.back(); }
  size_t size() const { return starts_.back(); }
  size_t start(uint32_t j) const { return starts_[j]; }  // where the sums of a column start

  // Adds rows to the sums of columns first .. last-1.
  void add(const uint32_t* rows, size_t n, size_t first, size_t last, int64_t* sums) const {
    for (size_t j = first; j < last; j += 4)
      if (j + 4 <= last)
        add_columns<4>(rows, n, j, sums);
      else
        for (size_t k = j; k < last; ++k) add_columns<1>(rows, n, k, sums);
  }

  // The sums of rows; on threads of the pool where the caller is outside of any job.
  std::unique_ptr<Sums> of(const uint32_t* rows, size_t n, int threads) const {
    auto sums = std::make_unique<Sums>(size(), 0);
    const size_t d = data_.size();
    const auto parts = static_cast<size_t>(threads_for(2 * n * d, threads));
    if (parts < 2)
      add(rows, n, 0, d, sums->data());
    else
      Pool::instance().run(parts, static_cast<int>(parts), [&](size_t t) {
        add(rows, n, d * t / parts, d * (t + 1) / parts, sums->data());
      });
    return sums;
  }

  static void take_off(Sums& from, const Sums& sums) {
    for (size_t i = 0; i < from.size(); ++i) from[i] -= sums[i];
  }

 private:
  template <size_t width>
  void add_columns(const uint32_t* rows, size_t n, size_t first, int64_t* sums) const {
    const bool scattered = data_.scattered(n);
    const size_t step = scattered ? data_.stride() : 1;
    const uint8_t* codes[width];
    int64_t* tables[width];
    for (size_t f = 0; f < width; ++f) {
      codes[f] = scattered ? data_.across() + first + f : data_.codes(first + f);
      tables[f] = sums + starts_[first + f];
    }
    if (cells_ == 1) {
      for (size_t i = 0; i < n; ++i) {
        const auto v = static_cast<int64_t>(examples_->packed_at(rows[i]));
        for (size_t f = 0; f < width; ++f) tables[f][codes[f][rows[i] * step]] += v;
      }
    } else if (cells_ == 2) {
      for (size_t i = 0; i < n; ++i) {
        const Pair v = examples_->pair_at(rows[i]);
        for (size_t f = 0; f < width; ++f) {
          int64_t* slot = tables[f] + 2 * codes[f][rows[i] * step];
          slot[0] += v.w;
          slot[1] += v.a;
        }
      }
    } else {
      const int32_t* labels = data_.labels();
      for (size_t i = 0; i < n; ++i) {
        const int64_t w = examples_->pair_at(rows[i]).w;
        const auto label = static_cast<size_t>(labels[rows[i]]);
        for (size_t f = 0; f < width; ++f)
          tables[f][codes[f][rows[i] * step] * cells_ + label] += w;
      }
    }
  }

  const TreeData& data_;
  bool kept_;
  const Examples* examples_ = nullptr;
  size_t cells_ = 1;
  std::vector<size_t> starts_;
};

}  // namespace weaklearn
