"""Examples to train on: counted, in an order of their own, and handed out once."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.sample import take_rows
from ...learners.foreign import fresh

Examples = tuple[Any, Any]  # X and y


class Supply:
    """Hands out examples, each at most once.

    ``source`` is a function of (n, rng) that draws n examples and returns (X, y), or a pair (X, y),
    whose rows are handed out in an order that the seed and their content choose.
    """

    def __init__(self, source: Any, seed: int) -> None:
        self._draw: Callable[..., Examples] | None = source if callable(source) else None
        self._seed, self._calls, self._used = seed, 0, 0
        self.left: int | None = None  # None: as many as are wanted
        if self._draw is None:
            self._X, self._y = _pair(source)
            order = canonical(self._X, self._y)
            self._order = order[np.random.default_rng([seed, 0]).permutation(len(order))]
            self.left = len(order)

    def take(self, n: int) -> Examples:
        """The next n examples."""
        self._calls += 1
        if self._draw is not None:
            X, y = self._draw(n, np.random.default_rng([self._seed, self._calls]))
            if len(y) != n:
                raise ValueError(f"draw(n={n}, rng) returned {len(y)} examples; it must return n.")
            return X, y
        assert self.left is not None
        if n > self.left:
            raise ValueError(f"{n} fresh examples are wanted, and {self.left} are left.")
        rows = self._order[self._used : self._used + n]
        self._used, self.left = self._used + n, self.left - n
        return take_rows(self._X, rows), self._y[rows]


def _pair(source: Any) -> tuple[Any, Any]:
    if not isinstance(source, Sequence) or isinstance(source, str) or len(source) != 2:
        raise TypeError(
            f"examples come as {type(source).__name__}; pass a pair (X, y), or a function of "
            "(n, rng) that returns one."
        )
    X, y = source
    return X, labels_of(X, y)


def n_rows(X: Any) -> int:
    """The number of rows of any container."""
    return int(X.shape[0]) if getattr(X, "shape", None) else len(X)


def labels_of(X: Any, y: Any) -> NDArray[Any]:
    """y as an array; raises where X has another number of rows."""
    labels, n = np.asarray(y), n_rows(X)
    if len(labels) != n:
        raise ValueError(f"X has {n} rows, y has {len(labels)} values; pass one value a row.")
    return labels


def canonical(X: Any, y: NDArray[Any]) -> NDArray[np.intp]:
    """Rows sorted by content where they are numbers, else unchanged."""
    try:
        table = np.asarray(X, np.float64).reshape(len(y), -1)
    except (TypeError, ValueError):
        return np.arange(len(y))
    return np.lexsort((y, *table.T))


def seed_of(random_state: Any) -> int:
    """The integer that all random numbers of a run are keyed by."""
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    return 0 if random_state is None else int(random_state)


def trained(estimator: Any, X: Any, y: Any, seed: int = 0, s: int = 0) -> Any:
    """A fresh copy, trained; its random states are keyed by (seed, s)."""
    if not hasattr(estimator, "get_params"):
        return copy.deepcopy(estimator).fit(X, y)
    return fresh(estimator, seed, s).fit(X, y)
