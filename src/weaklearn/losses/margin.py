"""Losses of labels: of the margin y F, and the log-loss of several classes."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.loss import CLASSES, SIGNS, Loss, refuse_target
from ..base.numeric.exponential import exponentials, logarithms, sigmoid, softplus
from ..base.numeric.total import total
from ..base.types import Floats, Partitions

_LEAST = 2.0**-52  # the smallest share of a class that a constant score believes in


class MarginLoss(Loss):
    """phi(y F), with phi falling."""

    target = SIGNS

    def inverse_link(self, F: Floats) -> Floats:
        return sigmoid(F)

    def check_target(self, y: NDArray[Any], over: Partitions | None = None) -> None:
        refuse_target(self, y, (y == 1) | (y == -1), "labels -1 and +1")


def _weight_of(chosen: NDArray[np.bool_], w: NDArray[Any] | None, over: Partitions | None) -> float:
    """The weight of the chosen examples; a whole number where all weights are."""
    if w is not None and w.dtype.kind not in "iu":
        return total(chosen, w, over)
    own = np.array([np.count_nonzero(chosen) if w is None else w[chosen].sum()], np.int64)
    return int((own if over is None else over.sum(own))[0])


def share_above(y: NDArray[Any], w: NDArray[Any] | None, over: Partitions | None) -> float:
    """The share of the weight that has +1; where a class is absent, as if it had 2^-52."""
    above = np.asarray(y) > 0
    share = _weight_of(above, w, over) / _weight_of(np.ones_like(above), w, over)
    return min(max(share, _LEAST), 1 - _LEAST)


def _log_odds(y: NDArray[Any], w: NDArray[Any] | None, over: Partitions | None) -> float:
    """ln(W+ / W-)."""
    share = share_above(y, w, over)
    return log(share / (1 - share))


def shares_of(
    y: NDArray[Any], n_classes: int, w: NDArray[Any] | None, over: Partitions | None
) -> list[float]:
    """The share of each class; 2^-52 where it is absent."""
    everyone = _weight_of(np.ones(len(y), bool), w, over)
    shares = [_weight_of(np.equal(y, k), w, over) / everyone for k in range(n_classes)]
    return [max(share, _LEAST) for share in shares]


@dataclass(frozen=True)
class Exponential(MarginLoss):
    """exp(-y F), the loss that AdaBoost descends.

    The best constant is 1/2 ln(W+/W-), and half the log-odds is what F estimates.

    >>> loss, y = Exponential(), np.array([1, 1, -1])
    >>> loss.value(y, np.zeros(3)).tolist(), loss.gradient(y, np.zeros(3)).tolist()
    ([1.0, 1.0, 1.0], [-1.0, -1.0, 1.0])
    >>> loss.inverse_link(loss.best_constant(y)).round(3).tolist()
    [0.667]
    """

    name = "exponential"
    aliases = ("exp",)
    number = 40
    log_odds = 2

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        return exponentials(-y * F)

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        return -y * exponentials(-y * F)

    def curvature(self, y: NDArray[Any], F: Floats) -> Floats:
        return exponentials(-y * F)

    def best_constant(
        self, y: NDArray[Any], w: NDArray[Any] | None = None, over: Partitions | None = None
    ) -> Floats:
        return np.array([_log_odds(y, w, over) / 2])

    def inverse_link(self, F: Floats) -> Floats:
        return sigmoid(2 * F)


@dataclass(frozen=True)
class Logistic(MarginLoss):
    """ln(1 + exp(-y F)), the log-loss of the probability 1 / (1 + exp(-F)).

    >>> loss, y = Logistic(), np.array([1, -1])
    >>> loss.gradient(y, np.zeros(2)).tolist(), loss.curvature(y, np.zeros(2)).tolist()
    ([-0.5, 0.5], [0.25, 0.25])
    """

    name = "log_loss"
    aliases = ("logistic",)
    number = 41
    log_odds = 1
    native = True

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        return softplus(-y * F)

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        return -y * sigmoid(-y * F)

    def curvature(self, y: NDArray[Any], F: Floats) -> Floats:
        return sigmoid(F) * sigmoid(-F)

    def best_constant(
        self, y: NDArray[Any], w: NDArray[Any] | None = None, over: Partitions | None = None
    ) -> Floats:
        return np.array([_log_odds(y, w, over)])


@dataclass(frozen=True)
class Hinge(MarginLoss):
    """max(0, 1 - y F), by its subgradient.

    It estimates labels, not probabilities: the sigmoid that stands in for a link wants calibrating.

    >>> Hinge().value(np.array([1, 1, -1]), np.array([0.0, 2.0, 0.5])).tolist()
    [1.0, 0.0, 1.5]
    """

    name = "hinge"
    number = 42

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        return np.maximum(1 - y * F, 0.0)

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        return np.where(y * F < 1, -y, 0).astype(np.float64)

    def curvature(self, y: NDArray[Any], F: Floats) -> Floats:
        return np.ones_like(F)

    def best_constant(
        self, y: NDArray[Any], w: NDArray[Any] | None = None, over: Partitions | None = None
    ) -> Floats:
        return np.sign([_log_odds(y, w, over)])


@dataclass(frozen=True)
class Softmax(Loss):
    """-ln p_y with p_k = exp(F_k) / sum exp(F_l), for labels 0 .. K-1.

    The gradient by F_k is p_k - 1[y = k], and the curvature p_k (1 - p_k), the diagonal of the
    second derivative.

    >>> loss, y = Softmax(3), np.array([0, 2])
    >>> loss.gradient(y, np.zeros((2, 3))).round(3).tolist()
    [[-0.667, 0.333, 0.333], [0.333, 0.333, -0.667]]
    """

    n_classes: int

    name = "log_loss"
    number = 43
    target = CLASSES
    native = True

    @property
    def n_outputs(self) -> int:
        """The number of scores per row."""
        return self.n_classes

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        top: Floats = F.max(axis=1)
        everything = logarithms(added(exponentials(F - top[:, None])))
        mine: Floats = F[np.arange(len(y)), y]
        return everything - (mine - top)

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        g = self.inverse_link(F)
        g[np.arange(len(y)), y] -= 1
        return g

    def curvature(self, y: NDArray[Any], F: Floats) -> Floats:
        p = self.inverse_link(F)
        return p * (1 - p)

    def best_constant(
        self, y: NDArray[Any], w: NDArray[Any] | None = None, over: Partitions | None = None
    ) -> Floats:
        logs = np.array([log(share) for share in shares_of(y, self.n_classes, w, over)])
        return np.asarray(logs - fsum(logs) / self.n_classes)

    def inverse_link(self, F: Floats) -> Floats:
        top: Floats = F.max(axis=1, keepdims=True)
        e = exponentials(F - top)
        return e / added(e)[:, None]

    def check_target(self, y: NDArray[Any], over: Partitions | None = None) -> None:
        known = np.isin(y, np.arange(self.n_classes))
        refuse_target(self, y, known, f"classes 0 to {self.n_classes - 1}")


def added(e: Floats) -> Floats:
    """Sums over the classes, in their order."""
    added: Floats = e[:, 0].copy()
    for k in range(1, e.shape[1]):
        added += e[:, k]
    return added
