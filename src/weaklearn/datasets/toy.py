"""The ten points of the book's first example."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_POINTS = [(6, 9), (7, 8), (8, 7), (10, 10), (2, 4), (3, 6), (4, 5), (1, 2), (5, 3), (9, 1)]
_LABELS = [1, 1, 1, -1, 1, -1, -1, 1, -1, -1]


def toy() -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Ten points in the plane with labels -1 and +1, on which three stumps make a perfect vote.

    >>> X, y = toy()
    >>> X.shape, int(y.sum())
    ((10, 2), 0)

    Reference: Schapire and Freund, Boosting, section 1.2.
    """
    return np.array(_POINTS, dtype=np.float64), np.array(_LABELS)
