"""Reports: every part for several kinds of models, no row of data, nothing from outside."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

import weaklearn
from tests.cli.calling import call
from tests.mixed_table import mixed_table
from tests.show.report.report_pages import Page, page_of
from weaklearn.show import report
from weaklearn.show.report.section import percent

TWO = {"summary", "certificates", "rounds", "margins", "rules", "importance", "probability"}
TWO |= {"confusion", "what-if", "hardest", "data", "provenance"}
NUMBERS = {"summary", "rules", "importance", "residuals", "hardest", "data", "provenance"}


@pytest.fixture(scope="module")
def cancer() -> tuple[Any, Any, Any]:
    found = load_breast_cancer(as_frame=True)
    X, y = found.data, found.target_names[found.target]
    return weaklearn.AdaBoostClassifier(n_estimators=40).fit(X, y), X, y


def _sections(page: Page) -> set[str]:
    return set(page.sections)


def _well_formed(page: Page) -> None:
    assert page.balanced
    ids = [found["id"] for _, found in page.elements if "id" in found]
    assert len(ids) == len(set(ids))
    for _, found in page.elements:
        for word in ("aria-labelledby", "for", "data-csv", "data-filters", "data-count"):
            assert found.get(word) is None or found[word] in ids
        assert found.get("href") is None or str(found["href"])[1:] in ids
    charts = {str(found["data-chart"]) for _, found in page.elements if "data-chart" in found}
    assert charts <= set(page.data)
    for name in charts:
        assert len(page.data[name]["x"]) == len(page.data[name]["text"]) > 0
    for told in (page.data[str(f["data-map"])] for _, f in page.elements if "data-map" in f):
        assert len(told["x"]) == len(told["across"]) == len(told["text"]) > 0
        assert {len(told["y"]), len(told["up"])} == {len(line) for line in told["text"]}
    assert "\\xa0" not in page.source  # a space of ours, spelt out as if it were a user's


def test_a_vote_of_stumps_has_every_part(cancer: Any, tmp_path: Path) -> None:
    model, X, y = cancer
    page = page_of(model, X, y, tmp_path, title="Lumps")
    _well_formed(page)
    assert _sections(page) == TWO | {"shapes"}
    assert "Lumps" in page.texts
    assert "trained on these rows" in page.sections["summary"]
    assert "all rounds played" in page.sections["summary"]
    assert model.fingerprint() in page.sections["provenance"]
    assert "n_estimators" in page.sections["provenance"]
    assert "worst radius > 16.795" in page.sections["rules"]
    assert "of the training rows can be wrong" in page.sections["certificates"]
    assert "Residuals" in page.sections["provenance"]  # left out, and said so
    assert "bound on the training error" in page.sections["rounds"]


def test_the_same_model_gives_the_same_bytes(cancer: Any, tmp_path: Path) -> None:
    model, X, y = cancer
    model.save(tmp_path / "model.weak")
    again = weaklearn.load(tmp_path / "model.weak")
    first, second = tmp_path / "a.html", tmp_path / "b.html"
    report(model, X, y, first)
    report(again, X, y, second)
    assert first.read_bytes() == second.read_bytes()


def test_nothing_comes_from_outside(cancer: Any, tmp_path: Path) -> None:
    model, X, y = cancer
    page = page_of(model, X, y, tmp_path)
    assert len(page.source) < 500_000
    assert not re.search(r"https?://|//www|url\(|@import|javascript:", page.source)
    for tag, found in page.elements:
        assert tag not in (
            "link",
            "img",
            "iframe",
            "object",
            "embed",
            "form",
            "base",
            "foreignobject",
        )
        assert "src" not in found
        assert "style" not in found
        assert not any(name.startswith("on") for name in found)
    scripts = [found for tag, found in page.elements if tag == "script"]
    assert [found.get("type") for found in scripts] == ["application/json", None]
    assert Counter(tag for tag, _ in page.elements)["style"] == 1


def test_the_files_of_the_page_come_with_the_package() -> None:
    assert "prefers-color-scheme: dark" in files("weaklearn.page").joinpath("style.css").read_text()
    assert "use strict" in files("weaklearn.show.report").joinpath("script.js").read_text()


def test_of_a_rare_class_and_a_threshold(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.normal(size=900), "z": rng.normal(size=900)})
    y = pd.Series(np.where(X["x"] + rng.normal(size=900) > 2, "ill", "well"), name="state")
    model = weaklearn.AdaBoostClassifier(n_estimators=10).fit(X[:500], y[:500])
    model.tune_threshold(X[500:700], y[500:700], by="recall", least=0.8, positive="ill")
    page = page_of(model, X[:500], y[:500], tmp_path, X_test=X[700:], y_test=y[700:])
    assert "state" in (tmp_path / "report.html").read_text().split("</h1>")[0]
    assert "of the rows of ill are found" in page.sections["summary"]
    for part in ("rounds", "margins"):
        assert "without the threshold that it was given" in page.sections[part]
    assert "of ill: expected calibration error" in page.sections["probability"]


def test_new_rows_are_told_from_those_of_training(cancer: Any, tmp_path: Path) -> None:
    _, X, y = cancer
    model = weaklearn.AdaBoostClassifier(n_estimators=10).fit(X[:400], y[:400])
    page = page_of(model, X[400:], y[400:], tmp_path)
    assert "None of the rows was seen in training" in page.sections["summary"]
    assert "Of rows to come" in page.sections["certificates"]
    share = r"[\d.]+\xa0%"
    interval = rf"certified error\n≤\xa0{share}\n95\xa0% interval: {share} to {share}"
    assert re.search(interval, page.sections["summary"])
    both = page_of(model, X[:400], y[:400], tmp_path, X_test=X[400:], y_test=y[400:])
    assert "169 test rows" in both.sections["summary"]
    assert "hardest examples are those of the 169 test rows" in both.sections["summary"]
    assert "test rows whose true class is the least probable" in both.sections["hardest"]
    assert "They are those of the test data." in both.sections["hardest"]
    assert "test error" in both.sections["rounds"]
    mixed = page_of(model, X[300:], y[300:], tmp_path)
    assert "100 of 269 rows were seen" in mixed.sections["summary"]
    assert "On these the numbers flatter the model" in mixed.sections["summary"]
    assert "by chance 0.5; on rows of which it was trained on some" in mixed.sections["summary"]
    assert "Evaluated on rows of which it was trained on some" in mixed.sections["probability"]


def test_three_classes(tmp_path: Path) -> None:
    found = load_iris(as_frame=True)
    X, y = found.data, found.target_names[found.target]
    model = weaklearn.AdaBoostClassifier(n_estimators=10).fit(X, y)
    page = page_of(model, X, y, tmp_path)
    _well_formed(page)
    assert TWO <= _sections(page)
    table = page.sections["confusion"]
    assert all(name in table for name in ("setosa", "versicolor", "virginica"))
    assert "each class against the others" in page.sections["probability"]
    read = [re.findall(r"error ([\d.]+)\xa0%", text) for text in page.data["rounds"]["text"]]
    assert [len(found) for found in read][-1] == 2  # the error, and the bound on it
    assert all(float(found[0]) <= float(found[1]) for found in read if len(found) == 2)


def test_a_table_of_every_kind(tmp_path: Path) -> None:
    X, two, _, numbers = mixed_table()
    for model, y, wanted in (
        (weaklearn.GradientBoostingClassifier(n_estimators=8), two, TWO - {"certificates"}),
        (weaklearn.AdaBoostClassifier(n_estimators=20), two, TWO | {"shapes"}),
        (weaklearn.AdditiveBoostingClassifier(n_estimators=8, n_bags=2), two, {"shapes", "data"}),
        (weaklearn.RandomForestClassifier(n_estimators=5), two, {"importance", "probability"}),
        (weaklearn.DecisionTreeClassifier(), two, {"rules", "importance", "confusion"}),
        (weaklearn.GradientBoostingRegressor(n_estimators=8), numbers, NUMBERS | {"rounds"}),
        (weaklearn.AdditiveBoostingRegressor(n_estimators=8, n_bags=2), numbers, {"shapes"}),
        (weaklearn.AdaBoostRegressor(n_estimators=5), numbers, NUMBERS | {"rounds"}),
        (weaklearn.DecisionTreeRegressor(), numbers, NUMBERS),
    ):
        page = page_of(model.fit(X, y), X, y, tmp_path)
        _well_formed(page)
        assert wanted <= _sections(page), type(model).__name__
        assert "categories" in page.sections["data"]
        assert "dates" in page.sections["data"]


def _crossed(n: int = 600) -> tuple[pd.DataFrame, Any]:
    """Two pairs of columns that mean something only together; gaps, and a rare category."""
    rng = np.random.default_rng(7)
    X = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n).astype(float),
            "dose": rng.gamma(2, 10, n),
            "town": rng.choice(["Oslo", "Bergen", "Hamar"], n),
            "smoker": rng.choice(["yes", "no"], n),
        }
    )
    X.loc[:2, "town"] = "Utsira"
    X.loc[rng.random(n) < 0.1, "dose"] = np.nan
    first = (X["age"] > 50) == (X["dose"].fillna(0) > 18)
    second = (X["town"] == "Oslo") == (X["smoker"] == "yes")
    score = 1.0 * first + second + rng.normal(scale=0.5, size=n)
    return X, score.to_numpy() > 1


def test_functions_of_two_columns_are_maps(tmp_path: Path) -> None:
    X, y = _crossed()
    asked = [("age", "dose"), ("town", "smoker")]
    model = weaklearn.AdditiveBoostingClassifier(n_estimators=30, n_bags=2, pairs=asked)
    page = page_of(model.fit(X, y), X, y, tmp_path)
    _well_formed(page)
    maps = {str(found["data-map"]): found for _, found in page.elements if "data-map" in found}
    assert list(maps) == ["map-0", "map-1"]
    strongest = [shape.features for shape in model.shapes_.values() if len(shape.features) == 2]
    named = dict(zip(strongest, maps, strict=True))
    assert set(named) == set(asked)
    for (first, second), name in named.items():
        told, shape = page.data[name], model.shapes_[first, second]
        values = shape.values if told["across"][0].startswith(first) else shape.values.T
        written = [[float(t.split(",")[0].replace("−", "-")) for t in row] for row in told["text"]]
        if first == "age":  # all cells but that of ages missing, which none is
            assert np.allclose(written, values[: len(written)], rtol=5e-3, atol=1e-9)
            assert told["up"][-1] == "dose missing"
        assert "arrow keys" in (maps[name]["aria-label"] or "")
    towns = named["town", "smoker"]
    assert "no rows of training near" in page.sections["shapes"]
    assert page.data[towns]["up"] == ["town Bergen", "town Hamar", "town Oslo"]
    shown = page_of(model, X, y, tmp_path, examples=True)
    assert len(shown.data[towns]["up"]) == 4  # rare ones in one


def test_maps_of_several_classes_name_their_score(tmp_path: Path) -> None:
    X, y = _crossed(300)
    classes = np.where(X["age"] < 30, "young", np.where(y, "a", "b"))
    model = weaklearn.AdditiveBoostingClassifier(
        n_estimators=15, n_bags=2, pairs=[("age", "dose")]
    ).fit(X, classes)
    page = page_of(model, X, classes, tmp_path)
    _well_formed(page)
    assert "score of a; moves scores by" in page.sections["shapes"]


def test_learners_from_outside(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    y = (X[:, 0] + rng.normal(size=80) > 0).astype(int)
    for inner in (DecisionTreeClassifier(max_depth=2), LogisticRegression()):
        model = weaklearn.AdaBoostClassifier(inner, n_estimators=3).fit(X, y)
        page = page_of(model, X, y, tmp_path)
        _well_formed(page)
        assert {"summary", "rounds", "importance", "provenance"} <= _sections(page)
        assert "Shape functions" in page.sections["provenance"]


@pytest.mark.parametrize(
    "name", ["KernelSVMClassifier", "Perceptron", "CentroidClassifier", "ThresholdClassifier"]
)
def test_models_without_rounds(name: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 2))
    y = (X[:, 0] > 0).astype(int)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        page = page_of(getattr(weaklearn, name)().fit(X, y), X, y, tmp_path)
    _well_formed(page)
    assert {"summary", "confusion", "data", "provenance"} <= _sections(page)
    assert "Learning curve" in page.sections["provenance"]


def test_rows_of_several_labels(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 3))
    Y = (X[:, :2] + rng.normal(scale=0.3, size=(60, 2)) > 0).astype(int)
    model = weaklearn.AdaBoostMHClassifier(n_estimators=5).fit(X, Y)
    page = page_of(model, X, Y, tmp_path)
    _well_formed(page)
    assert "subset accuracy" in page.sections["summary"]


def test_one_class_and_few_rows(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        alone = weaklearn.AdaBoostClassifier(n_estimators=3).fit([[1.0], [2.0]], ["a", "a"])
        _well_formed(page_of(alone, [[1.0], [2.0]], ["a", "a"], tmp_path))
        few = weaklearn.DecisionTreeRegressor().fit([[1.0], [2.0]], [123.25, 456.5])
        page = page_of(few, [[1.0], [2.0]], [123.25, 456.5], tmp_path)
    _well_formed(page)
    assert "too few" in page.sections["data"]


# ---------------------------------------------------------------------------------- no row is shown


def _private() -> tuple[pd.DataFrame, Any]:
    """Cells that occur once, and can be found again wherever they are shown."""
    rng = np.random.default_rng(3)
    n = 150
    X = pd.DataFrame(
        {
            "code": 7_000_000 + rng.permutation(10**6)[:n] + 0.137,
            "pay": rng.normal(size=n),
            "name": [f"person-{k:03d}" for k in range(n)],
            "town": rng.choice(["Oslo", "Bergen"], n),
        }
    )
    return X, X["pay"].to_numpy() + (X["town"] == "Oslo") * 0.5 + rng.normal(size=n) > 0.2


@pytest.mark.parametrize("kind", ["AdaBoostClassifier", "GradientBoostingClassifier"])
def test_no_cell_is_shown_unless_asked_for(kind: str, tmp_path: Path) -> None:
    X, y = _private()
    columns = ["code", "pay", "town"]
    labels = np.where(y, "yes", "no")
    model = getattr(weaklearn, kind)(n_estimators=15).fit(X[columns], labels)
    words = page_of(model, X[columns], labels, tmp_path).words
    assert not [text for text in _printed(X) if text in words]
    shown = page_of(model, X[columns], labels, tmp_path, examples=True).words
    assert [text for text in _printed(X) if text in shown]


def _printed(X: pd.DataFrame) -> set[str]:
    """Cells as tables and pictures would print them, with commas and without."""
    whole = [round(value) for value in X["code"]]
    return {f"{k:,}" for k in whole} | {str(k) for k in whole}


def test_rare_categories_are_not_named(tmp_path: Path) -> None:
    X, y = _private()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", weaklearn.DataWarning)  # names are of no use to trees
        model = weaklearn.GradientBoostingClassifier(n_estimators=5)
        model.fit(X, np.where(y, "yes", "no"))
    page = page_of(model, X, np.where(y, "yes", "no"), tmp_path)
    assert "person-" not in page.words
    assert "Oslo" in page.words  # of many rows


def test_targets_are_not_shown(tmp_path: Path) -> None:
    found = load_diabetes(as_frame=True)
    y = found.target.to_numpy() + 0.4567
    model = weaklearn.GradientBoostingRegressor(n_estimators=5).fit(found.data, y)
    page = page_of(model, found.data, y, tmp_path)
    assert ".4567" not in page.words
    assert "row" in page_of(model, found.data, y, tmp_path, examples=True).sections["hardest"]


def test_means_of_few_targets_are_blank(tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    X, y = rng.normal(size=(60, 2)), rng.normal(size=60).round(3)
    model = weaklearn.DecisionTreeRegressor().fit(X, y)  # down to single rows
    texts = {str(value).replace("-", "−") for value in y}
    page = page_of(model, X, y, tmp_path)
    assert not texts & set(page.sections["rules"].split("\n"))
    assert "left blank" in page.sections["rules"]
    shown = page_of(model, X, y, tmp_path, examples=True)
    assert texts & set(shown.sections["rules"].split("\n"))


# ------------------------------------------------------------------------------------------ numbers


def test_an_area_on_training_rows_is_not_praised(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1200, 2))
    y = np.where(X[:, 0] + rng.normal(size=1200) > 2.2, "yes", "no")
    train, new = slice(0, 600), slice(600, 1200)
    model = weaklearn.GradientBoostingClassifier(
        n_estimators=20, class_weight="balanced", random_state=0
    ).fit(X[train], y[train])
    words = page_of(model, X[train], y[train], tmp_path).sections["summary"]
    assert "less often right than always answering no" in words
    assert "ranks rows" not in words
    assert "is that of the rows it was trained on: whether another threshold" in words
    words = page_of(model, X[new], y[new], tmp_path).sections["summary"]
    assert "It ranks rows well, though (AUC" in words


def test_a_threshold_is_judged_by_recall_and_precision(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 2))
    y = np.where(X[:, 0] + rng.normal(size=600) > 2.2, "yes", "no")
    model = weaklearn.GradientBoostingClassifier(
        n_estimators=20, class_weight="balanced", random_state=0
    ).fit(X, y)
    words = page_of(model, X, y[rng.permutation(600)], tmp_path).sections["summary"]
    assert "less often right than always answering no" in words
    assert "ranks rows" not in words
    words = page_of(model, X, y, tmp_path).sections["summary"]
    assert re.search(r"by chance 0.5; on the rows it was trained on", words)
    found = model.set_threshold(-1.0).predict(X) == "yes"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        words = page_of(model, X, y, tmp_path).sections["summary"]
    assert "often right" not in words
    hits = (found & (y == "yes")).sum()
    assert f"recall of yes is {percent(hits / (y == 'yes').sum())}" in words
    assert f"the precision {percent(hits / found.sum())}" in words


def test_the_confusion_table_adds_up(cancer: Any, tmp_path: Path) -> None:
    model, X, y = cancer
    page = page_of(model.truncate(2), X, y, tmp_path)
    counts = np.array(page.data["cuts"]["counts"])
    assert (counts.sum(axis=1) == len(y)).all()
    wrong = int((model.truncate(2).predict(X) != y).sum())
    middle = counts[50]
    assert middle[1] + middle[2] == wrong
    assert percent(1 - wrong / len(y)) in page.sections["summary"]


def test_the_paths_of_the_slider_end_with_the_whole_vote(cancer: Any, tmp_path: Path) -> None:
    model, X, y = cancer
    page = page_of(model, X, y, tmp_path)
    told = page.data["margins"]
    line = next(found for _, found in page.elements if found.get("id") == "margin-line")
    assert told["paths"][-1] == line["d"]
    assert len(told["paths"]) == len(told["words"]) > 5
    assert f"{np.sort(model.margins(X, y))[0]:.3f}" in told["words"][-1]


def test_large_models_thin_out(tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    X = rng.normal(size=(1500, 40))
    y = (X[:, :5].sum(axis=1) + rng.normal(size=1500) > 0).astype(int)
    model = weaklearn.AdaBoostClassifier(n_estimators=600).fit(X, y)
    page = page_of(model, X, y, tmp_path)
    assert len(page.source) < 1_000_000
    assert "The first 400 of 600 rules" in page.sections["rules"]
    assert "weaker functions are left out" in page.sections["shapes"]


def test_from_the_command_line(tmp_path: Path) -> None:
    X, two, _, _ = mixed_table()
    columns = ["age", "dose", "town", "smoker"]
    X[columns].assign(sick=two).to_csv(tmp_path / "rows.csv", index=False)
    table = weaklearn.datasets.read_table(tmp_path / "rows.csv")
    model = weaklearn.AdaBoostClassifier(n_estimators=5)
    model.fit(table.select(columns), table.labels("sick")).save(tmp_path / "m.weak")
    place = tmp_path / "r.html"
    called = call("report", tmp_path / "m.weak", tmp_path / "rows.csv", "-o", place)
    assert called.status == 0, called.err
    page = Page(place.read_text("utf-8"))
    _well_formed(page)
    assert _sections(page) == TWO | {"shapes"}
    assert str(tmp_path) not in page.source


# -------------------------------------------------------------------------------------- bad input


def test_what_cannot_be_reported_on(cancer: Any, tmp_path: Path) -> None:
    model, X, y = cancer
    path = tmp_path / "r.html"
    with pytest.raises(TypeError, match="a fitted classifier or regressor"):
        report(weaklearn.RankBoost(), X, y, path)
    with pytest.raises(TypeError, match="AdaBoostClassifier; a report"):
        report(weaklearn.AdaBoostClassifier, X, y, path)
    with pytest.raises(ValueError, match=r"not fitted"):
        report(weaklearn.AdaBoostClassifier(), X, y, path)
    with pytest.raises(ValueError, match="569 rows and y has 3"):
        report(model, X, y[:3], path)
    with pytest.raises(ValueError, match="X_test together with y_test"):
        report(model, X, y, path, X_test=X)
    with pytest.raises(TypeError, match="title=3"):
        report(model, X, y, path, title=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="not among the classes"):
        report(model, X, np.array(["other"] * len(y)), path)
    with pytest.raises(ValueError, match="delta"):
        report(model, X, y, path, delta=2.0)
    assert not path.exists()


def test_where_a_report_cannot_be_written(cancer: Any, tmp_path: Path) -> None:
    model, X, y = cancer
    with pytest.raises(IsADirectoryError, match="name a file in it"):
        report(model, X, y, tmp_path)
    with pytest.raises(FileNotFoundError, match="make it first"):
        report(model, X, y, tmp_path / "none" / "r.html")
    with pytest.raises(TypeError, match="path=3"):
        report(model, X, y, 3)  # type: ignore[arg-type]


def test_labels_that_training_never_saw(cancer: Any, tmp_path: Path) -> None:
    model, X, y = cancer
    strange = np.array(y, object)
    strange[:7] = "unknown"
    page = page_of(model, X, strange, tmp_path)
    _well_formed(page)
    assert "7 rows of classes that were not in training" in page.sections["confusion"]


def test_one_row_of_numbers_has_no_curve(tmp_path: Path) -> None:
    X = np.arange(60.0).reshape(30, 2)
    model = weaklearn.GradientBoostingRegressor(n_estimators=4).fit(X, X[:, 0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # R² of one row is none
        text = report(model, X[:1], X[:1, 0], tmp_path / "r.html").read_text("utf-8")
    assert "no error was recorded" in text


def test_new_rows_and_test_rows_have_curves_of_their_own(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 2))
    y = X[:, 0] + rng.normal(size=90) > 0
    model = weaklearn.AdaBoostClassifier(n_estimators=8).fit(X[:30], y[:30])
    path = report(
        model, X[30:60], y[30:60], tmp_path / "r.html", X_test=X[60:], y_test=y[60:], examples=True
    )
    part = re.search('<section id="rounds".*?</section>', path.read_text("utf-8"), re.DOTALL)
    assert part is not None
    lines = re.findall(r'class="(line s-[a-z ]+)"', part[0].split("</ul>")[0])
    assert len(lines) == len(set(lines)) == 4  # training, new, test and the bound
    assert "Rows are counted from 0." in path.read_text("utf-8")


def test_rows_that_cannot_be_looked_up_are_not_said_to_be_new(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Summary and certificates say the same of rows that the sketch cannot decide on."""
    monkeypatch.setattr("weaklearn.production.row_sketch.MOST_HASHES", 100)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 2))
    y = X[:, 0] > 0
    model = weaklearn.AdaBoostClassifier(n_estimators=3).fit(X[:200], y[:200])
    page = page_of(model, X[200:], y[200:], tmp_path)
    found = re.search("([0-9]+) of 200 rows could be looked up, and none", page.sections["summary"])
    assert found is not None
    rest = 200 - int(found[1])
    assert 0 < rest < 200
    assert f"unless the model was trained on some of the other {rest}" in page.sections["summary"]
    assert f"the {rest} of them that cannot be looked up" in page.sections["certificates"]
    assert found[0] in page.sections["certificates"]
    assert "rows it has never seen" not in "".join(page.sections.values())


