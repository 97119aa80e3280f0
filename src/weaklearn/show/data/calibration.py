"""Predicted probabilities against how often the class was true."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.types import Floats
from .rows import EvaluatedRows

_BINS = 10
_FEWEST = 5  # rows of a bin


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
    def from_rows(cls, rows: EvaluatedRows) -> CalibrationCurve | None:
        """Of two classes by the second's probability, of more by that of the likeliest class.

        None where there are no probabilities, or fewer than two classes.
        """
        p, K = rows.probabilities, len(rows.model.classes_)
        if p is None or K < 2:
            return None
        if K == 2:
            bins = binned(p[:, 1], (rows.codes == 1).astype(np.float64))
        else:
            hit = np.argmax(p, axis=1) == rows.codes
            bins = binned(p.max(axis=1), hit.astype(np.float64))
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
