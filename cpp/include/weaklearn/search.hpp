// The search for the best test of a node.
//
// Rows of the node are summed by code, a batch of columns at a time, and the codes that occur are
// walked in order: a small node touches as many slots as it has rows, never a whole table. Of many
// classes only those present at the node are looked at. Sums are whole numbers, so that neither the
// order of rows nor the way of summing changes an answer.
//
// Thresholds inside a coarse code are looked at only where they may win: merits are convex, so that
// the best cut within a bin is bounded by its corners, all of one kind of row before the other.
//
// Cost: one addition a row and column asked, O(codes present) a column. Memory: O(rows of the
// root).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "weaklearn/bag.hpp"
#include "weaklearn/criterion.hpp"
#include "weaklearn/ground.hpp"
#include "weaklearn/rules.hpp"
#include "weaklearn/split.hpp"

namespace weaklearn {

class Search {
 public:
  Search(const Ground& ground, const Rules& rules, const WholeLogs& logs)
      : ground_(ground), rules_(rules), whole_logs_(logs), order_(ground.size()) {
    for (size_t j = 0; j < order_.size(); ++j) order_[j] = static_cast<uint32_t>(j);
    present_at_.assign(ground.n_classes(), 0);
    class_sum_.assign(ground.n_classes(), 0);
    tables_.assign(kBatch * 256, Pair{0, 0});
    packed_.assign(kBatch * 256, 0);
    counts_.assign(kBatch * 256, 0);
  }

  // A new tree.
  void begin(const Bag& bag, uint64_t key) {
    bag_ = &bag;
    key_ = key;
    plain_ = bag.plain() && rules_.missing != MissingTest::fraction;
    logs_ = plain_ ? &whole_logs_ : nullptr;
    shift_ = 0;
    if (bag.plain() && !plain_)  // whole copies are to be shared out
      while (static_cast<double>(bag.total) * std::ldexp(1.0, shift_ + 1) < 0x1p58) ++shift_;
    all_ = bag.total << shift_;
    int exponent = 0;
    std::frexp(static_cast<double>(std::max<int64_t>(all_, 1)), &exponent);
    scale_ = std::ldexp(1.0, 61 - exponent);
    least_ = rules_.min_weight * static_cast<double>(all_) * (1 - 1e-12);
    fill_rows();
    const size_t n = bag.rows.size();
    local_pair_.resize(n);
    local_packed_.resize(n);
    local_class_.resize(n);
    local_count_.resize(n);
  }

  // The weight of one copy of a row at the root, where rows carry weights of their own.
  int64_t own_weight(size_t row) const {
    return bag_->plain() ? int64_t{1} << shift_ : bag_->weight[row];
  }

  // Looks at the rows of a node; own: the weights of one copy of each, or null for the bag's.
  void enter(const uint32_t* rows, size_t n, const int64_t* own) {
    rows_ = rows;
    n_ = n;
    own_ = own;
    if (ground_.n_classes() > 2)
      enter_classes();
    else if (packed_rows())
      enter_packed();
    else
      enter_pairs();
  }

  int64_t weight() const { return node_.w; }
  int64_t all() const { return all_; }
  int64_t count() const { return count_; }
  bool pure() const { return pure_; }

  // What the node answers: class shares, or the mean. Gives the class of a pure node, else -1.
  int32_t answer(double* out) const {
    const size_t k = ground_.n_classes();
    if (k == 0) {
      const double mean = static_cast<double>(node_.a) / static_cast<double>(node_.w) / scale_;
      out[0] = pure_ ? lowest_number_ * ground_.reach() + ground_.middle()
                     : mean * ground_.reach() + ground_.middle();
      return -1;
    }
    std::fill(out, out + k, 0.0);
    const double w = static_cast<double>(node_.w);
    if (k <= 2) {
      if (k == 2) out[1] = static_cast<double>(node_.a) / w;
      out[0] = static_cast<double>(node_.w - node_.a) / w;
      return !pure_ ? -1 : node_.a > 0 ? 1 : 0;
    }
    for (uint32_t c : present_) out[c] = static_cast<double>(class_sum_[c]) / w;
    return pure_ ? static_cast<int32_t>(present_[0]) : -1;
  }

  // One unit of gain in examples times the criterion (times squared numbers).
  double gain_unit() const {
    const double unit = ground_.reach() / scale_;
    return ground_.n_classes() == 0 ? unit * unit : 1.0;
  }

  // The best test of the node entered, if there is one worth asking; answers of its children stay
  // within [low, high].
  bool find(uint64_t path, double low, double high, Split& split) {
    low_ = low;
    high_ = high;
    double range = 1;
    if (ground_.n_classes() == 0) range = (highest_number_ - lowest_number_) * scale_;
    tie_ = kTied * static_cast<double>(node_.w) * range * range;
    best_.clear(tie_);
    tests_.clear();
    marked_ = false;
    const size_t d = ground_.size();
    const bool all = rules_.max_features == 0 || rules_.max_features >= d;
    if (all)
      for (size_t j = 0; j < d; j += kBatch) look_at(&order_[j], std::min(kBatch, d - j));
    else
      look_at_some(path);
    unmark();
    const Candidate* chosen = choose();
    if (chosen == nullptr) return false;
    decide(*chosen, split);
    return true;
  }

 private:
  struct Pair {
    int64_t w, a;
    Pair& operator+=(const Pair& other) {
      w += other.w;
      a += other.a;
      return *this;
    }
  };
  enum class View : uint8_t { packed, pairs, classes };

  static constexpr size_t kBatch = 8;
  static constexpr size_t kFew = 128;  // rows up to which slots are noted as they are touched

  // ------------------------------------------------------------------------------ rows of a node

  bool packed_rows() const { return plain_ && ground_.n_classes() > 0; }

  static uint64_t pack(int64_t copies, bool second) {
    const auto c = static_cast<uint64_t>(copies);
    return c << 32 | (second ? c : 0);
  }

