"""Sums of members that answer for every label at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..ensemble import Ensemble

if TYPE_CHECKING:
    from ..hypothesis import Hypothesis
    from ..sample import Rows

Floats = NDArray[np.float64]


def label_shares(h: Hypothesis, rows: Rows, n_classes: int) -> Floats:
    """How plausible each label is to h, in [0, 1]: (n, K).

    A hypothesis with ``shares`` says so itself; one that names a label finds it plausible alone.
    """
    if hasattr(h, "shares"):
        found = np.asarray(h.shares(rows), np.float64)
        if found.shape != (len(rows), n_classes):
            raise ValueError(
                f"a hypothesis answered with an array of shape {found.shape} for {len(rows)} rows "
                f"and {n_classes} labels; it must give each row a number for each label."
            )
        return found
    return named_shares(np.asarray(h(rows)), n_classes)


def named_shares(answers: NDArray[Any], n_classes: int) -> Floats:
    """1 for the label that an answer names, 0 for others; 0 for all where it is silent.

    >>> named_shares(np.array([1, -1, 0]), 2).tolist()
    [[0.0, 1.0], [1.0, 0.0], [0.0, 0.0]]
    """
    silent = answers == (0 if n_classes <= 2 else -1)
    codes = (answers > 0) * (n_classes - 1) if n_classes <= 2 else answers
    return np.asarray(np.eye(n_classes)[np.where(silent, 0, codes)] * ~silent[:, None])


class LabelSum(Ensemble):
    """F(x, l) = the sum of vote times h(x, l), for members that tell how plausible each label is.

    For two classes the score is (F(x, 1) - F(x, 0)) / 2. Terms are added in the order of members,
    row by row, so that packed, staged or member by member a score has the same bits.
    """

    def __init__(self, n_classes: int) -> None:
        super().__init__(n_classes if n_classes > 2 else 1)
        self.n_classes = n_classes

    def _empty(self) -> LabelSum:
        return LabelSum(self.n_classes)

    def answers(self, h: Hypothesis, rows: Rows) -> Floats:
        return self._scores(label_shares(h, rows, self.n_classes))

    def add(self, scores: Floats, vote: float, answers: Floats) -> None:
        scores += vote * answers

    def _scores(self, F: Floats) -> Floats:
        """What the sums of all labels come to: themselves, or their difference for two."""
        if self.n_classes > 2:
            return F
        return F[:, 0] if self.n_classes == 1 else (F[:, 1] - F[:, 0]) / 2

    def __call__(self, rows: Rows) -> Floats:
        scorer = self.scorer(rows) if self._n else None
        if scorer is not None:
            return self._scores(scorer.sum(rows.cells, rows.engine.threads))
        F = np.zeros((len(rows), self.n_classes))
        for vote, h in self:
            F += vote * label_shares(h, rows, self.n_classes)
        return self._scores(F)

    def stages(self, rows: Rows) -> Iterator[Floats]:
        F = np.zeros((len(rows), self.n_classes))
        for vote, h in self:
            F += vote * label_shares(h, rows, self.n_classes)
            yield self._scores(F).copy()

    def _pack(self, rows: Rows) -> Any:
        """All trees in one scorer; None where a member is no tree of shares."""
        trees: list[Any] = [getattr(h, "share_tree", None) for h in self.members]
        if any(tree is None for tree in trees):
            return None
        cells, K = rows.cells, self.n_classes
        return rows.engine.prediction.forest(
            trees, cells.n_features, cells.n_levels, votes=self.votes, n_outputs=K
        )

    @property
    def margin_weight(self) -> float:
        """The most by which two labels can differ; half of it for two classes, as their score."""
        return self.weight if self.n_classes > 2 else self.weight / 2

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"n_classes": self.n_classes}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["n_classes"])  # type: ignore[misc]
        self._restore(state)
