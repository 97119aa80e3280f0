"""RealAdaBoostClassifier as a user meets it."""

from __future__ import annotations

import pickle
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.tree import DecisionTreeClassifier as ForeignTree
from sklearn.tree import DecisionTreeRegressor as ForeignRegressor

from tests import golden
from weaklearn import (
    AdaBoostClassifier,
    DecisionStumpClassifier,
    DecisionTreeClassifier,
    RealAdaBoostClassifier,
    load,
)
from weaklearn.datasets import toy

CASES = [name for name in golden.names("boosters") if name.startswith("confidence_rated")]


def two(m: int = 150, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, 3))
    return X, np.where(X[:, 0] + X[:, 1] + 0.5 * rng.normal(size=m) > 0, "yes", "no")


def column(j: int, X: Any) -> Any:
    return X[:, j]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("given", [True, False])
def test_golden(name: str, given: bool) -> None:
    case, close = golden.case("boosters", name), golden.tolerance("boosters")
    told, expected = case["input"], case["expected"]
    X, smoothing = np.array(told["X"]), told["smoothing"] if given else None
    model = RealAdaBoostClassifier(n_estimators=told["T"], smoothing=smoothing).fit(X, told["y"])
    for t, wanted in enumerate(expected["rounds"]):
        tree = model.ensemble_.members[t].tree
        assert (tree.feature[0], tree.threshold[0]) == (wanted["feature"], wanted["threshold"])
        left, right = tree.values[tree.value[1:3], 0]
        assert (left, right) == pytest.approx((wanted["c_left"], wanted["c_right"]), **close)
        assert model.history_["Z"][t] == pytest.approx(wanted["Z"], **close)
        assert model.history_["Z_criterion"][t] == pytest.approx(wanted["Z_criterion"], **close)
    assert model.decision_function(X) == pytest.approx(expected["F"], **close)
    assert model.estimator_weights_.tolist() == [1.0] * told["T"]


@pytest.mark.parametrize(
    "estimator",
    [
        None,
        "tree",
        DecisionStumpClassifier(),
        DecisionTreeClassifier(max_depth=2),
        ForeignTree(max_depth=1),
        ForeignRegressor(max_depth=1),
        LogisticRegression(),
        lambda X, y, D: partial(column, np.abs((D * y) @ X).argmax()),
    ],
    ids=["stump", "tree", "native stump", "native", "skl", "regressor", "logistic", "function"],
)
def test_every_learner(estimator: Any) -> None:
    X, y = two()
    model = RealAdaBoostClassifier(estimator, n_estimators=15).fit(X, y)
    assert model.score(X, y) > 0.85
    assert (model.history_["Z"] < 1).all()
    proba = model.predict_proba(X)
    assert proba[:, 1] == pytest.approx(1 / (1 + np.exp(-2 * model.decision_function(X))))
    signs = np.where(y == "yes", 1, -1)
    cost = np.mean(np.exp(-signs * model.decision_function(X)))
    assert cost == pytest.approx(np.prod(model.history_["Z"]), rel=1e-9)
    margins = model.margins(X, y)
    assert margins.min() == pytest.approx(model.history_["margin_min"][-1], rel=1e-9)
    again = pickle.loads(pickle.dumps(model)) if not callable(estimator) else model
    assert np.array_equal(again.decision_function(X), model.decision_function(X))


def test_the_product_of_Z_is_certified() -> None:
    X, y = two()
    (only,) = RealAdaBoostClassifier(n_estimators=10).fit(X, y).certify(X, y).training
    assert only.id == "ada-train"
    assert only.bound >= only.observed > 0


def test_confidence_pays_in_rounds() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    real, labels = (
        kind(n_estimators=30).fit(X, y) for kind in (RealAdaBoostClassifier, AdaBoostClassifier)
    )
    assert np.prod(real.history_["Z"]) < np.prod(labels.history_["Z"])
    assert cross_val_score(RealAdaBoostClassifier(n_estimators=30), X, y, cv=4).mean() > 0.94


def test_three_classes_one_against_the_rest() -> None:
    X, y = load_iris(return_X_y=True)
    model = RealAdaBoostClassifier("tree", n_estimators=10).fit(X, y)
    assert model.score(X, y) > 0.98
    assert model.predict_proba(X).sum(axis=1) == pytest.approx(1)
    assert {"Z", "alpha_0", "Z_criterion"} <= set(model.history_)


def test_rules_and_members_can_be_read() -> None:
    X, y = toy()
    model = RealAdaBoostClassifier(n_estimators=3).fit(X, y)
    assert len(model.estimators_) == 3
    first = model.ensemble_.members[0]
    assert model.estimators_[0].predict(X) == pytest.approx(first(model._rows(X)))
    rules = model.rules()
    assert "x[" in str(rules)
    assert rules.columns == ["round", "if", "then", "support", "vote"]
    assert all(value is not None for row in rules for value in row)
    assert "above 0 speaks for 1" in rules.note
    assert model.rules(2).rows == [row for row in rules if row[0] <= 2]
    assert model.feature_importances_.sum() == pytest.approx(1)


