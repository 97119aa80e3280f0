"""Kernels that describe rows: hashes of their content, counts of their codes; and draws by hash."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..base.numeric.hashing import Keys
from ..base.types import Floats, Ints
from . import later
from .cells import contiguous, sparse_arrays
from .collective import ALONE, Collective

if TYPE_CHECKING:
    from ..base.rows import Cells


@dataclass(frozen=True)
class RowKernels:
    """Kernels of the content of rows, binned or as they came."""

    threads: int
    collective: Collective = ALONE

    def row_hashes(self, coded: _core.Columns) -> Keys:
        """A hash of each row's content, independent of the order of rows."""
        return coded.hash_rows(self.threads)

    def row_keys(self, table: Any, factors: Keys) -> Keys:
        """A 64-bit key of each sparse row: sums of its numbers' bits times factors of columns."""
        return _core.row_keys(*sparse_arrays(table.tocsr()), factors)

    def table_keys(self, cells: Cells, factors: Keys) -> Keys:
        """A key of each row given as columns, a sparse matrix, or both: the same sum, mixed."""
        columns = contiguous(cells.columns or [])
        beside = cells.sparse
        if beside is None:
            keys = np.zeros(cells.n_rows, np.uint64)
        else:
            keys = self.row_keys(beside, factors[len(columns) :])
        _core.add_table_keys(columns, factors[: len(columns)], keys, self.threads)
        return keys

    def read_rows(
        self,
        matrix: Floats,
        factors: Keys,
        labels: Keys | None = None,
        weights: Floats | None = None,
        copies: Ints | None = None,
    ) -> tuple[Keys, Floats, Floats, tuple[int, int] | None]:
        """One pass over dense rows: their keys, mixed; least and greatest value of each column; and
        with labels their ``hash_examples``, where rows are hashed by every value.
        """
        return _core.read_rows(matrix, factors, labels, weights, copies, self.threads)

    def hash_examples(
        self, rows: Keys, labels: Keys, weights: Floats | None, copies: Ints | None
    ) -> tuple[int, int]:
        """Two sums of hashes, modulo 2^64, over rows with their labels, weights and copies."""
        return _core.hash_examples(rows, labels, weights, copies)

    def sort_keys(self, keys: Keys) -> Keys:
        """The keys in order, in a new array; fastest where they are hashes."""
        return _core.sort_keys(keys, self.threads)

    def order_by_keys(self, keys: Keys) -> Ints:
        """The rows in the order of their keys, equal ones as they come."""
        return _core.order_by_keys(keys, self.threads)

    def sums_over_equal(self, keys: Keys, values: Ints) -> Ints:
        """Sums of whole numbers, (n, rows), over the rows with the same key, for every row."""
        return later.group_sums(keys, values, self.collective)

    def copies_before(self, keys: Keys, copies: Ints | None) -> Keys | None:
        """The number of copies of the same key before each row; None where all rows differ."""
        ranked = self.sort_keys(keys)
        first = np.append(np.ones(min(len(keys), 1), bool), ranked[1:] != ranked[:-1])
        if first.all() and self.collective.size == 1:
            return None
        order = self.order_by_keys(keys)
        counts = np.ones(len(order), np.int64) if copies is None else copies[order]
        before = np.cumsum(counts) - counts
        start = before[first]
        if self.collective.size > 1:
            own, zeros = np.diff(start, append=counts.sum()), np.zeros(len(start), np.int64)
            start -= later.group_places(ranked[first], zeros, own, 1, self.collective).beside
        found: Keys = np.empty_like(keys)
        found[order] = (before - start[np.cumsum(first) - 1]).astype(np.uint64)
        return found

    def code_counts(self, coded: _core.Columns, rows: Ints | None, copies: Ints | None) -> Ints:
        """How many rows, or copies, have each code, (n_features, 256); missing is the last code.

        Only the listed rows are counted; None: all.
        """
        return _core.code_counts(coded, rows, copies)

    def draw_columns(
        self, columns: NDArray[np.int32], n: int, weights: Sequence[float], key: int
    ) -> NDArray[np.int32]:
        """So many of the columns, ascending, drawn one after another by their weights."""
        drawn = _core.draw_columns(columns, n, np.asarray(weights, np.float64), key)
        return np.asarray(drawn, np.int32)
