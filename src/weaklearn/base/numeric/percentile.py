"""Percentiles of weighted numbers, over partitions of the rows too."""

from __future__ import annotations

from math import frexp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..types import Floats, Ints, Partitions

_DIGIT = 8  # bits of a number that one question over partitions finds


def percentile(
    x: NDArray[Any],
    level: float,
    w: NDArray[Any] | None = None,
    over: Partitions | None = None,
) -> float:
    """The smallest x up to which at least a share ``level`` of the weight lies.

    Weights are added as integers, so that neither the order of examples nor copies against weights
    matter. With ``over`` the numbers are those of all partitions.

    >>> percentile(np.array([4.0, 1.0, 3.0, 2.0]), 0.5)
    2.0
    >>> percentile(np.array([4.0, 1.0]), 0.5, np.array([3, 1]))
    4.0
    """
    x = np.asarray(x, np.float64) + 0.0  # -0 is 0
    whole = _integers(w, len(x), over)
    order = np.argsort(x, kind="stable")
    x, up_to = x[order], np.concatenate([[0], np.cumsum(whole[order])])
    total = up_to[-1:] if over is None else over.sum(up_to[-1:])
    wanted = level * float(total[0]) * (1 - 1e-12)
    if over is not None and over.size > 1:
        return _by_digits(x, up_to, wanted, over)
    place = int(np.searchsorted(up_to[1:].astype(np.float64), wanted))
    return float(x[min(place, len(x) - 1)])


def _integers(w: NDArray[Any] | None, n: int, over: Partitions | None) -> Ints:
    """Weights as integers whose sum stays below 2**62."""
    if w is None:
        return np.ones(n, np.int64)
    if w.dtype.kind in "iu":
        return w.astype(np.int64)
    extent = (float(w.max(initial=0.0)), n)
    extents = [extent] if over is None else over.gather(extent)
    bits = min(50, 61 - sum(length for _, length in extents).bit_length())
    return np.rint(np.ldexp(w, bits - frexp(max(most for most, _ in extents))[1])).astype(np.int64)


def _by_digits(x: Floats, up_to: Ints, wanted: float, over: Partitions) -> float:
    """The first number up to which there is so much weight, found digit by digit: ``x`` ascends,
    and ``up_to`` is the weight before each of them, and of all.
    """
    bits = x.view(np.uint64)
    top = np.uint64(1 << 63)
    keys = np.where(bits & top, ~bits, bits | top)  # integers in the same order
    found, below = 0, 0
    for shift in range(64 - _DIGIT, -1, -_DIGIT):
        starts = [found + (digit << shift) for digit in range(1 << _DIGIT)]
        ends = np.searchsorted(keys, np.array(starts[1:], np.uint64))
        edges = np.concatenate(
            [[np.searchsorted(keys, np.uint64(found))], ends, [_end(keys, starts[-1], shift)]]
        )
        weights = over.sum(np.diff(up_to[edges]))
        sums = below + np.cumsum(weights)
        filled = np.flatnonzero(weights)
        enough = filled[sums[filled].astype(np.float64) >= wanted]
        digit = int(enough[0] if len(enough) else filled[-1])
        found, below = starts[digit], int(sums[digit] - weights[digit])
    key = np.array([found], np.uint64)
    return float(np.where(key & top, key & ~top, ~key).view(np.float64)[0])


def _end(keys: NDArray[np.uint64], start: int, shift: int) -> int:
    """The place behind the keys with the digits of ``start`` above ``shift``."""
    return int(np.searchsorted(keys, np.uint64(start + (1 << shift) - 1), side="right"))
