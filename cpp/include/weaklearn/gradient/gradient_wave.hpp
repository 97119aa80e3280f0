// The children of several nodes at once: rows divided, histograms filled, best splits found.
//
// Large nodes are shared among the threads, by rows and by columns; small ones go side by side, one
// a thread. Sums of parts are whole numbers: however the work is cut, the splits are the same.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "weaklearn/gradient/gain.hpp"
#include "weaklearn/gradient/gradient_data.hpp"
#include "weaklearn/gradient/gradient_filling.hpp"
#include "weaklearn/gradient/gradient_partition.hpp"
#include "weaklearn/gradient/gradient_sums.hpp"
#include "weaklearn/gradient/gradient_work.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/threads/profile.hpp"
#include "weaklearn/threads/share.hpp"

namespace weaklearn {

class GradientWave {
 public:
  GradientWave(const GradientData& data, GradientWork& work, GradientSums& sums,
               std::vector<GradientNode>& nodes, const ThreadShare& share)
      : data_(data),
        work_(work),
        sums_(sums),
        nodes_(nodes),
        share_(share),
        filling_(data, work, sums) {}

  // Steps that dividing a node and searching its children take for each feature.
  static size_t cost(const GradientNode& node) { return node.size() / 2 + 2 * kScan; }

  bool may_split(const GradientNode& node) const {
    return node.depth < data_.settings.max_depth &&
           node.terms.total.n >= 2 * data_.settings.min_samples_leaf;
  }

  // Whether what a node has not seen goes right: with more of its examples.
  static bool heavy_right(const GradientNode& node) {
    return node.terms.total.n - node.split.left.n > node.split.left.n;
  }

  // Which of two siblings has fewer examples: the one whose histogram is filled from its rows.
  size_t lighter(size_t left) const {
    return nodes_[left].terms.total.n <= nodes_[left + 1].terms.total.n ? left : left + 1;
  }

  // The sums of the root, whose histogram is there.
  void fill_root() {
    GradientNode& root = nodes_[0];
    sums_.gathered(0);
    sums_.begin_gathering(root, work_.gathered[0]);
    filling_.add(&root, &work_.gathered[0], sums_.pieces());
    const int threads = threads_for_root();
    const size_t chunks = (root.size() + kChunk - 1) / kChunk;
    Pool::instance().run(chunks, threads, [&](size_t t) {
      const Timed timed(Phase::histograms);
      sums_.gather(root, t * kChunk, std::min(root.size(), (t + 1) * kChunk), work_.gathered[0]);
    });
    filling_.fill(threads);
  }

  // The best split of the root, whose sums are there.
  void search_root() {
    GradientNode& root = nodes_[0];
    const int threads = threads_for_root();
    const std::vector<Piece> blocks = cut_blocks(sums_.pieces(), features().size(), threads);
    std::vector<GainSplit> found(features().size());
    Pool::instance().run(blocks.size(), threads, [&](size_t t) {
      const Timed timed(Phase::splits);
      filling_.merge(0, blocks[t]);
      NodeTerms terms = root.terms;
      terms.total = sums_.total_of(root, blocks[t].first);  // the same from every column
      scan(root, terms, blocks[t], found);
    });
    filling_.drop_parts();
    root.terms.total = sums_.total_of(root, 0);
    if (may_split(root)) choose(root, found);
  }

  // Gives the rows of nodes to their children, and searches the children that have histograms.
  void divide(const std::vector<size_t>& parents) {
    fill(parents, false);
    search();
  }

