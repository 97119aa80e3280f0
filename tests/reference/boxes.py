"""Boxes that belong together, found by comparing every box with every other."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

Pairs = NDArray[np.bool_]


def overlapping(boxes: NDArray[Any], share: float) -> Pairs:
    """Which pairs have more in common than a share of the area that they cover."""
    a, b = _against_each_other(boxes)
    left, top = np.maximum(a[0], b[0]), np.maximum(a[1], b[1])
    right, bottom = np.minimum(a[0] + a[2], b[0] + b[2]), np.minimum(a[1] + a[3], b[1] + b[3])
    common = np.maximum(right - left, 0) * np.maximum(bottom - top, 0)
    either = a[2] * a[3] + b[2] * b[3] - common
    return np.asarray(common / np.where(either > 0, either, 1) > share)


def similar(boxes: NDArray[Any], share: float) -> Pairs:
    """Which pairs have no edge further apart than a share of their mean smaller side."""
    a, b = _against_each_other(boxes)
    allowed = share * (np.minimum(a[2], b[2]) + np.minimum(a[3], b[3])) * 0.5
    edges = [a[0] - b[0], a[1] - b[1], a[0] + a[2] - b[0] - b[2], a[1] + a[3] - b[1] - b[3]]
    return np.asarray(np.abs(edges).max(axis=0) <= allowed)


def classes(boxes: NDArray[Any], pairs: Pairs) -> NDArray[np.int64]:
    """The class of every box, numbered by their first members; equal boxes are of one."""
    equal = (boxes[:, None, :] == boxes[None, :, :]).all(axis=2)
    label = connected_components(csr_array(pairs | equal), directed=False)[1]
    _, first, number = np.unique(label, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[number.reshape(-1)].astype(np.int64)


def _against_each_other(boxes: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    table = boxes.astype(np.float64).T
    return table[:, :, None], table[:, None, :]
