"""Gradient boosting over partitions of the rows: the model of all rows in one, byte for byte."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest

from weaklearn import (
    AdditiveBoostingClassifier,
    AdditiveBoostingRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
)
from weaklearn.engines.collective import collective
from weaklearn.engines.here import run_here

_M = 500


def _table() -> tuple[pd.DataFrame, np.ndarray]:
    """Numbers, whole numbers, gaps and categories, and a score that they explain."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "a": rng.normal(size=_M),
            "b": rng.integers(0, 6, _M),
            "c": np.where(rng.random(_M) < 0.2, np.nan, rng.exponential(size=_M)),
            "d": pd.Categorical(rng.choice(list("uvwxyz"), _M)),
            "e": rng.choice(["red", "green", "blue", "black"], _M),
        }
    )
    score = X["a"] + X["b"].isin([1, 4]) * 2 + X["c"].fillna(2) * (X["d"] == "u")
    return X, np.asarray(score + (X["e"] == "red") + rng.normal(size=_M) / 2)


_X, _SCORE = _table()
_COPIES = np.random.default_rng(1).integers(0, 4, _M)
_WEIGHTS = np.random.default_rng(2).uniform(0.2, 3.0, _M)
_TARGETS = {
    "number": _SCORE,
    "two": np.where(_SCORE > 1, "yes", "no"),
    "three": np.digitize(_SCORE, [0.5, 1.8]),
    "count": np.random.default_rng(3).poisson(np.exp(_SCORE / 3)).astype(np.float64),
}


@dataclass(frozen=True)
class _Form:
    """A fit: the estimator, its target, and arguments of ``fit``, a row each."""

    make: Callable[[], Any]
    target: str
    arrays: tuple[tuple[str, np.ndarray], ...] = ()
    judged: int = 0  # rows of X that are passed as X_val
    twice: bool = False  # the rows are there twice
    columns: str = "abcde"  # of X; few values of X come with several labels where they are few

    def fit(self, rows: np.ndarray) -> Any:
        """The model of some rows."""
        X, y = _X[list(self.columns)], _TARGETS[self.target]
        judged, learnt = rows[rows % _M < self.judged], rows[rows % _M >= self.judged]
        given = {name: x[learnt % _M] for name, x in self.arrays}
        if self.judged:
            given |= {"X_val": X.iloc[judged % _M], "y_val": y[judged % _M]}
        return self.make().fit(X.iloc[learnt % _M], y[learnt % _M], **given)

    @property
    def n_rows(self) -> int:
        return _M * (1 + self.twice)


def _numbers(**parameters: Any) -> Callable[[], Any]:
    return lambda: GradientBoostingRegressor(**{"n_estimators": 5, **parameters})


def _classes(**parameters: Any) -> Callable[[], Any]:
    return lambda: GradientBoostingClassifier(**{"n_estimators": 5, **parameters})


def _box(kind: type, **parameters: Any) -> Callable[[], Any]:
    few = {"n_estimators": 4, "n_bags": 2, "learning_rate": 0.3}
    return lambda: kind(**{**few, **parameters})


_FORMS = {
    "squared loss": _Form(_numbers(), "number"),
    "two classes": _Form(_classes(), "two"),
    "three classes": _Form(_classes(), "three"),
    "exponential loss": _Form(_classes(loss="exponential"), "two"),
    "quantiles": _Form(_numbers(loss="quantile", quantile=[0.1, 0.5, 0.9]), "number"),
    "absolute error": _Form(_numbers(loss="absolute_error"), "number"),
    "huber": _Form(_numbers(loss="huber"), "number"),
    "counts": _Form(_numbers(loss="poisson"), "count"),
    "copies": _Form(_classes(), "two", (("sample_weight", _COPIES),)),
    "copies of numbers": _Form(_numbers(), "number", (("sample_weight", _COPIES),)),
    "weights": _Form(_classes(), "three", (("sample_weight", _WEIGHTS),)),
    "weighted quantile": _Form(_numbers(loss="quantile"), "number", (("sample_weight", _WEIGHTS),)),
    "balanced": _Form(_classes(class_weight="balanced"), "three"),
    "no draws": _Form(_classes(subsample=1.0, max_features=1.0), "two"),
    "constraints": _Form(
        _numbers(monotonic_cst={"a": 1}, interaction_cst=[["a", "b"], ["c", "d", "e"]]), "number"
    ),
    "pairs": _Form(_numbers(interaction_cst="pairwise"), "number"),
    "shape of trees": _Form(
        _classes(max_leaf_nodes=None, max_depth=3, min_samples_leaf=20, max_bins=16),
        "two",
    ),
    "steps held back": _Form(
        _classes(l1_regularization=1.0, max_step=0.5, path_smoothing=9.0, min_hessian_leaf=3.0),
        "three",
    ),
    "drawn columns and cuts": _Form(
        _numbers(
            max_features_by_level=4,
            max_features_by_node=0.6,
            feature_weights=[1, 2, 0.5, 1, 3],
            feature_factors={"a": 0.5},
            splitter="random",
        ),
        "number",
    ),
    "few codes of categories": _Form(
        _classes(min_samples_category=90, category_smoothing=1.0), "two"
    ),
    "forced splits": _Form(
        _numbers(
            forced_splits={
                "feature": "a",
                "threshold": 0.1,
                "left": {"feature": "b", "threshold": 0.2},
            }
        ),
        "number",
    ),
    "an offset": _Form(_numbers(loss="poisson"), "count", (("offset", _WEIGHTS),)),
    "rows twice": _Form(_classes(), "three", twice=True),
    "rows held out": _Form(_classes(n_estimators=30, early_stopping=True), "two"),
    "copies held out": _Form(
        _numbers(n_estimators=30, early_stopping=True), "number", (("sample_weight", _COPIES),)
    ),
    "rounds by folds": _Form(
        _numbers(n_estimators="auto", n_iter_no_change=2, learning_rate=0.5), "number"
    ),
    "rounds of classes by folds": _Form(
        _classes(n_estimators="auto", n_iter_no_change=1, learning_rate=0.5),
        "three",
        (("sample_weight", _WEIGHTS),),
    ),
    "rounds by rows given": _Form(
        _classes(n_estimators="auto", n_iter_no_change=2, learning_rate=0.5), "two", judged=80
    ),
    "rounds by folds of few values": _Form(
        _classes(n_estimators="auto", n_iter_no_change=2, learning_rate=0.5), "two", columns="bd"
    ),
    "few values held out by weight": _Form(
        _classes(n_estimators=30, early_stopping=True, validation_fraction=0.3),
        "three",
        (("sample_weight", _COPIES),),
        columns="be",
    ),
    "glass box of few values": _Form(
        _box(AdditiveBoostingClassifier, n_estimators="auto", n_iter_no_change=1),
        "two",
        twice=True,
        columns="bde",
    ),
    "glass box": _Form(_box(AdditiveBoostingRegressor), "number"),
    "glass box of classes": _Form(
        _box(AdditiveBoostingClassifier), "three", (("sample_weight", _COPIES),)
    ),
    "glass box of quantiles": _Form(
        _box(AdditiveBoostingRegressor, loss="quantile", quantile=[0.2, 0.7]), "number"
    ),
    "glass box by weights": _Form(
        _box(AdditiveBoostingClassifier, n_estimators="auto", n_iter_no_change=1, n_bags=1),
        "two",
        (("sample_weight", _WEIGHTS),),
    ),
    "glass box of rows twice": _Form(
        _box(AdditiveBoostingRegressor, loss="poisson", n_pairs=3), "count", twice=True
    ),
    "glass box of pairs": _Form(
        _box(AdditiveBoostingRegressor, pairs=[("a", "b"), ("c", "d")], subsample=0.6), "number"
    ),
    "rows to judge by": _Form(_classes(n_estimators=30, early_stopping=True), "two", judged=80),
}


