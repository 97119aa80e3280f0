"""A game watched round by round, for a classroom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.record import Stop
from ..base.rounds import rounds as play_rounds
from . import parameters
from .boosting import BoostingClassifier
from .reading import stump_estimator

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class WatchedRound:
    """One round: D is the distribution h was found under; F and margins are those after it."""

    t: int
    D: Floats
    h: Any
    epsilon: float
    alpha: float
    Z: float
    F: Floats
    margins: Floats
    stop: Stop | None


def rounds(
    model: BoostingClassifier, X: Any, y: Any, sample_weight: Any = None
) -> Iterator[WatchedRound]:
    """Plays the model's game on X and y, one round at a time; stop whenever you like.

    The model itself is not fitted or changed.

    >>> import weaklearn as wl
    >>> X, y = wl.datasets.toy()
    >>> for r in wl.rounds(wl.AdaBoostClassifier(n_estimators=3), X, y):
    ...     print(r.t, round(r.epsilon, 2), round(r.alpha, 2), round(r.Z, 2))
    1 0.3 0.42 0.92
    2 0.21 0.65 0.82
    3 0.14 0.92 0.69
    """
    model._check_parameters()
    seed = parameters.seed("random_state", model.random_state)
    prepared = model._prepare(X, y, sample_weight, None, None, None, seed)
    sample = prepared.sample
    learner = model._learner(seed, sample)
    booster = model._make_booster(sample, learner)
    state = booster.begin(sample)
    D = state.D.array
    moves = play_rounds(booster, sample, learner.bind(sample), state)
    for t, (state, played) in zip(range(1, model.n_estimators + 1), moves, strict=False):
        F = np.asarray(state.ensemble(sample))
        weight = state.ensemble.margin_weight or 1.0
        member = state.ensemble.members[-1] if len(state.ensemble) else None
        yield WatchedRound(
            t,
            D,
            None if member is None else stump_estimator(member, prepared.schema, prepared.classes),
            played.facts["epsilon"],
            played.facts["alpha"],
            played.facts["Z"],
            F,
            _margins(F, sample.y, weight),
            played.stop,
        )
        D = state.D.array


def _margins(F: Floats, y: NDArray[Any], weight: float) -> Floats:
    if F.ndim == 1:
        return np.asarray(y * F / weight)
    everyone = np.arange(len(F))
    others = F.copy()
    others[everyone, y] = -np.inf
    return np.asarray((F[everyone, y] - others.max(axis=1)) / weight)
