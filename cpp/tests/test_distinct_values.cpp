// The distinct numbers of columns and how many examples lie below each, as sorting tells.
#include <limits>
#include <map>

#include "check.hpp"
#include "weaklearn/columns/distinct_values.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

template <class Real>
void check(size_t n, size_t d, bool weighed, Random& random) {
  std::vector<Real> rows(n * d);
  const Real odd[] = {Real(0),
                      Real(-0.0),
                      std::numeric_limits<Real>::infinity(),
                      -std::numeric_limits<Real>::infinity(),
                      std::numeric_limits<Real>::denorm_min(),
                      static_cast<Real>(kMissing)};
  for (Real& x : rows)
    x = random.next() % 3 == 0
            ? odd[random.next() % 6]
            : static_cast<Real>(static_cast<int64_t>(random.next() % 2001) - 1000) / Real(7);
  std::vector<int64_t> copies(n);
  for (int64_t& each : copies) each = 1 + static_cast<int64_t>(random.next() % 4);
  for (const int threads : {1, 3}) {
    const auto size = static_cast<ptrdiff_t>(sizeof(Real));
    const auto found = distinct_values<Real>(reinterpret_cast<const char*>(rows.data()),
                                             static_cast<ptrdiff_t>(d) * size, size, n, d,
                                             weighed ? copies.data() : nullptr, threads);
    CHECK(found.size() == d);
    for (size_t j = 0; j < d; ++j) {
      std::map<uint64_t, int64_t> right;
      bool missing = false;
      for (size_t i = 0; i < n; ++i) {
        const Real x = rows[i * d + j];
        missing |= x != x;
        if (x == x) right[coding::key_of(static_cast<double>(x))] += weighed ? copies[i] : 1;
      }
      const DistinctValues& one = found[j];
      CHECK(one.n == right.size());
      CHECK(one.has_missing == missing);
      int64_t below = 0;
      size_t k = 0;
      for (const auto& [key, examples] : right) {
        CHECK(one.keys[k] == key);
        CHECK((one.below ? one.below[k] : static_cast<int64_t>(k)) == below);
        below += examples;
        ++k;
      }
      CHECK((one.below ? one.below[k] : static_cast<int64_t>(k)) == below);
    }
  }
}

}  // namespace

int main() {
  Random random(1);
  for (const size_t n : {0, 1, 2, 500, 20'000})
    for (const size_t d : {1, 3, 20})
      for (const bool weighed : {false, true}) {
        check<float>(n, d, weighed, random);
        check<double>(n, d, weighed, random);
      }
}
