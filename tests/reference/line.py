"""Unions of intervals and rules of three pieces, by trying all of them."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np


def least_union_error(x: Any, y: Any, w: Any, n: int) -> Any:
    """The least weight of mistakes of any union of at most n closed intervals of values of x."""
    x, y, w = np.asarray(x), np.asarray(y), np.asarray(w)
    u = np.unique(x)
    best = w[y > 0].sum()
    for k in range(1, n + 1):
        for ends in combinations(range(2 * len(u)), 2 * k):  # every value once as first, as last
            pairs = [(u[a // 2], u[b // 2]) for a, b in zip(ends[::2], ends[1::2], strict=True)]
            inside = np.any([(a <= x) & (x <= b) for a, b in pairs], axis=0)
            best = min(best, w[np.where(inside, 1, -1) != y].sum())
    return best


def best_three_piece(x: Any, y: Any, w: Any) -> tuple[Any, float, float, int]:
    """Least weight of mistakes, t1, t2 and b; ties to the lowest t1, then t2, then b = +1."""
    x, y, w = np.asarray(x, float), np.asarray(y), np.asarray(w)
    u = np.unique(x)
    gaps = [-np.inf, *((u[1:] + u[:-1]) / 2), np.inf]
    found = []
    for i, j in combinations(range(len(gaps)), 2):
        for rank, b in enumerate((1, -1)):
            inside = (gaps[i] <= x) & (x <= gaps[j])
            wrong = w[np.where(inside, -b, b) != y].sum()
            found.append((wrong, gaps[i], gaps[j], rank, b))
    wrong, t1, t2, _, b = min(found)
    return wrong, t1, t2, b
