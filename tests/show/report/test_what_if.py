"""The what-if panel answers as the model does, and shows nothing that the report is not to show."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import weaklearn
from tests.browser import Visitor, needed, visiting
from tests.show.report.report_pages import Page, page_of
from weaklearn.show import report

TOWNS = ["Oslo", "Bergen", "Voss"]


def table(n: int = 400) -> pd.DataFrame:
    """Columns of every kind, with gaps."""
    rng = np.random.default_rng(5)
    X = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n).astype(float),
            "dose": rng.normal(3.0, 1.0, n).round(4),
            "town": rng.choice(TOWNS, n, p=[0.5, 0.3, 0.2]),
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n), "D"),
            "took": pd.to_timedelta(rng.integers(0, 5_000, n), "s"),
            "key": rng.integers(2**60, 2**60 + 999, n),
            "grade": pd.Categorical(rng.integers(1, 4, n)),
        }
    )
    X.loc[rng.random(n) < 0.2, "dose"] = np.nan
    X.loc[rng.random(n) < 0.1, "town"] = None
    return X


def score(X: pd.DataFrame) -> Any:
    rng = np.random.default_rng(6)
    days = (X["since"] - pd.Timestamp("2021-01-01")).dt.days / 400
    found = (X["age"] - 50) / 15 + (X["town"] == "Voss") * 2 + X["dose"].fillna(0) + days
    found += X["took"].dt.seconds / 2000 + (X["key"] - 2**60) / 500 + X["grade"].astype(int)
    return found.to_numpy() + rng.normal(size=len(X))


def targets(X: pd.DataFrame, K: int) -> Any:
    found = score(X)
    if K == 0:
        return found
    names = np.array(["low", "high", "top"], object)
    return names[np.digitize(found, np.quantile(found, np.linspace(0, 1, K + 1)[1:-1]))]


CASES: dict[str, tuple[Any, int]] = {
    "stumps": (weaklearn.AdaBoostClassifier(n_estimators=60), 2),
    "gradient": (weaklearn.GradientBoostingClassifier(n_estimators=30), 2),
    "three": (weaklearn.GradientBoostingClassifier(n_estimators=15), 3),
    "numbers": (weaklearn.GradientBoostingRegressor(n_estimators=30), 0),
    "glass": (
        weaklearn.AdditiveBoostingClassifier(
            n_estimators=30, n_bags=2, pairs=[("age", "dose"), ("town", "since")]
        ),
        2,
    ),
    "tree": (weaklearn.DecisionTreeClassifier(max_depth=5), 2),
    "forest": (weaklearn.RandomForestClassifier(n_estimators=6, max_depth=5), 3),
}


def what_if(page: Page) -> dict[str, Any]:
    """What the script of the panel reads."""
    found: dict[str, Any] = json.loads(page.data["what_if"])
    return found


def why_not(page: Page) -> str:
    """The reason that the last part gives for having no panel."""
    assert "what-if" not in page.sections
    words = page.sections["provenance"]
    return words[words.index("What if (") :].split(")")[0]


def test_it_starts_from_a_row_that_is_none_of_the_data(tmp_path: Path) -> None:
    X = table()
    y = targets(X, 2)
    model = weaklearn.GradientBoostingClassifier(n_estimators=20).fit(X, y)
    found = what_if(page_of(model, X, y, tmp_path))
    assert len(found["starts"]) == 1
    start = dict(zip([each["name"] for each in found["columns"]], found["starts"][0], strict=True))
    texts = {each["name"]: each["texts"] for each in found["columns"]}
    assert start["age"] == np.rint(np.median(X["age"]))
    assert start["dose"] == float(f"{np.nanmedian(X['dose']):.3g}")
    assert texts["town"][start["town"]] == X["town"].value_counts().index[0]
    middle = pd.Timestamp(texts["since"][start["since"]])
    assert abs((middle - X["since"].median()).days) < 5
    assert found["positive"] == model.classes_.tolist().index("low")


def test_rows_are_there_where_they_may_be_shown(tmp_path: Path) -> None:
    X = table()
    y = targets(X, 2)
    model = weaklearn.GradientBoostingClassifier(n_estimators=20).fit(X, y)
    found = what_if(page_of(model, X, y, tmp_path, examples=True))
    doubt = model.predict_proba(X)[np.arange(len(X)), model.classes_.searchsorted(y)]
    hardest = X.iloc[int(np.argmin(doubt))]
    values = {
        each["name"]: value if each["number"] or value is None else each["values"][value]
        for each, value in zip(found["columns"], found["starts"][1], strict=True)
    }
    assert values["age"] == hardest["age"]
    assert values["key"] == str(hardest["key"])
    assert values["town"] == hardest["town"]
    assert values["grade"] == hardest["grade"]
    assert len(found["starts"]) == 13


def test_rare_categories_are_not_in_the_page(tmp_path: Path) -> None:
    X = table()
    X.loc[:2, "town"] = "a person"
    y = np.where(np.arange(len(X)) < 3, "high", targets(X, 2))
    model = weaklearn.GradientBoostingClassifier(n_estimators=10, min_samples_category=1)
    page = page_of(model.fit(X, y), X, y, tmp_path)
    assert "a person" not in page.data["what_if"]
    assert "a person" in page_of(model, X, y, tmp_path, examples=True).data["what_if"]


def test_means_of_few_targets_are_not_in_the_page(tmp_path: Path) -> None:
    X = table()
    y = targets(X, 0)
    model = weaklearn.DecisionTreeRegressor().fit(X, y)
    assert "means of few targets" in why_not(page_of(model, X, y, tmp_path))
    assert "what-if" in page_of(model, X, y, tmp_path, examples=True).sections


def test_large_models_are_not_written_into_the_page(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 10))
    y = rng.random(3000) > 0.5
    model = weaklearn.RandomForestClassifier(n_estimators=100).fit(X, y)
    page = page_of(model, X, y, tmp_path)
    assert "too large for a page, more than 1 MB" in why_not(page)
    assert len(page.source) < 400_000
    middling = weaklearn.RandomForestClassifier(n_estimators=20).fit(X, y)  # large as JSON alone
    assert "too large" in why_not(page_of(middling, X, y, tmp_path))


def test_numbers_that_are_categories_are_lists(tmp_path: Path) -> None:
    X = table()[["age", "key"]].assign(age=lambda part: part["age"] // 30)
    y = targets(table(), 2)
    model = weaklearn.GradientBoostingClassifier(n_estimators=9, categorical_features=["age"])
    found = what_if(page_of(model.fit(X, y), X, y, tmp_path))
    assert found["columns"][0]["texts"] == ["1", "2", "0"]
    assert found["columns"][0]["values"] == [1, 2, 0]


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (weaklearn.AdaBoostClassifier(n_estimators=4, multiclass="pairs"), "cannot be written"),
        (
            weaklearn.BaggingClassifier(
                weaklearn.AdaBoostClassifier(n_estimators=3, calibrate="slope"), n_estimators=3
            ),
            "no reasons add up",
        ),
        (weaklearn.CentroidClassifier(), "none that can be written as JavaScript"),
    ],
)
def test_models_without_a_panel_say_why(model: Any, words: str, tmp_path: Path) -> None:
    X = table()[["age", "took"]].assign(took=lambda part: part["took"].dt.seconds)
    y = targets(table(), 3)
    assert words in why_not(page_of(model.fit(X, y), X, y, tmp_path))


def test_of_many_columns_the_strongest_can_be_moved(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 60))
    y = X @ np.linspace(0, 1, 60) > 0
    model = weaklearn.GradientBoostingClassifier(n_estimators=60).fit(X, y)
    page = page_of(model, X, y, tmp_path)
    levers = [found for _, found in page.elements if "data-lever" in found]
    assert len(levers) == 40
    assert "the 40 that matter most can be moved" in page.sections["what-if"]
    assert "32 columns that matter less" in page.sections["what-if"]


# ------------------------------------------------------------------------------------- in a browser


@pytest.fixture(scope="module")
def visitor() -> Iterator[Visitor]:
    with visiting() as found:
        yield found


_MOVE = """
const [places, values] = arguments;
const field = (k) => document.querySelector(`[data-lever="${k}"]`);
places.forEach((k, i) => {
  const slide = document.querySelector(`[data-slide="${k}"]`);
  const moved = slide && values[i] !== "" ? slide : field(k);
  moved.value = values[i];
  moved.dispatchEvent(new Event("input"));
});
const told = JSON.parse(JSON.parse(document.getElementById("page-data").textContent).what_if);
return told.columns.map((_, k) => field(k).value);
"""


def row_of(found: dict[str, Any], fields: list[str], X: pd.DataFrame) -> pd.DataFrame:
    """What the controls say, as a row of a table."""
    row: dict[str, Any] = dict.fromkeys(X.columns)
    for each, field in zip(found["columns"], fields, strict=True):
        if field == "":
            continue
        value = float(field) if each["number"] else each["values"][int(field)]
        if each["name"] == "since":
            value = pd.Timestamp(each["texts"][int(field)])
        elif each["name"] == "took":
            value = pd.Timedelta(int(value), found["model"]["columns"][4]["unit"])
        elif each["name"] == "key":
            value = int(value)
        row[each["name"]] = value
    made = pd.DataFrame([row])
    grades = pd.Categorical(made["grade"], categories=X["grade"].cat.categories)
    types = {name: X[name].dtype for name in ("age", "dose", "since", "took", "key")}
    return made.assign(grade=grades).astype(types)


@needed
@pytest.mark.slow
@pytest.mark.parametrize("kind", list(CASES))
@pytest.mark.parametrize("width", [1280, 400])
def test_what_it_answers_is_what_the_model_answers(
    visitor: Visitor, kind: str, width: int, tmp_path: Path
) -> None:
    estimator, K = CASES[kind]
    X = table()
    y = targets(X, K)
    model = estimator.fit(X, y)
    path = report(model, X, y, tmp_path / "report.html")
    found = what_if(Page(path.read_text("utf-8")))
    visitor.look(width)
    visitor.driver.get(path.as_uri())
    visitor.complaints()
    names = [each["name"] for each in found["columns"]]
    assert names == list(X.columns)
    assert visitor.texts("#what-if-reasons tr") == []
    typical = row_of(found, visitor.run(_MOVE, [], []), X)
    moves: dict[str, Any] = {"age": 77, "dose": "", "town": 2, "since": 50, "took": 9, "grade": 1}
    places = [names.index(name) for name in moves]
    moved = row_of(found, visitor.run(_MOVE, places, list(moves.values())), X)
    assert moved["age"][0] == 77
    assert moved["dose"].isna()[0]
    assert visitor.text("#what-if-answer") == _said(model, moved)
    if K and hasattr(model, "predict_proba"):
        p = model.predict_proba(moved)[0]
        code = found["positive"] if K == 2 else int(np.argmax(p))
        assert f" {float(f'{100 * p[code]:.3g}'):g}\u00a0%;" in visitor.text("#what-if-more")
    reasons = [float(text.replace("−", "-")) for text in visitor.texts("#what-if-reasons td.n")]
    assert 1 <= len(reasons) <= 7
    assert sum(reasons) == pytest.approx(
        _shift(model, typical, moved, K, found), rel=0.02, abs=0.02
    )
    assert visitor.run("return document.documentElement.scrollWidth") <= width
    visitor.run("document.getElementById('what-if-again').click()")
    assert visitor.texts("#what-if-reasons tr") == []
    assert visitor.fetched() == []
    assert visitor.complaints() == []


def _said(model: Any, row: pd.DataFrame) -> str:
    predicted = model.predict(row)[0]
    if isinstance(predicted, str):
        return predicted
    return f"{float(f'{predicted:.4g}'):g}".replace("-", "−")


def _shift(model: Any, before: pd.DataFrame, after: pd.DataFrame, K: int, found: Any) -> float:
    """How far the score that reasons are of has moved."""
    if K == 0:
        return float(model.predict(after)[0] - model.predict(before)[0])
    code = found["positive"]
    if code is None:
        code = int(np.argmax(model.predict_proba(after)[0]))
    ask = getattr(model, "decision_function", model.predict_proba)
    F = [np.ravel(ask(row)) for row in (before, after)]
    if len(F[0]) == 1:
        return float((F[1] - F[0])[0]) * (1 if code else -1)
    return float(F[1][code] - F[0][code])


@needed
@pytest.mark.slow
def test_the_threshold_of_the_model_decides(visitor: Visitor, tmp_path: Path) -> None:
    X = table()
    y = targets(X, 2)
    model = weaklearn.GradientBoostingClassifier(n_estimators=20).fit(X, y)
    said = []
    for threshold in (-1e6, None, 1e6):
        path = report(model.set_threshold(threshold), X, y, tmp_path / "report.html")
        visitor.driver.get(path.as_uri())
        said.append(visitor.text("#what-if-answer"))
    assert said[0] == model.classes_[1]
    assert said[2] == model.classes_[0]


@needed
@pytest.mark.slow
def test_a_threshold_of_a_calibrated_forest_decides_by_probabilities(
    visitor: Visitor, tmp_path: Path
) -> None:
    X = table()
    y = targets(X, 2)
    model = weaklearn.RandomForestClassifier(n_estimators=30, max_depth=4).fit(X, y)
    found = what_if(page_of(model, X, y, tmp_path))
    assert found["scale"] == "average share"
    row = row_of(found, found["starts"][0], X)
    share = float(model.explain(row).scores[0])
    calibrated = float(model.predict_proba(row)[0, 1])
    assert abs(calibrated - share) > 1e-3
    model.set_threshold(calibrated + share - 1)  # twice their middle, less 1
    visitor.driver.get(report(model, X, y, tmp_path / "report.html").as_uri())
    assert visitor.text("#what-if-answer") == model.predict(row)[0]
    assert (model.predict(row)[0] == model.classes_[1]) == (calibrated > share)


@needed
@pytest.mark.slow
def test_rows_to_start_from_and_the_class_of_reasons(visitor: Visitor, tmp_path: Path) -> None:
    X = table()
    y = targets(X, 3)
    model = weaklearn.GradientBoostingClassifier(n_estimators=15).fit(X, y)
    path = report(model, X, y, tmp_path / "report.html", examples=True)
    visitor.driver.get(path.as_uri())
    pick = "const f = document.getElementById(arguments[0]); f.value = arguments[1];"
    visitor.run(pick + "f.dispatchEvent(new Event('change'))", "what-if-start", 1)
    row = visitor.text("#what-if-start option:nth-child(2)").removeprefix("row ")
    assert visitor.text("#what-if-answer") == model.predict(X.iloc[[int(row)]])[0]
    sums = set()
    for code in (-1, 0, 1, 2):
        visitor.run(pick + "f.dispatchEvent(new Event('change'))", "what-if-class", code)
        sums.add(visitor.text("#what-if-sum"))
    assert len(sums) == 3
    assert any(f"score of {model.classes_[2]}" in words for words in sums)
