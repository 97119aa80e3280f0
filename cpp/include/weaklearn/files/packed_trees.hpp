// Trees of a compressed stream, decoded and proved a batch at a time; what a stream holds is told
// in docs/model-files.md, and src/weaklearn/base/compression/tree_reader.py reads the same in
// numpy.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "weaklearn/files/packed_stream.hpp"
#include "weaklearn/files/tree_proof.hpp"
#include "weaklearn/files/tree_shapes.hpp"

namespace weaklearn::files {

// Some trees, decoded: their columns one after another, with sets of categories in the order of
// nodes.
struct TreeBatch {
  std::vector<uint8_t> ask;
  std::vector<int32_t> feature;
  std::vector<double> threshold;
  std::vector<int32_t> first, width, missing, subset, value;
  std::vector<double> weight;
  std::vector<int64_t> count;
  std::vector<double> gain;
  std::vector<uint64_t> subsets;
  std::vector<double> values;
  std::vector<int64_t> length, sets, rows;
  size_t n_outputs = 1;

  // What the columns take.
  size_t n_bytes() const {
    return ask.size() *
               (sizeof(uint8_t) + 5 * sizeof(int32_t) + 3 * sizeof(double) + sizeof(int64_t)) +
           value.size() * sizeof(int32_t) + subsets.size() * sizeof(uint64_t) +
           values.size() * sizeof(double);
  }

  TreeColumns columns() const {
    return {ask.data(),   feature.data(), threshold.data(), first.data(),
            width.data(), missing.data(), value.data(),     weight.data(),
            count.data(), gain.data(),    values.data(),    length.data(),
            rows.data(),  length.size(),  ask.size(),       values.size() / n_outputs,
            n_outputs};
  }
};

class PackedTrees {
 public:
  // The bytes must outlive the trees.
  PackedTrees(const uint8_t* data, uint64_t n)
      : PackedTrees(PackedStream(data, n, entries(n)), n) {}

  const std::vector<int64_t>& length() const { return length_; }
  const std::vector<size_t>& stops() const { return stops_; }
  size_t n_outputs() const { return n_outputs_; }

  // What is known of all trees; they are refused unless they are sound. Fills `only`, where all of
  // them are one batch.
  TreeProof proved(TreeBatch& only) {
    std::unique_ptr<TreeProof> found = walked(only);
    if (!found) {  // the products of some batch are not whole, which holds for the guesses of all
      whole_ = false;
      found = walked(only);
    }
    return std::move(*found);
  }

  // A batch again, once all are proved.
  TreeBatch batch(size_t k) const {
    bool whole = whole_;
    Place at = starts_.at(k);
    return *decoded(at, stops_[k], whole);
  }

 private:
  // How many entries of each kind the trees before have.
  struct Place {
    size_t tree = 0, node = 0, test = 0, cut = 0, chosen = 0, sets = 0, again = 0, leaf_row = 0,
           other_row = 0;
  };

  static constexpr uint64_t kFreeNodes = uint64_t{1} << 15;
  static constexpr int64_t kBatch = int64_t{1} << 15;  // nodes, or one tree
  static constexpr int64_t kWide = 4;                  // outputs beyond which a batch has fewer

  static uint64_t entries(uint64_t n) { return std::min(16 * n, (uint64_t{1} << 19) + 8 * n); }

  PackedTrees(PackedStream stream, uint64_t n_bytes);
  void read_shapes(PackedStream& stream, uint64_t n_trees, uint64_t most_nodes);
  void read_tests(PackedStream& stream);
  void read_cuts(PackedStream& stream);
  void read_weights(PackedStream& stream);
  void read_values(PackedStream& stream, uint64_t most_nodes);
  void set_stops();

  std::unique_ptr<TreeProof> walked(TreeBatch& only);
  bool believed(Place at, size_t k) const;
  void must_end(const Place& at) const;
  // The trees from a place to another, and the place behind them. Nothing where what was believed
  // of those before is not true of them.
  std::unique_ptr<TreeBatch> decoded(Place& at, size_t stop, bool& whole) const;
  void decode_tests(const Place& at, const TreeShapes& shapes, TreeBatch& out, Place& after) const;
  void decode_sets(const Place& at, const TreeShapes& shapes, TreeBatch& out, Place& after) const;
  void decode_weights(const Place& at, const TreeShapes& shapes, TreeBatch& out) const;
  std::vector<uint32_t> decode_rows(const Place& at, size_t stop, const TreeShapes& shapes,
                                    TreeBatch& out, Place& after) const;
  // False where what was believed of the batches before is not true; `merit` is for the gains.
  bool decode_values(const Place& at, const TreeShapes& shapes, const std::vector<uint32_t>& row,
                     TreeBatch& out, Place& after, bool& whole, std::vector<double>& merit) const;
  void decode_gains(const Place& at, const TreeShapes& shapes, const std::vector<uint32_t>& row,
                    const std::vector<double>& merit, TreeBatch& out) const;

  std::vector<int64_t> length_, sets_, rows_;
  bool depth_first_ = false, adds_up_ = false, multiple_ = false, listed_ = false;
  Integers marks_, first_, width_, ask_, feature_, missing_, subset_, words_[4];
  Doubles cuts_;
  Integers cut_places_;
  std::vector<int64_t> n_cuts_, cut_starts_, cut_features_;
  std::vector<double> cut_list_;
  Integers count_, value_, again_;
  std::vector<double> unit_;
  Doubles light_, of_leaves_;
  Guessed weight_, of_others_, gain_;
  uint64_t form_ = 0;
  size_t n_outputs_ = 1;
  std::vector<size_t> stops_;
  std::vector<Place> starts_;
  bool whole_ = true;
};

// n whole numbers, of which there is one for each tree.
inline std::vector<int64_t> one_a_tree(PackedStream& stream, uint64_t n) {
  const Integers found = stream.integers();
  must(found.size() == n, [&] { return "there are not " + text_of(n) + " trees"; });
  return found.read();
}

inline void must_add_up(const std::vector<int64_t>& parts, uint64_t total) {
  uint64_t sum = 0;
  for (const int64_t part : parts) {
    must_index(part, total + 1);
    sum += static_cast<uint64_t>(part);
    must(sum <= total, [&] { return "parts do not add up to " + text_of(total); });
  }
  must(sum == total, [&] { return "parts do not add up to " + text_of(total); });
}

inline int32_t narrowed(int64_t x) {
  must(x >= std::numeric_limits<int32_t>::min() && x <= std::numeric_limits<int32_t>::max(),
       "int32 does not hold all");
  return static_cast<int32_t>(x);
}

}  // namespace weaklearn::files

#include "weaklearn/files/packed_trees_decode.hpp"
#include "weaklearn/files/packed_trees_open.hpp"