  int64_t sum_of(int64_t weight, size_t row) const {  // one copy's part of a sum of numbers
    return std::llrint(static_cast<double>(weight) * ground_.numbers()[row] * scale_);
  }

  void fill_rows() {
    const Bag& bag = *bag_;
    const size_t m = ground_.n_rows();
    const bool numbers = ground_.n_classes() == 0, own = rules_.missing == MissingTest::fraction;
    if (own) return;  // every node has its own weights
    if (packed_rows() && ground_.n_classes() <= 2) {
      packed_of_.resize(m);
      for (uint32_t i : bag.rows) packed_of_[i] = pack(bag.copies[i], ground_.labels()[i] == 1);
      return;
    }
    pair_of_.resize(m);
    for (uint32_t i : bag.rows) {
      const int64_t w = bag.weight_of(i);
      pair_of_[i] = {w, 0};
      if (numbers)
        pair_of_[i].a = sum_of(bag.plain() ? 1 : bag.weight[i], i) * bag.times_of(i);
      else
        pair_of_[i].a = ground_.labels()[i] == 1 ? w : 0;
    }
  }

  Pair pair_at(size_t k) const {
    const uint32_t i = rows_[k];
    if (own_ == nullptr) return pair_of_[i];
    const int64_t times = bag_->times_of(i), w = own_[k] * times;
    if (ground_.n_classes() == 0) return {w, sum_of(own_[k], i) * times};
    return {w, ground_.labels()[i] == 1 ? w : 0};
  }

  void enter_packed() {
    view_ = View::packed;
    uint64_t sum = 0;
    for (size_t k = 0; k < n_; ++k) sum += local_packed_[k] = packed_of_[rows_[k]];
    node_ = unpacked(sum);
    count_ = node_.w;
    pure_ = node_.a == 0 || node_.a == node_.w;
  }

  static Pair unpacked(uint64_t v) {
    return {static_cast<int64_t>(v >> 32), static_cast<int64_t>(v & 0xffffffffu)};
  }

  void enter_pairs() {
    view_ = View::pairs;
    node_ = {0, 0};
    for (size_t k = 0; k < n_; ++k) node_ += local_pair_[k] = pair_at(k);
    count_rows();
    if (ground_.n_classes() == 0) {
      lowest_number_ = highest_number_ = ground_.numbers()[rows_[0]];
      for (size_t k = 1; k < n_; ++k) {
        lowest_number_ = std::min(lowest_number_, ground_.numbers()[rows_[k]]);
        highest_number_ = std::max(highest_number_, ground_.numbers()[rows_[k]]);
      }
      pure_ = lowest_number_ == highest_number_;
    } else {
      pure_ = node_.a == 0 || node_.a == node_.w;
    }
  }

  void count_rows() {
    count_ = 0;
    if (rules_.min_samples_leaf <= 1 && rules_.min_samples_split <= 2 && plain_) {
      count_ = node_.w;
      return;
    }
    for (size_t k = 0; k < n_; ++k) count_ += local_count_[k] = bag_->copies[rows_[k]];
  }

  // Classes present at the node get numbers of their own, in order; of two, they become pairs.
  void enter_classes() {
    for (uint32_t c : present_) class_sum_[c] = 0;
    present_.clear();
    for (size_t k = 0; k < n_; ++k) {
      const auto c = static_cast<uint32_t>(ground_.labels()[rows_[k]]);
      const int64_t w = own_ == nullptr ? pair_of_[rows_[k]].w : own_[k] * bag_->times_of(rows_[k]);
      if (class_sum_[c] == 0) present_.push_back(c);
      class_sum_[c] += w;
      local_pair_[k].w = w;
      local_class_[k] = c;
    }
    std::sort(present_.begin(), present_.end());
    node_ = {0, 0};
    for (uint32_t k = 0; k < present_.size(); ++k) {
      present_at_[present_[k]] = k;
      node_.w += class_sum_[present_[k]];
    }
    count_rows();
    pure_ = present_.size() < 2;
    if (pure_) return;
    const bool two = present_.size() == 2;
    view_ = !two ? View::classes : plain_ ? View::packed : View::pairs;
    if (two) node_.a = class_sum_[present_[1]];
    for (size_t k = 0; k < n_; ++k) {
      const uint32_t c = local_class_[k] = present_at_[local_class_[k]];
      if (view_ == View::packed) local_packed_[k] = pack(local_pair_[k].w, c == 1);
      if (view_ == View::pairs) local_pair_[k].a = c == 1 ? local_pair_[k].w : 0;
    }
  }

  // ------------------------------------------------------------------------------ columns to ask

  // Columns in an order drawn for this node: as many as asked for, and more until one helps.
  void look_at_some(uint64_t path) {
    Stream stream(rules_.seed, key_, path);
    const size_t d = ground_.size();
    swaps_.clear();
    const auto next = [&] {
      const size_t i = swaps_.size(), r = i + stream.below(d - i);
      std::swap(order_[i], order_[r]);
      swaps_.push_back(static_cast<uint32_t>(r));
      return order_[i];
    };
    drawn_.clear();
    while (drawn_.size() < rules_.max_features) drawn_.push_back(next());
    std::sort(drawn_.begin(), drawn_.end());
    for (size_t j = 0; j < drawn_.size(); j += kBatch)
      look_at(&drawn_[j], std::min(kBatch, drawn_.size() - j));
    while (choose() == nullptr && swaps_.size() < d) {
      const uint32_t j = next();
      look_at(&j, 1);
    }
    for (size_t i = swaps_.size(); i > 0; --i) std::swap(order_[i - 1], order_[swaps_[i - 1]]);
  }

  bool worth(const Candidate& c) const {
    if (!(rules_.split_zero_gain ? c.gain >= -tie_ : c.gain > tie_)) return false;
    return (c.gain + tie_) * gain_unit() >= rules_.min_gain * static_cast<double>(all_);
  }

