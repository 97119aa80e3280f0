"""Trees grown by a kernel, in the words of samples and distributions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.trees.tree import Tree

if TYPE_CHECKING:
    from ..base.distribution import Distribution

Whole = NDArray[np.int64]
Floats = NDArray[np.float64]


class TreeGrower:
    """Rules of growth bound to a sample; every tree and every forest is grown from here."""

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel

    def grow(
        self, D: Distribution | None = None, key: int = 0, copies: Whole | None = None
    ) -> Tree:
        """One tree: under D, or on a bag of copies (0: not in the bag), or on the sample itself."""
        weights = None if D is None else D.weights
        bag = None if copies is None else np.ascontiguousarray(copies, np.int64)
        return Tree.of(self._kernel.grow(weights, bag, key))

    def grow_many(self, weight: Floats, rows: Sequence[NDArray[np.int32]]) -> list[dict[str, Any]]:
        """The arrays of one tree for each list of rows, by the weights of a copy of every row.

        A tree depends on the rows of its list and on their weights alone.
        """
        ends = np.cumsum([len(some) for some in rows], dtype=np.int64)
        every = np.concatenate(rows).astype(np.int32, copy=False)
        trees: list[dict[str, Any]] = self._kernel.grow_many(weight, every, ends)
        return trees

    def forest(
        self,
        n_trees: int,
        *,
        bootstrap: bool,
        n_draws: int,
        seed: int,
        canonical: Whole | None = None,
        first: int = 0,
    ) -> list[Tree]:
        """Trees ``first``, ``first + 1``, ... on bags of ``n_draws`` draws each.

        Draws address copies of rows in the order ``canonical``.
        """
        order = None if canonical is None else np.ascontiguousarray(canonical, np.int64)
        trees = self._kernel.forest(n_trees, bootstrap, n_draws, seed, order, first)
        return [Tree.of(arrays) for arrays in trees]
