// Sums of gradient, curvature and count by code, as they travel between partitions.
//
// Promise: adding the words of several partitions adds their sums. A code takes one, two or three
// words of 64 bits, as few as have room for the sums of all examples that there may be.
#pragma once

#include <bit>
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
    for (size_t k = 0; k < codes; ++k) {
      const int64_t bend = constant_ ? 0 : c[k];
      if (words_ == 1) {
        out.push_back(shifted(g[k], c_bits_ + n_bits_) + shifted(bend, n_bits_) + n[k]);
        continue;
      }
      out.push_back(g[k]);
      if (words_ == 3) out.push_back(bend);
      out.push_back(words_ == 3 ? n[k] : shifted(bend, n_bits_) + n[k]);
    }
  }

  // The sums of so many codes from their words; returns where the next words are.
  const int64_t* read(const int64_t* from, size_t codes, int64_t* g, int64_t* c, int64_t* n) const {
    for (size_t k = 0; k < codes; ++k, from += words_) {
      const int64_t last = from[words_ - 1];
      n[k] = words_ == 3 ? last : last & mask(n_bits_);
      if (!constant_) c[k] = words_ == 3 ? from[1] : (last >> n_bits_) & mask(c_bits_);
      g[k] = words_ == 1 ? last >> (c_bits_ + n_bits_) : from[0];
    }
    return from;
  }

 private:
  static int64_t mask(int bits) { return (int64_t{1} << bits) - 1; }
  static int64_t shifted(int64_t x, int by) {
    return static_cast<int64_t>(static_cast<uint64_t>(x) << by);
  }

  bool constant_;
  int n_bits_, c_bits_, words_;
};

}  // namespace weaklearn
