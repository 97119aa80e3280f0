"""ONNX models say what the model says: in onnxruntime, for every kind of column."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnxruntime
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weaklearn as wl
from tests import forms
from tests.export.test_trees import MODELS, expected, fitted
from tests.mixed_table import later_rows, mixed_table

WHOLE = ("day", "waited", "key")
TEXTS = ("town", "ward")


def asked(model: Any, given: dict[str, Any]) -> dict[str, Any]:
    """What onnxruntime answers."""
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    wanted = {entry.name: given[entry.name] for entry in session.get_inputs()}
    names = [entry.name for entry in session.get_outputs()]
    return dict(zip(names, session.run(None, wanted), strict=True))


def entries(X: pd.DataFrame) -> dict[str, Any]:
    """The columns of a table as inputs of a graph."""
    given: dict[str, Any] = {}
    for name in X.columns:
        column = X[name]
        if name in TEXTS:
            texts = ["" if pd.isna(value) else str(value) for value in column]
            given[name] = np.array(texts, object)[:, None]
        elif name in WHOLE:
            missing = column.isna().to_numpy()
            if name != "key":
                column = column.astype("M8[ns]" if name == "day" else "m8[ns]").astype("int64")
            values = column.fillna(0).astype("int64").to_numpy()
            given[name] = np.where(missing, np.iinfo(np.int64).min, values)[:, None]
        else:
            given[name] = column.astype("float64").to_numpy()[:, None]
    return given


@pytest.mark.parametrize("name", [name for name in MODELS if name != "fraction"])
def test_onnxruntime_says_the_same(name, tmp_path):
    model, X = fitted(name), later_rows()
    X["town"] = X["town"].replace("", None)  # there is no other way to say that it is missing
    scores, shares, labels = expected(model, X)
    graph = model.to_onnx(tmp_path / "model.onnx")
    assert (tmp_path / "model.onnx").stat().st_size > 0
    found = asked(graph, entries(X))
    np.testing.assert_allclose(found["score"], scores, rtol=1e-9, atol=1e-9)
    if shares is not None:
        np.testing.assert_allclose(found["probabilities"], shares, rtol=1e-9, atol=1e-9)
    if hasattr(model, "classes_"):
        assert found["label"].tolist() == labels.tolist()
    else:
        np.testing.assert_allclose(found["prediction"], labels, rtol=1e-9, atol=1e-9)


@forms.each([form for form in forms.FORMS + forms.CANON if form.native])
def test_every_sum_of_trees_is_a_graph_or_refused_by_name(form):
    model, X = form.fit(), np.array(form.X)
    if not hasattr(model, "to_onnx"):
        return
    if form.name in ("pairs", "paired", "mo3", "adaboost-mo"):
        with pytest.raises(TypeError, match="no export writes"):
            model.to_onnx()
        return
    X[::7, 0] = np.nan
    found = asked(model.to_onnx(), {"X": X})
    assert found["label"].tolist() == model.predict(X).tolist()
    if "probabilities" in found:
        wanted = model.predict_proba(X)
        np.testing.assert_allclose(found["probabilities"], wanted, rtol=1e-8, atol=1e-9)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 100), tiny=st.booleans())
def test_thresholds_are_double(seed, n, tiny):
    """Numbers that are one in single precision stay apart."""
    rng = np.random.default_rng(seed)
    X = 1 + rng.integers(0, 20, (n, 3)) * (2.0**-40 if tiny else 1.0)
    y = rng.normal(size=n)
    y[0] += 1
    model = wl.DecisionTreeRegressor().fit(X, y)
    found = asked(model.to_onnx(), {"X": X})
    np.testing.assert_allclose(found["prediction"], model.predict(X), rtol=1e-12)


def test_labels_keep_their_type():
    X, two, three = forms.sample()
    for y in (two.astype(bool), two.astype(float), three * 10, np.array(list("ab"))[two]):
        model = wl.AdaBoostClassifier(n_estimators=3).fit(X, y)
        assert asked(model.to_onnx(), {"X": X})["label"].tolist() == model.predict(X).tolist()


def test_one_class_and_no_test():
    X = forms.sample()[0]
    with pytest.warns(wl.WeaklearnWarning):
        model = wl.AdaBoostClassifier(n_estimators=3).fit(X, ["only"] * len(X))
    found = asked(model.to_onnx(), {"X": X})
    assert set(found["label"]) == {"only"}
    assert found["probabilities"].tolist() == [[1.0]] * len(X)
    mean = wl.DecisionTreeRegressor(max_depth=1).fit(np.ones((4, 2)), [1.0, 2.0, 3.0, 4.0])
    found = asked(mean.to_onnx(), {"X": np.array([[1.0, 1.0], [np.nan, 2.0]])})
    assert found["prediction"].tolist() == [2.5, 2.5]


def test_what_onnx_cannot_say_is_told():
    with pytest.raises(TypeError, match="missing='fraction'"):
        fitted("fraction").to_onnx()


def test_the_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "onnx", None)
    with pytest.raises(ImportError, match=r"pip install '.\[onnx\]'"):
        fitted("stump").to_onnx()


@pytest.mark.parametrize("kind", ["two", "three", "numbers"])
def test_the_glass_box_is_a_graph_too(kind):
    X, two, three, numbers = mixed_table()
    X_new = later_rows()
    X_new["town"] = X_new["town"].replace("", None)
    settings_of = {"n_estimators": 20, "n_bags": 2, "n_pairs": 2}
    if kind == "numbers":
        model = wl.AdditiveBoostingRegressor(**settings_of).fit(X, numbers)
        found = asked(model.to_onnx(), entries(X_new))
        np.testing.assert_allclose(found["prediction"], model.predict(X_new), rtol=1e-10)
        return
    model = wl.AdditiveBoostingClassifier(**settings_of).fit(X, two if kind == "two" else three)
    found = asked(model.to_onnx(), entries(X_new))
    assert found["label"].tolist() == model.predict(X_new).tolist()
    wanted = model.predict_proba(X_new)
    np.testing.assert_allclose(found["probabilities"], wanted, rtol=1e-9, atol=1e-12)


def test_columns_may_have_the_names_of_outputs():
    X, two, _, _ = mixed_table()
    names = {"age": "score", "dose": "label", "town": "weaklearn/Gather_1", "ward": "column score"}
    X = X[list(names)].rename(columns=names)
    model = wl.GradientBoostingClassifier(n_estimators=8).fit(X, two)
    graph = model.to_onnx()
    inputs = {entry.name for entry in graph.graph.input}
    assert inputs == {"column column score", "column label", "column weaklearn/Gather_1"} | {
        "column score"
    }
    given = {
        "column column score": X["score"].to_numpy()[:, None],
        "column label": X["label"].to_numpy()[:, None],
        "column weaklearn/Gather_1": X["weaklearn/Gather_1"].fillna("").to_numpy(object)[:, None],
        "column score": X["column score"].to_numpy(object)[:, None],
    }
    assert asked(graph, given)["label"].tolist() == model.predict(X).tolist()
