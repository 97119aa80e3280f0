"""The stump of least Z by brute force, with the confidences of its two sides."""

from __future__ import annotations

from typing import Any

import numpy as np

from weaklearn.base import Form, Hypothesis, WeakLearner

TIED = 1e-12


class Sides(Hypothesis):
    """c_right where x > threshold, else c_left."""

    def __init__(
        self, feature: int, threshold: float, c_left: float, c_right: float, criterion: float
    ) -> None:
        self.feature, self.threshold = feature, threshold
        self.c_left, self.c_right = c_left, c_right
        self.criterion = criterion

    form = Form.CONFIDENCES

    @property
    def Z_criterion(self) -> float:
        return self.criterion

    @property
    def reach(self) -> float:
        return max(abs(self.c_left), abs(self.c_right))

    def __call__(self, rows: Any) -> Any:
        return np.where(rows.column(self.feature) > self.threshold, self.c_right, self.c_left)


def block_weights(x: Any, threshold: float, y: Any, D: Any) -> list[tuple[float, float]]:
    """(W+, W-) left and right of a threshold."""
    sides = [x <= threshold, x > threshold]
    return [(float(D[s & (y > 0)].sum()), float(D[s & (y < 0)].sum())) for s in sides]


def criterion(blocks: list[tuple[float, float]]) -> float:
    return float(2 * sum(np.sqrt(plus * minus) for plus, minus in blocks))


def confidence(block: tuple[float, float], s: float) -> float:
    return float(0.5 * np.log((block[0] + s) / (block[1] + s)))


def least_stump(X: Any, y: Any, D: Any, s: float) -> Sides:
    """Ties within 1e-12 go to the lowest feature, then to the lowest threshold."""
    found = []
    for j in range(X.shape[1]):
        values = np.unique(X[:, j])
        for threshold in (values[1:] + values[:-1]) / 2:
            blocks = block_weights(X[:, j], threshold, y, D)
            found.append((criterion(blocks), j, threshold, blocks))
    best = min(Z for Z, *_ in found)
    Z, j, threshold, blocks = next(f for f in found if f[0] <= best + TIED)
    return Sides(j, float(threshold), *(confidence(b, s) for b in blocks), Z)


class LeastZ(WeakLearner):
    """The brute-force search as a weak learner."""

    form = Form.CONFIDENCES

    def __init__(self, smoothing: float | None = None) -> None:
        self.smoothing = smoothing

    def bind(self, sample: Any) -> Any:
        X = np.column_stack([sample.column(j) for j in range(sample.cells.n_features)])
        s = 0.5 / sample.m if self.smoothing is None else self.smoothing
        return lambda D, z, key=0: least_stump(X, z, D.array, s)
