"""A distribution over finitely many labelled examples, on which errors are exact."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.sample import take_rows
from ..bounds.reading import fraction
from .examples import n_rows

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