  // Of the candidates so far the one to ask, or null. Gain ratio: of the features whose best test
  // gains at least the average of those that gain, the one that gains most for its information.
  const Candidate* choose() {
    if (rules_.criterion != Criterion::gain_ratio) {
      if (best_.empty() || !worth(best_.chosen())) return nullptr;
      return &best_.chosen();
    }
    double sum = 0, n = 0;
    const Candidate* first = nullptr;  // where nothing gains
    for (const Candidate& c : tests_) {
      if (worth(c) && (first == nullptr || c.feature < first->feature)) first = &c;
      if (c.gain > tie_) sum += c.gain;
      if (c.gain > tie_) ++n;
    }
    if (n == 0) return first;
    const double bar = sum / n - tie_;
    const auto ratio = [&](const Candidate& c) {
      return c.gain / static_cast<double>(node_.w) / c.information;
    };
    const auto allowed = [&](const Candidate& c) {
      return c.gain > tie_ && c.gain >= bar && c.information > 0 && worth(c);
    };
    double best = -1;
    for (const Candidate& c : tests_)
      if (allowed(c)) best = std::max(best, ratio(c));
    const Candidate* chosen = nullptr;
    for (const Candidate& c : tests_)
      if (allowed(c) && ratio(c) >= best - kTied &&
          (chosen == nullptr || c.feature < chosen->feature))
        chosen = &c;
    return chosen;
  }

  void look_at(const uint32_t* features, size_t width) {
    if (view_ == View::classes) {
      for (size_t k = 0; k < width; ++k) look(features[k], 0);
      return;
    }
    if (view_ == View::packed)
      tabulate(features, width, local_packed_.data(), packed_.data());
    else
      tabulate(features, width, local_pair_.data(), tables_.data());
    if (counting()) tabulate(features, width, local_count_.data(), counts_.data());
    for (size_t k = 0; k < width; ++k) look(features[k], k);
  }

  void look(uint32_t j, size_t slot) {
    const bool ratio = rules_.criterion == Criterion::gain_ratio;
    if (ratio) own_best_.clear(tie_);
    offers_ = ratio ? &own_best_ : &best_;
    with(rules_.criterion, [&]<Criterion c>() {
      if (view_ == View::classes)
        look_at_classes<c>(j);
      else
        look_at_pairs<c>(j, slot);
    });
    if (ratio && !own_best_.empty()) tests_.push_back(own_best_.chosen());
  }

  // Examples are counted apart where weights are not counts.
  bool counting() const { return rules_.min_samples_leaf > 1 && !plain_; }

  // Sums of the node's rows by code for a batch of columns. Tables are zero before, and again after
  // they have been read.
  template <class Value>
  void tabulate(const uint32_t* features, size_t width, const Value* value, Value* tables) {
    few_ = n_ <= kFew;
    if (few_) std::fill(touched_, touched_ + 4 * width, 0);
    const bool scattered = ground_.across() != nullptr && n_ < ground_.n_rows() / 16;
    for (size_t f = 0; f < width; ++f) {
      Value* table = tables + f * 256;
      uint64_t* touched = touched_ + 4 * f;
      const uint8_t* codes =
          scattered ? ground_.across() + features[f] : ground_.codes(features[f]);
      const size_t step = scattered ? ground_.stride() : 1;
      if (few_)
        for (size_t k = 0; k < n_; ++k) {
          const uint8_t c = codes[rows_[k] * step];
          table[c] += value[k];
          touched[c >> 6] |= uint64_t{1} << (c & 63);
        }
      else
        for (size_t k = 0; k < n_; ++k) table[codes[rows_[k] * step]] += value[k];
    }
  }

  // ----------------------------------------------------------------------------- pairs of a column

  // A column at the node: the codes that occur, in order, and the rows without a value.
  struct Groups {
    uint32_t n = 0;
    uint8_t code[256];
    Pair sum[256];
    int64_t count[256];
    Pair known{0, 0}, missing{0, 0};
    int64_t known_count = 0, missing_count = 0;
    bool has_missing() const { return missing.w > 0; }
  };

  void read_groups(uint32_t j, size_t slot) {
    const Column& column = ground_.column(j);
    Groups& g = groups_;
    g.n = 0;
    g.known = g.missing = {0, 0};
    g.known_count = g.missing_count = 0;
    const auto take = [&](uint32_t c) {
      Pair sum;
      if (view_ == View::packed) {
        uint64_t& v = packed_[slot * 256 + c];
        sum = unpacked(v);
        v = 0;
      } else {
        sum = tables_[slot * 256 + c];
        tables_[slot * 256 + c] = {0, 0};
      }
      int64_t count = sum.w;
      if (counting()) {
        count = counts_[slot * 256 + c];
        counts_[slot * 256 + c] = 0;
      }
      if (sum.w == 0) return;
      if (c == column.n_codes) {
        g.missing = sum;
        g.missing_count = count;
        return;
      }
      g.code[g.n] = static_cast<uint8_t>(c);
      g.sum[g.n] = sum;
      g.count[g.n++] = count;
      g.known += sum;
      g.known_count += count;
    };
    if (!few_) {
      for (uint32_t c = 0; c < column.n_slots(); ++c) take(c);
      return;
    }
    for (uint32_t word = 0; word < 4; ++word)
      for (uint64_t bits = touched_[4 * slot + word]; bits != 0; bits &= bits - 1)
        take(64 * word + static_cast<uint32_t>(std::countr_zero(bits)));
  }

  template <Criterion c>
  double merit(Pair p) const {
    return p.w > 0 ? pair_merit<c>(static_cast<double>(p.w), static_cast<double>(p.a), yard_) : 0.0;
  }

