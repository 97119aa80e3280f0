"""Trees whose leaves hold scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..hypothesis import Form, Hypothesis
from .tree import Tree

if TYPE_CHECKING:
    from ..rows import Rows


@dataclass(frozen=True, eq=False)
class ScoredTree(Hypothesis):
    """A tree that answers with the number of the leaf that a row reaches."""

    tree: Tree

    reads_cells = True

    def as_tree(self) -> Tree:
        return self.tree

    @property
    def form(self) -> Form:
        """BOUNDED where every leaf is within -1 and 1, else NUMBERS."""
        return Form.BOUNDED if self.reach <= 1 else Form.NUMBERS

    @property
    def constant(self) -> bool:
        return len(self.tree) == 1

    @property
    def reach(self) -> float:
        leaves = self.tree.value[self.tree.is_leaf]
        return float(np.abs(self.tree.values[leaves, 0]).max())

    def __call__(self, rows: Rows) -> NDArray[np.float64]:
        scorer = rows.forest([self.tree], n_outputs=1)
        scores: NDArray[np.float64] = scorer.sum(rows.cells, rows.engine.threads)
        return scores[:, 0]

    def importances(self, n_features: int) -> NDArray[np.float64]:
        """The share of the gain of each feature."""
        return self.tree.importances(n_features)


@dataclass(frozen=True, eq=False)
class Partition(ScoredTree):
    """Blocks with their confidences; ``criterion`` is 2 sum sqrt(W+ W-), small where it is good."""

    criterion: float = 1.0

    @property
    def form(self) -> Form:
        return Form.CONFIDENCES

    @property
    def Z_criterion(self) -> float:
        return self.criterion
