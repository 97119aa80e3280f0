"""Learners whose hypotheses are clipped to [-1, 1]."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.hypothesis import Form, Hypothesis, WeakLearner
from ..base.sample import Binning
from ..base.trees.scored_tree import ScoredTree
from ..base.types import Floats

if TYPE_CHECKING:
    from ..base.sample import Distribution, Rows, Sample


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
