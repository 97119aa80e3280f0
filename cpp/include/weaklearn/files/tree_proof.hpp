// The proof that trees of a file are sound, and what it tells of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace weaklearn::files {

// Trees that no walk may be trusted with.
struct Unsound : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

inline void need(bool condition, const char* message) {
  if (!condition) throw Unsound(message);
}

// The columns of several trees, one after another, and how many entries each tree has.
struct TreeColumns {
  const uint8_t* ask;
  const int32_t* feature;
  const double* threshold;
  const int32_t *first, *width, *missing;  // children count from the root of their tree
  const int32_t* value;                    // a row among those of the tree
  const double* weight;
  const int64_t* count;
  const double* gain;
  const double* values;  // rows, of n_outputs each
  const int64_t *length, *rows;
  size_t n_trees, n_nodes, n_rows, n_outputs;
};

// What trees ask: each combination with the least and the greatest of its thresholds. A threshold
// that is the largest number asks whether a value is known, and is a combination of its own.
struct AskedTest {
  int32_t feature, width, missing;
  uint8_t ask;
  double low, high;

  bool known() const { return ask == 1 && high == std::numeric_limits<double>::max(); }
  int compared(const AskedTest& other) const {
    const auto order = [](auto a, auto b) { return a < b ? -1 : a > b ? 1 : 0; };
    if (const int c = order(feature, other.feature)) return c;
    if (const int c = order(ask, other.ask)) return c;
    if (const int c = order(width, other.width)) return c;
    if (const int c = order(missing, other.missing)) return c;
    return order(known(), other.known());
  }
};

class AskedTests {
 public:
  AskedTests() : recent_(kRecent, AskedTest{-1, 0, 0, 0, 0, 0}) {}

  void add(const AskedTest& test) {
    const uint64_t key = static_cast<uint64_t>(test.feature) * 8 + test.ask * 2 + test.known() +
                         static_cast<uint64_t>(test.missing + test.width) * 0x9E3779B1u;
    AskedTest& last = recent_[(key * 0x9E3779B97F4A7C15ull) >> (64 - kBits)];
    if (last.compared(test) == 0) {
      last.low = std::min(last.low, test.low);
      last.high = std::max(last.high, test.high);
      return;
    }
    if (last.feature >= 0) {
      found_.push_back(last);
      if (found_.size() >= most_) shrink();
    }
    last = test;
  }

  // Every combination once, in order.
  const std::vector<AskedTest>& all() {
    for (AskedTest& last : recent_)
      if (last.feature >= 0) {
        found_.push_back(last);
        last.feature = -1;
      }
    shrink();
    return found_;
  }

 private:
  static constexpr int kBits = 9;
  static constexpr size_t kRecent = size_t{1} << kBits;

  void shrink() {
    std::sort(found_.begin(), found_.end(),
              [](const AskedTest& a, const AskedTest& b) { return a.compared(b) < 0; });
    size_t n = 0;
    for (const AskedTest& test : found_) {
      if (n > 0 && found_[n - 1].compared(test) == 0) {
        found_[n - 1].low = std::min(found_[n - 1].low, test.low);
        found_[n - 1].high = std::max(found_[n - 1].high, test.high);
      } else {
        found_[n++] = test;
      }
    }
    found_.resize(n);
    most_ = std::max<size_t>(most_, 2 * n);
  }

  std::vector<AskedTest> recent_, found_;
  size_t most_ = 4096;
};

class TreeProof {
 public:
  AskedTests tests;
  std::vector<double> reach;    // of each tree: the greatest absolute value
  std::vector<uint8_t> shares;  // of each tree: whether all rows of values are distributions

  // Refuses trees that are not sound, and keeps what is known of them.
  void add(const TreeColumns& trees) {
    need(trees.n_outputs >= 1, "a tree has no values");
    size_t node = 0, row = 0;
    for (size_t t = 0; t < trees.n_trees; ++t) {
      const auto n = static_cast<size_t>(trees.length[t]);
      const auto rows = static_cast<size_t>(trees.rows[t]);
      need(trees.length[t] >= 1 && n <= trees.n_nodes - node, "a tree has no node");
      need(trees.rows[t] >= 1 && rows <= trees.n_rows - row, "a tree has no values");
      children_hold(trees, node, n);
      numbers_hold(trees, node, n, rows);
      look_at(trees.values + row * trees.n_outputs, rows, trees.n_outputs);
      node += n;
      row += rows;
    }
    need(node == trees.n_nodes && row == trees.n_rows, "trees have not one entry a node");
  }

