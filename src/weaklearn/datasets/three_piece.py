"""An interval on the line, which no single stump can represent and three can."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .draw import generator, number, whole


def make_three_piece(
    n_samples: int = 200,
    ends: tuple[float, float] = (1 / 3, 2 / 3),
    inside: int = -1,
    noise: float = 0.0,
    random_state: Any = None,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Numbers drawn from [0, 1) with one label between the two ends and the other outside.

    ``inside`` is the label -1 or +1 of the middle piece, both ends included; ``noise`` the
    probability with which a label is flipped. Whatever the weights, some stump errs on at most a
    third of them.

    >>> X, y = make_three_piece(6, random_state=1)
    >>> [(round(float(x), 2), int(label)) for x, label in zip(X[:, 0], y)]
    [(0.51, -1), (0.95, 1), (0.14, 1), (0.95, 1), (0.31, 1), (0.42, -1)]

    Reference: Shalev-Shwartz and Ben-David (2014), Understanding Machine Learning, Example 10.1.
    """
    whole("n_samples", n_samples, 1)
    number("noise", noise, 0.0, 1.0)
    if inside not in (-1, 1):
        raise ValueError(f"inside={inside!r} is not allowed: it must be -1 or 1.")
    low, high = ends
    if not low < high:
        raise ValueError(f"ends={ends!r} is not allowed: the first must be below the second.")
    rng = generator(random_state)
    x = rng.random(n_samples)
    y = np.where((x >= low) & (x <= high), inside, -inside)
    return x[:, None], np.where(rng.random(n_samples) < noise, -y, y)
