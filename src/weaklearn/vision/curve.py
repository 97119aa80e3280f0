"""Detection curves of predicted boxes matched with true ones, and rates stage by stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .grouping import overlaps


@dataclass(frozen=True, eq=False)
class DetectionCurve:
    """True and false positives as the score threshold is lowered."""

    thresholds: NDArray[np.float64]  # falling
    detections: NDArray[np.int64]  # faces found by boxes of at least that score
    false_positives: NDArray[np.int64]
    n_faces: int

    def at(self, false_positives: int) -> int:
        """Faces found with at most so many false positives."""
        allowed = self.detections[self.false_positives <= false_positives]
        return int(allowed.max(initial=0))

    @property
    def average_precision(self) -> float:
        """The average precision: the area under precision as a function of recall."""
        if self.n_faces == 0 or len(self.detections) == 0:
            return 0.0
        precision = self.detections / (self.detections + self.false_positives)
        best = np.maximum.accumulate(precision[::-1])[::-1]
        return float((np.diff(self.detections, prepend=0) * best).sum() / self.n_faces)


def detection_curve(
    boxes: Sequence[Any], scores: Sequence[Any], truth: Sequence[Any], overlap: float = 0.5
) -> DetectionCurve:
    """The curve of predicted boxes in several images, matched with true ones by descending score.

    A box finds the face, not found before, that it overlaps most, where intersection over union is
    at least ``overlap``; any other box is a false positive.

    >>> curve = detection_curve([[[0, 0, 9, 9], [50, 50, 9, 9]]], [[2.0, 1.0]], [[[0, 0, 9, 10]]])
    >>> curve.detections.tolist(), curve.false_positives.tolist()
    ([1, 1], [0, 1])
    """
    if not len(boxes) == len(scores) == len(truth):
        raise ValueError(
            f"boxes, scores and truth are of {len(boxes)}, {len(scores)} and {len(truth)} images; "
            "each needs one entry an image."
        )
    marks: list[tuple[float, bool]] = []
    for found, score, true in zip(boxes, scores, truth, strict=True):
        places, values = np.asarray(found).reshape(-1, 4), np.asarray(score, np.float64)
        left = np.asarray(true, np.float64).reshape(-1, 4)  # faces not found so far
        for i in np.argsort(-values, kind="stable"):
            share = overlaps(places[i], left)
            hit = len(share) > 0 and bool(share.max() >= overlap)
            if hit:
                left = np.delete(left, int(np.argmax(share)), axis=0)
            marks.append((float(values[i]), hit))
    marks.sort(key=lambda mark: -mark[0])
    bars = np.array([score for score, _ in marks])
    right = np.array([hit for _, hit in marks], bool)
    last = np.append(bars[1:] != bars[:-1], True) if len(bars) else np.zeros(0, bool)
    return DetectionCurve(
        bars[last],
        np.cumsum(right)[last],
        np.cumsum(~right)[last],
        sum(len(np.asarray(true).reshape(-1, 4)) for true in truth),
    )


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
