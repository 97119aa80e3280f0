"""Weighted medians of members that answer with numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ensemble import Ensemble
from ..types import Floats

if TYPE_CHECKING:
    from ..rows import Rows


class MedianEnsemble(Ensemble):
    """F is the smallest answer up to which at least half of the votes lie."""

    sums = False
    _made_of = ()

    def __init__(self) -> None:
        super().__init__(1)

    def __call__(self, rows: Rows) -> Floats:
        return _median(self._answers(rows), self.votes)

    def stages(self, rows: Rows) -> Iterator[Floats]:
        answers = self._answers(rows)
        for t in range(1, self._n + 1):
            yield _median(answers[:, :t], self.votes[:t])

    def _answers(self, rows: Rows) -> Floats:
        """The answers of the members, (n, members)."""
        scorer = self.scorer(rows) if self._n else None
        if scorer is not None:
            each: Floats = scorer.each(rows.cells, rows.engine.threads)
            return each
        answers = [np.asarray(h(rows), np.float64) for h in self.members]
        return np.column_stack(answers) if answers else np.zeros((len(rows), 0))

    def _pack(self, rows: Rows) -> Any:
        trees = self._trees()
        return None if trees is None else rows.forest(trees, n_outputs=1)


def _median(answers: Floats, votes: Floats) -> Floats:
    """The weighted median of each row."""
    if len(votes) == 0:
        return np.zeros(len(answers))
    order = np.argsort(answers, axis=1, kind="stable")
    up_to = np.cumsum(votes[order], axis=1)
    middle = np.argmax(up_to >= up_to[:, -1:] / 2, axis=1)
    everyone = np.arange(len(answers))
    return np.asarray(answers[everyone, order[everyone, middle]])
