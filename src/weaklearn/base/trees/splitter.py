"""Splitters of alternating trees, and the interface of searches for their tests."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..hypothesis import Form
from ..types import Floats
from .scored_tree import ScoredTree
from .tree import THRESHOLD, Tree
from .tree_arrays import SUBSET

if TYPE_CHECKING:
    from ..rows import Rows
    from .tree import Tree


Place = tuple[int, int]  # a splitter, counted from 0, and one of its outcomes

LARGEST = sys.float_info.max
_TABLES = ("subsets", "values")  # the other arrays of a tree have an entry a node
_OF_TESTS = ("ask", "feature", "threshold", "first", "width", "missing")


@dataclass(frozen=True, eq=False)
class Splitter(ScoredTree):
    """One test with a number for each outcome, and 0 for the rows that do not reach it.

    ``tree`` holds the whole way: the tests that lead here, whose other outcomes answer 0, and last
    of all the test itself. ``after`` is the place it hangs at, None for the root. Outcome 0 is no,
    1 is yes, 2 a missing value; where training had none there, that adds nothing.
    """

    after: Place | None = None

    @property
    def form(self) -> Form:
        """Confidences: the numbers are added to the score, with the learning rate as vote."""
        return Form.CONFIDENCES

    @property
    def node(self) -> int:
        """The index of the test among the nodes of the tree: the last one with children."""
        return int(np.argmax(self.tree.first))

    @property
    def outcomes(self) -> range:
        """The leaf indices of the test's outcomes."""
        first = int(self.tree.first[self.node])
        return range(first, first + int(self.tree.width[self.node]))

    @property
    def numbers(self) -> list[float]:
        """The number that each outcome adds to the score."""
        leaves = list(self.outcomes)
        return [float(v) for v in self.tree.values[self.tree.value[leaves], 0]]

    @property
    def counts(self) -> list[int]:
        """The number of training examples of each outcome."""
        return [int(n) for n in self.tree.count[list(self.outcomes)]]

    def adding(self, numbers: Floats) -> Splitter:
        """The splitter with these numbers for its outcomes."""
        value = np.zeros(len(self.tree), np.int32)
        value[list(self.outcomes)] = np.arange(1, len(numbers) + 1)
        values = np.concatenate([[0.0], numbers])[:, None]
        return replace(self, tree=replace(self.tree, value=value, values=values))

    def outcome(self, rows: Rows, some: NDArray[Any]) -> NDArray[np.int8]:
        """The outcome of the test for some of the rows, all of which reach it."""
        tree, node = self.tree, self.node
        x = rows.column(int(tree.feature[node]))[some]
        if x.dtype.kind == "i":
            missing = x < 0
            words = tree.subsets[tree.subset[node]]
            category = np.where(missing, 0, x).astype(np.uint64)
            yes = (words[category >> np.uint64(6)] >> (category & np.uint64(63))) & np.uint64(1)
        else:
            missing, yes = np.isnan(x), x > tree.threshold[node]
        return np.asarray(np.where(missing, tree.missing[node], yes), np.int8)

    @cached_property
    def test(self) -> tuple[Any, ...]:
        """A key of the test alone, without its place and its numbers."""
        return test_of(self.tree, self.node)

    @property
    def _content(self) -> tuple[Any, ...]:
        arrays = self.tree.arrays()
        return self.after, *((array.shape, array.tobytes()) for array in arrays.values())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Splitter) and self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)


def test_of(tree: Tree, node: int) -> tuple[Any, ...]:
    """A key of the test at a node, equal for equal tests."""
    categories = tree.subsets[tree.subset[node]].tobytes() if tree.ask[node] == SUBSET else b""
    return int(tree.ask[node]), int(tree.feature[node]), float(tree.threshold[node]), categories


test_of.__test__ = False  # type: ignore[attr-defined]  # no test, though pytest thinks so


def grafted(way: Tree | None, leaf: int, stump: Tree) -> Tree:
    """The tree ``way`` with a one-test tree in place of a leaf; the values of all leaves are 0.

    Where the test had no missing value, a missing one gets an outcome of its own that adds nothing.
    """
    stump = _with_missing(stump)
    arrays = stump.arrays()
    if way is not None:
        arrays = _joined(way, leaf, stump)
    arrays["value"] = np.zeros(len(arrays["ask"]), np.int32)
    arrays["values"] = np.zeros((1, 1))
    return Tree(**arrays)


def _joined(way: Tree, leaf: int, stump: Tree) -> dict[str, NDArray[Any]]:
    """The arrays of ``way``, its leaf replaced by the test, with the test's outcomes appended."""
    joined = {name: array.copy() for name, array in way.arrays().items()}
    for name in _OF_TESTS:
        joined[name][leaf] = getattr(stump, name)[0]
    joined["first"][leaf] = len(way)
    joined["gain"][:] = 0.0  # of the tests above, their own splitters tell
    joined["gain"][leaf] = stump.gain[0]
    if stump.ask[0] == SUBSET:
        joined["subset"][leaf] = len(way.subsets)
    for name in joined:
        if name not in _TABLES:
            joined[name] = np.concatenate([joined[name], getattr(stump, name)[1:]])
    joined["subsets"] = np.concatenate([way.subsets, stump.subsets])
    return joined


def lowered(stump: Tree, sample: Rows, some: NDArray[Any]) -> Tree:
    """The test with the lowest threshold, midway between two values of the sample, that splits
    these rows in the same way.
    """
    t = float(stump.threshold[0])
    if stump.ask[0] != THRESHOLD or t == LARGEST:
        return stump
    x = sample.column(int(stump.feature[0]))
    below = x[some][x[some] <= t]
    if len(below) == 0:
        return stump
    low = float(below.max())
    threshold = stump.threshold.copy()
    threshold[0] = middle(low, float(x[x > low].min()))
    return replace(stump, threshold=threshold)


def middle(low: float, high: float) -> float:
    """The threshold between two values; the lower one where no number lies between.

    >>> middle(1.0, 2.0), middle(1.0, 1.0000000000000002)
    (1.5, 1.0)
    """
    between = (low + high) / 2
    return between if low <= between < high else low


def _with_missing(stump: Tree) -> Tree:
    """A binary test with a third outcome for missing values, unless it tests just for these."""
    return stump if int(stump.width[0]) != 2 or asks_if_known(stump, 0) else with_missing(stump)


def with_missing(stump: Tree) -> Tree:
    """A test with one more outcome, for missing values, which no training row has."""
    arrays = stump.arrays()
    for name, array in arrays.items():
        if name not in _TABLES:
            more = np.array([-1 if name in ("feature", "subset") else 0], array.dtype)
            arrays[name] = np.concatenate([array, more])
    arrays["missing"][0] = stump.width[0]
    arrays["width"][0] += 1
    return Tree(**arrays)


def asks_if_known(tree: Tree, node: int) -> bool:
    """Whether a test separates missing values from all others: x > the largest float, or an empty
    set of categories.
    """
    if tree.ask[node] == SUBSET:
        return not tree.subsets[tree.subset[node]].any()
    return bool(tree.ask[node] == THRESHOLD and tree.threshold[node] == LARGEST)


class ConditionSearch(ABC):
    """An oracle that finds the best test of each of several lists of rows in one go."""

    @abstractmethod
    def within(
        self, w: NDArray[np.float64], some: Sequence[NDArray[np.int32]]
    ) -> list[tuple[Tree, float]]:
        """The best test in each list of rows, and its criterion as a share of their weight.

        ``w`` weighs a copy of every row. Where there is no test, the tree has none.
        """
