"""Explanations of either of two classes, of one output of several, and for the package shap."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest

import weaklearn as wl
from tests.mixed_table import mixed_table

TWO = [
    wl.AdaBoostClassifier(n_estimators=5),
    wl.GradientBoostingClassifier(n_estimators=5),
    wl.AdditiveBoostingClassifier(n_estimators=5, n_bags=2),
    wl.RandomForestClassifier(n_estimators=3),
    wl.DecisionTreeClassifier(max_depth=4),
    wl.BaggingClassifier("tree", n_estimators=3),
    wl.DecisionStumpClassifier(),
    wl.ADTreeClassifier(n_estimators=3),
    wl.SlipperClassifier(n_estimators=3),
]


@pytest.mark.parametrize("model", TWO, ids=lambda model: type(model).__name__)
def test_either_of_two_classes(model: Any) -> None:
    X, y, *_ = mixed_table()
    why = model.fit(X, y).explain(X[:20])
    first, second = why.of("no"), why.of("yes")
    assert second is why
    sums = np.ones(20) if "probability" in why.scale else np.zeros(20)
    np.testing.assert_allclose(first.scores + why.scores, sums, atol=1e-12)
    assert np.array_equal(first.contributions, -why.contributions)
    assert (why.scale.endswith(" of yes"), first.scale) == (
        True,
        f"{why.scale.removesuffix(' of yes')} of no",
    )
    again = first.of("yes")
    assert (again.scale, again.classes) == (why.scale, first.classes[::-1])
    np.testing.assert_allclose(again.scores, why.scores, atol=1e-12)
    with pytest.raises(ValueError, match=r"output='maybe' is not allowed: it must be one of"):
        why.of("maybe")


def test_explanations_of_a_calibrated_forest_are_of_its_average_shares() -> None:
    X, two, three, _ = mixed_table()
    for y, scale in ((two, "average share of yes"), (three, "average share")):
        model = wl.RandomForestClassifier(n_estimators=30).fit(X, y)
        shares = wl.RandomForestClassifier(n_estimators=30, calibrate=None).fit(X, y)
        why, plain = model.explain(X[:20]), shares.explain(X[:20])
        assert model.calibration_.slope != 1
        assert (why.scale, plain.scale) == (scale, scale.replace("average share", "probability"))
        assert np.array_equal(why.scores, plain.scores)
        average = shares.predict_proba(X[:20])
        np.testing.assert_allclose(why.scores, average if y is three else average[:, 1], atol=1e-9)
    np.testing.assert_allclose(
        (first := model.fit(X, two).explain(X[:20])).of("no").scores + first.scores, 1.0
    )


def test_a_linear_score_of_either_class() -> None:
    model = wl.Perceptron().fit([[1.0, 2.0], [3.0, 1.0], [4.0, 0.0]], [0, 1, 1])
    why = model.explain([[2.0, 2.0]])
    assert why.of(0).scores.tolist() == (-why.scores).tolist()


def test_one_output_of_several() -> None:
    X, _, y, _ = mixed_table()
    model = wl.GradientBoostingClassifier(n_estimators=3).fit(X, y)
    why = model.explain(X[:5])
    low = why.of("low")
    assert (low.outputs, low.scale) == ((), "score of low")
    assert np.array_equal(low.scores, why.scores[:, list(why.outputs).index("low")])
    assert why.of(None) is why
    assert "score of low" in str(low)


def test_numbers_have_one_score() -> None:
    X, *_, y = mixed_table()
    why = wl.GradientBoostingRegressor(n_estimators=3).fit(X, y).explain(X[:5])
    with pytest.raises(ValueError, match="one score only"):
        why.of("yes")


def test_every_target_and_every_quantile() -> None:
    X, *_, y = mixed_table()
    two = pd.DataFrame({"up": y, "down": -2 * y})
    model = wl.GradientBoostingRegressor(n_estimators=3).fit(X, two)
    why = model.explain(X[:4])
    assert why.outputs == ("up", "down")
    assert "up" in str(why)
    assert "down" in why.table(0).columns
    for k, name in enumerate(why.outputs):
        for asked in (name, k):
            alone = why.of(asked)
            assert (alone.outputs, alone.scale) == ((), f"prediction of {name}")
            np.testing.assert_allclose(alone.scores, model.predict(X[:4])[:, k])
            assert "of " + name in str(alone)
    assert why.plot(0, output="down").scale == "prediction of down"
    with pytest.raises(ValueError, match=r"a row has 2 scores: up, down; .*output='up'"):
        why.plot(0)
    with pytest.raises(ValueError, match="output='2' is not allowed"):
        why.of(2)
    quantiles = wl.GradientBoostingRegressor("quantile", quantile=[0.1, 0.9], n_estimators=3)
    why = quantiles.fit(X, y).explain(X[:4])
    assert why.outputs == ("quantile 0.1", "quantile 0.9")
    assert "quantile 0.9" in str(why)
    assert why.of(1).scale.endswith("of quantile 0.9")
    assert list(model.to_frame().columns)[-2:] == ["up", "down"]


@pytest.mark.parametrize("form", ["numbers", "mixed", "several"])
def test_shap_takes_them(form: str) -> None:
    shap = pytest.importorskip("shap")
    X, two, three, _ = mixed_table()
    X = X[["age", "dose"]] if form == "numbers" else X
    model = wl.GradientBoostingClassifier(n_estimators=3).fit(
        X, three if form == "several" else two
    )
    why = model.explain(X[:20])
    made = why.to_shap()
    assert isinstance(made, shap.Explanation)
    assert made.feature_names == list(why.names)
    np.testing.assert_allclose(made.values.sum(axis=1) + made.base_values, why.scores, atol=1e-12)
    if form == "numbers":
        np.testing.assert_array_equal(made.data, X[:20].to_numpy())
    alone = made[0] if form != "several" else made[0, :, 1]
    assert alone.values.shape == (X.shape[1],)


def test_shap_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shap", None)
    X, y = wl.datasets.toy()
    why = wl.AdaBoostClassifier(n_estimators=3).fit(X, y).explain(X)
    with pytest.raises(ImportError, match="pip install shap"):
        why.to_shap()
