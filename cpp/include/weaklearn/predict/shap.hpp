// Shapley values of scores that are sums of trees: how much every feature moves a row's score away
// from the mean, and how much every two features do together (TreeSHAP, path-dependent).
//
// A leaf of value v is a game: a coalition S of features is worth v times the product, over the
// features asked on the way to the leaf, of o (does the row pass all of the feature's tests? 1 or
// 0, or a share where it goes to every child) for those in S, and of z (the share of the examples
// that pass) for the others. Its Shapley value is an integral along the diagonal of the multilinear
// extension,
//
//   phi_j = v (o_j - z_j) integral_0^1 prod_{i != j} (z_i (1 - t) + o_i t) dt,
//
// of a polynomial of degree below the number d of features on the way: Gauss and Legendre's rule on
// ceil(d / 2) points gives it exactly, as a sum of numbers of one sign. What all leaves below an
// edge need of the edge is the same, so that their sums are carried upwards and every edge is
// looked at once: O(rows * nodes * d / 2) steps, where one walk a leaf would take d times as many.
//
// Promise: the sums of a row run in the order of the trees and their nodes, whatever the block or
// the thread it is in. Allocation: scratch of a few numbers a step of the deepest way, once a task.
//
// References: Lundberg, Erion and Lee (2018), Consistent individualized feature attribution for
// tree ensembles; Yu et al. (2022), Linear TreeShap; Owen (1972), Multilinear extensions of games.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "weaklearn/columns/cells.hpp"
#include "weaklearn/threads/pool.hpp"
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