 private:
  static constexpr double kMostWeight = 1e290;  // so that sums stay finite
  static constexpr double kNearly = 1e-6;       // how far shares may sum from 1

  void children_hold(const TreeColumns& trees, size_t root, size_t n) {
    has_parent_.assign(n, false);
    for (size_t i = 0; i < n; ++i) {
      const size_t node = root + i;
      const uint8_t ask = trees.ask[node];
      if (ask > 3)
        throw Unsound("ask[" + std::to_string(node) + "] is " + std::to_string(ask) +
                      "; it must be from 0 to 3");
      if (ask == 0) continue;
      const int64_t first = trees.first[node], width = trees.width[node];
      const int32_t missing = trees.missing[node], feature = trees.feature[node];
      need(first > static_cast<int64_t>(i), "a child stands before its parent");
      need(width >= 2, "a test has fewer than two children");
      need(first + width <= static_cast<int64_t>(n), "a child stands outside of its tree");
      for (auto child = static_cast<size_t>(first); child < static_cast<size_t>(first + width);
           ++child) {
        need(!has_parent_[child], "some node has no parent, or several");
        has_parent_[child] = true;
      }
      inside("missing", node, missing, -1, kMost);
      need(missing < width, "missing values go to a child that there is not");
      inside("feature", node, feature, 0, kMost);
      if (missing < 0) heavy(trees.weight + root, first, width);
      finite("threshold", node, trees.threshold[node]);
      tests.add(
          {feature, trees.width[node], missing, ask, trees.threshold[node], trees.threshold[node]});
    }
    const auto orphans = std::count(has_parent_.begin(), has_parent_.end(), false);
    need(orphans == 1 && !has_parent_[0], "some node has no parent, or several");
  }

  static void heavy(const double* weight, int64_t first, int64_t width) {
    const bool some =
        std::any_of(weight + first, weight + first + width, [](double each) { return each > 0; });
    need(some, "a row is to be shared out among children without weight");
  }

  static void numbers_hold(const TreeColumns& trees, size_t root, size_t n, size_t rows) {
    for (size_t node = root; node < root + n; ++node) {
      inside("count", node, trees.count[node], 0, int64_t{1} << 62);
      const double weight = trees.weight[node], gain = trees.gain[node];
      finite("weight", node, weight);
      finite("threshold", node, trees.threshold[node]);
      finite("gain", node, gain);
      need(weight >= 0 && weight <= kMostWeight, "a node's weight cannot be");
      need(std::abs(gain) <= kMostWeight, "a test's gain cannot be");
      inside("value", node, trees.value[node], 0, kMost);
      need(static_cast<size_t>(trees.value[node]) < rows,
           "a node answers with a value that there is not");
    }
  }

  void look_at(const double* values, size_t rows, size_t n_outputs) {
    double most = 0;
    bool even = true;
    for (size_t i = 0; i < rows; ++i) {
      double sum = 0, least = values[i * n_outputs];
      for (size_t k = 0; k < n_outputs; ++k) {
        const double value = values[i * n_outputs + k];
        finite("values", i * n_outputs + k, value);
        most = std::max(most, std::abs(value));
        least = std::min(least, value);
        sum += value;
      }
      even = even && least >= 0 && std::abs(sum - 1) <= kNearly;
    }
    reach.push_back(most);
    shares.push_back(even);
  }

  static void inside(const char* name, size_t place, int64_t value, int64_t least, int64_t most) {
    if (value < least || value > most)
      throw Unsound(std::string(name) + "[" + std::to_string(place) + "] is " +
                    std::to_string(value) + "; it must be from " + std::to_string(least) + " to " +
                    std::to_string(most));
  }

  static void finite(const char* name, size_t place, double value) {
    if (!std::isfinite(value))
      throw Unsound(std::string(name) + "[" + std::to_string(place) + "] is " +
                    (std::isnan(value) ? "nan"
                     : value > 0       ? "inf"
                                       : "-inf") +
                    "; it must be finite");
  }

  static constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  std::vector<bool> has_parent_;
};

}  // namespace weaklearn::files
