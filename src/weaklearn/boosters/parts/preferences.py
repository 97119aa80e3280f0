"""The feedback of ranking: pairs of items, or grades within groups."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import log

import numpy as np
from numpy.typing import NDArray

from ...base.numeric.total import total
from ...base.types import Floats
from ...engines import Engine

Places = NDArray[np.int64]

GROUP = 2.0**26  # grades of one group are less than this apart, and begin at a multiple of it


# -------------------------------------------------------------------------------------------- pairs


@dataclass(frozen=True, eq=False)
class Pairs:
    """Preferences one by one: the item ``high[k]`` should be above ``low[k]``.

    A ranking F weighs a pair (u, v), v above u, by exp((F(u) - F(v)) / 2) times its first weight:
    D, once normalised. Items are row numbers.

    ``weight`` are integer frequency weights or any other weights; ``items`` how often each item is
    there itself, so that what a pair says is divided among its copies.
    """

    engine: Engine
    low: Places
    high: Places
    weight: NDArray[np.int64] | Floats
    items: NDArray[np.int64] | Floats

    @property
    def n_pairs(self) -> float:
        """The number of pairs: frequency weights count, other weights do not."""
        counted = self.weight.dtype.kind == "i"
        return float(self.weight.sum()) if counted else float(len(self.weight))

    @cached_property
    def _all(self) -> float:
        return total(np.ones(len(self.low)), self.weight)

    def weighed(self, F: Floats) -> WeighedPairs:
        """The pairs under the distribution D that F gives."""
        led = (F[self.low] - F[self.high]) / 2
        most = float(led.max())
        D = self.engine.weights.exponentials(led - most)
        return WeighedPairs(self, D, total(D, self.weight), most, len(F))

    def rank_loss(self, F: Floats, ties: float = 1.0) -> float:
        """The initial weight of the pairs with F(v) < F(u), plus a given share of the ties."""
        led = F[self.low] - F[self.high]
        return total((led > 0) + ties * (led == 0), self.weight) / self._all


@dataclass(frozen=True, eq=False)
class WeighedPairs:
    """Every pair with its weight."""

    pairs: Pairs
    D: Floats  # of one copy, over the largest
    total_weight: float
    most: float
    n_items: int

    @property
    def log_loss(self) -> float:
        """The logarithm of the mean of exp((F(u) - F(v)) / 2) under the first weights."""
        return self.most + log(self.total_weight / self.pairs._all)

    @property
    def potential(self) -> Floats:
        """Per copy of an item, the weight of the pairs it should win less those it should lose."""
        D = self.D * self.pairs.weight
        won = summed(D, self.pairs.high, self.n_items) - summed(D, self.pairs.low, self.n_items)
        return won / self.total_weight / self.pairs.items

    def right_and_wrong(self, h: Floats) -> tuple[float, float]:
        """The weight of the pairs with h(v) - h(u) = 2, and of those with -2."""
        led = h[self.pairs.high] - h[self.pairs.low]
        right, wrong = (total(self.D * (led == side), self.pairs.weight) for side in (2.0, -2.0))
        return right / self.total_weight, wrong / self.total_weight


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
    def n_pairs(self) -> float:
        counted = self.weight.dtype.kind == "i"
        ones = np.ones(len(self.cell), np.int64)
        return self._pairs_among(self.weight.astype(np.int64) if counted else ones)

    def _pairs_among(self, mass: Places) -> float:
        """How many pairs there are of so many copies of each item."""
        cells = _cell_sums(mass, self.cell, len(self.first))
        ends = np.cumsum(cells)
        before = ends - cells
        return total(cells.astype(float) * (before - before[self.first]).astype(float))

    @cached_property
    def _log_all(self) -> float:
        return self.weighed(np.zeros(len(self.cell))).log_total_weight

    def weighed(self, F: Floats) -> WeighedGrades:
        return WeighedGrades(self, F)

    def rank_loss(self, F: Floats, ties: float = 1.0) -> float:
        group, mass = self.first[self.cell], _integer_weights(self.weight)
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
            wrong += total((above + ties * lows) * highs)
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
    """Pairs by their items, in logarithms: of u and v, copies of each, (F(u) - F(v)) / 2."""

    grades: Grades
    F: Floats

    @cached_property
    def _won(self) -> Floats:
        """The logarithm of the weight of the pairs that a copy of each item should win."""
        return self._won_over(np.ones(len(self.F), bool))

    def _won_over(self, some: NDArray[np.bool_]) -> Floats:
        """The same, of the pairs with one of some items below."""
        lower = _running(self._logs(self.F / 2, some), self.grades.first)
        return np.asarray(lower[self.grades.cell] - self.F / 2)

    @cached_property
    def _lost(self) -> Floats:
        """The logarithm of the weight of the pairs that a copy of each item should lose."""
        everyone = np.ones(len(self.F), bool)
        logs, n = self._logs(-self.F / 2, everyone), len(self.grades.first)
        last = np.searchsorted(self.grades.first, self.grades.first, side="right") - 1
        higher = _running(logs[::-1], (n - 1 - last)[::-1])[::-1]
        return np.asarray(higher[self.grades.cell] + self.F / 2)

    def _logs(self, x: Floats, some: NDArray[np.bool_]) -> Floats:
        """For each cell the logarithm of the sum of exp(x) over the copies of some items."""
        cell, n, weight = self.grades.cell, len(self.grades.first), self.grades.weight
        most = np.full(n, -np.inf)
        np.maximum.at(most, cell[some], x[some])
        counted = weight.dtype.kind == "i"
        copies, heaviest = (int(weight.sum()), 1.0) if counted else (len(x), float(weight.max()))
        scale = 2.0 ** (62 - copies.bit_length())
        parts = np.zeros(len(x))
        parts[some] = self.grades.engine.weights.exponentials((x - most[cell])[some])
        if counted:
            integers = np.rint(parts * scale).astype(np.int64) * weight.astype(np.int64)
        else:
            integers = np.rint(parts * (weight / heaviest) * scale).astype(np.int64)
        sums = _cell_sums(integers, cell, n)
        logs = self.grades.engine.weights.logarithms(np.maximum(sums, 1) * (heaviest / scale))
        return np.where(sums > 0, logs + most, -np.inf)

    @cached_property
    def _most(self) -> float:
        return float(self._won.max())

    @cached_property
    def total_weight(self) -> float:
        """The weight of all pairs, in units of the heaviest item."""
        return total(self._shares(self._won), self.grades.weight)

    @cached_property
    def log_total_weight(self) -> float:
        return self._most + log(self.total_weight)

    def _shares(self, logs: Floats) -> Floats:
        """Weights over the heaviest, from their logarithms."""
        there = np.isfinite(logs)
        shares = np.zeros(len(logs))
        shares[there] = self.grades.engine.weights.exponentials(logs[there] - self._most)
        return shares

    @property
    def log_loss(self) -> float:
        return self.log_total_weight - self.grades._log_all

    @property
    def potential(self) -> Floats:
        return np.asarray((self._shares(self._won) - self._shares(self._lost)) / self.total_weight)

    def right_and_wrong(self, h: Floats) -> tuple[float, float]:
        up = h > 0
        right = np.where(up, self._shares(self._won_over(~up)), 0.0)
        wrong = np.where(up, 0.0, self._shares(self._won_over(up)))
        weight = self.grades.weight
        return total(right, weight) / self.total_weight, total(wrong, weight) / self.total_weight


Feedback = Pairs | Grades


# --------------------------------------------------------------------------------------------- sums


def _cell_sums(parts: Places, cell: Places, n: int) -> Places:
    sums = np.zeros(n, np.int64)
    np.add.at(sums, cell, parts)
    return sums


def _running(logs: Floats, first: Places) -> Floats:
    """For each cell, the logarithm of the sum over those before it in its group."""
    sums, starts = np.full(len(logs), -np.inf), np.unique(first)
    sizes = np.diff(np.append(starts, len(logs)))
    if len(starts) <= sizes.max(initial=0):
        for start, size in zip(starts.tolist(), sizes.tolist(), strict=True):
            running = np.logaddexp.accumulate(logs[start : start + size])
            sums[start + 1 : start + size] = running[:-1]
        return sums
    for k in range(1, int(sizes.max())):  # many groups of few grades, all at once
        cells = starts[sizes > k] + k
        sums[cells] = np.logaddexp(sums[cells - 1], logs[cells - 1])
    return sums


def _integer_weights(weight: NDArray[np.int64] | Floats) -> Places:
    """Weights as integers, whose sums have the same bits in any order."""
    if weight.dtype.kind == "i":
        return weight.astype(np.int64)
    bits = 52 - len(weight).bit_length()
    integers: Places = np.rint(weight / weight.max() * 2.0**bits).astype(np.int64)
    return integers


def summed(values: Floats, place: Places, n: int) -> Floats:
    """The sum of the values of each place, whatever their order."""
    most = float(np.abs(values).max(initial=0.0))
    if most == 0:
        return np.zeros(n)
    scale = 2.0 ** (61 - len(values).bit_length()) / most
    return _cell_sums(np.rint(values * scale).astype(np.int64), place, n) / scale
