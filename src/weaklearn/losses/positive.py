"""Losses of numbers that are not negative, with F the logarithm of the prediction."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.loss import Loss, option, refuse_target
from ..base.messages.value_text import show
from ..base.numeric.exponential import exponentials
from ..base.numeric.total import mean
from ..base.types import Floats


class LogLinkLoss(Loss):
    """The prediction is exp(F); the best constant is the logarithm of the mean."""

    score_name = "logarithm of the prediction"

    def best_constant(self, y: NDArray[Any], w: NDArray[Any] | None = None) -> Floats:
        return np.array([log(max(mean(y, w), np.finfo(np.float64).tiny))])

    def inverse_link(self, F: Floats) -> Floats:
        return exponentials(F)


def _refuse_negative(loss: Loss, y: NDArray[Any]) -> None:
    refuse_target(loss, y, y >= 0, "numbers of at least 0")
    if not np.any(y):
        raise ValueError(
            f"y is 0 in every row, and loss={loss.name!r} needs at least one number above 0."
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

    def check_target(self, y: NDArray[Any]) -> None:
        _refuse_negative(self, y)


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

    def check_target(self, y: NDArray[Any]) -> None:
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
                f"power={show(self.power)} is not allowed: it must be a number above 1 and below "
                "2; loss='poisson' is the power 1, loss='gamma' the power 2."
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

    def check_target(self, y: NDArray[Any]) -> None:
        _refuse_negative(self, y)
