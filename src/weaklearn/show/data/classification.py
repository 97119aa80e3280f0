"""How good a classifier is: confusion matrices, ROC curves, calibration of probabilities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...base.types import Floats, Ints
from .rows import EvaluatedRows

GOOD_AUC = 0.8  # from here on a model is said to rank rows well
_BINS = 10
_FEWEST = 5  # rows of a bin


@dataclass(frozen=True, eq=False)
class Confusion:
    """A confusion matrix."""

    counts: Ints  # (true class, predicted class)
    n_unknown: int  # rows whose class was not in training; they are not counted

    @classmethod
    def from_rows(cls, rows: EvaluatedRows) -> Confusion:
        K = len(rows.model.classes_)
        known = (rows.codes >= 0) & (rows.predicted_codes >= 0)
        counts = np.zeros((K, K), np.int64)
        np.add.at(counts, (rows.codes[known], rows.predicted_codes[known]), 1)
        return cls(counts, int(np.count_nonzero(rows.codes < 0)))

    def recall(self, k: int) -> float | None:
        """The share of a class's rows that are predicted as it; None where it has no rows."""
        return self._share(k, self.counts[k])

    def precision(self, k: int) -> float | None:
        """The share of rows predicted as a class that are of it; None where there are none."""
        return self._share(k, self.counts[:, k])

    def _share(self, k: int, among: Ints) -> float | None:
        return int(self.counts[k, k]) / int(among.sum()) if among.any() else None

    def most_confused(self, most: int) -> list[tuple[int, int, int]]:
        """True class, predicted class and number of rows, of the most frequent mistakes."""
        wrong = self.counts.copy()
        np.fill_diagonal(wrong, 0)
        order = np.argsort(-wrong, axis=None, kind="stable")[:most]
        places = [divmod(int(k), len(wrong)) for k in order]
        return [(i, j, int(wrong[i, j])) for i, j in places if wrong[i, j] > 0]


@dataclass(frozen=True, eq=False)
class ThresholdCounts:
    """The confusion matrix of two classes at every threshold on the positive one's probability."""

    thresholds: Floats
    counts: Ints  # (thresholds, 4): true negatives, false positives, false negatives, hits

    @classmethod
    def from_rows(
        cls, rows: EvaluatedRows, n_thresholds: int, code: int = 1
    ) -> ThresholdCounts | None:
        """None where the model gives no probabilities."""
        if rows.probabilities is None:
            return None
        known = rows.codes >= 0
        p, positive = rows.probabilities[known, code], rows.codes[known] == code
        thresholds = np.linspace(0, 1, n_thresholds)
        tp, fp = (_above(p[part], thresholds) for part in (positive, ~positive))
        fn, tn = int(positive.sum()) - tp, int((~positive).sum()) - fp
        return cls(thresholds, np.column_stack([tn, fp, fn, tp]))

    @property
    def accuracy(self) -> Floats:
        tn, _, _, tp = self.counts.T
        return np.asarray((tn + tp) / np.maximum(self.counts.sum(axis=1), 1))

    @property
    def rates(self) -> tuple[Floats, Floats]:
        """False and true positive rates."""
        tn, fp, fn, tp = self.counts.T
        return fp / np.maximum(tn + fp, 1), tp / np.maximum(fn + tp, 1)


def _above(p: Floats, thresholds: Floats) -> Ints:
    """How many probabilities lie above each threshold."""
    return np.asarray(len(p) - np.searchsorted(np.sort(p), thresholds, side="right"), np.int64)


@dataclass(frozen=True, eq=False)
class RocCurve:
    """False and true positive rates, as the threshold falls."""

    fpr: Floats
    tpr: Floats
    thresholds: Floats  # rows that score at least this are called positive

    @classmethod
    def from_scores(
        cls, positive: NDArray[np.bool_], scores: Floats, weights: Floats | None = None
    ) -> RocCurve:
        """The curve of scores that should be high where ``positive`` is true.

        >>> curve = RocCurve.from_scores(np.array([True, False, True]), np.array([0.9, 0.5, 0.2]))
        >>> curve.tpr.tolist(), curve.fpr.tolist(), curve.area
        ([0.0, 0.5, 0.5, 1.0], [0.0, 0.0, 1.0, 1.0], 0.5)
        """
        thresholds, hits, found = _called(positive, scores, weights)
        false = found - hits
        tpr = np.r_[0.0, hits / (hits[-1] or 1.0)]
        fpr = np.r_[0.0, false / (false[-1] or 1.0)]
        return cls(fpr, tpr, np.r_[np.inf, thresholds])

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


def _called(
    positive: NDArray[np.bool_], scores: Floats, weights: Floats | None
) -> tuple[Floats, Floats, Floats]:
    """The scores as thresholds, falling; how many rows reach each, and how many positive ones."""
    w = np.ones(len(scores)) if weights is None else weights
    if not w.all() and w.any():  # rows that count nothing are no rows
        positive, scores, w = positive[w > 0], scores[w > 0], w[w > 0]
    order = np.lexsort((w, positive, -scores))
    falling = scores[order]
    last = np.r_[np.flatnonzero(np.diff(falling)), len(scores) - 1]  # of equal scores
    hits, found = (np.cumsum(part[order])[last] for part in (w * positive, w))
    return falling[last], hits, found


