"""One row at a time: the same bits as many rows give, for any row, from any thread."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

import weaklearn as wl
from weaklearn.base.numeric.exponential import exponential_of, exponentials, sigmoid, sigmoid_of
from weaklearn.production.predictor import Predictor

RNG = np.random.default_rng(0)
X = pd.DataFrame(
    {
        "a": RNG.normal(size=200),
        "b": RNG.integers(0, 9, 200),
        "c": RNG.choice(["x", "y", "z", None], 200),
        "d": np.where(RNG.random(200) < 0.2, np.nan, RNG.normal(size=200)),
    }
)
SCORE = X["a"] + (X["c"] == "x") + X["d"].fillna(0) * (X["b"] > 4) + 0.5 * RNG.normal(size=200)
TWO = np.where(SCORE > 0, "yes", "no")
THREE = np.digitize(SCORE, [-0.7, 0.7])
LABELS = np.column_stack([SCORE > 0, X["a"] > 0.4, X["b"] > 4]).astype(int)
UNFITTED = {
    "two labels a row": (wl.AdaBoostMHClassifier(n_estimators=6), LABELS[:, :2]),
    "three labels a row": (wl.AdaBoostMHClassifier("tree", n_estimators=6), LABELS),
    "two labels in order": (wl.AdaBoostMRClassifier(n_estimators=6), LABELS[:, :2]),
    "three labels in order": (wl.AdaBoostMRClassifier(n_estimators=6), LABELS),
    "descent of two labels": (wl.GradientBoostingClassifier(n_estimators=6), LABELS[:, :2]),
    "stumps": (wl.AdaBoostClassifier(n_estimators=40), TWO),
    "calibrated": (wl.AdaBoostClassifier(n_estimators=9, calibrate="platt"), TWO),
    "trees": (wl.AdaBoostClassifier("tree", n_estimators=9), TWO),
    "halved": (wl.AdaBoostLClassifier(n_estimators=9), TWO),
    "majority": (wl.GammaMajorityClassifier(n_estimators=9, gamma=0.05), TWO),
    "loss": (wl.AnyBoostClassifier(n_estimators=9), TWO),
    "gentle": (wl.GentleBoostClassifier(n_estimators=9), TWO),
    "samme": (wl.AdaBoostClassifier(n_estimators=9, multiclass="samme"), THREE),
    "ovr": (wl.AdaBoostClassifier(n_estimators=5, multiclass="ovr"), THREE),
    "descent": (wl.GradientBoostingClassifier(n_estimators=9), TWO),
    "descent of three": (wl.GradientBoostingClassifier(n_estimators=5), THREE),
    "numbers": (wl.GradientBoostingRegressor(n_estimators=9), SCORE),
    "quantiles": (
        wl.GradientBoostingRegressor(loss="quantile", quantile=[0.1, 0.9], n_estimators=5),
        SCORE,
    ),
    "counts": (wl.GradientBoostingRegressor(loss="poisson", n_estimators=5), SCORE**2),
    "forest": (wl.RandomForestClassifier(n_estimators=7), TWO),
    "forest of three": (wl.RandomForestClassifier(n_estimators=7), THREE),
    "forest of numbers": (wl.RandomForestRegressor(n_estimators=7), SCORE),
    "tree": (wl.DecisionTreeClassifier(max_depth=4), TWO),
    "tree of numbers": (wl.DecisionTreeRegressor(max_depth=4), SCORE),
    "glass box": (wl.AdditiveBoostingClassifier(n_estimators=30), TWO),
    "glass box of three": (wl.AdditiveBoostingClassifier(n_estimators=30), THREE),
    "glass box of numbers": (wl.AdditiveBoostingRegressor(n_estimators=30), SCORE),
    "calibrated forest": (wl.RandomForestClassifier(n_estimators=25), THREE),
    "stump": (wl.DecisionStumpClassifier(), TWO),
    "median": (wl.AdaBoostRegressor(n_estimators=5), SCORE),
    "any numbers": (wl.AnyBoostRegressor(n_estimators=5), SCORE),
    "bag": (wl.BaggingClassifier("tree", n_estimators=3), TWO),
    "reduction": (wl.OneVsRestBooster(wl.AdaBoostClassifier(n_estimators=4)), THREE),
}


@pytest.fixture(scope="module")
def models() -> Iterator[dict[str, Any]]:
    fitted = {name: clone(model).fit(X, y) for name, (model, y) in UNFITTED.items()}
    yield fitted
    fitted.clear()


def said(model: object, rows: pd.DataFrame) -> np.ndarray:
    """What many rows give."""
    if not hasattr(model, "classes_"):
        return np.asarray(model.predict(rows))
    name = "predict_proba" if hasattr(model, "predict_proba") else "decision_function"
    found = np.asarray(getattr(model, name)(rows))
    of_two = found.ndim == 2 and found.shape[1] == 2 and np.ndim(model.predict(rows)) == 1
    return found[:, 1] if of_two else found


def as_rows(frame: pd.DataFrame) -> list[dict[str, object]]:
    return [
        {name: None if pd.isna(value) else value for name, value in row.items()}
        for row in frame.astype(object).to_dict("records")
    ]


@pytest.mark.parametrize("name", UNFITTED)
def test_a_row_is_told_as_many_are(models: dict[str, Any], name: str) -> None:
    model = models[name]
    expected = said(model, X)
    predict_one = model.predictor()
    for i, row in enumerate(as_rows(X)):
        for given_row in (row, list(row.values()), tuple(row.values())):
            found = predict_one(given_row)
            np.testing.assert_array_equal(found, expected[i])
            assert isinstance(found, float) == (expected.ndim == 1)


CELLS = st.one_of(st.none(), st.floats(allow_infinity=False), st.integers(-(2**53), 2**53))


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["stumps", "trees", "descent", "forest", "tree", "samme", "glass box"]),
    CELLS,
    CELLS,
    st.one_of(st.none(), st.sampled_from(["x", "y", "z", "unseen", ""])),
    CELLS,
)
def test_any_row_is_told_as_many_are(
    models: dict[str, Any], name: str, a: object, b: object, c: object, d: object
) -> None:
    model = models[name]
    row = {"a": a, "b": b, "c": c, "d": d}
    frame = pd.DataFrame(
        {k: pd.Series([v], dtype=object if k == "c" else float) for k, v in row.items()}
    )
    np.testing.assert_array_equal(model.predictor()(row), said(model, frame)[0])


def test_arrays_of_any_type_are_rows() -> None:
    A = RNG.normal(size=(100, 3)).astype(np.float32)
    model = wl.AdaBoostClassifier(n_estimators=30).fit(A, A[:, 0] > A[:, 1])
    predict_one = model.predictor()
    expected = model.predict_proba(A)[:, 1]
    assert [predict_one(row) for row in A] == expected.tolist()
    assert [predict_one(row) for row in A.astype(float)] == expected.tolist()
    whole = (10 * A).astype(np.int16)
    assert [predict_one(row) for row in whole] == model.predict_proba(whole)[:, 1].tolist()
    with pytest.raises(ValueError, match="fitted without names"):
        predict_one({"a": 1.0})


def test_large_whole_numbers_and_dates_take_the_slow_way() -> None:
    n = 60
    frame = pd.DataFrame(
        {
            "wide": [2**60 + i for i in range(n)],
            "day": pd.date_range("2024-01-01", periods=n),
            "x": np.arange(n, dtype=float),
        }
    )
    y = (np.arange(n) % 20 > 9).astype(int)
    model = wl.AdaBoostClassifier(n_estimators=15).fit(frame, y)
    predict_one = model.predictor()
    expected = model.predict_proba(frame)[:, 1]
    for i, row in enumerate(as_rows(frame)):
        assert predict_one(row) == expected[i]
    plain = wl.AdaBoostClassifier(n_estimators=5).fit(frame[["x"]], y).predictor()
    assert plain([2**70]) == plain([1e9])


def test_rows_of_programs_take_the_quick_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Missing cells, flags and numbers of numpy, as rows out of JSON and of arrays have them."""
    rng = np.random.default_rng(4)
    levels = rng.choice(list("xyz"), 90)
    X = pd.DataFrame({"a": rng.normal(size=90), "b": levels, "c": rng.random(90)})
    model = wl.AdaBoostClassifier(n_estimators=20).fit(X, (X["a"] > 0) ^ (X["b"] == "x"))
    predictor = model.predictor()
    rows = [[None, None, None], [np.float32(0.5), "x", True], [np.int8(1), None, np.bool_(False)]]
    expected = [predictor._slow(row) for row in rows]
    monkeypatch.delattr(Predictor, "_slow")
    assert [predictor(row) for row in rows] == expected


