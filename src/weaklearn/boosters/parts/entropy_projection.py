"""Boosters that project D_1 onto the distributions where every hypothesis has a small edge."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace

from ...base.sample import Sample
from .totally_corrective import Corrected, Corrective

_MET = 1e-6  # of delta: where so little room is left, the target is met


@dataclass(frozen=True)
class Projecting(Corrective[Corrected]):
    """D_{t+1} is the distribution nearest to D_1 under which all correlations are at most a bound.

        g_t      = min over q <= t of r_q
        D_{t+1}  = argmin RE(D || D_1)  subject to  sum D(i) y_i h_q(x_i) <= g_t - delta, q <= t

    Where there is no such D, some vote of the hypotheses has a soft margin of g_t - delta or more,
    and the game ends.
    """

    def begin(self, sample: Sample) -> Corrected:
        return Corrected.first(sample)

    @abstractmethod
    def _delta(self) -> float:
        """By how much every correlation must be below the least one so far."""

    def _reweighed(self, sample: Sample, state: Corrected) -> Corrected:
        delta = self._delta()
        bound = state.r_min - delta
        if bound - state.vote.dual <= _MET * delta:
            return replace(state, done=True)
        D = state.capped.nearest(bound, state.vote)
        return replace(state, D=state.patterns.distribution(sample, D))
