// Which variant of the hot loops runs: the best one of this processor, or the one asked for by
// name.
#include <cstdlib>
#include <cstring>

#include "weaklearn/hot/loops.hpp"

#if defined(_MSC_VER) && defined(WEAKLEARN_X86_VARIANTS)
#include <intrin.h>
#endif

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
#if defined(_MSC_VER)
namespace {
bool supports(int leaf7_ebx_bit) {
  int r[4];
  __cpuid(r, 1);
  if (!(r[2] & (1 << 27))) return false;  // the system must save the wide registers
  const bool zmm = (_xgetbv(0) & 0xe6) == 0xe6;
  const bool ymm = (_xgetbv(0) & 0x6) == 0x6;
  __cpuidex(r, 7, 0);
  if (leaf7_ebx_bit == 16)
    return zmm && (r[1] & (1 << 16)) && (r[1] & (1 << 17)) && (r[1] & (1 << 30)) &&
           (r[1] & (1u << 31));
  return ymm && (r[1] & (1 << 5)) && (r[1] & (1 << 8));
}
bool has_avx2() { return supports(5); }
bool has_avx512() { return supports(16); }
}  // namespace
#else
namespace {
bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"); }
bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("bmi2");
}
}  // namespace
#endif
#endif

namespace {
const Hot& choose() {
  const char* asked = std::getenv("WEAKLEARN_SIMD");
  const bool any = asked == nullptr || *asked == '\0';
#if defined(WEAKLEARN_X86_VARIANTS)
  if ((any || std::strcmp(asked, "avx512") == 0) && has_avx512()) return avx512::table;
  if ((any || std::strcmp(asked, "avx2") == 0) && has_avx2()) return avx2::table;
#endif
  (void)any;
  return baseline::table;
}
}  // namespace

const Hot& hot() {
  static const Hot& chosen = choose();
  return chosen;
}

}  // namespace weaklearn
