"""Trees that answer with confidences, means or class shares, and the conditions of ADTrees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import fsum, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.hypothesis import Form
from ..base.numeric.exponential import logarithms
from ..base.sample import Distribution, Sample
from ..base.trees.scored_tree import Partition, ScoredTree
from ..base.trees.splitter import ConditionSearch, with_missing
from ..base.trees.tree import Tree
from ..base.types import Floats
from .stump import StumpLearner
from .tree import TreeBasedLearner, TreeHypothesis, TreeLearner, TreeOracle

# The cut that makes the sum of squared shares largest: a guess by them is then right most often.
SHARE_STUMP = TreeLearner(criterion="gini", categorical="multiway", missing="branch", max_depth=1)


def sharing(learner: StumpLearner) -> TreeLearner:
    """The learner of stumps that answer with class shares, in place of one that names a class."""
    if learner.missing == "abstain":
        raise ValueError(
            "missing='abstain' is not for stumps that answer with class shares, which tell how "
            "little they know; set missing='branch'."
        )
    return replace(SHARE_STUMP, categorical=learner.categorical, least_share=learner.least_share)


PARTITION_STUMP = TreeLearner(
    criterion="sqrt", categorical="multiway", missing="branch", max_depth=1
)
GENTLE_STUMP = replace(PARTITION_STUMP, criterion="gini")  # the best in squared error
_LEAST = 1e-300  # what a pure block is given of the other class where no smoothing was asked for


@dataclass(frozen=True)
class PartitionLearner(TreeBasedLearner):
    """Grows a tree and answers c_b = 1/2 ln((W+ + s)/(W- + s)) in block b.

    W+ and W- are the weights of the two classes in the block under D. The tree is the one that
    makes 2 sum sqrt(W+ W-) small, test by test; a stump makes it least. ``smoothing`` is s, None
    means 1/(2m). With s = 0 the criterion is the normaliser Z of the round.

    A stump with missing="abstain" answers 0 where the value that it tests is missing, in training
    or later. That block adds its whole weight to the criterion, so that a test is chosen by what
    it says of all rows; where no test is better than none, the one block of all rows answers.

    Reference: Schapire and Singer (1999), Machine Learning 37, section 4.1.
    """

    tree: TreeLearner = PARTITION_STUMP
    smoothing: float | None = None

    form = Form.CONFIDENCES

    def bind(self, sample: Sample) -> Callable[..., Partition]:
        grow = self.tree.bind(sample)
        s = 0.5 / sample.m if self.smoothing is None else self.smoothing

        def learn(D: Distribution, z: NDArray[Any], key: int = 0) -> Partition:
            h = grow(D, z, key)
            return _abstaining(h, s) if self.tree.missing == "abstain" else confident(h.tree, s)

        return learn


def _abstaining(h: TreeHypothesis, s: float) -> Partition:
    """A stump of class shares as a partition that is silent where the value is missing."""
    tree = h.tree
    if h.constant:
        return confident(tree, s)
    if int(tree.feature[0]) not in h.gaps:
        tree = with_missing(tree)
    return confident(tree, s, silent=len(tree) - 1)


def confident(tree: Tree, s: float, silent: int | None = None) -> Partition:
    """A tree of class shares as a partition with confidences in its leaves; one may be silent."""
    W = tree.weight / tree.weight[0]
    shares = tree.values[tree.value]
    plus = W * shares[:, -1]  # the only class is +1
    minus = W * shares[:, 0] if shares.shape[1] > 1 else np.zeros(len(tree))
    left, c = 2 * np.sqrt(plus * minus), confidences(plus, minus, s)
    if silent is not None:
        left[silent], c[silent] = plus[silent] + minus[silent], 0.0
    criterion = fsum(left[tree.is_leaf])
    scored = replace(tree, value=np.arange(len(tree), dtype=np.int32), values=c[:, None])
    return Partition(scored, criterion)


def confidences(plus: Floats, minus: Floats, s: float) -> Floats:
    """1/2 ln((W+ + s)/(W- + s)); 0 in an empty block.

    >>> confidences(np.array([0.5, 0.0]), np.array([0.0, 0.0]), 0.05).round(3).tolist()
    [1.199, 0.0]
    """
    s = s if s > 0 else _LEAST
    return np.asarray(0.5 * (logarithms(plus + s) - logarithms(minus + s)))


@dataclass(frozen=True)
class MeanLearner(TreeBasedLearner):
    """Grows a tree and answers (W+ - W-) / (W+ + W-) in each block: the mean of y there.

    Of all answers by blocks it fits y best in squared error; a stump that is chosen by Gini's
    impurity fits it best of all stumps.

    Reference: Friedman, Hastie and Tibshirani (2000), Annals of Statistics 28.
    """

    tree: TreeLearner = GENTLE_STUMP

    form = Form.BOUNDED

    def bind(self, sample: Sample) -> Callable[..., ScoredTree]:
        grow = self.tree.bind(sample)

        def learn(D: Distribution, z: NDArray[Any], key: int = 0) -> ScoredTree:
            tree = grow(D, z, key).tree
            shares = tree.values  # the only class is +1
            means = shares[:, 1] - shares[:, 0] if shares.shape[1] > 1 else np.ones(len(shares))
            return ScoredTree(replace(tree, values=means[:, None]))

        return learn


CONDITION = TreeLearner(
    criterion="sqrt",
    categorical="equality",
    missing="branch",
    max_depth=1,
    split_zero_gain=True,  # the root asks even where no answer tells anything
)


@dataclass(frozen=True)
class ConditionLearner(TreeBasedLearner):
    """The test that makes 2 sum sqrt(W+ W-) over its outcomes least.

    Tests are x > t, for t between two neighbouring values, and x = v for a category; missing values
    are an outcome of their own. Ties: the lowest feature, then the lowest threshold or category.
    """

    tree: TreeLearner = CONDITION

    form = Form.CONFIDENCES

    def bind(self, sample: Sample) -> ConditionOracle:
        return ConditionOracle(sample, self.tree)


class ConditionOracle(ConditionSearch):
    """The search bound to a sample."""

    def __init__(self, sample: Sample, learner: TreeLearner) -> None:
        self._grow = TreeOracle(sample, learner)
        self._smoothing = 0.5 / sample.m

    def __call__(self, D: Distribution, z: NDArray[Any], key: int = 0) -> Partition:
        return confident(self._grow(D, z, key).tree, self._smoothing)

    def within(self, w: Floats, some: Sequence[NDArray[np.int32]]) -> list[tuple[Tree, float]]:
        """The best test in each list of rows, and its criterion as a share of their weight.

        ``w`` weighs a copy of every row. Where there is no test, the tree has none.
        """
        trees = map(Tree.of, self._grow.grower.grow_many(w, some))
        return [(tree, _share(tree)) for tree in trees]


def _share(tree: Tree) -> float:
    """2 sum sqrt(W+ W-) over the outcomes, as a share of the weight of all rows."""
    p = float(tree.values[tree.value[0], -1])
    return 2 * sqrt(p * (1 - p)) - float(tree.gain[0] / tree.weight[0])
