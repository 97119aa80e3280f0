"""Problems of the literature that are drawn, not collected: Breiman's Gaussians."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Drawn = tuple[NDArray[np.float64], NDArray[np.int64]]
_DIMENSIONS = 20


def twonorm(n: int, rng: np.random.Generator) -> Drawn:
    """Two spheres of Gaussians, whose centres are 4 apart."""
    y = rng.choice([-1, 1], size=n)
    centre = 2 / math.sqrt(_DIMENSIONS)
    return rng.normal(size=(n, _DIMENSIONS)) + y[:, None] * centre, y


def threenorm(n: int, rng: np.random.Generator) -> Drawn:
    """One class of two spheres, at opposite corners; the other at a corner between them."""
    y = rng.choice([-1, 1], size=n)
    a = 2 / math.sqrt(_DIMENSIONS)
    mixed = a * np.where(np.arange(_DIMENSIONS) % 2, -1.0, 1.0)
    side = rng.choice([-1, 1], size=n)[:, None] * np.full(_DIMENSIONS, a)
    return rng.normal(size=(n, _DIMENSIONS)) + np.where(y[:, None] > 0, side, mixed), y


def ringnorm(n: int, rng: np.random.Generator) -> Drawn:
    """A wide Gaussian around the origin, and a narrow one beside it."""
    y = rng.choice([-1, 1], size=n)
    x = rng.normal(size=(n, _DIMENSIONS))
    return np.where(y[:, None] > 0, 2 * x, x + 1 / math.sqrt(_DIMENSIONS)), y
