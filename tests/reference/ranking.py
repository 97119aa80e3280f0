"""Metrics of rankings and the gradients of LambdaMART by their definitions, one query at a time."""

from __future__ import annotations

from itertools import pairwise, permutations
from math import exp, log2

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def metric_in_order(kind: str, k: int, y: list[float]) -> float:
    """The metric of items in an order, the first one first; NaN where there is nothing to find."""
    n_relevant = sum(grade > 0 for grade in y)
    if kind == "mrr":
        return next((1 / p for p, grade in enumerate(y[:k], 1) if grade > 0), 0.0)
    if n_relevant == 0:
        return float("nan")
    if kind == "map":
        found = [sum(g > 0 for g in y[:p]) / p for p in range(1, k + 1) if p <= len(y) and y[p - 1]]
        return sum(found) / min(n_relevant, k)
    return _gain(y, k) / _gain(sorted(y, reverse=True), k)


def _gain(y: list[float], k: int) -> float:
    return sum((2**grade - 1) / log2(p + 1) for p, grade in enumerate(y[:k], 1))


def metric(kind: str, k: int, y: Floats, F: Floats) -> float:
    """The mean over all orders of equal scores."""
    orders = [
        order
        for order in permutations(range(len(y)))
        if all(F[a] >= F[b] for a, b in pairwise(order))
    ]
    return float(np.mean([metric_in_order(kind, k, [y[i] for i in order]) for order in orders]))


def lambdas(
    kind: str, k: int, y: Floats, F: Floats, sigma: float = 1.0, normalize: bool = True
) -> tuple[Floats, Floats]:
    """Gradient and curvature of a query whose equal scores stand in the order they come in."""
    order = np.argsort(-F, kind="stable").tolist()
    g, c = np.zeros(len(y)), np.zeros(len(y))
    now = metric_in_order(kind, k, [y[i] for i in order])
    for a in range(len(y)):
        for b in range(len(y)):
            if y[a] > y[b]:
                swapped = list(order)
                i, j = order.index(a), order.index(b)
                swapped[i], swapped[j] = b, a
                w = abs(metric_in_order(kind, k, [y[i] for i in swapped]) - now)
                if normalize:
                    w /= 0.01 + abs(F[a] - F[b])
                rho = 1 / (1 + exp(sigma * (F[a] - F[b])))
                g[a] -= sigma * w * rho
                g[b] += sigma * w * rho
                c[a] += sigma**2 * w * rho * (1 - rho)
                c[b] += sigma**2 * w * rho * (1 - rho)
    size = np.abs(g).sum()
    factor = log2(1 + size) / size if normalize and size > 0 else 1.0
    return factor * g, factor * c
