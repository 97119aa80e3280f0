"""Exact decision stumps: the least weighted error over all features, thresholds and polarities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import Any

from numpy.typing import NDArray

from ..base.hypothesis import CONSTANT, Stump, WeakLearner
from ..base.sample import Distribution, Sample


class StumpOracle:
    """The search bound to a sample; with the sample's labels it is updated from round to round."""

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
        abstained, missing = 0 if sample.binary else -1, found.missing
        if self._abstain:
            missing = abstained
        elif missing == abstained:  # training had none missing: the majority answers for them
            missing = found.majority
        if found.feature < 0:  # no column holds a known value: the constants remain
            return Stump(CONSTANT, 0, -inf, found.category, found.majority, found.majority, missing)
        return Stump(
            found.test,
            found.feature,
            found.threshold,
            found.category,
            found.high if self._says_nothing(found) else found.low,
            found.high,
            missing,
            tuple(found.by_category) or None,
        )

    def _says_nothing(self, found: Any) -> bool:
        """Whether the stump has one answer: one class, or a column with one value in training."""
        if found.test != CONSTANT or self._sample.n_classes == 1:
            return bool(found.test == CONSTANT)
        column = self._sample.coded.describe(found.feature)
        return column["n_codes"] == 1 and not column["coarse"]


@dataclass(frozen=True)
class StumpLearner(WeakLearner):
    """Exact stumps. ``categorical`` tests are "equality" or "multiway"; ``missing`` values take a
    "branch" of their own, make the stump "abstain", or are refused ("error"). A test leaves at
    least ``least_share`` of the weight on each of its sides, or is not considered.

    With one class, or on a column with one value alone, a stump gives that answer to every other
    value too, and, where training had none missing, the majority's to missing ones.
    """

    title = "a stump"
    over_partitions = True

    categorical: str = "equality"
    missing: str = "branch"
    least_share: float = 0.0

    def bind(self, sample: Sample) -> StumpOracle:
        multiway, abstain = self.categorical == "multiway", self.missing == "abstain"
        return StumpOracle(sample, multiway, abstain, self.least_share)
