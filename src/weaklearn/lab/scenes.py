"""The sets of points that the page offers, each with its Python code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.types import Floats
from ..datasets import toy

Drawn = tuple[Floats, NDArray[Any]]


@dataclass(frozen=True)
class Scene:
    """Points with labels -1 and +1; ``sized`` where their number and their seed can be chosen."""

    name: str
    draw: Callable[[int, int], Drawn]
    code: str  # the Python code of X and y
    needs: tuple[str, ...] = ()  # its imports
    sized: bool = True


def _moons(n: int, seed: int) -> Drawn:
    from sklearn.datasets import make_moons

    X, y = make_moons(n, noise=0.2, random_state=seed)
    return X, 2 * y - 1


def _circles(n: int, seed: int) -> Drawn:
    from sklearn.datasets import make_circles

    X, y = make_circles(n, noise=0.1, factor=0.5, random_state=seed)
    return X, 2 * y - 1


def _xor(n: int, seed: int) -> Drawn:
    X = np.random.default_rng(seed).uniform(-1, 1, (n, 2))
    return X, np.where(X[:, 0] * X[:, 1] > 0, 1, -1)


def _slope(n: int, seed: int) -> Drawn:
    X = np.random.default_rng(seed).uniform(-1, 1, (n, 2))
    return X, np.where(X[:, 0] + X[:, 1] > 0, 1, -1)


def _clouds(n: int, seed: int) -> Drawn:
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(n) < 0.5, 1, -1)
    return rng.normal(size=(n, 2)) + 0.8 * y[:, None], y


_NUMPY = ("import numpy as np",)
_UNIFORM = "rng = np.random.default_rng({seed})\nX = rng.uniform(-1, 1, ({n}, 2))\n"

SCENES = {
    "toy": Scene("the ten points", lambda n, seed: toy(), "X, y = wl.datasets.toy()", sized=False),
    "moons": Scene(
        "two moons",
        _moons,
        "X, y = make_moons({n}, noise=0.2, random_state={seed})\ny = 2 * y - 1",
        ("from sklearn.datasets import make_moons",),
    ),
    "circles": Scene(
        "two circles",
        _circles,
        "X, y = make_circles({n}, noise=0.1, factor=0.5, random_state={seed})\ny = 2 * y - 1",
        ("from sklearn.datasets import make_circles",),
    ),
    "xor": Scene(
        "XOR",
        _xor,
        _UNIFORM + "y = np.where(X[:, 0] * X[:, 1] > 0, 1, -1)",
        _NUMPY,
    ),
    "slope": Scene(
        "a slanting border",
        _slope,
        _UNIFORM + "y = np.where(X[:, 0] + X[:, 1] > 0, 1, -1)",
        _NUMPY,
    ),
    "clouds": Scene(
        "noisy: two clouds",
        _clouds,
        "rng = np.random.default_rng({seed})\n"
        "y = np.where(rng.random({n}) < 0.5, 1, -1)\n"
        "X = rng.normal(size=({n}, 2)) + 0.8 * y[:, None]",
        _NUMPY,
    ),
}
OWN = "own"  # points clicked in the page
