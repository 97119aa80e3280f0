// Histograms of a growing tree: sums of gradient, curvature and count by code, for its nodes.
//
// Cost: O(rows of the node) a feature to fill, O(codes) to subtract. Rows may be divided among
// threads: sums of parts are added, in any order. Histograms that are dropped are filled again;
// they are kept from tree to tree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "weaklearn/gradient/bands.hpp"
#include "weaklearn/gradient/gain.hpp"
#include "weaklearn/gradient/gradient_data.hpp"
#include "weaklearn/gradient/gradient_work.hpp"
#include "weaklearn/gradient/whole_gradients.hpp"
#include "weaklearn/hot/loops.hpp"
#include "weaklearn/threads/pool.hpp"

namespace weaklearn {

class GradientSums {
 public:
  // Of the features that the tree may ask, in pieces for so many threads.
  GradientSums(const GradientData& data, GradientWork& work, const GrowTask& task, int threads)
      : data_(data), work_(work), whole_sample_(task.rows == nullptr) {
    choose_features(task);
    cut_pieces(static_cast<size_t>(threads));
  }

  const std::vector<int32_t>& features() const { return features_; }
  // All pieces of the features, one a task.
  const std::vector<Piece>& pieces() const { return pieces_; }

  // The pieces of what a node's children may be split on.
  std::vector<Piece> pieces_for(const GradientNode& node) const {
    if (data_.n_groups() == 0) return pieces_;
    std::vector<Piece> mine;
    for (const Piece& piece : pieces_)
      for (size_t k = piece.first; k < piece.first + piece.count; ++k) {
        if (!data_.allowed(node.groups, features_[k])) continue;
        const bool next = !mine.empty() && mine.back().band == piece.band &&
                          mine.back().first + mine.back().count == k && k > piece.first;
        if (next)
          ++mine.back().count;
        else
          mine.push_back({k, 1, piece.band});
      }
    return mine;
  }

  // Room for the values of the k-th of the nodes filled side by side.
  GatheredValues& gathered(size_t k) {
    if (work_.gathered.size() <= k) work_.gathered.resize(k + 1);
    return work_.gathered[k];
  }

  // Makes room for the values of a node's rows, side by side.
  void begin_gathering(const GradientNode& node, GatheredValues& values) const {
    const size_t n = node.size();
    if (is_everyone(node)) return;  // they lie so already
    if (values.one.size() < n) values.one.resize(n);
    if (work_.whole.packed() || values.c.size() >= n) return;
    values.c.resize(n);
    values.n.resize(n);
  }

  // The values of the rows in some places of a node's list.
  void gather(const GradientNode& node, size_t from, size_t to, GatheredValues& values) const {
    const WholeGradients& whole = work_.whole;
    if (is_everyone(node)) return;
    const uint32_t* rows = work_.rows.data() + node.begin;
    if (whole.packed()) {
      for (size_t k = from; k < to; ++k) {
        if (k + kAhead < to) ask_for(whole.one() + rows[k + kAhead]);
        values.one[k] = whole.one()[rows[k]];
      }
      return;
    }
    for (size_t k = from; k < to; ++k) {
      values.one[k] = whole.g()[rows[k]];
      values.c[k] = whole.c()[rows[k]];
      values.n[k] = whole.n()[rows[k]];
    }
  }

