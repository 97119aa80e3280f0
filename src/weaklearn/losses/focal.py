"""The focal loss: examples that are right already count little."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import fsum, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.loss import CLASSES, option
from ..base.numeric.exponential import exponentials, logarithms, sigmoid, softplus
from ..base.types import Floats, Partitions
from .margin import MarginLoss, Softmax, share_above, shares_of

_STEPS = 100  # at most; fewer than ten do most often
_NEAR = 2.0**-40
_FAR = 500.0  # the largest log-odds that links tell apart
_TINY = 2.0**-1000


def _believed(u: Floats, gamma: float) -> Floats:
    """ln(p / a) at the log-odds u of p, with a the slope of the loss by -ln p.

    Where the focal loss is least, chances of classes are to one another as p / a.
    """
    u = np.clip(u, -_FAR, _FAR)
    pulled = 1 + gamma * exponentials(u) * softplus(-u)
    return np.asarray(gamma * softplus(u) - softplus(-u) - logarithms(pulled))


def _slope_of_believed(u: Floats, gamma: float) -> Floats:
    """Its derivative, which is above 0."""
    u = np.clip(u, -_FAR, _FAR)
    p, pulled = sigmoid(u), exponentials(u) * softplus(-u)
    return np.asarray(gamma * p + sigmoid(-u) - gamma * (pulled - p) / (1 + gamma * pulled))


def _zero(rising: Callable[[Floats], tuple[Floats, Floats]], n: int) -> Floats:
    """Where n functions are 0 that rise, by Newton's steps; ``rising`` gives values and slopes."""
    low, high, u = np.full(n, -_FAR), np.full(n, _FAR), np.zeros(n)
    for _ in range(_STEPS):
        value, slope = rising(u)
        low, high = np.where(value < 0, u, low), np.where(value < 0, high, u)
        step = u - value / slope
        inside = (step > low) & (step < high)
        before, u = u, np.where(inside, step, (low + high) / 2)
        if (np.abs(u - before) <= _NEAR * (1 + np.abs(u))).all():
            break
    return u


@dataclass(frozen=True)
class Focal(MarginLoss):
    """-(1 - p)^gamma ln p with p = 1 / (1 + exp(-y F)), the probability of the label.

    With gamma = 0 it is the log-loss; the larger gamma, the less an example counts that is right
    already. p itself is then too near to 1/2. The link answers with the share of the class at
    which the mean loss is least at F, so that probabilities can be believed as those of the
    log-loss. Far on the wrong side the loss bends downwards, and the size of its bend stands in for
    the curvature.

    >>> loss, y = Focal(), np.array([1, 1, -1])
    >>> loss.value(y, np.array([0.0, 4.0, 4.0])).round(4).tolist()
    [0.1733, 0.0, 3.874]
    >>> loss.inverse_link(loss.best_constant(y)).round(3).tolist()
    [0.667]

    References
    ----------
    Lin, Goyal, Girshick, He and Dollar (2017), Focal loss for dense object detection.
    """

    gamma: float = option(2.0, 0.0)

    name = "focal"
    number = 56
    link_is_logistic = False

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        m = y * F
        return np.asarray(exponentials(-self.gamma * softplus(m)) * softplus(-m))

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        m = y * F
        left = exponentials(-self.gamma * softplus(m))
        return np.asarray(-y * left * (sigmoid(-m) + self.gamma * sigmoid(m) * softplus(-m)))

    def curvature(self, y: NDArray[Any], F: Floats) -> Floats:
        m = y * F
        p, q, cost = sigmoid(m), sigmoid(-m), softplus(-m)
        left = exponentials(-self.gamma * softplus(m))
        bend = self.gamma * (self.gamma * p * cost - q * cost + q) + (self.gamma + 1) * q
        return np.asarray(np.abs(left * p * bend))

    def best_constant(
        self, y: NDArray[Any], w: NDArray[Any] | None = None, over: Partitions | None = None
    ) -> Floats:
        share = share_above(y, w, over)
        wanted = log(share / (1 - share))

        def rising(F: Floats) -> tuple[Floats, Floats]:
            both = (_slope_of_believed(side * F, self.gamma) for side in (1, -1))
            return self._log_odds(F) - wanted, np.asarray(sum(both))

        return _zero(rising, 1)

    def inverse_link(self, F: Floats) -> Floats:
        return sigmoid(self._log_odds(F))

    def _log_odds(self, F: Floats) -> Floats:
        return _believed(F, self.gamma) - _believed(-F, self.gamma)


