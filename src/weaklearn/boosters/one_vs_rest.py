"""Multiclass boosting by one binary booster per class."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..base import Booster, Ensemble, Sample, StackedEnsemble
from .parts.reduction import Panel


@dataclass(frozen=True)
class OneVsRest(Panel):
    """Every class against the rest, on all rows: K binary problems; the largest score wins.

    The metrics of a round are the means over the problems still run; ``epsilon_k``, ``alpha_k`` and
    ``Z_k`` are those of class k alone, and not a number once it has ended.

    **Guarantee.** The training error is at most the sum of those of the problems.
    """

    over_partitions = True  # with boosters that are

    def samples(self, sample: Sample) -> Iterator[Sample]:
        for k in range(sample.n_classes):
            y = np.where(sample.y == k, 1, -1).astype(np.int8)
            yield replace(sample, y=y, n_classes=2, classes=np.array([-1, 1]))

    def booster_of(self, k: int) -> Booster:
        return self.booster.against_rest(k)

    def vote(self, parts: tuple[Ensemble, ...]) -> StackedEnsemble:
        return StackedEnsemble(parts)
