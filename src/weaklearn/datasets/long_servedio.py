"""A few points on which every convex booster fails."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .draw import number, whole


def long_servedio(
    gamma: float = 1 / 24, n_right: int = 9, n_wrong: int = 1
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Points in the plane, all of class +1, a few of whose duplicates have the label -1.

    There is a point of large margin, (1, 0), two penalisers (gamma, -gamma) and a puller
    (gamma, 5 gamma), each ``n_right`` times with its own label and ``n_wrong`` times with the
    other. x_1 alone is right everywhere. But whoever minimises a convex loss over a_1 x_1 + a_2 x_2
    bends towards the puller, to soften what the wrong label of the large margin costs, and gets
    both penalisers wrong: half of the points, for gamma small enough (1/24 is, 1/12 is not).

    >>> X, y = long_servedio()
    >>> X.shape, int((y < 0).sum())
    ((40, 2), 4)
    >>> a = np.array([1.240, 2.431])  # where the exponential loss is least
    >>> (X[:4] @ a > 0).tolist()  # of the four points without noise
    [True, False, False, True]

    Reference: Long and Servedio (2010), Machine Learning 78.
    """
    number("gamma", gamma, 0.0, 1.0)
    whole("n_right", n_right, 1)
    whole("n_wrong", n_wrong, 0)
    points = np.array([(1.0, 0.0), (gamma, -gamma), (gamma, -gamma), (gamma, 5 * gamma)])
    labels = np.repeat([1, -1], [4 * n_right, 4 * n_wrong])
    return np.tile(points, (n_right + n_wrong, 1)), labels
