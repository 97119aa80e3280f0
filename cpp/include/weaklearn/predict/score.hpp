// A vote of stumps packed into one step function a feature: a thousand stumps cost one look-up a
// column.
//
// Votes are whole numbers (fixed point), so that the score of a row is the same whichever way its
// parts are added up: packed, staged or one by one. Rows are read as they lie in memory; nothing is
// binned. Cost: O(log cuts) a used feature and row.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <vector>

#include "weaklearn/hot/loops.hpp"
#include "weaklearn/predict/step_tables.hpp"
#include "weaklearn/stump/stump_search.hpp"
#include "weaklearn/threads/pool.hpp"

namespace weaklearn {

// The members of a vote, one entry each, as parallel lists.
struct Members {
  size_t n = 0;
  const uint8_t* test = nullptr;  // Test
  const int64_t* feature = nullptr;
  const double* threshold = nullptr;
  const uint32_t* category = nullptr;
  const int32_t* low = nullptr;  // answers; signed votes: -1, 0, +1; class votes: a class or -1
  const int32_t* high = nullptr;
  const int32_t* missing = nullptr;
  const int64_t* by_category_begin =
      nullptr;  // multiway: where the member's answers by category start
  const int32_t* by_category = nullptr;
  const int64_t* vote = nullptr;    // fixed point
  const int32_t* output = nullptr;  // signed votes: the score they add to; class votes: -1
};

class Scorer {
 public:
  // n_categories[j] > 0 marks a categorical column with so many categories.
  Scorer(size_t n_features, size_t n_outputs, const uint32_t* n_categories, const Members& members)
      : n_features_(n_features), k_(n_outputs) {
    std::vector<std::vector<size_t>> of_feature(n_features);
    for (size_t t = 0; t < members.n; ++t)
      of_feature[static_cast<size_t>(members.feature[t])].push_back(t);
    for (size_t j = 0; j < n_features; ++j)
      if (!of_feature[j].empty()) {
        steps_.push_back(n_categories[j] > 0
                             ? categories_of(j, n_categories[j], of_feature[j], members)
                             : cuts_of(j, of_feature[j], members));
      }
    const auto many = std::stable_partition(steps_.begin(), steps_.end(), [this](const Step& step) {
      return k_ == 1 && !step.categorical && step.cuts.size() <= kMostStepCuts;
    });
    for (auto step = steps_.begin(); step != many; ++step) {
      few_.push_back(step_table(step->feature, step->cuts, step->table.data()));
      few_f32_.push_back(step_table(step->feature, step->cuts_f32, step->table.data()));
    }
  }

  size_t n_features() const { return n_features_; }
  size_t n_outputs() const { return k_; }
  std::vector<size_t> used() const {
    std::vector<size_t> features;
    for (const Step& step : steps_) features.push_back(step.feature);
    return features;
  }

  // Rows of a matrix: element (i, j) at data + i * row_stride + j * column_stride.
  template <class Real>
  void score_matrix(const char* data, ptrdiff_t row_stride, ptrdiff_t column_stride, size_t n,
                    int64_t* score, int threads) const {
    constexpr bool single = sizeof(Real) == sizeof(float);
    const auto few = [&](size_t begin, size_t end) {
      const char* rows = data + static_cast<ptrdiff_t>(begin) * row_stride;
      if constexpr (single)
        hot().score_steps_f32(rows, row_stride, n_features_, end - begin, few_f32_.data(),
                              few_f32_.size(), score + begin);
      else
        hot().score_steps(rows, row_stride, n_features_, end - begin, few_.data(), few_.size(),
                          score + begin);
    };
    const auto many = [&](const Step& step, size_t begin, size_t end, Scratch& scratch) {
      const char* first = data + static_cast<ptrdiff_t>(step.feature) * column_stride;
      const size_t n_cuts = step.cuts.size();
      auto* x = reinterpret_cast<Real*>(scratch.x);
      for (size_t i = begin; i < end; ++i)
        std::memcpy(x + (i - begin), first + static_cast<ptrdiff_t>(i) * row_stride, sizeof(Real));
      if constexpr (single)
        hot().places_f32(x, end - begin, step.cuts_f32.data(), n_cuts, scratch.place);
      else
        hot().places(x, end - begin, step.cuts.data(), n_cuts, scratch.place);
    };
    // Of several outputs there are none, and the rows of a task do not begin at score + begin.
    if (column_stride == sizeof(Real) && hot().score_steps != nullptr && !few_.empty())
      blocks(n, score, threads, few_.size(), few, many);
    else
      blocks(n, score, threads, 0, [](size_t, size_t) {}, many);
  }

