"""A distribution over finitely many examples, with exact errors, and examples handed out once."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.sample import take_rows
from ...learners.foreign import fresh
from ..bounds.reading import fraction

_MOST_SAMPLES = 200_000


@dataclass(frozen=True, eq=False)
class FiniteDistribution:
    """Rows X with labels y, drawn with probabilities p (integers or fractions, summing to 1).

    A point that may have either label is there twice. Probabilities are kept as fractions: floats
    are read as the decimals they print as.

    >>> D = FiniteDistribution([0, 1, 1], [-1, 1, -1], ["1/2", "3/8", "1/8"])
    >>> D.error(lambda X: np.where(X > 0, 1, -1))
    Fraction(1, 8)
    >>> X, y = D.draw(5, np.random.default_rng(0))
    >>> X.tolist(), y.tolist()
    ([1, 0, 0, 0, 1], [1, -1, -1, -1, 1])
    """

    X: Any
    y: Any
    p: Any

    def __post_init__(self) -> None:
        X = self.X if hasattr(self.X, "shape") else np.asarray(self.X)
        p = tuple(fraction("p", value) for value in np.asarray(self.p).tolist())
        y = np.asarray(self.y)
        if not (X.shape[0] == len(y) == len(p) > 0):
            raise ValueError(
                f"X has {X.shape[0]} rows, y has {len(y)} values and p has {len(p)}; pass one of "
                "each for every example."
            )
        if min(p) < 0 or sum(p) != 1:
            raise ValueError(
                f"p must hold numbers of at least 0 with the sum 1, got {float(min(p)):g} as the "
                f"least and {float(sum(p)):.17g} as the sum; pass fractions such as '1/3'."
            )
        for name, value in (("X", X), ("y", y), ("p", p)):
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, given: Any) -> FiniteDistribution:
        """From (X, y, p), from {(x, y): p}, or from a distribution itself."""
        if isinstance(given, cls):
            return given
        if isinstance(given, Mapping):
            examples = list(given)
            return cls([x for x, _ in examples], [y for _, y in examples], list(given.values()))
        try:
            X, y, p = given
        except (TypeError, ValueError):
            raise TypeError(
                f"distribution is a {type(given).__name__}; pass (X, y, p), a dict from (x, y) to "
                "p, or a FiniteDistribution."
            ) from None
        return cls(X, y, p)

    def __len__(self) -> int:
        return len(self.p)

    def wrong(self, h: Any) -> NDArray[np.bool_]:
        """Mask of the examples that a hypothesis gets wrong."""
        return np.asarray(answers(h, self.X) != self.y)

    def error(self, h: Any) -> Fraction:
        """The generalisation error of a hypothesis, exactly."""
        return sum((p for p, bad in zip(self.p, self.wrong(h)) if bad), Fraction(0))

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Any, NDArray[Any]]:
        """n independent examples (X, y)."""
        rows = rng.choice(len(self), size=n, p=np.array([float(p) for p in self.p]))
        return take_rows(self.X, rows), self.y[rows]

    def samples(self, m: int) -> Iterator[tuple[Fraction, NDArray[np.int64]]]:
        """Every sample of m examples, as how often each is in it, with its probability."""
        n = math.comb(m + len(self) - 1, m)
        if n > _MOST_SAMPLES:
            raise ValueError(
                f"m must be small enough for at most {_MOST_SAMPLES} different samples of "
                f"{len(self)} examples, got {m}, which has {n}."
            )
        scale = math.lcm(*(p.denominator for p in self.p))
        shares = [int(p * scale) for p in self.p]
        for counts in _compositions(m, len(self)):
            ways = math.factorial(m)
            for share, c in zip(shares, counts, strict=True):
                ways = ways * share**c // math.factorial(c)
            if ways:
                yield Fraction(ways, scale**m), np.array(counts)


def _compositions(m: int, k: int) -> Iterator[tuple[int, ...]]:
    """All ways to write m as a sum of k integers of at least 0."""
    if k == 1:
        yield (m,)
        return
    for first in range(m + 1):
        for rest in _compositions(m - first, k - 1):
            yield (first, *rest)


def answers(h: Any, X: Any) -> NDArray[Any]:
    """The labels of rows by an estimator, a function of X, or the labels themselves."""
    found = np.asarray(h.predict(X) if hasattr(h, "predict") else h(X) if callable(h) else h)
    n = n_rows(X)
    if found.shape != (n,):
        raise ValueError(f"a hypothesis gives answers of shape {found.shape} for {n} rows.")
    return found


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
