// A function of every number: the same bits for any number of threads, in place or not.
#include <cmath>
#include <cstring>

#include "check.hpp"
#include "weaklearn/hot/elementwise.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

int main() {
  Random random(1);
  for (const size_t n : {size_t{0}, size_t{1}, size_t{8192}, size_t{20001}}) {
    std::vector<double> x(n), one(n), several(n);
    for (double& number : x) number = random.uniform() * 40 - 20;
    elementwise<&Hot::exponentials>(x.data(), n, one.data(), 1);
    elementwise<&Hot::exponentials>(x.data(), n, several.data(), 4);
    CHECK(n == 0 || std::memcmp(one.data(), several.data(), n * sizeof(double)) == 0);
    for (size_t i = 0; i < n; ++i)
      CHECK(std::abs(one[i] - std::exp(x[i])) <= 1e-14 * std::exp(x[i]));
    elementwise<&Hot::logarithms>(one.data(), n, several.data(), 3);
    for (size_t i = 0; i < n; ++i) CHECK(std::abs(several[i] - x[i]) <= 1e-13);
    elementwise<&Hot::logarithms>(one.data(), n, one.data(), 2);
    CHECK(n == 0 || std::memcmp(one.data(), several.data(), n * sizeof(double)) == 0);
  }
}
