"""BrownBoost against golden values and its definition, its guarantee, and its corners."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import erf, erfinv

from tests import golden
from tests.boosters.binary import played
from tests.boosters.given import Pool, Row, noisy
from tests.boosters.promises import LEARNERS, problems, shares
from tests.samples import sample_of
from weaklearn import BrownBoostClassifier, datasets, load
from weaklearn.base import Stop
from weaklearn.boosters import AdaBoost, BrownBoost
from weaklearn.learners import StumpLearner
from weaklearn.testing import AdversaryLearner

CASES = [name for name in golden.names("boosters") if name.startswith("brownboost")]
STOPS = {"gamma_zero": None, "time_out": Stop.TIME}


@pytest.mark.parametrize("by", ["epsilon", "c"])
@pytest.mark.parametrize("name", CASES)
def test_golden(name: str, by: str) -> None:
    case, close = golden.case("boosters", name), golden.tolerance("boosters")
    told, expected = case["input"], case["expected"]
    aim = {by: told["epsilon"] if by == "epsilon" else expected["c"]}
    model = BrownBoostClassifier(**aim, n_estimators=told["max_rounds"])
    model.fit(told["X"], told["y"])
    assert BrownBoost(told["epsilon"]).c == pytest.approx(expected["c"], **close)
    assert len(model.history_) == model.n_iter_ == len(expected["rounds"])
    for metric in ("alpha", "dt", "time_left", "potential"):
        wanted = [played[metric] for played in expected["rounds"]]
        assert model.history_[metric] == pytest.approx(wanted, **close)
    for stump, wanted in zip(model.estimators_, expected["rounds"], strict=True):
        if wanted["n_tied_optima"] == 1:
            told_stump = (stump.feature_, stump.threshold_, stump.polarity_)
            assert told_stump == tuple(wanted["stump"].values())
    over = STOPS[expected["rounds"][-1]["stop"]]
    assert model.stop_reason_ == (over or Stop.ROUNDS)
    margins = np.array(told["y"]) * model.decision_function(told["X"])
    assert margins == pytest.approx(expected["margins_end"], **close)


@pytest.mark.parametrize("epsilon", [0.05, 0.3, 0.5])
def test_every_round_is_as_defined(epsilon: float) -> None:
    X, y = noisy(2)
    w = np.random.default_rng(2).integers(1, 4, len(y))
    sample = sample_of(X, y, w)
    booster, learn = BrownBoost(epsilon), StumpLearner().bind(sample)
    state = booster.begin(sample)
    c = erfinv(1 - epsilon) ** 2
    r, s = np.zeros(len(y)), c
    for _ in range(15):
        weights = w * np.exp(-((r + s) ** 2) / c)
        assert state.D.array == pytest.approx(weights / weights.sum(), abs=1e-12)
        state, done = booster.round(sample, learn, state)
        u = y * state.ensemble.members[-1](sample)
        assert done.metrics["r"] == pytest.approx(weights @ u / weights.sum(), abs=1e-12)
        r, s = r + done.metrics["alpha"] * u, s - done.metrics["dt"]
        potential = np.average(1 - erf((r + s) / np.sqrt(c)), weights=w)
        assert potential == pytest.approx(epsilon, abs=1e-12)
        assert done.metrics["potential"] == pytest.approx(potential, abs=1e-12)
        assert done.metrics["time_left"] == pytest.approx(s, abs=1e-12)
        if done.stop is Stop.TIME:
            assert state.left == 0
            break
        edge = w * np.exp(-((r + s) ** 2) / c) @ u
        assert edge == pytest.approx(0, abs=1e-9)
    assert state.yF == pytest.approx(r)
    assert y * state.ensemble(sample) == pytest.approx(r)


@settings(max_examples=40, deadline=None)
@given(problems(), st.sampled_from(LEARNERS), st.sampled_from([1e-9, 0.05, 0.2, 0.5, 0.8]))
def test_the_guarantee(problem: Any, learner: Any, epsilon: float) -> None:
    X, y, w = problem
    sample = sample_of(X, y, w)
    booster = BrownBoost(epsilon)
    end = played(booster, sample, 25, learner)
    if not end.history:  # the adversary has nothing to offer
        return
    potential = end.history["potential"]
    assert potential == pytest.approx(np.full(len(potential), epsilon), rel=1e-9)
    assert (end.history["time_left"] >= 0).all()
    assert (np.abs(end.history["alpha"]) <= 1000).all()
    D_1 = shares(len(y), w)
    F = end.state.ensemble(sample)
    assert D_1 @ (y * F <= -end.state.left) <= epsilon + 1e-9
    if end.stop is Stop.TIME:
        assert end.state.left == 0
        confidence = erf(F / np.sqrt(booster.c))
        assert D_1 @ np.abs(y - confidence) == pytest.approx(epsilon, rel=1e-7)
        assert D_1 @ (np.where(F > 0, 1, -1) != y) <= epsilon + 1e-9


@pytest.mark.parametrize("seed", range(3))
def test_an_adversary_that_keeps_an_edge_runs_out_of_time(seed: int) -> None:
    rng = np.random.default_rng(seed)
    y = rng.choice([-1, 1], 40)
    answers = np.where(rng.random((400, 40)) < 0.65, y, -y)
    sample = sample_of(np.arange(40.0)[:, None], y)
    end = played(BrownBoost(0.2), sample, 400, Pool(answers))
    assert end.stop is Stop.TIME
    assert end.history["train_error"][-1] <= 0.2
    adverse = played(BrownBoost(0.2), sample_of(*noisy(seed)), 300, AdversaryLearner(0.05))
    assert adverse.history["potential"] == pytest.approx(np.full(len(adverse.history), 0.2))


def test_hopeless_examples_weigh_nothing() -> None:
    y = np.where(np.arange(20) < 10, 1, -1)
    answers = np.random.default_rng(0).choice([-1, 1], (300, 20), p=[0.5, 0.5]) * y
    answers[:, 0] = -y[0]  # one label is wrong, and no hypothesis will ever say so
    sample = sample_of(np.arange(20.0)[:, None], y)
    booster, learn = BrownBoost(0.15), Pool(answers).bind(sample)
    state, weights, stop = booster.begin(sample), [1 / 20], None
    while stop is None:
        state, done = booster.round(sample, learn, state)
        stop = done.stop
        weights.append(state.D.array[0])
    assert stop is Stop.TIME
    assert max(weights) > 2 / 20  # first it is attended to,
    assert weights[-1] < 1e-2 / 20  # then given up
    assert state.yF[0] < 0 < state.yF[1:].min()


def test_as_epsilon_falls_the_run_becomes_adaboost() -> None:
    sample = sample_of(*noisy(4, m=80, flips=0.1))
    ada = played(AdaBoost(), sample, 10)
    apart = []
    for epsilon in (1e-6, 1e-25, 1e-90):
        brown = played(BrownBoost(epsilon), sample, 10)
        n = 4 if epsilon == 1e-6 else 10
        same = [h == g for h, g in zip(brown.state.ensemble.members, ada.state.ensemble.members)]
        assert all(same[:n])
        apart.append(np.abs(2 * brown.history["alpha"][:4] - ada.history["alpha"][:4]).max())
    assert apart[0] > 2 * apart[1] > 4 * apart[2]
    assert apart[-1] < 0.01


def test_a_perfect_hypothesis_takes_all_the_time() -> None:
    X, y = np.arange(6.0)[:, None], np.array([0, 0, 0, 1, 1, 1])
    model = BrownBoostClassifier(epsilon=0.1).fit(X, y)
    c = BrownBoost(0.1).c
    assert (model.n_iter_, model.stop_reason_) == (1, Stop.TIME)
    assert model.estimator_weights_ == pytest.approx([c])
    assert model.confidence(X) == pytest.approx(np.where(y == 1, 0.9, -0.9))
    assert model.history_["potential"][0] == pytest.approx(0.1)
    assert model.score(X, y) == 1


def test_the_time_may_be_given_in_place_of_the_error(tmp_path: Path) -> None:
    X, y = noisy(3)
    by_time = BrownBoostClassifier(c=0.5, n_estimators=10).fit(X, y)
    epsilon = by_time.epsilon_
    assert epsilon == pytest.approx(1 - erf(np.sqrt(0.5)), rel=1e-12)
    by_error = BrownBoostClassifier(epsilon=epsilon, n_estimators=10).fit(X, y)
    assert by_time.decision_function(X).tobytes() == by_error.decision_function(X).tobytes()
    assert by_time.confidence(X).tobytes() == by_error.confidence(X).tobytes()
    assert BrownBoost.of_time(0.5).c == pytest.approx(0.5, rel=1e-12)
    by_time.save(tmp_path / "m.weak")
    assert load(tmp_path / "m.weak").fingerprint() == by_time.fingerprint()
    for c in (0, -1.0, 201, np.nan, "auto", True):
        with pytest.raises((TypeError, ValueError), match=r"c=.* is not allowed: it must be"):
            BrownBoostClassifier(c=c).fit(X, y)
    with pytest.raises(ValueError, match=r"epsilon=0.1 and c=0.5 are both given"):
        BrownBoostClassifier(epsilon=0.1, c=0.5).fit(X, y)


def test_without_an_edge_the_guarantee_is_void() -> None:
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    with pytest.warns(UserWarning, match="no hypothesis beats chance"):
        model = BrownBoostClassifier(epsilon=0.2).fit(X, y)
    assert (model.n_iter_, len(model.history_)) == (0, 1)
    assert model.history_["time_left"].tolist() == [BrownBoost(0.2).c]
    assert [found.applies for found in model.certify(X, y)[:2]] == [False, False]


def test_a_hypothesis_worse_than_chance_ends_the_run() -> None:
    X, y = noisy(1, flips=0)
    booster, sample = BrownBoost(0.2), sample_of(X, y)
    learn = Row(-y).bind(sample)
    state, done = booster.round(sample, learn, booster.begin(sample))
    again, ended = booster.round(sample, learn, state)
    assert (done.stop, ended.stop) == (Stop.WORSE, Stop.WORSE)
    assert (len(state.ensemble), len(again.ensemble)) == (0, 0)


def test_the_end_is_the_end() -> None:
    sample = sample_of(*noisy(3))
    booster = BrownBoost(0.6)
    end = played(booster, sample, 100)
    assert end.stop is Stop.TIME

    def learn(*asked: Any) -> Any:
        raise AssertionError("no hypothesis is to be asked for")

    again, ended = booster.round(sample, learn, end.state)
    assert again is end.state
    assert (ended.stop, ended.metrics["alpha"], ended.metrics["time_left"]) == (Stop.TIME, 0, 0)


@pytest.mark.filterwarnings("ignore::weaklearn.DataWarning")
def test_one_class_and_one_row() -> None:
    for X, y in (([[1.0], [2.0]], ["a", "a"]), ([[1.0]], ["a"])):
        model = BrownBoostClassifier().fit(X, y)
        assert (model.predict(X) == y).all()
        assert (model.predict_proba(X) == 1).all()
        assert model.stop_reason_ == Stop.TIME


def test_tiny_edges_take_tiny_steps() -> None:
    m = 2001
    y = np.where(np.arange(m) % 2, 1, -1)
    answers = np.where(np.arange(m) < 1001, y, -y)  # right once more than wrong
    sample = sample_of(np.arange(float(m))[:, None], y)
    end = played(
        BrownBoost(0.1), sample, 40, Row(answers, np.roll(answers, 2), np.roll(answers, 4))
    )
    edged = end.history["alpha"] > 0
    assert edged[0]
    assert (end.history["dt"][edged] > 0).all()
    assert end.history["dt"].sum() < 1e-3
    assert end.history["potential"] == pytest.approx(np.full(len(end.history), 0.1))


def test_one_that_is_silent_but_never_wrong() -> None:
    y = np.array([1, 1, 1, -1, -1, -1])
    sample = sample_of(np.arange(6.0)[:, None], y)
    end = played(BrownBoost(0.1), sample, 5, Row(np.array([1, 1, 0, 0, 0, -1])))
    assert 0 < end.history["alpha"][0] < 20
    assert end.history["potential"] == pytest.approx(np.full(len(end.history), 0.1))


@pytest.mark.parametrize("epsilon", [1e-100, 1e-40, 1e-12, 0.999, 1 - 1e-12])
def test_the_ends_of_the_range(epsilon: float) -> None:
    X, y = noisy(6)
    model = BrownBoostClassifier(epsilon=epsilon, n_estimators=15).fit(X, y)
    potential = model.history_["potential"]
    assert potential == pytest.approx(np.full(len(potential), epsilon), rel=1e-9)
    assert np.isfinite(model.decision_function(X)).all()


def test_certificates() -> None:
    X, y = noisy(5)
    w = np.random.default_rng(5).uniform(0.2, 2, len(y))
    model = BrownBoostClassifier(epsilon=0.6).fit(X, y, w)
    train, margin = model.certify(X, y, sample_weight=w)[:2]
    assert (train.id, train.bound, train.holds) == ("brownboost-train", 0.6, True)
    assert (margin.id, margin.holds, margin.observed) == ("brownboost-margin", True, train.observed)
    assert train.observed == pytest.approx(np.average(model.predict(X) != y, weights=w))
    assert "weights were given" in model.certify()[0].note
    assert "not the rows of training" in model.certify(X, -y)[0].note
    short = BrownBoostClassifier(epsilon=0.2, n_estimators=3).fit(X, y)
    train, margin = short.certify(X, y)[:2]
    assert "is left" in train.note
    assert margin.holds
    assert short.certify()[1].note.endswith("pass the training rows, X and y")
    three = BrownBoostClassifier(n_estimators=3).fit(X, np.digitize(X[:, 0], [2, 5]))
    assert not three.certify()[0].applies


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"epsilon": 0.0}, "epsilon=0.0 is not allowed: it must be a number at least 1e-100"),
        ({"epsilon": 1.0}, "below 1, or 'auto'"),
        ({"epsilon": -0.1}, "epsilon=-0.1"),
        ({"epsilon": float("nan")}, "epsilon=nan"),
        ({"epsilon": "most"}, "epsilon='most' is not allowed"),
        ({"epsilon": None}, "epsilon=None"),
        ({"epsilon": True}, "epsilon=True"),
        ({"learning_rate": 0.5}, "learning_rate=0.5 is not allowed: a vote is what keeps"),
        ({"multiclass": "mh"}, "multiclass='mh'"),
    ],
)
def test_impossible_parameters(given: Any, words: str) -> None:
    X, y = datasets.toy()
    with pytest.raises((ValueError, TypeError), match=words):
        BrownBoostClassifier(**given).fit(X, y)


def test_a_run_goes_on_with_its_own_aim() -> None:
    X, y = noisy(7)
    model = BrownBoostClassifier(epsilon=0.1, n_estimators=4, warm_start=True).fit(X, y)
    with pytest.raises(ValueError, match=r"a fit with epsilon=0\.1, but now epsilon=0\.2"):
        model.set_params(epsilon=0.2, n_estimators=6).fit(X, y)
    model.set_params(epsilon=0.1, n_estimators=9).fit(X, y)
    whole = BrownBoostClassifier(epsilon=0.1, n_estimators=9).fit(X, y)
    assert model.history_ == whole.history_
    auto = BrownBoostClassifier(n_estimators=4, warm_start=True).fit(X, y)
    aim = auto.epsilon_
    assert auto.set_params(n_estimators=9).fit(X, y).epsilon_ == aim


@pytest.mark.parametrize("calibrate", ["slope", "platt"])
def test_probabilities_can_be_calibrated(calibrate: str) -> None:
    X, y = noisy(8, m=120)
    model = BrownBoostClassifier(epsilon=0.5, calibrate=calibrate, n_estimators=10).fit(X, y)
    plain = BrownBoostClassifier(epsilon=0.5, n_estimators=10).fit(X, y)
    F = plain.decision_function(X)
    assert plain.predict_proba(X)[:, 1] == pytest.approx(1 / (1 + np.exp(-2 * F)))
    a, b = model.calibration_.slope, model.calibration_.shift
    assert model.predict_proba(X)[:, 1] == pytest.approx(1 / (1 + np.exp(-2 * (a * F + b))))
    assert a > 0
