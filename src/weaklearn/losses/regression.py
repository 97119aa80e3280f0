"""Losses of numbers: of the residual y - F, and of numbers that are not negative."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ..base.loss import Loss, option, refuse_target
from ..base.messages.value_text import show
from ..base.numeric.exponential import exponentials
from ..base.numeric.percentile import percentile
from ..base.numeric.total import mean
from ..base.types import Floats, Partitions


class ResidualLoss(Loss):
    """A loss of y - F: the score is the prediction."""

    score_name = "prediction"


class UnitCurvatureLoss(ResidualLoss):
    """A loss of y - F whose curvature is 1, or taken for 1 where the loss is straight."""

    constant_curvature = True

    def curvature(self, y: NDArray[Any], F: Floats) -> Floats:
        return np.ones_like(F)


@dataclass(frozen=True)
class Squared(UnitCurvatureLoss):
    """(y - F)^2 / 2: the gradient is F - y, the curvature 1, the best constant the mean.

    >>> loss, y = Squared(), np.array([1.0, 3.0])
    >>> loss.value(y, np.zeros(2)).tolist(), loss.best_constant(y).tolist()
    ([0.5, 4.5], [2.0])
    """

    name = "squared_error"
    aliases = ("squared",)
    number = 44
    is_squared = True

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        r: Floats = y - F
        return r * r / 2

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        return np.asarray(F - y)

    def best_constant(
        self, y: NDArray[Any], w: NDArray[Any] | None = None, over: Partitions | None = None
    ) -> Floats:
        return np.array([mean(y, w, over)])


@dataclass(frozen=True)
class Quantile(UnitCurvatureLoss):
    """level (y - F) where y is above F, (1 - level) (F - y) where it is below.

    The best constant is the level-quantile.

    >>> loss, y = Quantile(0.9), np.array([0.0, 0.0])
    >>> loss.value(y, np.array([-1.0, 1.0])).round(3).tolist()
    [0.9, 0.1]
    """

    level: float = option(0.5, 0.0, 1.0, "quantile")

    name = "quantile"
    number = 46

    @property
    def leaf_quantiles(self) -> tuple[float, ...]:
        return (self.level,)

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        r: Floats = y - F
        return self.level * np.maximum(r, 0.0) + (1 - self.level) * np.maximum(-r, 0.0)

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        return np.where(F < y, -self.level, np.where(F > y, 1 - self.level, 0.0))

    def best_constant(
        self, y: NDArray[Any], w: NDArray[Any] | None = None, over: Partitions | None = None
    ) -> Floats:
        return np.array([percentile(y, self.level, w, over)])


@dataclass(frozen=True)
class Absolute(UnitCurvatureLoss):
    """|y - F|: the gradient is the sign of F - y, the best constant a median.

    >>> loss, y = Absolute(), np.array([1.0, 3.0, 100.0])
    >>> loss.gradient(y, np.full(3, 3.0)).tolist(), loss.best_constant(y).tolist()
    ([1.0, 0.0, -1.0], [3.0])
    """

    name = "absolute_error"
    number = 45

    @property
    def leaf_quantiles(self) -> tuple[float, ...]:
        return (0.5,)

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        return np.asarray(np.abs(y - F))

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        return np.asarray(np.sign(F - y))

    def best_constant(
        self, y: NDArray[Any], w: NDArray[Any] | None = None, over: Partitions | None = None
    ) -> Floats:
        return np.array([percentile(y, 0.5, w, over)])


@dataclass(frozen=True)
class AdaptedLoss(ResidualLoss):
    """A loss of y - F with a scale, delta: the ``level``-quantile of the present |y - F|."""

    level: float = option(0.9, 0.0, 1.0, "alpha")
    delta: float = option(1.0, 0.0)

    def adapted(
        self,
        y: NDArray[Any],
        F: Floats,
        w: NDArray[Any] | None = None,
        over: Partitions | None = None,
    ) -> Self:
        far = np.abs(y - F)
        delta = percentile(far, self.level, w, over)
        if delta == 0:  # most examples are met: the nearest of the others sets the scale
            nearest = np.min(far[far > 0], keepdims=True, initial=np.inf)
            delta = float((nearest if over is None else -over.maximum(-nearest))[0])
        return replace(self, delta=delta) if 0 < delta < np.inf else self

    def at_median(self, y: NDArray[Any], w: NDArray[Any] | None, over: Partitions | None) -> Self:
        """The loss adapted to the residuals from the median."""
        return self.adapted(y, np.full(len(y), percentile(y, 0.5, w, over)), w, over)


@dataclass(frozen=True)
class Huber(AdaptedLoss, UnitCurvatureLoss):
    """Squared up to |y - F| = delta, straight beyond: far examples pull no harder than at delta.

    ``adapted`` takes delta as the ``level``-quantile of the present |y - F|, as gradient boosting
    does in every round. The best constant is Friedman's: from the median, one step of the mean of
    the residuals cut off at delta.

    >>> loss, y = Huber(delta=1.0), np.array([0.0, 0.0])
    >>> F = np.array([0.5, 3.0])
    >>> loss.value(y, F).tolist(), loss.gradient(y, F).tolist()
    ([0.125, 2.5], [0.5, 1.0])
    >>> loss.adapted(np.arange(10.0), np.zeros(10)).delta
    8.0
    """

    name = "huber"
    number = 47

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        far: Floats = np.abs(y - F)
        near = np.minimum(far, self.delta)
        return near * (far - near / 2)

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        return np.asarray(np.clip(F - y, -self.delta, self.delta))

    def best_constant(
        self, y: NDArray[Any], w: NDArray[Any] | None = None, over: Partitions | None = None
    ) -> Floats:
        median = percentile(y, 0.5, w, over)
        slope = self.at_median(y, w, over).gradient(y, np.full(len(y), median))
        return np.array([median - mean(slope, w, over)])


@dataclass(frozen=True)
class Quantiles(UnitCurvatureLoss):
    """The sum of the quantile losses of several levels, each of a score of its own.

    >>> loss, y = Quantiles((0.1, 0.9)), np.array([0.0, 0.0])
    >>> loss.value(y, np.array([[-1.0, 1.0], [0.0, 0.0]])).round(3).tolist()
    [0.2, 0.0]
    """

    levels: tuple[float, ...] = (0.1, 0.5, 0.9)

    name = "quantiles"
    by_name = False  # several levels of "quantile" make it
    number = 51

    def __post_init__(self) -> None:
        if len(self.levels) == 0:
            raise ValueError("levels=() is not allowed: pass one or more numbers between 0 and 1.")
        for level in self.levels:
            Quantile(level)  # which refuses what is no level

    @property
    def n_outputs(self) -> int:
        """The number of scores per row."""
        return len(self.levels)

    @property
    def leaf_quantiles(self) -> tuple[float, ...]:
        return self.levels

    @property
    def _parts(self) -> list[Quantile]:
        return [Quantile(level) for level in self.levels]

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        F = np.reshape(F, (len(y), len(self.levels)))
        losses = [part.value(y, F[:, k]) for k, part in enumerate(self._parts)]
        return np.asarray(np.sum(losses, axis=0))

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        columns = np.reshape(F, (len(y), len(self.levels)))
        slopes = [part.gradient(y, columns[:, k]) for k, part in enumerate(self._parts)]
        return np.column_stack(slopes).reshape(F.shape)

    def best_constant(
        self, y: NDArray[Any], w: NDArray[Any] | None = None, over: Partitions | None = None
    ) -> Floats:
        return np.concatenate([part.best_constant(y, w, over) for part in self._parts])


class LogLinkLoss(Loss):
    """The prediction is exp(F); the best constant is the logarithm of the mean."""

    score_name = "logarithm of the prediction"

    def best_constant(
        self, y: NDArray[Any], w: NDArray[Any] | None = None, over: Partitions | None = None
    ) -> Floats:
        return np.array([log(max(mean(y, w, over), np.finfo(np.float64).tiny))])

    def inverse_link(self, F: Floats) -> Floats:
        return exponentials(F)

    def check_target(self, y: NDArray[Any], over: Partitions | None = None) -> None:
        refuse_target(self, y, y >= 0, "numbers of at least 0")
        some = np.array([np.any(y)], np.int64)
        if not (some if over is None else over.maximum(some))[0]:
            raise ValueError(
                f"y is 0 in every row, and loss={self.name!r} needs at least one number above 0."
            )


@dataclass(frozen=True)
class Poisson(LogLinkLoss):
    """exp(F) - y F: counts, with a variance equal to the mean.

    >>> loss, y = Poisson(), np.array([0.0, 2.0])
    >>> loss.gradient(y, np.zeros(2)).tolist(), loss.inverse_link(loss.best_constant(y)).tolist()
    ([1.0, -1.0], [1.0])
    """

    name = "poisson"
    number = 48

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        return np.asarray(exponentials(F) - y * F)

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        return np.asarray(exponentials(F) - y)

    def curvature(self, y: NDArray[Any], F: Floats) -> Floats:
        return exponentials(F)


@dataclass(frozen=True)
class Gamma(LogLinkLoss):
    """F + y exp(-F): amounts above 0, with a standard deviation in proportion to the mean.

    >>> Gamma().gradient(np.array([1.0, 3.0]), np.zeros(2)).tolist()
    [0.0, -2.0]
    """

    name = "gamma"
    number = 49

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        return F + y * exponentials(-F)

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        return 1 - y * exponentials(-F)

    def curvature(self, y: NDArray[Any], F: Floats) -> Floats:
        return y * exponentials(-F)

    def check_target(self, y: NDArray[Any], over: Partitions | None = None) -> None:
        refuse_target(self, y, y > 0, "numbers above 0")


@dataclass(frozen=True)
class Tweedie(LogLinkLoss):
    """exp((2-p) F) / (2-p) - y exp((1-p) F) / (1-p), with p = ``power`` between 1 and 2.

    Many zeros beside amounts above 0, as in insurance; the variance is the mean to the power p.

    >>> Tweedie(1.5).gradient(np.array([0.0, 1.0]), np.zeros(2)).tolist()
    [1.0, 0.0]
    """

    power: float = option(1.5, 1.0, 2.0, "power")

    name = "tweedie"
    number = 50

    def __post_init__(self) -> None:
        if not 1 < self.power < 2:
            raise ValueError(
                f"power={show(self.power)} is not allowed: it must be a number above 1 and "
                "below 2; "
                "loss='poisson' is the power 1, loss='gamma' the power 2."
            )

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        a, b = 2 - self.power, 1 - self.power
        return exponentials(a * F) / a - y * exponentials(b * F) / b

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        a, b = 2 - self.power, 1 - self.power
        return exponentials(a * F) - y * exponentials(b * F)

    def curvature(self, y: NDArray[Any], F: Floats) -> Floats:
        a, b = 2 - self.power, 1 - self.power
        return a * exponentials(a * F) - b * y * exponentials(b * F)
