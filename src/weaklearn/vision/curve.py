"""Detection curves: predicted boxes matched with true ones; recall, precision, false positives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
