// Sums, maxima and lists over all partitions of the rows.
//
// A fit over several partitions takes the same steps in each of them. Where a step needs a number
// of all rows, it makes that of its own rows and asks the collective, which answers every partition
// with the same. Sums are of whole numbers, so that they do not depend on how rows are divided. A
// null pointer means that there is one partition: its numbers are those of all rows.
//
// Promise: a step that asks in one partition asks in all, in the same order and, but for lists, for
// as many numbers. What decides whether to ask is therefore itself a number of all rows. Called by
// the thread that called the kernel, never within a job of the pool.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weaklearn {

class Collective {
 public:
  virtual ~Collective() = default;
  // In place: entry k becomes that over the entries k of all partitions.
  virtual void sum(int64_t* x, size_t n) const = 0;
  virtual void sum(int32_t* x, size_t n) const = 0;
  virtual void maximum(int64_t* x, size_t n) const = 0;
  virtual void maximum(double* x, size_t n) const = 0;
  // The lists of all partitions by rank; they may be of different lengths.
  virtual std::vector<std::vector<int64_t>> gather(const int64_t* x, size_t n) const = 0;
};

template <class T>
T sum_over(const Collective* all, T own) {
  if (all != nullptr) all->sum(&own, 1);
  return own;
}

template <class T>
T maximum_over(const Collective* all, T own) {
  if (all != nullptr) all->maximum(&own, 1);
  return own;
}

}  // namespace weaklearn
