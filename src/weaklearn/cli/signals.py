"""Ctrl-C and its like: a fit keeps its rounds, and the process tells what ended it."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

INTERRUPTED, TERMINATED = 130, 143
_SOON = 0.05  # seconds until a signal that got lost is sent again


class Terminated(KeyboardInterrupt):
    """SIGTERM: to everything inside the same as Ctrl-C."""


def _terminate(number: int, frame: Any) -> None:
    raise Terminated


def _send_again(lost: Any) -> None:
    """What Python calls for exceptions that end nowhere, as those of a destructor do.

    Where a signal came just then, its exception is lost: the signal is sent once more.
    """
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
        return
    number = signal.SIGTERM if issubclass(lost.exc_type, Terminated) else signal.SIGINT
    again = threading.Timer(_SOON, os.kill, (os.getpid(), number))
    again.daemon = True
    again.start()


@contextmanager
def heeded() -> Iterator[None]:
    """SIGTERM raises Terminated within, and no signal gets lost."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before, hook = signal.signal(signal.SIGTERM, _terminate), sys.unraisablehook
    sys.unraisablehook = _send_again
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
        sys.unraisablehook = hook


@contextmanager
def undisturbed() -> Iterator[None]:
    """Neither signal ends what is done within, such as the saving of what was learnt."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, signal.SIG_IGN) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def status_of(interrupt: BaseException) -> int:
    return TERMINATED if isinstance(interrupt, Terminated) else INTERRUPTED
