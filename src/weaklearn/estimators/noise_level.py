"""How much of the labels cannot be learnt, told by AdaBoost on examples that it never saw."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..base.hypothesis import WeakLearner
from ..base.record import History
from ..base.rounds import play
from ..base.sample import Rows, Sample, take_rows
from ..base.total import total
from ..boosters import AdaBoost
from .splitting import deal

_FOLDS = 5


@dataclass(frozen=True)
class NoiseLevel:
    """AdaBoost's error on examples left out, and that of its first rules on their own examples."""

    error: float
    first: float

    @property
    def by_heart(self) -> bool:
        """Whether single rules learn labels by heart, so that no booster can tell noise by them."""
        return self.first < self.error / 2


def noise_level(sample: Sample, learner: WeakLearner, n_rounds: int) -> NoiseLevel:
    """The noise of two classes' labels, by five folds of AdaBoost.

    Folds are drawn so that neither the order of rows nor copies against weights matter.
    """
    copies = np.ones(len(sample), np.int64) if sample.copies is None else sample.copies
    hashes = sample.engine.row_hashes(sample.coded)
    folds = deal(hashes, sample.y > 0, copies, sample.importance, _FOLDS, 0)
    wrong = np.zeros(len(sample), np.int64)
    first = []
    for held in folds.T:
        inside, outside = np.flatnonzero(copies > held), np.flatnonzero(held)
        if len(inside) and len(outside):
            part = _without(sample, inside, (copies - held)[inside])
            rows = Rows(sample.cells.take(outside), take_rows(sample.raw, outside), sample.engine)
            guess, error = _judged(part, learner, n_rounds, rows)
            wrong[outside] += held[outside] * (guess != (sample.y[outside] > 0))
            first.append(error)
    weight = np.ones(len(sample)) if sample.importance is None else sample.importance
    error = total(weight, wrong) / total(weight, copies)
    return NoiseLevel(error, float(np.mean(first)) if first else 0.0)


def _without(sample: Sample, inside: NDArray[np.intp], copies: NDArray[np.int64]) -> Sample:
    importance = None if sample.importance is None else sample.importance[inside]
    return replace(sample.subset(inside, copies), importance=importance)


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
