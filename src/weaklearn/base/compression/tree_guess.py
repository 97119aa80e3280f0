"""Predicts values and gains of inner nodes from the leaves, so that only differences are stored.

The guesses are part of the form in which trees are stored. They use the four operations alone, in a
fixed order, so that they are the same bits everywhere, and must never change.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..types import Bools, Floats, Ints
from .tree_shapes import Shapes

_ALMOST_INTEGER = 2.0**-20


def ratio(a: NDArray[Any], b: NDArray[Any]) -> Floats:
    """a / b, and 0 where that is not finite."""
    with np.errstate(all="ignore"):
        found = np.asarray(a / b, np.float64)
    return np.where(np.isfinite(found), found, 0.0)


class Parts:
    """Values and gains of inner nodes computed from their children."""

    def __init__(self, shapes: Shapes, count: Ints, weight: Floats, value: Ints) -> None:
        self.shapes, self.value = shapes, value
        self.weight = weight if len(weight) else count.astype(np.float64)

    def rows(self, n: int) -> tuple[Bools, Ints]:
        """Mask of the rows of ``values`` that are a leaf's or unused; the first node of each other
        row.
        """
        tests = self.shapes.nodes[self.value[self.shapes.nodes] >= 0]
        by_leaves = np.ones(n, bool)
        by_leaves[self.value[tests]] = False
        by_leaves[self.value[~self.shapes.inner]] = True
        found, first = np.unique(self.value[tests], return_index=True)
        return by_leaves, tests[first][~by_leaves[found]]

    def totals(self, values: Floats) -> Floats:
        """Weight times value, summed over the leaves below every node."""
        total = np.zeros((len(self.value), values.shape[1]))
        leaves = np.flatnonzero(~self.shapes.inner)
        if len(self.weight) == 0:
            return total
        with np.errstate(all="ignore"):
            found = values[self.value[leaves]] * self.weight[leaves, None]
            rounded = np.rint(found)
            almost = (np.abs(found - rounded) <= _ALMOST_INTEGER).all()
        total[leaves] = rounded if almost else found
        with np.errstate(all="ignore"):
            return np.asarray(self.shapes.sums(total))

    def means(self, total: Floats, nodes: Ints) -> Floats:
        if len(self.weight) == 0:
            return np.zeros((len(nodes), total.shape[1]))
        return ratio(total[nodes], self.weight[nodes, None])

    def gains(self, total: Floats, values: Floats) -> Floats:
        """The gain of every test in Gini impurity, or in squared error."""
        tests, n = self.shapes.nodes, len(self.value)
        if len(self.weight) == 0 or (self.value[tests] < 0).any():
            return np.zeros(len(tests))
        gain = np.zeros(n)
        with np.errstate(all="ignore"):
            if values.shape[1] == 1:
                mean = values[self.value, 0]
                for level in self.shapes.levels:
                    for nodes, children in level:
                        apart = mean[children] - mean[nodes]
                        gain[nodes] += self.weight[children] * apart * apart
            else:
                merit = np.zeros(n)
                for column in total.T:
                    merit += column * column
                merit = ratio(merit, self.weight)
                for level in self.shapes.levels:
                    for nodes, children in level:
                        gain[nodes] += merit[children]
                gain -= merit
        return np.where(np.isfinite(gain), gain, 0.0)[tests]
