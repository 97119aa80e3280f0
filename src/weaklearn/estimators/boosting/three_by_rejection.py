"""The majority of three from a stream: each distribution by rejection of other examples."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.booster import Round, State, Stop
from ...base.hypothesis import Hypothesis
from ...base.numeric.hashing import shares, stream
from ...base.rows import Rows
from ...base.types import Floats
from ...boosters.parts.filtering import Sieve, delta_of
from .filtering import FilteredStream, Passes, Stream

_COIN = 0x434F49  # the purpose of the numbers that say which side an example shall be on


@dataclass(frozen=True)
class ThreeByRejection:
    """h_1 from examples as they come; h_2 from those that h_1 gets right or wrong, as a coin says;
    h_3 from those on which h_1 and h_2 differ.

    Each h is learnt from ``n_samples`` examples and its error estimated by as many others. Where
    an example is waited for longer than (2/epsilon) ln(r (r + 1) / delta_t) draws, its kind is
    rare: with probability 1 - delta, h_1 errs on less than epsilon, or h_2 differs from it on
    less. h_1 alone is then the answer.
    """

    stream: Stream
    n_samples: int
    epsilon: float
    delta: float

    def round(self, sample: Any, learn: Any, state: State) -> tuple[State, Round]:
        members = state.ensemble.members
        t = len(members) + 1
        learnt = self._drawn(members, t, 0)
        judged = learnt if isinstance(learnt, Stop) else self._drawn(members, t, 1)
        if isinstance(learnt, Stop) or isinstance(judged, Stop):
            return self._ended(state, learnt if isinstance(learnt, Stop) else judged)
        source, runs = learnt
        h_t = source.learn(runs)
        yh = np.concatenate([run.sides(h_t) for run in judged[1]])
        epsilon_t, r_t = float(np.mean(yh < 0)), float(np.mean(yh))
        metrics = {"epsilon": epsilon_t, "gamma": r_t / 2, "r": r_t, "alpha": 1.0}
        later = replace(state, ensemble=state.ensemble.plus(1.0, h_t))
        return later, Round(metrics, Stop.COMPLETE if t == 3 else None)

    def _ended(self, state: State, stop: Any) -> tuple[State, Round]:
        """The end without another rule; where none is needed, h_1 alone."""
        if stop is Stop.DRY:
            state = replace(state, ensemble=state.ensemble.staged(1))
        return state, Round({"epsilon": 0.5, "gamma": 0.0, "r": 0.0, "alpha": 0.0}, stop)

    def _drawn(self, members: Any, t: int, stage: int) -> tuple[FilteredStream, list[Any]] | Stop:
        """``n_samples`` examples of the distribution of round t, or why there are fewer."""
        source = self.stream.filtered(self._passes(members, t, stage), t, stage)
        sieve = Sieve(source, self.epsilon, delta_of(self.delta, t))
        runs, missing = [], self.n_samples
        while missing > 0:
            passed = sieve.next()
            if passed is None:
                assert sieve.stop is not None
                return sieve.stop
            taken = min(missing, len(passed.run))
            runs.append(passed.run.part(0, taken))
            missing -= taken
            if missing == 0:
                sieve.done(passed, taken)
        return source, runs

    def _passes(self, members: Any, t: int, stage: int) -> Passes:
        if t == 1:
            return _all
        if t == 2:
            coins = shares(stream(self.n_samples, self.stream.seed, t, _COIN, stage))
            n_right = int(np.count_nonzero(coins < 0.5))
            return _Sides(members[0], n_right, self.n_samples - n_right)
        return _Differ(*members[:2])


def _all(y: NDArray[np.int8], rows: Rows, chance: Floats) -> NDArray[np.bool_]:
    return np.ones(len(y), bool)


class _Sides:
    """Lets through as many examples that h gets right, and wrong, as are still wanted."""

    def __init__(self, h: Hypothesis, n_right: int, n_wrong: int) -> None:
        self._h, self._left = h, {True: n_right, False: n_wrong}

    def __call__(self, y: NDArray[np.int8], rows: Rows, chance: Floats) -> NDArray[np.bool_]:
        right, passes = np.asarray(y * np.asarray(self._h(rows)) > 0), np.zeros(len(y), bool)
        for side in (True, False):
            found = np.flatnonzero(right == side)[: self._left[side]]
            passes[found] = True
            self._left[side] -= len(found)
        return passes


@dataclass(frozen=True)
class _Differ:
    """Lets examples through on which two hypotheses differ."""

    h_1: Hypothesis
    h_2: Hypothesis

    def __call__(self, y: NDArray[np.int8], rows: Rows, chance: Floats) -> NDArray[np.bool_]:
        return np.asarray(np.asarray(self.h_1(rows)) != np.asarray(self.h_2(rows)))
