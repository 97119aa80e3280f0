"""Kernels: inner products of examples under an implicit feature map.

``polynomial``, ``all_products`` and ``string`` compare two examples. As objects (``Linear``,
``Polynomial``, ``AllProducts``, ``String``, and ``Function`` around one's own) they also give the
matrix of all pairs, and are closed under sums, products and factors of at least 0:

>>> K = 2 * Polynomial(degree=2) + AllProducts()
>>> K([1, 2], [3, 0])
36.0
>>> K.gram([[1, 2], [3, 0]]).tolist()
[[82.0, 36.0], [36.0, 210.0]]

A function of two examples is a kernel where it is an inner product of some map of each. Sums run
over the features in their order, for dense and for sparse rows alike.
"""

from __future__ import annotations

import numbers
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce
from math import isfinite
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ..base.messages.value_text import show
from ..base.types import Floats
from ..engines import on_threads
from .points import Points, count, examples_of, joined, panel, points_of

__all__ = [
    "AllProducts",
    "Combination",
    "Function",
    "Kernel",
    "Linear",
    "Polynomial",
    "String",
    "all_products",
    "polynomial",
    "string",
]

MOST_DEGREE = 10_000  # of a kernel given by its name, and in model files
_PANEL = 512  # so many rows are compared with all others at once
_AT_ONCE = 2**22  # kernels of a sum computed at a time


def polynomial(x: ArrayLike, z: ArrayLike, degree: int) -> float:
    r"""The polynomial kernel.

    .. math:: K(x, z) = (1 + x \cdot z)^k

    It is the inner product of maps to all binomial(d + k, k) monomials of degree at most k.

    >>> polynomial([3, -1], [3, 2], degree=3)
    512.0
    """
    return Polynomial(degree)(x, z)


def all_products(x: ArrayLike, z: ArrayLike) -> float:
    r"""The kernel of all products of different features.

    .. math:: K(x, z) = \prod_i (1 + x_i z_i) = \sum_A \prod_{i \in A} x_i z_i

    It is the inner product of maps to the products over all subsets A of the features, 2^d of them.

    >>> all_products([3, -1], [3, 2])
    -10.0
    """
    return AllProducts()(x, z)


def string(s: str, t: str, p: int) -> int:
    """The string kernel: how many different substrings of length p occur in both texts.

    It is the inner product of maps that tell of every text of length p whether it occurs.

    >>> string("abracadabra", "cadabra", p=3)
    5
    """
    return int(String(p)(s, t))


class Kernel(ABC):
    """A kernel: ``K(x, z)`` compares two examples, ``K.gram(X, Z)`` all of X with all of Z."""

    takes: ClassVar[str] = "numbers"  # rows of numbers, or "texts", or "anything"

    @abstractmethod
    def _compare(self, X: Points, Z: Points, threads: int) -> Floats:
        """The kernel of every example of X with every one of Z."""

    def __call__(self, x: Any, z: Any) -> float:
        """The kernel of two examples."""
        return float(self.gram([x], [z])[0, 0])

    def points(self, X: Any) -> Points:
        """Examples in the form in which kernels compare them."""
        return points_of(X, self.takes)

    def gram(self, X: Any, Z: Any = None, *, threads: int = 1) -> Floats:
        """The matrix of K(x, z), a row for each of X and a column for each of Z; X itself if None.

        X and Z are matrices, dense or sparse, or lists of texts where the kernel is one of texts.
        """
        X = self.points(X)
        if Z is not None:
            return self._between(X, self.points(Z), threads)
        n = count(X)
        matrix = np.empty((n, n))
        for first in range(0, n, _PANEL):
            last = min(n, first + _PANEL)
            block = self._between(X[first:], X[first:last], threads)
            matrix[first:, first:last] = block
            matrix[first:last, last:] = block[last - first :].T
        return matrix

    def diagonal(self, X: Points) -> Floats:
        """K(x, x) of every example."""
        n = count(X)
        each = [self._between(X[i : i + 1], X[i : i + 1], 1)[0, 0] for i in range(n)]
        return np.array(each, np.float64).reshape(n)

    def _between(self, X: Points, Z: Points, threads: int) -> Floats:
        with np.errstate(over="ignore", invalid="ignore"):
            matrix = self._compare(X, Z, threads)
        if not np.isfinite(matrix).all():
            raise ValueError(
                f"{self!r} of two examples is too large for float64; divide X by a constant, or "
                "take a kernel of lower degree."
            )
        return matrix

    # ------------------------------------------------------------------------------------ closure

    def __add__(self, other: Kernel) -> Combination:
        if not isinstance(other, Kernel):
            return NotImplemented
        return Combination((*_summands(self), *_summands(other)), "sum")

    def __mul__(self, other: Kernel | float) -> Combination:
        if isinstance(other, Kernel):
            return Combination((self, other), "product")
        if isinstance(other, (bool, np.bool_)) or not isinstance(other, numbers.Real):
            return NotImplemented
        return Combination((self,), "sum", float(other))

    def __rmul__(self, factor: float) -> Combination:
        return self * factor


