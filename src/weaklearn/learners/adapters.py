"""Learners in the form that a booster asks for: signs of any target, numbers, clipped numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.hypothesis import Form, Hypothesis, Oracle, WeakLearner
from ..base.rows import Binning, Rows
from ..base.sample import Distribution, Sample
from ..base.trees.scored_tree import ScoredTree
from ..base.types import Floats
from .tree import TreeBasedLearner, TreeLearner


@dataclass(frozen=True)
class SignedLearner(WeakLearner):
    """A learner of labels, for boosters that pass targets -1 and +1 whatever the sample's y is."""

    learner: WeakLearner

    @property
    def title(self) -> str:
        return self.learner.title

    @property
    def binning(self) -> Binning:
        return self.learner.binning

    @property
    def form(self) -> Form:
        return self.learner.form

    def bind(self, sample: Sample) -> Oracle:
        labels = np.ones(len(sample), np.int8)
        return self.learner.bind(replace(sample, y=labels, n_classes=2, classes=np.array([-1, 1])))


# What is boosted where numbers are fitted and no learner is named.
BOOSTED_REGRESSION = TreeLearner(criterion="squared_error", categorical="subset", max_depth=3)


@dataclass(frozen=True)
class RegressionLearner(TreeBasedLearner):
    """Grows a tree whose leaves answer the weighted mean of the target, whatever the sample's y."""

    tree: TreeLearner = BOOSTED_REGRESSION

    form = Form.NUMBERS

    def bind(self, sample: Sample) -> Callable[..., ScoredTree]:
        settings = self.tree.settings(sample)

        def learn(D: Distribution, z: NDArray[Any], key: int = 0) -> ScoredTree:
            numbers = replace(sample, y=z, n_classes=0, classes=())
            grown = sample.engine.trees.grower(numbers, settings).grow(D, key)
            return ScoredTree(self.tree.pruned(grown, sample.engine))

        return learn


@dataclass(frozen=True)
class Clipped(Hypothesis):
    """The answers of h, clipped to [-1, 1]."""

    h: Hypothesis

    form = Form.BOUNDED

    def __call__(self, rows: Rows) -> Floats:
        return np.clip(self.h.number_answers(rows), -1.0, 1.0)

    @property
    def reach(self) -> float:
        return min(1.0, self.h.reach)

    @property
    def constant(self) -> bool:
        return self.h.constant

    @property
    def wrapped(self) -> Any:
        return self.h.wrapped

    def importances(self, n_features: int) -> Floats | None:
        return self.h.importances(n_features)


@dataclass(frozen=True)
class ClippedLearner(WeakLearner):
    """The hypotheses of a learner of numbers, clipped to [-1, 1]; a tree stays a tree."""

    learner: WeakLearner

    @property
    def title(self) -> str:
        return self.learner.title

    form = Form.BOUNDED

    @property
    def binning(self) -> Binning:
        return self.learner.binning

    def bind(self, sample: Sample) -> Callable[..., Hypothesis]:
        learn = self.learner.bind(sample)

        def clipped(D: Distribution, z: NDArray[Any], key: int = 0) -> Hypothesis:
            h = learn(D, z, key)
            if type(h) is not ScoredTree:
                return Clipped(h)
            values = np.clip(h.tree.values, -1.0, 1.0)
            return ScoredTree(replace(h.tree, values=values))

        return clipped
