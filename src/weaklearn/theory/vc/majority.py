"""Majorities of hypotheses of another class."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..bounds.reading import Range
from .kind import HypothesisClass, Witnesses, affordable, integer
from .line import Thresholds

_ODD = Range("an odd whole number of at least 1", lambda x: (x >= 1) & (x % 2 == 1))


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
