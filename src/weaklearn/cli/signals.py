"""Ctrl-C and its like: a fit keeps its rounds, and the process tells what ended it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

INTERRUPTED, TERMINATED = 130, 143


class Terminated(KeyboardInterrupt):
    """SIGTERM: to everything inside the same as Ctrl-C."""


def _terminate(number: int, frame: Any) -> None:
    raise Terminated


@contextmanager
def heeded() -> Iterator[None]:
    """SIGTERM raises Terminated within."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


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
