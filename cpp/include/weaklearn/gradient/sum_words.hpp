// Sums of gradient, curvature and count by code, as they travel between partitions.
//
// Promise: adding the words of several partitions adds their sums. A code takes one, two or three
// words of 64 bits, as few as have room for the sums of all examples that there may be; those of
// one kind stand side by side, since they are about as large (partitions/narrow.hpp).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weaklearn/gradient/whole_gradients.hpp"

namespace weaklearn {

class SumWords {
 public:
  // Of a node with so many examples in all partitions.
  SumWords(const WholeGradients& whole, int64_t examples) : constant_(whole.constant()) {
    n_bits_ = static_cast<int>(std::bit_width(static_cast<uint64_t>(examples)));
    c_bits_ = constant_ ? 0 : whole.c_size() + n_bits_;
    const int g_bits = whole.g_size() + n_bits_ + 1;  // the sign
    if (g_bits + c_bits_ + n_bits_ <= 63)
      words_ = 1;
    else
      words_ = c_bits_ + n_bits_ <= 63 ? 2 : 3;
  }

  // Appends the words of so many codes; c is not read where curvature is 1 everywhere.
  void write(const int64_t* g, const int64_t* c, const int64_t* n, size_t codes,
             std::vector<int64_t>& out) const {
    const size_t begin = out.size();
    out.resize(begin + codes * words_);
    int64_t* const first = out.data() + begin;
    int64_t* const last = first + (words_ - 1) * codes;
    if (words_ > 1) std::copy_n(g, codes, first);
    if (words_ == 3) {
      for (size_t k = 0; k < codes; ++k) first[codes + k] = constant_ ? 0 : c[k];
      std::copy_n(n, codes, last);
      return;
    }
    for (size_t k = 0; k < codes; ++k) {
      last[k] = shifted(constant_ ? 0 : c[k], n_bits_) + n[k];
      if (words_ == 1) last[k] += shifted(g[k], c_bits_ + n_bits_);
    }
  }

  // The sums of so many codes from their words; returns where the next words are.
  const int64_t* read(const int64_t* from, size_t codes, int64_t* g, int64_t* c, int64_t* n) const {
    const int64_t* const last = from + (words_ - 1) * codes;
    for (size_t k = 0; k < codes; ++k) {
      n[k] = words_ == 3 ? last[k] : last[k] & mask(n_bits_);
      if (!constant_) c[k] = words_ == 3 ? from[codes + k] : (last[k] >> n_bits_) & mask(c_bits_);
      g[k] = words_ == 1 ? last[k] >> (c_bits_ + n_bits_) : from[k];
    }
    return from + words_ * codes;
  }

 private:
  static int64_t mask(int bits) { return (int64_t{1} << bits) - 1; }
  static int64_t shifted(int64_t x, int by) {
    return static_cast<int64_t>(static_cast<uint64_t>(x) << by);
  }

  bool constant_;
  int n_bits_, c_bits_;
  size_t words_;
};

}  // namespace weaklearn
