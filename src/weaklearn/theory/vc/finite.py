"""Finite classes, classes over finite sets of points, and any rule a user can state."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...base.types import Floats
from .. import bounds
from .kind import HypothesisClass, Labels, Witnesses, affordable, in_space, signs

_OWN_POINTS = "count the labellings of your own points with dichotomies()"


class Finite(HypothesisClass):
    """A list of hypotheses, or a matrix of their answers.

    Hypotheses are functions of one point; an answer above 0 (True, 1) is +1, any other -1. The
    points that growth and VC dimension may choose from are the ``domain``. In a matrix each row is
    a hypothesis and each column a point; the points are then column numbers.
    """

    def __init__(self, hypotheses: Any, domain: Iterable[Any] | None = None) -> None:
        self.hypotheses: Any = hypotheses if callable(hypotheses) else list(hypotheses)
        if callable(hypotheses) or not self.hypotheses:
            raise ValueError("hypotheses must be a list of at least one function or row.")
        self._functions = all(callable(h) for h in self.hypotheses)
        if not self._functions:
            self.hypotheses = np.asarray(hypotheses)
            if self.hypotheses.ndim != 2:
                raise ValueError(
                    "hypotheses must be functions of one point, or the rows of one matrix, got "
                    f"shape {self.hypotheses.shape}."
                )
            if domain is not None:
                raise ValueError("domain must be left out: a matrix has its columns as points.")
            domain = range(self.hypotheses.shape[1])
        self.domain = None if domain is None else list(domain)

    def __repr__(self) -> str:
        return f"Finite(<{len(self.hypotheses)} hypotheses>)"

    def witnesses(self, points: Any) -> Witnesses:
        found: Witnesses = {}
        for i, row in enumerate(self._answers(list(points))):
            found.setdefault(signs(row), self._hypothesis(i))
        return found

    def _hypothesis(self, i: int) -> Callable[[Any], Any]:
        return Hypothesis(self.hypotheses[i], not self._functions)

    def _answers(self, points: list[Any]) -> NDArray[np.bool_]:
        if self._functions:
            table = [[bool(h(x) > 0) for x in points] for h in self.hypotheses]
            return np.array(table, bool).reshape(len(self.hypotheses), len(points))
        columns = np.asarray(points, np.int64)
        if columns.size and not (0 <= columns.min() <= columns.max() < len(self.domain or ())):
            raise ValueError(f"points must be columns from 0 to {len(self.domain or ()) - 1}.")
        return np.asarray(self.hypotheses[:, columns] > 0)

    # --- growth and VC dimension, over the domain --------------------------------------------

    @cached_property
    def _table(self) -> NDArray[np.bool_]:
        """The distinct rows of answers on the domain."""
        if self.domain is None:
            raise ValueError(
                f"the growth of {self!r} depends on which points there are: name them with "
                "domain=..., or count the labellings of your own points with dichotomies()."
            )
        return np.unique(self._answers(self.domain), axis=0)

    def arrangements(self, m: int) -> Iterable[Any]:
        domain = self.domain if self.domain is not None else self._table  # which refuses
        return (list(points) for points in combinations(domain, min(m, len(domain))))

    def growth(self, m: int) -> int:
        table, columns = self._table, self._table.shape[1]
        m = min(m, columns)  # there are no more points
        d = len(self._shattered)
        if m <= d:
            return int(2**m)
        limit = min(len(table), int(bounds.sauer(m, d)))
        affordable(
            math.comb(columns, m) * len(table) / 64,
            f"trying all sets of {m} points",
            _OWN_POINTS,
        )
        most = 0
        for chosen in combinations(range(columns), m):
            most = max(most, _labellings(table, chosen))
            if most == limit:
                break
        return most

    def vc_dimension(self) -> float:
        return len(self._shattered)

    @cached_property
    def _shattered(self) -> tuple[int, ...]:
        """The first of the largest shattered sets of columns, found by adding columns to others."""
        table = self._table
        best: tuple[int, ...] = ()
        most = int(math.log2(len(table)))  # 2^d labellings take so many hypotheses
        waiting: list[tuple[int, ...]] = [()]
        steps = 0
        while waiting and len(best) < most:
            chosen = waiting.pop()
            best = max(best, chosen, key=len)
            start = chosen[-1] + 1 if chosen else 0
            steps += table.shape[1] - start
            affordable(steps * len(table) / 64, "searching for a shattered set", _OWN_POINTS)
            larger = [(*chosen, j) for j in range(start, table.shape[1])]
            waiting += [c for c in reversed(larger) if _labellings(table, c) == 2 ** len(c)]
        return best

    def shattered_set(self, m: int) -> Any:
        domain = self.domain or []
        return [domain[j] for j in self._shattered[:m]]


def _labellings(table: NDArray[np.bool_], columns: Sequence[int]) -> int:
    return len(np.unique(np.packbits(table[:, columns], axis=1), axis=0)) if len(columns) else 1


@dataclass(frozen=True)
class Hypothesis:
    """One of a list: called with points, its labels."""

    h: Any
    is_row: bool

    def __call__(self, points: Any) -> NDArray[np.int64]:
        answers = [self.h[x] if self.is_row else self.h(x) for x in points]
        return np.array([1 if answer > 0 else -1 for answer in answers], np.int64)


class Predicate(HypothesisClass):
    """Any class, given by a rule: ``realisable(points, labels)`` is True for its labellings.

    Leaving points out of a labelling that the class has must give one that it has. ``domain``:
    the points that growth and VC dimension may choose from. Its witnesses know the labelling only.
    """

    def __init__(
        self,
        realisable: Callable[[list[Any], Labels], Any],
        domain: Iterable[Any] | None = None,
    ) -> None:
        self.realisable = realisable
        self.domain = None if domain is None else list(domain)

    def __repr__(self) -> str:
        return f"Predicate({getattr(self.realisable, '__name__', repr(self.realisable))})"

    def witnesses(self, points: Any) -> Witnesses:
        points = list(points)
        found: list[Labels] = [()]
        for i in range(len(points)):
            longer = [(*labels, sign) for labels in found for sign in (-1, 1)]
            found = [labels for labels in longer if self.realisable(points[: i + 1], labels)]
        return {labels: Table(labels) for labels in found}

    def arrangements(self, m: int) -> Iterable[Any]:
        if self.domain is None:
            return super().arrangements(m)
        return (list(points) for points in _subsets(self.domain, m))


def _subsets(domain: Sequence[Any], m: int) -> Iterator[tuple[Any, ...]]:
    """All sets of m points, or of as many as there are."""
    m = min(m, len(domain))
    affordable(math.comb(len(domain), m), f"trying all sets of {m} points", _OWN_POINTS)
    return combinations(domain, m)


@dataclass(frozen=True)
class Table:
    """A labelling of given points, in their order."""

    labels: Labels

    def __call__(self, points: Any) -> NDArray[np.int64]:
        return np.array(self.labels, np.int64)


@dataclass(frozen=True)
class OfVariables:
    """All, or any, of some variables are 1."""

    variables: tuple[int, ...]
    all: bool

    def __call__(self, points: Any) -> NDArray[np.int64]:
        x = np.asarray(points)[:, list(self.variables)] > 0
        return np.where(x.all(axis=1) if self.all else x.any(axis=1), 1, -1)


class OnTheCube(HypothesisClass):
    """2^n hypotheses on {0, 1}^n, which n points separate: growth 2^min(m, n)."""

    n: int
    every: ClassVar[bool]  # whether all of some variables are to be 1, or any of them

    def witnesses(self, points: Any) -> Witnesses:
        x = in_space(points, self.n)
        if not np.isin(x, (0, 1)).all():
            raise ValueError(f"points must be of 0 and 1, got {x[~np.isin(x, (0, 1))][0]:g}.")
        affordable(
            2.0**self.n * (1 + len(x)) / 64, f"trying all 2^{self.n} hypotheses", _OWN_POINTS
        )
        found: Witnesses = {}
        for size in range(self.n + 1):
            for chosen in combinations(range(self.n), size):
                h = OfVariables(chosen, self.every)
                found.setdefault(tuple(h(x).tolist()), h)
        return found

    def arrangements(self, m: int) -> Iterable[Any]:
        cube = (np.arange(2**self.n)[:, None] >> np.arange(self.n)) & 1
        return (cube[list(chosen)] for chosen in _subsets(range(len(cube)), m))

    def growth(self, m: int) -> int:
        return int(2 ** min(m, self.n))

    def vc_dimension(self) -> float:
        return self.n

    def shattered_set(self, m: int) -> Floats:
        points = np.eye(self.n)[:m]
        return 1 - points if self.every else points


@dataclass(frozen=True)
class Monomials(OnTheCube):
    """Conjunctions of some of n variables, the empty one (all +1) included. VC dimension n."""

    n: int
    every: ClassVar[bool] = True


@dataclass(frozen=True)
class Disjunctions(OnTheCube):
    """Disjunctions of some of n variables, the empty one (all -1) included. VC dimension n."""

    n: int
    every: ClassVar[bool] = False


@dataclass(frozen=True)
class AllFunctions(HypothesisClass):
    """All functions on the points 0, ..., d - 1. Growth 2^min(m, d), VC dimension d = lg |H|."""

    d: int

    def witnesses(self, points: Any) -> Witnesses:
        x = in_space(points, 1)[:, 0]
        if not np.isin(x, np.arange(self.d)).all():
            raise ValueError(f"points must be whole numbers from 0 to {self.d - 1}.")
        values, place = np.unique(x, return_inverse=True)
        affordable(2.0 ** len(values) / 64, f"listing 2^{len(values)} labellings", _OWN_POINTS)
        bits = (np.arange(2 ** len(values))[:, None] >> np.arange(len(values))) & 1
        return {(labels := signs(row[place] > 0)): Table(labels) for row in bits}

    def arrangements(self, m: int) -> Iterable[Any]:
        return [np.arange(min(m, self.d), dtype=np.float64)]

    def growth(self, m: int) -> int:
        return int(2 ** min(m, self.d))

    def vc_dimension(self) -> float:
        return self.d
