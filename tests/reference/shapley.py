"""Shapley values of trees by their definition: every coalition of features in turn.

A tree is worth, to a coalition S, what it answers where tests on features in S go the row's way and
all others split it up by the covers of the children.
"""

from __future__ import annotations

from itertools import combinations
from math import factorial
from typing import Any

import numpy as np

from .forest import EVERY_CHILD, LEAF, outcome, shares


def worth(
    tree: Any, cover: Any, x: Any, n_categories: Any, known: frozenset[int], node: int = 0
) -> Any:
    """What the tree answers where only some features of the row are known."""
    if tree.ask[node] == LEAF:
        return tree.values[tree.value[node]]
    first, width = int(tree.first[node]), int(tree.width[node])
    covers = cover[first : first + width]
    parts = covers / covers.sum() if covers.sum() > 0 else np.full(width, 1 / width)
    if tree.feature[node] in known:
        way = outcome(tree, node, x, n_categories)
        parts = shares(tree, node) if way == EVERY_CHILD else np.eye(width)[way]
    total = np.zeros(tree.values.shape[1])
    for c, part in enumerate(parts):
        if part > 0:
            total = total + part * worth(tree, cover, x, n_categories, known, first + c)
    return total


def coalitions(features: list[int]) -> list[frozenset[int]]:
    """All sets of features."""
    return [frozenset(s) for k in range(len(features) + 1) for s in combinations(features, k)]


def worths(tree: Any, cover: Any, x: Any, n_categories: Any) -> dict[frozenset[int], Any]:
    """What the tree is worth to every coalition of the features that it asks for."""
    asked = sorted({int(j) for j in tree.feature if j >= 0})
    return {S: worth(tree, cover, x, n_categories, S) for S in coalitions(asked)}


def shapley(tree: Any, cover: Any, x: Any, n_categories: Any) -> Any:
    """(features, outputs): the mean, over all orders, of what a feature adds when it joins."""
    v = worths(tree, cover, x, n_categories)
    phi = np.zeros((len(n_categories), tree.values.shape[1]))
    n = max(map(len, v))
    for S in v:
        for j in set().union(*v) - S:
            weight = factorial(len(S)) * factorial(n - len(S) - 1) / factorial(n)
            phi[j] += weight * (v[S | {j}] - v[S])
    return phi


def interactions(tree: Any, cover: Any, x: Any, n_categories: Any) -> Any:
    """(features, features, outputs): half of what two features add beyond each alone, a place
    each; on the diagonal what is left of a feature's own value.
    """
    v = worths(tree, cover, x, n_categories)
    d, n = len(n_categories), max(map(len, v))
    phi = np.zeros((d, d, tree.values.shape[1]))
    for S in v:
        for i, j in combinations(sorted(set().union(*v) - S), 2):
            weight = factorial(len(S)) * factorial(n - len(S) - 2) / factorial(n - 1) / 2
            both = v[S | {i, j}] - v[S | {i}] - v[S | {j}] + v[S]
            phi[i, j] += weight * both
            phi[j, i] += weight * both
    alone = shapley(tree, cover, x, n_categories)
    for j in range(d):
        phi[j, j] = alone[j] - phi[j].sum(axis=0)
    return phi
