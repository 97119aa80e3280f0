"""Weighted percentiles."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def percentile(x: NDArray[Any], level: float, w: NDArray[Any] | None = None) -> float:
    """The smallest x up to which at least a share ``level`` of the weight lies.

    Found by sorting, so that neither the order of examples nor copies against weights matter.

    >>> percentile(np.array([4.0, 1.0, 3.0, 2.0]), 0.5)
    2.0
    >>> percentile(np.array([4.0, 1.0]), 0.5, np.array([3, 1]))
    4.0
    """
    x = np.asarray(x, np.float64)
    w = np.ones(len(x), np.int64) if w is None else w
    order = np.lexsort((w, x))
    up_to = np.cumsum(w[order])
    place = np.searchsorted(up_to, level * float(up_to[-1]) * (1 - 1e-12))
    return float(x[order[min(int(place), len(x) - 1)]])