  template <Criterion c>
  void look_at_pairs(uint32_t j, size_t slot) {
    read_groups(j, slot);
    Groups& g = groups_;
    const bool opens = ground_.ranks(j) != nullptr;  // one code may hold many values
    if (g.n == 0 || (g.n + g.has_missing() < 2 && !opens)) return;
    const bool fraction = rules_.missing == MissingTest::fraction;
    const Pair parted = fraction ? g.known : node_;
    yard_ = {static_cast<double>(parted.a) / static_cast<double>(parted.w), logs_};
    base_ = merit<c>(parted);
    const Column& column = ground_.column(j);
    const bool subsets = rules_.levels == LevelTest::subset && ground_.n_classes() <= 2;
    if (column.categorical && rules_.levels == LevelTest::multiway) {
      offer_levels<c>(j);
    } else if (column.categorical && !subsets) {
      each_side([&](int side) { offer_equality<c>(j, side); });
    } else {
      if (column.categorical) sort_by_rate();
      each_side([&](int side) { offer_cuts<c>(j, side); });
      if (opens) open_bins<c>(j);
    }
    if (g.has_missing() && !fraction) offer_known<c>(j);
  }

  // Once for each side the missing rows may follow: 0, 1, or -1 where they do not.
  template <class Body>
  void each_side(Body&& body) const {
    if (rules_.missing != MissingTest::side || !groups_.has_missing()) return body(-1);
    body(0);
    body(1);
  }

  // The sums left and right of a cut, the missing rows where they belong.
  struct Sides {
    Pair left, right;
    int64_t left_count, right_count;
  };
  Sides sides_from(Pair left, int64_t left_count, int side) const {
    const Groups& g = groups_;
    Sides s{left, {g.known.w - left.w, g.known.a - left.a}, left_count, g.known_count - left_count};
    if (side == 0) s.left += g.missing, s.left_count += g.missing_count;
    if (side == 1) s.right += g.missing, s.right_count += g.missing_count;
    return s;
  }

  bool enough(const Pair& p, int64_t count) const {
    return count >= rules_.min_samples_leaf && static_cast<double>(p.w) >= least_;
  }
  // More than rounding may have made of equal weights.
  bool heavier(int64_t a, int64_t b) const {
    return static_cast<double>(a - b) > kTied * static_cast<double>(node_.w);
  }
  static double mean(const Pair& p) { return static_cast<double>(p.a) / static_cast<double>(p.w); }
  bool within(const Pair& p) const { return mean(p) >= low_ && mean(p) <= high_; }

  bool allowed(uint32_t j, const Sides& s) const {
    if (!enough(s.left, s.left_count) || !enough(s.right, s.right_count)) return false;
    if (rules_.monotonic.empty()) return true;
    const double rise = (mean(s.right) - mean(s.left)) * rules_.monotonic[j];
    return rise >= 0 && within(s.left) && within(s.right) &&
           (!branches() || within(groups_.missing));
  }
  bool branches() const { return rules_.missing == MissingTest::branch && groups_.has_missing(); }

  template <Criterion c>
  double gain_of(const Sides& s) const {
    const double gain = merit<c>(s.left) + merit<c>(s.right) - base_;
    return branches() ? gain + merit<c>(groups_.missing) : gain;
  }

  // Offers a test with two sides; gives room for the rest where it may be chosen.
  Candidate* offer(double gain, uint32_t j, uint64_t place, int side, const Sides& s) {
    if (!(gain >= offers_->bar()) || !allowed(j, s)) return nullptr;
    Candidate* found = offers_->offer(gain, j, 2 * place + (side == 1));
    if (found == nullptr) return nullptr;
    found->ask = Ask::threshold;
    found->missing = side >= 0 ? static_cast<uint32_t>(side) : 2;
    found->heaviest = heavier(s.right.w, s.left.w);
    found->low_value = mean(s.left);
    found->high_value = mean(s.right);
    if (rules_.criterion == Criterion::gain_ratio) {
      const double weights[] = {static_cast<double>(s.left.w), static_cast<double>(s.right.w),
                                side < 0 ? static_cast<double>(groups_.missing.w) : 0.0};
      found->information = split_information(weights, 3, static_cast<double>(node_.w));
    }
    return found;
  }

  static uint64_t place_after(uint32_t code) { return uint64_t{code} << 33 | uint64_t{1} << 32; }
  static uint64_t place_inside(uint32_t code, uint32_t rank) { return uint64_t{code} << 33 | rank; }
  static constexpr uint64_t kLastPlace = uint64_t{1} << 50;

  template <Criterion c>
  void offer_cuts(uint32_t j, int side) {
    const Groups& g = groups_;
    const bool categorical = ground_.column(j).categorical;
    Pair left{0, 0};
    int64_t count = 0;
    for (uint32_t i = 0; i + 1 < g.n; ++i) {
      left += g.sum[i];
      count += g.count[i];
      const Sides s = sides_from(left, count, side);
      Candidate* found = offer(gain_of<c>(s), j, categorical ? i : place_after(g.code[i]), side, s);
      if (found == nullptr) continue;
      if (categorical) {
        found->ask = Ask::subset;
        for (uint32_t k = i + 1; k < g.n; ++k) found->set.add(g.code[k]);
        if (found->heaviest == 1) add_absent(j, found->set);
      } else {
        found->low = g.code[i];
        found->high = g.code[i + 1];
      }
    }
  }

  // Levels that do not occur at the node follow the heavier side.
  void add_absent(uint32_t j, LevelSet& set) const {
    LevelSet present;
    for (uint32_t k = 0; k < groups_.n; ++k) present.add(groups_.code[k]);
    for (uint32_t level = 0; level < ground_.column(j).n_codes; ++level)
      if (!present.has(level)) set.add(level);
  }

  template <Criterion c>
  void offer_equality(uint32_t j, int side) {
    const Groups& g = groups_;
    if (g.n < 2) return;
    for (uint32_t i = 0; i < g.n; ++i) {
      const Pair rest{g.known.w - g.sum[i].w, g.known.a - g.sum[i].a};
      const Sides s = sides_from(rest, g.known_count - g.count[i], side);
      Candidate* found = offer(gain_of<c>(s), j, g.code[i], side, s);
      if (found == nullptr) continue;
      found->ask = Ask::subset;
      found->set.add(g.code[i]);
    }
  }

