"""A weighted sum of kernels: the function that a kernel learner has learnt."""

from __future__ import annotations

import numpy as np

from ..base.types import Floats
from ..engines import on_threads
from .kernels import Kernel, Points, count

__all__ = ["KernelSum"]


_AT_ONCE = 2**22  # kernels computed at a time


class KernelSum:
    """f(x) = sum of coefficient times K(point, x).

    >>> from weaklearn.online.kernels import Linear
    >>> f = KernelSum(Linear(), np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([2.0, -1.0]))
    >>> f.scores(np.array([[3.0, 4.0]])).tolist()
    [2.0]
    """

    def __init__(
        self, kernel: Kernel, points: Points | None = None, coefficients: Floats | None = None
    ) -> None:
        self.kernel = kernel
        self.points = points
        self.coefficients = np.zeros(0) if coefficients is None else coefficients

    def scores(self, X: Points, threads: int = 1) -> Floats:
        """f of every example; the bits do not depend on the batch."""
        n = count(X)
        scores = np.zeros(n)
        if self.points is None or len(self.coefficients) == 0:
            return scores
        engine, step = on_threads(threads), max(1, _AT_ONCE // len(self.coefficients))
        for first in range(0, n, step):
            block = self.kernel.gram(X[first : first + step], self.points, threads=threads)
            numbers = engine.svm.rows(block)
            scores[first : first + step] = numbers.along(self.coefficients, threads)
        return scores

    def add(self, points: Points, coefficients: Floats) -> None:
        """Appends terms."""
        self.points = points if self.points is None else _joined(self.points, points)
        self.coefficients = np.concatenate([self.coefficients, coefficients])


def _joined(X: Points, Z: Points) -> Points:
    if isinstance(X, list):
        return X + Z
    if isinstance(X, np.ndarray) and isinstance(Z, np.ndarray):
        return np.concatenate([X, Z])
    start = np.concatenate([X.indptr, int(X.indptr[-1]) + Z.indptr[1:].astype(np.int64)])
    cells = (np.concatenate([X.data, Z.data]), np.concatenate([X.indices, Z.indices]), start)
    return type(X)(cells, shape=(X.shape[0] + Z.shape[0], X.shape[1]))
