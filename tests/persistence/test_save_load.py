"""Models to files and back, for every kind in the table; fingerprints."""

from __future__ import annotations

import copy
import datetime as dt
import os
import pickle
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from functools import cache
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB

import weaklearn
from docsite.reference import reference
from tests.files.forge import loaded
from tests.frozen import frame
from tests.odd_rows import NEEDED, ODD
from tests.trials import TRIALS, with_small_blends
from weaklearn import AdaBoostClassifier, DecisionStumpClassifier, ModelFileError, datasets, losses
from weaklearn.base.added_field import without_added_defaults
from weaklearn.base.messages.warnings import WeaklearnWarning
from weaklearn.estimators.model import Model
from weaklearn.files.booster import BOOSTERS
from weaklearn.files.loss import LOSSES
from weaklearn.persistence.book import BOOK, KEPT
from weaklearn.persistence.kept_estimator import KeptEstimator
from weaklearn.persistence.model_bytes import sealed
from weaklearn.registry import class_of

METHODS = ("predict", "predict_proba", "decision_function", "apply", "predict_std")
STAGED = ("staged_predict", "staged_predict_proba", "staged_decision_function")
TELLING = ("rules", "to_text", "to_graphviz", "certify")


# Those that take 0 and 1 only.
BITS = ("MonomialClassifier", "DisjunctionClassifier", "OnlineDisjunction")
REDUCED = ("OneVsRestBooster", "AllPairsBooster")  # to boosters of two classes
LISTED = [["yes"] * 120, ["no", "yes"] * 60]  # a list of hypotheses


def table(n: int = 120) -> tuple[pd.DataFrame, Any, Any, Any]:
    """Columns of every kind, with gaps; labels of two and three classes, and numbers."""
    rng = np.random.default_rng(5)
    X = pd.DataFrame(
        {
            "size": rng.normal(size=n),
            "age": rng.integers(0, 90, n).astype(float),
            "colour <b>": rng.choice(["red", "green", "blue"], n),
            "born": pd.Timestamp("1960-01-01") + pd.to_timedelta(rng.integers(0, 9999, n), "D"),
            "took": pd.to_timedelta(rng.integers(0, 10**6, n), "s"),
            "account": rng.integers(2**60, 2**60 + 50, n),
        }
    )
    X.loc[::7, "age"] = np.nan
    X.loc[::11, "colour <b>"] = None
    X.loc[::13, "born"] = pd.NaT
    score = X["size"] + 0.02 * X["age"].fillna(50) + (X["colour <b>"] == "red")
    score = score.to_numpy(float) + 0.3 * rng.normal(size=n)
    two = np.where(score > 1.2, "yes", "no")
    return X, two, np.digitize(score, [0.8, 1.8]) * 10, score


@pytest.fixture(autouse=True)
def small_blends(monkeypatch: pytest.MonkeyPatch) -> None:
    with_small_blends(monkeypatch)


def estimator(kind: KeptEstimator, **settings: Any) -> Any:
    """An estimator of a kind, quick to fit."""
    made = class_of(kind.row)(**NEEDED.get(kind.name, {}))
    known = made.get_params(deep=False)
    parts = TRIALS.get(kind.name, {}).get("parts")
    quick = {"n_estimators": 3, "hypotheses": LISTED, "parts": parts} | settings
    if kind.name in REDUCED:
        quick["estimator"] = AdaBoostClassifier(n_estimators=3)
    return made.set_params(**{name: v for name, v in quick.items() if name in known})


