// Coarse bins opened over all partitions of the rows, for examples of many labels.
//
// As joint_bins.hpp does for signed weights: a bin that may hold the best cut is divided in a few
// parts, the same in every partition, whose sums over all of them bound the cuts inside. Parts that
// may still hold the best are divided again where they hold many values, and listed, value by value
// with its sums, where they hold few.
//
// Cost: the rows of the bins opened, times labels; over the network 16 bytes a label and part, or
// value listed, and 8.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/columns/number_keys.hpp"
#include "weaklearn/hot/aligned.hpp"
#include "weaklearn/labels/label_costs.hpp"
#include "weaklearn/labels/label_weights.hpp"
#include "weaklearn/partitions/collective.hpp"
#include "weaklearn/threads/pool.hpp"

namespace weaklearn {

// A cut inside a bin: the sums of the column's rows below it, the values beside it, and its cost.
struct JointLabelCut {
  size_t column;
  uint32_t code;
  double left, right;
  double cost;
  Aligned<int64_t> below;
};

class JointLabelBins {
 public:
  JointLabelBins(const Columns& columns, const Collective& all) : columns_(columns), all_(all) {}

  // Finds the cuts inside bins of the scanned columns that cost no more than `best` and what is
  // tied with it, and lowers it; best_of are the least costs of all columns.
  void open(const LabelWeights& weights, const LabelCosts& costs,
            const std::vector<LabelScan>& scans, double tied, int threads, double& best,
            std::vector<double>& best_of) {
    weights_ = &weights;
    costs_ = &costs;
    k_ = weights.n_labels();
    stride_ = weights.stride();
    cuts_.clear();
    std::vector<Range> live = bins_that_may_hold(scans, best + tied), listed;
    const Bar bar{tied, best, best_of};
    for (size_t n_parts = kFirstParts; !live.empty(); n_parts = kLaterParts)
      live = divided(scans, live, n_parts, threads, bar, listed);
    list(scans, listed, bar);
  }

  // The cuts found, by column and code, in ascending order.
  const std::vector<JointLabelCut>& cuts() const { return cuts_; }

  // The place of the first cut of a bin, or of a later one, among the cuts.
  size_t first_cut(size_t column, uint32_t code) const {
    const auto before = [](const JointLabelCut& cut, const std::pair<size_t, uint32_t>& bin) {
      return std::pair{cut.column, cut.code} < bin;
    };
    return static_cast<size_t>(
        std::lower_bound(cuts_.begin(), cuts_.end(), std::pair{column, code}, before) -
        cuts_.begin());
  }

 private:
  static constexpr size_t kFirstParts = 16, kLaterParts = 255;
  static constexpr int64_t kFewValues = 128;  // that are listed rather than divided

  using Sums = Aligned<int64_t>;  // stride of labels that hold, as many of those that do not

  // Some neighbouring values of a bin, from one key to another, both included.
  struct Range {
    size_t scan;
    uint32_t code;
    uint64_t low, high;
    uint32_t first, last;  // the rows at hand, by their places in the column's order
    Sums below;            // of the column's rows below it, of all partitions
    int64_t values = 0;    // how many distinct ones partitions have, added up
    int64_t rank = 0;      // the same of the values of the bin below it
  };

  struct Bar {
    double tied;
    double& best;
    std::vector<double>& best_of;
    void meet(size_t j, double cost) const {
      best = std::min(best, cost);
      best_of[j] = std::min(best_of[j], cost);
    }
    bool reached(double cost) const { return cost <= best + tied; }
  };

  std::vector<Range> bins_that_may_hold(const std::vector<LabelScan>& scans, double bar) const {
    std::vector<Range> live;
    double bound[256];
    for (size_t s = 0; s < scans.size(); ++s) {
      const LabelScan& scan = scans[s];
      const Column& column = scan.column;
      if (column.n_codes == 0) continue;
      costs_->bounds(scan, scan.table, column.n_codes, bound);
      Sums below(2 * stride_, 0);
      for (uint32_t c = 0; c < column.n_codes; ++c) {
        if (bound[c] <= bar && column.least(c) < column.greatest(c))
          live.push_back({s, c, coding::key_of(column.least(c)), coding::key_of(column.greatest(c)),
                          column.bin_start[c], column.bin_start[c + 1], below});
        add(below, scan.table + c * 2 * stride_);
      }
    }
    return live;
  }

