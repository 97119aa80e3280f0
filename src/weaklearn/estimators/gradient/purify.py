"""A function of two columns taken apart: what either says alone, and what only both say."""

from __future__ import annotations

import numpy as np

from ...base.types import Floats

_NOTHING = 1e-12  # a pivot this much smaller than its diagonal is rounding


def purified(tables: Floats, weights: Floats) -> tuple[Floats, Floats, Floats]:
    """Tables (a, b, n) of pairs, all with the same weights (a, b), into pure tables, and functions
    of the first column (a, n) and of the second (b, n) that make up the rest.

    In a pure table every row and every column has the weighted mean 0, so it is the only one of its
    kind: the residual of the additive fit, weighted least squares. Its normal equations are solved
    by elimination, once for all tables; where parts of the table are not connected, or hold no
    weight, what cannot be told apart stays where it is.
    """
    rows, columns = weights.sum(axis=1), weights.sum(axis=0)
    share = np.divide(weights, rows[:, None], out=np.zeros_like(weights), where=rows[:, None] > 0)
    laplace = np.diag(columns) - _product(weights.T, share)
    solve = _elimination(laplace)
    pure = tables.astype(np.float64)
    of_first = np.zeros((len(rows), tables.shape[2]))
    of_second = np.zeros((len(columns), tables.shape[2]))
    for _ in range(3):  # the second and third time for what rounding has left
        by_row = (share[:, :, None] * pure).sum(axis=1)
        by_column = (weights[:, :, None] * (pure - by_row[:, None, :])).sum(axis=0)
        second = solve(by_column)
        first = by_row - (share[:, :, None] * second[None]).sum(axis=1)
        first[rows == 0] = 0.0
        pure -= first[:, None, :] + second[None]
        of_first += first
        of_second += second
    return pure, of_first, of_second


class _elimination:
    """Solves A x = b for a symmetric matrix without negative eigenvalues; x is 0 where A says
    nothing. Plain steps in a fixed order: no library that might add up differently elsewhere.
    """

    def __init__(self, matrix: Floats) -> None:
        A = matrix.copy()
        n = len(A)
        least = _NOTHING * np.maximum(np.diag(matrix), 0.0)
        self._pivots = np.zeros(n)
        for k in range(n):
            if A[k, k] <= least[k]:
                A[k:, k] = 0.0
                continue
            self._pivots[k] = A[k, k]
            A[k + 1 :, k] /= A[k, k]
            A[k + 1 :, k + 1 :] -= A[k + 1 :, k, None] * A[None, k, k + 1 :]
            A[k, k + 1 :] = 0.0
        self._factor = np.tril(A, -1)

    def __call__(self, b: Floats) -> Floats:
        x = b.copy()
        for k in range(len(x)):
            x[k + 1 :] -= self._factor[k + 1 :, k, None] * x[None, k]
        known = self._pivots > 0
        x[known] /= self._pivots[known, None]
        x[~known] = 0.0
        for k in range(len(x) - 1, -1, -1):
            x[:k] -= self._factor[k, :k, None] * x[None, k]
        x[~known] = 0.0
        return x


def _product(a: Floats, b: Floats) -> Floats:
    """The matrix product, added up in a fixed order."""
    out = np.zeros((a.shape[0], b.shape[1]))
    for k in range(a.shape[1]):
        out += a[:, k, None] * b[None, k]
    return out
