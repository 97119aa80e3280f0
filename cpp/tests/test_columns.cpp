// Coding: codes follow values, values come back, whatever the layout, the order of rows or
// sparsity.
#include <algorithm>
#include <set>

#include "check.hpp"
#include "weaklearn/columns/columns.hpp"
#include "weaklearn/columns/dense_codes.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The code of every row, sparse columns written out.
std::vector<uint32_t> codes_of(const Column& column, size_t n) {
  std::vector<uint32_t> codes(n, column.zero_code);
  if (column.sparse)
    for (size_t k = 0; k < column.n_entries; ++k) codes[column.entry_rows[k]] = column.codes[k];
  else
    std::copy(column.codes, column.codes + n, codes.begin());
  return codes;
}

void check_column(const Column& column, const std::vector<double>& x) {
  std::set<double> distinct;
  bool missing = false;
  for (double value : x) std::isnan(value) ? (void)(missing = true) : (void)distinct.insert(value);
  CHECK(column.has_missing == missing);
  CHECK(!column.categorical);
  CHECK(column.coarse == (distinct.size() > kMostCodes));
  CHECK(column.n_codes <= kMostCodes);
  CHECK(column.n_slots() <= 256);
  const std::vector<uint32_t> codes = codes_of(column, x.size());
  if (!column.coarse) {
    CHECK(column.n_codes == distinct.size());
    uint32_t code = 0;
    for (double value : distinct) {
      CHECK(column.values[code] == value && !(value == 0 && std::signbit(column.values[code])));
      CHECK(column.least(code) == value && column.greatest(code) == value);
      ++code;
    }
  }
  for (size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i])) {
      CHECK(codes[i] == column.n_codes);
    } else {
      CHECK(codes[i] < column.n_codes);
      CHECK(column.least(codes[i]) <= x[i] && x[i] <= column.greatest(codes[i]));
    }
  }
  for (uint32_t c = 1; c < column.n_codes; ++c) CHECK(column.greatest(c - 1) < column.least(c));
  if (!column.coarse) return;
  // The rows in order of value, a flag at every new one, bins that follow one another.
  size_t known = 0;
  for (double value : x) known += !std::isnan(value) && !(column.sparse && value == 0);
  CHECK(column.n_known == known);
  CHECK(column.bin_start[0] == 0 && column.bin_start[column.n_codes] == known);
  std::vector<bool> seen(x.size(), false);
  for (uint32_t c = 0; c < column.n_codes; ++c)
    for (uint32_t p = column.bin_start[c]; p < column.bin_start[c + 1]; ++p) {
      const uint32_t row = column.order[p] & kRowMask;
      CHECK(!seen[row]);
      seen[row] = true;
      CHECK(codes[row] == c);
      CHECK(column.sorted(p) == x[row]);
      const bool is_new = p == column.bin_start[c] || column.sorted(p - 1) != column.sorted(p);
      CHECK(((column.order[p] & kNewValue) != 0) == is_new);
      CHECK(p == 0 || column.sorted(p - 1) <= column.sorted(p));
    }
}

void every_kind_dense_and_sparse() {
  Random random(1);
  for (size_t n : {1, 2, 3, 40, 700, 3000})
    for (Kind kind : kKinds)
      for (double missing : {0.0, 0.3, 1.0}) {
        const std::vector<std::vector<double>> x{draw_column(random, kind, n, missing)};
        check_column(code_dense(x)[0], x[0]);
        check_column(code_sparse(x, random)[0], x[0]);
      }
}

void exactly_255_values_are_exact_and_256_are_not() {
  for (size_t n : {255, 256, 257}) {
    std::vector<double> x(n);
    for (size_t i = 0; i < n; ++i) x[i] = static_cast<double>(i) - 10.5;
    x.push_back(kMissing);
    const Columns columns = code_dense({x});
    CHECK(columns[0].coarse == (n > 255));
    check_column(columns[0], x);
  }
}

