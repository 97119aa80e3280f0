// The cells of a matrix that are not NaN.
#include "check.hpp"
#include "weaklearn/online/present_cells.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

int main() {
  const std::vector<double> cells{1, kMissing, 3, kMissing, kMissing, kMissing, -0.0, 5, kMissing};
  const PresentCells found = present_cells(cells.data(), 3, 3);
  CHECK((found.start == std::vector<int64_t>{0, 2, 2, 4}));
  CHECK((found.column == std::vector<int32_t>{0, 2, 0, 1}));
  CHECK((found.value == std::vector<double>{1, 3, 0, 5}));
  const std::vector<float> singles(cells.begin(), cells.end());
  const PresentCells narrow = present_cells(singles.data(), 3, 3);
  CHECK(narrow.start == found.start && narrow.column == found.column);
  CHECK(narrow.value == found.value);
  CHECK((present_cells(cells.data(), 0, 3).start == std::vector<int64_t>{0}));
}