  // Gives the rows of nodes to their children, and fills the histograms that are filled from rows;
  // those that one thread divides best are searched too, unless sums of other rows are to come.
  void fill(const std::vector<size_t>& parents, bool more_to_come) {
    size_t total = 0;
    for (const size_t parent : parents) total += cost(nodes_[parent]);
    const int threads = threads_for(total * std::max<size_t>(features().size(), 1), share_.now());
    std::vector<size_t> alone;
    shared_.clear();
    filling_.clear();
    for (const size_t parent : parents) {
      const bool large = 2 * static_cast<size_t>(threads) * cost(nodes_[parent]) > total;
      if (more_to_come || (threads > 1 && large))
        shared_.push_back(division(parent, static_cast<size_t>(threads)));
      else
        alone.push_back(parent);
    }
    sums_.gathered(alone.size() + 2 * shared_.size());
    part(alone, threads);
    if (!shared_.empty()) fill_shared(alone.size(), threads);
    threads_ = threads;
  }

  // The histograms that `fill_root` and `fill` filled, until the next.
  GradientFilling& filling() { return filling_; }

  // The best splits of the children whose histograms `fill` filled.
  void search() {
    if (filling_.empty()) return;
    scan_shared();
    filling_.drop_parts();
  }

 private:
  static constexpr size_t kScan = 1500;    // rows that cost as much as looking for a column's split
  static constexpr size_t kChunk = 16384;  // rows that one thread divides at most
  static constexpr size_t kPart = 4096;    // rows that are worth sums of their own
  static constexpr size_t kPerThread = 3;  // tasks for each thread, so that none waits for long

  // A node that several threads divide.
  struct Division {
    GradientNode *parent, *light, *heavy;
    bool light_right;
    CodeSides sides;
    ListPartition rows, others;
    std::vector<Piece> pieces;
    std::vector<GainSplit> in_light, in_heavy;
  };

  // One chunk of the rows of a division, of those in the bag or of the others.
  struct Chunk {
    Division* of;
    bool others;
    size_t number;
    ListPartition& list() const { return others ? of->others : of->rows; }
  };

  const std::vector<int32_t>& features() const { return sums_.features(); }

  int threads_for_root() const {
    return threads_for((nodes_[0].size() + kScan) * features().size(), share_.now());
  }

  // ---------------------------------------------------------------------------------- one node

  CodeSides sides(const GradientNode& node) const {
    return {data_.column(node.split.feature), node.split, heavy_right(node)};
  }

  void set_stretches(const GradientNode& node, size_t left, size_t others_left) {
    GradientNode &low = nodes_[node.children], &high = nodes_[node.children + 1];
    low.begin = node.begin, high.end = node.end;
    low.end = high.begin = node.begin + left;
    low.others_begin = node.others_begin, high.others_end = node.others_end;
    low.others_end = high.others_begin = node.others_begin + others_left;
  }

  void divide_alone(size_t parent, GatheredValues& values) {
    const GradientNode& node = nodes_[parent];
    const CodeSides by = sides(node);
    const uint8_t* const codes = data_.codes(node.split.feature);
    const auto part = [&](std::vector<uint32_t>& rows, size_t offset, size_t begin, size_t end) {
      return part_in_order(rows.data() + begin, work_.spare.data() + offset + begin, end - begin,
                           codes, by.to_right);
    };
    {
      const Timed timed(Phase::rows);
      const size_t left = part(work_.rows, 0, node.begin, node.end);
      set_stretches(node, left,
                    part(work_.others, work_.rows.size(), node.others_begin, node.others_end));
    }
    GradientNode& light = nodes_[lighter(node.children)];
    GradientNode& heavy = nodes_[2 * node.children + 1 - lighter(node.children)];
    if (!light.sums) return;
    const std::vector<Piece> pieces = sums_.pieces_for(light);
    std::vector<GainSplit> in_light(features().size()), in_heavy(features().size());
    const auto fill_from_rows = [&](GradientNode& child) {
      const Timed timed(Phase::histograms);
      sums_.begin_gathering(child, values);
      sums_.gather(child, 0, child.size(), values);
      for (const Piece& piece : pieces)
        sums_.fill(child, values, piece, 0, child.size(), child.sums.get());
    };
    if (node.anew) fill_from_rows(heavy);
    fill_from_rows(light);
    const Timed timed(Phase::splits);
    for (const Piece& piece : pieces) scan_siblings(node, light, heavy, piece, in_light, in_heavy);
    choose(light, in_light);
    choose(heavy, in_heavy);
  }