@dataclass(frozen=True, eq=False)
class PrecisionRecallCurve:
    """Precision and recall of a class, as the threshold falls."""

    recall: Floats
    precision: Floats
    share: float  # of the class: the precision of calling every row so

    @classmethod
    def from_scores(
        cls, positive: NDArray[np.bool_], scores: Floats, weights: Floats | None = None
    ) -> PrecisionRecallCurve:
        """The curve of scores that should be high where ``positive`` is true.

        >>> truth, scores = np.array([True, False, True]), np.array([0.9, 0.5, 0.2])
        >>> curve = PrecisionRecallCurve.from_scores(truth, scores)
        >>> curve.recall.tolist(), curve.precision.round(3).tolist(), round(curve.average, 4)
        ([0.5, 0.5, 1.0], [1.0, 0.5, 0.667], 0.8333)
        """
        _, hits, found = _called(positive, scores, weights)
        return cls(hits / hits[-1], hits / found, float(hits[-1] / found[-1]))

    def precision_at(self, recall: Floats) -> Floats:
        """The precision of the highest thresholds with at least these recalls."""
        places = np.searchsorted(self.recall, recall, side="left")
        return np.asarray(self.precision[places.clip(0, len(self.precision) - 1)])

    def thinned(self, most: int) -> tuple[Floats, Floats]:
        """Recall and precision at no more than so many points."""
        at = np.unique(np.linspace(0, len(self.recall) - 1, most).round().astype(np.intp))
        return self.recall[at], self.precision[at]

    @property
    def average(self) -> float:
        """The average precision: that of every threshold, by the recall that it adds."""
        return float(np.sum(np.diff(np.r_[0.0, self.recall]) * self.precision))


def roc_curves(rows: EvaluatedRows, code: int = 1) -> dict[int, RocCurve]:
    """The curve of every class against the others, by its position in ``classes_``.

    Of two classes that of the one at ``code``; classes without rows of both kinds have none.
    """
    K = len(rows.model.classes_)
    found = {}
    for k in [code] if K == 2 else range(K):
        ranked = _ranked(rows, k)
        if ranked is not None:
            found[k] = RocCurve.from_scores(*ranked)
    return found


def precision_recall(rows: EvaluatedRows, code: int) -> PrecisionRecallCurve | None:
    """The curve of one class; None where rows are not ranked, or all of one kind."""
    ranked = _ranked(rows, code)
    return None if ranked is None else PrecisionRecallCurve.from_scores(*ranked)


def _ranked(rows: EvaluatedRows, k: int) -> tuple[NDArray[np.bool_], Floats] | None:
    """Which rows are of a class, and scores that are high for it; None where that says nothing."""
    K = len(rows.model.classes_)
    if rows.scores is None or K < 2:
        return None
    known = rows.codes >= 0
    positive = (rows.codes == k)[known]
    if not 0 < positive.sum() < len(positive):
        return None
    if K > 2:
        return positive, rows.scores[known, k]
    return positive, rows.scores[known, 0] if k else -rows.scores[known, 0]


def mean_area(rows: EvaluatedRows) -> float | None:
    """The area under the curve, averaged over classes; None where rows are not ranked."""
    found = roc_curves(rows)
    return float(np.mean([curve.area for curve in found.values()])) if found else None


@dataclass(frozen=True)
class Bin:
    """Rows of about the same probability."""

    predicted: float  # mean probability
    true: float  # how often the class was the true one
    n: int


@dataclass(frozen=True)
class CalibrationCurve:
    """The bins of a reliability diagram, and two numbers that sum it up."""

    bins: tuple[Bin, ...]
    brier: float

    @classmethod
    def from_rows(cls, rows: EvaluatedRows, code: int = 1) -> CalibrationCurve | None:
        """Of two classes by the probability of the one at ``code``, of more by the likeliest's.

        None where there are no probabilities, or fewer than two classes.
        """
        p, K = rows.probabilities, len(rows.model.classes_)
        if p is None or K < 2:
            return None
        hit = np.argmax(p, axis=1) == rows.codes if K > 2 else rows.codes == code
        bins = binned(p.max(axis=1) if K > 2 else p[:, code], hit.astype(np.float64))
        if not bins:
            return None
        onehot = np.zeros_like(p)
        known = rows.codes >= 0
        onehot[np.flatnonzero(known), rows.codes[known]] = 1.0
        brier = float(((p - onehot) ** 2).sum(axis=1).mean()) / (2 if K == 2 else 1)
        return cls(tuple(bins), brier)

    @property
    def mean_gap(self) -> float:
        """The expected calibration error: mean of |predicted - true| over rows."""
        gaps = sum(b.n * abs(b.predicted - b.true) for b in self.bins)
        return gaps / sum(b.n for b in self.bins)


def binned(p: Floats, hit: Floats) -> list[Bin]:
    """Bins of about as many rows each; equal probabilities stay in one bin.

    >>> binned(np.repeat([0.2, 0.7], 10), np.repeat([0.0, 1.0], 10))
    [Bin(predicted=0.2, true=0.0, n=10), Bin(predicted=0.7, true=1.0, n=10)]
    """
    if not len(p):
        return []
    edges = np.unique(np.quantile(p, np.linspace(0, 1, _BINS + 1)))
    places = np.searchsorted(edges[1:-1], p, side="left")
    found = []
    for k in np.unique(places):
        inside = places == k
        n = int(np.count_nonzero(inside))
        if n >= min(_FEWEST, len(p)):
            found.append(Bin(float(p[inside].mean()), float(hit[inside].mean()), n))
    return found