def fitted(kind: KeptEstimator, **settings: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Models of a kind with their rows: on the table and on numbers.

    Of three classes they are on the table where the kind takes it, else on numbers.
    """
    if kind.name in ODD:
        odd = ODD[kind.name]
        rows = frame(odd.columns)
        model = estimator(kind, **settings).set_params(**odd.given)
        yield model.fit(rows, odd.y, **odd.beside), rows, odd.y
        return
    X, two, three, numbers = table()
    plain = X[["size", "age"]].fillna(0).to_numpy()
    if kind.name in BITS:
        plain = (plain > [0, 45]).astype(float)
    model = estimator(kind, **settings)
    for y in (two, three) if is_classifier(model) else (numbers,):
        for rows in (X, plain):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", WeaklearnWarning)
                try:
                    yield clone(model).fit(rows, y), rows, y
                    if y is three:
                        break
                except ValueError as refusal:  # it takes numbers only, or two classes only
                    refused = str(refusal)
                    assert rows is X or "binary" in refused or "labels of y" in refused, refused


def said(model: Any, X: Any) -> dict[str, Any]:
    """All that a model says, to the bit: its answers on X, and what it tells of itself."""
    told = {name: _told(model, name) for name in TELLING if hasattr(model, name)}
    return answers(model, X) | told


def answers(model: Any, X: Any) -> dict[str, Any]:
    """All that a model answers on X, to the bit."""
    found = {name: np.asarray(getattr(model, name)(X)) for name in METHODS if hasattr(model, name)}
    for name in STAGED:
        if hasattr(model, name):
            found[name] = np.array(list(getattr(model, name)(X)))
    return {name: (a.dtype, a.shape, a.tolist(), a.tobytes() if a.dtype != object else b"")
            for name, a in found.items()}  # fmt: skip


def _told(model: Any, name: str) -> str:
    method = getattr(model, name)
    needed = [p for p in signature(method).parameters.values() if p.default is p.empty]
    return "" if needed else str(method())


every_kind = pytest.mark.parametrize("kind", KEPT, ids=lambda kind: kind.name)


@cache
def models(kind: KeptEstimator) -> list[tuple[Any, Any, Any]]:
    """The models of a kind with their rows and labels, fitted once for all tests."""
    return list(fitted(kind))


@every_kind
def test_every_kind_comes_back(kind: KeptEstimator, tmp_path: Path) -> None:
    path, n = tmp_path / "model.weak", 0
    for model, X, _ in models(kind):
        n += 1
        model.save(path)
        again, before = weaklearn.load(path), said(model, X)
        assert type(again) is type(model)
        assert said(again, X) == before
        assert answers(again, X[:0]) == answers(model, X[:0])
        assert again.fingerprint() == model.fingerprint()
        assert sealed(again) == path.read_bytes()  # to the byte, time of fit and all
        assert again.get_params() == model.get_params()
        assert set(again.__getstate__()) == set(model.__getstate__()) - kind.kept.dropped
        assert said(pickle.loads(pickle.dumps(again)), X) == before
        assert weaklearn.inspect(path).kind == kind.name
    assert n > 0


@every_kind
@pytest.mark.filterwarnings("ignore::weaklearn.WeaklearnWarning")
def test_every_kind_can_be_verified(kind: KeptEstimator) -> None:
    for model, X, y in models(kind):
        order = np.random.default_rng(1).permutation(len(y))
        if getattr(model, "_in_order", False):  # it learns one row after the other
            order = np.arange(len(y))
        mixed = X.iloc[order] if hasattr(X, "iloc") else X[order]
        own = ODD[kind.name].beside if kind.name in ODD else {}
        beside = {name: each[order] for name, each in own.items()}
        answer = weaklearn.verify(loaded(sealed(model)), mixed, y[order], **beside)
        assert answer, str(answer)
        assert answer.same_rows is not False
    if kind.name != "ERMClassifier":  # whose labels are those of all its rows
        fewer = {name: each[5:] for name, each in own.items()}
        assert not weaklearn.verify(model, X[5:], y[5:], **fewer)


@every_kind
def test_every_kind_has_one_number_and_one_home(kind: KeptEstimator) -> None:
    assert BOOK.numbered(kind.number).name == kind.name
    assert issubclass(class_of(kind.row), Model)
    assert not set(kind.kept.sided) - {*kind.kept.fitted, *kind.kept.optional}


def test_every_public_estimator_has_its_row() -> None:
    public = {name for name in weaklearn.__all__ if hasattr(getattr(weaklearn, name), "fit")}
    assert public <= {kind.name for kind in KEPT}


# -------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"estimator": GaussianNB()}, "GaussianNB is an estimator of sklearn"),
        ({"estimator": lambda X, y, D: lambda X: np.ones(len(X))}, "is a Python function"),
        (
            {"scoring": lambda model, X, y: 0.5, "early_stopping": True},
            "scoring: <lambda> is a Python function",
        ),
    ],
)
def test_foreign_parts_are_refused_by_name(settings: Any, words: str, tmp_path: Path) -> None:
    X, y = load_breast_cancer(return_X_y=True)
    model = AdaBoostClassifier(n_estimators=2, **settings).fit(X, y)
    for call in (lambda: model.save(tmp_path / "model.weak"), model.fingerprint):
        with pytest.raises(ModelFileError, match=f"{words}.*use pickle"):
            call()
    assert os.listdir(tmp_path) == []


def test_models_that_are_not_fitted(tmp_path: Path) -> None:
    for call in (lambda m: m.save(tmp_path / "model.weak"), lambda m: m.fingerprint()):
        with pytest.raises(NotFittedError):
            call(AdaBoostClassifier())


class Grade(str):
    """A label of a class of the user's own."""


def test_labels_that_no_file_holds(tmp_path: Path) -> None:
    model = DecisionStumpClassifier().fit([[1.0], [2.0]], ["a", "b"])
    model.classes_ = np.array([Grade("a"), Grade("b")], object)
    with pytest.raises(ModelFileError, match=r"classes_\[0\]: a value of type Grade.*use pickle"):
        model.save(tmp_path / "model.weak")


# ----------------------------------------------------------------------------------- what is kept


LABELS = {
    "integers": [3, -7, 3, -7],
    "bools": [True, False] * 2,
    "texts": ["no", "yes ü"] * 2,
    "objects": np.array(["a", "bb"] * 2, object),
    "huge": np.array([2**70, 2**70 + 1] * 2, object),
    "unsigned": np.array([2**63, 1] * 2, np.uint64),
    "floats": [1.0, 2.0] * 2,
    "single": np.array([1, 2] * 2, np.float32),
    "days": np.array(["2024-01-01", "2024-01-02"] * 2, "M8[D]"),
    "dates": np.array([dt.date(2024, 1, 1), dt.date(1999, 5, 5)] * 2, object),
    "tuples": pd.Series([("a", 1), ("b", 2)] * 2),
}


@pytest.mark.parametrize("name", LABELS)
def test_labels_come_back_as_they_were(name: str) -> None:
    X = [[1.0], [2.0], [1.0], [2.0]]
    model = DecisionStumpClassifier().fit(X, LABELS[name])
    again = loaded(sealed(model))
    assert again.classes_.dtype == model.classes_.dtype
    assert again.classes_.tolist() == model.classes_.tolist()
    assert list(map(type, again.classes_)) == list(map(type, model.classes_))
    assert again.predict(X).tolist() == model.predict(X).tolist()


HOSTILE = ["<script>", "a'\"\\", "line\nbreak", "\u202eright", "", "x" * 10**6, "🦉"]


def test_names_come_back_as_they_were() -> None:
    X = pd.DataFrame(np.arange(21.0).reshape(3, 7) % 4, columns=HOSTILE)
    again = loaded(sealed(AdaBoostClassifier(n_estimators=2).fit(X, [0, 1, 0])))
    assert again.feature_names_in_.tolist() == HOSTILE
    again.predict(X)
    with pytest.raises(ValueError, match="feature names should match"):
        again.predict(X[HOSTILE[::-1]])


SETTINGS: dict[str, dict[str, Any]] = {
    "early stopping": {"early_stopping": True, "n_iter_no_change": 2, "random_state": 3},
    "resampled": {"resample": {"n_samples": 50}, "random_state": 5},
    "calibrated": {"calibrate": "slope"},
    "abstaining": {"estimator": DecisionStumpClassifier(missing="abstain", n_jobs=1)},
    "multiway": {"estimator": DecisionStumpClassifier(categorical="multiway")},
    "weighted classes": {"class_weight": {"yes": 2, "no": 1}},
    "slow": {"learning_rate": np.float32(0.5), "n_estimators": np.int64(7)},
    "one against the rest": {"multiclass": "ovr"},
    "m1": {"multiclass": "m1", "min_weight_fraction_leaf": 0.1},
}


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_come_back(name: str) -> None:
    X, two, three, _ = table()
    model = AdaBoostClassifier(**({"n_estimators": 6} | SETTINGS[name]))
    model.fit(X, three if name in ("one against the rest", "m1") else two)
    again = loaded(sealed(model))
    assert said(again, X) == said(model, X)
    assert repr(again) == repr(model)
    assert again.fingerprint() == model.fingerprint()
    assert again.history_ == model.history_
    for derived in ("estimator_errors_", "edges_", "feature_importances_", "estimator_weights_"):
        assert getattr(again, derived).tobytes() == getattr(model, derived).tobytes()
    assert (
        again.margins(X, model.predict(X)).tobytes() == model.margins(X, model.predict(X)).tobytes()
    )


FORMS: dict[str, tuple[str, dict[str, Any], str]] = {
    "boosted trees": ("AdaBoostClassifier", {"estimator": "tree"}, "two"),
    "boosted trees, three classes": ("AdaBoostClassifier", {"estimator": "tree"}, "three"),
    "trees against the rest": (
        "AdaBoostClassifier",
        {"estimator": weaklearn.DecisionTreeClassifier(max_depth=2), "multiclass": "ovr"},
        "three",
    ),
    "confident trees": ("RealAdaBoostClassifier", {"estimator": "tree"}, "two"),
    "confident against the rest": ("RealAdaBoostClassifier", {}, "three"),
    "any boost": ("AnyBoostClassifier", {"loss": losses.Hinge(), "init": "constant"}, "two"),
    "any boost, best steps": ("AnyBoostClassifier", {"step": "line_search"}, "three"),
    "any regression": ("AnyBoostRegressor", {"loss": losses.Quantile(0.8)}, "numbers"),
    "quantiles": (
        "GradientBoostingRegressor",
        {"loss": "quantile", "quantile": [0.1, 0.9]},
        "numbers",
    ),
    "huber": ("GradientBoostingRegressor", {"loss": "huber", "subsample": 1.0}, "numbers"),
    "stopped": ("GradientBoostingClassifier", {"early_stopping": True}, "three"),
    "C4.5": (
        "DecisionTreeClassifier",
        {"criterion": "gain_ratio", "categorical": "multiway", "missing": "fraction"},
        "three",
    ),
    "pruned": ("DecisionTreeRegressor", {"pruning": "cost_complexity"}, "numbers"),
    "out of bag": ("RandomForestRegressor", {"oob_score": True, "n_estimators": 20}, "numbers"),
    "bagged stumps": (
        "BaggingClassifier",
        {"estimator": "stump", "oob_score": True, "max_features": 0.6, "n_estimators": 20},
        "two",
    ),
    "bagged boosting": ("BaggingClassifier", {"estimator": AdaBoostClassifier()}, "two"),
    "a glass box": ("AdditiveBoostingClassifier", {"pairs": [("age", "size")]}, "two"),
    "a glass box, three classes": ("AdditiveBoostingClassifier", {"n_bags": 1}, "three"),
    "a glass box of one class": ("AdditiveBoostingClassifier", {}, "one"),
    "functions of quantiles": (
        "AdditiveBoostingRegressor",
        {"loss": "quantile", "quantile": (0.1, 0.9), "n_bags": 3},
        "numbers",
    ),
    "monotone functions": (
        "AdditiveBoostingRegressor",
        {"monotonic_cst": {"age": 1}, "loss": "huber"},
        "numbers",
    ),
    "bagged glass boxes": (
        "BaggingRegressor",
        {"estimator": weaklearn.AdditiveBoostingRegressor(n_estimators=3), "n_estimators": 2},
        "numbers",
    ),
}


FITTED_NAMES = (
    *("oob_score_", "oob_loss_", "oob_decision_function_", "oob_prediction_"),
    *("n_iter_", "ccp_alpha_", "validation_losses_", "intercept_"),
)


@pytest.mark.parametrize("name", FORMS)
def test_forms_of_other_kinds_come_back(name: str) -> None:
    kind, settings, target = FORMS[name]
    X, *targets = table()
    X = X[["size", "age"]]  # numbers with gaps
    y = dict(zip(("two", "three", "numbers"), targets, strict=True)).get(target, ["one"] * len(X))
    model = getattr(weaklearn, kind)()
    quick = {"n_estimators": 6} if hasattr(model, "n_estimators") else {}
    model.set_params(**(quick | settings))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WeaklearnWarning)
        model.fit(X, y)
        again = loaded(sealed(model))
        assert said(again, X) == said(model, X)
        assert again.fingerprint() == model.fingerprint()
        assert sealed(again) == sealed(model)
        for fitted_name in FITTED_NAMES:
            if hasattr(model, fitted_name):
                np.testing.assert_array_equal(
                    getattr(again, fitted_name), getattr(model, fitted_name)
                )
        assert weaklearn.verify(again, X, y)


