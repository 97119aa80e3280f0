"""Sums of trees in the dictionary that ``shap.TreeExplainer`` takes for a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.rows import Rows
from ..base.trees.tree import THRESHOLD, Tree
from ..base.trees.tree_arrays import EVERY_CHILD, LEAF
from ..base.types import Floats
from ..intake.raw_column import Kind
from ..intake.schema import Schema
from .rule_text import feature_name
from .tree_sum import ALL, LARGEST, Addend, TreeSum

_LEAST = 2.0**-60  # of a tree's examples: shap divides by the share of a node


def shap_trees(model: Any, X: Any) -> dict[str, Any]:
    """The dictionary of a model whose scores are one sum of trees."""
    summed: TreeSum = model._explained_sum()
    if summed.known is not None:
        raise ValueError(
            "shap adds no known score to those of trees, and this model has a prior: use "
            "explain(X).to_shap()."
        )
    rows = None if X is None else model._rows(X)
    trees = [
        binary_tree(a, model._schema, summed.n_outputs, np.arange(summed.n_outputs), rows)
        for a in summed.addends
    ]
    return dictionary(trees, summed.base, model._explained_scale())


def dictionary(trees: Sequence[dict[str, Any]], base: Floats, scale: str) -> dict[str, Any]:
    """What TreeExplainer is handed: trees, what every score starts from, and what it is."""
    units = {"log-odds": "log_odds", "probability": "probability"}
    return {
        "trees": list(trees) or [_nothing(len(base))],  # the explainer takes no empty list
        "base_offset": base.copy() if len(base) > 1 else float(base[0]),
        "input_dtype": np.float64,
        "internal_dtype": np.float64,
        "tree_output": units.get(scale.split(" ")[0], "raw_value"),
    }


def _nothing(n_outputs: int) -> dict[str, Any]:
    """A leaf that adds 0 to every score."""
    leaf = _Nodes(1.0)
    leaf.add(1.0)
    return leaf.arrays() | {"values": np.zeros((1, n_outputs))}


def binary_tree(
    addend: Addend,
    schema: Schema,
    n_outputs: int,
    scores: NDArray[np.intp],
    rows: Rows | None,
    columns: NDArray[Any] | None = None,
) -> dict[str, Any]:
    """A tree of yes and no, with a test of its own where missing values have a branch.

    ``scores`` are the places of the sum's scores among all of them, ``columns`` those of the
    schema's columns among all, where a bag left some out.
    """
    tree = addend.tree
    _refuse(tree, schema)
    weight = _weights(addend, rows)
    places = scores if addend.output == ALL else scores[[addend.output]]
    nodes = _Nodes(max(float(weight[0]), 1.0) * _LEAST)
    waiting = [(0, nodes.add(float(weight[0])))]
    values = {}
    while waiting:
        node, place = waiting.pop()
        if tree.ask[node] == LEAF:
            values[place] = addend.vote * tree.values[tree.value[node]]
            continue
        first, side = int(tree.first[node]), int(tree.missing[node])
        j, cut = int(tree.feature[node]), float(tree.threshold[node])
        j = j if columns is None else int(columns[j])
        own = weight[first : first + int(tree.width[node])]
        if side == 2:  # a branch of missing values: "is it known?" comes first
            known, missing = nodes.add(float(own[0] + own[1])), nodes.add(float(own[2]))
            nodes.ask(place, j, LARGEST, known, missing, missing)
            waiting.append((first + 2, missing))
            place, side = known, 0
        below, above = nodes.add(float(own[0])), nodes.add(float(own[1]))
        nodes.ask(place, j, cut, below, above, (below, above)[side])
        waiting += [(first, below), (first + 1, above)]
    table = np.zeros((len(nodes), n_outputs))
    for place, answer in values.items():
        table[place, places] = answer
    return nodes.arrays() | {"values": table}


class _Nodes:
    """The nodes of a binary tree: leaves, until they are given a test."""

    def __init__(self, least: float) -> None:
        self._least = least
        self._weights: list[float] = []
        self._tests: dict[int, tuple[int, float, int, int, int]] = {}

    def __len__(self) -> int:
        return len(self._weights)

    def add(self, weight: float) -> int:
        self._weights.append(max(weight, self._least))
        return len(self) - 1

    def ask(self, node: int, j: int, cut: float, below: int, above: int, missing: int) -> None:
        self._tests[node] = (j, cut, below, above, missing)

    def arrays(self) -> dict[str, Any]:
        leaf = (-2, 0.0, -1, -1, -1)
        tests = [self._tests.get(node, leaf) for node in range(len(self))]
        names = ("features", "thresholds", "children_left", "children_right", "children_default")
        found: dict[str, Any] = {
            name: np.array([test[k] for test in tests]) for k, name in enumerate(names)
        }
        return found | {"node_sample_weight": np.array(self._weights)}


def _refuse(tree: Tree, schema: Schema) -> None:
    """Refuses tests that the dictionary of shap has no word for."""
    inner = np.flatnonzero(~tree.is_leaf)
    instead = "use explain(X).to_shap(), whose values are the same"
    for j in np.unique(tree.feature[inner]).tolist():
        numbers = schema.columns[j].kind is Kind.NUMBER
        if not numbers or (tree.ask[inner[tree.feature[inner] == j]] != THRESHOLD).any():
            raise ValueError(
                f"shap's trees cut numbers, and {feature_name(schema, j)} is a column of another "
                f"kind: {instead}."
            )
    if (tree.missing[inner] == EVERY_CHILD).any():
        raise ValueError(
            "shap's trees send a row down one branch, and with missing='fraction' a missing value "
            f"goes down every branch: {instead}."
        )


def _weights(addend: Addend, rows: Rows | None) -> Floats:
    """How many examples each node had, or, of a stump, how many of the rows."""
    tree = addend.tree
    if addend.cover is not None:
        return addend.cover
    if rows is None:
        raise ValueError(
            "X=None is not allowed for a model of stumps, which keep no record of the examples: "
            "pass the rows of training, X=X_train."
        )
    if tree.ask[0] == LEAF:
        return np.array([float(len(rows))])
    column = rows.column(int(tree.feature[0]))
    gone = np.isnan(column)
    above = ~gone & (column > tree.threshold[0])
    counts = [int(part.sum()) for part in (~gone & ~above, above, gone)]
    return np.array([len(rows), *counts], np.float64)
