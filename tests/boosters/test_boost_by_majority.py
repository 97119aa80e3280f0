"""Boost-by-majority: recursion and closed form, golden runs, the potential, edge cases."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.boosters.binary import noisy, played
from tests.boosters.promises import LEARNERS, answers, problems, quietly, shares
from tests.golden import Case, load, tolerance
from tests.samples import sample_of
from weaklearn import BoostByMajorityClassifier, Boosted, BoostingWarning, datasets
from weaklearn.base import Stop
from weaklearn.boosters import BoostByMajority
from weaklearn.boosters.boost_by_majority import log_weight, potential
from weaklearn.testing import AdversaryLearner
from weaklearn.theory import bounds

quick = settings(deadline=None, max_examples=40)
pytestmark = pytest.mark.filterwarnings("ignore:every column of X is constant")
GOLDEN = [golden for golden in load("boosters") if golden["name"].startswith("bbm_")]


def table(T: int, gamma: Fraction) -> Any:
    """Phi_t(s) by the recursion, in exact numbers."""

    @cache
    def Phi(t: int, s: int) -> Fraction:
        if t == T:
            return Fraction(int(s <= 0))
        half = Fraction(1, 2)
        return (half + gamma) * Phi(t + 1, s + 1) + (half - gamma) * Phi(t + 1, s - 1)

    return Phi


@pytest.mark.parametrize("T", [1, 2, 7, 12])
@pytest.mark.parametrize("gamma", [Fraction(1, 6), Fraction(1, 50), Fraction(49, 100)])
def test_the_recursion_is_the_closed_form(T: int, gamma: Fraction) -> None:
    Phi = table(T, gamma)
    s = np.arange(-T - 2, T + 3)
    for t in range(T + 1):
        exact = [float(Phi(t, int(v))) for v in s]
        assert potential(T - t, s.astype(float), float(gamma)) == pytest.approx(exact, abs=1e-14)
        if t:
            w = [float((Phi(t, int(v) - 1) - Phi(t, int(v) + 1)) / 2) for v in s]
            found = np.exp(log_weight(T - t, s.astype(float), float(gamma)))
            assert found == pytest.approx(w, rel=1e-12)
            assert ((found == 0) == (np.array(w) == 0)).all()
    assert float(Phi(0, 0)) == pytest.approx(bounds.bbm_bound(T, gamma), rel=1e-12)


def test_weights_of_ten_thousand_rounds() -> None:
    n, p = 9000, Fraction(51, 100)
    for s in (-400, 0, 1, 180, 2000):
        u = (n - s + 1) // 2
        log_exact = (
            math.log(math.comb(n, u)) + u * math.log(p) + (n - u) * math.log(1 - p) - math.log(2)
        )
        found = float(log_weight(n, np.array([float(s)]), 0.01)[0])
        assert found == pytest.approx(log_exact, abs=1e-8)


def test_ten_thousand_rounds_can_be_played() -> None:
    X, y = datasets.toy()
    model = BoostByMajorityClassifier(n_estimators=10_000, gamma=0.02)
    model.set_params(callbacks=[lambda t, state, history: t == 1500]).fit(X, y)
    potentials = model.history_["potential"]
    assert potentials[0] == pytest.approx(bounds.bbm_bound(10_000, 0.02), rel=1e-9)
    assert (np.diff(potentials) <= 1e-15).all()
    assert model.score(X, y) == 1
    assert "ended after 1500 of 10000 rounds" in model.certify(X, y)[0].note
    for T in (10**9, 10**30):  # nothing is set aside for rounds to come
        one = BoostByMajorityClassifier(n_estimators=T, callbacks=[lambda t, *_: t == 2])
        assert one.fit(X, y).n_iter_ == 2


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden["name"])
def test_golden(golden: Case) -> None:
    given, expected = golden["input"], golden["expected"]
    close = tolerance("boosters")
    X, y, T = np.array(given["X"]), np.array(given["y"]), given["T"]
    gamma = Fraction(given["gamma_exact"])
    assert bounds.bbm_bound(T, gamma) == pytest.approx(expected["Phi_0_0"], **close)
    for row in expected["weights_by_round_and_margin"]:
        s, n = np.array([float(row["s"])]), T - row["t"]
        assert np.exp(log_weight(n, s, float(gamma))) == pytest.approx(row["w"], **close)
        assert potential(n, s, float(gamma)) == pytest.approx(row["Phi"], **close)
    model = BoostByMajorityClassifier(n_estimators=T, gamma=gamma).fit(X, y)
    history, rounds = model.history_, expected["rounds"]
    assert len(history) == len(rounds)
    run = played(BoostByMajority(T, float(gamma)), sample_of(X, y), 0)
    state = run.state
    for t, row in enumerate(rounds):
        assert history["potential"][t] == pytest.approx(row["average_potential_before"], **close)
        assert state.yF.tolist() == row["margins_before"]
        if row["stump"] is None:
            assert np.isnan(history["r"][t])
            assert history["alpha"][t] == 0
            assert model.stop_reason_ == str(Stop.DECIDED)
            continue
        assert history["r"][t] == pytest.approx(row["edge"], **close)
        assert state.D.array == pytest.approx(row["D"], **close)
        h = model.estimators_[t]
        stump = row["stump"]
        x = X[:, stump["feature"]]
        expected_answers = np.where(x > stump["threshold"], stump["polarity"], -stump["polarity"])
        assert h.predict(X).tolist() == expected_answers.tolist()
        booster = BoostByMajority(T, float(gamma))
        state = booster.replay(sample_of(X, y), state, 1.0, model.ensemble_.members[t])
    assert (y * model.decision_function(X)).tolist() == expected["margins_end"]
    assert np.flatnonzero(model.predict(X) != y).tolist() == expected["misclassified_rows"]
    assert all(c.holds for c in model.certify(X, y).training)


@quick
@given(
    problems(),
    st.sampled_from([1, 2, 7, 12]),
    st.sampled_from([0.05, 0.2, 0.45]),
    st.sampled_from(LEARNERS),
)
def test_every_round_as_the_definition_has_it(
    problem: Any, T: int, gamma: float, learner: Any
) -> None:
    X, y, w = problem
    model = BoostByMajorityClassifier(learner, n_estimators=T, gamma=gamma)
    quietly(lambda: model.fit(X, y, sample_weight=w))
    Phi = table(T, Fraction(str(gamma)))
    D_1, s, history = shares(len(y), w), np.zeros(len(y), int), model.history_
    before = 1.0
    for t, h in enumerate(answers(model, X, y, w), start=1):
        weight = np.array([float(Phi(t, v - 1) - Phi(t, v + 1)) / 2 for v in s.tolist()])
        D = D_1 * weight / (D_1 @ weight)
        r = float(D @ (y * h))
        assert history["r"][t - 1] == pytest.approx(r, abs=1e-9)
        mean = D_1 @ [float(Phi(t - 1, v)) for v in s.tolist()]
        assert history["potential"][t - 1] == pytest.approx(mean, abs=1e-12)
        assert t == 1 or mean <= before + 1e-12 or history["r"][t - 2] < 2 * gamma
        before = mean
        s += (y * h).astype(int)
        assert history["margin_min"][t - 1] == pytest.approx(s.min() / t)
    n = model.n_iter_
    if model.stop_reason_ == str(Stop.DECIDED):
        assert all(Phi(n + 1, v - 1) == Phi(n + 1, v + 1) for v in s.tolist())
        assert history["potential"][-1] == pytest.approx(D_1 @ (s <= 0))
    kept = n and (history["gamma"][:n] >= gamma - 1e-12).all()
    ended = n == T or model.stop_reason_ == str(Stop.DECIDED)
    for certificate in model.certify(X, y, sample_weight=w).training:
        assert certificate.holds is (True if kept and ended else None), certificate


@pytest.mark.parametrize("T", [6, 31])
def test_the_adversary_cannot_break_the_bound(T: int) -> None:
    X, y = datasets.toy()
    model = BoostByMajorityClassifier(AdversaryLearner(0.15), n_estimators=T, gamma=0.15)
    model.fit(X, y)
    assert (np.diff(model.history_["potential"]) <= 1e-12).all()
    assert np.mean(y * model.decision_function(X) <= 0) <= bounds.bbm_bound(T, 0.15)
    assert [c.verdict for c in model.certify(X, y).training] == ["holds", "holds"]


def test_hopeless_examples_lose_their_weight() -> None:
    w = np.exp(log_weight(40, np.arange(-30.0, 31.0), 0.1))
    top = int(np.argmax(w))
    assert (np.diff(w[:top]) >= 0).all()
    assert w[0] < 1e-3 * w[top]
    assert w[-1] < 1e-3 * w[top]


def test_a_broken_promise_is_told_once() -> None:
    X, y = noisy(5, m=40)
    with pytest.warns(BoostingWarning, match="broke its promise in round") as caught:
        model = BoostByMajorityClassifier(n_estimators=11, gamma=0.4).fit(X, y)
    assert len(caught) == 1
    assert all("broke the promise" in c.note for c in model.certify(X, y).training)


def test_asked_again_it_ends_again() -> None:
    sample = sample_of(*datasets.toy())
    booster = BoostByMajority(5, 0.1)
    run = played(booster, sample, 20)
    assert run.stop is Stop.TIME or run.stop is Stop.DECIDED
    state, done = booster.round(sample, None, run.state)  # type: ignore[arg-type]
    assert (done.stop, len(state.ensemble)) == (run.stop, len(run.state.ensemble))


def test_a_longer_plan_is_another_plan() -> None:
    X, y = noisy(5, m=40)
    model = BoostByMajorityClassifier(n_estimators=5, gamma=0.05, warm_start=True)
    quietly(lambda: model.fit(X, y))
    assert model.n_iter_ == 5
    with pytest.warns(BoostingWarning, match="planned for n_estimators=5 rounds by a plan for 9"):
        model.set_params(n_estimators=9).fit(X, y)
    assert model.n_iter_ == 9
    assert "by another plan" in model.certify(X, y)[0].note


def test_stopped_rounds_go_on_to_the_run_of_one_fit() -> None:
    X, y = noisy(5, m=40)
    settings: Any = {"n_estimators": 15, "gamma": 0.05}
    whole = quietly(lambda: BoostByMajorityClassifier(**settings).fit(X, y))
    part = BoostByMajorityClassifier(**settings, warm_start=True)
    part.callbacks = [lambda t, state, history: t % 4 == 0]
    for _ in range(5):
        quietly(lambda: part.fit(X, y))
    assert part.history_ == whole.history_
    assert part.decision_function(X).tobytes() == whole.decision_function(X).tobytes()
    assert part.distributions(X, y).tobytes() == whole.distributions(X, y).tobytes()


def test_what_a_short_plan_has_decided_a_longer_one_has_not() -> None:
    def stubborn(X: Any, y: Any, D: Any) -> Any:
        return lambda X: np.where(X[:, 0] > 1, 1, -1)

    X, y = np.arange(6.0)[:, None], np.array([-1, -1, -1, 1, 1, 1])
    model = BoostByMajorityClassifier(stubborn, n_estimators=3, gamma=0.05, warm_start=True)
    quietly(lambda: model.fit(X, y))
    assert (model.n_iter_, model.stop_reason_) == (2, str(Stop.DECIDED))
    assert quietly(lambda: model.fit(X, y)).n_iter_ == 2
    with pytest.warns(BoostingWarning, match="the model is not that of one fit"):
        model.set_params(n_estimators=9).fit(X, y)
    assert model.n_iter_ == 5
    with pytest.warns(BoostingWarning, match="another plan than that for 9 rounds: distributions"):
        model.distributions(X, y)


def test_fewer_rounds_than_planned_are_told() -> None:
    X, y = noisy(5, m=40)
    with pytest.warns(BoostingWarning, match="n_estimators=4 ends BoostByMajority before the 9"):
        Boosted(BoostByMajority(9, 0.05), n_estimators=4).fit(X, y)


def test_rows_of_next_to_no_weight_are_given_up() -> None:
    """Heavy rows are soon safe: without this the later half of the votes is for the light ones."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), np.repeat([0, 1], 30)
    weights = np.where(y == 0, 1.0, 1e-8)
    model = quietly(lambda: BoostByMajorityClassifier(gamma=0.1).fit(X, y, weights))
    assert (model.predict(X) == 0).all()
    assert (model.distributions(X, y, sample_weight=weights)[:, y == 1] == 0).all()
    assert model.certify(X, y, sample_weight=weights).training[0].holds
    shuffled = rng.permutation(60)
    again = quietly(
        lambda: BoostByMajorityClassifier().fit(X[shuffled], y[shuffled], weights[shuffled])
    )
    assert again.fingerprint() == model.fingerprint()
    # Weights of one size all count, and so do a few that are lighter but not by that much.
    mild = np.where(y == 0, 1.0, 1e-3)
    begun = BoostByMajority().begin(sample_of(X, np.where(y, 1, -1), mild))
    assert begun.counted is None
    assert begun.D.array == pytest.approx(mild / mild.sum())


