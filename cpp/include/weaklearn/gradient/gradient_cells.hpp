// A growing tree whose paths ask for at most two columns, one of them the column of the root: nodes
// are sets of codes.
//
// Once the rows are summed by the codes of the root's column, and by those codes together with the
// codes of each column that may stand beside it, no row is looked at until the leaves are known.
// Cost: O(rows) a column that may follow, then O(cells) a node. Sums are whole numbers: the tree is
// the one that dividing the rows would give.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "weaklearn/gradient/gain.hpp"
#include "weaklearn/gradient/gradient_data.hpp"
#include "weaklearn/gradient/gradient_partition.hpp"
#include "weaklearn/gradient/gradient_sums.hpp"
#include "weaklearn/gradient/gradient_work.hpp"
#include "weaklearn/gradient/sum_words.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/threads/profile.hpp"

namespace weaklearn {

// The leaf that each row comes to.
struct CellLeaves {
  const uint8_t* stem = nullptr;  // codes of the root's column; null: there is one leaf
  const uint8_t* beside[kSlots];  // by its code: those of the column beside it, or itself
  std::vector<uint16_t> leaf_of;  // by its code times kSlots and the other

  size_t operator()(size_t row) const {
    if (stem == nullptr) return 0;
    const size_t code = stem[row];
    return leaf_of[code * kSlots + beside[code][row]];
  }
};

class GradientCells {
 public:
  GradientCells(const GradientData& data, const GradientWork& work, const GradientSums& sums)
      : data_(data), work_(work), sums_(sums) {}

  bool begun() const { return stem_ >= 0; }

  // Sums the rows by the column that the root asks for, and the columns that its groups have too.
  void begin(const GradientNode& root, const std::vector<int32_t>& groups, int threads) {
    stem_ = root.split.feature;
    stem_sums_ = sums_.of(root, stem_);
    for (const int32_t feature : sums_.features())
      if (feature != stem_ && data_.allowed(groups, feature)) beside_.push_back({feature, {}});
    add_up(root, threads);
    sets_.resize(1);
    sets_[0].stem.fill(1);
  }

  // Over partitions: the words of the sums of own rows, and the sums over all from theirs.
  bool wants_sums() const { return !beside_.empty(); }
  void write(std::vector<int64_t>& words) const {
    const SumWords form(work_.whole, work_.whole.examples());
    for (const Beside& one : beside_)
      form.write(one.sums.g.data(), one.sums.c.data(), one.sums.n.data(), one.sums.g.size(), words);
  }
  void read(const int64_t* words) {
    const SumWords form(work_.whole, work_.whole.examples());
    for (Beside& one : beside_)
      words = form.read(words, one.sums.g.size(), one.sums.g.data(), one.sums.c.data(),
                        one.sums.n.data());
  }

  // Gives the codes of a node to its children, of which the right one follows the left.
  void divide(size_t parent, size_t left, int32_t feature, const CodeSides& sides) {
    Codes codes = sets_[parent];
    if (feature != stem_ && codes.beside == kNone) {
      codes.beside = place_of(feature);
      codes.other.fill(1);
    }
    sets_.resize(left + 2, codes);
    for (const size_t child : {left, left + 1}) {
      CodeSet& set = feature == stem_ ? sets_[child].stem : sets_[child].other;
      const uint8_t side = child == left ? 0 : 1;
      for (size_t code = 0; code < kSlots; ++code) set[code] &= sides.to_right[code] == side;
    }
  }

  // The best split of a node.
  GainSplit search(const GradientNode& node, size_t number) const {
    GainSplit best;
    for (const int32_t feature : sums_.features()) {
      if (!data_.allowed(node.groups, feature) || !node.may_ask(feature)) continue;
      const Sums sums = sums_of(sets_[number], feature);
      const GainSplit found =
          data_.best_split_on(feature, SumsView(sums, work_.whole.constant()), node.terms);
      if (found.gain > best.gain) best = found;
    }
    return best;
  }

  // Of nodes that together have all rows.
  CellLeaves leaves(const std::vector<size_t>& nodes) const {
    CellLeaves found;
    if (!begun()) return found;
    found.stem = data_.codes(stem_);
    found.leaf_of.resize(width(stem_) * kSlots);
    for (size_t t = 0; t < nodes.size(); ++t) {
      const Codes& codes = sets_[nodes[t]];
      const auto leaf = static_cast<uint16_t>(t);
      for (size_t code = 0; code < width(stem_); ++code) {
        if (codes.stem[code] == 0) continue;
        uint16_t* const of_others = found.leaf_of.data() + code * kSlots;
        if (codes.beside == kNone) {
          found.beside[code] = found.stem;
          of_others[code] = leaf;
          continue;
        }
        const int32_t feature = beside_[codes.beside].feature;
        found.beside[code] = data_.codes(feature);
        for (size_t other = 0; other < width(feature); ++other)
          if (codes.other[other] != 0) of_others[other] = leaf;
      }
    }
    return found;
  }

 private:
  static constexpr size_t kNone = SIZE_MAX;
  static constexpr size_t kPart = 8192;  // rows that are worth sums of their own

  // What a node holds: codes of the root's column, and of one beside it.
  using CodeSet = std::array<uint8_t, kSlots>;  // 1 for those within
  struct Codes {
    CodeSet stem, other;
    size_t beside = kNone;
  };

  // Sums by the code of the root's column and of another, which stands for the place in a row.
  struct Table {
    std::vector<int64_t> g, c, n;
  };
  struct Beside {
    int32_t feature;
    Table sums;
  };

