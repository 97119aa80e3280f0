"""A sparse matrix without a library of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class TermRows:
    """A sparse matrix by rows, as far as prediction looks at one: some rows, some columns."""

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    data: NDArray[np.floating[Any]]
    shape: tuple[int, int]
    format = "csr"

    def __getitem__(self, key: Any) -> TermRows:
        """A row, rows of a slice, or columns: ``rows[:, columns]``."""
        if isinstance(key, tuple):
            return self._columns(np.arange(self.shape[1])[key[1]])
        rows = key if isinstance(key, slice) else slice(key, key + 1)
        first, last, _ = rows.indices(self.shape[0])
        part = slice(self.indptr[first], self.indptr[last])
        start = self.indptr[first : last + 1] - self.indptr[first]
        return TermRows(start, self.indices[part], self.data[part], (last - first, self.shape[1]))

    def _columns(self, listed: NDArray[Any]) -> TermRows:
        place = np.full(self.shape[1], -1, np.int32)
        place[listed] = np.arange(len(listed), dtype=np.int32)
        found = place[self.indices]
        kept = found >= 0
        start = np.concatenate([[0], np.cumsum(kept)])[self.indptr]
        return TermRows(start, found[kept], self.data[kept], (self.shape[0], len(listed)))

    @classmethod
    def of(cls, spread: NDArray[Any]) -> TermRows:
        """A matrix without its zeros."""
        row, column = np.nonzero(spread)
        start = np.searchsorted(row, np.arange(len(spread) + 1)).astype(np.int64)
        return cls(start, column.astype(np.int32), spread[row, column], spread.shape)

    def toarray(self) -> NDArray[np.floating[Any]]:
        """All of it, zeros too."""
        spread = np.zeros(self.shape, self.data.dtype)
        spread[np.repeat(np.arange(self.shape[0]), np.diff(self.indptr)), self.indices] = self.data
        return spread


def side_by_side(parts: Sequence[TermRows]) -> TermRows:
    """The columns of several matrices behind one another."""
    if len(parts) == 1:
        return parts[0]
    n, width = parts[0].shape[0], 0
    row, column = [], []
    for part in parts:
        if part.shape[0] != n:
            raise ValueError(
                f"X has texts of {n} and of {part.shape[0]} rows; give every column as many."
            )
        row.append(np.repeat(np.arange(n), np.diff(part.indptr)))
        column.append(part.indices + np.int32(width))
        width += part.shape[1]
    order = np.argsort(np.concatenate(row), kind="stable")
    data = np.concatenate([part.data for part in parts])[order]
    start = np.sum([part.indptr for part in parts], axis=0)
    return TermRows(start, np.concatenate(column)[order], data, (n, width))
