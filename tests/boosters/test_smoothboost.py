"""SmoothBoost against its definition, and its guarantees."""

from __future__ import annotations

from functools import partial
from math import sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.boosters.binary import played
from tests.boosters.given import Pool, noisy
from tests.boosters.promises import LEARNERS, problems, quietly
from tests.samples import sample_of
from weaklearn import BoostingWarning, SmoothBoostClassifier
from weaklearn.base import NoHypothesis, Stop
from weaklearn.boosters import SmoothBoost
from weaklearn.learners import StumpLearner


def test_every_round_is_as_defined() -> None:
    kappa, gamma, theta = 0.1, 0.05, 0.05 / 2.05
    X, y = noisy(1, flips=0.05)
    w = np.random.default_rng(1).integers(1, 4, len(y))
    sample = sample_of(X, y, w)
    booster, learn = SmoothBoost(kappa, gamma), StumpLearner().bind(sample)
    state = booster.begin(sample)
    N, M = np.zeros(len(y)), np.ones(len(y))
    for _ in range(40):
        D = w * M / (w * M).sum()
        assert state.D.array == pytest.approx(D, abs=1e-12)
        state, done = booster.round(sample, learn, state)
        if done.stop is not None:
            break
        yh = y * state.ensemble.members[-1](sample)
        assert done.metrics["r"] == pytest.approx(D @ yh, abs=1e-12)
        assert done.metrics["gamma"] >= gamma
        N = N + yh - theta
        M = np.where(N < 0, 1.0, (1 - gamma) ** (N / 2))
        assert done.metrics["potential"] == pytest.approx(np.average(M, weights=w))
        assert done.metrics["alpha"] == 1
    assert len(state.ensemble) > 5
    assert state.ensemble.votes.tolist() == [1.0] * len(state.ensemble)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.05, 0.1, 0.2]), st.booleans())
def test_the_guarantee_of_a_promise_kept(seed: int, gamma: float, weighted: bool) -> None:
    rng = np.random.default_rng(seed)
    y = rng.choice([-1, 1], 40)
    answers = np.where(rng.random((60, 40)) < 0.5 + 2 * gamma, y, -y)
    w = rng.integers(1, 5, 40) if weighted else None
    sample = sample_of(np.arange(40.0)[:, None], y, w)
    kappa = 0.2
    needed = 2 / (kappa * gamma**2 * sqrt(1 - gamma))
    booster = SmoothBoost(kappa, gamma)
    run = quietly(lambda: played(booster, sample, 400, Pool(answers)))
    assume(run.stop is not Stop.PROMISE)  # the pool has always a hypothesis as good as promised
    D_1 = np.full(40, 1 / 40) if w is None else w / w.sum()
    f = run.state.ensemble(sample) / max(1, len(run.state.ensemble))
    theta = gamma / (2 + gamma)
    left = run.history["potential"][-1]
    assert D_1 @ (y * f <= theta) <= left + 1e-9
    if run.stop is Stop.LIGHT:
        assert len(run.history) <= needed
        assert D_1 @ (y * f <= 0) < kappa
    else:
        assert len(run.history) < needed


@settings(max_examples=30, deadline=None)
@given(problems(), st.sampled_from(LEARNERS), st.sampled_from([0.1, 0.3]))
def test_what_holds_whatever_the_learner(problem: Any, learner: Any, kappa: float) -> None:
    X, y, w = problem
    sample = sample_of(X, y, w)
    booster, learn = SmoothBoost(kappa, 0.02), (learner or StumpLearner()).bind(sample)
    D_1 = sample.prior_shares
    state: Any = booster.begin(sample)
    for t in range(1, 31):
        assert (state.D.array <= D_1 / kappa * (1 + 1e-9)).all()  # no weight exceeds its share
        try:
            state, done = quietly(partial(booster.round, sample, learn, state))
        except NoHypothesis:  # the adversary has nothing as good as it promised
            break
        if done.stop is not None:
            break
        few = D_1 @ (state.yF / t <= booster.theta)
        assert few <= done.metrics["potential"] * (1 + 1e-9)


