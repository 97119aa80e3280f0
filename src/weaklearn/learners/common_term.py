"""The rule about a term that every example has, which parts none of them."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import Any

import numpy as np

from ..base.label_distribution import Parted
from ..base.sample import Rows, Sample
from ..base.trees.label_tree import LabelTree
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
        weights = (np.vstack([nothing, each]) for each in (plus, minus))
        return h, Parted(blocks, h.answers, *weights)


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
