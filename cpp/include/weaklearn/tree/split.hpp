// Tests that a node may ask, the choice among them, and where the chosen one sends a row.
//
// Promise: among tests whose gain lies within 1e-12 of the node's weight of the best, the one of
// the lowest feature and then the lowest place is chosen, in whatever order they are offered.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "weaklearn/tree/tree.hpp"

namespace weaklearn {

constexpr double kTied = 1e-12;

// Places among the tests of a feature: cuts inside a code stand before the one after it.
constexpr uint64_t kLastPlace = uint64_t{1} << 50;
inline uint64_t place_after(uint32_t code) { return uint64_t{code} << 33 | uint64_t{1} << 32; }
inline uint64_t place_inside(uint32_t code, uint32_t rank) { return uint64_t{code} << 33 | rank; }

// A test as the search sees it.
struct Candidate {
  double gain = 0;
  double drawn = std::numeric_limits<double>::quiet_NaN();  // a cut that was drawn
  uint32_t feature = 0;
  uint64_t place = 0;  // among the tests of its feature, in order of preference
  Ask ask = Ask::leaf;
  bool known = false;           // parts known from missing values, nothing else
  bool inner = false;           // cuts within a coarse code
  uint32_t code = 0;            // that one
  uint32_t low = 0, high = 0;   // neighbouring codes at the node, or ranks where it is `inner`
  CategorySet set;              // subset tests: the categories with outcome 1
  uint32_t missing = 0;         // the outcome that rows without a value follow, where there are any
  uint32_t heaviest = 0;        // the outcome of most weight
  double parts[3] = {0, 0, 0};  // weights of two blocks and the missing rows
  double information = 0;       // of the split, in bits; for gain ratio
  double low_value = 0, high_value = 0;  // answers of the outcomes 0 and 1; pairs only
};

// The candidates worth remembering: the best, and those tied with it that would be preferred.
class Preference {
 public:
  void clear(double tie) {
    tie_ = tie;
    best_ = -std::numeric_limits<double>::infinity();
    kept_.clear();
  }
  double best() const { return best_; }
  double bar() const { return best_ - tie_; }  // what a gain must reach to be looked at
  bool empty() const { return kept_.empty(); }

  // Room for a candidate of this gain and place, or null where it cannot be the one chosen.
  Candidate* offer(double gain, uint32_t feature, uint64_t place) {
    if (!(gain >= bar())) return nullptr;
    const auto before = [&](const Candidate& c) {
      return c.feature != feature ? c.feature < feature : c.place < place;
    };
    for (const Candidate& c : kept_)
      if (c.gain >= gain && before(c)) return nullptr;
    best_ = std::max(best_, gain);
    std::erase_if(kept_, [&](const Candidate& c) {
      return c.gain < bar() || (c.gain <= gain && !before(c));
    });
    Candidate& fresh = kept_.emplace_back();
    fresh.gain = gain;
    fresh.feature = feature;
    fresh.place = place;
    return &fresh;
  }

  void join(const Preference& other) {
    for (const Candidate& c : other.kept_)
      if (Candidate* room = offer(c.gain, c.feature, c.place)) *room = c;
  }

  const Candidate& chosen() const {
    const Candidate* first = &kept_.front();
    for (const Candidate& c : kept_)
      if (c.feature != first->feature ? c.feature < first->feature : c.place < first->place)
        first = &c;
    return *first;
  }

 private:
  double tie_ = 0, best_ = 0;
  std::vector<Candidate> kept_;
};

// The chosen test, ready to send rows on.
struct Split {
  Ask ask = Ask::leaf;
  uint32_t feature = 0;
  double threshold = 0;
  CategorySet set;
  uint32_t width = 0;
  int32_t missing = 0;  // as trees have it
  double gain = 0;
  uint8_t outcome[256];  // of each code; of the code of missing values too
  bool inner = false;    // rows of code `open` have outcome 1 from `rank` on
  uint32_t open = 0, rank = 0;
  double low_value = 0, high_value = 0;
};

}  // namespace weaklearn
