"""Binned columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..base.sample import OPENED, Binning
from ..base.trees.term import Grid
from .cells import contiguous, sparse_arrays

if TYPE_CHECKING:
    from ..base.sample import Cells

Keys = NDArray[np.uint64]


@dataclass(frozen=True)
class ColumnKernels:
    """Kernels of binned columns, which are made once per fit."""

    threads: int

    def code(
        self,
        cells: Cells,
        binning: Binning = OPENED,
        copies: NDArray[np.int64] | None = None,
    ) -> _core.Columns:
        """Binned columns of dense, tabular or sparse values, with frequency weights."""
        how: dict[str, Any] = {
            "threads": self.threads,
            "most_codes": binning.most_codes,
            "least_rows": binning.least_rows,
            "keep_order": binning.keep_order,
            "copies": None if binning.keep_order else copies,  # such bins need not be even
        }
        if cells.matrix is not None:
            return _core.Columns.from_matrix(cells.matrix, **how)
        if cells.sparse is not None:
            return _code_sparse(cells, how)
        assert cells.columns is not None
        assert cells.n_categories is not None
        table = contiguous(cells.columns)
        return _core.Columns.from_table(cells.n_rows, table, cells.n_categories, **how)

    def merge(
        self, coded: _core.Columns, most: int, copies: NDArray[np.int64] | None
    ) -> _core.Columns:
        """Binned columns with at most so many bins per ordered column, neighbours merged."""
        return _core.merge(coded, most, copies)

    def grid(self, coded: _core.Columns, j: int) -> Grid:
        """The bins of a column."""
        categorical, n_codes, has_missing, cuts = _core.grid(coded, j)
        return Grid(None if categorical else cuts, n_codes, has_missing)

    def codes(self, coded: _core.Columns, j: int) -> NDArray[np.uint8]:
        """The bin of every row in a column; one beyond the last where it is missing."""
        return _core.codes_of(coded, j)

    def varying(self, coded: _core.Columns) -> NDArray[np.int32]:
        """The columns that are not constant."""
        return coded.varying()

    def is_constant(self, coded: _core.Columns) -> bool:
        """Whether every column is constant, so that all rows are alike."""
        return len(self.varying(coded)) == 0

    def row_hashes(self, coded: _core.Columns) -> Keys:
        """A hash of each row's content, independent of the order of rows."""
        return coded.hash_rows(self.threads)

    def row_keys(self, table: Any, factors: Keys) -> Keys:
        """A 64-bit key of each sparse row: the bits of its numbers times a factor per column,
        summed.
        """
        by_rows = table if table.format == "csr" else table.tocsr()
        return _core.row_keys(*sparse_arrays(by_rows), factors)


def _code_sparse(cells: Cells, how: dict[str, Any]) -> _core.Columns:
    sparse: Any = cells.sparse
    if sparse.format == "csc":
        return _core.Columns.from_sparse(cells.n_rows, *sparse_arrays(sparse), **how)
    columns, categories = cells.columns or [], np.zeros(0, np.int32)
    if cells.n_categories is not None:
        categories = np.ascontiguousarray(cells.n_categories[: len(columns)])
    return _core.Columns.from_rows(
        contiguous(columns), categories, sparse.shape[1], *sparse_arrays(sparse), **how
    )
