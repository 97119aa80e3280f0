"""Growth functions: Sauer's sum, exactly and in logarithms, or one that is given."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from ...base.messages.value_text import show
from ...base.types import Array
from .arithmetic import floats, ln
from .reading import demand

Growth: TypeAlias = Callable[[int], int] | str | None

_MOST_WORK = 6 * 10**10  # bits handled in writing out a sum; about a second
_BEYOND = 10**300  # what is more is too long anyway
_SAUER = ("sauer", "sauer(2m, vc_dim)", "sauer(m, vc_dim)")


def _first_binomials(m: int, d: int) -> int:
    total = term = 1
    for i in range(d):
        term = term * (m - i) // (i + 1)
        total += term
    return total


def _bits(m: int, d: int) -> float:
    """At least the length of Sauer's sum in bits."""
    if 2 * d >= m:
        return float(min(m, _BEYOND))
    lg = math.log2(m) - math.log2(d) + math.log2(math.e) if d else 1.0
    return float(min(d, _BEYOND)) * lg if d else 1.0


def sauer_sum(m: int, d: int) -> int:
    """Sauer's sum of integers, exactly."""
    terms = min(d, m - d - 1)  # of the sum, or of the rest of 2^m
    if min(max(terms, 1), _BEYOND) * _bits(m, d) > _MOST_WORK:
        raise ValueError(
            "d must be small enough for Sauer's sum to be written out (lg_sauer gives its "
            f"logarithm), got {d} with m={m}."
        )
    if d >= m:
        return 1 << m
    return _first_binomials(m, d) if d <= terms else (1 << m) - _first_binomials(m, terms)


def lg_sauer_sum(m: int, d: int) -> float:
    """The logarithm to base 2 of Sauer's sum."""
    if d >= m:
        return float(m)
    if d * _bits(m, d) <= 1e7:
        return math.log2(sauer_sum(m, d))
    i = np.arange(1.0, d + 1)
    lg = np.concatenate([[0.0], np.cumsum(np.log2((m - i + 1) / i))])
    return float(lg.max() + np.log2(np.exp2(lg - lg.max()).sum()))


def em_over_d(m: Array, d: Array) -> Array:
    """d ln(em/d), refusing m < d."""
    demand(d <= m, "at most m: the bound (em/d)^d needs m >= d >= 1", d=d)
    return np.asarray(floats(d) * (1 + ln(m / d)))


def growth_is_sauer(growth: Growth) -> bool:
    """Whether no other growth than Sauer's sum was given."""
    return growth is None or (isinstance(growth, str) and growth in _SAUER)


def growth_function(growth: Growth, vc_dim: int) -> Callable[[int], int]:
    """The growth function used for a VC dimension: Sauer's sum, or the given function."""
    if growth_is_sauer(growth):
        return lambda n: sauer_sum(n, vc_dim)
    if not callable(growth):
        raise ValueError(
            f"growth must be a function of the number of points, 'sauer' or None, got "
            f"{show(growth)}."
        )

    def checked(n: int) -> int:
        found = growth(n)
        if not (found == int(found) and 1 <= found <= sauer_sum(n, vc_dim)):
            raise ValueError(
                f"growth must be a whole number of at least 1 and at most Sauer's sum for the VC "
                f"dimension {vc_dim}, which is {sauer_sum(n, vc_dim)} for {n} points, got {found}."
            )
        return int(found)

    return checked


def lg_growth(growth: Growth, n: Array, vc_dim: Array) -> Array:
    """Logarithms to base 2 of a growth function at n points."""

    def lg(n: int, d: int) -> float:
        sauer = growth_is_sauer(growth)
        return lg_sauer_sum(n, d) if sauer else math.log2(growth_function(growth, d)(n))

    n, vc_dim = np.broadcast_arrays(n, vc_dim)
    found = [lg(int(a), int(d)) for a, d in zip(n.flat, vc_dim.flat, strict=True)]
    return np.reshape(np.array(found, dtype=np.float64), n.shape)