  size_t width(int32_t feature) const { return data_.column(feature).n_codes + size_t{1}; }
  size_t place_of(int32_t feature) const {
    size_t place = 0;
    while (beside_[place].feature != feature) ++place;
    return place;
  }

  // -------------------------------------------------------------------------------- from rows

  void add_up(const GradientNode& root, int most_threads) {
    const size_t n = root.size(), columns = beside_.size();
    if (columns == 0) return;
    const int threads = threads_for(2 * n * columns, most_threads);
    const size_t wanted = threads == 1 ? 1 : 2 * static_cast<size_t>(threads) / columns + 1;
    const size_t parts = std::max<size_t>(1, std::min(wanted, n / kPart));
    std::vector<Table> tables(columns * parts);
    Pool::instance().run(tables.size(), threads, [&](size_t t) {
      const Timed timed(Phase::histograms);
      const size_t part = t / columns;
      add_rows(root, beside_[t % columns].feature, n * part / parts, n * (part + 1) / parts,
               tables[t]);
    });
    for (size_t t = 0; t < tables.size(); ++t) {
      Table& to = beside_[t % columns].sums;
      if (t < columns)
        to = std::move(tables[t]);
      else
        merge(tables[t], to);
    }
  }

  static void merge(const Table& from, Table& to) {
    for (size_t k = 0; k < to.g.size(); ++k) to.g[k] += from.g[k];
    for (size_t k = 0; k < to.c.size(); ++k) to.c[k] += from.c[k];
    for (size_t k = 0; k < to.n.size(); ++k) to.n[k] += from.n[k];
  }

  void add_rows(const GradientNode& root, int32_t feature, size_t from, size_t to,
                Table& table) const {
    const size_t across = width(feature), cells = width(stem_) * across;
    const WholeGradients& whole = work_.whole;
    const uint8_t *const first = data_.codes(stem_), *const second = data_.codes(feature);
    const uint32_t* const rows = work_.rows.data() + root.begin;
    const auto add = [&](size_t begin, size_t end, const int64_t* of_all,
                         std::vector<int64_t>& out) {
      for (size_t k = begin; k < end; ++k)
        out[first[rows[k]] * across + second[rows[k]]] += of_all[rows[k]];
    };
    table.g.assign(cells, 0);
    table.n.assign(cells, 0);
    table.c.assign(whole.constant() ? 0 : cells, 0);
    if (!whole.packed()) {
      add(from, to, whole.g(), table.g);
      add(from, to, whole.n(), table.n);
      if (!whole.constant()) add(from, to, whole.c(), table.c);
      return;
    }
    std::vector<int64_t> packed(cells);
    for (size_t begin = from; begin < to; begin += kPackedRows) {
      std::fill(packed.begin(), packed.end(), 0);
      add(begin, std::min(begin + kPackedRows, to), whole.one(), packed);
      hot().unpack(packed.data(), cells, kCountBits, whole.c_bits(), table.g.data(),
                   whole.constant() ? nullptr : table.c.data(), table.n.data());
    }
  }

  // ------------------------------------------------------------------------------- from tables

  Sums sums_of(const Codes& codes, int32_t feature) const {
    Sums sums;
    const Table* const table = feature != stem_        ? &beside_[place_of(feature)].sums
                               : codes.beside != kNone ? &beside_[codes.beside].sums
                                                       : nullptr;
    const auto part = [&](const int64_t* of_stem, const std::vector<int64_t>* of_cells,
                          int64_t* out) {
      std::fill(out, out + width(feature), 0);
      if (of_cells == nullptr)
        keep(codes.stem, of_stem, width(feature), out);
      else if (feature != stem_)
        add_down(codes, *of_cells, width(feature), out);
      else
        add_across(codes, *of_cells, width(beside_[codes.beside].feature), out);
    };
    part(stem_sums_.g, table == nullptr ? nullptr : &table->g, sums.g);
    part(stem_sums_.n, table == nullptr ? nullptr : &table->n, sums.n);
    if (!work_.whole.constant()) part(stem_sums_.c, table == nullptr ? nullptr : &table->c, sums.c);
    return sums;
  }

  static void keep(const CodeSet& which, const int64_t* from, size_t n, int64_t* out) {
    for (size_t code = 0; code < n; ++code) out[code] = from[code] & -int64_t{which[code]};
  }

  // Sums of the other column over the codes of the root's.
  void add_down(const Codes& codes, const std::vector<int64_t>& cells, size_t across,
                int64_t* out) const {
    for (size_t code = 0; code < width(stem_); ++code) {
      if (codes.stem[code] == 0) continue;
      for (size_t k = 0; k < across; ++k) out[k] += cells[code * across + k];
    }
    if (codes.beside != kNone) keep(codes.other, out, across, out);
  }

  // Sums of the root's column over the codes of the other.
  void add_across(const Codes& codes, const std::vector<int64_t>& cells, size_t across,
                  int64_t* out) const {
    int64_t mask[kSlots];
    for (size_t k = 0; k < across; ++k) mask[k] = -int64_t{codes.other[k]};
    for (size_t code = 0; code < width(stem_); ++code) {
      if (codes.stem[code] == 0) continue;
      int64_t sum = 0;
      for (size_t k = 0; k < across; ++k) sum += cells[code * across + k] & mask[k];
      out[code] = sum;
    }
  }

  const GradientData& data_;
  const GradientWork& work_;
  const GradientSums& sums_;
  int32_t stem_ = -1;
  Sums stem_sums_;
  std::vector<Beside> beside_;
  std::vector<Codes> sets_;  // of each node
};

}  // namespace weaklearn
