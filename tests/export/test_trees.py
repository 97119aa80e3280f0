"""Stumps and trees taken out of the box say the same as in it: plain Python and compiled C."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import warnings
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.dummy import DummyClassifier

import weaklearn as wl
from tests import forms
from tests.mixed_table import later_rows, mixed_table
from weaklearn.base.trees.tree import Tree
from weaklearn.estimators.trees.bag_export import adds_up
from weaklearn.prediction import averages

COMPILER = shutil.which("cc")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")
EXACT = {"rtol": 1e-12, "atol": 1e-12}
AVERAGES = (
    *(wl.RandomForestClassifier, wl.RandomForestRegressor),
    *(wl.BaggingClassifier, wl.BaggingRegressor),
)
FRACTION = {"missing": "fraction", "categorical": "multiway"}
MODELS = {
    "stumps": (wl.AdaBoostClassifier(n_estimators=20), "two"),
    "multiway": (
        wl.AdaBoostClassifier(wl.DecisionStumpClassifier(categorical="multiway"), n_estimators=9),
        "two",
    ),
    "silent": (
        wl.AdaBoostClassifier(wl.DecisionStumpClassifier(missing="abstain"), n_estimators=9),
        "two",
    ),
    "mh": (wl.AdaBoostClassifier(n_estimators=9), "three"),
    "samme": (wl.AdaBoostClassifier(n_estimators=9, multiclass="samme"), "three"),
    "ovr": (wl.AdaBoostClassifier(n_estimators=9, multiclass="ovr"), "three"),
    "platt": (wl.AdaBoostClassifier(n_estimators=5, calibrate="platt"), "two"),
    "slope": (wl.AdaBoostClassifier("tree", n_estimators=3, calibrate="slope"), "three"),
    "woods": (wl.AdaBoostClassifier("tree", n_estimators=5), "two"),
    "real": (wl.RealAdaBoostClassifier(n_estimators=7), "two"),
    "lp": (wl.LPBoostClassifier(n_estimators=7), "two"),
    "adtree": (wl.ADTreeClassifier(n_estimators=7), "two"),
    "slipper": (wl.SlipperClassifier(n_estimators=7), "two"),
    "m2": (wl.AdaBoostM2Classifier(n_estimators=5), "three"),
    "gradient": (wl.GradientBoostingClassifier(n_estimators=6), "two"),
    "gradient3": (wl.GradientBoostingClassifier(n_estimators=4), "three"),
    "gradient of numbers": (wl.GradientBoostingRegressor(n_estimators=6), "numbers"),
    "poisson": (wl.GradientBoostingRegressor(n_estimators=6, loss="poisson"), "counts"),
    "anyboost": (wl.AnyBoostRegressor(n_estimators=6), "numbers"),
    "forest": (wl.RandomForestClassifier(n_estimators=4, max_depth=8), "two"),
    "forest3": (wl.RandomForestClassifier(n_estimators=3, max_depth=8), "three"),
    "calibrated": (wl.RandomForestClassifier(n_estimators=25, max_depth=3), "two"),
    "calibrated3": (wl.RandomForestClassifier(n_estimators=25, max_depth=3), "three"),
    "forest of numbers": (wl.RandomForestRegressor(n_estimators=3, max_depth=8), "numbers"),
    "bag": (wl.BaggingClassifier(n_estimators=3, max_features=0.7), "two"),
    "bag3": (wl.BaggingClassifier(wl.DecisionTreeClassifier(max_depth=4), n_estimators=3), "three"),
    "bag of stumps": (wl.BaggingClassifier("stump", n_estimators=9, max_samples=9), "three"),
    "bag of forests": (
        wl.BaggingClassifier(wl.RandomForestClassifier(n_estimators=2, max_depth=4), 2),
        "three",
    ),
    "bag of numbers": (
        wl.BaggingRegressor(wl.DecisionTreeRegressor(max_depth=5, missing="branch"), 3),
        "numbers",
    ),
    "bag of boosters": (
        wl.BaggingRegressor(wl.GradientBoostingRegressor(n_estimators=3), 3, max_features=0.6),
        "numbers",
    ),
    "bag of votes": (
        wl.BaggingClassifier(wl.AdaBoostClassifier(n_estimators=5), 3, max_features=0.6),
        "two",
    ),
    "bag of votes for three": (
        wl.BaggingClassifier(wl.AdaBoostClassifier("tree", n_estimators=2), 5, max_samples=6),
        "three",
    ),
    "bag of gradients": (
        wl.BaggingClassifier(
            wl.GradientBoostingClassifier(n_estimators=2, min_samples_leaf=1), 9, max_samples=3
        ),
        "three",
    ),
    "bag of counts": (
        wl.BaggingRegressor(wl.GradientBoostingRegressor(n_estimators=3, loss="poisson"), 2),
        "counts",
    ),
    "bag of glass boxes of two": (
        wl.BaggingClassifier(wl.AdditiveBoostingClassifier(n_estimators=3, n_bags=2), 2),
        "two",
    ),
    "bag of glass boxes": (
        wl.BaggingRegressor(wl.AdditiveBoostingRegressor(n_estimators=3, n_bags=2), 2),
        "numbers",
    ),
    "tree": (wl.DecisionTreeClassifier(categorical="equality", missing="branch"), "three"),
    "fraction": (wl.DecisionTreeClassifier(**FRACTION, max_depth=6), "two"),
    "tree of numbers": (wl.DecisionTreeRegressor(max_depth=9), "numbers"),
    "stump": (wl.DecisionStumpClassifier(), "two"),
    "rank": (wl.RankBoost(n_estimators=6), "counts"),
    "reduced": (wl.OneVsRestBooster(wl.MadaBoostClassifier(n_estimators=4)), "three"),
}


@cache
def fitted(name: str) -> Any:
    X, two, three, numbers = mixed_table()
    counts = np.digitize(numbers, [0.0, 0.5, 1.0])
    y = {"two": two, "three": three, "numbers": numbers, "counts": counts}[MODELS[name][1]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return clone(MODELS[name][0]).fit(X, y)


def expected(model: Any, X: Any) -> tuple[Any, Any, Any]:
    """Scores (n, K), probabilities (None where there are none) and predictions."""
    labels = model.predict(X)
    shares = model.predict_proba(X) if hasattr(model, "predict_proba") else None
    if hasattr(model, "estimators_features_") and not adds_up(model.estimators_[0]):
        # Members make something of their scores, which stand one after another.
        members = zip(model.estimators_, model.estimators_features_, strict=True)
        parts = [
            np.ones((len(X), 1))  # of a bag of one class
            if isinstance(member, DummyClassifier)
            else expected(member, X.iloc[:, columns])[0]
            for member, columns in members
        ]
        scores = np.column_stack(parts)
    elif hasattr(model, "tree_") or isinstance(model, AVERAGES):
        forest = hasattr(model, "calibration_")
        scores = labels if shares is None else averages.shares(model, X) if forest else shares
    elif hasattr(model, "classes_"):
        scores = model.decision_function(X)
    else:
        F = model.ensemble_(model._rows(X))
        scores = F
    return np.reshape(scores, (len(X), -1)), shares, labels


def plain(X: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows as plain numbers and texts: whole nanoseconds for times, None for what is missing."""

    def cell(value: Any) -> Any:
        if value is None or pd.isna(value):
            return None
        if isinstance(value, (pd.Timestamp, pd.Timedelta)):
            return value.as_unit("ns").value
        return value.item() if isinstance(value, np.generic) else value

    return [{name: cell(row[name]) for name in X.columns} for _, row in X.iterrows()]


