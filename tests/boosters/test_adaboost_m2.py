"""AdaBoost.M2 against its definition, its guarantee, and the game of two classes."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits, load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

import weaklearn as wl
from tests.boosters.multiclass import problems, quietly
from tests.samples import sample_of
from weaklearn import AdaBoostClassifier, AdaBoostM2Classifier, BoostingWarning
from weaklearn.base import Form, Hypothesis, Stop
from weaklearn.base.votes.label_scores import LabelSum, label_shares
from weaklearn.boosters import AdaBoostM2, RealAdaBoost
from weaklearn.learners.stump import StumpLearner

quick = settings(deadline=None, max_examples=50)
pytestmark = pytest.mark.filterwarnings("ignore::weaklearn.DataWarning")


def twin(codes: Any, K: int, tables: list[Any], D1: Any = None, rate: float = 1.0) -> Any:
    """The game in plain numpy: h_t are given as tables of (m, K) numbers."""
    m = len(codes)
    own, wrong = np.arange(m), np.arange(K) != codes[:, None]
    D = np.where(wrong, (np.full(m, 1 / m) if D1 is None else D1)[:, None] / (K - 1), 0.0)
    F, rounds = np.zeros((m, K)), []
    for h in tables:
        lead = h[own, codes][:, None] - h
        e = 0.5 * float((D * (1 - lead)).sum())
        row = {"D": D, "epsilon": e, "F": F}
        rounds.append(row)
        if e >= 0.5 - 1e-12 or e == 0:
            break
        b = (e / (1 - e)) ** rate
        row["alpha"] = log(1 / b)
        row["Z"] = float((D * np.exp(-row["alpha"] / 2 * lead)).sum())
        D = D * b ** ((1 + lead) / 2)
        D /= D.sum()
        F = F + row["alpha"] * h
        row["F"] = F
    return rounds


@dataclass(frozen=True, eq=False)
class Table(Hypothesis):
    """Answers for the rows of one sample, by their number in the only column."""

    shares_of_rows: Any

    def shares(self, rows: Any, n_classes: int = 0) -> Any:
        return self.shares_of_rows[rows.column(0).astype(int)]

    def __call__(self, rows: Any) -> Any:
        return self.shares(rows).argmax(axis=1)


@st.composite
def tables(draw: Any) -> tuple[Any, int, list[Any], Any]:
    """Labels of K classes, and some tables of plausibilities, mostly better than a guess."""
    K, m = draw(st.integers(2, 5)), draw(st.integers(5, 12))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    codes = rng.integers(0, K, m)
    codes[:K] = np.arange(K)
    lift = draw(st.floats(0.0, 0.6))
    found = []
    for _ in range(draw(st.integers(1, 8))):
        h = rng.random((m, K)) if draw(st.booleans()) else rng.integers(0, 2, (m, K)).astype(float)
        h[np.arange(m), codes] = np.clip(h[np.arange(m), codes] + lift, 0, 1)
        found.append(h)
    weights = draw(st.sampled_from([None, rng.integers(1, 5, m), rng.random(m) + 0.1]))
    return codes, K, found, weights


def played(codes: Any, K: int, found: list[Any], weights: Any, **how: Any) -> Any:
    sample = sample_of(np.arange(len(codes), dtype=float)[:, None], codes, weights)
    booster, given = AdaBoostM2(**how), iter(found)
    state, rounds = booster.begin(sample), []
    for _ in found:
        state, done = booster.round(sample, lambda D, z, key: Table(next(given)), state)
        rounds.append((state, done))
        if done.stop is not None:
            break
    return sample, rounds


@quick
@given(tables(), st.sampled_from([1.0, 0.5]))
def test_every_round_as_the_definition_has_it(problem: Any, rate: float) -> None:
    codes, K, found, weights = problem
    D1 = None if weights is None else np.asarray(weights, float) / np.sum(weights)
    exact = twin(codes, K, found, D1, rate)
    sample, rounds = played(codes, K, found, weights, learning_rate=rate)
    assert len(rounds) == len(exact)
    for (state, done), row in zip(rounds, exact, strict=True):
        assert done.metrics["epsilon"] == pytest.approx(row["epsilon"], abs=1e-12)
        if "alpha" not in row:
            assert done.stop is not None
            continue
        assert done.metrics["alpha"] == pytest.approx(row["alpha"], rel=1e-9, abs=1e-11)
        assert done.metrics["Z"] == pytest.approx(row["Z"], rel=1e-10)
        assert state.F == pytest.approx(row["F"], rel=1e-9, abs=1e-9)
        wrong = row["F"].argmax(axis=1) != codes
        copies = np.ones(len(codes)) if sample.copies is None else sample.copies
        assert done.metrics["train_error"] == pytest.approx(copies[wrong].sum() / copies.sum())
    last = exact[-1]
    if "alpha" in last and len(exact) < len(found):
        raise AssertionError("the game ended too soon")


@quick
@given(tables())
def test_guarantee(problem: Any) -> None:
    """Error <= (K - 1) prod Z <= (K - 1) prod 2 sqrt(epsilon (1 - epsilon)), under any weights."""
    codes, K, found, weights = problem
    sample, rounds = played(codes, K, found, weights)
    kept = [done for _, done in rounds if done.stop is None]
    F, D1 = rounds[-1][0].F, sample.prior_shares
    own = F[np.arange(len(codes)), codes]
    beaten = np.where(np.arange(K) != codes[:, None], F, -np.inf).max(axis=1)
    error = float(D1[beaten >= own].sum())
    product = float(np.prod([done.metrics["Z"] for done in kept]))
    e = np.array([done.metrics["epsilon"] for done in kept])
    if kept:
        assert error <= (K - 1) * product + 1e-9
        assert product <= float(np.prod(2 * np.sqrt(e * (1 - e)))) + 1e-12


@quick
@given(problems())
def test_the_estimator_keeps_it_with_stumps(problem: Any) -> None:
    X, codes, K, weights = problem
    model = quietly(lambda: AdaBoostM2Classifier(n_estimators=6).fit(X, codes, weights))
    D = np.ones(len(codes)) if weights is None else np.array(weights, float)
    e = model.estimator_errors_
    bound = (K - 1) * float(np.prod(2 * np.sqrt(e * (1 - e))))
    error = np.average(model.predict(X) != codes, weights=D)
    assert error <= bound + 1e-9
    for found in model.certify(X, codes, sample_weight=weights).training:
        if model.n_iter_:
            assert found.verdict in ("holds", "holds, says nothing")
            assert found.observed >= error - 1e-12


def test_two_classes_are_confidence_rated_adaboost() -> None:
    """h(x, 1) - h(x, 0) is a bounded confidence, and F(x, 1) - F(x, 0) twice its score."""
    rng = np.random.default_rng(4)
    m, codes = 30, np.arange(30) % 2
    found = [np.eye(2)[codes] * 0.2 + rng.random((m, 2)) * 0.8 for _ in range(5)]
    _, rounds = played(codes, 2, found, None)
    sample = sample_of(np.arange(m, dtype=float)[:, None], codes)
    bounded, given = RealAdaBoost(bounded=True), iter(found)
    state = bounded.begin(sample)
    for later, done in rounds:
        h = next(given)
        state, other = bounded.round(sample, lambda D, z, key, h=h: _Lead(h), state)
        assert other.metrics["alpha"] == pytest.approx(done.metrics["alpha"] / 2)
        assert other.metrics["Z"] == pytest.approx(done.metrics["Z"])
        assert later.D.array == pytest.approx(state.D.array)
        assert later.ensemble(sample) == pytest.approx(state.ensemble(sample))


@dataclass(frozen=True, eq=False)
class _Lead(Hypothesis):
    h: Any

    form = Form.BOUNDED

    def __call__(self, rows: Any) -> Any:
        lead: Any = (self.h[:, 1] - self.h[:, 0])[rows.column(0).astype(int)]
        return lead


def test_rules_that_name_a_class_play_adaboost_of_two() -> None:
    X, y = load_iris(return_X_y=True)
    sample = sample_of(X, y == 1)
    booster, learn = AdaBoostM2(), StumpLearner().bind(sample)
    state, votes = booster.begin(sample), []
    for _ in range(8):
        state, done = booster.round(sample, learn, state)
        votes.append(done.metrics["alpha"] / 2)
    plain = AdaBoostClassifier(n_estimators=8).fit(X, y == 1)
    assert votes == pytest.approx(plain.estimator_weights_)
    assert state.ensemble(sample) == pytest.approx(plain.decision_function(X))


def test_other_names_permute_predictions() -> None:
    X, codes = load_iris(return_X_y=True)
    names = np.array(["rose", "iris", "aster"])
    plain = AdaBoostM2Classifier(n_estimators=15).fit(X, codes)
    named = AdaBoostM2Classifier(n_estimators=15).fit(X, names[codes])
    order = np.argsort(names)
    assert named.decision_function(X) == pytest.approx(plain.decision_function(X)[:, order])
    assert (named.predict(X) == names[plain.predict(X)]).all()


def test_weak_rules_that_m1_has_no_use_for() -> None:
    X, y = load_digits(return_X_y=True)
    with pytest.warns(BoostingWarning, match="chance"):
        assert wl.AdaBoostM1Classifier(n_estimators=30).fit(X, y).n_iter_ == 0
    model = AdaBoostM2Classifier(n_estimators=30).fit(X, y)
    assert model.n_iter_ == 30
    assert model.score(X, y) > 0.4
    assert (model.history_["epsilon"] < 0.5).all()


def test_reached_by_adaboost() -> None:
    X, y = load_iris(return_X_y=True)
    for how in ({}, {"estimator": "tree"}, {"on_perfect": "smooth", "learning_rate": 0.5}):
        one = AdaBoostClassifier(multiclass="m2", n_estimators=8, **how).fit(X, y)
        other = AdaBoostM2Classifier(n_estimators=8, **how).fit(X, y)
        assert one.decision_function(X).tobytes() == other.decision_function(X).tobytes()
        assert one.predict_proba(X).tobytes() == other.predict_proba(X).tobytes()
        assert one.history_ == other.history_
        assert str(one.certify(X, y)) == str(other.certify(X, y))
    two = AdaBoostClassifier(multiclass="m2", n_estimators=8).fit(X, y == 1)
    plain = AdaBoostClassifier(n_estimators=8).fit(X, y == 1)
    assert two.decision_function(X).tobytes() == plain.decision_function(X).tobytes()


def test_stumps_answer_with_the_shares_of_both_sides() -> None:
    X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "c"]
    model = AdaBoostM2Classifier(n_estimators=1).fit(X, y)
    (h,) = model.ensemble_.members
    sample = sample_of(X, y)
    assert label_shares(h, sample, 3).tolist() == [[1, 0, 0]] * 2 + [[0, 0.5, 0.5]] * 2
    assert model.history_["epsilon"] == pytest.approx([0.1875])  # 2/8 (1/4 + 1/2)
    assert model.estimators_[0].predict_proba(X).tolist() == label_shares(h, sample, 3).tolist()


@pytest.mark.parametrize(
    "learner", [GaussianNB(), LinearSVC(), KNeighborsClassifier(3)], ids=lambda e: type(e).__name__
)
def test_foreign_classifiers(learner: Any) -> None:
    """Probabilities where there are any, else the predicted class; redrawn without weights."""
    X, y = load_iris(return_X_y=True)
    model = quietly(lambda: AdaBoostM2Classifier(learner, n_estimators=5).fit(X, y))
    assert model.score(X, y) > 0.85
    first = model.ensemble_.members[0]
    sample = sample_of(X, y)
    h = label_shares(first, sample, 3)
    if hasattr(learner, "predict_proba"):
        assert h.tobytes() == model.estimators_[0].predict_proba(X).tobytes()
    else:
        assert (h == np.eye(3)[model.estimators_[0].predict(X)]).all()
    assert list(model.staged_predict(X))[-1].tolist() == model.predict(X).tolist()


def test_functions_answer_with_classes_or_with_numbers() -> None:
    X, y = load_iris(return_X_y=True)

    def near(X: Any, y: Any, D: Any) -> Any:
        centres = np.array([np.average(X[y == k], axis=0, weights=D[y == k]) for k in range(3)])

        def closeness(X: Any) -> Any:
            return np.exp(-(((X[:, None] - centres) ** 2).sum(axis=2)))

        return closeness

    model = AdaBoostM2Classifier(near, n_estimators=5).fit(X, y)
    assert model.score(X, y) > 0.9

    def naming(X: Any, y: Any, D: Any) -> Any:
        closeness = near(X, y, D)
        return lambda X: closeness(X).argmax(axis=1)

    assert AdaBoostM2Classifier(naming, n_estimators=3).fit(X, y).score(X, y) > 0.9
    for answer, words in (
        (lambda X: np.full((len(X), 3), 1.5), "from 0 to 1"),
        (lambda X: np.full((len(X), 3), np.nan), "from 0 to 1"),
        (lambda X: np.zeros((len(X), 2)), "150 rows and 3 classes"),
        (lambda X: np.zeros((len(X) - 1, 3)), "150 rows and 3 classes"),
    ):
        with pytest.raises(ValueError, match=words) as caught:
            AdaBoostM2Classifier(lambda X, y, D, answer=answer: answer).fit(X, y)
        assert "in round 1" in caught.value.__notes__[-1]


class _Odd(GaussianNB):
    def predict_proba(self, X: Any) -> Any:
        return super().predict_proba(X) * 2


def test_probabilities_outside_their_range_are_refused() -> None:
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=r"_Odd gave the probabilities .* from 0 to 1"):
        AdaBoostM2Classifier(_Odd()).fit(X, y)


def test_no_edge_and_no_error() -> None:
    codes = np.array([0, 1, 2, 0])
    _, rounds = played(codes, 3, [np.full((4, 3), 0.3)], None)
    assert rounds[0][1].stop is Stop.NO_EDGE
    _, rounds = played(codes, 3, [np.eye(3)[(codes + 1) % 3]], None)
    assert rounds[0][1].stop is Stop.WORSE
    sample, rounds = played(codes, 3, [np.eye(3)[codes] * 0.5, np.eye(3)[codes]], None)
    state, done = rounds[-1]
    assert (done.stop, done.metrics["alpha"], len(state.ensemble)) == (Stop.PERFECT, np.inf, 1)
    assert state.ensemble(sample).tolist() == np.eye(3)[codes].tolist()
    _, rounds = played(codes, 3, [np.eye(3)[codes]] * 2, None, on_perfect="smooth")
    assert [done.stop for _, done in rounds] == [None, None]
    assert rounds[0][1].metrics["alpha"] == pytest.approx(log((1 - 0.1) / 0.1))


def test_wild_rates_collapse_nothing() -> None:
    """Where all weight is on one mislabel, being right there is not being right."""
    X, y = load_iris(return_X_y=True)
    model = AdaBoostM2Classifier(n_estimators=30, learning_rate=1e6).fit(X, y)
    assert np.isfinite(model.decision_function(X)).all()
    assert model.stop_reason_ != str(Stop.PERFECT)


def test_packed_staged_and_member_by_member_have_the_same_bits() -> None:
    rng = np.random.default_rng(0)
    X, y = load_iris(return_X_y=True)
    X[rng.random(X.shape) < 0.1] = np.nan
    for target in (y, y == 2):
        model = AdaBoostM2Classifier(n_estimators=7).fit(X, target)
        *_, last = model.staged_decision_function(X)
        assert last.tobytes() == model.decision_function(X).tobytes()
        assert isinstance(model.ensemble_, LabelSum)
        again = AdaBoostM2Classifier(n_estimators=3, warm_start=True).fit(X, target)
        again.set_params(n_estimators=7).fit(X, target)
        assert again.fingerprint() == model.fingerprint()


def test_early_stopping_scores_as_predictions_do() -> None:
    X, y = load_iris(return_X_y=True)
    model = AdaBoostM2Classifier(n_estimators=12)
    model.fit(X[::2], y[::2], X_val=X[1::2], y_val=y[1::2])
    scores = [np.mean(labels == y[1::2]) for labels in model.staged_predict(X[1::2])]
    assert model.validation_scores_ == pytest.approx(scores)


def test_certificates_that_do_not_apply() -> None:
    X, y = load_iris(return_X_y=True)
    slow = AdaBoostM2Classifier(n_estimators=5, learning_rate=0.5).fit(X, y)
    product, losses = slow.certify(X, y).training
    assert product.verdict.startswith("holds")
    assert "not the algorithm's own" in losses.verdict
    assert "not the rows of training" in slow.certify(X[1:], y[1:])[0].verdict
    weighted = AdaBoostM2Classifier(n_estimators=5).fit(X, y, np.linspace(0.1, 1, 150))
    assert "weights were given" in weighted.certify()[1].verdict


@pytest.mark.parametrize(
    ("name", "value"), [("on_perfect", "loop"), ("learning_rate", 0), ("resample", 3)]
)
def test_parameters_that_are_refused(name: str, value: Any) -> None:
    X, y = load_iris(return_X_y=True)
    with pytest.raises((TypeError, ValueError), match=name):
        AdaBoostM2Classifier(**{name: value}).fit(X, y)


def test_stumps_that_abstain_are_refused() -> None:
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="abstain"):
        AdaBoostM2Classifier(wl.DecisionStumpClassifier(missing="abstain")).fit(X, y)


@pytest.mark.filterwarnings("ignore::weaklearn.ThreadsWarning")
@pytest.mark.parametrize("K", [2, 3])
def test_neither_order_nor_threads_nor_copies_matter(K: int) -> None:
    rng = np.random.default_rng(6)
    X = np.round(rng.normal(size=(400, 4)), 1)
    y = np.digitize(X[:, 0] + 0.3 * rng.normal(size=400), [0.0, 0.8][: K - 1])
    X[rng.random(X.shape) < 0.1] = np.nan
    known = AdaBoostM2Classifier(n_estimators=10, n_jobs=1).fit(X, y).fingerprint()
    order = rng.permutation(400)
    model = AdaBoostM2Classifier(n_estimators=10, n_jobs=2).fit(X[order], y[order])
    assert model.fingerprint() == known
    copies = rng.integers(1, 4, 400)
    rows = np.repeat(np.arange(400), copies)
    weighted = AdaBoostM2Classifier(n_estimators=10).fit(X, y, copies)
    repeated = AdaBoostM2Classifier(n_estimators=10).fit(X[rows], y[rows])
    assert weighted.fingerprint() == repeated.fingerprint()
    importance = rng.random(400)
    one = AdaBoostM2Classifier(n_estimators=10).fit(X, y, importance)
    other = AdaBoostM2Classifier(n_estimators=10).fit(X[order], y[order], 4 * importance[order])
    assert one.fingerprint() == other.fingerprint()
