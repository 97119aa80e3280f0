// Cells as codes of one or two bytes, made for the thresholds that some trees ask for.
//
// The code of a number is how many of the trees' thresholds lie below it: x > threshold k is
// code > k. What is missing gets a code on the side it goes to, the first or the last, in a column
// of its own. Categories are codes already. Trees that follow each other form a group, which shares
// its codes, as long as there are enough of them for every feature's thresholds. Cost: O(log
// thresholds) a cell and group.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "weaklearn/columns/cells.hpp"
#include "weaklearn/hot/loops.hpp"
#include "weaklearn/tree/tree_view.hpp"

namespace weaklearn {

// Bytes that begin with a cache line.
class AlignedBytes {
 public:
  explicit AlignedBytes(size_t n)
      : data_(static_cast<uint8_t*>(::operator new[](n, std::align_val_t{64}))) {}
  uint8_t* get() const { return data_.get(); }

 private:
  struct Free {
    void operator()(uint8_t* at) const { ::operator delete[](at, std::align_val_t{64}); }
  };
  std::unique_ptr<uint8_t, Free> data_;
};

constexpr uint32_t kNone = 0xffffffff;

template <class Code>
class Codes {
 public:
  static constexpr uint32_t kMissing = std::numeric_limits<Code>::max();

  explicit Codes(const std::vector<uint32_t>& n_categories)
      : n_categories_(n_categories), coded_of_(n_categories.size(), kNone) {}

  // Whether there are codes for everything that a checked tree asks for.
  bool fit(const TreeView& view) const {
    for (size_t v = 0; v < view.n; ++v)
      if (static_cast<Ask>(view.ask[v]) != Ask::leaf &&
          (view.missing[v] == kEveryChild || categories_of(view, v) >= kMissing))
        return false;
    return true;
  }

  // -------------------------------------------------------------------------------- the open group

  // Adds the thresholds of a tree to the group, unless there would be too many of them.
  bool join(const TreeView& view) {
    std::vector<Cut> fresh, joined;
    for (size_t v = 0; v < view.n; ++v)
      if (static_cast<Ask>(view.ask[v]) == Ask::threshold && categories_of(view, v) == 0)
        fresh.push_back({static_cast<uint32_t>(view.feature[v]), view.threshold[v]});
    std::sort(fresh.begin(), fresh.end());
    fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end());
    joined.reserve(cuts_.size() + fresh.size());
    std::set_union(cuts_.begin(), cuts_.end(), fresh.begin(), fresh.end(),
                   std::back_inserter(joined));
    for (size_t k = kMostCuts; k < joined.size(); ++k)
      if (joined[k].feature == joined[k - kMostCuts].feature) return false;
    cuts_ = std::move(joined);
    return true;
  }

  // How many of the group's thresholds of a feature lie below this one.
  Code place(uint32_t feature, double threshold) const {
    const Cut cut{feature, threshold};
    return static_cast<Code>(std::lower_bound(cuts_.begin(), cuts_.end(), cut) -
                             first_cut(feature));
  }

  // Columns of codes, as the place of their first: missing is 0, or kMissing, or a category.
  uint32_t low_column(uint32_t feature) { return open_.coded[coded_of(feature)].low; }
  uint32_t high_column(uint32_t feature) {
    const size_t k = coded_of(feature);
    if (open_.coded[k].high == kNone) open_.coded[k].high = open_.add(k);
    return open_.coded[k].high;
  }
  uint32_t category_column(uint32_t feature, size_t category) {
    const size_t k = coded_of(feature);
    for (const auto& [known, at] : open_.coded[k].as_category)
      if (known == category) return at;
    open_.coded[k].as_category.emplace_back(static_cast<Code>(category), open_.add(k));
    return open_.coded[k].as_category.back().second;
  }
  // Which of the group's features a column belongs to.
  uint32_t owner(uint32_t column) const { return open_.owner[column / kTogether]; }

  // How many steps it takes to code a row.
  size_t steps() const {
    size_t steps = 0;
    for (size_t k = 0, first = 0; k < cuts_.size(); ++k)
      if (k + 1 == cuts_.size() || cuts_[k + 1].feature != cuts_[k].feature) {
        steps += static_cast<size_t>(std::bit_width(k + 1 - first));
        first = k + 1;
      }
    return steps;
  }

