"""Rules of a few tests: all tests that they consist of, and the search for the best."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.hypothesis import WeakLearner
from ..base.numeric.hashing import GOLDEN, Keys, mixed, mixed_integer
from ..base.sample import Distribution, Sample
from ..base.trees.rule import AT_MOST, CATEGORY, MISSING, Demand, Rule
from ..base.trees.splitter import middle
from ..base.types import Floats

Place = tuple[int, int, int]  # feature, what is asked, and the number of a value of the feature

_CELLS = 1 << 21  # looked at side by side


class Literals:
    """The tests x <= t and x > t, t between two neighbouring values, x = v of categories, and
    whether a value is missing.

    ``ranks`` (columns, rows) codes every column by the ranks of its values, exactly; the rank of
    missing ones is that of ``n_values``.
    """

    def __init__(self, sample: Sample) -> None:
        n, d = len(sample), sample.cells.n_features
        self._sample = sample
        self._values: dict[int, NDArray[Any]] = {}
        self.ranks = np.empty((d, n), np.int32)
        self.n_values = np.empty(d, np.int64)
        self._width = max(1, min(d, _CELLS // max(1, n)))
        for here in self._blocks():
            ranks, self.n_values[here] = ranked(_values(sample, here.start, here.stop))
            self.ranks[here] = ranks.T
        counts = sample.cells.n_categories
        self.is_categorical = np.zeros(d, bool) if counts is None else np.asarray(counts) > 0
        self.has_missing = (self.ranks == self.n_values[:, None]).any(axis=1)

    def _blocks(self) -> Iterator[slice]:
        """The columns, some side by side at a time."""
        d = len(self.ranks)
        for first in range(0, d, self._width):
            yield slice(first, min(first + self._width, d))

    @cached_property
    def hashes(self) -> Keys:
        """A hash of the values of each row."""
        hashes = np.zeros(len(self._sample), np.uint64)
        firsts = 1 + np.cumsum(self.n_values + 1) - (self.n_values + 1)
        for here in self._blocks():
            slots = self.ranks[here].astype(np.uint64) + firsts[here, None].astype(np.uint64)
            hashes += mixed(slots).sum(axis=0, dtype=np.uint64)
        return mixed(hashes)

    def covered(self, places: list[Place]) -> NDArray[np.bool_]:
        """Mask of the rows that meet all tests."""
        covered = np.ones(len(self._sample), bool)
        for feature, asks, value in places:
            ranks = self.ranks[feature]
            if asks in (CATEGORY, MISSING):
                covered &= ranks == value
            elif asks == AT_MOST:
                covered &= ranks <= value
            else:
                covered &= (ranks > value) & (ranks < self.n_values[feature])
        return covered

    def demand(self, feature: int, asks: int, value: int) -> Demand:
        """The test at an index, in the values of its column."""
        is_category = bool(self.is_categorical[feature])
        if asks == MISSING:
            return (
                Demand(feature, CATEGORY, category=-1) if is_category else Demand(feature, MISSING)
            )
        values = self._values_of(feature)
        if asks == CATEGORY:
            return Demand(feature, CATEGORY, category=int(values[value]))
        return Demand(feature, asks, middle(float(values[value]), float(values[value + 1])))

    def _values_of(self, feature: int) -> NDArray[Any]:
        """The values of a column in ascending order, missing ones excepted."""
        if feature not in self._values:
            x = self._sample.column(feature)
            self._values[feature] = np.unique(x[x >= 0] if x.dtype.kind == "i" else x[~np.isnan(x)])
        return self._values[feature]


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
        self._copies = sample.copies_or_ones
        self._grower = sample.engine.trees.rule_grower(
            self._literals.ranks,
            self._literals.n_values,
            self._literals.is_categorical,
            self._literals.has_missing,
            self._copies,
            grow=learner.grow,
            max_tests=learner.max_tests,
            least_share=learner.least_share,
        )

    def __call__(self, D: Distribution, z: NDArray[Any], key: int = 0) -> Rule:
        weight = D.exact  # whose sums are exact, in whatever order
        sides, keys = np.sign(z).astype(np.int8), self._keys(z, key)
        places = self._grower.rule(weight, sides, keys, float(self._sample.m))
        covered = self._literals.covered(places)
        demands = tuple(self._literals.demand(*place) for place in places)
        return Rule(demands).counted_where(covered, self._sample)

    def _drawn(self, weight: Floats, z: NDArray[Any], key: int) -> NDArray[np.int64]:
        """The number of copies of each row to grow on."""
        return self._grower.drawn(weight, self._keys(z, key))

    def _keys(self, z: NDArray[Any], key: int) -> Keys:
        """Random numbers that equal examples share."""
        content = self._own_content if z is self._sample.y else self._content(z)
        salt = [mixed_integer(int(number) + int(GOLDEN)) for number in (self._learner.seed, key)]
        return mixed(content ^ np.uint64(mixed_integer(salt[0] + int(GOLDEN) * salt[1])))

    @cached_property
    def _own_content(self) -> Keys:
        return self._content(self._sample.y)

    def _content(self, z: NDArray[Any]) -> Keys:
        """A hash of the content of each example."""
        content = mixed(self._literals.hashes + GOLDEN * (z > 0).astype(np.uint64))
        if self._sample.importance is not None:
            content = mixed(content ^ self._sample.importance.view(np.uint64))
        return content
