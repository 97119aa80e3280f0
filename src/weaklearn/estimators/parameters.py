"""Checks of constructor parameters: one clear sentence with the name, the value and the range."""

from __future__ import annotations

import functools
import inspect
import numbers
from collections.abc import Callable, Sequence
from math import inf, nan
from typing import Any

import numpy as np

from ..base.spelling import nearest
from .column import show

__all__ = [
    "as_float",
    "count_or_share",
    "max_features",
    "nearest",
    "one_of",
    "real",
    "seed",
    "share",
    "suggesting",
    "switch",
    "whole",
]


def whole(name: str, value: Any, least: int, most: int | None = None, others: str = "") -> int:
    """A whole number in a range; ``others`` is what else the parameter may be."""
    allowed = f"a whole number of at least {least}" + (
        "" if most is None else f" and at most {most}"
    )
    allowed += others and f", or {others}"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral):
        kind = TypeError if not isinstance(value, numbers.Real) else ValueError
        raise kind(f"{name}={show(value)} is not allowed: it must be {allowed}.")
    number = int(value)
    if number < least or (most is not None and number > most):
        raise ValueError(f"{name}={show(value)} is not allowed: it must be {allowed}.")
    return number


def real(
    name: str,
    value: Any,
    above: float | None,
    most: float,
    *,
    least: float | None = None,
    strict: bool = False,
) -> float:
    """A finite number in (above, most], or [least, most]; most itself is out where strict."""
    bound = f"above {above:g}" if above is not None else f"at least {least:g}"
    allowed = f"a number {bound} and {'below' if strict else 'at most'} {most:g}"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name}={show(value)} is not allowed: it must be {allowed}.")
    number = as_float(value)
    low = number > above if above is not None else number >= (least or 0.0)
    if not (low and number <= most and not (strict and number == most)):
        raise ValueError(f"{name}={show(value)} is not allowed: it must be {allowed}.")
    return number


def as_float(value: Any) -> float:
    """A number as float64: NaN where it is none, infinity where it is a whole number beyond."""
    try:
        return float(value) if isinstance(value, numbers.Real) else nan
    except OverflowError:
        return inf if value > 0 else -inf


def share(name: str, value: Any) -> float:
    """The least share of the weight on each of two sides."""
    return real(name, value, None, 0.5, least=0.0)


def count_or_share(name: str, value: Any, least: int) -> int | float:
    """A whole number of examples, or a float: their share, above 0 and at most 1."""
    if isinstance(value, (float, np.floating)):
        if not 0 < value <= 1:
            raise ValueError(
                f"{name}={show(value)} is not allowed: it must be a whole number of at least "
                f"{least}, or a share above 0.0 and at most 1.0."
            )
        return float(value)
    return whole(name, value, least, None, "a share above 0.0 and at most 1.0")


def max_features(value: Any) -> Any:
    """How many features to try at each split: None, "sqrt", "log2", a number, or a share."""
    if value is None or (isinstance(value, str) and value in ("sqrt", "log2")):
        return value
    others = "a share above 0.0 and at most 1.0, 'sqrt', 'log2' or None"
    if isinstance(value, (float, np.floating)) and 0 < value <= 1:
        return float(value)
    return whole("max_features", value, 1, None, others)


def one_of(name: str, value: Any, allowed: Sequence[Any]) -> Any:
    """One of a few values."""
    for choice in allowed:
        if value is choice or (
            isinstance(choice, str) and isinstance(value, str) and value == choice
        ):
            return choice
    listed = ", ".join(repr(choice) for choice in allowed)
    hint = nearest(value, [choice for choice in allowed if isinstance(choice, str)])
    raise ValueError(f"{name}={show(value)} is not allowed: it must be one of {listed}.{hint}")


def seed(name: str, value: Any) -> int:
    """A seed from None (0: the same every time), a whole number below 2^32, or a generator."""
    if value is None:
        return 0
    if isinstance(value, np.random.RandomState):
        return int(value.randint(0, 2**31 - 1))
    if isinstance(value, np.random.Generator):
        return int(value.integers(0, 2**31 - 1))
    return whole(name, value, 0, 2**32 - 1, "None, a RandomState or a Generator")


def switch(name: str, value: Any) -> bool:
    """True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}={show(value)} is not allowed: it must be True or False.")
    return bool(value)


def suggesting(init: Callable[..., None]) -> Callable[..., None]:
    """A constructor whose complaint about a misspelt parameter names the nearest one."""
    known = [name for name in inspect.signature(init).parameters if name != "self"]

    @functools.wraps(init)
    def checked(self: Any, *args: Any, **kwargs: Any) -> None:
        for name in kwargs:
            if name not in known:
                listed = f"known are {', '.join(known)}." if known else "it has no parameters."
                raise TypeError(
                    f"{type(self).__name__}.__init__() got an unexpected keyword argument "
                    f"{name!r}:{nearest(name, known) or ' ' + listed}"
                )
        init(self, *args, **kwargs)

    return checked
