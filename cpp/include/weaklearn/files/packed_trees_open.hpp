// What stands where in a stream of trees, and the walk through all of them.
#pragma once

#include "weaklearn/files/packed_trees.hpp"

namespace weaklearn::files {

inline PackedTrees::PackedTrees(PackedStream stream, uint64_t n_bytes) {
  const uint64_t n_trees = stream.number();
  must(n_trees <= std::max(uint64_t{1} << 14, n_bytes / 32), "few bytes ask for very many trees");
  must(stream.number() != 0, "the trees are not packed");
  read_shapes(stream, n_trees, n_bytes + kFreeNodes);
  read_tests(stream);
  read_weights(stream);
  read_values(stream, n_bytes + kFreeNodes);
  gain_ = stream.guessed();
  stream.end();
  set_stops();
}

inline void PackedTrees::read_shapes(PackedStream& stream, uint64_t n_trees, uint64_t most_nodes) {
  length_ = one_a_tree(stream, n_trees);
  depth_first_ = stream.number() != 0;
  marks_ = stream.integers();
  must(marks_.size() <= most_nodes, "few bytes ask for very many nodes");
  must_add_up(length_, marks_.size());
  must(n_trees > 0 && *std::min_element(length_.begin(), length_.end()) > 0, "a tree has no node");
  if (depth_first_) return;
  first_ = stream.integers();
  width_ = stream.integers();
}

inline void PackedTrees::read_tests(PackedStream& stream) {
  ask_ = stream.integers();
  feature_ = stream.integers();
  must(ask_.size() == feature_.size() && ask_.size() <= marks_.size(), "tests are lacking");
  read_cuts(stream);
  missing_ = stream.integers();
  subset_ = stream.integers();
  sets_ = one_a_tree(stream, length_.size());
  for (Integers& words : words_) words = stream.integers();
  must_add_up(sets_, words_[0].size());
  for (const Integers& words : words_)
    must(words.size() == words_[0].size(), "words of sets are lacking");
}

inline void PackedTrees::read_cuts(PackedStream& stream) {
  listed_ = stream.number() != 0;
  if (!listed_) {
    cuts_ = stream.doubles();
    return;
  }
  const Integers n_cuts = stream.integers();
  const Doubles cuts = stream.doubles();
  cut_places_ = stream.integers();
  stream.table(2 * (n_cuts.size() + cuts.size()));
  n_cuts_ = n_cuts.read();
  cut_list_ = cuts.read();
  std::vector<int64_t>& features = cut_features_;
  const auto once = [&features] {
    std::sort(features.begin(), features.end());
    features.erase(std::unique(features.begin(), features.end()), features.end());
  };
  const uint64_t some = kBatch;
  size_t most = some;  // twice as many as there were when they were last sorted
  for (uint64_t start = 0; start < ask_.size(); start += some) {
    const uint64_t stop = std::min(start + some, ask_.size());
    const std::vector<int64_t> asks = ask_.read(start, stop);
    size_t i = 0;
    feature_.each(start, stop, [&](int64_t feature) {
      const bool fresh = features.empty() || features.back() != feature;
      if (asks[i++] == 1 && fresh) features.push_back(feature);
    });
    if (features.size() < most) continue;
    once();
    most = std::max<size_t>(some, 2 * features.size());
  }
  once();
  must(n_cuts_.size() == features.size(), [&] {
    return "there are " + text_of(n_cuts_.size()) + " entries, and should be " +
           text_of(features.size());
  });
  must_add_up(n_cuts_, cut_list_.size());
  int64_t start = 0;
  for (const int64_t n : n_cuts_) {
    cut_starts_.push_back(start);
    start += n;
  }
}

inline void PackedTrees::read_weights(PackedStream& stream) {
  const uint64_t spare = stream.number();  // what is absent: weights, counts, gains
  for (const auto& [bit, name] : {std::pair{0, "weight"}, {1, "count"}, {2, "gain"}})
    must(!(spare >> bit & 1), [&] { return std::string(name) + " has not one entry a node"; });
  adds_up_ = stream.number() != 0;
  count_ = stream.integers();
  multiple_ = stream.number() != 0;
  if (multiple_) {
    const Doubles unit = stream.doubles();
    must(unit.size() == length_.size(), "units are lacking");
    unit_ = unit.read();
  } else {
    light_ = stream.doubles();
  }
  weight_ = stream.guessed();
}

inline void PackedTrees::read_values(PackedStream& stream, uint64_t most_nodes) {
  form_ = stream.number();
  value_ = stream.integers();  // rows, or kinds of rows
  if (form_ != 0)
    again_ = stream.integers();
  else
    rows_ = one_a_tree(stream, length_.size());
  const uint64_t K = stream.number();
  stream.room(marks_.size(), K);
  of_leaves_ = stream.doubles();
  must(K > 0 && of_leaves_.size() % K == 0, "values are no table");
  n_outputs_ = K;
  of_others_ = stream.guessed();
  if (form_ != 0) return;
  const uint64_t most = of_leaves_.size() / K + ask_.size();
  uint64_t sum = 0;
  for (const int64_t rows : rows_) {
    must_index(rows, uint64_t{1} << 31);
    sum += static_cast<uint64_t>(rows);
  }
  must(sum <= most, "rows of values are lacking");
  must(sum <= most_nodes, "few bytes ask for very many rows of values");
}

inline void PackedTrees::set_stops() {
  const int64_t most = kBatch * kWide / std::max<int64_t>(kWide, static_cast<int64_t>(n_outputs_));
  int64_t nodes = 0;
  for (size_t t = 0; t < length_.size(); ++t) {
    if (nodes > 0 && nodes + length_[t] > most) {
      stops_.push_back(t);
      nodes = 0;
    }
    nodes += length_[t];
  }
  stops_.push_back(length_.size());
}

// What is known of all trees; nothing where what was believed of all is not true of some.
inline std::unique_ptr<TreeProof> PackedTrees::walked(TreeBatch& only) {
  auto proof = std::make_unique<TreeProof>();
  std::vector<Place> starts;
  Place at;
  for (size_t k = 0; k < stops_.size(); ++k) {
    starts.push_back(at);
    std::unique_ptr<TreeBatch> found = decoded(at, stops_[k], whole_);
    if (!found) return nullptr;
    try {
      proof->add(found->columns());
    } catch (const Unsound&) {
      if (believed(at, k + 1)) throw;
      return nullptr;
    }
    if (stops_.size() == 1) only = std::move(*found);
  }
  must_end(at);
  starts_ = std::move(starts);
  return proof;
}

// Whether what is believed of all trees is true of the batches from one on.
inline bool PackedTrees::believed(Place at, size_t k) const {
  bool whole = whole_;
  for (; k < stops_.size(); ++k)
    if (!decoded(at, stops_[k], whole)) return false;
  return true;
}

inline void PackedTrees::must_end(const Place& at) const {
  const uint64_t K = n_outputs_, leaves = at.node - at.test;
  const auto taken = [](const auto& column, uint64_t n) {
    must(column.size() == n, [&] { return "a column has not " + text_of(n) + " entries"; });
  };
  if (!depth_first_) {
    taken(first_, at.test);
    taken(width_, at.test);
  }
  taken(ask_, at.test);
  taken(missing_, at.test);
  taken(gain_, at.test);
  taken(cut_places_, listed_ ? at.cut : 0);
  taken(cuts_, listed_ ? 0 : at.cut);
  taken(subset_, at.chosen);
  taken(count_, adds_up_ ? leaves : at.node);
  taken(light_, multiple_ ? 0 : leaves);
  taken(weight_, multiple_ ? at.node : at.test);
  taken(value_, at.node);
  taken(again_, at.again);
  taken(of_leaves_, at.leaf_row * K);
  taken(of_others_, at.other_row * K);
}

}  // namespace weaklearn::files
