// What the tests of the hot loops share: the variants that this processor can run, sizes that leave
// something over for vectors of any length, and drawn numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "check.hpp"
#include "weaklearn/hot/loops.hpp"

namespace weaklearn {
namespace baseline {
extern const Hot table;
}
#if defined(WEAKLEARN_X86_VARIANTS)
namespace avx2 {
extern const Hot table;
}
namespace avx512 {
extern const Hot table;
}
#endif
}  // namespace weaklearn

namespace weaklearn::testing {

// The variants that this processor can run; the first is the plain one.
inline std::vector<const Hot*> variants() {
  std::vector<const Hot*> all{&baseline::table};
#if defined(WEAKLEARN_X86_VARIANTS) && !defined(_MSC_VER)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) all.push_back(&avx2::table);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("bmi2"))
    all.push_back(&avx512::table);
#endif
  return all;
}

constexpr size_t kSizes[] = {0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100, 513, 2048};

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

inline std::vector<int64_t> draw_values(Random& random, size_t n, int bits) {
  std::vector<int64_t> value(n);
  for (int64_t& v : value) v = random.sign() * static_cast<int64_t>(random.next() >> (64 - bits));
  return value;
}

inline std::vector<int8_t> draw_sides(Random& random, size_t n) {
  std::vector<int8_t> side(n);
  for (int8_t& s : side) s = static_cast<int8_t>(static_cast<int>(random.below(3)) - 1);
  return side;
}

}  // namespace weaklearn::testing
