"""Reports in a real browser, where there is one: nothing is fetched, no name runs, all answers."""

from __future__ import annotations

import csv
import io
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

import weaklearn
from tests.show.test_report_names import HOSTILE, many_names, tables, targets
from weaklearn.show import report

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here"),
]
NAMES = int(os.environ.get("WEAKLEARN_HOSTILE_NAMES", "500"))


class Visit:
    """A page, and all that it tried: requests, messages, dialogs."""

    def __init__(self, browser: Any, path: Path, **how: Any) -> None:
        self.tried: list[str] = []
        self.page = browser.new_page(**how)
        self.page.on("request", lambda request: self.tried.append(request.url))
        self.page.on("console", lambda message: self.tried.append(message.text))
        self.page.on("pageerror", lambda error: self.tried.append(str(error)))
        self.page.on("dialog", lambda dialog: self.tried.append(dialog.message))
        self.page.goto(path.as_uri())
        self.own = path.as_uri()

    @property
    def quiet(self) -> bool:
        """Whether it asked for itself alone, and complained of nothing."""
        return self.tried == [self.own]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as play:
        found = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = load_breast_cancer(as_frame=True)
    y = found.target_names[found.target]
    model = weaklearn.AdaBoostClassifier(n_estimators=30).fit(found.data, y)
    return report(model, found.data, y, tmp_path_factory.mktemp("report") / "report.html")


def test_a_report_answers(browser: Any, path: Path) -> None:
    visit = Visit(browser, path, viewport={"width": 1280, "height": 900}, color_scheme="dark")
    page = visit.page
    page.fill("[data-filters=table-rules]", "area")
    assert page.inner_text("[data-count=table-rules]").endswith("of 30 rows")
    page.fill("[data-filters=table-rules]", "")
    for _ in range(2):
        page.click("#table-rules th:last-child button")
    votes = [float(v) for v in page.locator("#table-rules td:last-child").all_inner_texts()]
    assert votes == sorted(votes, reverse=True)
    whole = page.get_attribute("#margin-line", "d")
    page.locator("#margin-slider").press("Home")
    assert page.inner_text("#margin-words").startswith("after 1 round")
    assert page.get_attribute("#margin-line", "d") != whole
    page.locator("#cut-slider").press("Home")
    assert page.inner_text("#cell-0-0") == "0"
    page.hover("svg[data-chart=rounds]")
    assert "training error" in page.inner_text("figure:has([data-chart=rounds]) .readout")
    page.locator("svg[data-chart=rounds]").focus()
    page.keyboard.press("ArrowLeft")
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.click("[data-switch]")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != before
    assert visit.quiet


@pytest.mark.parametrize("width", [400, 1280])
def test_nothing_runs_over_the_edge(browser: Any, path: Path, width: int) -> None:
    visit = Visit(browser, path, viewport={"width": width, "height": 800})
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
    visit.page.emulate_media(media="print")
    assert not visit.page.is_visible("nav.contents")
    assert visit.quiet


def test_it_can_be_read_without_its_script(browser: Any, path: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    assert page.is_visible("#table-rules")
    assert not page.is_visible("[data-switch]")  # it would do nothing
    context.close()


def test_hostile_names_stay_names(browser: Any, tmp_path: Path) -> None:
    names = many_names(NAMES)
    for first in range(0, NAMES, 250):
        some = names[first : first + 250]
        X = tables(some, [*some[:3], *HOSTILE[:3]], 60)
        y = targets(X, sorted(some[3:5]))
        model = weaklearn.AdaBoostClassifier(n_estimators=30).fit(X, y)
        place = report(model, X, y, tmp_path / "r.html", title=some[0], examples=True)
        visit = Visit(browser, place)
        assert visit.page.evaluate("window.hit === undefined")
        visit.page.hover("svg[data-chart=rounds]")
        visit.page.locator("#cut-slider").press("End")
        assert visit.quiet, visit.tried[:3]
        assert visit.page.locator("#table-columns tbody tr").count() == 250
        visit.page.close()


def test_what_is_taken_home_is_no_formula(browser: Any, tmp_path: Path) -> None:
    names = ["=1+1", "@x", "+a", "-b", '"q",', "plain"]
    X = tables(names, ["=2", "v"], 60)
    y = targets(X, ["no", "yes"])
    model = weaklearn.AdaBoostClassifier(n_estimators=12).fit(X, y)
    visit = Visit(browser, report(model, X, y, tmp_path / "r.html"))
    with visit.page.expect_download() as download:
        visit.page.click("[data-csv=table-columns]")
    lines = list(csv.reader(io.StringIO(Path(download.value.path()).read_text("utf-8"))))
    assert [line[0] for line in lines[1:]] == ["'=1+1", "'@x", "'+a", "'-b", '"q",', "plain"]
    with visit.page.expect_download() as download:
        visit.page.click("[data-csv=table-rules]")
    rules = list(csv.reader(io.StringIO(Path(download.value.path()).read_text("utf-8"))))
    assert not [c for line in rules for c in line if c[:1] in "=@" and c]
    assert np.isfinite([float(line[-1]) for line in rules[1:]]).all()
