"""The builder of single rules by plain loops over all tests."""

from __future__ import annotations

from math import exp, log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Test = tuple[int, str, float]  # feature, what is asked, and of which value


def tests_of(X: Floats, categorical: frozenset[int]) -> list[Test]:
    """All tests in the order of preference."""
    found: list[Test] = []
    for j in range(X.shape[1]):
        known = X[~np.isnan(X[:, j]), j]
        values = np.unique(known)
        gaps = len(known) < len(X)
        if j in categorical:
            found += [(j, "=", float(v)) for v in values if len(values) + gaps > 1]
        else:
            cuts = (values[1:] + values[:-1]) / 2
            found += [(j, asks, float(t)) for t in cuts for asks in (">", "<=")]
        if gaps and len(values):
            found.append((j, "missing", 0.0))
    return found


def met(X: Floats, test: Test) -> NDArray[np.bool_]:
    j, asks, value = test
    x = X[:, j]
    if asks == "missing":
        return np.asarray(np.isnan(x))
    with np.errstate(invalid="ignore"):
        return np.asarray({"=": x == value, ">": x > value, "<=": x <= value}[asks])


def weights_of(where: NDArray[np.bool_], y: NDArray[Any], w: Floats) -> tuple[float, float]:
    return float(w[where & (y > 0)].sum()), float(w[where & (y < 0)].sum())


def lead(pair: tuple[float, float]) -> float:
    return sqrt(pair[0]) - sqrt(pair[1])


def grow(
    X: Floats, y: NDArray[Any], w: Floats, categorical: frozenset[int] = frozenset()
) -> list[Test]:
    """Tests added while sqrt(W+) - sqrt(W-) rises."""
    rule: list[Test] = []
    where = np.ones(len(y), bool)
    every = tests_of(X, categorical)
    while weights_of(where, y, w)[1] > 0 and every:
        leads = [lead(weights_of(where & met(X, test), y, w)) for test in every]
        # Ties are those of the square with its sign, which is a weight.
        merits = [value * abs(value) for value in leads]
        now = lead(weights_of(where, y, w))
        best, tie = max(merits), 1e-12 * w.sum()
        if best <= now * abs(now) + tie:
            break
        test = next(t for t, m in zip(every, merits, strict=True) if m >= best - tie)
        rule.append(test)
        where &= met(X, test)
    return rule


def prune(
    rule: list[Test], X: Floats, y: NDArray[Any], grown: Floats, rest: Floats, n: int
) -> list[Test]:
    """The beginning of the rule that does best on the rest."""
    if rest.sum() == 0:
        return rule
    losses = []
    for k in range(len(rule) + 1):
        where = np.ones(len(y), bool)
        for test in rule[:k]:
            where &= met(X, test)
        W, V = weights_of(where, y, grown), weights_of(where, y, rest)
        c = 0.5 * log((W[0] + 1 / (2 * n)) / (W[1] + 1 / (2 * n)))
        losses.append(1 - V[0] - V[1] + V[0] * exp(-c) + V[1] * exp(c))
    return rule[: next(k for k, loss in enumerate(losses) if loss <= min(losses) + 1e-12)]
