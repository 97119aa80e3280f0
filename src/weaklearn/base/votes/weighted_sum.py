"""Sums of members that answer with numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..ensemble import Ensemble
from ..hypothesis import Form
from ..numeric.total import added_in_order
from ..types import Floats

if TYPE_CHECKING:
    from ..hypothesis import Hypothesis
    from ..rows import Rows


class WeightedSum(Ensemble):
    """F = base + the sum of vote times answer, for members of any kind that answer with numbers.

    Terms are added in the order of the members, row by row, so that packed, staged or member by
    member a score has the same bits.
    """

    _made_of: ClassVar[tuple[str, ...]] = ("base",)

    def __init__(self, base: float = 0.0) -> None:
        super().__init__(1)
        self.base = base

    @classmethod
    def of(cls, votes: Ensemble) -> WeightedSum:
        """A binary vote as a sum of numbers, with the same members and votes."""
        summed: Ensemble = cls()
        for vote, h in votes:
            summed = summed.plus(vote, h)
        assert isinstance(summed, cls)
        return summed

    def blank(self, rows: Rows) -> Floats:
        return np.full(len(rows), self.base)

    def __call__(self, rows: Rows) -> Floats:
        scorer = self.scorer(rows) if self._n else None
        if scorer is not None:
            scores: Floats = scorer.sum(rows.cells, rows.engine.threads, base=self.base)
            return scores[:, 0]
        scores = self.blank(rows)
        for vote, h in self:
            self.add(scores, vote, np.asarray(h(rows)))
        return scores

    def _pack(self, rows: Rows) -> Any:
        """All trees in one scorer; None where a member is no tree."""
        trees = self._trees()
        return None if trees is None else rows.forest(trees, votes=self.votes, n_outputs=1)

    def stages(self, rows: Rows) -> Iterator[Floats]:
        scores = self.blank(rows)
        for vote, h in self:
            self.add(scores, vote, np.asarray(h(rows)))
            yield scores.copy()

    @property
    def margin_weight(self) -> float:
        """The largest possible |F|."""
        return abs(self.base) + added_in_order(abs(vote) * h.reach for vote, h in self)


def joined_by(votes: Ensemble, vote: float, h: Hypothesis) -> Ensemble:
    """The ensemble and one more member; it becomes a WeightedSum if h answers with numbers."""
    if h.form is not Form.CLASSES and type(votes) is Ensemble:
        votes = WeightedSum.of(votes)
    return votes.plus(vote, h)
