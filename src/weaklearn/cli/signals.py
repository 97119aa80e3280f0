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
_raised = threading.Event()  # set as soon as the signal that is sent again has raised


class Terminated(KeyboardInterrupt):
    """Raised by SIGTERM; handled like the KeyboardInterrupt of Ctrl-C."""


def _raise(number: int, frame: Any) -> None:
    """The handler of both signals: raises, except within the hook that would lose the exception."""
    while frame is not None:
        if frame.f_code is _send_again.__code__:
            return
        frame = frame.f_back
    _raised.set()
    raise Terminated if number == signal.SIGTERM else KeyboardInterrupt


def _send_again(lost: Any) -> None:
    """Sends a signal again, until it raises, whose exception was lost in a destructor.

    It replaces ``sys.unraisablehook``; other exceptions go to Python's own hook.
    """
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
        return
    number = signal.SIGTERM if issubclass(lost.exc_type, Terminated) else signal.SIGINT
    _raised.clear()
    threading.Thread(target=_send_until_raised, args=(number,), daemon=True).start()


def _send_until_raised(number: int) -> None:
    while not _raised.wait(_SOON):
        os.kill(os.getpid(), number)


@contextmanager
def handled() -> Iterator[None]:
    """Context manager: SIGTERM raises Terminated, and no signal is lost in a destructor."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before, hook = {signal.SIGTERM: signal.signal(signal.SIGTERM, _raise)}, sys.unraisablehook
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        before[signal.SIGINT] = signal.signal(signal.SIGINT, _raise)
    sys.unraisablehook = _send_again
    try:
        yield
    finally:
        _raised.set()
        for number, handler in before.items():
            signal.signal(number, handler)
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
