"""The regression stump of least squared error by brute force."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import fsum
from typing import Any

import numpy as np

from weaklearn.base import Form, Hypothesis, WeakLearner


@dataclass(frozen=True)
class Steps(Hypothesis):
    """One number where x <= cut, one where x > cut, one where x is missing."""

    feature: int
    cut: float
    low: float
    high: float
    missing: float

    form = Form.NUMBERS

    @property
    def reach(self) -> float:
        return max(abs(self.low), abs(self.high), abs(self.missing))

    def __call__(self, rows: Any) -> Any:
        x = rows.column(self.feature)
        return np.where(np.isnan(x), self.missing, np.where(x > self.cut, self.high, self.low))


def _whole(x: Any, bits: int) -> Any:
    """Numbers as Python's own whole numbers of 2^-bits, which add up exactly."""
    return np.array([round(float(v) * 2**bits) for v in x], object)


def _mean(z: Any, w: Any) -> tuple[float, float]:
    """The weighted mean, and by how much it lowers the weighted sum of squares."""
    weight = int(sum(w))
    if weight == 0:
        return 0.0, 0.0
    total = int(sum(w * z))
    return total / weight / 2**40, float(Fraction(total) ** 2 / weight / 2**132)


def least_squares(X: Any, z: Any, w: Any) -> Steps:
    """Ties go to the lowest feature, then to the lowest threshold; missing values stand apart."""
    found = []
    spread = fsum(w * z * z)
    z, w = _whole(z, 40), _whole(w, 52)
    for j in range(X.shape[1]):
        x = X[:, j]
        values = np.unique(x[~np.isnan(x)])
        gap, gained = _mean(z[np.isnan(x)], w[np.isnan(x)])
        for cut in (values[1:] + values[:-1]) / 2:
            low, high = (_mean(z[side], w[side]) for side in (x <= cut, x > cut))
            found.append((low[1] + high[1] + gained, Steps(j, float(cut), low[0], high[0], gap)))
    best = max(gain for gain, _ in found)
    return next(h for gain, h in found if gain >= best - 1e-12 * spread)


class LeastSquares(WeakLearner):
    """The brute-force search as a weak learner; D need not be summed in any order."""

    form = Form.NUMBERS

    def bind(self, sample: Any) -> Any:
        X = np.column_stack([sample.column(j) for j in range(sample.cells.n_features)])
        return lambda D, z, key=0: least_squares(X, np.asarray(z, float), D.exact)
