"""What a ranking is learnt from: pairs of items, or grades within groups."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from ..base.total import total

if TYPE_CHECKING:
    from ..base.engine import Engine

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

GROUP = 2.0**26  # grades of one group are less than this apart, and begin at a multiple of it


class Feedback(Protocol):
    """Preferences (u, v), v above u, with their first weights; items are numbered by row.

    A ranking F weighs a pair by exp((F(u) - F(v)) / 2) times its first weight: D, once normalised.
    """

    @property
    def n_pairs(self) -> float:
        """How many pairs there are: copies count, other weights do not."""
        ...

    def weighed(self, F: Floats) -> Weighed:
        """The pairs under the distribution D that F gives."""
        ...

    def rank_loss(self, F: Floats, ties: float = 1.0) -> float:
        """The first weight of the pairs with F(v) < F(u), and so much of those with F(v) = F(u)."""
        ...


class Weighed(Protocol):
    """Pairs under D."""

    @property
    def log_loss(self) -> float:
        """The logarithm of the mean of exp((F(u) - F(v)) / 2) under the first weights."""
        ...

    @property
    def potential(self) -> Floats:
        """For one copy of each item, the weight of pairs it should win less those to lose."""
        ...

    def right_and_wrong(self, h: Floats) -> tuple[float, float]:
        """The weight of the pairs with h(v) - h(u) = 2, and of those with -2."""
        ...


# -------------------------------------------------------------------------------------------- pairs


@dataclass(frozen=True, eq=False)
class Pairs:
    """Preferences one by one: the item ``high[k]`` should be above ``low[k]``.

    ``weight`` are whole numbers of copies or any other weights; ``items`` how often each item is
    there itself, so that what a pair says is divided among its copies.
    """

    engine: Engine
    low: Places
    high: Places
    weight: NDArray[np.int64] | Floats
    items: NDArray[np.int64] | Floats

    @property
    def n_pairs(self) -> float:
        counted = self.weight.dtype.kind == "i"
        return float(self.weight.sum()) if counted else float(len(self.weight))

    @cached_property
    def _all(self) -> float:
        return total(np.ones(len(self.low)), self.weight)

    def weighed(self, F: Floats) -> WeighedPairs:
        led = (F[self.low] - F[self.high]) / 2
        most = float(led.max())
        D = self.engine.exponentials(led - most)
        return WeighedPairs(self, D, total(D, self.weight), most, len(F))

    def rank_loss(self, F: Floats, ties: float = 1.0) -> float:
        led = F[self.low] - F[self.high]
        return total((led > 0) + ties * (led == 0), self.weight) / self._all


@dataclass(frozen=True, eq=False)
class WeighedPairs:
    """Every pair with its weight."""

    pairs: Pairs
    D: Floats  # of one copy, over the largest
    whole: float
    most: float
    n_items: int

    @property
    def log_loss(self) -> float:
        return self.most + log(self.whole / self.pairs._all)

    @property
    def potential(self) -> Floats:
        D = self.D * self.pairs.weight
        won = summed(D, self.pairs.high, self.n_items) - summed(D, self.pairs.low, self.n_items)
        return won / self.whole / self.pairs.items

    def right_and_wrong(self, h: Floats) -> tuple[float, float]:
        led = h[self.pairs.high] - h[self.pairs.low]
        right, wrong = (total(self.D * (led == side), self.pairs.weight) for side in (2.0, -2.0))
        return right / self.whole, wrong / self.whole


# ------------------------------------------------------------------------------------------- grades


@dataclass(frozen=True, eq=False)
class Grades:
    """Items of higher grade should be above those of lower grade in the same group.

    Pairs are never listed: a pair weighs as a product of what its items weigh, so that everything
    is summed grade by grade, in time that grows with the items. ``cell`` numbers the grades of all
    groups, group after group, each group's from the lowest on; ``first`` is the first cell of the
    group of each cell.
    """

    engine: Engine
    cell: Places
    first: Places
    weight: NDArray[np.int64] | Floats

    @classmethod
    def of(cls, engine: Engine, y: Floats, weight: NDArray[np.int64] | Floats | None) -> Grades:
        """From the grades of items, those of a group in one stretch of ``GROUP`` numbers."""
        cells, cell = np.unique(y, return_inverse=True)
        group = np.floor(cells / GROUP)
        first = np.searchsorted(group, group)
        counted = np.ones(len(y), np.int64) if weight is None else weight
        return cls(engine, cell.reshape(-1).astype(np.int64), first.astype(np.int64), counted)

    @cached_property
    def _last(self) -> Places:
        """The last cell of the group of each cell."""
        n = len(self.first)
        return np.searchsorted(self.first, self.first, side="right") - 1 if n else self.first

    @cached_property
    def _low(self) -> NDArray[np.bool_]:
        """The items with higher ones in their group."""
        return np.asarray(self._last[self.cell] > self.cell)

    @cached_property
    def _high(self) -> NDArray[np.bool_]:
        """The items with lower ones in their group."""
        return np.asarray(self.first[self.cell] < self.cell)

    @cached_property
    def n_pairs(self) -> float:
        counted = self.weight.dtype.kind == "i"
        ones = np.ones(len(self.cell), np.int64)
        return self._pairs_among(self.weight.astype(np.int64) if counted else ones)

    def _pairs_among(self, mass: Places) -> float:
        """How many pairs there are of so many copies of each item."""
        cells = _cell_sums(mass, self.cell, len(self.first))
        return total(cells.astype(float), _below(cells, self.first))

    @cached_property
    def _all(self) -> float:
        return self.weighed(np.zeros(len(self.cell))).whole

    def weighed(self, F: Floats) -> WeighedGrades:
        group, exponentials = self.first[self.cell], self.engine.exponentials
        top, bottom = np.full(len(self.first), -np.inf), np.full(len(self.first), np.inf)
        np.maximum.at(top, group[self._low], F[self._low])
        np.minimum.at(bottom, group[self._high], F[self._high])
        held = np.isfinite(top)  # a group of one grade has no pair
        top, bottom = np.where(held, top, 0.0), np.where(held, bottom, 0.0)
        led = (top - bottom) / 2
        most = float(led[held].max(initial=-np.inf))
        factor = np.where(held, exponentials(np.where(held, led - most, 0.0)), 0.0)
        a = np.where(self._low, exponentials(np.minimum(F - top[group], 0.0) / 2), 0.0)
        b = np.where(self._high, exponentials(np.minimum(bottom[group] - F, 0.0) / 2), 0.0)
        return WeighedGrades(self, a, b, factor[group], most)

    def rank_loss(self, F: Floats, ties: float = 1.0) -> float:
        group, mass = self.first[self.cell], _whole(self.weight)
        grade = self.cell - group
        place, group_of_place = _places(F, group)
        last = np.searchsorted(group_of_place, group_of_place, side="right") - 1
        wrong = 0.0
        for k in range(1, int(grade.max(initial=0)) + 1):
            lows, highs = (
                np.bincount(place, np.where(chosen, mass, 0), len(last)).astype(np.int64)
                for chosen in (grade < k, grade == k)
            )
            ends = np.cumsum(lows)
            above = ends[last] - ends
            wrong += total(above + ties * lows, highs)
        return wrong / self._pairs_among(mass)


def _places(F: Floats, group: Places) -> tuple[Places, Places]:
    """Items by group and score: the place of each, and the group of each place, ascending."""
    scores, rank = np.unique(F, return_inverse=True)
    key = group * len(scores) + rank.reshape(-1)
    if not group.any():
        return key, np.zeros(len(scores), np.int64)
    keys, place = np.unique(key, return_inverse=True)
    return place.reshape(-1).astype(np.int64), keys // len(scores)


@dataclass(frozen=True, eq=False)
class WeighedGrades:
    """Pairs by their items: that of one copy of u and one of v weighs a(u) b(v) factor(group)."""

    grades: Grades
    a: Floats
    b: Floats
    factor: Floats  # of the group of each item, over the largest
    most: float

    def _lower(self, values: Floats) -> Floats:
        """For each item, the sum over the copies of all items below it in its group."""
        cells, unit = self._cells(values)
        return np.asarray(_below(cells, self.grades.first)[self.grades.cell] * unit)

    def _higher(self, values: Floats) -> Floats:
        """For each item, the sum over the copies of all items above it in its group."""
        cells, unit = self._cells(values)
        ends = np.cumsum(cells)
        return np.asarray((ends[self.grades._last] - ends)[self.grades.cell] * unit)

    def _cells(self, values: Floats) -> tuple[Places, float]:
        """Values in [0, 1], once for each copy, added up cell by cell: whole numbers of a unit."""
        weight, n_cells = self.grades.weight, len(self.grades.first)
        counted = weight.dtype.kind == "i"
        n, heaviest = (int(weight.sum()), 1.0) if counted else (len(weight), float(weight.max()))
        scale = 2.0 ** (62 - n.bit_length())
        if counted:
            parts = np.rint(values * scale).astype(np.int64) * weight.astype(np.int64)
        else:
            parts = np.rint(values * (weight / heaviest) * scale).astype(np.int64)
        return _cell_sums(parts, self.grades.cell, n_cells), heaviest / scale

    @cached_property
    def whole(self) -> float:
        return self._won_by(np.ones(len(self.a), bool), self.a)

    def _won_by(self, winners: NDArray[np.bool_], a: Floats) -> float:
        """The weight of the pairs with v among some winners, where u weighs a."""
        pairs = self.b * self._lower(a) * self.factor
        return total(np.where(winners, pairs, 0.0), self.grades.weight)

    @property
    def log_loss(self) -> float:
        return self.most + log(self.whole / self.grades._all)

    @property
    def potential(self) -> Floats:
        won, lost = self.b * self._lower(self.a), self.a * self._higher(self.b)
        return np.asarray((won - lost) * self.factor / self.whole)

    def right_and_wrong(self, h: Floats) -> tuple[float, float]:
        up = h > 0
        right = self._won_by(up, np.where(up, 0.0, self.a))
        wrong = self._won_by(~up, np.where(up, self.a, 0.0))
        return right / self.whole, wrong / self.whole


# --------------------------------------------------------------------------------------------- sums


def _cell_sums(parts: Places, cell: Places, n: int) -> Places:
    sums = np.zeros(n, np.int64)
    np.add.at(sums, cell, parts)
    return sums


def _below(cells: Places, first: Places) -> Places:
    """For each cell, the sum of those before it in its group."""
    ends = np.cumsum(cells)
    before = ends - cells
    return np.asarray(before - before[first])


def _whole(weight: NDArray[np.int64] | Floats) -> Places:
    """Weights as whole numbers, whose sums have the same bits in any order."""
    if weight.dtype.kind == "i":
        return weight.astype(np.int64)
    bits = 52 - len(weight).bit_length()
    whole: Places = np.rint(weight / weight.max() * 2.0**bits).astype(np.int64)
    return whole


def summed(values: Floats, place: Places, n: int) -> Floats:
    """The sum of the values of each place, whatever their order."""
    most = float(np.abs(values).max(initial=0.0))
    if most == 0:
        return np.zeros(n)
    scale = 2.0 ** (61 - len(values).bit_length()) / most
    return _cell_sums(np.rint(values * scale).astype(np.int64), place, n) / scale
