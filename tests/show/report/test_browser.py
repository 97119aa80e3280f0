"""Reports in a real browser: nothing is fetched, no name runs, everything answers."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer

import weaklearn
from tests.browser import Visitor, needed, visiting
from tests.show.report.test_hostile_names import HOSTILE, many_names, tables, targets
from weaklearn.show import report

pytestmark = [pytest.mark.slow, needed]
# In parts of 250, a report each; more are a matter of patience.
NAMES = int(os.environ.get("WEAKLEARN_HOSTILE_NAMES", "500"))


# What the hostile names are names in, with the number of classes; none for a model of numbers.
_MODELS: list[tuple[Any, int]] = [
    (weaklearn.AdaBoostClassifier(n_estimators=30), 2),
    (weaklearn.AdditiveBoostingClassifier(n_estimators=4, n_bags=2, pairs=[(1, 2), (1, 249)]), 3),
    (weaklearn.AdaBoostClassifier(n_estimators=30), 4),
    (weaklearn.GradientBoostingRegressor(n_estimators=4, min_samples_leaf=5), 0),
    (weaklearn.DecisionTreeClassifier(), 2),
]
# Every control of the page is used, and every picture is asked for all it can say.
_EVERYTHING = """
const by = (selector) => [...document.querySelectorAll(selector)];
by("details").forEach((fold) => { fold.open = true; });
by("[data-chart], [data-map]").forEach((chart) => {
  ["ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp"].forEach((key) => {
    chart.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  });
  chart.dispatchEvent(new PointerEvent("pointermove", { clientX: 200, clientY: 200 }));
});
by("input").forEach((field) => {
  field.value = field.type === "search" ? "<" : 7;
  field.dispatchEvent(new Event("input"));
});
by("th button, [data-switch]").forEach((button) => button.click());
by("input[type=search]").forEach((field) => {
  field.value = "";
  field.dispatchEvent(new Event("input"));
});
"""


@pytest.fixture(scope="module")
def visitor() -> Iterator[Visitor]:
    with visiting() as found:
        yield found


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = load_breast_cancer(as_frame=True)
    y = found.target_names[found.target]
    model = weaklearn.AdaBoostClassifier(n_estimators=30).fit(found.data, y)
    return report(model, found.data, y, tmp_path_factory.mktemp("report") / "report.html")


def _open(visitor: Visitor, path: Path) -> None:
    visitor.driver.get(path.as_uri())
    visitor.complaints()  # of the page before


def _quiet(visitor: Visitor) -> bool:
    """Whether the page asked for nothing, and the browser found nothing to forbid."""
    return visitor.fetched() == [] and visitor.complaints() == []


def _slide(visitor: Visitor, name: str, value: int) -> None:
    script = "const f = document.getElementById(arguments[0]); f.value = arguments[1];"
    visitor.run(script + "f.dispatchEvent(new Event('input'))", name, value)


def _click(visitor: Visitor, selector: str) -> None:
    visitor.run("document.querySelector(arguments[0]).click()", selector)


def test_a_report_answers(visitor: Visitor, path: Path) -> None:
    visitor.look(1280, scheme="dark")
    _open(visitor, path)
    search = (
        "const f = document.querySelector('[data-filters=table-rules]'); f.value = arguments[0];"
    )
    visitor.run(search + "f.dispatchEvent(new Event('input'))", "area")
    assert visitor.text("[data-count=table-rules]").endswith("of 30 rows")
    visitor.run(search + "f.dispatchEvent(new Event('input'))", "")
    for _ in range(2):
        _click(visitor, "#table-rules th:last-child button")
    votes = [float(vote) for vote in visitor.texts("#table-rules td:last-child")]
    assert votes == sorted(votes, reverse=True)
    line = "return document.getElementById('margin-line').getAttribute('d')"
    whole = visitor.run(line)
    _slide(visitor, "margin-slider", 0)
    assert visitor.text("#margin-words").startswith("after 1 round")
    assert visitor.run(line) != whole
    _slide(visitor, "cut-slider", 0)
    assert visitor.text("#cell-0-0") == "0"
    visitor.run("document.querySelector('[data-chart=rounds]').focus()")
    visitor.press("\ue012")  # the arrow to the left
    assert "training error" in visitor.text("figure:has([data-chart=rounds]) .readout")
    colour = "return getComputedStyle(document.body).backgroundColor"
    before = visitor.run(colour)
    _click(visitor, "[data-switch]")
    assert visitor.run(colour) != before
    assert _quiet(visitor)


@pytest.mark.parametrize("width", [400, 1280])
def test_nothing_runs_over_the_edge(visitor: Visitor, path: Path, width: int) -> None:
    visitor.look(width)
    _open(visitor, path)
    assert visitor.run("return document.documentElement.scrollWidth") <= width
    visitor.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    shown = "return getComputedStyle(document.querySelector('nav.contents')).display"
    assert visitor.run(shown) == "none"
    visitor.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert _quiet(visitor)


def test_maps_answer_and_folds_open_for_paper(visitor: Visitor, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = (X[:, 0] > 0) == (X[:, 1] > 0)
    model = weaklearn.AdditiveBoostingClassifier(n_estimators=10, n_bags=2, pairs=[(0, 1)])
    _open(visitor, report(model.fit(X[:200], y[:200]), X[200:], y[200:], tmp_path / "r.html"))
    visitor.run("document.querySelector('[data-map]').focus()")
    visitor.press("\ue014", "\ue013")  # to the right, and up
    said = visitor.text("figure:has([data-map]) .readout")
    assert said.startswith("x[0] ")
    assert ", x[1] " in said
    visitor.run("window.dispatchEvent(new Event('beforeprint'))")
    closed = "return document.querySelectorAll('details:not([open]):not(.quiet *)').length"
    assert visitor.run(closed) == 0
    visitor.run("window.dispatchEvent(new Event('afterprint'))")
    assert visitor.run(closed) > 0
    assert _quiet(visitor)


def test_long_sets_of_categories_are_folded(visitor: Visitor, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    city, x = rng.choice([f"town {k:02}" for k in range(60)], 900), rng.normal(size=900)
    X = pd.DataFrame({"city": city, "x": x})
    y = np.where(np.char.str_len(city) * x + [int(c[-1]) - 5 for c in city] > 0, "a", "b")
    model = weaklearn.GradientBoostingClassifier(n_estimators=4).fit(X, y)
    visitor.driver.get(report(model, X, y, tmp_path / "r.html").as_uri())
    longest = max((row[1] for row in model.rules(3).rows), key=len)
    assert len(longest) > 200
    assert max(map(len, visitor.texts("#rules summary"))) < 70
    assert longest in visitor.texts("#rules td details .inside")
    visitor.run("document.querySelector('#rules th:nth-child(2) button').click()")
    held = visitor.texts("#rules td:nth-child(2) .inside")
    assert held == sorted(held)  # by all of the text


def test_hostile_names_stay_names(visitor: Visitor, tmp_path: Path) -> None:
    names = many_names(NAMES)
    for first in range(0, NAMES, 250):
        some = names[first : first + 250]
        X = tables(some, [*some[:3], *HOSTILE[:3]], 60)
        model, n_classes = _MODELS[first // 250 % len(_MODELS)]
        y = targets(X, sorted(some[3 : 3 + n_classes])) if n_classes else X.iloc[:, 1].to_numpy()
        model.fit(X, y)
        _open(visitor, report(model, X, y, tmp_path / "r.html", title=some[0], examples=True))
        visitor.run(_EVERYTHING)
        assert visitor.run("return window.hit === undefined")
        assert visitor.run("return document.querySelectorAll('script').length") == 2
        assert (
            visitor.run("return document.querySelectorAll('#table-columns tbody tr').length") == 250
        )
        assert _quiet(visitor)


def test_what_is_taken_home_is_no_formula(visitor: Visitor, tmp_path: Path) -> None:
    names = ["=1+1", "@x", "+a", "-b", '"q",', "plain"]
    X = tables(names, ["=2", "v"], 60)
    y = targets(X, ["no", "yes"])
    model = weaklearn.AdaBoostClassifier(n_estimators=12).fit(X, y)
    _open(visitor, report(model, X, y, tmp_path / "r.html"))
    where = {"behavior": "allow", "downloadPath": str(tmp_path)}
    visitor.driver.execute_cdp_cmd("Browser.setDownloadBehavior", where)
    columns = _downloaded(visitor, tmp_path, "columns")
    assert [line[0] for line in columns[1:]] == ["'=1+1", "'@x", "'+a", "'-b", '"q",', "plain"]
    rules = _downloaded(visitor, tmp_path, "rules")
    assert not [cell for line in rules for cell in line if cell and cell[0] in "=@"]
    assert np.isfinite([float(line[-1]) for line in rules[1:]]).all()


def _downloaded(visitor: Visitor, folder: Path, table: str) -> list[list[str]]:
    _click(visitor, f"[data-csv=table-{table}]")
    place = folder / f"{table}.csv"
    visitor.until(lambda: place.exists() and place.stat().st_size)
    with place.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))
