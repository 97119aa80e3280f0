"""A status line on standard error."""

from __future__ import annotations

import sys
import time


class Line:
    """On a terminal one line, redrawn at most ten times per second; on a pipe a new line each."""

    def __init__(self) -> None:
        self._last = time.monotonic()
        self._lively = sys.stderr.isatty()
        self._open = False

    def is_due(self, t: int, step: int) -> bool:
        """Whether to write now: by time on a terminal, every ``step`` rounds on a pipe."""
        now = time.monotonic()
        due = now - self._last >= 0.1 if self._lively else t % step == 0
        if due:
            self._last = now
        return due

    def write(self, text: str) -> None:
        sys.stderr.write("\r\033[K" + text if self._lively else text + "\n")
        sys.stderr.flush()
        self._open = self._lively

    def close(self) -> None:
        if self._open:
            sys.stderr.write("\n")
            sys.stderr.flush()
            self._open = False