def test_edits_are_kept_and_can_be_undone_after_loading(tmp_path: Path) -> None:
    X, y, _, _ = table()
    model = weaklearn.AdditiveBoostingClassifier(
        n_estimators=10, n_bags=2, pairs=[("size", "age"), ("size", "born")]
    ).fit(X, y)
    stages = [(model.fingerprint(), said(model, X))]
    for term, change in (
        ("size", {"flatten": True, "X": X, "y": y}),
        (("size", "age"), {"drop": True}),
        ("colour <b>", {"set": {"red": 0.5, None: -0.25}}),
        ("size", {"low": -1.0, "high": -0.125}),
        (("size", "born"), {"high": 0.0}),
    ):
        model.edit(term, **change)
        stages.append((model.fingerprint(), said(model, X)))
    assert len({fingerprint for fingerprint, _ in stages}) == len(stages)
    model.save(tmp_path / "edited.weak")
    again = weaklearn.load(tmp_path / "edited.weak")
    assert str(again.edits_) == str(model.edits_)
    assert weaklearn.inspect(tmp_path / "edited.weak").sizes["Edit"] == 5
    for stage in reversed(stages):
        assert (again.fingerprint(), said(again, X)) == stage
        if again._edits:
            again.undo()
    assert loaded(sealed(again)).fingerprint() == stages[0][0]
    with pytest.raises(ValueError, match="no edit to undo"):
        again.undo()


