"""Rectangle features by slicing: every sum is taken over the pixels themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

MASKS: dict[str, list[list[int]]] = {
    "A": [[-1, 1]],
    "B": [[-1], [1]],
    "C": [[-1, 1, -1]],
    "Cv": [[-1], [1], [-1]],
    "D": [[-1, 1], [1, -1]],
    "E": [[-1, 2, -1]],
    "Ev": [[-1], [2], [-1]],
    "S": [[-1, -1, -1], [-1, 8, -1], [-1, -1, -1]],
}


def enumerated(height: int, width: int, name: str) -> list[tuple[int, int, int, int]]:
    """Top, left, unit height and unit width of all features of a type, in order."""
    a, b = np.array(MASKS[name]).shape
    return [
        (top, left, h, w)
        for top in range(height)
        for left in range(width)
        for h in range(1, height + 1)
        for w in range(1, width + 1)
        if top + a * h <= height and left + b * w <= width
    ]


def value(window: NDArray[Any], name: str, top: int, left: int, h: int, w: int) -> Any:
    """The value of one feature."""
    total: Any = 0
    for i, row in enumerate(MASKS[name]):
        for j, weight in enumerate(row):
            unit = window[top + i * h : top + (i + 1) * h, left + j * w : left + (j + 1) * w]
            total += weight * unit.sum(dtype=float if unit.dtype.kind == "f" else np.int64)
    return total


def normalised(window: NDArray[Any], feature: Any) -> float:
    """The value over the deviation of the window's pixels, or over 1 where that is 0."""
    x = np.asarray(window, np.float64)
    sigma = np.sqrt(max(0.0, (x * x).mean() - x.mean() ** 2))
    return float(value(x, *feature) / (sigma if sigma > 1e-9 else 1.0))


def cascade_decision(stage_scores: Any, thresholds: Any) -> tuple[int, int]:
    """-1 or +1, and how many stages were looked at."""
    for n, (score, threshold) in enumerate(zip(stage_scores, thresholds, strict=True), start=1):
        if not score > threshold:
            return -1, n
    return 1, len(thresholds)
