"""Every test of the command line can be ended by Ctrl-C, and so can the processes it starts."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _ctrl_c_is_heeded() -> Iterator[None]:
    """A shell ignores Ctrl-C for what runs in the background, the tests perhaps among it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
