"""Stops when a score on held-out rows no longer improves."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.record import History, Stop

if TYPE_CHECKING:
    from ..base.booster import State
    from ..base.sample import Rows


class EarlyStopping:
    """Scores every round on held-out rows; larger is better. ``best`` is the number of members kept.

    ``patience`` is the number of rounds without improvement after which to stop; None only watches.
    """

    def __init__(
        self,
        rows: Rows,
        score: Callable[[NDArray[Any], State], float],
        patience: int | None,
        tol: float,
    ) -> None:
        self._rows = rows
        self._score = score
        self._patience = patience
        self._tol = tol
        self._tally: Tally | None = None
        self.best = 0
        self.best_score = -np.inf
        self.scores: list[float] = []

    def __call__(self, t: int, state: State, history: History) -> Stop | None:
        if self._tally is None or not self._tally.follows(state.ensemble):
            self._tally = Tally(self._rows, state.ensemble)
        score = self._score(self._tally.advance(state.ensemble), state)
        self.scores.append(score)
        history.note("validation_score", score)
        members = len(state.ensemble)
        if score > self.best_score + self._tol or members < self.best:
            self.best, self.best_score = members, score
        patient = self._patience is None or members - self.best < self._patience
        return None if patient else Stop.EARLY


class Tally:
    """The score F on some rows, kept up as members join."""

    def __init__(self, rows: Rows, ensemble: Any) -> None:
        self._rows = rows
        self._parts = [_Part(rows) for _ in getattr(ensemble, "parts", (ensemble,))]

    def follows(self, ensemble: Any) -> bool:
        parts = getattr(ensemble, "parts", (ensemble,))
        return all(mine.n <= len(part) for mine, part in zip(self._parts, parts, strict=True))

    def advance(self, ensemble: Any) -> NDArray[np.float64]:
        parts = getattr(ensemble, "parts", (ensemble,))
        scores = [mine.advance(part) for mine, part in zip(self._parts, parts, strict=True)]
        return np.column_stack(scores) if hasattr(ensemble, "parts") else scores[0]


class _Part:
    def __init__(self, rows: Rows) -> None:
        self.n = 0
        self._rows = rows
        self._scores: NDArray[np.float64] | None = None

    def advance(self, ensemble: Any) -> NDArray[np.float64]:
        if self._scores is None:
            width = ensemble.n_outputs
            self._scores = np.zeros(len(self._rows) if width == 1 else (len(self._rows), width))
        for vote, h in ensemble.since(self.n):
            answers = np.asarray(h(self._rows))
            if ensemble.n_outputs == 1:
                self._scores += vote * answers
            else:
                voiced = np.flatnonzero(answers >= 0)
                self._scores[voiced, answers[voiced]] += vote
        self.n = len(ensemble)
        return self._scores
