"""Weights as integers, so that sums over examples are exact and do not depend on their order."""

from __future__ import annotations

from math import frexp, inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..types import Partitions
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


def scale_weights(
    weights: NDArray[np.float64], over: Partitions | None = None
) -> NDArray[np.float64]:
    """Sample weights over a power of two, the largest in [0.5, 1), so that no sum overflows.

    Where the smallest would lose bits the power is smaller, as far as the sum allows. With
    ``over`` the largest, the smallest and the sum are those of all partitions.
    """
    positive = weights[weights > 0]
    extent = (float(positive.max(initial=0.0)), float(positive.min(initial=inf)), len(weights))
    extents = [extent] if over is None else over.gather(extent)
    top = frexp(max(most for most, _, _ in extents))[1]
    bottom = frexp(min(least for _, least, _ in extents))[1]
    n = sum(length for _, _, length in extents)
    shift = min(top, bottom + 1021)  # the smallest stays a normal number
    shift = max(shift, top + n.bit_length() - 1023)  # the sum stays finite
    scaled = np.ldexp(weights, -shift)
    # A weight that is positive stays so, even where the range of float64 is too short for all.
    return np.where((scaled == 0) & (weights > 0), np.finfo(np.float64).smallest_subnormal, scaled)
