"""arc-gv: AdaBoost that always aims past the margin it has."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from ..base import Ensemble, Sample, State
from .parts.target_margin import Aimed


@dataclass(frozen=True)
class ArcGV(Aimed[State]):
    """AdaBoost that aims at rho_t = max(0, the smallest margin of the vote so far).

        r_t      = sum D_t(i) y_i h_t(x_i)
        alpha_t  = 1/2 ln((1 + r_t)/(1 - r_t)) - 1/2 ln((1 + rho_t)/(1 - rho_t))

    Until all margins are positive these are AdaBoost's own steps; without that floor the first vote
    would be infinite, since some margin is -1 after round 1.

    **Guarantee.** Where some vote has only positive margins and the learner finds the largest
    r_t, the smallest margin tends to rho*, the largest that any vote has. It is never above the
    least r_t, so that the two enclose rho*.

    Reference: Breiman (1999), Neural Computation 11.
    """

    def begin(self, sample: Sample) -> State:
        return State(sample.prior, Ensemble())

    def _aim(self, state: State) -> float:
        weight = state.ensemble.running_weight
        known = weight > 0 and isfinite(weight)
        return max(0.0, state.D.margin_and_errors()[0] / weight) if known else 0.0
