"""AnyBoost as a user meets it: losses, learners, steps, and what is refused."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests import golden
from weaklearn import (
    AdaBoostClassifier,
    AnyBoostClassifier,
    AnyBoostRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    losses,
)
from weaklearn.datasets import toy

TREE = DecisionTreeRegressor(max_depth=2)


def two(m: int = 120, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, 3))
    return X, (X[:, 0] + X[:, 1] + 0.5 * rng.normal(size=m) > 0).astype(int)


def numbers(m: int = 120, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.uniform(0, 3, size=(m, 2))
    return X, np.exp(X[:, 0]) + rng.gamma(2.0, size=m)


# ------------------------------------------------------------------------------------- classifier


@pytest.mark.parametrize("name", [n for n in golden.names("boosters") if n.startswith("anyboost")])
def test_golden(name: str) -> None:
    case, close = golden.case("boosters", name), golden.tolerance("boosters")
    told, expected = case["input"], case["expected"]
    X = np.array(told["X"])
    model = AnyBoostClassifier(loss=told["loss"], n_estimators=told["T"]).fit(X, told["y"])
    assert model.decision_function(X) == pytest.approx(expected["H"], **close)
    assert model.history_["loss"] == pytest.approx(
        [r["loss_after"] for r in expected["rounds"]], **close
    )
    for stump, wanted in zip(model.estimators_, expected["rounds"], strict=True):
        found = (stump.feature_, stump.threshold_, stump.polarity_)
        assert found == tuple(wanted["stump"].values())


def test_the_exponential_loss_with_best_steps_is_adaboost() -> None:
    X, y = two()
    own = AnyBoostClassifier(loss="exponential", step="line_search", n_estimators=20).fit(X, y)
    ada = AdaBoostClassifier(n_estimators=20).fit(X, y)
    assert own.estimator_weights_ == pytest.approx(ada.estimator_weights_, rel=1e-9)
    assert own.predict_proba(X) == pytest.approx(ada.predict_proba(X), rel=1e-7)
    assert own.edges_ == pytest.approx(ada.edges_, abs=1e-9)


@pytest.mark.parametrize("loss", [*losses.FOR_CLASSES, "squared_error", losses.Squared()], ids=str)
@pytest.mark.parametrize("step", ["constant", "line_search"])
@pytest.mark.parametrize(
    "estimator", ["stump", TREE, DecisionTreeClassifier(max_depth=2)], ids=["stump", "tree", "skl"]
)
def test_every_loss_step_and_learner(loss: Any, step: str, estimator: Any) -> None:
    X, y = two()
    model = AnyBoostClassifier(estimator, loss=loss, step=step, n_estimators=30).fit(X, y)
    assert model.score(X, y) > (0.8 if loss == "hinge" else 0.85)
    proba = model.predict_proba(X)
    assert proba.sum(axis=1) == pytest.approx(1)
    assert ((proba[:, 1] > 0.5) == (model.decision_function(X) > 0)).all()
    cost = model.history_["loss"]
    assert cost[-1] < cost[0] or loss == "hinge"  # whose subgradients may stand still
    assert (model.history_["inner_product"][: model.n_iter_] < 0).all()


def test_probabilities_follow_the_loss() -> None:
    X, y = two()
    F = AnyBoostClassifier(n_estimators=5).fit(X, y).decision_function(X)
    for loss, expected in (
        ("log_loss", 1 / (1 + np.exp(-F))),
        ("exponential", None),
        (lambda y, F: losses.Logistic().gradient(y, F), 1 / (1 + np.exp(-F))),
    ):
        model = AnyBoostClassifier(loss=loss, n_estimators=5).fit(X, y)
        scores = model.decision_function(X)
        if expected is None:
            expected = 1 / (1 + np.exp(-2 * scores))
        assert model.predict_proba(X)[:, 1] == pytest.approx(expected)
    calibrated = AnyBoostClassifier(loss="hinge", n_estimators=5, calibrate="platt").fit(X, y)
    assert calibrated.calibration_.slope > 0


def test_three_classes_one_against_the_rest() -> None:
    X, y = load_iris(return_X_y=True)
    for estimator in ("stump", TREE):
        model = AnyBoostClassifier(estimator, n_estimators=20).fit(X, y)
        assert model.score(X, y) > 0.95
        assert model.predict_proba(X).sum(axis=1) == pytest.approx(1)
        assert model.decision_function(X).shape == (150, 3)
        assert {"loss", "alpha_0", "alpha_2"} <= set(model.history_)
        assert len(model.estimators_) == 60


def test_starting_from_the_best_constant() -> None:
    X, y = two()
    y = np.where(np.arange(120) < 100, 1, y)
    model = AnyBoostClassifier(init="constant", n_estimators=1).fit(X, y)
    share = y.mean()
    assert model.ensemble_.base == pytest.approx(np.log(share / (1 - share)))
    pickled = pickle.loads(pickle.dumps(model))
    assert np.array_equal(pickled.decision_function(X), model.decision_function(X))


# -------------------------------------------------------------------------------------- regressor


@pytest.mark.parametrize("loss", losses.FOR_NUMBERS)
def test_every_loss_of_numbers(loss: str) -> None:
    X, y = numbers()
    model = AnyBoostRegressor(TREE, loss=loss, n_estimators=25).fit(X, y)
    assert model.score(X, y) > 0.6 or loss == "mape"  # which weighs by 1 / y
    assert (np.diff(model.history_["loss"]) < 1e-9).all() or loss == "huber"
    stages = list(model.staged_predict(X))
    assert len(stages) == model.n_iter_
    assert np.array_equal(stages[-1], model.predict(X))
    if loss in ("poisson", "gamma", "tweedie"):
        assert model.predict(X).min() > 0


def test_a_quantile_is_met() -> None:
    X, y = numbers(400)
    model = AnyBoostRegressor(TREE, loss=losses.Quantile(0.9), n_estimators=40).fit(X, y)
    assert (y <= model.predict(X)).mean() == pytest.approx(0.9, abs=0.05)


@pytest.mark.parametrize(
    "estimator",
    [
        LinearRegression(),
        make_pipeline(StandardScaler(), Ridge()),
        KNeighborsRegressor(),  # takes no weights: trained on rows redrawn
        DecisionTreeClassifier(max_depth=1),  # answers -1 and +1
        lambda X, z, D: lambda X: np.full(len(X), np.average(z, weights=D)) + 0.1 * (X[:, 0] - 1.5),
    ],
    ids=["linear", "pipeline", "neighbours", "classifier", "function"],
)
def test_every_learner_of_numbers(estimator: Any) -> None:
    X, y = numbers()
    model = AnyBoostRegressor(estimator, n_estimators=50).fit(X, y)
    assert model.score(X, y) > 0.2
    assert clone(model).fit(X, y).predict(X).tobytes() == model.predict(X).tobytes()


def test_squared_error_with_a_linear_learner_is_least_squares() -> None:
    X, y = load_diabetes(return_X_y=True)
    model = AnyBoostRegressor(LinearRegression(), learning_rate=1.0, n_estimators=3).fit(X, y)
    assert model.predict(X) == pytest.approx(LinearRegression().fit(X, y).predict(X))
    assert model.estimator_weights_[0] == pytest.approx(1.0)
    assert model.ensemble_.base == pytest.approx(y.mean())


def test_early_stopping_looks_at_the_loss_and_warm_start_goes_on() -> None:
    X, y = numbers(300)
    early = AnyBoostRegressor(
        DecisionTreeRegressor(max_depth=4), learning_rate=0.5, early_stopping=True, loss="gamma"
    ).fit(X, y)
    assert early.n_iter_ < 100
    assert early.stop_reason_ == "the validation score stopped improving"
    assert early.validation_scores_.max() == early.validation_scores_[early.n_iter_ - 1]
    straight = AnyBoostRegressor(TREE, n_estimators=20, loss="huber").fit(X, y)
    half = AnyBoostRegressor(TREE, n_estimators=10, loss="huber", warm_start=True).fit(X, y)
    whole = half.set_params(n_estimators=20).fit(X, y)
    assert np.array_equal(whole.predict(X), straight.predict(X))
    assert whole.history_ == straight.history_
    assert np.array_equal(straight.truncate(10).predict(X), list(straight.staged_predict(X))[9])


# ----------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"loss": "log_los"}, ValueError, "loss='log_los' is not allowed.*Did you mean 'log_loss'"),
        ({"loss": "poisson"}, ValueError, "for classes it must be one of"),
        ({"loss": 3}, TypeError, "loss=3 is not allowed"),
        ({"step": "newton"}, ValueError, "step='newton' is not allowed"),
        ({"init": "mean"}, ValueError, "init='mean' is not allowed"),
        ({"multiclass": "m1"}, ValueError, "multiclass='m1' is not allowed"),
        ({"learning_rate": 0}, ValueError, "learning_rate=0 is not allowed"),
        ({"estimator": "forest"}, ValueError, "estimator='forest' is not allowed"),
        ({"estimator": 7}, TypeError, "estimator=7 is not a weak learner"),
        ({"estimator": DecisionTreeRegressor}, TypeError, "is a class; pass an instance"),
    ],
    ids=str,
)
def test_parameters_that_are_refused(given: Any, error: Any, words: str) -> None:
    X, y = two()
    with pytest.raises(error, match=words):
        AnyBoostClassifier(**given).fit(X, y)


def test_targets_outside_the_domain_are_named_by_row() -> None:
    X, y = numbers()
    y[7] = -1
    for loss in ("poisson", "gamma", "tweedie"):
        with pytest.raises(ValueError, match=rf"y\[7\] is -1.0, which loss='{loss}' cannot take"):
            AnyBoostRegressor(TREE, loss=loss).fit(X, y)


@pytest.mark.parametrize(
    ("returned", "error", "words"),
    [
        (lambda g: g * np.nan, ValueError, "gradient of loss 'faulty' returned nan in row 0"),
        (lambda g: g[:-1], ValueError, "gradient of loss 'faulty' returned an array of shape"),
        (lambda g: 1 / 0, RuntimeError, "gradient of loss 'faulty' raised ZeroDivisionError"),
    ],
)
def test_a_faulty_loss_is_named_with_its_round_and_leaves_the_model(
    returned: Any, error: Any, words: str
) -> None:
    X, y = numbers()
    calls: list[int] = []

    def faulty(y: Any, F: Any) -> Any:
        calls.append(1)
        return returned(F - y) if len(calls) > 30 else F - y

    model = AnyBoostRegressor(TREE, n_estimators=5).fit(X, y)
    before = model.predict(X)
    model.set_params(loss=faulty)
    with pytest.raises(error, match=words) as caught:
        model.set_params(n_estimators=100).fit(X, y)
    assert any("this happened in round" in note for note in caught.value.__notes__)
    assert np.array_equal(model.predict(X), before)


class Odd(DecisionTreeRegressor):
    def predict(self, X: Any) -> Any:
        return {1: np.full(len(X), np.nan), 2: np.ones((len(X), 2)), 3: ["a"] * len(X)}[
            self.max_depth
        ]


@pytest.mark.parametrize(
    ("depth", "words"),
    [(1, "Odd predicted nan in row 0"), (2, r"shape \(120, 2\)"), (3, "Odd predicted no numbers")],
)
def test_what_a_regressor_must_not_answer(depth: int, words: str) -> None:
    X, y = numbers()
    with pytest.raises((ValueError, TypeError), match=words):
        AnyBoostRegressor(Odd(max_depth=depth)).fit(X, y)


def test_a_function_must_answer_numbers() -> None:
    X, y = numbers()
    for rule, words in (
        (lambda X: ["a"] * len(X), "it must return one number a row"),
        (lambda X: X, r"an array of shape \(120, 2\)"),
        (lambda X: np.full(len(X), np.inf), "answered .*inf.* in row 0"),
    ):
        with pytest.raises(ValueError, match=words):
            AnyBoostRegressor(lambda X, z, D, rule=rule: rule).fit(X, y)


def test_certificates_say_why_not() -> None:
    X, y = toy()
    (only,) = AnyBoostClassifier(n_estimators=3).fit(X, y).certify(X, y).training
    assert "another way" in str(only)


@pytest.mark.parametrize(
    "loss", [losses.Huber(), losses.Poisson(), losses.Quantile(0.9), losses.Absolute()], ids=repr
)
def test_classifiers_refuse_losses_of_numbers(loss: Any) -> None:
    X, y = two()
    for kind in (AnyBoostClassifier, GradientBoostingClassifier):
        with pytest.raises(ValueError, match="is for numbers, and classes are") as caught:
            kind(loss=loss).fit(X, y)
        assert repr(loss) in str(caught.value)
        assert "'log_loss', 'exponential', 'hinge'" in str(caught.value)


@pytest.mark.parametrize(
    "loss", [losses.Logistic(), losses.Exponential(), losses.Hinge(), losses.Softmax(3)], ids=repr
)
def test_regressors_refuse_losses_of_classes(loss: Any) -> None:
    X, y = two()
    for kind in (AnyBoostRegressor, GradientBoostingRegressor):
        with pytest.raises(ValueError, match="is for classes, and numbers are") as caught:
            kind(loss=loss).fit(X, y.astype(float))
        assert repr(loss) in str(caught.value)
        assert "'squared_error', 'absolute_error', 'quantile'" in str(caught.value)


def test_losses_of_the_users_own_say_what_they_are_for() -> None:
    X, y = two()

    class Mine:
        def gradient(self, y: Any, F: Any) -> Any:
            return F - y

    class OfNumbers(Mine):
        target = "numbers"

    AnyBoostClassifier(loss=Mine(), n_estimators=2).fit(X, y)  # which says nothing
    AnyBoostRegressor(loss=OfNumbers(), n_estimators=2).fit(X, y.astype(float))
    with pytest.raises(ValueError, match="is for numbers"):
        AnyBoostClassifier(loss=OfNumbers()).fit(X, y)


def test_early_stopping_judges_huber_by_the_scale_of_the_target() -> None:
    """In other units the same rounds are kept; delta = 1 would be another loss in each."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(400, 3))
    y = X[:, 0] ** 2 + rng.standard_t(2, size=400)
    found = []
    for unit in (2.0**-10, 1.0, 2.0**10):
        model = AnyBoostRegressor(
            loss="huber", n_estimators=60, early_stopping=True, n_iter_no_change=5
        ).fit(X[:250], unit * y[:250], X_val=X[250:], y_val=unit * y[250:])
        found.append((model.n_iter_, model.validation_scores_ / unit**2))
    assert found[0][0] == found[1][0] == found[2][0] < 60
    for n, scores in found:
        assert n > 1
        assert scores == pytest.approx(found[1][1], rel=1e-9)
