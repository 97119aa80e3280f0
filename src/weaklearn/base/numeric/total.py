"""Sums over examples that do not depend on the order of the examples."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from math import copysign, frexp, fsum, inf, isfinite, ldexp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..types import Partitions

_BITS = 64  # digits kept of the largest term


def total(
    x: NDArray[Any], weights: NDArray[Any] | None = None, over: Partitions | None = None
) -> float:
    """The weighted sum of x, independent of the order; a weight of k equals k copies, to the bit.

    Terms become integer multiples of a small power of two, which are added up exactly. With
    ``over`` the sum is that of all partitions, the same as if all terms were at hand.

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
    n = len(terms) if copies is None else int(copies.sum())
    with np.errstate(invalid="ignore"):
        strange = 0.0 if isfinite(most) else float(np.sum(terms[~np.isfinite(terms)]))
        if over is not None:
            extents = over.gather((most, n, strange))
            strange = float(np.sum([each for _, _, each in extents]))
            most, n = max(one for one, _, _ in extents), sum(one for _, one, _ in extents)
    if most == 0 or not isfinite(strange):
        return strange
    bits = 62 - n.bit_length()  # no sum of n such numbers leaves 62 bits
    if bits < 1:
        raise OverflowError(f"{n} copies are more than can be counted")
    shift = bits - frexp(most)[1]
    rest = terms * ldexp(1.0, shift) if abs(shift) < 1000 else np.ldexp(terms, shift)
    parts, digits = [], bits
    while True:
        part = np.rint(rest)
        numbers = part.astype(np.int64)
        parts.append(int((numbers if copies is None else numbers * copies).sum()))
        if digits >= _BITS:
            break
        rest = (rest - part) * 2.0**bits
        digits, shift = digits + bits, shift + bits
    if over is not None:
        parts = over.sum(np.array(parts, np.int64)).tolist()
    whole = 0
    for each in parts:
        whole = (whole << bits) + each
    try:
        return ldexp(whole, -shift)
    except OverflowError:
        return copysign(inf, whole)


def mean(
    x: NDArray[Any], weights: NDArray[Any] | None = None, over: Partitions | None = None
) -> float:
    """The weighted mean; with ``over``, of all partitions.

    >>> mean(np.array([1.0, 2.0]), np.array([3, 1]))
    1.25
    >>> mean(np.array([100.0, 200.0]), np.array([3e307, 1e307]))
    125.0
    """
    if weights is None:
        return total(x, None, over) / (len(x) if over is None else sum(over.gather(len(x))))
    if weights.dtype.kind == "f":  # by a power of two, so that no product leaves the numbers
        most = np.max(weights, keepdims=True, initial=0.0)
        weights = np.ldexp(
            weights, -frexp(float(most[0] if over is None else over.maximum(most)[0]))[1]
        )
    return total(x, weights, over) / total(np.ones(len(x)), weights, over)


def rounded_once(listed: Sequence[NDArray[np.float64]], over: Partitions) -> NDArray[np.float64]:
    """The sum of each array over all partitions, exact but for one rounding at the end."""
    if over.size == 1:
        return np.array([fsum(x) for x in listed])
    own = [_exact_terms(x) for x in listed]
    return np.array([fsum(chain.from_iterable(terms)) for terms in zip(*over.gather(own))])


def _exact_terms(x: NDArray[np.float64]) -> list[float]:
    """A few floats whose exact sum is that of x."""
    terms: list[float] = []
    while left := fsum(chain(x, (-term for term in terms))):
        terms.append(left)
    return terms


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
