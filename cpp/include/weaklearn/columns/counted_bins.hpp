// Coarse bins of a column without sorting it: a sample guesses where cuts lie, counting makes them
// exact.
//
// Promise: the bins that sorting gives. A value falls between two neighbours of a sorted sample;
// counts of these intervals tell which of them hold a cut, and only those are sorted. Cost: three
// passes over the rows, and one key and two bytes a row.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "weaklearn/columns/column.hpp"
#include "weaklearn/columns/number_keys.hpp"
#include "weaklearn/columns/pages.hpp"

namespace weaklearn::coding {

// Finds how many of some ascending, distinct keys are at most a given one.
template <class Key>
class KeySearch {
 public:
  explicit KeySearch(const std::vector<Key>& keys) : first_(kPrefixes + 1, 0), keys_(keys) {
    for (const Key key : keys) ++first_[(key >> kShift) + 1];
    const auto most = static_cast<uint32_t>(*std::max_element(first_.begin(), first_.end()));
    for (size_t p = 0; p < kPrefixes; ++p)
      first_[p + 1] = static_cast<uint16_t>(first_[p + 1] + first_[p]);
    step_ = most == 0 ? 0 : std::bit_floor(most);
    keys_.resize(keys.size() + 2 * step_, ~Key{0});  // which no number has
  }

  uint32_t operator()(Key key) const {
    uint32_t at = first_[key >> kShift];  // keys with a smaller prefix
    for (uint32_t step = step_; step > 0; step /= 2) at += keys_[at + step - 1] <= key ? step : 0;
    return at;
  }

 private:
  static constexpr size_t kPrefixes = 1 << 16;
  static constexpr int kShift = 8 * sizeof(Key) - 16;
  std::vector<uint16_t> first_;
  std::vector<Key> keys_;
  uint32_t step_;
};

// Room that one column after another is counted in.
struct CountingRoom {
  Pages interval, keys;
};

// The numbers of a column by rank. `Real` has the precision that the numbers need.
template <class Real, class Given>
class CountedRanks {
 public:
  using Key = decltype(key_of(Real{}));

  CountedRanks(const Given* numbers, size_t n, CountingRoom& room) : keys_(room.keys.room<Key>(n)) {
    const KeySearch<Key> search(neighbours(numbers, n));
    const uint32_t buckets = n_neighbours_ + 2;  // the last one: missing values
    start_.assign(buckets + 1, 0);
    sorted_.assign(buckets, false);
    uint16_t* const bucket = room.interval.room<uint16_t>(n);
    for (size_t i = 0; i < n; ++i) {
      const uint32_t at = search(key_of(static_cast<Real>(numbers[i])));
      bucket[i] = static_cast<uint16_t>(numbers[i] == numbers[i] ? at : buckets - 1);
      ++start_[bucket[i] + 1];
    }
    for (uint32_t b = 0; b < buckets; ++b) start_[b + 1] += start_[b];
    std::vector<uint32_t> next(start_.begin(), start_.end() - 1);
    for (size_t i = 0; i < n; ++i) keys_[next[bucket[i]]++] = key_of(static_cast<Real>(numbers[i]));
    n_known_ = start_[buckets - 1];
  }

  size_t size() const { return n_known_; }

  // The number of a rank, as a key.
  Key at(size_t rank) { return keys_[sort_around(rank).rank]; }

  // The least rank, of this one and those above, whose number differs from the one below it.
  size_t new_value_from(size_t rank) {
    const Found found = sort_around(rank);
    const Key key = keys_[rank];
    if (rank == found.begin || keys_[rank - 1] != key) return rank;
    return static_cast<size_t>(std::upper_bound(keys_ + rank, keys_ + found.end, key) - keys_);
  }

 private:
  static constexpr size_t kSample = 8192, kEvery = 4;

  struct Found {
    size_t rank, begin, end;
  };

  // Every fourth of the distinct numbers of a sample, in order.
  std::vector<Key> neighbours(const Given* numbers, size_t n) {
    std::vector<Key> sample;
    const size_t step = std::max<size_t>(1, n / kSample);
    for (size_t i = 0; i < n; i += step)
      if (numbers[i] == numbers[i]) sample.push_back(key_of(static_cast<Real>(numbers[i])));
    std::sort(sample.begin(), sample.end());
    sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
    std::vector<Key> some;
    for (size_t k = kEvery - 1; k < sample.size(); k += kEvery) some.push_back(sample[k]);
    n_neighbours_ = static_cast<uint32_t>(some.size());
    return some;
  }

  // Sorts the numbers between the neighbours of a rank.
  Found sort_around(size_t rank) {
    const auto after = std::upper_bound(start_.begin(), start_.end(), rank);
    const auto b = static_cast<size_t>(after - start_.begin()) - 1;
    if (!sorted_[b]) std::sort(keys_ + start_[b], keys_ + start_[b + 1]);
    sorted_[b] = true;
    return {rank, start_[b], start_[b + 1]};
  }

  uint32_t n_neighbours_ = 0;
  std::vector<uint32_t> start_;  // the rank of the first number in each interval
  std::vector<bool> sorted_;
  Key* const keys_;  // by interval
  size_t n_known_ = 0;
};

// Codes a dense column of many values in bins that are only cut between; the same bins as
// bin_coarsely gives where no row has copies.
template <class Real, class Given>
void code_by_counting(Column& column, const Given* numbers, size_t n, const Binning& binning,
                      uint8_t* codes, CountingRoom& room) {
  CountedRanks<Real, Given> ranks(numbers, n, room);
  using Key = typename CountedRanks<Real, Given>::Key;
  const size_t all = ranks.size();
  column.coarse = true;
  column.n_known = static_cast<uint32_t>(all);
  column.bin_start = std::make_unique<uint32_t[]>(kMostCodes + 1);
  column.ends = std::make_unique<double[]>(2 * kMostCodes);
  const auto number = [&](size_t rank) { return static_cast<double>(value_of(ranks.at(rank))); };
  std::vector<Key> cuts;
  column.ends[0] = number(0);
  size_t start = 0;
  for (size_t left = binning.most_codes; left > 1; --left) {
    const size_t full = std::max((all - start + left - 1) / left, binning.least_rows);
    if (start + full >= all) break;
    const size_t next = ranks.new_value_from(start + full);
    if (next >= all) break;
    column.ends[2 * column.n_codes + 1] = number(next - 1);
    column.bin_start[++column.n_codes] = static_cast<uint32_t>(next);
    column.ends[2 * column.n_codes] = number(next);
    cuts.push_back(ranks.at(next));
    start = next;
  }
  column.ends[2 * column.n_codes + 1] = number(all - 1);
  column.bin_start[++column.n_codes] = static_cast<uint32_t>(all);
  const KeySearch<Key> search(cuts);
  for (size_t i = 0; i < n; ++i)
    codes[i] = static_cast<uint8_t>(search(key_of(static_cast<Real>(numbers[i]))));
}

}  // namespace weaklearn::coding