def test_silence_voids_the_guarantee() -> None:
    def learn(X: Any, y: Any, D: Any) -> Any:
        return lambda X: np.where(X[:, 0] == 0, 0, np.where(X[:, 0] > 2, 1, -1))

    X, y = np.arange(6.0)[:, None], np.array([-1, -1, -1, 1, 1, 1])
    model = quietly(lambda: BoostByMajorityClassifier(learn, n_estimators=5, gamma=0.05).fit(X, y))
    assert "silent" in model.certify(X, y)[0].note


@pytest.mark.parametrize("value", [0, 0.5, 1.5, -0.1, math.nan, None, "0.1", True])
def test_gamma_out_of_range(value: Any) -> None:
    with pytest.raises((ValueError, TypeError), match=r"gamma=.*above 0 and below 0.5"):
        BoostByMajorityClassifier(gamma=value).fit(*noisy(1))


def test_votes_are_equal() -> None:
    with pytest.raises(ValueError, match=r"learning_rate=0.5 is not allowed: every rule has one"):
        BoostByMajorityClassifier(learning_rate=0.5).fit(*noisy(1))
    X, y = noisy(3)
    model = quietly(lambda: BoostByMajorityClassifier(n_estimators=7).fit(X, y))
    assert set(model.estimator_weights_) == {1.0}
    assert model.decision_function(X) == pytest.approx(np.rint(model.decision_function(X)))
    odds = np.log(model.predict_proba(X)[:, 1] / model.predict_proba(X)[:, 0])
    assert odds == pytest.approx(model.decision_function(X) * math.log(0.6 / 0.4))
