// The tests of a column at a node of two classes, or of numbers.
//
// The codes that occur (pair_groups.hpp) are walked in order with the sums before each; categories
// of a categorical column are put in order of their rate first. Thresholds inside a coarse code are
// looked at only where they may win: merits are convex, so that the best cut within a bin is
// bounded by its corners, all rows of one kind before all of the other.
//
// Cost: O(codes that occur), and O(rows log rows) of the bins that are opened.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "weaklearn/tree/best_split.hpp"
#include "weaklearn/tree/chance.hpp"
#include "weaklearn/tree/code_counts.hpp"
#include "weaklearn/tree/node.hpp"
#include "weaklearn/tree/pair_groups.hpp"
#include "weaklearn/tree/value_order.hpp"

namespace weaklearn {

class PairSplitScan : private PairGroups {
 public:
  PairSplitScan(const Node& node, BestSplit& best_split, ValueOrder& order, CodeCounts& counts)
      : PairGroups(node, counts), best_split_(best_split), order_(order) {}

  // Offers the tests of column j.
  void look(uint32_t j, const PairTable& table) {
    with(node_.settings.criterion, [&]<Criterion c>() {
      if (simple(j, table))
        look_at_simple<c>(j, table);
      else
        look_at_all<c>(j, table);
    });
  }

 private:
  // ---- cuts, and nothing but cuts

  // The common case: cuts of a column of numbers, none of them missing here.
  bool simple(uint32_t j, const PairTable& table) const {
    const Column& column = node_.data.column(j);
    return !column.categorical && node_.data.ranks(j) == nullptr &&
           node_.settings.monotonic.empty() && node_.settings.criterion != Criterion::poisson &&
           (!column.has_missing || none(table, column.n_codes));
  }
  template <Criterion c>
  void look_at_simple(uint32_t j, const PairTable& table) {
    const Column& column = node_.data.column(j);
    Walk walk;
    if (table.packed != nullptr)
      walk_packed(column, table, walk);
    else
      walk_pairs(column, table, walk);
    if (walk.n < 2) return;
    const uint32_t n = walk.n - 1;
    yard_ = {node_.sum.mean(), node_.zero(), node_.logs};
    base_ = merit<c>(node_.sum);
    double gain[256];
    pair_merits<c>(n, walk.lw, walk.la, walk.rw, walk.ra, yard_, gain);
    for (uint32_t i = 0; i < n; ++i) gain[i] -= base_;
    groups_.missing = {0, 0};
    const auto sides = [&](uint32_t i) {
      const Pair left{static_cast<int64_t>(walk.lw[i]), static_cast<int64_t>(walk.la[i])};
      const Pair right{static_cast<int64_t>(walk.rw[i]), static_cast<int64_t>(walk.ra[i])};
      return Sides{left, right, left.w, right.w};
    };
    const double tie = best_split_.tie();
    const double most = best_allowed(gain, n, node_, tie, [&](size_t i) {
      const Sides s = sides(static_cast<uint32_t>(i));
      if (!node_.counting()) return allowed(j, s);
      return node_.heavy(s.left.w) && node_.heavy(s.right.w) &&
             counts_.enough_beside(j, walk.code[i]);
    });
    if (!(most >= best_split_.bar())) return;
    for (uint32_t i = 0; i < n; ++i) {
      if (gain[i] < most - tie) continue;
      if (Candidate* found = offer(gain[i], j, place_after(walk.code[i]), -1, sides(i))) {
        found->low = walk.code[i];
        found->high = walk.code[i + 1];
      }
    }
  }

  // ---- every kind of test

  template <Criterion c>
  void look_at_all(uint32_t j, const PairTable& table) {
    read(j, table);
    Groups& g = groups_;
    const bool opens = node_.data.ranks(j) != nullptr;  // one code may hold many values
    if (g.n == 0 || (g.n + g.has_missing() < 2 && !opens)) return;
    const bool fraction = node_.settings.missing == MissingTest::fraction;
    const Pair parted = fraction ? g.known : node_.sum;
    yard_ = {parted.mean(), node_.zero(), node_.logs};
    base_ = merit<c>(parted);
    const Column& column = node_.data.column(j);
    const CategorySplit categories = node_.settings.categorical;
    if (column.categorical && categories == CategorySplit::multiway) {
      offer_categories<c>(j);
    } else if (column.categorical &&
               (categories == CategorySplit::equality || node_.data.n_classes() > 2)) {
      each_side([&](int side) { offer_equality<c>(j, side); });
    } else {
      if (column.categorical) sort_by_rate();
      const double toll = column.categorical ? toll_of_categories<c>() : 0.0;
      each_side([&](int side) { offer_cuts<c>(j, side, toll); });
      if (opens) open_bins<c>(j);
    }
    if (g.has_missing() && !fraction) offer_known<c>(j);
  }