  // A table by columns: doubles, categories as int32 codes with -1 for missing or unknown.
  void score_columns(const std::vector<const double*>& numbers,
                     const std::vector<const int32_t*>& categories, size_t n, int64_t* score,
                     int threads) const {
    const auto place = [&](const Step& step, size_t begin, size_t end, Scratch& scratch) {
      if (step.categorical) {
        const int32_t* codes = categories[step.feature];
        for (size_t i = begin; i < end; ++i)
          scratch.place[i - begin] =  // what is no category is missing
              std::min(static_cast<uint32_t>(codes[i]), step.n_places - 1);
      } else {
        hot().places(numbers[step.feature] + begin, end - begin, step.cuts.data(), step.cuts.size(),
                     scratch.place);
      }
    };
    blocks(n, score, threads, 0, [](size_t, size_t) {}, place);
  }

  // One row of numbers: categories as their codes, NaN for what is missing or unseen.
  void score_row(const double* row, int64_t* score) const {
    std::fill(score, score + k_, 0);
    for (const Step& step : steps_) {
      const double x = row[step.feature];
      uint32_t place;
      if (!step.categorical)
        hot().places(&x, 1, step.cuts.data(), step.cuts.size(), &place);
      else  // what is no category is missing
        place = x >= 0 && x < step.n_places - 1 ? static_cast<uint32_t>(x) : step.n_places - 1;
      for (size_t l = 0; l < k_; ++l) score[l] += step.table[place * k_ + l];
    }
  }

  // Compressed sparse columns: every row first gets the score of zero, then its entries correct it.
  template <class Real, class Index>
  void score_sparse(const Real* data, const Index* rows, const Index* starts, size_t n,
                    int64_t* score) const {
    std::fill(score, score + n * k_, 0);
    for (const Step& step : steps_) {
      uint32_t zero, place;
      double x = 0;
      hot().places(&x, 1, step.cuts.data(), step.cuts.size(), &zero);
      const int64_t* base = &step.table[zero * k_];
      for (size_t i = 0; i < n; ++i)
        for (size_t l = 0; l < k_; ++l) score[i * k_ + l] += base[l];
      for (Index e = starts[step.feature]; e < starts[step.feature + 1]; ++e) {
        const auto i = static_cast<size_t>(rows[e]);
        if (i >= n) throw std::invalid_argument("a row index is out of range");
        x = static_cast<double>(data[e]);
        hot().places(&x, 1, step.cuts.data(), step.cuts.size(), &place);
        for (size_t l = 0; l < k_; ++l) score[i * k_ + l] += step.table[place * k_ + l] - base[l];
      }
    }
  }

 private:
  struct Step {  // the summed answers of one feature
    size_t feature = 0;
    bool categorical = false;
    uint32_t n_places = 0;        // cuts + 1 (or categories), and one for missing
    std::vector<double> cuts;     // ascending
    std::vector<float> cuts_f32;  // rounded down: no single lies between a cut and its rounding
    std::vector<int64_t> table;   // n_places x outputs
  };

  static constexpr size_t kBlock = 256;
  struct Scratch {
    double x[kBlock];
    uint32_t place[kBlock];
    int64_t sum[kBlock];
  };

  void add(int64_t* at, const Members& members, size_t t, int32_t answer, int64_t times) const {
    if (members.output[t] >= 0)
      at[members.output[t]] += times * answer * members.vote[t];
    else if (answer >= 0)
      at[answer] += times * members.vote[t];
  }

