"""Duplicate rows, which leak from training into test rows or folds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..datasets.data_table import DataColumn, DataTable, stacked
from ..intake.cells import Cells
from ..production.row_sketch import row_keys
from .data import Rows


def keys(*parts: Rows) -> list[NDArray[np.uint64]]:
    """A hash of every row of each part, equal where all columns and the target are equal."""
    table = stacked([part.X for part in parts])
    y = np.concatenate([np.asarray(part.y) for part in parts])
    codes = np.unique(y.astype(str) if y.dtype == object else y, return_inverse=True)[1]
    found = _hashes(table, codes)
    return np.split(found, np.cumsum([len(part.y) for part in parts])[:-1])


def of_columns(rows: Rows) -> NDArray[np.uint64]:
    """A hash of every row, equal where all columns are, whatever the target."""
    return _hashes(rows.X)


def _hashes(table: DataTable, *more: NDArray[Any]) -> NDArray[np.uint64]:
    """A hash of every row of a table and of ``more`` columns of codes."""
    columns = [*(_codes(table.column(name)) for name in table.names), *more]
    floats = [np.asarray(column, np.float64) for column in columns]
    return row_keys(Cells(len(table), len(floats), columns=floats))


def _codes(column: DataColumn) -> NDArray[Any]:
    if column.kind == "date":
        return np.unique(column.values, return_inverse=True)[1]
    if column.kind == "integer":
        return np.unique(column.values.astype(str), return_inverse=True)[1]
    return column.values


def n_leaked(
    rows: NDArray[np.uint64],
    splits: Sequence[tuple[NDArray[np.intp], NDArray[np.intp]]],
) -> int:
    """The number of test rows, over all splits, that have a duplicate in the training rows.

    >>> half = np.array([0, 1]), np.array([2, 3])
    >>> n_leaked(np.array([7, 8, 7, 9], np.uint64), [half, half[::-1]])
    2
    """
    inverse, counts = np.unique(rows, return_inverse=True, return_counts=True)[1:]
    several = (counts > 1)[inverse]  # the others cannot be on both sides
    if not several.any():
        return 0
    parts = [[part[several[part]] for part in split] for split in splits]
    return sum(int(np.isin(rows[test], rows[train]).sum()) for train, test in parts)
