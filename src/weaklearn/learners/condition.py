"""Base conditions of alternating trees: the test of least Z."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.hypothesis import Form, WeakLearner
from ..base.sample import Binning
from ..base.trees.condition_search import ConditionSearch
from ..base.trees.scored_tree import Partition
from ..base.trees.tree import Tree
from ..base.types import Floats
from .partition import confident
from .tree import TreeLearner, TreeOracle

if TYPE_CHECKING:
    from ..base.sample import Distribution, Sample


CONDITION = TreeLearner(
    criterion="sqrt",
    categorical="equality",
    missing="branch",
    max_depth=1,
    split_zero_gain=True,  # the root asks even where no answer tells anything
)


@dataclass(frozen=True)
class ConditionLearner(WeakLearner):
    """The test that makes 2 sum sqrt(W+ W-) over its outcomes least.

    Tests are x > t, for t between two neighbouring values, and x = v for a category; missing values
    are an outcome of their own. Ties: the lowest feature, then the lowest threshold or category.
    """

    tree: TreeLearner = CONDITION

    form = Form.CONFIDENCES

    @property
    def binning(self) -> Binning:
        return self.tree.binning

    def bind(self, sample: Sample) -> ConditionOracle:
        return ConditionOracle(sample, self.tree)


class ConditionOracle(ConditionSearch):
    """The search bound to a sample."""

    def __init__(self, sample: Sample, learner: TreeLearner) -> None:
        self._grow = TreeOracle(sample, learner)
        self._smoothing = 0.5 / sample.m

    def __call__(self, D: Distribution, z: NDArray[Any], key: int = 0) -> Partition:
        return confident(self._grow(D, z, key).tree, self._smoothing)

    def within(self, w: Floats, some: Sequence[NDArray[np.int32]]) -> list[tuple[Tree, float]]:
        """The best test in each list of rows, and its criterion as a share of their weight.

        ``w`` weighs a copy of every row. Where there is no test, the tree has none.
        """
        trees = map(Tree.of, self._grow.grower.grow_many(w, some))
        return [(tree, _share(tree)) for tree in trees]


def _share(tree: Tree) -> float:
    """2 sum sqrt(W+ W-) over the outcomes, as a share of the weight of all rows."""
    p = float(tree.values[tree.value[0], -1])
    return 2 * sqrt(p * (1 - p)) - float(tree.gain[0] / tree.weight[0])
