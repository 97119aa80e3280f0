"""Confidence-rated AdaBoost: hypotheses that answer with numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, log

from ..base import Form, Hypothesis, Oracle, Round, Sample, Stop
from ..base.added_field import ADDED
from ..base.booster import NUMBERS
from ..base.types import Floats
from ..base.votes.weighted_sum import WeightedSum
from .adaboost import TIED
from .parts.confidence_rated import Mean, Rated, edge, in_unit, means, of_labels, unit_of
from .parts.line_search import least
from .parts.margin_state import Scored, won


@dataclass(frozen=True)
class RealAdaBoost(Rated):
    """Labels y in {-1, +1}, hypotheses h_t : X -> R; the sign is a guess, the size its confidence.

        Z_t(a)     = sum D_t(i) exp(-a y_i h_t(x_i))
        alpha_t    makes Z_t(alpha_t) least
        D_{t+1}(i) = D_t(i) exp(-alpha_t y_i h_t(x_i)) / Z_t

    and F = sum alpha_t h_t. A hypothesis that has chosen its own confidences, as a partition of the
    domain does, gets the vote 1. For h_t in {-1, 0, +1} the best vote is 1/2 ln(W+/W-), with the
    weights W+ right and W- wrong; else it is found by Newton's steps. ``bounded``, for |h_t| <= 1:
    1/2 ln((1 + r)/(1 - r)) with r = sum D_t(i) y_i h_t(x_i), which makes Z_t <= sqrt(1 - r^2).
    ``on_perfect``: an h_t whose sign is right for every example outvotes all others and ends the
    run ("stop"), or ("smooth") is one like others: the confidences of a partition, which its
    smoothing keeps finite, count as they are, and other answers get the vote that is best if half
    an example were wrong.

    **Guarantee.** The training error is at most (1/m) sum exp(-y_i F(x_i)) = prod Z_t.

    Reference: Schapire and Singer (1999), Machine Learning 37.
    """

    bounded: bool = False
    on_perfect: str = field(default="stop", metadata=ADDED)

    @property
    def needs(self) -> frozenset[Form]:
        return NUMBERS - {Form.NUMBERS} if self.bounded else NUMBERS

    def round(self, sample: Sample, learn: Oracle, state: Scored) -> tuple[Scored, Round]:
        h_t = learn(state.D, sample.y, len(state.ensemble))
        yh = sample.y * h_t.number_answers(sample)  # above 0 where h_t is right
        under_D = means(sample, state)
        metrics = edge(yh, under_D)
        if h_t.form is Form.CONFIDENCES:
            metrics["Z_criterion"] = h_t.Z_criterion
        if self.on_perfect == "stop" and ((yh > 0).all() or (yh < 0).all()):
            side = 1.0 if yh[0] > 0 else -1.0  # h_t, or its opposite
            metrics |= {"alpha": side * inf, "Z": 0.0}
            return won(state, WeightedSum().plus(side, h_t), metrics)
        alpha_t = self._vote(sample, h_t, yh, under_D)
        Z_t = under_D(sample.engine.weights.exponentials(-alpha_t * yh))
        if Z_t >= 1 - TIED:  # nothing to learn from h_t
            stands = state.metrics(sample)
            return state, Round(metrics | {"alpha": 0.0, "Z": 1.0} | stands, Stop.NO_EDGE)
        later = self._moved(sample, state, alpha_t, h_t, yh)
        metrics |= {"alpha": alpha_t, "Z": Z_t} | later.metrics(sample)
        return later, Round(metrics)

    def _vote(self, sample: Sample, h: Hypothesis, yh: Floats, under_D: Mean) -> float:
        """alpha_t."""
        if h.form is Form.CONFIDENCES:
            return self.learning_rate
        if self.bounded and not of_labels(sample, yh):
            r = under_D(yh)
            right, wrong = (1 + r) / 2, (1 - r) / 2
            if min(right, wrong) <= 0:  # lost beside 1, not nothing
                right, wrong = under_D((1 + yh) / 2), under_D((1 - yh) / 2)
            less = 0.0 if min(right, wrong) > 0 else 0.5 / sample.m
            return self.learning_rate * 0.5 * log((right + less) / (wrong + less))
        return self.learning_rate * best_vote(sample, yh, under_D, self.on_perfect == "smooth")


def best_vote(sample: Sample, yh: Floats, under_D: Mean, smooth: bool = False) -> float:
    """The a that makes sum D exp(-a y h) least; half an example holds labels never wrong.

    So it does answers of any size that are right, or wrong, throughout; with ``smooth`` also those
    that are so wherever they are not 0.
    """
    half = 0.5 / sample.m
    if of_labels(sample, yh):
        right, wrong = under_D((yh > 0).astype(float)), under_D((yh < 0).astype(float))
        less = 0.0 if min(right, wrong) > 0 else half
        return 0.5 * log((right + less) / (wrong + less))
    unit = unit_of(sample, yh)
    yh = yh / unit
    r = under_D(yh)
    side = 1.0 if r >= 0 else -1.0
    spoken = smooth or sample.everywhere(yh != 0)
    one_sided = spoken and (sample.everywhere(yh >= 0) or sample.everywhere(yh <= 0))

    def derivatives(a: float) -> tuple[float, float]:
        e = sample.engine.weights.exponentials(-a * side * yh)
        first, second = -side * yh * e, yh * yh * e
        if one_sided:
            against = half * sample.engine.weights.exponentials(a * side * yh)
            first = (1 + half) * first + side * yh * against
            second = (1 + half) * second + yh * yh * against
        return under_D(first), under_D(second)

    return 0.0 if r == 0 else in_unit(side * least(derivatives), unit)