void one_heavy_value_among_many() {
  Random random(2);
  std::vector<double> x(20'000);
  for (double& value : x) value = random.chance(0.7) ? 3.0 : random.uniform() * 10;
  check_column(code_dense({x})[0], x);
  for (double& value : x) value -= 3;
  check_column(code_sparse({x}, random)[0], x);
}

// Whether two columns tell rows apart alike (bins may differ, values may not).
void check_same(const Column& a, const Column& b, size_t n) {
  CHECK(a.n_codes == b.n_codes && a.coarse == b.coarse && a.has_missing == b.has_missing);
  CHECK(codes_of(a, n) == codes_of(b, n));
  for (uint32_t c = 0; c < a.n_codes; ++c)
    CHECK(a.least(c) == b.least(c) && a.greatest(c) == b.greatest(c));
}

void layouts_and_precisions_agree() {
  Random random(3);
  constexpr size_t n = 900, d = 7;
  std::vector<std::vector<double>> x(d);
  for (size_t j = 0; j < d; ++j)
    x[j] = draw_column(random, j % 2 ? Kind::few : Kind::single_precision, n, 0.1);
  const Columns expected = code_dense(x);
  std::vector<double> by_rows(n * d), by_columns(n * d), backwards(n * d);
  std::vector<float> narrow(n * d);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < d; ++j) {
      by_rows[i * d + j] = by_columns[j * n + i] = x[j][i];
      backwards[(n - 1 - i) * d + (d - 1 - j)] = x[j][i];
      narrow[i * d + j] = static_cast<float>(x[j][i]);
    }
  constexpr ptrdiff_t wide = sizeof(double), thin = sizeof(float);
  for (int threads : {1, 3}) {
    Columns a(n, d), b(n, d), c(n, d), e(n, d);
    a.code_matrix<double>(reinterpret_cast<const char*>(by_rows.data()), d * wide, wide, threads);
    b.code_matrix<double>(reinterpret_cast<const char*>(by_columns.data()), wide, n * wide,
                          threads);
    c.code_matrix<double>(reinterpret_cast<const char*>(&backwards.back()),
                          -static_cast<ptrdiff_t>(d) * wide, -wide, threads);
    e.code_matrix<float>(reinterpret_cast<const char*>(narrow.data()), d * thin, thin, threads);
    for (size_t j = 0; j < d; ++j)
      for (const Columns* other : {&a, &b, &c, &e}) check_same((*other)[j], expected[j], n);
  }
}

void the_order_of_rows_changes_no_code() {
  Random random(4);
  for (Kind kind : kKinds) {
    const std::vector<double> x = draw_column(random, kind, 2000, 0.05);
    const std::vector<size_t> order = shuffled(random, x.size());
    const Columns straight = code_dense({x}), mixed = code_dense({permuted(x, order)});
    const auto a = codes_of(straight[0], x.size()), b = codes_of(mixed[0], x.size());
    for (size_t i = 0; i < x.size(); ++i) CHECK(b[i] == a[order[i]]);
  }
}

void categories_are_taken_as_given() {
  const std::vector<int32_t> categories{2, 0, -1, 2, 254};
  Columns columns(categories.size(), 1);
  columns.reserve_blocks();
  columns.code_categories(0, categories.data(), 255);
  CHECK(columns[0].categorical && columns[0].has_missing && columns[0].n_codes == 255);
  const std::vector<uint32_t> expected{2, 0, 255, 2, 254};
  CHECK(codes_of(columns[0], categories.size()) == expected);
}

void a_sparse_column_may_list_nothing_or_everything() {
  Columns columns(3, 2);
  const std::vector<double> data{1.0, -2.0, 5.0};
  const std::vector<int64_t> rows{0, 1, 2};
  code_entries(columns, 0, data, rows, 0);
  code_entries(columns, 1, data, rows, 3);
  CHECK(columns[0].n_codes == 1 && columns[0].zero_code == 0 && columns[0].values[0] == 0);
  CHECK(columns[1].n_codes == 3 && columns[1].zero_code == kNoCode);
}

void cuts_separate_neighbours() {
  Random random(5);
  std::vector<double> values;
  for (Kind kind : kKinds)
    for (int k = 0; k < 60; ++k) values.push_back(draw(random, kind));
  std::sort(values.begin(), values.end());
  for (double a : values)
    for (double b : values) {
      if (!(a < b)) continue;
      const double cut = cut_between(a, b);
      CHECK(a <= cut && cut < b);
      const double middle = a / 2 + b / 2;
      if (std::abs(a) < 1e300 && std::abs(b) < 1e300 && a < middle && middle < b)
        CHECK(cut == (a + b) / 2);
    }
  CHECK(cut_between(1.0, std::nextafter(1.0, 2.0)) == 1.0);
  CHECK(cut_between(1e308, 1.7e308) == 1e308);  // the sum overflows
  CHECK(cut_below(3.0) == 2.0);
  CHECK(cut_below(1e300) == -kInfinity && cut_below(-1e300) == -kInfinity);
}

Columns code_with(const std::vector<std::vector<double>>& x, const Binning& binning) {
  Columns columns(x[0].size(), x.size(), binning);
  columns.reserve_blocks();
  for (size_t j = 0; j < x.size(); ++j) columns.code_column(j, x[j].data());
  return columns;
}

