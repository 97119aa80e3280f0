"""A run as one page."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weaklearn as wl
from weaklearn.lab import export


class Reader(HTMLParser):
    """The elements of a page, their attributes, and the texts inside them."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags = [""]
        self.attributes: list[tuple[str, str]] = []
        self.texts: dict[str, str] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.texts[self.tags[-1]] = self.texts.get(self.tags[-1], "") + data


def recording_in(path: Path) -> Any:
    text = path.read_text("utf-8")
    found = re.findall(r'<script type="application/json" id="recording">(.*?)</script>', text, re.S)
    assert len(found) == 1
    return json.loads(found[0])


def test_nothing_is_fetched_and_nothing_is_inline_but_what_is_named(tmp_path: Path) -> None:
    path = export(tmp_path / "run.html", rounds=4)
    text = path.read_text("utf-8")
    page = Reader(text)
    for name, value in page.attributes:
        assert not name.startswith("on")
        assert name != "src"
        assert name != "style"
        if name == "href":
            assert value == "data:,"
    policy = next(value for name, value in page.attributes if "default-src" in str(value))
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "connect-src" not in policy  # no request at all
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")


def test_two_runs_of_a_set(tmp_path: Path) -> None:
    path = export(
        tmp_path / "run.html", boosters=("adaboost", "brownboost"), data="moons", n=50, noise=0.1
    )
    recording = recording_in(path)
    assert [run["name"] for run in recording["runs"]] == ["AdaBoost", "BrownBoost"]
    assert len(recording["scene"]["points"]) == 50
    assert path.stat().st_size < 300_000
    one = recording_in(export(tmp_path / "one.html", boosters="lpboost"))
    assert [run["name"] for run in one["runs"]] == ["LPBoost"]


def test_settings_of_boosters_are_in_names_and_code(tmp_path: Path) -> None:
    path = tmp_path / "run.html"
    two: dict[str, Any] = {"boosters": ["adaboost"] * 2, "settings": [{}, {"learning_rate": 0.1}]}
    recording = recording_in(export(path, rounds=4, **two))
    assert [run["name"] for run in recording["runs"]] == ["AdaBoost", "AdaBoost, learning rate 0.1"]
    assert "(n_estimators=4)" in recording["code"]
    assert "(n_estimators=4, learning_rate=0.1)" in recording["code"]
    own = recording_in(
        export(path, *wl.datasets.toy(), boosters="majority", settings={"gamma": 0.3})
    )
    assert "gamma=0.3" in own["code"]


def test_noise_and_names_of_ones_own_points(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = np.where(X[:, 0] > 0, "ill", "well")
    options: dict[str, Any] = {"rounds": 3, "noise": 0.2, "seed": 4, "axes": ("dose", "<b>age")}
    recording = recording_in(export(tmp_path / "run.html", X, y, **options))
    assert recording["scene"]["axes"] == ["x₁ dose", "x₂ <b>age"]
    assert recording["scene"]["points"] == X.tolist()
    scope: dict[str, Any] = {}
    exec(compile(recording["code"], "the page", "exec"), scope)
    assert 0 < np.mean(scope["y"] != y) < 0.4
    told = np.array(recording["scene"]["classes"])[recording["scene"]["labels"]]
    assert np.array_equal(told, scope["y"])
    assert recording["lead"].startswith("Your own points: 60 points, 20% of the labels")


def test_points_that_are_texts_are_refused_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(
        ValueError, match=r"'male'\); the lab draws a plane, so pass two columns of"
    ):
        export(tmp_path / "run.html", [["male", 1.0], ["female", 2.0]], [0, 1])


def test_points_of_ones_own_with_labels_of_any_kind(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 2))
    for labels in (("no", "yes"), (0, 1), (False, True)):
        y = np.where(X[:, 0] + X[:, 1] > 0, labels[1], labels[0])
        recording = recording_in(export(tmp_path / "run.html", X, y, rounds=3, title="Mine"))
        assert recording["title"] == "Mine"
        assert recording["scene"]["classes"] == [str(label) for label in np.unique(y)]
        scope: dict[str, Any] = {}
        exec(compile(recording["code"], "the page", "exec"), scope)
        assert np.array_equal(scope["X"], X)
        assert np.array_equal(scope["y"], y)


def test_a_hostile_label_cannot_leave_its_place(tmp_path: Path) -> None:
    hostile = "</script><script>alert(1)</script>\n# \u2028');import os#\"\"\"'''"
    X, y = wl.datasets.toy()
    labels = np.where(y > 0, hostile, "plain")
    path = export(tmp_path / "run.html", X, labels, rounds=2, title=f"</title>{hostile}")
    text = path.read_text("utf-8")
    assert text.count("<script") == 2
    assert text.count("</script>") == 2
    assert Reader(text).texts["title"].rstrip() == f"</title>{hostile}"
    recording = recording_in(path)
    assert recording["scene"]["classes"] == sorted(["plain", hostile])
    scope: dict[str, Any] = {}
    exec(compile(recording["code"], "the page", "exec"), scope)
    assert "os" not in scope
    assert scope["y"].tolist() == labels.tolist()


@pytest.mark.parametrize(
    ("X", "y", "told"),
    [
        (np.zeros((4, 3)), [0, 1, 0, 1], "two columns"),
        (np.zeros((4, 2)), [0, 1, 0], "one label per row"),
        (np.zeros((4, 2)), [0, 1, 2, 1], "3 classes"),
        (np.full((4, 2), np.nan), [0, 1, 0, 1], "X holds nan in row 0, column 0"),
        ([[0, 0], [1, 1], [2, 1e200], [0, 1]], [0, 1, 0, 1], "X holds 1e[+]200 in row 2, column 1"),
        (np.zeros((501, 2)), np.arange(501) % 2, "2 to 500"),
    ],
)
def test_what_cannot_be_drawn(X: Any, y: Any, told: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=told):
        export(tmp_path / "run.html", X, y)
    assert not (tmp_path / "run.html").exists()


def test_a_failed_export_leaves_the_old_page(tmp_path: Path) -> None:
    path = tmp_path / "run.html"
    path.write_text("old")
    with pytest.raises(ValueError, match="rounds=0"):
        export(path, rounds=0)
    assert path.read_text() == "old"
    with pytest.raises(ValueError, match="no regular file"):
        export(tmp_path)
    with pytest.raises(OSError, match="nowhere"):
        export(tmp_path / "nowhere" / "run.html")
