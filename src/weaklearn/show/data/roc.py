"""ROC curves, and the areas under them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...base.types import Floats
from .rows import EvaluatedRows


@dataclass(frozen=True, eq=False)
class RocCurve:
    """False and true positive rates, as the threshold falls."""

    fpr: Floats
    tpr: Floats
    thresholds: Floats  # rows that score at least this are called positive

    @classmethod
    def from_scores(cls, positive: NDArray[np.bool_], scores: Floats) -> RocCurve:
        """The curve of scores that should be high where ``positive`` is true.

        >>> curve = RocCurve.from_scores(np.array([True, False, True]), np.array([0.9, 0.5, 0.2]))
        >>> curve.tpr.tolist(), curve.fpr.tolist(), curve.area
        ([0.0, 0.5, 0.5, 1.0], [0.0, 0.0, 1.0, 1.0], 0.5)
        """
        order = np.argsort(-scores, kind="stable")
        falling = scores[order]
        last = np.r_[np.flatnonzero(np.diff(falling)), len(scores) - 1]  # of equal scores
        hits = np.cumsum(positive[order])[last]
        false = last + 1 - hits
        tpr = np.r_[0.0, hits / max(int(positive.sum()), 1)]
        fpr = np.r_[0.0, false / max(int((~positive).sum()), 1)]
        return cls(fpr, tpr, np.r_[np.inf, falling[last]])

    @property
    def area(self) -> float:
        return float(np.sum(np.diff(self.fpr) * (self.tpr[1:] + self.tpr[:-1]) / 2))

    def tpr_at(self, fpr: Floats) -> Floats:
        """The true positive rates reached at these false positive rates."""
        return np.asarray(self.tpr[np.searchsorted(self.fpr, fpr, side="right") - 1])

    def thinned(self, most: int) -> tuple[Floats, Floats]:
        """The rates of at most so many points, spread along the curve."""
        if len(self.fpr) <= most:
            return self.fpr, self.tpr
        length = self.fpr + self.tpr
        places = np.searchsorted(length, np.linspace(0, length[-1], most))
        at = np.unique(places.clip(0, len(self.fpr) - 1))
        return self.fpr[at], self.tpr[at]


def roc_curves(rows: EvaluatedRows) -> dict[int, RocCurve]:
    """The curve of every class against the others, by its position in ``classes_``.

    Of two classes that of the second; classes without rows of both kinds have none.
    """
    K = len(rows.model.classes_)
    if rows.scores is None or K < 2:
        return {}
    found = {}
    known = rows.codes >= 0
    for column, k in enumerate([1] if K == 2 else range(K)):
        positive = (rows.codes == k)[known]
        if 0 < positive.sum() < len(positive):
            found[k] = RocCurve.from_scores(positive, rows.scores[known, column])
    return found


def mean_area(rows: EvaluatedRows) -> float | None:
    """The area under the curve, averaged over classes; None where rows are not ranked."""
    found = roc_curves(rows)
    return float(np.mean([curve.area for curve in found.values()])) if found else None
