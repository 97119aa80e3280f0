"""Boosting of hypotheses that answer with numbers, under the weights exp(-y F)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...base import Booster, Form, Hypothesis, Sample
from ...base.booster import NUMBERS
from ...base.numeric.total import total
from ...base.types import Floats
from ...base.votes.weighted_sum import WeightedSum
from .line_search import MOST
from .margin_state import Scored

_SMALL = 1e-140  # squares of smaller numbers, and of those above its inverse, are not exact
Mean = Callable[[Floats], float]


@dataclass(frozen=True)
class Rated(Booster[Scored]):
    """Base of boosters with F = sum alpha_t h_t and D_t proportional to D_1 exp(-y F)."""

    learning_rate: float = 1.0

    @property
    def needs(self) -> frozenset[Form]:
        return NUMBERS

    def begin(self, sample: Sample) -> Scored:
        yF = np.zeros(len(sample))
        return Scored(sample.reweighted(_factors(sample, yF)), WeightedSum(), yF)

    def replay(self, sample: Sample, state: Scored, vote: float, h: Hypothesis) -> Scored:
        yh = sample.y * h.number_answers(sample)
        return self._moved(sample, state, vote, h, yh)

    def _moved(
        self, sample: Sample, state: Scored, alpha: float, h: Hypothesis, yh: Floats
    ) -> Scored:
        yF = state.yF + alpha * yh
        reach = state.reach + abs(alpha) * h.reach
        return Scored(
            sample.reweighted(_factors(sample, yF)), state.ensemble.plus(alpha, h), yF, reach
        )


def means(sample: Sample, state: Scored) -> Mean:
    """A function that gives the mean under D_t of a number per example."""
    w = _factors(sample, state.yF) * (1.0 if sample.importance is None else sample.importance)
    summed = total(w, sample.copies)

    def under_D(x: Floats) -> float:
        return total(x * w, sample.copies) / summed

    return under_D


def edge(yh: Floats, under_D: Mean) -> dict[str, float]:
    """The error (an abstention is half of one), the edge, and the correlation with y."""
    wrong, abstained = under_D((yh < 0).astype(float)), under_D((yh == 0).astype(float))
    epsilon = wrong + abstained / 2
    return {"epsilon": epsilon, "gamma": 1 / 2 - epsilon, "r": under_D(yh)}


def unit_of(sample: Sample, yh: Floats) -> float:
    """1, or the size of answers whose squares would be too small or too large for a float."""
    size = sample.largest(np.abs(yh))
    return 1.0 if _SMALL < size < 1 / _SMALL else size or 1.0


def in_unit(vote: float, unit: float) -> float:
    """The vote of answers that were divided by their unit; within what a float can hold."""
    return max(-MOST, min(vote / unit, MOST))


def of_labels(sample: Sample, yh: Floats) -> bool:
    """Whether a hypothesis answers -1, 0 and +1 alone."""
    return sample.everywhere(np.isin(yh, (-1, 0, 1)))


def _factors(sample: Sample, yF: Floats) -> Floats:
    """exp(-y F), over the largest of them."""
    return sample.engine.weights.exponentials(yF.min() - yF)
