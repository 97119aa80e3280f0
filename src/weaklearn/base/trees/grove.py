"""Trees in order, as forests keep them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from ..types import Floats
from .tree import Tree, pack_trees, unpack_trees

if TYPE_CHECKING:
    from ..rows import Rows

_BATCH = 16  # trees asked one by one at a time


class Grove(Sequence[Tree]):
    """Trees in order, packed for prediction on first use."""

    def __init__(self, trees: Iterable[Tree]) -> None:
        self._trees = tuple(trees)
        self._scorer: Any = None

    def __len__(self) -> int:
        return len(self._trees)

    @overload
    def __getitem__(self, b: int) -> Tree: ...
    @overload
    def __getitem__(self, b: slice) -> Grove: ...
    def __getitem__(self, b: int | slice) -> Tree | Grove:
        return Grove(self._trees[b]) if isinstance(b, slice) else self._trees[b]

    def plus(self, trees: Iterable[Tree]) -> Grove:
        """These trees and some more."""
        return Grove((*self._trees, *trees))

    def _packed(self, rows: Rows) -> Any:
        if self._scorer is None:
            cells, n_outputs = rows.cells, self._trees[0].n_outputs
            self._scorer = rows.engine.prediction.forest(
                self._trees, cells.n_features, cells.n_categories, n_outputs=n_outputs
            )
        return self._scorer

    def average(self, rows: Rows) -> Floats:
        """The mean over trees of the leaf values of each row, (rows, outputs)."""
        total: Floats = self._packed(rows).sum(rows.cells, rows.engine.threads)
        return total / len(self)

    def by_row(self, rows: Rows) -> Any:
        """A function that maps one row, a list of numbers, to the sum of all trees."""
        return self._packed(rows).by_row(np.zeros(self._trees[0].n_outputs))

    def apply(self, rows: Rows) -> NDArray[np.int32]:
        """The leaf index of each row in each tree, (rows, trees)."""
        return np.asarray(self._packed(rows).apply(rows.cells, rows.engine.threads))

    def answers(self, rows: Rows) -> Iterator[Floats]:
        """The leaf values of each row, (rows, outputs), tree by tree."""
        for start in range(0, len(self), _BATCH):
            batch = self[start : start + _BATCH]
            for tree, ends in zip(batch, batch.apply(rows).T, strict=True):
                yield tree.values[tree.value[ends]]

    def __getstate__(self) -> dict[str, Any]:
        return {"trees": pack_trees(self._trees)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(unpack_trees(state["trees"]))  # type: ignore[misc]
