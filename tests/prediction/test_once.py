"""Prediction is written once: estimators and models of the runtime have the same functions."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import weaklearn as wl
from tests.trials import TRIALS
from weaklearn import runtime
from weaklearn.registry import AROUND, ROWS, Row, class_of
from weaklearn.runtime.loading import form_of

METHODS = ("predict", "predict_proba", "decision_function")
PREDICTING = [row for row in ROWS.values() if row.runtime not in (None, AROUND)]
# What is not the same method: it reads other data, or names its numbers in its own words.
OWN = {
    "AdditiveBoostingRegressor": {"predict"},
    "BaggingRegressor": {"predict"},
    "BoosTexterClassifier": {"predict"},  # may reject rows
    "DecisionTreeRegressor": {"predict"},
    "ExtraTreesRegressor": {"predict"},
    "GradientBoostingRegressor": {"predict"},
    "Hedge": {"predict"},  # takes one row as well
    "OnlineDisjunction": {"predict"},  # takes one row as well
    "RandomForestRegressor": {"predict"},
    "RankBoost": {"predict"},
    "SGDClassifier": {"predict_proba"},  # where the loss has probabilities
}


def _inside(method: Any) -> Any:
    """The method itself, where an estimator checks its arguments first."""
    return inspect.unwrap(method)


@pytest.mark.parametrize("row", PREDICTING, ids=lambda row: row.name)
def test_methods_are_the_same(row: Row) -> None:
    own = OWN.get(row.name, set())
    whole, small = class_of(row), form_of(row)
    differing = {
        name
        for name in METHODS
        if _inside(inspect.getattr_static(whole, name, None))
        is not _inside(inspect.getattr_static(small, name, None))
    }
    assert differing == own


@pytest.mark.parametrize("row", PREDICTING, ids=lambda row: row.name)
def test_methods_have_their_own_names(row: Row) -> None:
    """Scikit-learn asks a method for its name."""
    for name in METHODS:
        if hasattr(form_of(row), name):
            assert getattr(form_of(row), name).__name__ == name


@pytest.mark.parametrize("row", PREDICTING, ids=lambda row: row.name)
def test_an_estimator_that_is_not_fitted_says_so(row: Row) -> None:
    model = class_of(row)(**TRIALS.get(row.name, {}))
    for name in METHODS:
        if hasattr(model, name) and row.name != "Hedge":  # whose weights are equal at first
            with pytest.raises(NotFittedError):
                getattr(model, name)([[0.0, 1.0]])


def test_the_runtime_takes_offsets(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    offset = rng.normal(size=60)
    for model, y in (
        (wl.GradientBoostingRegressor(n_estimators=5), X[:, 0]),
        (wl.GradientBoostingClassifier(n_estimators=5), X[:, 0] > 0),
    ):
        model.fit(X, y).save(tmp_path / "m.weak")
        small = runtime.load(tmp_path / "m.weak")
        assert np.array_equal(small.predict(X, offset), model.predict(X, offset))
        with pytest.raises(ValueError, match=r"offset has the shape \(3,\)"):
            small.predict(X, offset[:3])
