"""How many rounds a model needs: found by models that are judged on examples they never saw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.booster import History, Stop, error_context, play
from ..base.numeric.total import total
from ..base.sample import Rows
from ..base.types import Floats
from ..callbacks import Patience
from ..intake.splitting import deal
from ..losses.links import decide
from .gradient.folds import SideBySide, bags_of

if TYPE_CHECKING:
    from ..base.booster import Booster
    from ..base.hypothesis import WeakLearner
    from ..base.sample import Sample
    from ..boosters.gradient import GradientBoosting


FOLDS = 5
MANY = 50_000  # examples beyond which one part held out says as much as folds do
_TIED = 1e-9


@dataclass(frozen=True)
class Needed:
    """The best number of rounds, and the losses on unseen examples by which it was found.

    For gradients these are mean losses after 0, 1, 2, ... rounds, for votes errors after 1, 2, ...
    """

    rounds: int
    losses: Floats


def rounds_of_gradients(
    booster: GradientBoosting,
    sample: Sample,
    learn: Any,
    *,
    hashes: NDArray[np.uint64],
    seed: int,
    wait: Patience,
    most_rounds: int,
    watch: Callable[[Sequence[float], int], None] | None = None,
) -> Needed:
    """Plays one game a fold side by side on the same codes, each without the examples it is judged
    by, until their mean loss no longer falls. Where there is nothing to judge by, one round.
    ``watch`` is called with the losses so far and the best number of rounds.
    """
    held = bags_of(sample, hashes, FOLDS, 0.0, seed)
    if not held:
        return Needed(1, np.array([]))
    games = SideBySide(booster, sample, held)

    def look(t: int, state: int, history: History) -> Stop | None:
        over = wait(games.loss())
        if watch is not None:
            watch(wait.values, wait.best)
        return Stop.EARLY if over else None

    look(0, 0, History())
    played = play(
        games,
        sample,
        learn,
        state=0,
        history=History(),
        n_rounds=most_rounds,
        callbacks=[look],
        stage=" of the folds",
    )
    if played.interrupt is not None:
        raise played.interrupt
    return Needed(wait.best, np.array(wait.values))


def rounds_of_votes(
    booster_for: Callable[[Sample, WeakLearner], Booster],
    sample: Sample,
    learner: WeakLearner,
    *,
    seed: int,
    most_rounds: int,
) -> Needed:
    """Plays one game a fold after another and takes the rounds after which their errors are least.

    Folds are dealt class by class in an order that examples have by themselves; of equal numbers
    of rounds the smallest is taken.
    """
    copies = np.ones(len(sample), np.int64) if sample.copies is None else sample.copies
    hashes = sample.engine.columns.row_hashes(sample.coded)
    labels = sample.y.astype(np.int64) + 1
    folds = deal(hashes, labels, copies, sample.importance, FOLDS, seed)
    errors = np.zeros(most_rounds)
    for k in range(FOLDS if sample.m <= MANY else 1):
        held = folds[:, k]
        if held.any() and (copies > held).any():
            with error_context(f"in fold {k + 1} of {FOLDS}, which find the number of rounds"):
                part = _part(sample, copies - held)
                booster = booster_for(part, learner)
                errors += _errors(booster, part, learner, sample, held, most_rounds)
    wait = Patience(None, _TIED * max(float(errors.max()), 1.0)).feed(errors.tolist())
    return Needed(1 + wait.best, errors)


def _errors(
    booster: Booster,
    part: Sample,
    learner: WeakLearner,
    sample: Sample,
    held: NDArray[np.int64],
    most: int,
) -> Floats:
    """The weight of the held examples that is wrong after 1, 2, ... rounds on the others."""
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
