"""Trees packed for Shapley values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .cells import kernel_cells
from .forest import asked_arrays

if TYPE_CHECKING:
    from ..base.sample import Cells
    from ..base.trees.tree import Tree


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