def test_a_loaded_model_plays_on(tmp_path: Path) -> None:
    X, y, _, _ = table()
    straight = AdaBoostClassifier(n_estimators=12).fit(X, y)
    AdaBoostClassifier(n_estimators=5, warm_start=True).fit(X, y).save(tmp_path / "half.weak")
    resumed = weaklearn.load(tmp_path / "half.weak").set_params(n_estimators=12).fit(X, y)
    assert resumed.fingerprint() == straight.fingerprint()
    assert len(resumed.certify(X, y)) > 0
    assert resumed.truncate(3).n_iter_ == 3


def test_callbacks_are_left_behind_and_generators_become_seeds(tmp_path: Path) -> None:
    X, y, _, _ = table()
    drawn = AdaBoostClassifier(
        n_estimators=4,
        callbacks=[lambda t, state, history: t == 3],
        resample=True,
        random_state=np.random.default_rng(8),
    ).fit(X, y)
    again = loaded(sealed(drawn))
    assert again.callbacks is None
    assert again.random_state == drawn._seed
    assert again.n_iter_ == 3
    assert again.fingerprint() == drawn.fingerprint()


def test_what_a_loaded_model_does_not_share_with_the_bytes() -> None:
    model, X = AdaBoostClassifier(n_estimators=3).fit(*datasets.toy()), datasets.toy()[0]
    data = bytearray(sealed(model))
    again = loaded(data)
    data[:] = bytes(len(data))
    assert again.decision_function(X).tobytes() == model.decision_function(X).tobytes()