  // Sums by code over the rows in some places of a node's list, for the features of a piece.
  void fill(const GradientNode& node, const GatheredValues& values, const Piece& piece, size_t from,
            size_t to, Sums* sums) const {
    const size_t first = piece.first, count = piece.count;
    std::memset(static_cast<void*>(sums + first), 0, count * sizeof(Sums));
    if (!work_.whole.packed()) return fill_wide(node, values, piece, from, to, sums);
    const bool few = node.size() * kFewRows < data_.n_rows() && data_.bands().laid();
    int64_t table[kBand * kSlots];
    for (size_t begin = from; begin < to; begin += kPackedRows) {
      const size_t end = std::min(begin + kPackedRows, to);
      std::memset(table, 0, count * kSlots * sizeof(int64_t));
      if (few)
        add_ribbons(node, values, piece, begin, end, table);
      else
        add_columns(node, values, piece, begin, end, table);
      for (size_t k = 0; k < count; ++k) {
        Sums& out = sums[first + k];
        hot().unpack(table + k * kSlots, data_.column(features_[first + k]).n_slots(), kCountBits,
                     work_.whole.c_bits(), out.g, work_.whole.constant() ? nullptr : out.c, out.n);
      }
    }
  }

  // A node's sums by code of one of the features.
  const Sums& of(const GradientNode& node, int32_t feature) const {
    const auto found = std::lower_bound(features_.begin(), features_.end(), feature);
    return node.sums[static_cast<size_t>(found - features_.begin())];
  }

  // Adds sums of other rows, for feature k of the tree.
  void add(Sums* to, const Sums* what, size_t k) const {
    const size_t n = data_.column(features_[k]).n_slots();
    for (size_t s = 0; s < n; ++s) to[k].g[s] += what[k].g[s];
    for (size_t s = 0; s < n; ++s) to[k].n[s] += what[k].n[s];
    if (work_.whole.constant()) return;
    for (size_t s = 0; s < n; ++s) to[k].c[s] += what[k].c[s];
  }

  void subtract(Sums* from, const Sums* what, size_t k) const {
    const size_t n = data_.column(features_[k]).n_slots();
    for (size_t s = 0; s < n; ++s) from[k].g[s] -= what[k].g[s];
    for (size_t s = 0; s < n; ++s) from[k].n[s] -= what[k].n[s];
    if (work_.whole.constant()) return;
    for (size_t s = 0; s < n; ++s) from[k].c[s] -= what[k].c[s];
  }

  // Sums over all codes of feature k of the tree: the same whichever it is.
  Total total_of(const GradientNode& node, size_t k) const {
    const SumsView sums(node.sums[k], work_.whole.constant());
    Total total;
    for (uint32_t s = 0; s < data_.column(features_[k]).n_slots(); ++s) {
      total.g += sums.g[s];
      total.c += sums.c[s];
      total.n += sums.n[s];
    }
    return total;
  }

  // ---------------------------------------------------------------------------------- memory

  // A histogram of all features, to be filled.
  std::unique_ptr<Sums[]> take() {
    if (work_.width != features_.size()) {
      work_.free.clear();
      work_.width = features_.size();
    }
    ++kept_;
    if (!work_.free.empty()) {
      auto sums = std::move(work_.free.back());
      work_.free.pop_back();
      return sums;
    }
    return std::make_unique_for_overwrite<Sums[]>(features_.size());
  }

  void drop(std::unique_ptr<Sums[]>& sums) {
    if (!sums) return;
    --kept_;
    work_.free.push_back(std::move(sums));
  }

  // Of one histogram, and of those in use.
  size_t bytes_of_one() const { return features_.size() * sizeof(Sums); }
  size_t bytes() const { return kept_ * bytes_of_one(); }

 private:
  static constexpr size_t kBlock = 6;    // columns filled at once
  static constexpr size_t kFewRows = 6;  // a node of fewer rows than all over this reads bands
  static constexpr size_t kChunk = 512;  // rows whose words stay in the cache for two ribbons

  void choose_features(const GrowTask& task) {
    if (task.features == nullptr) {
      features_ = data_.usable();
      return;
    }
    for (size_t k = 0; k < task.n_features; ++k)
      if (data_.column(task.features[k]).n_slots() > 1) features_.push_back(task.features[k]);
  }

