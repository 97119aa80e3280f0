"""A sum of trees of one test each, as what it is: a function of every column, added up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.term import Axis, Term
from ...base.tree import MULTIWAY, THRESHOLD
from ...estimators.shape import Shape, shape_of
from ...estimators.title import term_names
from ...estimators.tree_sum import ALL, Addend, NoTreeSum, TreeSum, games_of

Floats = NDArray[np.float64]


def stump_shapes(model: Any, X: Any) -> list[Shape] | None:
    """The functions of the columns, the strongest first; None where the model is no such sum.

    They are centred on the rows: each adds 0 on average over them. Where rows end, the outer
    two-hundredths of their values are left out of sight.
    """
    try:
        summed = model._tree_sum() if hasattr(model, "_tree_sum") else None
    except (NoTreeSum, AttributeError):
        return None
    if summed is None or not summed.addends or not all(map(_simple, summed.addends)):
        return None
    schema, rows = getattr(model, "_schema", None), model._rows(X)
    if schema is None:
        return None
    by_feature: dict[int, list[Addend]] = {}
    for addend in summed.addends:
        if addend.feature >= 0:
            by_feature.setdefault(addend.feature, []).append(addend)
    terms = [
        _term(j, asked, schema.columns[j].n_levels, np.asarray(rows.column(j)), summed)
        for j, asked in sorted(by_feature.items())
    ]
    names = term_names(schema, terms)
    outputs = tuple(map(str, games_of(model))) if summed.n_outputs > 1 else ()
    shapes = [shape_of(t, name, schema, outputs) for t, name in zip(terms, names, strict=True)]
    return sorted(shapes, key=lambda shape: -shape.importance)


def _simple(addend: Addend) -> bool:
    """Whether it asks one question at most."""
    inner = ~addend.tree.is_leaf
    return int(np.count_nonzero(inner)) <= 1 and bool((addend.tree.missing >= 0).all())


def _term(
    j: int, addends: Sequence[Addend], n_levels: int, column: NDArray[Any], summed: TreeSum
) -> Term:
    if n_levels:
        axis = Axis(j, None, n_levels)
    else:
        asked = [a.tree.threshold[0] for a in addends if a.tree.ask[0] == THRESHOLD]
        cuts = np.unique([t for t in asked if abs(t) < 1e300])
        known = column[np.isfinite(column)]
        ends = tuple(np.quantile(known, [0.005, 0.995]).tolist()) if len(known) else None
        axis = Axis(j, np.asarray(cuts, np.float64), ends=ends)
    values = np.zeros((axis.n_cells, summed.n_outputs))
    for addend in addends:
        _add(values, addend, axis)
    counts = np.bincount(axis.places(column), minlength=axis.n_cells).astype(np.float64)
    values -= counts @ values / max(counts.sum(), 1.0)
    return Term((axis,), values, values, values, counts)


def _add(values: Floats, addend: Addend, axis: Axis) -> None:
    """Adds what one tree says in every cell."""
    tree, n = addend.tree, axis.n_cells - 1
    outcome = np.empty(n + 1, np.intp)
    if tree.ask[0] == THRESHOLD:
        upper = [*([] if axis.cuts is None else axis.cuts), np.inf]
        outcome[:-1] = np.asarray(upper) > tree.threshold[0]
    elif tree.ask[0] == MULTIWAY:
        outcome[:-1] = np.minimum(np.arange(n), tree.width[0] - 1)
    else:
        bits = tree.subsets[tree.subset[0]]
        outcome[:-1] = [int(bits[k >> 6] >> np.uint64(k & 63)) & 1 for k in range(n)]
    outcome[-1] = tree.missing[0]
    said = addend.vote * tree.values[tree.value[tree.first[0] + outcome]]
    if addend.output == ALL:
        values += said
    else:
        values[:, addend.output] += said[:, 0]
