"""The shape functions of an ensemble of stumps, one per column."""

from __future__ import annotations

import numpy as np

from ..base.sample import Rows
from ..base.trees.term import Axis, Term
from ..base.trees.tree import THRESHOLD, Tree
from ..base.trees.tree_arrays import EVERY_CHILD
from ..base.types import Floats
from ..intake.schema import Schema
from .no_tree_sum import NoTreeSum
from .rule_text import feature_name
from .shape import Shapes, column_names, shape_of
from .tree_sum import LARGEST, TreeSum


def stump_shapes(summed: TreeSum, rows: Rows, schema: Schema, outputs: tuple[str, ...]) -> Shapes:
    """The shape function of every column in use, with counts of the given rows."""
    if not of_stumps(summed):
        raise NoTreeSum(
            "its trees ask several questions in a row, so that it is no sum of functions of one "
            "column each",
            "use explain(X), or AdditiveBoostingClassifier",
        )
    used = sorted({a.feature for a in summed.addends if a.feature >= 0})
    terms = [_term(summed, j, rows, schema) for j in used]
    shapes = [shape_of(t, feature_name(schema, t.features[0]), schema, outputs) for t in terms]
    return Shapes(shapes, [term.features for term in terms], column_names(schema))


def _term(summed: TreeSum, feature: int, rows: Rows, schema: Schema) -> Term:
    n_categories = schema.columns[feature].n_categories
    cuts, values = steps(summed, feature, n_categories)
    column = rows.column(feature)
    ends = None
    if cuts is not None and np.isfinite(column).any():
        known = column[np.isfinite(column)]
        ends = float(known.min()), float(known.max())
    axis = Axis(feature, None if cuts is None else np.array(cuts), n_categories, ends)
    counts = np.bincount(axis.places(column), minlength=axis.n_cells).astype(np.float64)
    return Term((axis,), values, values, values, counts)


def of_stumps(summed: TreeSum) -> bool:
    """Whether no tree of a sum has more than one test."""
    return all(len(a.tree) == 1 or a.tree.depth == 1 for a in summed.addends)


def constants(summed: TreeSum) -> Floats:
    """The sum of the constant trees, which no row changes."""
    total = np.zeros(summed.n_outputs)
    for a in summed.addends:
        if len(a.tree) == 1:
            total[a.scores] += a.vote * a.tree.values[a.tree.value[0]]
    return total


def steps(summed: TreeSum, feature: int, n_categories: int) -> tuple[list[float] | None, Floats]:
    """The cuts of a column (None: it has categories), and a number for each bin and score.

    The last cell is that of missing values.
    """
    addends = [a for a in summed.addends if a.feature == feature]
    cuts = sorted({t for a in addends if (t := _cut(a.tree)) is not None})
    n = (n_categories or len(cuts) + 1) + 1
    values = np.zeros((n, summed.n_outputs))
    for a in addends:
        tree, inside = a.tree, np.zeros(n, int)
        if n_categories:
            inside[:-1] = [_outcome(tree, code) for code in range(n_categories)]
        elif (cut := _cut(tree)) is not None:
            inside[cuts.index(cut) + 1 :] = 1
        answers = tree.values[tree.value[tree.first[0] : tree.first[0] + tree.width[0]]]
        added = answers[inside]
        added[-1] = _missing(tree, answers)
        values[:, a.scores] += a.vote * added
    return None if n_categories else cuts, values


def _cut(tree: Tree) -> float | None:
    """The threshold of a stump; None where it only tests for missing values."""
    cut = float(tree.threshold[0])
    return cut if tree.ask[0] == THRESHOLD and cut != LARGEST else None


def _outcome(tree: Tree, code: int) -> int:
    """The child of a category."""
    if tree.ask[0] == THRESHOLD:
        return int(code > tree.threshold[0])
    if tree.subset[0] < 0:
        return code
    return int(tree.subsets[tree.subset[0], code >> 6]) >> (code & 63) & 1


def _missing(tree: Tree, answers: Floats) -> Floats:
    """The value for missing; where it goes to all children, their weighted mean."""
    if tree.missing[0] != EVERY_CHILD:
        return np.asarray(answers[tree.missing[0]])
    weight = tree.weight[tree.first[0] : tree.first[0] + tree.width[0]]
    return np.asarray(np.average(answers, axis=0, weights=weight if weight.any() else None))
