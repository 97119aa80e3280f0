"""The small runtime: it answers as the estimators do, to the bit, and needs numpy alone."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import weaklearn as wl
from tests.frozen import HERE, frame
from tests.tiers import first_of_each
from weaklearn import runtime
from weaklearn.files import ModelFileError
from weaklearn.persistence.book import KEPT
from weaklearn.prediction.outputs import n_outputs
from weaklearn.registry import ROWS
from weaklearn.runtime.loading import KINDS as KNOWN

FILES = sorted(HERE.glob("*.weak"))
METHODS = ("predict", "predict_proba", "decision_function")


def known(path: Path) -> bool:
    """Whether the runtime answers for a frozen file."""
    return ROWS[path.stem.split("-")[1]].runtime is not None


def as_columns(X: Any) -> Any:
    """A frame as a program has it: lists by name, None for what is missing; others as they are."""
    if isinstance(X, np.ndarray):
        return X
    return {name: [plain(v) for v in X[name].astype(object)] for name in X.columns}


def plain(value: object) -> object:
    """A value without pandas."""
    if pd.isna(value):
        return None
    for convert in ("to_pydatetime", "to_pytimedelta"):
        if hasattr(value, convert):
            return getattr(value, convert)()
    return value


def same(left: object, right: object) -> None:
    if hasattr(left, "toarray"):
        left = left.toarray()
    a, b = np.asarray(left), np.asarray(right)
    assert a.shape == b.shape
    assert a.dtype.kind == b.dtype.kind
    np.testing.assert_array_equal(a, b)


def test_every_kind_has_its_number() -> None:
    assert {kind.number: kind.name for kind in KEPT} == {n: k.name for n, k in KNOWN.items()}


def family(path: Path) -> tuple[str, str]:
    """The kind, and whether it tells two classes, more, or numbers."""
    _, kind, *_, task = path.stem.split("-")
    return kind, task


@pytest.mark.parametrize(
    "path", first_of_each(filter(known, FILES), family, lambda path: path.stem)
)
def test_frozen_files_answer_to_the_bit(path: Path) -> None:
    X = frame(json.loads(path.with_suffix(".json").read_text())["columns"])
    model, small = wl.load(path), runtime.load(path)
    given = as_columns(X)
    for name in METHODS:
        assert hasattr(model, name) == hasattr(small, name)
        if hasattr(model, name):
            same(getattr(model, name)(X), getattr(small, name)(given))
    if hasattr(model, "classes_"):
        same(model.classes_, small.classes_)
    if not answers_rows(model):
        for each in (model, small):
            with pytest.raises(TypeError, match="no predictor of one row"):
                each.predictor()
        return
    one, other = model.predictor(), small.predictor()
    rows = [{name: given[name][i] for name in given} for i in range(min(len(X), 12))]
    expected = told(small, {name: values[:12] for name, values in given.items()})
    for row, said in zip(rows, expected, strict=False):
        same(one(row), said)
        same(other(row), said)
        same(other(list(row.values())), said)


def of_texts(model: object) -> bool:
    """Whether it is not asked about columns."""
    around = hasattr(model, "model_") and not hasattr(model, "vectorizer_")
    schema = getattr(model, "_schema", None)
    return hasattr(schema, "texts") or (schema is None and not around)


def answers_rows(model: object) -> bool:
    """Whether it has a predictor of one row: it is asked about columns, with one answer a row."""
    return not of_texts(model) and n_outputs(model) == 1


def told(model: runtime.Model, X: object) -> list[object]:
    """What a predictor is to say of each row."""
    if not hasattr(model, "classes_"):
        return list(model.predict(X))
    for name in ("predict_proba", "decision_function"):
        if hasattr(model, name):
            found = np.asarray(getattr(model, name)(X))
            narrow = found.ndim == 2 and found.shape[1] == len(model.classes_) <= 2
            narrow = narrow and model._indicator is None
            return list(found[:, -1] if narrow else found)
    chosen = (np.asarray(model.predict(X))[:, None] == model.classes_).astype(float)
    return list(chosen[:, -1] if len(model.classes_) <= 2 else chosen)


@pytest.mark.parametrize("path", [p for p in FILES if not known(p)], ids=lambda path: path.stem)
def test_what_it_does_not_know_is_refused_by_name(path: Path) -> None:
    name = path.stem.split("-")[1]
    with pytest.raises(ModelFileError, match=f"holds a {name}, which.*; use weaklearn.load"):
        runtime.load(path)


CODE = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("sklearn", "scipy", "narwhals", "pandas", "pyarrow", "joblib"):
            raise ImportError(name + " is blocked")
sys.meta_path.insert(0, Blocked())
import json, pickle, numpy as np
from weaklearn import runtime
told = {}
for path, of_rows in (argument.split("=") for argument in sys.argv[1:]):
    model = runtime.load(path)
    row = pickle.loads(open(path[:-4] + "row", "rb").read())
    told[path] = np.ravel(model.predict([row])).tolist()
    if of_rows == "rows":
        told[path] += np.ravel(model.predictor()(row)).tolist()
print(json.dumps(told, default=str))
"""


