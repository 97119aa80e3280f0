"""Sums over examples that do not depend on the order of the examples."""

from __future__ import annotations

from collections.abc import Iterable
from math import copysign, frexp, inf, isfinite, ldexp
from typing import Any

import numpy as np
from numpy.typing import NDArray

_BITS = 64  # digits kept of the largest term


def total(x: NDArray[Any], weights: NDArray[Any] | None = None) -> float:
    """The weighted sum of x, independent of the order; a weight of k equals k copies, to the bit.

    Terms become integer multiples of a small power of two, which are added up exactly.

    >>> total(np.array([1e16, 1.0, -1e16, 0.25]))
    1.25
    >>> total(np.array([0.1, 0.7]), np.array([3, 1])) == total(np.array([0.1, 0.1, 0.7, 0.1]))
    True
    """
    terms = np.asarray(x, np.float64)
    copies = None
    if weights is not None and weights.dtype.kind in "iu":
        there = weights > 0
        terms, copies = terms[there], weights[there].astype(np.int64)
    elif weights is not None:
        terms = terms * weights
    most = float(np.max(np.abs(terms), initial=0.0))
    if most == 0 or not isfinite(most):
        with np.errstate(invalid="ignore"):
            return 0.0 if most == 0 else float(np.sum(terms[~np.isfinite(terms)]))
    n = len(terms) if copies is None else int(copies.sum())
    bits = 62 - n.bit_length()  # no sum of n such numbers leaves 62 bits
    if bits < 1:
        raise OverflowError(f"{n} copies are more than can be counted")
    shift = bits - frexp(most)[1]
    rest = terms * ldexp(1.0, shift) if abs(shift) < 1000 else np.ldexp(terms, shift)
    whole, digits = 0, bits
    while True:
        part = np.rint(rest)
        numbers = part.astype(np.int64)
        whole += int((numbers if copies is None else numbers * copies).sum())
        if digits >= _BITS:
            break
        rest = (rest - part) * 2.0**bits
        whole, digits, shift = whole << bits, digits + bits, shift + bits
    try:
        return ldexp(whole, -shift)
    except OverflowError:
        return copysign(inf, whole)


def mean(x: NDArray[Any], weights: NDArray[Any] | None = None) -> float:
    """The weighted mean.

    >>> mean(np.array([1.0, 2.0]), np.array([3, 1]))
    1.25
    >>> mean(np.array([100.0, 200.0]), np.array([3e307, 1e307]))
    125.0
    """
    if weights is None:
        return total(x) / len(x)
    if weights.dtype.kind == "f":  # by a power of two, so that no product leaves the numbers
        weights = np.ldexp(weights, -frexp(float(weights.max()))[1])
    return total(x, weights) / total(np.ones(len(x)), weights)


def added_in_order(terms: Iterable[float]) -> float:
    """The sum of floats, each added to those before it.

    The built-in ``sum`` compensates for rounding from Python 3.12 on, so its last digit depends on
    the interpreter.

    >>> added_in_order([0.1] * 10) < 1.0
    True
    """
    so_far = 0.0
    for term in terms:
        so_far += term
    return so_far
