"""Rows to predict: encoded values of X, and how columns are binned for a search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ..engines import Engine
    from .trees.tree import Tree


class Cells(Protocol):
    """The encoded feature values of X: a matrix, a sparse matrix, or a list of columns.

    Behind a list of columns there may be a sparse matrix as well.
    """

    @property
    def n_rows(self) -> int: ...
    @property
    def n_features(self) -> int: ...
    @property
    def matrix(self) -> NDArray[Any] | None: ...
    @property
    def sparse(self) -> Any | None: ...
    @property
    def columns(self) -> list[NDArray[Any]] | None: ...
    @property
    def n_categories(self) -> NDArray[np.int32] | None: ...
    def take(self, rows: NDArray[np.intp]) -> Cells: ...


class Binning(NamedTuple):
    """How numeric columns are binned; exact searches also keep the order of rows in a bin."""

    most_codes: int = 255
    least_rows: int = 64
    keep_order: bool = True


_CELLS_KEPT = 2**20  # of sparse columns made dense

OPENED = Binning()  # for exact stumps
CUT = Binning(least_rows=1, keep_order=False)  # for trees that cut between bins only


@dataclass(frozen=True)
class Rows:
    """Rows to predict: their encoded values, the raw X for third-party learners, the engine."""

    cells: Cells
    raw: Any
    engine: Engine

    def __len__(self) -> int:
        return self.cells.n_rows

    def forest(self, trees: Sequence[Tree], **more: Any) -> Any:
        """Trees packed for prediction of rows of these columns."""
        cells = self.cells
        return self.engine.prediction.forest(trees, cells.n_features, cells.n_categories, **more)

    def column(self, j: int) -> NDArray[Any]:
        """Column j: float64 with NaN for missing, or int32 category codes, -1 missing."""
        columns = self.cells.columns or []
        if j < len(columns):
            return columns[j]
        if self.cells.matrix is not None:
            return np.asarray(self.cells.matrix[:, j], dtype=np.float64)
        if self.cells.sparse is None:  # the values are in files
            in_files: Any = self.cells
            values: NDArray[Any] = in_files.column(j)
            return values if values.dtype == np.int32 else values.astype(np.float64)
        found = self._spread.get(j)
        if found is None:
            if len(self._spread) * len(self) > _CELLS_KEPT:
                self._spread.clear()  # of other threads too, each of which holds what it asked for
            listed: Any = self.cells.sparse
            x = listed[:, [j - len(columns)]].toarray()
            found = self._spread[j] = np.asarray(x, dtype=np.float64).ravel()
            found.flags.writeable = False
        return found

    @cached_property
    def _spread(self) -> dict[int, NDArray[np.float64]]:
        """Columns of a sparse matrix that were asked for lately, made dense."""
        return {}
