"""Boosting towards a target margin other than 0."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from math import atanh, inf, log

from ...base import ABSTAINED, RIGHT, WRONG, Booster, Ensemble, Oracle, Round, Sample, Stop
from ...base.booster import S, normaliser
from ..adaboost import TIED
from .margin_state import won


@dataclass(frozen=True)
class Aimed(Booster[S]):
    """Labels y in {-1, +1}, hypotheses h_t : X -> {-1, 0, +1}; subclasses define the target rho_t.

        r_t         = sum D_t(i) y_i h_t(x_i)
        alpha_t     = 1/2 ln((1 + r_t)/(1 - r_t)) - 1/2 ln((1 + rho_t)/(1 - rho_t))
        D_{t+1}(i)  = D_t(i) exp(-alpha_t y_i h_t(x_i)) / Z_t

    A hypothesis that is right everywhere (or wrong everywhere) is all that is kept. One without
    edge ends the run, and so does one with r_t <= rho_t: no vote for it helps to reach the aim.
    """

    over_partitions = True

    learning_rate: float = 1.0

    @abstractmethod
    def _aim(self, state: S) -> float:
        """rho_t, above -1 and below 1."""

    def _seen(self, state: S, r: float) -> S:
        """The state with the correlation of this round recorded."""
        return state

    def round(self, sample: Sample, learn: Oracle, state: S) -> tuple[S, Round]:
        D_t = state.D
        h_t = learn(D_t, sample.y, len(state.ensemble))
        correct_t = sample.correctness(h_t)
        wrong, abstained, right = (D_t.mass(correct_t, side) for side in (WRONG, ABSTAINED, RIGHT))
        r_t = right - wrong
        state = self._seen(state, r_t)
        rho_t = self._aim(state)
        metrics = {"epsilon": wrong, "gamma": r_t / 2, "r": r_t, "rho": rho_t}
        if abstained == 0 and (wrong == 0 or right == 0):
            side = 1.0 if r_t > 0 else -1.0  # h_t, or its opposite: every margin is 1
            metrics |= {"alpha": side * inf, "Z": 0.0}
            return won(state, Ensemble().plus(side, h_t), metrics)
        stop = _no_use(r_t, rho_t)
        if stop is not None:
            metrics |= {"alpha": 0.0, "Z": 1.0} | state.metrics(sample)
            return state, Round(metrics, stop)
        own = 0.5 * log((2 * right + abstained) / (2 * wrong + abstained))  # of 1 + r and 1 - r
        alpha_t = self.learning_rate * (own - atanh(rho_t))
        Z_t = normaliser(right, wrong, abstained, alpha_t)
        ensemble = state.ensemble.plus(alpha_t, h_t)
        later = replace(state, D=D_t.reweight(alpha_t, correct_t), ensemble=ensemble)
        return later, Round(metrics | {"alpha": alpha_t, "Z": Z_t} | later.metrics(sample))


def _no_use(r: float, rho: float) -> Stop | None:
    """The stop reason if a hypothesis of correlation r cannot raise margins towards rho."""
    if abs(r) <= 2 * TIED:
        return Stop.NO_EDGE
    if r > rho + 2 * TIED:
        return None
    return Stop.OPTIMAL if r > 0 else Stop.WORSE
