"""Boosted regressors: what they take, what they refuse, and what they tell."""

from __future__ import annotations

import pickle
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_diabetes
from sklearn.ensemble import AdaBoostRegressor as Peer
from sklearn.model_selection import cross_val_score

import weaklearn
from weaklearn import (
    AdaBoostRegressor,
    AnyBoostRegressor,
    BoostingWarning,
    DataWarning,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
)

NAN, INF = np.nan, np.inf
MODELS = {
    "any": AnyBoostRegressor(n_estimators=4),
    "any absolute": AnyBoostRegressor("stump", loss="absolute_error", n_estimators=4),
    "r2": AdaBoostRegressor(n_estimators=4),
    "r2 native": AdaBoostRegressor(DecisionTreeRegressor(max_depth=2), n_estimators=4),
}
every_model = pytest.mark.parametrize("name", MODELS)


def data(m: int = 60) -> tuple[Any, Any]:
    rng = np.random.default_rng(7)
    X = rng.normal(size=(m, 3))
    return X, np.round(np.sin(2 * X[:, 0]) + 0.5 * (X[:, 1] > 0) + 0.1 * rng.normal(size=m), 3)


def fitted(name: str, *given: Any, **more: Any) -> Any:
    X, y = data()
    return clone(MODELS[name]).set_params(**more).fit(*(given or (X, y)))


def refused(name: str, X: Any, y: Any, *words: str, **given: Any) -> None:
    """A fitted model refuses the fit in these words and stays as it was."""
    model = fitted(name)
    before = model.predict(data()[0])
    with pytest.raises((ValueError, TypeError)) as caught:
        model.fit(X, y, **given)
    pattern = ".*?".join(map(re.escape, words))
    assert re.search(pattern, str(caught.value), re.DOTALL), str(caught.value)
    assert np.array_equal(model.predict(data()[0]), before)


def changed(y: Any, row: int, value: Any) -> Any:
    y = np.array(y, object if isinstance(value, str) else float)
    y[row] = value
    return y


# ---------------------------------------------------------------------------------------- refusals


@every_model
def test_targets_that_are_refused(name: str) -> None:
    X, y = data()
    refused(name, X, changed(y, 5, NAN), "y[5]", "drop the rows")
    refused(name, X, changed(y, 5, INF), "y[5] is inf", "finite")
    refused(name, X, changed(y, 5, "a"), "y[5]", "'a'")
    refused(name, X, y[:-1], "60", "59")
    refused(name, X, np.column_stack([y, y]), "y", "(60, 2)")
    refused(name, X, None, "y")


@every_model
def test_tables_and_weights_that_are_refused(name: str) -> None:
    X, y = data()
    bad = X.copy()
    bad[3, 2] = INF
    refused(name, bad, y, "row 3, column 2 holds inf")
    refused(name, X[:0], y[:0], "0 rows")
    refused(name, X[:, :0], y, "0 columns")
    refused(
        name, X, y, "sample_weight[4] is -1.0", sample_weight=np.where(np.arange(60) == 4, -1.0, 1)
    )
    refused(name, X, y, "all weights are zero", sample_weight=np.zeros(60))
    model = fitted(name)
    with pytest.raises(ValueError, match="2 features"):
        model.predict(X[:, :2])


@every_model
@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"n_estimators": 0}, "n_estimators=0 is not allowed"),
        ({"n_estimators": 2.5}, "n_estimators=2.5 is not allowed"),
        ({"learning_rate": 0}, "learning_rate=0 is not allowed"),
        ({"learning_rate": "a"}, "learning_rate='a' is not allowed"),
        ({"loss": "square_error"}, "loss='square_error' is not allowed.*Did you mean"),
        ({"tol": -1}, "tol=-1 is not allowed"),
        ({"validation_fraction": 1.5}, "validation_fraction=1.5 is not allowed"),
        ({"warm_start": "yes"}, "warm_start='yes' is not allowed"),
        ({"unseen": "guess"}, "unseen='guess' is not allowed"),
        ({"callbacks": 3}, "callbacks=3 is not allowed"),
        ({"random_state": -1}, "random_state=-1 is not allowed"),
        ({"estimator": "forest"}, "estimator='forest' is not allowed"),
        ({"estimator": 7}, "estimator=7 is not a weak learner"),
        ({"estimator": DecisionTreeRegressor}, "is a class; pass an instance"),
    ],
    ids=str,
)
def test_parameters_that_are_refused(name: str, given: Any, words: str) -> None:
    model = fitted(name)
    before = model.predict(data()[0])
    with pytest.raises((ValueError, TypeError), match=words):
        model.set_params(**given).fit(*data())
    assert np.array_equal(
        model.set_params(**clone(MODELS[name]).get_params()).predict(data()[0]), before
    )


