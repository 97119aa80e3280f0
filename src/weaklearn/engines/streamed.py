"""Binned columns of values that are read a few columns at a time; their codes lie in a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..base.numeric.hashing import column_factors
from ..base.streamed_cells import RowSummary, StreamedCells, sampled_rows
from ..base.types import Array
from .mapped_file import mapped_room
from .memory import memory_limit

_BYTES = 24  # of a value on its way from a file to its code, at most
_WIDEST = 8  # bytes of a value as kernels read it
_ROWS = 2**18  # whose keys are made at a time


def code_streamed(cells: StreamedCells, how: dict[str, Any]) -> _core.Columns:
    """The binned columns; ``cells.summary`` is made on the way."""
    n, d = cells.n_rows, cells.n_features
    threads = how.pop("threads")
    categories = np.zeros(d, np.int32) if cells.n_categories is None else cells.n_categories
    room = mapped_room(_core.Columns.bytes_to_borrow(n, d, how["keep_order"]))
    coded = _core.Columns.in_room(n, d, room, **how)
    keys = mapped_room(8 * n).view(np.uint64)
    low, high, factors = np.full(d, np.inf), np.full(d, -np.inf), column_factors(d)
    few, sampled = sampled_rows(n), []
    for places in column_groups(n, d, threads):
        first = places.start
        columns = [np.ascontiguousarray(column) for column in cells.some(places)]
        coded.code(first, columns, categories[first : places.stop], threads)
        for j, column in zip(places, columns, strict=True):
            if column.dtype != np.int32:
                low[j], high[j] = np.fmin.reduce(column), np.fmax.reduce(column)
            sampled.append(column.copy() if few is None else column[few])
            for start in range(0, n, _ROWS):
                some = slice(start, start + _ROWS)
                one = [_as_kernels_take(column[some])]
                last = j == d - 1
                _core.add_table_keys(one, factors[j : j + 1], keys[some], threads, not last)
    some_rows = StreamedCells(
        len(sampled[0]), d, lambda places: [sampled[j] for j in places], cells.n_categories
    )
    cells.summary = RowSummary(keys, low, high, some_rows)
    return coded


def room_like(coded: _core.Columns) -> NDArray[np.uint8]:
    """Room in a file for other codes of the same rows and columns, which are not opened."""
    return mapped_room(_core.Columns.bytes_to_borrow(coded.n_rows, coded.n_features, False))


def in_file(cells: StreamedCells) -> list[Array]:
    """All columns in one file, as kernels read them to predict: float64, or int32 categories."""
    room = mapped_room(_WIDEST * cells.n_rows * cells.n_features)
    columns: list[Array] = []
    for j in range(cells.n_features):
        column = _as_kernels_take(cells.column(j))
        first = _WIDEST * cells.n_rows * j
        columns.append(room[first : first + column.nbytes].view(column.dtype))
        columns[j][:] = column
    return columns


def array_in_file(array: Array) -> Array:
    """A copy of an array in a file."""
    room: Array = mapped_room(array.nbytes).view(array.dtype)
    room[:] = array
    return room


def column_groups(n_rows: int, n_columns: int, threads: int) -> Iterator[range]:
    """The columns in groups that are read at once: one a thread, as an eighth of the memory has
    place for their rows.
    """
    place = memory_limit() / 8 / (_BYTES * n_rows)
    each = int(max(1, min(threads, place)))
    for first in range(0, n_columns, each):
        yield range(first, min(first + each, n_columns))


def _as_kernels_take(column: Array) -> Array:
    return column if column.dtype == np.int32 else column.astype(np.float64)
