"""Models taken out of the box say the same as in it: SQL in SQLite, compiled C, and Python."""

from __future__ import annotations

import csv
import ctypes
import datetime
import math
import re
import shutil
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.glass import HOSTILE, LEVELS, assembled, model, strange_rows, table
from weaklearn import losses
from weaklearn.base.trees.term import Axis, Term, TermSum
from weaklearn.estimators.gradient.additive import (
    AdditiveBoostingClassifier,
    AdditiveBoostingRegressor,
)
from weaklearn.export.model_ir import slim

FORMS = ["two", "exponential", "three", "one", "poisson", "numbers"]
COMPILER = shutil.which("cc")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")
EXACT = {"rtol": 1e-12, "atol": 1e-12}


def rows() -> pd.DataFrame:
    return pd.concat([table(120), strange_rows()], ignore_index=True)


def plain(X: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows as plain numbers and texts: whole nanoseconds for times, None for what is missing."""

    def cell(value: Any) -> Any:
        if value is None or pd.isna(value):
            return None
        if isinstance(value, (pd.Timestamp, pd.Timedelta)):
            return value.value
        return value.item() if isinstance(value, np.generic) else value

    return [{name: cell(row[name]) for name in X.columns} for _, row in X.iterrows()]


def expected(made: Any, X: pd.DataFrame) -> tuple[Any, Any, Any]:
    """Scores (n, K), probabilities (None of numbers) and predictions."""
    scores = made.ensemble_(made._rows(X))
    shares = made.predict_proba(X) if hasattr(made, "classes_") else None
    return scores, shares, made.predict(X)


# -------------------------------------------------------------------------------------------- SQL


def select(made: Any, X: pd.DataFrame, **how: Any) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The answers of SQLite for rows of X in a table of their own."""
    table_name = how.pop("table", "data")
    base = sqlite3.connect(":memory:")
    base.create_function("EXP", 1, lambda x: None if x is None else math.exp(x))

    def quoted(name: str) -> str:
        return '"' + name.replace('"', '""') + '"'

    columns = ", ".join(quoted(name) for name in X.columns)
    base.execute(f"CREATE TABLE {quoted(table_name)} ({columns})")
    marks = ", ".join("?" for _ in X.columns)
    lines = [tuple(row.values()) for row in plain(X)]
    base.executemany(f"INSERT INTO {quoted(table_name)} VALUES ({marks})", lines)
    found = base.execute(made.to_sql(table_name, **how))
    return [column[0] for column in found.description], found.fetchall()


@pytest.mark.parametrize("form", FORMS)
def test_sql_says_the_same(form: str) -> None:
    made, X = model(form), rows()
    scores, shares, labels = expected(made, X)
    names, found = select(made, X)
    answers = {name: [row[k] for row in found] for k, name in enumerate(names)}
    K = scores.shape[1]
    assert names[-1] == "prediction"
    for k in range(K):
        name = "score" if K == 1 else f"score_{made.classes_[k]}"
        np.testing.assert_allclose(answers[name], scores[:, k], **EXACT)
    if shares is None:
        np.testing.assert_allclose(answers["prediction"], labels, **EXACT)
        return
    for k in range(K) if K > 1 else ():
        share = answers[f"probability_{made.classes_[k]}"]
        np.testing.assert_allclose(share, shares[:, k], **EXACT)
    if K == 1:
        np.testing.assert_allclose(answers["probability"], shares[:, -1], **EXACT)
    assert answers["prediction"] == labels.tolist()


def test_sql_keeps_columns_and_quotes_names() -> None:
    made, X = model("two"), rows()
    names, found = select(made, X, table='my "own" table; --', keep=["age", HOSTILE])
    assert names == ["age", HOSTILE, "score", "probability", "prediction"]
    assert [row[1] for row in found] == [row[HOSTILE] for row in plain(X)]
    text = made.to_sql(("main", "data"), quote="[")
    assert "FROM [main].[data]" in text
    assert "[na\"me'; DROP TABLE data;--\n*/ ??/ \\]" in text
    assert "FROM `a``b`" in made.to_sql("a`b", quote="`")


def test_sql_of_many_terms_is_not_too_deep() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(5, 1500)), columns=[f"c{j}" for j in range(1500)])
    axes = [Axis(j, np.array([0.0])) for j in range(1500)]
    made = assembled(X, axes, rng.normal(size=(1500, 3)).tolist())
    _, found = select(made, X)
    np.testing.assert_allclose([row[0] for row in found], made.predict(X), **EXACT)


