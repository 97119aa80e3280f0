"""A supply of fresh examples: a function that draws them, or a table of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...base.sample import take_rows
from ..bias_and_variance.variation import canonical

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
    labels, n = np.asarray(y), X.shape[0] if hasattr(X, "shape") else len(X)
    if len(labels) != n:
        raise ValueError(f"X has {n} rows, y has {len(labels)} values; pass one value a row.")
    return X, labels
