// Linear scores learnt one example at a time: predict, see the label, take a gradient step.
//
// Promise: a pass goes over the rows in their order and allocates nothing but the scores of one
// row; O(d) a row for each output. With the cost of the perceptron and steps of 1 it is the
// perceptron, to the bit.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weaklearn/online/cost.hpp"
#include "weaklearn/online/lines.hpp"
#include "weaklearn/threads/pool.hpp"

namespace weaklearn {

// The examples of a pass: y is -1 or +1 where there is one output, else a class below their number.
struct Lesson {
  size_t n = 0;
  const int32_t* y = nullptr;
  const int64_t* order = nullptr;  // rows in the order of learning; null: as they lie
  int64_t seen = 0;                // examples before the first
  bool refuse_zero = false;        // whether a row of zeros ends the pass

  size_t row(size_t k) const { return order == nullptr ? k : static_cast<size_t>(order[k]); }
};

// lambda_t, of the t-th example ever (from 1 on), the k-th of this pass (from 0 on).
struct Steps {
  double rate = 1.0;
  bool fading = false;            // rate / sqrt(t)
  const double* given = nullptr;  // else one for each example of the pass, times rate

  double at(size_t k, int64_t t) const {
    if (given != nullptr) return rate * given[k];
    return fading ? rate / std::sqrt(static_cast<double>(t)) : rate;
  }
};

// Whether the answer is wrong: no score of a wrong class may reach that of the right one, and a
// lone score must have the right sign.
inline bool is_mistake(const double* scores, size_t outputs, int32_t y) {
  if (outputs == 1) return y * scores[0] <= 0;
  for (size_t k = 0; k < outputs; ++k)
    if (static_cast<int32_t>(k) != y && scores[k] >= scores[y]) return true;
  return false;
}

// The sign that an output is to learn.
inline double target(size_t output, size_t outputs, int32_t y) {
  if (outputs == 1) return y;
  return static_cast<int32_t>(output) == y ? 1.0 : -1.0;
}

// The predictions of each example before its label is seen; null where not wanted.
struct Told {
  double* score = nullptr;  // one for each output
  uint8_t* mistake = nullptr;
  double* loss = nullptr;

  template <class CostOf>
  void note(size_t k, const double* scores, size_t outputs, int32_t y, const CostOf& cost) const {
    if (score != nullptr) std::copy(scores, scores + outputs, score + k * outputs);
    if (mistake != nullptr) mistake[k] = is_mistake(scores, outputs, y);
    if (loss == nullptr) return;
    loss[k] = 0.0;
    for (size_t o = 0; o < outputs; ++o) loss[k] += cost.value(target(o, outputs, y) * scores[o]);
  }
};

enum class Ending : uint8_t { all, unsound, zero };  // a score is no number; a row is all zeros

struct Passed {
  Ending ending = Ending::all;
  size_t n = 0;  // examples learnt; where the pass ended early, the place of the one that ended it
  int64_t mistakes = 0;
  int64_t updates = 0;  // examples on which weights changed
  double loss = 0.0;
  size_t run = 0;  // the most examples in a row without a change
};

// Weights of `outputs` rows, each as wide as an example.
struct Halfspaces {
  size_t outputs = 1;
  double* w = nullptr;
  double* drift = nullptr;  // sum of changes times the examples before each; null: not wanted
  double* kept = nullptr;   // the weights of the longest run without a change; null: not wanted
};

constexpr size_t kBreath = 4096;  // examples between two looks whether to stop
constexpr size_t kLookAhead = 8;  // examples that are asked for ahead where the order is not theirs

// Keeps the weights of the longest run without a change.
class Pocket {
 public:
  Pocket(const double* w, double* kept, size_t size) : w_(w), kept_(kept), size_(size) {}

  void still() { ++run_; }
  void before_change() {
    if (run_ > most_) keep();
    run_ = 0;
  }
  size_t end() {
    if (run_ > most_ || most_ == 0) keep();
    return most_;
  }

 private:
  void keep() {
    most_ = run_;
    if (kept_ != nullptr) std::copy(w_, w_ + size_, kept_);
  }

