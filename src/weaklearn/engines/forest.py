"""Trees packed for prediction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .cells import contiguous, is_by_rows, kernel_cells, over, places

if TYPE_CHECKING:
    from ..base.rows import Cells
    from ..base.trees.linear_tree import Slopes
    from ..base.trees.tree import Tree

_CELLS_AT_ONCE = 2**21  # of a sparse matrix, whose columns in use are spread out
_ASKED = (
    *("ask", "feature", "threshold", "first", "width", "missing"),
    *("subset", "value", "weight", "subsets", "values"),
)


def asked_arrays(tree: Tree) -> tuple[NDArray[Any], ...]:
    """The arrays of a tree that its predictions depend on."""
    return tuple(getattr(tree, name) for name in _ASKED)


class Forest:
    """Trees packed for prediction: sums of leaf values, leaf indices, or values per tree.

    Tree t adds ``votes[t]`` times its value to column ``outputs[t]`` of the scores, or, where that
    is -1 (as it is everywhere unless given), to all of them. With ``slopes`` its value is that of
    the leaf and its slopes; each tree then has an output of its own.
    """

    def __init__(
        self,
        trees: Sequence[Tree],
        n_features: int,
        n_categories: NDArray[Any] | None,
        votes: NDArray[np.float64] | None,
        outputs: NDArray[np.int32] | None,
        n_outputs: int,
        slopes: Sequence[Slopes] | None = None,
    ) -> None:
        T = len(trees)
        categories = np.zeros(n_features) if n_categories is None else n_categories
        self._n_outputs = n_outputs
        self._made_of = (trees, n_categories, votes, outputs, slopes)
        self._kernel = _core.Forest(
            n_features,
            np.ascontiguousarray(categories, np.uint32),
            n_outputs,
            [asked_arrays(tree) for tree in trees],
            np.ascontiguousarray(np.ones(T) if votes is None else votes, np.float64),
            np.ascontiguousarray(np.full(T, -1) if outputs is None else outputs, np.int32),
            None if slopes is None else [of.arrays() for of in slopes],
        )

    def __len__(self) -> int:
        return self._kernel.n_trees

    def sum(
        self,
        cells: Cells,
        threads: int,
        base: float | NDArray[np.float64] = 0.0,
        first: int = 0,
        last: int | None = None,
    ) -> NDArray[np.float64]:
        """Base, then vote times value of the trees first .. last - 1 in their order."""
        start = np.empty(self._n_outputs)
        start[:] = base
        stop = len(self) if last is None else last
        if is_by_rows(cells):
            few = self._narrow(cells, first, stop)
            n = stop - first
            return np.concatenate([f._kernel.sum(c, start, 0, n, threads) for f, c in few])
        return self._kernel.sum(kernel_cells(cells), start, first, stop, threads)

    def terms(self, cells: Cells, threads: int) -> Iterator[NDArray[np.float64]]:
        """Vote times value of one tree after another, (rows, outputs) each."""
        forest, table = self, None
        if not is_by_rows(cells):
            table = kernel_cells(cells)
        elif len(chunks := list(islice(self._narrow(cells), 2))) == 1:
            [(forest, table)] = chunks
        for t in range(len(self)):
            if table is None:
                yield self.sum(cells, threads, first=t, last=t + 1)
            else:
                yield forest._kernel.sum(table, np.zeros(self._n_outputs), t, t + 1, threads)

    def by_row(self, base: NDArray[np.float64]) -> Callable[[list[Any]], Any]:
        """A function that maps one row, a list of numbers and category codes, to base plus all
        trees.

        It answers None where the list holds anything else, or is of another length.
        """
        add, start = self._kernel.sum_row, np.array(base, np.float64)
        return lambda row: add(row, start)

    def apply(self, cells: Cells, threads: int) -> NDArray[np.int32]:
        """The leaf index of each row in each tree; of several leaves the one of most weight."""
        if is_by_rows(cells):
            return np.concatenate([f._kernel.apply(c, threads) for f, c in self._narrow(cells)])
        return self._kernel.apply(kernel_cells(cells), threads)

    def each(self, cells: Cells, threads: int) -> NDArray[np.float64]:
        """The value of every tree of a single output, before its vote."""
        if is_by_rows(cells):
            return np.concatenate([f._kernel.each(c, threads) for f, c in self._narrow(cells)])
        return self._kernel.each(kernel_cells(cells), threads)

    def _narrow(
        self, cells: Cells, first: int = 0, stop: int | None = None
    ) -> Iterator[tuple[Forest, _core.Cells]]:
        """The trees first .. stop - 1 over the columns that they use alone, and these columns in
        chunks of rows.
        """
        trees, n_categories, votes, outputs, slopes = self._made_of
        here = slice(first, stop)
        trees = trees[here]
        votes = None if votes is None else votes[here]
        outputs = None if outputs is None else outputs[here]
        slopes = None if slopes is None else slopes[here]
        asked = [tree.feature[~tree.is_leaf] for tree in trees]
        asked += [of.feature for of in slopes or ()]
        used = np.unique(np.concatenate([[0], *asked])).astype(np.int32)
        categories = None if n_categories is None else np.asarray(n_categories)[used]
        narrow = [over(tree, used) for tree in trees]
        if slopes is not None:
            slopes = [replace(of, feature=places(of.feature, used)) for of in slopes]
        forest = Forest(narrow, len(used), categories, votes, outputs, self._n_outputs, slopes)
        columns = cells.columns or []
        beside = int(np.searchsorted(used, len(columns)))  # of the list of columns
        listed = used[beside:] - len(columns)
        step = max(256, _CELLS_AT_ONCE // len(used))
        for begin in range(0, max(cells.n_rows, 1), step):
            part = slice(begin, begin + step)
            table = contiguous(columns[j][part] for j in used[:beside])
            spread = cells.sparse[part][:, listed].toarray().astype(np.float64)  # type: ignore[index]
            table += contiguous(spread.T)
            yield forest, _core.Cells.table(len(spread), table)
