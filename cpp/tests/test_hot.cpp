// Every variant of the hot loops gives the same bits, and those bits are right.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>
#include <string>

#include "check.hpp"
#include "weaklearn/hot.hpp"

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

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

// The variants that this processor can run; the first is the plain one.
std::vector<const Hot*> variants() {
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

std::vector<int64_t> draw_values(Random& random, size_t n, int bits) {
  std::vector<int64_t> value(n);
  for (int64_t& v : value) v = random.sign() * static_cast<int64_t>(random.next() >> (64 - bits));
  return value;
}

std::vector<int8_t> draw_sides(Random& random, size_t n) {
  std::vector<int8_t> side(n);
  for (int8_t& s : side) s = static_cast<int8_t>(static_cast<int>(random.below(3)) - 1);
  return side;
}

void exponentials() {
  Random random(1);
  std::vector<double> x{0.0,    -0.0,   1.0,    -1.0,   700.0,  -700.0,    -708.0,
                        -708.5, -720.0, -744.0, -744.9, -745.1, -745.2,    -746.0,
                        -747.0, -1e3,   -1e300, 1e-300, 1e-17,  -INFINITY, 0.34657359027997264};
  for (int k = 0; k < 200'000; ++k) x.push_back(random.uniform() * 1446 - 746);
  for (int k = 0; k < 20'000; ++k) x.push_back(random.uniform() * 2 - 1);
  std::vector<double> plain(x);
  baseline::table.exponentials(plain.data(), plain.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const double right = static_cast<double>(std::exp(static_cast<long double>(x[i])));
    if (x[i] < -745.0)
      CHECK(plain[i] == 0);
    else if (x[i] < -708)
      CHECK(std::abs(plain[i] - right) <= 1e-323);  // two steps of the smallest numbers
    else
      CHECK(std::abs(plain[i] - right) <= 3e-16 * right);
  }
  for (const Hot* hot : variants()) {
    for (size_t n : kSizes) {
      std::vector<double> got(x.begin(), x.begin() + static_cast<ptrdiff_t>(n));
      hot->exponentials(got.data(), n);
      CHECK(same_bits(
          got, std::vector<double>(plain.begin(), plain.begin() + static_cast<ptrdiff_t>(n))));
    }
    std::vector<double> got(x);
    hot->exponentials(got.data(), got.size());
    CHECK(same_bits(got, plain));
  }
}

void whole_numbers() {
  Random random(2);
  std::vector<double> weight{0.0,    0.25,   0.5,    0.75,   1.5,           2.5, 4503599627370495.5,
                             0x1p52, 0x1p53, 0x1p61, 5e-324, 0x1p61 + 0x1p9};
  for (int k = 0; k < 5000; ++k) weight.push_back(std::exp(random.uniform() * 42));
  std::vector<int64_t> copies(weight.size(), 1);
  std::vector<int8_t> sign(weight.size());
  for (size_t i = 0; i < weight.size(); ++i) {
    if (weight[i] < 1e12) copies[i] = 1 + static_cast<int64_t>(random.below(1000));
    sign[i] = random.sign();
  }
  for (const Hot* hot : variants())
    for (size_t n : {size_t{3}, size_t{17}, weight.size()})
      for (bool with_copies : {false, true})
        for (bool with_sign : {false, true}) {
          std::vector<int64_t> value(n, -7);
          hot->whole_numbers(weight.data(), n, with_copies ? copies.data() : nullptr,
                             with_sign ? sign.data() : nullptr, value.data());
          for (size_t i = 0; i < n; ++i) {
            int64_t right = std::llrint(weight[i]);
            if (with_copies) right *= copies[i];
            if (with_sign) right *= sign[i];
            CHECK(value[i] == right);
          }
        }
}

void changes() {
  Random random(3);
  for (const Hot* hot : variants())
    for (size_t n : kSizes) {
      const std::vector<int8_t> side = draw_sides(random, n);
      const std::vector<int64_t> old = draw_values(random, n, 60),
                                 fresh = draw_values(random, n, 60);
      std::vector<int64_t> value(old), change(n + 8);
      std::vector<uint32_t> rows(n + 8);
      const size_t count = hot->changes(side.data(), n, 1000, fresh.data(), value.data(),
                                        rows.data(), change.data());
      CHECK(same_bits(value, fresh));
      size_t k = 0;
      for (size_t i = 0; i < n; ++i)
        if (side[i] != 1) {
          CHECK(rows[k] == 1000 + i);
          CHECK(change[k] == fresh[i] - old[i]);
          ++k;
        }
      CHECK(count == k);
    }
}

void grow_and_sides() {
  Random random(4);
  const double step[3] = {0.6, 0.3, 0}, factor[3] = {1.8, 1.3, 1.0};
  for (const Hot* hot : variants())
    for (size_t n : kSizes) {
      const std::vector<int8_t> side = draw_sides(random, n);
      std::vector<double> growth(n), weight(n), right_growth, right_weight;
      for (size_t i = 0; i < n; ++i) {
        growth[i] = random.uniform() * 100 - 50;
        weight[i] = random.uniform() * 1e15;
        right_growth.push_back(growth[i] + step[side[i] + 1]);
        right_weight.push_back(weight[i] * factor[side[i] + 1]);
      }
      hot->grow(side.data(), n, step, factor, growth.data(), weight.data());
      CHECK(same_bits(growth, right_growth));
      CHECK(same_bits(weight, right_weight));

      std::vector<uint8_t> codes(n);
      std::vector<int8_t> label(n), got(n), answers = draw_sides(random, 256);
      for (size_t i = 0; i < n; ++i) {
        codes[i] = static_cast<uint8_t>(random.below(256));
        label[i] = random.sign();
      }
      for (const uint8_t cut : {uint8_t{0}, uint8_t{7}, uint8_t{255}}) {
        hot->sides_cut(codes.data(), cut, 200, -1, 1, 0, label.data(), n, got.data());
        for (size_t i = 0; i < n; ++i) {
          const int answer = codes[i] == 200 ? 0 : codes[i] < cut ? -1 : 1;
          CHECK(got[i] == answer * label[i]);
        }
      }
      hot->sides(codes.data(), answers.data(), label.data(), n, got.data());
      for (size_t i = 0; i < n; ++i) CHECK(got[i] == answers[codes[i]] * label[i]);
    }
}

void histograms() {
  Random random(5);
  constexpr size_t n = 3001;
  std::vector<std::vector<uint8_t>> codes(6, std::vector<uint8_t>(n));
  for (auto& column : codes)
    for (uint8_t& code : column)
      code = static_cast<uint8_t>(random.below(random.chance(0.5) ? 256 : 3));
  const uint8_t* pointers[6];
  for (size_t j = 0; j < 6; ++j) pointers[j] = codes[j].data();
  const std::vector<int64_t> value = draw_values(random, n, 50);
  std::vector<uint32_t> rows;
  for (size_t i = 0; i < n; ++i)
    if (random.chance(0.3)) rows.push_back(static_cast<uint32_t>(i));
  for (const Hot* hot : variants())
    for (size_t width = 1; width <= 6; ++width)
      for (auto [begin, end] : {std::pair<size_t, size_t>{0, n}, {5, 6}, {7, 7}, {100, 2900}}) {
        std::vector<int64_t> got(width * 256, 11), right(width * 256, 11);
        hot->histogram(pointers, width, value.data(), begin, end, got.data());
        for (size_t j = 0; j < width; ++j)
          for (size_t i = begin; i < end; ++i) right[j * 256 + codes[j][i]] += value[i];
        CHECK(got == right);
        const size_t last = std::min(end, rows.size()), first = std::min(begin, last);
        hot->histogram_of(pointers, width, rows.data(), value.data(), first, last, got.data());
        for (size_t j = 0; j < width; ++j)
          for (size_t k = first; k < last; ++k) right[j * 256 + codes[j][rows[k]]] += value[k];
        CHECK(got == right);
      }
}

// The codes of a row side by side: any choice of up to eight of them.
void histograms_beside() {
  Random random(15);
  constexpr size_t n = 700;
  for (const size_t stride : {1, 3, 8, 14, 16}) {
    std::vector<uint8_t> codes(n * stride + 8);
    for (uint8_t& code : codes) code = static_cast<uint8_t>(random.below(256));
    const std::vector<int64_t> value = draw_values(random, n, 50);
    std::vector<uint32_t> rows;
    for (size_t i = 0; i < n; ++i)
      if (random.chance(0.6)) rows.push_back(static_cast<uint32_t>(i));
    for (const Hot* hot : variants())
      for (size_t width = 1; width <= std::min<size_t>(stride, 8); ++width)
        for (const size_t known : {size_t{0}, rows.size()}) {
          std::vector<uint8_t> bytes;
          for (size_t j = 0; j < width; ++j)
            bytes.push_back(static_cast<uint8_t>(random.below(std::min<size_t>(stride, 8))));
          const size_t first = 3, last = rows.size() - 5;
          std::vector<int64_t> got(width * 256, 11), right(width * 256, 11);
          hot->histogram_beside(codes.data(), stride, bytes.data(), width, rows.data(),
                                value.data(), first, last, known, got.data());
          for (size_t j = 0; j < width; ++j)
            for (size_t k = first; k < last; ++k)
              right[j * 256 + codes[rows[k] * stride + bytes[j]]] += value[k];
          CHECK(got == right);
        }
  }
}

// Squares and curvatures in whole numbers, copies counted: the same from every variant.
void square_sums() {
  Random random(16);
  for (const size_t n : {1, 7, 300}) {
    std::vector<double> g, c;
    std::vector<int64_t> copies;
    for (size_t i = 0; i < n; ++i) {
      g.push_back(random.uniform() * 4 - 2);
      c.push_back(random.uniform());
      copies.push_back(static_cast<int64_t>(random.below(4)));
    }
    for (const Hot* hot : variants())
      for (const bool constant : {true, false})
        for (const bool once : {true, false}) {
          int64_t got[2] = {5, 7}, right[2] = {5, 7};
          hot->square_sums(g.data(), constant ? nullptr : c.data(), once ? nullptr : copies.data(),
                           n, 3.0, 0x1p30, 0x1p28, got);
          for (size_t i = 0; i < n; ++i) {
            const int64_t times = once ? 1 : copies[i];
            right[0] += std::llrint(std::min(g[i] * g[i], 3.0) * 0x1p30) * times;
            right[1] += (constant ? 1 : std::llrint(c[i] * 0x1p28)) * times;
          }
          CHECK(got[0] == right[0] && got[1] == right[1]);
        }
  }
}

void places_and_look_ups() {
  Random random(6);
  for (const Hot* hot : variants())
    for (size_t n_cuts : {0, 1, 2, 3, 23, 24, 25, 26, 31, 32, 33, 100, 1000})
      for (size_t n : {1, 7, 512}) {
        std::vector<double> cuts;
        for (size_t k = 0; k < n_cuts; ++k)
          cuts.push_back(k % 5 == 0 ? draw(random, Kind::hostile) : random.uniform() * 10 - 5);
        std::sort(cuts.begin(), cuts.end());
        cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
        std::vector<double> x(n);
        for (double& value : x) {
          value = random.chance(0.1) ? kMissing : random.uniform() * 12 - 6;
          if (!cuts.empty() && random.chance(0.3)) value = cuts[random.below(cuts.size())];
          if (random.chance(0.1)) value = draw(random, Kind::hostile);
        }
        std::vector<uint32_t> place(n);
        hot->places(x.data(), n, cuts.data(), cuts.size(), place.data());
        for (size_t i = 0; i < n; ++i) {
          const size_t below =
              static_cast<size_t>(std::lower_bound(cuts.begin(), cuts.end(), x[i]) - cuts.begin());
          CHECK(place[i] == (std::isnan(x[i]) ? cuts.size() + 1 : below));
        }
        const std::vector<int64_t> table = draw_values(random, cuts.size() + 2, 60);
        std::vector<int64_t> score = draw_values(random, n, 60), right(score);
        hot->look_up(place.data(), n, table.data(), score.data());
        for (size_t i = 0; i < n; ++i) right[i] += table[place[i]];
        CHECK(score == right);
      }
}

void sums_of() {
  Random random(17);
  for (const Hot* hot : variants())
    for (size_t n : kSizes) {
      const std::vector<int64_t> value = draw_values(random, n + 1, 48);
      std::vector<uint32_t> rows(n);
      int64_t sum = -1, mass = -1, right_sum = 0, right_mass = 0;
      for (uint32_t& row : rows) {
        row = static_cast<uint32_t>(random.below(n + 1));
        right_sum += value[row];
        right_mass += std::abs(value[row]);
      }
      hot->sums_of(value.data(), rows.data(), n, &sum, &mass);
      CHECK(sum == right_sum && mass == right_mass);
    }
}

void masses() {
  Random random(7);
  for (const Hot* hot : variants())
    for (size_t n : kSizes) {
      const std::vector<int8_t> side = draw_sides(random, n);
      const std::vector<int64_t> value = draw_values(random, n, 48);
      int64_t wrong = -1, silent = -1, rows = -1, right_wrong = 0, right_silent = 0;
      hot->masses(side.data(), value.data(), n, &wrong, &silent, &rows);
      for (size_t i = 0; i < n; ++i) {
        right_wrong += side[i] < 0 ? std::abs(value[i]) : 0;
        right_silent += side[i] == 0 ? std::abs(value[i]) : 0;
      }
      CHECK(wrong == right_wrong && silent == right_silent);
      CHECK(rows == std::count(side.begin(), side.end(), 0));
    }
}

void standing() {
  Random random(8);
  for (const Hot* hot : variants())
    for (size_t n : kSizes) {
      if (n == 0) continue;
      std::vector<double> growth(n);
      std::vector<int8_t> sign(n);
      std::vector<int64_t> copies(n);
      for (size_t i = 0; i < n; ++i) {
        growth[i] = static_cast<double>(random.below(5)) - 4;  // many at the bar, some all below 0
        sign[i] = random.sign();
        copies[i] = 1 + static_cast<int64_t>(random.below(9));
      }
      for (bool with_sign : {false, true})
        for (bool with_copies : {false, true}) {
          const double bar = -2;
          double most = 99, right_most = growth[0];
          int64_t count = -1, right_count = 0;
          hot->standing(growth.data(), n, bar, with_sign ? sign.data() : nullptr,
                        with_copies ? copies.data() : nullptr, &most, &count);
          for (size_t i = 0; i < n; ++i) {
            right_most = std::max(right_most, growth[i]);
            if (growth[i] > bar || (growth[i] == bar && (!with_sign || sign[i] > 0)))
              right_count += with_copies ? copies[i] : 1;
          }
          CHECK(most == right_most && count == right_count);
        }
    }
}

// What rounding leaves out of weights, side by side with the definition.
void remainders() {
  std::mt19937_64 random(11);
  for (const Hot* hot : variants())
    for (size_t n : {1, 7, 8, 1000}) {
      std::vector<double> weight(n);
      std::vector<int64_t> copies(n);
      std::vector<int8_t> side(n);
      for (size_t i = 0; i < n; ++i) {
        weight[i] =
            std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 60) - 50);
        copies[i] = 1 + static_cast<int64_t>(random() % 1000);
        side[i] = static_cast<int8_t>(static_cast<int>(random() % 3) - 1);
      }
      for (const int64_t* c :
           {static_cast<const int64_t*>(nullptr), static_cast<const int64_t*>(copies.data())}) {
        int64_t right[3] = {0, 0, 0}, wrong = 0, silent = 0, all = 0;
        for (size_t i = 0; i < n; ++i) {
          const double left = weight[i] - std::nearbyint(weight[i]);
          right[side[i] + 1] += std::llrint(left * 1048576) * (c == nullptr ? 1 : c[i]);
        }
        hot->remainders(side.data(), weight.data(), c, n, &wrong, &silent, &all);
        CHECK(wrong == right[0] && silent == right[1] && all == right[0] + right[1] + right[2]);
      }
    }
}

void logarithms() {
  Random random(12);
  std::vector<double> x{1.0,
                        std::nextafter(1.0, 0.0),
                        std::nextafter(1.0, 2.0),
                        std::sqrt(0.5),
                        std::sqrt(2.0),
                        2.0,
                        0.5,
                        5e-324,
                        2.2250738585072014e-308,
                        2.2250738585072009e-308,
                        1.7976931348623157e308};
  for (int k = 0; k < 100'000; ++k)
    x.push_back(std::ldexp(1 + random.uniform(), static_cast<int>(random.below(2098)) - 1074));
  for (int k = 0; k < 50'000; ++k) x.push_back(0.5 + random.uniform());
  std::vector<double> plain(x);
  baseline::table.logarithms(plain.data(), plain.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const double right = static_cast<double>(std::log(static_cast<long double>(x[i])));
    CHECK(std::abs(plain[i] - right) <= 4e-16 * std::abs(right));
  }
  for (const Hot* hot : variants()) {
    std::vector<double> again(x);
    hot->logarithms(again.data(), again.size());
    CHECK(same_bits(again, plain));
  }
}

// Fields in one number, summed there and taken apart, are the sums of the rounded parts.
void packing() {
  Random random(13);
  constexpr int n_bits = 14, c_bits = 23;
  for (const Hot* hot : variants())
    for (size_t n : {0, 1, 7, 8, 9, 100, 8191})
      for (const bool with_c : {true, false})
        for (const bool extreme : {true, false}) {
          const double g_scale = with_c ? 8192 : 0x1p35, c_scale = 1024;
          std::vector<double> g(n), c(n);
          for (size_t i = 0; i < n; ++i) {
            g[i] = extreme ? (n % 2 == 0 ? 1.0 : -1.0) : random.uniform() * 2 - 1;
            c[i] = extreme ? 1.0 : random.uniform();
          }
          std::vector<int64_t> one(n), sums(3);
          hot->pack(g.data(), with_c ? c.data() : nullptr, n, g_scale, c_scale, n_bits,
                    with_c ? c_bits : 0, one.data());
          int64_t right_g[3] = {5, -7, 0}, right_c[3] = {1, 2, 0}, right_n[3] = {3, 0, 0};
          int64_t got_g[3] = {5, -7, 0}, got_c[3] = {1, 2, 0}, got_n[3] = {3, 0, 0};
          for (size_t i = 0; i < n; ++i) {
            const size_t slot = extreme ? 1 : random.below(3);
            sums[slot] += one[i];
            right_g[slot] += std::llrint(g[i] * g_scale);
            if (with_c) right_c[slot] += std::llrint(c[i] * c_scale);
            right_n[slot] += 1;
          }
          hot->unpack(sums.data(), 3, n_bits, with_c ? c_bits : 0, got_g, with_c ? got_c : nullptr,
                      got_n);
          for (int k = 0; k < 3; ++k)
            CHECK(got_g[k] == right_g[k] && got_c[k] == right_c[k] && got_n[k] == right_n[k]);
        }
}

void gains_and_the_greatest() {
  Random random(14);
  for (const Hot* hot : variants())
    for (size_t n : {1, 2, 7, 8, 9, 16, 63, 255, 256})
      for (const double l2 : {0.0, 1.0}) {
        std::vector<int64_t> g = draw_values(random, n, 30), c(n), counts(n);
        GainTerms t{0,  0,       0,      0, 0, 0, 1 + static_cast<int64_t>(random.below(20)),
                    40, 0x1p-20, 0x1p-5, l2};
        if (random.chance(0.5)) t.g0 = -12345678, t.c0 = 77, t.n0 = 6;
        t.g = t.g0, t.c = t.c0, t.n = t.n0;
        for (size_t k = 0; k < n; ++k) {
          c[k] = static_cast<int64_t>(random.below(100));
          counts[k] = static_cast<int64_t>(random.below(9));
          t.g += g[k], t.c += c[k], t.n += counts[k];
        }
        t.g += 1'000'000, t.c += 90, t.n += 9;  // more right of all cuts
        std::vector<double> gain(n), plain(n);
        hot->gains(g.data(), c.data(), counts.data(), n, &t, gain.data());
        baseline::table.gains(g.data(), c.data(), counts.data(), n, &t, plain.data());
        CHECK(same_bits(gain, plain));
        int64_t G = t.g0, C = t.c0, N = t.n0;
        for (size_t k = 0; k < n; ++k) {
          G += g[k], C += c[k], N += counts[k];
          const bool fits = N >= t.least_n && t.n - N >= t.least_n && C >= 40 && t.c - C >= 40;
          const double x = static_cast<double>(G) * 0x1p-20,
                       y = static_cast<double>(t.g - G) * 0x1p-20;
          const double left = x * x / (static_cast<double>(C) * 0x1p-5 + l2);
          const double right = y * y / (static_cast<double>(t.c - C) * 0x1p-5 + l2);
          CHECK(fits ? std::abs(gain[k] - left - right) <= 1e-14 * (left + right) : gain[k] == -1);
        }
        for (double& value : gain)
          if (random.chance(0.5)) value = std::floor(value / 1000);  // ties
        CHECK(hot->greatest(gain.data(), n) ==
              static_cast<size_t>(std::max_element(gain.begin(), gain.end()) - gain.begin()));
      }
}

void parts() {
  Random random(15);
  for (const Hot* hot : variants())
    for (size_t n : {0, 1, 7, 8, 15, 16, 17, 64, 1000})
      for (const double share : {0.0, 0.3, 1.0}) {
        std::vector<uint8_t> codes(2 * n + 1), to_right(256);
        for (uint8_t& code : codes) code = static_cast<uint8_t>(random.below(256));
        for (uint8_t& side : to_right) side = random.chance(share) ? 1 : 0;
        std::vector<uint32_t> rows, left, right;
        for (size_t k = 0; k < n; ++k) {
          rows.push_back(static_cast<uint32_t>(random.below(codes.size())));
          (to_right[codes[rows[k]]] != 0 ? right : left).push_back(rows[k]);
        }
        rows.push_back(4242);  // what lies behind the list is not written to
        std::vector<uint32_t> others(n + 1, 4242);
        const size_t n_left =
            hot->part(rows.data(), n, codes.data(), to_right.data(), rows.data(), others.data());
        CHECK(n_left == left.size());
        CHECK(std::equal(left.begin(), left.end(), rows.begin()));
        CHECK(std::equal(right.begin(), right.end(), others.begin()));
        CHECK(rows[n] == 4242 && others[n] == 4242);
      }
}

void logistic() {
  Random random(16);
  for (const Hot* hot : variants())
    for (size_t n : {0, 1, 63, 64, 65, 1000}) {
      std::vector<int8_t> y(n);
      std::vector<double> F(n), weight(n), g(n), c(n), plain_g(n), plain_c(n);
      std::vector<int64_t> copies(n);
      for (size_t i = 0; i < n; ++i) {
        y[i] = random.sign();
        F[i] = random.chance(0.1) ? draw(random, Kind::hostile) : random.uniform() * 80 - 40;
        weight[i] = random.uniform() * 3;
        copies[i] = static_cast<int64_t>(random.below(5));
      }
      for (const bool weighed : {true, false}) {
        const double* w = weighed ? weight.data() : nullptr;
        const int64_t* k = weighed ? copies.data() : nullptr;
        const double scale = 0x1p30;
        const int64_t loss = hot->logistic(y.data(), F.data(), w, k, n, scale, g.data(), c.data());
        CHECK(loss == baseline::table.logistic(y.data(), F.data(), w, k, n, scale, plain_g.data(),
                                               plain_c.data()));
        CHECK(same_bits(g, plain_g) && same_bits(c, plain_c));
        int64_t right = 0;
        for (size_t i = 0; i < n; ++i) {
          const long double z = static_cast<long double>(y[i]) * F[i], u = weighed ? weight[i] : 1;
          const long double e = std::exp(-std::abs(z)), p = (z < 0 ? 1.0L : e) / (1 + e);
          CHECK(std::abs(g[i] + y[i] * p * u) <= 1e-15 * p * u + 1e-300);
          CHECK(std::abs(c[i] - p * (1 - p) * u) <= 1e-15 * u);
          const long double cost = std::min<long double>(std::log1p(e) + (z < 0 ? -z : 0), 4096);
          right += std::llrint(cost * u * scale) * (weighed ? copies[i] : 1);
        }
        CHECK(std::abs(loss - right) <= static_cast<int64_t>(8 * n));
      }
    }
}

void the_best_variant_is_chosen() {
  const std::vector<const Hot*> all = variants();
  if (std::getenv("WEAKLEARN_SIMD") == nullptr) CHECK(&hot() == all.back());
  CHECK(std::string(baseline::table.name) == "baseline");
}

void entropy_sums() {
  Random random(14);
  std::vector<int64_t> w{0, 1, 2, 3, 0, 1024, int64_t{1} << 61};
  for (int k = 0; k < 5000; ++k)
    w.push_back(static_cast<int64_t>(random.next() >> (2 + random.below(60))));
  const double scale = 0x1p-8;
  for (const Hot* hot : variants())
    for (size_t n : {size_t{5}, size_t{17}, size_t{129}, w.size()}) {
      std::vector<double> x(w.begin(), w.begin() + static_cast<ptrdiff_t>(n)), plain(x);
      std::vector<int64_t> whole(n), plain_whole(n);
      hot->x_log_x(x.data(), n);
      baseline::table.x_log_x(plain.data(), n);
      CHECK(same_bits(x, plain));
      hot->whole_x_log_x(w.data(), n, scale, whole.data());
      baseline::table.whole_x_log_x(w.data(), n, scale, plain_whole.data());
      CHECK(same_bits(whole, plain_whole));
      for (size_t i = 0; i < n; ++i) {
        const auto v = static_cast<long double>(w[i]);
        const double right = w[i] == 0 ? 0.0 : static_cast<double>(v * std::log2(v));
        CHECK(std::abs(x[i] - right) <= 1e-15 * right + 1e-15);
        CHECK(whole[i] == static_cast<int64_t>(x[i] * scale));
      }
    }
}

void taking_out() {
  Random random(15);
  for (const Hot* hot : variants())
    for (size_t n : kSizes) {
      std::vector<int64_t> table(n);
      for (int64_t& v : table) v = random.chance(0.3) ? static_cast<int64_t>(random.next()) : 0;
      std::vector<uint32_t> at(n + 8);
      std::vector<int64_t> value(n + 8), old(table);
      const size_t count = hot->take_out(table.data(), n, at.data(), value.data());
      size_t next = 0;
      for (size_t i = 0; i < n; ++i) {
        CHECK(table[i] == 0);
        if (old[i] == 0) continue;
        CHECK(next < count && at[next] == i && value[next] == old[i]);
        ++next;
      }
      CHECK(next == count);
    }
}

// Codes of a node with the gains of the cuts behind them, class by class.
void class_cuts() {
  Random random(16);
  const double scale = 0x1p-5, back = 0x1p5, base = 123.5;
  const auto phi = [&](int64_t w) {
    int64_t whole = 0;
    baseline::table.whole_x_log_x(&w, 1, scale, &whole);
    return whole;
  };
  for (const Hot* hot : variants())
    for (size_t k = 1; hot->class_cuts != nullptr && k <= kMostClasses; ++k)
      for (size_t n_codes : {1u, 2u, 9u, 255u}) {
        std::vector<int64_t> table(n_codes * k), total(k), left(k, 0);
        for (size_t i = 0; i < table.size(); ++i) {
          if (random.chance(0.8)) continue;
          table[i] = static_cast<int64_t>(random.next() >> (8 + random.below(50)));
          total[i % k] += table[i];
        }
        const int64_t all = std::accumulate(total.begin(), total.end(), int64_t{0});
        const ClassTerms terms{total.data(), k, all, scale, back, base};
        std::vector<uint32_t> code(n_codes + 8);
        std::vector<int64_t> w(n_codes + 8);
        std::vector<double> gain(n_codes + 8);
        const size_t n =
            hot->class_cuts(table.data(), n_codes, &terms, code.data(), w.data(), gain.data());
        size_t next = 0;
        int64_t before = 0;
        for (size_t c = 0; c < n_codes; ++c) {
          int64_t here = 0, lefts = 0, rights = 0;
          for (size_t l = 0; l < k; ++l) {
            here += table[c * k + l];
            lefts += phi(left[l] += table[c * k + l]);
            rights += phi(total[l] - left[l]);
          }
          if (here == 0) continue;
          before += here;
          CHECK(next < n && code[next] == c && w[next] == before);
          const double right = static_cast<double>(lefts - phi(before)) * back +
                               static_cast<double>(rights - phi(all - before)) * back - base;
          CHECK(before == all || gain[next] == right);
          ++next;
        }
        CHECK(next == n);
      }
}

constexpr size_t kStrides[] = {1, 2, 4, 8, 16, 24, 32, 40, 72};

void label_sums() {
  Random random(41);
  for (size_t stride : kStrides)
    for (bool one : {false, true})
      for (bool listed : {false, true}) {
        const size_t m = 57, width = 3, begin = 2;
        const size_t k = stride > 8 ? stride - random.below(8) : stride;
        std::vector<int32_t> label(m);
        std::vector<int8_t> sign = draw_sides(random, m * stride);
        std::vector<uint32_t> rows;
        std::vector<double> weight(m * stride);
        std::vector<int64_t> gain, copies(m);
        for (size_t i = 0; i < m; ++i) {
          label[i] = static_cast<int32_t>(random.below(k));
          copies[i] = 1 + static_cast<int64_t>(random.below(3));
          if (random.chance(0.6)) rows.push_back(static_cast<uint32_t>(i));
          for (size_t l = 0; l < stride; ++l) {
            int8_t& s = sign[i * stride + l];
            if (one) s = l == static_cast<size_t>(label[i]) ? int8_t{1} : int8_t{-1};
            if (l >= k) s = 0;
            weight[i * stride + l] = s == 0 ? 0.0 : std::exp(random.uniform() * 35);
          }
        }
        const size_t n = listed ? rows.size() : m;
        for (size_t p = 0; listed && p < n; ++p)
          for (size_t l = 0; l < stride; ++l)
            gain.push_back(sign[rows[p] * stride + l] == 0
                               ? 0
                               : static_cast<int64_t>(random.below(1000)) - 500);
        std::vector<std::vector<uint8_t>> codes(width, std::vector<uint8_t>(m));
        std::vector<std::vector<int64_t>> right(width, std::vector<int64_t>(5 * 2 * stride, 0));
        for (size_t j = 0; j < width; ++j) {
          for (uint8_t& c : codes[j]) c = static_cast<uint8_t>(random.below(5));
          for (size_t p = begin; p < n; ++p) {
            const size_t i = listed ? rows[p] : p;
            int64_t* const slot = &right[j][codes[j][i] * 2 * stride];
            for (size_t l = 0; l < stride; ++l) {
              const int64_t v =
                  listed ? gain[p * stride + l] : copies[i] * std::llrint(weight[i * stride + l]);
              slot[sign[i * stride + l] > 0 ? l : stride + l] += v;
            }
          }
        }
        const LabelRows of{weight.data(),
                           listed ? gain.data() : nullptr,
                           listed ? nullptr : copies.data(),
                           k,
                           stride,
                           one ? label.data() : nullptr,
                           sign.data(),
                           listed ? rows.data() : nullptr};
        for (const Hot* hot : variants()) {
          std::vector<std::vector<int64_t>> got(width, std::vector<int64_t>(5 * 2 * stride, 0));
          const uint8_t* columns[width] = {codes[0].data(), codes[1].data(), codes[2].data()};
          int64_t* tables[width] = {got[0].data(), got[1].data(), got[2].data()};
          hot->label_sums(&of, begin, n, columns, width, tables);
          CHECK(got == right);
        }
      }
}

void label_costs() {
  Random random(42);
  for (size_t stride : kStrides)
    for (size_t n : {1u, 3u, 255u}) {
      std::vector<int64_t> table((n + 1) * 2 * stride), total(2 * stride, 0);
      for (size_t e = 0; e < table.size(); ++e) {
        if (random.chance(0.7))
          table[e] = static_cast<int64_t>(random.next() >> (10 + random.below(50)));
        total[e % (2 * stride)] += table[e];
      }
      std::vector<double> plain(n), plain_bound(n), left(stride, 0.0), less(stride, 0.0);
      baseline::table.label_costs(table.data(), n, stride, total.data(), plain.data());
      baseline::table.label_bounds(table.data(), n, stride, total.data(), plain_bound.data());
      for (size_t c = 0; c < n; ++c) {
        double cost = 0;
        for (size_t l = 0; l < stride; ++l) {
          left[l] += static_cast<double>(table[c * 2 * stride + l]);
          less[l] += static_cast<double>(table[c * 2 * stride + stride + l]);
          cost += std::sqrt(left[l] * less[l]) +
                  std::sqrt(std::max(0.0, static_cast<double>(total[l]) - left[l]) *
                            std::max(0.0, static_cast<double>(total[stride + l]) - less[l]));
        }
        CHECK(std::abs(plain[c] - cost) <= 1e-6 * cost + 1e6);
        CHECK(plain_bound[c] <= plain[c] * (1 + 1e-12));
      }
      // No part of a slot costs less than its bound.
      for (size_t c = 0; c < n; c += 7) {
        std::vector<int64_t> some(table.begin(), table.end());
        for (size_t l = 0; l < 2 * stride; ++l)
          some[c * 2 * stride + l] = static_cast<int64_t>(
              static_cast<double>(some[c * 2 * stride + l]) * random.uniform());
        std::vector<double> cost(n);
        baseline::table.label_costs(some.data(), n, stride, total.data(), cost.data());
        CHECK(cost[c] >= plain_bound[c] * (1 - 1e-12));
      }
      for (const Hot* hot : variants()) {
        std::vector<double> got(n), bound(n);
        hot->label_costs(table.data(), n, stride, total.data(), got.data());
        hot->label_bounds(table.data(), n, stride, total.data(), bound.data());
        CHECK(same_bits(got, plain) && same_bits(bound, plain_bound));
      }
    }
}

void other_rows() {
  Random random(45);
  for (size_t n : kSizes) {
    std::vector<int32_t> block(n);
    std::vector<uint32_t> right;
    for (size_t i = 0; i < n; ++i) {
      block[i] = static_cast<int32_t>(random.below(3));
      if (block[i] != 2) right.push_back(static_cast<uint32_t>(i));
    }
    for (const Hot* hot : variants()) {
      std::vector<uint32_t> rows(n + 16);
      rows.resize(hot->other_rows(block.data(), n, 2, rows.data()));
      CHECK(rows == right);
    }
  }
}

// Rows of scores, signs and the rest, for the loops over them.
struct Labelled {
  size_t m = 41, stride;
  bool one;
  std::vector<int32_t> block, label;
  std::vector<int8_t> sign;
  std::vector<double> step, plus, minus, score, weight, prior, common;
  std::vector<int64_t> copies;

  Labelled(Random& random, size_t n, bool one_label)
      : stride(n), one(one_label), block(m), label(m), sign(m * n), common(n), copies(m) {
    for (size_t i = 0; i < m; ++i) {
      block[i] = static_cast<int32_t>(random.below(3));
      label[i] = static_cast<int32_t>(random.below(n));
      copies[i] = 1 + static_cast<int64_t>(random.below(4));
      prior.push_back(random.uniform());
      for (size_t l = 0; l < n; ++l) {
        const bool holds = l == static_cast<size_t>(label[i]);
        sign[i * n + l] = one ? (holds ? int8_t{1} : int8_t{-1})
                              : static_cast<int8_t>(static_cast<int>(random.below(3)) - 1);
        score.push_back(static_cast<double>(random.below(5)) - 2);  // ties and zeros
        weight.push_back(sign[i * n + l] == 0 ? 0.0 : std::exp(30 * random.uniform()));
      }
    }
    for (double& c : common) c = static_cast<double>(random.below(3)) - 1;
    for (size_t e = 0; e < 3 * n; ++e) {
      step.push_back(static_cast<double>(random.below(7)) - 3);
      plus.push_back(random.uniform() * 3);
      minus.push_back(random.uniform() * 3);
    }
  }
  LabelTable table() {
    return {stride,       sign.data(),   one ? label.data() : nullptr,
            prior.data(), copies.data(), true,
            score.data(), common.data(), weight.data()};
  }
};

void label_rows() {
  Random random(43);
  for (size_t stride : kStrides)
    for (bool one : {false, true}) {
      const Labelled drawn(random, stride, one);
      Labelled plain(drawn);
      LabelStanding stands{};
      for (const Hot* hot : variants()) {
        Labelled of(drawn);
        LabelStanding standing{0, 0, 1e300};
        const LabelTable table = of.table();
        hot->label_look(&table, 0, 10, &standing);
        hot->label_look(&table, 10, of.m, &standing);
        const LabelStep by{of.block.data(), of.step.data(), of.plus.data(), of.minus.data()};
        std::vector<uint32_t> rows;
        for (uint32_t i = 0; i < of.m; ++i)
          if (of.block[i] != 1) rows.push_back(i);
        std::vector<int64_t> gain(rows.size() * stride);
        hot->label_move(&table, &by, rows.data(), rows.size(), gain.data());
        size_t place = 0;
        for (size_t i = 0; i < of.m; ++i) {
          const bool moved = of.block[i] != 1;
          for (size_t l = 0; l < stride; ++l) {
            const size_t at = i * stride + l, from = static_cast<size_t>(of.block[i]) * stride + l;
            const double factor = drawn.sign[at] > 0 ? of.plus[from] : of.minus[from];
            const double w = moved ? drawn.weight[at] * factor : drawn.weight[at];
            CHECK(of.score[at] == drawn.score[at] + (moved ? of.step[from] : 0.0));
            CHECK(of.weight[at] == w);
            if (moved)
              CHECK(gain[place * stride + l] ==
                    of.copies[i] * (std::llrint(w) - std::llrint(drawn.weight[at])));
          }
          place += moved;
        }
        hot->label_add(&table, &by, 3, of.m);
        hot->label_weigh(&table, 2, of.m, -30.25);
        for (size_t i = 0; i < of.m; ++i)
          for (size_t l = 0; l < stride; ++l) {
            const size_t at = i * stride + l, from = static_cast<size_t>(of.block[i]) * stride + l;
            const double once = of.block[i] != 1 ? of.step[from] : 0.0;
            const double f = drawn.score[at] + once + (i < 3 ? 0.0 : of.step[from]);
            CHECK(of.score[at] == f);
            double w = (of.prior[i] + 30.25) - of.sign[at] * (f + of.common[l]);
            hot->exponentials(&w, 1);
            if (i >= 2 && of.sign[at] != 0) CHECK(of.weight[at] == w);
            if (i >= 2 && of.sign[at] == 0) CHECK(of.weight[at] < 1e-300);
          }
        if (hot == &baseline::table) {
          plain = of;
          stands = standing;
        }
        CHECK(same_bits(of.score, plain.score));
        CHECK(standing.labels == stands.labels && standing.rows == stands.rows);
        CHECK(standing.least == stands.least);
      }
    }
}

}  // namespace

int main() {
  exponentials();
  whole_numbers();
  changes();
  grow_and_sides();
  histograms();
  histograms_beside();
  square_sums();
  places_and_look_ups();
  sums_of();
  masses();
  standing();
  remainders();
  logarithms();
  packing();
  gains_and_the_greatest();
  parts();
  logistic();
  entropy_sums();
  taking_out();
  class_cuts();
  label_sums();
  label_costs();
  other_rows();
  label_rows();
  the_best_variant_is_chosen();
}