def test_classes_that_differ_by_case_get_numbers_in_sql() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=90)})
    y = np.array(["A", "a", "b"])[np.digitize(X["a"], [-0.5, 0.5])]
    made = AdditiveBoostingClassifier(n_estimators=5, n_bags=1).fit(X, y)
    names, found = select(made, X)
    assert names[:3] == ["score_0", "score_1", "score_2"]
    assert [row[-1] for row in found] == made.predict(X).tolist()


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"table": ""}, "it must be a name, or a tuple"),
        ({"table": 3}, "it must be a name, or a tuple"),
        ({"keep": [3]}, "names of columns"),
        ({"keep": ["Score"]}, "the name of an answer"),
        ({"keep": ["age", "AGE"]}, "another column kept"),
        ({"quote": "'"}, "it must be one of"),
        ({"table": "a\0b"}, "NUL character, which SQL has no way to write"),
    ],
)
def test_what_sql_cannot_hold_is_told(how: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        model("two").to_sql(**how)


# ----------------------------------------------------------------------------------------- Python


def functions(source: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    exec(compile(source, "exported", "exec"), found)
    return found


@pytest.mark.parametrize("form", FORMS)
def test_python_says_the_same(form: str) -> None:
    made, X = model(form), rows()
    scores, shares, labels = expected(made, X)
    source = made.to_python()
    assert set(re.findall(r"^ *(?:import|from) .*$", source, re.M)) <= {
        "import math",
        "import datetime",
    }
    code = functions(source)
    found = [np.atleast_1d(code.get("score", code.get("scores"))(row)) for row in plain(X)]
    assert np.array_equal(found, scores)  # added up in the same order
    predictions = [code["predict"](row) for row in plain(X)]
    if shares is None:
        np.testing.assert_allclose(predictions, labels, **EXACT)
    else:
        found = [code["predict_proba"](row) for row in plain(X)]
        np.testing.assert_allclose(found, shares, **EXACT)
        assert predictions == labels.tolist()


@pytest.mark.parametrize("form", ["two", "numbers"])
def test_python_takes_times_as_they_are(form: str) -> None:
    made, X = model(form), rows()
    score = functions(made.to_python())["score"]
    given = X.to_dict("records")
    assert isinstance(given[1]["when"], pd.Timestamp)
    assert isinstance(given[1]["took"], pd.Timedelta)
    scores = made.ensemble_(made._rows(X))[:, 0].tolist()
    assert [score(row) for row in given] == scores
    known = given[1] | {name: given[1][name].to_pydatetime() for name in ("when", "there")}
    assert score(known) == scores[1]
    assert score(given[1] | {"age": pd.NA}) == score(given[1] | {"age": None})
    with pytest.raises(TypeError, match="offset-naive and offset-aware"):
        score(given[1] | {"there": datetime.datetime(2020, 6, 1)})


def test_python_takes_dates() -> None:
    days = [datetime.date(2024, 1, 1) + datetime.timedelta(k) for k in range(200)]
    X = pd.DataFrame({"day": pd.Series(days, dtype=object), "x": 0.0})
    y = np.arange(200.0) // 50
    made = AdditiveBoostingRegressor(n_estimators=20, n_pairs=0).fit(X, y)
    assert len(made.shapes_["day"].values) > 3
    predict = functions(made.to_python())["predict"]
    assert [predict({"day": day, "x": 0.0}) for day in days] == made.predict(X).tolist()


def test_exports_of_a_model_with_offset_say_so() -> None:
    X = pd.DataFrame({"a": np.arange(80.0)})
    exposure = 1 + np.arange(80) % 3
    made = AdditiveBoostingRegressor("poisson", n_estimators=5, n_bags=2)
    made.fit(X, exposure * (1 + (X["a"] > 40)), offset=np.log(exposure))
    words = "fitted with an offset, which is 0 here"
    for text in (made.to_sql(), made.to_c(), made.to_python(), made.to_scorecard().note):
        assert words in text
        assert "per unit of exposure" in text
    assert words not in made.fit(X, exposure).to_sql()


def test_python_without_names_takes_a_list(tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(60, 2))
    made = AdditiveBoostingRegressor(n_estimators=5, n_pairs=0).fit(X, X[:, 0])
    path = tmp_path / "model.py"
    assert made.to_python(path) == path.read_text(encoding="utf-8")
    predict = functions(path.read_text(encoding="utf-8"))["predict"]
    assert [predict(row) for row in X.tolist()] == made.predict(X).tolist()
    assert math.isfinite(predict([None, math.nan]))
    with pytest.raises(IsADirectoryError):
        made.to_python(tmp_path)


# ---------------------------------------------------------------------------------------------- C


def compiled(source: str, folder: Path) -> ctypes.CDLL:
    """The source as a library, compiled with every warning an error."""
    (folder / "model.c").write_text(source, encoding="ascii")
    library = folder / "model.so"
    strict = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O0"]
    assert COMPILER is not None
    done = subprocess.run(
        [COMPILER, *strict, "-shared", "-fPIC", "model.c", "-o", str(library), "-lm"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[:2000]
    return ctypes.CDLL(str(library))


def numbered(library: Any, made: Any, X: pd.DataFrame, name: str = "model") -> Any:
    """Rows as C wants them: all columns as doubles, levels and ranks by the library's own."""
    cells = np.full(X.shape, np.nan)
    sources = getattr(library, f"{name}_category", None), getattr(library, f"{name}_rank", None)
    for function, kind in zip(sources, (ctypes.c_char_p, ctypes.c_longlong), strict=True):
        if function is not None:
            function.restype, function.argtypes = ctypes.c_double, [ctypes.c_int, kind]
    for i, row in enumerate(plain(X)):
        for j, (column, value) in enumerate(row.items()):
            if value is None:
                continue
            if column in (HOSTILE, "sex", "grade"):
                cells[i, j] = sources[0](j, str(value).encode())
            elif column in ("when", "there", "took", "wide"):
                cells[i, j] = sources[1](j, value)
            else:
                cells[i, j] = value
    return cells


def called(function: Any, row: Any, n: int) -> list[float]:
    """What a C function of (x, out) writes."""
    out = (ctypes.c_double * n)()
    function((ctypes.c_double * len(row))(*row), out)
    return list(out)


def answer(function: Any, row: Any, kind: Any) -> Any:
    function.restype = kind
    return function((ctypes.c_double * len(row))(*row))


@needs_compiler
@pytest.mark.parametrize("form", FORMS)
def test_c_says_the_same(form: str, tmp_path: Path) -> None:
    made, X = model(form), rows()
    scores, shares, labels = expected(made, X)
    library = compiled(made.to_c(tmp_path / "again.c"), tmp_path)
    assert (tmp_path / "again.c").read_text() == (tmp_path / "model.c").read_text()
    K = scores.shape[1]
    cells = numbered(library, made, X) if form != "one" else np.zeros(X.shape)
    if K == 1:
        found = [[answer(library.model_score, row, ctypes.c_double)] for row in cells]
    else:
        found = [called(library.model_scores, row, K) for row in cells]
    np.testing.assert_allclose(found, scores, **EXACT)
    if shares is None:
        found = [answer(library.model_predict, row, ctypes.c_double) for row in cells]
        np.testing.assert_allclose(found, labels, **EXACT)
        return
    n = len(made.classes_)
    found = [called(library.model_probabilities, row, n) for row in cells]
    np.testing.assert_allclose(found, shares, **EXACT)
    chosen = [answer(library.model_predict, row, ctypes.c_int) for row in cells]
    assert made.classes_[chosen].tolist() == labels.tolist()
    names = (ctypes.c_char_p * n).in_dll(library, "model_classes")
    assert [text.decode() for text in names] == [str(label) for label in made.classes_]


def test_what_c_cannot_hold_is_told() -> None:
    with pytest.raises(ValueError, match="a letter first"):
        model("two").to_c(name="2 models")
    X = pd.DataFrame({"a": ["x\0y", "z"] * 10})
    made = assembled(X, [Axis(0, None, 2)], [[1, 2, 3]])
    with pytest.raises(ValueError, match="NUL character, which C"):
        made.to_c()
    assert functions(made.to_python())["predict"]({"a": "x\0y"}) == 1.25
    wide = pd.DataFrame({"a": [2**70 + k for k in range(4)]})
    made = assembled(wide, [Axis(0, np.array([1.5]))], [[1, 2, 3]])
    with pytest.raises(ValueError, match="beyond 64 bits"):
        made.to_c()
    predict = functions(made.to_python())["predict"]
    assert [predict({"a": v}) for v in wide["a"]] == made.predict(wide).tolist()


# ------------------------------------------------------------------------------------ every writer


@needs_compiler
def test_levels_that_never_join_the_rare_ones(tmp_path: Path) -> None:
    """A pool for want of room: its members are listed, and unseen levels are missing."""
    levels = [f"{k:03}" for k in range(300)]
    X = pd.DataFrame({"a": levels * 2})
    made = assembled(X, [Axis(0, None, 254)], [np.arange(255.0)], np.ones(255))
    assert not made._schema.columns[0].unseen_joins_pool
    Z = pd.DataFrame({"a": [*levels, "never", None]})
    wanted = made.predict(Z).tolist()
    assert wanted[-2:] == [254.25, 254.25]
    assert [row[0] for row in select(made, Z)[1]] == wanted
    predict = functions(made.to_python())["predict"]
    assert [predict(row) for row in plain(Z)] == wanted
    library = compiled(made.to_c(), tmp_path)
    library.model_category.restype = ctypes.c_double
    codes = [
        library.model_category(0, None if row["a"] is None else row["a"].encode())
        for row in plain(Z)
    ]
    assert [answer(library.model_predict, [code], ctypes.c_double) for code in codes] == wanted


texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))


@settings(max_examples=40, deadline=None)
@given(st.lists(texts, min_size=2, max_size=5, unique=True), texts.filter(bool))
def test_any_text_survives_sql_and_python(levels: list[str], name: str) -> None:
    X = pd.DataFrame({name: levels})
    made = assembled(X, [Axis(0, None, len(levels))], [np.arange(len(levels) + 1.0)])
    wanted = made.predict(X).tolist()
    assert [row[-1] for row in select(made, X)[1]] == wanted
    predict = functions(made.to_python())["predict"]
    assert [predict({name: level}) for level in levels] == wanted


def test_edits_are_exported_and_equal_cells_are_one() -> None:
    X = pd.DataFrame({"a": [0.0, 5.0]})
    made = assembled(X, [Axis(0, np.arange(1.0, 9.0))], [np.arange(10.0)])
    made.edit("a", flatten=0.0, between=(2, 7))
    assert made.to_sql().count("WHEN") == 5  # missing, two cells, the flat one, and one more
    Z = pd.DataFrame({"a": np.arange(0.5, 9.5)})
    assert [row[0] for row in select(made, Z)[1]] == made.predict(Z).tolist()
    made.edit("a", drop=True)
    assert functions(made.to_python())["predict"]({}) == 0.25


def test_slim_terms_say_the_same() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        shape = rng.integers(2, 7, 2)
        axes = tuple(Axis(j, np.arange(shape[j] - 2.0)) for j in range(2))
        values = np.repeat(rng.integers(0, 2, shape).astype(float)[..., None], 2, axis=2)
        term = Term(axes, values, values, values, rng.integers(0, 5, shape).astype(float))
        less = slim(term)
        for a in [*np.arange(-0.5, 6), np.nan]:
            for b in [0.5, 3.5, np.nan]:
                assert np.array_equal(_at(less, a, b), _at(term, a, b))
        assert less.counts.sum() == term.counts.sum()
        assert less.values.size <= term.values.size


def _at(term: Term, *values: float) -> Any:
    """What a term says of a row."""
    where = zip(term.axes, values, strict=True)
    return term.values[tuple(axis.places(np.array([value]))[0] for axis, value in where)]


def test_a_link_of_the_users_own_is_refused() -> None:
    made = assembled(pd.DataFrame({"a": [0.0, 1.0]}), [Axis(0, np.array([0.5]))], [[1, 2, 3]])
    made._loss = losses.Quantiles((0.1, 0.9))
    with pytest.raises(ValueError, match="several quantiles"):
        made.to_python()

    class Own:
        name = "own"
        inverse_link = staticmethod(np.tanh)

    made._loss = losses.CustomLoss(lambda y, F: F - y, label="own", own=Own())
    with pytest.raises(ValueError, match="a function of yours"):
        made.to_sql()
    assert len(made.to_scorecard()) == 4


# -------------------------------------------------------------------------------------- scorecards


def test_a_scorecard_adds_up(tmp_path: Path) -> None:
    made = model("two")
    card = made.to_scorecard()
    assert card.columns == ["term", "cell", "contribution", "count"]
    assert card[0][:3] == ("intercept", "always", float(made.ensemble_.intercept[0]))
    cells = {(term, cell): value for term, cell, value, _ in card}
    shape = made.shapes_["sex"]
    for cell, value in zip(shape.grid.cells[:-1], shape.values[:-1], strict=True):
        assert cells["sex", cell] == value
    ages = [row for row in card if row[0] == "age"]
    assert sum(row[3] for row in ages) == len(table())
    assert re.fullmatch(r"[\d.]+ < age <= [\d.]+", ages[1][1])
    assert ages[-1][1] == "age is missing"
    path = tmp_path / "card.csv"
    card.to_csv(path)
    with open(path, newline="", encoding="utf-8") as file:
        lines = list(csv.reader(file))
    assert lines[0] == card.columns
    assert [float(line[2]) for line in lines[1:]] == [row[2] for row in card]
    assert {line[0] for line in lines[1:]} >= {HOSTILE, "age x sex"}
    assert len(card.to_frame()) == len(card)


def test_a_scorecard_of_several_classes_has_a_column_each() -> None:
    card = model("three").to_scorecard()
    assert card.columns == ["term", "cell", "0", "1", "2", "count"]
    assert isinstance(model("one").to_scorecard()[0][2], float)


def test_exports_of_no_terms() -> None:
    made = assembled(pd.DataFrame({"a": [0.0, 1.0]}), [], [])
    made.ensemble_ = TermSum(np.array([1.5]), ())
    assert functions(made.to_python())["predict"]({}) == 1.5
    assert select(made, pd.DataFrame({"a": [0.0]}))[1] == [(1.5, 1.5)]
    assert "model_score" in made.to_c()
    assert len(LEVELS) == len(set(LEVELS))