@dataclass(frozen=True)
class Linear(Kernel):
    """x.z, the linear kernel.

    >>> Linear()([1, 2], [3, 4])
    11.0
    """

    def _compare(self, X: Points, Z: Points, threads: int) -> Floats:
        engine = on_threads(threads)
        return engine.svm.rows(X).inner_products(panel(X, Z), threads)

    def diagonal(self, X: Points) -> Floats:
        return on_threads().svm.rows(X).squares()


@dataclass(frozen=True)
class Polynomial(Kernel):
    """(1 + x.z)^degree: see ``polynomial``.

    >>> Polynomial(2).gram([[1.0], [-2.0]]).tolist()
    [[4.0, 1.0], [1.0, 25.0]]
    """

    degree: int = 2

    def __post_init__(self) -> None:
        _check_order("degree", self.degree, "a polynomial kernel is (1 + x.z)^degree")

    def _compare(self, X: Points, Z: Points, threads: int) -> Floats:
        return power(1.0 + Linear()._compare(X, Z, threads), int(self.degree))

    def diagonal(self, X: Points) -> Floats:
        return power(1.0 + Linear().diagonal(X), int(self.degree))


@dataclass(frozen=True)
class AllProducts(Kernel):
    """prod (1 + x_i z_i): see ``all_products``.

    >>> AllProducts().gram([[1, 1], [1, 0]]).tolist()
    [[4.0, 2.0], [2.0, 2.0]]
    """

    def _compare(self, X: Points, Z: Points, threads: int) -> Floats:
        engine = on_threads(threads)
        return engine.svm.rows(X).all_products(panel(X, Z), threads)


@dataclass(frozen=True)
class String(Kernel):
    """The number of different substrings of length p in both texts: see ``string``.

    >>> String(2).gram(["banana", "ananas"]).tolist()
    [[3.0, 2.0], [2.0, 3.0]]
    """

    p: int = 3
    takes: ClassVar[str] = "texts"

    def __post_init__(self) -> None:
        _check_order("p", self.p, "a string kernel of order p compares substrings of length p")

    def _compare(self, X: Points, Z: Points, threads: int) -> Floats:
        holders: dict[str, list[int]] = {}
        for j, text in enumerate(Z):
            for part in self._parts(text):
                holders.setdefault(part, []).append(j)
        places = {part: np.array(found, np.intp) for part, found in holders.items()}
        counts = np.zeros((len(X), len(Z)))
        for i, text in enumerate(X):
            shared = [places[part] for part in self._parts(text) if part in places]
            if shared:
                counts[i] = np.bincount(np.concatenate(shared), minlength=len(Z))
        return counts

    def diagonal(self, X: Points) -> Floats:
        return np.array([len(self._parts(text)) for text in X], np.float64)

    def _parts(self, text: str) -> set[str]:
        return {text[i : i + self.p] for i in range(len(text) - self.p + 1)}


@dataclass(frozen=True)
class Function(Kernel):
    """A user's kernel: any function of two examples that is an inner product.

    It is called for every pair, with rows of numbers, texts, or whatever the examples are. Models
    with such a kernel cannot be saved to files without code.

    >>> overlap = Function(lambda s, t: len(set(s) & set(t)))
    >>> overlap.gram(["abc", "cab", "xyz"]).tolist()
    [[3.0, 3.0, 0.0], [3.0, 3.0, 0.0], [0.0, 0.0, 3.0]]
    """

    function: Callable[[Any, Any], Any]
    takes: ClassVar[str] = "anything"

    def _compare(self, X: Points, Z: Points, threads: int) -> Floats:
        rows, columns = list(examples_of(X)), list(examples_of(Z))
        matrix = np.empty((len(rows), len(columns)))
        for i, x in enumerate(rows):
            for j, z in enumerate(columns):
                matrix[i, j] = self._value(x, z)
        return matrix

    def diagonal(self, X: Points) -> Floats:
        return np.array([self._value(x, x) for x in examples_of(X)], np.float64)

    def _value(self, x: Any, z: Any) -> float:
        value = self.function(x, z)
        if isinstance(value, np.ndarray) and value.size == 1:
            value = value.item()
        if not isinstance(value, numbers.Real) or not isfinite(value):
            raise ValueError(
                f"the kernel answered {show(value)} for two examples; it must be a finite number."
            )
        return float(value)


