"""Descents over partitions of the rows: those of all rows in one, bit for bit.

The partitions take the codes of the whole sample: beside its own rows, each has rows with every
value, none of which counts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.samples import sample_of
from weaklearn.base.booster import play
from weaklearn.base.history import History
from weaklearn.base.rows import CUT
from weaklearn.base.sample import Sample
from weaklearn.boosters.gradient import GradientBoosting
from weaklearn.engines import choose
from weaklearn.engines.here import run_here
from weaklearn.learners.gradient_tree import GradientTreeLearner
from weaklearn.losses import (
    Absolute,
    Exponential,
    Gamma,
    Huber,
    Logistic,
    Poisson,
    Quantiles,
    Softmax,
    Squared,
    Tweedie,
)

_M, _VALUES = 600, 20


def _sample(classes: int, weight: Any) -> Sample:
    rng = np.random.default_rng(3)
    X = rng.integers(0, _VALUES, (_M, 5)).astype(np.float64)
    X[rng.random(_M) < 0.1, 0] = np.nan
    score = np.sin(X[:, 1]) + X[:, 2] / 10 + rng.normal(size=_M)
    y: Any = np.round(np.exp(score / 2), 3)
    if classes > 0:
        y = np.digitize(score, np.quantile(score, np.arange(1, classes) / classes))
    return sample_of(X, y, weight, [4], binning=CUT, regression=classes == 0)


def _part(sample: Sample, rows: np.ndarray) -> Sample:
    """The listed rows, and those with every value of every column, which have no copies."""
    codes = [sample.engine.columns.codes(sample.coded, j) for j in range(5)]
    every = np.unique(np.concatenate([np.unique(one, return_index=True)[1] for one in codes]))
    listed = np.concatenate([rows, every])
    own = np.ones(_M, np.int64) if sample.copies is None else sample.copies
    copies = np.where(np.arange(len(listed)) < len(rows), own[listed], 0)
    cells = sample.cells.take(listed)
    return replace(
        sample,
        cells=cells,
        raw=None,
        engine=choose(1),
        y=np.ascontiguousarray(sample.y[listed]),
        copies=copies,
        importance=None if sample.importance is None else sample.importance[listed],
        coded=choose(1).columns.code(cells, CUT),
    )


def _descent(sample: Sample, booster: GradientBoosting, learner: GradientTreeLearner) -> Any:
    state = booster.begin(sample)
    losses = [state.loss]
    played = play(
        booster,
        sample,
        learner.bind(sample),
        state=state,
        history=History(),
        n_rounds=6,
        callbacks=[lambda t, state, history: losses.append(state.loss)],
    )
    trees = played.state.ensemble
    return (
        losses,
        trees.base.tobytes(),
        [(tree.feature.tobytes(), tree.values.tobytes()) for tree in trees.trees],
    )


_LOSSES = {
    "squared": (Squared(), 0),
    "absolute": (Absolute(), 0),
    "quantiles": (Quantiles((0.2, 0.5, 0.9)), 0),
    "huber": (Huber(), 0),
    "poisson": (Poisson(), 0),
    "gamma": (Gamma(), 0),
    "tweedie": (Tweedie(), 0),
    "two classes": (Logistic(), 2),
    "exponential": (Exponential(), 2),
    "three classes": (Softmax(3), 3),
}
_WEIGHTS = {
    "none": None,
    "copies": np.random.default_rng(1).integers(1, 5, _M),
    "any": np.random.default_rng(2).uniform(0.1, 3, _M),
    "wild": np.random.default_rng(2).exponential(1, _M) ** 4,
}


@pytest.mark.parametrize("name", _LOSSES)
@pytest.mark.parametrize("weights", _WEIGHTS)
def test_every_loss_descends_as_on_all_rows(name: str, weights: str) -> None:
    loss, classes = _LOSSES[name]
    sample = _sample(classes, _WEIGHTS[weights])
    booster = GradientBoosting(loss, 0.3)
    learner = GradientTreeLearner(max_leaf_nodes=8, subsample=0.8, max_features=0.7, l2=0.5)
    right = _descent(sample, booster, learner)
    rng = np.random.default_rng(5)
    for n in (1, 4):
        rows = np.array_split(rng.permutation(_M), n - 1) if n > 1 else [np.arange(_M)]
        rows += [np.array([], np.intp)] * (n > 1)
        found = run_here(
            [lambda own=own: _descent(_part(sample, own), booster, learner) for own in rows]
        )
        assert all(one == right for one in found)


def test_a_flat_loss_ends_the_descent_everywhere() -> None:
    sample = _sample(0, None)
    flat = replace(sample, y=np.full(_M, 3.0))
    booster, learner = GradientBoosting(Squared(), 0.3), GradientTreeLearner()
    rows = np.array_split(np.arange(_M), 3)
    right = _descent(flat, booster, learner)
    assert right[2] == []
    found = run_here([lambda own=own: _descent(_part(flat, own), booster, learner) for own in rows])
    assert found == [right] * 3
