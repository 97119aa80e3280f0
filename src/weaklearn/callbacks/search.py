"""Progress of the search for the number of rounds."""

from __future__ import annotations

import time
from collections.abc import Sequence

from .line import Line


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
