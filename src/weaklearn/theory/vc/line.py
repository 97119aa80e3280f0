"""Classes on the line: step functions, of which only the changes of sign matter; majorities."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import bounds
from ..bounds.reading import ROUNDS, Range
from .kind import HypothesisClass, Witnesses, affordable, cut_between, integer, on_the_line

_ODD = Range("an odd whole number of at least 1", lambda x: (x >= 1) & (x % 2 == 1))


@dataclass(frozen=True)
class Steps:
    """A step function: the label ``first`` up to the first cut, and a change at each cut."""

    first: int
    cuts: tuple[float, ...]

    def __call__(self, points: Any) -> NDArray[np.int64]:
        above = on_the_line(points)[:, None] > np.array(self.cuts)
        return np.where(above.sum(axis=1) % 2 == 0, self.first, -self.first)


class StepFunctions(HypothesisClass):
    """Step functions with some numbers of changes, after some first labels."""

    def changes(self) -> float:
        """The most changes of sign."""
        raise NotImplementedError

    def has(self, first: int, changes: int) -> bool:
        """Whether some hypothesis starts with this label and changes so often."""
        return True

    def witnesses(self, points: Any) -> Witnesses:
        x = on_the_line(points)
        values, place = np.unique(x, return_inverse=True)
        gaps = [cut_between(low, high) for low, high in pairwise(values.tolist())]
        found: Witnesses = {}
        for first, places in self._patterns(len(values)):
            labels = np.full(len(values), first)
            for start in places:
                labels[start:] *= -1
            found[tuple(labels[place].tolist())] = Steps(first, tuple(gaps[i - 1] for i in places))
        return found

    def _patterns(self, k: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        """First labels and places of the changes, on k values in order."""
        for changes in range(self._most(k) + 1):
            for first in (-1, 1):
                if self.has(first, changes):
                    for places in combinations(range(1, k), changes):
                        yield first, places

    def _most(self, k: int) -> int:
        return int(min(self.changes(), max(k - 1, 0)))

    def arrangements(self, m: int) -> Iterable[Any]:
        return [np.arange(m, dtype=np.float64)]

    def growth(self, m: int) -> int:
        """Ways to choose the places of the changes, summed over the patterns."""
        if m == 0:
            return 1
        return sum(
            math.comb(m - 1, changes)
            for changes in range(self._most(m) + 1)
            for first in (-1, 1)
            if self.has(first, changes)
        )

    def shattered_set(self, m: int) -> Any:
        return np.arange(m, dtype=np.float64)


@dataclass(frozen=True)
class Thresholds(StepFunctions):
    """x >= v is +1. Growth m + 1, VC dimension 1."""

    def changes(self) -> float:
        return 1

    def has(self, first: int, changes: int) -> bool:
        return first == -1 or changes == 0

    def vc_dimension(self) -> float:
        return 1


@dataclass(frozen=True)
class Intervals(StepFunctions):
    """Unions of at most k closed intervals are +1, none included; ``k=None``: of any number.

    Growth C(m, 0) + ... + C(m, 2k), VC dimension 2k; for any number 2^m, and infinite.
    """

    k: int | None = 1

    def changes(self) -> float:
        return math.inf if self.k is None else 2 * self.k

    def has(self, first: int, changes: int) -> bool:
        pieces = (changes + 1) // 2 if first == -1 else changes // 2 + 1
        return self.k is None or pieces <= self.k

    def vc_dimension(self) -> float:
        return self.changes()


@dataclass(frozen=True)
class Piecewise(StepFunctions):
    """Step functions of at most r pieces. Growth 2 (C(m-1, 0) + ... + C(m-1, r-1)), dimension r."""

    r: int

    def changes(self) -> float:
        return self.r - 1

    def vc_dimension(self) -> float:
        return self.r


@dataclass(frozen=True)
class ThreePiece(StepFunctions):
    """One label between two thresholds, the other outside. Growth m (m-1) + 2, VC dimension 3."""

    def changes(self) -> float:
        return 2

    def vc_dimension(self) -> float:
        return 3


@dataclass(frozen=True)
class StumpVotes(StepFunctions):
    """Signs of weighted sums of T stumps on the line: halfspaces over stumps.

    The score far to the left is minus that far to the right, so that an even number of stumps
    cannot change its sign T times: the VC dimension is T + 1 for odd T and T for even T. With
    ``zero_sums=True`` sums may be 0, which counts as -1; then both ends of an even number may be 0.
    """

    T: int
    zero_sums: bool = False

    def changes(self) -> float:
        return self.T if self.zero_sums else self.T - 1 + self.T % 2

    def has(self, first: int, changes: int) -> bool:
        return self.T % 2 == 1 or changes < self.T or first == -1

    def vc_dimension(self) -> float:
        return int(bounds.stump_votes_vc(self.T))


@dataclass(frozen=True)
class AtMost(HypothesisClass):
    """Sets of at most d points are +1. Growth C(m, 0) + ... + C(m, d): Sauer's bound is met."""

    d: int

    def __post_init__(self) -> None:
        integer(ROUNDS, d=self.d)

    def witnesses(self, points: Any) -> Witnesses:
        x = on_the_line(points)
        values = np.unique(x).tolist()
        found: Witnesses = {}
        for size in range(min(self.d, len(values)) + 1):
            for chosen in combinations(values, size):
                members = Members(chosen)
                found[tuple(members(x).tolist())] = members
        return found

    def arrangements(self, m: int) -> Iterable[Any]:
        return [np.arange(m, dtype=np.float64)]

    def growth(self, m: int) -> int:
        return int(bounds.sauer(m, self.d))

    def vc_dimension(self) -> float:
        return self.d


