// Tables with columns a step apart side by side, windows passed over, pixels blended, and a scan
// against sums of pixels.
#include "check.hpp"
#include "weaklearn/vision/image_scan.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

void planes_keep_what_is_looked_at() {
  Random random(1);
  for (int32_t step = 1; step <= 9; ++step) {
    const int32_t width = 5 + static_cast<int32_t>(random.below(40)), height = 30;
    const std::vector<int32_t> downs{0, 3, 10}, acrosses{0, 2, 4, 5};
    const ScanPlane plane(step, width, downs, acrosses);
    std::vector<uint32_t> table(plane.size(height));
    const auto value = [&](int32_t y, int32_t x) { return static_cast<uint32_t>(1000 * y + x); };
    std::vector<uint32_t> row(static_cast<size_t>(width) + 1);
    for (int32_t y = 0; y <= height; ++y) {
      for (int32_t x = 0; x <= width; ++x) row[static_cast<size_t>(x)] = value(y, x);
      plane.store(y, row.data(), table.data());
    }
    for (int32_t j = 0; j * step + 10 <= height; ++j)
      for (int32_t k = 0; k * step + 5 <= width; ++k)
        for (const int32_t down : downs)
          for (const int32_t across : acrosses) {
            const auto at =
                static_cast<size_t>(j) * plane.window_pitch() +
                static_cast<size_t>(k + plane.row_place(down) + plane.column_place(across));
            CHECK(table[at] == value(j * step + down, k * step + across));
          }
  }
}

void the_window_after_a_rejected_one_is_passed_over() {
  Random random(2);
  for (int turn = 0; turn < 1000; ++turn) {
    const auto rejected = static_cast<unsigned>(random.below(256));
    const bool before = random.chance(0.5);
    bool over = before;
    unsigned visited = 0;
    for (unsigned bit = 0; bit < 8; ++bit) {
      if (over) {
        over = false;
        continue;
      }
      visited |= 1u << bit;
      over = (rejected >> bit & 1u) != 0;
    }
    CHECK(kScanVisits[rejected | (before ? 256u : 0u)] == (visited | (over ? 256u : 0u)));
  }
}

void blends_stay_between_their_pixels() {
  Random random(3);
  for (int32_t from = 1; from < 40; ++from)
    for (int32_t to = 1; to <= 40; to += 3) {
      const ScanBlend blend(from, to);
      std::vector<uint16_t> row(static_cast<size_t>(from) + 1, 0);
      for (auto& pixel : row) pixel = static_cast<uint16_t>(256 * random.below(256));
      std::vector<uint8_t> out(static_cast<size_t>(to));
      hot().blend_columns(row.data(), blend.first.data(), blend.share.data(), out.size(),
                          out.data());
      for (size_t i = 0; i < out.size(); ++i) {
        const auto first = static_cast<size_t>(blend.first[i]);
        CHECK(first < static_cast<size_t>(from));
        CHECK(first + 1 < static_cast<size_t>(from) || blend.share[i] == 0);
        const int a = row[first] / 256, b = row[first + 1] / 256;
        CHECK(out[i] >= std::min(a, b) && out[i] <= std::max(a, b));
        if (from == to) CHECK(out[i] == a);
      }
    }
}

// Windows of 3 x 3 whose middle pixel is brighter than the mean of all, at every step.
void a_scan_finds_what_sums_of_pixels_say() {
  Random random(4);
  CascadeArrays cascade;
  cascade.height = cascade.width = 3;
  cascade.rects = {{0, 0, 3, 3}, {1, 1, 1, 1}};
  cascade.rect_weight = {-1.0, 9.0};
  cascade.feature_start = {0, 2};
  cascade.node_feature = {0};
  cascade.threshold = {0.0};
  cascade.low = {-1.0};
  cascade.high = {1.0};
  cascade.stage_start = {0, 1};
  cascade.stage_threshold = {0.0};
  cascade.fold();
  const size_t height = 61, width = 83;
  std::vector<uint8_t> pixels(height * width);
  for (auto& pixel : pixels) pixel = static_cast<uint8_t>(random.below(256));
  const Pixels image{pixels.data(), height, width, width};
  for (int32_t step = 1; step <= 4; ++step) {
    const ScanLevel level{1.0, 61, 83, step, 58 / step + 1, 80 / step + 1};
    const auto hits = scan(cascade, image, ScanWay::kFeatures, {level}, 1);
    size_t next = 0;
    for (int32_t j = 0; j < level.rows; ++j)
      for (int32_t k = 0; k < level.columns; ++k) {
        const auto top = static_cast<size_t>(j * step), left = static_cast<size_t>(k * step);
        int sum = 0;
        for (size_t y = top; y < top + 3; ++y)
          for (size_t x = left; x < left + 3; ++x) sum += pixels[y * width + x];
        if (9 * pixels[(top + 1) * width + left + 1] <= sum) continue;
        CHECK(next < hits.size());
        CHECK(hits[next].row == j && hits[next].column == k && hits[next].score == 1.0);
        ++next;
      }
    CHECK(next == hits.size() && next > 0);
  }
}

}  // namespace

int main() {
  planes_keep_what_is_looked_at();
  the_window_after_a_rejected_one_is_passed_over();
  blends_stay_between_their_pixels();
  a_scan_finds_what_sums_of_pixels_say();
}
