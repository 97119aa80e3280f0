"""Rules: conjunctions of tests that answer where all hold, and abstain elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..hypothesis import Hypothesis
from .splitter import LARGEST
from .tree import THRESHOLD, Tree
from .tree_arrays import LEAF, SUBSET

if TYPE_CHECKING:
    from ..sample import Rows, Sample

AT_MOST, ABOVE, CATEGORY, MISSING = range(4)  # what is asked of a value


@dataclass(frozen=True, slots=True)
class Demand:
    """One test: x <= threshold, x > threshold, x is the category, or the number x is missing.

    Of a category a missing value is the category -1. It meets no other test.
    """

    feature: int
    asks: int
    threshold: float = 0.0
    category: int = 0

    def __call__(self, rows: Rows) -> NDArray[np.bool_]:
        x = rows.column(self.feature)
        if self.asks == MISSING:
            return np.asarray(np.isnan(x))
        if self.asks == CATEGORY:
            return np.asarray(x == self.category)
        return np.asarray(x <= self.threshold if self.asks == AT_MOST else x > self.threshold)

    @property
    def outcome(self) -> int:
        """The child of a tree's test that meets it."""
        return 0 if self.asks == AT_MOST else 1

    @property
    def accepts_missing(self) -> bool:
        """Whether missing values meet it."""
        return self.asks == MISSING or (self.asks == CATEGORY and self.category < 0)


@dataclass(frozen=True)
class Rule(Hypothesis):
    """Answers +1 where all demands are met, and 0 (abstains) elsewhere; without demands always +1.

    ``right`` and ``wrong`` count the training examples of the second class, and of the first, where
    it answers.
    """

    is_tree = True

    demands: tuple[Demand, ...] = ()
    right: int = 0
    wrong: int = 0

    @property
    def constant(self) -> bool:
        """Whether the answer is the same whatever the row."""
        return not self.demands

    def covers(self, rows: Rows) -> NDArray[np.bool_]:
        """Mask of the rows that meet all demands."""
        covered = np.ones(len(rows), bool)
        for demand in self.demands:
            covered &= demand(rows)
        return covered

    def __call__(self, rows: Rows) -> NDArray[np.int64]:
        return self.covers(rows).astype(np.int64)

    def counted(self, sample: Sample) -> Rule:
        """The rule with ``right`` and ``wrong`` counted on a sample."""
        return self.counted_where(self.covers(sample), sample)

    def counted_where(self, covered: NDArray[np.bool_], sample: Sample) -> Rule:
        """As ``counted``, for the rows of the sample that it is known to cover."""
        copies = sample.copies
        right, wrong = (
            int(np.count_nonzero(here) if copies is None else copies[here].sum())
            for here in (covered & (sample.y == side) for side in (1, -1))
        )
        return replace(self, right=right, wrong=wrong)

    def importances(self, n_features: int) -> NDArray[np.float64]:
        """The share of the demands that are about each feature."""
        shares = np.zeros(n_features)
        for demand in self.demands:
            shares[demand.feature] += 1 / len(self.demands)
        return shares

    def as_tree(self) -> Tree:
        return self.tree

    @cached_property
    def tree(self) -> Tree:
        """The rule as a tree, one demand below another: 1 at the last leaf, 0 at the others."""
        inner = np.zeros(2 * len(self.demands) + 1, bool)
        places = list(self._places())
        inner[places[:-1]] = True
        value = np.zeros(len(inner), np.int32)
        value[places[-1]] = 1

        def spread(of: Any, elsewhere: float = 0) -> NDArray[Any]:
            column = np.full(len(inner), elsewhere, np.float64)
            column[places[:-1]] = [of(demand) for demand in self.demands]
            return column

        categories = [demand.category for demand in self.demands if demand.asks == CATEGORY]
        sets = np.zeros((len(categories), 4), np.uint64)
        for k, category in enumerate(categories):
            if category >= 0:
                sets[k, category >> 6] = np.uint64(1) << np.uint64(category & 63)
        is_category = spread(lambda demand: demand.asks == CATEGORY) > 0
        return Tree.of(
            {
                "ask": np.where(inner, np.where(is_category, SUBSET, THRESHOLD), LEAF),
                "feature": spread(lambda demand: demand.feature, -1),
                "threshold": spread(_cut),
                "first": np.where(inner, np.r_[1, _pairs(len(self.demands))][: len(inner)], 0),
                "width": np.where(inner, 2, 0),
                "missing": spread(lambda demand: demand.outcome ^ (not demand.accepts_missing)),
                "subset": np.where(is_category, np.cumsum(is_category) - 1, -1),
                "value": value,
                "weight": np.zeros(len(inner)),
                "count": np.zeros(len(inner)),
                "gain": np.zeros(len(inner)),
                "subsets": sets,
                "values": np.array([[0.0], [1.0]]),
            }
        )

    def _places(self) -> Iterator[int]:
        """The nodes of the tree on the path to its last leaf."""
        yield 0
        for k, demand in enumerate(self.demands):
            yield 2 * k + 1 + demand.outcome

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "tree"}


def _cut(demand: Demand) -> float:
    """The threshold of the tree node for a demand: the largest float where missing is tested."""
    return LARGEST if demand.asks == MISSING else demand.threshold


def _pairs(n: int) -> NDArray[np.int64]:
    """The first child of each node: both children of the k-th test have the same."""
    return np.repeat(2 * np.arange(1, n + 1) + 1, 2)
