"""Impurity of class shares, its decrease by tests, and the pruning of decision trees."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.trees.split_search import OF_NUMBERS
from ..base.trees.tree import Tree
from ..base.trees.tree_arrays import EVERY_CHILD
from ..base.types import Floats
from ..engines import Engine

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


def impurity_of_numbers(y: Floats, shares: Floats, criterion: str) -> float:
    """The impurity of numbers by weight: their variance, half their mean Poisson deviance from the
    mean, or their mean distance from the median.

    >>> y, even = np.array([0.0, 1.0, 5.0]), np.full(3, 1 / 3)
    >>> [round(impurity_of_numbers(y, even, name), 3) for name in OF_NUMBERS]
    [4.667, 1.296, 1.667]
    """
    mean = float(shares @ y)
    if criterion == "squared_error":
        return float(shares @ (y - mean) ** 2)
    if criterion == "poisson":
        logs = np.log(y, out=np.zeros_like(y), where=y > 0)
        return float(shares @ (y * logs)) - mean * float(np.log(mean))
    order = np.argsort(y)
    median = y[order][np.searchsorted(np.cumsum(shares[order]), 0.5)]
    return float(shares @ np.abs(y - median))


def decreases(tree: Tree, criterion: str, unit: float = 1.0) -> Floats:
    """The decrease of the tree's impurity by each test; 0 at leaves.

    Every node counts by its share of the weight; for "squared_error" the impurity is the variance,
    in squares of a unit, and what a test takes away is that between its children.
    """
    numbers = criterion == "squared_error"
    shared = not numbers and criterion not in OF_NUMBERS and (tree.missing == EVERY_CHILD).any()
    if not numbers and not shared:  # what the grower found
        return np.asarray(tree.gain / tree.weight[0])
    inner = np.flatnonzero(~tree.is_leaf)
    found = np.zeros(len(tree))
    if len(inner) == 0:
        return found
    children, width = tree.children(inner), tree.width[inner]
    parts = tree.weight[children] / tree.weight[0]
    if numbers:
        means = tree.values[tree.value]
        with np.errstate(over="ignore"):  # squares of 1e200 are infinite
            away = (means[children] - np.repeat(means[inner], width, axis=0)) / unit
            after = parts * (away**2).mean(axis=1)
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


_TIED = 1 + 1e-12  # sums taken in another order still meet the alpha that they define


def pessimistic(tree: Tree, engine: Engine) -> Tree:
    """C4.5's pruning: a test is removed where the expected error of the node as a leaf is no
    larger.

    A leaf of N examples and E errors counts N U(E, N) errors, a subtree the sum over its leaves. U
    is the upper limit p under which E errors or fewer have the chance 0.25, the 0.75 quantile of
    Beta(E + 1, N - E); where E = 0 it is 1 - 0.25^(1/N), and 1 where all are errors. N and E are
    weights, scaled so that all of them make up the examples at hand.

    Reference: Quinlan (1993), C4.5: Programs for Machine Learning, section 4.2.
    """
    return tree.cut(engine.trees.pessimistic(tree))


def humbled(tree: Tree, lowered: Floats) -> Tree:
    """A tree with training error: from one without, the twig of least impurity decrease is cut.

    A twig is a test with nothing but leaves below it; a test that stands alone stays.
    """
    pure = tree.values.max(axis=1)[tree.value] == 1
    leaf = tree.is_leaf
    if len(tree) == 1 or not pure[leaf & (tree.weight > 0)].all():
        return tree
    inner = np.flatnonzero(~leaf)[1:]  # not the root
    twigs = inner[_over_children(tree, leaf.astype(np.float64), inner) == tree.width[inner]]
    return tree if len(twigs) == 0 else tree.cut(twigs[[np.argmin(lowered[twigs])]])


def cost_complexity(tree: Tree, lowered: Floats, alpha: float) -> Tree:
    """The smallest subtree of least cost R + alpha * leaves.

    ``lowered`` is by how much each test lowers R. A test goes where all that stands below the node
    lowers R by at most alpha for each leaf more than one; going up from the leaves, this finds what
    cutting the weakest link again and again would.

    Reference: Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees,
    section 3.3.
    """
    gain, leaves = lowered.copy(), np.ones(len(tree))
    collapsed = [np.zeros(0, np.intp)]
    for inner in _inner_levels(tree):
        gain[inner] += _over_children(tree, gain, inner)
        leaves[inner] = _over_children(tree, leaves, inner)
        weak = inner[gain[inner] <= alpha * (leaves[inner] - 1) * _TIED]
        gain[weak], leaves[weak] = 0.0, 1.0
        collapsed.append(weak)
    return tree.cut(np.concatenate(collapsed))


@dataclass(frozen=True)
class PruningPath:
    """The subtrees of least cost, from the whole tree to the root alone.

    Subtree k is that of every alpha from ``alphas[k]`` up to the next; ``lost[k]`` is by how much
    its R exceeds that of the whole tree, ``leaves[k]`` how many leaves it has. ``falls`` gives for
    every node the alpha from which on it is a leaf, infinity where one above it falls before.
    """

    alphas: Floats
    lost: Floats
    leaves: NDArray[np.int64]
    falls: Floats


def path(tree: Tree, lowered: Floats) -> PruningPath:
    """Every alpha at which the subtree of least cost changes.

    A node falls at the alpha at which what is left below it lowers R by alpha a leaf. Nodes above
    it may fall first; each node keeps, largest first, those below it that do not outlive it.
    O(n log^2 n) for any shape of tree.
    """
    falls: list[list[tuple[float, int]]] = [[] for _ in range(len(tree))]
    gain, more = np.zeros(len(tree)), np.zeros(len(tree))  # what falls with each node
    for node in np.flatnonzero(~tree.is_leaf)[::-1].tolist():
        first = int(tree.first[node])
        heap = _merged(falls, range(first, first + int(tree.width[node])))
        left, leaves = float(lowered[node]), float(tree.width[node] - 1)
        while heap and -heap[0][0] >= left / leaves:
            below = heapq.heappop(heap)[1]
            left, leaves = left + gain[below], leaves + more[below]
        gain[node], more[node] = left, leaves
        heapq.heappush(heap, (-left / leaves, node))
        falls[node] = heap
    order = [node for _, node in sorted(falls[0], reverse=True)]
    alphas = gain[order] / more[order]
    own = np.full(len(tree), np.inf)
    own[order] = alphas
    last = np.r_[alphas[1:] > alphas[:-1], np.ones(min(1, len(order)), bool)]
    lost, fewer = np.cumsum(gain[order])[last], np.cumsum(more[order])[last]
    idle = len(alphas) > 0 and alphas[0] == 0  # no subtree of least cost has idle tests
    unpruned = np.zeros(0 if idle else 1)
    return PruningPath(
        np.r_[unpruned, alphas[last]],
        np.r_[unpruned, lost],
        tree.n_leaves - np.r_[unpruned, fewer].astype(np.int64),
        own,
    )


def _merged(falls: list[list[tuple[float, int]]], nodes: range) -> list[tuple[float, int]]:
    """Merges the priority queues of nodes, the smaller ones into the largest."""
    largest = max(nodes, key=lambda node: len(falls[node]))
    heap = falls[largest]
    for node in nodes:
        if node != largest:
            for fall in falls[node]:
                heapq.heappush(heap, fall)
        falls[node] = []
    return heap


def _inner_levels(tree: Tree) -> Iterator[NDArray[np.intp]]:
    """The inner nodes by depth, the deepest first."""
    for nodes in reversed(tree.levels()[:-1]):
        yield nodes[~tree.is_leaf[nodes]]


def _over_children(tree: Tree, column: Floats, inner: NDArray[np.intp]) -> Floats:
    """The sum of a column over the children of each inner node."""
    if len(inner) == 0:
        return np.zeros(0)
    width = tree.width[inner]
    return np.asarray(np.add.reduceat(column[tree.children(inner)], np.cumsum(width) - width))
