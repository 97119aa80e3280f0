"""Gentle AdaBoost: steps by weighted least squares."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from ..base import Oracle, Round, Sample, Stop
from .adaboost import TIED
from .parts.confidence_rated import Rated, edge, in_unit, means, unit_of
from .parts.margin_state import Scored


@dataclass(frozen=True)
class GentleBoost(Rated):
    """Labels y in {-1, +1}, hypotheses f_t : X -> R that fit y by least squares under D_t.

        D_t(i)  is proportional to D_1(i) exp(-y_i F(x_i))
        F       gains f_t

    A partition of the domain answers the mean of y in each block, (W+ - W-) / (W+ + W-), with the
    weights W+ and W- of the two classes there: never more than 1, however pure a block is, where
    confidence-rated AdaBoost takes a logarithm. Hypotheses that fit y less well get the vote with
    which they fit it best, r_t / sum D_t(i) f_t(x_i)^2 with r_t = sum D_t(i) y_i f_t(x_i).

    **Guarantee.** The training error is at most the mean of exp(-y_i F(x_i)) = prod Z_t; and for a
    partition Z_t = sum W_b (cosh f_b - f_b sinh f_b) <= 1 - r_t / 2, r_t being the mean of f_t^2.

    Reference: Friedman, Hastie and Tibshirani (2000), Annals of Statistics 28.
    """

    def round(self, sample: Sample, learn: Oracle, state: Scored) -> tuple[Scored, Round]:
        f_t = learn(state.D, sample.y, len(state.ensemble))
        yf = sample.y * f_t.number_answers(sample)  # above 0 where f_t is right
        under_D = means(sample, state)
        metrics = edge(yf, under_D)
        unit = unit_of(sample, yf)
        scaled = yf / unit
        r_t, square_t = under_D(scaled), under_D(scaled * scaled)
        if abs(r_t) <= 2 * TIED * sqrt(square_t):
            metrics |= {"alpha": 0.0, "Z": 1.0} | state.metrics(sample)
            return state, Round(metrics, Stop.NO_EDGE)
        alpha_t = self.learning_rate * _fitting(in_unit(r_t / square_t, unit))
        Z_t = under_D(sample.engine.weights.exponentials(-alpha_t * yf))
        later = self._moved(sample, state, alpha_t, f_t, yf)
        return later, Round(metrics | {"alpha": alpha_t, "Z": Z_t} | later.metrics(sample))


def _fitting(vote: float) -> float:
    """1 for a hypothesis that fits y by least squares, but for rounding."""
    return 1.0 if abs(vote - 1) <= 1e-9 else vote
