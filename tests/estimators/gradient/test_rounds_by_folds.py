"""How many rounds a model needs: patience, judges, and games played side by side."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.samples import same_bits, sample_of
from weaklearn import (
    AdditiveBoostingClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    losses,
)
from weaklearn.base import BoostingWarning
from weaklearn.base.rows import CUT
from weaklearn.boosters.gradient import GradientBoosting, Slope
from weaklearn.callbacks import Patience
from weaklearn.engines import Engine
from weaklearn.estimators.gradient.folds import FOLDS, HeldOutLoss, rounds_of_gradients
from weaklearn.intake.parts import Division
from weaklearn.intake.splitting import deal
from weaklearn.learners.gradient_tree import GradientTreeLearner, content_hashes


@given(st.lists(st.integers(0, 6), min_size=1, max_size=40), st.integers(1, 6), st.integers(0, 2))
def test_patience(curve: list[int], rounds: int, tol: int) -> None:
    wait = Patience(rounds, tol)
    for t, loss in enumerate(curve):
        over = wait(float(loss))
        assert over == (t - wait.best >= rounds)
        assert min(curve[: t + 1]) >= curve[wait.best] - tol
        if over:
            break
    assert wait.values == curve[: t + 1]
    if tol == 0:
        assert wait.best == int(np.argmin(curve[: t + 1]))


def test_a_judge_tells_the_mean_loss() -> None:
    rng = np.random.default_rng(0)
    y, F = rng.normal(size=30), rng.normal(size=30)
    weight, copies = rng.random(30) + 0.1, rng.integers(1, 5, 30)
    for w, k in (None, None), (weight, None), (None, copies), (weight, copies):
        judge = HeldOutLoss(losses.Squared(), Engine(), y, w, k)
        each = np.ones(30) * (1 if w is None else w) * (1 if k is None else k)
        assert judge(F[None]) == pytest.approx((each * (y - F) ** 2 / 2).sum() / each.sum())


def test_a_judge_keeps_its_scale() -> None:
    """Huber's loss takes its scale from the residuals: that of the first scores, then no more."""
    y = np.arange(40.0)
    judge = HeldOutLoss(losses.Huber(0.5), Engine(), y, None, None)
    start, later = np.zeros((1, 40)), np.full((1, 40), 19.5)
    fixed = losses.Huber(0.5).adapted(y, start[0])
    for F in (start, later, start):
        assert judge(F) == pytest.approx(fixed.value(y, F[0]).mean())


@pytest.mark.parametrize("kind", ["numbers", "classes"])
def test_runs_side_by_side_are_runs_one_by_one(kind: str) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(120, 3)).round(1)
    z = X[:, 0] + rng.normal(size=120) / 3
    loss: Any = losses.Squared() if kind == "numbers" else losses.Softmax(3)
    y = z if kind == "numbers" else np.digitize(z, [-0.5, 0.5])
    sample = sample_of(X, y, regression=kind == "numbers", binning=CUT)
    hashes = content_hashes(sample)
    learner = GradientTreeLearner(subsample=0.8)
    booster = GradientBoosting(loss, 0.3)
    needed = rounds_of_gradients(
        booster, sample, learner.bind(sample),
        parts=Division().folds(sample, hashes, FOLDS, 0.0, 3), wait=Patience(4), most_rounds=50,
    )  # fmt: skip
    labels = np.zeros(120, int) if kind == "numbers" else sample.y
    held = deal(hashes, labels, None, None, 5, 3)
    assert held.sum(axis=1).tolist() == [1] * 120
    totals = np.zeros(len(needed.losses))
    for fold in held.T:
        alone = replace(booster, copies=1 - fold)
        learn = learner.bind(sample)
        begun, out = booster.begin(sample), fold == 1  # all start from the constant of everyone
        state = Slope(begun.F, *alone.slope(sample, begun.F), begun.ensemble)
        for t in range(len(totals)):
            scores = state.F[0] if loss.n_outputs == 1 else state.F.T
            totals[t] += loss.value(sample.y, scores)[out].sum()
            state, _ = alone.round(sample, learn, state)
    assert needed.losses == pytest.approx(totals / 120)
    assert needed.rounds == int(np.argmin(needed.losses))
    assert 3 < needed.rounds < 50


def test_nothing_to_judge_by() -> None:
    sample = sample_of([[1.0]], [2.0], regression=True, binning=CUT)
    needed = rounds_of_gradients(
        GradientBoosting(losses.Squared(), 0.1), sample, GradientTreeLearner().bind(sample),
        parts=Division().folds(sample, content_hashes(sample), FOLDS, 0.0, 0),
        wait=Patience(4), most_rounds=50,
    )  # fmt: skip
    assert (needed.rounds, len(needed.losses)) == (1, 0)


