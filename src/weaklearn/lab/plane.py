"""The plane of a recording: points, the boxes of rules, the grid of regions, and arrays as text."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.trees.tree_arrays import LEAF
from ..base.types import Floats
from ..estimators.trees.base import TreeEstimator
from ..estimators.trees.tree import DecisionTreeRegressor
from .setting import Examples

MOST_CELLS = 96  # of the grid of regions, per axis
AXES = ("x₁", "x₂")
Box = tuple[float, float, float, float]  # from x, y to x, y; ends may be infinite
PLANE: Box = (-inf, -inf, inf, inf)


def boxes(h: Any) -> list[Box]:
    """The boxes of a fitted stump or tree of two columns, from left to right and bottom to top.

    >>> import weaklearn as wl
    >>> X, y = wl.datasets.toy()
    >>> boxes(wl.DecisionStumpClassifier().fit(X, y))
    [(-inf, -inf, 2.5, inf), (2.5, -inf, inf, inf)]
    """
    if isinstance(h, TreeEstimator):
        return _under(h.tree_, 0, PLANE)
    return _halves(PLANE, int(h.feature_), float(h.threshold_))


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


@dataclass(frozen=True)
class Plane:
    """The part of the plane that is shown."""

    low: tuple[float, float]
    high: tuple[float, float]

    @classmethod
    def around(cls, X: Floats) -> Plane:
        """The bounding box of the points, with a margin."""
        low, high = X.min(axis=0), X.max(axis=0)
        room = np.where(high > low, 0.08 * (high - low), 0.5 + 0.05 * np.abs(low))
        low, high = low - room, high + room
        return cls((float(low[0]), float(low[1])), (float(high[0]), float(high[1])))

    def edges(self, parts: Sequence[list[Box]], axis: int) -> Floats:
        """The grid lines on an axis: the rules' thresholds if they are few, else evenly spaced."""
        low, high = self.low[axis], self.high[axis]
        found = sorted(cut for cut in set().union(*(cuts(p, axis) for p in parts)))
        within = [cut for cut in found if low < cut < high]
        if len(within) < MOST_CELLS:
            return np.array([low, *within, high])
        return np.linspace(low, high, MOST_CELLS + 1)


@dataclass(frozen=True)
class Points:
    """Labelled points, and the part of the plane that is shown with them."""

    name: str
    examples: Examples
    plane: Plane
    classes: Sequence[str] = ("−1", "+1")
    axes: Sequence[str] = ("", "")

    def scene(self) -> dict[str, Any]:
        """The points, their labels and the plane, as JSON."""
        found = self.examples
        return {
            "points": found.X.tolist(),
            "labels": self._codes(found.y),
            "flipped": np.flatnonzero(found.is_flipped).tolist(),
            "held": {"points": found.X_test.tolist(), "labels": self._codes(found.y_test)},
            "order": found.order.tolist(),
            "classes": list(self.classes),
            "axes": [f"{x} {name}".strip() for x, name in zip(AXES, self.axes)],
            "low": self.plane.low,
            "high": self.plane.high,
        }

    def _codes(self, labels: Any) -> list[int]:
        return [int(code) for code in np.searchsorted(np.unique(self.examples.y), labels)]


def middles(edges: Floats) -> Floats:
    return np.asarray((edges[:-1] + edges[1:]) / 2)


def shades(F: Floats) -> NDArray[np.uint8]:
    """Scores as bytes: 128 is a tie, and the larger the score, the farther from it."""
    sizes = np.abs(F)
    top = float(np.quantile(sizes, 0.95)) or float(sizes.max()) or 1.0
    steps = np.maximum(np.ceil(127 * np.minimum(sizes / top, 1.0)), sizes > 0)
    return np.asarray(128 + np.sign(F) * steps, np.uint8)


def answers(h: Any, parts: list[Box]) -> list[list[float | None]]:
    """The boxes of a rule, each followed by the class predicted there, 1 or 0, and the answer."""
    given = np.asarray(h.predict(inside(parts)))
    if isinstance(h, DecisionTreeRegressor):  # a rule that answers with scores
        return answered(parts, given.astype(float))
    return answered(parts, np.where(given == h.classes_[1], 1.0, -1.0))


def answered(parts: list[Box], answers: Floats) -> list[list[float | None]]:
    """Boxes, each followed by the class there, 1 where the answer is above 0, and the answer."""
    return [
        [*(finite_or_none(end) for end in box), int(answer > 0), float(answer)]
        for box, answer in zip(parts, answers)
    ]


# ------------------------------------------------------------------------------ arrays as text


def packed(rows: NDArray[Any]) -> str:
    """Numbers as little-endian float32, one row after another."""
    return _text(np.asarray(rows, "<f4").tobytes())


def packed_steps(rows: NDArray[np.uint8]) -> str:
    """Bytes, each row as its difference from the one before: little changes between rounds."""
    steps = rows.copy()
    steps[1:] -= rows[:-1]
    return _text(steps.tobytes())


def _text(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 6)).decode("ascii")


def finite_or_none(value: float) -> float | None:
    """A number for JSON, which has neither NaN nor infinities: None in their place."""
    value = float(value)
    return value if isfinite(value) else None
