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


def scale_weights(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sample weights over a power of two, the largest in [0.5, 1), so that no sum overflows.

    Where the smallest would lose bits the power is smaller, as far as the sum allows.
    """
    positive = weights[weights > 0]
    top = frexp(float(positive.max()))[1]
    bottom = frexp(float(positive.min()))[1]
    shift = min(top, bottom + 1021)  # the smallest stays a normal number
    shift = max(shift, top + len(weights).bit_length() - 1023)  # the sum stays finite
    scaled = np.ldexp(weights, -shift)
    # A weight that is positive stays so, even where the range of float64 is too short for all.
    return np.where((scaled == 0) & (weights > 0), np.finfo(np.float64).smallest_subnormal, scaled)
