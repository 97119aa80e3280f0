// Cuts, codes and their counts of single columns, as tables over them need them.
#include "check.hpp"
#include "weaklearn/columns/slots.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

int main() {
  const std::vector<double> x{3, 1, kMissing, 1, 2}, same(5, 4.0), zeros{0, 0, 7, 0, 0};
  const std::vector<int32_t> categories{2, 0, 1, -1, 0};
  Columns columns(5, 4, Binning{});
  columns.reserve_blocks(4);
  columns.code_column(0, x.data());
  columns.code_column(1, same.data());
  columns.code_column(2, zeros.data());
  columns.code_categories(3, categories.data(), 3);
  CHECK((cuts_of(columns[0]) == std::vector<double>{1.5, 2.5}));
  CHECK(cuts_of(columns[1]).empty());
  CHECK((cuts_of(columns[2]) == std::vector<double>{3.5}));
  CHECK(cuts_of(columns[3]).empty());
  CHECK((varying_columns(columns) == std::vector<int32_t>{0, 2, 3}));
  std::vector<uint8_t> codes(5);
  write_codes(columns[0], 5, codes.data());
  CHECK((codes == std::vector<uint8_t>{2, 0, 3, 0, 1}));
  write_codes(columns[2], 5, codes.data());
  CHECK((codes == std::vector<uint8_t>{0, 0, 1, 0, 0}));
  write_codes(columns[3], 5, codes.data());
  CHECK((codes == std::vector<uint8_t>{2, 0, 1, 3, 0}));
  std::vector<int64_t> counts(256);
  const auto first = [&](size_t n) { return std::vector<int64_t>(&counts[0], &counts[n]); };
  const std::vector<int64_t> listed{0, 1, 1, 2}, copies{1, 2, 3, 4, 5};
  count_codes(columns[0], 5, nullptr, 0, nullptr, codes.data(), counts.data());
  CHECK((first(4) == std::vector<int64_t>{2, 1, 1, 1}));
  count_codes(columns[0], 5, listed.data(), 4, copies.data(), codes.data(), counts.data());
  CHECK((first(4) == std::vector<int64_t>{4, 0, 1, 3}));

  // The same from entries of a sparse matrix by columns.
  const std::vector<double> data{7, kMissing};
  const std::vector<int32_t> rows{2, 4}, start{0, 2};
  Columns sparse(5, 1, Binning{});
  sparse.code_by_columns(0, data.data(), rows.data(), start, 1);
  write_codes(sparse[0], 5, codes.data());
  CHECK((codes == std::vector<uint8_t>{0, 0, 1, 0, 2}));
  count_codes(sparse[0], 5, nullptr, 0, nullptr, codes.data(), counts.data());
  CHECK((first(3) == std::vector<int64_t>{3, 1, 1}));
}
