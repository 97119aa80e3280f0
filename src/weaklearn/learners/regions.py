"""Membership in simple regions: boxes, conjunctions of bits, nearest means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from ..base.sample import Rows
from ..base.types import Bools, Floats


def in_box(rows: Rows, lower: Floats, upper: Floats) -> Bools:
    """Mask of the rows inside a box, its boundary included."""
    inside = np.ones(len(rows), bool)
    for j, (low, high) in enumerate(zip(lower, upper, strict=True)):
        x = rows.column(j)
        inside &= (low <= x) & (x <= high)
    return inside


def all_ones(rows: Rows, kept: Iterable[int]) -> Bools:
    """Mask of the rows with a 1 in all of some columns."""
    holds = np.ones(len(rows), bool)
    for j in kept:
        holds &= rows.column(j) == 1
    return holds


def any_one(rows: Rows, kept: Iterable[int]) -> Bools:
    """Mask of the rows with a 1 in any of some columns."""
    holds = np.zeros(len(rows), bool)
    for j in kept:
        holds |= rows.column(j) == 1
    return holds


def nearest(rows: Rows, means: Floats, own: Bools) -> NDArray[np.intp]:
    """The index of the nearest distinct mean, the last on ties."""
    found, highest = np.zeros(len(rows), np.intp), np.full(len(rows), -np.inf)
    for k, score in nearness(rows, means, own):
        ahead = score >= highest
        found[ahead], highest[ahead] = k, score[ahead]
    return found


def nearness(rows: Rows, means: Floats, own: Bools) -> Iterator[tuple[int, Floats]]:
    """Per distinct mean how much nearer it is than the first of them.

    Mean k is nearer than mean 0 by the product of x - (mu_k + mu_0)/2 and mu_k - mu_0: on one
    column nothing is rounded but the middle.
    """
    first, *others = np.flatnonzero(own).tolist()
    yield first, np.zeros(len(rows))
    d = means.shape[1]
    apart = means / 2 - means[first] / 2
    # Powers of two round nothing, and keep every sum within the numbers.
    apart = np.ldexp(apart, -np.frexp(np.abs(apart).max())[1])
    less = 0.25 / 2.0 ** d.bit_length()
    for k in others:
        middle = means[k] / 2 + means[first] / 2
        score = np.zeros(len(rows))
        for j in range(d):
            score += (rows.column(j) * less - middle[j] * less) * apart[k, j]
        yield k, score
