// Trees packed for Shapley values: nodes in the order of a walk, each with the edge that leads to
// it, and the rules by which polynomials along a way are integrated.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "weaklearn/columns/cells.hpp"
#include "weaklearn/tree/tree_view.hpp"

namespace weaklearn {

// Points in (0, 1) and weights that integrate every polynomial of degree below 2n exactly.
struct Quadrature {
  std::vector<double> point, weight;

  explicit Quadrature(size_t n) : point(n), weight(n) {
    const double pi = 3.14159265358979323846;
    for (size_t i = 0; i < n; ++i) {  // Newton's steps towards a root of Legendre's polynomial
      double x = std::cos(pi * (static_cast<double>(i) + 0.75) / (static_cast<double>(n) + 0.5));
      double slope = 1;
      for (int step = 0; step < 100; ++step) {
        double p = 1, before = 0;
        for (size_t k = 1; k <= n; ++k) {
          const double next =
              ((2.0 * static_cast<double>(k) - 1) * x * p - (static_cast<double>(k) - 1) * before) /
              static_cast<double>(k);
          before = p;
          p = next;
        }
        slope = static_cast<double>(n) * (x * p - before) / (x * x - 1);
        const double move = p / slope;
        x -= move;
        if (std::abs(move) < 1e-16) break;
      }
      point[i] = (1 - x) / 2;
      weight[i] = 1 / ((1 - x * x) * slope * slope);
    }
  }
};

class ShapTrees {
 public:
  // covers[t][v] is how many examples, or how much weight, node v of tree t had. n_categories,
  // votes and outputs are those of Forest.
  ShapTrees(const std::vector<uint32_t>& n_categories, size_t n_outputs,
            const std::vector<TreeView>& trees, const std::vector<const double*>& covers,
            const double* votes, const int32_t* outputs)
      : n_categories_(n_categories), k_(n_outputs), base_(n_outputs, 0.0) {
    std::vector<uint32_t> place(n_categories.size(), kNowhere);
    for (size_t t = 0; t < trees.size(); ++t) {
      const std::string name = "tree " + std::to_string(t) + ": ";
      if (outputs[t] < -1 || outputs[t] >= static_cast<int64_t>(n_outputs))
        throw std::invalid_argument(name + "its output is out of range");
      if (trees[t].n_outputs != (outputs[t] < 0 ? n_outputs : 1))
        throw std::invalid_argument(name + "its values have the wrong width");
      check_tree(trees[t], n_categories, name);
      add(trees[t], covers[t], votes[t], outputs[t], place);
    }
    for (const Tree& tree : trees_)
      while (rules_.size() <= tree.n_points) rules_.emplace_back(rules_.size());
  }

  size_t n_features() const { return n_categories_.size(); }
  size_t n_outputs() const { return k_; }
  // The mean score, examples being what the covers count.
  const std::vector<double>& base() const { return base_; }

  void expect_cells(const Cells& cells) const {
    if (cells.n_features() != n_categories_.size())
      throw std::invalid_argument("a row has " + std::to_string(cells.n_features()) +
                                  " cells, expected " + std::to_string(n_categories_.size()));
    for (uint32_t j : used_)
      if (cells.has_categories(j) != (n_categories_[j] > 0))
        throw std::invalid_argument("column " + std::to_string(j) + " holds " +
                                    (n_categories_[j] > 0 ? "numbers, expected categories"
                                                          : "categories, expected numbers"));
  }

 protected:
  // A node, as it is come to on the way through the tree, and the edge that leads to it.
  struct Node {
    uint32_t depth = 0;
    // The edge.
    uint32_t column = 0;  // among those in use
    uint32_t before = 0;  // the depth of the edge above of the same column; 0: there is none
    int32_t outcome = 0;  // of the test above that leads here
    double z = 1;         // share of the examples that pass all tests of the column down to here
    double part = 1;      // of a row that goes to every child
    // The node's own test.
    Ask ask = Ask::leaf;
    uint32_t tested = 0;  // column
    int32_t missing = 0;
    double threshold = 0;
    CategorySet set;
    size_t value = 0;  // of a leaf, in values_
  };

