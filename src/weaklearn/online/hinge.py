"""The halfspace of least total hinge loss, by a linear program."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..base.types import Floats


class LeastHinge(NamedTuple):
    """Weights of least total hinge loss, the margins y w.x of the rows, that total, and the bound
    on it from the dual program.
    """

    w: Floats
    margins: Floats
    total: float
    bound: float


def least_hinge(X: Any, y: Floats, cost: Floats) -> LeastHinge:
    r"""Minimise the total hinge loss of w over rows, each counting ``cost`` times.

    .. math:: \min_w \sum_i c_i \xi_i, \quad y_i\, w \cdot x_i \ge 1 - \xi_i, \quad \xi_i \ge 0

    It is solved through its dual, which has a row for each feature: maximise the sum of a_i with
    0 <= a_i <= c_i and sum a_i y_i x_i = 0. The multipliers of these equations are w.

    >>> found = least_hinge(np.array([[1.0], [2.0], [-1.0]]), np.array([1.0, 1, 1]), np.ones(3))
    >>> found.total, found.bound
    (2.0, 2.0)
    """
    from scipy.optimize import linprog  # heavy, and needed here alone

    signed: Any = X * y[:, None] if isinstance(X, np.ndarray) else X.multiply(y[:, None]).tocsr()
    n, d = signed.shape
    found = linprog(
        -np.ones(n),
        A_eq=signed.T,
        b_eq=np.zeros(d),
        bounds=list(zip(np.zeros(n), cost)),
        method="highs",
    )
    if found.status != 0 or found.fun is None:
        raise RuntimeError(
            f"the linear program of {n} rows and {d} features was not solved: {found.message}"
        )
    w = -np.asarray(found.eqlin.marginals, np.float64)
    margins = np.asarray(signed @ w, np.float64)
    total = float((cost * np.maximum(0.0, 1 - margins)).sum())
    return LeastHinge(w, margins, total, float(-found.fun))
