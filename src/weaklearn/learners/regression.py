"""Trees fitted to numbers by least squares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from ..base.hypothesis import Form, WeakLearner
from ..base.sample import Binning
from ..base.trees.scored_tree import ScoredTree
from .tree import TreeLearner

if TYPE_CHECKING:
    from ..base.sample import Distribution, Sample

# What is boosted where numbers are fitted and no learner is named.
BOOSTED_REGRESSION = TreeLearner(criterion="squared_error", categorical="subset", max_depth=3)


@dataclass(frozen=True)
class RegressionLearner(WeakLearner):
    """Grows a tree whose leaves answer the weighted mean of the target, whatever the sample's y."""

    tree: TreeLearner = BOOSTED_REGRESSION

    form = Form.NUMBERS

    @property
    def binning(self) -> Binning:
        return self.tree.binning

    def bind(self, sample: Sample) -> Callable[..., ScoredTree]:
        settings = self.tree.settings(sample)

        def learn(D: Distribution, z: NDArray[Any], key: int = 0) -> ScoredTree:
            numbers = replace(sample, y=z, n_classes=0, classes=())
            grown = sample.engine.trees.grower(numbers, settings).grow(D, key)
            return ScoredTree(self.tree.pruned(grown, sample.engine))

        return learn
