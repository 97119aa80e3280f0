"""Checks of values read from a file: each raises ``Flaw`` with the reason."""

from __future__ import annotations

from collections.abc import Callable, Container
from itertools import pairwise
from math import isfinite
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .error import Flaw

Check = Callable[[str, Any], None]
T = TypeVar("T")

MOST = 2**31 - 1  # rows of arrays, features, nodes: what 32 bits count
_FEW = 32  # entries that are checked one by one


def need(condition: Any, message: str) -> None:
    """Raises ``Flaw`` with the message unless the condition holds."""
    if not condition:
        raise Flaw(message)


def named(value: Any) -> str:
    """A value as a short text for a message."""
    if isinstance(value, int) and value.bit_length() > 128:
        return f"a whole number of {value.bit_length()} bits"
    if isinstance(value, (int, float, str, type(None))) and len(text := ascii(value)) <= 60:
        return text
    return f"a value of type {type(value).__name__}"


def of_type(name: str, value: Any, kind: type[T]) -> T:
    """The value, refused unless its type is exactly this one: True is no int here."""
    if type(value) is not kind:
        raise Flaw(f"{name} is {named(value)}; it must be of type {kind.__name__}")
    return value


def integer(least: int = 0, most: int = MOST) -> Check:
    """A check for an integer in a range, of Python or of numpy."""

    def check(name: str, value: Any) -> None:
        number = value.item() if isinstance(value, np.integer) else value
        if not (type(number) is int and least <= number <= most):
            allowed = f"a whole number from {least} to {most}"
            raise Flaw(f"{name} is {named(number)}; it must be {allowed}")

    return check


def real(least: float = -np.inf, most: float = np.inf) -> Check:
    """A check for a finite float in a range."""

    def check(name: str, value: Any) -> None:
        number = value.item() if isinstance(value, np.floating) else value
        if not (type(number) is float and isfinite(number) and least <= number <= most):
            bounded = least != -np.inf or most != np.inf
            raise Flaw(
                f"{name} is {named(number)}; it must be a finite number"
                + (f" from {least:g} to {most:g}" if bounded else "")
            )

    return check


def flag(name: str, value: Any) -> None:
    """Refuses anything but True and False, of Python or of numpy."""
    if not isinstance(value, (bool, np.bool_)):
        raise Flaw(f"{name} is {named(value)}; it must be True or False")


def text(name: str, value: Any) -> None:
    """Refuses anything but a str."""
    of_type(name, value, str)


def columns(name: str, value: Any) -> None:
    """Refuses anything but a frozenset of column numbers."""
    of_type(name, value, frozenset)
    need(all(type(j) is int and 0 <= j <= MOST for j in value), f"{name} holds no columns")


def one_of(*allowed: Any) -> Check:
    """A check for one of the allowed values, compared by type and value."""

    def check(name: str, value: Any) -> None:
        for choice in allowed:
            if type(value) is type(choice) and value == choice:
                return
        listed = ", ".join(map(repr, allowed))
        raise Flaw(f"{name} is {named(value)}; it must be one of {listed}")

    return check


def maybe(check: Check) -> Check:
    """A check that accepts None, and whatever the given check accepts."""

    def checked(name: str, value: Any) -> None:
        if value is not None:
            check(name, value)

    return checked


def instance(kind: type[Any] | str) -> Check:
    """A check for an instance of one class, given as the class or by module and name."""
    home = home_of_class(kind)

    def check(name: str, value: Any) -> None:
        need(home_of(value) == home, f"{name} is {named(value)}; it must be a {_last(home)}")

    return check


def either(*kinds: type[Any] | str) -> Check:
    """A check for an instance of one of several classes."""
    homes = [home_of_class(kind) for kind in kinds]

    def check(name: str, value: Any) -> None:
        listed = " or ".join(f"a {_last(home)}" for home in homes)
        need(home_of(value) in homes, f"{name} is {named(value)}; it must be {listed}")

    return check


def home_of(value: Any) -> str:
    """Module and name of a value's class."""
    return home_of_class(type(value))


def home_of_class(kind: type[Any] | str) -> str:
    """Module and name of a class; a str is returned unchanged."""
    return kind if isinstance(kind, str) else f"{kind.__module__}.{kind.__qualname__}"


def _last(home: str) -> str:
    return home.rpartition(".")[2]


def listed(check: Check, container: type = list) -> Check:
    """A check for a list (or tuple) whose items all pass the given check."""

    def checked(name: str, value: Any) -> None:
        of_type(name, value, container)
        for k, item in enumerate(value):
            check(f"{name}[{k}]", item)

    return checked


def one_or_several(check: Check) -> Check:
    """A check of a value, or of each item where it is a list."""

    def checked(name: str, value: Any) -> None:
        (listed(check) if type(value) is list else check)(name, value)

    return checked


