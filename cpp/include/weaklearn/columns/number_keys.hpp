// Numbers as unsigned keys in the same order.
#pragma once

#include <cstdint>
#include <cstring>

namespace weaklearn::coding {

inline uint32_t key_of(float x) {  // order-preserving; -0 and +0 are one value
  uint32_t bits;
  const float plain = x + 0.0f;
  std::memcpy(&bits, &plain, sizeof bits);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}
inline uint64_t key_of(double x) {
  uint64_t bits;
  const double plain = x + 0.0;
  std::memcpy(&bits, &plain, sizeof bits);
  return bits & 0x8000000000000000ull ? ~bits : bits | 0x8000000000000000ull;
}

// What key_of was made from.
inline float value_of(uint32_t key) {
  const uint32_t bits = key & 0x80000000u ? key ^ 0x80000000u : ~key;
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
inline double value_of(uint64_t key) {
  const uint64_t bits = key & 0x8000000000000000ull ? key ^ 0x8000000000000000ull : ~key;
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

}  // namespace weaklearn::coding
