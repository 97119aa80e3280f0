"""The log-loss of rows that belong to several classes in shares."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.loss import refuse_target
from ..base.numeric.exponential import exponentials, logarithms, sigmoid, softplus
from ..base.numeric.total import mean
from ..base.types import Floats, Partitions
from .margin import Logistic, Softmax

_LEAST = 2.0**-52  # the smallest share of a class that a constant score believes in
_NEAR = 1e-9  # how near to 1 the shares of a row add up


@dataclass(frozen=True)
class ShareLogistic(Logistic):
    """ln(1 + exp(F)) - q F, the log-loss of a share q of the second class; y holds 2 q - 1.

    Where q is 0 or 1 it is ``Logistic``.

    >>> loss, y = ShareLogistic(), np.array([0.5])  # three quarters
    >>> loss.gradient(y, np.zeros(1)).tolist(), loss.best_constant(y).round(3).tolist()
    ([-0.25], [1.099])
    """

    by_name = False  # y with a share of each class makes it
    number = 72
    native = False

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        return np.asarray(softplus(F) - 0.5 * (1 + y) * F)

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        return np.asarray(sigmoid(F) - 0.5 * (1 + y))

    def best_constant(
        self, y: NDArray[Any], w: NDArray[Any] | None = None, over: Partitions | None = None
    ) -> Floats:
        share = min(max(mean(0.5 * (1 + y), w, over), _LEAST), 1 - _LEAST)
        return np.array([log(share / (1 - share))])

    def check_target(self, y: NDArray[Any], over: Partitions | None = None) -> None:
        refuse_target(self, y, np.abs(y) <= 1, "shares as numbers from -1 to +1")


@dataclass(frozen=True)
class ShareSoftmax(Softmax):
    """-sum q_k ln p_k with p_k = exp(F_k) / sum exp(F_l); y holds the shares q_k of all classes.

    A y of class numbers has a share of 1 in each of them.

    >>> loss, y = ShareSoftmax(3), np.array([[0.5, 0.25, 0.25]])
    >>> loss.gradient(y, np.zeros((1, 3))).round(3).tolist()
    [[-0.167, 0.083, 0.083]]
    """

    by_name = False  # y with a share of each class makes it
    number = 73
    native = False

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        q = self._shares(y)
        top: Floats = F.max(axis=1)
        away = F - top[:, None]
        found, likely = np.zeros(len(F)), np.zeros(len(F))
        for k in range(self.n_classes):
            found += exponentials(away[:, k])
            likely += q[:, k] * away[:, k]
        return np.asarray(logarithms(found) - likely)

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        return np.asarray(self.inverse_link(F) - self._shares(y))

    def best_constant(
        self, y: NDArray[Any], w: NDArray[Any] | None = None, over: Partitions | None = None
    ) -> Floats:
        columns = map(np.ascontiguousarray, self._shares(y).T)
        logs = np.array([log(max(mean(column, w, over), _LEAST)) for column in columns])
        return np.asarray(logs - fsum(logs) / self.n_classes)

    def check_target(self, y: NDArray[Any], over: Partitions | None = None) -> None:
        if y.ndim == 1:
            super().check_target(y, over)
            return
        fine = (y >= 0).all(axis=1) & (np.abs(y.sum(axis=1) - 1) <= _NEAR)
        if y.shape[1] != self.n_classes or not fine.all():
            raise ValueError(
                f"y must hold {self.n_classes} shares a row, which add up to 1, for {self!r}."
            )

    def _shares(self, y: NDArray[Any]) -> NDArray[Any]:
        return np.eye(self.n_classes)[y] if y.ndim == 1 else y


def of_shares(n_classes: int) -> Logistic | Softmax:
    """The log-loss of shares of so many classes, two or more."""
    return ShareLogistic() if n_classes == 2 else ShareSoftmax(n_classes)
