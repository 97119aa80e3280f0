"""Prediction through trees, one row and one node at a time.

``X`` holds floats: NaN is missing, and a categorical column holds its category codes.
``n_categories[j]`` is 0 for numbers. A score is base, then plus vote times value, tree after tree.
"""

from __future__ import annotations

from typing import Any

import numpy as np

LEAF, THRESHOLD, SUBSET, MULTIWAY = range(4)
EVERY_CHILD = -1


def outcome(tree: Any, node: int, x: Any, n_categories: Any) -> int:
    """Which child the row goes to, or EVERY_CHILD."""
    j = tree.feature[node]
    value = x[j]
    if np.isnan(value) or (n_categories[j] > 0 and not 0 <= value < n_categories[j]):
        return int(tree.missing[node])
    if tree.ask[node] == THRESHOLD:
        return int(value > tree.threshold[node])
    level = int(value)
    if tree.ask[node] == MULTIWAY:
        return level
    if level >= 256:
        return 0
    return int(tree.subsets[tree.subset[node]][level // 64]) >> (level % 64) & 1


def shares(tree: Any, node: int) -> Any:
    """How a row is shared out among the children: by weight, equally where nothing has any."""
    children = slice(tree.first[node], tree.first[node] + tree.width[node])
    weight, total = tree.weight[children], 0.0
    for w in weight:
        total += w
    return weight / total if total > 0 else np.full(len(weight), 1 / len(weight))


def leaf(tree: Any, x: Any, n_categories: Any) -> int:
    """The leaf of one row; where it goes to every child, that of the heaviest."""
    node = 0
    while tree.ask[node] != LEAF:
        child = outcome(tree, node, x, n_categories)
        if child == EVERY_CHILD:
            child = int(np.argmax(shares(tree, node)))
        node = int(tree.first[node]) + child
    return node


def value(tree: Any, x: Any, n_categories: Any) -> Any:
    """The answer to one row: the value of its leaf, or the mean over all leaves it reaches."""
    total = np.zeros(tree.values.shape[1])
    waiting = [(0, 1.0)]
    while waiting:
        node, part = waiting.pop()
        if tree.ask[node] == LEAF:
            total = total + part * tree.values[tree.value[node]]
            continue
        child, first = outcome(tree, node, x, n_categories), int(tree.first[node])
        if child != EVERY_CHILD:
            waiting.append((first + child, part))
            continue
        by_child = shares(tree, node)
        waiting += [(first + c, part * s) for c, s in enumerate(by_child) if s > 0][::-1]
    return total


def forest_sum(
    trees: Any, X: Any, n_categories: Any, votes: Any, outputs: Any, n_outputs: int, base: Any
) -> Any:
    """base + the sum of vote * value in the order of trees."""
    scores = np.empty((len(X), n_outputs))
    scores[:] = base
    for i, x in enumerate(X):
        for tree, vote, output in zip(trees, votes, outputs, strict=True):
            answer = vote * value(tree, x, n_categories)
            if output < 0:
                scores[i] += answer
            else:
                scores[i, output] += answer[0]
    return scores


def forest_apply(trees: Any, X: Any, n_categories: Any) -> Any:
    """The leaf of every row and tree."""
    return np.array([[leaf(tree, x, n_categories) for tree in trees] for x in X], np.int32)
