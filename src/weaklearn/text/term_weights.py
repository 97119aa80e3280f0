"""How much a term weighs in a text: tf-idf. Needs numpy alone."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..base.numeric.exponential import logarithms
from ..base.types import Ints

Weights = Literal[None, "tfidf"]

_SQUARE = 2.0**24  # squares are rounded to multiples of 2^-24: their sums have no order
_GRAIN = 2.0**15


def tfidf(
    start: NDArray[Any], place: NDArray[Any], count: NDArray[Any], frequency: Ints, n: int
) -> NDArray[np.float32]:
    """The weights of terms counted by rows: those of a row have squares of sum 1.

    Before they are scaled so, a weight is (1 + ln count) (1 + ln((1 + n)/(1 + frequency))), with
    the term in ``frequency`` of n texts. Weights are rounded to multiples of 2^-15.

    >>> start, place, count = np.array([0, 2]), np.array([0, 1]), np.array([1.0, 1.0])
    >>> print(tfidf(start, place, count, np.array([1, 3]), 3).round(3))
    [0.861 0.509]
    """
    rarity = 1 + logarithms(np.asarray((1.0 + n) / (1.0 + frequency), np.float64))
    often = 1 + logarithms(np.arange(1.0, float(count.max(initial=1.0)) + 1))
    plain = often[count.astype(np.int64) - 1] * rarity[place]
    squares = np.rint(plain * plain * _SQUARE)
    row = np.repeat(np.arange(len(start) - 1), np.diff(start))
    length = np.sqrt(np.bincount(row, squares, minlength=len(start) - 1) / _SQUARE)
    return np.asarray(np.rint(plain / length[row] * _GRAIN) / _GRAIN, np.float32)
