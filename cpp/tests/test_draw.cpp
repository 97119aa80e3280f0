// Draws that follow content: even over copies, alike for copies and repetitions.
#include "check.hpp"
#include "weaklearn/weights/draw.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

void high_products() {
  CHECK(high_product(0, ~uint64_t{0}) == 0);
  CHECK(high_product(1, ~uint64_t{0}) == 0);
  CHECK(high_product(2, uint64_t{1} << 63) == 1);
  CHECK(high_product(~uint64_t{0}, ~uint64_t{0}) == ~uint64_t{0} - 1);
  Random random(1);
  for (int k = 0; k < 1000; ++k) {
    const uint64_t a = random.next() >> random.below(64), b = random.next() >> random.below(64);
    const long double right = static_cast<long double>(a) * static_cast<long double>(b) * 0x1p-64L;
    CHECK(std::abs(static_cast<long double>(high_product(a, b)) - right) <= 1 + right * 1e-18L);
  }
}

// Counted at once, in parts or one by one, the same copies enter.
void copies_are_repetitions() {
  Random random(2);
  for (const double chance : {1e-30, 1e-9, 0.1, 0.5, 0.8, 1 - 0x1p-53})
    for (int trial = 0; trial < 50; ++trial) {
      const Draw draw(random.next(), chance);
      const uint64_t content = random.next();
      uint64_t one_by_one = 0;
      for (uint64_t k = 0; k < 200; ++k) {
        one_by_one += draw.takes(content, k);
        CHECK(draw.count(content, 0, k + 1) == one_by_one);
        CHECK(draw.count(content, k, 1) == (draw.takes(content, k) ? 1 : 0));
      }
      CHECK(draw.count(content, 0, 70) + draw.count(content, 70, 130) == one_by_one);
      CHECK(std::abs(static_cast<double>(one_by_one) - 200 * chance) <= 1);
      const uint64_t many = uint64_t{1} << 52;
      const double share = static_cast<double>(draw.count(content, 3, many)) * 0x1p-52;
      CHECK(std::abs(share - chance) <= 0x1p-51);
    }
}

void every_example_has_its_chance() {
  Random random(3);
  for (const double chance : {0.05, 0.5, 0.8}) {
    const Draw draw(random.next(), chance);
    size_t first = 0, third = 0;
    constexpr size_t n = 100'000;
    for (size_t i = 0; i < n; ++i) {
      const uint64_t content = random.next();
      first += draw.takes(content, 0);
      third += draw.takes(content, 2);
    }
    const double spread = 5 * std::sqrt(chance * (1 - chance) / n);
    CHECK(std::abs(static_cast<double>(first) / n - chance) <= spread);
    CHECK(std::abs(static_cast<double>(third) / n - chance) <= spread);
  }
}

// Lists of rows follow the rule for one, whether copies stand together or apart.
void lists_of_rows() {
  Random random(4);
  const size_t n = 500;
  std::vector<uint64_t> content(n), before(n);
  std::vector<int64_t> copies(n);
  for (size_t i = 0; i < n; ++i) {
    content[i] = random.next();
    before[i] = random.below(5);
    copies[i] = static_cast<int64_t>(random.below(4));
  }
  const Draw draw(7, 0.3);
  for (const bool repeated : {false, true}) {
    const Contents of{content.data(), repeated ? before.data() : nullptr, n};
    std::vector<uint32_t> rows(n + 1);
    std::vector<DrawnRows> bags{{of, rows.data()}};
    draw_rows(draw, bags, 2);
    rows.resize(bags[0].count);
    std::vector<int64_t> drawn(n);
    draw_copies(draw, of, copies.data(), drawn.data(), 2);
    size_t at = 0;
    for (size_t i = 0; i < n; ++i) {
      const uint64_t first = repeated ? before[i] : 0;
      const bool enters = at < rows.size() && rows[at] == i;
      at += enters ? 1 : 0;
      CHECK(enters == draw.takes(content[i], first));
      int64_t one_by_one = 0;
      for (int64_t k = 0; k < copies[i]; ++k)
        one_by_one += draw.takes(content[i], first + static_cast<uint64_t>(k)) ? 1 : 0;
      CHECK(drawn[i] == one_by_one);
    }
    CHECK(at == rows.size());
  }
}

// Bags drawn together are those drawn alone, and rows outside enter none.
void several_bags() {
  Random random(5);
  const size_t n = 3 * kDrawnAtOnce + 17;
  std::vector<uint64_t> content(n);
  for (uint64_t& one : content) one = random.next();
  std::vector<std::vector<uint8_t>> inside(3, std::vector<uint8_t>(n));
  for (auto& list : inside)
    for (uint8_t& one : list) one = random.chance(0.8);
  const Draw draw(11, 0.6);
  std::vector<std::vector<uint32_t>> rows(4, std::vector<uint32_t>(n + 1));
  std::vector<DrawnRows> bags;
  for (size_t k = 0; k < 4; ++k)
    bags.push_back(
        {{content.data(), nullptr, n, k < 3 ? inside[k].data() : nullptr}, rows[k].data()});
  draw_rows(draw, bags, 4);
  for (size_t k = 0; k < 4; ++k) {
    size_t at = 0;
    for (uint32_t i = 0; i < n; ++i) {
      if (!draw.takes(content[i], 0) || (k < 3 && inside[k][i] == 0)) continue;
      CHECK(at < bags[k].count && rows[k][at] == i);
      ++at;
    }
    CHECK(at == bags[k].count);
  }
}

}  // namespace

int main() {
  high_products();
  copies_are_repetitions();
  every_example_has_its_chance();
  lists_of_rows();
  several_bags();
}
