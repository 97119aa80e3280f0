"""Numbers of single precision: near others, below them, and the least that will do."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Singles = NDArray[np.float32]
_INFINITY = 0x7F800000  # its place among the singles in order, 0 in the middle


def singles(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Numbers rounded to single precision."""
    return numbers.astype(np.float32).astype(np.float64)


def single_at_most(numbers: NDArray[np.float64]) -> Singles:
    """The greatest singles that are not above the numbers."""
    with np.errstate(over="ignore"):
        near = numbers.astype(np.float32)
    below = np.nextafter(near, np.float32(-np.inf))
    return np.asarray(np.where(near.astype(np.float64) > numbers, below, near), np.float32)


def next_singles(numbers: NDArray[np.float64]) -> Singles:
    """The singles that come after those nearest to the numbers, infinite beyond all."""
    with np.errstate(over="ignore"):
        return np.asarray(np.nextafter(numbers.astype(np.float32), np.float32(np.inf)), np.float32)


def least_single(will_do: Callable[[np.float32], bool]) -> np.float32:
    """The least single that will do, where all above one that does will do.

    >>> float(least_single(lambda x: float(x) >= 0.5))
    0.5
    """
    low, high = -_INFINITY, _INFINITY
    while low + 1 < high:
        middle = (low + high) // 2
        if will_do(_at(middle)):
            high = middle
        else:
            low = middle
    return _at(high)


def _at(place: int) -> np.float32:
    """The single at a place in their order."""
    value = np.float32(np.array([abs(place)], np.int32).view(np.float32)[0])
    return value if place >= 0 else -value