  // The best splits of both children on some features, from the histogram of the light one.
  void scan_siblings(const GradientNode& parent, GradientNode& light, GradientNode& heavy,
                     const Piece& piece, std::vector<GainSplit>& in_light,
                     std::vector<GainSplit>& in_heavy) {
    if (!parent.anew)
      for (size_t k = piece.first; k < piece.first + piece.count; ++k)
        sums_.subtract(heavy.sums.get(), light.sums.get(), k);
    if (may_split(light)) scan(light, light.terms, piece, in_light);
    if (may_split(heavy)) scan(heavy, heavy.terms, piece, in_heavy);
  }

  void scan(const GradientNode& node, const NodeTerms& terms, const Piece& piece,
            std::vector<GainSplit>& found) const {
    for (size_t k = piece.first; k < piece.first + piece.count; ++k) {
      const int32_t feature = features()[k];
      if (!data_.allowed(node.groups, feature) || !node.may_ask(feature)) continue;
      found[k] =
          data_.best_split_on(feature, SumsView(node.sums[k], work_.whole.constant()), terms);
    }
  }

  void choose(GradientNode& node, const std::vector<GainSplit>& found) const {
    for (const GainSplit& split : found)
      if (split.gain > node.split.gain) node.split = split;
    if (node.forced >= 0 && may_split(node)) force(node);
  }

  // The split that is asked for, in place of the best one; none where a side would break a limit.
  void force(GradientNode& node) const {
    const int32_t feature = data_.settings.forced_feature[node.forced];
    const auto place = std::lower_bound(features().begin(), features().end(), feature);
    if (place == features().end() || *place != feature) return;
    const SumsView sums(node.sums[place - features().begin()], work_.whole.constant());
    const GainSplit split = data_.forced_split(static_cast<size_t>(node.forced), sums, node.terms);
    if (split.forced) node.split = split;
  }

  // ------------------------------------------------------------------- nodes of several threads

  Division division(size_t parent, size_t threads) {
    GradientNode& node = nodes_[parent];
    const uint8_t* const codes = data_.codes(node.split.feature);
    const size_t chunk = std::clamp(node.size() / (2 * threads) + 1, kPart, kChunk);
    const auto list = [&](std::vector<uint32_t>& rows, size_t offset, size_t begin, size_t end) {
      return ListPartition(rows.data() + begin, work_.spare.data() + offset + begin, end - begin,
                           codes, chunk);
    };
    const size_t light = lighter(node.children);
    return {&node,
            &nodes_[light],
            &nodes_[2 * node.children + 1 - light],
            light != node.children,
            sides(node),
            list(work_.rows, 0, node.begin, node.end),
            list(work_.others, work_.rows.size(), node.others_begin, node.others_end),
            {},
            {},
            {}};
  }

  // Divides the rows of shared nodes chunk by chunk; beside them, one thread each does all that is
  // to be done for the other nodes.
  void part(const std::vector<size_t>& alone, int threads) {
    const std::vector<Chunk> chunks = chunks_of_shared();
    Pool::instance().run(chunks.size() + alone.size(), threads, [&](size_t t) {
      if (t >= chunks.size())
        return divide_alone(alone[t - chunks.size()], work_.gathered[t - chunks.size()]);
      const Timed timed(Phase::rows);
      chunks[t].list().part(chunks[t].number, chunks[t].of->sides.to_right);
    });
    for (Division& one : shared_) {
      one.rows.count();
      one.others.count();
      set_stretches(*one.parent, one.rows.left(), one.others.left());
    }
  }

  std::vector<Chunk> chunks_of_shared() {
    std::vector<Chunk> chunks;
    for (Division& one : shared_) {
      for (size_t t = 0; t < one.rows.chunks(); ++t) chunks.push_back({&one, false, t});
      for (size_t t = 0; t < one.others.chunks(); ++t) chunks.push_back({&one, true, t});
    }
    return chunks;
  }

