"""Shape functions of additive models and ensembles of stumps, in the units of columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import nan
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..base.messages.spelling import nearest
from ..base.messages.table import Table, Tabular
from ..base.messages.value_text import show
from ..base.rows import Rows
from ..base.trees.term import Axis, Term
from ..base.trees.tree import THRESHOLD, Tree
from ..base.trees.tree_arrays import EVERY_CHILD
from ..base.types import Floats
from ..intake.schema import Schema
from .column_grid import ColumnGrid, grid_of
from .no_tree_sum import NoTreeSum
from .rule_text import feature_name
from .tree_sum import LARGEST, TreeSum

_NAMED = 8  # terms that a complaint lists


@dataclass(frozen=True, eq=False, repr=False)
class Shape(Tabular):
    """One term: a contribution to the score for every bin of a column, or of a pair.

    ``values`` is (cells,), or (cells, cells) for a pair; where there are K scores a row, named by
    ``outputs``, it has K columns more. ``low`` and ``high`` are the band around it, ``counts`` the
    training examples in each cell, ``importance`` their mean absolute contribution.
    """

    name: str
    features: tuple[str, ...]
    grids: tuple[ColumnGrid, ...]  # one a column
    values: Floats
    low: Floats
    high: Floats
    counts: Floats
    importance: float
    outputs: tuple[str, ...] = ()

    @property
    def grid(self) -> Any:
        """The bins of the column; of a pair, both in order."""
        return self.grids[0] if len(self.grids) == 1 else self.grids

    @property
    def pair(self) -> bool:
        return len(self.grids) == 2

    @property
    def range(self) -> tuple[float, float]:
        """The least and the greatest contribution in bins with training examples."""
        met = self.values[self.counts > 0]
        met = met if met.size else self.values
        return float(met.min()), float(met.max())

    def table(self) -> Table:
        """One row per bin; with several scores, one row per bin and score.

        The band of a cell is left blank where nothing is known of it: without examples there, or
        of a model of one bag.
        """
        heads = list(self.features) if self.pair else ["cell"]
        parted = ["output"] if self.outputs else []
        rows = [line for place in np.ndindex(self.counts.shape) for line in self._lines(place)]
        columns = [*heads, *parted, "value", "low", "high", "count"]
        return Table(self.name, columns, rows, f"importance {self.importance:.4g}", shown=30)

    def _lines(self, place: tuple[int, ...]) -> Iterator[tuple[Any, ...]]:
        texts = [grid.cells[i] for grid, i in zip(self.grids, place, strict=True)]
        bands = [np.atleast_1d(part[place]) for part in (self.values, self.low, self.high)]
        for k, (value, low, high) in enumerate(zip(*bands, strict=True)):
            mark = [self.outputs[k]] if self.outputs else []
            known = self.counts[place] > 0 and low < high
            band = (float(low), float(high)) if known else (nan, nan)
            yield *texts, *mark, float(value), *band, plain_count(self.counts[place])


def plain_count(count: Any) -> int | float:
    """A count of examples: an int, unless sample weights are fractions."""
    return int(count) if float(count).is_integer() else float(count)


class Shapes(Tabular, Mapping[Any, Shape]):
    """All shape functions of a model by name, the strongest first.

    A shape is found by the name of its column, a pair also by a tuple of two names in either order;
    numbers of columns do as well.
    """

    def __init__(
        self, shapes: Sequence[Shape], features: Sequence[tuple[int, ...]], columns: Sequence[Any]
    ) -> None:
        order = sorted(range(len(shapes)), key=lambda k: -shapes[k].importance)
        self._shapes = {shapes[k].name: shapes[k] for k in order}
        names = [s.name for s in shapes]
        self._index = Index(names, [s.features for s in shapes], features, columns)
        self._listed = list(shapes)

    def __getitem__(self, term: Any) -> Shape:
        return self._listed[self._index[term]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._shapes)

    def __len__(self) -> int:
        return len(self._shapes)

    def table(self) -> Table:
        """One row per term: how much it moves scores on average, and at most."""
        rows = [(s.name, s.importance, *s.range, len(s.counts.ravel())) for s in self.values()]
        return Table("terms", ["term", "importance", "lowest", "highest", "cells"], rows, shown=30)


class UnknownTermError(KeyError, ValueError):
    """There is no such term; a KeyError whose message is printed without quotation marks."""

    def __str__(self) -> str:
        return str(self.args[0])


class Index:
    """Finds a term by its name, a column number, or a tuple of these in either order."""

    def __init__(
        self,
        names: Sequence[str],
        columns: Sequence[tuple[str, ...]],
        features: Sequence[tuple[int, ...]],
        all_columns: Sequence[Any],  # by name, or by number where they have none
    ) -> None:
        self.names, self._all = list(names), all_columns
        self._pairs = [name for name, js in zip(names, features, strict=True) if len(js) == 2]
        self._found: dict[Any, int] = {}
        for k, (words, numbers) in enumerate(zip(columns, features, strict=True)):
            for key in (*product(*zip(words, numbers, strict=True)),):
                self._found[key] = self._found[key[::-1]] = k
            if len(words) == 2:
                self._found[PAIR.join(words[::-1])] = k
        for k, (words, numbers) in enumerate(zip(columns, features, strict=True)):
            if len(words) == 1:
                self._found[numbers[0]] = k
        self._found.update((name, k) for k, name in enumerate(self.names))

    def __getitem__(self, term: Any) -> int:
        try:
            return self._found[tuple(term) if isinstance(term, list) else term]
        except (KeyError, TypeError):
            raise UnknownTermError(self._complaint(term)) from None

    def _complaint(self, term: Any) -> str:
        if not self.names:
            return f"term={show(term)} is not there: this model has no terms."
        if isinstance(term, (tuple, list)) or (isinstance(term, str) and PAIR in term):
            pairs = f"its pairs are {_listed(self._pairs)}" if self._pairs else "it has no pairs"
            return (
                f"term={show(term)} is no pair of this model; {pairs}.{nearest(term, self.names)}"
            )
        words = f"term={show(term)} is no term of this model"
        if self._is_column(term):
            words = f"term={show(term)} is a column that this model does not use by itself"
        return f"{words}; its terms are {_listed(self.names)}.{nearest(term, self.names)}"

    def _is_column(self, term: Any) -> bool:
        if isinstance(term, (bool, np.bool_)) or not isinstance(term, (str, int, np.integer)):
            return False
        if not isinstance(term, str):
            return 0 <= int(term) < len(self._all)
        return term in self._all or any(term == f"x[{j}]" for j in self._all)


def _listed(names: Sequence[str]) -> str:
    listed = ", ".join(show(name) for name in names[:_NAMED])
    return listed + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")


def index_of(schema: Schema, terms: Sequence[Term]) -> Index:
    """The index of the terms of a model."""
    features = [term.features for term in terms]
    columns = [tuple(term_name(schema, [j]) for j in js) for js in features]
    return Index(term_names(schema, terms), columns, features, column_names(schema))


def column_names(schema: Schema) -> Sequence[Any]:
    """The names of all columns, or their numbers where they have none."""
    return range(schema.n_features) if schema.names is None else schema.names


def shape_of(term: Term, name: str, schema: Schema, outputs: tuple[str, ...]) -> Shape:
    """The shape function of a term."""
    grids = []
    for place, axis in enumerate(term.axes):
        others = tuple(k for k in range(len(term.axes)) if k != place)
        grids.append(grid_of(axis, schema, bool(term.counts.sum(axis=others)[-1] > 0)))
    alone = () if outputs else (0,)  # the only score needs no column
    values, low, high = (part[(..., *alone)] for part in (term.values, term.low, term.high))
    names = tuple(grid.feature for grid in grids)
    return Shape(
        name, names, tuple(grids), values, low, high, term.counts, term.importance(), outputs
    )


def shapes_of(model: Any) -> Shapes:
    """The shape functions of a fitted glass box, by name, the strongest first."""
    check_is_fitted(model, "ensemble_")
    schema: Schema = model._schema
    terms, outputs = model.ensemble_.terms, output_names(model)
    names = term_names(schema, terms)
    shapes = [shape_of(term, name, schema, outputs) for term, name in zip(terms, names)]
    return Shapes(shapes, [term.features for term in terms], column_names(schema))


def output_names(model: Any) -> tuple[str, ...]:
    """The names of the scores of a row; () where there is one score."""
    K = model.ensemble_.n_outputs
    return tuple(model._output_name(k) for k in range(K)) if K > 1 else ()


PAIR = " x "  # between the names of two columns


def term_name(schema: Schema, features: Sequence[int]) -> str:
    """The name of a column, or of a pair."""
    return PAIR.join(feature_name(schema, j) for j in features)


def term_names(schema: Schema, terms: Sequence[Term]) -> list[str]:
    """The names of all terms, made unique."""
    names = [term_name(schema, term.features) for term in terms]
    alone = {name for name, term in zip(names, terms, strict=True) if len(term.axes) == 1}
    return [
        f"{name} (pair)" if len(term.axes) == 2 and name in alone else name
        for name, term in zip(names, terms, strict=True)
    ]


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
