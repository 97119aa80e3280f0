"""Trees that fit gradients: a Newton step in every leaf."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.numeric.hashing import Keys, keys_of_numbers, mixed, single, stream
from ..base.sample import Sample
from ..base.trees.grower_settings import GradientSettings
from ..base.trees.tree import Tree
from ..base.types import Floats, Ints
from .linear_leaves import Bag, LinearLeaves

Rows = NDArray[np.uint32]

ROWS, COLUMNS, TREE = 1, 2, 3  # what a draw is for


@dataclass(frozen=True)
class GradientTreeLearner(GradientSettings):
    """The settings of the trees, and the shares of rows and columns drawn per tree."""

    subsample: float = 1.0
    keep_largest: float = 0.0  # of the examples: those with the largest gradients are in every bag
    max_features: int | float = 1.0  # columns drawn a tree: so many, or their share
    max_features_by_level: int | float = 1.0  # of these for each level of a tree
    max_features_by_node: int | float = 1.0  # of those of its level for each node
    forced_thresholds: tuple[float, ...] = ()  # of forced splits, moved to cuts of the sample
    linear_l2: float | None = None  # of slopes in the leaves; None: there are none
    seed: int = 0

    def bind(self, sample: Sample, content: Keys | None = None) -> GradientTreeOracle:
        """An oracle on a sample; ``content``: hashes of the rows, if known."""
        return GradientTreeOracle(self, sample, content)


@dataclass(frozen=True)
class Examples:
    """A subset of the examples of a sample, as a grower takes it and as draws are made from it."""

    copies: Ints | None  # how many of each row; None: one each
    several: Ints | None  # the same, where some row has more than one
    rows: Rows | None  # the rows that have any; None: all
    before: Keys | None  # copies of the same content before each row; None where none are alike
    inside: NDArray[np.uint8] | None = None  # 1 where a row has any, else 0; None: all have


class GradientTreeOracle:
    """A grower bound to a sample. Draws depend on the content of a row, not on its position."""

    def __init__(
        self, learner: GradientTreeLearner, sample: Sample, content: Keys | None = None
    ) -> None:
        self._sample = sample
        self._varying = sample.engine.columns.varying(sample.coded)  # without them no draw matters
        self._learner = learner = self._with_forced(self._with_counts(learner))
        self._grower = sample.engine.gradients.grower(sample, learner)
        self._content: Keys | None = None
        if learner.subsample < 1 and len(self._varying) > 0:
            self._content = content_hashes(sample) if content is None else content
        asked, d = learner.max_features, len(self._varying)
        fewer = asked < d if isinstance(asked, int) else asked < 1
        within = learner.level_features is not None or learner.node_features is not None
        drawn = learner.subsample < 1 or fewer or within or learner.random_cuts
        self.draws = drawn and d > 0
        l2 = learner.linear_l2
        self._linear = None if l2 is None else LinearLeaves(sample, l2)
        self._known: list[Examples] = []

    def __call__(
        self,
        g: Floats,
        c: Floats | None,
        scores: Floats,
        *,
        vote: float,
        key: int,
        bounded: bool,
        copies: list[Ints | None],
        quantiles: list[float] | None = None,
        residuals: Floats | None = None,
        keep: bool = True,
        kept: Any = None,
    ) -> list[Tree]:
        """Grows one tree for each row of g, and adds vote times its values to the scores.

        ``copies``: the examples each learns from; ``key``: the number of the round; ``residuals``
        and ``quantiles``: where leaves answer a quantile of what is left to explain; ``kept``: an
        engine's list that takes the trees.
        """
        parts = {id(part): part for part in copies}  # which the list keeps alive: no id comes twice
        drawn = dict(zip(parts, self._draw(list(parts.values()), key), strict=True))
        bags = [drawn[id(part)] for part in copies]
        if self._content is not None and self._learner.keep_largest > 0:
            g, c, bags = self._with_largest(g, c, copies, bags)
            bounded = False
        features, linear = self._columns(key), self._linear
        grown = self._grower.grow(
            g,
            c,
            bounded=bounded,
            copies=[several for several, _ in bags],
            rows=[rows for _, rows in bags],
            features=[features] * len(copies),
            vote=vote if linear is None else 0.0,
            scores=scores,
            residuals=residuals,
            quantiles=quantiles or [],
            keep=keep or linear is not None,
            kept=kept,
            key=single(self._learner.seed, TREE, key),
        )
        trees = [Tree.of(arrays) for arrays in grown]
        return trees if linear is None else [*linear.fit(trees, g, c, bags, vote, scores)]

    def release(self) -> None:
        """Frees the memory that trees leave to the next one, which asks for it again."""
        self._grower.release()

    def _draw(self, parts: list[Ints | None], key: int) -> list[Bag]:
        """The frequency weights (None: 1 each) and rows of the examples drawn from each part."""
        everyone = [self._everyone(part) for part in parts]
        if self._content is None:
            return [(one.several, one.rows) for one in everyone]
        salt = single(self._learner.seed, ROWS, key)
        once = [(one.before, one.inside) for one in everyone if one.several is None]
        chance = self._learner.subsample
        rows_of = iter(self._sample.engine.weights.draw(self._content, once, salt, chance))
        drawn: list[tuple[Ints | None, Rows]] = [
            (None, next(rows_of))
            if one.several is None
            else self._draw_copies(one, one.several, salt)
            for one in everyone
        ]
        own = np.array([len(rows) for _, rows in drawn], np.int64)
        n_drawn = self._sample.engine.collective.sum(own)
        return [  # where none is drawn, all
            bag if n > 0 else (one.several, one.rows)
            for n, bag, one in zip(n_drawn, drawn, everyone, strict=True)
        ]

    def _with_largest(
        self, g: Floats, c: Floats | None, copies: list[Ints | None], bags: list[Bag]
    ) -> tuple[Floats, Floats, list[Bag]]:
        """Each bag with the examples whose gradients are largest, and gradients and curvatures of
        which those of the others count as often as makes up for those that were not drawn.
        """
        g, c = g.copy(), np.ones_like(g) if c is None else c.copy()
        found: list[Bag] = []
        for k, (part, bag) in enumerate(zip(copies, bags, strict=True)):
            everyone = self._everyone(part)
            if bag[1] is everyone.rows:  # none was drawn, and so all are there
                found.append(bag)
                continue
            large = largest(g[k], part, self._learner.keep_largest)
            others = ~large
            g[k, others] /= self._learner.subsample
            c[k, others] /= self._learner.subsample
            found.append(_joined(large, everyone, bag))
        return g, c, found

    def _draw_copies(self, everyone: Examples, several: Ints, salt: int) -> tuple[Ints, Rows]:
        assert self._content is not None
        drawn = self._sample.engine.weights.draw_copies(
            self._content, everyone.before, several, salt, self._learner.subsample
        )
        return drawn, np.flatnonzero(drawn).astype(np.uint32)

    def _everyone(self, copies: Ints | None) -> Examples:
        """The examples of frequency weights, cached by array."""
        for known in self._known:
            if known.copies is copies:
                return known
        self._known.append(self._examples(copies))
        return self._known[-1]

    def _examples(self, copies: Ints | None) -> Examples:
        before = None
        if self._content is not None:
            # Identical rows are interchangeable; taken as the copies of one, they draw as it does.
            before = self._sample.engine.rows.copies_before(self._content, copies)
        if copies is None:
            return Examples(None, None, None, before)
        most = self._sample.engine.collective.maximum(copies.max(keepdims=True, initial=0))
        several = copies if int(most[0]) > 1 else None
        inside = copies > 0
        rows = np.flatnonzero(inside).astype(np.uint32)
        return Examples(copies, several, rows, before, inside.view(np.uint8))

    def _columns(self, key: int) -> NDArray[np.int32] | None:
        """The columns that a round may use: a draw of the requested share of the non-constant
        columns.
        """
        d, learner = len(self._varying), self._learner
        if learner.feature_weights is not None:
            drawn = self._sample.engine.rows.draw_columns(
                self._varying,
                self._of_tree,
                learner.feature_weights,
                single(learner.seed, COLUMNS, key),
            )
        elif self._of_tree >= d:
            return None
        else:
            order = np.argsort(stream(d, learner.seed, COLUMNS, key), kind="stable")
            drawn = np.sort(self._varying[order[: self._of_tree]])
        if not learner.forced_feature:
            return drawn
        forced = np.intersect1d(learner.forced_feature, self._varying).astype(np.int32)
        return np.union1d(drawn, forced)

    def _with_forced(self, learner: GradientTreeLearner) -> GradientTreeLearner:
        """The learner with the codes at which thresholds of forced splits lie: the first cut that
        is not below a threshold, or the last.
        """
        if not learner.forced_feature:
            return learner
        cuts = []
        for j, threshold in zip(learner.forced_feature, learner.forced_thresholds, strict=True):
            borders = self._sample.engine.columns.grid(self._sample.coded, j).cuts
            assert borders is not None
            cuts.append(min(int(np.searchsorted(borders, threshold)), max(len(borders) - 1, 0)))
        return replace(learner, forced_cut=tuple(cuts))

    def _with_counts(self, learner: GradientTreeLearner) -> GradientTreeLearner:
        """The learner with the numbers of columns that its shares mean."""
        weights = learner.feature_weights
        if weights is None:
            d = len(self._varying)
        else:
            d = int(np.count_nonzero(np.asarray(weights)[self._varying]))
        self._of_tree = tree = _counted(learner.max_features, d)
        level = _counted(learner.max_features_by_level, tree)
        node = _counted(learner.max_features_by_node, level)
        return replace(
            learner,
            level_features=None if level == tree else level,
            node_features=None if node == level else node,
        )


def _counted(asked: int | float, among: int) -> int:
    """How many of so many are asked for, by number or by share."""
    wanted = asked if isinstance(asked, int) else ceil(asked * among * (1 - 1e-12))
    return min(wanted, among)


def largest(g: Floats, copies: Ints | None, share: float) -> NDArray[np.bool_]:
    """Which rows hold the largest gradients: that share of the examples, and all equal to the least
    of them.

    >>> largest(np.array([1.0, -3.0, 2.0, 3.0, 0.5]), None, 0.3).tolist()
    [False, True, False, True, False]
    >>> largest(np.array([1.0, -3.0, 2.0]), np.array([1, 0, 4]), 0.5).tolist()
    [False, False, True]
    """
    size = np.abs(g)
    if copies is None:
        place = len(size) - max(1, ceil(share * len(size) * (1 - 1e-12)))
        return np.asarray(size >= np.partition(size, place)[place])
    rows = np.flatnonzero(copies)
    rows = rows[np.argsort(-size[rows], kind="stable")]
    up_to = np.cumsum(copies[rows])
    least = int(np.searchsorted(up_to, max(1, ceil(share * int(up_to[-1]) * (1 - 1e-12)))))
    return np.asarray((size >= size[rows[least]]) & (copies > 0))


def _joined(large: NDArray[np.bool_], everyone: Examples, bag: Bag) -> Bag:
    """A bag, with all copies of some rows besides."""
    several, rows = bag
    if several is not None and everyone.several is not None:
        several = np.where(large, everyone.several, several)
        return several, np.flatnonzero(several).astype(np.uint32)
    inside = large.copy()
    inside[rows] = True
    return None, np.flatnonzero(inside).astype(np.uint32)


def content_hashes(sample: Sample, *others: Floats | None) -> Keys:
    """A hash of the content of each row: codes, label, weight, and others where given."""
    content = sample.code_hashes
    y = keys_of_numbers(np.asarray(sample.y, np.float64))
    content = mixed(content + mixed(y))
    for other in (sample.importance, *others):
        if other is not None:
            content = mixed(content ^ np.ascontiguousarray(other + 0.0).view(np.uint64))
    return content
