"""Slopes for the leaves of trees of gradients: a ridge regression in every leaf."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..base.sample import Sample
from ..base.streamed_cells import StreamedCells
from ..base.trees.linear_tree import LinearTree, Slopes
from ..base.trees.tree import LEAF, THRESHOLD, Tree
from ..base.types import Floats, Ints

# How many of each row (None: one), and the rows of a tree (None: all).
Bag = tuple[Ints | None, NDArray[np.uint32] | None]


class LinearLeaves:
    """Gives every leaf slopes along the columns of numbers that its path asks for.

    With g and c the gradients and curvatures of the examples of a tree, a leaf of value v answers
    v + b'(x - m): m is the mean of its complete rows, weighed by c, and b minimises

        sum g b'(x - m) + c (b'(x - m))^2 / 2  +  l2/2 sum_j var_j b_j^2

    over them, var_j the variance of column j there. Rows are complete that have all columns of the
    path of which the leaf holds two values. Each x is held between the least and the largest of
    these rows; a row without one of them is answered v.

    **Guarantee.** The step goes downhill, as that of v does: the minimum is at most 0, and around m
    neither v nor b would change with the other.
    """

    def __init__(self, sample: Sample, l2: float) -> None:
        if isinstance(sample.cells, StreamedCells):
            raise ValueError(
                "linear_leaves=True is not supported for rows of a pyarrow dataset: set "
                "linear_leaves=False, or pass X as a table in memory."
            )
        self._sample, self._l2 = sample, l2
        self._columns: dict[int, Floats] = {}

    def fit(
        self,
        trees: list[Tree],
        g: Floats,
        c: Floats | None,
        bags: list[Bag],
        vote: float,
        scores: Floats,
    ) -> list[LinearTree]:
        """The trees with slopes, of each row of g; vote times their answers is added to scores."""
        found = []
        for k, (tree, bag) in enumerate(zip(trees, bags, strict=True)):
            grown = self._with_slopes(tree, g[k], None if c is None else c[k], bag)
            scores[k] += self._answers(grown, vote)
            found.append(grown)
        return found

    def _with_slopes(self, tree: Tree, g: Floats, c: Floats | None, bag: Bag) -> LinearTree:
        count, feature = columns_of_leaves(tree)
        used = np.unique(feature)
        sample, (copies, rows) = self._sample, bag
        forest = sample.forest([tree])
        slope, centre, low, high = sample.engine.trees.leaf_slopes(
            g,
            c,
            copies,
            rows,
            forest.apply(sample.cells, sample.engine.threads)[:, 0].copy(),
            (count, np.searchsorted(used, feature).astype(np.int32)),
            [self._column(j) for j in used.tolist()],
            self._l2,
        )
        some = slope != 0
        node = np.repeat(np.arange(len(tree)), count)[some]
        numbers = (part[some] for part in (slope, centre, low, high))
        count = np.bincount(node, minlength=len(tree)).astype(np.int32)
        return LinearTree.with_slopes(tree, Slopes(count, feature[some], *numbers))

    def _answers(self, tree: LinearTree, vote: float) -> Floats:
        sample = self._sample
        forest = sample.forest(
            [tree],
            votes=np.array([vote]),
            outputs=np.zeros(1, np.int32),
            n_outputs=1,
            slopes=[tree.slopes],
        )
        answers: Floats = forest.sum(sample.cells, sample.engine.threads)
        return answers[:, 0]

    def _column(self, j: int) -> Floats:
        known = self._columns.get(j)
        if known is None:
            column = np.ascontiguousarray(self._sample.column(j), np.float64)
            known = self._columns[j] = column
        return known


def columns_of_leaves(tree: Tree) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """How many columns of numbers the path of each leaf asks for, and these columns, leaf after
    leaf and ascending; inner nodes have none.
    """
    above: list[frozenset[int]] = [frozenset()] * len(tree)
    count, features = np.zeros(len(tree), np.int32), list[int]()
    steps = zip(tree.ask.tolist(), tree.feature.tolist(), tree.first.tolist(), strict=True)
    for v, (ask, feature, first) in enumerate(steps):  # children stand after their parents
        if ask == LEAF:
            count[v] = len(above[v])
            features += sorted(above[v])
            continue
        own = above[v] | {feature} if ask == THRESHOLD else above[v]
        for child in range(first, first + int(tree.width[v])):
            above[child] = own
    return count, np.array(features, np.int32)
