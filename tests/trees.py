"""Random trees of every kind a grower may write, and rows that go through them."""

from __future__ import annotations

from typing import Any

import numpy as np

from weaklearn.base.trees.tree import MULTIWAY, THRESHOLD, Tree
from weaklearn.base.trees.tree_arrays import EVERY_CHILD, LEAF, SUBSET

LAST = np.finfo(np.float64).max


def random_tree(
    rng: np.random.Generator,
    n_categories: Any,
    n_leaves: int = 8,
    n_outputs: int = 1,
    cuts: Any = None,
    multiway: bool = True,
    branch: bool = True,
    fraction: bool = False,
) -> Tree:
    """A tree of about so many leaves over columns of so many levels (0: numbers).

    Thresholds are drawn from ``cuts``; missing values go to a side, to a child of their own where
    ``branch``, and to every child where ``fraction``.
    """
    nodes: list[dict[str, Any]] = [_leaf(rng)]
    subsets: list[Any] = []
    open_leaves = [0]
    while 0 < len(open_leaves) < n_leaves:
        node = nodes[open_leaves.pop(int(rng.integers(len(open_leaves))))]
        j = int(rng.integers(len(n_categories)))
        levels = int(n_categories[j])
        if levels == 0:
            threshold = rng.choice(cuts) if cuts is not None else rng.normal()
            node.update(ask=THRESHOLD, threshold=float(threshold), width=2)
        elif rng.random() < 0.1:  # codes of levels may be cut too, mostly behind the last
            threshold = rng.choice([rng.integers(levels), LAST])
            node.update(ask=THRESHOLD, threshold=float(threshold), width=2)
        elif multiway and rng.random() < 0.5:
            node.update(ask=MULTIWAY, width=levels)
        else:
            subsets.append(_subset(rng.random(levels) < 0.5))
            node.update(ask=SUBSET, width=2, subset=len(subsets) - 1)
        node.update(feature=j, first=len(nodes), missing=int(rng.integers(node["width"])))
        if branch and rng.random() < 0.3:
            node.update(missing=node["width"], width=node["width"] + 1)
        elif fraction and rng.random() < 0.5:
            node["missing"] = EVERY_CHILD
        node["gain"] = rng.random()
        for _ in range(node["width"]):
            open_leaves.append(len(nodes))
            nodes.append(_leaf(rng))
    for v, node in enumerate(nodes):
        node["value"] = v
    arrays = {name: np.array([node[name] for node in nodes]) for name in nodes[0]}
    arrays["subsets"] = np.array(subsets, np.uint64).reshape(-1, 4)
    arrays["values"] = rng.normal(size=(len(nodes), n_outputs))
    return Tree.of(arrays)


def _leaf(rng: np.random.Generator) -> dict[str, Any]:
    empty = {"ask": LEAF, "feature": -1, "threshold": 0.0, "first": 0, "width": 0, "missing": 0}
    count = int(rng.integers(20))
    return {**empty, "subset": -1, "value": 0, "weight": count * 0.25, "count": count, "gain": 0.0}


def _subset(chosen: Any) -> Any:
    bits = np.zeros(256, np.uint8)
    bits[: len(chosen)] = chosen
    return np.packbits(bits, bitorder="little").view(np.uint64)


def random_rows(rng: np.random.Generator, n: int, n_categories: Any, missing: float = 0.1) -> Any:
    """Rows as floats: numbers or level codes, NaN where missing; -1 is an unseen level."""
    X = rng.normal(size=(n, len(n_categories)))
    for j in np.flatnonzero(n_categories):
        X[:, j] = rng.integers(-1, n_categories[j], size=n)
    X[rng.random(X.shape) < missing] = np.nan
    return X
