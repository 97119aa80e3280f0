// Exponentials and logarithms: every variant gives the same bits, and those bits are right.
#include <cmath>
#include <vector>

#include "variants.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

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
    std::vector<double> none{NAN, -NAN};
    hot->exponentials(none.data(), none.size());
    CHECK(std::isnan(none[0]) && std::isnan(none[1]));
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

}  // namespace

int main() {
  exponentials();
  logarithms();
}
