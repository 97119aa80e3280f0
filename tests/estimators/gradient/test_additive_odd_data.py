"""Additive boosting on data that hardly anyone has: a right answer, or one clear sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from tests.files.forge import loaded
from tests.forms import untouched
from weaklearn import (
    AdditiveBoostingClassifier,
    AdditiveBoostingRegressor,
    BoostingWarning,
    DataWarning,
)
from weaklearn.persistence.model_bytes import sealed

pd = pytest.importorskip("pandas")

QUICK: dict[str, Any] = {"n_estimators": 10, "n_bags": 2, "learning_rate": 0.5}


def numbers(n: int = 200, d: int = 3) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    return X, X[:, 0] + 0.1 * rng.normal(size=n)


def comes_back(model: Any, X: Any) -> bool:
    again = loaded(sealed(model))
    return bool((again.predict(X) == model.predict(X)).all())


def test_a_column_of_one_value_says_nothing_alone_or_in_a_pair() -> None:
    X, y = numbers()
    X[:, 1] = 7.0
    model = AdditiveBoostingRegressor(pairs=[(0, 1), (1, 2)], **QUICK).fit(X, y)
    assert model.feature_importances_[1] < 1e-9
    assert comes_back(model, X)
    other = X.copy()
    other[:, 1] = -3.0
    assert np.abs(model.predict(other) - model.predict(X)).max() < 1e-9


def test_a_column_without_any_value() -> None:
    X, y = numbers()
    X[:, 1] = np.nan
    with pytest.warns(DataWarning, match="missing"):
        model = AdditiveBoostingRegressor(pairs=[(0, 1)], **QUICK).fit(X, y)
    assert model.score(X, y) > 0.9
    assert comes_back(model, X)


@pytest.mark.filterwarnings("ignore::weaklearn.DataWarning")
def test_a_pair_of_ten_thousand_levels_each() -> None:
    rng = np.random.default_rng(0)
    codes = np.concatenate([np.arange(10_000), rng.integers(0, 10, 10_000)])
    X = pd.DataFrame({"a": codes.astype(str), "b": codes[::-1].astype(str)})
    y = (X["a"] == "3") * 2.0 + (X["b"] == "4") * 1.0 + 0.1 * rng.normal(size=len(X))
    model = AdditiveBoostingRegressor(pairs=[("a", "b")], **QUICK).fit(X, y)
    assert model.score(X, y) > 0.8
    assert max(term.values.size for term in model.ensemble_.terms) <= 257**2
    assert comes_back(model, X[:100])


@pytest.mark.parametrize("kind", [sp.csr_matrix, sp.csc_array, sp.coo_matrix])
def test_sparse_rows_are_those_of_the_dense_table(kind: Any) -> None:
    X, y = numbers()
    X[np.abs(X) < 0.7] = 0.0
    dense = AdditiveBoostingRegressor(pairs=[(0, 1)], **QUICK).fit(X, y)
    sparse = AdditiveBoostingRegressor(pairs=[(0, 1)], **QUICK).fit(kind(X), y)
    assert sparse.fingerprint() == dense.fingerprint()
    assert (sparse.predict(kind(X)) == dense.predict(X)).all()
    assert len(sparse.predict(kind(X[:0]))) == 0


def test_dates_have_functions_of_their_own() -> None:
    days = np.datetime64("2024-01-01") + np.arange(200)
    X = pd.DataFrame({"day": days, "took": np.arange(200) * np.timedelta64(1, "h")})
    X.loc[::9, "day"] = pd.NaT
    y = (np.arange(200) > 99).astype(float)
    model = AdditiveBoostingRegressor(pairs=[("day", "took")], **QUICK).fit(X, y)
    assert model.score(X, y) > 0.9
    assert "2024-04" in str(model.shapes_["day"])
    assert comes_back(model, X)


def identical(n: int) -> None:
    X, y = np.ones((n, 3)), np.arange(n) % 2
    with pytest.warns((BoostingWarning, DataWarning), match=r"nothing was learnt|constant"):
        model = AdditiveBoostingClassifier().fit(X, y)
    assert model.predict_proba(X[:1]).tolist() == [[0.5, 0.5]]
    X[0] = 2.0  # and one row that is not
    model = AdditiveBoostingClassifier(n_estimators=3, min_samples_leaf=1).fit(X, y)
    assert model.predict_proba(X[1:2])[0] == pytest.approx([0.5, 0.5], abs=1 / n**0.5)


def test_identical_rows() -> None:
    identical(2_000)


@pytest.mark.slow
@pytest.mark.long
def test_a_million_identical_rows() -> None:
    identical(1_000_000)


def test_a_thousand_classes() -> None:
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(1000), 2)
    X = np.column_stack([y + 0.01 * rng.normal(size=2000), rng.normal(size=2000)])
    model = AdditiveBoostingClassifier(n_estimators=2, n_bags=1, n_pairs=0).fit(X, y)
    assert model.predict_proba(X[:3]).sum(axis=1) == pytest.approx(np.ones(3))
    assert model.validation_losses_[-1] < model.validation_losses_[0]
    assert comes_back(model, X[:50])


@pytest.mark.parametrize(
    ("kind", "loss"),
    [
        ("NaN", lambda y, F: np.full(len(y), np.nan)),
        ("a wrong shape", lambda y, F: np.ones(3)),
        ("raising", lambda y, F: 1 / 0),
    ],
)
def test_a_loss_that_fails_leaves_the_earlier_fit(kind: str, loss: Any) -> None:
    X, y = numbers()
    model = AdditiveBoostingRegressor(**QUICK).fit(X, y)
    model.loss = (loss, lambda y, F: np.ones(len(y)), lambda y, F: (y - F) ** 2)
    error = RuntimeError if kind == "raising" else ValueError
    with untouched(model, X), pytest.raises(error, match="gradient of loss"):
        model.fit(X[::-1], y)


def _neighbours() -> dict[str, Any]:
    """Sixty values that differ as little as their type can tell; and two columns with gaps."""
    order = np.arange(60)
    days = np.datetime64("2024-03-01") + order
    gaps = order >= 50
    return {
        "integers": 2**60 + order,
        "floats": 1 + order * 1e-15,
        "gaps": np.where(gaps, np.nan, order),
        "days": np.where(gaps, np.datetime64("NaT"), days),
    }


@pytest.mark.parametrize("kind", list(_neighbours()))
def test_drawn_cuts_keep_neighbours_and_gaps_apart(kind: str) -> None:
    X = _neighbours()[kind][:, None]
    y = (np.arange(60) >= 30) & ~pd.isna(X[:, 0])
    model = AdditiveBoostingClassifier().fit(X, y)
    assert model.score(X, y) == 1
    assert (model.predict_proba(X)[y, 1] > 0.9).mean() > 0.8
