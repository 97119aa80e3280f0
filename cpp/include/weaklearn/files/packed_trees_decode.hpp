// How a batch of packed trees is decoded. Guesses of values and gains are part of the form of a
// file: the four operations alone, in a fixed order.
#pragma once

#include "weaklearn/files/packed_trees.hpp"

namespace weaklearn::files {

constexpr double kAlmostWhole = 0x1p-20;

// a / b, and 0 where that is not finite.
inline double ratio(double a, double b) {
  const double found = a / b;
  return std::isfinite(found) ? found : 0.0;
}

inline std::unique_ptr<TreeBatch> PackedTrees::decoded(Place& at, size_t stop, bool& whole) const {
  auto out = std::make_unique<TreeBatch>();
  const auto begin = static_cast<ptrdiff_t>(at.tree), end = static_cast<ptrdiff_t>(stop);
  out->length.assign(length_.begin() + begin, length_.begin() + end);
  out->n_outputs = n_outputs_;
  TreeShapes shapes(out->length.data(), out->length.size());
  const size_t n = shapes.n_nodes();
  std::vector<bool> marks(n);
  size_t node = 0;
  marks_.each(at.node, at.node + n, [&](int64_t mark) {
    must_index(mark, 2);
    marks[node++] = mark != 0;
  });
  if (depth_first_)
    shapes.grown_depth_first(marks);
  else
    shapes.as_told(marks, first_, width_, at.test);
  shapes.must_be_shallow();
  Place after = at;
  after.tree = stop;
  after.node += n;
  after.test += shapes.tests.size();
  decode_tests(at, shapes, *out, after);
  decode_sets(at, shapes, *out, after);
  decode_weights(at, shapes, *out);
  if (form_ == 2) shapes.visit();
  const std::vector<uint32_t> row = decode_rows(at, stop, shapes, *out, after);
  shapes.visits = {};
  std::vector<double> merit;
  if (!decode_values(at, shapes, row, *out, after, whole, merit)) return nullptr;
  decode_gains(at, shapes, row, merit, *out);
  at = after;
  return out;
}

inline void PackedTrees::decode_tests(const Place& at, const TreeShapes& shapes, TreeBatch& out,
                                      Place& after) const {
  const size_t n = shapes.n_nodes(), n_tests = shapes.tests.size(), stop = at.test + n_tests;
  const std::vector<uint32_t>& tests = shapes.tests;
  out.ask.assign(n, 0);
  out.feature.assign(n, -1);
  out.threshold.assign(n, 0.0);
  out.first.assign(n, 0);
  out.width.assign(n, 0);
  out.missing.assign(n, 0);
  size_t i = 0;
  ask_.each(at.test, stop, [&](int64_t ask) {
    must(ask >= 1 && ask <= 3, "a node asks what there is not");
    out.ask[tests[i++]] = static_cast<uint8_t>(ask);
  });
  std::vector<uint32_t> cut;  // tests of thresholds
  i = 0;
  feature_.each(at.test, stop, [&](int64_t feature) {
    const uint32_t node = tests[i++];
    out.feature[node] = narrowed(feature);
    if (out.ask[node] == 1) cut.push_back(node);
  });
  after.cut += cut.size();
  i = 0;
  if (!listed_) {
    cuts_.each(at.cut, after.cut, [&](double threshold) { out.threshold[cut[i++]] = threshold; });
  } else {
    const std::vector<int64_t>& known = cut_features_;
    cut_places_.each(at.cut, after.cut, [&](int64_t place) {
      const int64_t feature = out.feature[cut[i]];
      size_t of = static_cast<size_t>(feature);  // most models ask of every column
      if (of >= known.size() || known[of] != feature)
        of = static_cast<size_t>(std::lower_bound(known.begin(), known.end(), feature) -
                                 known.begin());
      must(place >= 0 && place < n_cuts_[of], "a cut is in no list");
      out.threshold[cut[i++]] = cut_list_[static_cast<size_t>(place + cut_starts_[of])];
    });
  }
  i = 0;
  missing_.each(at.test, stop,
                [&](int64_t missing) { out.missing[tests[i++]] = narrowed(missing); });
  size_t tree = 0;
  for (size_t test = 0; test < n_tests; ++test) {
    while (shapes.start[tree + 1] <= tests[test]) ++tree;
    out.first[tests[test]] = static_cast<int32_t>(shapes.first[test] - shapes.start[tree]);
    out.width[tests[test]] = shapes.width_of(test);
  }
}

inline void PackedTrees::decode_sets(const Place& at, const TreeShapes& shapes, TreeBatch& out,
                                     Place& after) const {
  const size_t n_trees = shapes.n_trees();
  std::vector<uint32_t> chosen;
  for (const uint32_t node : shapes.tests)
    if (out.ask[node] == 2) chosen.push_back(node);
  std::vector<uint64_t> starts;  // the sets of each tree, among all of the stream
  for (size_t t = 0; t < n_trees; ++t) {
    starts.push_back(after.sets);
    after.sets += static_cast<size_t>(sets_[at.tree + t]);
  }
  after.chosen += chosen.size();
  out.subset.assign(shapes.n_nodes(), -1);
  out.sets.assign(n_trees, 0);
  out.subsets.assign(4 * chosen.size(), 0);
  std::vector<uint64_t> words[4];
  for (size_t w = 0; w < 4; ++w) {
    words[w].reserve(after.sets - at.sets);
    words_[w].each(at.sets, after.sets,
                   [&](int64_t word) { words[w].push_back(static_cast<uint64_t>(word)); });
  }
  size_t i = 0, tree = 0;
  subset_.each(at.chosen, after.chosen, [&](int64_t step) {
    const uint32_t node = chosen[i];
    while (shapes.start[tree + 1] <= node) ++tree;
    const auto place = narrowed(
        static_cast<int64_t>(static_cast<uint64_t>(step) + static_cast<uint64_t>(out.sets[tree])));
    need(place >= 0 && place < sets_[at.tree + tree],
         "a test names a set of categories that there is not");
    out.subset[node] = static_cast<int32_t>(out.sets[tree]++);
    for (size_t w = 0; w < 4; ++w)
      out.subsets[4 * i + w] = words[w][starts[tree] - at.sets + static_cast<size_t>(place)];
    ++i;
  });
}

inline void PackedTrees::decode_weights(const Place& at, const TreeShapes& shapes,
                                        TreeBatch& out) const {
  const size_t n = shapes.n_nodes(), leaf = at.node - at.test;
  const size_t n_leaves = n - shapes.tests.size();
  std::vector<uint32_t> leaves;
  leaves.reserve(n_leaves);
  for (uint32_t node = 0; node < n; ++node)
    if (!shapes.inner[node]) leaves.push_back(node);
  std::vector<int64_t>& count = out.count;
  count.assign(n, 0);
  size_t i = 0;
  if (adds_up_) {
    count_.each(leaf, leaf + n_leaves, [&](int64_t x) { count[leaves[i++]] = x; });
    shapes.add_up(reinterpret_cast<uint64_t*>(count.data()));
  } else {
    count_.each(at.node, at.node + n, [&](int64_t x) { count[i++] = x; });
  }
  std::vector<double>& weight = out.weight;
  weight.assign(n, 0.0);
  if (multiple_) {
    size_t node = 0, tree = 0;
    weight_.each(at.node, at.node + n, [&](uint64_t known) {
      while (shapes.start[tree + 1] <= node) ++tree;
      const double guess = static_cast<double>(count[node]) * unit_[at.tree + tree];
      weight[node++] = weight_.made(known, guess);
    });
    return;
  }
  i = 0;
  light_.each(leaf, leaf + n_leaves, [&](double x) { weight[leaves[i++]] = x; });
  shapes.add_up(weight.data());  // guesses are sums of what leaves have
  i = 0;
  weight_.each(at.test, at.test + shapes.tests.size(), [&](uint64_t known) {
    double& x = weight[shapes.tests[i++]];
    x = weight_.made(known, x);
  });
}

// The row of values of each node, numbered through the batch.
inline std::vector<uint32_t> PackedTrees::decode_rows(const Place& at, size_t stop,
                                                      const TreeShapes& shapes, TreeBatch& out,
                                                      Place& after) const {
  constexpr const char* kNone = "a node has a value that there is not";
  std::vector<uint32_t> row(shapes.n_nodes());
  out.value.assign(shapes.n_nodes(), 0);
  out.rows.assign(stop - at.tree, 0);
  std::vector<int32_t> shared;  // rows of a tree that several nodes have
  std::vector<uint32_t> again;  // the nodes that have one of these, but for the first
  uint32_t before = 0;          // rows of the trees before
  for (size_t t = 0; t < shapes.n_trees(); ++t) {
    shared.clear();
    again.clear();
    int64_t n_rows = form_ == 0 ? rows_[at.tree + t] : 0;
    size_t i = shapes.start[t];
    value_.each(at.node + i, at.node + shapes.start[t + 1], [&](int64_t kind) {
      const uint32_t node = form_ == 2 ? shapes.visits[i] : static_cast<uint32_t>(i);
      ++i;
      if (form_ == 0) {
        must(kind >= -1 && kind < n_rows, kNone);
        need(kind >= 0, "a node answers with no value");
        out.value[node] = static_cast<int32_t>(kind);
      } else if (kind == 2) {
        again.push_back(node);
      } else {
        need(kind == 0 || kind == 1, "a node answers with no value");
        out.value[node] = static_cast<int32_t>(n_rows++);
        if (kind == 1) shared.push_back(out.value[node]);
      }
    });
    i = 0;
    if (form_ != 0)
      again_.each(after.again, after.again + again.size(), [&](int64_t place) {
        must(place >= 0 && static_cast<uint64_t>(place) < shared.size(), kNone);
        out.value[again[i++]] = shared[static_cast<size_t>(place)];
      });
    after.again += again.size();
    for (size_t node = shapes.start[t]; node < shapes.start[t + 1]; ++node)
      row[node] = before + static_cast<uint32_t>(out.value[node]);
    out.rows[t] = n_rows;
    must(n_rows < std::numeric_limits<int32_t>::max() - static_cast<int64_t>(before),
         "int32 does not hold all");
    before += static_cast<uint32_t>(n_rows);
  }
  return row;
}

inline bool PackedTrees::decode_values(const Place& at, const TreeShapes& shapes,
                                       const std::vector<uint32_t>& row, TreeBatch& out,
                                       Place& after, bool& whole,
                                       std::vector<double>& merit) const {
  constexpr uint32_t kLeaf = std::numeric_limits<uint32_t>::max();
  const size_t n = shapes.n_nodes(), K = n_outputs_;
  size_t n_rows = 0;
  for (const int64_t rows : out.rows) n_rows += static_cast<size_t>(rows);
  std::vector<uint32_t> owner(n_rows, kLeaf);  // the first test that has a row no leaf has
  for (size_t test = shapes.tests.size(); test-- > 0;)
    owner[row[shapes.tests[test]]] = shapes.tests[test];
  for (uint32_t node = 0; node < n; ++node)
    if (!shapes.inner[node]) owner[row[node]] = kLeaf;
  const auto n_others = static_cast<size_t>(
      std::count_if(owner.begin(), owner.end(), [](uint32_t node) { return node != kLeaf; }));
  after.leaf_row += n_rows - n_others;
  after.other_row += n_others;
  std::vector<double>& values = out.values;
  of_leaves_.must_have(at.leaf_row * K, after.leaf_row * K);
  of_others_.must_have(at.other_row * K, after.other_row * K);
  values.assign(n_rows * K, 0.0);
  size_t at_row = 0, k = 0;
  const auto put = [&](double x, bool of_leaf) {
    while ((owner[at_row] == kLeaf) != of_leaf) ++at_row;
    values[at_row * K + k] = x;
    if (++k == K) {
      k = 0;
      ++at_row;
    }
  };
  of_leaves_.each(at.leaf_row * K, after.leaf_row * K, [&](double x) { put(x, true); });
  at_row = 0;
  // What is known of the others stands in their places until there are guesses.
  of_others_.each(at.other_row * K, after.other_row * K,
                  [&](uint64_t known) { put(std::bit_cast<double>(known), false); });
  const std::vector<double>& weight = out.weight;
  if (whole) {
    bool almost = true;
    for (uint32_t node = 0; node < n && almost; ++node)
      for (size_t c = 0; !shapes.inner[node] && c < K && almost; ++c) {
        const double product = values[row[node] * K + c] * weight[node];
        almost = std::abs(product - std::rint(product)) <= kAlmostWhole;
      }
    whole = almost;
    if (!almost && at.tree > 0) return false;  // the trees before have been rounded
  }
  if (K > 1) merit.assign(n, 0.0);
  std::vector<double> total(n);
  for (size_t c = 0; c < K; ++c) {
    for (uint32_t node = 0; node < n; ++node) {
      total[node] = 0.0;
      if (shapes.inner[node]) continue;
      const double product = values[row[node] * K + c] * weight[node];
      total[node] = whole ? std::rint(product) : product;
    }
    shapes.add_up(total.data());
    for (size_t r = 0; r < n_rows; ++r) {
      if (owner[r] == kLeaf) continue;
      double& value = values[r * K + c];
      const double guess = ratio(total[owner[r]], weight[owner[r]]);
      value = of_others_.made(std::bit_cast<uint64_t>(value), guess);
    }
    for (uint32_t node = 0; K > 1 && node < n; ++node) merit[node] += total[node] * total[node];
  }
  for (uint32_t node = 0; K > 1 && node < n; ++node) merit[node] = ratio(merit[node], weight[node]);
  return true;
}

inline void PackedTrees::decode_gains(const Place& at, const TreeShapes& shapes,
                                      const std::vector<uint32_t>& row,
                                      const std::vector<double>& merit, TreeBatch& out) const {
  const std::vector<double>& values = out.values;
  out.gain.assign(shapes.n_nodes(), 0.0);
  size_t test = 0;
  gain_.each(at.test, at.test + shapes.tests.size(), [&](uint64_t known) {
    const uint32_t node = shapes.tests[test], first = shapes.first[test];
    const uint32_t end = first + static_cast<uint32_t>(shapes.width_of(test));
    ++test;
    double guess = 0.0;
    for (uint32_t child = first; child < end; ++child) {
      if (merit.empty()) {
        const double apart = values[row[child]] - values[row[node]];
        guess += out.weight[child] * apart * apart;
      } else {
        guess += merit[child];
      }
    }
    if (!merit.empty()) guess -= merit[node];
    out.gain[node] = gain_.made(known, std::isfinite(guess) ? guess : 0.0);
  });
}

}  // namespace weaklearn::files
