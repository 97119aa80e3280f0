"""Distributions that give no example more than its cap, and the votes that are best against them.

The examples choose D, the booster chooses votes w >= 0 of sum 1, and both look at the mean margin
sum D_i y_i f(x_i). Where no D_i may exceed D_1(i)/nu, the worst that D can do to a vote is the mean
of its lowest margins, those of the share nu of the examples: its soft margin

    max over rho of  rho - sum D_1(i) max(0, rho - y_i f(x_i)) / nu.

At nu = 1/m it is the smallest margin (an example lighter than others may fall short of it by what
its weight lacks). Largest soft margin and least largest correlation meet in one number, the value
of the game: one linear program and its dual.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import rel_entr

from ...base.types import Floats
from .distinct_rows import Patterns
from .interior_point import Settled, hardest, nearest, smoothed

_UNITS = 2.0**40  # votes are integer multiples of 2^-40: noise below it must not break ties
_FEW = 128  # so many members are looked at together
_EQUAL = 1e-9  # correlations closer than this are equal
_LIGHT = 1e-13  # patterns of less weight than this do not matter
_MET = 1e-6  # votes and distribution that agree on the value so far have solved the program


class Vote(NamedTuple):
    """Votes, their soft margin and its rho, and the hardest distribution D.

    ``dual`` is the largest correlation under D: no vote of these members has a larger soft margin.
    """

    votes: Floats
    D: Floats
    value: float
    rho: float
    dual: float

    @property
    def solved(self) -> bool:
        return self.dual - self.value <= _MET


@dataclass(frozen=True)
class Capped:
    """The distributions over patterns with D <= share / nu."""

    patterns: Patterns
    nu: float

    def best(self, before: Floats) -> Vote:
        """The vote of the largest soft margin; ``before`` were the votes without the last member.

        Where the linear program cannot be solved, the better of what was found and of the earlier
        votes.
        """
        t = self.patterns.n_members
        if self._fixed:
            D = self.patterns.share
            r = self.patterns.correlations(D)
            w = np.zeros(t)
            w[np.flatnonzero(r >= r.max() - _EQUAL)[0]] = 1.0
            return self._judged(w, D)
        used = np.append(before > 0, True) | (t <= _FEW)
        found = self._among(used, lambda part, heavy: hardest(part, part.share / self.nu))
        vote = self._judged(_rounded(found.w), found.D)
        if vote.solved or t == 1:
            return vote
        earlier = self._judged(np.append(before, 0.0), found.D)
        return earlier if not vote.value >= earlier.value else vote

    def nearest(self, bound: float, vote: Vote) -> Floats:
        """The D of least relative entropy to D_1 whose correlations are at most a bound."""
        if self._fixed:
            return self.patterns.share
        used = (vote.votes > 0) | (self.patterns.n_members <= _FEW)

        def solve(part: Patterns, heavy: NDArray[np.bool_]) -> Settled:
            return nearest(part, part.share / self.nu, bound, vote.D[heavy])

        return self._inside(self._among(used, solve, bound).D)

    def smoothed(self, eta: float, vote: Vote) -> Floats:
        """The D of least largest correlation + RE(D || D_1) / eta."""
        if self._fixed:
            return self.patterns.share
        used = (vote.votes > 0) | (self.patterns.n_members <= _FEW)

        def solve(part: Patterns, heavy: NDArray[np.bool_]) -> Settled:
            return smoothed(part, part.share / self.nu, eta)

        return self._inside(self._among(used, solve).D)

    def entropy(self, D: Floats) -> float:
        """RE(D || D_1)."""
        return float(rel_entr(D, self.patterns.share).sum())

    @property
    def _fixed(self) -> bool:
        """Whether D_1 is the only distribution within the caps."""
        return self.nu > 1 - _EQUAL

    def _inside(self, D: Floats) -> Floats:
        D = np.clip(D, 0.0, self.patterns.share / self.nu)
        return np.asarray(D / D.sum())

    def _judged(self, votes: Floats, D: Floats) -> Vote:
        D = self._inside(D)
        value, rho = soft_margin(self.patterns.margins(votes), self.patterns.share, self.nu)
        return Vote(votes, D, value, rho, float(self.patterns.correlations(D).max()))

    def _among(
        self,
        used: NDArray[np.bool_],
        solve: Callable[[Patterns, NDArray[np.bool_]], Settled],
        bound: float | None = None,
    ) -> Settled:
        """Solves with some of the members, and adds others until none of the rest matters."""
        heavy = self.patterns.share > _LIGHT
        while True:
            found = solve(self.patterns.among(heavy, used), heavy)
            D, w = self.patterns.share.copy(), np.zeros(len(used))
            D[heavy], w[used] = found.D, found.w
            r = self.patterns.correlations(D)
            most = r[used].max() if bound is None else bound
            late = ~used & (r > most + _EQUAL)
            if not late.any():
                return Settled(D, w, found.error)
            used = used | late


def soft_margin(margins: Floats, share: Floats, nu: float) -> tuple[float, float]:
    """The mean of the lowest margins, up to the share nu of the weight; and the highest of them.

    >>> soft_margin(np.array([-1.0, 0.0, 1.0, 1.0]), np.full(4, 0.25), 0.5)
    (-0.5, 0.0)
    >>> soft_margin(np.array([-1.0, 0.0, 1.0, 1.0]), np.full(4, 0.25), 0.25)  # the smallest margin
    (-1.0, -1.0)
    """
    order = np.argsort(margins, kind="stable")
    filled = np.cumsum(share[order])
    place = int(np.searchsorted(filled, nu * (1 - 1e-12)))
    rho = float(margins[order[min(place, len(order) - 1)]])
    return rho - float((share * np.maximum(rho - margins, 0.0)).sum()) / nu, rho


def _rounded(w: Floats) -> Floats:
    """Votes of sum 1, to integer multiples of 2^-40."""
    share = np.maximum(np.nan_to_num(w), 0.0)
    total = float(share.sum())
    units = np.rint(share / total * _UNITS) if total > 0 else np.zeros(len(w))
    units[np.argmax(units)] += _UNITS - units.sum()
    return np.asarray(units / _UNITS)
