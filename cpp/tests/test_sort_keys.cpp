// Keys and rows in order, whatever the keys and the number of threads.
#include <algorithm>
#include <numeric>

#include "check.hpp"
#include "weaklearn/columns/sort_keys.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

void check(const std::vector<uint64_t>& keys) {
  std::vector<uint64_t> right = keys;
  std::sort(right.begin(), right.end());
  std::vector<int64_t> order(keys.size());
  std::iota(order.begin(), order.end(), int64_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return keys[a] < keys[b]; });
  for (const int threads : {1, 3}) {
    std::vector<uint64_t> sorted(keys.size());
    std::vector<int64_t> rows(keys.size());
    sort_keys(keys.data(), keys.size(), sorted.data(), threads);
    order_by_keys(keys.data(), keys.size(), rows.data(), threads);
    CHECK(sorted == right);
    CHECK(rows == order);
  }
}

std::vector<uint64_t> draw(Random& random, size_t n, uint64_t below) {
  std::vector<uint64_t> keys(n);
  for (uint64_t& key : keys) key = below == 0 ? random.next() : random.next() % below;
  return keys;
}

}  // namespace

int main() {
  Random random(1);
  for (const size_t n : {0, 1, 2, 511, 512, 1000, 70'000, 200'000})
    for (const uint64_t below : {uint64_t{0}, uint64_t{1}, uint64_t{100}, uint64_t{1} << 40})
      check(draw(random, n, below));
  std::vector<uint64_t> few = draw(random, 50'000, 30);  // each many times, far apart
  for (uint64_t& key : few) key *= 0x9E3779B97F4A7C15ull;
  check(few);
}
