"""How clearly the best cross of one cut through each of two columns parts the gradients."""

from __future__ import annotations

from typing import Any

import numpy as np


def cross(a: Any, b: Any, g: Any, c: Any, times: Any, l2: float) -> tuple[float, float]:
    """How clearly, and how much the best one gains. Columns are coarse cells 0, 1, ...; what either
    explains alone is taken out first.
    """
    rows, columns = np.unique(a), np.unique(b)
    G, C, S = (
        np.array([[x[(a == i) & (b == j)].sum() for j in columns] for i in rows])
        for x in (g * times, c * times, g * g * times)
    )
    of_row, of_column = np.zeros(len(rows)), np.zeros(len(columns))
    for _ in range(4):
        of_row = -(G + C * of_column).sum(axis=1) / (C.sum(axis=1) + l2)
        of_column = -(G + C * of_row[:, None]).sum(axis=0) / (C.sum(axis=0) + l2)
    left = G + C * (of_row[:, None] + of_column)
    one = (g * g * times).sum() / times.sum()
    noise = S.sum() / C.sum()
    clear, gain = 0.0, 0.0
    for i in range(1, len(rows)):
        for j in range(1, len(columns)):
            quarters = [
                (p, q)
                for p in (slice(None, i), slice(i, None))
                for q in (slice(None, j), slice(j, None))
            ]
            squares = [left[quarter].sum() ** 2 for quarter in quarters]
            by_noise = [max(S[q].sum(), noise * C[q].sum()) + one for q in quarters]
            by_bend = [C[quarter].sum() + l2 for quarter in quarters]
            clear = max(clear, sum(np.divide(squares, by_noise)))
            gain = max(gain, sum(np.divide(squares, by_bend)))
    return clear, gain
