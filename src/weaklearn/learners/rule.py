"""Rules of a few tests: all tests that they consist of, and the search for the best."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import ceil, exp, log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.hypothesis import WeakLearner
from ..base.numeric.hashing import GOLDEN, Keys, mixed
from ..base.sample import Distribution, Sample
from ..base.trees.rule import ABOVE, AT_MOST, CATEGORY, MISSING, Demand, Rule
from ..base.trees.splitter import middle
from ..base.types import Floats

Place = tuple[int, int, int]  # feature, what is asked, and the number of a value of the feature

_CELLS = 1 << 21  # looked at side by side
_UNIT = 2.0**52  # weights are integer multiples of its inverse


class Literals:
    """The tests x <= t and x > t, t between two neighbouring values, x = v of categories, and
    whether a value is missing.

    Every column is coded by the ranks of its values, exactly; sums over rows are made for a block
    of columns at a time.
    """

    def __init__(self, sample: Sample) -> None:
        self._sample = sample
        self._blocks = list(_blocks(sample))

    @cached_property
    def hashes(self) -> Keys:
        """A hash of the values of each row."""
        hashes = np.zeros(len(self._sample), np.uint64)
        first = np.uint64(1)
        for block in self._blocks:
            hashes += mixed(block.slots.astype(np.uint64) + first).sum(axis=1, dtype=np.uint64)
            first += np.uint64(block.n_slots)
        return mixed(hashes)

    def best(
        self,
        plus: NDArray[np.intp],
        minus: NDArray[np.intp],
        weight: Floats,
        tie: float,
        least: float = 0.0,
    ) -> tuple[float, Place] | None:
        """The test of most merit on the rows of both classes, and its index; None: none has any.

        Of equals the lowest feature, then the lowest value, then "above". Tests that are met by
        less weight than ``least`` do not count.
        """
        found = [block.merits(plus, minus, weight, least) for block in self._blocks]
        most = max(merits.max(initial=-np.inf) for merits in found)
        if most == -np.inf:
            return None
        for block, merits in zip(self._blocks, found, strict=True):
            tied = (merits >= most - tie).any(axis=0)
            if tied.any():
                slot = int(np.argmax(tied))
                return most, block.place(slot, bool(merits[0, slot] >= most - tie))
        raise AssertionError("the best is among all")

    def met(self, rows: NDArray[np.intp], feature: int, asks: int, value: int) -> NDArray[np.bool_]:
        """Mask of the rows that meet a test."""
        block = self._blocks[feature // self._blocks[0].width]
        k = feature - block.first
        codes = block.slots[rows, k] - block.starts[k]
        if asks in (CATEGORY, MISSING):
            return np.asarray(codes == value)
        if asks == AT_MOST:
            return np.asarray(codes <= value)
        return np.asarray((codes > value) & (codes < block.n_values[k]))

    def demand(self, feature: int, asks: int, value: int) -> Demand:
        """The test at an index, in the values of its column."""
        x = self._sample.column(feature)
        if asks == MISSING:
            is_category = x.dtype.kind == "i"
            return (
                Demand(feature, CATEGORY, category=-1) if is_category else Demand(feature, MISSING)
            )
        if asks == CATEGORY:
            return Demand(feature, CATEGORY, category=int(np.unique(x[x >= 0])[value]))
        values = np.unique(x[~np.isnan(x)])
        return Demand(feature, asks, middle(float(values[value]), float(values[value + 1])))


@dataclass(frozen=True, eq=False)
class Block:
    """Columns side by side, with one slot per value of each column and one for missing values."""

    first: int  # column
    slots: NDArray[np.int32]  # (rows, columns)
    n_values: NDArray[np.int64]
    is_categorical: NDArray[np.bool_]
    has_missing: NDArray[np.bool_]

    @property
    def width(self) -> int:
        return int(self.slots.shape[1])

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        return np.cumsum(self.n_values + 1) - (self.n_values + 1)

    @property
    def n_slots(self) -> int:
        return int((self.n_values + 1).sum())

    @cached_property
    def _column(self) -> NDArray[np.intp]:
        """The column of each slot."""
        return np.repeat(np.arange(self.width), self.n_values + 1)

    @cached_property
    def _value(self) -> NDArray[np.int64]:
        """The index of each slot among those of its column."""
        return np.arange(self.n_slots) - self.starts[self._column]

    @cached_property
    def _cuts(self) -> NDArray[np.intp]:
        """Mask of the slots after which an ordered column may be split."""
        last = self.n_values[self._column] - 1
        return np.flatnonzero((self._value < last) & ~self.is_categorical[self._column])

    @cached_property
    def _alone(self) -> NDArray[np.intp]:
        """Mask of the slots that a test may single out: categories and missing values."""
        n_values, missing = self.n_values[self._column], self.has_missing[self._column]
        categories = (
            (self._value < n_values) & self.is_categorical[self._column] & (n_values + missing > 1)
        )
        missing = (self._value == n_values) & missing & (n_values > 0)
        return np.flatnonzero(categories | missing)

    def place(self, slot: int, above: bool) -> Place:
        k, value = int(self._column[slot]), int(self._value[slot])
        asks = CATEGORY if self.is_categorical[k] else ABOVE if above else AT_MOST
        return self.first + k, MISSING if value == self.n_values[k] else asks, value

    def merits(
        self, plus: NDArray[np.intp], minus: NDArray[np.intp], weight: Floats, least: float
    ) -> Floats:
        """The merits of the tests x > t, and of x <= t or x = slot; -inf where a test is not
        allowed.
        """
        sums = np.array([self._sums(rows, weight) for rows in (plus, minus)])
        ends = np.cumsum(sums, axis=1)  # they may wrap around, which differences undo
        before = np.zeros((2, self.width), np.int64)
        before[:, 1:] = ends[:, self.starts[1:] - 1]
        known = ends[:, self.starts + self.n_values - 1] - before
        cuts, alone = self._cuts, self._alone
        column = self._column[cuts]
        below = ends[:, cuts] - before[:, column]
        merits = np.full((2, self.n_slots), -np.inf)
        merits[0, cuts] = _merits(known[:, column] - below, least)
        merits[1, cuts] = _merits(below, least)
        merits[1, alone] = _merits(sums[:, alone], least)
        return merits

    def _sums(self, rows: NDArray[np.intp], weight: Floats) -> NDArray[np.int64]:
        """The weight of rows at every slot, as integers."""
        weights = np.repeat(weight[rows], self.width)
        sums = np.bincount(self.slots[rows].ravel(), weights, self.n_slots)
        return (sums * _UNIT).astype(np.int64)


def _merits(sums: NDArray[np.int64], least: float) -> Floats:
    """(sqrt(W+) - sqrt(W-))^2 with the sign of the difference."""
    W_plus, W_minus = sums / _UNIT
    lead = np.sqrt(W_plus) - np.sqrt(W_minus)
    return np.where(W_plus + W_minus >= least, lead * np.abs(lead), -np.inf)


def _blocks(sample: Sample) -> Iterator[Block]:
    d = sample.cells.n_features
    categorical = np.zeros(d, bool)
    if sample.cells.n_categories is not None:
        categorical[:] = sample.cells.n_categories > 0
    width = max(1, min(d, _CELLS // max(1, len(sample))))
    for first in range(0, d, width):
        last = min(first + width, d)
        ranks, n_values = ranked(_values(sample, first, last))
        starts = np.cumsum(n_values + 1) - (n_values + 1)
        missing = (ranks == n_values).any(axis=0)
        slots = (ranks + starts).astype(np.int32)
        yield Block(first, slots, n_values, categorical[first:last], missing)


def _values(sample: Sample, first: int, last: int) -> Floats:
    """The values of some columns as a matrix; categories as codes, missing values as NaN."""
    cells = sample.cells
    if cells.matrix is not None:
        return np.asarray(cells.matrix[:, first:last], np.float64)
    if cells.sparse is not None:
        return np.asarray(cells.sparse[:, first:last].toarray(), np.float64)
    columns = [sample.column(j) for j in range(first, last)]
    return np.column_stack(
        [np.where(x < 0, np.nan, x) if x.dtype.kind == "i" else x for x in columns]
    )


def ranked(x: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rank of every value among those of its column, and how many values a column has.

    Missing ones come after all others.

    >>> ranks, n = ranked(np.array([[2.0, 5.0], [1.0, np.nan], [2.0, 5.0]]))
    >>> ranks.tolist(), n.tolist()
    ([[1, 0], [0, 1], [1, 0]], [2, 1])
    """
    order = np.argsort(x, axis=0, kind="stable")  # NaN last
    rising = np.take_along_axis(x, order, axis=0)
    missing = np.isnan(rising)
    steps = np.zeros(x.shape, np.int64)
    steps[1:] = (rising[1:] != rising[:-1]) & ~missing[1:]
    places = np.cumsum(steps, axis=0)
    n_values = np.where(missing[0], 0, places[-1] + 1)
    places = np.where(missing, n_values, places)
    ranks = np.empty_like(places)
    np.put_along_axis(ranks, order, places, axis=0)
    return ranks, n_values


