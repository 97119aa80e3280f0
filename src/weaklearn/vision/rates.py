"""Detection and false positive rates of a cascade on scored windows, by stage and overall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, eq=False)
class CascadeRates:
    """The rates of a cascade on labelled windows.

    Rates of a stage are those of the windows that reach it, so that the overall rates are their
    products; NaN where no such window does.
    """

    decision: NDArray[np.int8]  # +1 where every stage was passed
    stages_evaluated: NDArray[np.int64]  # up to the first rejection
    detection_rate: NDArray[np.float64]  # of each stage
    false_positive_rate: NDArray[np.float64]
    overall_detection: float
    overall_false_positive: float

    @property
    def stage_rates(self) -> list[dict[str, Any]]:
        """A row for each stage: its number, false positive rate and detection rate."""
        rates = zip(self.false_positive_rate, self.detection_rate, strict=True)
        return [
            {"stage": i, "false_positive_rate": float(f), "detection_rate": float(d)}
            for i, (f, d) in enumerate(rates)
        ]

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)


def cascade_rates(scores: ArrayLike, thresholds: ArrayLike, labels: ArrayLike) -> CascadeRates:
    """Decisions and conditional rates of a cascade, from the scores of windows in every stage.

    A window passes a stage where its score is strictly above the threshold, and is rejected at the
    first stage that it does not pass. ``scores`` is (windows, stages), labels are -1 and +1.

    >>> rates = cascade_rates([[1, 2], [1, -1], [-1, 3]], [0, 0], [1, -1, -1])
    >>> rates.decision.tolist(), rates.stages_evaluated.tolist()
    ([1, -1, -1], [2, 2, 1])
    >>> rates.overall_detection, rates.overall_false_positive
    (1.0, 0.0)
    """
    F = np.asarray(scores, np.float64)
    b, y = np.asarray(thresholds, np.float64), np.asarray(labels)
    if F.ndim != 2 or b.shape != F.shape[1:] or y.shape != F.shape[:1]:
        raise ValueError(
            f"scores has shape {F.shape}, thresholds {b.shape}, labels {y.shape}; they must be "
            "(windows, stages), (stages,) and (windows,)."
        )
    if np.isnan(F).any() or np.isnan(b).any():
        raise ValueError("scores and thresholds must be numbers; one is NaN.")
    if not np.isin(y, (-1, 1)).all():
        raise ValueError("labels must be -1 (no face) and +1 (a face).")
    reached = np.ones((len(F), len(b) + 1), bool)  # stage i, or the end
    reached[:, 1:] = np.logical_and.accumulate(F > b, axis=1)
    passed = reached[:, -1]
    return CascadeRates(
        np.where(passed, 1, -1).astype(np.int8),
        reached[:, :-1].sum(axis=1),
        _conditional(reached[y > 0]),
        _conditional(reached[y < 0]),
        _share(passed[y > 0]),
        _share(passed[y < 0]),
    )


def _conditional(reached: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The share of the windows reaching a stage that pass it."""
    count = reached.sum(axis=0).astype(np.float64)
    before = np.where(count[:-1] > 0, count[:-1], np.nan)
    return np.asarray(count[1:] / before, np.float64)


def _share(passed: NDArray[np.bool_]) -> float:
    return float(passed.mean()) if len(passed) else float("nan")