def run(source: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(compile(source, "model.py", "exec"), names)
    return names


@pytest.mark.parametrize("number", [Fraction, Decimal])
def test_python_takes_exact_numbers(number):
    """A third that is written exactly is the category, and the float, that the fit read."""
    cells = [number(1 + k % 5) / number(1 + k % 7) for k in range(140)]
    X = pd.DataFrame({"a": pd.Series(cells, dtype=object), "b": np.arange(140) % 3})
    y = np.where(X["a"].astype(float) > 1.3, X["b"] > 0, X["b"] == 0)
    for model in (wl.ID3Classifier(), wl.DecisionTreeClassifier(), wl.AdaBoostClassifier()):
        predict = run(model.fit(X, y).to_python())["predict"]
        assert [predict(row) for row in X.to_dict("records")] == model.predict(X).tolist()
    third = pd.DataFrame({"a": [1 / 3] * 9 + [2.0] * 9})
    predict = run(wl.DecisionStumpClassifier().fit(third, third["a"] > 1).to_python())["predict"]
    assert not predict({"a": number(1) / number(3)})


@pytest.mark.parametrize("name", MODELS)
def test_python_says_the_same(name, tmp_path):
    model, X = fitted(name), later_rows()
    scores, shares, labels = expected(model, X)
    source = model.to_python(tmp_path / "model.py")
    assert (tmp_path / "model.py").read_text() == source
    module = run(source)
    rows = plain(X)
    K = scores.shape[1]
    found = [module["score" if K == 1 else "scores"](row) for row in rows]
    np.testing.assert_allclose(np.reshape(found, (len(X), K)), scores, **EXACT)
    if shares is None:
        assert "predict_proba" not in module
    else:
        np.testing.assert_allclose([module["predict_proba"](r) for r in rows], shares, **EXACT)
    found = [module["predict"](row) for row in rows]
    if hasattr(model, "classes_"):
        assert found == labels.tolist()
    else:
        np.testing.assert_allclose(found, labels, **EXACT)


def compiled(source: str, folder: Path) -> ctypes.CDLL:
    """The source as a library, compiled with every warning an error."""
    (folder / "model.c").write_text(source, encoding="ascii")
    strict = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O0", "-ffp-contract=off"]
    assert COMPILER is not None
    done = subprocess.run(
        [COMPILER, *strict, "-shared", "-fPIC", "model.c", "-o", "model.so", "-lm"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[:2000]
    return ctypes.CDLL(str(folder / "model.so"))


LEVELS, RANKS = ("town", "ward"), ("day", "waited", "key")


def numbered(library: Any, X: pd.DataFrame) -> Any:
    """Rows as C wants them: all columns as doubles, levels and ranks by the library's own."""
    cells = np.full(X.shape, np.nan)
    level, rank = getattr(library, "model_category", None), getattr(library, "model_rank", None)
    for function, kind in ((level, ctypes.c_char_p), (rank, ctypes.c_longlong)):
        if function is not None:
            function.restype, function.argtypes = ctypes.c_double, [ctypes.c_int, kind]
    for i, row in enumerate(plain(X)):
        for j, (column, value) in enumerate(row.items()):
            if value is None:
                continue
            if column in LEVELS:
                cells[i, j] = np.nan if level is None else level(j, str(value).encode())
            elif column in RANKS:
                cells[i, j] = np.nan if rank is None else rank(j, value)
            else:
                cells[i, j] = value
    return cells


def answer(function: Any, row: Any, kind: Any) -> Any:
    function.restype = kind
    return function((ctypes.c_double * len(row))(*row))


def written(function: Any, row: Any, n: int) -> list[float]:
    """What a C function of (x, out) writes."""
    out = (ctypes.c_double * n)()
    function((ctypes.c_double * len(row))(*row), out)
    return list(out)


@needs_compiler
@pytest.mark.parametrize("name", MODELS)
def test_c_says_the_same(name, tmp_path):
    model, X = fitted(name), later_rows()
    scores, shares, labels = expected(model, X)
    library = compiled(model.to_c(tmp_path / "again.c"), tmp_path)
    assert (tmp_path / "again.c").read_text() == (tmp_path / "model.c").read_text()
    cells, K = numbered(library, X), scores.shape[1]
    if K == 1:
        found = [[answer(library.model_score, row, ctypes.c_double)] for row in cells]
    else:
        found = [written(library.model_scores, row, K) for row in cells]
    np.testing.assert_allclose(found, scores, **EXACT)
    if not hasattr(model, "classes_"):
        found = [answer(library.model_predict, row, ctypes.c_double) for row in cells]
        np.testing.assert_allclose(found, labels, **EXACT)
        return
    if shares is not None:
        n = len(model.classes_)
        found = [written(library.model_probabilities, row, n) for row in cells]
        np.testing.assert_allclose(found, shares, **EXACT)
    chosen = [answer(library.model_predict, row, ctypes.c_int) for row in cells]
    assert model.classes_[chosen].tolist() == labels.tolist()


@needs_compiler
def test_scores_of_trees_are_the_same_to_the_last_bit(tmp_path):
    for name in ("gradient3", "forest3", "gradient of numbers"):
        model, X = fitted(name), later_rows()
        scores = expected(model, X)[0]
        module, rows = run(model.to_python()), plain(X)
        K = scores.shape[1]
        found = [module["score" if K == 1 else "scores"](row) for row in rows]
        assert np.array_equal(np.reshape(found, scores.shape), scores)


@forms.each([form for form in forms.FORMS + forms.CANON if form.native])
def test_every_sum_of_trees_is_written_or_refused_by_name(form):
    model, X = form.fit(), form.X
    if not hasattr(model, "to_python"):
        return
    try:
        module = run(model.to_python())
    except TypeError as refusal:
        assert form.name in ("pairs", "paired", "mo3", "adaboost-mo")
        assert type(getattr(model, "model_", model)).__name__ in str(refusal)  # noqa: PT017
        return
    assert [module["predict"](row) for row in X] == model.predict(X).tolist()
    if "predict_proba" in module:
        found = [module["predict_proba"](row) for row in X]
        np.testing.assert_allclose(found, model.predict_proba(X), rtol=1e-11, atol=1e-12)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 200), d=st.integers(1, 5))
def test_python_of_any_tree(seed, n, d):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)).round(1)
    X[rng.random(X.shape) < 0.1] = np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = wl.DecisionTreeRegressor().fit(X, rng.normal(size=n))
    module = run(model.to_python())
    assert [module["score"](row) for row in X] == model.predict(X).tolist()


