"""Gentle AdaBoost against its definition, and its guarantee."""

from __future__ import annotations

from math import cosh, sinh
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.tree import DecisionTreeRegressor as ForeignRegressor

from tests.boosters.binary import played
from tests.boosters.given import Row, noisy
from tests.boosters.promises import problems
from tests.samples import sample_of
from weaklearn import DecisionStumpClassifier, DecisionTreeClassifier, GentleBoostClassifier
from weaklearn.base import Stop
from weaklearn.boosters import GentleBoost
from weaklearn.learners.partition import MeanLearner
from weaklearn.learners.tree import TreeLearner

TREE = TreeLearner(criterion="gini", max_depth=2)


def best_stump(X: Any, y: Any, D: Any) -> float:
    """The least weighted squared error of a stump that answers means, by trying all of them."""
    best = np.inf
    for j in range(X.shape[1]):
        for cut in np.unique(X[:, j]):
            side = X[:, j] <= cut
            f = np.zeros(len(y))
            for block in (side, ~side):
                if D[block].sum() > 0:
                    f[block] = np.average(y[block], weights=D[block])
            best = min(best, D @ (y - f) ** 2)
    return float(best)


@pytest.mark.parametrize("weighted", [False, True])
def test_every_round_is_as_defined(weighted: bool) -> None:
    X, y = noisy(2)
    w = np.random.default_rng(0).integers(1, 4, len(y)) if weighted else np.ones(len(y))
    sample = sample_of(X, y, w if weighted else None)
    booster, learn = GentleBoost(), MeanLearner().bind(sample)
    state: Any = booster.begin(sample)
    F = np.zeros(len(y))
    for _ in range(8):
        D = w * np.exp(-y * F) / (w * np.exp(-y * F)).sum()
        assert state.D.array == pytest.approx(D, abs=1e-12)
        state, done = booster.round(sample, learn, state)
        f = state.ensemble.members[-1](sample)
        assert D @ (y - f) ** 2 == pytest.approx(best_stump(X, y, D), abs=1e-9)
        for value in np.unique(f):
            block = f == value
            assert value == pytest.approx(D[block] @ y[block] / D[block].sum())
        assert done.metrics["alpha"] == 1.0
        assert done.metrics["r"] == pytest.approx(D @ f**2)
        assert done.metrics["Z"] == pytest.approx(D @ np.exp(-y * f))
        F = F + f
    assert state.ensemble(sample) == pytest.approx(F)


@settings(max_examples=30, deadline=None)
@given(problems(), st.sampled_from([MeanLearner(), MeanLearner(TREE)]))
def test_the_guarantee(problem: Any, learner: Any) -> None:
    X, y, w = problem
    sample = sample_of(X, y, w)
    done = played(GentleBoost(), sample, 8, learner)
    n = len(done.state.ensemble)
    Z, r = done.history["Z"][:n], done.history["r"][:n]
    D_1, F = sample.prior_shares, done.state.ensemble(sample)
    assert D_1 @ np.exp(-y * F) == pytest.approx(np.prod(Z), rel=1e-9)
    assert D_1 @ (np.where(F > 0, 1, -1) != y) <= np.prod(Z) + 1e-12
    assert (1 - r / 2 + 1e-12 >= Z).all()
    assert (np.diff(np.cumprod(Z)) <= 1e-15).all()


def test_Z_of_blocks() -> None:
    y = np.array([1, 1, 1, -1, 1, -1, -1, -1])
    sample = sample_of(np.repeat([0.0, 1.0], 4)[:, None], y)
    done = played(GentleBoost(), sample, 1, MeanLearner())
    assert done.state.ensemble(sample).tolist() == [0.5] * 4 + [-0.5] * 4
    assert done.history["Z"][0] == pytest.approx(cosh(0.5) - 0.5 * sinh(0.5))


