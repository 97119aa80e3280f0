"""Slopes of the leaf of a tree of gradients: a weighted ridge regression in plain numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


def slopes_of_leaf(
    X: Numbers, g: Numbers, c: Numbers, l2: float
) -> dict[int, tuple[float, float, float, float]]:
    """Slope, centre, least and largest value of each column of X that has a slope.

    X holds the rows of the leaf and the columns of its path, NaN where missing.
    """
    several = [j for j, x in enumerate(X.T) if len(np.unique(x[~np.isnan(x)])) > 1]
    complete = ~np.isnan(X[:, several]).any(axis=1)
    X, g, c = X[complete], g[complete], c[complete]
    several = [j for j in several if len(np.unique(X[:, j])) > 1]
    if not several:
        return {}
    m = c @ X / c.sum()
    Z = (X - m)[:, several]
    S = Z.T @ (c[:, None] * Z)
    S[np.diag_indices(len(S))] *= 1 + l2 / c.sum()
    b = -np.linalg.solve(S, Z.T @ g)
    ends = X.min(axis=0), X.max(axis=0)
    return {j: (b[k], m[j], ends[0][j], ends[1][j]) for k, j in enumerate(several)}


def answers(tree: Any, leaves: NDArray[Any], X: Numbers) -> Numbers:
    """What a tree with slopes answers rows that end in these leaves."""
    of = tree.slopes
    ends = np.cumsum(of.count)
    found = tree.values[tree.value[leaves], 0].copy()
    for i, leaf in enumerate(leaves.tolist()):
        more = 0.0
        for k in range(ends[leaf] - of.count[leaf], ends[leaf]):
            x = min(max(X[i, of.feature[k]], of.low[k]), of.high[k])
            more += of.slope[k] * (x - of.centre[k])
            if np.isnan(X[i, of.feature[k]]):
                more = np.nan
        found[i] += 0.0 if np.isnan(more) else more
    return np.asarray(found)
