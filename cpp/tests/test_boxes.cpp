// Classes of boxes against those found by comparing all pairs.
#include "check.hpp"
#include "weaklearn/vision/boxes.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

template <class Rule>
std::vector<int64_t> by_all_pairs(const std::vector<Box>& boxes, Rule rule) {
  std::vector<int64_t> label(boxes.size(), -1);
  int64_t classes = 0;
  for (size_t i = 0; i < boxes.size(); ++i) {
    if (label[i] >= 0) continue;
    label[i] = classes;
    for (bool grown = true; grown;) {
      grown = false;
      for (size_t j = 0; j < boxes.size(); ++j)
        for (size_t k = 0; label[j] < 0 && k < boxes.size(); ++k)
          if (label[k] == classes && (boxes[j] == boxes[k] || rule(boxes[j], boxes[k]))) {
            label[j] = classes;
            grown = true;
          }
    }
    ++classes;
  }
  return label;
}

int32_t drawn(Random& random, int32_t least, int32_t most) {
  return least + static_cast<int32_t>(random.below(static_cast<size_t>(most - least + 1)));
}

void classes_are_those_of_all_pairs() {
  Random random(1);
  const double shares[] = {0.0, 0.2, 0.5, 0.9, 1.0, 3.0};
  for (int turn = 0; turn < 600; ++turn) {
    const int32_t room = turn % 2 ? 30 : 300, side = turn % 3 ? 40 : 400;
    std::vector<Box> boxes;
    for (size_t n = random.below(40); boxes.size() < n;) {
      boxes.push_back({drawn(random, -room, room), drawn(random, -room, room),
                       drawn(random, -1, side), drawn(random, 0, side)});
      if (random.chance(0.2)) boxes.push_back(boxes[random.below(boxes.size())]);
    }
    const double share = shares[random.below(6)];
    const SharedArea shared{share};
    const SimilarEdges similar{share};
    CHECK(box_classes(boxes.data(), boxes.size(), shared) == by_all_pairs(boxes, shared));
    CHECK(box_classes(boxes.data(), boxes.size(), similar) == by_all_pairs(boxes, similar));
  }
}

void boxes_at_the_ends_of_the_numbers_are_told_apart() {
  const int32_t most = std::numeric_limits<int32_t>::max(), least = -most - 1;
  const std::vector<Box> boxes = {{least, least, most, most},
                                  {most, most, most, most},
                                  {least, least, most, most - 1},
                                  {most, least, least, least},
                                  {0, 0, 0, 0},
                                  {most, most, most, most}};
  const std::vector<int64_t> expected = {0, 1, 0, 2, 3, 1};
  CHECK(box_classes(boxes.data(), boxes.size(), SharedArea{0.5}) == expected);
  CHECK(box_classes(boxes.data(), boxes.size(), SimilarEdges{0.2}) == expected);
}

}  // namespace

int main() {
  classes_are_those_of_all_pairs();
  boxes_at_the_ends_of_the_numbers_are_told_apart();
}
