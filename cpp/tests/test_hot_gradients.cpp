// Gradients, gains and parted rows: every variant gives the same bits, and those bits are right.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "variants.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

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
        std::vector<uint8_t> codes(2 * n + 1 + kBeyondCodes), to_right(256);
        for (uint8_t& code : codes) code = static_cast<uint8_t>(random.below(256));
        for (uint8_t& side : to_right) side = random.chance(share) ? 1 : 0;
        std::vector<uint32_t> rows, left, right;
        for (size_t k = 0; k < n; ++k) {
          rows.push_back(static_cast<uint32_t>(random.below(2 * n + 1)));
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

}  // namespace

int main() {
  square_sums();
  packing();
  gains_and_the_greatest();
  parts();
  logistic();
}
