// What a search for a stump may ask, and what it finds.
#pragma once

#include <cstdint>
#include <vector>

#include "weaklearn/columns/route.hpp"

namespace weaklearn {

enum class CategoricalTest : uint8_t { equality, multiway };
enum class MissingRule : uint8_t { branch, abstain };

struct StumpFound {
  Test test = Test::constant;
  int64_t feature = -1;     // -1: no column has a known value
  double threshold = 0;     // threshold and constant tests
  uint32_t category = 0;    // equality tests
  int8_t polarity = 1;      // the answer above the threshold, or at the category
  int8_t missing = 0;       // the answer where the value is missing; 0 where training had none
  int8_t majority = 1;      // the heavier label over all rows; a tie counts as +1
  int64_t correlation = 0;  // R
  std::vector<int8_t> by_category;  // multiway tests: the answer at each category
};

}  // namespace weaklearn