@dataclass(frozen=True)
class Members:
    """+1 on the points of a list."""

    points: tuple[float, ...]

    def __call__(self, points: Any) -> NDArray[np.int64]:
        return np.where(np.isin(on_the_line(points), self.points), 1, -1)


@dataclass(frozen=True)
class Majority(HypothesisClass):
    """Majorities of k hypotheses of a base class, k odd; the base is thresholds unless given.

    Majorities of thresholds are thresholds. For a base of VC dimension d >= 2 that of the
    majorities is at most max(16, 2 k d lg(k d)): ``bounds.maj_vc_upper``.
    """

    k: int
    base: HypothesisClass = field(default_factory=Thresholds)

    def __post_init__(self) -> None:
        integer(_ODD, k=self.k)

    def witnesses(self, points: Any) -> Witnesses:
        votes = self.base.witnesses(points)
        if isinstance(self.base, Thresholds):  # the one in the middle decides
            return {labels: Vote((h,) * self.k) for labels, h in votes.items()}
        found: dict[tuple[int, ...], tuple[Callable[[Any], Any], ...]] = {
            (0,) * len(next(iter(votes))): ()
        }
        for _ in range(self.k):
            affordable(
                len(found) * len(votes),
                f"adding up {self.k} votes of {len(votes)} labellings",
                "take fewer points or votes",
            )
            found = {
                tuple(a + b for a, b in zip(total, labels, strict=True)): (*chosen, h)
                for total, chosen in found.items()
                for labels, h in votes.items()
            }
        return {
            tuple(1 if a > 0 else -1 for a in total): Vote(chosen)
            for total, chosen in found.items()
        }

    def arrangements(self, m: int) -> Iterable[Any]:
        return self.base.arrangements(m)

    def growth(self, m: int) -> int:
        if self.k == 1 or isinstance(self.base, Thresholds):
            return self.base.growth(m)
        return super().growth(m)

    def vc_dimension(self) -> float:
        if self.k == 1 or isinstance(self.base, Thresholds):
            return self.base.vc_dimension()
        return super().vc_dimension()


@dataclass(frozen=True)
class Vote:
    """The sign of a sum of answers."""

    voters: tuple[Callable[[Any], Any], ...]

    def __call__(self, points: Any) -> NDArray[np.int64]:
        return np.where(np.sum([h(points) for h in self.voters], axis=0) > 0, 1, -1)
