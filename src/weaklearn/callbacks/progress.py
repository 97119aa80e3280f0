"""Progress of a fit, and of the search for its number of rounds, on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from ..base.record import History


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


class Search:
    """Shows the progress of the search for the number of rounds: rounds tried, and the best."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._line = Line()
        self._start = time.monotonic()
        self._reported = -1
        self._losses: Sequence[float] = ()
        self._best = 0

    def __call__(self, losses: Sequence[float], best: int) -> None:
        """``losses`` are those after 0, 1, 2, ... rounds, the least of them after ``best``."""
        self._losses, self._best = losses, best
        tried = len(losses) - 1
        if tried and self._line.is_due(tried, 100):
            self._show()

    def _show(self) -> None:
        self._reported = len(self._losses)
        seconds = time.monotonic() - self._start
        self._line.write(
            f"{self._name} looks for its number of rounds by folds: {self._reported - 1} tried, "
            f"best {self._best}  loss {self._losses[self._best]:.4g}  {seconds:.1f}s"
        )

    def close(self) -> None:
        if 0 < len(self._losses) != self._reported:
            self._show()
        self._line.close()
