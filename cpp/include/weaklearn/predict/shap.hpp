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
#include <vector>

#include "weaklearn/columns/cells.hpp"
#include "weaklearn/predict/shap_trees.hpp"
#include "weaklearn/threads/pool.hpp"

namespace weaklearn {

class Shap : public ShapTrees {
 public:
  using ShapTrees::ShapTrees;

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
  static constexpr size_t kRowsOfTask = 64;

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
};

}  // namespace weaklearn