def _partitions(n: int, n_rows: int, seed: int) -> list[np.ndarray]:
    """Rows dealt at random; of seven partitions one has none."""
    rng = np.random.default_rng(seed)
    part = rng.integers(0, n, n_rows)
    if n > 3:
        part[part == 2] = 0
    return [rng.permutation(np.flatnonzero(part == k)) for k in range(n)]


@pytest.mark.parametrize("name", _FORMS)
def test_partitions_change_no_byte(name: str) -> None:
    form = _FORMS[name]
    right = form.fit(np.arange(form.n_rows)).fingerprint()
    for seed, n in enumerate((1, 3, 7)):
        rows = _partitions(n, form.n_rows, seed)
        models = run_here([lambda own=own: form.fit(own) for own in rows])
        assert {model.fingerprint() for model in models} == {right}


def test_histories_are_those_of_all_rows() -> None:
    form = _FORMS["rows to judge by"]
    right = form.fit(np.arange(_M))
    for model in run_here([lambda own=own: form.fit(own) for own in _partitions(3, _M, 0)]):
        assert model.history_ == right.history_
        assert np.array_equal(model.validation_losses_, right.validation_losses_)
        assert model.stop_reason_ == right.stop_reason_


@pytest.mark.parametrize("name", ["glass box", "glass box of classes"])
def test_a_glass_box_is_judged_by_all_rows(name: str) -> None:
    form, rows = _FORMS[name], _partitions(3, _M, 5)
    right = form.fit(np.arange(_M))
    models = run_here([lambda own=own: form.fit(own) for own in rows])
    for own, model in zip(rows, models, strict=True):
        assert model.oob_score_ == right.oob_score_
        assert model.oob_loss_ == right.oob_loss_
        found, whole = model.oob_decision_function_, right.oob_decision_function_[own]
        assert np.array_equal(found, whole, equal_nan=True)


def test_a_callback_is_asked_in_the_first_partition() -> None:
    asked = []

    def wish(t: int, state: Any, history: Any) -> bool:
        asked.append((collective().rank, t))
        return t == 3

    form = _Form(_numbers(n_estimators=9, callbacks=[wish]), "number")
    models = run_here([lambda own=own: form.fit(own) for own in _partitions(3, _M, 0)])
    assert [model.n_iter_ for model in models] == [3] * 3
    assert asked == [(0, 1), (0, 2), (0, 3)]


def test_an_earlier_fit_goes_on_over_partitions() -> None:
    whole, rows = np.arange(_M), _partitions(3, _M, 4)

    def going_on(own: np.ndarray) -> str:
        model = _numbers(warm_start=True)()
        for rounds in (3, 6):
            model.set_params(n_estimators=rounds).fit(_X.iloc[own], _SCORE[own])
        return str(model.fingerprint())

    right = going_on(whole)
    assert run_here([lambda own=own: going_on(own) for own in rows]) == [right] * 3


def test_losses_of_own_functions_are_refused() -> None:
    form = _Form(_numbers(loss=lambda y, F: F - y), "number")
    with pytest.raises(ValueError, match=r"over several partitions.*'squared_error'"):
        run_here([lambda own=own: form.fit(own) for own in _partitions(2, _M, 0)])
