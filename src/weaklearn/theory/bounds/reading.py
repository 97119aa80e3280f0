"""Parsing the arguments of bounds: numbers of any kind, within the range of the theorem."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.messages.value_text import show

Numbers: TypeAlias = ArrayLike | Fraction | Decimal | Sequence[Fraction] | Sequence[Decimal]
Reals: TypeAlias = float | NDArray[np.float64]
Counts: TypeAlias = int | NDArray[Any]
Array: TypeAlias = NDArray[Any]  # of float64, or of Fractions (dtype object)

HALF = Fraction(1, 2)


class Range(NamedTuple):
    """The values an argument may take, in words and as a test on arrays."""

    words: str
    holds: Callable[[Array], Any]


COUNT = Range("a whole number of at least 1", lambda x: (x >= 1) & (x < np.inf) & (x % 1 == 0))
ROUNDS = Range("a whole number of at least 0", lambda x: (x >= 0) & (x < np.inf) & (x % 1 == 0))
CONFIDENCE = Range("strictly between 0 and 1", lambda x: (x > 0) & (x < 1))
PROBABILITY = Range("between 0 and 1", lambda x: (x >= 0) & (x <= 1))
SUCCESS = Range("above 0 and at most 1", lambda x: (x > 0) & (x <= 1))
FAILURE = Range("at least 0 and below 1", lambda x: (x >= 0) & (x < 1))
POSITIVE = Range("a finite number above 0", lambda x: (x > 0) & (x < np.inf))
SLACK = Range("a finite number of at least 0", lambda x: (x >= 0) & (x < np.inf))
BITS = Range("a finite number of at least 1", lambda x: (x >= 1) & (x < np.inf))
EDGE = Range("above 0 and at most 1/2", lambda x: (x > 0) & (x <= HALF))
EDGE_OR_NONE = Range("between 0 and 1/2", lambda x: (x >= 0) & (x <= HALF))
MARGIN = Range("between -1 and 1", lambda x: (x >= -1) & (x <= 1))

# The range of an argument goes with its name; a function that differs passes (value, range).
_RANGES = {
    name: allowed
    for allowed, names in (
        (COUNT, "H N Pi T d k m m_H n n_features n_rows r run t"),
        (ROUNDS, "i internal kappa vc_dim"),
        (CONFIDENCE, "a delta tau"),
        (PROBABILITY, "beta epsilons err p"),
        (SUCCESS, "g nu success_probability theta"),
        (FAILURE, "failure_probability"),
        (POSITIVE, "R b eps eta"),
        (SLACK, "M best_total hinge lg_Pi_2m lnC lnH ln_Pi_m mistakes_i norm_sq"),
        (BITS, "bits size"),
        (EDGE, "gamma gamma_hat"),
        (EDGE_OR_NONE, "gammas"),
    )
    for name in names.split()
}


def at_least(least: int) -> Range:
    """Integers from ``least`` on."""
    words = f"a whole number of at least {least}"
    return Range(words, lambda x: (x >= least) & (x < np.inf) & (x % 1 == 0))


# --- Fractions ---------------------------------------------------------------------------------


def _simplest(low: Fraction, high: Fraction) -> Fraction:
    """The fraction of smallest denominator in [low, high], 0 < low <= high."""
    ceiling = math.ceil(low)
    if ceiling <= high:
        return Fraction(ceiling)
    return ceiling - 1 + 1 / _simplest(1 / (high - ceiling + 1), 1 / (low - ceiling + 1))


def _fraction_of_float(x: float) -> Fraction:
    """The simplest fraction that rounds to a float (see the docstring of the package)."""
    decimal = Decimal(repr(x))
    if len(decimal.as_tuple().digits) <= 15:
        return Fraction(decimal)
    exact, reach = abs(Fraction(x)), Fraction(math.ulp(x)) / 2
    simple = _simplest(exact - reach, exact + reach)
    return int(math.copysign(1, x)) * simple if float(simple) == abs(x) else Fraction(x)


def fraction(name: str, x: object) -> Fraction:
    """One number as an exact fraction."""
    if isinstance(x, np.generic):
        x = x.item()
    try:
        if isinstance(x, float):
            return _fraction_of_float(x)
        if isinstance(x, int | str | Fraction | Decimal) and not isinstance(x, bool):
            return Fraction(x)
    except (ValueError, OverflowError, ZeroDivisionError):  # "ten", nan, inf, "1/0"
        raise ValueError(f"{name} must be a finite number or a fraction, got {show(x)}.") from None
    raise TypeError(f"{name} must be a number or a fraction, got {show(x)}.")


def fractions(name: str, x: Array) -> Array:
    """An array of Fractions."""
    read = np.empty(x.shape, dtype=object)
    read[...] = np.frompyfunc(lambda value: fraction(name, value), 1, 1)(x)
    return read


# --- Arguments ---------------------------------------------------------------------------------


def _numbers(name: str, given: Any) -> Array:
    """The argument as an array of floats, or of Fractions where floats would lose something."""
    with_range = isinstance(given, tuple) and len(given) == 2 and isinstance(given[1], Range)
    value, allowed = given if with_range else (given, _RANGES[name])
    try:
        array = np.asarray(value)
    except ValueError:
        raise ValueError(
            f"{name} must be a number or an array of them, got rows of different lengths."
        ) from None
    if array.dtype.kind == "f" or array.size == 0:
        read: Array = array.astype(np.float64)
    elif array.dtype.kind in "iu" and bool(np.all(np.abs(array.astype(np.float64)) < 2.0**53)):
        read = array.astype(np.float64)
    else:
        read = fractions(name, array)
    with np.errstate(invalid="ignore"):
        inside = np.asarray(allowed.holds(read), dtype=bool)
    if not inside.all():
        culprit = array[~inside].flat[0]
        raise ValueError(f"{name} must be {allowed.words}, got {culprit}.")
    return read


def read(**arguments: object) -> list[Array]:
    """All arguments as arrays of one kind: floats, or Fractions if any needs them."""
    found = {name: _numbers(name, given) for name, given in arguments.items()}
    if any(x.dtype == object for x in found.values()):
        return [fractions(name, x) for name, x in found.items()]
    return list(found.values())


def demand(holds: Any, words: str, **argument: Array) -> None:
    """Refuses an argument that is in its range, but not beside the others."""
    ((name, value),) = argument.items()
    holds, value = np.broadcast_arrays(np.asarray(holds, dtype=bool), value)
    if not holds.all():
        culprit = value[~holds].flat[0]
        shown = f"{culprit:.16g}" if isinstance(culprit, float) else culprit
        raise ValueError(f"{name} must be {words}, got {shown}.")
