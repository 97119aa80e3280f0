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
from ..base.trees.tree import LEAF, THRESHOLD, Tree
from ..base.types import Floats
from .partition import confidences

if TYPE_CHECKING:
    from ..base.label_distribution import LabelDistribution
    from ..base.sample import Rows, Sample

FORMS = ("real", "abstain", "discrete")
_TIED = 1e-12
_UNIT = 2.0**40  # confidences are whole numbers of 1/_UNIT, so that sums of them are exact
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
    a level; missing values are a block of their own, silent in the abstaining form. A term that
    every example has (a column above 0 throughout) parts none of them, but the abstaining form may
    choose it: W_0 is 0 then, and examples to come without the term are left alone. Of equals the
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
        common = None
        if self.rule == "abstain" and self.least_share == 0:  # block 0 is empty
            common = _common_term(sample)

        def learn(D: LabelDistribution, z: NDArray[Any], key: int = 0) -> LabelTree:
            s = 1 / (sample.m * D.n_labels) if self.smoothing is None else self.smoothing
            arrays, plus, minus, blocks = grower.grow(coded, D.weights, s)
            tree = Tree.of(arrays)
            whole = plus[0], minus[0]
            leaf = tree.is_leaf[:, None]
            plus, minus = plus * leaf, minus * leaf  # what lies above is counted below
            h = LabelTree(tree, self._criterion(tree, plus, minus))
            if common is not None and common.goes_before(h, *whole):
                h, parted = common.rule(*whole, s, sample)
                D.found(h, parted)
                return h
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


@dataclass(frozen=True)
class _CommonTerm:
    """A term that every example has, and the least value of its column."""

    feature: int
    least: float

    def goes_before(self, h: LabelTree, plus: Floats, minus: Floats) -> bool:
        """Whether the rule about this term is better than h, or as good and earlier."""
        Z, first = 2 * fsum(np.sqrt(plus * minus)), int(h.tree.feature[0])
        return Z < h.criterion - _TIED or (Z <= h.criterion + _TIED and self.feature <= first)

    def rule(
        self, plus: Floats, minus: Floats, s: float, sample: Sample
    ) -> tuple[LabelTree, Parted]:
        """The rule that speaks where the term is there, and all examples in that block."""
        K, none = len(plus), np.zeros(3, np.int32)
        c = np.rint(confidences(plus, minus, s) * _UNIT) / _UNIT
        Z = 2 * fsum(np.sqrt(plus * minus))
        tree = Tree(
            ask=np.array([THRESHOLD, LEAF, LEAF], np.uint8),
            feature=np.array([self.feature, -1, -1], np.int32),
            threshold=np.array([self.least / 2, 0.0, 0.0]),
            first=np.array([1, 0, 0], np.int32),
            width=np.array([2, 0, 0], np.int32),
            missing=none,
            subset=none - 1,
            value=np.array([0, 0, 1], np.int32),
            weight=np.array([1.0, 0.0, 1.0]),
            count=np.array([sample.m, 0, sample.m]),
            gain=np.array([1 - Z, 0.0, 0.0]),
            subsets=np.zeros((0, 4), np.uint64),
            values=np.array([np.zeros(K), c]),
        )
        h = LabelTree(tree, Z)
        nothing = np.zeros((2, K))
        blocks = np.full(len(sample), 2, np.int32)
        weights = (np.vstack([nothing, each]) for each in (plus, minus))
        return h, Parted(blocks, h.answers, *weights)


def _common_term(rows: Rows) -> _CommonTerm | None:
    """The first column that is above 0 in every row."""
    cells = rows.cells
    columns = cells.columns or []
    for j, column in enumerate(columns):
        if column.dtype.kind == "f" and (column > 0).all():
            return _CommonTerm(j, float(column.min()))
    rest: Any = cells.sparse if cells.matrix is None else cells.matrix
    if rest is None:
        return None
    everywhere = np.flatnonzero(np.asarray((rest > 0).sum(axis=0)).ravel() == len(rows))
    if len(everywhere) == 0:
        return None
    j = len(columns) + int(everywhere[0])
    return _CommonTerm(j, float(rows.column(j).min()))