  // One child a level; missing rows join the heaviest, or have a child of their own.
  template <Criterion c>
  void offer_levels(uint32_t j) {
    Groups& g = groups_;
    if (g.n < 2 && !branches()) return;
    uint32_t heaviest = 0;
    for (uint32_t i = 1; i < g.n; ++i)
      if (heavier(g.sum[i].w, g.sum[heaviest].w)) heaviest = i;
    const bool joins = rules_.missing == MissingTest::side && g.has_missing();
    double gain = -base_ + (branches() ? merit<c>(g.missing) : 0.0);
    double weights[257];
    int full = branches() && enough(g.missing, g.missing_count);
    for (uint32_t i = 0; i < g.n; ++i) {
      Pair sum = g.sum[i];
      int64_t count = g.count[i];
      if (joins && i == heaviest) sum += g.missing, count += g.missing_count;
      gain += merit<c>(sum);
      full += enough(sum, count);
      weights[i] = static_cast<double>(sum.w);
      if (!rules_.monotonic.empty() && !within(sum)) return;
    }
    weights[g.n] = joins ? 0.0 : static_cast<double>(g.missing.w);
    if (full < 2) return;
    Candidate* found = offers_->offer(gain, j, 0);
    if (found == nullptr) return;
    found->ask = Ask::multiway;
    found->heaviest = g.code[heaviest];
    found->missing = joins ? found->heaviest : ground_.column(j).n_codes;
    if (rules_.criterion == Criterion::gain_ratio)
      found->information = split_information(weights, g.n + 1, static_cast<double>(node_.w));
  }

  // Known on one side, missing on the other.
  template <Criterion c>
  void offer_known(uint32_t j) {
    const Groups& g = groups_;
    const Sides s{g.known, g.missing, g.known_count, g.missing_count};
    const double gain = merit<c>(s.left) + merit<c>(s.right) - base_;
    if (Candidate* found = offer(gain, j, kLastPlace, 1, s)) found->known = true;
  }

  // By share of the second class, or mean, each as if some more examples of the node were in it.
  void sort_by_rate() {
    Groups& g = groups_;
    const double more =
        rules_.smoothing * static_cast<double>(node_.w) / static_cast<double>(count_);
    const double rate = mean(node_);
    const double unit = (highest() - lowest()) * 0x1p-40;  // below it rates are equal
    uint32_t by[256];
    int64_t key[256];
    for (uint32_t i = 0; i < g.n; ++i) {
      by[i] = i;
      const double w = static_cast<double>(g.sum[i].w), a = static_cast<double>(g.sum[i].a);
      key[i] = std::llrint(((a + more * rate) / (w + more) - lowest()) / unit);
    }
    std::sort(by, by + g.n,
              [&](uint32_t x, uint32_t y) { return key[x] != key[y] ? key[x] < key[y] : x < y; });
    const Groups old = g;
    for (uint32_t i = 0; i < g.n; ++i) {
      g.code[i] = old.code[by[i]];
      g.sum[i] = old.sum[by[i]];
      g.count[i] = old.count[by[i]];
    }
  }

  // Between which means of pairs lie at this node.
  double lowest() const { return ground_.n_classes() == 0 ? lowest_number_ * scale_ : 0.0; }
  double highest() const { return ground_.n_classes() == 0 ? highest_number_ * scale_ : 1.0; }

  // ------------------------------------------------------------------------ cuts inside coarse
  // codes

  // Whether a cut inside bin i, before which the sum is `left`, may be chosen.
  template <Criterion c>
  bool may_hold(const Pair& left, const Pair& bin, int side) const {
    const double low = lowest(), high = highest();
    const double w = static_cast<double>(bin.w);
    const double above = std::clamp((static_cast<double>(bin.a) - low * w) / (high - low), 0.0, w);
    const Sides s = sides_from(left, 0, side);
    double most = -std::numeric_limits<double>::infinity();
    for (const auto& [cw, ca] : {std::pair{above, high * above}, {w - above, low * (w - above)}}) {
      const double lw = static_cast<double>(s.left.w) + cw,
                   rw = static_cast<double>(s.right.w) - cw;
      const double la = static_cast<double>(s.left.a) + ca,
                   ra = static_cast<double>(s.right.a) - ca;
      const double worth = (lw > 0.5 ? pair_merit<c>(lw, corner<c>(la, lw), yard_) : 0) +
                           (rw > 0.5 ? pair_merit<c>(rw, corner<c>(ra, rw), yard_) : 0);
      most = std::max(most, worth);
    }
    const double gain = most - base_ + (branches() ? merit<c>(groups_.missing) : 0.0);
    return gain + 1e-9 * (std::abs(base_) + tie_ * 1e12) >= offers_->bar();
  }
  template <Criterion c>
  static double corner(double a, double w) {  // shares stay between 0 and 1 whatever the rounding
    return c == Criterion::squared_error ? a : std::clamp(a, 0.0, w);
  }

  template <Criterion c>
  void open_bins(uint32_t j) {
    const Groups& g = groups_;
    const Column& column = ground_.column(j);
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
    list_by_value(j, open);
    each_side([&](int side) {
      Pair left{0, 0};
      int64_t count = 0;
      size_t at = 0;
      for (uint32_t i = 0; i < g.n; ++i) {
        if (open[g.code[i]]) walk_bin<c>(j, g.code[i], left, count, side, at);
        left += g.sum[i];
        count += g.count[i];
      }
    });
  }

