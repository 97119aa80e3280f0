"""Partitions of the domain whose blocks answer every label with a confidence."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.hypothesis import Form, WeakLearner
from ..base.label_distribution import Parted
from ..base.trees.grower_settings import LabelTreeSettings
from ..base.trees.label_tree import LabelTree
from ..base.trees.tree import Tree

if TYPE_CHECKING:
    from ..base.label_distribution import LabelDistribution
    from ..base.sample import Sample


class LabelPartitionOracle:
    """The grower bound to a sample."""

    def __init__(self, sample: Sample, learner: LabelPartitionLearner) -> None:
        self._m = sample.m
        self._coded = sample.coded
        self._smoothing = learner.smoothing
        settings = LabelTreeSettings(
            cost="partition",
            categorical=learner.categorical,
            max_depth=learner.max_depth,
            max_leaf_nodes=learner.max_leaf_nodes,
            min_samples_split=learner.min_samples_split,
            min_samples_leaf=learner.min_samples_leaf,
            least_share=learner.least_share,
        )
        self._grower = sample.engine.labels.grower(sample, settings)

    def __call__(self, D: LabelDistribution, z: NDArray[Any], key: int = 0) -> LabelTree:
        s = 1 / (self._m * D.n_labels) if self._smoothing is None else self._smoothing
        arrays, plus, minus, blocks = self._grower.grow(self._coded, D.weights, s)
        tree = Tree.of(arrays)
        leaf = tree.is_leaf[:, None]
        plus, minus = plus * leaf, minus * leaf  # what lies above is counted below
        criterion = 2 * fsum(np.sqrt(plus * minus).ravel().tolist())
        h = LabelTree(tree, criterion)
        D.found(h, Parted(blocks, tree.values, plus, minus))
        return h


@dataclass(frozen=True)
class LabelPartitionLearner(WeakLearner):
    """Grows a tree and answers label l in block b with c_bl = 1/2 ln((W+ + s)/(W- + s)).

    W+ and W- are the weights in block b of the examples that have label l, and of those that have
    not. Tests are chosen so that 2 sum sqrt(W+ W-) over blocks and labels is small; a stump makes
    it least. ``smoothing`` is s, None means 1/(mK). Missing values take a branch of their own,
    ``categorical`` tests are "equality" or "multiway". Limits count examples.

    Reference: Schapire and Singer (1999), Machine Learning 37, section 6.
    """

    smoothing: float | None = None
    categorical: str = "equality"
    max_depth: int | None = 1
    max_leaf_nodes: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    least_share: float = 0.0

    form = Form.LABEL_CONFIDENCES

    def bind(self, sample: Sample) -> LabelPartitionOracle:  # type: ignore[override]
        return LabelPartitionOracle(sample, self)