  uint32_t n_groups() const { return static_cast<uint32_t>(groups_.size()); }

  // Ends the group, which gets the number that n_groups was.
  void close() {
    for (Coded& coded : open_.coded) {
      arrange(coded);
      coded_of_[coded.feature] = kNone;
    }
    groups_.push_back(std::move(open_));
    open_ = {};
    cuts_.clear();
  }

  // ------------------------------------------------------------------------------------------ rows

  // Which features of each group are to be coded.
  using Wanted = std::vector<std::vector<uint8_t>>;
  void want(uint32_t group, const std::vector<uint32_t>& features, Wanted& wanted) const {
    if (wanted.size() <= group) wanted.resize(group + 1);
    wanted[group].resize(groups_[group].coded.size(), 0);
    for (uint32_t k : features) wanted[group][k] = 1;
  }

  // A block of rows, coded for one group after another.
  class Rows {
   public:
    Rows(const Codes& codes, const Wanted& wanted, const Cells& cells, size_t begin, size_t n)
        : codes_(codes), wanted_(wanted), cells_(cells), begin_(begin), n_(n), bytes_(0) {}

    size_t size() const { return n_; }

    // The codes of rows i, ..., i + kTogether - 1, where i is a multiple of kTogether; those beyond
    // the last row are codes too.
    const Code* part(uint32_t group, size_t i) {
      if (group != group_) code(group);
      return at(i, codes_.groups_[group].size);
    }

   private:
    void code(uint32_t number) {
      const Group& group = codes_.groups_[number];
      bytes_ = AlignedBytes(group.size * ((n_ + kTogether - 1) / kTogether) * sizeof(Code));
      for (size_t i = 0; i < n_; i += kTogether)
        for (size_t k = 0; k < group.coded.size(); ++k)
          if (wanted_[number][k])
            codes_.code(cells_, group.coded[k], begin_ + i, std::min(kTogether, n_ - i),
                        at(i, group.size));
      group_ = number;
    }
    Code* at(size_t i, size_t size) const {
      return reinterpret_cast<Code*>(bytes_.get()) + i / kTogether * size;
    }

    const Codes& codes_;
    const Wanted& wanted_;
    const Cells& cells_;
    size_t begin_, n_;
    uint32_t group_ = kNone;
    AlignedBytes bytes_;
  };

 private:
  static constexpr size_t kMostCuts = kMissing - 1;

  struct Cut {
    uint32_t feature;
    double at;
    bool operator<(const Cut& other) const {
      return feature != other.feature ? feature < other.feature : at < other.at;
    }
    bool operator==(const Cut& other) const { return feature == other.feature && at == other.at; }
  };
  struct Coded {
    uint32_t feature = 0;
    uint32_t low = kNone, high = kNone;
    std::vector<std::pair<Code, uint32_t>> as_category;
    int steps = 0;
    std::vector<double> cuts;     // in the order of a search
    std::vector<float> cuts_f32;  // rounded down: no single lies between a cut and its rounding
    std::vector<float> near;      // the nearest singles, or none where two are the same
  };
  struct Group {
    std::vector<Coded> coded;
    std::vector<uint32_t> owner;  // which of them each column belongs to
    size_t size = 0;              // codes in all columns, for kTogether rows
    uint32_t add(size_t which) {
      owner.push_back(static_cast<uint32_t>(which));
      size += kTogether;
      return static_cast<uint32_t>(size - kTogether);
    }
  };

  uint32_t categories_of(const TreeView& view, size_t v) const {
    return n_categories_[static_cast<size_t>(view.feature[v])];
  }

  typename std::vector<Cut>::const_iterator first_cut(uint32_t feature) const {
    return std::lower_bound(cuts_.begin(), cuts_.end(), Cut{feature, -HUGE_VAL});
  }