def test_a_wide_table_is_kept_and_opened() -> None:
    X = np.zeros((4, 100_000))
    X[:, 77_777] = [1, 2, 3, 4]
    names = [f"column number {j}" for j in range(100_000)]
    model = DecisionStumpClassifier().fit(pd.DataFrame(X, columns=names), [0, 0, 1, 1])
    again = loaded(sealed(model))
    assert again.feature_names_in_[again.feature_] == "column number 77777"


def test_many_rare_categories() -> None:
    X = pd.DataFrame({"id": [f"id {k}" for k in range(50_000)]})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WeaklearnWarning)
        model = DecisionStumpClassifier().fit(X, np.arange(50_000) % 2)
    again = loaded(sealed(model))
    assert again.predict(X[:99]).tolist() == model.predict(X[:99]).tolist()
    assert again.fingerprint() == model.fingerprint()


# ------------------------------------------------------------------------------------ fingerprints


def test_fingerprints_tell_models_apart_and_nothing_else() -> None:
    X, y, _, _ = table()
    model = AdaBoostClassifier(n_estimators=6).fit(X, y)
    known = model.fingerprint()
    assert re.fullmatch("[0-9a-f]{64}", known)
    assert copy.deepcopy(model).fingerprint() == known
    quiet = {"n_jobs": 1, "verbose": 0, "callbacks": [lambda *_: None], "warm_start": True}
    assert AdaBoostClassifier(n_estimators=6, **quiet).fit(X, y).fingerprint() == known
    nested = AdaBoostClassifier(DecisionStumpClassifier(n_jobs=1), n_estimators=6).fit(X, y)
    other = AdaBoostClassifier(DecisionStumpClassifier(), n_estimators=6).fit(X, y)
    assert nested.fingerprint() == other.fingerprint()
    for different in (
        AdaBoostClassifier(n_estimators=7).fit(X, y),
        AdaBoostClassifier(n_estimators=6, tol=0.1).fit(X, y),
        AdaBoostClassifier(n_estimators=6).fit(X, y == "yes"),
        AdaBoostClassifier(n_estimators=6).fit(X.rename(columns={"size": "length"}), y),
        AdaBoostClassifier(n_estimators=6).fit(X[1:], y[1:]),
    ):
        assert different.fingerprint() != known


