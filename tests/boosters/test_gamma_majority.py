"""The plain majority for a known edge, and the constant step: definition, golden runs, promises."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.boosters.binary import noisy, played
from tests.boosters.promises import LEARNERS, answers, problems, quietly, shares
from tests.golden import Case, load, names, tolerance
from tests.samples import sample_of
from weaklearn import AlphaBoostClassifier, BoostingWarning, GammaMajorityClassifier, datasets
from weaklearn.boosters import AlphaBoost, GammaMajority
from weaklearn.losses.links import step_of
from weaklearn.testing import AdversaryLearner, NoisyLearner
from weaklearn.theory import bounds

quick = settings(deadline=None, max_examples=40)
pytestmark = pytest.mark.filterwarnings("ignore:every column of X is constant")


def rule(h: Any, x: Any) -> Any:
    return np.where(x > h["threshold"], h["polarity"], -h["polarity"])


@pytest.mark.parametrize("made", [GammaMajorityClassifier, AlphaBoostClassifier])
@pytest.mark.parametrize("golden", load("gamma_boost"), ids=names("gamma_boost"))
def test_golden(golden: Case, made: Any) -> None:
    given, expected = golden["input"], golden["expected"]
    close = tolerance("gamma_boost")
    X, y, T, gamma = np.array(given["X"]), np.array(given["y"]), given["T"], given["gamma"]
    model = quietly(lambda: made(n_estimators=T, gamma=gamma).fit(X, y))
    assert model.n_iter_ == T
    total = Fraction(len(y))
    for t, row in enumerate(expected["rounds"]):
        h = model.estimators_[t]
        found = {"feature": h.feature_, "threshold": h.threshold_, "polarity": h.polarity_}
        x, z = X[:, row["stump"]["feature"]], X[:, found["feature"]]
        assert (rule(found, z) == rule(row["stump"], x)).all()
        total, wrong = (Fraction(row[key]) for key in ("total_exact", "misclassified_weight_exact"))
        assert model.history_["epsilon"][t] == pytest.approx(float(wrong / total), **close)
        grown = len(y) * math.prod(model.history_["Z"][:t]) * math.exp(t * step_of(gamma))
        assert grown == pytest.approx(float(total), **close)
    grown = len(y) * math.prod(model.history_["Z"]) * math.exp(T * step_of(gamma))
    assert grown == pytest.approx(expected["total_end"], **close)
    assert grown <= expected["total_upper_bound"]
    assert expected["total_upper_bound"] == pytest.approx(len(y) * (1 + 2 * gamma) ** T, **close)
    votes = np.rint(model.decision_function(X) / model.estimator_weights_[0]).astype(int)
    assert votes.tolist() == (np.array(expected["votes"])).tolist()
    wrong_rows = np.flatnonzero(model.predict(X) != y).tolist()
    assert wrong_rows == expected["final_misclassified_rows"]
    product = bounds.gamma_boost_mistakes_product(len(y), gamma, T)
    assert product == pytest.approx(expected["bound_product"], **close)
    kept = (model.history_["gamma"] >= gamma - 1e-12).all()
    bound = model.certify(X, y)[0]
    assert bound.id == "gamma-majority"
    assert (bound.bound is not None) == kept
    if kept:
        assert bound.bound == pytest.approx(product / len(y))


@quick
@given(problems(), st.sampled_from([0.05, 0.2, 0.45]), st.sampled_from(LEARNERS))
def test_every_round_as_the_definition_has_it(problem: Any, gamma: float, learner: Any) -> None:
    X, y, w = problem
    model = GammaMajorityClassifier(learner, n_estimators=9, gamma=gamma)
    quietly(lambda: model.fit(X, y, sample_weight=w))
    D_1, weight, s = shares(len(y), w), np.ones(len(y)), np.zeros(len(y))
    history = model.history_
    for t, h in enumerate(answers(model, X, y, w)):
        D = D_1 * weight / (D_1 @ weight)
        assert history["epsilon"][t] == pytest.approx(D @ (h != y), abs=1e-12)
        assert history["r"][t] == pytest.approx(D @ (y * h), abs=1e-12)
        weight = np.where(h != y, weight * (0.5 + gamma) / (0.5 - gamma), weight)
        s += y * h
        wrong = np.where(s == 0, y > 0, s < 0)  # sign(0) = -1
        counts = np.ones(len(y)) if w is None or w.dtype.kind == "f" else w
        assert history["train_error"][t] == pytest.approx(np.average(wrong, weights=counts))
        assert history["margin_min"][t] == pytest.approx(s.min() / (t + 1))
        assert history["alpha"][t] == 1
    # What the theorem says, of whatever the learner did.
    T = model.n_iter_
    if T:
        first, product = model.certify(X, y, sample_weight=w).training
        assert product.holds
        assert first.holds is (True if (history["gamma"][:T] >= gamma - 1e-12).all() else None)
        assert D_1 @ weight <= (1 + 2 * gamma) ** T * (1 + 1e-9) or first.holds is None


@quick
@given(problems(), st.sampled_from([0.05, 0.2]), st.sampled_from(LEARNERS))
def test_a_constant_step_finds_the_same_hypotheses(
    problem: Any, gamma: float, learner: Any
) -> None:
    X, y, w = problem
    majority = GammaMajorityClassifier(learner, n_estimators=8, gamma=gamma)
    step = AlphaBoostClassifier(learner, n_estimators=8, gamma=gamma)
    for model in (majority, step):
        quietly(lambda model=model: model.fit(X, y, sample_weight=w))
    a = step_of(gamma)
    assert list(step.history_) == list(majority.history_)
    for name in set(step.history_) - {"alpha"}:
        assert step.history_[name].tobytes() == majority.history_[name].tobytes()
    assert [h.tolist() for h in answers(step, X, y, w)] == [
        h.tolist() for h in answers(majority, X, y, w)
    ]
    assert (step.estimator_weights_ == a).all()
    assert step.decision_function(X) == pytest.approx(a * majority.decision_function(X))
    assert step.predict_proba(X) == pytest.approx(majority.predict_proba(X))
    alpha = quietly(lambda: AlphaBoostClassifier(learner, n_estimators=8, alpha=a).fit(X, y, w))
    assert alpha.decision_function(X).tobytes() == step.decision_function(X).tobytes()


def test_weights_are_exponential_in_the_margin() -> None:
    sample = sample_of(*noisy(3))
    run = played(AlphaBoost(0.3), sample, 7)
    s = sample.y * sum(np.asarray(h(sample)) for h in run.state.ensemble.members)
    w = np.exp(-0.3 * s)
    assert run.state.D.array == pytest.approx(w / w.sum(), rel=1e-9)
    assert np.array_equal(run.state.yF, s)


def test_no_mistake_once_there_are_rounds_enough() -> None:
    X, y = datasets.toy()  # the stumps have the edge 1/6 whatever the weights
    T = bounds.rounds_exp_gt(10, 1 / 6)
    for learner in (None, AdversaryLearner(1 / 6)):
        model = GammaMajorityClassifier(learner, n_estimators=T, gamma=1 / 6).fit(X, y)
        assert model.score(X, y) == 1
        assert [c.verdict for c in model.certify(X, y).training] == ["holds", "holds"]
    assert AlphaBoostClassifier(n_estimators=T, gamma=1 / 6).fit(X, y).margins(X, y).min() > 0


def test_small_steps_approach_the_largest_margin() -> None:
    X, y = datasets.toy()
    margins = [
        AlphaBoostClassifier(n_estimators=n, alpha=a).fit(X, y).margins(X, y).min()
        for n, a in ((30, 0.5), (3000, 0.01))
    ]
    assert margins[0] < margins[1] <= 1 / 3 + 1e-9
    assert margins[1] > 0.33


def test_independent_errors_obey_hoeffding() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 1)), rng.choice([-1, 1], 400)
    noisy_learner = NoisyLearner(gamma=0.2, random_state=4)
    model = quietly(lambda: GammaMajorityClassifier(noisy_learner, n_estimators=25).fit(X, y))
    assert 1 - model.score(X, y) <= bounds.hoeffding_one_sided(25, 0.2)


# ---------------------------------------------------------------------------------------- promises


def test_a_broken_promise_is_told_once() -> None:
    X, y = noisy(5, m=40)
    with pytest.warns(BoostingWarning) as caught:
        model = GammaMajorityClassifier(n_estimators=15, gamma=0.4).fit(X, y)
    assert len(caught) == 1
    first = int(np.argmax(model.history_["gamma"] < 0.4)) + 1
    edge = model.history_["gamma"][first - 1]
    words = str(caught[0].message)
    assert f"broke its promise in round {first}: its edge is {edge:.4g}" in words
    assert "gamma=0.4 was promised" in words
    assert "void" in words
    assert model.n_iter_ == 15  # it goes on
    void = model.certify(X, y)[0]
    assert (void.holds, void.bound) == (None, None)
    assert (
        f"does not apply: the learner promised the edge 0.4 and broke the promise in round {first}"
        in void.note
    )
    assert model.certify(X, y)[1].holds


def test_a_resumed_run_does_not_tell_again(recwarn: Any) -> None:
    X, y = noisy(5, m=40)
    model = GammaMajorityClassifier(n_estimators=6, gamma=0.4, warm_start=True).fit(X, y)
    assert len(recwarn) == 1
    recwarn.clear()
    model.set_params(n_estimators=12).fit(X, y)
    assert len(recwarn) == 0
    straight = GammaMajorityClassifier(n_estimators=12, gamma=0.4).fit(X, y)
    assert model.decision_function(X).tobytes() == straight.decision_function(X).tobytes()
    assert model.history_ == straight.history_


def test_no_promise_no_warning(recwarn: Any) -> None:
    X, y = noisy(5, m=40)
    model = AlphaBoostClassifier(n_estimators=20, alpha=0.8).fit(X, y)
    AlphaBoostClassifier(n_estimators=20).fit(X, y)
    assert len(recwarn) == 0
    assert [c.id for c in model.certify(X, y).training] == ["alpha-train"]
    assert model.certify(X, y)[0].holds


def test_an_even_vote_may_be_a_tie() -> None:
    X = np.array([[0.0], [1.0], [2.0]])
    y = np.array([1, -1, 1])
    model = quietly(lambda: GammaMajorityClassifier(n_estimators=2, gamma=0.3).fit(X, y))
    F = model.decision_function(X)
    assert (F == 0).any()
    assert model.predict(X).tolist() == np.where(F > 0, 1, -1).tolist()
    certificate = model.certify(X, y)[0]
    if certificate.holds is not None:
        assert certificate.observed == pytest.approx(np.mean(y * F <= 0))


def test_thousands_of_rounds_stay_exact() -> None:
    sample = sample_of(*datasets.toy())
    run = played(GammaMajority(1 / 6), sample, 3000)
    assert run.state.yF.min() >= 1
    assert np.isfinite(run.state.D.array).all()
    assert (run.history["gamma"] >= 1 / 6 - 1e-9).all()
    assert run.state.kept


def test_resampling_asks_for_the_promised_edge() -> None:
    X, y = noisy(5, m=40)
    learner = GammaMajorityClassifier(gamma=0.07, resample=True)._make_learner(0, None)
    assert learner.gamma == 0.07
    own = GammaMajorityClassifier(gamma=0.07, resample={"gamma": 0.02, "on_failure": "stop"})
    assert own._make_learner(0, None).gamma == 0.02
    model = quietly(lambda: own.set_params(n_estimators=5).fit(X, y))
    assert (model.history_["gamma"] >= 0.02).all()


# --------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize("made", [GammaMajorityClassifier, AlphaBoostClassifier])
@pytest.mark.parametrize("value", [0, 0.5, 0.7, -0.1, math.nan, math.inf, "0.1", True, [0.1]])
def test_gamma_out_of_range(made: Any, value: Any) -> None:
    with pytest.raises((ValueError, TypeError), match=r"gamma=.*above 0 and below 0.5"):
        made(gamma=value).fit(*noisy(1))


@pytest.mark.parametrize("value", [0, -1, math.nan, math.inf, "1", True])
def test_alpha_out_of_range(value: Any) -> None:
    with pytest.raises((ValueError, TypeError), match=r"alpha=.*above 0 and at most"):
        AlphaBoostClassifier(alpha=value).fit(*noisy(1))


def test_what_contradicts() -> None:
    with pytest.raises(ValueError, match=r"alpha=0.1 and gamma=0.1 are both given"):
        AlphaBoostClassifier(alpha=0.1, gamma=0.1).fit(*noisy(1))
    for model in (
        GammaMajorityClassifier(learning_rate=0.5),
        AlphaBoostClassifier(learning_rate=2),
    ):
        with pytest.raises(ValueError, match=r"learning_rate=.*must be 1"):
            model.fit(*noisy(1))
    with pytest.raises(TypeError, match=r"gamma=None"):
        GammaMajorityClassifier(gamma=None).fit(*noisy(1))
    with pytest.raises(ValueError, match="resample"):
        GammaMajorityClassifier(resample={"gammma": 0.1}).fit(*noisy(1))


def test_wild_steps_do_not_overflow() -> None:
    X, y = noisy(2)
    for alpha in (1e-300, 300.0, 1e6):
        model = AlphaBoostClassifier(n_estimators=5, alpha=alpha).fit(X, y)
        assert np.isfinite(model.predict_proba(X)).all()
