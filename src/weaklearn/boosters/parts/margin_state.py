"""States that keep the margins y F of the examples, and the end at a hypothesis without error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import isfinite

import numpy as np

from ...base import Correctness, Ensemble, Round, Sample, State, Stop
from ...base.booster import S
from ...base.types import Floats

PERFECT = {"margin_min": 1.0, "train_error": 0.0}


@dataclass(frozen=True, slots=True)
class Scored(State):
    """The state with the margins y F of the examples, and the largest possible |F|."""

    yF: Floats = field(default_factory=lambda: np.zeros(0))
    reach: float = 0.0

    def metrics(self, sample: Sample) -> dict[str, float]:
        wrong = (self.yF < 0) | ((self.yF == 0) & (sample.y > 0))  # sign(0) = -1
        own = wrong.sum() if sample.copies is None else sample.copies[wrong].sum()
        errors = int(sample.engine.collective.sum(np.array([own], np.int64))[0])
        known = self.reach > 0 and isfinite(self.reach)
        margin = -sample.largest(-self.yF) / self.reach if known else 0.0
        return {"margin_min": margin, "train_error": errors / sample.m}


def sides(correct: Correctness) -> Floats:
    """y h of a hypothesis that answers -1, 0 or +1: above 0 where it is right."""
    return np.asarray(correct).astype(np.float64)


def won(state: S, alone: Ensemble, metrics: Mapping[str, float]) -> tuple[S, Round]:
    """The final state and round where a hypothesis (or its opposite) makes no error.

    ``alone`` is the vote of that rule by itself: it outvotes all before it.
    """
    return replace(state, ensemble=alone), Round({**metrics, **PERFECT}, Stop.PERFECT)
