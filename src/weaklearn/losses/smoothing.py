"""Losses of labels that are right with a probability below 1."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.loss import Loss, option
from ..base.types import Floats, Partitions
from .margin import Logistic, Softmax, added, share_above, shares_of


@dataclass(frozen=True)
class SmoothedLogistic(Logistic):
    """The log-loss of labels of which a share ``smoothing`` is dealt evenly to both classes.

    Such labels believe in p = 1 - smoothing / 2 at most, so that scores stay finite.

    >>> loss = SmoothedLogistic(0.2)
    >>> loss.inverse_link(loss.best_constant(np.array([1, 1]))).round(3).tolist()
    [0.9]
    """

    smoothing: float = option(0.1, 0.0, 1.0, "label_smoothing")

    by_name = False  # log_loss with label_smoothing makes it
    number = 68
    native = False

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        return super().value(y, F) + self.smoothing / 2 * (y * F)

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        return super().gradient(y, F) + self.smoothing / 2 * y

    def best_constant(
        self, y: NDArray[Any], w: NDArray[Any] | None = None, over: Partitions | None = None
    ) -> Floats:
        share = (1 - self.smoothing) * share_above(y, w, over) + self.smoothing / 2
        return np.array([log(share / (1 - share))])


@dataclass(frozen=True)
class SmoothedSoftmax(Softmax):
    """The log-loss of labels of which a share ``smoothing`` is dealt evenly to all K classes.

    >>> loss = SmoothedSoftmax(4, 0.2)
    >>> loss.gradient(np.array([0]), np.zeros((1, 4))).round(3).tolist()
    [[-0.6, 0.2, 0.2, 0.2]]
    """

    smoothing: float = option(0.1, 0.0, 1.0, "label_smoothing")

    by_name = False  # log_loss with label_smoothing makes it
    number = 69
    native = False

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        mine: Floats = F[np.arange(len(y)), y]
        mean = added(F) / self.n_classes
        return super().value(y, F) + self.smoothing * (mine - mean)

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        g = self.inverse_link(F) - self.smoothing / self.n_classes
        g[np.arange(len(y)), y] -= 1 - self.smoothing
        return np.asarray(g)

    def best_constant(
        self, y: NDArray[Any], w: NDArray[Any] | None = None, over: Partitions | None = None
    ) -> Floats:
        shares, dealt = shares_of(y, self.n_classes, w, over), self.smoothing / self.n_classes
        logs = np.array([log((1 - self.smoothing) * share + dealt) for share in shares])
        return np.asarray(logs - fsum(logs) / self.n_classes)


def smoothed(loss: Loss, smoothing: float) -> Loss:
    """The log-loss with smoothed labels; refuses other losses.

    >>> smoothed(Softmax(3), 0.1)
    SmoothedSoftmax(n_classes=3, smoothing=0.1)
    """
    if type(loss) is Logistic:
        return SmoothedLogistic(smoothing)
    if type(loss) is Softmax:
        return SmoothedSoftmax(loss.n_classes, smoothing)
    raise ValueError(
        f"label_smoothing={smoothing:g} is not allowed with loss {loss.name!r}: it smooths labels "
        "of the log-loss; pass loss='log_loss', or label_smoothing=0."
    )