def test_it_runs_where_only_numpy_is(tmp_path: Path) -> None:
    paths, expected = [], {}
    for source in FILES:
        if not known(source) or not source.stem.startswith("3-"):
            continue
        path = tmp_path / source.name
        path.write_bytes(source.read_bytes())
        X = frame(json.loads(source.with_suffix(".json").read_text())["columns"])[:1]
        given = as_columns(X)
        row = given[0] if given is X else {k: v[0] for k, v in given.items()}
        path.with_suffix(".row").write_bytes(pickle.dumps(row))
        model = wl.load(source)
        paths.append(f"{path}={'rows' if answers_rows(model) else 'tables'}")
        expected[str(path)] = np.ravel(model.predict(X)).tolist()
        if answers_rows(model):
            expected[str(path)] += np.ravel(model.predictor()(row)).tolist()
    assert len(paths) > 50
    done = subprocess.run(
        [sys.executable, "-c", CODE, *paths], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads(json.dumps(expected, default=str))


@pytest.mark.timed
def test_it_is_imported_quickly() -> None:
    """Beyond numpy, by the clock of the processor: the least of several tries is its own cost."""
    code = (
        "import numpy, time\n"
        "t = time.process_time()\n"
        "import weaklearn.runtime\n"
        "print(time.process_time() - t)"
    )
    took = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout)
        for _ in range(5)
    ]
    assert min(took) < 0.030


