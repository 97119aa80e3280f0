"""The functions that an ensemble of stumps adds up, one a column, in the user's words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..base.term import Axis, Term
from .reading import feature_name
from .shape import Shapes, column_names, shape_of
from .stump_steps import of_stumps, steps
from .tree_sum import NoTreeSum, TreeSum

if TYPE_CHECKING:
    from ..base.sample import Rows
    from .intake import Schema


def stump_shapes(summed: TreeSum, rows: Rows, schema: Schema, outputs: tuple[str, ...]) -> Shapes:
    """A shape for every column in use; rows tell how many examples lie in each cell."""
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
    n_levels = schema.columns[feature].n_levels
    cuts, values = steps(summed, feature, n_levels)
    column = rows.column(feature)
    ends = None
    if cuts is not None and np.isfinite(column).any():
        known = column[np.isfinite(column)]
        ends = float(known.min()), float(known.max())
    axis = Axis(feature, None if cuts is None else np.array(cuts), n_levels, ends)
    counts = np.bincount(axis.places(column), minlength=axis.n_cells).astype(np.float64)
    return Term((axis,), values, values, values, counts)
