"""Impurity of class shares, and its decrease by tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..base.trees.tree import EVERY_CHILD
from ..base.types import Floats

if TYPE_CHECKING:
    from ..base.trees.tree import Tree

_CRUMBS = 2.0**-48


def impurity(shares: Floats, criterion: str) -> Floats:
    """The impurity of rows of class shares p.

    "error" is 1 - max p, "gini" 1 - sum p^2, "sqrt" the sum of sqrt(p_k p_l) over pairs of classes,
    "entropy" is in bits, and "gain_ratio" is judged by entropy.

    >>> impurity(np.array([[0.5, 0.5], [1.0, 0.0]]), "entropy").tolist()
    [1.0, 0.0]
    """
    if criterion == "error":
        return np.asarray(1 - shares.max(axis=1))
    if criterion == "gini":
        return np.asarray((shares * (1 - shares)).sum(axis=1))
    if criterion == "sqrt":
        return np.asarray(np.sqrt(shares).sum(axis=1) ** 2 - shares.sum(axis=1))
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    return np.asarray(np.abs((shares * logs).sum(axis=1)))


def decreases(tree: Tree, criterion: str, unit: float = 1.0) -> Floats:
    """The decrease of the tree's impurity by each test; 0 at leaves.

    Every node counts by its share of the weight; for numbers ("squared_error") the impurity is the
    variance, in squares of a unit, and what a test takes away is that between its children.
    """
    numbers = criterion == "squared_error"
    if not numbers and not (tree.missing == EVERY_CHILD).any():  # what the grower found
        return np.asarray(tree.gain / tree.weight[0])
    inner = np.flatnonzero(~tree.is_leaf)
    found = np.zeros(len(tree))
    if len(inner) == 0:
        return found
    children, width = tree.children(inner), tree.width[inner]
    parts = tree.weight[children] / tree.weight[0]
    if numbers:
        means = tree.values[tree.value, 0]
        with np.errstate(over="ignore"):  # squares of 1e200 are infinite
            after = parts * ((means[children] - np.repeat(means[inner], width)) / unit) ** 2
    else:
        mixed = impurity(tree.values[tree.value], criterion)
        after = parts * (np.repeat(mixed[inner], width) - mixed[children])
    lowered = np.add.reduceat(after, np.cumsum(width) - width)
    if not numbers:  # differences of impurities, of which rounding leaves crumbs
        lowered[lowered < _CRUMBS * tree.weight[inner] / tree.weight[0]] = 0.0
    found[inner] = lowered
    return found


def importances(tree: Tree, criterion: str, n_features: int) -> Floats:
    """The share of all decreases of each feature."""
    unit = 1.0
    if criterion == "squared_error":
        unit = float(np.ptp(tree.values / 2)) or 1.0
    lowered = decreases(tree, criterion, unit)
    inner = ~tree.is_leaf
    held = np.zeros(n_features)
    np.add.at(held, tree.feature[inner], lowered[inner])
    total = held.sum()
    return held / total if total > 0 else held
