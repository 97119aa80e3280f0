// Codes once more, the columns of a row side by side.
//
// Promise: the same codes as in the columns. A node that holds few of all rows pays a line of
// memory for every code it reads from a column; here up to sixteen columns of a row share one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/columns/dense_codes.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/threads/profile.hpp"

namespace weaklearn {

constexpr size_t kRibbon = 8;          // columns in one 64-bit word
constexpr size_t kBand = 2 * kRibbon;  // columns side by side at most

// Neighbours among the features of a tree, searched by one thread.
struct Piece {
  size_t first = 0, count = 0;
  size_t band = 0;  // that holds them all, where there are bands
};

class Bands {
 public:
  // The features, ascending, spread evenly: over an even number of bands, so that two threads have
  // as much to do.
  explicit Bands(const std::vector<int32_t>& features) : features_(features) {
    const size_t n = features.size();
    size_t bands = (n + kBand - 1) / kBand;
    if (n > kRibbon) bands += bands % 2;
    for (size_t b = 0; b <= bands; ++b) begins_.push_back(bands == 0 ? 0 : b * n / bands);
    for (size_t b = 0; b < bands; ++b) width_ = std::max(width_, width(b));
  }

  size_t size() const { return begins_.size() - 1; }
  bool laid() const { return codes_ != nullptr; }
  size_t width(size_t band) const { return begins_[band + 1] - begins_[band]; }
  // Bytes from row to row: whole words, so that no ribbon crosses a line of memory.
  size_t stride() const { return width_ > kRibbon ? kBand : kRibbon; }

  size_t bytes(size_t n_rows) const { return size() * n_rows * stride(); }

  // Copies the codes of all rows: into the caller's room of so many bytes, or into our own where
  // that is null.
  void lay(const DenseCodes& codes, size_t n_rows, int threads, uint8_t* room = nullptr) {
    constexpr size_t chunk = 4096;
    n_rows_ = n_rows;
    codes_ = room;
    if (room == nullptr) {
      own_ = std::make_unique_for_overwrite<uint64_t[]>(bytes(n_rows) / sizeof(uint64_t));
      codes_ = reinterpret_cast<uint8_t*>(own_.get());
    }
    const size_t pieces = (n_rows + chunk - 1) / chunk;
    const int most = threads_for(n_rows * features_.size(), threads);
    Pool::instance().run(size() * pieces, most, [&](size_t t) {
      const Timed timed(Phase::coding);
      const size_t b = t % size(), first = t / size() * chunk;
      lay_rows(codes, b, first, std::min(n_rows, first + chunk));
    });
  }

  // The chosen features (ascending) of each band: where they begin and how many they are.
  std::vector<Piece> divide(const std::vector<int32_t>& chosen) const {
    std::vector<Piece> pieces;
    size_t next = 0;
    for (size_t b = 0; b < size(); ++b) {
      const size_t first = next;
      while (next < chosen.size() && chosen[next] <= features_[begins_[b + 1] - 1]) ++next;
      if (first < next) pieces.push_back({first, next - first, b});
    }
    return pieces;
  }

  // The codes of row 0 in a band; those of row i lie stride() * i further.
  const uint8_t* codes(size_t band) const { return codes_ + band * n_rows_ * stride(); }

  // Which of its band's columns a feature is.
  size_t place(size_t band, int32_t feature) const {
    const auto begin = features_.begin() + static_cast<ptrdiff_t>(begins_[band]);
    return static_cast<size_t>(std::lower_bound(begin, features_.end(), feature) - begin);
  }

 private:
  void lay_rows(const DenseCodes& codes, size_t band, size_t first, size_t last) {
    uint8_t* const out = codes_ + band * n_rows_ * stride();
    std::fill(out + first * stride(), out + last * stride(), uint8_t{0});
    for (size_t k = 0; k < width(band); ++k) {
      const uint8_t* const column = codes[features_[begins_[band] + k]];
      for (size_t i = first; i < last; ++i) out[i * stride() + k] = column[i];
    }
  }

  const std::vector<int32_t>& features_;
  std::vector<size_t> begins_;
  std::unique_ptr<uint64_t[]> own_;
  uint8_t* codes_ = nullptr;  // in room of our own or of the caller's, aligned as 64-bit words
  size_t n_rows_ = 0, width_ = 0;
};

}  // namespace weaklearn
