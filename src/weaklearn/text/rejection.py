"""The rejection curve: accuracy when uncertain cases are rejected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.table import Table, Tabular
from ..base.types import Floats
from ..intake import parameters


@dataclass(frozen=True, eq=False, repr=False)
class RejectionCurve(Tabular):
    """Accuracy among accepted cases against the share that is rejected, threshold by threshold.

    At ``thresholds[k]`` the cases are rejected whose best probability is below it. Thresholds and
    ``rejection_rate`` rise; ``accuracy`` usually does, and need not.

    >>> curve = RejectionCurve.of(np.array([0.9, 0.5, 0.8]), np.array([True, False, True]))
    >>> curve.rejection_rate.round(2).tolist(), curve.accuracy.round(2).tolist()
    ([0.0, 0.33, 0.67], [0.67, 1.0, 1.0])
    >>> curve.threshold_for(accuracy=0.95)
    0.8
    """

    thresholds: Floats
    rejection_rate: Floats
    accuracy: Floats

    @classmethod
    def of(cls, confidence: Floats, right: NDArray[np.bool_]) -> RejectionCurve:
        """The curve of cases from their confidences and whether they are right."""
        if len(confidence) == 0:
            raise ValueError("X has 0 rows: a curve needs at least one case.")
        order = np.argsort(confidence, kind="stable")
        sure, right = confidence[order], right[order]
        first = np.flatnonzero(np.diff(sure, prepend=-np.inf) > 0)  # a threshold where it changes
        kept = len(sure) - first
        rights = np.cumsum(right[::-1])[::-1][first]
        thresholds = sure[first].copy()
        thresholds[0] = 0.0  # rejects none
        return cls(thresholds, first / len(sure), rights / kept)

    def threshold_for(self, *, accuracy: float) -> float:
        """The smallest threshold with at least the given accuracy among accepted cases."""
        parameters.real("accuracy", accuracy, None, 1.0, least=0.0)
        short = np.flatnonzero(self.accuracy < accuracy)
        k = 0 if len(short) == 0 else int(short[-1]) + 1
        if k == len(self.thresholds):
            raise ValueError(
                f"accuracy={accuracy:g} is not reached at any threshold; the surest cases are "
                f"right in a share of {self.accuracy[-1]:.4g}."
            )
        return float(self.thresholds[k])

    def table(self) -> Table:
        columns = ["threshold", "rejected", "accuracy"]
        rows: list[tuple[Any, ...]] = list(
            zip(self.thresholds, self.rejection_rate, self.accuracy, strict=True)
        )
        return Table("rejection curve", columns, rows)
