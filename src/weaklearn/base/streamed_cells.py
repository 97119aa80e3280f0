"""Encoded feature values that stay outside of memory, and are read a few columns at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .numeric.hashing import Keys
from .types import Array, Floats

_SAMPLED = 5_000


@lru_cache(maxsize=4)
def sampled_rows(n: int) -> NDArray[np.int64] | None:
    """Row numbers of a random part of a large table; None for all rows."""
    return None if n <= _SAMPLED else np.sort(np.random.default_rng(n).integers(0, n, _SAMPLED))


@dataclass(frozen=True)
class RowSummary:
    """What is noted of all rows while their columns pass: a key of the content of each row, the
    least and the greatest value of every column, and the values of the ``sampled_rows``.
    """

    keys: Keys
    low: Floats
    high: Floats
    sampled: StreamedCells


@dataclass(eq=False)
class StreamedCells:
    """The encoded values of an X larger than memory.

    ``read`` gives those of the columns at some places, of all rows of X; of ``rows`` alone where
    these are given. Columns in ``constant`` are one category. ``summary`` is there once all columns
    have been read to be binned.
    """

    n_rows: int
    n_features: int
    read: Callable[[Sequence[int]], list[Array]]
    n_categories: NDArray[np.int32] | None = None
    rows: NDArray[np.intp] | None = None
    constant: frozenset[int] = frozenset()
    summary: RowSummary | None = field(default=None, init=False)

    matrix: None = field(default=None, init=False)
    sparse: Any = field(default=None, init=False)
    columns: None = field(default=None, init=False)

    def take(self, rows: NDArray[np.intp]) -> StreamedCells:
        """The values of some rows."""
        rows = np.asarray(rows)
        if rows.dtype == bool:
            rows = np.flatnonzero(rows)
        kept = rows if self.rows is None else self.rows[rows]
        return replace(self, n_rows=len(rows), rows=kept)

    def with_constant(self, places: Sequence[int]) -> StreamedCells:
        """The same with some columns made one category."""
        assert self.n_categories is not None
        n_categories = self.n_categories.copy()
        n_categories[list(places)] = 1
        return replace(self, n_categories=n_categories, constant=self.constant.union(places))

    def column(self, j: int) -> Array:
        """The encoded values of one column."""
        return self.some([j])[0]

    def some(self, places: Sequence[int]) -> list[Array]:
        """The encoded values of some columns: floats, NaN for missing, or int32 codes, then -1."""
        wanted = [j for j in places if j not in self.constant]
        found = dict(zip(wanted, self.read(wanted) if wanted else (), strict=True))
        if self.rows is not None:
            found = {j: column[self.rows] for j, column in found.items()}
        return [found[j] if j in found else np.zeros(self.n_rows, np.int32) for j in places]