  // Cuts between the values of one bin, whose rows are listed from `at` on.
  template <Criterion c>
  void walk_bin(uint32_t j, uint32_t code, Pair left, int64_t count, int side, size_t& at) {
    const uint8_t* codes = ground_.codes(j);
    uint32_t before = 0;
    for (bool first = true; at < by_value_.size(); ++at, first = false) {
      const auto rank = static_cast<uint32_t>(by_value_[at] >> 32);
      const auto k = static_cast<size_t>(by_value_[at] & 0xffffffffu);
      if (codes[rows_[k]] != code) return;
      if (!first && rank != before) {
        const Sides s = sides_from(left, count, side);
        if (Candidate* found = offer(gain_of<c>(s), j, place_inside(code, rank), side, s)) {
          found->inner = true;
          found->low = before;
          found->high = rank;
        }
      }
      before = rank;
      const Pair p = view_ == View::packed ? unpacked(local_packed_[k]) : local_pair_[k];
      left += p;
      count += counting() ? local_count_[k] : p.w;
    }
  }

  // The node's rows in the marked codes by value: rank and place among the rows in one word.
  void list_by_value(uint32_t j, const bool* open) {
    const Column& column = ground_.column(j);
    const uint8_t* codes = ground_.codes(j);
    const uint32_t* ranks = ground_.ranks(j);
    by_value_.clear();
    if (n_ >= 4096 && n_ >= ground_.n_rows() / 8) {  // most rows are here: read them in order
      mark();
      for (uint32_t c = 0; c < column.n_codes; ++c)
        for (uint32_t p = column.bin_start[c]; open[c] && p < column.bin_start[c + 1]; ++p) {
          const uint32_t row = column.order[p] & kRowMask;
          if (mark_[row] != 0) by_value_.push_back(uint64_t{ranks[row]} << 32 | (mark_[row] - 1));
        }
      if (column.zero_code == kNoCode || !open[column.zero_code]) return;
    }
    by_value_.clear();
    for (size_t k = 0; k < n_; ++k)
      if (open[codes[rows_[k]]]) by_value_.push_back(uint64_t{ranks[rows_[k]]} << 32 | k);
    std::sort(by_value_.begin(), by_value_.end());
  }

  // Where each row of the ground stands among the node's rows, counted from 1.
  void mark() {
    if (marked_) return;
    marked_ = true;
    mark_.resize(ground_.n_rows(), 0);
    for (size_t k = 0; k < n_; ++k) mark_[rows_[k]] = static_cast<uint32_t>(k) + 1;
  }
  void unmark() {
    if (!marked_) return;
    for (size_t k = 0; k < n_; ++k) mark_[rows_[k]] = 0;
    marked_ = false;
  }

  // --------------------------------------------------------------------------- classes of a column

  // Weight of one class at one code (or value), listed in order of code.
  struct Cell {
    uint32_t code, rank, k;
    int64_t w, count;
  };
  struct Block_ {
    int64_t w = 0, sum = 0, count = 0;
  };

  void list_cells(uint32_t j) {
    const Column& column = ground_.column(j);
    const uint8_t* codes = ground_.codes(j);
    cells_.clear();
    missing_cells_.clear();
    if (ground_.ranks(j) != nullptr) {
      bool open[256];
      std::fill(open, open + 256, true);
      if (column.has_missing) open[column.n_codes] = false;
      list_by_value(j, open);
      for (uint64_t v : by_value_) {
        const auto k = static_cast<size_t>(v & 0xffffffffu);
        cells_.push_back(cell(codes[rows_[k]], static_cast<uint32_t>(v >> 32), k));
      }
      for (size_t k = 0; k < n_; ++k)
        if (codes[rows_[k]] == column.n_codes) missing_cells_.push_back(cell(column.n_codes, 0, k));
      return;
    }
    uint32_t start[257] = {};
    for (size_t k = 0; k < n_; ++k) ++start[codes[rows_[k]] + 1];
    for (uint32_t c = 0; c < 256; ++c) start[c + 1] += start[c];
    cells_.resize(n_);
    for (size_t k = 0; k < n_; ++k) {
      const uint8_t c = codes[rows_[k]];
      cells_[start[c]++] = cell(c, 0, k);
    }
    size_t known = n_;
    while (known > 0 && cells_[known - 1].code == column.n_codes) --known;
    missing_cells_.assign(cells_.begin() + static_cast<ptrdiff_t>(known), cells_.end());
    cells_.resize(known);
  }
  Cell cell(uint32_t code, uint32_t rank, size_t k) const {
    const int64_t w = local_pair_[k].w;
    return {code, rank, local_class_[k], w, counting() ? local_count_[k] : w};
  }

  // Class weights of a block while rows come and go.
  class Tally {
   public:
    void reset(size_t k) {
      weight.assign(k, 0);
      part.assign(k, 0);
      all = {};
    }
    template <Criterion c>
    void add(const Phi& phi, uint32_t k, int64_t w, int64_t count) {
      weight[k] += w;
      all.w += w;
      all.count += count;
      if constexpr (c == Criterion::error) {
        all.sum = std::max(all.sum, weight[k]);  // for growing blocks
      } else {
        const int64_t now = phi.of<c>(weight[k]);
        all.sum += now - part[k];
        part[k] = now;
      }
    }
    std::vector<int64_t> weight, part;
    Block_ all;
  };

  template <Criterion c>
  void look_at_classes(uint32_t j) {
    list_cells(j);
    if (cells_.empty()) return;
    const size_t k = present_.size();
    const bool has_missing = !missing_cells_.empty();
    const bool one =
        cells_.front().code == cells_.back().code && cells_.front().rank == cells_.back().rank;
    if (one && !has_missing) return;
    const Phi phi(rules_.criterion, node_.w, k, logs_);
    missing_.reset(k);
    for (const Cell& cell : missing_cells_) missing_.add<c>(phi, cell.k, cell.w, cell.count);
    known_.reset(k);
    for (const Cell& cell : cells_) known_.add<c>(phi, cell.k, cell.w, cell.count);
    Tally& node = left_;
    node.reset(k);
    for (uint32_t i = 0; i < k; ++i) node.add<c>(phi, i, class_sum_[present_[i]], 0);
    const bool fraction = rules_.missing == MissingTest::fraction;
    base_ = fraction ? phi.merit<c>(known_.all.w, known_.all.sum)
                     : phi.merit<c>(node.all.w, node.all.sum);
    groups_.missing = {missing_.all.w, 0};
    if (rules_.missing == MissingTest::branch && has_missing)
      base_ -= phi.merit<c>(missing_.all.w, missing_.all.sum);
    const Column& column = ground_.column(j);
    if (column.categorical && rules_.levels == LevelTest::multiway)
      offer_level_classes<c>(phi, j);
    else if (column.categorical)
      each_side([&](int side) { offer_equal_classes<c>(phi, j, side); });
    else
      each_side([&](int side) { offer_class_cuts<c>(phi, j, side); });
    if (has_missing && !fraction) {
      if (rules_.missing == MissingTest::branch)
        base_ += phi.merit<c>(missing_.all.w, missing_.all.sum);
      if (Candidate* found = offer_blocks<c>(phi, j, kLastPlace, 1, known_.all, missing_.all))
        found->known = true;
    }
  }