@dataclass(frozen=True)
class FocalSoftmax(Softmax):
    """-(1 - p_y)^gamma ln p_y with p_k = exp(F_k) / sum exp(F_l), for labels 0 .. K-1.

    Probabilities are those at which the mean loss is least at F; curvatures are the size of the
    diagonal of the second derivative, as in ``Focal``.

    >>> FocalSoftmax(3).value(np.array([0, 2]), np.zeros((2, 3))).round(4).tolist()
    [0.4883, 0.4883]
    """

    gamma: float = option(2.0, 0.0)

    name = "focal"
    number = 57
    target = CLASSES
    native = False
    link_is_logistic = False

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        cost, _, q = self._parts(y, F)
        return self._left(q) * cost

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        cost, shares, q = self._parts(y, F)
        return self._slope(y, cost, shares, q)[:, None] * self._away(y, shares, q)

    def curvature(self, y: NDArray[Any], F: Floats) -> Floats:
        cost, shares, q = self._parts(y, F)
        p, gamma = shares[np.arange(len(y)), y], self.gamma
        apart = self._away(y, shares, q) / np.maximum(q, _TINY)[:, None]
        bend = gamma * p * self._left(q) * (q * (2 - cost) + (gamma - 1) * p * cost)
        slope = self._slope(y, cost, shares, q)
        c = bend[:, None] * apart * apart - slope[:, None] * (shares * (1 - shares))
        return np.asarray(np.abs(c))

    def best_constant(
        self, y: NDArray[Any], w: NDArray[Any] | None = None, over: Partitions | None = None
    ) -> Floats:
        wanted = np.array([log(share) for share in shares_of(y, self.n_classes, w, over)])

        def rising(level: Floats) -> tuple[Floats, Floats]:
            u = self._log_odds_at(wanted + level)
            grown = sigmoid(u) * sigmoid(-u) / _slope_of_believed(u, self.gamma)
            return np.array([fsum(sigmoid(u)) - 1]), np.array([max(fsum(grown), _TINY)])

        F = -softplus(-self._log_odds_at(wanted + _zero(rising, 1)))
        return np.asarray(F - fsum(F) / self.n_classes)

    def inverse_link(self, F: Floats) -> Floats:
        p = super().inverse_link(F)
        rest = 1 - p
        rows, top = np.arange(len(p)), p.argmax(axis=1)
        rest[rows, top] = _others(p, top)
        u = logarithms(np.maximum(p, _TINY)) - logarithms(np.maximum(rest, _TINY))
        return super().inverse_link(_believed(u, self.gamma))

    def _log_odds_at(self, wanted: Floats) -> Floats:
        """The log-odds of p at which ``_believed`` is as wanted."""

        def rising(u: Floats) -> tuple[Floats, Floats]:
            return _believed(u, self.gamma) - wanted, _slope_of_believed(u, self.gamma)

        return _zero(rising, len(wanted))

    def _parts(self, y: NDArray[Any], F: Floats) -> tuple[Floats, Floats, Floats]:
        """-ln p_y, the p of all classes, and 1 - p_y."""
        shares = super().inverse_link(F)
        return super().value(y, F), shares, _others(shares, y)

    def _left(self, q: Floats) -> Floats:
        return exponentials(self.gamma * logarithms(np.maximum(q, _TINY)))

    def _slope(self, y: NDArray[Any], cost: Floats, shares: Floats, q: Floats) -> Floats:
        """The derivative by ln p_y."""
        p = shares[np.arange(len(y)), y]
        return np.asarray(-self._left(q) * (1 + self.gamma * p * (cost / np.maximum(q, _TINY))))

    def _away(self, y: NDArray[Any], shares: Floats, q: Floats) -> Floats:
        """The derivative of ln p_y by each score."""
        away = -shares
        away[np.arange(len(y)), y] = q
        return away


def _others(p: Floats, y: NDArray[Any]) -> Floats:
    """The sum over all classes but y."""
    left = p.copy()
    left[np.arange(len(p)), y] = 0
    so_far: Floats = left[:, 0].copy()
    for k in range(1, p.shape[1]):
        so_far += left[:, k]
    return so_far