def test_a_misspelt_parameter_is_named() -> None:
    for kind in (AnyBoostRegressor, AdaBoostRegressor):
        with pytest.raises(TypeError, match="Did you mean 'learning_rate'"):
            kind(learningrate=1)
    with pytest.raises(TypeError, match="predicts classes, and numbers are fitted here"):
        AdaBoostRegressor(DecisionTreeClassifier()).fit(*data())


def test_a_classifier_is_no_learner_of_r2() -> None:
    X, y = data()
    model = AnyBoostRegressor(DecisionTreeClassifier(max_depth=1), n_estimators=50).fit(X, y)
    assert model.score(X, y) > 0.4  # AnyBoost asks it for signs


# --------------------------------------------------------------------------------- what they take


@every_model
def test_few_rows_constant_targets_and_constant_columns(name: str) -> None:
    X, y = data()
    assert fitted(name, X[:1], y[:1]).predict(X).tolist() == [y[0]] * 60
    assert fitted(name, X, np.full(60, 2.5)).predict(X) == pytest.approx(2.5)
    with pytest.warns((DataWarning, BoostingWarning)):
        model = fitted(name, np.ones((60, 2)), y)
    assert len(set(model.predict(np.ones((60, 2))))) == 1
    huge = fitted(name, X, y * 1e150)
    assert np.isfinite(huge.predict(X)).all()
    assert fitted(name, X, y * 2.0**-60).predict(X) == pytest.approx(
        fitted(name).predict(X) * 2.0**-60
    )


@every_model
def test_gaps_categories_dates_and_containers(name: str) -> None:
    rng = np.random.default_rng(3)
    colour = rng.choice(["red", "green", "blue"], 90)
    day = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 100, 90), "D")
    X = pd.DataFrame({"colour": pd.Categorical(colour), "day": day, "x": rng.normal(size=90)})
    X.loc[::7, "x"] = NAN
    y = np.where(colour == "red", 3.0, 0.0) + (X["day"] > pd.Timestamp("2024-02-15")) + 0.0
    model = fitted(name, X, y.to_numpy())
    unseen = X.iloc[:3].assign(colour=["violet", None, "red"])
    assert np.isfinite(model.predict(unseen)).all()
    assert model.feature_names_in_.tolist() == ["colour", "day", "x"]
    assert model.feature_importances_.shape == (3,)
    assert "colour" in str(model.rules())


@every_model
def test_weights_copies_and_zeros(name: str) -> None:
    X, y = data()
    k = np.random.default_rng(0).integers(0, 3, 60)
    copied = fitted(name, np.repeat(X, k, axis=0), np.repeat(y, k))
    weighed = clone(MODELS[name]).fit(X, y, sample_weight=k)
    assert np.array_equal(copied.predict(X), weighed.predict(X))
    sparse = clone(MODELS[name]).fit(sp.csr_array(X), y, sample_weight=k)
    assert np.array_equal(sparse.predict(sp.csc_array(X)), weighed.predict(X))


# ----------------------------------------------------------------------------- what they can do


@every_model
def test_stages_truncation_pickles_and_going_on(name: str) -> None:
    X, y = data()
    straight = fitted(name, n_estimators=8)
    half = fitted(name, warm_start=True)
    whole = half.set_params(n_estimators=8).fit(X, y)
    assert np.array_equal(whole.predict(X), straight.predict(X))
    assert whole.history_ == straight.history_
    stages = list(straight.staged_predict(X))
    assert len(stages) == straight.n_iter_ == len(straight.estimators_)
    assert np.array_equal(stages[-1], straight.predict(X))
    assert np.array_equal(stages[3], straight.truncate(4).predict(X))
    assert list(straight.staged_score(X, y))[-1] == pytest.approx(straight.score(X, y))
    assert np.array_equal(pickle.loads(pickle.dumps(straight)).predict(X), straight.predict(X))
    first = straight.estimators_[0].predict(X)
    assert first == pytest.approx(straight.ensemble_.members[0](straight._rows(X)))


@every_model
def test_early_stopping_on_held_out_and_given_rows(name: str) -> None:
    X, y = data(300)
    model = fitted(name, X, y, early_stopping=True, n_estimators=60, n_iter_no_change=3)
    assert model.n_iter_ <= len(model.history_) <= 60
    assert model.validation_scores_[model.n_iter_ - 1] == model.validation_scores_.max()
    given = clone(MODELS[name]).set_params(n_estimators=6)
    given.fit(X[:200], y[:200], X_val=X[200:], y_val=y[200:])
    assert len(given.validation_scores_) == 6
    if name.startswith("r2"):
        errors = [np.mean((y[200:] - F) ** 2) for F in given.staged_predict(X[200:])]
        assert given.validation_scores_ == pytest.approx(-np.array(errors))