def array(kinds: str = "f", ndim: int = 1, finite: bool = True) -> Check:
    """A check for an array by its dtype kinds (numpy's letters) and number of dimensions.

    One letter is one type, of 64 bits or a flag: kernels read no other. Several are types of any
    width, which whoever reads them makes one.
    """
    one = {"f": np.float64, "i": np.int64, "u": np.uint64, "b": np.bool_}.get(kinds)

    def check(name: str, value: Any) -> None:
        if not isinstance(value, np.ndarray):
            raise Flaw(f"{name} is {named(value)}; it must be an array")
        fine = value.dtype.kind in kinds if one is None else value.dtype == one
        if not fine or value.ndim != ndim:  # only now: the name of a dtype takes microseconds
            raise Flaw(
                f"{name} is an array of {value.ndim} dimensions and type {value.dtype}; it must "
                f"have {ndim} and "
                + (f"a type of kind {kinds!r}" if one is None else f"the type {np.dtype(one)}")
            )
        if finite and value.dtype.kind == "f":
            all_finite(name, value)

    return check


def all_finite(name: str, values: NDArray[Any]) -> None:
    """Refuses an array that holds NaN or an infinity."""
    if len(values) <= _FEW and values.ndim == 1 and all(map(isfinite, values.tolist())):
        return
    finite = np.isfinite(values).ravel()
    if not finite.all():
        bad = int(np.argmin(finite))
        raise Flaw(f"{name}[{bad}] is {values.ravel()[bad]}; it must be finite")


def integers(name: str, value: Any, n: int, least: int, most: int, dtype: Any) -> NDArray[Any]:
    """n integers in a range, as an array of the given dtype."""
    _of_integers(name, value, n)
    inside(name, value, least, most)
    found: NDArray[Any] = value.astype(dtype)
    return found


def wholes(name: str, value: Any, n: int, least: int, most: int) -> list[int]:
    """n integers in a range, as a list."""
    _of_integers(name, value, n)
    found: list[int] = value.tolist()
    within(name, found, least, most)
    return found


def _of_integers(name: str, value: Any, n: int) -> None:
    if not (isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in "iu"):
        raise Flaw(f"{name} is {named(value)}; it must be an array of whole numbers")
    _same_length(name, value, n)


def floats(name: str, value: Any, n: int) -> NDArray[np.float64]:
    """n finite floats as an array."""
    if not (isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype == np.float64):
        raise Flaw(f"{name} is {named(value)}; it must be an array of numbers")
    _same_length(name, value, n)
    all_finite(name, value)
    return np.asarray(value, np.float64)


def inside(name: str, values: NDArray[Any], least: int, most: int) -> None:
    """Refuses an array of integers with some outside of a range."""
    if len(values) == 0:
        return
    if len(values) <= _FEW and values.ndim == 1:  # faster than what numpy takes to begin
        within(name, values.tolist(), least, most)
        return
    low, high = int(values.min()), int(values.max())
    if low < least or high > most:
        wrong = low if low < least else high
        _refuse_outside(name, int(np.flatnonzero(values == wrong)[0]), wrong, least, most)


def within(name: str, values: list[int], least: int, most: int) -> None:
    """Refuses a list of integers with some outside of a range."""
    if not values:
        return
    low, high = min(values), max(values)
    if low < least or high > most:
        wrong = low if low < least else high
        _refuse_outside(name, values.index(wrong), wrong, least, most)


def _refuse_outside(name: str, where: int, wrong: int, least: int, most: int) -> None:
    raise Flaw(f"{name}[{where}] is {wrong}; it must be from {least} to {most}")


def _same_length(name: str, values: NDArray[Any], n: int) -> None:
    if len(values) != n:
        raise Flaw(f"{name} has {len(values)} entries; it must have {n}")


def known_names(what: str, names: Any, known: Container[str]) -> None:
    """Refuses a name that is not among the known ones."""
    for name in names:
        if type(name) is not str or name not in known:
            raise Flaw(f"{named(name)} is no {what}")


def refuse_key(key: Any) -> None:
    """Refuses a key of a dict that cannot be one, or stands twice."""
    try:
        hash(key)
    except TypeError:
        raise Flaw(f"a value of type {type(key).__name__} cannot be a key") from None
    raise Flaw(f"the key {named(key)} stands twice")


def among(some: NDArray[Any], labels: NDArray[Any]) -> None:
    """Refuses labels of a bag's member that the bag lacks, and labels that are not sorted."""
    need(set(some.tolist()) <= set(labels.tolist()), "a member has a label that the whole has not")
    for listed in (some.tolist(), labels.tolist()):
        try:
            rising = all(a < b for a, b in pairwise(listed))
        except TypeError:
            rising = False
        need(rising, "labels of a bag are not in order")
