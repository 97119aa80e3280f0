"""More losses of numbers: smooth between squared and absolute, lopsided, and relative to y."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.loss import Loss, option, refuse_target
from ..base.numeric.exponential import exponentials, softplus
from ..base.numeric.percentile import percentile
from ..base.numeric.total import mean
from ..base.types import Floats, Partitions
from .regression import AdaptedLoss, ResidualLoss

_HALVINGS = 100


def flat_point(
    loss: Loss, y: NDArray[Any], w: NDArray[Any] | None, over: Partitions | None
) -> float:
    """The constant between the least and the largest y at which the mean gradient is 0.

    >>> from weaklearn.losses import Squared
    >>> flat_point(Squared(), np.array([1.0, 3.0]), None, None)
    2.0
    """
    if w is not None and len(y):
        y, w = y[w > 0], w[w > 0]
    ends = np.array([-np.min(y, initial=np.inf), np.max(y, initial=-np.inf)])
    ends = ends if over is None else over.maximum(ends)
    low, high = float(-ends[0]), float(ends[1])
    for _ in range(_HALVINGS):
        middle = low + (high - low) / 2
        if not low < middle < high:
            break
        slope = mean(loss.gradient(y, np.full(len(y), middle)), w, over)
        if slope == 0:
            return middle
        low, high = (low, middle) if slope > 0 else (middle, high)
    return high


class SmoothAdaptedLoss(AdaptedLoss):
    """An adapted loss with a best constant at which its gradients add up to nothing."""

    def best_constant(
        self, y: NDArray[Any], w: NDArray[Any] | None = None, over: Partitions | None = None
    ) -> Floats:
        return np.array([flat_point(self.at_median(y, w, over), y, w, over)])


@dataclass(frozen=True)
class LogCosh(SmoothAdaptedLoss):
    """delta^2 ln cosh((y - F) / delta): squared near, straight far away, and smooth between.

    The gradient is delta tanh((F - y) / delta), the curvature 1 - tanh^2. ``adapted`` takes delta
    as the ``level``-quantile of the present |y - F|, as Huber's.

    >>> loss = LogCosh()  # with delta = 1
    >>> loss.gradient(np.array([0.0, 0.0]), np.array([0.1, 100.0])).round(3).tolist()
    [0.1, 1.0]
    """

    name = "log_cosh"
    number = 52

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        r: Floats = np.abs(y - F) / self.delta
        return np.asarray(self.delta * (self.delta * (r + softplus(-2 * r) - log(2))))

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        r = F - y
        e = exponentials(-2 * (np.abs(r) / self.delta))
        return np.asarray(np.sign(r) * (self.delta * ((1 - e) / (1 + e))))

    def curvature(self, y: NDArray[Any], F: Floats) -> Floats:
        e = exponentials(-2 * (np.abs(F - y) / self.delta))
        return np.asarray(4 * e / ((1 + e) * (1 + e)))


@dataclass(frozen=True)
class PseudoHuber(SmoothAdaptedLoss):
    """delta^2 (h - 1) with h = sqrt(1 + ((y - F) / delta)^2): Huber's loss without its corner.

    The gradient is (F - y) / h, the curvature 1 / h^3. ``adapted`` takes delta as the
    ``level``-quantile of the present |y - F|, as Huber's.

    >>> loss = PseudoHuber()  # with delta = 1
    >>> loss.value(np.array([0.0, 0.0]), np.array([0.75, 100.0])).round(2).tolist()
    [0.25, 99.0]
    """

    name = "pseudo_huber"
    number = 53

    def _h(self, y: NDArray[Any], F: Floats) -> Floats:
        r = (F - y) / self.delta
        return np.asarray(np.sqrt(1 + r * r))

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        r = F - y
        return np.asarray(r * (r / (1 + self._h(y, F))))

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        return np.asarray((F - y) / self._h(y, F))

    def curvature(self, y: NDArray[Any], F: Floats) -> Floats:
        h = self._h(y, F)
        return 1 / (h * h * h)


@dataclass(frozen=True)
class Expectile(ResidualLoss):
    """level (y - F)^2 where y is above F, (1 - level) (y - F)^2 where it is below.

    What quantiles are to the absolute error, expectiles are to the squared one: 1/2 is the mean.

    >>> loss, y = Expectile(0.9), np.array([0.0, 10.0])
    >>> loss.gradient(y, np.array([1.0, 9.0])).round(3).tolist(), loss.best_constant(y).tolist()
    ([0.2, -1.8], [9.0])
    """

    level: float = option(0.5, 0.0, 1.0, "quantile")

    name = "expectile"
    number = 54

    def _side(self, y: NDArray[Any], F: Floats) -> Floats:
        return np.where(y > F, self.level, 1 - self.level)

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        r: Floats = y - F
        return self._side(y, F) * (r * r)

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        return np.asarray(2 * self._side(y, F) * (F - y))

    def curvature(self, y: NDArray[Any], F: Floats) -> Floats:
        return 2 * self._side(y, F)

    def best_constant(
        self, y: NDArray[Any], w: NDArray[Any] | None = None, over: Partitions | None = None
    ) -> Floats:
        return np.array([flat_point(self, y, w, over)])


@dataclass(frozen=True)
class Mape(ResidualLoss):
    """|y - F| / |y|, the relative error: a median in which every example weighs 1 / |y|.

    Leaves answer that weighted median of what is left to explain; the curvature, 1 / |y|, is the
    weight. A y of 0 has no relative error, and is refused.

    >>> loss, y = Mape(), np.array([1.0, 2.0, 100.0])
    >>> loss.value(y, np.full(3, 2.0)).tolist(), loss.best_constant(y).tolist()
    ([1.0, 0.0, 0.98], [1.0])
    """

    name = "mape"
    number = 55

    @property
    def leaf_quantiles(self) -> tuple[float, ...]:
        return (0.5,)

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        return np.asarray(np.abs(y - F) / np.abs(y))

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        return np.asarray(np.sign(F - y) / np.abs(y))

    def curvature(self, y: NDArray[Any], F: Floats) -> Floats:
        return np.asarray(1 / np.abs(y))

    def best_constant(
        self, y: NDArray[Any], w: NDArray[Any] | None = None, over: Partitions | None = None
    ) -> Floats:
        # Copies stay whole numbers; 1 / |y| comes as multiples of 2^-30 of the largest.
        least = -float(np.min(np.abs(y), initial=np.inf))
        least = -float((np.array([least]) if over is None else over.maximum(np.array([least])))[0])
        share = np.rint(np.ldexp(least / np.abs(y), 30))
        whole = w is None or w.dtype.kind in "iu"
        weight = share.astype(np.int64) if whole else share
        return np.array([percentile(y, 0.5, weight if w is None else weight * w, over)])

    def check_target(self, y: NDArray[Any], over: Partitions | None = None) -> None:
        refuse_target(self, y, y != 0, "numbers other than 0")