def test_r2_is_as_good_as_its_peer() -> None:
    X, y = load_diabetes(return_X_y=True)
    own = cross_val_score(AdaBoostRegressor(), X, y, cv=4).mean()
    peer = cross_val_score(Peer(random_state=0), X, y, cv=4).mean()
    assert own > peer - 0.06


def test_callbacks_watch_and_stop() -> None:
    seen: list[int] = []

    def watch(t: int, state: Any, history: Any) -> bool:
        seen.append(t)
        return t == 3

    model = AnyBoostRegressor(n_estimators=9, callbacks=[watch]).fit(*data())
    assert (model.n_iter_, seen) == (3, [1, 2, 3])
    assert model.stop_reason_ == "a callback asked to stop"
    assert "3 rounds" in model._repr_html_inner()


# ------------------------------------------------------------------------------------ huge numbers

POSITIVE = ("poisson", "gamma", "tweedie")
REGRESSORS: dict[str, Any] = {
    "R2": weaklearn.AdaBoostRegressor(n_estimators=4),
    "R2, stopping early": weaklearn.AdaBoostRegressor(n_estimators=4, early_stopping=True),
    "AnyBoost, stopping early": weaklearn.AnyBoostRegressor(n_estimators=4, early_stopping=True),
    **{
        f"{kind.__name__}, {loss}": kind(loss=loss, n_estimators=4)
        for kind in (weaklearn.AnyBoostRegressor, weaklearn.GradientBoostingRegressor)
        for loss in ("squared_error", "absolute_error", "huber", "quantile", *POSITIVE)
    },
}
AVERAGES: dict[str, Any] = {
    "a tree": weaklearn.DecisionTreeRegressor(),
    "a forest": weaklearn.RandomForestRegressor(5, oob_score=True, random_state=0),
    "bags": weaklearn.BaggingRegressor(n_estimators=5, oob_score=True, random_state=0),
}


def of_size(size: float) -> tuple[Any, Any]:
    """Numbers above 0 of which the largest is that large."""
    X = np.random.default_rng(0).normal(size=(120, 3))
    y = 1.0 + (X[:, 0] - X[:, 0].min())
    return X, y / y.max() * size


def largest(name: str) -> float:
    curved = name.startswith("AnyBoost") and name.endswith(POSITIVE)
    return 1e100 if curved else 1e151


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", REGRESSORS)
def test_numbers_too_large_to_square_are_refused(name: str) -> None:
    for size in (10 * largest(name), 1e160, 1e300, 1.7e308):
        X, y = of_size(size)
        row = int(np.argmax(y))
        with pytest.raises(ValueError, match=rf"y\[{row}\] is .* up to 1e\+1.. .* divide y"):
            clone(REGRESSORS[name]).fit(X, y)
    X, y = of_size(1.0)
    with pytest.raises(ValueError, match=r"y_val\[3\] is 1e\+200; "):
        clone(REGRESSORS[name]).fit(X, y, X_val=X[:4], y_val=[1.0, 1.0, 1.0, 1e200])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", REGRESSORS)
def test_numbers_as_large_as_allowed_are_learnt(name: str) -> None:
    size = largest(name)
    X, y = of_size(size)
    said = clone(REGRESSORS[name]).fit(X, y).predict(X)
    assert np.isfinite(said).all()
    assert ((said - y) / size).var() < 0.98 * (y / size).var()


@pytest.mark.filterwarnings("error", "ignore:Some inputs do not have OOB scores")
@pytest.mark.parametrize("name", AVERAGES)
def test_averages_take_numbers_of_almost_any_size(name: str) -> None:
    scores = []
    for size in (1.0, 1e300):
        X, y = of_size(size)
        model = clone(AVERAGES[name]).fit(X, y)
        assert model.predict(X) / size == pytest.approx(y / size, abs=0.2)
        if hasattr(model, "oob_score_"):
            scores.append(model.oob_score_)
            spread = model.predict_std(X) / size
            assert np.isfinite(spread).all()
            assert 0 < spread.max() < 1
    if scores:
        assert min(scores) > 0.5  # of other bags each, which are drawn by what rows hold
        with pytest.raises(ValueError, match=r"up to 1e\+303"):
            model.fit(*of_size(1.7e308))
