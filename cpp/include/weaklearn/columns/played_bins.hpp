// Where the bins of a column end, as far as some of its values tell.
//
// Of these values it is known how many examples lie below and up to them. Bins are filled in
// ascending order, each with an even share of the examples that are left: see coding.hpp. A bin
// that ends between two of the values leaves a gap to be asked for.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace weaklearn {

struct PlayedBins {
  std::vector<int64_t> ends;  // the values that end a bin, the last one excepted, by their places
  std::vector<int64_t> gaps;  // the places before the gaps in which others may do so
};

namespace played {

inline double median(std::vector<int64_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  const size_t n = numbers.size();
  return static_cast<double>(numbers[(n - 1) / 2] + numbers[n / 2]) / 2;
}

// How many examples beyond its share a bin takes, because they have the same value as its last.
class Excess {
 public:
  void add(int64_t examples) { seen_.push_back(examples); }
  // From now on that of the next bins is guessed.
  void settle() {
    constexpr size_t enough = 8;  // bins whose sizes tell those of others
    if (seen_.size() < enough) return;
    guess_ = static_cast<int64_t>(median(seen_));
    for (int64_t& each : seen_) each = std::abs(each - guess_);
    spread_ = 2 * median(seen_);
  }
  int64_t guess() const { return guess_; }
  // By how many examples the sum of so many guesses may be wrong.
  int64_t doubt(size_t n) const {
    return static_cast<int64_t>(spread_ * std::sqrt(static_cast<double>(n)));
  }

 private:
  std::vector<int64_t> seen_;
  int64_t guess_ = 0;
  double spread_ = 0;
};

}  // namespace played

// Of n values, the first below all numbers and the last above. Behind the first gap the ends are
// guessed.
inline PlayedBins play_bins(const int64_t* below, const int64_t* upto, size_t n, int64_t most,
                            int64_t least) {
  const int64_t all = upto[n - 1];
  const auto place = [n](const int64_t* of, int64_t examples) {
    return static_cast<size_t>(std::lower_bound(of, of + n, examples) - of);
  };
  PlayedBins found;
  played::Excess excess;
  std::vector<uint8_t> is_gap(n, 0);
  bool any_gaps = false;
  size_t n_guessed = 0;
  int64_t start = 0;
  for (int64_t left = most; left > 1 && start < all; --left) {
    const int64_t wanted = start + std::max((all - start + left - 1) / left, least);
    if (wanted >= all) break;
    const size_t k = place(upto, wanted);
    if (below[k] < wanted && !any_gaps) {
      start = upto[k];
      excess.add(start - wanted);
      if (start < all) found.ends.push_back(static_cast<int64_t>(k));
      continue;
    }
    if (!any_gaps) excess.settle();
    any_gaps = true;
    const int64_t doubt = excess.doubt(n_guessed);
    const size_t first = std::max<size_t>(place(upto, wanted - doubt), 1) - 1;
    const size_t last = std::min(place(below, wanted + doubt), n - 1);
    for (size_t gap = first; gap < last; ++gap)
      if (upto[gap] < below[gap + 1]) is_gap[gap] = 1;
    start = below[k] < wanted ? upto[k] : wanted + excess.guess();
    ++n_guessed;
  }
  for (size_t gap = 0; gap < n; ++gap)
    if (is_gap[gap] != 0) found.gaps.push_back(static_cast<int64_t>(gap));
  return found;
}

}  // namespace weaklearn
