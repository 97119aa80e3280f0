"""What the best cross of one cut through each of two columns gains, from the rows themselves."""

from __future__ import annotations

from typing import Any

import numpy as np


def cross_gain(a: Any, b: Any, g: Any, c: Any, l2: float) -> float:
    """Columns as coarse cells 0, 1, ...; what either column explains alone is taken out first."""
    rows, columns = np.unique(a), np.unique(b)
    G = np.array([[g[(a == i) & (b == j)].sum() for j in columns] for i in rows])
    C = np.array([[c[(a == i) & (b == j)].sum() for j in columns] for i in rows])
    of_row, of_column = np.zeros(len(rows)), np.zeros(len(columns))
    for _ in range(4):
        of_row = -(G + C * of_column).sum(axis=1) / (C.sum(axis=1) + l2)
        of_column = -(G + C * of_row[:, None]).sum(axis=0) / (C.sum(axis=0) + l2)
    left = G + C * (of_row[:, None] + of_column)
    best = 0.0
    for i in range(1, len(rows)):
        for j in range(1, len(columns)):
            quarters = [
                (left[p, q].sum(), C[p, q].sum())
                for p in (slice(None, i), slice(i, None))
                for q in (slice(None, j), slice(j, None))
            ]
            best = max(best, sum(G_q**2 / (C_q + l2) for G_q, C_q in quarters))
    return best
