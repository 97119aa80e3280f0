"""Twenty-one bits whose majority is the label."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .draw import generator, number, whole


def noisy_bits(
    n_samples: int = 1000, noise: float = 0.1, random_state: Any = None
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Rows of 21 bits -1 and +1 whose majority is the label y, before y is flipped by ``noise``.

    A quarter of the rows has all bits equal to y; in a quarter the first 11 equal y and the last 10
    do not; in the rest 5 of the first 11 and 6 of the last 10 do, drawn at random. The majority of
    all bits is right everywhere, and boosters whose weights follow the noise do not find it.

    >>> X, y = noisy_bits(500, noise=0.0)
    >>> bool((np.sign(X.sum(axis=1)) == y).all())
    True

    Reference: Long and Servedio (2010), Machine Learning 78; Schapire and Freund, Boosting,
    section 12.3.
    """
    whole("n_samples", n_samples, 1)
    number("noise", noise, 0.0, 1.0)
    rng = generator(random_state)
    y = np.where(rng.random(n_samples) < 0.5, 1, -1)
    kind = rng.random(n_samples)
    first = np.argsort(rng.random((n_samples, 11)), axis=1) < 5
    last = np.argsort(rng.random((n_samples, 10)), axis=1) < 6
    agree = np.column_stack([first, last])  # 5 of the first 11, 6 of the last 10
    agree[kind < 0.5] = np.arange(21) < 11
    agree[kind < 0.25] = True
    X = np.where(agree, y[:, None], -y[:, None]).astype(np.float64)
    return X, np.where(rng.random(n_samples) < noise, -y, y)