  // The features by band, or else in blocks, as many for each thread.
  void cut_pieces(size_t each) {
    if (data_.bands().laid()) {
      pieces_ = data_.bands().divide(features_);
      return;
    }
    const size_t n = features_.size();
    const size_t blocks = ((n + kBlock - 1) / kBlock + each - 1) / each * each;
    for (size_t t = 0; t < blocks; ++t) {
      const size_t first = t * n / blocks, last = (t + 1) * n / blocks;
      if (first < last) pieces_.push_back({first, last - first});
    }
  }

  bool is_everyone(const GradientNode& node) const {
    return whole_sample_ && node.size() == data_.n_rows();
  }

  // Adds packed values of some of a node's rows to one table a feature, from the columns.
  void add_columns(const GradientNode& node, const GatheredValues& values, const Piece& piece,
                   size_t begin, size_t end, int64_t* table) const {
    const size_t first = piece.first, count = piece.count;
    const uint32_t* rows = work_.rows.data() + node.begin;
    const uint8_t* codes[kBlock];
    for (size_t j = 0; j < count; j += kBlock) {
      const size_t width = std::min(kBlock, count - j);
      for (size_t k = 0; k < width; ++k) codes[k] = data_.codes(features_[first + j + k]);
      if (is_everyone(node))
        hot().histogram(codes, width, work_.whole.one(), begin, end, table + j * kSlots);
      else
        hot().histogram_of(codes, width, rows, values.one.data(), begin, end, table + j * kSlots);
    }
  }

  // The same from a band: what one ribbon fetches the other finds in the cache.
  void add_ribbons(const GradientNode& node, const GatheredValues& values, const Piece& piece,
                   size_t begin, size_t end, int64_t* table) const {
    const size_t first = piece.first, count = piece.count;
    const uint32_t* rows = work_.rows.data() + node.begin;
    uint8_t bytes[kBand];
    size_t in_first = 0;  // features of the first ribbon
    for (size_t k = 0; k < count; ++k) {
      const size_t place = data_.bands().place(piece.band, features_[first + k]);
      in_first += place < kRibbon;
      bytes[k] = static_cast<uint8_t>(place % kRibbon);
    }
    const size_t stride = data_.bands().stride(), in_second = count - in_first;
    const uint8_t* const codes = data_.bands().codes(piece.band);
    for (size_t from = begin; from < end; from += kChunk) {
      const size_t to = std::min(from + kChunk, end);
      const int64_t* const value = values.one.data();
      if (in_first > 0)
        hot().histogram_beside(codes, stride, bytes, in_first, rows, value, from, to, node.size(),
                               table);
      if (in_second > 0)
        hot().histogram_beside(codes + kRibbon, stride, bytes + in_first, in_second, rows, value,
                               from, to, in_first == 0 ? node.size() : 0,
                               table + in_first * kSlots);
    }
  }

  // Where values do not pack: three sums a feature.
  void fill_wide(const GradientNode& node, const GatheredValues& values, const Piece& piece,
                 size_t from, size_t to, Sums* sums) const {
    const WholeGradients& whole = work_.whole;
    const bool everyone = is_everyone(node);
    const uint32_t* rows = work_.rows.data() + node.begin;
    for (size_t k = piece.first; k < piece.first + piece.count; ++k) {
      const uint8_t* const codes = data_.codes(features_[k]);
      const auto fill_one = [&](const int64_t* of_all, const std::vector<int64_t>& of_node,
                                int64_t* out) {
        if (everyone)
          hot().histogram(&codes, 1, of_all, from, to, out);
        else
          hot().histogram_of(&codes, 1, rows, of_node.data(), from, to, out);
      };
      fill_one(whole.g(), values.one, sums[k].g);
      fill_one(whole.c(), values.c, sums[k].c);
      fill_one(whole.n(), values.n, sums[k].n);
    }
  }

  const GradientData& data_;
  GradientWork& work_;
  const bool whole_sample_;
  std::vector<int32_t> features_;
  std::vector<Piece> pieces_;
  size_t kept_ = 0;
};

}  // namespace weaklearn
