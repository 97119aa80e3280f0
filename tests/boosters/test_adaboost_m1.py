"""AdaBoost.M1 against golden cases and its twin."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris

import weaklearn as wl
from tests.boosters.multiclass import labelled, outcome, problems, quietly, sides
from tests.golden import case, load, names, tolerance
from tests.reference.adaboost import adaboost, adaboost_m1
from tests.samples import sample_of
from weaklearn import AdaBoostClassifier, AdaBoostM1Classifier, BoostingWarning
from weaklearn.base import Stop
from weaklearn.boosters import AdaBoost, AdaBoostM1
from weaklearn.learners.stump import StumpLearner

quick = settings(deadline=None, max_examples=50)
# Small random tables often hold nothing but constants.
pytestmark = pytest.mark.filterwarnings("ignore:every column of X is constant")


def model_of(n_estimators: int, **options: Any) -> AdaBoostClassifier:
    return AdaBoostClassifier(n_estimators=n_estimators, multiclass="m1", **options)


GOLDEN = [name for name in names("multiclass_ranking") if name.startswith("adaboost_m1")]


@pytest.mark.parametrize("made", [model_of, AdaBoostM1Classifier], ids=["m1", "of its own"])
@pytest.mark.parametrize("name", GOLDEN)
def test_golden(name: str, made: Any) -> None:
    golden = case("multiclass_ranking", name)
    given, expected = golden["input"], golden["expected"]
    close = tolerance("multiclass_ranking")
    X, y = np.array(given["X"]), np.array(given["labels"])
    model = quietly(lambda: made(n_estimators=given["T"]).fit(X, y))
    assert model.n_iter_ == len(expected["rounds"])
    for t, row in enumerate(expected["rounds"]):
        h = model.ensemble_.members[t]
        assert (h.feature, h.threshold, h.low, h.high) == (
            row["feature"],
            row["threshold"],
            row["left"],
            row["right"],
        )
        assert model.history_["epsilon"][t] == pytest.approx(row["eps"], **close)
        assert model.estimator_weights_[t] == pytest.approx(row["alpha"], **close)
    assert model.predict(X).tolist() == expected["predictions"]


@quick
@given(problems())
def test_every_round_as_the_definition_has_it(problem: Any) -> None:
    X, codes, K, weights = problem
    exact = adaboost_m1(X, codes, 8, K, D1=weights)
    watched = list(wl.rounds(model_of(8), X, codes, weights))
    assert len(watched) == len(exact["rounds"])
    for r, row in zip(watched, exact["rounds"], strict=True):
        assert r.D == pytest.approx(row["D"].astype(float), rel=1e-10)
        assert r.epsilon == pytest.approx(float(row["eps"]), abs=1e-12)
        assert r.alpha == pytest.approx(row["alpha"], rel=1e-9, abs=1e-11)
        if r.h is not None:
            assert sides(r.h.stump_) == outcome(row["stump"])
    model = quietly(lambda: model_of(8).fit(X, codes, weights))
    assert model.n_iter_ == len(exact["members"])
    assert model.decision_function(X) == pytest.approx(exact["F"], abs=1e-9)
    if len(exact["members"]):
        assert model.margins(X, codes) == pytest.approx(exact["margins"], abs=1e-9)
    # The training error is at most the product of 2 sqrt(epsilon (1 - epsilon)).
    members = model.estimator_errors_
    bound = math.prod(2 * math.sqrt(e * (1 - e)) for e in members)
    D = np.ones(len(codes)) if weights is None else np.array(weights, float)
    assert np.average(model.predict(X) != codes, weights=D) <= bound + 1e-9 or model.n_iter_ == 0


def test_two_classes_are_adaboost() -> None:
    X, y = wl.datasets.toy()
    exact = adaboost(X, np.asarray(y), 5)
    binary, classes = sample_of(X, y), labelled(X, (np.asarray(y) > 0).astype(int), 2)
    runs = []
    for sample, booster in ((binary, AdaBoost()), (classes, AdaBoostM1())):
        learn, state, metrics = StumpLearner().bind(sample), booster.begin(sample), []
        for _ in range(5):
            state, played = booster.round(sample, learn, state)
            metrics.append(
                (played.metrics["epsilon"], played.metrics["alpha"], played.metrics["Z"])
            )
        F = state.ensemble(sample)
        runs.append((metrics, state.D.array, F if F.ndim == 1 else F[:, 1] - F[:, 0]))
    for a, b in zip(*runs, strict=True):
        assert np.asarray(a) == pytest.approx(np.asarray(b), rel=1e-12)
    assert runs[0][2] == pytest.approx(exact["F"])


def test_weak_learners_may_fail_at_once() -> None:
    """With many classes a stump errs more often than not."""
    X, y = np.arange(12.0)[:, None], np.arange(12) % 6
    with pytest.warns(BoostingWarning, match="chance"):
        model = model_of(5).fit(X, y)
    assert (model.n_iter_, model.predict(X).tolist()) == (0, [0] * 12)
    assert model.stop_reason_ in (str(Stop.WORSE), str(Stop.NO_EDGE))


def test_a_perfect_stump_is_kept_alone() -> None:
    X, y = [[0.0], [1.0], [np.nan]], ["a", "b", "c"]
    model = model_of(5).fit(X, y)
    assert (model.n_iter_, model.predict(X).tolist()) == (1, y)
    assert model.decision_function(X).tolist() == np.eye(3).tolist()
    assert model.stop_reason_ == str(Stop.PERFECT)


@given(st.floats(0.1, 2.0))
@settings(deadline=None, max_examples=10)
def test_learning_rate_scales_votes(rate: float) -> None:
    X, y = (
        np.array(load("multiclass_ranking")[0]["input"]["X"]),
        (np.array(load("multiclass_ranking")[0]["input"]["labels"])),
    )
    first = next(wl.rounds(model_of(1, learning_rate=rate), X, y))
    assert first.alpha == pytest.approx(rate * 0.5 * math.log((1 - first.epsilon) / first.epsilon))
    _, second = wl.rounds(model_of(2, learning_rate=rate), X, y)
    wrong = first.h.predict(X) != y
    reweighted = np.where(wrong, np.exp(first.alpha), np.exp(-first.alpha))
    assert first.Z == pytest.approx(reweighted.mean())
    assert second.D == pytest.approx(reweighted / reweighted.sum())


def test_the_estimator_of_its_own() -> None:
    X, y = load_iris(return_X_y=True)
    own = AdaBoostM1Classifier(n_estimators=15).fit(X, y)
    other = model_of(15).fit(X, y)
    assert own.decision_function(X).tobytes() == other.decision_function(X).tobytes()
    assert own.predict_proba(X).tobytes() == other.predict_proba(X).tobytes()
    assert own.history_ == other.history_
    assert [c.id for c in own.certify(X, y).training] == ["m1-train"]
    two = AdaBoostM1Classifier(n_estimators=15).fit(X, y == 1)
    plain = AdaBoostClassifier(n_estimators=15, on_half="stop").fit(X, y == 1)
    assert two.decision_function(X).tobytes() == plain.decision_function(X).tobytes()
    assert two.history_ == plain.history_
    assert "multiclass" not in own.get_params()


def test_a_rule_worse_than_chance_ends_the_run_of_two_classes() -> None:
    def stubborn(X: Any, y: Any, D: Any) -> Any:
        return lambda X: np.ones(len(X))  # wrong on three of four

    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 0, 1]
    with pytest.warns(BoostingWarning, match="worse than chance"):
        model = AdaBoostM1Classifier(stubborn, n_estimators=5).fit(X, y)
    assert (model.n_iter_, model.stop_reason_) == (0, str(Stop.WORSE))


@pytest.mark.parametrize(
    ("name", "value"), [("on_perfect", "loop"), ("learning_rate", 0), ("resample", 3)]
)
def test_parameters_that_are_refused(name: str, value: Any) -> None:
    X, y = load_iris(return_X_y=True)
    with pytest.raises((TypeError, ValueError), match=name):
        AdaBoostM1Classifier(**{name: value}).fit(X, y)
