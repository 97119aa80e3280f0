"""Models as JSON and as JavaScript say the same as in the library, the latter run by Node.js."""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest

import weaklearn as wl
from tests import glass
from tests.export.test_trees import HOSTILE, MODELS, expected, fitted, plain
from tests.mixed_table import later_rows
from tests.reference.json_model import JsonModel

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="there is no Node.js")
EXACT = {"rtol": 1e-12, "atol": 1e-12}
GLASS = ["two", "exponential", "three", "one", "poisson", "numbers"]

_DRIVER = """
const model = require(process.argv[1]);
const revive = (_, value) => value && typeof value.big === "string" ? BigInt(value.big) : value;
const rows = JSON.parse(require("fs").readFileSync(0, "utf8"), revive);
const tried = (ask) => { try { return ask(); } catch (error) { return { error: error.message }; } };
console.log(JSON.stringify(rows.map((row) => [tried(() => model.scores(row)),
  tried(() => model.predictProba(row)), tried(() => model.predict(row))])));
"""


def asked(source: str, rows: list[Any], folder: Any, driver: str = _DRIVER) -> list[Any]:
    """Scores, probabilities and prediction of every row, from Node.js; or errors."""
    (folder / "model.js").write_text(source, encoding="utf-8")

    def big(value: Any) -> Any:
        far = isinstance(value, int) and abs(value) > 2**53
        return {"big": str(value)} if far else value

    given = [
        {name: big(value) for name, value in row.items()}
        if isinstance(row, dict)
        else [*map(big, row)]
        for row in rows
    ]
    done = subprocess.run(
        [str(NODE), "-e", driver, str(folder / "model.js")],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[:2000]
    found: list[Any] = json.loads(done.stdout)
    return found


def model_and_rows(name: str) -> tuple[Any, Any, Any]:
    """A model, rows as training never had them, and what it says of them."""
    if name.startswith("glass "):
        model = glass.model(name.removeprefix("glass "))
        X = pd.concat([glass.table(60), glass.strange_rows()], ignore_index=True)
        shares = model.predict_proba(X) if hasattr(model, "classes_") else None
        return model, X, (model.ensemble_(model._rows(X)), shares, model.predict(X))
    model, X = fitted(name), later_rows()
    return model, X, expected(model, X)


@pytest.mark.parametrize("name", [*MODELS, *(f"glass {form}" for form in GLASS)])
def test_json_says_the_same(name: str, tmp_path: Any) -> None:
    model, X, (scores, shares, labels) = model_and_rows(name)
    text = model.to_json(tmp_path / "model.json")
    assert (tmp_path / "model.json").read_text("utf-8") == text
    read, rows = JsonModel(text), plain(X)
    np.testing.assert_allclose([read.scores(row) for row in rows], scores, **EXACT)
    if shares is not None or not hasattr(model, "classes_"):
        wanted = np.reshape(labels, (-1, 1)) if shares is None else shares
        found = [read.answers(read.scores(row)) for row in rows]
        np.testing.assert_allclose(found, wanted, **EXACT)


@needs_node
@pytest.mark.parametrize("name", [*MODELS, *(f"glass {form}" for form in GLASS)])
def test_javascript_says_the_same(name: str, tmp_path: Any) -> None:
    model, X, (scores, shares, labels) = model_and_rows(name)
    found = asked(model.to_javascript(), plain(X), tmp_path)
    np.testing.assert_allclose([row[0] for row in found], scores, **EXACT)
    if shares is not None:
        np.testing.assert_allclose([row[1] for row in found], shares, **EXACT)
    if hasattr(model, "classes_"):
        assert [row[2] for row in found] == labels.tolist()
        assert shares is not None or all("calibrate" in row[1]["error"] for row in found)
    else:
        np.testing.assert_allclose([row[2] for row in found], labels, **EXACT)
        assert all("use predict" in row[1]["error"] for row in found)


_REASONS = """
const model = require(process.argv[1]);
const revive = (_, value) => value && typeof value.big === "string" ? BigInt(value.big) : value;
const [first, ...rows] = JSON.parse(require("fs").readFileSync(0, "utf8"), revive);
console.log(JSON.stringify([model.columns, rows.map((row) => model.reasons(row, first))]));
"""


def shapley_beside(
    model: JsonModel, columns: list[str], row: dict[str, Any], reference: dict[str, Any]
) -> Any:
    """Shapley values of the columns, by all subsets of them."""
    d = len(columns)
    scores = {
        taken: np.array(model.scores(reference | {columns[j]: row[columns[j]] for j in taken}))
        for size in range(d + 1)
        for taken in combinations(range(d), size)
    }
    found = np.zeros((d, len(scores[()])))
    for taken, score in scores.items():
        for j in set(range(d)) - set(taken):
            weight = 1 / (d * math.comb(d - 1, len(taken)))
            found[j] += weight * (scores[tuple(sorted((*taken, j)))] - score)
    return found


@needs_node
@pytest.mark.parametrize("name", [*MODELS, *(f"glass {form}" for form in GLASS)])
def test_reasons_are_shapley_values(name: str, tmp_path: Any) -> None:
    model, X, _ = model_and_rows(name)
    read = JsonModel(model.to_json())
    columns = [column["name"] for column in read.model["columns"]]
    reference, *rows = plain(X)[:: max(1, len(X) // 6)]
    found = asked(model.to_javascript(), [reference, *rows], tmp_path, _REASONS)
    assert found[0] == columns
    wanted = np.array([shapley_beside(read, columns, row, reference) for row in rows])
    np.testing.assert_allclose(np.reshape(found[1], wanted.shape), wanted, **EXACT)


@needs_node
def test_times_may_be_texts(tmp_path: Any) -> None:
    model, X = glass.model("two"), glass.table(40)
    rows, wanted = plain(X), model.ensemble_(model._rows(X))[:, 0]
    for row, when, there in zip(rows, X["when"], X["there"], strict=True):
        if row["when"] is not None:
            row["when"] = when.isoformat()
        row["there"] = there.isoformat()
    found = asked(model.to_javascript(), rows, tmp_path)
    assert [row[0][0] for row in found] == wanted.tolist()


@needs_node
@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"age": "40"}, 'column "age" holds "40": it must be a number'),
        ({"when": "1 May"}, "it must be a Date, a text such as 2024-05-01, or an integer"),
        ({"when": "2024-05-01T12:00Z"}, "a text such as 2024-05-01, or"),
        ({"there": "2024-05-01T12:00"}, "a text such as 2024-05-01T12:00:00Z"),
        ({"when": "2024-02-31T99:00"}, "a date of the calendar"),
        ({"when": "2023-02-29"}, "a date of the calendar"),
        ({"there": "2024-04-31T12:00:00Z"}, "a date of the calendar"),
        ({"took": "3 h"}, "it must be an integer"),
        ({"wide": "3"}, "it must be an integer"),
    ],
)
def test_odd_values_are_refused(changed: dict[str, Any], words: str, tmp_path: Any) -> None:
    model = glass.model("two")
    good = plain(glass.table(40))[20]
    found = asked(model.to_javascript(), [good | changed, good, {}], tmp_path)
    assert words in found[0][2]["error"]
    assert found[1][2] in model.classes_.tolist()
    assert 'the row has no column "age"' in found[2][2]["error"]


