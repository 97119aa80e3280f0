"""Kernels of a sample: its values, its binned columns and its weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..base.numeric.hashing import Keys
from ..base.rows import OPENED, Binning
from ..base.sample import Correctness, Distribution
from ..base.streamed_cells import StreamedCells
from ..base.trees.term import Grid
from ..base.types import Floats, Ints
from . import later
from .collective import ALONE, Collective

if TYPE_CHECKING:
    from ..base.rows import Cells

# Copies of the same content before each row (None: none), and 1 for its rows (None: all are).
Bag = tuple[Keys | None, NDArray[np.uint8] | None]


@dataclass(frozen=True)
class ColumnKernels:
    """Kernels of binned columns, which are made once per fit."""

    threads: int
    collective: Collective = ALONE

    def code(
        self, cells: Cells, binning: Binning = OPENED, copies: Ints | None = None
    ) -> _core.Columns:
        """Binned columns of dense, tabular or sparse values, with frequency weights.

        Of several partitions, each bins its own rows as all rows together are binned.
        """
        how: dict[str, Any] = {
            "threads": self.threads,
            "most_codes": binning.most_codes,
            "least_rows": binning.least_rows,
            "keep_order": binning.keep_order,
            "copies": None if binning.keep_order else copies,  # such bins need not be even
        }
        if isinstance(cells, StreamedCells):
            return later.code_streamed(cells, how)
        if cells.sparse is not None:
            if self.collective.size > 1:
                raise ValueError("X is sparse, which is not supported over several partitions.")
            return later.code_sparse(cells, how)
        if self.collective.size > 1:
            columns = cells.columns if cells.matrix is None else cells.matrix.T
            assert columns is not None
            how["given"] = later.joint_codes(
                columns, binning, how["copies"], self.threads, self.collective
            )
        if cells.matrix is not None:
            return _core.Columns.from_matrix(cells.matrix, **how)
        assert cells.columns is not None
        assert cells.n_categories is not None
        table = later.contiguous(cells.columns)
        return _core.Columns.from_table(cells.n_rows, table, cells.n_categories, **how)

    def merge(
        self, coded: _core.Columns, most: int, copies: NDArray[np.int64] | None
    ) -> _core.Columns:
        """Binned columns with at most so many bins per ordered column, neighbours merged; those of
        columns in a file go to another one.
        """
        room = later.room_like(coded) if coded.is_borrowed else None
        return _core.merge(coded, most, copies, self.collective.core, room)

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


@dataclass(frozen=True)
class WeightKernels:
    """Kernels of distributions, sums and draws; none depends on the order of rows."""

    threads: int
    collective: Collective = ALONE

    def distribution(
        self,
        n_rows: int,
        prior: Floats | None,
        copies: Ints | None,
        sign: NDArray[np.int8] | None,
    ) -> Distribution:
        """A distribution over rows in fixed point, those of all partitions among them."""
        weights = _core.Weights(n_rows, prior, copies, sign, self.collective.core)
        return Distribution(weights, self.threads, sign)

    def correctness(self, side: NDArray[np.int8]) -> Correctness:
        """The correctness from an array: +1 right, -1 wrong, 0 abstained."""
        return _core.Verdict(np.ascontiguousarray(side, np.int8))

    def total(self, x: Floats, weight: Floats | None = None, copies: Ints | None = None) -> float:
        """The weighted sum of numbers over all partitions, independent of their order."""
        x = np.ascontiguousarray(x if weight is None else x * weight, np.float64)
        if self.collective.size > 1:
            return later.joint_total(x, copies, self.threads, self.collective)
        return _core.total(x, copies, self.threads)

    def exponentials(self, x: Floats) -> Floats:
        """exp of every number, the same bits everywhere; exp(700) at most."""
        return _core.exponentials(np.minimum(x, 700.0), self.threads)

    def logarithms(self, x: Floats) -> Floats:
        """ln of every positive number, the same bits everywhere."""
        return _core.logarithms(x, self.threads)

    def draw(
        self, content: Keys, bags: list[Bag], salt: int, chance: float
    ) -> list[NDArray[np.uint32]]:
        """The rows of a subsample of each bag, each drawn with a probability by its content."""
        before, inside = [bag[0] for bag in bags], [bag[1] for bag in bags]
        return _core.draw(content, before, inside, salt, chance, self.threads)

    def draw_copies(
        self, content: Keys, before: Keys | None, copies: Ints, salt: int, chance: float
    ) -> Ints:
        """The number of copies of each row in a subsample."""
        return _core.draw_copies(content, before, copies, salt, chance, self.threads)
