"""Grouping of overlapping boxes, and non-maximum suppression."""

from __future__ import annotations

from math import inf
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..engines import on_threads
from ..intake.parameters import real

Boxes: TypeAlias = NDArray[np.int32]
Scores: TypeAlias = NDArray[np.float64]


def overlaps(box: ArrayLike, boxes: ArrayLike) -> Scores:
    """Intersection over union of one box with each of many.

    >>> overlaps([0, 0, 10, 10], [[0, 0, 10, 10], [5, 0, 10, 10], [20, 0, 5, 5]]).round(3)
    array([1.   , 0.333, 0.   ])
    """
    a, b = np.asarray(box, np.float64), np.asarray(boxes, np.float64).reshape(-1, 4).T
    right, bottom = np.minimum(a[0] + a[2], b[0] + b[2]), np.minimum(a[1] + a[3], b[1] + b[3])
    across, down = right - np.maximum(a[0], b[0]), bottom - np.maximum(a[1], b[1])
    common = np.maximum(across, 0.0) * np.maximum(down, 0.0)
    either = a[2] * a[3] + b[2] * b[3] - common
    return np.asarray(common / np.where(either > 0, either, 1.0), np.float64)


def group(
    boxes: ArrayLike, scores: ArrayLike, *, min_neighbours: int = 3, overlap: float = 0.5
) -> tuple[Boxes, Scores, NDArray[np.int64]]:
    """Groups of overlapping boxes: mean of their corners, sum of their scores, their number.

    Boxes belong together where they share more than ``overlap`` of the area that they cover, and
    so do boxes that a chain of such pairs joins. Groups of fewer than ``min_neighbours`` boxes are
    left out (0 and 1 keep all); the others come in order of their scores, the highest first.

    >>> found, score, members = group([[0, 0, 9, 9], [2, 0, 9, 9], [40, 0, 9, 9]], [1, 2, 3],
    ...                               min_neighbours=2)
    >>> found.tolist(), score.tolist(), members.tolist()
    ([[1, 0, 9, 9]], [3.0], [2])
    """
    places, values = _checked(boxes, scores)
    label = on_threads().vision.overlapping_boxes(
        places, real("overlap", overlap, None, 1.0, least=0.0)
    )
    n = int(label.max(initial=-1)) + 1
    members = np.bincount(label, minlength=n)
    corners = places.astype(np.float64)
    corners[:, 2:] += corners[:, :2]
    means = np.stack([np.bincount(label, corners[:, c], n) for c in range(4)], axis=1)
    means = np.floor(means / np.maximum(members, 1)[:, None] + 0.5)
    means[:, 2:] -= means[:, :2]
    sums: Scores = np.bincount(label, values, n).astype(np.float64)
    kept = np.flatnonzero(members >= min_neighbours)
    kept = kept[_best_first(means[kept], sums[kept])]
    return means[kept].astype(np.int32), sums[kept], members[kept].astype(np.int64)


def suppress(
    boxes: ArrayLike, scores: ArrayLike, *, overlap: float = 0.5
) -> tuple[Boxes, Scores, NDArray[np.int64]]:
    """Non-maximum suppression: boxes in order of their scores, less those that overlap a better.

    A box is left out where it shares more than ``overlap`` with one that was kept. The third array
    says which of the boxes were kept.

    >>> suppress([[0, 0, 9, 9], [2, 0, 9, 9], [40, 0, 9, 9]], [1, 2, 3])[2].tolist()
    [2, 1]
    """
    places, values = _checked(boxes, scores)
    overlap = real("overlap", overlap, None, 1.0, least=0.0)
    order = _best_first(places, values)
    kept = []
    while len(order):
        best = order[0]
        kept.append(int(best))
        order = order[1:][overlaps(places[best], places[order[1:]]) <= overlap]
    which = np.array(kept, np.int64)
    return places[which], values[which], which


def group_like_opencv(
    boxes: ArrayLike, group_threshold: int, eps: float = 0.2
) -> tuple[Boxes, NDArray[np.int64]]:
    """OpenCV's ``groupRectangles``: what ``minNeighbors`` does to raw detections, and group sizes.

    Boxes are alike where no edge differs by more than ``eps`` times their mean smaller side.
    Groups of more than ``group_threshold`` boxes are averaged, and a small group inside a larger
    one is dropped. A threshold of 0 or less keeps every box.
    """
    places, _ = _checked(boxes, np.zeros(len(np.asarray(boxes).reshape(-1, 4))))
    if group_threshold <= 0 or len(places) == 0:
        return places, np.ones(len(places), np.int64)
    label = on_threads().vision.similar_boxes(places, real("eps", eps, None, inf, least=0.0))
    n = int(label.max()) + 1
    count = np.bincount(label, minlength=n)
    share = np.float32(1.0) / count.astype(np.float32)
    sums = np.stack([np.bincount(label, places[:, c], n) for c in range(4)], axis=1)
    means = np.rint(sums.astype(np.float32) * share[:, None]).astype(np.int64)
    large = np.flatnonzero(count > group_threshold).tolist()
    kept = [i for i in large if not any(_inside(means, count, i, j, eps) for j in large)]
    return means[kept].astype(np.int32), count[kept].astype(np.int64)


def _inside(means: NDArray[np.int64], count: NDArray[np.int64], i: int, j: int, eps: float) -> bool:
    """Whether group i is a small one inside group j."""
    if i == j or not (count[j] > max(3, count[i]) or count[i] < 3):
        return False
    (x, y, w, h), (left, top, width, height) = means[i].tolist(), means[j].tolist()
    dx, dy = round(width * eps), round(height * eps)
    return bool(
        x >= left - dx
        and y >= top - dy
        and x + w <= left + width + dx
        and y + h <= top + height + dy
    )


def _checked(boxes: ArrayLike, scores: ArrayLike) -> tuple[Boxes, Scores]:
    given = np.asarray(boxes, np.float64).reshape(-1, 4)
    sound = ((given == np.floor(given)) & (np.abs(given) < 2**31)).all(axis=1)
    sound &= (given[:, :2] + given[:, 2:] < 2**31).all(axis=1)
    if not sound.all():
        raise ValueError(
            f"the box {given[~sound][0].tolist()} is not allowed: left, top, width and height, and "
            "its right and bottom edges, must be whole numbers below 2**31; round them."
        )
    places = np.ascontiguousarray(given, np.int32)
    values = np.asarray(scores, np.float64).reshape(-1)
    if len(places) != len(values):
        raise ValueError(f"there are {len(places)} boxes, but {len(values)} scores.")
    if np.isnan(values).any():
        which = int(np.isnan(values).argmax())
        raise ValueError(f"the score of box {which} is NaN; give every box a number.")
    return places, values


def _best_first(boxes: NDArray[Any], scores: Scores) -> NDArray[np.int64]:
    """By score, the highest first; then by left, top, width and height."""
    keys = [*boxes.T[::-1], -scores] if len(scores) else [scores]
    return np.lexsort(keys).astype(np.int64)
