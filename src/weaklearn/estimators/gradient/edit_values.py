"""Other values for a term of a glass box, as an edit asks for them; and the table of edits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import inf
from typing import Any

import numpy as np

from ...base.messages.table import Table
from ...base.messages.value_text import show
from ...base.numeric.total import total
from ...base.trees.term import Axis, Edit, Term
from ...base.types import Bools, Floats
from ...inspection.column_grid import (
    cell_texts,
    own_cuts,
    own_ends,
    own_number,
    own_text,
    stretch_text,
)
from ...intake import parameters
from ...intake.column_schema import ColumnSchema
from ...intake.object_column import is_missing
from ...intake.raw_column import Kind
from ...intake.schema import Schema

_HUGE = 1e100


def edit_table(edits: Sequence[Edit], title: str, numbers: Sequence[Any], note: str = "") -> Table:
    """Edits in order: what was changed, the values of these cells, and scores before and after."""
    names = list(dict.fromkeys(name for edit in edits for name, _, _ in edit.scores))
    scores = [f"{name} {when}" for name in names for when in ("before", "after")]
    columns = ["edit", "term", "what", "cells", "before", "after", *scores]
    rows = [edit.row(number, names) for number, edit in zip(numbers, edits, strict=True)]
    return Table(title, columns, rows, note, shown=30)


def moved(term: Term, values: Floats) -> Term:
    """The term with other values; the band of every cell moves along with its value."""
    shift = values - term.values
    return replace(term, values=values, low=term.low + shift, high=term.high + shift)


def levelled(values: Floats, counts: Floats) -> Floats:
    """The mean over the examples in all places; over the cells, where there are no examples.

    >>> levelled(np.array([1.0, 4.0]), np.array([2.0, 1.0])).tolist()
    [2.0, 2.0]
    """
    weights = counts if counts.any() else np.ones(len(values))
    return np.full(len(values), total(values * weights) / total(weights))


def rising(values: Floats, counts: Floats) -> Floats:
    """The nearest values that never fall, nearest in squares over the examples.

    Neighbours that fall are pooled to their mean, again and again; the mean over the examples
    stays what it was. A cell without examples keeps its value, as far as its neighbours allow.

    >>> rising(np.array([1.0, 3.0, 2.0, 4.0]), np.ones(4)).tolist()
    [1.0, 2.5, 2.5, 4.0]
    """
    if (values[1:] >= values[:-1]).all():
        return values.copy()
    met = np.flatnonzero(counts > 0) if counts.any() else np.arange(len(values))
    weights = counts if counts.any() else np.ones(len(values))
    fitted = np.full(len(values), np.nan)
    fitted[met] = _pooled(values[met], weights[met])
    held = values.copy()
    floor, ceiling = -np.inf, np.inf
    for i in range(len(values)):  # from below what came before, and then from above
        held[i] = floor = max(held[i], floor) if np.isnan(fitted[i]) else fitted[i]
    for i in reversed(range(len(values))):
        held[i] = ceiling = min(held[i], ceiling) if np.isnan(fitted[i]) else fitted[i]
    return held


def _pooled(values: Floats, weights: Floats) -> Floats:
    """The pool-adjacent-violators algorithm: blocks of places, each with its mean."""
    blocks: list[tuple[int, int]] = []
    means: list[float] = []
    for i in range(len(values)):
        begin, mean = i, float(values[i])
        while means and means[-1] > mean:
            begin = blocks.pop()[0]
            means.pop()
            part = slice(begin, i + 1)
            mean = total(values[part] * weights[part]) / total(weights[part])
        blocks.append((begin, i + 1))
        means.append(mean)
    lengths = [end - begin for begin, end in blocks]
    return np.repeat(means, lengths)


def reaching(cuts: list[float], low: float, high: float) -> Bools:
    """The cells of known values that reach into low < x <= high.

    >>> reaching([30.0, 40.0, 50.0], 35.0, 40.0).tolist()
    [False, True, False, False]
    """
    ends = [-np.inf, *cuts, np.inf]
    return np.array([a < high and b > low for a, b in pairwise(ends)])


class TermChange:
    """One term, and the scores of it that are to change."""

    def __init__(self, term: Term, schema: Schema, name: str, outputs: list[int]) -> None:
        self.term, self.schema, self.name, self.outputs = term, schema, name, outputs

    def made(
        self, asked: list[str], between: Any, given: dict[str, Any]
    ) -> tuple[Term | None, str]:
        """The changed term, and what was done in words."""
        action = asked[0]
        if between is not None and action in ("set", "drop"):
            raise ValueError(
                f"between= goes with flatten=, monotone=, low= and high=, not with {action}=."
            )
        if action == "drop":
            return self._each(lambda values: np.zeros_like(values)), "set to 0"
        if action in ("low", "high"):
            return self._capped(given["low"], given["high"], between)
        if len(self.term.axes) > 1:
            raise ValueError(
                f"{show(self.name)} is a pair of columns, to which {action}= does not apply; hold "
                "it between low= and high=, or drop it with drop=True."
            )
        if action == "set":
            return self._set(given["set"])
        return (self._flattened if action == "flatten" else self._monotone)(given[action], between)

    @property
    def _axis(self) -> Axis:
        return self.term.axes[0]

    @property
    def _column(self) -> ColumnSchema:
        return self.schema.columns[self._axis.feature]

    def _each(self, change: Any, where: Bools | None = None) -> Term:
        """Other values for some cells of every score that is to change."""
        values = self.term.values.copy()
        cells = np.ones(self.term.counts.shape, bool) if where is None else where
        for k in self.outputs:
            part = values[..., k]
            part[cells] = change(part[cells])
        return moved(self.term, values)

    def _known(self, between: Any) -> tuple[Bools, str]:
        """The cells of known values in a range, and that range in words."""
        cells = np.ones(self._axis.n_cells, bool)
        cells[-1] = False
        if between is None:
            return cells, ""
        if self._axis.cuts is None:
            raise ValueError(
                f"between= is for columns with an order, and {show(self.name)} holds categories; "
                "use set={level: value}."
            )
        low, high = self._limits(between)
        cells[:-1] = reaching(own_cuts(self._column, self._axis), low, high)
        first, *_, last = np.flatnonzero(cells).tolist() * 2
        where_text = stretch_text(self._axis, self.schema, first, last)
        return cells, f" where {where_text}"

    def _limits(self, between: Any) -> tuple[Any, Any]:
        if isinstance(between, (str, bytes)) or np.ndim(between) != 1 or len(between) != 2:
            raise ValueError(f"between={show(between)} is not allowed: it must be (low, high).")
        ends = [
            None if end is None else own_number(self._column, end, "between", self.name)
            for end in between
        ]
        low, high = (-inf if ends[0] is None else ends[0]), (inf if ends[1] is None else ends[1])
        if not low < high:
            raise ValueError(
                f"between={show(between)} is not allowed: the first must be below the second."
            )
        self._check_inside(low, high, between)
        return low, high

    def _check_inside(self, low: Any, high: Any, between: Any) -> None:
        """Refuses a range without any value of training."""
        ends = own_ends(self._column, self._axis)
        if ends is not None and (ends[1] <= low or ends[0] > high):
            least, most = (own_text(self._column, end) for end in ends)
            raise ValueError(
                f"between={show(between)} lies outside {show(self.name)}, whose values went from "
                f"{least} to {most} in training."
            )

    def _flattened(self, flatten: Any, between: Any) -> tuple[Term, str]:
        where, where_text = self._known(between)
        if isinstance(flatten, (bool, np.bool_)):
            if not flatten:
                raise ValueError("flatten=False changes nothing; use True, or a number.")
            counts = self.term.counts[where]
            return self._each(
                lambda values: levelled(values, counts), where
            ), f"flattened{where_text}"
        if isinstance(flatten, str) and flatten == "bridge":
            return self._bridged(where, between), f"bridged{where_text}"
        value = _finite("flatten", flatten, "True, a number or 'bridge'")
        flat = self._each(lambda values: np.full(len(values), value), where)
        return flat, f"flattened to {value:g}{where_text}"

    def _bridged(self, where: Bools, between: Any) -> Term:
        """Equal steps between the neighbours of a range; at an end, the value of the only one."""
        if self._axis.cuts is None:
            raise ValueError(
                f"flatten='bridge' is for columns with an order, and {show(self.name)} holds "
                "categories; use set={level: value}."
            )
        cells = np.flatnonzero(where)
        sides = [i for i in (cells[0] - 1, cells[-1] + 1) if 0 <= i < self._axis.n_cells - 1]
        if not sides:
            raise ValueError(
                f"flatten='bridge' needs a neighbour, and between={show(between)} leaves none of "
                f"{show(self.name)}; pass a smaller range."
            )
        values = self.term.values.copy()
        for k in self.outputs:
            low, high = values[sides[0], k], values[sides[-1], k]
            values[cells, k] = np.linspace(low, high, len(cells) + 2)[1:-1]
        return moved(self.term, values)

    def _monotone(self, monotone: Any, between: Any) -> tuple[Term, str]:
        if isinstance(monotone, (bool, np.bool_)) or parameters.as_float(monotone) not in (-1, 1):
            raise ValueError(
                f"monotone={show(monotone)} is not allowed: it must be 1 (rising) or -1 (falling)."
            )
        if self._axis.cuts is None:
            raise ValueError(
                f"monotone= is for columns with an order, and {show(self.name)} holds categories."
            )
        where, where_text = self._known(between)
        counts = self.term.counts[where]
        made = self._each(lambda v: monotone * rising(monotone * v, counts), where)
        return made, f"made {'rising' if monotone > 0 else 'falling'}{where_text}"

    def _capped(self, low: Any, high: Any, between: Any) -> tuple[Term, str]:
        least = -inf if low is None else _finite("low", low, "a number")
        most = inf if high is None else _finite("high", high, "a number")
        if least > most:
            raise ValueError(f"low={least:g} is above high={most:g}; swap them.")
        where, where_text = None, ""
        if between is not None:
            if len(self.term.axes) > 1:
                raise ValueError(f"between= is for one column, and {show(self.name)} is of two.")
            where, where_text = self._known(between)
        bounds = {"at least": low, "at most": high}
        words = " and ".join(f"{word} {end:g}" for word, end in bounds.items() if end is not None)
        return self._each(lambda v: np.clip(v, least, most), where), f"held {words}{where_text}"

    # ------------------------------------------------------------------------------------- levels

    def _set(self, wanted: Any) -> tuple[Term, str]:
        if not isinstance(wanted, Mapping) or not wanted:
            raise ValueError(
                f"set={show(wanted)} is not allowed: it must be a dict {{level: value}}."
            )
        values = self.term.values.copy()
        words = []
        for level, value in wanted.items():
            cell = self._cell(level)
            number = _finite(f"set[{show(level)}]", value, "a number")
            values[cell, self.outputs] = number
            words.append(f"{cell_texts(self._axis, self.schema)[cell]}: {number:g}")
        return moved(self.term, values), "set " + _listed(words)

    def _cell(self, level: Any) -> int:
        """The cell of a level, of the rare ones, or of missing values."""
        column, last = self._column, self._axis.n_cells - 1
        if level is None or is_missing(level):
            return last
        if column.kind is not Kind.CATEGORY:
            if level == "missing":
                return last
            raise ValueError(
                f"set= holds {show(level)}, and {show(self.name)} is no category: set={{None: "
                "value} sets missing values; use flatten= with between= for a range."
            )
        if level in column.categories:
            return column.categories.index(level)
        if level in column.pooled:
            raise ValueError(
                f"set= holds {show(level)}, one of {len(column.pooled)} rare levels that share a "
                "cell; set 'other' for all of them."
            )
        if level == "other" and column.pooled:
            return len(column.categories)
        if level == "missing":
            return last
        words = [str(known) for known in column.categories] + ["other"] * bool(column.pooled)
        raise ValueError(
            f"set= holds {show(level)}, which is no level of {show(self.name)}; there are "
            f"{_listed([show(known) for known in column.categories])}"
            f"{' and other' * bool(column.pooled)}.{parameters.nearest(level, words)}"
        )


def _finite(name: str, value: Any, allowed: str) -> float:
    number = parameters.as_float(value)
    if isinstance(value, (bool, np.bool_)) or not abs(number) <= _HUGE:
        raise ValueError(f"{name}={show(value)} is not allowed: it must be {allowed}.")
    return number


def _listed(words: Any, most: int = 6) -> str:
    shown = ", ".join(words[:most])
    return shown + (f", ... ({len(words)})" if len(words) > most else "")
