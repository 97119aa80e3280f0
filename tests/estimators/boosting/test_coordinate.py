"""CoordinateBoostClassifier: its pools, its ball, what it refuses; and stopping early enough."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import cross_val_score
from sklearn.tree import DecisionTreeClassifier

import weaklearn
from tests.forms import sample
from weaklearn import AdaBoostClassifier, AdaBoostStarClassifier, CoordinateBoostClassifier
from weaklearn.theory.bounds import consistent_rounds

X, y, three = sample()
LABELS = np.where(y > 0, "yes", "no")


def signs(j: int) -> Any:
    return lambda X: np.where(np.asarray(X)[:, j] > 0, 1, -1)


FUNCTIONS = [signs(j) for j in range(4)]


@pytest.mark.parametrize("selection", ["greedy", "cyclic", "least_z"])
def test_functions_of_x_are_a_pool(selection: str) -> None:
    model = CoordinateBoostClassifier(FUNCTIONS, selection=selection, n_estimators=40)
    model.fit(X, LABELS)
    assert model.score(X, LABELS) > 0.75
    H = np.column_stack([f(X) for f in FUNCTIONS])
    votes = [model.estimator_weights_[[h is f for h in model.estimators_]].sum() for f in FUNCTIONS]
    assert model.decision_function(X) == pytest.approx(H @ np.array(votes))
    loss = np.exp(-np.where(y > 0, 1, -1) * (H @ np.array(votes))).mean()
    assert model.history_["loss"][-1] == pytest.approx(loss)


def test_fitted_classifiers_are_a_pool() -> None:
    trees = [DecisionTreeClassifier(max_depth=1).fit(X, np.roll(LABELS, k)) for k in range(3)]
    model = CoordinateBoostClassifier(trees, n_estimators=10).fit(X, LABELS)
    assert set(model.predict(X)) == {"yes", "no"}
    assert model.score(X, LABELS) >= max(tree.score(X, LABELS) for tree in trees)
    assert all(any(h is tree for tree in trees) for h in model.estimators_)
    assert model.rules()[0][1] == "DecisionTreeClassifier"


def test_clones_remember_frozen_classifiers_alone() -> None:
    tree = DecisionTreeClassifier(max_depth=1).fit(X, LABELS)
    frozen = CoordinateBoostClassifier([FrozenEstimator(tree), signs(1)], n_estimators=5)
    assert np.isfinite(cross_val_score(frozen, X, LABELS, cv=3)).all()
    forgetful = clone(CoordinateBoostClassifier([tree]))
    with pytest.raises(ValueError, match=r"estimator\[0\] is DecisionTreeClassifier\(\), which is"):
        forgetful.fit(X, LABELS)


def test_greedy_stumps_are_adaboost_and_least_z_is_greedy() -> None:
    ada = AdaBoostClassifier(n_estimators=20).fit(X, y)
    for selection in ("greedy", "least_z"):
        model = CoordinateBoostClassifier(n_estimators=20, selection=selection).fit(X, y)
        assert model.estimator_weights_ == pytest.approx(ada.estimator_weights_)
        assert (model.predict(X) == ada.predict(X)).all()
        assert model.predict_proba(X) == pytest.approx(ada.predict_proba(X))


def test_cyclic_stumps_take_the_features_in_turn() -> None:
    model = CoordinateBoostClassifier(n_estimators=12, selection="cyclic").fit(X, y)
    assert [stump.feature_ for stump in model.estimators_] == [0, 1, 2, 3] * 3
    assert (np.diff(model.history_["loss"]) < 0).all()


def test_the_link_is_that_of_the_loss() -> None:
    model = CoordinateBoostClassifier(n_estimators=20, loss="logistic").fit(X, y)
    F = model.decision_function(X)
    assert model.predict_proba(X)[:, 1] == pytest.approx(1 / (1 + np.exp(-F)))
    other = CoordinateBoostClassifier(n_estimators=20, loss="log_loss").fit(X, y)
    assert (other.decision_function(X) == F).all()
    many = CoordinateBoostClassifier(n_estimators=5, loss="logistic").fit(X, three)
    p = 1 / (1 + np.exp(-many.decision_function(X)))
    assert many.predict_proba(X) == pytest.approx(p / p.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("target", [y, three], ids=["two", "three"])
@pytest.mark.parametrize("given", [{"step": "schedule"}, {"loss": "logistic"}], ids=str)
def test_a_ball_goes_on_where_it_was(target: Any, given: Any, tmp_path: Any) -> None:
    straight = CoordinateBoostClassifier(radius=3.0, n_estimators=12, **given).fit(X, target)
    parts = CoordinateBoostClassifier(radius=3.0, n_estimators=5, warm_start=True, **given)
    parts.fit(X, target)
    parts.save(tmp_path / "model.weak")
    parts = weaklearn.load(tmp_path / "model.weak").set_params(n_estimators=12)
    parts.fit(X, target)
    assert (parts.decision_function(X) == straight.decision_function(X)).all()
    assert parts.history_ == straight.history_
    stages = list(straight.staged_decision_function(X))
    assert stages[4] == pytest.approx(straight.truncate(5).decision_function(X))
    assert (stages[-1] == straight.decision_function(X)).all()


def test_a_ball_stops_early_where_validation_says_so() -> None:
    given = {"early_stopping": True, "n_iter_no_change": 3, "tol": 0.01}
    model = CoordinateBoostClassifier(radius=5.0, n_estimators=60, **given).fit(X, y)
    assert model.n_iter_ == np.argmax(model.validation_scores_) + 1 < 60
    assert np.abs(model.estimator_weights_).sum() <= 5 + 1e-9


def test_a_larger_ball_has_a_smaller_loss() -> None:
    losses = [
        CoordinateBoostClassifier(radius=radius, n_estimators=100).fit(X, y).history_["loss"][-1]
        for radius in (0.1, 0.5, 1.0, 2.0)
    ]
    assert (np.diff(losses) < 0).all()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"selection": "random"}, "selection='random' is not allowed"),
        ({"loss": "hinge"}, "loss='hinge' is not allowed"),
        ({"step": 0.1}, "step=0.1 is not allowed"),
        ({"radius": 0.0}, "radius=0.0 is not allowed: it must be a number above 0"),
        ({"radius": 501}, "at most 500"),
        ({"radius": float("nan")}, "radius=nan is not allowed"),
        ({"radius": 1.0, "selection": "cyclic"}, "selection='cyclic' is not allowed with radius=1"),
        ({"step": "schedule"}, "step='schedule' is not allowed with radius=None"),
        ({"estimator": []}, "estimator is an empty list"),
        ({"estimator": [3]}, "estimator[0] is 3"),
        ({"estimator": [DecisionTreeClassifier]}, "estimator[0] is <class"),
        ({"estimator": [DecisionTreeClassifier()]}, "which is not fitted"),
        ({"estimator": "tree", "selection": "cyclic"}, "selection='cyclic' needs all hypotheses"),
        (
            {
                "estimator": weaklearn.DecisionStumpClassifier(missing="abstain"),
                "selection": "least_z",
            },
            "not for stumps that are silent",
        ),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused(given: Any, words: str) -> None:
    with pytest.raises((ValueError, TypeError)) as caught:
        CoordinateBoostClassifier(**given).fit(X, y)
    assert words in str(caught.value)


def test_a_list_is_about_two_classes() -> None:
    with pytest.raises(ValueError, match="a list of hypotheses, which are about two classes"):
        CoordinateBoostClassifier(FUNCTIONS).fit(X, three)


@pytest.mark.parametrize("nu", [0.0, -0.1, 1.5, float("nan"), float("inf"), "0.1", None, True])
def test_an_impossible_accuracy_is_refused(nu: Any) -> None:
    with pytest.raises((ValueError, TypeError), match=r"nu=.* is not allowed: it must be a number"):
        AdaBoostStarClassifier(nu=nu).fit(X, y)


def test_stopped_in_time_the_error_tends_to_the_best_there_is() -> None:
    def drawn(m: int, seed: int) -> tuple[Any, Any]:
        rng = np.random.default_rng(seed)
        x = rng.random(m)
        inside = (x > 0.3) & (x < 0.7)
        return x[:, None], np.where(inside ^ (rng.random(m) < 0.2), 1, 0)

    fresh = np.linspace(0, 1, 2001)[:, None]
    truth = ((fresh > 0.3) & (fresh < 0.7))[:, 0]

    def excess(m: int, seed: int) -> float:
        """How much more often it errs than the best rule does, which errs on one in five."""
        model = AdaBoostClassifier(n_estimators=consistent_rounds(m)).fit(*drawn(m, seed))
        return 0.6 * float(np.mean((model.predict(fresh) == 1) != truth))

    means = [np.mean([excess(m, seed) for seed in range(8)]) for m in (30, 300, 3000)]
    assert means[0] > 2 * means[2]
    assert means[2] < 0.03


@pytest.mark.parametrize("selection", ["cyclic", "least_z"])
def test_neither_order_nor_threads_nor_copies_matter(selection: str) -> None:
    def made(rows: Any, **given: Any) -> str:
        model = CoordinateBoostClassifier(n_estimators=8, selection=selection, **given)
        return str(model.fit(X[rows], y[rows]).fingerprint())

    everyone = np.arange(60)
    assert made(everyone, n_jobs=1) == made(everyone, n_jobs=2) == made(everyone[::-1])
    weight = everyone % 3 + 1
    weighted = CoordinateBoostClassifier(n_estimators=8, selection=selection).fit(X, y, weight)
    assert weighted.fingerprint() == made(np.repeat(everyone, weight))
