"""Boost-by-majority: weights planned backwards from the last round."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log1p, nan

import numpy as np
from numpy.typing import NDArray

from ..base import (
    WRONG,
    Booster,
    Distribution,
    Ensemble,
    History,
    Hypothesis,
    Oracle,
    Round,
    Sample,
    Stop,
)
from ..base.numeric.total import mean
from ..base.types import Floats
from .parts.known_edge import Promised, correlation, reaches, warn_once
from .parts.margin_state import sides

GIVEN_UP = 1e-6  # rows that together have less of the given weight are given up


@dataclass(frozen=True, slots=True)
class Planned(Promised):
    """The state of a plan; ``counted``: the rows it is made for, None where all are."""

    counted: NDArray[np.bool_] | None = None


@dataclass(frozen=True)
class BoostByMajority(Booster[Planned]):
    """Labels y in {-1, +1}, hypotheses h_t : X -> {-1, +1}, T rounds, one vote each.

    An example of margin s, counted in votes, has the potential Phi_t(s) after t rounds: the chance
    to end at 0 or below if every later vote were right with probability 1/2 + gamma. So

        Phi_T(s)      = 1 if s <= 0 else 0
        Phi_{t-1}(s)  = (1/2 + gamma) Phi_t(s + 1) + (1/2 - gamma) Phi_t(s - 1)
        w_t(s)        = (Phi_t(s - 1) - Phi_t(s + 1)) / 2
                      = 1/2 C(n, u) (1/2 + gamma)^u (1/2 - gamma)^(n - u),
                        n = T - t,  u = floor((n - s + 1) / 2)

    and D_t(i) is proportional to D_1(i) w_t(s_i). What is decided either way weighs nothing: the
    booster gives up on examples that are wrong too often, as noise is. It also gives up, from the
    start, the lightest examples that together have less than a millionth of D_1: heavy ones are
    soon safe, and all later votes would be cast for light ones.

    **Guarantee.** While every edge is at least gamma the mean potential does not rise, so that the
    training error ends at most at Phi_0(0) = Pr[Binomial(T, 1/2 + gamma) <= T/2]
    <= exp(-2 gamma^2 T), and that millionth where weights are given. A vote of 0 counts as an error
    here. All weights depend on T: fewer rounds
    than planned, or rounds of one plan after those of another, are another run without guarantee.

    Reference: Freund (1995), Information and Computation 121.
    """

    T: int = 101
    gamma: float = 0.1

    @property
    def planned_rounds(self) -> int:
        return self.T

    def begin(self, sample: Sample) -> Planned:
        counted, s = _counted(sample), np.zeros(len(sample))  # all margins are equal
        D = sample.prior if counted is None else sample.reweighted(counted.astype(np.float64))
        return Planned(D, Ensemble(), s, counted=counted)

    def round(self, sample: Sample, learn: Oracle, state: Planned) -> tuple[Planned, Round]:
        t = len(state.ensemble) + 1
        before = {"potential": self.mean_potential(sample, state)}
        if t > self.T:
            return state, Round(self._idle() | before | state.metrics(sample), Stop.TIME)
        if not _open(self.T - t, state.yF, state.counted).any():
            return state, Round(self._idle() | before | state.metrics(sample), Stop.DECIDED)
        D_t = state.D
        h_t = learn(D_t, sample.y, t - 1)
        correct_t = sample.correctness(h_t)
        r_t = correlation(D_t, correct_t)
        warn_once(state, r_t, self.gamma)
        metrics = {"epsilon": D_t.mass(correct_t, WRONG), "gamma": r_t / 2, "r": r_t, "alpha": 1.0}
        later = self.replay(sample, state, 1.0, h_t)
        return later, Round(metrics | before | later.metrics(sample))

    def replay(self, sample: Sample, state: Planned, vote: float, h: Hypothesis) -> Planned:
        correct = sample.correctness(h)
        kept = state.kept and reaches(correlation(state.D, correct), self.gamma)
        s = state.yF + sides(correct)
        ensemble = state.ensemble.plus(vote, h)
        later = replace(state, ensemble=ensemble, yF=s, reach=state.reach + 1, kept=kept)
        return replace(later, D=self._weighed(sample, later, self.T - len(ensemble) - 1))

    def replay_mismatch(self, sample: Sample, history: History) -> str | None:
        first = self.mean_potential(sample, self.begin(sample))
        if not history or abs(float(history["potential"][0]) - first) <= 1e-9:
            return None
        return f"the first rounds were played by another plan than that for {self.T} rounds"

    def mean_potential(self, sample: Sample, state: Planned) -> float:
        """The mean of Phi_t(s_i) after t rounds: a bound on the final training error."""
        s, place = _distinct(state.yF)
        return mean(potential(self.T - len(state.ensemble), s, self.gamma)[place], sample.weights)

    def _weighed(self, sample: Sample, state: Planned, n: int) -> Distribution:
        """D_1 times the weights for n rounds to come; D as it is where no example has any."""
        s, counted = state.yF, state.counted
        if n < 0 or not _open(n, s, counted).any():
            return state.D
        values, place = _distinct(s)
        log_w = log_weight(n, values, self.gamma)
        most = log_w.max() if counted is None else log_w[place][counted].max()
        w = sample.engine.weights.exponentials(np.minimum(log_w - most, 0.0))[place]
        return sample.reweighted(w if counted is None else w * counted)

    @staticmethod
    def _idle() -> dict[str, float]:
        """The metrics of a round without a hypothesis."""
        return {"epsilon": nan, "gamma": nan, "r": nan, "alpha": 0.0}


def potential(n: int, s: Floats, gamma: float) -> Floats:
    """The chance that margins s end at 0 or below, with n votes to come.

    >>> potential(5, np.zeros(1), 1 / 6)  # 17/81
    array([0.20987654])
    """
    from scipy.special import betainc  # scipy is not light

    n = max(n, 0)
    j = np.floor((n - s) / 2)  # at most so many of the votes to come may be right
    with np.errstate(invalid="ignore"):
        tail = betainc(n - j, j + 1, 0.5 - gamma)
    return np.where(j < 0, 0.0, np.where(j >= n, 1.0, tail))


def log_weight(n: int, s: Floats, gamma: float) -> Floats:
    """ln w for margins s with n rounds to come after this one; -inf where an example is decided.

    >>> np.exp(log_weight(4, np.array([-1.0, 0.0, 1.0]), 1 / 6))
    array([0.19753086, 0.14814815, 0.14814815])
    """
    from scipy.special import gammaln

    u = np.where(_undecided(n, s), np.floor((n - s + 1) / 2), 0.0)
    chosen = gammaln(n + 1.0) - gammaln(u + 1) - gammaln(n - u + 1)  # ln C(n, u)
    right, wrong = log1p(2 * gamma), log1p(-2 * gamma)  # 1/2 + gamma, 1/2 - gamma, doubled
    log_w = chosen + u * right + (n - u) * wrong - (n + 1) * np.log(2.0)
    return np.where(_undecided(n, s), log_w, -np.inf)


def _counted(sample: Sample) -> NDArray[np.bool_] | None:
    """The rows without the lightest that have a share of less than GIVEN_UP together; None: all."""
    if sample.importance is None:
        return None
    w, place = np.unique(sample.importance, return_inverse=True)  # of a copy, from the lightest on
    mass = w * np.bincount(place, weights=sample.copies)
    light = np.cumsum(mass) < GIVEN_UP * mass.sum()
    return None if not light.any() else ~light[place]


def _open(n: int, s: Floats, counted: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
    """Whether an example counts and is not decided."""
    return _undecided(n, s) if counted is None else _undecided(n, s) & counted


def _undecided(n: int, s: Floats) -> NDArray[np.bool_]:
    """Whether n rounds and this one can still turn an example over, either way."""
    u = np.floor((n - s + 1) / 2)
    return (u >= 0) & (u <= n)


def _distinct(s: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """The margins that occur, and which of them each example has."""
    least = s.min()
    place = (s - least).astype(np.int64)
    found = np.flatnonzero(np.bincount(place))
    rank = np.zeros(found[-1] + 1, np.int64)
    rank[found] = np.arange(len(found))
    return found + least, rank[place]