VOTES = ("AlphaBoost", "GammaMajority", "AdaBoost", "AdaBoostM1", "SmoothBoost", "MajorityOfThree")


def tied(seed: int) -> tuple[Any, Any]:
    """A model of votes on few values and random labels, many of which tie; and rows to ask."""
    rng = np.random.default_rng(seed)
    d, K = rng.integers(1, 4), rng.integers(2, 5)
    X, y = rng.integers(0, 5, (30, d)).astype(float), rng.integers(0, K, 30)
    name = VOTES[seed % len(VOTES)]
    few = {} if name == "MajorityOfThree" else {"n_estimators": int(rng.integers(2, 30))}
    deep = wl.DecisionTreeClassifier(max_depth=2) if seed % 4 == 1 else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = getattr(wl, f"{name}Classifier")(deep or wl.DecisionStumpClassifier(), **few)
        return model.fit(X, y), rng.integers(-1, 6, (60, d)).astype(float)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_votes_that_tie_in_the_model_tie_in_python(seed):
    model, X = tied(seed)
    module = run(model.to_python())
    assert [module["predict"](row) for row in X.tolist()] == model.predict(X).tolist()


def test_votes_that_tie_in_the_model_tie_in_onnx():
    from tests.export.test_onnx import asked

    for seed in [6 * k for k in range(12)] + [1, 3, 5]:
        model, X = tied(seed)
        found = asked(model.to_onnx(), {"X": X})
        assert np.ravel(found["label"]).tolist() == model.predict(X).tolist(), seed


