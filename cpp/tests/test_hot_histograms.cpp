// Sums by code: every variant agrees with the definitions.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "variants.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

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

}  // namespace

int main() {
  histograms();
  histograms_beside();
  taking_out();
}
