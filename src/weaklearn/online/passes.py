"""Batch training of online learners: passes until one changes nothing, or the limit is reached."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.booster import History
from ..base.numeric.hashing import stream
from ..base.types import Floats
from ..engines import Engine
from .descent import Learnt, LinearState, Rule, learn

__all__ = ["Passes", "Played", "shuffled"]


_ORDERS = 0x4F5244  # the purpose of the numbers that shuffle rows


@dataclass(frozen=True, eq=False)
class Played:
    """The result of passes over a batch.

    ``answer`` are the weights to predict by; ``clean`` tells whether a whole pass changed nothing,
    ``settled`` whether the loss had stopped falling, ``errors`` how many rows an answer from the
    pocket labels wrongly.
    """

    state: LinearState
    answer: Floats
    history: History
    clean: bool
    settled: bool
    errors: int | None


@dataclass(frozen=True)
class Passes:
    """The settings of passes over a batch.

    ``pocket``: where no pass is clean, the answer is the best that was seen: of the weights at the
    end of each pass and those of the longest run of examples without a change in it, the ones with
    the fewest training errors. ``averaged``: what is judged, and answered, is the average of all
    weights in force. ``tol``: end after ``patience`` passes whose mean loss was not below the best
    by that much.
    """

    most: int
    pocket: bool = True
    averaged: bool = False
    tol: float | None = None
    patience: int = 5
    seed: int | None = None  # of the shuffling; None: rows come as they lie
    refuse_zero: bool = False

    def play(
        self,
        rule: Rule,
        state: LinearState,
        lines: Any,
        y: NDArray[np.int32],
        engine: Engine,
    ) -> Played:
        """Runs passes until one changes nothing, or the limit is reached."""
        history = History()
        best: tuple[int, Floats] | None = None
        least_loss, idle = np.inf, 0
        for k in range(self.most):
            learnt = self._pass(k, rule, state, lines, y, engine)
            state, clean = learnt.state, learnt.updates == 0
            loss = learnt.loss / len(lines)
            metrics = {"mistakes": learnt.mistakes, "updates": learnt.updates, "loss": loss}
            if self.pocket:
                found = self._judged(learnt, lines, y, engine)
                best = found if best is None or found[0] < best[0] else best
                metrics["errors"] = best[0]
            history.append(metrics)
            if clean:
                return self._ended(state, history, clean=True)
            idle = 0 if loss < least_loss - (self.tol or 0.0) else idle + 1
            least_loss = min(loss, least_loss)
            if self.tol is not None and idle >= self.patience:
                return self._ended(state, history, settled=True)
        if best is None:
            return self._ended(state, history)
        errors, answer = best
        if not self.averaged:
            state = replace(state, w=answer)
        return Played(state, answer, history, False, False, errors)

    def _ended(
        self, state: LinearState, history: History, clean: bool = False, settled: bool = False
    ) -> Played:
        answer = state.average if self.averaged else state.w
        return Played(state, answer, history, clean, settled, None)

    def _pass(
        self,
        k: int,
        rule: Rule,
        state: LinearState,
        lines: Any,
        y: NDArray[np.int32],
        engine: Engine,
    ) -> Learnt:
        return learn(
            rule,
            state,
            lines,
            y,
            engine,
            order=None if self.seed is None else shuffled(len(lines), self.seed, k),
            refuse_zero=self.refuse_zero,
            keep_run=self.pocket and not self.averaged,
        )

    def _judged(
        self, learnt: Learnt, lines: Any, y: NDArray[np.int32], engine: Engine
    ) -> tuple[int, Floats]:
        """The fewest errors among the candidates of a pass, and the candidate that makes them."""
        state = learnt.state
        if learnt.updates == 0 and not self.averaged:  # each example was right, by these weights
            return 0, state.w
        candidates = [state.average if self.averaged else state.w]
        if learnt.kept is not None:
            candidates.append(learnt.kept)
        errors = engine.linear.errors(lines, y, state.outputs, np.concatenate(candidates))
        k = int(np.argmin(errors))
        return errors[k], candidates[k]


def shuffled(n: int, seed: int, k: int) -> NDArray[np.int64]:
    """The order of n rows in the k-th pass."""
    return np.argsort(stream(n, seed, k, _ORDERS), kind="stable").astype(np.int64)
