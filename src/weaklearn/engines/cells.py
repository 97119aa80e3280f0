"""Encoded feature values in the forms that kernels read: dense, by columns, or sparse."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from . import later

if TYPE_CHECKING:
    from ..base.rows import Cells
    from ..base.trees.tree import Tree


def holds_infinity(matrix: NDArray[Any], threads: int) -> bool:
    """Whether a matrix of float32 or float64 holds an infinity; NaN is none.

    >>> holds_infinity(np.array([[0.0, np.nan], [1.0, -np.inf]]), threads=1)
    True
    """
    return _core.holds_infinity(matrix, threads)


def kernel_cells(cells: Cells) -> _core.Cells:
    """Encoded feature values in the form that kernels read."""
    if cells.matrix is not None:
        return _core.Cells.matrix(cells.matrix)
    if cells.sparse is not None and cells.columns is None:
        return _core.Cells.sparse(cells.n_rows, *by_columns(cells.sparse))
    columns = table_of(cells)
    if cells.sparse is not None:  # spread out: for a few rows
        columns += list(np.ascontiguousarray(cells.sparse.toarray().T, np.float64))
    return _core.Cells.table(cells.n_rows, columns)


def table_of(cells: Cells) -> list[NDArray[Any]]:
    """Columns as kernels read them; those of streamed values are put into a file first."""
    if cells.columns is not None:
        return contiguous(cells.columns)
    in_files: Any = cells
    return later.in_file(in_files)


def contiguous(columns: Any) -> list[NDArray[Any]]:
    """Columns as contiguous arrays."""
    return [np.ascontiguousarray(column) for column in columns]


def is_by_rows(cells: Cells) -> bool:
    """Whether some columns are those of a sparse matrix by rows."""
    return cells.sparse is not None and cells.sparse.format == "csr"


def by_columns(sparse: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Data, rows and starts of sparse columns."""
    return sparse_arrays(sparse if sparse.format == "csc" else sparse.tocsc())


def sparse_arrays(sparse: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Data, places and starts of sparse columns or rows, with one type of index."""
    places, starts = sparse.indices, sparse.indptr
    index = np.int32 if places.dtype == np.int32 and starts.dtype == np.int32 else np.int64
    return (
        np.ascontiguousarray(sparse.data),
        np.ascontiguousarray(places, index),
        np.ascontiguousarray(starts, index),
    )


def code_sparse(cells: Cells, how: dict[str, Any]) -> _core.Columns:
    """Binned columns of values that are sparse, or of columns and sparse ones behind them."""
    sparse: Any = cells.sparse
    if sparse.format == "csc":
        return _core.Columns.from_sparse(cells.n_rows, *sparse_arrays(sparse), **how)
    columns, categories = cells.columns or [], np.zeros(0, np.int32)
    if cells.n_categories is not None:
        categories = np.ascontiguousarray(cells.n_categories[: len(columns)])
    return _core.Columns.from_rows(
        contiguous(columns), categories, sparse.shape[1], *sparse_arrays(sparse), **how
    )


def over(tree: Tree, used: NDArray[np.int32]) -> Tree:
    """A tree renumbered to a subset of columns that contains all it uses."""
    place = places(tree.feature, used)
    return replace(tree, feature=np.where(tree.is_leaf, np.int32(-1), place))


def places(features: NDArray[np.int32], used: NDArray[np.int32]) -> NDArray[np.int32]:
    """Where features stand in a subset of columns, given in order."""
    return np.searchsorted(used, features).astype(np.int32)
