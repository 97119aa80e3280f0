// Entropies of classes: every variant gives the same bits, and those bits are right.
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "variants.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

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

}  // namespace

int main() {
  entropy_sums();
  class_cuts();
}
