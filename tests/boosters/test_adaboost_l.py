"""AdaBoost.L against golden values, its guarantee, and its priors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, logit
from sklearn.tree import DecisionTreeClassifier as ForeignTree
from sklearn.tree import DecisionTreeRegressor as ForeignRegressor

from tests import golden
from tests.boosters.binary import played
from tests.boosters.given import Pool, Row, noisy
from tests.boosters.promises import LEARNERS, problems
from tests.samples import sample_of
from weaklearn import AdaBoostLClassifier
from weaklearn.base import Stop
from weaklearn.base.votes.prior import Prior
from weaklearn.boosters import AdaBoostL
from weaklearn.learners import StumpLearner

CASES = [name for name in golden.names("boosters") if name.startswith("adaboost_L")]


def prior_of(p: Any) -> Prior:
    """A prior that looks its probabilities up by the first column."""
    table = np.asarray(p, float)
    return Prior(lambda X: table[np.asarray(X)[:, 0].astype(int)], [-1, 1])


@pytest.mark.parametrize("name", CASES)
def test_golden(name: str) -> None:
    case, close = golden.case("boosters", name), golden.tolerance("boosters")
    told, expected = case["input"], case["expected"]
    X = np.array(told["X"])
    model = AdaBoostLClassifier(n_estimators=told["T"]).fit(X, told["y"])
    history, before = model.history_, len(X) * np.log(2)
    for t, wanted in enumerate(expected["rounds"]):
        h = model.estimators_[t]
        stump = {"feature": h.feature_, "threshold": h.threshold_, "polarity": h.polarity_}
        assert stump == wanted["stump"]
        assert history["epsilon"][t] == pytest.approx(wanted["eps"], **close)
        assert history["alpha"][t] == pytest.approx(wanted["alpha"], **close)
        assert history["W"][t] == pytest.approx(wanted["W"], **close)
        assert before == pytest.approx(wanted["loss_before"], **close)
        assert history["loss"][t] == pytest.approx(wanted["loss_after"], **close)
        decrease = history["W"][t] * (1 - history["Z"][t])
        assert decrease == pytest.approx(wanted["guaranteed_decrease"], **close)
        before = history["loss"][t]
    assert model.decision_function(X) == pytest.approx(expected["F"], **close)
    probability = model.predict_proba(X)[:, 1]
    assert probability == pytest.approx(expected["probability_positive"], **close)


@settings(max_examples=30, deadline=None)
@given(problems(), st.sampled_from(LEARNERS[:3]), st.sampled_from([1.0, 0.3]))
def test_the_loss_falls_by_what_is_promised(problem: Any, learner: Any, rate: float) -> None:
    X, y, w = problem
    sample = sample_of(X, y, w)
    done = played(AdaBoostL(rate), sample, 10, learner)
    n = len(done.state.ensemble)
    if done.stop is Stop.PERFECT:
        assert done.history["loss"][-1] == done.history["train_error"][-1] == 0
        return
    losses = np.concatenate([[sample.m * np.log(2)], done.history["loss"]])
    W, Z = done.history["W"], done.history["Z"]
    assert (losses[1:] <= losses[:-1] - W * (1 - Z) + 1e-9 * losses[:-1]).all()
    D_1, F = sample.prior_shares, done.state.ensemble(sample)
    assert done.history["loss"][-1] == pytest.approx(
        sample.m * D_1 @ np.logaddexp(0, -y * F), rel=1e-9
    )
    assert D_1 @ (np.where(F > 0, 1, -1) != y) <= losses[-1] / (sample.m * np.log(2)) + 1e-12
    assert n <= 10


def test_real_answers_get_the_vote_that_makes_Z_least() -> None:
    rng = np.random.default_rng(3)
    y, h = rng.choice([-1, 1], 30), rng.normal(size=30)
    sample = sample_of(np.arange(30.0)[:, None], y)
    done = played(AdaBoostL(), sample, 1, Row(h))
    alpha = done.history["alpha"][0]

    def Z(a: float) -> float:
        return float(np.mean(np.exp(-a * y * h)))

    assert done.history["Z"][0] == pytest.approx(Z(alpha))
    assert Z(alpha) <= min(Z(alpha - 1e-4), Z(alpha + 1e-4))
    assert done.state.ensemble(sample) == pytest.approx(alpha * h)


@pytest.mark.parametrize(
    "estimator",
    [
        "tree",
        ForeignTree(max_depth=2),
        ForeignRegressor(max_depth=2),
        lambda X, y, D: lambda X: X[:, 0] + X[:, 1] - 7.5,
    ],
    ids=["tree", "classifier", "regressor", "function"],
)
def test_every_learner(estimator: Any) -> None:
    X, y = noisy(4, 120, flips=0.05)
    model = AdaBoostLClassifier(estimator, n_estimators=10).fit(X, y)
    assert model.score(X, y) > 0.75
    F = model.decision_function(X)
    assert model.predict_proba(X)[:, 1] == pytest.approx(expit(F))
    if model.stop_reason_ != Stop.PERFECT:
        loss = np.logaddexp(0, -y * F).sum()
        assert model.history_["loss"][model.n_iter_ - 1] == pytest.approx(loss, rel=1e-9)
    three = AdaBoostLClassifier(estimator, n_estimators=3).fit(X, X[:, 0] // 3)
    assert three.predict_proba(X).sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize("side", [1, -1])
def test_a_hypothesis_without_error_stands_alone(side: int) -> None:
    y = np.array([1, -1, 1, -1])
    sample = sample_of(np.arange(4.0)[:, None], y)
    booster = AdaBoostL()
    done = played(booster, sample, 9, Row([1, 1, 1, -1], side * y))
    assert done.stop is Stop.PERFECT
    assert done.history["alpha"].tolist()[1:] == [side * np.inf]
    assert done.state.ensemble.votes.tolist() == [float(side)]
    assert done.state.ensemble(sample).tolist() == y.tolist()
    _, again = booster.round(sample, Row(side * y).bind(sample), done.state)
    assert again.stop is Stop.PERFECT


def test_no_edge() -> None:
    y = np.array([1, -1, 1, -1])
    done = played(AdaBoostL(), sample_of(np.zeros((4, 1)), y), 9, Row([1, 1, -1, -1]))
    assert (done.stop, len(done.state.ensemble)) == (Stop.NO_EDGE, 0)
    assert done.history["loss"].tolist() == pytest.approx([4 * np.log(2)])


# ------------------------------------------------------------------------------------------ priors


def objective(y: Any, F: Any, pi: Any, eta: float, w: Any) -> float:
    """The logistic loss, and eta times the relative entropy of the prior to the probabilities."""
    q = expit(F)
    way = pi * np.log(pi / q) + (1 - pi) * np.log((1 - pi) / (1 - q))
    return float(w @ (np.logaddexp(0, -y * F) + eta * way))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.5, 3.0]), st.booleans())
def test_the_objective_never_rises(seed: int, eta: float, weighted: bool) -> None:
    rng = np.random.default_rng(seed)
    m = 24
    X = np.column_stack([np.arange(m), rng.integers(0, 5, (m, 2))]).astype(float)
    y, pi = rng.choice([-1, 1], m), rng.uniform(0.02, 0.98, m)
    w = rng.integers(1, 4, m) if weighted else np.ones(m)
    sample = sample_of(X, y, w if weighted else None)
    booster = AdaBoostL(prior=prior_of(pi), strength=eta)
    state: Any = booster.begin(sample)
    learn = StumpLearner().bind(sample)
    assert state.ensemble(sample) == pytest.approx(logit(pi))  # zero rounds are the prior
    loss = booster.loss(sample, state)
    for _ in range(8):
        F = state.ensemble(sample)
        assert loss == pytest.approx(objective(y, F, pi, eta, w), rel=1e-9)
        own, other = 1 + eta * np.where(y > 0, pi, 1 - pi), eta * np.where(y > 0, 1 - pi, pi)
        right, wrong = w * own * expit(-y * F), w * other * expit(y * F)
        left = right - wrong  # what the two sides of an example leave
        assert state.D.array == pytest.approx(np.abs(left) / np.abs(left).sum(), abs=1e-9)
        assert (state.z * y == np.where(left >= 0, 1, -1)).all()
        before = state
        state, done = booster.round(sample, learn, state)
        if done.stop is not None:
            break
        yh = y * state.ensemble.members[-1](sample)
        both = np.where(yh < 0, right, wrong).sum() / (right + wrong).sum()
        assert done.metrics["epsilon"] == pytest.approx(both, rel=1e-9)
        if 0 < both < 1:
            assert done.metrics["alpha"] == pytest.approx(0.5 * np.log((1 - both) / both), rel=1e-9)
        assert done.metrics["loss"] <= loss - done.metrics["W"] * (1 - done.metrics["Z"]) + 1e-9
        loss = done.metrics["loss"]
        again = booster.replay(sample, before, state.ensemble.votes[-1], state.ensemble.members[-1])
        assert again.D.array.tobytes() == state.D.array.tobytes()


def test_the_copies_of_the_definition_give_the_same_run() -> None:
    """Two weighted copies of each example, as the definition has it, and AdaBoost.L from F_0."""
    rng = np.random.default_rng(8)
    m, eta = 20, 1.5
    X = np.column_stack([np.arange(m), rng.integers(0, 4, (m, 3))]).astype(float)
    y, pi = rng.choice([-1, 1], m), rng.uniform(0.1, 0.9, m)
    sample = sample_of(X, y)
    done = played(AdaBoostL(prior=prior_of(pi), strength=eta), sample, 6)
    X3, y3 = np.tile(X, (3, 1)), np.concatenate([y, np.ones(m), -np.ones(m)])
    w3 = np.concatenate([np.ones(m), eta * pi, eta * (1 - pi)])
    F = np.tile(logit(pi), 3)
    whole = sample_of(X3, y3)
    learn = StumpLearner().bind(whole)
    for t in range(6):
        D = w3 * expit(-y3 * F)
        D /= D.sum()
        h = learn(whole.weighed(D), whole.y)
        wrong = D @ (h(whole) != y3)
        alpha = 0.5 * np.log((1 - wrong) / wrong)
        assert done.history["epsilon"][t] == pytest.approx(wrong, rel=1e-6)
        assert done.history["alpha"][t] == pytest.approx(alpha, rel=1e-6)
        F = F + alpha * h(whole)
    assert done.state.ensemble(sample) == pytest.approx(F[:m], rel=1e-6)


def test_a_prior_holds_what_makes_no_error() -> None:
    y = np.array([1, 1, -1, -1])
    sample = sample_of(np.arange(4.0)[:, None], y)
    booster = AdaBoostL(prior=prior_of([0.5, 0.1, 0.5, 0.5]), strength=0.0)
    done = played(booster, sample, 4, Pool([y]))
    assert done.stop is Stop.ROUNDS
    assert np.isfinite(done.history["alpha"]).all()
    assert (np.diff(done.history["loss"]) < 0).all()


def test_where_the_prior_cannot_be_moved_the_run_ends() -> None:
    y = np.array([1, -1])
    sample = sample_of(np.arange(2.0)[:, None], y)
    booster = AdaBoostL(prior=prior_of([0.75, 0.25]), strength=2.0)
    done = played(booster, sample, 500, Pool([y, -y]))
    assert done.stop is Stop.NO_EDGE  # between the label and the prior
    q = expit(done.state.yF)
    assert q == pytest.approx([(1 + 2 * 0.75) / 3] * 2, abs=1e-6)


def test_the_order_of_rows_does_not_matter_with_a_prior() -> None:
    X, y = noisy(2)
    X = np.column_stack([np.arange(len(y)), X])
    pi = np.random.default_rng(2).uniform(0.1, 0.9, len(y))
    order = np.random.default_rng(3).permutation(len(y))
    w = np.random.default_rng(4).integers(1, 4, len(y))
    rows = np.repeat(np.arange(len(y)), w)
    booster = AdaBoostL(prior=prior_of(pi), strength=0.7)
    told = [
        played(booster, sample_of(*given), 8).history["alpha"].tobytes()
        for given in (
            (X, y, w),
            (X[order], y[order], w[order]),
            (X[rows], y[rows]),
        )
    ]
    assert len(set(told)) == 1