Weights = tuple[float, float]  # of the positive and of the negative examples

_TIED = 1e-12


@dataclass(frozen=True)
class RuleLearner(WeakLearner):
    """Grows a rule for +1 on one part of the examples and prunes it on the other.

    Tests are x <= t, x > t, x = v of a category, and that x is missing. The examples are split at
    random, two thirds of the weight (``grow``) to grow on. From the empty rule on, the test that
    makes sqrt(W+) - sqrt(W-) largest is added, until no negative example is covered or that stops
    rising. Then every final run of tests may go: kept is the beginning that makes
    (1 - V+ - V-) + V+ exp(-c) + V- exp(c) least on the other part, with
    c = 1/2 ln((W+ + 1/(2m))/(W- + 1/(2m))) from the first; of equals the shortest.

    Draws are keyed by seed and round and by what an example holds; identical examples stay together
    but for those at the border. ``max_tests``: no rule has more; None: any number.
    ``least_share``: no test leaves less of the weight to grow on.

    Reference: Cohen and Singer (1999), AAAI.
    """

    grow: float = 2 / 3
    max_tests: int | None = None
    least_share: float = 0.0
    seed: int = 0

    def bind(self, sample: Sample) -> RuleOracle:
        return RuleOracle(sample, self)


class RuleOracle:
    """The builder bound to a sample."""

    def __init__(self, sample: Sample, learner: RuleLearner) -> None:
        self._sample = sample
        self._learner = learner
        self._literals = Literals(sample)
        self._copies = np.ones(len(sample), np.int64) if sample.copies is None else sample.copies

    def __call__(self, D: Distribution, z: NDArray[Any], key: int = 0) -> Rule:
        weight = D.exact  # whose sums are exact, in whatever order
        grown = weight / self._copies * self._drawn(weight, z, key)
        places, way = self._grown(grown, z)
        kept = self._kept(way, self._way(weight - grown, z, places))
        demands = tuple(self._literals.demand(*place) for place in places[:kept])
        return Rule(demands).counted(self._sample)

    # ------------------------------------------------------------------------------------ parts

    def _drawn(self, weight: Floats, z: NDArray[Any], key: int) -> NDArray[np.int64]:
        """The number of copies of each row to grow on."""
        salt = mixed(np.array([self._learner.seed, key], np.uint64) + GOLDEN)
        keys: Keys = mixed(self._content(z) ^ mixed(salt[:1] + GOLDEN * salt[1:]))
        order = np.argsort(keys, kind="stable")
        keys, copies = keys[order], self._copies[order]
        starts = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]])  # of identical examples
        ends = np.cumsum(np.add.reduceat(weight[order], starts))
        border = int(np.searchsorted(ends, self._learner.grow * ends[-1]))
        drawn = np.where(np.arange(len(keys)) < starts[border], copies, 0)
        here = slice(starts[border], starts[border + 1] if border + 1 < len(starts) else None)
        before = ends[border - 1] if border else 0.0
        share = (self._learner.grow * ends[-1] - before) / (ends[border] - before)
        some = ceil(share * copies[here].sum() * (1 - 1e-12))
        drawn[here] = np.clip(some - (np.cumsum(copies[here]) - copies[here]), 0, copies[here])
        counts = np.zeros(len(keys), np.int64)
        counts[order] = drawn
        return counts

    def _content(self, z: NDArray[Any]) -> Keys:
        """A hash of the content of each example."""
        content = mixed(self._literals.hashes + GOLDEN * (z > 0).astype(np.uint64))
        if self._sample.importance is not None:
            content = mixed(content ^ self._sample.importance.view(np.uint64))
        return content

    # ---------------------------------------------------------------------------- grow and prune

    def _grown(self, weight: Floats, z: NDArray[Any]) -> tuple[list[Place], list[Weights]]:
        """The tests of the grown rule, and the weights covered by its first 0, 1, 2, ... tests."""
        rows = np.flatnonzero(weight)
        plus, minus = rows[z[rows] > 0], rows[z[rows] < 0]
        tie, least = _TIED * weight.sum(), self._learner.least_share * weight.sum()
        places: list[Place] = []
        way = [(float(weight[plus].sum()), float(weight[minus].sum()))]
        most = self._learner.max_tests
        while way[-1][1] > 0 and (most is None or len(places) < most):
            found = self._literals.best(plus, minus, weight, tie, least)
            if found is None or found[0] <= merit(*way[-1]) + tie:
                break
            place = found[1]
            plus, minus = (some[self._literals.met(some, *place)] for some in (plus, minus))
            places.append(place)
            way.append((float(weight[plus].sum()), float(weight[minus].sum())))
        return places, way

    def _way(self, weight: Floats, z: NDArray[Any], places: list[Place]) -> list[Weights]:
        """The weights covered by the first 0, 1, 2, ... tests."""
        rows = np.flatnonzero(weight)
        way = []
        for place in [None, *places]:
            if place is not None:
                rows = rows[self._literals.met(rows, *place)]
            positive = weight[rows] * (z[rows] > 0)
            way.append((float(positive.sum()), float(weight[rows].sum() - positive.sum())))
        return way

    def _kept(self, grown: list[Weights], pruned: list[Weights]) -> int:
        """The number of tests kept after pruning."""
        if sum(pruned[0]) == 0:  # nothing to judge by
            return len(grown) - 1
        less = 0.5 / self._sample.m
        losses = []
        for (W_plus, W_minus), (V_plus, V_minus) in zip(grown, pruned, strict=True):
            c = 0.5 * log((W_plus + less) / (W_minus + less))
            losses.append(1 - V_plus - V_minus + V_plus * exp(-c) + V_minus * exp(c))
        return next(k for k, loss in enumerate(losses) if loss <= min(losses) + _TIED)


def merit(W_plus: float, W_minus: float) -> float:
    """(sqrt(W+) - sqrt(W-))^2 with the sign of the difference: as large as that, in weights."""
    lead = sqrt(W_plus) - sqrt(W_minus)
    return lead * abs(lead)
