"""Filtering: examples drawn from a stream, of which some are let through."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ...base import Hypothesis, Stop
from ...base.types import Floats, Ints
from ...engines import on_threads


@dataclass(frozen=True)
class Passed:
    """Examples that passed, the number of draws for each, and the draws without success after.

    An example (x, y) passes with probability 1/(1 + exp(y F(x))). ``run`` has a length, gives a
    ``part(first, last)`` of itself, and ``sides(h)``, y h of each example.
    """

    run: Any
    waits: Ints
    idle: int = 0


class Source(Protocol):
    """Where examples come from."""

    def more(self) -> Passed | None:
        """The next examples that pass; None where the stream is exhausted."""
        ...

    def unused(self, n: int) -> None:
        """Takes the last n draws back."""
        ...

    def learn(self, runs: list[Any]) -> Hypothesis:
        """A hypothesis from the examples of some runs, each as often as it is there."""
        ...


def delta_of(delta: float, t: int) -> float:
    """The failure probability of round t: delta / (3 t (t + 1))."""
    return delta / (3 * t * (t + 1))


def draw_limits(r: int, n: int, epsilon: float, delta_t: float) -> Ints:
    """The largest number of draws in calls r, r + 1, ...: ceil((2/epsilon) ln(r (r + 1) /
    delta_t)).

    >>> draw_limits(1, 2, 0.1, delta_of(0.05, 1)).tolist()
    [110, 132]
    """
    calls = np.arange(r, r + n, dtype=np.float64)
    logarithms = on_threads().weights.logarithms(calls * (calls + 1) / delta_t)
    return np.ceil(2 / epsilon * logarithms).astype(np.int64)


class Sieve:
    """The examples of a round that pass the filter, each within the limit of draws of its call.

    Where a call waits in vain the sieve is dry: most examples are right with a clear margin.
    ``stop`` says why no more examples come.
    """

    def __init__(self, source: Source, epsilon: float, delta_t: float) -> None:
        self._source, self._epsilon, self._delta_t = source, epsilon, delta_t
        self._waited = 0  # draws of the present call so far
        self._calls = 0
        self.draws = 0
        self.stop: Stop | None = None

    def next(self) -> Passed | None:
        """The next examples that pass; None where no more come."""
        if self.stop is not None:
            return None
        passed = self._source.more()
        if passed is None:
            self.stop = Stop.SPENT
            return None
        n = len(passed.waits)
        waits = np.append(passed.waits, passed.idle)  # the last call goes on
        waits[0] += self._waited
        first = self._calls + 1
        self._calls += n
        self._waited = int(waits[-1])
        self.draws += int(passed.waits.sum()) + passed.idle
        if waits.max() < draw_limits(first, 1, self._epsilon, self._delta_t)[0]:
            return passed  # below the least of the limits
        limits = draw_limits(first, n + 1, self._epsilon, self._delta_t)
        limits[-1] -= 1  # nothing has passed there
        dry = waits > limits
        if not dry.any():
            return passed
        self.stop = Stop.DRY
        kept = int(np.argmax(dry))
        return Passed(passed.run.part(0, kept), passed.waits[:kept])

    def done(self, passed: Passed, n: int) -> None:
        """Gives back the draws after the first n of these examples."""
        unused = int(passed.waits[n:].sum()) + passed.idle
        self.draws -= unused
        self._source.unused(unused)


class EdgeEstimate:
    """A sequential estimate of an edge, until it is known well enough.

    After n examples u is the share right less 1/2, and a = sqrt(ln(n (n + 1) / delta_t) / (2 n))
    how far it may be off. Once |u| >= a (1 + 1/tau), g = u / (1 + tau) lies between the edge and
    the edge / (1 + 2 tau). After ``most`` examples the edge counts as 0.
    """

    def __init__(self, tau: float, delta_t: float, most: int) -> None:
        self._tau, self._delta_t, self._most = tau, delta_t, most
        self._right = 0.0
        self.n = 0
        self.g: float | None = None  # None: not yet known

    @property
    def u(self) -> float:
        """The share right less 1/2."""
        return self._right / self.n - 0.5 if self.n else 0.0

    def look(self, sides: Floats) -> int:
        """Adds examples, given as y h, until the edge is known; returns how many were used."""
        sides = sides[: self._most - self.n]
        n = self.n + np.arange(1, len(sides) + 1)
        right = self._right + np.cumsum((1 + np.sign(sides)) / 2)  # sums of halves are exact
        u = np.abs(right / n - 0.5)
        near = np.flatnonzero(u >= self._least_known(n[-1:]) * (1 - 1e-9))  # it falls with n
        known = near[u[near] >= self._least_known(n[near])]
        taken = int(known[0]) + 1 if len(known) else len(sides)
        self.n += taken
        self._right = float(right[taken - 1])
        if len(known):
            self.g = self.u / (1 + self._tau)
        elif self.n == self._most:
            self.g = 0.0
        return taken

    def _least_known(self, n: Ints) -> Floats:
        """The smallest |u| that is known well enough after n examples: a (1 + 1/tau)."""
        logarithms = on_threads().weights.logarithms(n * (n + 1.0) / self._delta_t)
        return np.sqrt(logarithms / (2.0 * n)) * (1 + 1 / self._tau)