  template <Criterion c>
  Candidate* offer_blocks(const Phi& phi, uint32_t j, uint64_t place, int side, const Block_& left,
                          const Block_& right) {
    const double gain = phi.merit<c>(left.w, left.sum) + phi.merit<c>(right.w, right.sum) - base_;
    if (!(gain >= offers_->bar()) || !enough({left.w, 0}, left.count) ||
        !enough({right.w, 0}, right.count))
      return nullptr;
    Candidate* found = offers_->offer(gain, j, 2 * place + (side == 1));
    if (found == nullptr) return nullptr;
    found->ask = Ask::threshold;
    found->missing = side >= 0 ? static_cast<uint32_t>(side) : 2;
    found->heaviest = heavier(right.w, left.w);
    if (rules_.criterion == Criterion::gain_ratio) {
      const double weights[] = {static_cast<double>(left.w), static_cast<double>(right.w),
                                side < 0 ? static_cast<double>(missing_.all.w) : 0.0};
      found->information = split_information(weights, 3, static_cast<double>(node_.w));
    }
    return found;
  }

  template <Criterion c>
  void offer_class_cuts(const Phi& phi, uint32_t j, int side) {
    const size_t k = present_.size(), n = cells_.size();
    // Right blocks first, growing from the far end; then the left ones.
    right_blocks_.resize(n);
    if (side == 1)
      right_ = missing_;
    else
      right_.reset(k);
    for (size_t i = n; i > 0; --i) {
      const Cell& cell = cells_[i - 1];
      right_.add<c>(phi, cell.k, cell.w, cell.count);
      right_blocks_[i - 1] = right_.all;
    }
    if (side == 0)
      left_ = missing_;
    else
      left_.reset(k);
    for (size_t i = 0; i + 1 < n; ++i) {
      const Cell &cell = cells_[i], &next = cells_[i + 1];
      left_.add<c>(phi, cell.k, cell.w, cell.count);
      if (cell.code == next.code && cell.rank == next.rank) continue;
      const bool inner = cell.code == next.code;
      const uint64_t place = inner ? place_inside(cell.code, next.rank) : place_after(cell.code);
      if (Candidate* found =
              offer_blocks<c>(phi, j, place, side, left_.all, right_blocks_[i + 1])) {
        found->inner = inner;
        found->low = inner ? cell.rank : cell.code;
        found->high = inner ? next.rank : next.code;
      }
    }
  }

  // Calls body(first, last) for the cells of each code.
  template <class Body>
  void each_level(Body&& body) const {
    for (size_t first = 0, last = 0; first < cells_.size(); first = last) {
      while (last < cells_.size() && cells_[last].code == cells_[first].code) ++last;
      body(first, last);
    }
  }

  template <Criterion c>
  void offer_equal_classes(const Phi& phi, uint32_t j, int side) {
    if (cells_.front().code == cells_.back().code) return;
    const size_t k = present_.size();
    each_level([&](size_t first, size_t last) {
      right_.reset(k);
      if (side == 1) right_ = missing_;
      left_.reset(k);
      if (side == 0) left_ = missing_;
      for (size_t i = 0; i < cells_.size(); ++i)
        (i >= first && i < last ? right_ : left_)
            .template add<c>(phi, cells_[i].k, cells_[i].w, cells_[i].count);
      const uint32_t level = cells_[first].code;
      if (Candidate* found = offer_blocks<c>(phi, j, level, side, left_.all, right_.all)) {
        found->ask = Ask::subset;
        found->set.add(level);
      }
    });
  }

  template <Criterion c>
  void offer_level_classes(const Phi& phi, uint32_t j) {
    const size_t k = present_.size();
    const bool joins = rules_.missing == MissingTest::side && missing_.all.w > 0;
    uint32_t heaviest = 0;
    int64_t most = -1;
    each_level([&](size_t first, size_t last) {
      int64_t w = 0;
      for (size_t i = first; i < last; ++i) w += cells_[i].w;
      if (most < 0 || heavier(w, most)) most = w, heaviest = cells_[first].code;
    });
    double gain = -base_, weights[257];
    size_t n = 0;
    int full = branches() && enough({missing_.all.w, 0}, missing_.all.count);
    each_level([&](size_t first, size_t last) {
      right_.reset(k);
      if (joins && cells_[first].code == heaviest) right_ = missing_;
      for (size_t i = first; i < last; ++i)
        right_.add<c>(phi, cells_[i].k, cells_[i].w, cells_[i].count);
      gain += phi.merit<c>(right_.all.w, right_.all.sum);
      full += enough({right_.all.w, 0}, right_.all.count);
      weights[n++] = static_cast<double>(right_.all.w);
    });
    if (full < 2) return;
    Candidate* found = offers_->offer(gain, j, 0);
    if (found == nullptr) return;
    found->ask = Ask::multiway;
    found->heaviest = heaviest;
    found->missing = joins ? heaviest : ground_.column(j).n_codes;
    weights[n++] = joins ? 0.0 : static_cast<double>(missing_.all.w);
    if (rules_.criterion == Criterion::gain_ratio)
      found->information = split_information(weights, n, static_cast<double>(node_.w));
  }

