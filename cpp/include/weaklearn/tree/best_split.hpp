// The choice of a node's test among all that are offered.
//
// Most criteria choose by gain. Gain ratio takes the best test of every feature and, of those that
// gain at least the average of the gaining ones, the one that gains most for its information.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weaklearn/tree/node.hpp"
#include "weaklearn/tree/split.hpp"

namespace weaklearn {

class BestSplit {
 public:
  explicit BestSplit(const Node& node) : node_(node) {}

  // A new node; answers of its children stay within [low, high].
  void clear(double low, double high) {
    low_ = low;
    high_ = high;
    tie_ = node_.tie();
    best_.clear(tie_);
    tests_.clear();
  }
  double tie() const { return tie_; }

  // What is offered between these two belongs to one feature.
  void open_feature() {
    if (by_ratio()) feature_best_.clear(tie_);
  }
  void close_feature() {
    if (by_ratio() && !feature_best_.empty()) tests_.push_back(feature_best_.chosen());
  }

  double bar() const { return (by_ratio() ? feature_best_ : best_).bar(); }
  Candidate* offer(double gain, uint32_t feature, uint64_t place) {
    return (by_ratio() ? feature_best_ : best_).offer(gain, feature, place);
  }
  bool by_ratio() const { return node_.settings.criterion == Criterion::gain_ratio; }

  // Takes over what was offered to another.
  void join(const BestSplit& other) {
    best_.join(other.best_);
    tests_.insert(tests_.end(), other.tests_.begin(), other.tests_.end());
  }

  // Whether a block may have this mean below a node whose bounds these are.
  bool within(const Pair& pair) const { return pair.mean() >= low_ && pair.mean() <= high_; }

  // Of the candidates so far the one to ask, or null.
  const Candidate* chosen() {
    if (by_ratio()) return best_ratio();
    if (best_.empty() || !worth(best_.chosen())) return nullptr;
    return &best_.chosen();
  }

 private:
  bool worth(const Candidate& c) const {
    if (!(node_.settings.split_zero_gain ? c.gain >= -tie_ : c.gain > tie_)) return false;
    return (c.gain + tie_) * node_.gain_unit() >=
           node_.settings.min_gain * static_cast<double>(node_.all);
  }

  const Candidate* best_ratio() {
    double sum = 0, n = 0;
    const Candidate* first = nullptr;  // where nothing gains
    for (const Candidate& c : tests_) {
      if (worth(c) && (first == nullptr || c.feature < first->feature)) first = &c;
      if (c.gain > tie_) sum += c.gain;
      if (c.gain > tie_) ++n;
    }
    if (n == 0) return first;
    const double bar = sum / n - tie_;
    allowed_.clear();
    for (Candidate& c : tests_)
      if (c.gain > tie_ && c.gain >= bar && worth(c)) allowed_.push_back(&c);
    find_information();
    const auto ratio = [&](const Candidate& c) {
      return c.information > 0 ? c.gain / static_cast<double>(node_.sum.w) / c.information : -2;
    };
    double best = -1;
    for (const Candidate* c : allowed_) best = std::max(best, ratio(*c));
    const Candidate* chosen = nullptr;
    for (const Candidate* c : allowed_)
      if (ratio(*c) >= best - kTied && (chosen == nullptr || c->feature < chosen->feature))
        chosen = c;
    return chosen;
  }

  // The information of the allowed tests in bits, all logarithms at once; multiway tests
  // know theirs.
  void find_information() {
    shares_.clear();
    for (const Candidate* c : allowed_)
      for (double part : c->parts) shares_.push_back(part / static_cast<double>(node_.sum.w));
    hot().x_log_x(shares_.data(), shares_.size());
    const double* terms = shares_.data();
    for (Candidate* c : allowed_) {
      if (c->ask != Ask::multiway) c->information = 0 - terms[0] - terms[1] - terms[2];
      terms += 3;
    }
  }

  const Node& node_;
  double low_ = 0, high_ = 0, tie_ = 0;
  Preference best_, feature_best_;
  std::vector<Candidate> tests_;  // gain ratio: the best of each feature
  std::vector<Candidate*> allowed_;
  std::vector<double> shares_;
};

}  // namespace weaklearn
