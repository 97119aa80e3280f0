"""The warnings of this library, and the one way to give them."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class WeaklearnWarning(UserWarning):
    """Any warning of this library, so that all of them can be filtered at once."""


class DataWarning(WeaklearnWarning):
    """The data say less than they seem to: an empty column, one class, rounded integers."""


class BoostingWarning(WeaklearnWarning):
    """A fit went on, or ended, otherwise than asked: no edge, a learner below its promise."""


class PassesWarning(WeaklearnWarning):
    """Learning ended with its last pass over the rows, not because it had come to rest."""


class ThreadsWarning(WeaklearnWarning):
    """More threads were asked for than this process may use."""


_held: ContextVar[list[tuple[str, type[Warning]]] | None] = ContextVar("held", default=None)


@contextmanager
def held() -> Iterator[None]:
    """Keeps warnings back to the end of a block; where that is an error, it alone is told."""
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
def unheard() -> Iterator[None]:
    """A block in this thread whose warnings are nobody's concern."""
    token = _held.set([])
    try:
        yield
    finally:
        _held.reset(token)


def warn(message: str, category: type[Warning] = DataWarning) -> None:
    """Warn at the line of the caller outside this library, where the cause stands."""
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
    """Whether a module is this library's, or one wrapped around it on the way to fit."""
    ours = module == "weaklearn" or module.startswith("weaklearn.")
    return ours or module == "contextlib" or module.startswith("sklearn.callback")
