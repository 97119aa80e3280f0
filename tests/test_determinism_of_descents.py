"""Confidence-rated boosting, AnyBoost and R2: the same data give the same bits."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.test_determinism import numbers, table
from weaklearn import (
    AdaBoostRegressor,
    AnyBoostClassifier,
    AnyBoostRegressor,
    RealAdaBoostClassifier,
    losses,
)

MODELS: dict[str, Any] = {
    "real": RealAdaBoostClassifier(n_estimators=8),
    "real trees": RealAdaBoostClassifier("tree", n_estimators=4),
    "any": AnyBoostClassifier(n_estimators=8),
    "any best steps": AnyBoostClassifier(loss="exponential", step="line_search", n_estimators=6),
    "any trees": AnyBoostClassifier("tree", n_estimators=3, early_stopping=True),
    "numbers": AnyBoostRegressor(n_estimators=6),
    "huber": AnyBoostRegressor(loss="huber", n_estimators=6),
    "quantile": AnyBoostRegressor(
        "stump", loss=losses.Quantile(0.8), n_estimators=5, early_stopping=True
    ),
    "poisson": AnyBoostRegressor(loss="poisson", n_estimators=5),
    "r2": AdaBoostRegressor(n_estimators=6),
    "r2 square": AdaBoostRegressor("stump", loss="square", n_estimators=6),
}
every_model = pytest.mark.parametrize("name", MODELS)


@cache
def data() -> tuple[Any, Any, Any]:
    """A table of 900 rows; labels, and numbers above 0 with ties."""
    X, two, _ = table(900)
    rng = np.random.default_rng(2)
    return X, two, np.round(np.exp(X["few"].to_numpy() / 3 + 0.3 * rng.normal(size=900)), 2)


def fitted(name: str, rows: Any = None, weight: Any = None, **more: Any) -> Any:
    X, labels, y = data()
    y = labels if hasattr(MODELS[name], "predict_proba") else y
    model = type(MODELS[name])(**(MODELS[name].get_params() | more))
    rows = np.arange(len(y)) if rows is None else rows
    return model.fit(X.iloc[rows], y[rows], weight)


def member(h: Any) -> Any:
    tree = getattr(h, "tree", None)
    if tree is None:
        return repr(h)
    return {name: array.tobytes() for name, array in tree.arrays().items()}


def bits(model: Any, X: Any = None) -> dict[str, Any]:
    """All that a model is: votes, members, record, answers."""
    return {
        "votes": model.estimator_weights_.tobytes(),
        "members": [member(h) for h in model.ensemble_.members],
        "history": {name: model.history_[name].tobytes() for name in model.history_},
        "answers": np.asarray(model.predict(data()[0] if X is None else X)).tobytes(),
        "scores": np.asarray(model.ensemble_(model._rows(data()[0] if X is None else X))).tobytes(),
        "stop": model.stop_reason_,
    }


@every_model
def test_threads(name: str) -> None:
    assert bits(fitted(name, n_jobs=1)) == bits(fitted(name, n_jobs=2))


@every_model
def test_order_of_rows(name: str) -> None:
    order = np.random.default_rng(4).permutation(900)
    assert bits(fitted(name, order)) == bits(fitted(name))


@every_model
def test_order_of_weighted_rows(name: str) -> None:
    w = np.random.default_rng(5).random(900)
    order = np.random.default_rng(6).permutation(900)
    assert bits(fitted(name, order, w[order])) == bits(fitted(name, weight=w))


@every_model
def test_copies_are_weights(name: str) -> None:
    copies = np.random.default_rng(7).integers(1, 4, 900)
    copied, weighed = fitted(name, np.repeat(np.arange(900), copies)), fitted(name, weight=copies)
    assert bits(copied) == bits(weighed)


@every_model
def test_scaled_importances_are_the_same(name: str) -> None:
    w = np.random.default_rng(8).random(900)
    assert bits(fitted(name, weight=w)) == bits(fitted(name, weight=w * 2.0**200))


@every_model
def test_staged_answers_end_where_the_model_does(name: str) -> None:
    model = fitted(name)
    rows = model._rows(data()[0])
    *_, last = model.ensemble_.stages(rows)
    if name.startswith("any"):  # whole numbers, of which a vote cut short has others
        assert last == pytest.approx(model.ensemble_(rows), rel=1e-12, abs=1e-12)
    else:
        assert last.tobytes() == model.ensemble_(rows).tobytes()


@pytest.mark.parametrize("name", ["real", "any", "numbers", "r2"])
def test_layouts(name: str) -> None:
    X, two, _ = numbers(600)
    X = np.nan_to_num(X)
    y = two if name in ("real", "any") else X[:, 3] + np.round(np.abs(X[:, 0]), 2)
    model = MODELS[name]
    first = bits(type(model)(**model.get_params()).fit(X, y), X)
    import scipy.sparse as sp

    for other in (np.asfortranarray(X), X.astype(np.float32), sp.csc_array(X), sp.csr_array(X)):
        assert bits(type(model)(**model.get_params()).fit(other, y), X) == first
