// The histograms of several nodes filled at once, by pieces of features and parts of rows.
//
// Each part of the rows has sums of its own, which are added as whole numbers: however the work is
// cut, the histograms are the same. Over partitions they hold the sums of own rows at first, and
// those of all rows once the words of all partitions are added up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "weaklearn/gradient/gradient_data.hpp"
#include "weaklearn/gradient/gradient_sums.hpp"
#include "weaklearn/gradient/gradient_work.hpp"
#include "weaklearn/gradient/sum_words.hpp"
#include "weaklearn/threads/pool.hpp"
#include "weaklearn/threads/profile.hpp"

namespace weaklearn {

class GradientFilling {
 public:
  GradientFilling(const GradientData& data, const GradientWork& work, GradientSums& sums)
      : data_(data), work_(work), sums_(sums) {}

  bool empty() const { return nodes_.empty(); }
  void clear() { nodes_.clear(); }
  // The pieces are kept by reference.
  void add(GradientNode* node, GatheredValues* values, const std::vector<Piece>& pieces) {
    nodes_.emplace_back(node, values, pieces);
  }

  // Fills all histograms, each part of the rows with sums of its own.
  void fill(int threads) {
    struct Task {
      Filled* of;
      size_t part;
      const Piece* piece;
    };
    cut_rows(static_cast<size_t>(threads));
    std::vector<Task> tasks;
    for (Filled& one : nodes_)
      for (size_t part = 0; part < one.parts; ++part)
        for (const Piece& piece : *one.pieces) tasks.push_back({&one, part, &piece});
    Pool::instance().run(tasks.size(), threads, [&](size_t t) {
      const Timed timed(Phase::histograms);
      const Filled& one = *tasks[t].of;
      const size_t part = tasks[t].part, n = one.node->size();
      Sums* const into = part == 0 ? one.node->sums.get() : one.others[part - 1].get();
      sums_.fill(*one.node, *one.values, *tasks[t].piece, n * part / one.parts,
                 n * (part + 1) / one.parts, into);
    });
  }

  // Adds the parts of the k-th node, for the features of a piece.
  void merge(size_t k, const Piece& piece) const {
    for (const auto& part : nodes_[k].others)
      for (size_t j = piece.first; j < piece.first + piece.count; ++j)
        sums_.add(nodes_[k].node->sums.get(), part.get(), j);
  }

  void drop_parts() {
    for (Filled& one : nodes_) {
      for (auto& part : one.others) sums_.drop(part);
      one.others.clear();
    }
  }

  // ------------------------------------------------------------------------------ over partitions

  // Merges all parts and appends the words of the sums, node after node.
  void write(std::vector<int64_t>& words) {
    for (size_t k = 0; k < nodes_.size(); ++k) {
      const GradientNode& node = *nodes_[k].node;
      for (const Piece& piece : *nodes_[k].pieces) merge(k, piece);
      const SumWords form(work_.whole, node.terms.total.n);
      for_each_feature(nodes_[k], [&](Sums& sums, size_t codes) {
        form.write(sums.g, sums.c, sums.n, codes, words);
      });
    }
    drop_parts();
  }

  // The sums over all partitions from their words; returns where the next words are.
  const int64_t* read(const int64_t* words) {
    for (Filled& one : nodes_) {
      const SumWords form(work_.whole, one.node->terms.total.n);
      for_each_feature(one, [&](Sums& sums, size_t codes) {
        words = form.read(words, codes, sums.g, sums.c, sums.n);
      });
    }
    return words;
  }

 private:
  static constexpr size_t kPart = 4096;    // rows that are worth sums of their own
  static constexpr size_t kPerThread = 3;  // tasks for each thread, so that none waits for long

  // A node whose histogram is filled from its rows, in as many parts as `parts`.
  struct Filled {
    Filled(GradientNode* of, GatheredValues* of_rows, const std::vector<Piece>& by)
        : node(of), values(of_rows), pieces(&by) {}
    GradientNode* node;
    GatheredValues* values;
    const std::vector<Piece>* pieces;
    size_t parts = 1;
    std::vector<std::unique_ptr<Sums[]>> others;  // of the parts after the first
  };

  // In how many parts rows are summed: enough for all threads, and no more than memory allows.
  void cut_rows(size_t threads) {
    size_t rows = 0, tasks = 0;
    for (const Filled& one : nodes_) {
      rows += one.node->size();
      tasks += one.pieces->size();
    }
    if (threads == 1 || (nodes_.size() == 1 && tasks % threads == 0)) return;
    const size_t most = data_.settings.most_bytes / 8 / (sums_.bytes_of_one() * nodes_.size());
    for (Filled& one : nodes_) {
      const size_t n = one.node->size(), pieces = one.pieces->size();
      const size_t wanted = kPerThread * threads * n / std::max<size_t>(rows * pieces, 1) + 1;
      one.parts = std::max<size_t>(1, std::min({wanted, n / kPart, most}));
      for (size_t part = 1; part < one.parts; ++part) one.others.push_back(sums_.take());
    }
  }

  // body(sums, codes) for each feature of a node.
  template <class Body>
  void for_each_feature(const Filled& one, const Body& body) const {
    for (const Piece& piece : *one.pieces)
      for (size_t k = piece.first; k < piece.first + piece.count; ++k)
        body(one.node->sums[k], data_.column(sums_.features()[k]).n_slots());
  }

  const GradientData& data_;
  const GradientWork& work_;
  GradientSums& sums_;
  std::vector<Filled> nodes_;
};

}  // namespace weaklearn
