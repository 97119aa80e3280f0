"""The warning categories of this library, and the function that issues warnings."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import chain

from ..types import Partitions


class WeaklearnWarning(UserWarning):
    """Base of all warnings of this library."""


class DataWarning(WeaklearnWarning):
    """The data are suspicious: an empty column, one class, rounded integers."""


class BoostingWarning(WeaklearnWarning):
    """A fit stopped early or went on unexpectedly: no edge, a learner below its known edge."""


class PassesWarning(WeaklearnWarning):
    """Online learning used up its passes over the rows before it converged."""


class ThreadsWarning(WeaklearnWarning):
    """More threads were requested than this process may use."""


class InconsistentVersionWarning(WeaklearnWarning):
    """A pickle was written by another version of this library."""


_held: ContextVar[list[tuple[str, type[Warning]]] | None] = ContextVar("held", default=None)


@contextmanager
def deferred_warnings() -> Iterator[None]:
    """Context manager: defers warnings to the end of the block; drops them if the block raises."""
    if _held.get() is not None:  # the outer block will give them
        yield
        return
    kept: list[tuple[str, type[Warning]]] = []
    token = _held.set(kept)
    try:
        yield
    finally:
        _held.reset(token)
    for message, category in dict.fromkeys(kept):  # each but once
        warn(message, category)


@contextmanager
def shared_warnings(over: Partitions) -> Iterator[None]:
    """Context manager: the warnings of all partitions are given once, in partition 0."""
    if over.size == 1:
        yield
        return
    with collected_warnings() as kept:
        yield
    found = over.gather(kept)
    if over.rank == 0:
        for message, category in dict.fromkeys(chain.from_iterable(found)):
            warn(message, category)


@contextmanager
def collected_warnings() -> Iterator[list[tuple[str, type[Warning]]]]:
    """Context manager: collects this library's warnings of this thread in place of giving them."""
    kept: list[tuple[str, type[Warning]]] = []
    token = _held.set(kept)
    try:
        yield kept
    finally:
        _held.reset(token)


@contextmanager
def suppressed_warnings() -> Iterator[None]:
    """Context manager: drops this library's warnings of this thread."""
    with collected_warnings():
        yield


def warn(message: str, category: type[Warning] = DataWarning) -> None:
    """Issues a warning at the line of the user's code that called this library."""
    kept = _held.get()
    if kept is not None:
        kept.append((message, category))
        return
    level = 1
    frame = sys._getframe(0)
    while frame.f_back is not None and _is_inside(frame.f_globals.get("__name__", "")):
        frame = frame.f_back
        level += 1
    warnings.warn(message, category, stacklevel=level)


def _is_inside(module: str) -> bool:
    """Whether a module belongs to this library or to code that wraps its methods."""
    ours = module == "weaklearn" or module.startswith("weaklearn.")
    return ours or module == "contextlib" or module.startswith("sklearn.callback")
