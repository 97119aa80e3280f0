"""Terms as trees, by binary search of the bins; for exports that know trees only."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.trees.term import Axis, Term
from ..base.trees.tree import LEAF, MULTIWAY, THRESHOLD, Tree
from ..inspection.tree_sum import LARGEST

BinIndices = tuple[int, ...]


def term_tree(term: Term) -> Tree:
    """A tree whose leaves hold the values of the bins of a term."""
    nodes: list[tuple[int, int, float, int, int, int]] = []
    values: list[NDArray[np.float64]] = []
    value: list[int] = []
    # A node to come: the cells that are known, and the cells that are left on the next axis.
    waiting: deque[tuple[BinIndices, range | None]] = deque([((), None)])
    coming = 1
    while waiting:
        known, left = waiting.popleft()
        if left is not None and len(left) == 1:
            known, left = (*known, left[0]), None
        if len(known) == len(term.axes):
            nodes.append((LEAF, -1, 0.0, 0, 0, 0))
            value.append(len(values))
            values.append(term.values[known])
            continue
        test, children = _asked(term.axes[len(known)], known, left)
        nodes.append((*test[:3], coming, len(children), test[3]))
        value.append(0)
        waiting.extend(children)
        coming += len(children)
    return _made(nodes, value, values)


def _asked(
    axis: Axis, known: BinIndices, left: range | None
) -> tuple[tuple[int, int, float, int], list[tuple[BinIndices, range | None]]]:
    """The next test on an axis, its child for missing values, and what its children still have."""
    n = axis.n_cells - 1  # the cell of missing values is the last
    missing: tuple[BinIndices, range | None] = (known, range(n, n + 1))
    if axis.cuts is None:
        each: list[tuple[BinIndices, range | None]] = [(known, range(k, k + 1)) for k in range(n)]
        return (MULTIWAY, axis.feature, 0.0, n), [*each, missing]
    if n == 1:
        return (THRESHOLD, axis.feature, LARGEST, 1), [(known, range(1)), missing]
    cells = range(n) if left is None else left
    middle = (cells.start + cells.stop) // 2
    halves: list[Any] = [(known, range(cells.start, middle)), (known, range(middle, cells.stop))]
    cut = float(axis.cuts[middle - 1])
    if left is None:  # asked for the first time: missing values part here
        return (THRESHOLD, axis.feature, cut, 2), [*halves, missing]
    return (THRESHOLD, axis.feature, cut, 0), halves


def _made(nodes: list[Any], value: list[int], values: list[NDArray[np.float64]]) -> Tree:
    ask, feature, threshold, first, width, missing = (np.array(part) for part in zip(*nodes))
    n = len(nodes)
    return Tree.of(
        {
            "ask": ask,
            "feature": feature,
            "threshold": threshold,
            "first": first,
            "width": width,
            "missing": missing,
            "subset": np.full(n, -1),
            "value": np.array(value),
            "weight": np.zeros(n),
            "count": np.zeros(n),
            "gain": np.zeros(n),
            "subsets": np.zeros((0, 4)),
            "values": np.array(values),
        }
    )
