"""One function that gives gradient and curvature, as objectives of other libraries do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from weaklearn import (
    AdditiveBoostingRegressor,
    AnyBoostClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
)
from weaklearn.testing import check_loss

RNG = np.random.default_rng(3)
X = RNG.normal(size=(240, 4)).round(1)
NUMBERS = X[:, 0] + np.abs(X[:, 1]) + 0.3 * RNG.normal(size=240)
CLASSES = np.where(X[:, 0] + 0.4 * RNG.normal(size=240) > 0, "yes", "no")


def cosh_objective(y: Any, F: Any) -> Any:
    return np.tanh(F - y), 1 - np.tanh(F - y) ** 2


def logistic_objective(y: Any, F: Any) -> Any:
    """As written for labels 0 and 1."""
    assert set(np.unique(y)) <= {0.0, 1.0}
    p = 1 / (1 + np.exp(-F))
    return p - y, p * (1 - p)


COSH = (lambda y, F: np.tanh(F - y), lambda y, F: 1 - np.tanh(F - y) ** 2)


@pytest.mark.parametrize("weight", [None, 1 + np.arange(240) % 3, 0.3 + np.arange(240) % 5])
@pytest.mark.parametrize("form", [tuple, list])
def test_an_objective_is_the_same_as_its_two_functions(form: Any, weight: Any) -> None:
    def objective(y: Any, F: Any) -> Any:
        return form(cosh_objective(y, F))

    one = GradientBoostingRegressor(objective, n_estimators=12).fit(X, NUMBERS, weight)
    two = GradientBoostingRegressor(COSH, n_estimators=12).fit(X, NUMBERS, weight)
    assert np.array_equal(one.predict(X), two.predict(X))


def test_an_objective_for_two_classes_gets_labels_0_and_1() -> None:
    def gradient(y: Any, F: Any) -> Any:
        return 1 / (1 + np.exp(-F)) - (y > 0)

    def curvature(y: Any, F: Any) -> Any:
        return 1 / (1 + np.exp(-F)) * (1 - 1 / (1 + np.exp(-F)))

    one = GradientBoostingClassifier(logistic_objective, n_estimators=12).fit(X, CLASSES)
    two = GradientBoostingClassifier((gradient, curvature), n_estimators=12).fit(X, CLASSES)
    assert np.array_equal(one.decision_function(X), two.decision_function(X))
    assert np.array_equal(one.predict_proba(X), two.predict_proba(X))
    assert one.score(X, CLASSES) > 0.85


def test_the_steps_are_those_of_newton() -> None:
    """One stump, by the definition: a leaf answers -G / C, of 0 as the first score."""
    how: dict[str, Any] = {"n_estimators": 1, "learning_rate": 1.0, "max_leaf_nodes": 2}
    model = GradientBoostingRegressor(
        cosh_objective, **how, subsample=1.0, max_features=1.0, l2_regularization=0.0
    ).fit(X, NUMBERS)
    g, c = cosh_objective(NUMBERS, np.zeros(240))
    found = model.predict(X)
    assert len(np.unique(found)) == 2
    for value in np.unique(found):
        leaf = found == value
        assert value == pytest.approx(-g[leaf].sum() / c[leaf].sum(), rel=1e-9)


def test_neither_order_nor_copies_nor_threads_matter() -> None:
    copies = 1 + np.arange(240) % 3
    order = RNG.permutation(np.repeat(np.arange(240), copies))
    for model, y in (
        (GradientBoostingRegressor(cosh_objective, n_estimators=8), NUMBERS),
        (GradientBoostingClassifier(logistic_objective, n_estimators=8), CLASSES),
    ):
        weighed = model.fit(X, y, copies).predict(X)
        assert np.array_equal(model.fit(X[order], y[order]).predict(X), weighed)
        model.set_params(n_jobs=1)
        assert np.array_equal(model.fit(X[order], y[order]).predict(X), weighed)


def test_the_function_is_called_once_a_round() -> None:
    calls = []

    def counted(y: Any, F: Any) -> Any:
        calls.append(len(F))
        return cosh_objective(y, F)

    GradientBoostingRegressor(counted, n_estimators=10).fit(X, NUMBERS)
    assert len(calls) < 20  # the rounds, the start, and doubts about the gradient


def test_scoring_judges_rounds_of_an_objective_and_a_value_may_stand_beside() -> None:
    model = GradientBoostingClassifier(logistic_objective, scoring="roc_auc").fit(X, CLASSES)
    assert model.n_iter_ > 1
    with pytest.raises(ValueError, match="tells no value"):
        GradientBoostingClassifier(logistic_objective).fit(X, CLASSES)

    def value(y: Any, F: Any) -> Any:
        return np.logaddexp(0, F) - y * F

    judged = GradientBoostingClassifier((logistic_objective, None, value)).fit(X, CLASSES)
    assert np.isfinite(judged.history_["loss"]).all()
    assert judged.history_["loss"][0] < np.log(2)


def test_other_models_take_objectives_too() -> None:
    glass = AdditiveBoostingRegressor(cosh_objective, n_estimators=20, n_bags=1).fit(X, NUMBERS)
    assert glass.score(X, NUMBERS) > 0.5
    votes = AnyBoostClassifier(loss=logistic_objective, n_estimators=10).fit(X, CLASSES)
    assert votes.score(X, CLASSES) > 0.8


def test_check_loss_compares_both() -> None:
    def wrong(y: Any, F: Any) -> Any:
        return F - y, 2 + 0 * F

    check_loss(cosh_objective)
    with pytest.raises(AssertionError, match="curvature of loss 'wrong' is 2"):
        check_loss(wrong)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda y, F: (F - y, np.ones(3)), "curvature of loss '<lambda>' .*3"),
        (lambda y, F: (F[:2], F), "gradient of loss '<lambda>' .*2"),
        (lambda y, F: (F - y, F * np.nan), "curvature of loss '<lambda>' returned nan"),
        (lambda y, F: (F - y, F, F), "gradient of loss '<lambda>'"),
        (lambda y, F: (F - y, np.full(len(F), -1.0)), "curvature"),
        (lambda y, F: 1 / 0, "gradient of loss '<lambda>' raised ZeroDivisionError"),
    ],
)
def test_a_wrong_objective_is_named(made: Any, words: str) -> None:
    with pytest.raises((ValueError, RuntimeError, TypeError), match=words):
        GradientBoostingRegressor(made, n_estimators=3).fit(X, NUMBERS)