  const double* w_;
  double* kept_;
  size_t size_, run_ = 0, most_ = 0;
};

template <class Lines, class CostOf>
Passed linear_pass_of(const Lines& lines, const Lesson& lesson, const Halfspaces& into,
                      const CostOf& cost, const Steps& steps, const Told& told) {
  const size_t width = lines.width(), outputs = into.outputs;
  std::vector<double> scores(outputs), pushes(outputs);
  Pocket pocket(into.w, into.kept, outputs * width);
  LossSum loss;
  Passed passed;
  for (size_t k = 0; k < lesson.n; ++k) {
    if (k % kBreath == 0) Pool::check_interrupt();
    if (lesson.order != nullptr && k + kLookAhead < lesson.n) lines.ask(lesson.row(k + kLookAhead));
    const size_t i = lesson.row(k);
    const int32_t y = lesson.y[i];
    passed.n = k;
    bool pushed = false;
    for (size_t o = 0; o < outputs; ++o) {
      const double score = lines.times(i, into.w + o * width);
      if (!std::isfinite(score)) {
        passed.ending = Ending::unsound;
        return passed;
      }
      if (score == 0.0 && lesson.refuse_zero && lines.is_zero(i)) {
        passed.ending = Ending::zero;
        return passed;
      }
      scores[o] = score;
      pushes[o] = cost.push(target(o, outputs, y) * score, loss);
      pushed |= pushes[o] != 0.0;
    }
    told.note(k, scores.data(), outputs, y, cost);
    passed.mistakes += is_mistake(scores.data(), outputs, y);
    if (!pushed) {
      pocket.still();
      continue;
    }
    ++passed.updates;
    pocket.before_change();
    const int64_t before = lesson.seen + static_cast<int64_t>(k);
    const double step = steps.at(k, before + 1);
    for (size_t o = 0; o < outputs; ++o) {
      if (pushes[o] == 0.0) continue;
      const double c = step * pushes[o] * target(o, outputs, y);
      lines.add(i, c, into.w + o * width);
      if (into.drift != nullptr)
        lines.add(i, static_cast<double>(before) * c, into.drift + o * width);
    }
  }
  passed.n = lesson.n;
  passed.loss = loss.total();
  passed.run = pocket.end();
  return passed;
}

// One pass over the lesson; the weights change in place.
template <class Lines>
Passed linear_pass(const Lines& lines, const Lesson& lesson, const Halfspaces& into, Cost cost,
                   const Steps& steps, const Told& told) {
  Passed passed;
  Pool::instance().run(1, 1, [&](size_t) {
    with_cost(cost, [&](const auto& of) {
      passed = linear_pass_of(lines, lesson, into, of, steps, told);
    });
  });
  return passed;
}

constexpr size_t kRowsATask = 2048;

// Calls work(i) for every row, in pieces that threads share.
template <class Work>
void for_rows(size_t n, size_t cost_of_row, int threads, const Work& work) {
  Pool::instance().run((n + kRowsATask - 1) / kRowsATask, threads_for(n * cost_of_row, threads),
                       [&](size_t task) {
                         const size_t last = std::min(n, (task + 1) * kRowsATask);
                         for (size_t i = task * kRowsATask; i < last; ++i) work(i);
                       });
}

// out[i, o] <- w_o x_i
template <class Lines>
void linear_scores(const Lines& lines, size_t outputs, const double* w, double* out, int threads) {
  const size_t width = lines.width();
  for_rows(lines.size(), width * outputs, threads, [&](size_t i) {
    for (size_t o = 0; o < outputs; ++o) out[i * outputs + o] = lines.times(i, w + o * width);
  });
}

// How many of the rows [first, last) some weights label otherwise than y: +1 stands where the only
// score is above 0, else the first class of the greatest.
template <class Lines>
int64_t errors_of(const Lines& lines, size_t first, size_t last, const int32_t* y, size_t outputs,
                  const double* w) {
  int64_t wrong = 0;
  for (size_t i = first; i < last; ++i) {
    double most = lines.times(i, w);
    int32_t answer = outputs > 1 ? 0 : most > 0 ? 1 : -1;
    for (size_t o = 1; o < outputs; ++o) {
      const double score = lines.times(i, w + o * lines.width());
      answer = score > most ? static_cast<int32_t>(o) : answer;
      most = score > most ? score : most;
    }
    wrong += answer != y[i];
  }
  return wrong;
}

constexpr size_t kRowsInCache = 64;

// The errors of each of several candidates; rows are read once for all of them.
template <class Lines>
std::vector<int64_t> linear_errors(const Lines& lines, const int32_t* y, size_t candidates,
                                   size_t outputs, const double* w, int threads) {
  const size_t size = outputs * lines.width();
  const size_t tasks = (lines.size() + kRowsATask - 1) / kRowsATask;
  std::vector<int64_t> wrong(tasks * candidates);
  Pool::instance().run(
      tasks, threads_for(lines.size() * size * candidates, threads), [&](size_t task) {
        const size_t end = std::min(lines.size(), (task + 1) * kRowsATask);
        for (size_t first = task * kRowsATask; first < end; first += kRowsInCache)
          for (size_t c = 0; c < candidates; ++c)
            wrong[task * candidates + c] += errors_of(
                lines, first, std::min(end, first + kRowsInCache), y, outputs, w + c * size);
      });
  std::vector<int64_t> total(candidates);
  for (size_t k = 0; k < wrong.size(); ++k) total[k % candidates] += wrong[k];
  return total;
}

}  // namespace weaklearn
