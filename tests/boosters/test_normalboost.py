"""NormalBoost against golden values and its definition, its guarantee, and its corners."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import erf

from tests import golden
from tests.boosters.binary import played
from tests.boosters.given import Pool, noisy
from tests.boosters.promises import LEARNERS, problems, shares
from tests.samples import sample_of
from weaklearn import NormalBoostClassifier, datasets
from weaklearn.base import Stop
from weaklearn.boosters import NormalBoost
from weaklearn.learners import StumpLearner

FUNCTIONS = [name for name in golden.names("boosters") if name.startswith("normalboost_functions")]
RUNS = [name for name in golden.names("boosters") if name.startswith("normalboost_run")]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_golden_functions(name: str) -> None:
    case, close = golden.case("boosters", name), golden.tolerance("boosters")
    booster = NormalBoost(**case["input"])
    assert booster.rho == pytest.approx(case["expected"]["rho"], **close)
    for row in case["expected"]["table"]:
        left, m = 1 - row["t"], np.array([row["m"]])
        z = booster.z(m, left)
        assert booster.mu(left) == pytest.approx(row["mu"], **close)
        assert booster.sigma(left) ** 2 == pytest.approx(row["sigma2"], **close)
        assert booster.cost(z) == pytest.approx([row["potential"]], **close)
        assert np.exp(-z * z) == pytest.approx([row["weight"]], **close)


@pytest.mark.parametrize("name", RUNS)
def test_golden_runs(name: str) -> None:
    case, close = golden.case("boosters", name), golden.tolerance("boosters")
    told, expected = case["input"], case["expected"]
    settings = {key: told[key] for key in ("epsilon", "theta", "sigma_f")}
    model = NormalBoostClassifier(**settings, n_estimators=told["max_rounds"])
    model.fit(told["X"], told["y"])
    rounds = expected["rounds"]
    assert model.n_iter_ == len(rounds)
    assert model.history_["rho"] == pytest.approx(np.full(len(rounds), expected["rho"]), **close)
    assert (model.history_["alpha"] == model.history_["ds"]).all()
    for metric, told_as in (("ds", "ds"), ("dt", "dt"), ("potential", "average_potential")):
        assert model.history_[metric] == pytest.approx([r[told_as] for r in rounds], **close)
    assert model.history_["time_left"] == pytest.approx([1 - r["t"] for r in rounds], **close)
    for stump, wanted in zip(model.estimators_, rounds, strict=True):
        if wanted["n_ties"] == 1:
            found = (stump.feature_, stump.threshold_, stump.polarity_)
            assert found == tuple(wanted["stump"].values())
    assert (model.stop_reason_ == Stop.TIME) == (rounds[-1]["stop"] == "time_out")
    margins = np.array(told["y"]) * model.decision_function(told["X"])
    assert margins == pytest.approx(expected["margins_end"], **close)


@pytest.mark.parametrize("theta", [0.0, 0.4])
@pytest.mark.parametrize("sigma_f", [0.1, 1.0])
def test_the_potential_solves_its_equation(theta: float, sigma_f: float) -> None:
    booster = NormalBoost(0.15, theta, sigma_f)
    h = 1e-4

    def Phi(m: Any, t: float) -> Any:
        return booster.cost(booster.z(m, 1 - t))

    m = np.linspace(-2, 2, 41)
    for t in (0.1, 0.5, 0.8):
        Phi_t = (Phi(m, t + h) - Phi(m, t - h)) / (2 * h)
        Phi_m = (Phi(m + h, t) - Phi(m - h, t)) / (2 * h)
        Phi_mm = (Phi(m + h, t) - 2 * Phi(m, t) + Phi(m - h, t)) / h**2
        assert Phi_t + (2 * booster.rho - m) * Phi_m + Phi_mm / 2 == pytest.approx(0, abs=2e-6)
    assert Phi(np.zeros(1), 0.0) == pytest.approx([0.15])
    assert booster.mu(0.0) == pytest.approx(theta)
    assert booster.sigma(0.0) == pytest.approx(sigma_f)


@pytest.mark.parametrize("robust", [False, True])
def test_every_round_is_as_defined(robust: bool) -> None:
    X, y = noisy(3)
    w = np.random.default_rng(3).integers(1, 4, len(y))
    sample = sample_of(X, y, w)
    booster = NormalBoost(0.1, 0.1, 0.2, robust)
    state, learn = booster.begin(sample), StumpLearner().bind(sample)
    m, t, rho, e = np.zeros(len(y)), 0.0, booster.rho, np.e
    votes: list[float] = []
    for _ in range(12):
        mu = (0.1 - 2 * rho) * e ** (1 - t) + 2 * rho
        sigma = np.sqrt((0.04 + 1) * e ** (2 * (1 - t)) - 1)
        weights = w * np.exp(-(((m - mu) / sigma) ** 2)) * ((m > mu) if robust else 1)
        assert state.D.array == pytest.approx(weights / weights.sum(), abs=1e-12)
        state, done = booster.round(sample, learn, state)
        u = y * state.ensemble.members[-1](sample)
        ds, dt = done.metrics["ds"], done.metrics["dt"]
        m, t = m * np.exp(-dt) + ds * u, t + dt
        votes = [vote * np.exp(-dt) for vote in votes] + [ds]
        z = booster.z(m, 1 - t)
        cost = np.minimum(1, 1 - erf(z)) if robust else (1 - erf(z)) / 2
        assert np.average(cost, weights=w) == pytest.approx(0.1, abs=1e-12)
        assert done.metrics["potential"] == pytest.approx(0.1, abs=1e-12)
        assert state.ensemble.votes == pytest.approx(votes, abs=1e-14)
        if done.stop is Stop.TIME:
            break
        edge = w * np.exp(-z * z) * ((z > 0) if robust else 1) @ u
        if not robust:  # where an example comes back, an edge leaps over 0
            assert edge == pytest.approx(0, abs=1e-9)
    assert len(votes) > 5
    assert state.yF == pytest.approx(m)
    assert y * state.ensemble(sample) == pytest.approx(m)


@settings(max_examples=60, deadline=None)
@given(
    problems(),
    st.sampled_from(LEARNERS),
    st.sampled_from([1e-6, 0.05, 0.2, 0.4]),
    st.sampled_from([0.0, 0.3, 2.0]),
    st.sampled_from([0.001, 0.1, 1.0]),
    st.booleans(),
)
def test_the_guarantee(
    problem: Any, learner: Any, epsilon: float, theta: float, sigma_f: float, robust: bool
) -> None:
    X, y, w = problem
    sample = sample_of(X, y, w)
    booster = NormalBoost(epsilon, theta, sigma_f, robust)
    end = played(booster, sample, 20, learner)
    if not end.history:  # the adversary has nothing to offer
        return
    potential, left = end.history["potential"], end.history["time_left"]
    assert potential == pytest.approx(np.full(len(potential), epsilon), rel=1e-7)
    assert (left >= 0).all()
    assert (np.diff(left, prepend=1.0) <= 0).all()
    D_1, margins = shares(len(y), w), y * end.state.ensemble(sample)
    most = epsilon if robust else 2 * epsilon
    goal = booster.mu(end.state.left)
    assert D_1 @ (margins <= goal - 1e-9) <= most + 1e-9
    if end.stop is Stop.TIME:
        assert end.state.left < 1e-3
        if end.state.left == 0:
            assert goal == pytest.approx(theta)


def test_a_margin_is_reached() -> None:
    rng = np.random.default_rng(1)
    y = rng.choice([-1, 1], 60)
    answers = np.where(rng.random((300, 60)) < 0.6, y, -y)
    sample = sample_of(np.arange(60.0)[:, None], y)
    for robust, most in ((False, 0.2), (True, 0.1)):
        booster = NormalBoost(0.1, 0.5, 0.1, robust)
        end = played(booster, sample, 300, Pool(answers))
        assert end.stop is Stop.TIME
        margins = y * end.state.ensemble(sample)
        assert np.mean(margins <= booster.mu(end.state.left)) <= most


def test_hopeless_examples_weigh_nothing_and_robust_ones_nothing_at_all() -> None:
    y = np.where(np.arange(20) < 10, 1, -1)
    answers = np.random.default_rng(0).choice([-1, 1], (300, 20)) * y
    answers[:, 0] = -y[0]  # one label is wrong, and no hypothesis will ever say so
    sample = sample_of(np.arange(20.0)[:, None], y)
    for robust in (False, True):
        booster = NormalBoost(0.15 if robust else 0.07, robust=robust)
        end = played(booster, sample, 200, Pool(answers))
        assert end.stop is Stop.TIME
        D = end.state.D.array
        assert end.state.yF[0] < 0
        assert D[0] == 0 if robust else D[0] < 1e-6


def test_a_perfect_hypothesis_takes_all_the_time() -> None:
    X, y = np.arange(6.0)[:, None], np.array([0, 0, 0, 1, 1, 1])
    model = NormalBoostClassifier(epsilon=0.1, theta=0.3).fit(X, y)
    assert (model.n_iter_, model.stop_reason_) == (1, Stop.TIME)
    booster = NormalBoost(0.1, 0.3)
    z = booster.z(np.zeros(1), 1.0)[0]
    assert model.estimator_weights_ == pytest.approx([0.3 + 0.1 * z])  # z stays what it was


def test_without_an_edge_the_guarantee_is_void() -> None:
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    with pytest.warns(UserWarning, match="no hypothesis beats chance"):
        model = NormalBoostClassifier(epsilon=0.2).fit(X, y)
    assert (model.n_iter_, len(model.history_), model.history_["time_left"][0]) == (0, 1, 1.0)
    assert [found.applies for found in model.certify(X, y)[:2]] == [False, False]


@pytest.mark.filterwarnings("ignore::weaklearn.DataWarning")
def test_one_class_and_one_row() -> None:
    for X, y in (([[1.0], [2.0]], ["a", "a"]), ([[1.0]], ["a"])):
        for robust in (False, True):
            model = NormalBoostClassifier(robust=robust).fit(X, y)
            assert (model.predict(X) == y).all()


def test_every_stage_has_the_votes_of_its_time() -> None:
    X, y = noisy(4)
    model = NormalBoostClassifier(epsilon=0.1, n_estimators=8).fit(X, y)
    stages = list(model.staged_decision_function(X))
    assert len(stages) == 8
    for t in (1, 3, 8):
        short = NormalBoostClassifier(epsilon=0.1, n_estimators=t).fit(X, y)
        assert (stages[t - 1] == short.decision_function(X)).all()
        assert (model.truncate(t).decision_function(X) == stages[t - 1]).all()
        assert short.estimator_weights_[-1] == model.history_["ds"][t - 1]
    # the votes of the end are those of any stage, shrunk
    shrunk = np.exp(-model.history_["dt"][3:].sum()) * model.ensemble_.staged(3).votes
    assert model.estimator_weights_[:3] == pytest.approx(shrunk)
    again = pickle.loads(pickle.dumps(model))
    assert (again.decision_function(X) == stages[-1]).all()


def test_early_stopping_and_warm_start() -> None:
    X, y = noisy(6, m=150)
    early = NormalBoostClassifier(epsilon=0.01, early_stopping=True, n_iter_no_change=5).fit(X, y)
    assert early.n_iter_ <= len(early.history_)
    straight = NormalBoostClassifier(epsilon=0.05, n_estimators=9).fit(X, y)
    model = NormalBoostClassifier(epsilon=0.05, n_estimators=4, warm_start=True).fit(X, y)
    model.set_params(n_estimators=9).fit(X, y)
    assert model.history_ == straight.history_
    assert (model.decision_function(X) == straight.decision_function(X)).all()


def test_certificates() -> None:
    X, y = noisy(5)
    model = NormalBoostClassifier(epsilon=0.3, robust=True).fit(X, y)
    assert model.stop_reason_ == Stop.TIME
    margin, train = model.certify(X, y)[:2]
    assert (margin.id, margin.bound, margin.holds) == ("normalboost-margin", 0.3, True)
    assert (train.id, train.holds) == ("normalboost-train", True)
    assert train.observed == pytest.approx(np.mean(model.predict(X) != y))
    short = NormalBoostClassifier(epsilon=0.1, n_estimators=2).fit(X, y)
    margin, train = short.certify(X, y)[:2]
    assert margin.holds
    assert "is left" in train.note
    assert "not the rows of training" in short.certify(X, -y)[0].note
    short.set_params(sigma_f=0.5)  # another game than the one that was played
    assert "was to stay 0.1" in short.certify(X, y)[0].note


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"epsilon": 0.5}, "epsilon=0.5 is not allowed: .* below 0.5, or 'auto'"),
        ({"epsilon": 1.0, "robust": True}, "below 1, or 'auto'"),
        ({"epsilon": 0}, "epsilon=0 "),
        ({"theta": -0.1}, "theta=-0.1 is not allowed: it must be a number at least 0"),
        ({"theta": float("inf")}, "theta=inf"),
        ({"sigma_f": 0.0}, "sigma_f=0.0 is not allowed: it must be a number at least 0.001"),
        ({"sigma_f": "0.1"}, "sigma_f='0.1'"),
        ({"robust": 1}, "robust=1 is not allowed: it must be True or False"),
        ({"learning_rate": 2.0}, "learning_rate=2.0 is not allowed"),
    ],
)
def test_impossible_parameters(given: Any, words: str) -> None:
    X, y = datasets.toy()
    with pytest.raises((ValueError, TypeError), match=words):
        NormalBoostClassifier(**given).fit(X, y)