  size_t coded_of(uint32_t feature) {
    uint32_t& which = coded_of_[feature];
    if (which == kNone) {
      which = static_cast<uint32_t>(open_.coded.size());
      open_.coded.emplace_back();
      open_.coded.back().feature = feature;
      if (n_categories_[feature] == 0) open_.coded.back().low = open_.add(which);
    }
    return which;
  }

  static float rounded_down(double cut) {
    const auto near = static_cast<float>(cut);  // beyond the range of singles it is infinite
    return static_cast<double>(near) > cut
               ? std::nextafter(near, -std::numeric_limits<float>::infinity())
               : near;
  }

  // Cuts in the order of a search: the middle, then the middles of both halves, ...
  void arrange(Coded& coded) const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    std::vector<double> cuts;
    for (auto at = first_cut(coded.feature); at != cuts_.end() && at->feature == coded.feature;
         ++at)
      cuts.push_back(at->at);
    while ((size_t{1} << coded.steps) - 1 < cuts.size()) ++coded.steps;
    const size_t size = (size_t{1} << coded.steps) - 1;
    for (int step = 0; step < coded.steps; ++step) {
      const size_t half = size_t{1} << (coded.steps - step - 1);
      for (size_t at = half - 1; at < size; at += 2 * half)
        coded.cuts.push_back(at < cuts.size() ? cuts[at] : kInfinity);
    }
    bool apart = true;
    for (size_t k = 1; k < cuts.size(); ++k)
      apart = apart && static_cast<float>(cuts[k - 1]) < static_cast<float>(cuts[k]);
    for (double cut : coded.cuts) {
      coded.cuts_f32.push_back(rounded_down(cut));
      if (apart) coded.near.push_back(static_cast<float>(cut));
    }
    coded.cuts.resize(size + 31, kInfinity);
    coded.cuts_f32.resize(size + 31, static_cast<float>(kInfinity));
    if (apart) coded.near.resize(size + 31, static_cast<float>(kInfinity));
  }

  // The codes of one feature for n <= kTogether rows.
  void code(const Cells& cells, const Coded& coded, size_t begin, size_t n, Code* codes) const {
    const size_t j = coded.feature;
    Code* high = coded.high == kNone ? nullptr : codes + coded.high;
    if (n_categories_[j] > 0) {
      if (high != nullptr) code_categories(cells, j, begin, n, kMissing, high);
      for (const auto& [category, at] : coded.as_category)
        code_categories(cells, j, begin, n, category, codes + at);
    } else if (cells.single()) {
      alignas(64) float x[kTogether];
      cells.singles(j, begin, n, x);
      std::fill(x + n, x + kTogether, 0.0f);
      const auto kernel = pick(hot().codes_f32, hot().wide_codes_f32);
      kernel(x, kTogether, coded.cuts_f32.data(), coded.steps, codes + coded.low, high);
    } else {
      alignas(64) double x[kTogether];
      cells.numbers(j, begin, n, x, 1);
      std::fill(x + n, x + kTogether, 0.0);
      const auto kernel = pick(hot().codes, hot().wide_codes);
      kernel(x, kTogether, coded.cuts.data(), coded.near.empty() ? nullptr : coded.near.data(),
             coded.steps, codes + coded.low, high);
    }
  }

  void code_categories(const Cells& cells, size_t j, size_t begin, size_t n, uint32_t missing,
                       Code* code) const {
    const int32_t* category = cells.categories(j) + begin;
    const uint32_t n_categories = n_categories_[j];
    for (size_t i = 0; i < n; ++i) {
      const auto found = static_cast<uint32_t>(category[i]);
      code[i] = static_cast<Code>(found < n_categories ? found : missing);
    }
    std::fill_n(code + n, kTogether - n, Code{0});
  }

  // The kernel for codes of this size.
  template <class Narrow, class Wide>
  static auto pick(Narrow narrow, Wide wide) {
    if constexpr (sizeof(Code) == 1) {
      (void)wide;
      return narrow;
    } else {
      (void)narrow;
      return wide;
    }
  }

  std::vector<uint32_t> n_categories_;
  std::vector<uint32_t> coded_of_;  // by feature, in the open group
  std::vector<Group> groups_;
  Group open_;
  std::vector<Cut> cuts_;  // of the open group
};

}  // namespace weaklearn
