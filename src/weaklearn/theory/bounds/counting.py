"""Exact ceilings and counts, where floating-point logarithms may round to the wrong side."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.types import Array
from .arithmetic import floats, ln
from .reading import Counts, fractions, read

_Decision = tuple[int, bool]  # the ceiling of a real number, and whether the number is whole


def decimal(x: Fraction) -> Decimal:
    return Decimal(x.numerator) / Decimal(x.denominator)


def ceiling(real: Callable[[], Decimal], is_integer: Callable[[int], bool], size: int) -> _Decision:
    """Ceiling of a real number known to any precision; ``is_integer`` settles the equality.

    ``size`` is the number of digits that cancellation may eat.
    """
    digits = 40
    while True:
        with localcontext() as context:
            context.prec = digits + size
            value = real()
            nearest = int(value.to_integral_value())
            if abs(value - nearest) > abs(value).scaleb(-digits // 2):
                return math.ceil(value), False
        if is_integer(nearest):
            return nearest, True
        digits *= 2


def ceiling_of_irrational(real: Callable[[], Decimal], *given: Fraction) -> int:
    """The ceiling of a number that is never an integer, such as a logarithm of a fraction other
    than 1.

    Of the fractions given, whose logarithms are taken, those near 1 lose digits.
    """
    near = [x for x in given if 1 < 2 * x < 4]
    return ceiling(real, lambda _: False, 2 * digits(*near))[0]


def ceiling_of_ln(x: Fraction, scale: Fraction) -> int:
    """max(1, ceil(scale ln x)), for x >= 1; scale ln x is never an integer for x > 1."""
    if x == 1:
        return 1
    return ceiling_of_irrational(lambda: decimal(x).ln() * decimal(scale), x, scale)


def digits(*given: Fraction) -> int:
    """About how many decimal digits the fractions have."""
    return sum(max(x.numerator, x.denominator).bit_length() for x in given) // 3 + 1


def power_reaches(q: Fraction, x: Fraction) -> _Decision:
    """Least k with q^k <= x, for 0 < q < 1 and 0 < x < 1, and whether q^k = x."""

    def equal(k: int) -> bool:
        if k * (q.denominator.bit_length() - 1) > x.denominator.bit_length():
            return False  # q^k has a larger denominator than x
        return q**k == x

    return ceiling(lambda: decimal(x).ln() / decimal(q).ln(), equal, 2 * digits(q, x))


def least_power(q: Fraction, x: Fraction) -> int:
    """Least k >= 1 with q^k <= x, for 0 <= q < 1 and x > 0."""
    return 1 if q <= x else power_reaches(q, x)[0]


def least(needed: Callable[[int], int], start: int) -> int:
    """Least m >= start with m >= needed(m), for a number needed that does not fall as m grows.

    Every m below the answer asks for more than itself, and for no more than the answer.
    """
    m = start
    while (n := needed(m)) > m:
        m = n
    return m


def _settled(answers: Sequence[int], shape: tuple[int, ...]) -> Counts:
    """One integer, or an array of them; large ones as Python's own."""
    if not shape:
        return answers[0]
    large = max(answers, default=0) > np.iinfo(np.int64).max
    return np.array(answers, dtype=object if large else np.int64).reshape(shape)


def each(exact: Callable[..., int], **arguments: object) -> Counts:
    """A function of fractions that counts, taken at every place of the arrays."""
    return at_each(exact, dict(zip(arguments, read(**arguments), strict=True)))


def at_each(exact: Callable[..., int], arguments: dict[str, Array]) -> Counts:
    """The same, of arrays that were read before."""
    exactly = [fractions(name, x) for name, x in arguments.items()]
    grid = np.broadcast_arrays(*exactly)
    return _settled([exact(*place) for place in zip(*(x.flat for x in grid))], grid[0].shape)


def count(
    exact: Callable[..., int], estimate: Callable[..., NDArray[np.float64]], **arguments: object
) -> Counts:
    """Ceilings of ``estimate`` (all at once), each close call settled by ``exact``."""
    found = np.broadcast_arrays(*read(**arguments))
    if found[0].ndim == 0:
        return at_each(exact, dict(zip(arguments, found, strict=True)))
    with np.errstate(all="ignore"):
        guess = np.asarray(estimate(*found))
        near = ~(np.abs(guess - np.rint(guess)) > 1e-9 * (1 + np.abs(guess)))
    close = [fractions(name, x[near]) for name, x in zip(arguments, found, strict=True)]
    settled = [exact(*values) for values in zip(*close, strict=True)]
    counts: Array = np.ceil(np.where(near, 0.0, guess)).astype(np.int64)
    if max(settled, default=0) > np.iinfo(np.int64).max:
        counts = counts.astype(object)
    counts[near] = settled
    return counts


def count_of_ln(parts: Callable[..., tuple[Any, Any]], **arguments: object) -> Counts:
    """max(1, ceil(scale ln x)), for the x >= 1 and the scale that ``parts`` makes of arguments."""

    def estimate(*given: Array) -> NDArray[np.float64]:
        x, scale = parts(*given)
        return np.maximum(ln(x) * floats(scale), 1.0)

    return count(lambda *given: ceiling_of_ln(*parts(*given)), estimate, **arguments)