  struct Tree {
    size_t first, last;  // nodes
    uint32_t depth = 0, n_points = 1, k = 1;
    int32_t output = 0;
    bool shared = false;  // some rows go to every child
  };

  const std::vector<uint32_t> n_categories_;
  const size_t k_;
  std::vector<double> base_, values_;
  std::vector<uint32_t> used_;  // columns that are asked for
  std::vector<Node> nodes_;     // of all trees, each on the way through it
  std::vector<Tree> trees_;
  std::vector<Quadrature> rules_;  // by number of points

 private:
  static constexpr uint32_t kNowhere = 0xFFFFFFFFu;
  static constexpr double kLeast = 1e-30;  // the share of no example: products stay above 0

  void add(const TreeView& view, const double* cover, double vote, int32_t output,
           std::vector<uint32_t>& place) {
    Tree tree;
    tree.first = nodes_.size();
    tree.k = static_cast<uint32_t>(view.n_outputs);
    tree.output = output;
    struct Waiting {
      int32_t node;
      Node edge;
      double reach;  // share of the examples that come here
    };
    std::vector<Waiting> waiting{{0, Node(), 1.0}};
    std::vector<Node> way;  // the edges down to the current node, the root's first
    while (!waiting.empty()) {
      Waiting here = waiting.back();
      waiting.pop_back();
      const size_t v = static_cast<size_t>(here.node);
      Node& node = here.edge;
      way.resize(node.depth);
      node.ask = static_cast<Ask>(view.ask[v]);
      tree.depth = std::max(tree.depth, node.depth);
      if (node.ask == Ask::leaf) {
        keep_value(view, v, vote, node);
        mean(tree, node, here.reach);
        uint32_t d = node.depth > 0;
        for (const Node& edge : way) d += edge.depth > 0 && edge.before == 0;
        if (node.depth > 0 && node.before != 0) d -= 1;
        tree.n_points = std::max(tree.n_points, (d + 1) / 2);
        nodes_.push_back(node);
        continue;
      }
      const size_t j = static_cast<size_t>(view.feature[v]);
      if (place[j] == kNowhere) {
        place[j] = static_cast<uint32_t>(used_.size());
        used_.push_back(static_cast<uint32_t>(j));
      }
      node.tested = place[j];
      node.missing = view.missing[v];
      node.threshold = view.threshold[v];
      if (node.ask == Ask::subset) node.set = view.subsets[view.subset[v]];
      tree.shared = tree.shared || node.missing == kEveryChild;
      nodes_.push_back(node);
      way.push_back(node);
      const int32_t first = view.first[v], width = view.width[v];
      double covered = 0, weight = 0;
      for (int32_t c = first; c < first + width; ++c) {
        covered += cover[c];
        if (view.weight != nullptr) weight += view.weight[c];
      }
      uint32_t before = 0;
      double above = 1;
      for (const Node& edge : way)
        if (edge.depth > 0 && edge.column == node.tested) before = edge.depth, above = edge.z;
      for (int32_t c = first + width - 1; c >= first; --c) {
        const double even = 1.0 / width;
        const double share = covered > 0 ? cover[c] / covered : even;
        Waiting child{c, Node(), here.reach * share};
        child.edge.depth = node.depth + 1;
        child.edge.column = node.tested;
        child.edge.before = before;
        child.edge.outcome = c - first;
        child.edge.z = std::max(above * share, kLeast);
        child.edge.part =
            node.missing == kEveryChild && weight > 0 ? view.weight[c] / weight : even;
        waiting.push_back(child);
      }
    }
    tree.last = nodes_.size();
    trees_.push_back(tree);
  }

  void keep_value(const TreeView& view, size_t v, double vote, Node& node) {
    node.value = values_.size();
    const double* row = view.values + static_cast<size_t>(view.value[v]) * view.n_outputs;
    for (size_t l = 0; l < view.n_outputs; ++l) values_.push_back(vote * row[l]);
  }

  void mean(const Tree& tree, const Node& leaf, double reach) {
    const size_t first = tree.output < 0 ? 0 : static_cast<size_t>(tree.output);
    for (size_t l = 0; l < tree.k; ++l) base_[first + l] += reach * values_[leaf.value + l];
  }
};

}  // namespace weaklearn
