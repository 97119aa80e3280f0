"""A fitted model as a sum of trees, for explanations and exports."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ..base import hypothesis
from ..base.ensemble import StackedEnsemble
from ..base.hypothesis import Hypothesis, Stump
from ..base.rows import Rows
from ..base.trees.grove import Grove
from ..base.trees.tree import MULTIWAY, THRESHOLD, Tree
from ..base.trees.tree_arrays import LEAF, SUBSET
from ..base.types import Floats
from ..base.votes.label_scores import CodedScores, LabelScores, LabelSum
from ..base.votes.linear_trees import LinearTrees
from ..base.votes.median import MedianEnsemble
from ..base.votes.pairwise import PairwiseEnsemble, class_pairs
from ..base.votes.prior import Foreknown
from ..base.votes.tree_sum import AdditiveTrees
from ..base.votes.weighted_sum import WeightedSum
from ..learners.tree import TreeHypothesis
from ..prediction.rows import classes_of, two_classes
from .no_tree_sum import NoTreeSum

LARGEST = sys.float_info.max
ALL = -1  # a tree that adds to every score
_FOR_ANY = "sklearn.inspection.permutation_importance"
_ADDS_UP = "a model that adds up, such as GradientBoostingRegressor"


@dataclass(frozen=True, eq=False)
class Addend:
    """One tree of a sum: its weight, the score it adds to (or ALL), and its cover.

    ``cover`` is how many examples, or how much weight, each node had; None for a stump, which
    keeps no such record.
    """

    tree: Tree
    vote: float
    output: int
    cover: Floats | None

    @property
    def scores(self) -> slice:
        """The slice of the scores that it adds to."""
        return slice(None) if self.output == ALL else slice(self.output, self.output + 1)

    @property
    def feature(self) -> int:
        """The feature of the first test; -1 for a constant tree."""
        return int(self.tree.feature[0])


@dataclass(frozen=True, eq=False)
class TreeSum:
    """base + sum of vote times tree, one number per score.

    ``known`` gives, for rows, what is added beyond that: the log-odds of a prior.
    """

    base: Floats
    addends: tuple[Addend, ...]
    known: Callable[[Rows], Floats] | None = None

    @property
    def n_outputs(self) -> int:
        return len(self.base)

    @property
    def trees(self) -> list[Tree]:
        return [addend.tree for addend in self.addends]

    @property
    def features(self) -> list[int]:
        """The columns that tests ask for."""
        return sorted({int(j) for tree in self.trees for j in np.unique(tree.feature) if j >= 0})

    @property
    def votes(self) -> Floats:
        return np.array([addend.vote for addend in self.addends])

    @property
    def outputs(self) -> NDArray[np.int32]:
        return np.array([addend.output for addend in self.addends], np.int32)

    def scores(self, rows: Rows) -> Floats:
        """The scores of rows, (n, outputs)."""
        if not self.addends:
            found = np.tile(self.base, (len(rows), 1))
        else:
            cells, K = rows.cells, self.n_outputs
            forest = rows.engine.prediction.forest(
                self.trees,
                cells.n_features,
                cells.n_categories,
                votes=self.votes,
                outputs=self.outputs,
                n_outputs=K,
            )
            found = forest.sum(cells, rows.engine.threads, base=self.base)
        return found if self.known is None else found + self.known(rows)[:, None]


# --------------------------------------------------------------------------------------- ensembles


def sum_of(ensemble: Any) -> TreeSum:
    """The tree sum of an ensemble; refused where it is none."""
    if isinstance(ensemble, LinearTrees):
        raise NoTreeSum(
            "its leaves have slopes, so that the score is no sum of a value for each leaf",
            f"use {_FOR_ANY}, or fit with linear_leaves=False",
            "keep it by save() and ask it by weaklearn.runtime, or fit with linear_leaves=False",
        )
    if isinstance(ensemble, AdditiveTrees):
        trees = [
            Addend(tree, vote, k, tree.count.astype(np.float64))
            for vote, each in ensemble
            for k, tree in enumerate(each)
        ]
        return TreeSum(ensemble.base, tuple(trees))
    if isinstance(ensemble, Grove):
        return averaged(ensemble)
    if isinstance(ensemble, StackedEnsemble):
        return _stacked([sum_of(part) for part in ensemble.parts])
    if isinstance(ensemble, MedianEnsemble):
        raise NoTreeSum(
            "a weighted median of trees is no sum, so that there are no parts for features",
            f"use {_FOR_ANY}, or {_ADDS_UP}",
            f"keep it by save() and ask it by weaklearn.runtime, or use {_ADDS_UP}",
        )
    if isinstance(ensemble, LabelSum):
        return _labels(ensemble)
    base = np.array([ensemble.base]) if isinstance(ensemble, WeightedSum) else None
    known = ensemble.prior if isinstance(ensemble, Foreknown) else None
    if base is None:
        base = np.zeros(ensemble.n_outputs)
    output = 0 if ensemble.n_outputs == 1 else ALL
    trees = [_addend(h, vote, output, len(base)) for vote, h in ensemble]
    return TreeSum(base, tuple(trees), known)


def averaged(trees: Sequence[Tree]) -> TreeSum:
    """The mean of trees as a tree sum."""
    base = np.zeros(trees[0].n_outputs)
    return TreeSum(base, tuple(Addend(tree, 1 / len(trees), ALL, tree.weight) for tree in trees))


def _stacked(parts: Sequence[TreeSum]) -> TreeSum:
    """Sums of one score each as one sum of several scores."""
    addends = [replace(a, output=k) for k, part in enumerate(parts) for a in part.addends]
    known = None
    if any(part.known is not None for part in parts):
        raise NoTreeSum("a prior of several classes is no sum of trees", "fit without prior=")
    return TreeSum(np.concatenate([part.base for part in parts]), tuple(addends), known)


def _labels(ensemble: LabelSum) -> TreeSum:
    """The tree sum of label scores; for two classes half their difference."""
    K = ensemble.n_classes
    bits, several = not ensemble.sums, ensemble.several
    apart = K > 2 or bits or several
    trees = [_addend(h, vote, ALL, K, shares=True) for vote, h in ensemble]
    if apart:
        return TreeSum(np.zeros(K), tuple(trees))
    return TreeSum(np.zeros(1), tuple(replace(a, tree=_halved(a.tree), output=0) for a in trees))


def _halved(tree: Tree) -> Tree:
    """The tree of half the difference of two labels; of one label, its own."""
    values = tree.values
    difference = (values[:, 1] - values[:, 0]) / 2 if values.shape[1] == 2 else values[:, 0]
    return replace(tree, values=np.ascontiguousarray(difference[:, None]))


def second_share(summed: TreeSum) -> TreeSum:
    """The tree sum of the second class's probability alone."""
    one = [
        replace(
            a, tree=replace(a.tree, values=np.ascontiguousarray(a.tree.values[:, 1:])), output=0
        )
        for a in summed.addends
    ]
    return replace(summed, base=summed.base[1:], addends=tuple(one))