@needs_compiler
def test_votes_that_tie_in_the_model_tie_in_c(tmp_path):
    for seed in [6 * k for k in range(12)] + [1, 3, 5]:
        model, X = tied(seed)
        folder = tmp_path / str(seed)
        folder.mkdir()
        library = compiled(model.to_c(), folder)
        chosen = [answer(library.model_predict, row, ctypes.c_int) for row in X.tolist()]
        assert model.classes_[chosen].tolist() == model.predict(X).tolist(), seed


def chain(cuts: Any) -> Tree:
    """A tree that asks for one cut after another: as many leaves as cuts."""
    n = 2 * len(cuts) - 1
    inner = np.arange(n) % 2 == 0
    inner[-1] = False
    of_tests = np.where(inner, 1, 0)
    return Tree.of(
        {
            "ask": of_tests,
            "feature": of_tests - 1,
            "threshold": np.where(inner, np.repeat(cuts, 2)[:n], 0.0),
            "first": np.where(inner, np.arange(n) + 1, 0),
            "width": 2 * of_tests,
            "missing": np.zeros(n),
            "subset": np.full(n, -1),
            "value": np.arange(n),
            "weight": np.ones(n),
            "count": np.ones(n),
            "gain": of_tests,
            "subsets": np.zeros((0, 4)),
            "values": np.arange(float(n))[:, None],
        }
    )


