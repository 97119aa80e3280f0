"""Radon's theorem: why d + 2 points of R^d are not shattered by halfspaces."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...base.types import Floats
from .kind import in_space

_NONE = 1e-12  # of the largest coefficient, this much is none


class Radon(NamedTuple):
    """Two parts of a set of points (their numbers), a point in both convex hulls, and its shares.

    ``point`` is the mean of the first part with the weights ``shares``, and of the second too; the
    shares of each part sum to 1.
    """

    first: tuple[int, ...]
    second: tuple[int, ...]
    point: Floats
    shares: Floats


def radon(points: Any) -> Radon:
    r"""Splits d + 2 or more points of R^d in two parts whose convex hulls meet.

    Guarantee: always possible (Radon's theorem), so that no halfspace has the first part inside and
    the second outside, and halfspaces of R^d shatter no d + 2 points. The coefficients are a
    solution of :math:`\sum_i c_i x_i = 0, \sum_i c_i = 0`; the points of positive and negative ones
    are the parts, points without one are in the first.

    >>> square = radon([[0, 0], [1, 0], [1, 1], [0, 1]])
    >>> square.first, square.second, square.point.round(9).tolist()
    ((0, 2), (1, 3), [0.5, 0.5])

    Reference: Radon (1921); Blum, Hopcroft and Kannan, Foundations of Data Science, Theorem 6.25.
    """
    x = _points(points)
    moved = x - x.mean(axis=0)
    moved /= max(float(np.abs(moved).max()), np.finfo(float).tiny)
    c = np.linalg.svd(np.vstack([moved.T, np.ones(len(x))]))[2][-1]
    c = np.where(np.abs(c) <= _NONE * np.abs(c).max(), 0.0, c)
    c *= np.sign(c[np.flatnonzero(c)[0]])
    positive = np.maximum(c, 0.0) / np.maximum(c, 0.0).sum()
    negative = np.maximum(-c, 0.0) / np.maximum(-c, 0.0).sum()
    first, second = np.flatnonzero(c >= 0).tolist(), np.flatnonzero(c < 0).tolist()
    return Radon(tuple(first), tuple(second), positive @ x, positive + negative)


def _points(points: Any) -> Floats:
    given = np.asarray(points, np.float64)
    d = given.shape[1] if given.ndim == 2 else 1
    x = in_space(given, d)
    if len(x) < d + 2 or d == 0:
        raise ValueError(
            f"points must be at least d + 2 points of R^d, got {len(x)} points of R^{d}."
        )
    return x