  template <Criterion c>
  double merit(Pair p) const {
    return p.w > 0 ? pair_merit<c>(static_cast<double>(p.w), static_cast<double>(p.a), yard_) : 0.0;
  }

  bool allowed(uint32_t j, const Sides& s) const {
    if (!node_.enough(s.left.w, s.left_count) || !node_.enough(s.right.w, s.right_count))
      return false;
    if (!has_rate(s.left) || !has_rate(s.right) || (branches() && !has_rate(groups_.missing)))
      return false;
    if (node_.settings.monotonic.empty()) return true;
    const double rise = (s.right.mean() - s.left.mean()) * node_.settings.monotonic[j];
    return rise >= 0 && best_split_.within(s.left) && best_split_.within(s.right) &&
           (!branches() || best_split_.within(groups_.missing));
  }

  // By Poisson's criterion a block without an event is refused.
  bool has_rate(const Pair& block) const {
    return node_.settings.criterion != Criterion::poisson || node_.has_rate(block);
  }

  template <Criterion c>
  double gain_of(const Sides& s) const {
    const double gain =
        pair_merits<c>(static_cast<double>(s.left.w), static_cast<double>(s.left.a),
                       static_cast<double>(s.right.w), static_cast<double>(s.right.a), yard_) -
        base_;
    return branches() ? gain + merit<c>(groups_.missing) : gain;
  }

  // Offers a test with two sides that is allowed; gives room for the rest where it may be chosen.
  Candidate* offer(double gain, uint32_t j, uint64_t place, int side, const Sides& s) {
    Candidate* found = best_split_.offer(gain, j, 2 * place + (side == 1));
    if (found == nullptr) return nullptr;
    found->ask = Ask::threshold;
    found->missing = side >= 0 ? static_cast<uint32_t>(side) : 2;
    found->heaviest = node_.heavier(s.right.w, s.left.w);
    found->low_value = s.left.mean();
    found->high_value = s.right.mean();
    found->parts[0] = static_cast<double>(s.left.w);
    found->parts[1] = static_cast<double>(s.right.w);
    if (side < 0) found->parts[2] = static_cast<double>(groups_.missing.w);
    return found;
  }

  // Every cut between neighbours; what it gains by chance is taken off.
  template <Criterion c>
  void offer_cuts(uint32_t j, int side, double toll) {
    const Groups& g = groups_;
    if (g.n < 2) return;
    const uint32_t n = g.n - 1;
    double lw[256], la[256], rw[256], ra[256], gain[256];
    Pair left{0, 0};
    for (uint32_t i = 0; i < n; ++i) {
      left += g.sum[i];
      const Sides s = sides_from(left, 0, side);
      lw[i] = static_cast<double>(s.left.w);
      la[i] = static_cast<double>(s.left.a);
      rw[i] = static_cast<double>(s.right.w);
      ra[i] = static_cast<double>(s.right.a);
    }
    pair_merits<c>(n, lw, la, rw, ra, yard_, gain);
    const double more = (branches() ? merit<c>(g.missing) : 0.0) - toll;
    const bool free =
        node_.sure_margin(n) == 0 && node_.settings.monotonic.empty() && c != Criterion::poisson;
    double most = -std::numeric_limits<double>::infinity();
    left = {0, 0};
    int64_t before = 0;
    for (uint32_t i = 0; i < n; ++i) {
      gain[i] = gain[i] - base_ + more;
      left += g.sum[i];
      before += g.count[i];
      if (!free && !allowed(j, sides_from(left, before, side)))
        gain[i] = -std::numeric_limits<double>::infinity();
      most = std::max(most, gain[i]);
    }
    if (!(most >= best_split_.bar())) return;
    const double bar = most - best_split_.tie();
    left = {0, 0};
    int64_t count = 0;
    for (uint32_t i = 0; i < n; ++i) {
      left += g.sum[i];
      count += g.count[i];
      if (gain[i] >= bar) offer_cut(j, side, i, gain[i], sides_from(left, count, side));
    }
  }

