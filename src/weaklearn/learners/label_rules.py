"""Rules that answer every label: partitions, rules about one term, products of a rule and signs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import fsum, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.hypothesis import Form, Hypothesis, Oracle, WeakLearner
from ..base.label_distribution import LabelDistribution, Parted
from ..base.rows import Binning, Rows
from ..base.sample import Sample
from ..base.trees.grower_settings import LabelTreeSettings
from ..base.trees.label_tree import LabelHypothesis, LabelTree
from ..base.trees.tree import THRESHOLD, Tree
from ..base.trees.tree_arrays import LEAF
from ..base.types import Floats
from .partition import confidences

_TIED = 1e-12
_UNIT = 2.0**40  # confidences are whole numbers of 1/_UNIT, so that sums of them are exact


@dataclass(frozen=True)
class CommonTerm:
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
        above, below = (np.vstack([nothing, each]) for each in (plus, minus))
        return h, Parted(blocks, h.answers, above, below)


def common_term(rows: Rows) -> CommonTerm | None:
    """The first column that is above 0 in every row."""
    cells = rows.cells
    columns = cells.columns or []
    for j, column in enumerate(columns):
        if column.dtype.kind == "f" and (column > 0).all():
            return CommonTerm(j, float(column.min()))
    rest: Any = cells.sparse if cells.matrix is None else cells.matrix
    if rest is None:
        return None
    everywhere = np.flatnonzero(np.asarray((rest > 0).sum(axis=0)).ravel() == len(rows))
    if len(everywhere) == 0:
        return None
    j = len(columns) + int(everywhere[0])
    return CommonTerm(j, float(rows.column(j).min()))


class LabelTreeOracle:
    """The grower of trees over labels, bound to a sample; ``smoothing`` of None is 1/(mK).

    ``criterion`` gives what a booster may ask of a tree, from the weights W+ and W- at its leaves.
    ``common`` is a rule to choose where it is better.
    """

    def __init__(
        self,
        sample: Sample,
        settings: LabelTreeSettings,
        smoothing: float | None = 0.0,
        criterion: Callable[[Tree, Floats, Floats], float] = lambda tree, plus, minus: nan,
        common: CommonTerm | None = None,
    ) -> None:
        self._sample, self._smoothing, self._criterion = sample, smoothing, criterion
        self._common = common
        self._grower = sample.engine.labels.grower(sample, settings)

    def __call__(self, D: LabelDistribution, z: NDArray[Any], key: int = 0) -> LabelTree:
        s = 1 / (self._sample.m * D.n_labels) if self._smoothing is None else self._smoothing
        arrays, plus, minus, blocks = self._grower.grow(self._sample.coded, D.weights, s)
        tree, whole = Tree.of(arrays), (plus[0], minus[0])
        leaf = tree.is_leaf[:, None]
        plus, minus = plus * leaf, minus * leaf  # what lies above is counted below
        h = LabelTree(tree, self._criterion(tree, plus, minus))
        parted = Parted(blocks, h.answers, plus, minus)
        if self._common is not None and self._common.goes_before(h, *whole):
            h, parted = self._common.rule(*whole, s, self._sample)
        D.found(h, parted)
        return h


@dataclass(frozen=True)
class LabelPartitionLearner(LabelTreeSettings, WeakLearner):
    """Grows a tree and answers label l in block b with c_bl = 1/2 ln((W+ + s)/(W- + s)).

    W+ and W- are the weights in block b of the examples that have label l, and of those that have
    not. Tests are chosen so that 2 sum sqrt(W+ W-) over blocks and labels is small; a stump makes
    it least. ``smoothing`` is s, None means 1/(mK). Missing values take a branch of their own.

    Reference: Schapire and Singer (1999), Machine Learning 37, section 6.
    """

    smoothing: float | None = None

    form = Form.LABEL_CONFIDENCES

    @property
    def over_partitions(self) -> bool:  # type: ignore[override]
        alone = self.max_depth == 1 and self.min_samples_leaf == 1
        return alone and self.least_share == 0

    def bind(self, sample: Sample) -> LabelTreeOracle:  # type: ignore[override]
        return LabelTreeOracle(sample, self, self.smoothing, _normaliser)


def _normaliser(tree: Tree, plus: Floats, minus: Floats) -> float:
    """2 sum sqrt(W+ W-) over blocks and labels."""
    return 2 * fsum(np.sqrt(plus * minus).ravel())


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
    a value; missing values are a block of their own, silent in the abstaining form. A term that
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

    def bind(self, sample: Sample) -> LabelTreeOracle:  # type: ignore[override]
        settings = LabelTreeSettings(cost=_COSTS[self.rule], least_share=self.least_share)
        common = None
        if self.rule == "abstain" and self.least_share == 0:  # block 0 is empty
            common = common_term(sample)
        return LabelTreeOracle(sample, settings, self.smoothing, self._criterion, common)

    def _criterion(self, tree: Tree, plus: Floats, minus: Floats) -> float:
        if self.rule == "discrete":
            return nan  # signs need a vote
        if self.rule == "real":
            return _normaliser(tree, plus, minus)
        abstained = (tree.values[tree.value] == 0).all(axis=1)[:, None]
        return fsum(np.where(abstained, plus + minus, 2 * np.sqrt(plus * minus)).ravel())


_SWEEPS = 5  # at most; of the few that gain, the later ones gain little


@dataclass(frozen=True, eq=False)
class LabelProduct(LabelHypothesis):
    """h(x, l) = u_l g(x), for a rule g that answers -1, 0 or +1."""

    g: Hypothesis
    u: Floats

    @property
    def answers(self) -> Floats:
        return np.array([-1.0, 0.0, 1.0])[:, None] * self.u

    def blocks(self, rows: Rows) -> NDArray[np.int32]:
        return np.asarray(np.sign(np.asarray(self.g(rows))) + 1, np.int32)

    @property
    def constant(self) -> bool:
        return self.g.constant

    @property
    def wrapped(self) -> Any:
        return self.g.wrapped

    def importances(self, n_features: int) -> Floats | None:
        return self.g.importances(n_features)


@dataclass(frozen=True)
class ProductStumpLearner(WeakLearner):
    """The stump g and the signs u with the largest r = sum over i, l of S_il u_l g(x_i).

    S are the weights, negative where an example has not the label; r is the sum over labels of
    |sum over i of S_il g(x_i)|. g is +1 above a threshold or at a category and -1 elsewhere; a
    missing value gets the better answer. u_l is the sign of the sum of label l, and -1 where it is
    0 (within 1e-12 of the weight): then r is the same either way.
    """

    least_share: float = 0.0

    form = Form.LABEL_SIGNS

    @property
    def over_partitions(self) -> bool:  # type: ignore[override]
        return self.least_share == 0

    def bind(self, sample: Sample) -> LabelTreeOracle:  # type: ignore[override]
        return LabelTreeOracle(sample, LabelTreeSettings("product", least_share=self.least_share))


@dataclass(frozen=True)
class ProductLearner(WeakLearner):
    """Products with the rules of any learner of two classes.

    For given signs u the best rule is one of small error where example i has the label
    sign(sum over l of S_il u_l) and the size of that sum for its weight; for a given rule the best
    signs are those of sum over i of S_il g(x_i). The two are found in turns, beginning with the
    signs of the best stump, as long as r grows.
    """

    learner: WeakLearner

    form = Form.LABEL_SIGNS

    @property
    def binning(self) -> Binning:
        return self.learner.binning

    def bind(self, sample: Sample) -> ProductOracle:  # type: ignore[override]
        return ProductOracle(sample, self.learner)


class ProductOracle:
    """A learner of two classes bound to a sample of many labels."""

    def __init__(self, sample: Sample, learner: WeakLearner) -> None:
        signs = np.ones(len(sample), np.int8)
        two = replace(sample, y=signs, n_classes=2, classes=np.array([-1, 1]))
        self._sample = two
        self._ask: Oracle = learner.bind(two)
        self._begin = ProductStumpLearner().bind(sample)

    def __call__(self, D: LabelDistribution, z: NDArray[Any], key: int = 0) -> LabelHypothesis:
        first = self._begin(D, z, key)
        u = first.tree.values[first.tree.value[first.tree.is_leaf][-1]]
        S = D.signed
        best: LabelHypothesis | None = None
        r = -1.0
        for _ in range(_SWEEPS):
            found = self._turn(D, S, u, key)
            if found is None or found[1] <= r + _TIED:
                break
            best, r, u = found
        return first if best is None else best

    def _turn(
        self, D: LabelDistribution, S: Floats, u: Floats, key: int
    ) -> tuple[LabelHypothesis, float, Floats] | None:
        """A rule for these signs, r, and the signs for that rule; None where all weights are 0."""
        pull = np.zeros(len(S))
        for column, sign in zip(S.T, u, strict=True):
            pull += sign * column
        sample = self._sample
        size = np.abs(pull) if sample.copies is None else np.abs(pull) / sample.copies
        if not (size > 0).any():
            return None
        side = np.where(pull > 0, 1, -1).astype(np.int8)
        weighed = sample.engine.weights.distribution(len(sample), size, sample.copies, side)
        g = self._ask(weighed, side, key)
        blocks = np.asarray(np.sign(np.asarray(g(sample))) + 1, np.int32)
        plus, minus = D.sums(blocks, 3)
        toward = (plus[2] - minus[2]) - (plus[0] - minus[0])
        signs = np.where(toward > _TIED, 1.0, -1.0)
        h = _product(g, signs)
        r = fsum(np.abs(toward))
        if isinstance(h, LabelProduct):
            D.found(h, Parted(blocks, h.answers, plus, minus))
        return h, r, signs


def _product(g: Hypothesis, u: Floats) -> LabelHypothesis:
    """g times u; as one tree where g is one."""
    tree = g.as_tree() if g.form is Form.CLASSES else None
    if tree is None:
        return LabelProduct(g, u)
    return LabelTree(replace(tree, values=tree.values * u))
