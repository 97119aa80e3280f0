"""The shape functions of an additive model, in the units of their columns."""

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
from ..base.trees.term import Term
from ..base.types import Floats
from ..intake.schema import Schema
from .column_grid import ColumnGrid, grid_of
from .rule_text import feature_name

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
