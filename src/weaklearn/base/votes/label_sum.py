"""Weighted sums of members that score every label."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..ensemble import Ensemble
from ..types import Floats

if TYPE_CHECKING:
    from ..hypothesis import Hypothesis
    from ..sample import Rows


def label_shares(h: Hypothesis, rows: Rows, n_classes: int) -> Floats:
    """The plausibility of each label under h, (n, K)."""
    found = np.asarray(h.shares(rows, n_classes), np.float64)
    if found.shape != (len(rows), n_classes):
        raise ValueError(
            f"a hypothesis answered with an array of shape {found.shape} for {len(rows)} rows "
            f"and {n_classes} labels; it must give each row a number for each label."
        )
    return found


class LabelSum(Ensemble):
    """F(x, l) = the sum of vote times h(x, l), for members that give each label a plausibility.

    For two classes the score is (F(x, 1) - F(x, 0)) / 2. Terms are added in the order of members,
    row by row, so that packed, staged or member by member a score has the same bits.
    """

    _made_of: ClassVar[tuple[str, ...]] = ("n_classes",)

    def __init__(self, n_classes: int) -> None:
        super().__init__(n_classes if n_classes > 2 else 1)
        self.n_classes = n_classes

    def _numbers(self, h: Hypothesis, rows: Rows) -> Floats:
        """What a member gives each label, (rows, labels)."""
        return label_shares(h, rows, self.n_classes)

    def answers(self, h: Hypothesis, rows: Rows) -> Floats:
        return self._scores(self._numbers(h, rows))

    def add(self, scores: Floats, vote: float, answers: Floats) -> None:
        scores += vote * answers

    def _scores(self, F: Floats) -> Floats:
        """The scores from the sums of all labels: the sums, or for two classes their difference."""
        if self.n_classes > 2:
            return F
        return F[:, 0] if self.n_classes == 1 else (F[:, 1] - F[:, 0]) / 2

    def labels(self, rows: Rows) -> Floats:
        """F of every label, (rows, labels), for two classes too."""
        scorer = self.scorer(rows) if self._n else None
        if scorer is not None:
            packed: Floats = scorer.sum(rows.cells, rows.engine.threads)
            return packed
        F = np.zeros((len(rows), self.n_classes))
        for vote, h in self:
            F += vote * self._numbers(h, rows)
        return F

    def __call__(self, rows: Rows) -> Floats:
        return self._scores(self.labels(rows))

    def stages(self, rows: Rows) -> Iterator[Floats]:
        F = np.zeros((len(rows), self.n_classes))
        for vote, h in self:
            F += vote * self._numbers(h, rows)
            yield self._scores(F).copy()

    def _pack(self, rows: Rows) -> Any:
        """All trees in one scorer; None where a member is no tree of shares."""
        trees = [tree for h in self.members if (tree := h.as_share_tree()) is not None]
        if len(trees) < self._n:
            return None
        return rows.forest(trees, votes=self.votes, n_outputs=self.n_classes)

    @property
    def margin_weight(self) -> float:
        """The most by which two labels can differ; half of it for two classes, as their score."""
        return self.weight if self.n_classes > 2 else self.weight / 2