BREAST_CANCER = "39ad892aa28bcf965ebe3d03788a54156001a94849d674976e1549746e934e66"
GRADIENT = "99e88255232e7982f1d4a5ed7056d37a65fe5509a2665698bd322a8ff906ef99"
FIT = """
import weaklearn
from sklearn.datasets import load_breast_cancer
X, y = load_breast_cancer(as_frame=True, return_X_y=True)
found = [
    weaklearn.AdaBoostClassifier(n_estimators=50).fit(X, y).fingerprint(),
    weaklearn.GradientBoostingClassifier(n_estimators=50).fit(X, y).fingerprint(),
]
"""


def test_the_fingerprints_of_the_readme() -> None:
    """One model on every processor: with the widest instructions there are, and without."""
    names: dict[str, Any] = {}
    exec(FIT, names)
    assert names["found"] == [BREAST_CANCER, GRADIENT]
    done = subprocess.run(
        [sys.executable, "-c", FIT + "print(*found)"],
        env=os.environ | {"WEAKLEARN_SIMD": "baseline", "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == names["found"]
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    assert BREAST_CANCER in readme
    assert GRADIENT in readme


# ----------------------------------------------------------------------------------------- inspect


def test_inspect_tells_what_a_file_holds(tmp_path: Path) -> None:
    X, y, _, _ = table()
    path = tmp_path / "model.weak"
    model = AdaBoostClassifier(DecisionStumpClassifier(n_jobs=1), n_estimators=4).fit(X, y)
    model.save(path)
    found = weaklearn.inspect(path)
    assert found.kind == "AdaBoostClassifier"
    assert found.fingerprint == model.fingerprint()
    assert found.columns == tuple(X.columns)
    assert (found.n_features, found.classes) == (6, ["no", "yes"])
    assert found.sizes["Stump"] == 4
    assert found.parameters["n_estimators"] == 4
    assert str(found.parameters["estimator"]).startswith("DecisionStumpClassifier(categorical=")
    written = without_added_defaults(model, model.get_params(deep=False))
    assert set(found.parameters) == set(written) - {"callbacks", "cv"}
    assert found.n_bytes == path.stat().st_size
    assert found.origin is not None
    assert found.origin.n_examples == len(X)
    assert found.origin.weaklearn == weaklearn.__version__
    assert abs(
        dt.datetime.fromisoformat(found.origin.fitted) - dt.datetime.now(dt.UTC)
    ) < dt.timedelta(1)
    for words in ("AdaBoostClassifier", "colour <b>", found.fingerprint):
        assert words in str(found)
    assert "colour &lt;b&gt;" in found._repr_html_()
    assert len(found.to_frame()) == len(found.table())
    assert found.unknown == ()


def test_inspect_does_not_make_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "model.weak"
    AdaBoostClassifier(n_estimators=2).fit(*datasets.toy()).save(path)
    monkeypatch.setattr(AdaBoostClassifier, "__init__", None)
    assert weaklearn.inspect(path).sizes["Stump"] == 2


def test_the_pages_list_every_number() -> None:
    algorithms = reference()["algorithms/index.md"]
    for kind in KEPT:
        assert re.search(rf"\[`{kind.name}`\].* {kind.number} \|\n", algorithms)
    page = (Path(__file__).parents[2] / "docs" / "model-files.md").read_text()
    losses = {record.number for record in LOSSES}
    assert {record.number for record in BOOSTERS} <= set(range(1100, 3000))
    assert "| 1100 and up |" in page
    for record in BOOK.records:
        if record.number < 100 and record.number not in losses:
            assert f"| {record.number} |" in page
    assert losses <= {*range(40, 60), *range(68, 75)}
    assert "| 40 to 59, 68 to 74 | losses |" in page
