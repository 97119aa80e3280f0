"""The game of capped weights against votes, row by row, by scipy's solvers."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import linprog, minimize


def hardest(M: Any, share: Any, nu: float) -> tuple[float, Any]:
    """The least largest correlation under any D <= share/nu, and the votes that meet it."""
    m, n = M.shape
    found = linprog(
        np.append(np.zeros(m), 1.0),
        A_ub=np.column_stack([M.T, -np.ones(n)]),
        b_ub=np.zeros(n),
        A_eq=np.append(np.ones(m), 0.0)[None],
        b_eq=[1.0],
        bounds=[*((0.0, cap) for cap in share / nu), (-2.0, 2.0)],
        method="highs",
    )
    assert found.status == 0
    return float(found.fun), -found.ineqlin.marginals


def soft_margin(margins: Any, share: Any, nu: float) -> float:
    """The least mean margin under any D <= share/nu: fill the caps of the lowest margins."""
    left, total = 1.0, 0.0
    for i in np.argsort(margins, kind="stable"):
        taken = min(left, share[i] / nu)
        total, left = total + taken * margins[i], left - taken
    return total


def entropy(D: Any, share: Any) -> float:
    kept = D > 0
    return float((D[kept] * np.log(D[kept] / share[kept])).sum())


def least(objective: Any, M: Any, share: Any, nu: float, bound: float | None = None) -> float:
    """The least of a smooth function of (D, b) with M' D <= b, or below a given bound."""
    m = len(M)
    rules = [{"type": "eq", "fun": lambda v: v[:m].sum() - 1}]
    rules.append({"type": "ineq", "fun": lambda v: (v[m] if bound is None else bound) - v[:m] @ M})
    start = np.append(share, (share @ M).max())
    bounds = [*((1e-12, cap) for cap in share / nu), (-2.0, 2.0)]
    found = minimize(
        objective,
        start,
        method="SLSQP",
        bounds=bounds,
        constraints=rules,
        options={"maxiter": 500, "ftol": 1e-12},
    )
    return float(found.fun)