@needs_compiler
def test_trees_of_any_depth(tmp_path):
    """A chain of tests is far deeper than either language likes its blocks to be."""
    X = np.arange(120.0)[:, None]
    model = wl.DecisionTreeRegressor().fit(X, np.arange(120))
    model.tree_ = chain(X[:, 0])
    assert model.tree_.depth == 119
    module = run(model.to_python())
    assert [module["score"](row) for row in X] == model.predict(X).tolist()
    library = compiled(model.to_c(), tmp_path)
    found = [answer(library.model_score, row, ctypes.c_double) for row in X]
    assert found == model.predict(X).tolist()


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (wl.AllPairsBooster(wl.AdaBoostClassifier(n_estimators=2)), "multiclass='ovr'"),
        (wl.AdaBoostMOClassifier(n_estimators=2), "AdaBoostMHClassifier"),
        (wl.AdaBoostLClassifier(n_estimators=2, prior=lambda X: np.full(len(X), 0.4)), "prior="),
        (wl.AdaBoostRegressor(n_estimators=2), "median"),
    ],
)
def test_what_cannot_be_written_is_told(model, words):
    X, two, three = forms.sample()
    model.fit(X, two if "prior" in words else three)
    for write in (model.to_python, model.to_c):
        with pytest.raises(TypeError, match=words):
            write()


def test_several_labels_are_refused():
    X, two, three = forms.sample()
    Y = np.column_stack([two, three == 1])
    model = wl.AdaBoostMHClassifier(n_estimators=2).fit(X, Y)
    with pytest.raises(TypeError, match="several labels"):
        model.to_python()


HOSTILE = [
    "*/ int main() { return 1; } /*",
    "a\nimport os",
    '\'""" + exit()',
    "??/ \\",
    "<script>",
    "\u2028line",
]


@needs_compiler
def test_any_name_and_any_text(tmp_path):
    rng = np.random.default_rng(3)
    X = pd.DataFrame({name: rng.choice(HOSTILE, 200) for name in HOSTILE[:3]})
    X[HOSTILE[3]], X[HOSTILE[4]] = rng.normal(size=200), rng.normal(size=200)
    y = np.array(HOSTILE[:2])[((X[HOSTILE[0]] < "a") ^ (X[HOSTILE[3]] > 0)).astype(int)]
    for model in (
        wl.AdaBoostClassifier(n_estimators=5),
        wl.DecisionTreeClassifier(max_depth=5),
    ):
        model.fit(X, y)
        module = run(model.to_python())
        assert [module["predict"](row) for row in plain(X)] == model.predict(X).tolist()
        (tmp_path / type(model).__name__).mkdir()
        library = compiled(model.to_c(), tmp_path / type(model).__name__)
        names = (ctypes.c_char_p * 2).in_dll(library, "model_classes")
        assert [text.decode() for text in names] == model.classes_.tolist()


def test_bags_of_one_class_are_constants_of_an_average():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    y = np.where(X[:, 0] > 1.2, "rare", "often")
    learner = wl.GradientBoostingClassifier(n_estimators=2, min_samples_leaf=1)
    for base in (learner, wl.DecisionTreeClassifier()):
        model = wl.BaggingClassifier(base, 9, max_samples=6).fit(X, y)
        assert {len(member.classes_) for member in model.estimators_} == {1, 2}
        module = run(model.to_python())
        found = [module["predict_proba"](row) for row in X.tolist()]
        np.testing.assert_allclose(found, model.predict_proba(X), **EXACT)
        assert [module["predict"](row) for row in X.tolist()] == model.predict(X).tolist()
