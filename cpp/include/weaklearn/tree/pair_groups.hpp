// A column at a node of two classes, or of numbers: the sums of the codes that occur, in order.
//
// Cost: O(codes that occur).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "weaklearn/tree/code_counts.hpp"
#include "weaklearn/tree/node.hpp"

namespace weaklearn {

// Sums of a node's rows by code of one column. What has been read is set back to zero unless the
// table is to be kept.
struct PairTable {
  uint64_t* packed = nullptr;  // one of the three: two counts in a word, pairs, pairs word by word
  Pair* pairs = nullptr;
  const int64_t* words = nullptr;
  const uint64_t* touched = nullptr;  // 256 bits: codes that may occur; null: all may
  bool kept = false;
};

class PairGroups {
 protected:
  PairGroups(const Node& node, CodeCounts& counts) : node_(node), counts_(counts) {}

  // The column at the node: the codes that occur, in order, and the rows without a value.
  struct Groups {
    uint32_t n = 0;
    uint8_t code[256];
    Pair sum[256];
    int64_t count[256];
    Pair known{0, 0}, missing{0, 0};
    int64_t known_count = 0, missing_count = 0;
    bool has_missing() const { return missing.w > 0; }
  };
  // What a test parts, missing rows where they belong.
  struct Sides {
    Pair left, right;
    int64_t left_count, right_count;
  };

  // Calls take(code) for the codes that may occur at the node, in order.
  template <class Take>
  static void each_code(const Column& column, const PairTable& table, Take&& take) {
    if (table.touched == nullptr) {
      for (uint32_t c = 0; c < column.n_slots(); ++c) take(c);
      return;
    }
    for (uint32_t word = 0; word < 4; ++word)
      for (uint64_t bits = table.touched[word]; bits != 0; bits &= bits - 1)
        take(64 * word + static_cast<uint32_t>(std::countr_zero(bits)));
  }

  static bool none(const PairTable& table, uint32_t code) {
    if (table.packed != nullptr) return table.packed[code] == 0;
    return (table.pairs != nullptr ? table.pairs[code].w : table.words[2 * code]) == 0;
  }

  // The sums on both sides of every cut.
  struct Walk {
    uint32_t n = 0;  // codes that occur; cuts stand after all but the last
    uint8_t code[256];
    double lw[256], la[256], rw[256], ra[256];
  };

  void walk_packed(const Column& column, const PairTable& table, Walk& walk) const {
    const double w = static_cast<double>(node_.sum.w), a = static_cast<double>(node_.sum.a);
    uint64_t sum = 0;
    each_code(column, table, [&](uint32_t c) {
      const uint64_t v = table.packed[c];
      if (!table.kept) table.packed[c] = 0;
      sum += v;
      const uint32_t n = walk.n;  // sums of copies are exact as doubles too
      walk.code[n] = static_cast<uint8_t>(c);
      walk.lw[n] = static_cast<double>(static_cast<int64_t>(sum >> 32));
      walk.la[n] = static_cast<double>(static_cast<int64_t>(sum & 0xffffffffu));
      walk.rw[n] = w - walk.lw[n];
      walk.ra[n] = a - walk.la[n];
      walk.n += v != 0;
    });
  }

  void walk_pairs(const Column& column, const PairTable& table, Walk& walk) const {
    Pair sum{0, 0};
    each_code(column, table, [&](uint32_t c) {
      const Pair v = table.pairs != nullptr ? table.pairs[c]
                                            : Pair{table.words[2 * c], table.words[2 * c + 1]};
      if (!table.kept) table.pairs[c] = {0, 0};
      sum += v;
      const uint32_t n = walk.n;
      walk.code[n] = static_cast<uint8_t>(c);
      walk.lw[n] = static_cast<double>(sum.w);
      walk.la[n] = static_cast<double>(sum.a);
      walk.rw[n] = static_cast<double>(node_.sum.w - sum.w);
      walk.ra[n] = static_cast<double>(node_.sum.a - sum.a);
      walk.n += v.w != 0;
    });
  }

  void read(uint32_t j, const PairTable& table) {
    const Column& column = node_.data.column(j);
    Groups& g = groups_;
    g.n = 0;
    g.known = g.missing = {0, 0};
    g.known_count = g.missing_count = 0;
    const int64_t* counts = node_.counting() ? counts_.of(j) : nullptr;
    each_code(column, table, [&](uint32_t c) {
      const Pair sum = table.packed != nullptr  ? unpacked(table.packed[c])
                       : table.pairs != nullptr ? table.pairs[c]
                                                : Pair{table.words[2 * c], table.words[2 * c + 1]};
      if (sum.w == 0) return;
      const int64_t count = counts != nullptr ? counts[c] : sum.w;
      if (!table.kept && table.packed != nullptr) table.packed[c] = 0;
      if (!table.kept && table.pairs != nullptr) table.pairs[c] = {0, 0};
      if (c == column.n_codes) {
        g.missing = {sum.w, node_.settings.missing == MissingTest::abstain ? sum.w / 2 : sum.a};
        g.missing_count = count;
        return;
      }
      g.code[g.n] = static_cast<uint8_t>(c);
      g.sum[g.n] = sum;
      g.count[g.n++] = count;
      g.known += sum;
      g.known_count += count;
    });
  }

  // Once for each side the missing rows may follow: 0, 1, or -1 where they do not.
  template <class Body>
  void each_side(Body&& body) const {
    if (node_.settings.missing != MissingTest::side || !groups_.has_missing()) return body(-1);
    body(0);
    body(1);
  }
  bool branches() const { return node_.settings.branches() && groups_.has_missing(); }

  Sides sides_from(Pair left, int64_t left_count, int side) const {
    const Groups& g = groups_;
    Sides s{left, {g.known.w - left.w, g.known.a - left.a}, left_count, g.known_count - left_count};
    if (side == 0) s.left += g.missing, s.left_count += g.missing_count;
    if (side == 1) s.right += g.missing, s.right_count += g.missing_count;
    return s;
  }

  // Categories that do not occur at the node follow the heavier side.
  void add_absent(uint32_t j, CategorySet& set) const {
    CategorySet present;
    for (uint32_t k = 0; k < groups_.n; ++k) present.add(groups_.code[k]);
    for (uint32_t category = 0; category < node_.data.column(j).n_codes; ++category)
      if (!present.has(category)) set.add(category);
  }

  // By share of the second class, or mean.
  void sort_by_rate() {
    Groups& g = groups_;
    const double low = node_.lowest();
    const double unit = (node_.highest() - low) * 0x1p-40;  // below it rates are equal
    uint32_t by[256];
    int64_t key[256];
    for (uint32_t i = 0; i < g.n; ++i) {
      by[i] = i;
      const double w = static_cast<double>(g.sum[i].w), a = static_cast<double>(g.sum[i].a);
      key[i] = std::llrint((a / w - low) / unit);
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

  const Node& node_;
  CodeCounts& counts_;
  Groups groups_;
};

}  // namespace weaklearn