  // -------------------------------------------------------------------------------- the chosen
  // test

  void decide(const Candidate& c, Split& split) {
    const Column& column = ground_.column(c.feature);
    const bool has_missing = column.has_missing && misses(c.feature);
    split = Split{};
    split.ask = c.ask;
    split.feature = c.feature;
    split.gain = c.gain * gain_unit();
    split.set = c.set;
    split.low_value = c.low_value;
    split.high_value = c.high_value;
    split.width = c.ask == Ask::multiway ? column.n_codes : 2;
    const bool own = has_missing && rules_.missing == MissingTest::branch && !c.known;
    const bool every = rules_.missing == MissingTest::fraction;
    split.missing = static_cast<int32_t>(own ? split.width : has_missing ? c.missing : c.heaviest);
    split.width += own;
    uint32_t cut = 0;
    if (c.known) {  // no number is larger, and no level is in the empty set
      split.threshold = column.categorical ? 0.0 : std::numeric_limits<double>::max();
      if (column.categorical) split.ask = Ask::subset;
      cut = column.n_codes;
    } else if (c.ask == Ask::threshold)
      cut = place_threshold(c, split);
    for (uint32_t code = 0; code < column.n_codes; ++code)
      split.outcome[code] = static_cast<uint8_t>(c.ask == Ask::multiway    ? code
                                                 : c.ask == Ask::threshold ? code >= cut
                                                                           : c.set.has(code));
    if (column.has_missing) split.outcome[column.n_codes] = static_cast<uint8_t>(split.missing);
    if (every) split.missing = kEveryChild;
  }

  bool misses(uint32_t j) const {
    const uint8_t* codes = ground_.codes(j);
    const uint32_t missing = ground_.column(j).n_codes;
    for (size_t k = 0; k < n_; ++k)
      if (codes[rows_[k]] == missing) return true;
    return false;
  }

  // The threshold between two neighbouring values or codes, and the first code beyond it. Between
  // codes it never falls inside the range of a third one: codes and values part rows alike.
  uint32_t place_threshold(const Candidate& c, Split& split) const {
    const Column& column = ground_.column(c.feature);
    if (c.inner) {
      split.threshold = cut_between(column.sorted(c.low), column.sorted(c.high));
      split.inner = true;
      split.rank = c.high;
      split.open = code_at(column, c.high);
      return split.open + 1;
    }
    if (ground_.ranks(c.feature) != nullptr) {
      split.threshold = cut_between(greatest(c.feature, c.low), least(c.feature, c.high));
      return c.high;
    }
    split.threshold = cut_between(column.greatest(c.low), column.least(c.high));
    uint32_t first = c.low + 1;
    while (column.greatest(first) <= split.threshold) ++first;
    if (column.least(first) <= split.threshold)
      split.threshold = cut_between(column.greatest(first - 1), column.least(first));
    return first;
  }
  static uint32_t code_at(const Column& column, uint32_t position) {
    const uint32_t* starts = column.bin_start.get();
    return static_cast<uint32_t>(std::upper_bound(starts, starts + column.n_codes + 1, position) -
                                 starts - 1);
  }

  // The largest (smallest) value of a code among the node's rows.
  double greatest(uint32_t j, uint32_t code) const {
    uint32_t rank = 0;
    for (size_t k = 0; k < n_; ++k)
      if (ground_.codes(j)[rows_[k]] == code) rank = std::max(rank, ground_.ranks(j)[rows_[k]]);
    return ground_.value(j, code, rank);
  }
  double least(uint32_t j, uint32_t code) const {
    uint32_t rank = std::numeric_limits<uint32_t>::max();
    for (size_t k = 0; k < n_; ++k)
      if (ground_.codes(j)[rows_[k]] == code) rank = std::min(rank, ground_.ranks(j)[rows_[k]]);
    return ground_.value(j, code, rank);
  }

  const Ground& ground_;
  const Rules& rules_;
  const WholeLogs& whole_logs_;
  // Of the tree.
  const Bag* bag_ = nullptr;
  uint64_t key_ = 0;
  bool plain_ = true;  // weights are numbers of copies
  const WholeLogs* logs_ = nullptr;
  int shift_ = 0;
  int64_t all_ = 0;
  double scale_ = 1;  // whole numbers a unit of weight times the ground's numbers
  double least_ = 0;  // weight of a block
  std::vector<uint64_t> packed_of_;
  std::vector<Pair> pair_of_;
  // Of the node.
  const uint32_t* rows_ = nullptr;
  const int64_t* own_ = nullptr;
  size_t n_ = 0;
  View view_ = View::pairs;
  Pair node_{0, 0};
  int64_t count_ = 0;
  bool pure_ = false;
  double lowest_number_ = 0, highest_number_ = 0;
  std::vector<uint64_t> local_packed_;
  std::vector<Pair> local_pair_;
  std::vector<int64_t> local_count_;
  std::vector<uint32_t> local_class_;
  std::vector<uint32_t> present_, present_at_;  // classes at the node
  std::vector<int64_t> class_sum_;
  double low_ = 0, high_ = 0, tie_ = 0;
  Preference best_, own_best_;
  Preference* offers_ = nullptr;
  std::vector<Candidate> tests_;  // gain ratio: the best of each feature
  std::vector<uint32_t> order_, swaps_, drawn_;
  bool marked_ = false;
  std::vector<uint32_t> mark_;
  // Of the batch and the column.
  bool few_ = false;
  uint64_t touched_[4 * kBatch];
  std::vector<Pair> tables_;
  std::vector<uint64_t> packed_;
  std::vector<int64_t> counts_;
  Groups groups_;
  Yardstick yard_;
  double base_ = 0;
  std::vector<uint64_t> by_value_;
  std::vector<Cell> cells_, missing_cells_;
  Tally left_, right_, known_, missing_;
  std::vector<Block_> right_blocks_;
};

}  // namespace weaklearn
