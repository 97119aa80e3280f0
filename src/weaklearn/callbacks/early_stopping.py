"""Early stopping by a score on held-out rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.ensemble import StackedEnsemble
from ..base.record import History, Stop

if TYPE_CHECKING:
    from ..base.booster import State
    from ..base.ensemble import Ensemble
    from ..base.sample import Rows


class EarlyStopping:
    """Scores every round on held-out rows; larger is better. ``best`` is the best ensemble so far.

    Of rounds that score alike the latest is the best: the share of a few rows that are right comes
    in steps, and the vote grows clearer between them. ``patience`` is the number of rounds below
    the best score after which to stop; None only watches. With a ``tol`` above 0 rounds must beat
    the best score by so much.
    """

    def __init__(
        self,
        rows: Rows,
        score: Callable[[NDArray[Any], State], float],
        patience: int | None,
        tol: float,
    ) -> None:
        self._score = score
        self._patience = patience
        self._tol = tol
        self._tally = Tally(rows)
        self._best_score = -np.inf
        self._best_round = 0
        self.best: Any = None

    def resume(self, history: History, ensemble: Any) -> None:
        """Restores the best round of an earlier fit from its history, for a warm start."""
        for t, score in enumerate(history.get("validation_score", ()), start=1):
            self._note(t, float(score), ensemble)
        if self.best is not None:
            self.best = ensemble.staged(self._best_round)

    def __call__(self, t: int, state: State, history: History) -> Stop | None:
        score = self._score(self._tally(state.ensemble), state)
        history.note("validation_score", score)
        self._note(t, score, state.ensemble)
        patient = self._patience is None or t - self._best_round < self._patience
        return None if patient else Stop.EARLY

    def _note(self, t: int, score: float, ensemble: Any) -> None:
        if score >= self._best_score + self._tol:
            self._best_round, self._best_score, self.best = t, score, ensemble


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
