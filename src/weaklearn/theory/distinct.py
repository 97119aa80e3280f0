"""The different examples among rows: copies of an example are no further draws.

A bound on the true error counts examples that were drawn independently. Where rows are equal, one
cannot see whether they were drawn so or copied. So only different examples are counted, and the
share of those with a property is taken to be the larger of two: among all rows, and among the
different ones. If the rows were drawn, the first is their share, and counting fewer of them only
weakens a bound; if each was drawn once and then copied, the second is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.value_text import show
from ..base.types import Floats

COPIES, DRAWS = "copies", "draws"
REPEATS = (COPIES, DRAWS)  # how rows came to be equal
_EITHER = "equal rows are all copies of one draw, or all draws of their own"
DRAWN = "equal rows were drawn independently of one another, and are equal by chance"


@dataclass(frozen=True, eq=False)
class Distinct:
    """The different examples among rows: the first row of each, and how many rows equal it.

    ``drawn``: equal rows are said to be draws of their own, so that all rows count.
    """

    first: NDArray[np.intp]
    counts: NDArray[np.int64]
    drawn: bool = False

    @classmethod
    def of(
        cls,
        keys: NDArray[Any],
        copies: NDArray[np.int64] | None = None,
        repeats: str = COPIES,
    ) -> Distinct:
        """Examples by a key for every row, of which each stands for so many ``copies``.

        >>> found = Distinct.of(np.array([7, 5, 7, 7]))
        >>> found.first.tolist(), found.counts.tolist(), found.n, found.m
        ([0, 1], [3, 1], 4, 2)
        """
        if repeats not in REPEATS:
            listed = " or ".join(map(repr, REPEATS))
            raise ValueError(f"repeats={show(repeats)} is not allowed: it must be {listed}.")
        _, first, place = np.unique(keys, return_index=True, return_inverse=True)
        order = np.argsort(first)
        counts = np.zeros(len(first), np.int64)
        np.add.at(counts, place.reshape(-1), 1 if copies is None else copies)
        return cls(first[order].astype(np.intp), counts[order], repeats == DRAWS)

    @classmethod
    def rows(cls, n: int) -> Distinct:
        """Rows that are taken to be different, since nothing is known of what they hold."""
        return cls(np.arange(n, dtype=np.intp), np.ones(n, np.int64))

    @cached_property
    def n(self) -> int:
        """The number of rows."""
        return int(self.counts.sum())

    @property
    def m(self) -> int:
        """The number of examples that count as independent draws."""
        return self.n if self.drawn else len(self.first)

    @property
    def repeated(self) -> bool:
        """Whether some rows are equal."""
        return self.n > len(self.first)

    @property
    def assumed(self) -> tuple[str, ...]:
        """The assumption about equal rows, where there are any."""
        return (DRAWN if self.drawn else _EITHER,) if self.repeated else ()

    @property
    def weights(self) -> list[Floats]:
        """The shares of the different examples: in all rows, and where copies count once."""
        among_rows = self.counts / max(1, self.n)
        if self.drawn or not self.repeated:
            return [among_rows]
        return [among_rows, np.full(len(self.first), 1 / len(self.first))]

    def taken(self, rows: NDArray[np.bool_]) -> Distinct:
        """The examples among some of the rows; equal rows are all taken, or none of them."""
        kept = rows[self.first]
        return replace(self, first=self.first[kept], counts=self.counts[kept])

    def count(self, mask: NDArray[np.bool_]) -> tuple[int, int]:
        """How many of m examples are in a mask, at least and at most: by either share.

        >>> Distinct.of(np.array([7, 5, 7, 7])).count(np.array([False, True, False, False]))
        (0, 1)
        """
        mine = mask[self.first]
        k, of_rows = int(np.count_nonzero(mine)), int(self.counts @ mine)
        if self.drawn or not self.repeated:
            return of_rows, of_rows
        return min(k, of_rows * self.m // self.n), max(k, -(-of_rows * self.m // self.n))

    def share(self, mask: NDArray[np.bool_]) -> float:
        """The share of rows in a mask, or of different examples where that is larger."""
        mine = mask[self.first]
        of_rows = int(self.counts @ mine) / max(1, self.n)
        return of_rows if self.drawn else max(of_rows, float(np.mean(mine)))

    def scores(self, values: Floats) -> Floats:
        """m sorted numbers whose ceil((m + 1) q)-th is no less than that of the m examples, nor
        than the ceil((n + 1) q)-th of all n rows.

        >>> Distinct.of(np.array([7, 5, 7, 7])).scores(np.array([3.0, 1.0, 3.0, 3.0])).tolist()
        [3.0, 3.0]
        """
        mine = values[self.first]
        order = np.argsort(mine, kind="stable")
        own = mine[order]
        if not self.repeated:
            return own
        ends = np.cumsum(self.counts[order])  # rows up to each example, in rising order
        if self.drawn:
            return np.repeat(own, self.counts[order])
        places = -(-(self.n + 1) * np.arange(1, self.m + 1) // (self.m + 1))
        return np.maximum(own, own[np.searchsorted(ends, places)])

    @property
    def words(self) -> str:
        """How many examples count, and of how many rows, as the beginning of a note."""
        return f"{self.m} different of {self.n}" if self.m < self.n else f"{self.n}"


def keys_of(X: Any, y: NDArray[Any]) -> NDArray[np.int64]:
    """A number for every example of any table, equal where rows and labels are."""
    labels = np.unique(y, return_inverse=True)[1].reshape(-1)
    return _row_numbers(X) * (int(labels.max(initial=0)) + 1) + labels


def _row_numbers(X: Any) -> NDArray[np.int64]:
    X = X if hasattr(X, "shape") else np.asarray(X)
    if isinstance(X, np.ndarray) and X.dtype.kind in "biuf":
        table = np.ascontiguousarray(X.reshape(len(X), -1) + 0.0)  # -0.0 is 0.0
        rows = table.view(np.dtype((np.void, table.dtype.itemsize * max(1, table.shape[1]))))
        return np.unique(rows.ravel(), return_inverse=True)[1].astype(np.int64)
    numbers: dict[str, int] = {}
    found = [numbers.setdefault(_spelt(row), len(numbers)) for row in _iterated(X)]
    return np.array(found, np.int64)


def _iterated(X: Any) -> Any:
    if hasattr(X, "itertuples"):  # pandas
        return X.itertuples(index=False, name=None)
    return X.iter_rows() if hasattr(X, "iter_rows") else X  # polars, or rows as they come


def _spelt(row: Any) -> str:
    dense = row.toarray() if hasattr(row, "toarray") else row
    return repr(dense.tolist() if hasattr(dense, "tolist") else dense)
