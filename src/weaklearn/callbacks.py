"""Callbacks of a fit: progress on standard error, checkpoints, and early stopping."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from .base.booster import Callback, Stop
from .base.ensemble import Ensemble, StackedEnsemble
from .base.history import History
from .base.rows import Rows
from .base.types import Partitions

S = TypeVar("S")


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


class Checkpoint:
    """Hands the model after the rounds so far to ``keep``, every so many seconds.

    What it hands out is a model of its own, as an interrupt after the round would have left it, so
    that a warm start goes on to the same model. Keeping it may take a twentieth of the time: where
    it takes long, it is done less often.
    """

    def __init__(self, keep: Callable[[Any], object], seconds: float = 60.0) -> None:
        self._keep, self._seconds = keep, seconds
        self._next = time.monotonic() + seconds
        self._model_after: Callable[[Any, History], Any] | None = None
        self._partitions: Partitions | None = None

    def of(
        self,
        model_after: Callable[[Any, History], Any] | None,
        partitions: Partitions | None = None,
    ) -> Checkpoint:
        """The same for one fit, of which ``model_after`` gives the model at a state; without it the
        fit calls ``hand_out``. Of several partitions, which describe the rows together, the first
        keeps the model.
        """
        mine = Checkpoint(self._keep, self._seconds)
        mine._model_after, mine._partitions = model_after, partitions
        return mine

    def __call__(self, t: int, state: object, history: History) -> bool:
        partitions = self._partitions
        due = self._model_after is not None and self.is_due
        if due if partitions is None else partitions.first(due):
            begin = time.monotonic()
            assert self._model_after is not None
            self.hand_out(self._model_after(state, history), begin)
        return False

    @property
    def is_due(self) -> bool:
        """Whether the time has come for a model."""
        return time.monotonic() >= self._next

    def hand_out(self, model: Any, begin: float) -> None:
        """Hands out a model, the making of which began then."""
        if self._partitions is None or self._partitions.rank == 0:
            self._keep(model)
        end = time.monotonic()
        self._next = end + max(self._seconds, 20 * (end - begin))


def by_first(callback: Callback[S], partitions: Partitions) -> Callback[S]:
    """The callback, asked in the first of several partitions alone: its answer is that of all."""
    if partitions.size == 1:
        return callback

    def asked(t: int, state: S, history: History) -> bool | Stop | None:
        return partitions.first(callback(t, state, history) if partitions.rank == 0 else None)

    return asked


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


class Patience:
    """Waits so many rounds for a number to become better; None: for ever.

    Losses are to fall, by more than ``tol``; the first is the best until then. With ``larger``
    numbers are scores and are to rise by ``tol``, so that with 0 the latest of equals is the best:
    the share of a few rows that are right comes in steps, and the vote grows clearer between them.
    With ``strict`` too, but the waiting goes on from the first of equals: a perfect score ends it.

    >>> wait = Patience(2)
    >>> [wait(loss) for loss in (0.5, 0.3, 0.4, 0.3)]
    [False, False, False, True]
    >>> wait.best
    1
    """

    def __init__(
        self, rounds: int | None, tol: float = 0.0, *, larger: bool = False, strict: bool = False
    ) -> None:
        self._rounds, self._tol, self._larger, self._strict = rounds, tol, larger, strict
        self._since = -1  # the place from which on waiting is counted
        self.values: list[float] = []
        self.best = -1  # the place of the best among the values; -1: none yet

    def __call__(self, value: float) -> bool:
        """Notes the number of one more round; true where waiting is over."""
        if self._is_better(value):
            equal = self.best >= 0 and value == self.values[self.best]
            self.best = len(self.values)
            self._since = self._since if self._strict and equal else self.best
        self.values.append(value)
        return self._rounds is not None and len(self.values) - 1 - self._since >= self._rounds

    def feed(self, values: Iterable[float]) -> Patience:
        """Itself, once it has heard of these numbers."""
        for value in values:
            self(value)
        return self

    def _is_better(self, value: float) -> bool:
        if self._larger:
            return value >= (-np.inf if self.best < 0 else self.values[self.best]) + self._tol
        return not self.values or value < self.values[self.best] - self._tol


class EarlyStopping(Generic[S]):
    """Judges every round by rows not learnt from, and stops when it no longer gets better.

    ``judge`` gives the number of a state, which is recorded under ``name``; ``best`` is the best
    ensemble so far, None where there is none. Without ``stops`` it only watches. ``since`` is the
    round of the first number, where earlier ones were not judged. ``named`` sets of rows are
    recorded under their names too: the first is what ``judge`` looks at, the others have their own.
    """

    def __init__(
        self,
        judge: Callable[[S], float],
        name: str,
        wait: Patience,
        *,
        stops: bool = True,
        since: int = 1,
        named: Iterable[tuple[str, Callable[[S], float] | None]] = (),
    ) -> None:
        self._judge, self._name = judge, name
        kind = name.rpartition("_")[2]
        self._named = [(f"{each}_{kind}", look) for each, look in named if each]
        self.wait, self.stops, self.since = wait, stops, since
        self.best: Any = None

    def resume(self, history: History, ensemble: Any) -> None:
        """Takes up where a run of one member a round had been left."""
        self.wait.feed(float(value) for value in history.get(self._name, ()))
        if self.wait.best >= 0:
            self.best = ensemble.staged(self.wait.best + 1)

    def __call__(self, t: int, state: S, history: History) -> Stop | None:
        value = self._judge(state)
        history.note(self._name, value)
        for name, look in self._named:
            history.note(name, value if look is None else look(state))
        over = self.wait(value)
        if self.wait.best == len(self.wait.values) - 1:
            self.best = state.ensemble  # type: ignore[attr-defined]
        return Stop.EARLY if over and self.stops else None


class Tally:
    """The score F of some rows, updated as members are added."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._parts: list[_Part] = []

    def __call__(self, ensemble: Any) -> NDArray[np.float64]:
        several = isinstance(ensemble, StackedEnsemble)
        parts = ensemble.parts if several else (ensemble,)
        if not self._parts:
            self._parts = [_Part(self._rows) for _ in parts]
        scores = [mine(part) for mine, part in zip(self._parts, parts, strict=True)]
        joined: NDArray[np.float64] = ensemble.joined(scores) if several else scores[0]
        return joined


class _Part:
    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._seen: Ensemble | None = None
        self._scores: NDArray[np.float64] = np.zeros(0)

    def __call__(self, ensemble: Ensemble) -> NDArray[np.float64]:
        if not ensemble.sums:
            return ensemble(self._rows)
        if self._seen is None or not ensemble.follows(self._seen):  # new, or won by one member
            self._scores = ensemble.blank(self._rows)
            self._seen = ensemble.staged(0)
        for vote, h in ensemble.since(len(self._seen)):
            ensemble.add(self._scores, vote, ensemble.answers(h, self._rows))
        self._seen = ensemble
        return self._scores
