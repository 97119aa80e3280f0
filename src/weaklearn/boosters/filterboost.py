"""FilterBoost: boosting on a stream of examples, none of which is stored."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, log, log1p
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base import WRONG, Booster, Ensemble, Hypothesis, Oracle, Round, Sample, Stop
from ..base.booster import normaliser
from ..base.numeric.exponential import sigmoid, softplus
from ..base.numeric.hashing import shares, stream
from ..base.numeric.weighted_draws import WeightedDraws, duplicate_groups
from ..base.types import Floats
from ..engines import on_threads
from .adaboost import TIED
from .parts.filtering import EdgeEstimate, Passed, Sieve, Source, delta_of
from .parts.known_edge import correlation
from .parts.margin_state import Scored, sides

Places = NDArray[np.intp]

_AT_ONCE = 1 << 13  # examples drawn at a time
_WAIT = 0x574149  # the purpose of the numbers that say how long they were waited for


@dataclass(frozen=True, slots=True)
class Sifted(Scored):
    """The state on a finite sample; ``groups`` are its groups of identical examples."""

    groups: tuple[Places, Places] = ()  # type: ignore[assignment]


@dataclass(frozen=True)
class Found:
    """The result of the filter of a round: a hypothesis, its guaranteed edge, and the cost."""

    h: Hypothesis
    g: float
    u: float = 0.0  # the share right less 1/2, as estimated
    draws: int = 0
    passed: int = 0

    @property
    def metrics(self) -> dict[str, float]:
        return {"edge": self.g, "draws": self.draws, "passed": self.passed}


@dataclass(frozen=True)
class FilterBoost(Booster[Sifted]):
    """Labels y in {-1, +1}, hypotheses h_t : X -> {-1, +1}, examples from an oracle.

    Round t may fail with probability delta_t = delta / (3 t (t + 1)). An example (x, y) of the
    oracle passes the filter with probability 1 / (1 + exp(y F(x))); the r-th example of the round
    is waited for during (2/epsilon) ln(r (r + 1) / delta_t) draws, and if none of them passes, the
    run ends with F as it stands. From ``n_samples`` examples that passed h_t is learnt; from more
    of them its edge is estimated until it is known, whatever its sign, to within a factor of
    1 + 2 tau: g between gamma_t / (1 + 2 tau) and gamma_t. After ``n_edge`` examples it counts as 0
    and the run ends. F gains

        alpha_t h_t,  alpha_t = 1/2 ln((1/2 + g) / (1/2 - g)).

    A finite sample is an oracle too: draws from D_1, with replacement, by content. ``exact``
    replaces drawing and estimating by the sums they stand for; the run is then AdaBoost.L.

    **Guarantee.** With probability 1 - delta every g is as said; if the filter runs dry, the error
    on the oracle's examples is below epsilon; and it has been so within
    2 ln 2 / (epsilon (1 - 2 sqrt(1/4 - g^2))) rounds, if no estimate was smaller than g.

    Reference: Bradley and Schapire (2008), NIPS 20.
    """

    epsilon: float = 0.05
    delta: float = 0.05
    tau: float = 0.5
    n_samples: int = 1000
    n_edge: int = 100_000
    exact: bool = False
    seed: int = 0

    def begin(self, sample: Sample) -> Sifted:
        return _at(sample, Ensemble(), np.zeros(len(sample)), 0.0, duplicate_groups(sample))

    def round(self, sample: Sample, learn: Oracle, state: Sifted) -> tuple[Sifted, Round]:
        D_t, t = state.D, len(state.ensemble) + 1
        if self.exact:
            h_t = learn(D_t, sample.y, t - 1)
            g_t = correlation(D_t, sample.correctness(h_t)) / 2
            found: Found | Stop = Found(h_t, g_t)
        else:
            found = self.sift(_Drawn(sample, learn, state, self.seed), t)
        if isinstance(found, Stop):
            metrics = {"epsilon": 0.5, "gamma": 0.0, "r": 0.0, "edge": 0.0, "alpha": 0.0, "Z": 1.0}
            return state, Round(metrics | state.metrics(sample), found)
        correct_t = sample.correctness(found.h)
        r_t, wrong_t = correlation(D_t, correct_t), D_t.mass(correct_t, WRONG)
        metrics = {"epsilon": wrong_t, "gamma": r_t / 2, "r": r_t} | found.metrics
        if abs(found.g) <= TIED:
            metrics |= {"alpha": 0.0, "Z": 1.0} | state.metrics(sample)
            return state, Round(metrics, Stop.NO_EDGE)
        side, one_sided = 1.0 if found.g > 0 else -1.0, abs(found.g) >= 0.5
        if one_sided and (np.asarray(correct_t) == side).all():  # it outvotes all before it
            metrics |= {"alpha": side * inf, "Z": 0.0, "margin_min": 1.0, "train_error": 0.0}
            alone = replace(state, ensemble=Ensemble().plus(side, found.h))
            return alone, Round(metrics, Stop.PERFECT)
        held = side * (0.5 - 0.25 / sample.m) if one_sided else found.g  # by half an example
        alpha_t = vote_of(held)
        Z_t = normaliser(r_t + wrong_t, wrong_t, 1 - r_t - 2 * wrong_t, alpha_t)
        later = self.replay(sample, state, alpha_t, found.h)
        return later, Round(metrics | {"alpha": alpha_t, "Z": Z_t} | later.metrics(sample))

    def sift(self, source: Source, t: int) -> Found | Stop:
        """The hypothesis of round t with its edge, or the reason why there is none."""
        delta_t = delta_of(self.delta, t)
        sieve = Sieve(source, self.epsilon, delta_t)
        estimate = EdgeEstimate(self.tau, delta_t, self.n_edge)
        gathered: list[Any] = []
        missing = self.n_samples
        h: Hypothesis | None = None
        while (passed := sieve.next()) is not None:
            run, first = passed.run, 0
            if h is None:
                first = min(missing, len(run))
                gathered.append(run.part(0, first))
                missing -= first
                if missing > 0:
                    continue
                h = source.learn(gathered)
            if first == len(run):
                continue
            taken = estimate.look(run.part(first, None).sides(h))
            if estimate.g is not None:
                sieve.done(passed, first + taken)
                return Found(h, estimate.g, estimate.u, sieve.draws, self.n_samples + estimate.n)
        assert sieve.stop is not None
        return sieve.stop

    def replay(self, sample: Sample, state: Sifted, vote: float, h: Hypothesis) -> Sifted:
        yF = state.yF + vote * sides(sample.correctness(h))
        votes = state.ensemble.plus(vote, h)
        return _at(sample, votes, yF, state.reach + abs(vote), state.groups)


def vote_of(g: float) -> float:
    """1/2 ln((1/2 + g) / (1/2 - g))."""
    return 0.5 * log((0.5 + g) / (0.5 - g))


def _at(
    sample: Sample, votes: Ensemble, yF: Floats, reach: float, groups: tuple[Places, Places]
) -> Sifted:
    log_w = -softplus(yF)  # of 1/(1 + exp(y F))
    D = sample.reweighted(sample.engine.weights.exponentials(log_w - log_w.max()))
    return Sifted(D, votes, yF, reach, groups)


@dataclass(frozen=True)
class _Rows:
    """Examples of a sample, one after another."""

    sample: Sample
    rows: Places

    def __len__(self) -> int:
        return len(self.rows)

    def part(self, first: int, last: int | None) -> _Rows:
        return _Rows(self.sample, self.rows[first:last])

    def sides(self, h: Hypothesis) -> Floats:
        return sides(self.sample.correctness(h))[self.rows]


class _Drawn:
    """A finite sample as the oracle of a round.

    What passes the filter is drawn from D_t, and waited for as long as chance says that takes.
    """

    def __init__(self, sample: Sample, learn: Oracle, state: Sifted, seed: int) -> None:
        self._sample, self._learn, self._state, self._seed = sample, learn, state, seed
        self._t = len(state.ensemble)
        self._draws = WeightedDraws.of(state.groups, state.D)
        self._share = sample.mean(sigmoid(-state.yF))  # of the draws that pass
        self._n = 0

    def more(self) -> Passed:
        rows = self._draws.draw(_AT_ONCE, self._seed, self._t, self._n)
        chance = shares(stream(_AT_ONCE, self._seed, self._t, _WAIT, self._n))
        self._n += _AT_ONCE
        return Passed(_Rows(self._sample, rows), waits(self._share, chance))

    def unused(self, n: int) -> None:
        """Nothing to take back: the next round draws anew."""

    def learn(self, runs: list[_Rows]) -> Hypothesis:
        drawn = np.concatenate([run.rows for run in runs])
        times = np.bincount(drawn, minlength=len(self._sample)).astype(np.float64)
        D = self._sample.weighed(times)
        return self._learn(D, self._sample.y, self._t)


def waits(share: float, chance: Floats) -> NDArray[np.int64]:
    """How many draws it takes until one passes, where a share of them does, by chances in [0, 1).

    >>> waits(0.5, np.array([0.0, 0.4, 0.6, 0.8])).tolist()
    [1, 1, 2, 3]
    """
    if share >= 1:
        return np.ones(len(chance), np.int64)
    longest = 2.0**62
    in_vain = on_threads().weights.logarithms(1 - chance) / log1p(-share)
    return 1 + np.minimum(in_vain, longest).astype(np.int64)
