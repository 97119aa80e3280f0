"""Exact decision stumps: the least weighted error over all features, thresholds and polarities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.hypothesis import Hypothesis, WeakLearner

if TYPE_CHECKING:
    from ..base.distribution import Distribution, Verdict
    from ..base.sample import Rows, Sample

CONSTANT, THRESHOLD, EQUALITY, MULTIWAY = range(4)


@dataclass(frozen=True, slots=True)
class Stump(Hypothesis):
    """One test on one feature, and an answer for each outcome.

    The test is x > threshold, or x equals a level, or x's level itself (multiway); ``high`` answers
    where it holds, ``low`` where not, ``missing`` where the value is missing or a level unseen.
    """

    test: int
    feature: int
    threshold: float
    level: int
    low: int
    high: int
    missing: int
    levels: tuple[int, ...] | None = None

    packed = True  # a scorer may merge it with its like

    @property
    def constant(self) -> bool:
        """Whether the answer is the same whatever the value, missing or not."""
        return self.test == CONSTANT and self.missing == self.high

    def __call__(self, rows: Rows) -> NDArray[np.int64]:
        x = rows.column(self.feature)
        if x.dtype.kind == "i":
            missing = x < 0
            if self.test == EQUALITY:
                answers = np.where(x == self.level, self.high, self.low)
            elif self.levels is not None:
                answers = np.array(self.levels, dtype=np.int64)[np.where(missing, 0, x)]
            else:
                answers = np.full(len(x), self.high)
        else:
            missing = np.isnan(x)
            answers = np.where(x > self.threshold, self.high, self.low)
        return np.where(missing, self.missing, answers)

    def judge(self, sample: Sample) -> Verdict:
        return sample.engine.stumps.judge(sample, self)


class StumpOracle:
    """The search bound to a sample; asked with its own labels it follows D from round to round."""

    def __init__(self, sample: Sample, multiway: bool, abstain: bool, least_share: float) -> None:
        self._sample = sample
        self._abstain = abstain
        self._options = (multiway, abstain, least_share)
        self._search = sample.engine.stumps.search(sample, *self._options)

    def __call__(self, D: Distribution, z: NDArray[Any], key: int = 0) -> Stump:
        sample = self._sample
        if z is not sample.y:
            D = sample.facing(D, z)
            if not sample.binary or self._options[2] > 0:  # this search has the labels built in
                return StumpOracle(replace(sample, y=z), *self._options)(D, z, key)
        weights: Any = D.weights
        found = self._search.search(sample.coded, weights)
        silent, missing = 0 if sample.binary else -1, found.missing
        if self._abstain:
            missing = silent
        elif missing == silent:  # training had none missing: the majority answers for them
            missing = found.majority
        if found.feature < 0:  # no column holds a known value: the constants remain
            return Stump(CONSTANT, 0, -inf, found.level, found.majority, found.majority, missing)
        return Stump(
            found.test,
            found.feature,
            found.threshold,
            found.level,
            found.low,
            found.high,
            missing,
            tuple(found.levels) or None,
        )


@dataclass(frozen=True)
class StumpLearner(WeakLearner):
    """Exact stumps. ``categorical`` tests are "equality" or "multiway"; ``missing`` values take a
    "branch" of their own, make the stump "abstain", or are refused ("error"). A test leaves at
    least ``least_share`` of the weight on each of its sides, or is not considered.
    """

    categorical: str = "equality"
    missing: str = "branch"
    least_share: float = 0.0

    def bind(self, sample: Sample) -> StumpOracle:
        multiway, abstain = self.categorical == "multiway", self.missing == "abstain"
        return StumpOracle(sample, multiway, abstain, self.least_share)
