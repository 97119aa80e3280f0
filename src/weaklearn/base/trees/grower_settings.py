"""Settings of the kernels that grow trees; a field here and in C++ has the same name."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

from .split_search import OF_NUMBERS


@dataclass(frozen=True)
class TreeSettings:
    """How a tree of classes or of numbers is grown.

    ``criterion``: "error", "gini", "entropy", "gain_ratio", "sqrt", or for numbers "squared_error",
    "poisson", "absolute_error". ``splitter``: of a column the "best" cut, or a "random" one.
    ``exact``: thresholds between any two values, else between 255 codes. ``categorical``:
    "multiway", "subset" or "equality". ``missing``: the better "side", a "branch" of their own,
    a "fraction" down each, or of two classes "abstain", a branch that counts as one of equal
    shares. Limits on examples given as integers count them, floats are shares.
    ``least_share`` is of the weight on each side of a test, ``max_features`` are drawn afresh at
    each node (see ``features_to_try``), ``monotonic`` holds -1, 0 or +1 a column.
    ``category_noise``: how many times the gain is taken off that a cut through the categories of a
    column, in order of their rates, makes by chance.

    >>> TreeSettings(max_depth=2).criterion
    'entropy'
    """

    criterion: str = "entropy"
    splitter: str = "best"
    exact: bool = True
    categorical: str = "multiway"
    missing: str = "side"
    max_depth: int | None = None
    max_leaf_nodes: int | None = None
    min_samples_split: int | float = 2
    min_samples_leaf: int | float = 1
    least_share: float = 0.0
    min_gain: float = 0.0
    max_features: Any = None
    seed: int = 0
    monotonic: tuple[int, ...] | None = None
    category_noise: float = 1.0
    split_zero_gain: bool = False

    @property
    def of_numbers(self) -> bool:
        """Whether trees answer numbers, not shares of classes."""
        return self.criterion in OF_NUMBERS


@dataclass(frozen=True)
class GradientSettings:
    """How a tree that fits gradients is grown.

    A leaf's value is -G / (C + l2), with G and C the sums of gradient and curvature there, G
    brought nearer to 0 by ``l1``. It is mixed with ``path_smoothing`` examples of its parent's
    value, and is at most ``max_step`` in size; a split is judged by the values that it would give
    its sides. No side has a C below ``min_curvature``. The
    categories of a column are cut in the order of their rates, each mixed with ``category_smooth``
    examples of the node's; ``category_noise`` is the share of what chance alone would gain that is
    taken off. ``monotonic`` holds -1, 0 or +1 a column; features of one of the ``groups``, where
    there are any, may stand on one path. So many ``level_features`` are drawn for each level, and
    of them ``node_features`` for each node, by ``feature_weights``; the gain of a split on a
    feature is multiplied by its one of the ``feature_factors``. With ``random_cuts`` one cut of
    each feature is drawn, and no other is looked at. Forced splits are made before all others: of
    each a feature, the code up to which it goes left, and the numbers of those below it (-1: none).
    """

    max_leaf_nodes: int | None = 15
    max_depth: int | None = None
    min_samples_leaf: int = 5
    min_curvature: float = 1e-3
    l1: float = 0.0
    l2: float = 1.0
    max_step: float = inf
    path_smoothing: float = 0.0
    category_noise: float = 0.8
    category_smooth: float = 10.0
    random_cuts: bool = False
    min_gain: float = 0.0
    level_features: int | None = None
    node_features: int | None = None
    feature_weights: tuple[float, ...] | None = None
    feature_factors: tuple[float, ...] | None = None
    monotonic: tuple[int, ...] | None = None
    groups: tuple[tuple[int, ...], ...] = ()
    forced_feature: tuple[int, ...] | None = None
    forced_cut: tuple[int, ...] | None = None
    forced_left: tuple[int, ...] | None = None
    forced_right: tuple[int, ...] | None = None


@dataclass(frozen=True)
class LabelTreeSettings:
    """How a tree over examples of many labels is grown.

    ``cost``, by which blocks are judged: "partition", "product", "discrete" or "abstain".
    ``categorical`` tests are "equality" or "multiway"; ``least_share`` is of the weight on each
    side of a test. Limits count examples.
    """

    cost: str = "partition"
    categorical: str = "equality"
    max_depth: int | None = 1
    max_leaf_nodes: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    least_share: float = 0.0