  static float rounded_down(double cut) {
    const auto near = static_cast<float>(cut);  // beyond the range of singles it is infinite
    return static_cast<double>(near) > cut
               ? std::nextafter(near, -std::numeric_limits<float>::infinity())
               : near;
  }

  Step cuts_of(size_t j, const std::vector<size_t>& list, const Members& members) const {
    Step step;
    step.feature = j;
    for (size_t t : list)
      if (std::isfinite(members.threshold[t])) step.cuts.push_back(members.threshold[t]);
    std::sort(step.cuts.begin(), step.cuts.end());
    step.cuts.erase(std::unique(step.cuts.begin(), step.cuts.end()), step.cuts.end());
    for (double cut : step.cuts) step.cuts_f32.push_back(rounded_down(cut));
    const size_t n = step.cuts.size();
    step.n_places = static_cast<uint32_t>(n + 2);
    step.table.assign((n + 2) * k_, 0);
    for (size_t t :
         list) {  // the lowest place first, then what changes at each cut, then running sums
      const bool finite = std::isfinite(members.threshold[t]);
      add(&step.table[0], members, t, finite ? members.low[t] : members.high[t], 1);
      add(&step.table[(n + 1) * k_], members, t, members.missing[t], 1);
      if (!finite) continue;
      const size_t place = static_cast<size_t>(
          std::lower_bound(step.cuts.begin(), step.cuts.end(), members.threshold[t]) -
          step.cuts.begin() + 1);
      add(&step.table[place * k_], members, t, members.high[t], 1);
      add(&step.table[place * k_], members, t, members.low[t], -1);
    }
    for (size_t p = 1; p <= n; ++p)
      for (size_t l = 0; l < k_; ++l) step.table[p * k_ + l] += step.table[(p - 1) * k_ + l];
    return step;
  }

  Step categories_of(size_t j, uint32_t n_categories, const std::vector<size_t>& list,
                     const Members& members) const {
    Step step;
    step.feature = j;
    step.categorical = true;
    step.n_places = n_categories + 1;
    step.table.assign(static_cast<size_t>(step.n_places) * k_, 0);
    for (size_t t : list) {
      const Test test = static_cast<Test>(members.test[t]);
      for (uint32_t c = 0; c < n_categories; ++c) {
        int32_t answer = members.high[t];
        if (test == Test::equality && c != members.category[t]) answer = members.low[t];
        if (test == Test::multiway) answer = members.by_category[members.by_category_begin[t] + c];
        add(&step.table[c * k_], members, t, answer, 1);
      }
      add(&step.table[static_cast<size_t>(n_categories) * k_], members, t, members.missing[t], 1);
    }
    return step;
  }

  // Scores of blocks of rows: those of the first `n_few` steps by `few`, of the others by places.
  template <class Few, class Places>
  void blocks(size_t n, int64_t* score, int threads, size_t n_few, Few&& few,
              Places&& places) const {
    const size_t tasks = (n + kBlock - 1) / kBlock, work = n * (2 * steps_.size() - n_few);
    Pool::instance().run(tasks, threads_for(work, threads), [&](size_t task) {
      Scratch scratch;
      const size_t begin = task * kBlock, end = std::min(n, begin + kBlock);
      std::fill(score + begin * k_, score + end * k_, 0);
      few(begin, end);
      for (size_t s = n_few; s < steps_.size(); ++s) {
        const Step& step = steps_[s];
        places(step, begin, end, scratch);
        if (k_ == 1) {
          hot().look_up(scratch.place, end - begin, step.table.data(), score + begin);
        } else {
          for (size_t i = begin; i < end; ++i) {
            const int64_t* add = &step.table[scratch.place[i - begin] * k_];
            for (size_t l = 0; l < k_; ++l) score[i * k_ + l] += add[l];
          }
        }
      }
    });
  }

  size_t n_features_;
  size_t k_;
  std::vector<Step> steps_;  // those of `few_` first
  std::vector<StepTable<double>> few_;
  std::vector<StepTable<float>> few_f32_;
};

}  // namespace weaklearn
