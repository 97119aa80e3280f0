"""SIGINT and SIGTERM: a fit keeps its rounds, and the exit status names the signal."""

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
    """Raised by SIGTERM; handled like the KeyboardInterrupt of Ctrl-C."""


def _terminate(number: int, frame: Any) -> None:
    raise Terminated


def _send_again(lost: Any) -> None:
    """Sends a signal again whose exception was lost, as one raised in a destructor is.

    It replaces ``sys.unraisablehook``; other exceptions go to Python's own hook.
    """
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
        return
    number = signal.SIGTERM if issubclass(lost.exc_type, Terminated) else signal.SIGINT
    again = threading.Timer(_SOON, os.kill, (os.getpid(), number))
    again.daemon = True
    again.start()


@contextmanager
def handled() -> Iterator[None]:
    """Context manager: SIGTERM raises Terminated, and no signal is lost in a destructor."""
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
def ignored() -> Iterator[None]:
    """Context manager: SIGINT and SIGTERM are ignored, for example while a model is saved."""
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
    """The exit status after SIGTERM, 143, or SIGINT, 130."""
    return TERMINATED if isinstance(interrupt, Terminated) else INTERRUPTED
