// Combining experts of which some sleep: one example after another, awake experts only.
//
// The weight of an expert is (1 + epsilon)^(Q / (1 + epsilon) - M): M counts its mistakes, Q adds
// up the chances q of a mistake in the rounds it was awake in. An example costs O(awake), and
// nothing is kept but Q and M, so that no run is too long for weights to stay distinct.
//
// Sums are over the awake experts in their order, label by label; those of few labels in four
// lanes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "weaklearn/hot/loops.hpp"
#include "weaklearn/threads/pool.hpp"

namespace weaklearn {

// Examples as lists: which experts are awake at each, and the label that each of them gives.
struct Advice {
  size_t n_rounds;
  const int64_t* start;
  const int32_t* expert;
  const int32_t* label;
  const int32_t* truth;
};

// The output for each example.
struct Heard {
  double* chance;     // of a mistake; NaN where all sleep
  int32_t* majority;  // the label of most weight, the last one on ties; -1 where all sleep
  int32_t* drawn;     // the label of an expert drawn by weight
};

class Experts {
 public:
  static constexpr double kTied = 1e-12;  // of all weight

  Experts(double epsilon, double* chances, int64_t* mistakes)
      : base_(std::log1p(epsilon)), over_(1 / (1 + epsilon)), Q_(chances), M_(mistakes) {}

  double log_weight(size_t i) const { return base_ * (Q_[i] * over_ - static_cast<double>(M_[i])); }

  // Plays all examples; `place` in [0, 1) draws an expert for each. Weights move after each one,
  // or not at all.
  void play(const Advice& advice, size_t n_labels, const double* place, const Heard& told,
            bool learns) {
    votes_.resize(n_labels);
    Pool::instance().run(1, 1, [&](size_t) {
      for (size_t t = 0; t < advice.n_rounds; ++t) {
        const size_t first = static_cast<size_t>(advice.start[t]);
        const size_t k = static_cast<size_t>(advice.start[t + 1]) - first;
        const int32_t* const expert = advice.expert + first;
        const int32_t* const label = advice.label + first;
        told.chance[t] = std::numeric_limits<double>::quiet_NaN();
        told.majority[t] = told.drawn[t] = -1;
        if (k == 0) continue;
        weigh(expert, k);
        count_votes(label, k);
        const size_t truth = static_cast<size_t>(advice.truth[t]);
        double all = 0, wrong = 0;
        for (size_t l = 0; l < n_labels; ++l) {
          all += votes_[l];
          wrong += l == truth ? 0.0 : votes_[l];
        }
        const double q = wrong / all;
        told.majority[t] = heaviest(all);
        told.drawn[t] = draw(label, k, place[t] * all);
        told.chance[t] = q;
        for (size_t i = 0; learns && i < k; ++i) {
          Q_[expert[i]] += q;
          M_[expert[i]] += label[i] != advice.truth[t];
        }
        if (t % 256 == 0) Pool::check_interrupt();
      }
    });
  }

 private:
  // weight_[i] of the awake experts, the largest being 1.
  void weigh(const int32_t* expert, size_t k) {
    if (weight_.size() < k) weight_.resize(k);
    double most = -std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < k; ++i) {
      weight_[i] = log_weight(static_cast<size_t>(expert[i]));
      most = std::max(most, weight_[i]);
    }
    for (size_t i = 0; i < k; ++i) weight_[i] -= most;
    hot().exponentials(weight_.data(), k);
  }

  // The weight of each label. Few labels are counted one after another, without a branch.
  void count_votes(const int32_t* label, size_t k) {
    std::fill(votes_.begin(), votes_.end(), 0.0);
    if (votes_.size() > 4) {
      for (size_t i = 0; i < k; ++i) votes_[static_cast<size_t>(label[i])] += weight_[i];
      return;
    }
    for (size_t l = 0; l < votes_.size(); ++l) {
      const int32_t wanted = static_cast<int32_t>(l);
      double lane[4] = {};
      size_t i = 0;
      for (; i + 4 <= k; i += 4)
        for (size_t j = 0; j < 4; ++j) lane[j] += weight_[i + j] * (label[i + j] == wanted);
      for (size_t j = 0; i < k; ++i, ++j) lane[j] += weight_[i] * (label[i] == wanted);
      votes_[l] = (lane[0] + lane[2]) + (lane[1] + lane[3]);
    }
  }

  int32_t heaviest(double all) const {
    const double bar = *std::max_element(votes_.begin(), votes_.end()) - kTied * all;
    size_t at = votes_.size() - 1;
    while (votes_[at] < bar) --at;
    return static_cast<int32_t>(at);
  }

  int32_t draw(const int32_t* label, size_t k, double place) const {
    double passed = 0;
    for (size_t i = 0; i + 1 < k; ++i) {
      passed += weight_[i];
      if (place < passed) return label[i];
    }
    return label[k - 1];
  }

  double base_, over_;
  double* Q_;
  int64_t* M_;
  std::vector<double> weight_, votes_;
};

}  // namespace weaklearn
