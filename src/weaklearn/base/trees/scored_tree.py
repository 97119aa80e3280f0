"""Trees whose leaves hold scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..hypothesis import Hypothesis
from .tree import Tree

if TYPE_CHECKING:
    from ..sample import Rows


@dataclass(frozen=True, eq=False)
class ScoredTree(Hypothesis):
    """Answers with the number at the leaf where a row ends up."""

    tree: Tree

    @property
    def score_tree(self) -> Tree:
        """What a scorer of many trees sums up."""
        return self.tree

    @property
    def constant(self) -> bool:
        """Whether the answer is the same whatever the row."""
        return len(self.tree) == 1

    @property
    def reach(self) -> float:
        """The largest |answer|."""
        leaves = self.tree.value[self.tree.is_leaf]
        return float(np.abs(self.tree.values[leaves, 0]).max())

    def __call__(self, rows: Rows) -> NDArray[np.float64]:
        cells, engine = rows.cells, rows.engine
        scorer: Any = engine.prediction.forest(
            [self.tree], cells.n_features, cells.n_levels, n_outputs=1
        )
        scores: NDArray[np.float64] = scorer.sum(cells, engine.threads)
        return scores[:, 0]

    def importances(self, n_features: int) -> NDArray[np.float64]:
        """The share of the gain that each feature holds."""
        inner = ~self.tree.is_leaf
        gains = np.bincount(
            self.tree.feature[inner], weights=self.tree.gain[inner], minlength=n_features
        )
        whole = float(gains.sum())
        return np.asarray(gains / whole if whole > 0 else gains, np.float64)