def _addend(h: Hypothesis, vote: float, output: int, K: int, shares: bool = False) -> Addend:
    """The addend of a member of a vote; ``shares``: it votes with K plausibilities."""
    if isinstance(h, Stump):
        values = _shares if shares else _votes
        return Addend(stump_tree(h, lambda answer: values(answer, K)), vote, output, None)
    tree = h.as_share_tree() if shares else h.as_tree()
    if tree is None:
        raise _refusal(h)
    return Addend(tree, vote, output, tree.count.astype(np.float64))


def _refusal(h: Hypothesis) -> NoTreeSum:
    if isinstance(h, TreeHypothesis) and h.shared:
        return NoTreeSum(
            "its trees send missing values down every branch and then vote, so that the score is "
            "no sum of leaves",
            "fit them with missing='side' or missing='branch'",
        )
    return foreign_members(h.wrapped)


def foreign_members(member: Any) -> NoTreeSum:
    """The error for members that are no trees of this library."""
    own = "use estimator='stump' or 'tree'"
    return NoTreeSum(
        f"its members are of type {type(member).__name__}, and neither stumps nor trees of this "
        "library",
        f"{own}, or, for any model, {_FOR_ANY}",
        own,
    )


# ------------------------------------------------------------------------------------------ stumps


def _votes(answer: int, K: int) -> list[float]:
    """-1, 0 or +1; for more classes, 1 in the column of the class."""
    return [float(answer)] if K == 1 else [float(answer == k) for k in range(K)]


