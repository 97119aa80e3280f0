"""AdaBoost*: a margin within nu of the largest that there is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ..base import Ensemble, History, Sample, State
from .parts.target_margin import Aimed

_LEAST_AIM = -1 + 1e-12  # at -1 the vote would be infinite


@dataclass(frozen=True, slots=True)
class Correlated(State):
    """The state with the least correlation r_t so far.

    Where the learner finds the largest there is, no vote has a smallest margin above it: under D_t
    the mean margin of a vote is a mean of correlations.
    """

    r_min: float = 1.0


@dataclass(frozen=True)
class AdaBoostStar(Aimed[Correlated]):
    """AdaBoost that aims at the margin rho_t = min over s <= t of r_s, less nu.

        r_t      = sum D_t(i) y_i h_t(x_i)
        alpha_t  = 1/2 ln((1 + r_t)/(1 - r_t)) - 1/2 ln((1 + rho_t)/(1 - rho_t))

    The aim sinks as hypotheses get worse, so that it ends just below the largest margin that any
    vote has, which need not be known.

    **Guarantee.** After 2 ln m / nu^2 rounds every margin is at least min r_t - nu, and so at least
    rho* - nu, where rho* is the largest smallest margin of any vote, if each r_t >= rho*.

    Reference: Rätsch and Warmuth (2005), Journal of Machine Learning Research 6.
    """

    nu: float = 0.1
    memory: ClassVar[tuple[str, ...]] = ("r",)

    def begin(self, sample: Sample) -> Correlated:
        return Correlated(sample.prior, Ensemble())

    def _seen(self, state: Correlated, r: float) -> Correlated:
        return replace(state, r_min=min(state.r_min, r))

    def _aim(self, state: Correlated) -> float:
        return max(state.r_min - self.nu, _LEAST_AIM)

    def resume(self, sample: Sample, ensemble: Ensemble, history: History) -> Correlated:
        state = super().resume(sample, ensemble, history)
        return self._seen(state, float(np.fmin.reduce(history["r"], initial=1.0)))
