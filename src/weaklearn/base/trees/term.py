"""Functions of one or two columns, their sum, and their edits: generalised additive models."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..numeric.total import total
from ..types import Floats

if TYPE_CHECKING:
    from ..rows import Rows


Places = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Grid:
    """The bins of a training column, the one of missing values last."""

    cuts: Floats | None  # between the slots of an ordered column; None: categories
    n_codes: int
    has_missing: bool
    ends: tuple[float, float] | None = None  # the least and the greatest value, if ordered

    def within(self, coarse: Grid) -> Places:
        """The bin of a coarser grid of the same column that contains each bin."""
        if self.cuts is None or coarse.cuts is None:
            return np.arange(self.n_codes + 1)
        inside = np.searchsorted(coarse.cuts, self.cuts)
        return np.concatenate([inside, [len(coarse.cuts)], [coarse.n_codes]])[-self.n_codes - 1 :]


@dataclass(frozen=True, eq=False)
class Axis:
    """The cells of a column: one between two neighbouring cuts, or one per category.

    Cell i of an ordered column holds cuts[i-1] < x <= cuts[i]; missing values, and unseen
    categories, have a cell of their own, the last.
    """

    feature: int
    cuts: Floats | None  # ascending; None: categories
    n_categories: int = 0
    ends: tuple[float, float] | None = None  # the least and the greatest value of training

    @property
    def n_cells(self) -> int:
        """The number of cells, that of missing values included."""
        return (self.n_categories if self.cuts is None else len(self.cuts) + 1) + 1

    def finder(self) -> tuple[int, Callable[[Any], int]]:
        """The column, and a function from one of its numbers or codes to the cell."""
        last = self.n_cells - 1
        if self.cuts is None:
            return self.feature, lambda x: int(x) if 0 <= x < last else last
        cuts = self.cuts.tolist()
        return self.feature, lambda x: bisect_left(cuts, x) if x == x else last

    def places(self, column: NDArray[Any]) -> Places:
        """The cell of every value: of numbers (NaN is missing), or of category codes (-1 is
        missing).
        """
        if self.cuts is None:
            inside = (column >= 0) & (column < self.n_categories)
            return np.where(inside, column, self.n_categories).astype(np.intp)
        found = np.searchsorted(self.cuts, column)  # NaN would come after all cuts
        found[np.isnan(column)] = self.n_cells - 1
        return found


@dataclass(frozen=True, eq=False)
class Term:
    """A function of one or two columns: a number for every cell and output.

    ``low`` and ``high`` bound what other samples of the same kind would have given; ``counts`` is
    how much of the training sample lies in each cell.
    """

    axes: tuple[Axis, ...]
    values: Floats  # (cells, K) or (cells, cells, K)
    low: Floats
    high: Floats
    counts: Floats  # (cells,) or (cells, cells)

    @property
    def features(self) -> tuple[int, ...]:
        return tuple(axis.feature for axis in self.axes)

    def __call__(self, rows: Rows) -> Floats:
        """The contribution of the term to the score of every row, (n, K)."""
        where = tuple(axis.places(rows.column(axis.feature)) for axis in self.axes)
        added: Floats = self.values[where]
        return added

    def importance(self) -> float:
        """The mean absolute contribution over the training sample, outputs averaged."""
        shares = self.counts / max(total(self.counts.ravel()), 1e-300)
        return float(total((np.abs(self.values).mean(axis=-1) * shares).ravel()))


@dataclass(frozen=True, eq=False)
class TermSum:
    """F = intercept + the sum of the terms, added up in their order."""

    intercept: Floats  # one number per output
    terms: tuple[Term, ...]

    @property
    def n_outputs(self) -> int:
        return len(self.intercept)

    def __len__(self) -> int:
        return len(self.terms)

    def __call__(self, rows: Rows) -> Floats:
        """F on rows, (n, K)."""
        F = np.tile(self.intercept, (len(rows), 1))
        for term in self.terms:
            F += term(rows)
        return F

    def by_row(self, n_features: int) -> Callable[[list[Any]], Any]:
        """A function that maps one row, a list of numbers and codes, to F: a float, or (K,).

        None comes of rows that hold anything but so many finite numbers or NaN.
        """
        tables = [
            ([axis.finder() for axis in term.axes], _nested(term.values)) for term in self.terms
        ]
        base = _nested(self.intercept)

        def scores(row: list[Any]) -> Any:
            if len(row) != n_features:
                return None
            for cell in row:
                if type(cell) not in _PLAIN or (cell - cell != 0 and cell == cell):
                    return None
            F = base
            for finders, found in tables:
                for feature, place in finders:
                    found = found[place(row[feature])]
                F = F + found
            return F

        return scores

    def contributions(self, rows: Rows) -> Floats:
        """The contribution of each term, (n, terms, K); added to the intercept in order they give
        F, to the last bit.
        """
        shape = (len(rows), len(self.terms), self.n_outputs)
        parts = np.empty(shape)
        for k, term in enumerate(self.terms):
            parts[:, k] = term(rows)
        return parts

    def with_terms(self, terms: Sequence[Term]) -> TermSum:
        """The same intercept with other terms."""
        return TermSum(self.intercept, tuple(terms))


_PLAIN = (float, int)


def _nested(values: Floats) -> Any:
    """Values in lists, to the last axis: numbers where it has one output, else arrays."""
    if values.ndim == 1:
        return values.item() if len(values) == 1 else values
    return [_nested(part) for part in values]


_LAST_BITS = 4  # a mean of equal numbers may differ from them by that


@dataclass(frozen=True, eq=False)
class Edit:
    """A manual change of one term: the term before and after; ``after`` is None for a deleted term.

    ``scores`` are names of scores with their values before and after, on the rows that were given.
    """

    term: str
    what: str
    place: int  # of the term among all
    before: Term
    after: Term | None
    scores: tuple[tuple[str, float, float], ...] = ()

    @property
    def n_changed(self) -> int:
        """How many cells have another value."""
        return int(self._changed().any(axis=-1).sum())

    def _changed(self) -> NDArray[np.bool_]:
        if self.after is None:
            return np.ones(self.before.values.shape, bool)
        before, after = self.before.values, self.after.values
        size = np.maximum(np.abs(before), np.abs(after))
        return np.asarray(np.abs(after - before) > _LAST_BITS * np.spacing(size))

    def row(self, number: int | str, names: Sequence[str]) -> tuple[Any, ...]:
        """The row of a table of edits, with the scores of these names."""
        changed = self._changed()
        by_name = {name: (before, after) for name, before, after in self.scores}
        after = "gone" if self.after is None else _span(self.after.values[changed])
        scores = [score for name in names for score in by_name.get(name, (None, None))]
        before = _span(self.before.values[changed])
        return number, self.term, self.what, self.n_changed, before, after, *scores


def _span(values: Floats) -> str:
    if not values.size:
        return ""
    low, high = f"{values.min():.4g}", f"{values.max():.4g}"
    return low if low == high else f"{low} to {high}"


@dataclass(frozen=True)
class CodedTable:
    """Values (slots, K) by the codes of a column, or (slots, slots, K) by those of two."""

    values: Floats
    first: NDArray[np.uint8]
    second: NDArray[np.uint8] | None = None