  void offer_cut(uint32_t j, int side, uint32_t i, double gain, const Sides& s) {
    const Groups& g = groups_;
    const bool categorical = node_.data.column(j).categorical;
    Candidate* found = offer(gain, j, categorical ? i : place_after(g.code[i]), side, s);
    if (found == nullptr) return;
    if (!categorical) {
      found->low = g.code[i];
      found->high = g.code[i + 1];
      return;
    }
    found->ask = Ask::subset;
    for (uint32_t k = i + 1; k < g.n; ++k) found->set.add(g.code[k]);
    if (found->heaviest == 1) add_absent(j, found->set);
  }

  template <Criterion c>
  void offer_equality(uint32_t j, int side) {
    const Groups& g = groups_;
    if (g.n < 2) return;
    for (uint32_t i = 0; i < g.n; ++i) {
      const Pair rest{g.known.w - g.sum[i].w, g.known.a - g.sum[i].a};
      const Sides s = sides_from(rest, g.known_count - g.count[i], side);
      if (!allowed(j, s)) continue;
      Candidate* found = offer(gain_of<c>(s), j, g.code[i], side, s);
      if (found == nullptr) continue;
      found->ask = Ask::subset;
      found->set.add(g.code[i]);
    }
  }

  // One child per category; missing rows join the heaviest, or have a child of their own.
  template <Criterion c>
  void offer_categories(uint32_t j) {
    const Groups& g = groups_;
    if (g.n < 2 && !branches()) return;
    uint32_t heaviest = 0;
    for (uint32_t i = 1; i < g.n; ++i)
      if (node_.heavier(g.sum[i].w, g.sum[heaviest].w)) heaviest = i;
    const bool joins = node_.settings.missing == MissingTest::side && g.has_missing();
    const bool bounded = !node_.settings.monotonic.empty();
    if (bounded && branches() && !best_split_.within(g.missing)) return;
    if (branches() && !has_rate(g.missing)) return;
    double gain = -base_ + (branches() ? merit<c>(g.missing) : 0.0);
    double weights[257];
    int full = branches() && node_.enough(g.missing.w, g.missing_count);
    for (uint32_t i = 0; i < g.n; ++i) {
      Pair sum = g.sum[i];
      int64_t count = g.count[i];
      if (joins && i == heaviest) sum += g.missing, count += g.missing_count;
      gain += merit<c>(sum);
      full += node_.enough(sum.w, count);
      weights[i] = static_cast<double>(sum.w);
      if ((bounded && !best_split_.within(sum)) || !has_rate(sum)) return;
    }
    weights[g.n] = joins ? 0.0 : static_cast<double>(g.missing.w);
    if (full < 2) return;
    Candidate* found = best_split_.offer(gain, j, 0);
    if (found == nullptr) return;
    found->ask = Ask::multiway;
    found->heaviest = g.code[heaviest];
    found->missing = joins ? found->heaviest : node_.data.column(j).n_codes;
    if (best_split_.by_ratio())
      found->information = split_information(weights, g.n + 1, static_cast<double>(node_.sum.w));
  }

  // Known on one side, missing on the other.
  template <Criterion c>
  void offer_known(uint32_t j) {
    const Groups& g = groups_;
    const Sides s{g.known, g.missing, g.known_count, g.missing_count};
    const double gain = gain_of<c>(s) - (branches() ? merit<c>(s.right) : 0.0);
    if (!allowed(j, s)) return;
    if (Candidate* found = offer(gain, j, kLastPlace, 1, s)) found->known = true;
  }

  template <Criterion c>
  double toll_of_categories() const {
    const double k = groups_.n, n = std::max(node_.n_drawn(), 2.0);
    const double times = node_.settings.category_noise *
                         chance_of_categories(k, static_cast<double>(node_.count) / k);
    if (!(times > 0)) return 0;
    if constexpr (c == Criterion::squared_error) return times * node_.scatter / (n - 1);
    if constexpr (c == Criterion::poisson)  // half the curvature of s ln s times the variance
      return times * node_.scatter / (n - 1) / (2 * (node_.sum.mean() - node_.zero()));
    const double w = static_cast<double>(node_.sum.w) / (n - 1);  // of one example
    return times * w * chance_of_category<c>(node_.sum.mean(), std::max(n / k, 1.0));
  }