  // Histograms of the children of shared nodes, whose rows are parted.
  void fill_shared(size_t first_values, int threads) {
    for (Division& one : shared_) {
      GatheredValues* const values = &work_.gathered[first_values + 2 * (&one - shared_.data())];
      if (!one.light->sums) continue;
      sums_.begin_gathering(*one.light, values[0]);
      if (one.parent->anew) sums_.begin_gathering(*one.heavy, values[1]);
      one.pieces = sums_.pieces_for(*one.light);
      one.in_light.resize(features().size());
      one.in_heavy.resize(features().size());
      filling_.add(one.light, &values[0], one.pieces);
      if (one.parent->anew) filling_.add(one.heavy, &values[1], one.pieces);
    }
    place(first_values, threads);
    if (!filling_.empty()) filling_.fill(threads);
  }

  // Puts the rows of shared nodes in their places, and their values side by side.
  void place(size_t first_values, int threads) {
    const std::vector<Chunk> chunks = chunks_of_shared();
    Pool::instance().run(chunks.size(), threads, [&](size_t t) {
      const Timed timed(Phase::rows);
      const Chunk& chunk = chunks[t];
      chunk.list().place(chunk.number);
      Division& one = *chunk.of;
      if (chunk.others || !one.light->sums) return;
      const ListPartition::Places at = one.rows.places(chunk.number);
      const size_t left = one.rows.left();
      GatheredValues* const values = &work_.gathered[first_values + 2 * (&one - shared_.data())];
      const auto gather = [&](const GradientNode& child, bool right, GatheredValues& into) {
        if (right)
          sums_.gather(child, at.right_begin - left, at.right_end - left, into);
        else
          sums_.gather(child, at.left_begin, at.left_end, into);
      };
      gather(*one.light, one.light_right, values[0]);
      if (one.parent->anew) gather(*one.heavy, !one.light_right, values[1]);
    });
  }

  // Pieces cut further, so that all threads have some of so many columns.
  static std::vector<Piece> cut_blocks(const std::vector<Piece>& pieces, size_t columns,
                                       int threads) {
    const size_t tasks = threads == 1 ? 1 : kPerThread * static_cast<size_t>(threads);
    const size_t most = (columns + tasks - 1) / tasks;
    std::vector<Piece> blocks;
    for (const Piece& piece : pieces)
      for (size_t k = 0; k < piece.count; k += most)
        blocks.push_back({piece.first + k, std::min(most, piece.count - k), piece.band});
    return blocks;
  }

  void scan_shared() {
    struct Task {
      Division* of;
      size_t filled;  // the light child; the heavy one follows where it is filled
      Piece block;
    };
    std::vector<Task> tasks;
    size_t next = 0, columns = 0;
    for (const Division& one : shared_)
      for (const Piece& piece : one.pieces) columns += piece.count;
    for (Division& one : shared_) {
      if (!one.light->sums) continue;
      for (const Piece& block : cut_blocks(one.pieces, columns, threads_))
        tasks.push_back({&one, next, block});
      next += one.parent->anew ? 2 : 1;
    }
    Pool::instance().run(tasks.size(), threads_, [&](size_t t) {
      const Timed timed(Phase::splits);
      Division& one = *tasks[t].of;
      filling_.merge(tasks[t].filled, tasks[t].block);
      if (one.parent->anew) filling_.merge(tasks[t].filled + 1, tasks[t].block);
      scan_siblings(*one.parent, *one.light, *one.heavy, tasks[t].block, one.in_light,
                    one.in_heavy);
    });
    for (Division& one : shared_) {
      choose(*one.light, one.in_light);
      choose(*one.heavy, one.in_heavy);
    }
  }

  const GradientData& data_;
  GradientWork& work_;
  GradientSums& sums_;
  std::vector<GradientNode>& nodes_;
  const ThreadShare& share_;
  GradientFilling filling_;
  std::vector<Division> shared_;  // of the last `fill`
  int threads_ = 1;               // that it worked with
};

}  // namespace weaklearn
