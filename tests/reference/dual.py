"""The dual of a support vector machine, one coordinate at a time, by the book."""

from __future__ import annotations

from typing import Any

import numpy as np


def objectives(K: Any, y: Any, cap: Any, a: Any) -> tuple[float, float]:
    """Primal and dual objective of multipliers."""
    f = K @ (a * y) / 2
    length = (a * y) @ f / 2
    return length + (cap * np.maximum(0, 1 - y * f)).sum(), a.sum() - length


def step(K: Any, y: Any, cap: Any, a: Any, i: int) -> float:
    """Where coordinate i goes."""
    f = K[i] @ (a * y) / 2
    if K[i, i] == 0:
        return float(cap[i] if y[i] * f < 1 else a[i])
    return float(np.clip(a[i] + 2 * (1 - y[i] * f) / K[i, i], 0, cap[i]))


def solve(K: Any, y: Any, cap: Any, passes: int = 2000) -> Any:
    """Multipliers after so many passes in order."""
    a = np.zeros(len(y))
    for _ in range(passes):
        before = a.copy()
        for i in range(len(y)):
            a[i] = step(K, y, cap, a, i)
        if np.abs(a - before).max() <= 1e-14 * cap.max():
            break
    return a