def test_a_threshold_chosen_on_the_rows_is_told(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = (X[:, 0] + rng.normal(size=300) > 1).astype(int)
    model = weaklearn.AdaBoostClassifier(n_estimators=4).fit(X[:100], y[:100])
    model.tune_threshold(X[100:200], y[100:200], by="f1")
    for rows, told in ((slice(100, 200), True), (slice(200, 300), False)):
        page = report(model, X[rows], y[rows], tmp_path / "page.html").read_text()
        assert ("the threshold was chosen on some of them" in page) == told


def test_several_targets_and_quantiles(tmp_path: Path) -> None:
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    two = pd.DataFrame({"up": y, "down": -2 * y})
    model = weaklearn.GradientBoostingRegressor(n_estimators=5)
    page = page_of(model.fit(X, two), X, two, tmp_path, examples=True)
    _well_formed(page)
    assert NUMBERS - _sections(page) == {"residuals", "hardest"}
    for words in ("R² of up", "R² of down", "The targets: up", "a row has several predictions"):
        assert words in page.source
    model.set_params(loss="quantile", quantile=[0.1, 0.9])
    page = page_of(model.fit(X, y), X, y, tmp_path, X_test=X, y_test=y)
    _well_formed(page)
    assert "quantile 0.9" in page.source
    assert "of the rows are at or below it" in page.source
    with pytest.raises(ValueError, match="y must hold one finite number a row"):
        report(model, X, two, tmp_path / "no.html")


def test_there_is_none_of_survival(tmp_path: Path) -> None:
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    times = pd.DataFrame({"came": y > 100, "time": y})
    model = weaklearn.GradientBoostingRegressor("cox", n_estimators=3).fit(X, times)
    with pytest.raises(ValueError, match=r"no report of survival: model.score\(X, y\)"):
        report(model, X, times, tmp_path / "no.html")
