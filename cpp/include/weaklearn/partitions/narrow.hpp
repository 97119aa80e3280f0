// Whole numbers in as few bytes as they need, for the way between partitions.
//
// Layout: how many there are, in eight bytes; then blocks of 64 numbers (the last one shorter),
// each a byte that says how many bytes a number takes, 0 to 8, and these, the lowest first. Sums by
// code are small where bins are, and those of one kind stand side by side.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

namespace weaklearn::narrow {

constexpr size_t kBlock = 64, kHead = 8;

constexpr bool kLittle = std::endian::native == std::endian::little;

// The room that writing n numbers needs: a number may be written as eight bytes, of which the next
// one takes what is too many.
inline size_t room_for(size_t n) { return kHead + 8 * n + (n + kBlock - 1) / kBlock + 8; }

template <int width>
uint8_t* put(const int64_t* x, size_t n, uint8_t* out) {
  for (size_t k = 0; k < n; ++k, out += width)
    if constexpr (kLittle && width > 0)
      std::memcpy(out, x + k, 8);
    else
      for (int b = 0; b < width; ++b) out[b] = static_cast<uint8_t>(x[k] >> (8 * b));
  return out;
}

// `whole`: eight bytes may be read for every number.
template <int width>
const uint8_t* take(const uint8_t* from, size_t n, bool whole, int64_t* x) {
  constexpr int beyond = width == 0 ? 0 : 64 - 8 * width;  // where the sign goes
  for (size_t k = 0; k < n; ++k, from += width) {
    uint64_t bits = 0;
    if (kLittle && width > 0 && whole)
      std::memcpy(&bits, from, 8);
    else
      for (int b = 0; b < width; ++b) bits |= uint64_t{from[b]} << (8 * b);
    x[k] = static_cast<int64_t>(bits << beyond) >> beyond;
  }
  return from;
}

constexpr std::array kPut{put<0>, put<1>, put<2>, put<3>, put<4>, put<5>, put<6>, put<7>, put<8>};
constexpr std::array kTake{take<0>, take<1>, take<2>, take<3>, take<4>,
                           take<5>, take<6>, take<7>, take<8>};

// Writes a block of at most 64 numbers; returns where the next one goes.
inline uint8_t* write_block(const int64_t* x, size_t n, uint8_t* out) {
  uint64_t bits = 0, any = 0;
  for (size_t k = 0; k < n; ++k) {
    bits |= static_cast<uint64_t>(x[k] ^ (x[k] >> 63));  // without the sign
    any |= static_cast<uint64_t>(x[k]);
  }
  const auto width = any == 0 ? 0 : static_cast<size_t>(std::bit_width(bits)) / 8 + 1;
  *out = static_cast<uint8_t>(width);
  return kPut[width](x, n, out + 1);
}

inline uint8_t* write_head(size_t n, uint8_t* out) {
  const auto number = static_cast<int64_t>(n);
  return put<8>(&number, 1, out);
}

// Writes n numbers into `room_for` them; returns how many bytes they take.
inline size_t write(const int64_t* x, size_t n, uint8_t* out) {
  uint8_t* at = write_head(n, out);
  for (size_t k = 0; k < n; k += kBlock) at = write_block(x + k, std::min(kBlock, n - k), at);
  return static_cast<size_t>(at - out);
}

// Reads what was written, block by block; it ends with an error where bytes are missing.
class Reader {
 public:
  explicit Reader(std::span<const uint8_t> bytes)
      : at_(bytes.data()), end_(bytes.data() + bytes.size()) {
    if (bytes.size() < kHead) fail();
    int64_t n;
    at_ = take<8>(at_, 1, true, &n);
    // A block takes a byte at least.
    if (n < 0 || static_cast<uint64_t>(n) / kBlock > bytes.size()) fail();
    n_ = static_cast<size_t>(n);
  }

  size_t size() const { return n_; }

  void block(size_t n, int64_t* x) {
    const auto left = static_cast<size_t>(end_ - at_);
    if (left == 0 || *at_ > 8 || left - 1 < *at_ * n) fail();
    at_ = kTake[*at_](at_ + 1, n, left - 1 >= *at_ * n + 8, x);
  }

 private:
  [[noreturn]] static void fail() { throw std::invalid_argument("numbers are cut short"); }

  const uint8_t* at_;
  const uint8_t* end_;
  size_t n_ = 0;
};

// Writes the sums of the numbers of several lists, all of the same length, into `room_for` as many;
// returns how many bytes they take.
inline size_t write_sums(std::vector<Reader>& lists, uint8_t* out) {
  const size_t n = lists.at(0).size();
  for (const Reader& list : lists)
    if (list.size() != n) throw std::invalid_argument("partitions ask for sums of other lengths");
  uint8_t* at = write_head(n, out);
  for (size_t k = 0; k < n; k += kBlock) {
    const size_t some = std::min(kBlock, n - k);
    std::array<int64_t, kBlock> sums{}, own;
    for (Reader& list : lists) {
      list.block(some, own.data());
      for (size_t i = 0; i < some; ++i)  // sums may wrap, as they do in an array
        sums[i] =
            static_cast<int64_t>(static_cast<uint64_t>(sums[i]) + static_cast<uint64_t>(own[i]));
    }
    at = write_block(sums.data(), some, at);
  }
  return static_cast<size_t>(at - out);
}

}  // namespace weaklearn::narrow
