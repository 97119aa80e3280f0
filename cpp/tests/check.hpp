// What the tests share: a check that names its line, random numbers that are the same everywhere,
// and tables of hostile numbers.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

#include "weaklearn/columns/columns.hpp"

#define CHECK(condition)                                                   \
  do {                                                                     \
    if (!(condition)) {                                                    \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                        \
    }                                                                      \
  } while (false)

namespace weaklearn::testing {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t x = state_ += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
  }
  size_t below(size_t n) { return static_cast<size_t>(next() % n); }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  bool chance(double p) { return uniform() < p; }
  int8_t sign() { return chance(0.5) ? int8_t{1} : int8_t{-1}; }

 private:
  uint64_t state_;
};

// How the numbers of a column are drawn.
enum class Kind { few, many, mostly_zero, neighbours, hostile, constant, single_precision };
constexpr Kind kKinds[] = {Kind::few,     Kind::many,     Kind::mostly_zero,     Kind::neighbours,
                           Kind::hostile, Kind::constant, Kind::single_precision};

inline double draw(Random& random, Kind kind) {
  static const double hostile[] = {0.0,
                                   -0.0,
                                   5e-324,
                                   -5e-324,
                                   1e-310,
                                   -1e-310,
                                   1.7976931348623157e308,
                                   -1.7976931348623157e308,
                                   1e300,
                                   3.4028234663852886e38,
                                   1e39,
                                   1.0,
                                   1.0 + 0x1p-52,
                                   -1.0};
  switch (kind) {
    case Kind::few:
      return static_cast<double>(random.below(7)) - 3;
    case Kind::many:
      return random.uniform() * 200 - 100;
    case Kind::mostly_zero:
      return random.chance(0.8) ? 0.0 : random.uniform() * 4 - 2;
    case Kind::neighbours: {
      double x = 1.0;
      for (size_t k = random.below(3); k > 0; --k) x = std::nextafter(x, 2.0);
      return x;
    }
    case Kind::hostile:
      return hostile[random.below(std::size(hostile))];
    case Kind::constant:
      return 4.0;
    case Kind::single_precision:
      return static_cast<double>(static_cast<float>(random.uniform() * 1e6 - 3e5));
  }
  return 0;
}

// A column of n numbers; every `missing`-th or so is missing.
inline std::vector<double> draw_column(Random& random, Kind kind, size_t n, double missing) {
  std::vector<double> x(n);
  for (double& value : x) value = random.chance(missing) ? kMissing : draw(random, kind);
  return x;
}

inline Columns code_dense(const std::vector<std::vector<double>>& x) {
  Columns columns(x[0].size(), x.size());
  columns.reserve_blocks();
  for (size_t j = 0; j < x.size(); ++j) columns.code_column(j, x[j].data());
  return columns;
}

// One sparse column with the first n entries.
template <class Index>
void code_entries(Columns& columns, size_t j, const std::vector<double>& data,
                  const std::vector<Index>& rows, size_t n) {
  const std::vector<Index> start{0, static_cast<Index>(n)};
  columns.code_by_columns(j, data.data(), rows.data(), start, 1);
}

// The same numbers as sparse columns; some zeros are listed all the same.
inline Columns code_sparse(const std::vector<std::vector<double>>& x, Random& random) {
  Columns columns(x[0].size(), x.size());
  for (size_t j = 0; j < x.size(); ++j) {
    std::vector<double> data;
    std::vector<int32_t> rows;
    for (size_t i = 0; i < x[j].size(); ++i)
      if (x[j][i] != 0 || random.chance(0.1)) {
        data.push_back(x[j][i]);
        rows.push_back(static_cast<int32_t>(i));
      }
    code_entries(columns, j, data, rows, data.size());
  }
  return columns;
}

template <class T>
std::vector<T> permuted(const std::vector<T>& x, const std::vector<size_t>& order) {
  std::vector<T> y;
  for (size_t i : order) y.push_back(x[i]);
  return y;
}

inline std::vector<size_t> shuffled(Random& random, size_t n) {
  std::vector<size_t> order(n);
  for (size_t i = 0; i < n; ++i) order[i] = i;
  for (size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

}  // namespace weaklearn::testing
