"""Scores of labels: sums of members that answer every label with a number of either sign."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..ensemble import Ensemble
from ..numeric.exponential import exponentials
from ..numeric.total import added_in_order
from ..types import Floats
from .graded_rules import GradedRules, merged

if TYPE_CHECKING:
    from ..hypothesis import Hypothesis
    from ..rows import Rows


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
        """All members in one scorer; None where some are neither trees of shares nor graded."""
        graded = [h for h in self.members if isinstance(h, GradedRules)]
        if len(graded) == self._n and (self.votes == 1).all():
            return merged(graded) if len({h.grain for h in graded}) == 1 else None
        trees = [tree for h in self.members if (tree := h.as_share_tree()) is not None]
        if len(trees) < self._n:
            return None
        return rows.forest(trees, votes=self.votes, n_outputs=self.n_classes)

    @property
    def margin_weight(self) -> float:
        """The most by which two labels can differ; half of it for two classes, as their score."""
        return self.weight if self.n_classes > 2 else self.weight / 2


class LabelScores(LabelSum):
    """F(x, l) = the sum of vote times h(x, l), where h is of either sign.

    Where a row has one of two labels, the score is (F(x, 1) - F(x, 0)) / 2. With ``several`` a row
    may have any number of labels, those whose score is above 0.
    """

    _made_of: ClassVar[tuple[str, ...]] = ("n_classes", "several")

    def __init__(self, n_classes: int, several: bool = False) -> None:
        super().__init__(n_classes)
        self.several = several
        if several:
            self.n_outputs = n_classes

    def _numbers(self, h: Hypothesis, rows: Rows) -> Floats:
        return np.asarray(h(rows))

    def blank(self, rows: Rows) -> Floats:
        return self._scores(np.zeros((len(rows), self.n_classes)))

    def _scores(self, F: Floats) -> Floats:
        return F if self.several else super()._scores(F)

    @property
    def reach(self) -> float:
        """The largest possible |score| of a label."""
        return added_in_order(abs(vote) * h.reach for vote, h in self)

    @property
    def margin_weight(self) -> float:
        """The largest possible difference of two labels' scores, twice the reach."""
        return self.reach if self.several or self.n_classes <= 2 else 2 * self.reach


class CodedScores(LabelScores):
    """Scores of the bits of an output code, decoded to scores of the labels.

    ``code`` is (labels, bits) of -1, +1 and 0, where a bit says nothing of a label. The score of a
    label is minus the loss of its word: "hamming" counts the bits whose sign is another (a 0
    counts half), "loss" adds exp(-word F). For two labels it is half the difference of both.
    ``labels`` gives the scores of the bits.
    """

    sums = False  # of bits, but not of labels
    _made_of = ("code", "decoding")

    def __init__(self, code: NDArray[np.int8], decoding: str = "loss") -> None:
        super().__init__(int(code.shape[1]))  # members answer for bits
        self.code = code
        self.decoding = decoding
        self.n_outputs = len(code) if len(code) > 2 else 1

    @property
    def n_labels(self) -> int:
        return len(self.code)

    def answers(self, h: Hypothesis, rows: Rows) -> Floats:
        raise TypeError("scores of bits are decoded together")

    def losses(self, F: Floats) -> Floats:
        """The decoding loss of every label's code word, (rows, labels), from the scores of bits."""
        losses = np.zeros((len(F), self.n_labels))
        if self.decoding == "loss":
            agree, differ = exponentials(-F), exponentials(F)
        for j, word in enumerate(self.code.T):
            if self.decoding == "hamming":
                wrong = np.where(F[:, j] > 0, 1, -1)[:, None] != word
                losses += np.where(word == 0, 0.5, wrong)
            else:
                other = np.where(word > 0, agree[:, j, None], differ[:, j, None])
                losses += np.where(word == 0, 1.0, other)
        return losses

    def _scores(self, F: Floats) -> Floats:
        F = -self.losses(F)
        if self.n_labels > 2:
            return F
        return F[:, 0] if self.n_labels == 1 else (F[:, 1] - F[:, 0]) / 2

    @property
    def margin_weight(self) -> float:
        """The most by which the scores of two labels can differ, where that has a bound."""
        return float(self.n_classes) if self.n_labels > 2 else self.n_classes / 2

    def margins(self, rows: Rows, y: NDArray[Any]) -> Floats:
        """How much smaller the loss of a row's word is than that of any other, by their sum."""
        losses, everyone = self.losses(self.labels(rows)), np.arange(len(rows))
        codes = (y > 0) * (self.n_labels - 1) if self.n_labels <= 2 else y
        own = losses[everyone, codes]
        if self.n_labels == 1:
            return np.ones(len(own))
        losses[everyone, codes] = np.inf
        other = losses.min(axis=1)
        return np.asarray((other - own) / (other + own))
