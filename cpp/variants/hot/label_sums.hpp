// Many labels: sums of their weights by slot.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "numbers.hpp"
#include "variant.hpp"
#include "weaklearn/hot/loops.hpp"

namespace weaklearn::WEAKLEARN_VARIANT {
namespace {

// The numbers of a row to be added, from label `first` on.
template <size_t lanes>
inline void numbers_of(const LabelRows& of, size_t place, size_t i, size_t first, int64_t* number) {
  if (of.gain != nullptr) {
    const int64_t* const gain = of.gain + place * of.stride + first;
    for (size_t l = 0; l < lanes; ++l) number[l] = gain[l];
    return;
  }
  const double* const weight = of.weight + i * of.stride + first;
  for (size_t l = 0; l < lanes; ++l) number[l] = whole_number(weight[l]);
  if (of.copies != nullptr)
    for (size_t l = 0; l < lanes; ++l) number[l] *= of.copies[i];
}

// Adds `lanes` labels from `first` on of the rows to the tables.
template <size_t lanes>
void add_labels(const LabelRows& of, size_t first, size_t begin, size_t end,
                const uint8_t* const* codes, size_t width, int64_t* const* tables) {
  const size_t stride = of.stride;
  for (size_t place = begin; place < end; ++place) {
    const size_t i = of.rows != nullptr ? of.rows[place] : place;
    const int8_t* const sign = of.sign + i * stride + first;
    int64_t number[lanes], above[lanes];
    numbers_of<lanes>(of, place, i, first, number);
    for (size_t l = 0; l < lanes; ++l) {
      const int64_t holds = sign[l];
      above[l] = holds > 0 ? number[l] : 0;
      number[l] -= above[l];
    }
    for (size_t j = 0; j < width; ++j) {
      int64_t* const sums = tables[j] + codes[j][i] * 2 * stride + first;
      for (size_t l = 0; l < lanes; ++l) sums[l] += above[l];
      for (size_t l = 0; l < lanes; ++l) sums[stride + l] += number[l];
    }
  }
}

// The same where one label holds: it is added by itself.
template <size_t lanes>
void add_one_label(const LabelRows& of, size_t first, size_t begin, size_t end,
                   const uint8_t* const* codes, size_t width, int64_t* const* tables) {
  const size_t stride = of.stride;
  for (size_t place = begin; place < end; ++place) {
    const size_t i = of.rows != nullptr ? of.rows[place] : place;
    const size_t label = static_cast<size_t>(of.label[i]);
    int64_t number[lanes], own = 0;
    numbers_of<lanes>(of, place, i, first, number);
    if (first == 0) numbers_of<1>(of, place, i, label, &own);
    for (size_t l = 0; l < lanes; ++l) number[l] = first + l != label ? number[l] : 0;
    for (size_t j = 0; j < width; ++j) {
      int64_t* const slot = tables[j] + codes[j][i] * 2 * stride;
      slot[label] += own;
      int64_t* const sums = slot + stride + first;
      for (size_t l = 0; l < lanes; ++l) sums[l] += number[l];
    }
  }
}

using AddLabels = void (*)(const LabelRows&, size_t, size_t, size_t, const uint8_t* const*, size_t,
                           int64_t* const*);

template <size_t lanes>
AddLabels adding(bool one) {
  return one ? add_one_label<lanes> : add_labels<lanes>;
}

// For the next labels of so many: up to 32, with little padding behind the last eight.
AddLabels adding(size_t n, bool one, size_t* lanes) {
  const size_t tail = n % 8;
  *lanes = n >= 32 ? 32 : n < 8 ? (n <= 2 ? n : n <= 4 ? 4 : 8) : n - tail;
  if (n > 8 && n < 32 && tail > 0) *lanes += tail <= 2 ? 2 : tail <= 4 ? 4 : 8;
  switch (*lanes) {
    case 1:
      return adding<1>(one);
    case 2:
      return adding<2>(one);
    case 4:
      return adding<4>(one);
    case 8:
      return adding<8>(one);
    case 10:
      return adding<10>(one);
    case 12:
      return adding<12>(one);
    case 16:
      return adding<16>(one);
    case 18:
      return adding<18>(one);
    case 20:
      return adding<20>(one);
    case 24:
      return adding<24>(one);
    case 26:
      return adding<26>(one);
    case 28:
      return adding<28>(one);
    default:
      return adding<32>(one);
  }
}

void label_sums(const LabelRows* of, size_t begin, size_t end, const uint8_t* const* codes,
                size_t width, int64_t* const* tables) {
  for (size_t first = 0, lanes; first < of->n_labels; first += lanes) {
    const AddLabels add = adding(of->n_labels - first, of->label != nullptr, &lanes);
    add(*of, first, begin, end, codes, width, tables);
  }
}

}  // namespace
}  // namespace weaklearn::WEAKLEARN_VARIANT