def test_a_file_imports_what_it_needs() -> None:
    """A vote of stumps holds neither losses nor kernels, terms of texts nor features of windows."""
    code = (
        "import sys\n"
        "from weaklearn import runtime\n"
        "runtime.load(sys.argv[1])\n"
        "print(*(name for name in sys.modules if name.startswith('weaklearn.')))"
    )
    path = str(HERE / "3-AdaBoostClassifier-plain-two.weak")
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True)
    found = set(done.stdout.split())
    assert "weaklearn.runtime.votes" in found
    unused = ("files.loss", "losses.margin", "files.online", "online.kernels", "vision.record")
    assert not found & {f"weaklearn.{name}" for name in (*unused, "text.terms", "runtime.trees")}


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("AdaBoostClassifier", 87),
        ("GradientBoostingClassifier", 100),
        ("RandomForestClassifier", 103),
    ],
)
def test_a_first_prediction_loads_few_modules(name: str, most: int) -> None:
    """Each takes a part of a millisecond of the 30 that a first file may take beyond numpy."""
    code = (
        "import sys, numpy\n"
        "before = set(sys.modules)\n"
        "from weaklearn import runtime\n"
        "model = runtime.load(sys.argv[1])\n"
        "model.predict([[None] * model.n_features_in_])\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    path = str(HERE / f"3-{name}-plain-two.weak")
    command = [sys.executable, "-W", "ignore", "-c", code, path]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = done.stdout.split()
    assert len([module for module in found if module.startswith("weaklearn")]) <= most
    assert not {"decimal", "json", "pathlib", "pkgutil", "typing_extensions"} & set(found)


class TestX:
    @pytest.fixture(scope="class")
    @classmethod
    def path(cls, tmp_path_factory: pytest.TempPathFactory) -> Path:
        rng = np.random.default_rng(0)
        X = pd.DataFrame({"age": rng.normal(50, 9, 80), "town": rng.choice(list("abc"), 80)})
        y = (X["age"] > 50) ^ (X["town"] == "a")
        path = tmp_path_factory.mktemp("runtime") / "model.weak"
        wl.AdaBoostClassifier(n_estimators=20).fit(X, y).save(path)
        return path

    def test_containers_agree(self, path: Path) -> None:
        model = runtime.load(path)
        columns = {"age": [40.0, 60.0, None], "town": ["a", None, "z"], "id": [1, 2, 3]}
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        arrays = {"age": np.array([40.0, 60.0, np.nan]), "town": np.array(["a", None, "z"], object)}
        lists = [[r["age"], r["town"]] for r in rows]
        expected = model.decision_function(columns)
        for X in (rows, arrays):
            same(model.decision_function(X), expected)
        with pytest.warns(UserWarning, match="valid feature names"):
            same(model.decision_function(lists), expected)
        with pytest.warns(UserWarning, match="valid feature names"):
            same(model.decision_function(np.array(lists, object)), expected)
        predictor = model.predictor()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            said = [predictor(row) for row in rows]
            assert said == [predictor(row) for row in lists]
            assert said == [predictor(tuple(row)) for row in lists]
        assert said == model.predict_proba(columns)[:, 1].tolist()

    def test_bad_rows_are_refused_in_words(self, path: Path) -> None:
        model = runtime.load(path)
        with pytest.raises(ValueError, match=r"lacks the column 'town'"):
            model.predict({"age": [1.0]})
        with pytest.raises(ValueError, match=r"row 1 lacks the column 'age'"):
            model.predict([{"age": 1.0, "town": "a"}, {"town": "a"}])
        with pytest.raises(ValueError, match=r"has 1 values, and column 'age' has 2"):
            model.predict({"age": [1.0, 2.0], "town": ["a"]})
        with pytest.raises(ValueError, match="one row as a list of one dict"):
            model.predict({"age": 1.0, "town": "a"})
        with pytest.raises(TypeError, match="DataFrame; the runtime reads"):
            model.predict(pd.DataFrame({"age": [1.0], "town": ["a"]}))
        predictor = model.predictor()
        with pytest.raises(ValueError, match="the row lacks the column 'town'"):
            predictor({"age": 1.0})
        with pytest.raises(ValueError, match="the row has 3 values; pass 2"):
            predictor([1.0, "a", 2.0])
        with pytest.raises(ValueError, match="contains infinity"):
            predictor([np.inf, "a"])
        with pytest.raises(ValueError, match="held numbers in training"):
            predictor(["a", "a"])
        with pytest.raises(TypeError, match="of type str"):
            predictor("age")
        with pytest.raises(ValueError, match=r"shape \(1, 2\)"):
            predictor(np.zeros((1, 2)))

    def test_a_file_that_is_none(self, tmp_path: Path) -> None:
        (tmp_path / "x").write_bytes(b"hello")
        with pytest.raises(ModelFileError, match="not begin like one"):
            runtime.load(tmp_path / "x")
        with pytest.raises(FileNotFoundError):
            runtime.load(tmp_path / "y")


def test_unfitted_models_are_refused(tmp_path: Path) -> None:
    from weaklearn.files import unseal
    from weaklearn.persistence.model_bytes import sealed
    from weaklearn.runtime.loading import opened

    with pytest.raises(ModelFileError, match="not fitted"):
        opened(unseal(sealed(wl.AdaBoostClassifier())))


@pytest.mark.skipif(os.name == "nt", reason="paths")
def test_labels_of_several_come_as_they_were_told(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 3))
    Y = (X > 0).astype(int)
    for model in (wl.AdaBoostMHClassifier(n_estimators=5), wl.AdaBoostMRClassifier(n_estimators=5)):
        model.fit(X, Y).save(tmp_path / "m.weak")
        small = runtime.load(tmp_path / "m.weak")
        for name in METHODS:
            same(getattr(model, name)(X), getattr(small, name)(X))
        same(model.predictor()(X[0]), model.predict_proba(X[:1])[0])
        same(small.predictor()(X[0]), model.predict_proba(X[:1])[0])