  void add(Sums& sums, const int64_t* more) const {
    for (size_t l = 0; l < 2 * stride_; ++l) sums[l] += more[l];
  }

  static uint64_t step_of(const Range& range, size_t n_parts) {
    return (range.high - range.low) / n_parts + 1;
  }

  // Adds a row to k sums of labels that hold, followed by k of those that do not.
  void add_row(size_t i, int64_t* sums) const {
    for (size_t l = 0; l < k_; ++l) {
      const int64_t v = weights_->value(i, l);
      sums[v > 0 ? l : k_ + l] += std::abs(v);
    }
  }
  // Such sums, laid out as tables are.
  Sums spread(const int64_t* sums) const {
    Sums wide(2 * stride_, 0);
    std::copy_n(sums, k_, wide.begin());
    std::copy_n(sums + k_, k_, wide.begin() + static_cast<ptrdiff_t>(stride_));
    return wide;
  }

  // Of the parts of all ranges, one after another, the sums and how many values they have, added
  // up over partitions.
  std::vector<int64_t> parts_of(const std::vector<LabelScan>& scans,
                                const std::vector<Range>& ranges, size_t n_parts,
                                int threads) const {
    const size_t n = 2 * k_ + 1;
    std::vector<int64_t> found(ranges.size() * n_parts * n);
    Pool::instance().run(ranges.size(), threads_for(64 * found.size(), threads), [&](size_t t) {
      const Range& range = ranges[t];
      const Column& column = scans[range.scan].column;
      const uint64_t step = step_of(range, n_parts);
      int64_t* part = nullptr;
      for (uint32_t p = range.first; p < range.last; ++p) {
        if ((column.order[p] & kNewValue) || part == nullptr) {
          const size_t at = (coding::key_of(column.sorted(p)) - range.low) / step;
          part = &found[(t * n_parts + at) * n];
          ++part[2 * k_];
        }
        add_row(column.order[p] & kRowMask, part);
      }
    });
    all_.sum(found.data(), found.size());
    return found;
  }

  // The parts of ranges that may still hold the best and are to be divided again; those of few
  // values join `listed`.
  std::vector<Range> divided(const std::vector<LabelScan>& scans, const std::vector<Range>& ranges,
                             size_t n_parts, int threads, const Bar& bar,
                             std::vector<Range>& listed) const {
    const size_t n = 2 * k_ + 1;
    const std::vector<int64_t> found = parts_of(scans, ranges, n_parts, threads);
    const auto part = [&](size_t t, size_t p) { return &found[(t * n_parts + p) * n]; };
    for (size_t t = 0; t < ranges.size(); ++t) {  // the cuts between parts
      const LabelScan& scan = scans[ranges[t].scan];
      Sums below = ranges[t].below;
      int64_t left = 0, all = 0;
      for (size_t p = 0; p < n_parts; ++p) all += part(t, p)[2 * k_];
      for (size_t p = 0; p < n_parts; ++p) {
        add(below, spread(part(t, p)).data());
        left += part(t, p)[2 * k_];
        if (part(t, p)[2 * k_] > 0 && left < all)
          bar.meet(scan.feature, costs_->cost_of_two(scan, below.data()));
      }
    }
    std::vector<Range> live;
    std::vector<double> bound(n_parts + 1);
    for (size_t t = 0; t < ranges.size(); ++t) {
      const LabelScan& scan = scans[ranges[t].scan];
      Sums table = ranges[t].below;  // what lies below is the first slot
      for (size_t p = 0; p < n_parts; ++p) {
        const Sums sums = spread(part(t, p));
        table.insert(table.end(), sums.begin(), sums.end());
      }
      costs_->bounds(scan, table.data(), n_parts + 1, bound.data());
      Range next = ranges[t];
      const uint64_t step = step_of(ranges[t], n_parts);
      for (size_t p = 0; p < n_parts; ++p) {
        next.values = part(t, p)[2 * k_];
        next.low = ranges[t].low + p * step;
        next.high = std::min(ranges[t].high, next.low + (step - 1));
        if (next.values > 0 && bar.reached(bound[p + 1])) {
          next.first = place_of(scan.column, ranges[t], next.low);
          next.last = next.high < ranges[t].high ? place_of(scan.column, ranges[t], next.high + 1)
                                                 : ranges[t].last;
          (next.values <= kFewValues ? listed : live).push_back(next);
        }
        add(next.below, &table[(p + 1) * 2 * stride_]);
        next.rank += next.values;
      }
    }
    return live;
  }

