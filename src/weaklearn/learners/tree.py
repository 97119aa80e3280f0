"""Decision trees with the majority class in every leaf."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.hypothesis import Hypothesis, WeakLearner
from ..base.rows import CUT, Binning, Rows
from ..base.sample import Distribution, Sample
from ..base.trees.grower_settings import TreeSettings
from ..base.trees.packed import answers_of, packed
from ..base.trees.split_search import features_to_try
from ..base.trees.tree import Tree
from ..base.trees.tree_arrays import EVERY_CHILD
from ..base.types import Floats
from ..engines import Engine
from . import pruning
from .pruning import decreases, importances

ORDERED = Binning(least_rows=1)  # codes to search with, and the order to cut anywhere


@dataclass(frozen=True, eq=False)
class TreeHypothesis(Hypothesis):
    """A tree of class shares; it answers the class of the largest share in the leaf of a row.

    Two classes in equal shares give +1, more the smallest. ``gaps`` are the features that it tests
    and that training had missing values of.
    """

    tree: Tree
    n_classes: int
    criterion: str = "entropy"
    gaps: frozenset[int] = frozenset()

    is_tree = True
    reads_cells = True

    @property
    def constant(self) -> bool:
        return len(self.tree) == 1

    @property
    def shared(self) -> bool:
        """Whether a row with a missing value goes down several branches at once."""
        return bool((self.tree.missing == EVERY_CHILD).any())

    def as_share_tree(self) -> Tree:
        return self.tree

    def shares(self, rows: Rows, n_classes: int) -> Floats:
        """The class shares in the leaf of each row: a weighted mean where it reaches several
        leaves.
        """
        return scored(self.tree, rows)

    def __call__(self, rows: Rows) -> NDArray[np.int64]:
        if self.constant:
            return np.repeat(self.answers, len(rows))
        if self.shared:
            return answers_of(scored(self.tree, rows), self.n_classes)
        return self.answers[leaves(self.tree, rows)]

    @cached_property
    def answers(self) -> NDArray[np.int64]:
        """The answer of each node: -1 or +1 for two classes, a class number for more."""
        return answers_of(self.tree.values, self.n_classes)[self.tree.value]

    def as_tree(self) -> Tree | None:
        """The tree with its answers as values: -1 and +1, or a 1 in the column of the class.

        None where a row may have several leaves: the answer is then no value of one of them.
        """
        if self.shared:
            return None
        if self.n_classes <= 2:
            values, rows = np.array([[-1.0], [1.0]]), (self.answers + 1) // 2
        else:
            values, rows = np.eye(self.n_classes), self.answers
        return replace(self.tree, values=values, value=rows.astype(np.int32))

    def importances(self, n_features: int) -> Floats:
        """The share of the impurity decrease of each feature."""
        return importances(self.tree, self.criterion, n_features)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "answers"}


def scored(tree: Tree, rows: Rows) -> Floats:
    """The leaf values of each row, (rows, outputs)."""
    return np.asarray(packed(tree, rows).sum(rows.cells, rows.engine.threads))


def leaves(tree: Tree, rows: Rows) -> NDArray[np.int32]:
    """The leaf index of each row; uses the binned codes if rows are the training sample."""
    if isinstance(rows, Sample):
        known = rows.engine.trees.leaves(rows.coded, tree)
        if known is not None:
            return known
    return np.asarray(packed(tree, rows).apply(rows.cells, rows.engine.threads)[:, 0])


class TreeOracle:
    """The grower bound to a sample; a call with other labels binds it anew."""

    def __init__(self, sample: Sample, learner: TreeLearner) -> None:
        self._sample = sample
        self._learner = learner
        self.grower = sample.engine.trees.grower(sample, learner.settings(sample))
        self._has_gaps: dict[int, bool] = {}

    def __call__(self, D: Distribution, z: NDArray[Any], key: int = 0) -> TreeHypothesis:
        sample, learner = self._sample, self._learner
        D = sample.facing(D, z)
        if z is not sample.y:  # the grower has the labels built in
            return TreeOracle(replace(sample, y=z), learner)(D, z, key)
        return self.hypothesis(learner.pruned(self.grower.grow(D, key), sample.engine))

    def hypothesis(self, tree: Tree) -> TreeHypothesis:
        """A grown tree as a hypothesis."""
        used = np.unique(tree.feature[~tree.is_leaf]).tolist()
        gaps = frozenset(j for j in used if self._is_missing_somewhere(j))
        return TreeHypothesis(tree, self._sample.n_classes, self._learner.criterion, gaps)

    def _is_missing_somewhere(self, j: int) -> bool:
        if j not in self._has_gaps:
            self._has_gaps[j] = bool(self._sample.coded.describe(j)["has_missing"])
        return self._has_gaps[j]


@dataclass(frozen=True)
class TreeLearner(TreeSettings, WeakLearner):
    """Grows a tree under D, by the settings it is made of, and prunes it.

    ``pruning``: None, "pessimistic", or "cost_complexity" with ``ccp_alpha``. ``humble``: a tree
    without error loses its least test, as a booster has no use for what knows a sample by heart.
    """

    title = "a tree"

    pruning: str | None = None
    ccp_alpha: float | None = None
    humble: bool = False

    @property
    def binning(self) -> Binning:
        return ORDERED if self.exact else CUT

    def bind(self, sample: Sample) -> TreeOracle:
        return TreeOracle(sample, self)

    def pruned(self, tree: Tree, engine: Engine) -> Tree:
        """The grown tree, pruned."""
        if self.pruning == "pessimistic":
            tree = pruning.pessimistic(tree, engine)
        elif self.pruning == "cost_complexity":
            lowered = decreases(tree, self.criterion)
            tree = pruning.cost_complexity(tree, lowered, self.ccp_alpha or 0.0)
        return pruning.humbled(tree, decreases(tree, self.criterion)) if self.humble else tree

    def settings(self, sample: Sample) -> TreeSettings:
        """The settings of a grower on this sample: limits as numbers of examples and features."""
        asked = {field.name: getattr(self, field.name) for field in fields(TreeSettings)}
        return replace(
            TreeSettings(**asked),
            min_samples_split=max(2, _count(self.min_samples_split, sample.m)),
            min_samples_leaf=max(1, _count(self.min_samples_leaf, sample.m)),
            max_features=features_to_try(self.max_features, sample.cells.n_features),
        )


@dataclass(frozen=True)
class TreeBasedLearner(WeakLearner):
    """A learner that grows trees by the settings of another, and changes their answers."""

    tree: TreeLearner

    @property
    def binning(self) -> Binning:
        return self.tree.binning


def _count(limit: int | float, m: int) -> int:
    """A limit as a number of examples; one given as a float is a share of them, rounded up."""
    return ceil(limit * m) if isinstance(limit, float) else min(limit, m + 1)
