"""Arithmetic on floats and Fractions alike."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ...base.types import Array
from .reading import Reals

LN2 = math.log(2)


def _float(x: Fraction) -> float:
    try:
        return float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf


def floats(x: object) -> NDArray[np.float64]:
    """As floats, each Fraction rounded once; too large ones become infinite."""
    given = np.asarray(x)
    if given.dtype == object:
        given = np.asarray(np.frompyfunc(_float, 1, 1)(given))
    return given.astype(np.float64)


def _ln_fraction(x: Fraction) -> float:
    near = _float(x)
    if 0.5 < near < 2:
        return math.log1p(float(x - 1))
    if 1e-300 < near < 1e300:
        return math.log(near)
    return math.log(x.numerator) - math.log(x.denominator) if x else -math.inf


def ln(x: object) -> NDArray[np.float64]:
    given = np.asarray(x)
    if given.dtype == object:
        return np.asarray(np.frompyfunc(_ln_fraction, 1, 1)(given)).astype(np.float64)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(given))


def ln_one_minus(x: object) -> NDArray[np.float64]:
    given = np.asarray(x)
    if given.dtype == object:
        return ln(1 - given)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log1p(-given))


def exp(x: object) -> NDArray[np.float64]:
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(np.exp(floats(x)))


def times_exp(n: Array, x: Array) -> NDArray[np.float64]:
    """n e^x, also where n alone or e^x alone leaves the range of floats."""
    plain = exp(x)
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        product = floats(n) * plain
        return np.where(np.isfinite(product) & (plain > 0), product, exp(ln(n) + x))


def root(x: object, y: Array) -> NDArray[np.float64]:
    """The square root of x / y."""
    return np.asarray(np.sqrt(floats(x) / floats(y)))


def reals(x: object) -> Reals:
    """The answer: a float for single numbers, an array for arrays."""
    found = np.asarray(x)
    return float(found) if found.ndim == 0 else found.astype(np.float64, copy=False)
