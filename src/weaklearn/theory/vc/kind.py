"""The interface of hypothesis classes."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import fields
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...base.messages.value_text import show
from ...base.types import Floats
from ..bounds.reading import COUNT, Range, read

Labels: TypeAlias = tuple[int, ...]  # -1 or +1 for each point
Witnesses: TypeAlias = dict[Labels, Callable[[Any], Any]]

_MOST = 10**7  # steps of a search before it is refused


class HypothesisClass(ABC):
    """A set of functions from points to labels -1 and +1.

    A class of your own gives ``witnesses``, the labellings of given points, each with a hypothesis
    that yields it. Where ``arrangements`` yields enough sets of m points to try, growth, VC
    dimension and shattered sets follow by trying them all; a formula may take their place.
    """

    def __post_init__(self) -> None:
        """Refuses parameters of a dataclass that are no whole numbers of at least 1."""
        for parameter in fields(self):  # type: ignore[arg-type]
            value = getattr(self, parameter.name)
            if parameter.type == "int" or (parameter.type == "int | None" and value is not None):
                integer(**{parameter.name: value})

    @abstractmethod
    def witnesses(self, points: Any) -> Witnesses:
        """Every labelling of the points, with a hypothesis that yields it."""

    def arrangements(self, m: int) -> Iterable[Any]:
        """Sets of m points, among them one with the most labellings."""
        raise ValueError(
            f"the growth of {self!r} cannot be searched for: its points are not known; name them "
            "with domain=..., or count the labellings of your own points with dichotomies()."
        )

    def growth(self, m: int) -> int:
        """The most labellings of m points."""
        most = 0
        for points in self.arrangements(m):
            most = max(most, len(self.witnesses(points)))
            if most == 2**m:
                break
        return most

    def vc_dimension(self) -> float:
        """The size of the largest shattered set; math.inf where there is none."""
        m = 0
        while self.growth(m + 1) == 2 ** (m + 1):
            m += 1
        return m

    def shattered_set(self, m: int) -> Any:
        """m points that are shattered, where m is at most the VC dimension."""
        return next(p for p in self.arrangements(m) if len(self.witnesses(p)) == 2**m)


def integer(allowed: Range = COUNT, **argument: object) -> int:
    """The integer given as an argument; raises outside its range."""
    ((name, value),) = argument.items()
    if np.ndim(value):  # type: ignore[arg-type]
        raise TypeError(f"{name} must be one whole number, got {show(value)}.")
    return int(read(**{name: (value, allowed)})[0])


def affordable(steps: float, what: str, remedy: str) -> None:
    """Raises for a search that would take too long."""
    if steps > _MOST:
        raise ValueError(f"{what} takes about 10^{math.log10(steps):.0f} steps; {remedy}.")


def on_the_line(points: Any) -> Floats:
    """m numbers, given as a list or as rows of one number."""
    given = np.asarray(points, np.float64)
    if given.size == 0:
        return np.empty(0)
    if given.ndim != 1 and given.shape[1:] != (1,):
        raise ValueError(f"points must be numbers, or rows of one, got shape {given.shape}.")
    return _finite(given.reshape(-1))


def in_space(points: Any, n: int) -> Floats:
    """m rows of n numbers; for n = 1 plain numbers too."""
    if n == 1:
        return on_the_line(points)[:, None]
    given = np.asarray(points, np.float64)
    if given.size == 0:
        return np.empty((0, n))
    if given.ndim != 2 or given.shape[1] != n:
        raise ValueError(f"points must be rows of {n} numbers, got shape {given.shape}.")
    return _finite(given)


def _finite(points: Floats) -> Floats:
    if not np.isfinite(points).all():
        raise ValueError(f"points must be finite, got {points[~np.isfinite(points)][0]}.")
    return points


def signs(positive: NDArray[np.bool_]) -> Labels:
    """Labels -1 and +1 from a mask of the positive points."""
    return tuple(np.where(positive, 1, -1).tolist())


def cut_between(low: float, high: float) -> float:
    """A threshold t with low <= t < high: halfway, where rounding allows."""
    middle = low / 2 + high / 2
    return middle if low <= middle < high else low
