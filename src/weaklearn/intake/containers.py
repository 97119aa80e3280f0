"""Any container of rows and columns as a float matrix, a sparse matrix, or raw columns.

Nothing here depends on training or prediction.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import scipy.sparse as sp

from ..base.types import Array
from .arrays import RESHAPE, Names, Table, array_table, from_rows, labeller
from .object_column import array_raw
from .raw_column import (
    Kind,
    Labeller,
    Raw,
    as_floats,
    check_type,
    refuse_infinity,
    time_raw,
    unnamed,
    warn_rounded,
)

if TYPE_CHECKING:
    from ..datasets.data_table import DataColumn, DataTable

__all__ = [
    "Names",
    "Table",
    "array_table",
    "cell_of",
    "compressed",
    "labeller",
    "open_table",
    "settled",
]


def open_table(X: Any, label: Labeller = unnamed) -> Table:
    """The table of any X; `label` names columns in messages where X has no names."""
    if isinstance(X, np.ndarray):
        return array_table(X, label)
    if sp.issparse(X):
        return sparse_table(X, label)
    if isinstance(X, Mapping) or (
        isinstance(X, (list, tuple)) and len(X) > 0 and isinstance(X[0], Mapping)
    ):
        _refuse_mapping(X)
    if isinstance(X, (list, tuple)):
        return array_table(from_rows(X), label)
    from ..datasets.data_table import DataTable

    if isinstance(X, DataTable):
        return typed_table(X)
    from .dataframe import frame_table  # brings narwhals: only where it is needed

    table = frame_table(X)
    if table is not None:
        return table
    array = np.asarray(X)
    if array.ndim == 0 and array.dtype.kind in "OUS":  # None, a generator, a text
        raise ValueError(
            "Expected 2D array, got scalar array instead: X is of type "
            f"{type(X).__name__}, which has no rows and columns; pass an array, a DataFrame or a "
            "list of rows."
        )
    return array_table(array, label)


def _refuse_mapping(X: Any) -> NoReturn:
    """Refuses dicts, and says how to make a DataFrame of them."""
    found, table = "a dict, one row", "pandas.DataFrame([X])"
    if not isinstance(X, Mapping):
        found, table = "a list of dicts, one per row", "pandas.DataFrame(X)"
    elif any(np.ndim(column) > 0 for column in X.values()):
        found, table = "a dict of columns", "pandas.DataFrame(X)"
    raise ValueError(f"Expected 2D array, got {found}, instead; pass X as {table}.")


def typed_table(X: DataTable) -> Table:
    """Open a table that was read from a file."""
    label = labeller(X.names)
    columns = [X.column(name) for name in X.names]
    if columns and all(column.kind == "number" for column in columns):
        matrix = np.empty(X.shape, order="F")
        for j, column in enumerate(columns):
            matrix[:, j] = column.values
        return array_table(matrix, label, X.names)
    return Table(X.shape, X.names, raws=[_typed_raw(c, label(j)) for j, c in enumerate(columns)])


def _typed_raw(column: DataColumn, where: str) -> Raw:
    if column.kind == "category":
        codes = column.values.astype(np.int64)
        return Raw(where, Kind.CATEGORY, codes, labels=column.labels, declared=column.declared)
    if column.kind == "date":
        return time_raw(column.values, where, tz=column.tz)
    return array_raw(column.values, where)


# ---------------------------------------------------------------------------------- sparse matrices


def sparse_table(X: Any, label: Labeller) -> Table:
    """The table of a scipy sparse matrix or array, which stays sparse."""
    form = sp.csr_array if X.format == "csr" else sp.csc_array
    return Table(X.shape, sparse=compressed(X, form, label))


def compressed(X: Any, form: type[Any], label: Labeller) -> Any:
    """A sparse matrix of checked floats by columns (csc_array) or by rows (csr_array).

    The entries of a column, or row, are sorted and without duplicates.
    """
    X = settled(X)
    check_type(X, label(0))
    if X.dtype.kind not in "fbiu":
        raise ValueError(f"X is sparse and has type {X.dtype}; convert it to float64.")
    found = form(X)
    if not _is_canonical(found):
        # Summed in the type of X, as X.toarray() would, and in arrays of our own.
        found = found.copy()
        found.sum_duplicates()
    data = as_floats(found.data, None)
    if data is None:
        data = found.data.astype(np.float64)
        wide = np.unique(found.data)
        warn_rounded("its sparse entries", len(wide) - len(np.unique(wide.astype(np.float64))))
    _check_finite_data(data, found, label)
    return form((data, found.indices, found.indptr), shape=X.shape)


_KINDS: dict[str, tuple[Any, Any]] = {
    "csr": (sp.csr_matrix, sp.csr_array),
    "csc": (sp.csc_matrix, sp.csc_array),
    "bsr": (sp.bsr_matrix, sp.bsr_array),
    "coo": (sp.coo_matrix, sp.coo_array),
}


def settled(X: Any) -> Any:
    """A copy of a sparse matrix with index arrays of its own, all within bounds.

    Compiled code trusts them, so that they must not be shared; the flags of X, which may be stale,
    are not copied.
    """
    if X.ndim != 2:
        raise ValueError(f"Expected 2D array, got sparse input of shape {X.shape}. {RESHAPE}")
    if X.format == "dia" and not (
        np.ndim(X.offsets) == 1 and np.ndim(X.data) == 2 and len(X.offsets) == len(X.data)
    ):
        _refuse_structure("offsets and data do not match")
    if X.format not in _KINDS:
        return X
    kind = _KINDS[X.format][isinstance(X, sp.sparray)]
    n_rows, n_columns = X.shape
    data = np.asarray(X.data)
    if X.format == "coo":
        row = _indices(X.row, n_rows, len(data), "row")
        column = _indices(X.col, n_columns, len(data), "col")
        return kind((data, (row, column)), shape=X.shape)
    lines, width = (n_columns, n_rows) if X.format == "csc" else (n_rows, n_columns)
    if X.format == "bsr":
        lines, width = lines // data.shape[1], width // data.shape[2]
    indptr = np.array(X.indptr)
    if indptr.dtype.kind not in "iu" or indptr.shape != (lines + 1,):
        _refuse_structure(f"indptr has shape {indptr.shape}, {lines + 1} integers are needed")
    if indptr[0] != 0 or (indptr[1:] < indptr[:-1]).any():
        _refuse_structure("indptr does not rise from 0")
    count = int(indptr[-1])
    if count > len(data):
        _refuse_structure(f"indptr ends at {count}, but data has {len(data)} entries")
    indices = _indices(X.indices, width, count, "indices")
    return kind((data[:count], indices, indptr), shape=X.shape)


def _indices(given: Any, width: int, count: int, name: str) -> Array:
    """A copy of the first ``count`` indices, found to be below ``width``."""
    indices = np.array(given)
    if indices.ndim != 1 or indices.dtype.kind not in "iu" or len(indices) < count:
        _refuse_structure(f"{name} has shape {indices.shape}, {count} integers are needed")
    used: Array = indices[:count]
    if count and (used.min() < 0 or used.max() >= width):
        k = int(np.argmax((used < 0) | (used >= width)))
        _refuse_structure(f"{name}[{k}] is {used[k]}, allowed are 0 to {width - 1}")
    return used


def _refuse_structure(what: str) -> None:
    raise ValueError(f"X is a malformed sparse matrix: {what}; build it again from its entries.")


def _is_canonical(X: Any) -> bool:
    """Whether the indices of every column, or row, rise strictly."""
    rises = X.indices[1:] > X.indices[:-1]
    starts = X.indptr[1:-1]
    rises[starts[(starts > 0) & (starts <= len(rises))] - 1] = True  # not within one column
    return bool(rises.all())


def _check_finite_data(data: Array, X: Any, label: Labeller) -> None:
    with np.errstate(over="ignore", invalid="ignore"):
        total = np.add.reduce(data)
    if math.isfinite(total):
        return
    infinite = np.flatnonzero(np.isinf(data))
    if len(infinite):
        row, column = cell_of(X, int(infinite[0]))
        refuse_infinity(row, label(column), data[infinite[0]])


def cell_of(X: Any, k: int) -> tuple[int, int]:
    """Row and column of the k-th entry of a compressed matrix."""
    line, place = int(np.searchsorted(X.indptr, k, side="right")) - 1, int(X.indices[k])
    return (place, line) if X.format == "csc" else (line, place)
