"""Weights as integers, so that sums over examples are exact and do not depend on their order."""

from __future__ import annotations

from math import frexp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .total import total

_BITS = 61  # of the sum of all weights, where they are no numbers of copies


def units(weights: NDArray[Any] | None, n: int) -> NDArray[np.int64]:
    """The weights of n examples as integers in a common unit; frequency weights unchanged.

    A positive weight counts at least one unit, however small it is.

    >>> units(np.array([3, 1]), 2).tolist(), units(None, 2).tolist()
    ([3, 1], [1, 1])
    >>> w = units(np.array([0.75, 0.25]), 2)
    >>> (w / w.sum()).tolist()
    [0.75, 0.25]
    """
    if weights is None:
        return np.ones(n, np.int64)
    if weights.dtype.kind in "iu":
        return weights.astype(np.int64)
    scaled = np.rint(np.ldexp(weights, _BITS - frexp(total(weights))[1])).astype(np.int64)
    return np.where(weights > 0, np.maximum(scaled, 1), 0)
