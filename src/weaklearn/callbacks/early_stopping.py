"""Stops when a score or a loss on rows not learnt from no longer gets better."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..base.booster import History, Stop
from ..base.ensemble import StackedEnsemble

if TYPE_CHECKING:
    from ..base.ensemble import Ensemble
    from ..base.sample import Rows

S = TypeVar("S")


class Patience:
    """Waits so many rounds for a number to become better; None: for ever.

    Losses are to fall, by more than ``tol``; the first is the best until then. With ``larger``
    numbers are scores and are to rise by ``tol``, so that with 0 the latest of equals is the best:
    the share of a few rows that are right comes in steps, and the vote grows clearer between them.

    >>> wait = Patience(2)
    >>> [wait(loss) for loss in (0.5, 0.3, 0.4, 0.3)]
    [False, False, False, True]
    >>> wait.best
    1
    """

    def __init__(self, rounds: int | None, tol: float = 0.0, *, larger: bool = False) -> None:
        self._rounds, self._tol, self._larger = rounds, tol, larger
        self.values: list[float] = []
        self.best = -1  # the place of the best among the values; -1: none yet

    def __call__(self, value: float) -> bool:
        """Notes the number of one more round; true where waiting is over."""
        if self._is_better(value):
            self.best = len(self.values)
        self.values.append(value)
        return self._rounds is not None and len(self.values) - 1 - self.best >= self._rounds

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
    round of the first number, where earlier ones were not judged.
    """

    def __init__(
        self,
        judge: Callable[[S], float],
        name: str,
        wait: Patience,
        *,
        stops: bool = True,
        since: int = 1,
    ) -> None:
        self._judge, self._name = judge, name
        self.wait, self.stops, self.since = wait, stops, since
        self.best: Any = None

    def resume(self, history: History, ensemble: Any) -> None:
        """Takes up where a game of one member a round had been left."""
        self.wait.feed(float(value) for value in history.get(self._name, ()))
        if self.wait.best >= 0:
            self.best = ensemble.staged(self.wait.best + 1)

    def __call__(self, t: int, state: S, history: History) -> Stop | None:
        value = self._judge(state)
        history.note(self._name, value)
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
