"""A tree of several outputs, the plain way: every cut of every column of numbers, by brute force.

The impurity is the mean over outputs of Gini's index, the entropy or the variance. Ties within
1e-12 of what the rows could gain go to the lowest column, then to the lowest cut.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from tests.reference.stump import midpoint

Leaf = list[Any]  # of each output the shares of the classes, or the mean


def one_hot(y: Any) -> Any:
    """Of classes 0 .. K - 1 which each row has."""
    return (np.asarray(y)[:, None] == np.unique(y)).astype(float)


def impurity(parts: list[Any], w: Any, criterion: str) -> float:
    """The mean over outputs; ``parts``: a table of each, of indicators or of one column."""
    each = []
    for part in parts:
        p = (w @ part) / w.sum()
        if criterion == "gini":
            each.append(1 - (p**2).sum())
        elif criterion == "entropy":
            each.append(-(p[p > 0] * np.log2(p[p > 0])).sum())
        else:
            each.append((w @ (part - p) ** 2).sum() / w.sum())
    return float(np.mean(each))


def best_cut(X: Any, parts: list[Any], w: Any, criterion: str) -> tuple[int, float] | None:
    """Column and threshold of the cut that lowers the impurity most; None where none does."""
    whole, tie = impurity(parts, w, criterion), 1e-12 * _spread(parts, criterion)
    best, found = tie, None
    for j in range(X.shape[1]):
        values = np.unique(X[:, j])
        for low, high in pairwise(values):
            left = X[:, j] <= low
            sides = [
                w[side].sum()
                / w.sum()
                * impurity([part[side] for part in parts], w[side], criterion)
                for side in (left, ~left)
            ]
            gain = whole - sum(sides)
            if gain > best + tie:
                best, found = gain, (j, midpoint(low, high))
    return found


def _spread(parts: list[Any], criterion: str) -> float:
    return (
        1.0 if criterion == "entropy" else float(np.mean([np.ptp(p, axis=0).max() for p in parts]))
    )


def grown(X: Any, parts: list[Any], w: Any, criterion: str, depth: int) -> list[Any]:
    """The nodes of the tree in preorder: (column, threshold), or the answer of a leaf."""
    answer = [(w @ part) / w.sum() for part in parts]
    cut = best_cut(X, parts, w, criterion) if depth > 0 else None
    if cut is None:
        return [answer]
    left = X[:, cut[0]] <= cut[1]
    sides = (
        grown(X[side], [part[side] for part in parts], w[side], criterion, depth - 1)
        for side in (left, ~left)
    )
    return [cut, *(node for nodes in sides for node in nodes)]
