"""How much of the labels cannot be learnt, told by AdaBoost on examples that it never saw."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...base.booster import History, play
from ...base.hypothesis import WeakLearner
from ...base.numeric.hashing import mixed
from ...base.sample import Rows, Sample, take_rows
from ...boosters import AdaBoost

_FOLDS = 5


@dataclass(frozen=True)
class NoiseLevel:
    """AdaBoost's error on examples left out, and that of its first rules on their own examples."""

    error: float
    first: float

    @property
    def by_heart(self) -> bool:
        """Whether single rules overfit the labels, so that noise cannot be estimated by them."""
        return self.first < self.error / 2


def noise_level(sample: Sample, learner: WeakLearner, n_rounds: int) -> NoiseLevel:
    """The noise of two classes' labels, by five folds of AdaBoost.

    Rows that are alike lie in one fold, whatever their labels: a label that is wrong shall be
    judged by neither its copies nor its opposites. So the order of rows does not matter either.
    """
    alike = mixed(sample.engine.columns.row_hashes(sample.coded))
    fold = np.unique(alike, return_inverse=True)[1] % _FOLDS
    wrong = np.zeros(len(sample))
    first = []
    for k in range(_FOLDS):
        inside, outside = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        if len(inside) and len(outside):
            rows = Rows(sample.cells.take(outside), take_rows(sample.raw, outside), sample.engine)
            guess, error = _judged(sample.among(inside), learner, n_rounds, rows)
            wrong[outside] = guess != (sample.y[outside] > 0)
            first.append(error)
    return NoiseLevel(sample.mean(wrong), float(np.mean(first)) if first else 0.0)


def _judged(
    part: Sample, learner: WeakLearner, n_rounds: int, rows: Rows
) -> tuple[NDArray[np.bool_], float]:
    """Which rows AdaBoost takes for the second class, and the error of its first rule."""
    if (part.y == part.y[0]).all():  # a learner may refuse what has one class
        return np.full(len(rows), part.y[0] > 0), 0.0
    booster = AdaBoost()
    learn, history = learner.bind(part), History()
    game = play(booster, part, learn, state=booster.begin(part), history=history, n_rounds=n_rounds)
    first = float(history["epsilon"][0]) if history else 0.5
    return np.asarray(game.state.ensemble(rows) > 0), first