@needs_node
@pytest.mark.parametrize(
    ("known", "later"),
    [
        (["a", "__proto__", "3"], ["constructor", "toString", ""]),
        ([True, False], [None]),
        ([3, 2**60, 2**60 + 1], [2**60 + 2, 4]),
    ],
)
def test_rows_may_be_arrays_and_categories_of_any_type(
    known: list[Any], later: list[Any], tmp_path: Any
) -> None:
    chosen = np.random.default_rng(0).integers(0, len(known), 200)
    y = chosen == 1
    column = pd.Categorical.from_codes(chosen, categories=pd.Index(known, dtype=object))
    X = pd.DataFrame({0: np.arange(200.0) % 7, 1: column})
    model = wl.AdaBoostClassifier(n_estimators=4).fit(X, y)
    assert model.score(X, y) == 1.0
    rows = [[None, value] for value in [*known, *later]]
    wanted = model.predict(pd.DataFrame({0: np.nan, 1: [value for _, value in rows]}))
    assert [row[2] for row in asked(model.to_javascript(), rows, tmp_path)] == wanted.tolist()


@needs_node
@pytest.mark.parametrize("text", [*HOSTILE, "</script><script>", "a\u2028b", "\0", "__proto__"])
def test_hostile_texts_stay_texts(text: str, tmp_path: Any) -> None:
    X = pd.DataFrame({text: [text, "b"] * 10, "c": range(20)})
    model = wl.AdaBoostClassifier(n_estimators=2).fit(X, [text, "no"] * 10)
    source = model.to_javascript()
    assert not re.search("<[/!]|[\u2028\u2029]", source.split("evaluator(", 2)[2])
    found = asked(source, plain(X), tmp_path)
    assert [row[2] for row in found] == [text, "no"] * 10


@needs_node
def test_a_module_and_a_script_of_a_page(tmp_path: Any) -> None:
    X, y = wl.datasets.toy()
    model = wl.AdaBoostClassifier(n_estimators=3).fit(X, y)
    source = model.to_javascript(tmp_path / "m.mjs", name="rules")
    assert "require" not in source
    ask = "import rules from './m.mjs'; console.log(rules.predict([6, 9]), rules.classes)"
    done = subprocess.run(
        [str(NODE), "--input-type=module", "-e", ask], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout == "1 [ -1, 1 ]\n"
    with pytest.raises(ValueError, match="must be a plain name"):
        model.to_javascript(name="my model")


@pytest.mark.parametrize("name", ["class", "let", "evaluator", "module", "Object", "await"])
def test_names_with_a_meaning_of_their_own_are_refused(name: str) -> None:
    X, y = wl.datasets.toy()
    model = wl.AdaBoostClassifier(n_estimators=1).fit(X, y)
    with pytest.raises(ValueError, match=f"name='{name}' .* must be a plain name"):
        model.to_javascript(name=name)


@needs_node
def test_classes_beyond_what_a_double_holds(tmp_path: Any) -> None:
    X, y = wl.datasets.toy()
    model = wl.AdaBoostClassifier(n_estimators=3).fit(X, np.where(y > 0, 2**53 + 1, 2**53 + 3))
    ask = "console.log(model.classes, String(model.predict([6, 9])));"
    (tmp_path / "model.js").write_text(model.to_javascript() + ask, encoding="utf-8")
    done = subprocess.run([str(NODE), str(tmp_path / "model.js")], capture_output=True, text=True)
    wanted = model.predict([[6.0, 9.0]])[0]
    assert done.stdout == f"[ {2**53 + 1}n, {2**53 + 3}n ] {wanted}\n", done.stderr


def test_half_a_character_is_escaped(tmp_path: Any) -> None:
    X = pd.DataFrame({"c": pd.Series(["a", "\ud800"] * 20, dtype=object)})
    model = wl.AdaBoostClassifier(n_estimators=2).fit(X, [0, 1] * 20)
    text = model.to_json(tmp_path / "model.json")
    assert (tmp_path / "model.json").read_text("utf-8") == text
    assert "\ud800" in dict(json.loads(text)["columns"][0]["categories"])
    model.to_javascript(tmp_path / "model.js")
