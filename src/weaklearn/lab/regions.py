"""The boxes of the plane in which a weak rule gives the same answer."""

from __future__ import annotations

from math import inf, isfinite
from typing import Any

import numpy as np

from ..base.trees.tree_arrays import LEAF
from ..base.types import Floats

Box = tuple[float, float, float, float]  # from x, y to x, y; ends may be infinite
PLANE: Box = (-inf, -inf, inf, inf)


def boxes(h: Any) -> list[Box]:
    """The boxes of a fitted stump or tree of two columns, from left to right and bottom to top.

    >>> import weaklearn as wl
    >>> X, y = wl.datasets.toy()
    >>> boxes(wl.DecisionStumpClassifier().fit(X, y))
    [(-inf, -inf, 2.5, inf), (2.5, -inf, inf, inf)]
    """
    tree = getattr(h, "tree_", None)
    if tree is None:
        return _halves(PLANE, int(h.feature_), float(h.threshold_))
    return _under(tree, 0, PLANE)


def _under(tree: Any, node: int, box: Box) -> list[Box]:
    if tree.ask[node] == LEAF:
        return [box]
    halves = _halves(box, int(tree.feature[node]), float(tree.threshold[node]))
    first = int(tree.first[node])
    return [part for k, half in enumerate(halves) for part in _under(tree, first + k, half)]


def _halves(box: Box, feature: int, threshold: float) -> list[Box]:
    if not isfinite(threshold):  # a constant rule
        return [box]
    low, high = list(box), list(box)
    low[feature + 2] = high[feature] = threshold
    return [(low[0], low[1], low[2], low[3]), (high[0], high[1], high[2], high[3])]


def cuts(parts: list[Box], axis: int) -> set[float]:
    """The finite ends of boxes on an axis."""
    return {box[end] for box in parts for end in (axis, axis + 2) if isfinite(box[end])}


def inside(parts: list[Box]) -> Floats:
    """A point in each box."""
    return np.array([[_between(box[k], box[k + 2]) for k in (0, 1)] for box in parts], np.float64)


def _between(low: float, high: float) -> float:
    if isfinite(low) and isfinite(high):
        return (low + high) / 2
    if isfinite(low):
        return low + 1.0
    return high - 1.0 if isfinite(high) else 0.0