@dataclass(frozen=True)
class Combination(Kernel):
    """The sum or the product of kernels, times a factor of at least 0: a kernel again.

    >>> K = Polynomial(2) * AllProducts()
    >>> K([1, 2], [3, 0]) == Polynomial(2)([1, 2], [3, 0]) * AllProducts()([1, 2], [3, 0])
    True
    """

    parts: tuple[Kernel, ...]
    how: str = "sum"
    factor: float = 1.0

    def __post_init__(self) -> None:
        if self.how not in ("sum", "product"):
            raise ValueError(f"how={self.how!r} is not allowed: it must be 'sum' or 'product'.")
        if not self.parts or not all(isinstance(part, Kernel) for part in self.parts):
            raise ValueError(f"parts={self.parts!r} is not allowed: it must be kernels.")
        if not 0 <= self.factor < np.inf:
            raise ValueError(
                f"factor={show(self.factor)} is not allowed: only a finite factor of at least 0 "
                "makes a kernel of a kernel."
            )
        if {part.takes for part in self.parts} >= {"numbers", "texts"}:
            raise ValueError(
                f"{self.parts!r} are kernels of numbers and kernels of texts, and no example is "
                "both; combine kernels of the same."
            )

    @property
    def takes(self) -> str:  # type: ignore[override]
        """The kind of examples that the parts take; any kind where all of them do."""
        return next((p.takes for p in self.parts if p.takes != "anything"), "anything")

    def _compare(self, X: Points, Z: Points, threads: int) -> Floats:
        return self._joined([part._compare(X, Z, threads) for part in self.parts])

    def diagonal(self, X: Points) -> Floats:
        return self._joined([part.diagonal(X) for part in self.parts])

    def _joined(self, matrices: list[Floats]) -> Floats:
        combined: Floats = reduce(np.add if self.how == "sum" else np.multiply, matrices)
        return combined * self.factor

    def __mul__(self, other: Kernel | float) -> Combination:
        if isinstance(other, numbers.Real) and not isinstance(other, bool):
            return replace(self, factor=self.factor * float(other))
        return super().__mul__(other)


NAMES = ("linear", "polynomial", "all_products", "string")


def named(name: str, order: int) -> Kernel:
    """The kernel of a name; ``order`` is the degree, or the length of substrings.

    >>> named("polynomial", 3)
    Polynomial(degree=3)
    """
    if name == "polynomial":
        return Polynomial(order)
    if name == "string":
        return String(order)
    return Linear() if name == "linear" else AllProducts()


def power(x: Floats, k: int) -> Floats:
    """x^k by squaring: the same bits everywhere, and exact for integers."""
    result: Floats = np.ones_like(x)
    while k:
        if k & 1:
            result = result * x
        k >>= 1
        x = x * x if k else x
    return result


class KernelSum:
    """f(x) = sum of coefficient times K(point, x).

    >>> f = KernelSum(Linear(), np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([2.0, -1.0]))
    >>> f.scores(np.array([[3.0, 4.0]])).tolist()
    [2.0]
    """

    def __init__(
        self, kernel: Kernel, points: Points | None = None, coefficients: Floats | None = None
    ) -> None:
        self.kernel = kernel
        self.points = points
        self.coefficients = np.zeros(0) if coefficients is None else coefficients

    def scores(self, X: Points, threads: int = 1) -> Floats:
        """f of every example; the bits do not depend on the batch."""
        n = count(X)
        scores = np.zeros(n)
        if self.points is None or len(self.coefficients) == 0:
            return scores
        engine, step = on_threads(threads), max(1, _AT_ONCE // len(self.coefficients))
        for first in range(0, n, step):
            block = self.kernel.gram(X[first : first + step], self.points, threads=threads)
            numbers = engine.svm.rows(block)
            scores[first : first + step] = numbers.along(self.coefficients, threads)
        return scores

    def add(self, points: Points, coefficients: Floats) -> None:
        """Appends terms."""
        self.points = points if self.points is None else joined(self.points, points)
        self.coefficients = np.concatenate([self.coefficients, coefficients])


def _summands(kernel: Kernel) -> tuple[Kernel, ...]:
    plain = isinstance(kernel, Combination) and kernel.how == "sum" and kernel.factor == 1
    return kernel.parts if plain else (kernel,)  # type: ignore[attr-defined]


def _check_order(name: str, value: Any, why: str) -> None:
    is_integer = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not is_integer or value < 1:
        raise ValueError(
            f"{name}={show(value)} is not allowed: {why}, so it must be a whole number of at least "
            "1."
        )
