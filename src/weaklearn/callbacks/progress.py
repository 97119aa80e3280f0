"""A progress bar on standard error."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from ..base.record import History

if TYPE_CHECKING:
    from ..base.booster import State


class Progress:
    """One line, redrawn at most ten times a second; on a pipe, a line every tenth of the way.

    ``done`` rounds may have been played before; the last round is always shown, whatever ended it.
    """

    def __init__(self, n_rounds: int, name: str, done: int = 0) -> None:
        self._n = n_rounds
        self._name = name
        self._done = done
        self._start = self._last = time.monotonic()
        self._lively = sys.stderr.isatty()
        self._open = False
        self._unshown: tuple[int, History] | None = None

    def __call__(self, t: int, state: State, history: History) -> bool:
        self._unshown = (t, history)
        now = time.monotonic()
        tenth = max(1, self._n // 10)
        if now - self._last >= 0.1 if self._lively else t % tenth == 0:
            self._last = now
            self._show(t, history)
        return False

    def _show(self, t: int, history: History) -> None:
        self._unshown = None
        facts = history.last()
        shown = "".join(
            f"  {name} {facts[name]:.4f}" for name in ("epsilon", "train_error") if name in facts
        )
        seconds = time.monotonic() - self._start
        left = seconds / (t - self._done) * (self._n - t)
        filled = 24 * t // self._n
        bar = "#" * filled + "." * (24 - filled)
        line = f"{self._name} [{bar}] {t}/{self._n}{shown}  {seconds:.1f}s, {left:.1f}s left"
        sys.stderr.write("\r\033[K" + line if self._lively else line + "\n")
        sys.stderr.flush()
        self._open = self._lively

    def close(self) -> None:
        if self._unshown is not None:
            self._show(*self._unshown)
        if self._open:
            sys.stderr.write("\n")
            sys.stderr.flush()
            self._open = False
