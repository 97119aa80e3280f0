"""How many rounds to play, found by games that are judged on examples they never saw."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...base.numeric.total import total
from ...base.record import History
from ...base.rounds import play, told
from ...base.sample import Rows
from ...intake.splitting import deal
from ..callback_support import decide

if TYPE_CHECKING:
    from ...base.sample import Sample
    from ...intake.prepare import Game
    from .two_classes import TwoClassBoosting

Floats = NDArray[np.float64]

_FOLDS, _MANY = 5, 50_000  # of more examples one fold says enough
_TIED = 1e-9


def rounds_found(model: TwoClassBoosting, game: Game, most: int) -> int:
    """The number of rounds, at most so many, after which the error on the folds is least.

    Folds are dealt class by class in an order that examples have by themselves; of equal numbers
    the smallest is taken.
    """
    sample = game.prepared.sample
    copies = np.ones(len(sample), np.int64) if sample.copies is None else sample.copies
    hashes = sample.engine.columns.row_hashes(sample.coded)
    labels = sample.y.astype(np.int64) + 1
    folds = deal(hashes, labels, copies, sample.importance, _FOLDS, game.seed)
    errors = np.zeros(most)
    for k in range(_FOLDS if sample.m <= _MANY else 1):
        held = folds[:, k]
        if held.any() and (copies > held).any():
            with told(f"in fold {k + 1} of {_FOLDS}, which find the number of rounds"):
                errors += _errors(model, game, copies - held, held, most)
    return 1 + int(np.argmax(errors <= errors.min() + _TIED * max(errors.max(), 1.0)))


def _errors(
    model: TwoClassBoosting, game: Game, stay: NDArray[np.int64], held: NDArray[np.int64], most: int
) -> Floats:
    """The weight of the held examples that is wrong after 1, 2, ... rounds on the others."""
    sample, learner = game.prepared.sample, game.learner
    part = _part(sample, stay)
    booster = model._make_booster(part, learner)
    played = play(
        booster,
        part,
        learner.bind(part),
        state=booster.begin(part),
        history=History(),
        n_rounds=most,
    )
    if played.interrupt is not None:
        raise played.interrupt
    outside = np.flatnonzero(held)
    rows = Rows(sample.cells.take(outside), None, sample.engine)
    weights: NDArray[Any] = held[outside]
    if sample.importance is not None:
        weights = weights * sample.importance[outside]
    codes = (sample.y > 0) if sample.binary else sample.y
    wrong = [
        total(decide(F, sample.n_classes) != codes[outside], weights)
        for F in played.state.ensemble.stages(rows)
    ]
    if not wrong:  # nothing was learnt: all get the first class
        wrong = [total(codes[outside] != 0, weights)]
    return np.array(wrong + wrong[-1:] * (most - len(wrong)))


def _part(sample: Sample, stay: NDArray[np.int64]) -> Sample:
    """So many copies of each row as a sample of their own."""
    inside = np.flatnonzero(stay)
    importance = None if sample.importance is None else sample.importance[inside]
    copies = None if sample.copies is None else stay[inside]
    return replace(sample.subset(inside, copies), importance=importance)
