"""A boosting fit followed round by round, for a classroom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import nan
from typing import Any

import numpy as np

from ...base.booster import Booster, Round, State, Stop, checked_round
from ...base.hypothesis import NoHypothesis, Oracle
from ...base.sample import Sample
from ...base.types import Floats
from ...boosters import AllPairs
from ...boosters.parts.reduction import Panel
from ...losses.links import decide
from ..trees.base import TreeEstimator
from ..trees.stump import DecisionStumpClassifier
from .classifier import BoostingClassifier
from .fitted_members import fitted_member
from .inspection import normalised_margins


@dataclass(frozen=True)
class WatchedRound:
    """One round: D is the distribution h was found under; F and margins are those after it.

    h is None in a round that ends the fit without a new member.
    """

    t: int
    D: Floats
    h: Any
    epsilon: float
    alpha: float
    Z: float
    F: Floats
    margins: Floats
    stop: Stop | None
    rule: str = ""  # h in words
    error: float = nan  # the share of the examples that the vote gets wrong after this round
    bound: float = nan  # on it: the product of all Z so far, where a theorem says so
    metrics: Mapping[str, float] = field(default_factory=dict)  # all that is recorded of the round


def rounds(
    model: BoostingClassifier, X: Any, y: Any, sample_weight: Any = None
) -> Iterator[WatchedRound]:
    """Fits the model on X and y one round at a time; stop whenever you like.

    The model itself is not fitted or changed.

    >>> import weaklearn as wl
    >>> X, y = wl.datasets.toy()
    >>> for r in wl.rounds(wl.AdaBoostClassifier(n_estimators=3), X, y):
    ...     print(r.t, round(r.epsilon, 2), round(r.alpha, 2), round(r.Z, 2))
    1 0.3 0.42 0.92
    2 0.21 0.65 0.82
    3 0.14 0.92 0.69
    >>> r.rule, r.error, round(r.bound, 2)
    ('x[1] > 6.5: 1, else -1', 0.0, 0.52)
    """
    if not isinstance(model, BoostingClassifier):
        raise TypeError(
            f"model is of type {type(model).__name__}; pass a boosted classifier, such as "
            "AdaBoostClassifier()."
        )
    model._check_parameters()
    inputs = model._inputs(X, y, sample_weight)
    if isinstance(inputs.booster, Panel):
        several = "'ovr' boosts one binary problem per class"
        if isinstance(inputs.booster, AllPairs):
            several = "'pairs' boosts one binary problem for every two classes"
        raise ValueError(f"multiclass={several}; watch one of them: rounds(model, X, y == k).")
    prepared = inputs.prepared
    sample, classes, schema = prepared.sample, prepared.classes, prepared.schema
    state = inputs.begin()
    D, bound = state.D.array, 1.0 if model._product_bounds else nan
    moves = _moves(inputs.booster, sample, inputs.learner.bind(sample), state)
    for t, (after, played) in zip(range(1, model._most_rounds + 1), moves, strict=False):
        epsilon = played.metrics.get("epsilon", nan)
        h = None  # a round without an edge adds no member
        if after.ensemble is not state.ensemble:
            h = fitted_member(after.ensemble.members[-1], schema, classes, epsilon, t - 1)
        state = after
        F = np.asarray(state.ensemble(sample))
        bound *= played.metrics.get("Z", nan)
        yield WatchedRound(
            t,
            D,
            h,
            epsilon,
            played.metrics.get("alpha", nan),
            played.metrics.get("Z", nan),
            F,
            normalised_margins(F, sample.y, state.ensemble),
            played.stop,
            "" if h is None else in_words(h),
            _error(F, sample),
            bound,
            dict(played.metrics),
        )
        D = state.D.array


def _moves(
    booster: Booster, sample: Sample, learn: Oracle, state: State
) -> Iterator[tuple[State, Round]]:
    """Yields the state and the metrics of one round after another, until the booster stops."""
    while True:
        try:
            given = booster.round(sample, learn, state)
            state, played = checked_round(booster, given, len(state.ensemble) + 1)
        except NoHypothesis:
            return
        yield state, played
        if played.stop is not None:
            return


def in_words(h: Any) -> str:
    """A fitted member in one line: a stump as a test and its answers, a tree by its size."""
    if isinstance(h, DecisionStumpClassifier):
        test, then, other, _ = h.rules()[0][:4]
        return f"{test}: {then}, else {other}" if other else f"{test}: {then}"
    if isinstance(h, TreeEstimator):
        return f"a tree of {h.tree_.n_leaves} leaves"
    return type(h).__name__


def _error(F: Floats, sample: Sample) -> float:
    """The share of the examples that scores get wrong."""
    if sample.several:
        return float(np.average(((F > 0) != (sample.y > 0)).any(axis=1), weights=sample.copies))
    return float(np.average(decide(F, sample.n_classes) != sample.codes, weights=sample.copies))
