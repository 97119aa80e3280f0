"""Counts of true against predicted classes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.types import Floats, Ints
from .rows import EvaluatedRows


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
        own = int(self.counts[k].sum())
        return int(self.counts[k, k]) / own if own else None

    def precision(self, k: int) -> float | None:
        """The share of rows predicted as a class that are of it; None where there are none."""
        predicted = int(self.counts[:, k].sum())
        return int(self.counts[k, k]) / predicted if predicted else None

    def most_confused(self, most: int) -> list[tuple[int, int, int]]:
        """True class, predicted class and number of rows, of the most frequent mistakes."""
        wrong = self.counts.copy()
        np.fill_diagonal(wrong, 0)
        order = np.argsort(-wrong, axis=None, kind="stable")[:most]
        places = [divmod(int(k), len(wrong)) for k in order]
        return [(i, j, int(wrong[i, j])) for i, j in places if wrong[i, j] > 0]


@dataclass(frozen=True, eq=False)
class ThresholdCounts:
    """The confusion matrix of two classes at every threshold on the second's probability."""

    thresholds: Floats
    counts: Ints  # (thresholds, 4): true negatives, false positives, false negatives, hits

    @classmethod
    def from_rows(cls, rows: EvaluatedRows, n_thresholds: int) -> ThresholdCounts | None:
        """None where the model gives no probabilities."""
        if rows.probabilities is None:
            return None
        known = rows.codes >= 0
        p, positive = rows.probabilities[known, 1], rows.codes[known] == 1
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