// Where bins are final they depend on the numbers alone: listed or not, copied or repeated.
void final_bins() {
  Random random(21);
  for (const size_t m : {1, 5, 300, 3000})
    for (const uint32_t most : {2u, 3u, 20u, 255u})
      for (const bool weighed : {false, true}) {
        std::vector<std::vector<double>> x, repeated;
        for (Kind kind : kKinds) x.push_back(draw_column(random, kind, m, 0.05));
        std::vector<int64_t> copies(m, 1);
        if (weighed)
          for (int64_t& k : copies) k = 1 + static_cast<int64_t>(random.below(4));
        for (const std::vector<double>& column : x) {
          repeated.emplace_back();
          for (size_t i = 0; i < m; ++i)
            repeated.back().insert(repeated.back().end(), static_cast<size_t>(copies[i]),
                                   column[i]);
        }
        const Binning binning{most, 1, false, weighed ? copies.data() : nullptr};
        const Columns dense = code_with(x, binning);
        const Columns many = code_with(repeated, {most, 1, false});
        Columns sparse(m, x.size(), binning);
        for (size_t j = 0; j < x.size(); ++j) {
          std::vector<double> data;
          std::vector<int32_t> rows;
          for (size_t i = 0; i < m; ++i)
            if (x[j][i] != 0 || random.chance(0.1)) {
              data.push_back(x[j][i]);
              rows.push_back(static_cast<int32_t>(i));
            }
          code_entries(sparse, j, data, rows, data.size());
        }
        const DenseCodes codes(dense), spread(sparse), more(many);
        for (size_t j = 0; j < x.size(); ++j) {
          CHECK(dense[j].n_codes <= most && !dense[j].order);
          for (const Columns* other : {static_cast<const Columns*>(&sparse), &many}) {
            CHECK((*other)[j].n_codes == dense[j].n_codes);
            CHECK((*other)[j].has_missing == dense[j].has_missing);
            for (uint32_t code = 0; code < dense[j].n_codes; ++code) {
              CHECK((*other)[j].least(code) == dense[j].least(code));
              CHECK((*other)[j].greatest(code) == dense[j].greatest(code));
            }
          }
          size_t at = 0;
          for (size_t i = 0; i < m; at += static_cast<size_t>(copies[i++])) {
            CHECK(spread[j][i] == codes[j][i] && more[j][at] == codes[j][i]);
            if (std::isnan(x[j][i])) continue;
            CHECK(dense[j].least(codes[j][i]) <= x[j][i]);
            CHECK(dense[j].greatest(codes[j][i]) >= x[j][i]);
          }
        }
      }
}