def test_scores_of_any_size() -> None:
    x = np.concatenate([RNG.normal(size=300) * s for s in (1e-8, 1, 30, 500)] + [[0.0, 1e9, -1e9]])
    assert [exponential_of(v) for v in x.tolist()] == exponentials(x).tolist()
    assert [sigmoid_of(v) for v in x.tolist()] == sigmoid(x).tolist()


def test_strict_models_refuse_missing_values() -> None:
    learner = wl.DecisionStumpClassifier(missing="error", unseen="error")
    model = wl.AdaBoostClassifier(learner, n_estimators=3).fit(X[["a", "b"]], TWO)
    with pytest.raises(ValueError, match="missing"):
        model.predictor()([None, 1])
    with pytest.raises(ValueError, match="missing"):
        model.predictor()([float("nan"), 1.0])


def test_threads_share_one(models: dict[str, Any]) -> None:
    rows = as_rows(X)
    wrong: list[object] = []
    for name in ("stumps", "forest", "descent", "bag"):
        model = models[name]
        predict_one = model.predictor()
        expected = said(model, X)

        def ask(shift: int, predict_one=predict_one, expected=expected) -> None:
            for k in range(len(rows)):
                i = (k + 31 * shift) % len(rows)
                if predict_one(rows[i]) != expected[i]:
                    wrong.append(i)

        threads = [threading.Thread(target=ask, args=(k,)) for k in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []


def test_it_is_quick() -> None:
    """A list of 30 numbers through 100 stumps: about a microsecond where nobody else is at work."""
    from time import process_time

    A = RNG.normal(size=(500, 30))
    predict_one = wl.AdaBoostClassifier(n_estimators=100).fit(A, A[:, 0] > A[:, 1]).predictor()
    row = A[0].tolist()
    took = []
    for _ in range(5):
        start = process_time()
        for _ in range(1000):
            predict_one(row)
        took.append(process_time() - start)
    assert min(took) / 1000 < 25e-6


def test_models_of_texts_have_none() -> None:
    model = wl.TermVectorizer().fit(["a b", "b c"])
    with pytest.raises(TypeError, match="TermVectorizer has no predictor"):
        model.predictor()