def test_as_many_rounds_as_allowed() -> None:
    X = np.arange(60.0)[:, None]
    sample = sample_of(X, X[:, 0], regression=True, binning=CUT)
    booster = GradientBoosting(losses.Squared(), 0.01)
    needed = [
        rounds_of_gradients(
            booster, sample, GradientTreeLearner().bind(sample),
            parts=Division().folds(sample, content_hashes(sample), FOLDS, 0.0, 0),
            wait=Patience(4), most_rounds=most,
        )
        for most in (3, 6)
    ]  # fmt: skip
    assert [found.rounds for found in needed] == [3, 6]
    assert same_bits(needed[0].losses, needed[1].losses[:4])


def test_a_loss_with_a_scale_takes_it_from_copies_and_weights() -> None:
    y = np.array([0.0, 1.0, 2.0, 50.0])
    F, engine = np.zeros((1, 4)), Engine(1)
    copies = np.array([1, 1, 20, 1])
    counted = HeldOutLoss(losses.Huber(), engine, y, None, copies)(F)
    repeated = HeldOutLoss(losses.Huber(), engine, y.repeat(copies), None, None)
    assert counted == repeated(np.zeros((1, 23)))
    assert counted != HeldOutLoss(losses.Huber(delta=1e9), engine, y, None, None)(F)
    weighed = HeldOutLoss(losses.Huber(), engine, y, copies.astype(float), None)(F)
    assert weighed == pytest.approx(counted)


def noisy(n: int, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5))
    odds = 2 * np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2]
    return X, (rng.random(n) < 1 / (1 + np.exp(-1.5 * odds))).astype(int)


def with_a_heap(kind: str) -> Any:
    """Of 1,000 rows 300 at one point, at ten points with labels of their own, or copies of five."""
    X, y = noisy(1000)
    rng = np.random.default_rng(1)
    if kind == "one point":
        X[:300], y[:300] = 0.5, rng.random(300) < 0.7
    elif kind == "ten points":
        X[:300] = X[rng.integers(300, 310, 300)]
        y[:300] = rng.random(300) < 0.4 + 0.2 * (X[:300, 0] > 0)
    else:
        rows = rng.integers(300, 305, 300)
        X[:300], y[:300] = X[rows], y[rows]
    return X, y


@pytest.mark.parametrize("kind", ["one point", "ten points", "five rows"])
@pytest.mark.parametrize("how", ["folds", "held out"])
def test_copies_do_not_end_the_search_for_rounds(kind: str, how: str) -> None:
    X, y = with_a_heap(kind)
    settings: Any = {"n_iter_no_change": 20, "learning_rate": 0.1}
    if how == "held out":
        settings |= {"n_estimators": 300, "early_stopping": True, "validation_fraction": 0.2}
    model = GradientBoostingClassifier(**settings).fit(X, y)
    X_new, y_new = noisy(2000, seed=5)
    plain = GradientBoostingClassifier(**settings).fit(*noisy(1000))
    assert model.n_iter_ > plain.n_iter_ / 3
    assert model.score(X_new, y_new) > plain.score(X_new, y_new) - 0.03


def test_copies_do_not_end_the_search_of_the_glass_box() -> None:
    X_new, y_new = noisy(2000, seed=5)
    model, plain = (
        AdditiveBoostingClassifier(n_pairs=0, n_iter_no_change=20).fit(*data)
        for data in (with_a_heap("one point"), noisy(1000))
    )
    assert model.n_iter_ > plain.n_iter_ / 2
    assert model.score(X_new, y_new) > plain.score(X_new, y_new) - 0.03


def test_few_values_with_many_labels_each() -> None:
    """A table of 125 cells: a copy is a draw, and a cell is no surprise to the other folds."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (1000, 3))
    odds = rng.normal(size=(3, 5))[np.arange(3), X].sum(axis=1)
    y = odds + rng.integers(0, 3, 1000)
    for model, target in (
        (GradientBoostingClassifier(n_iter_no_change=20, learning_rate=0.1), y > 1),
        (GradientBoostingRegressor(n_iter_no_change=20, learning_rate=0.1), y.round()),
    ):
        assert model.fit(X, target).n_iter_ > 40


def test_folds_that_disagree_are_told_of() -> None:
    X, y = with_a_heap("one point")
    y[:300] = np.arange(300) < 150  # which the others have not seen
    halves = np.arange(1000) < 150, (np.arange(1000) >= 150) & (np.arange(1000) < 300)
    rest = [np.arange(1000) % 4 == k for k in range(4)]
    beside = np.arange(1000) >= 300
    pairs = [(~half, half) for half in halves] + [
        (~(beside & each), beside & each) for each in rest
    ]
    model = GradientBoostingClassifier(n_iter_no_change=30, learning_rate=0.2, cv=pairs)
    with pytest.warns(BoostingWarning, match=r"though most of them would go on.*cv or groups"):
        model.fit(X, y)
    assert model.n_iter_ <= 10
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.set_params(cv=None).fit(X, y)
        noise = GradientBoostingRegressor(n_iter_no_change=20)
        noise.fit(X, np.random.default_rng(2).normal(size=1000))
    assert model.n_iter_ > 20