// Without copies bins may be counted, with one copy each they are sorted: the same bins.
void counted_bins_are_the_sorted_ones() {
  Random random(41);
  for (const size_t m : {300, 3000, 40'000})
    for (const uint32_t most : {2u, 20u, 255u})
      for (const size_t least : {1, 64})
        for (int kind = 0; kind < 6; ++kind)
          for (const double missing : {0.0, 0.2}) {
            std::vector<double> x(m);
            for (double& value : x) {
              value = kind == 0   ? random.uniform()
                      : kind == 1 ? std::exp(20 * random.uniform())
                      : kind == 2 ? static_cast<double>(random.below(400))
                      : kind == 3 ? (random.chance(0.6) ? 1.5 : random.uniform() - 0.5)
                      : kind == 4 ? draw(random, Kind::hostile) + draw(random, Kind::many)
                                  : static_cast<double>(static_cast<float>(random.uniform()));
              if (random.chance(missing)) value = kMissing;
            }
            const std::vector<int64_t> ones(m, 1);
            Columns counted(m, 1, {most, least, false, nullptr, 0});
            Columns sorted(m, 1, {most, least, false, ones.data()});
            counted.reserve_blocks();
            sorted.reserve_blocks();
            counted.code_column(0, x.data());
            sorted.code_column(0, x.data());
            check_same(counted[0], sorted[0], m);
            CHECK(counted[0].n_known == sorted[0].n_known);
            for (uint32_t c = 0; counted[0].coarse && c <= counted[0].n_codes; ++c)
              CHECK(counted[0].bin_start[c] == sorted[0].bin_start[c]);
          }
}

// Rows of a part, coded as all rows are, have their codes and, where kept, their order.
void parts_take_the_codes_of_all() {
  Random random(51);
  for (const size_t m : {1, 300, 3000})
    for (const bool keep_order : {false, true})
      for (Kind kind : kKinds) {
        const std::vector<double> x = draw_column(random, kind, m, 0.05);
        const Columns all = code_with({x}, {kMostCodes, keep_order ? kLeastBin : 1, keep_order});
        GivenCodes given{all[0].has_missing, all[0].coarse, {}};
        for (uint32_t c = 0; c < all[0].n_codes; ++c) {
          given.values.push_back(all[0].least(c));
          if (given.coarse) given.values.push_back(all[0].greatest(c));
        }
        std::vector<uint32_t> place(m);
        std::vector<double> own[3];
        std::vector<size_t> of(m);
        for (size_t i = 0; i < m; ++i) {
          of[i] = random.below(2);  // the last part has no rows
          place[i] = static_cast<uint32_t>(own[of[i]].size());
          own[of[i]].push_back(x[i]);
        }
        for (size_t part = 0; part < 3; ++part) {
          Columns mine(own[part].size(), 1, {kMostCodes, 1, keep_order, nullptr, 0, &given});
          mine.code_matrix<double>(reinterpret_cast<const char*>(own[part].data()), sizeof(double),
                                   sizeof(double), 1);
          const Column& column = mine[0];
          CHECK(column.n_codes == all[0].n_codes && column.has_missing == all[0].has_missing);
          CHECK(column.coarse == all[0].coarse && !column.order == !all[0].order);
          for (size_t i = 0; i < m; ++i)
            if (of[i] == part) CHECK(column.codes[place[i]] == all[0].codes[i]);
          uint32_t p = 0;
          for (uint32_t c = 0; c < all[0].n_codes; ++c) {
            CHECK(column.least(c) == all[0].least(c) && column.greatest(c) == all[0].greatest(c));
            if (!column.order) continue;
            CHECK(column.bin_start[c] == p);
            for (uint32_t q = all[0].bin_start[c]; q < all[0].bin_start[c + 1]; ++q) {
              const uint32_t i = all[0].order[q] & kRowMask;
              if (of[i] != part) continue;
              CHECK((column.order[p] & kRowMask) == place[i] && column.sorted(p) == x[i]);
              const bool is_new = p == 0 || column.sorted(p - 1) != column.sorted(p);
              CHECK(((column.order[p++] & kNewValue) != 0) == is_new);
            }
            CHECK(column.bin_start[c + 1] == p);
          }
        }
      }
}

// A sparse matrix by rows has the columns that it has by columns, be all its numbers one or not.
void rows_become_columns() {
  Random random(31);
  for (double one : {1.0, -2.5, 0.0})  // 0: any numbers
    for (int threads : {1, 3}) {
      const size_t m = 20000, d = 40;
      std::vector<std::vector<double>> x(d, std::vector<double>(m, 0.0));
      for (size_t j = 0; j < d; ++j)
        for (size_t i = 0; i < m; ++i)
          if (j == 1 || (j != 2 && random.chance(0.05)))
            x[j][i] = one != 0 ? one : random.chance(0.01) ? std::nan("") : 1.0 + random.below(400);
      std::vector<double> data;
      std::vector<int32_t> places, start{0};
      for (size_t i = 0; i < m; ++i) {
        for (size_t j = 0; j < d; ++j)
          if (x[j][i] != 0 || random.chance(0.01)) {
            data.push_back(x[j][i]);
            places.push_back(static_cast<int32_t>(j));
          }
        start.push_back(static_cast<int32_t>(data.size()));
      }
      Columns columns(m, d + 1);
      columns.reserve_blocks(1);
      columns.code_column(0, x[0].data());
      columns.code_by_rows(1, d, data.data(), places.data(), start, threads);
      for (size_t j = 0; j < d; ++j) check_column(columns[j + 1], x[j]);
      for (std::vector<int32_t> wrong : {std::vector<int32_t>{1, 1}, {1, 0}, {0, 40}, {-1, 3}}) {
        Columns refused(1, d);
        bool thrown = false;
        try {
          refused.code_by_rows(0, d, data.data(), wrong.data(), {0, 2}, 1);
        } catch (const std::invalid_argument&) {
          thrown = true;
        }
        CHECK(thrown);
      }
    }
}

}  // namespace

int main() {
  every_kind_dense_and_sparse();
  exactly_255_values_are_exact_and_256_are_not();
  one_heavy_value_among_many();
  layouts_and_precisions_agree();
  the_order_of_rows_changes_no_code();
  categories_are_taken_as_given();
  a_sparse_column_may_list_nothing_or_everything();
  cuts_separate_neighbours();
  final_bins();
  counted_bins_are_the_sorted_ones();
  parts_take_the_codes_of_all();
  rows_become_columns();
}
