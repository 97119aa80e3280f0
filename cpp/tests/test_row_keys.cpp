// Keys of rows follow their content: not the order of entries, nor zeros that are stored, nor
// whether they are dense; one pass over a dense matrix also gives the hashes of its columns.
#include "check.hpp"
#include "weaklearn/columns/row_keys.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

void dense_rows_are_read_in_one_pass() {
  Random random(3);
  constexpr size_t n = 700, d = 11;
  std::vector<std::vector<double>> x;
  for (size_t j = 0; j < d; ++j) x.push_back(draw_column(random, kKinds[j % 3], n, 0.1));
  std::vector<double> by_rows, by_columns;
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < d; ++j) by_rows.push_back(x[j][i]);
  for (const auto& column : x) by_columns.insert(by_columns.end(), column.begin(), column.end());
  std::vector<uint64_t> factors(d), hash(n), labels(n), key(n), expected_key(n, 0);
  for (size_t j = 0; j < d; ++j) factors[j] = mix(j + 1) | 1;
  for (size_t i = 0; i < n; ++i) labels[i] = i % 3;
  hash_rows(code_dense(x), hash.data());
  const Examples examples{labels.data(), nullptr, nullptr};
  HashSums expected{};
  hash_examples(hash.data(), examples, n, expected);
  std::vector<int64_t> columns, start{0};
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < d; ++j) columns.push_back(static_cast<int64_t>(j));
    start.push_back(static_cast<int64_t>((i + 1) * d));
  }
  add_row_keys(by_rows.data(), columns.data(), start.data(), n, factors.data(), d,
               expected_key.data());
  for (uint64_t& each : expected_key) each = mix(each);
  std::vector<double> low(d), high(d);
  for (bool rows : {true, false}) {
    const double* const from = rows ? by_rows.data() : by_columns.data();
    const auto read = [&](const Examples* examples) {
      return read_rows(from, rows ? d : 1, rows ? 1 : n, n, factors.data(), d, examples, key.data(),
                       low.data(), high.data(), rows ? 1 : 3);
    };
    CHECK(read(&examples) == expected);
    CHECK(key == expected_key);
    CHECK((read(nullptr) == HashSums{0, 0}));
    CHECK(key == expected_key);
    for (size_t j = 0; j < d; ++j)
      for (size_t i = 0; i < n; ++i) CHECK(!(x[j][i] < low[j]) && !(x[j][i] > high[j]));
  }
}

HashSums hashed(const std::vector<uint64_t>& rows, const Examples& of, size_t n) {
  HashSums sums{};
  hash_examples(rows.data(), of, n, sums);
  return sums;
}

void examples_are_hashed_whatever_their_order() {
  const std::vector<uint64_t> rows{5, 9, 5}, labels{1, 0, 1}, turned{9, 5}, other{0, 1};
  const std::vector<int64_t> copies{1, 2};
  const std::vector<double> weights{0.5, 0.5, 0.25};
  const Examples plain{labels.data(), nullptr, nullptr};
  const HashSums known = hashed(rows, plain, 3);
  CHECK(hashed(turned, {other.data(), nullptr, copies.data()}, 2) == known);
  CHECK(hashed(rows, plain, 2) != known);
  CHECK(hashed(rows, {labels.data(), weights.data(), nullptr}, 3) != known);
}

}  // namespace

int main() {
  dense_rows_are_read_in_one_pass();
  examples_are_hashed_whatever_their_order();
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