def test_the_end_comes_again() -> None:
    X, y = np.arange(20.0)[:, None], np.repeat([-1, 1], 10)
    sample = sample_of(X, y)
    booster, learn = SmoothBoost(0.5, 0.4), StumpLearner().bind(sample)
    run = played(booster, sample, 100)
    assert run.stop is Stop.LIGHT
    assert run.history["potential"][-1] < 0.5 <= run.history["potential"][-2]
    later, again = booster.round(sample, learn, run.state)
    assert again.stop is Stop.LIGHT
    assert len(later.ensemble) == len(run.state.ensemble)


def test_a_broken_promise_ends_the_run_and_is_told() -> None:
    X, y = noisy(3)
    with pytest.warns(BoostingWarning, match=r"in round \d+: its edge is .* gamma=0\.2 was"):
        model = SmoothBoostClassifier(gamma=0.2).fit(X, y)
    assert model.stop_reason_ == Stop.PROMISE
    assert len(model.history_) == model.n_iter_ + 1
    assert model.history_["gamma"][-1] < 0.2
    assert "the edge of round" in model.certify(X, y)[1].note


def test_coins_have_no_edge() -> None:
    sample = sample_of(np.zeros((4, 1)), np.array([-1, 1, -1, 1]))
    run = played(SmoothBoost(), sample, 10, Pool([[1, 1, -1, -1]]))
    assert (run.stop, len(run.state.ensemble)) == (Stop.NO_EDGE, 0)


@pytest.mark.parametrize("given", [{"kappa": 0.3, "gamma": 0.2}, {"kappa": 0.05, "gamma": 0.1}])
def test_certificates(given: dict[str, Any]) -> None:
    X, y = noisy(5, 80, flips=0.0)
    model = SmoothBoostClassifier("tree", n_estimators=3000, **given).fit(X, y)
    margin, rounds = model.certify(X, y).training
    assert model.stop_reason_ == Stop.LIGHT
    assert margin.holds
    assert margin.bound < given["kappa"]
    assert rounds.holds
    assert rounds.observed == model.n_iter_
    assert "pass the training rows" in model.certify()[0].note
    assert "not the rows of training" in model.certify(X[1:], y[1:])[0].note
    assert "rounds or more" in model.truncate(2).certify(X, y)[1].note


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"kappa": 0}, "kappa=0 is not allowed: it must be a number above 0 and below 1"),
        ({"kappa": 1.0}, "kappa=1.0 is not allowed"),
        ({"gamma": 0.5}, "gamma=0.5 is not allowed: it must be a number above 0 and below 0.5"),
        ({"gamma": 0.0}, "gamma=0.0 is not allowed"),
        ({"gamma": float("nan")}, "gamma=nan is not allowed"),
        ({"learning_rate": 0.5}, "learning_rate=0.5 is not allowed: every rule has one vote"),
    ],
)
def test_impossible_parameters(given: dict[str, Any], words: str) -> None:
    X, y = noisy(0)
    with pytest.raises(ValueError, match=words):
        SmoothBoostClassifier(**given).fit(X, y)


def test_the_link_has_the_scale_of_the_weights() -> None:
    X, y = noisy(2, flips=0.0)
    model = SmoothBoostClassifier(gamma=0.1, n_estimators=9).fit(X, y)
    odds = (1 - 0.1) ** -model.decision_function(X)
    assert model.predict_proba(X)[:, 1] == pytest.approx(odds / (1 + odds))


def test_wrong_kinds_of_parameters() -> None:
    with pytest.raises(TypeError, match="kappa='a bit' is not allowed"):
        SmoothBoostClassifier(kappa="a bit").fit(*noisy(0))


def test_a_round_after_the_end_tells_of_no_edge() -> None:
    sample = sample_of(*noisy(3, m=60, flips=0.0))
    booster = SmoothBoost(kappa=0.4, gamma=0.05)
    run = played(booster, sample, 500)
    assert run.stop is Stop.LIGHT
    state, done = booster.round(sample, None, run.state)  # type: ignore[arg-type]
    assert (done.stop, len(state.ensemble)) == (Stop.LIGHT, len(run.state.ensemble))
    assert np.isnan([done.metrics[name] for name in ("epsilon", "gamma", "r")]).all()
