"""A progress bar on standard error."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ..base.booster import History
from .line import Line

if TYPE_CHECKING:
    pass


_SHOWN = ("epsilon", "train_error", "loss", "validation_loss")


class Progress:
    """One line, redrawn at most ten times per second; on a pipe, ten lines per fit.

    ``done`` rounds may have been played before; the last round is always shown, whatever ended it.
    """

    def __init__(self, n_rounds: int, name: str, done: int = 0) -> None:
        self._n = n_rounds
        self._name = name
        self._done = done
        self._start = time.monotonic()
        self._line = Line()
        self._unshown: tuple[int, History] | None = None

    def __call__(self, t: int, state: object, history: History) -> bool:
        self._unshown = (t, history)
        if self._line.is_due(t, max(1, self._n // 10)):
            self._show(t, history)
        return False

    def _show(self, t: int, history: History) -> None:
        self._unshown = None
        metrics = history.last()
        shown = "".join(f"  {name} {metrics[name]:.4g}" for name in _SHOWN if name in metrics)
        seconds = time.monotonic() - self._start
        left = seconds / (t - self._done) * (self._n - t)
        filled = 24 * t // self._n
        bar = "#" * filled + "." * (24 - filled)
        self._line.write(
            f"{self._name} [{bar}] {t}/{self._n}{shown}  {seconds:.1f}s, {left:.1f}s left"
        )

    def close(self) -> None:
        if self._unshown is not None:
            self._show(*self._unshown)
        self._line.close()
