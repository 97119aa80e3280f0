"""Errors of a regressor: targets less predictions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...base.types import Floats
from .rows import EvaluatedRows

_GROUPS, _FEWEST = 12, 5  # groups of rows, and rows of a group
_BINS = 25


@dataclass(frozen=True)
class Group:
    """Rows of about the same prediction."""

    predicted: float  # mean prediction
    true: float  # mean target
    std: float  # of the targets
    n: int


@dataclass(frozen=True, eq=False)
class Residuals:
    """Targets, predictions, and what their differences say."""

    y: Floats
    predicted: Floats

    @classmethod
    def from_rows(cls, rows: EvaluatedRows) -> Residuals:
        return cls(rows.y.astype(np.float64), rows.predictions.astype(np.float64))

    @property
    def values(self) -> Floats:
        return self.y - self.predicted

    @property
    def r2(self) -> float | None:
        """The share of the variance explained; None where targets do not vary."""
        total = float(((self.y - self.y.mean()) ** 2).sum())
        return 1 - float((self.values**2).sum()) / total if total else None

    @property
    def rmse(self) -> float:
        return float(np.sqrt((self.values**2).mean()))

    @property
    def mae(self) -> float:
        return float(np.abs(self.values).mean())

    def groups(self) -> list[Group]:
        """Rows in groups of about as many each, by rising prediction.

        >>> two = Residuals(np.array([1.0] * 5 + [4.0] * 5), np.array([2.0] * 5 + [3.0] * 5))
        >>> [(group.predicted, group.true, group.n) for group in two.groups()]
        [(2.0, 1.0, 5), (3.0, 4.0, 5)]
        """
        order = np.argsort(self.predicted, kind="stable")
        parts = np.array_split(order, min(_GROUPS, max(len(self.y) // _FEWEST, 1)))
        return [
            Group(
                float(self.predicted[part].mean()),
                float(self.y[part].mean()),
                float(self.y[part].std()),
                len(part),
            )
            for part in parts
            if len(part)
        ]

    def histogram(self) -> tuple[NDArray[np.int64], Floats]:
        """Counts and edges around 0; the outer hundredth is counted in the outer bins."""
        reach = float(np.quantile(np.abs(self.values), 0.99)) or 1.0
        inside = np.clip(self.values, -reach, reach)
        counts, edges = np.histogram(inside, bins=_BINS, range=(-reach, reach))
        return counts.astype(np.int64), edges
