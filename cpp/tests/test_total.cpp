// Sums do not depend on the order of rows, nor on whether copies are counted or repeated.
#include <algorithm>
#include <cstring>

#include "check.hpp"
#include "weaklearn/weights/total.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

void any_order() {
  Random random(1);
  for (const double size : {1.0, 1e-200, 1e300, 3.7}) {
    std::vector<double> x(1001);
    long double right = 0;
    for (double& number : x) {
      number = (random.uniform() - 0.4) * size;
      right += number;
    }
    const double sum = total(x.data(), nullptr, x.size());
    CHECK(std::abs(sum - static_cast<double>(right)) <= 1e-9 * size);
    for (int trial = 0; trial < 20; ++trial) {
      for (size_t i = x.size(); i > 1; --i) std::swap(x[i - 1], x[random.below(i)]);
      CHECK(same_bits(total(x.data(), nullptr, x.size()), sum));
    }
  }
}

void copies_are_repetitions() {
  Random random(2);
  std::vector<double> x, repeated;
  std::vector<int64_t> copies;
  for (size_t i = 0; i < 300; ++i) {
    x.push_back(random.uniform() * 8 - 4);
    copies.push_back(static_cast<int64_t>(random.below(5)) + 1);
    repeated.insert(repeated.end(), static_cast<size_t>(copies.back()), x.back());
  }
  CHECK(count_examples(copies.data(), copies.size()) == repeated.size());
  CHECK(count_examples(nullptr, 7) == 7);
  CHECK(same_bits(total(x.data(), copies.data(), x.size()),
                  total(repeated.data(), nullptr, repeated.size())));
}

void parts_add_up() {
  Random random(3);
  std::vector<double> x(500);
  for (double& number : x) number = random.uniform() - 0.3;
  const double scale = whole_scale(largest_or_nan(x.data(), x.size(), 1), x.size());
  int64_t sum = 0;
  for (size_t first = 0; first < x.size(); first += 100)
    sum += whole_total(x.data() + first, nullptr, 100, scale, 1);
  CHECK(whole_total(nullptr, nullptr, 0, scale, 1) == 0);
  CHECK(same_bits(static_cast<double>(sum) / scale, total(x.data(), nullptr, x.size())));
}

void special_numbers() {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(total(nullptr, nullptr, 0) == 0);
  const std::vector<double> zeros(9, 0.0), unknown{1, kMissing, 2}, endless{1, infinity};
  CHECK(total(zeros.data(), nullptr, zeros.size()) == 0);
  CHECK(std::isnan(total(unknown.data(), nullptr, unknown.size())));
  CHECK(total(endless.data(), nullptr, endless.size()) == infinity);
  const std::vector<double> exact{0.5, 0.25, -3};
  CHECK(total(exact.data(), nullptr, exact.size()) == -2.25);
  const std::vector<int64_t> many{int64_t{1} << 50, int64_t{1} << 49, 1};
  const double heavy = 0.5 * 0x1p50 + 0.25 * 0x1p49 - 3;
  CHECK(std::abs(total(exact.data(), many.data(), exact.size()) - heavy) <= 1e-2 * heavy);
}

void any_threads() {
  Random random(3);
  std::vector<double> x(100'000);
  std::vector<int64_t> copies(x.size());
  for (double& number : x) number = random.uniform() - 0.5;
  for (int64_t& times : copies) times = static_cast<int64_t>(random.below(3)) + 1;
  for (const bool counted : {false, true}) {
    const int64_t* const times = counted ? copies.data() : nullptr;
    CHECK(same_bits(total(x.data(), times, x.size(), 3), total(x.data(), times, x.size())));
  }
  x[70'000] = kMissing;
  CHECK(std::isnan(total(x.data(), nullptr, x.size(), 3)));
}

}  // namespace

int main() {
  any_threads();
  any_order();
  copies_are_repetitions();
  parts_add_up();
  special_numbers();
}
