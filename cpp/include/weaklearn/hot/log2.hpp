// The binary logarithm, the same bits on every machine and in every variant of the hot loops.
//
// Each source file has its own copy: a merged one might be compiled for a newer processor.
#pragma once

#include <stdint.h>
#include <string.h>

namespace weaklearn {

// 2/ln 2 atanh(s)/s in powers of q = s^2, the highest first, to 4e-17 wherever it is asked for.
static constexpr double kLog2Terms[8] = {
    0.2136589569431927, 0.2209130842311768, 0.262334352504183,  0.32059853491395984,
    0.4121985858409005, 0.5770780163455203, 0.9617966939259898, 2.8853900817779268};

// lg x for x > 0, normal; exact at powers of two. With x = 2^e z and z near 1,
// lg z = 2/ln 2 atanh((z - 1) / (z + 1)).
static inline double log2_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  // Taking off sqrt(1/2) makes the exponent step where z passes sqrt(2), without a branch.
  const uint64_t half_root = 0x3fe6a09e667f3bcdull, bias = 1024;
  const uint64_t biased = (bits - half_root + (bias << 52)) >> 52;
  bits -= (biased - bias) << 52;
  double z;
  memcpy(&z, &bits, sizeof z);
  const double s = (z - 1) / (z + 1), q = s * s;
  double p = kLog2Terms[0];
  for (int i = 1; i < 8; ++i) p = p * q + kLog2Terms[i];
  // A small whole number below the digits of 2^52 is that number, added: any processor can do it.
  const uint64_t shifted = biased | 0x4330000000000000ull;
  double e;
  memcpy(&e, &shifted, sizeof e);
  return (e - (4503599627370496.0 + 1024.0)) + s * p;
}

}  // namespace weaklearn