def test_labels_get_the_vote_that_fits_best() -> None:
    y = np.array([1, 1, 1, -1])
    sample = sample_of(np.arange(4.0)[:, None], y)
    done = played(GentleBoost(), sample, 1, Row([1, 1, 1, 1]))
    assert done.history["alpha"].tolist() == [0.5]  # r = 3/4 - 1/4
    half = played(GentleBoost(), sample, 1, Row([0.5, 0.5, 0.5, 0.5]))
    assert half.history["alpha"].tolist() == [1.0]
    opposite = played(GentleBoost(0.5), sample, 1, Row([-1, -1, -1, 1]))
    assert opposite.history["alpha"].tolist() == [-0.5]


def test_no_edge_ends_the_run() -> None:
    y = np.array([1, -1, 1, -1])
    sample = sample_of(np.zeros((4, 1)), y)
    for answers in ([0.0] * 4, [1, 1, 1, 1], [0.3, 0.3, -2, -2]):
        run = played(GentleBoost(), sample, 5, Row(answers))
        assert (run.stop, len(run.state.ensemble)) == (Stop.NO_EDGE, 0)


@pytest.mark.parametrize(
    "estimator",
    [
        "stump",
        "tree",
        DecisionStumpClassifier(),
        DecisionTreeClassifier(max_depth=2),
        ForeignRegressor(max_depth=2),
        LinearRegression(),
        LogisticRegression(),
        lambda X, y, D: lambda X: X[:, 0] + X[:, 1] - 7.5,
    ],
)
def test_every_learner(estimator: Any) -> None:
    X, y = noisy(4, 120, flips=0.05)
    model = GentleBoostClassifier(estimator, n_estimators=12).fit(X, y)
    assert model.score(X, y) > 0.75
    F = model.decision_function(X)
    assert model.predict_proba(X)[:, 1] == pytest.approx(1 / (1 + np.exp(-2 * F)))
    assert np.mean(np.exp(-y * F)) == pytest.approx(
        np.prod(model.history_["Z"][: model.n_iter_]), rel=1e-9
    )
    train, squares = model.certify(X, y).training
    assert train.holds
    native = isinstance(estimator, (str, DecisionStumpClassifier, DecisionTreeClassifier))
    assert squares.holds if native else not squares.applies


def test_a_foreign_tree_of_means_is_the_native_one() -> None:
    X, y = noisy(6, 200)
    X = X + np.random.default_rng(0).random(X.shape)  # no ties
    ours = GentleBoostClassifier(n_estimators=6).fit(X, y)
    theirs = GentleBoostClassifier(ForeignRegressor(max_depth=1), n_estimators=6).fit(X, y)
    assert theirs.decision_function(X) == pytest.approx(ours.decision_function(X), rel=1e-6)


@pytest.mark.parametrize("size", [1e-320, 1e-307, 1e-200, 1e-155, 1e155, 1e200, 1e290])
def test_answers_whose_squares_are_no_numbers(size: float) -> None:
    """The vote is r over the mean square, whatever the unit of the answers."""
    y = np.where(np.arange(12) % 2 == 0, 1, -1)
    h = np.append(y[:-1], -0.5 * y[-1])
    sample = sample_of(np.arange(12.0)[:, None], y)
    plain = played(GentleBoost(), sample, 1, Row(h)).history
    game = played(GentleBoost(), sample, 1, Row(h * size))
    if size > 1e-300:
        assert game.history["alpha"][0] * size == pytest.approx(plain["alpha"][0])
        assert game.history["Z"][0] == pytest.approx(plain["Z"][0])
    assert np.isfinite(game.state.ensemble(sample)).all()


def test_numbers_too_large_to_sum_are_refused() -> None:
    X, y = noisy(0)
    with pytest.raises(ValueError, match=r"1\.7e\+308 in row 0.*none beyond 1e\+290"):
        GentleBoostClassifier(lambda X, y, D: lambda Z: np.full(len(Z), 1.7e308)).fit(X, y)


def test_refusals() -> None:
    X, y = noisy(0)
    with pytest.raises(ValueError, match="missing='abstain' is not for confidence-rated stumps"):
        GentleBoostClassifier(DecisionStumpClassifier(missing="abstain")).fit(X, y)
    with pytest.raises(ValueError, match=r"learning_rate=0 is not allowed"):
        GentleBoostClassifier(learning_rate=0).fit(X, y)
