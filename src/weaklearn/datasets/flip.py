"""Labels with noise."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .draw import generator, number


def flip_labels(y: Any, noise: float = 0.2, random_state: Any = None) -> NDArray[Any]:
    """The labels, each replaced with probability ``noise`` by another class, chosen uniformly.

    >>> flip_labels([0, 0, 0, 0, 1, 1, 1, 1], 0.25).tolist()
    [0, 0, 1, 1, 1, 1, 1, 1]
    """
    labels = np.asarray(y)
    if labels.ndim != 1:
        raise ValueError(f"y has the shape {labels.shape}; it must hold one label per row.")
    number("noise", noise, 0.0, 1.0)
    rng = generator(random_state)
    classes, codes = np.unique(labels, return_inverse=True)
    flipped = rng.random(len(codes)) < noise
    step = 1 + (rng.random(len(codes)) * (len(classes) - 1)).astype(np.int64)
    if len(classes) > 1:  # the only class has no other
        codes = np.where(flipped, (codes + step) % len(classes), codes)
    noisy: NDArray[Any] = classes[codes]
    return noisy
