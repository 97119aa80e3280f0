// Numbers of a compressed stream, decoded by ranges; src/weaklearn/base/compression/stream.py
// writes such streams, and says what they are.
//
// No byte is trusted: how many numbers the bytes may ask for is bounded before there is room for
// them, and what no writer writes is Damaged.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace weaklearn::files {

// The bytes are no stream, or ask for more than they may.
struct Damaged : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

inline void must(bool condition, const char* message) {
  if (!condition) throw Damaged(message);
}

// Not const char*: only made where it is needed.
template <class Message>
  requires std::is_invocable_r_v<std::string, Message>
void must(bool condition, Message&& message) {
  if (!condition) throw Damaged(message());
}

inline std::string text_of(uint64_t n) { return std::to_string(n); }

inline void must_index(int64_t place, uint64_t n) {
  must(static_cast<uint64_t>(place) < n && place >= 0,
       [&] { return "a place is none of " + text_of(n); });
}

// Words of so many bits above the least, or places in a list of the different ones.
class Run {
 public:
  Run() = default;
  Run(uint64_t n, uint64_t low, unsigned width, const uint8_t* data)
      : n_(n), low_(low), width_(width), data_(data), bytes_((n * width + 7) / 8) {}
  Run(uint64_t low, std::vector<uint64_t> different, Run places)
      : n_(places.size()),
        low_(low),
        different_(std::move(different)),
        places_(std::make_shared<const Run>(std::move(places))) {}

  uint64_t size() const { return n_; }

  void must_have(uint64_t start, uint64_t stop) const {
    must(start <= stop && stop <= n_,
         [&] { return text_of(stop) + " numbers are asked for, there are " + text_of(n_); });
  }

  // Hands the words from start to stop to `take`, one after another.
  template <class Take>
  void each(uint64_t start, uint64_t stop, Take&& take) const {
    must_have(start, stop);
    if (places_) {
      uint64_t some[kSome];
      for (; start < stop; start += kSome) {
        const uint64_t n = std::min(kSome, stop - start);
        listed_words(start, n, some);
        for (uint64_t i = 0; i < n; ++i) take(some[i]);
      }
    } else if (width_ == 0) {
      for (uint64_t i = start; i < stop; ++i) take(low_);
    } else {
      for (uint64_t i = start; i < stop; ++i) take(plain(i) + low_);
    }
  }

 private:
  static constexpr uint64_t kSome = 256;

  // n words from a place on.
  void listed_words(uint64_t start, uint64_t n, uint64_t* out) const {
    if (places_) {
      places_->listed_words(start, n, out);
      for (uint64_t i = 0; i < n; ++i) {
        must_index(static_cast<int64_t>(out[i]), different_.size());
        out[i] = different_[out[i]] + low_;
      }
    } else {
      for (uint64_t i = 0; i < n; ++i) out[i] = (width_ == 0 ? 0 : plain(start + i)) + low_;
    }
  }

  uint64_t plain(uint64_t i) const {
    const uint64_t bit = i * width_, at = bit >> 3;
    const unsigned shift = bit & 7;
    uint64_t word = 0;
    if (std::endian::native == std::endian::little && at + 8 <= bytes_) {
      std::memcpy(&word, data_ + at, 8);
    } else {
      for (uint64_t k = 0; k < 8 && at + k < bytes_; ++k)
        word |= uint64_t{data_[at + k]} << (8 * k);
    }
    word >>= shift;
    if (shift + width_ > 64) word |= uint64_t{data_[at + 8]} << (64 - shift);
    return width_ == 64 ? word : word & ((uint64_t{1} << width_) - 1);
  }

  uint64_t n_ = 0, low_ = 0;
  unsigned width_ = 0;
  const uint8_t* data_ = nullptr;
  uint64_t bytes_ = 0;
  std::vector<uint64_t> different_;
  std::shared_ptr<const Run> places_;
};

class Integers {
 public:
  Integers() = default;
  Integers(uint64_t low, Run run)
      : low_(low % 2 == 0 ? static_cast<int64_t>(low / 2) : -static_cast<int64_t>(low / 2) - 1),
        run_(std::move(run)) {}

  uint64_t size() const { return run_.size(); }
  void must_have(uint64_t start, uint64_t stop) const { run_.must_have(start, stop); }

  template <class Take>
  void each(uint64_t start, uint64_t stop, Take&& take) const {
    const auto low = static_cast<uint64_t>(low_);
    run_.each(start, stop, [&](uint64_t word) { take(static_cast<int64_t>(word + low)); });
  }

  std::vector<int64_t> read() const { return read(0, size()); }
  std::vector<int64_t> read(uint64_t start, uint64_t stop) const {
    run_.must_have(start, stop);
    std::vector<int64_t> found(stop - start);
    int64_t* out = found.data();
    each(start, stop, [&](int64_t x) { *out++ = x; });
    return found;
  }

 private:
  int64_t low_ = 0;
  Run run_;
};

class Doubles {
 public:
  Doubles() = default;
  Doubles(unsigned zeros, Run run) : zeros_(zeros), run_(std::move(run)) {}

  uint64_t size() const { return run_.size(); }
  void must_have(uint64_t start, uint64_t stop) const { run_.must_have(start, stop); }

  template <class Take>
  void each(uint64_t start, uint64_t stop, Take&& take) const {
    run_.each(start, stop, [&](uint64_t word) {
      take(std::bit_cast<double>(((word >> 1) << zeros_) | (word << 63)));
    });
  }

  std::vector<double> read() const {
    std::vector<double> found(size());
    double* out = found.data();
    each(0, size(), [&](double x) { *out++ = x; });
    return found;
  }