def _shares(answer: int, K: int) -> list[float]:
    """1 in the column of the class that the answer names."""
    named = -1 if answer == 0 else (answer > 0) * (K - 1)
    return [float((named if K <= 2 else answer) == k) for k in range(K)]


def stump_tree(h: Stump, values: Callable[[int], list[float]]) -> Tree:
    """A stump as a tree of one test, with a branch of its own for missing values."""
    cut = h.low != h.high and np.isfinite(h.threshold)  # below all values of training
    if h.constant and not cut:
        return _tree([], [values(h.high)])
    if h.test == hypothesis.MULTIWAY:
        assert h.by_category is not None
        answers = [values(answer) for answer in (*h.by_category, h.missing)]
        return _tree([(MULTIWAY, h.feature, 0.0, None)], answers)
    if h.test == hypothesis.EQUALITY:
        answers = [values(answer) for answer in (h.low, h.high, h.missing)]
        return _tree([(SUBSET, h.feature, 0.0, [h.category])], answers)
    threshold, low, high = h.threshold, h.low, h.high
    if not np.isfinite(threshold):  # no number is above the largest: the test is "is it known?"
        threshold, low = LARGEST, high if threshold < 0 else low
    answers = [values(answer) for answer in (low, high, h.missing)]
    return _tree([(THRESHOLD, h.feature, threshold, None)], answers)


def _tree(
    test: Sequence[tuple[int, int, float, Iterable[int] | None]], values: list[list[float]]
) -> Tree:
    """A tree of one test, or of none, with a leaf for each outcome, missing last."""
    n = len(values) if test else 0
    ask, feature, threshold, codes = test[0] if test else (LEAF, -1, 0.0, None)
    subsets = np.zeros((0 if codes is None else 1, 4), np.uint64)
    for code in codes or ():
        subsets[0, code >> 6] |= np.uint64(1) << np.uint64(code & 63)

    def column(first: float, others: float = 0.0) -> list[float]:
        return [first] + [others] * n

    return bare_tree(
        ask=column(ask),
        feature=column(feature, -1),
        threshold=column(threshold),
        first=column(n > 0),
        width=column(n),
        missing=column(max(n - 1, 0)),
        subset=column(-1 if codes is None else 0, -1),
        subsets=subsets,
        value=np.r_[0, np.arange(n)],
        values=values,
    )


def bare_tree(**arrays: Any) -> Tree:
    """A tree without record of training: its weights, counts and gains are 0."""
    n = len(arrays["ask"])
    zeros = {name: np.zeros(n) for name in ("weight", "count", "gain")}
    no_sets = {"subset": np.full(n, -1), "subsets": np.zeros((0, 4))}
    return Tree.of(zeros | no_sets | arrays)


# ------------------------------------------------------------------------------------------ models


@runtime_checkable
class OfTrees(Protocol):
    """A fitted model whose scores are sums of trees."""

    def _tree_sum(self) -> TreeSum:
        """Its scores as sums of trees; NoTreeSum where its members are others."""


def score_names(model: Any) -> Sequence[str]:
    """The names of the scores of a sum: classes, pairs of classes, bits of a code, outputs."""
    ensemble = model._ensemble
    if isinstance(ensemble, PairwiseEnsemble):
        return [f"{b} against {a}" for a, b in class_pairs(model.classes_)]
    if isinstance(ensemble, LabelScores) and ensemble.sums is False:
        return [f"bit {j}" for j in range(ensemble.n_classes)]
    classes = classes_of(model)
    return model._score_names if classes is None else [str(label) for label in classes]


def sides(model: Any) -> tuple[str, ...]:
    """The names of two classes, last the one that scores above 0 speak for; () for others.

    A bit of a code speaks for the class whose word has the larger number there.
    """
    classes, ensemble = two_classes(model), model._ensemble
    if classes and isinstance(ensemble, CodedScores) and ensemble.code[0, 0] > ensemble.code[1, 0]:
        return classes[::-1]
    return classes


def unit_of_scores(model: Any) -> str:
    """What the scores of a vote count, and of two classes for which they speak."""
    ensemble, whose = model._ensemble, sides(model)
    coded = isinstance(ensemble, CodedScores)
    unit = "score of a bit of the code" if coded else "score"
    return f"{unit} of {whose[1]}" if whose and not (coded and ensemble.n_classes > 1) else unit
