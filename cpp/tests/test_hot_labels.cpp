// Many labels: every variant gives the same bits, and those bits are right.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "variants.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

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
      LabelErrors stands{};
      for (const Hot* hot : variants()) {
        Labelled of(drawn);
        LabelErrors vote_errors{0, 0, 1e300};
        const LabelTable table = of.table();
        hot->label_look(&table, 0, 10, &vote_errors);
        hot->label_look(&table, 10, of.m, &vote_errors);
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
          stands = vote_errors;
        }
        CHECK(same_bits(of.score, plain.score));
        CHECK(vote_errors.labels == stands.labels && vote_errors.rows == stands.rows);
        CHECK(vote_errors.least == stands.least);
      }
    }
}

}  // namespace

int main() {
  label_sums();
  label_costs();
  other_rows();
  label_rows();
}
