"""Rows with their predictions: where they come from, and parts of them."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import weaklearn as wl
from tests import forms
from weaklearn.show.data.residuals import Residuals
from weaklearn.show.data.rows import EvaluatedRows


def test_rows_of_training_are_known_as_such() -> None:
    X, y, _ = forms.sample()
    half = len(y) // 2
    model = wl.AdaBoostClassifier(n_estimators=2).fit(X[:half], y[:half])
    for part, origin in (
        (slice(0, half), "training"),
        (slice(half, None), "new"),
        (slice(0, None), "mixed"),
    ):
        assert EvaluatedRows(model, X[part], y[part]).origin == origin
    assert EvaluatedRows(LogisticRegression().fit(X, y), X, y).origin == "unknown"


def test_codes_count_classes_from_0_and_unknown_ones_as_minus_1() -> None:
    X, y, _ = forms.sample()
    model = wl.AdaBoostClassifier(n_estimators=2).fit(X, y)
    strange = np.array([*y[:-1].tolist(), "strange"], object)
    rows = EvaluatedRows(model, X, strange if y.dtype.kind in "OU" else np.r_[y[:-1], 99])
    assert rows.codes[-1] == -1
    assert np.array_equal(model.classes_[rows.codes[:-1]], y[:-1])
    assert np.array_equal(model.classes_[rows.predicted_codes], model.predict(X))


def test_a_sample_is_evenly_spread_and_always_the_same() -> None:
    X, y, _ = forms.sample()
    rows = EvaluatedRows(wl.AdaBoostClassifier(n_estimators=2).fit(X, y), X, y)
    assert rows.sample(len(y)) is rows
    part = rows.sample(5)
    assert part.n == 5
    assert np.array_equal(part.X, X[np.linspace(0, len(y) - 1, 5).astype(int)])
    assert np.array_equal(part.X, rows.sample(5).X)


def test_residuals_add_up() -> None:
    rng = np.random.default_rng(3)
    y = rng.normal(size=200)
    predicted = y + rng.normal(scale=0.5, size=200)
    found = Residuals(y, predicted)
    assert found.rmse == pytest.approx(np.sqrt(np.mean((y - predicted) ** 2)))
    assert found.mae == pytest.approx(np.mean(np.abs(y - predicted)))
    assert found.r2 == pytest.approx(1 - found.rmse**2 / y.var())
    groups = found.groups()
    assert sum(group.n for group in groups) == 200
    assert sum(group.n * group.true for group in groups) == pytest.approx(y.sum())
    assert [g.predicted for g in groups] == sorted(g.predicted for g in groups)
    counts, edges = found.histogram()
    assert counts.sum() == 200
    assert edges[0] == -edges[-1]
    assert Residuals(np.ones(3), np.zeros(3)).r2 is None