  // The first place of a range's rows at hand whose value has at least this key.
  static uint32_t place_of(const Column& column, const Range& range, uint64_t key) {
    uint32_t first = range.first, last = range.last;
    while (first < last) {
      const uint32_t middle = first + (last - first) / 2;
      if (coding::key_of(column.sorted(middle)) < key)
        first = middle + 1;
      else
        last = middle;
    }
    return first;
  }

  // Looks at every cut inside the ranges, and at those between neighbours among them.
  void list(const std::vector<LabelScan>& scans, std::vector<Range>& ranges, const Bar& bar) {
    if (ranges.empty()) return;
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
      if (a.scan != b.scan) return a.scan < b.scan;
      return a.code != b.code ? a.code < b.code : a.low < b.low;
    });
    const std::vector<std::vector<int64_t>> lists = values_of(scans, ranges);
    std::vector<size_t> at(lists.size(), 0);
    const size_t n = 2 * k_ + 1;
    std::vector<std::pair<uint64_t, const int64_t*>> values;
    uint64_t previous = 0;
    for (size_t t = 0; t < ranges.size(); ++t) {
      const Range& range = ranges[t];
      const LabelScan& scan = scans[range.scan];
      values.clear();
      for (size_t each = 0; each < lists.size(); ++each) {
        const int64_t* entry = &lists[each][at[each]];
        const auto here = static_cast<size_t>(*entry++);
        at[each] += 1 + here * n;
        for (size_t v = 0; v < here; ++v, entry += n)
          values.push_back({static_cast<uint64_t>(*entry), entry + 1});
      }
      std::sort(values.begin(), values.end(),
                [](const auto& a, const auto& b) { return a.first < b.first; });
      const bool follows = t > 0 && ranges[t - 1].scan == range.scan &&
                           ranges[t - 1].code == range.code &&
                           ranges[t - 1].rank + ranges[t - 1].values == range.rank;
      Sums below = range.below;
      for (size_t v = 0; v < values.size(); ++v) {
        if (v > 0 ? values[v].first != previous : follows) {
          const double cost = costs_->cost_of_two(scan, below.data());
          bar.meet(scan.feature, cost);
          if (bar.reached(cost))
            cuts_.push_back({scan.feature, range.code, coding::value_of(previous),
                             coding::value_of(values[v].first), cost, below});
        }
        add(below, spread(values[v].second).data());
        previous = values[v].first;
      }
    }
  }

  // The distinct values of ranges with their sums, of every partition: how many a range has, then
  // a key and its sums each.
  std::vector<std::vector<int64_t>> values_of(const std::vector<LabelScan>& scans,
                                              const std::vector<Range>& ranges) const {
    std::vector<int64_t> own;
    for (const Range& range : ranges) {
      const Column& column = scans[range.scan].column;
      const size_t head = own.size();
      own.push_back(0);
      for (uint32_t p = range.first; p < range.last; ++p) {
        if ((column.order[p] & kNewValue) || p == range.first) {
          ++own[head];
          own.push_back(static_cast<int64_t>(coding::key_of(column.sorted(p))));
          own.resize(own.size() + 2 * k_, 0);
        }
        add_row(column.order[p] & kRowMask, &own[own.size() - 2 * k_]);
      }
    }
    return all_.gather(own.data(), own.size());
  }

  const Columns& columns_;
  const Collective& all_;
  const LabelWeights* weights_ = nullptr;
  const LabelCosts* costs_ = nullptr;
  size_t k_ = 0, stride_ = 0;
  std::vector<JointLabelCut> cuts_;
};

}  // namespace weaklearn
