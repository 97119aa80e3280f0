"""Rules about one term: a number per label where it occurs, and one where it does not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import fsum, nan
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

FORMS = ("real", "abstain", "discrete")
_COSTS = {"real": "partition", "abstain": "abstain", "discrete": "discrete"}


@dataclass(frozen=True)
class TermRuleLearner(WeakLearner):
    """The best test of one column: block 1 where a term is there, block 0 where it is not.

    W+ and W- are the weights in block b of the examples that have label l, and of those that have
    not. By ``rule``, the answers and what makes the best test:

    - real: c_bl = 1/2 ln((W+ + s)/(W- + s)); the least 2 sum over b, l of sqrt(W+ W-).
    - abstain: the same in block 1, and 0 in block 0, whose whole weight W_0 stays; the least
      W_0 + 2 sum over l of sqrt(W+ W-).
    - discrete: c_bl = -1 or +1; the largest sum over b, l of |W+ - W-|.

    ``smoothing`` is s, None means 1/(mK). The test of a number is a threshold, that of a category
    a level; missing values are a block of their own, silent in the abstaining form. Of equals the
    first column is taken. Cost: an addition for each entry of a sparse matrix and each label.

    Reference: Schapire and Singer (2000), Machine Learning 39.
    """

    rule: str = "real"
    smoothing: float | None = None
    least_share: float = 0.0

    @property
    def form(self) -> Form:
        return Form.LABEL_SIGNS if self.rule == "discrete" else Form.LABEL_CONFIDENCES

    def bind(self, sample: Sample) -> Callable[..., LabelTree]:
        cost, coded = _COSTS[self.rule], sample.coded
        settings = LabelTreeSettings(cost=cost, least_share=self.least_share)
        grower = sample.engine.labels.grower(sample, settings)

        def learn(D: LabelDistribution, z: NDArray[Any], key: int = 0) -> LabelTree:
            s = 1 / (sample.m * D.n_labels) if self.smoothing is None else self.smoothing
            arrays, plus, minus, blocks = grower.grow(coded, D.weights, s)
            tree = Tree.of(arrays)
            leaf = tree.is_leaf[:, None]
            plus, minus = plus * leaf, minus * leaf  # what lies above is counted below
            h = LabelTree(tree, self._criterion(tree, plus, minus))
            D.found(h, Parted(blocks, h.answers, plus, minus))
            return h

        return learn

    def _criterion(self, tree: Tree, plus: Any, minus: Any) -> float:
        if self.rule == "discrete":
            return nan  # signs need a vote
        kept = 2 * np.sqrt(plus * minus)
        if self.rule == "abstain":
            abstained = (tree.values[tree.value] == 0).all(axis=1)[:, None]
            kept = np.where(abstained, plus + minus, kept)
        return fsum(kept.ravel())
