// Weights of examples: every variant agrees with the definitions.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "variants.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

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

void vote_errors() {
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
          hot->vote_errors(growth.data(), n, bar, with_sign ? sign.data() : nullptr,
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

}  // namespace

int main() {
  whole_numbers();
  changes();
  grow_and_sides();
  sums_of();
  masses();
  vote_errors();
  remainders();
}
