"""A sum of trees as one table: one line per node."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.messages.table import Table
from ..base.trees.tree import MULTIWAY, THRESHOLD
from ..base.trees.tree_arrays import EVERY_CHILD, SUBSET
from ..intake.raw_column import Kind
from ..intake.schema import Schema
from .rule_text import feature_name
from .tree_sum import ALL, LARGEST, Addend, TreeSum

_COLUMNS = [
    *("tree", "node", "depth", "vote", "output", "column", "test", "threshold", "categories"),
    *("children", "missing", "count", "weight", "gain"),
]


def node_table(summed: TreeSum, schema: Schema, outputs: list[str]) -> Table:
    """Every node of every tree: its test, its children, and its values.

    ``children`` are numbers of nodes of the same tree, in the order of outcomes: of a threshold up
    to it and above it, of categories those not listed and those listed, or one each. ``missing`` is
    the child of missing values. The last columns hold what a leaf answers, before its vote.
    """
    names = outputs if summed.n_outputs > 1 else ["value"]
    rows = [row for t, a in enumerate(summed.addends) for row in _nodes(t, a, schema, names)]
    return Table("nodes", [*_COLUMNS, *names], rows)


def _nodes(t: int, addend: Addend, schema: Schema, names: list[str]) -> list[tuple[Any, ...]]:
    tree, rows = addend.tree, []
    known = addend.cover is not None
    depths = tree.depths
    output = None if addend.output == ALL else addend.output
    for node in range(len(tree)):
        leaf = tree.width[node] == 0
        children = tuple(range(tree.first[node], tree.first[node] + tree.width[node]))
        missing = None
        if not leaf:
            side = int(tree.missing[node])
            missing = "every child" if side == EVERY_CHILD else children[side]
        answers: list[float | None] = [None] * len(names)
        if leaf:
            values = tree.values[tree.value[node]].tolist()
            answers[slice(None) if output is None else slice(output, output + 1)] = values
        rows.append(
            (
                *(t, node, int(depths[node]), addend.vote, output),
                *((None,) * 4 if leaf else _test(tree, node, schema)),
                *(None if leaf else children, missing),
                *(int(tree.count[node]) if known else None,),
                *(float(tree.weight[node]) if known else None,),
                *(float(tree.gain[node]) if known and not leaf else None,),
                *answers,
            )
        )
    return rows


def _test(tree: Any, node: int, schema: Schema) -> tuple[Any, ...]:
    """Column, kind of test, threshold in the column's own values, categories."""
    j = int(tree.feature[node])
    name, column, ask = feature_name(schema, j), schema.columns[j], int(tree.ask[node])
    if ask == MULTIWAY:
        return name, "each category", None, tuple(map(column.describe, range(column.n_categories)))
    if ask == SUBSET:
        words = tree.subsets[tree.subset[node]]
        inside = [k for k in range(column.n_categories) if int(words[k >> 6]) >> (k & 63) & 1]
        return name, "among", None, tuple(map(column.describe, inside))
    assert ask == THRESHOLD
    threshold = float(tree.threshold[node])
    if threshold == LARGEST:
        return name, "known", None, None
    special = column.kind not in (Kind.NUMBER, Kind.CATEGORY)
    return name, "above", column.threshold(threshold) if special else np.float64(threshold), None