 private:
  unsigned zeros_ = 0;
  Run run_;
};

// Doubles as they are, or as steps from guesses that are known when they are asked for.
class Guessed {
 public:
  Guessed() = default;
  explicit Guessed(Doubles plain) : as_they_are_(true), plain_(std::move(plain)) {}
  Guessed(Run steps, std::vector<int64_t> far, std::vector<uint64_t> away)
      : steps_(std::move(steps)), far_(std::move(far)), away_(std::move(away)) {}

  uint64_t size() const { return as_they_are_ ? plain_.size() : steps_.size(); }
  void must_have(uint64_t start, uint64_t stop) const {
    as_they_are_ ? plain_.must_have(start, stop) : steps_.must_have(start, stop);
  }

  // Hands what is known of the doubles from start to stop to `take`: bits, or steps.
  template <class Take>
  void each(uint64_t start, uint64_t stop, Take&& take) const {
    if (as_they_are_) {
      plain_.each(start, stop, [&](double x) { take(std::bit_cast<uint64_t>(x)); });
      return;
    }
    auto far = std::lower_bound(far_.begin(), far_.end(), static_cast<int64_t>(start));
    uint64_t i = start;
    steps_.each(start, stop, [&](uint64_t apart) {
      if (far != far_.end() && static_cast<uint64_t>(*far) == i)
        apart = away_[static_cast<size_t>(far++ - far_.begin())];
      ++i;
      take(apart);
    });
  }

  // The double of which a guess and, by `each`, the rest is known.
  double made(uint64_t known, double guess) const {
    if (as_they_are_) return std::bit_cast<double>(known);
    const uint64_t step = (known >> 1) ^ (0 - (known & 1));
    return std::bit_cast<double>(std::bit_cast<uint64_t>(guess) + step);
  }

 private:
  bool as_they_are_ = false;
  Doubles plain_;
  Run steps_;
  std::vector<int64_t> far_;  // places whose steps are those of `away_`
  std::vector<uint64_t> away_;
};

// Reads what follows in a stream, and counts what the bytes ask for.
class PackedStream {
 public:
  // `entries`: how many numbers the bytes may ask for.
  PackedStream(const uint8_t* data, uint64_t n, uint64_t entries)
      : data_(data), end_(n), entries_(entries), tables_(kFreeTables + n / 8) {}

  uint64_t number() {
    uint64_t n = 0;
    for (unsigned shift = 0;; shift += 7) {
      must(at_ < end_, "the bytes end too early");
      const uint8_t byte = data_[at_++];
      must(shift < 63 || (shift == 63 && (byte & 127) <= 1), "a number takes more than 64 bits");
      n |= uint64_t{byte & 127u} << shift;
      if (byte < 128) return n;
    }
  }

  // Counts so many numbers of each of several kinds.
  void room(uint64_t n, uint64_t kinds = 1) {
    must(kinds == 0 || n <= entries_ / kinds, "few bytes ask for very many numbers");
    entries_ -= n * kinds;
  }

  // Counts numbers that stay in memory.
  void table(uint64_t n) {
    must(n <= tables_, "few bytes ask for very large tables of numbers");
    tables_ -= n;
  }

  Integers integers() {
    const uint64_t low = number();
    return {low, run(0)};
  }

  Doubles doubles() {
    const uint64_t zeros = number();
    must(zeros < 64, "doubles end in more zeros than they have bits");
    return {static_cast<unsigned>(zeros), run(0)};
  }

  Guessed guessed() {
    if (number() == 0) return Guessed(doubles());
    const Integers places = integers();
    const Run away = run(0);
    Run steps = run(0);
    must(places.size() == away.size(), "steps are lacking");
    table(2 * places.size());
    std::vector<int64_t> far = places.read();
    for (const int64_t place : far) must_index(place, steps.size());
    must(std::adjacent_find(far.begin(), far.end(), std::greater_equal<>()) == far.end(),
         "places do not rise");
    std::vector<uint64_t> found;
    found.reserve(away.size());
    away.each(0, away.size(), [&](uint64_t word) { found.push_back(word); });
    return {std::move(steps), std::move(far), std::move(found)};
  }

  void end() const {
    must(at_ == end_, [&] { return text_of(end_ - at_) + " bytes are left over"; });
  }

 private:
  static constexpr uint64_t kFreeTables = uint64_t{1} << 21;
  static constexpr int kDeepest = 4;  // lists of the differences in a list

  Run run(int depth) {
    const uint64_t n = number();
    room(n);
    if (n == 0) return {};
    const uint64_t form = number(), low = number();
    if (form == 0) {
      const uint64_t width = number();
      must(width <= 64, "a number takes more than 64 bits");
      const uint64_t size = (n * width + 7) / 8;
      must(size <= end_ - at_, "the bytes end too early");
      at_ += size;
      return {n, low, static_cast<unsigned>(width), data_ + at_ - size};
    }
    must(form == 1 && depth < kDeepest, "numbers have no such form");
    const Run steps = run(depth + 1);
    Run places = run(depth + 1);
    must(places.size() == n, "places are lacking");
    table(2 * steps.size());
    std::vector<uint64_t> different{0};
    different.reserve(steps.size() + 1);
    steps.each(0, steps.size(),
               [&](uint64_t step) { different.push_back(different.back() + step); });
    return {low, std::move(different), std::move(places)};
  }

  const uint8_t* data_;
  uint64_t at_ = 0, end_;
  uint64_t entries_, tables_;
};

}  // namespace weaklearn::files
