"""Checks of constructor parameters: one clear sentence with the name, the value and the range."""

from __future__ import annotations

import difflib
import functools
import inspect
import numbers
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np


def whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """A whole number in a range."""
    allowed = f"a whole number of at least {least}" + (
        "" if most is None else f" and at most {most}"
    )
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral):
        kind = TypeError if not isinstance(value, numbers.Real) else ValueError
        raise kind(f"{name}={value!r} is not allowed: it must be {allowed}.")
    if value < least or (most is not None and value > most):
        raise ValueError(f"{name}={value!r} is not allowed: it must be {allowed}.")
    return int(value)


def real(
    name: str, value: Any, above: float | None, most: float, *, least: float | None = None
) -> float:
    """A finite number in (above, most], or [least, most]."""
    bound = f"above {above:g}" if above is not None else f"at least {least:g}"
    allowed = f"a number {bound} and at most {most:g}"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name}={value!r} is not allowed: it must be {allowed}.")
    number = float(value)
    low = number > above if above is not None else number >= (least or 0.0)
    if not (low and number <= most):
        raise ValueError(f"{name}={value!r} is not allowed: it must be {allowed}.")
    return number


def one_of(name: str, value: Any, allowed: Sequence[Any]) -> Any:
    """One of a few values."""
    for choice in allowed:
        if value is choice or (type(value) is type(choice) and value == choice):
            return choice
    listed = ", ".join(repr(choice) for choice in allowed)
    hint = ""
    if isinstance(value, str):
        near = difflib.get_close_matches(value, [c for c in allowed if isinstance(c, str)], 1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
    raise ValueError(f"{name}={value!r} is not allowed: it must be one of {listed}.{hint}")


def seed(name: str, value: Any) -> int:
    """A seed from None (0: the same model every time), a whole number below 2^32, or a generator."""
    if value is None:
        return 0
    if isinstance(value, np.random.RandomState):
        return int(value.randint(0, 2**31 - 1))
    if isinstance(value, np.random.Generator):
        return int(value.integers(0, 2**31 - 1))
    return whole(name, value, 0, 2**32 - 1)


def switch(name: str, value: Any) -> bool:
    """True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}={value!r} is not allowed: it must be True or False.")
    return bool(value)


def suggesting(init: Callable[..., None]) -> Callable[..., None]:
    """A constructor whose complaint about a misspelt parameter names the nearest one."""
    known = [name for name in inspect.signature(init).parameters if name != "self"]

    @functools.wraps(init)
    def checked(self: Any, *args: Any, **kwargs: Any) -> None:
        for name in kwargs:
            if name not in known:
                near = difflib.get_close_matches(name, known, 1)
                hint = (
                    f"did you mean {near[0]!r}?" if near else "known are " + ", ".join(known) + "."
                )
                raise TypeError(
                    f"{type(self).__name__}.__init__() got an unexpected keyword argument "
                    f"{name!r}: {hint}"
                )
        init(self, *args, **kwargs)

    return checked
