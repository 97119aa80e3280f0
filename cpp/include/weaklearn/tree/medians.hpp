// Medians of weighted numbers, and how far numbers lie from theirs.
//
// The distance of a block is the sum over its rows of weight |number - median|. Where half of the
// weight lies on either side, every number between the two neighbours is a median; the middle one
// answers. Sums are whole numbers: the order of rows does not matter.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weaklearn {

// A number, its weight, and weight times number in whole numbers.
struct Weighed {
  double number;
  int64_t w, a;
};

// Sorts the numbers, of which there is at least one.
inline double median_of(std::vector<Weighed>& numbers) {
  std::sort(numbers.begin(), numbers.end(),
            [](const Weighed& x, const Weighed& y) { return x.number < y.number; });
  int64_t total = 0;
  for (const Weighed& x : numbers) total += x.w;
  int64_t below = 0;
  for (size_t i = 0; i < numbers.size(); ++i) {
    below += numbers[i].w;
    if (below < total - below) continue;
    if (below > total - below || i + 1 == numbers.size()) return numbers[i].number;
    return numbers[i].number / 2 + numbers[i + 1].number / 2;
  }
  return numbers.back().number;
}

// Weights and sums by rank of the number, of which parts from the lowest on are asked for.
//
// Cost: O(log ranks) an addition and an answer.
class RankedSums {
 public:
  void clear(size_t n_ranks) {
    size_ = n_ranks;
    top_ = 1;
    while (2 * top_ <= size_) top_ *= 2;
    w_.assign(size_ + 1, 0);
    a_.assign(size_ + 1, 0);
    all_w_ = all_a_ = 0;
  }
  void add(size_t rank, int64_t w, int64_t a) {
    all_w_ += w;
    all_a_ += a;
    for (size_t i = rank + 1; i <= size_; i += i & (~i + 1)) {
      w_[i] += w;
      a_[i] += a;
    }
  }
  int64_t weight() const { return all_w_; }

  // The distance of the rows added from their median; numbers(rank) in units of the sums.
  template <class Numbers>
  double distance(Numbers&& numbers) const {
    if (all_w_ == 0) return 0;
    size_t at = 0;
    int64_t w = 0, a = 0;  // of the ranks below `at`, which hold less than half
    for (size_t step = top_; step > 0; step /= 2) {
      if (at + step > size_ || 2 * (w + w_[at + step]) >= all_w_) continue;
      at += step;
      w += w_[at];
      a += a_[at];
    }
    const double median = numbers(at);
    const int64_t above_w = all_w_ - w, above_a = all_a_ - a;
    return (static_cast<double>(above_a) - median * static_cast<double>(above_w)) +
           (median * static_cast<double>(w) - static_cast<double>(a));
  }

 private:
  size_t size_ = 0, top_ = 1;
  std::vector<int64_t> w_, a_;
  int64_t all_w_ = 0, all_a_ = 0;
};

}  // namespace weaklearn
