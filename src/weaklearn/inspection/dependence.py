"""Partial dependence: the mean score of rows as one or two columns move, exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import inf, nextafter, prod
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..base.messages.spelling import nearest
from ..base.messages.table import Table
from ..base.messages.value_text import show
from ..base.numeric.total import total
from ..base.offered import fact
from ..base.rows import Rows
from ..base.trees.term import Axis, Term, TermSum
from ..base.trees.tree_arrays import THRESHOLD
from ..base.types import Floats
from ..intake.cells import Cells
from ..intake.schema import Schema
from ..registry import display
from .no_tree_sum import NoTreeSum
from .shape import Shape, Shapes, column_names, output_names, plain_count, shape_of, term_name
from .tree_sum import LARGEST, OfTrees, TreeSum, score_names

_MOST = 1_000_000_000  # scores that one column, or one pair, may ask for

Columns = tuple[int, ...]


class PartialDependence(Shapes):
    """The mean score of rows in every cell of a column, or of a pair: by name, strongest first.

    A shape has the cells of its column (``grid``), the mean score in each (``values``), and how
    many of the rows lie there (``counts``); ``importance`` is how far the values are from their
    mean, on average over the rows. ``scale`` is what the scores are counted in.
    """

    def __init__(
        self, shapes: Sequence[Shape], features: Sequence[Columns], names: Sequence[Any], scale: str
    ) -> None:
        super().__init__(shapes, features, names)
        self.scale = scale

    def table(self) -> Table:
        """One row per cell, and per score where there are several."""
        several = any(shape.outputs for shape in self.values())
        heads = ["column", "cell", *["output"] * several, "value", "count"]
        lines = [line for shape in self.values() for line in _lines(shape)]
        return Table("partial dependence", heads, lines, f"value: mean {self.scale}", shown=30)

    def plot(self, ax: Any = None, *, output: Any = None) -> Any:
        """Draws all of them; ``output`` is the score that maps of pairs show, where there are
        several.
        """
        return display("ShapeFunctionDisplay").from_dependence(self, ax=ax, output=output)


def _lines(shape: Shape) -> Iterator[tuple[Any, ...]]:
    for place in np.ndindex(shape.counts.shape):
        cells = list(zip(shape.grids, place, strict=True))
        if any(i == len(grid) - 1 and not grid.missing for grid, i in cells):
            continue  # the cell of missing values, of which there are none
        text = ", ".join(grid.cells[i] for grid, i in cells)
        for k, value in enumerate(np.atleast_1d(shape.values[place]).tolist()):
            mark = shape.outputs[k : k + 1]
            yield shape.name, text, *mark, value, plain_count(shape.counts[place])


def partial_dependence(model: Any, X: Any, columns: Any) -> PartialDependence:
    """The mean score of the rows X if all of them had one value in a column, for every value.

    Exact for sums of stumps or trees and for glass boxes: their scores are constant between the
    cuts of a column, so that all its values are looked at, not a grid of some, and the mean is over
    all rows of X. Of a glass box without pairs, and of stumps, it is the function of the column
    plus a constant.

    Parameters
    ----------
    model : a fitted model
    X : rows to average over, such as those of training or of the test
    columns : name or number of a column, a pair of these as a tuple, or a list of columns and pairs

    Examples
    --------
    >>> import numpy as np
    >>> from weaklearn import GradientBoostingRegressor
    >>> from weaklearn.show import partial_dependence
    >>> X = np.array([[a, b] for a in range(4) for b in range(5)] * 5)
    >>> model = GradientBoostingRegressor(n_estimators=60).fit(X, 10 * (X[:, 0] > 1) + X[:, 1])
    >>> print(partial_dependence(model, X, 0))  # doctest: +NORMALIZE_WHITESPACE
    column  cell         value  count
    x[0]    x[0] <= 1.5  2.291     50
    x[0]    x[0] > 1.5   11.71     50
    value: mean prediction

    References
    ----------
    Friedman (2001), Greedy function approximation, section 8.2.
    """
    check_is_fitted(model)
    scores, outputs = _scores_of(model)
    rows, schema = _dense(model._rows(X)), model._schema
    if len(rows) == 0:
        raise ValueError("X holds no rows; pass those to average over.")
    listed = columns if isinstance(columns, list) else [columns]
    if not listed:
        raise ValueError("columns=[] is not allowed: name a column, a pair, or several of these.")
    asked = [_numbers(each, schema) for each in listed]
    shapes = [_shape(scores, rows, schema, js, outputs) for js in asked]
    return PartialDependence(shapes, asked, column_names(schema), model._explained_scale())


def _numbers(asked: Any, schema: Schema) -> Columns:
    """The number of a column, or the numbers of a pair."""
    pair = asked if isinstance(asked, tuple) else (asked,)
    found = tuple(_number(one, schema) for one in pair)
    if len(found) > 2 or len(set(found)) < len(found) or not found:
        raise ValueError(
            f"columns holds {show(asked)}; pass a column, or a pair of two different columns."
        )
    return found


def _number(asked: Any, schema: Schema) -> int:
    if isinstance(asked, (int, np.integer)) and not isinstance(asked, (bool, np.bool_)):
        if 0 <= asked < schema.n_features:
            return int(asked)
        raise ValueError(
            f"columns holds {show(asked)}, and X has {schema.n_features} columns; they are counted "
            "from 0."
        )
    names = column_names(schema)
    if schema.names is not None and asked in schema.names:
        return schema.names.index(asked)
    hint = nearest(asked, list(names)) if schema.names is not None else ""
    raise ValueError(
        f"columns holds {show(asked)}, which is no column of the model; pass names of columns, or "
        f"numbers from 0 to {schema.n_features - 1}.{hint}"
    )


# --------------------------------------------------------------------------------- scores of rows


@dataclass(frozen=True)
class _Scores:
    """A model as a sum: the scores of rows, and where they change along a column."""

    of: Callable[[Rows], Floats]
    moving: Callable[[Columns], _Scores]  # the part that asks for one of these columns
    cuts: Callable[[int], list[float]]
    n_outputs: int


def _scores_of(model: Any) -> tuple[_Scores, tuple[str, ...]]:
    """The scores of a model, and their names where there are several."""
    terms = fact(model, "ensemble_")
    if isinstance(terms, TermSum):
        return _of_terms(terms), output_names(model)
    if not isinstance(model, OfTrees):
        raise NoTreeSum(
            f"{type(model).__name__} is no sum of stumps or trees",
            "use sklearn.inspection.partial_dependence, which asks any model at some values",
        )
    of_trees: Any = model
    summed: TreeSum = of_trees._explained_sum()
    return _of_trees(summed), tuple(score_names(model)) if summed.n_outputs > 1 else ()


def _of_trees(summed: TreeSum) -> _Scores:
    def moving(features: Columns) -> _Scores:
        asks = [a for a in summed.addends if np.isin(features, a.tree.feature).any()]
        return _of_trees(TreeSum(np.zeros(summed.n_outputs), tuple(asks)))

    def cuts(feature: int) -> list[float]:
        found: set[float] = set()
        for tree in summed.trees:
            asked = (tree.feature == feature) & (tree.ask == THRESHOLD)
            found.update(tree.threshold[asked & (tree.threshold != LARGEST)].tolist())
        return sorted(found)

    return _Scores(summed.scores, moving, cuts, summed.n_outputs)


def _of_terms(terms: TermSum) -> _Scores:
    def moving(features: Columns) -> _Scores:
        asks = [term for term in terms.terms if set(term.features).intersection(features)]
        return _of_terms(TermSum(np.zeros(terms.n_outputs), tuple(asks)))

    def cuts(feature: int) -> list[float]:
        axes = [axis for term in terms.terms for axis in term.axes if axis.feature == feature]
        return sorted({float(cut) for a in axes if a.cuts is not None for cut in a.cuts})

    return _Scores(terms, moving, cuts, terms.n_outputs)


# ------------------------------------------------------------------------------------ the averages


def _shape(
    scores: _Scores, rows: Rows, schema: Schema, features: Columns, outputs: tuple[str, ...]
) -> Shape:
    """The mean scores in the cells of a column, or of a pair."""
    axes = tuple(_axis(scores, rows, schema, j) for j in features)
    cells = prod(axis.n_cells for axis in axes)
    if cells * len(rows) > _MOST:
        name = term_name(schema, features)
        raise ValueError(
            f"columns holds {show(name)}, of {cells:,} cells: with {len(rows):,} rows that is more "
            f"than {_MOST:.0e} scores; pass fewer rows, such as X[::10]."
        )
    moving = scores.moving(features)
    still = _means(scores.of(rows) - moving.of(rows))
    values = np.empty((*(axis.n_cells for axis in axes), scores.n_outputs))
    for place in product(*(range(axis.n_cells) for axis in axes)):
        moved = _moved(rows, [(axis.feature, _value(axis, i)) for axis, i in zip(axes, place)])
        values[place] = still + _means(moving.of(moved))
    counts = np.zeros(values.shape[:-1])
    np.add.at(counts, tuple(axis.places(rows.column(axis.feature)) for axis in axes), 1.0)
    term = Term(axes, values, values, values, counts)
    mean = np.tensordot(counts, values, counts.ndim) / len(rows)
    shape = shape_of(term, term_name(schema, features), schema, outputs)
    return replace(shape, importance=replace(term, values=values - mean).importance())


def _axis(scores: _Scores, rows: Rows, schema: Schema, feature: int) -> Axis:
    n_categories = schema.columns[feature].n_categories
    if n_categories:
        return Axis(feature, None, n_categories)
    column = rows.column(feature)
    known = column[np.isfinite(column)]
    ends = (float(known.min()), float(known.max())) if len(known) else None
    return Axis(feature, np.array(scores.cuts(feature)), 0, ends)


def _value(axis: Axis, cell: int) -> float:
    """A value of a cell, as it is encoded: a number or a code, the last one missing."""
    if axis.cuts is None:
        return cell if cell < axis.n_categories else -1
    if cell == axis.n_cells - 1:
        return np.nan
    if cell < len(axis.cuts):
        return float(axis.cuts[cell])
    return nextafter(float(axis.cuts[-1]), inf) if len(axis.cuts) else 0.0


def _means(scores: Floats) -> Floats:
    """The means of columns, whatever the order of rows."""
    return np.array([total(np.ascontiguousarray(one)) for one in scores.T]) / len(scores)


def _dense(rows: Rows) -> Rows:
    """The rows with cells that can be moved."""
    cells = rows.cells
    if not isinstance(cells, Cells):
        raise TypeError("X is a dataset in files; pass some of its rows, in memory.")
    if cells.sparse is None:
        return rows
    if cells.columns is not None or cells.n_rows * cells.n_features > _MOST:
        raise ValueError("X is a sparse matrix; pass some of its rows as a dense one.")
    matrix = np.asarray(cells.sparse.toarray(), dtype=np.float64)
    return replace(rows, cells=replace(cells, sparse=None, matrix=matrix))


def _moved(rows: Rows, values: Sequence[tuple[int, float]]) -> Rows:
    """The rows with one value in each of these columns."""
    cells: Any = rows.cells
    if cells.matrix is not None:
        matrix = np.array(cells.matrix, dtype=np.float64)
        for j, value in values:
            matrix[:, j] = value
        return replace(rows, cells=replace(cells, matrix=matrix))
    columns = list(cells.columns)
    for j, value in values:
        columns[j] = np.full(len(rows), value, dtype=columns[j].dtype)
    return replace(rows, cells=replace(cells, columns=columns))
