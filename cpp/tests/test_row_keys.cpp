// Keys of sparse rows follow their content: not the order of entries, nor zeros that are stored.
#include "check.hpp"
#include "weaklearn/columns/row_keys.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

int main() {
  const std::vector<uint64_t> factors{3, 5, 0x9E3779B97F4A7C15ull};
  const std::vector<double> data{1.5, -2, -2, 1.5, 0, -0.0, 1.5, -2, kMissing, -kMissing};
  const std::vector<int32_t> columns{0, 2, 2, 0, 1, 1, 2, 0, 1, 1};
  const std::vector<int32_t> start{0, 2, 4, 5, 6, 8, 9, 10};
  std::vector<uint64_t> keys(7, 0);
  CHECK(add_row_keys(data.data(), columns.data(), start.data(), 7, factors.data(), 3,
                     keys.data()) == 0);
  CHECK(keys[0] == keys[1] && keys[0] != 0);  // the order of entries
  CHECK(keys[2] == 0 && keys[3] == 0);        // zeros, whatever their sign
  CHECK(keys[4] != keys[0]);                  // the same numbers in other columns
  CHECK(keys[5] == keys[6] && keys[5] != 0);  // all that is no number
  CHECK(add_row_keys(data.data(), columns.data(), start.data(), 7, factors.data(), 2,
                     keys.data()) == 3);  // entries beyond the last column
  std::vector<uint64_t> narrow(7, 0);
  const std::vector<float> singles{1.5f, -2.0f};
  add_row_keys(singles.data(), columns.data(), start.data(), 1, factors.data(), 3, narrow.data());
  std::vector<uint64_t> wide(7, 0);
  add_row_keys(data.data(), columns.data(), start.data(), 1, factors.data(), 3, wide.data());
  CHECK(narrow[0] == wide[0]);
}