def test_stages_truncation_and_going_on() -> None:
    X, y = two()
    straight = RealAdaBoostClassifier(n_estimators=12).fit(X, y)
    half = RealAdaBoostClassifier(n_estimators=5, warm_start=True).fit(X, y)
    whole = half.set_params(n_estimators=12).fit(X, y)
    assert np.array_equal(whole.decision_function(X), straight.decision_function(X))
    assert whole.history_ == straight.history_
    stages = list(straight.staged_decision_function(X))
    assert np.array_equal(stages[-1], straight.decision_function(X))
    assert np.array_equal(stages[4], straight.truncate(5).decision_function(X))


def test_stumps_may_abstain_where_a_value_is_missing(tmp_path: Path) -> None:
    X, y = two()
    X = X.copy()
    X[np.random.default_rng(0).random(X.shape) < 0.3] = np.nan
    weak = DecisionStumpClassifier(missing="abstain")
    model = RealAdaBoostClassifier(weak, n_estimators=8).fit(X, y)
    for h in model.ensemble_.members:
        silent = np.isnan(X[:, h.tree.feature[0]])
        assert (h(model._rows(X))[silent] == 0).all()
    F, s = model.decision_function(X), np.where(y == model.classes_[1], 1, -1)
    assert np.mean(np.exp(-s * F)) == pytest.approx(np.prod(model.history_["Z"]))
    assert model.certify(X, y)[0].holds
    assert model.decision_function(np.full_like(X[:1], np.nan)).tolist() == [0.0]
    model.save(tmp_path / "m.weak")
    assert np.array_equal(load(tmp_path / "m.weak").decision_function(X), F)
    exact = RealAdaBoostClassifier(weak, n_estimators=3, smoothing=0).fit(X, y).history_
    assert exact["Z"] == pytest.approx(exact["Z_criterion"], rel=1e-9)


def test_pure_blocks_end_the_fit_or_are_smoothed(tmp_path: Path) -> None:
    X, y = np.arange(4.0)[:, None], np.array([0, 0, 1, 1])
    first = RealAdaBoostClassifier(n_estimators=3).fit(X, y)
    assert (first.n_iter_, first.history_["alpha"].tolist()) == (1, [np.inf])
    c = 0.5 * np.log((1 / 2 + 1 / 8) / (1 / 8))  # s = 1/(2m) keeps it finite
    model = RealAdaBoostClassifier(n_estimators=3, on_perfect="smooth").fit(X, y)
    assert model.n_iter_ == 3
    assert np.abs(model.decision_function(X)) == pytest.approx([3 * c] * 4)
    assert model.history_["Z"].tolist() == pytest.approx([np.exp(-c)] * 3)
    assert model.history_["train_error"].tolist() == [0.0] * 3
    assert model.certify(X, y)[0].holds
    model.save(tmp_path / "m.weak")
    assert load(tmp_path / "m.weak").get_params()["on_perfect"] == "smooth"
    # Labels and numbers count as if half an example were wrong.
    by_labels = RealAdaBoostClassifier(
        ForeignTree(max_depth=1), n_estimators=2, on_perfect="smooth"
    ).fit(X, y)
    assert by_labels.estimator_weights_[0] == pytest.approx(0.5 * np.log((1 + 1 / 8) / (1 / 8)))
    by_numbers = RealAdaBoostClassifier(
        lambda X, y, D: lambda X: np.where(X[:, 0] > 1.5, 2.0, -2.0),
        n_estimators=2,
        on_perfect="smooth",
    ).fit(X, y)
    half_as_large = by_labels.estimator_weights_[0] / 2
    assert by_numbers.estimator_weights_[0] == pytest.approx(half_as_large, rel=1e-6)


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"smoothing": -1}, ValueError, "smoothing=-1 is not allowed"),
        ({"smoothing": "a"}, TypeError, "smoothing='a' is not allowed"),
        ({"multiclass": "samme"}, ValueError, "multiclass='samme' is not allowed"),
        ({"on_perfect": "go on"}, ValueError, "on_perfect='go on' is not allowed"),
        ({"estimator": "rule"}, ValueError, "estimator='rule' is not allowed"),
        ({"learning_rate": None}, TypeError, "learning_rate=None is not allowed"),
    ],
    ids=str,
)
def test_parameters_that_are_refused(given: Any, error: Any, words: str) -> None:
    X, y = two()
    with pytest.raises(error, match=words):
        RealAdaBoostClassifier(**given).fit(X, y)
