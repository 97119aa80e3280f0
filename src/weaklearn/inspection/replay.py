"""The example weights D_t of a fitted booster, recomputed by replaying its votes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.booster import Booster
from ..base.history import remembered
from ..base.messages.warnings import BoostingWarning, warn
from ..base.types import Floats
from ..boosters.parts.reduction import Panel
from ..intake import parameters


@remembered()
def replayed(
    model: Any, X: Any, y: Any, rounds: Sequence[int] | None, sample_weight: Any = None
) -> Floats:
    """D_t of the given rounds, one row per round; rows of weight 0 have 0."""
    last = int(model.n_iter_) + 1
    wanted = list(range(1, last)) if rounds is None else list(rounds)
    for t in wanted:
        parameters.integer("rounds", t, 1, last)
    prepared = model._prepare_again(X, y, sample_weight)
    sample = prepared.sample
    learner = model._make_learner(model._seed, prepared.schema)
    booster = model._make_booster(sample, learner)
    scheme = type(booster).__name__
    if scheme != model._scheme:
        raise ValueError(
            f"this model was fitted by {model._scheme}, and its parameters now ask for {scheme}; "
            "set them back, or fit it anew."
        )
    if isinstance(booster, Panel):
        raise ValueError(
            "several binary problems were boosted, each with weights of its own; ask for those of "
            "one of them: fit a model on y == k."
        )
    other = booster.replay_mismatch(sample, model.history_)
    if other is not None:
        warn(
            f"{other}: distributions are those that the plan of now gives to the same rules. Fit "
            "with warm_start=False to have all rounds by one plan.",
            BoostingWarning,
        )
    places = np.arange(len(sample)) if prepared.used is None else np.flatnonzero(prepared.used)
    n = len(sample) if prepared.used is None else len(prepared.used)
    found = np.zeros((len(wanted), n))
    for t, D in _distributions(model, booster, sample, sorted(set(wanted))):
        for k in (k for k, asked in enumerate(wanted) if asked == t):
            found[k, places] = D
    return found


def _distributions(model: Any, booster: Booster, sample: Any, wanted: list[int]) -> Any:
    """Yields (t, D_t) for the given rounds, in order."""
    if type(booster).resume is not Booster.resume:
        for t in wanted:
            first = model.ensemble_.staged(t - 1)
            yield t, _array(booster.resume(sample, first, model.history_.first(t - 1)).D)
        return
    state, played = booster.begin(sample), 0
    members = list(model.ensemble_)
    for t in wanted:
        for vote, h in members[played : t - 1]:
            state = booster.replay(sample, state, vote, h)
        played = t - 1
        yield t, _array(state.D)


def _array(D: Any) -> Floats:
    """The example weights; of label weights, their sum over the labels of a row."""
    array = np.asarray(D.array)
    return np.asarray(array.sum(axis=1) if array.ndim == 2 else array)
