"""The seam to where the work is done; reached only through rows and samples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .distribution import Distribution, Verdict
    from .ensemble import PackedMembers
    from .label_distribution import LabelDistribution
    from .loss import Loss
    from .sample import Binning, Cells, Sample
    from .trees.term import Grid
    from .trees.tree import Tree

Keys = NDArray[np.uint64]


class Engine(Protocol):
    """Sums over examples and tables over columns, on this machine or elsewhere."""

    @property
    def threads(self) -> int: ...

    def code(
        self, cells: Cells, binning: Binning = ..., copies: NDArray[np.int64] | None = None
    ) -> Any:
        """Coded columns, made once a fit; ``copies``: how often each row counts in a bin."""

    def distribution(
        self,
        n_rows: int,
        prior: NDArray[np.float64] | None,
        copies: NDArray[np.int64] | None,
        sign: NDArray[np.int8] | None,
    ) -> Distribution:
        """A distribution over rows in fixed point."""

    def stump_search(
        self, sample: Sample, multiway: bool, abstain: bool, least_share: float = 0.0
    ) -> Any:
        """An exact search for the best stump of a sample; no side is lighter than asked."""

    def judge(self, sample: Sample, members: Any) -> Verdict:
        """The verdict of a native stump on the coded rows."""

    def verdict(self, side: NDArray[np.int8]) -> Verdict:
        """A verdict from given sides."""

    def scorer(self, members: PackedMembers) -> Any:
        """A vote of stumps packed for prediction."""

    def tree_grower(
        self,
        sample: Sample,
        *,
        criterion: str,
        exact: bool,
        categorical: str,
        missing: str,
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        min_weight: float = 0.0,
        min_gain: float = 0.0,
        max_features: int | None = None,
        split_zero_gain: bool = False,
        smoothing: float = 0.0,
        level_noise: float = 0.0,
        seed: int = 0,
        monotonic: NDArray[np.int8] | None = None,
    ) -> Any:
        """A grower of trees, and of forests, by an impurity criterion; see its kernel for rules."""

    def label_distribution(
        self,
        signs: NDArray[np.int8],
        prior: NDArray[np.float64] | None,
        copies: NDArray[np.int64] | None,
        *,
        pairs: bool = False,
        one_label: bool = False,
    ) -> LabelDistribution:
        """A distribution over examples and labels, or over their pairs of labels."""

    def label_grower(
        self,
        sample: Sample,
        *,
        cost: str,
        multiway: bool = False,
        least_share: float = 0.0,
        min_samples_leaf: int = 1,
        min_samples_split: int = 2,
        max_depth: int | None = 1,
        max_leaf_nodes: int | None = None,
    ) -> Any:
        """A grower of trees over examples of many labels; see its kernel for rules."""

    def gradient_grower(self, sample: Sample, learner: Any) -> Any:
        """A grower of trees that fit gradients, within the limits of a learner."""

    def kept_trees(self) -> Any:
        """A list that a gradient grower's trees are kept in."""

    def grid(self, coded: Any, j: int) -> Grid:
        """The slots of a coded column."""

    def merge(self, coded: Any, most: int, copies: NDArray[np.int64] | None) -> Any:
        """Columns whose ordered ones have at most so many codes, neighbours joined."""

    def codes(self, coded: Any, j: int) -> NDArray[np.uint8]:
        """The code of every row in a column; one beyond the last where it is missing."""

    def pair_statistics(
        self,
        coded: Any,
        g: NDArray[np.float64],
        c: NDArray[np.float64] | None,
        copies: NDArray[np.int64] | None,
        features: NDArray[np.int32],
        l2: float,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """For each pair, in order: how clearly the best cross of two cuts parts the gradients, and
        how much the best one gains.
        """

    def derivatives(
        self,
        loss: Loss,
        y: NDArray[Any],
        F: NDArray[np.float64],
        weight: NDArray[np.float64] | None,
        copies: NDArray[np.int64] | None,
        room: tuple[NDArray[np.float64], NDArray[np.float64] | None] | None = None,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64] | None, float]:
        """Gradient and curvature, (K, m), of weighted examples, and their total loss; in ``room``
        are old ones that may be written over.
        """

    def total(
        self,
        x: NDArray[np.float64],
        weight: NDArray[np.float64] | None = None,
        copies: NDArray[np.int64] | None = None,
    ) -> float:
        """The weighted sum of numbers, free of their order."""

    def exponentials(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """exp of every number, the same bits everywhere; held at exp(700)."""

    def draw(
        self, content: Keys, before: Keys | None, salt: int, chance: float
    ) -> NDArray[np.uint32]:
        """The rows of a bag that each enters with a chance below 1, by its content.

        ``before``: how many copies of the same content come before a row; None where none do.
        """

    def draw_copies(
        self,
        content: Keys,
        before: Keys | None,
        copies: NDArray[np.int64],
        salt: int,
        chance: float,
    ) -> NDArray[np.int64]:
        """How many copies of each row enter a bag."""

    def forest(
        self,
        trees: Sequence[Tree],
        n_features: int,
        n_levels: NDArray[Any] | None,
        *,
        votes: NDArray[np.float64] | None = None,
        outputs: NDArray[np.int32] | None = None,
        n_outputs: int = 1,
    ) -> Any:
        """Trees packed for prediction."""

    def shapley(
        self,
        trees: Sequence[Tree],
        covers: Sequence[NDArray[np.float64]],
        n_features: int,
        n_levels: NDArray[Any] | None,
        *,
        votes: NDArray[np.float64],
        outputs: NDArray[np.int32],
        n_outputs: int = 1,
    ) -> Any:
        """Trees packed for Shapley values; covers: how many examples each node had."""

    def landed(self, coded: Any, tree: Tree) -> NDArray[np.int32] | None:
        """The leaf of every coded row of a sample, or None where its codes do not tell it."""

    def not_worth_keeping(self, tree: Tree) -> NDArray[np.int32]:
        """The nodes of a tree of classes that pessimistic pruning makes leaves."""

    def is_constant(self, coded: Any) -> bool:
        """Whether no column tells any two rows apart."""

    def telling(self, coded: Any) -> NDArray[np.int32]:
        """The columns that tell rows apart."""

    def haar_bank(
        self,
        windows: NDArray[Any],
        rects: NDArray[np.int32],
        weight: NDArray[np.float64],
        start: NDArray[np.int64],
    ) -> Any:
        """Windows, (n, height, width), and rectangle features of them."""

    def haar_search(self, bank: Any, keep: int) -> Any:
        """A search for stumps over the features of a bank, with so many bytes of codes kept."""

    def row_hashes(self, coded: Any) -> NDArray[np.uint64]:
        """A hash of each row's content, whatever the order of rows."""
