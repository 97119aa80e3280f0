"""The log-loss of several classes."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.loss import CLASSES, Loss, refuse_target
from ..base.numeric.exponential import exponentials, logarithms
from ..base.numeric.total import total
from ..base.types import Floats
from .margin import _LEAST


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
        everything = logarithms(_added(exponentials(F - top[:, None])))
        mine: Floats = F[np.arange(len(y)), y]
        return everything - (mine - top)

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        g = self.inverse_link(F)
        g[np.arange(len(y)), y] -= 1
        return g

    def curvature(self, y: NDArray[Any], F: Floats) -> Floats:
        p = self.inverse_link(F)
        return p * (1 - p)

    def best_constant(self, y: NDArray[Any], w: NDArray[Any] | None = None) -> Floats:
        everyone = total(np.ones(len(y)), w)
        shares = [total(np.equal(y, k), w) / everyone for k in range(self.n_classes)]
        logs = np.array([log(max(share, _LEAST)) for share in shares])
        return np.asarray(logs - fsum(logs) / self.n_classes)

    def inverse_link(self, F: Floats) -> Floats:
        top: Floats = F.max(axis=1, keepdims=True)
        e = exponentials(F - top)
        return e / _added(e)[:, None]

    def check_target(self, y: NDArray[Any]) -> None:
        known = np.isin(y, np.arange(self.n_classes))
        refuse_target(self, y, known, f"classes 0 to {self.n_classes - 1}")


def _added(e: Floats) -> Floats:
    """Sums over the classes, in their order."""
    added: Floats = e[:, 0].copy()
    for k in range(1, e.shape[1]):
        added += e[:, k]
    return added
