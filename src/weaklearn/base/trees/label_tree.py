"""Hypotheses that answer every label with a number, block by block."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from math import isnan, nan
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..hypothesis import Form, Hypothesis
from ..sample import Sample
from ..types import Floats
from .tree import Tree
from .tree_arrays import LEAF

if TYPE_CHECKING:
    from ..rows import Rows


class LabelHypothesis(Hypothesis):
    """A partition of the rows into blocks, with a number per block and label.

    ``by_row``: every row is a block of its own.
    """

    by_row: ClassVar[bool] = False

    @property
    @abstractmethod
    def answers(self) -> Floats:
        """The answers, (blocks, labels)."""

    @abstractmethod
    def blocks(self, rows: Rows) -> NDArray[np.int32]:
        """The block of every row."""

    def parts(self, rows: Rows) -> tuple[NDArray[np.int32], Floats]:
        """The block of every row, and the answers of the blocks."""
        return self.blocks(rows), self.answers

    def __call__(self, rows: Rows) -> Floats:
        """The answers on rows, (rows, labels)."""
        return np.asarray(self.answers[self.blocks(rows)])

    def shares(self, rows: Rows, n_classes: int) -> Floats:
        """The answers, which may be negative."""
        return np.asarray(self(rows))

    @property
    def form(self) -> Form:
        return Form.LABEL_SIGNS

    @property
    def reach(self) -> float:
        return float(np.abs(self.answers).max())


@dataclass(frozen=True, eq=False)
class LabelTree(LabelHypothesis):
    """A tree with one number for every label at each of its nodes.

    ``criterion`` is 2 sum sqrt(W+ W-) over blocks and labels where the numbers are confidences, and
    not a number where they are signs.
    """

    tree: Tree
    criterion: float = nan

    reads_cells = True

    def as_tree(self) -> Tree:
        return self.tree

    def as_share_tree(self) -> Tree:
        return self.tree

    @property
    def form(self) -> Form:
        return Form.LABEL_SIGNS if isnan(self.criterion) else Form.LABEL_CONFIDENCES

    @property
    def Z_criterion(self) -> float:
        return self.criterion

    @property
    def constant(self) -> bool:
        return len(self.tree) == 1

    @property
    def answers(self) -> Floats:
        return np.asarray(self.tree.values[self.tree.value])

    @property
    def reach(self) -> float:
        tree = self.tree
        return float(np.abs(tree.values[tree.value[tree.ask == LEAF]]).max())

    def blocks(self, rows: Rows) -> NDArray[np.int32]:
        if isinstance(rows, Sample):
            binned = rows.engine.trees.leaves(rows.coded, self.tree)
            if binned is not None:
                return binned
        leaves: NDArray[np.int32] = self._scorer(rows).apply(rows.cells, rows.engine.threads)
        return np.ascontiguousarray(leaves[:, 0])

    def __call__(self, rows: Rows) -> Floats:
        found: Floats = self._scorer(rows).sum(rows.cells, rows.engine.threads)
        return found

    def _scorer(self, rows: Rows) -> Any:
        return rows.forest([self.tree], n_outputs=self.tree.n_outputs)

    def importances(self, n_features: int) -> Floats:
        """The share of the gain of each feature."""
        return self.tree.importances(n_features)

    def _key(self) -> tuple[Any, ...]:
        arrays = self.tree.arrays().values()
        return (np.float64(self.criterion).tobytes(), *(array.tobytes() for array in arrays))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LabelTree) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())


def constant_tree(answers: Floats, count: int) -> LabelTree:
    """A tree of one leaf, which gives every row these answers."""
    one, none = np.zeros(1, np.int32), np.full(1, -1, np.int32)
    tree = Tree(
        ask=np.zeros(1, np.uint8),
        feature=none,
        threshold=np.zeros(1),
        first=one,
        width=one,
        missing=one,
        subset=none,
        value=one,
        weight=np.ones(1),
        count=np.array([count], np.int64),
        gain=np.zeros(1),
        subsets=np.zeros((0, 4), np.uint64),
        values=np.asarray(answers, np.float64)[None],
    )
    return LabelTree(tree)
