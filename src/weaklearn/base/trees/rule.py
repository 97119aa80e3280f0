"""Rules: conjunctions of tests that answer where all hold, and abstain elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..hypothesis import Hypothesis
from .splitter import LARGEST
from .tree import THRESHOLD, Tree
from .tree_arrays import LEAF, SUBSET

if TYPE_CHECKING:
    from ..rows import Rows
    from ..sample import Correctness, Sample

AT_MOST, ABOVE, CATEGORY, MISSING = range(4)  # what is asked of a value
_LEAF = {
    **{"ask": LEAF, "feature": -1, "threshold": 0.0, "first": 0, "width": 0, "missing": 0},
    **{"subset": -1, "value": 0, "weight": 0.0, "count": 0, "gain": 0.0},
}


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
    reads_cells = True

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

    def judge(self, sample: Sample) -> Correctness:
        if not sample.binary:
            return super().judge(sample)
        return sample.engine.weights.correctness(self.covers(sample) * sample.y)

    def counted(self, sample: Sample) -> Rule:
        """The rule with ``right`` and ``wrong`` counted on a sample."""
        return self.counted_where(self.covers(sample), sample)

    def counted_where(self, covered: NDArray[np.bool_], sample: Sample) -> Rule:
        """As ``counted``, for the rows of the sample that it is known to cover."""
        ones, copies = covered & (sample.y == 1), sample.copies
        zeros = covered & (sample.y == -1)
        if copies is None:
            return Rule(self.demands, int(np.count_nonzero(ones)), int(np.count_nonzero(zeros)))
        return Rule(self.demands, int(copies[ones].sum()), int(copies[zeros].sum()))

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
        n_nodes = 2 * len(self.demands) + 1
        nodes: dict[str, Any] = {name: [blank] * n_nodes for name, blank in _LEAF.items()}
        sets: list[list[int]] = []
        node = 0
        for k, demand in enumerate(self.demands):
            nodes["ask"][node] = SUBSET if demand.asks == CATEGORY else THRESHOLD
            nodes["feature"][node] = demand.feature
            nodes["threshold"][node] = _cut(demand)
            nodes["first"][node], nodes["width"][node] = 2 * k + 1, 2
            nodes["missing"][node] = demand.outcome ^ (not demand.accepts_missing)
            if demand.asks == CATEGORY:
                nodes["subset"][node] = len(sets)
                sets.append(_words(demand.category))
            node = 2 * k + 1 + demand.outcome
        nodes["value"][node] = 1
        nodes["subsets"] = np.array(sets, np.uint64).reshape(-1, 4)
        nodes["values"] = [[0.0], [1.0]]
        return Tree.of(nodes)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "tree"}


def _cut(demand: Demand) -> float:
    """The threshold of the tree node for a demand: the largest float where missing is tested."""
    return LARGEST if demand.asks == MISSING else demand.threshold


def _words(category: int) -> list[int]:
    """The set of one category as 256 bits; no bit for a missing value."""
    return [1 << (category & 63) if category >> 6 == word else 0 for word in range(4)]