class Shap {
 public:
  // covers[t][v] is how many examples, or how much weight, node v of tree t had. n_categories,
  // votes and outputs are those of Forest.
  Shap(const std::vector<uint32_t>& n_categories, size_t n_outputs,
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

  // phi (rows x features x outputs) <- what every feature adds to the scores.
  void contributions(const Cells& cells, double* phi, int threads) const {
    run(cells, threads, [&](auto& scratch, size_t begin, size_t n) {
      scratch.read(*this, cells, begin, n);
      std::fill(scratch.phi.begin(), scratch.phi.end(), 0.0);
      for (const Tree& tree : trees_) {
        Pool::check_interrupt();
        if (tree.shared)
          walk<true>(tree, scratch);
        else
          walk<false>(tree, scratch);
      }
      constexpr size_t B = std::decay_t<decltype(scratch)>::B;
      for (size_t i = 0; i < n; ++i) {
        double* const to = phi + (begin + i) * n_categories_.size() * k_;
        std::fill_n(to, n_categories_.size() * k_, 0.0);
        for (size_t u = 0; u < used_.size(); ++u)
          for (size_t l = 0; l < k_; ++l) to[used_[u] * k_ + l] = scratch.phi[(u * k_ + l) * B + i];
      }
    });
  }

  // phi (rows x features x features x outputs) <- half of what every two features do together, at
  // both of their places; on the diagonal what is left of each feature's own contribution.
  void interactions(const Cells& cells, const double* alone, double* phi, int threads) const {
    const size_t d = n_categories_.size();
    run(cells, threads, [&](auto& scratch, size_t begin, size_t n) {
      scratch.read(*this, cells, begin, n);
      double* const to = phi + begin * d * d * k_;
      std::fill_n(to, n * d * d * k_, 0.0);
      for (const Tree& tree : trees_) {
        Pool::check_interrupt();
        if (tree.shared)
          pair<true>(tree, scratch, to, n);
        else
          pair<false>(tree, scratch, to, n);
      }
      for (size_t i = 0; i < n; ++i)
        finish_pairs(alone + (begin + i) * d * k_, to + i * d * d * k_);
    });
  }

 private:
  static constexpr uint32_t kNowhere = 0xFFFFFFFFu;
  static constexpr size_t kRowsOfTask = 64;
  static constexpr double kLeast = 1e-30;  // the share of no example: products stay above 0

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

  // ------------------------------------------------------------------------------------- packing

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

  // ------------------------------------------------------------------------------------- walking

  // What a block of rows needs on its way; arrays by depth, then point, then row.
  template <size_t Rows>
  struct Scratch {
    static constexpr size_t B = Rows;
    std::vector<double> x, phi;          // (columns in use, B), (columns, outputs, B)
    std::vector<double> product, below;  // (depth, points, B), (depth, outputs, points, B)
    std::vector<double> passes;          // (depth, B): o
    std::vector<double> no, yes;         // (depth, points): 1 / (z (1 - t)), with + t
    std::vector<int32_t> outcome;        // (depth, B)
    std::vector<const Node*> way;        // by depth

    explicit Scratch(const Shap& shap) {
      size_t depth = 1, points = 1, k = 1;
      for (const Tree& tree : shap.trees_) {
        depth = std::max<size_t>(depth, tree.depth + 1);
        points = std::max<size_t>(points, tree.n_points);
        k = std::max<size_t>(k, tree.k);
      }
      x.resize(shap.used_.size() * B);
      phi.resize(shap.used_.size() * shap.k_ * B);
      product.resize(depth * points * B);
      below.resize(depth * k * points * B);
      passes.resize(depth * B);
      no.resize(depth * points);
      yes.resize(depth * points);
      outcome.resize(depth * B);
      way.resize(depth);
    }

    // Categories become numbers too, missing and unseen ones NaN. Rows beyond the last repeat it.
    void read(const Shap& shap, const Cells& cells, size_t begin, size_t n) {
      for (size_t u = 0; u < shap.used_.size(); ++u) {
        const uint32_t j = shap.used_[u];
        double* const to = &x[u * B];
        if (cells.has_categories(j)) {
          const int32_t* codes = cells.categories(j) + begin;
          for (size_t i = 0; i < n; ++i)
            to[i] = codes[i] >= 0 && static_cast<uint32_t>(codes[i]) < shap.n_categories_[j]
                        ? codes[i]
                        : std::nan("");
        } else {
          cells.numbers(j, begin, n, to, 1);
        }
        std::fill(to + n, to + B, to[n - 1]);
      }
    }
  };

  template <class Body>
  void run(const Cells& cells, int threads, Body&& body) const {
    const size_t n = cells.n_rows();
    if (n == 0) return;
    size_t steps = used_.size();
    for (const Tree& tree : trees_) steps += (tree.last - tree.first) * (2 + tree.n_points);
    const size_t tasks = (n + kRowsOfTask - 1) / kRowsOfTask;
    Pool::instance().run(tasks, threads_for(n * steps, threads), [&](size_t task) {
      const size_t begin = task * kRowsOfTask, end = std::min(n, begin + kRowsOfTask);
      if (end - begin <= 4) {
        Scratch<4> few(*this);
        body(few, begin, end - begin);
        return;
      }
      Scratch<16> many(*this);
      for (size_t at = begin; at < end; at += 16) body(many, at, std::min<size_t>(16, end - at));
    });
  }

  // outcome <- which child each row goes to.
  template <size_t B>
  static void ask(const Node& node, const double* x, int32_t* outcome) {
    if (node.ask == Ask::threshold) {
      for (size_t i = 0; i < B; ++i)
        outcome[i] = std::isnan(x[i]) ? node.missing : (x[i] > node.threshold);
    } else if (node.ask == Ask::multiway) {
      for (size_t i = 0; i < B; ++i)
        outcome[i] = std::isnan(x[i]) ? node.missing : static_cast<int32_t>(x[i]);
    } else {
      for (size_t i = 0; i < B; ++i)
        outcome[i] = std::isnan(x[i]) ? node.missing
                     : x[i] < 256     ? node.set.has(static_cast<uint32_t>(x[i]))
                                      : 0;
    }
  }

  // Comes to a node: which rows pass, and the products over the columns on the way down to it.
  template <bool Shared, size_t B>
  void enter(const Node& node, const Quadrature& rule, Scratch<B>& s) const {
    const size_t Q = rule.point.size(), depth = node.depth;
    s.way[depth] = &node;
    double* const product = &s.product[depth * Q * B];
    if (depth == 0) {
      for (size_t q = 0; q < Q; ++q) std::fill_n(product + q * B, B, rule.weight[q]);
    } else {
      double* const o = &s.passes[depth * B];
      const int32_t* const outcome = &s.outcome[(depth - 1) * B];
      const double* const earlier = &s.passes[node.before * B];
      for (size_t i = 0; i < B; ++i) {
        o[i] = outcome[i] == node.outcome ? 1.0 : 0.0;
        if (Shared && outcome[i] == kEveryChild) o[i] = node.part;
        if (node.before != 0) o[i] *= earlier[i];
      }
      const double* const from = product - Q * B;
      for (size_t q = 0; q < Q; ++q) {
        const double t = rule.point[q], f0 = node.z * (1 - t), f1 = f0 + t;
        s.no[depth * Q + q] = 1 / f0;
        s.yes[depth * Q + q] = 1 / f1;
        const double* const in = from + q * B;
        double* const out = product + q * B;
        if (node.before == 0) {
          for (size_t i = 0; i < B; ++i) out[i] = in[i] * (f0 + o[i] * t);
        } else if (Shared) {
          const double g = s.way[node.before]->z * (1 - t);
          for (size_t i = 0; i < B; ++i) out[i] = in[i] * ((f0 + o[i] * t) / (g + earlier[i] * t));
        } else {
          const double no = s.no[node.before * Q + q], yes = s.yes[node.before * Q + q];
          const double both = f1 * yes, once = f0 * yes, never = f0 * no;
          for (size_t i = 0; i < B; ++i) {
            const double other = earlier[i] != 0 ? once : never;
            out[i] = in[i] * (o[i] != 0 ? both : other);
          }
        }
      }
    }
    if (node.ask != Ask::leaf) ask<B>(node, &s.x[node.tested * B], &s.outcome[depth * B]);
  }

  // 1 / (z (1 - t) + o t) for the rows of a block, at the edge of a depth and a point.
  template <bool Shared, size_t B>
  static void inverse(const Scratch<B>& s, const Quadrature& rule, size_t depth, size_t q,
                      double* out) {
    const double* const o = &s.passes[depth * B];
    const size_t Q = rule.point.size();
    if (Shared) {
      const double t = rule.point[q], f0 = s.way[depth]->z * (1 - t);
      for (size_t i = 0; i < B; ++i) out[i] = 1 / (f0 + o[i] * t);
      return;
    }
    const double no = s.no[depth * Q + q], yes = s.yes[depth * Q + q];
    for (size_t i = 0; i < B; ++i) out[i] = o[i] != 0 ? yes : no;
  }

  // phi += sign (o - z) sum over points of what lies below the node / the factor of an edge.
  template <bool Shared, size_t B>
  void settle(const Tree& tree, const Node& node, size_t edge, double sign, const double* below,
              const double* value, const Quadrature& rule, Scratch<B>& s) const {
    const size_t Q = rule.point.size();
    const double z = s.way[edge]->z;
    const double* const o = &s.passes[edge * B];
    const size_t first = tree.output < 0 ? 0 : static_cast<size_t>(tree.output);
    double inv[B], sum[B];
    if (value != nullptr) {  // a leaf: the same sum for all outputs
      std::fill_n(sum, B, 0.0);
      for (size_t q = 0; q < Q; ++q) {
        inverse<Shared, B>(s, rule, edge, q, inv);
        for (size_t i = 0; i < B; ++i) sum[i] += below[q * B + i] * inv[i];
      }
      for (size_t i = 0; i < B; ++i) sum[i] *= sign * (o[i] - z);
      for (size_t l = 0; l < tree.k; ++l) {
        double* const phi = &s.phi[(node.column * k_ + first + l) * B];
        for (size_t i = 0; i < B; ++i) phi[i] += value[l] * sum[i];
      }
      return;
    }
    for (size_t l = 0; l < tree.k; ++l) {
      std::fill_n(sum, B, 0.0);
      for (size_t q = 0; q < Q; ++q) {
        inverse<Shared, B>(s, rule, edge, q, inv);
        const double* const g = below + (l * Q + q) * B;
        for (size_t i = 0; i < B; ++i) sum[i] += g[i] * inv[i];
      }
      double* const phi = &s.phi[(node.column * k_ + first + l) * B];
      for (size_t i = 0; i < B; ++i) phi[i] += sign * (o[i] - z) * sum[i];
    }
  }

  // Leaves the node of a depth: its edge gets what it is due, and the node above all that is below.
  template <bool Shared, size_t B>
  void leave(const Tree& tree, size_t depth, const Quadrature& rule, Scratch<B>& s) const {
    const Node& node = *s.way[depth];
    const size_t Q = rule.point.size(), size = tree.k * Q * B;
    const bool leaf = node.ask == Ask::leaf;
    const double* const value = leaf ? &values_[node.value] : nullptr;
    const double* const below = leaf ? &s.product[depth * Q * B] : &s.below[depth * size];
    settle<Shared, B>(tree, node, depth, 1.0, below, value, rule, s);
    if (node.before != 0) settle<Shared, B>(tree, node, node.before, -1.0, below, value, rule, s);
    double* const above = &s.below[(depth - 1) * size];
    if (!leaf) {
      for (size_t i = 0; i < size; ++i) above[i] += below[i];
      return;
    }
    for (size_t l = 0; l < tree.k; ++l)
      for (size_t i = 0; i < Q * B; ++i) above[l * Q * B + i] += value[l] * below[i];
  }

  template <bool Shared, size_t B>
  void walk(const Tree& tree, Scratch<B>& s) const {
    const Quadrature& rule = rules_[tree.n_points];
    const size_t size = tree.k * rule.point.size() * B;
    size_t depth = 0;
    for (size_t v = tree.first; v < tree.last; ++v) {
      const Node& node = nodes_[v];
      if (v > tree.first)
        for (; depth >= node.depth; --depth) leave<Shared, B>(tree, depth, rule, s);
      depth = node.depth;
      enter<Shared, B>(node, rule, s);
      if (node.ask != Ask::leaf) std::fill_n(&s.below[depth * size], size, 0.0);
    }
    for (; depth > 0; --depth) leave<Shared, B>(tree, depth, rule, s);
  }

  // ---------------------------------------------------------------------------------- interactions

  template <bool Shared, size_t B>
  void pair(const Tree& tree, Scratch<B>& s, double* phi, size_t n) const {
    const Quadrature& rule = rules_[tree.n_points];
    const size_t Q = rule.point.size(), d = n_categories_.size();
    const size_t first = tree.output < 0 ? 0 : static_cast<size_t>(tree.output);
    std::vector<size_t> last;  // the depths of the last edges of all columns on the way
    double inv[B], other[B], sum[B];
    for (size_t v = tree.first; v < tree.last; ++v) {
      const Node& node = nodes_[v];
      enter<Shared, B>(node, rule, s);
      if (node.ask != Ask::leaf) continue;
      last.clear();
      for (size_t a = 1; a <= node.depth; ++a) {
        const auto same = [&](size_t b) { return s.way[b]->column == s.way[a]->column; };
        last.erase(std::remove_if(last.begin(), last.end(), same), last.end());
        last.push_back(a);
      }
      for (size_t a = 0; a < last.size(); ++a)
        for (size_t b = 0; b < a; ++b) {
          std::fill_n(sum, B, 0.0);
          for (size_t q = 0; q < Q; ++q) {
            inverse<Shared, B>(s, rule, last[a], q, inv);
            inverse<Shared, B>(s, rule, last[b], q, other);
            const double* const product = &s.product[(node.depth * Q + q) * B];
            for (size_t i = 0; i < B; ++i) sum[i] += product[i] * (inv[i] * other[i]);
          }
          const Node &one = *s.way[last[a]], &two = *s.way[last[b]];
          const double *o1 = &s.passes[last[a] * B], *o2 = &s.passes[last[b] * B];
          const size_t j1 = std::min(used_[one.column], used_[two.column]);
          const size_t j2 = std::max(used_[one.column], used_[two.column]);
          for (size_t i = 0; i < n; ++i) {
            const double both = 0.5 * sum[i] * ((o1[i] - one.z) * (o2[i] - two.z));
            double* const to = phi + ((i * d + j1) * d + j2) * k_ + first;
            for (size_t l = 0; l < tree.k; ++l) to[l] += values_[node.value + l] * both;
          }
        }
    }
  }

  // Mirrors the pairs of a row, and puts on the diagonal what they leave of the contributions.
  void finish_pairs(const double* alone, double* phi) const {
    const size_t d = n_categories_.size();
    const auto at = [&](size_t a, size_t b) { return phi + (a * d + b) * k_; };
    for (size_t a = 0; a < d; ++a)
      for (size_t b = 0; b < a; ++b) std::copy_n(at(b, a), k_, at(a, b));
    for (size_t a = 0; a < d; ++a)
      for (size_t l = 0; l < k_; ++l) {
        double rest = alone[a * k_ + l];
        for (size_t b = 0; b < d; ++b)
          if (b != a) rest -= at(a, b)[l];
        at(a, a)[l] = rest;
      }
  }

  const std::vector<uint32_t> n_categories_;
  const size_t k_;
  std::vector<double> base_, values_;
  std::vector<uint32_t> used_;  // columns that are asked for
  std::vector<Node> nodes_;     // of all trees, each on the way through it
  std::vector<Tree> trees_;
  std::vector<Quadrature> rules_;  // by number of points
};

}  // namespace weaklearn
