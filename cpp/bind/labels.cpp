#include <nanobind/stl/optional.h>

#include <cmath>
#include <limits>
#include <optional>

#include "bind.hpp"
#include "settings.hpp"
#include "weaklearn/labels/label_grower.hpp"

namespace weaklearn::bind {
namespace {

template <class T>
using Table = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void make(LabelWeights* self, const Table<int8_t>& sign, const std::optional<Vector<double>>& prior,
          const std::optional<Vector<int64_t>>& copies, bool pairs, bool one_label, int threads,
          const Collective* all) {
  const size_t m = sign.shape(0), k = sign.shape(1);
  if ((m == 0 && all == nullptr) || k == 0) throw std::invalid_argument("no rows or no labels");
  if (pairs && all != nullptr) throw std::invalid_argument("pairs of labels in partitions");
  for (size_t i = 0; i < m; ++i) {
    int holding = 0, others = 0, wrong = 0;
    for (size_t l = 0; l < k; ++l) {
      const int8_t s = sign.data()[i * k + l];
      wrong += s < -1 || s > 1 ? 1 : 0;
      holding += s > 0 ? 1 : 0;
      others += s < 0 ? 1 : 0;
    }
    if (wrong > 0) throw std::invalid_argument("signs are -1, 0 or +1");
    if (one_label && (holding != 1 || static_cast<size_t>(others) + 1 != k))
      throw std::invalid_argument("a row has not exactly one label");
  }
  double most = prior ? 0.0 : 1.0;
  if (prior) {
    expect(prior->shape(0), m, "prior");
    for (size_t i = 0; i < m; ++i) {
      const double p = prior->data()[i];
      if (!(p >= 0) || std::isinf(p))
        throw std::invalid_argument("weights must be finite and not negative");
      most = p > most ? p : most;
    }
  }
  if (maximum_over(all, most) == 0) throw std::invalid_argument("all weights are zero");
  if (copies) {
    expect(copies->shape(0), m, "copies");
    double sum = 0;
    for (size_t i = 0; i < m; ++i) {
      if (copies->data()[i] < 1) throw std::invalid_argument("copies must be at least 1");
      sum += static_cast<double>(copies->data()[i]);
    }
    if (sum * static_cast<double>(k) >= 9007199254740992.0)
      throw std::invalid_argument("copies add up to 2^53 or more");
  }
  without_gil([&] {
    new (self) LabelWeights(m, k, sign.data(), prior ? prior->data() : nullptr,
                            copies ? copies->data() : nullptr, pairs, one_label, threads, all);
  });
}

void check_blocks(const LabelWeights& weights, const Vector<int32_t>& block, size_t n_blocks) {
  expect(block.shape(0), weights.size(), "the blocks");
  uint32_t most = 0;  // of numbers below 0 it is large
  for (size_t i = 0; i < block.shape(0); ++i)
    most = std::max(most, static_cast<uint32_t>(block.data()[i]));
  if (most >= n_blocks) throw std::invalid_argument("a block is out of range");
}

double reweight(LabelWeights& self, const Vector<int32_t>& block, const Table<double>& step,
                double guess, int threads) {
  check_blocks(self, block, step.shape(0));
  expect(step.shape(1), self.n_labels(), "a step");
  double left = 0;
  without_gil(
      [&] { left = self.reweight(block.data(), step.data(), step.shape(0), guess, threads); });
  return left;
}

// Sums by block as two tables of shares: where labels hold, and where not.
nb::tuple as_shares(const std::vector<int64_t>& sums, const LabelWeights& weights) {
  const size_t k = weights.n_labels(), n = sums.size() / (2 * k);
  auto plus = std::make_unique<double[]>(n * k), minus = std::make_unique<double[]>(n * k);
  for (size_t b = 0; b < n; ++b)
    for (size_t l = 0; l < k; ++l) {
      plus[b * k + l] = weights.share(sums[b * 2 * k + l], l);
      minus[b * k + l] = weights.share(sums[b * 2 * k + k + l], k + l);
    }
  return nb::make_tuple(give(std::move(plus), {n, k}), give(std::move(minus), {n, k}));
}

nb::tuple sums(const LabelWeights& self, const Vector<int32_t>& block, size_t n_blocks) {
  check_blocks(self, block, n_blocks);
  std::vector<int64_t> found;
  without_gil([&] { found = self.sums(block.data(), n_blocks); });
  return as_shares(found, self);
}

nb::tuple vote_errors(const LabelWeights& self) {
  const LabelErrors& s = self.vote_errors();
  return nb::make_tuple(s.labels, s.rows, s.least);
}

Out<double> signed_shares(const LabelWeights& self, bool of_one) {
  auto out = std::make_unique<double[]>(self.size() * self.n_labels());
  self.signed_shares(out.get(), of_one);
  return give(std::move(out), {self.size(), self.n_labels()});
}

Out<double> scores(const LabelWeights& self) {
  const size_t m = self.size(), k = self.n_labels();
  auto out = std::make_unique<double[]>(m * k);
  for (size_t i = 0; i < m; ++i)
    for (size_t l = 0; l < k; ++l) out[i * k + l] = self.score(i, l);
  return give(std::move(out), {m, k});
}

nb::tuple grow(LabelGrower& self, const Columns& columns, const LabelWeights& weights,
               double smoothing) {
  expect(weights.size(), columns.n_rows(), "the weights");
  LabelTree grown;
  without_gil([&] { grown = self.grow(weights, smoothing); });
  const nb::tuple shares = as_shares(grown.sums, weights);
  return nb::make_tuple(arrays_of(grown.tree), shares[0], shares[1],
                        array_of(grown.leaf, {grown.leaf.size()}));
}

}  // namespace

void labels(nb::module_& m) {
  nb::class_<LabelWeights>(m, "LabelWeights",
                           "A distribution over examples and labels in fixed point.")
      .def("__init__", &make, nb::arg("sign").noconvert(), nb::arg("prior").noconvert().none(),
           nb::arg("copies").noconvert().none(), nb::arg("pairs"), nb::arg("one_label"),
           nb::arg("threads"), nb::arg("all").none() = nb::none(), nb::keep_alive<1, 8>())
      .def("reweight", &reweight, nb::arg("block").noconvert(), nb::arg("step").noconvert(),
           nb::arg("guess"), nb::arg("threads"),
           "Adds to the scores of each row the step of its block; gives the weight left.")
      .def("sums", &sums, nb::arg("block").noconvert(), nb::arg("n_blocks"),
           "The weights by block and label, where labels hold and where not.")
      .def("vote_errors", &vote_errors,
           "Labels and rows that the scores get wrong, and the least margin.")
      .def("rank_loss", &LabelWeights::rank_loss, "The share of pairs of labels ranked wrongly.")
      .def("signed_shares", &signed_shares, nb::kw_only(), nb::arg("of_one") = false,
           "The distribution as an array, below 0 where a label does not hold: of all copies of a "
           "row, or of one.")
      .def("scores", &scores, "The scores so far.")
      .def_prop_ro("version", &LabelWeights::version)
      .def_prop_ro("n_labels", &LabelWeights::n_labels)
      .def("__len__", &LabelWeights::size);
  nb::class_<LabelTreeSettings> settings(m, "LabelTreeSettings",
                                         "The settings a tree over many labels grows by.");
  settings.def(nb::init<>())
      .def_rw("least_share", &LabelTreeSettings::least_share)
      .def_rw("min_samples_leaf", &LabelTreeSettings::min_samples_leaf)
      .def_rw("min_samples_split", &LabelTreeSettings::min_samples_split);
  def_choice(settings, "cost", &LabelTreeSettings::cost,
             {"partition", "product", "discrete", "abstain"});
  def_choice(settings, "categorical", &LabelTreeSettings::categorical, {"equality", "multiway"});
  def_limit(settings, "max_depth", &LabelTreeSettings::max_depth,
            std::numeric_limits<uint32_t>::max());
  def_limit(settings, "max_leaf_nodes", &LabelTreeSettings::max_leaf_nodes, uint32_t{0});
  nb::class_<LabelGrower>(m, "LabelGrower", "Grows trees over examples of many labels.")
      .def(
          "__init__",
          [](LabelGrower* self, const Columns& columns, const LabelTreeSettings& settings,
             int threads, const Collective* all) {
            if (settings.cost != LabelCost::partition && settings.max_depth > 1)
              throw std::invalid_argument("only partitions have more than one test");
            if (all != nullptr && (settings.max_depth > 1 || settings.min_samples_leaf > 1 ||
                                   settings.least_share > 0))
              throw std::invalid_argument("more than a test without limits in partitions");
            for (size_t j = 0; j < columns.size() && all != nullptr; ++j)
              if (columns[j].sparse) throw std::invalid_argument("partitions of sparse columns");
            new (self) LabelGrower(columns, settings, threads, all);
          },
          nb::arg("columns"), nb::arg("settings"), nb::arg("threads"),
          nb::arg("all").none() = nb::none(), nb::keep_alive<1, 2>(), nb::keep_alive<1, 5>())
      .def("grow", &grow, nb::arg("columns"), nb::arg("weights"), nb::arg("smoothing"),
           "The tree, the weights of its nodes by label, and the leaf of every row.");
}

}  // namespace weaklearn::bind
