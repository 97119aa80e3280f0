"""Fitted members packed for prediction, and the Shapley values of trees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .cells import by_columns, kernel_cells, table_of
from .forest import Forest, asked_arrays

if TYPE_CHECKING:
    from ..base.ensemble import PackedMembers
    from ..base.rows import Cells
    from ..base.trees.linear_tree import Slopes
    from ..base.trees.tree import Tree
    from .forest import Forest


class PredictionKernels:
    """Constructors of packed members for prediction; each call names its number of threads."""

    def scorer(self, members: PackedMembers) -> Scorer:
        """A vote of stumps packed for prediction."""
        return Scorer(members)

    def forest(
        self,
        trees: Sequence[Tree],
        n_features: int,
        n_categories: NDArray[Any] | None,
        *,
        votes: NDArray[np.float64] | None = None,
        outputs: NDArray[np.int32] | None = None,
        n_outputs: int = 1,
        slopes: Sequence[Slopes] | None = None,
    ) -> Forest:
        """Trees packed for prediction, with the slopes of their leaves, if they have any."""
        return Forest(trees, n_features, n_categories, votes, outputs, n_outputs, slopes)

    def shapley(
        self,
        trees: Sequence[Tree],
        covers: Sequence[NDArray[np.float64]],
        n_features: int,
        n_categories: NDArray[Any] | None,
        *,
        votes: NDArray[np.float64],
        outputs: NDArray[np.int32],
        n_outputs: int = 1,
    ) -> Shapley:
        """Trees packed for Shapley values; covers: how many examples each node had."""
        return Shapley(trees, covers, n_features, n_categories, votes, outputs, n_outputs)


class Scorer:
    """A packed vote of stumps that gives integer scores."""

    def __init__(self, members: PackedMembers) -> None:
        self._n_features = members.n_features
        self._n_categories = members.n_categories
        self._kernel = _core.Scorer(
            members.n_features, members.n_outputs, members.n_categories, **members.arrays
        )

    def __call__(self, cells: Cells, threads: int) -> NDArray[np.int64]:
        if cells.matrix is not None:
            return self._kernel.score_matrix(cells.matrix, self._n_features, threads)
        if cells.sparse is not None:
            return self._kernel.score_sparse(cells.n_rows, *by_columns(cells.sparse))
        return self._kernel.score_table(cells.n_rows, table_of(cells), self._n_categories, threads)

    def by_row(self, unit: float) -> Callable[[list[Any]], Any]:
        """A function that maps one row, a list of numbers and category codes, to integer scores.

        It answers None where the list holds anything else, or is of another length.
        """
        score = self._kernel.score_row
        return lambda row: score(row, unit)


class Shapley:
    """Trees packed for Shapley values; ``covers``: the share of the examples in each node.

    Votes and outputs are those of ``Forest``.
    """

    def __init__(
        self,
        trees: Sequence[Tree],
        covers: Sequence[NDArray[np.float64]],
        n_features: int,
        n_categories: NDArray[Any] | None,
        votes: NDArray[np.float64],
        outputs: NDArray[np.int32],
        n_outputs: int,
    ) -> None:
        categories = np.zeros(n_features) if n_categories is None else n_categories
        self._kernel = _core.Shap(
            n_features,
            np.ascontiguousarray(categories, np.uint32),
            n_outputs,
            [asked_arrays(tree) for tree in trees],
            [np.ascontiguousarray(cover, np.float64) for cover in covers],
            np.ascontiguousarray(votes, np.float64),
            np.ascontiguousarray(outputs, np.int32),
        )

    @property
    def base(self) -> NDArray[np.float64]:
        """The mean scores."""
        return self._kernel.base()

    def contributions(self, cells: Cells, threads: int) -> NDArray[np.float64]:
        """The Shapley value of every feature for every row: (rows, features, outputs)."""
        return self._kernel.contributions(kernel_cells(cells), threads)

    def interactions(self, cells: Cells, threads: int) -> NDArray[np.float64]:
        """The Shapley interaction values, (rows, features, features, outputs): each pair is split
        between its two entries, and the diagonal holds the main effects.
        """
        read = kernel_cells(cells)
        alone = self._kernel.contributions(read, threads)
        return self._kernel.interactions(read, alone, threads)
