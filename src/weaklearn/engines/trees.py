"""Kernels of trees: single ones, forests, rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..base.trees.grower_settings import TreeSettings
from ..base.trees.tree import Tree
from ..base.types import Floats, Ints
from .forest import asked_arrays
from .structs import filled

if TYPE_CHECKING:
    from ..base.sample import Distribution, Sample


@dataclass(frozen=True)
class TreeKernels:
    """Kernels of decision trees."""

    threads: int

    def grower(self, sample: Sample, settings: TreeSettings, n_outputs: int = 1) -> TreeGrower:
        """A grower of trees, and of forests, by an impurity criterion, averaged over outputs.

        Where rows have several outputs, the sample holds a number for each, or for each class of
        each whether a row has it.
        """
        return TreeGrower(sample, settings, self.threads, n_outputs)

    def leaves(self, coded: _core.Columns, tree: Tree) -> NDArray[np.int32] | None:
        """The leaf index of every binned row; None where a test splits rows within a bin."""
        return _core.leaf_of_row(coded, asked_arrays(tree), self.threads)

    def pessimistic(self, tree: Tree) -> NDArray[np.int32]:
        """The nodes that pessimistic pruning turns into leaves; some may lie below others."""
        return _core.pessimistic(
            first=tree.first,
            width=tree.width,
            weight=tree.weight,
            count=tree.count,
            value=tree.value,
            values=tree.values,
            threads=self.threads,
        )

    def leaf_slopes(
        self,
        g: Floats,
        c: Floats | None,
        copies: Ints | None,
        rows: NDArray[np.uint32] | None,
        leaf: NDArray[np.int32],
        asked: tuple[NDArray[np.int32], NDArray[np.int32]],
        x: Sequence[Floats],
        l2: float,
    ) -> tuple[Floats, Floats, Floats, Floats]:
        """For each column of each node of a tree its slope, 0 where it has none, the centre, and
        the least and largest value that rows hold; ``asked``: how many columns each node has, and
        their places in x, node after node. ``leaf``: the node that each row is in.
        """
        return _core.leaf_slopes(g, c, copies, rows, leaf, *asked, list(x), l2, self.threads)

    def rule_grower(
        self,
        ranks: NDArray[np.int32],
        n_values: NDArray[np.int64],
        is_categorical: NDArray[np.bool_],
        has_missing: NDArray[np.bool_],
        copies: NDArray[np.int64],
        *,
        grow: float,
        max_tests: int | None,
        least_share: float,
    ) -> _core.RuleGrower:
        """A grower of single rules on columns coded by ranks (columns, rows); missing ones last."""
        most = np.iinfo(np.int64).max if max_tests is None else max_tests
        return _core.RuleGrower(
            *(ranks, n_values, is_categorical.view(np.uint8), has_missing.view(np.uint8)),
            *(np.ascontiguousarray(copies, np.int64), grow, int(most), least_share),
        )


class TreeGrower:
    """A grower with its settings, bound to a sample."""

    def __init__(
        self, sample: Sample, settings: TreeSettings, threads: int, n_outputs: int = 1
    ) -> None:
        numbers, labels = sample.n_classes == 0, sample.y
        if sample.binary:  # the only class is +1 inside
            labels = (sample.y > 0).astype(np.int32) * (sample.n_classes - 1)
        prior: Any = None if sample.importance is None else sample.prior.weights
        self._kernel = _core.TreeGrower(
            sample.coded,
            labels=None if numbers else np.ascontiguousarray(labels, np.int32),
            numbers=np.ascontiguousarray(sample.y, np.float64).ravel() if numbers else None,
            n_classes=sample.n_classes,
            copies=sample.copies,
            prior=prior,
            settings=filled(_core.TreeSettings(), TreeSettings, settings),
            threads=threads,
            n_targets=sample.y.shape[1] if n_outputs > 1 else 0,
            n_outputs=n_outputs,
        )

    def grow(self, D: Distribution | None = None, key: int = 0, copies: Ints | None = None) -> Tree:
        """One tree: under D, on a bag of frequency weights (0: out of bag), or on the sample."""
        weights: Any = None if D is None else D.weights
        bag = None if copies is None else np.ascontiguousarray(copies, np.int64)
        return Tree.of(self._kernel.grow(weights, bag, key))

    def grow_many(self, weight: Floats, rows: Sequence[NDArray[np.int32]]) -> list[dict[str, Any]]:
        """The arrays of one tree for each list of rows, under a weight per copy of every row.

        A tree depends on the rows of its list and on their weights alone.
        """
        ends = np.cumsum([len(some) for some in rows], dtype=np.int64)
        every = np.concatenate(rows).astype(np.int32, copy=False)
        trees: list[dict[str, Any]] = self._kernel.grow_many(weight, every, ends)
        return trees

    def forest(
        self,
        n_trees: int,
        *,
        bootstrap: bool,
        n_draws: int,
        seed: int,
        canonical: Ints | None = None,
        first: int = 0,
    ) -> list[Tree]:
        """Trees ``first``, ``first + 1``, ... on bags of ``n_draws`` draws each.

        Draws address copies of rows in the order ``canonical``.
        """
        order = None if canonical is None else np.ascontiguousarray(canonical, np.int64)
        trees = self._kernel.forest(n_trees, bootstrap, n_draws, seed, order, first)
        return [Tree.of(arrays) for arrays in trees]
