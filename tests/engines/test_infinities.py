"""An infinity in a matrix is seen wherever it stands, however the matrix lies in memory."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from weaklearn.engines.cells import holds_infinity

SHAPES = [(1, 1), (7, 33), (70_000, 3), (3, 70_000), (900, 70)]


def _layouts(X: NDArray[np.floating]) -> list[NDArray[np.floating]]:
    wide = np.zeros((2 * len(X), 2 * X.shape[1]), X.dtype)
    wide[::2, ::2] = X
    some = np.zeros((len(X), X.shape[1] + 3), X.dtype)
    some[:, :-3] = X
    reverse = np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1]
    return [X, np.asfortranarray(X), wide[::2, ::2], some[:, :-3], reverse]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_an_infinity_is_seen_wherever_it_stands(shape: tuple[int, int], kind: type) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=shape).astype(kind)
    X[rng.random(shape) < 0.1] = np.nan
    X.ravel()[0] = np.finfo(kind).max  # the largest number is none
    for threads in (1, 3):
        assert not any(holds_infinity(x, threads) for x in _layouts(X))
    for place in {X.size - 1, X.size // 2, X.size // 3}:
        for value in (np.inf, -np.inf):
            before, X.ravel()[place] = X.ravel()[place], value
            assert all(holds_infinity(x, 3) for x in _layouts(X))
            X.ravel()[place] = before


def test_nothing_holds_no_infinity() -> None:
    assert not holds_infinity(np.zeros((0, 3)), 2)
    assert not holds_infinity(np.zeros((3, 0)), 2)
    assert not holds_infinity(np.broadcast_to(np.float32(1), (4, 5)), 2)
