// Columns coded more coarsely: neighbouring codes of ordered columns joined.
//
// Promise: every cut between the new codes is one between old ones, and depends on how many
// examples each code holds alone, in all partitions. Categories stay as they are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "weaklearn/columns/columns.hpp"
#include "weaklearn/columns/dense_codes.hpp"
#include "weaklearn/partitions/collective.hpp"

namespace weaklearn {

// Which of at most `most` groups of about the same mass each code falls into.
inline std::vector<uint8_t> groups_by_mass(const std::vector<int64_t>& mass, uint32_t most) {
  std::vector<uint8_t> group(mass.size());
  double total = 0, before = 0;
  for (const int64_t m : mass) total += static_cast<double>(m);
  size_t last = most, next = 0;
  for (size_t k = 0; k < mass.size(); ++k) {
    size_t wanted = k;
    if (mass.size() > most)
      wanted = std::min<size_t>(static_cast<size_t>(before / total * most), most - 1);
    next += k > 0 && wanted != last ? 1 : 0;
    group[k] = static_cast<uint8_t>(next);
    last = wanted;
    before += static_cast<double>(mass[k]);
  }
  return group;
}

// The codes go to the caller's `room` of `Columns::bytes_to_borrow`, where there is one.
inline std::unique_ptr<Columns> merge(const Columns& fine, uint32_t most, const int64_t* copies,
                                      const Collective* all = nullptr, uint8_t* room = nullptr) {
  constexpr size_t kSlots = kMostCodes + 1;
  const size_t m = fine.n_rows();
  const DenseCodes dense(fine);
  std::vector<int64_t> masses(fine.size() * kSlots);
  for (size_t j = 0; j < fine.size(); ++j)
    for (size_t i = 0; i < m; ++i)
      masses[j * kSlots + dense[j][i]] += copies == nullptr ? 1 : copies[i];
  if (all != nullptr) all->sum(masses.data(), masses.size());
  auto coarse = std::make_unique<Columns>(m, fine.size());
  if (room == nullptr)
    coarse->reserve_blocks();
  else
    coarse->borrow_blocks(room);
  for (size_t j = 0; j < fine.size(); ++j) {
    const Column& from = fine[j];
    const int64_t* const mass = &masses[j * kSlots];
    std::vector<uint8_t> group(from.n_codes);
    for (uint32_t k = 0; k < from.n_codes; ++k) group[k] = static_cast<uint8_t>(k);
    if (!from.categorical) group = groups_by_mass({mass, mass + from.n_codes}, most);
    Column to;
    to.categorical = from.categorical;
    to.has_missing = from.has_missing;
    to.n_codes = from.n_codes == 0 ? 0 : group.back() + 1u;
    std::vector<double> ends;
    for (uint32_t k = 0; !from.categorical && k < from.n_codes; ++k) {
      if (k == 0 || group[k] != group[k - 1]) {
        ends.push_back(from.least(k));
        ends.push_back(from.greatest(k));
      }
      ends.back() = from.greatest(k);
    }
    std::vector<uint8_t> codes(m);
    for (size_t i = 0; i < m; ++i)
      codes[i] = dense[j][i] < from.n_codes ? group[dense[j][i]] : static_cast<uint8_t>(to.n_codes);
    coarse->set_codes(j, std::move(to), ends, codes);
  }
  return coarse;
}

}  // namespace weaklearn
