"""Sparse matrices, checked: compiled code trusts their indices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..base.types import Array
from .arrays import RESHAPE, Table
from .raw_column import Labeller, as_floats, check_type, refuse_infinity, warn_rounded


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
