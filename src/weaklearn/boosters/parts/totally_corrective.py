"""Boosters that recompute all votes in every round."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar, Self, TypeVar

import numpy as np

from ...base.booster import Booster, Round, State, Stop
from ...base.ensemble import Ensemble
from ...base.history import History
from ...base.hypothesis import Hypothesis, Oracle
from ...base.messages.warnings import BoostingWarning, warn
from ...base.sample import RIGHT, WRONG, Correctness, Sample
from ...base.votes.reweighted import Revoted
from ..adaboost import TIED
from .capped_simplex import Capped, Vote
from .distinct_rows import Patterns, one_thread
from .margin_state import Scored

_MET = 1e-6  # of delta: where so little room is left, the target of a projection is met
_NO_VOTE = Vote(np.zeros(0), np.ones(1), 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Corrected(State):
    """The state of votes that are optimal for the members.

    ``nu``: the share of the examples that caps belong to (None: not known yet); ``r_min``: the
    least correlation so far; ``done``: the target is met.
    """

    patterns: Patterns
    vote: Vote = _NO_VOTE
    nu: float | None = None
    r_min: float = 1.0
    done: bool = False

    @classmethod
    def first(cls, sample: Sample) -> Self:
        """The state before round 1."""
        return cls(sample.prior, Revoted(), Patterns.of(sample))

    @property
    def capped(self) -> Capped:
        assert self.nu is not None
        return Capped(self.patterns, self.nu)

    def metrics(self, sample: Sample) -> dict[str, float]:
        with one_thread():
            margins = self.patterns.margins(self.vote.votes)[self.patterns.place]
        return Scored(self.D, self.ensemble, margins, 1.0).metrics(sample)


C = TypeVar("C", bound=Corrected)


@dataclass(frozen=True)
class Corrective(Booster[C]):
    """Labels y in {-1, +1}, hypotheses h_t : X -> {-1, 0, +1}; subclasses define D_{t+1}.

    After every round the votes w, of sum 1, are those of the largest soft margin, by a linear
    program over the hypotheses found so far:

        maximise  rho - sum D_1(i) xi_i / nu,   y_i sum_j w_j h_j(x_i) >= rho - xi_i,  xi >= 0

    Facts of a round: ``value``, that maximum; ``rho``; ``dual``, the least largest correlation of
    these hypotheses under any D <= D_1/nu, which equals it; ``gap``, the least correlation that the
    learner has shown so far minus value: where the learner finds the best hypothesis, no vote at
    all has a soft margin above value + gap; ``cap``, the most that an example may weigh.
    """

    memory: ClassVar[tuple[str, ...]] = ("r",)

    @abstractmethod
    def _share(self) -> float | None:
        """nu; None where the first hypothesis decides it, 0 for the smallest possible."""

    @abstractmethod
    def _reweighed(self, sample: Sample, state: C) -> C:
        """The state with D_{t+1}, or marked as done."""

    def _seen(self, sample: Sample, state: C, r: float) -> C:
        """The state with the correlation of a round recorded."""
        nu = self._share() if state.nu is None else state.nu
        if nu is None:  # then the first hypothesis alone has a soft margin of 0
            nu = 1 - r
        nu = min(1.0, max(nu, 1 / sample.m))
        return replace(state, nu=nu, r_min=min(state.r_min, r))

    def _enough(self, state: C, r: float) -> bool:
        """Whether a hypothesis of correlation r is not worth joining."""
        return False

    def round(self, sample: Sample, learn: Oracle, state: C) -> tuple[C, Round]:
        D_t = state.D
        h_t = learn(D_t, sample.y, len(state.ensemble))
        correct_t = sample.correctness(h_t)
        epsilon_t = D_t.mass(correct_t, WRONG)
        r_t = D_t.mass(correct_t, RIGHT) - epsilon_t
        metrics = {"epsilon": epsilon_t, "gamma": r_t / 2, "r": r_t}
        seen = self._seen(sample, state, r_t)
        stop = self._end(seen, r_t)
        if stop is not None:
            return state, Round(metrics | {"alpha": 0.0} | self._state_metrics(sample, seen), stop)
        later = self._joined(sample, seen, h_t, correct_t)
        metrics |= {"alpha": float(later.vote.votes[-1])} | self._state_metrics(sample, later)
        return later, Round(metrics, Stop.OPTIMAL if later.done else None)

    def _end(self, state: C, r: float) -> Stop | None:
        if len(state.ensemble) == 0:
            if abs(r) <= 2 * TIED:
                return Stop.NO_EDGE
            return Stop.WORSE if r < 0 else None
        return Stop.OPTIMAL if state.done or self._enough(state, r) else None

    def _joined(self, sample: Sample, state: C, h: Hypothesis, correct: Correctness) -> C:
        before = state.ensemble
        assert isinstance(before, Revoted)
        state = replace(state, patterns=state.patterns.split_by(correct))
        with one_thread():
            vote = state.capped.best(before.votes)
        ensemble = before.revoted(h, vote.votes)
        if not vote.solved:
            warn(
                f"the linear program of round {len(ensemble)} was not solved: the best vote of its "
                f"{len(ensemble)} members has a soft margin between {vote.value:.6g} and "
                f"{vote.dual:.6g}, and the one of {vote.value:.6g} is kept.",
                BoostingWarning,
            )
        with one_thread():
            return self._reweighed(sample, replace(state, ensemble=ensemble, vote=vote))

    def replay(self, sample: Sample, state: C, vote: float, h: Hypothesis) -> C:
        raise TypeError("all votes are found anew in every round: use resume")

    def resume(self, sample: Sample, ensemble: Ensemble, history: History) -> C:
        """The state after the last member; earlier rounds need not be solved again."""
        assert isinstance(ensemble, Revoted)
        state, n = self.begin(sample), len(ensemble)
        if n == 0:
            return state
        for t in range(n):
            state = self._remembered(sample, state, history, t)
        for h in ensemble.members[:-1]:
            state = replace(state, patterns=state.patterns.split_by(sample.correctness(h)))
        state = replace(state, ensemble=ensemble.staged(n - 1))
        last = ensemble.members[-1]
        return self._joined(sample, state, last, sample.correctness(last))

    def _remembered(self, sample: Sample, state: C, history: History, t: int) -> C:
        """The state after round t of the history."""
        return self._seen(sample, state, float(history["r"][t]))

    def _state_metrics(self, sample: Sample, state: C) -> dict[str, float]:
        assert state.nu is not None
        vote = state.vote
        return {
            "rho": vote.rho,
            "value": vote.value,
            "dual": vote.dual,
            "gap": state.r_min - vote.value,
            "cap": min(1.0, 1 / (state.nu * sample.m)),
        } | state.metrics(sample)


@dataclass(frozen=True)
class Projecting(Corrective[Corrected]):
    """D_{t+1} is the distribution nearest to D_1 under which all correlations are at most a bound.

        g_t      = min over q <= t of r_q
        D_{t+1}  = argmin RE(D || D_1)  subject to  sum D(i) y_i h_q(x_i) <= g_t - delta, q <= t

    Where there is no such D, some vote of the hypotheses has a soft margin of g_t - delta or more,
    and the run ends.
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