  // ---- cuts inside coarse codes

  // Whether a cut inside a bin, before which the sum is `left`, may be chosen.
  template <Criterion c>
  bool may_hold(const Pair& left, const Pair& bin, int side) const {
    const double low = node_.lowest(), high = node_.highest();
    const double w = static_cast<double>(bin.w);
    const double above = std::clamp((static_cast<double>(bin.a) - low * w) / (high - low), 0.0, w);
    const Sides s = sides_from(left, 0, side);
    double most = -std::numeric_limits<double>::infinity();
    for (const auto& [cw, ca] : {std::pair{above, high * above}, {w - above, low * (w - above)}}) {
      const double lw = static_cast<double>(s.left.w) + cw;
      const double rw = static_cast<double>(s.right.w) - cw;
      const double la = static_cast<double>(s.left.a) + ca;
      const double ra = static_cast<double>(s.right.a) - ca;
      const double worth = (lw > 0.5 ? pair_merit<c>(lw, corner<c>(la, lw), yard_) : 0) +
                           (rw > 0.5 ? pair_merit<c>(rw, corner<c>(ra, rw), yard_) : 0);
      most = std::max(most, worth);
    }
    const double gain = most - base_ + (branches() ? merit<c>(groups_.missing) : 0.0);
    const double doubt = 1e-9 * (std::abs(base_) + best_split_.tie() / kTied);
    return gain + doubt >= best_split_.bar();
  }
  template <Criterion c>
  static double corner(double a, double w) {  // shares stay between 0 and 1 whatever the rounding
    return is_of_numbers(c) ? a : std::clamp(a, 0.0, w);
  }

  template <Criterion c>
  void open_bins(uint32_t j) {
    const Groups& g = groups_;
    const Column& column = node_.data.column(j);
    bool open[256] = {};
    bool any = false;
    each_side([&](int side) {
      Pair left{0, 0};
      for (uint32_t i = 0; i < g.n; ++i) {
        const uint32_t code = g.code[i];
        if (column.bin_start[code + 1] - column.bin_start[code] > 1 &&
            may_hold<c>(left, g.sum[i], side))
          any = open[code] = true;
        left += g.sum[i];
      }
    });
    if (!any) return;
    const std::vector<uint64_t>& rows = order_.list(j, open);
    each_side([&](int side) {
      Pair left{0, 0};
      int64_t count = 0;
      size_t at = 0;
      for (uint32_t i = 0; i < g.n; ++i) {
        if (open[g.code[i]]) at = walk_bin<c>(j, g.code[i], left, count, side, rows, at);
        left += g.sum[i];
        count += g.count[i];
      }
    });
  }

  // Cuts between the values of one bin, whose rows are listed from `at` on; gives its end.
  template <Criterion c>
  size_t walk_bin(uint32_t j, uint32_t code, Pair left, int64_t count, int side,
                  const std::vector<uint64_t>& rows, size_t at) {
    const uint8_t* codes = node_.data.codes(j);
    uint32_t before = 0;
    for (bool first = true; at < rows.size(); ++at, first = false) {
      const auto rank = static_cast<uint32_t>(rows[at] >> 32);
      const auto k = static_cast<size_t>(rows[at] & 0xffffffffu);
      if (codes[node_.rows[k]] != code) break;
      if (!first && rank != before) {
        const Sides s = sides_from(left, count, side);
        const double gain = gain_of<c>(s);
        const bool offered = gain >= best_split_.bar() && allowed(j, s);
        if (Candidate* found =
                offered ? offer(gain, j, place_inside(code, rank), side, s) : nullptr) {
          found->inner = true;
          found->code = code;
          found->low = before;
          found->high = rank;
        }
      }
      before = rank;
      const Pair p =
          node_.view == Node::View::packed ? unpacked(node_.packed_rows[k]) : node_.pair_rows[k];
      left += p;
      count += node_.counting() ? node_.counts[k] : p.w;
    }
    return at;
  }

  BestSplit& best_split_;
  ValueOrder& order_;
  Yardstick yard_;
  double base_ = 0;
};

}  // namespace weaklearn
