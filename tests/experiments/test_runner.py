"""Runs are kept, resumed and refused; the page and the CSV files hold what was found."""

from __future__ import annotations

import csv
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calling import call, refused
from weaklearn.experiments import EXPERIMENTS, reproduce
from weaklearn.experiments.data_folder import NoDataError
from weaklearn.experiments.outcome import Outcome
from weaklearn.experiments.result import Chart, Result, ResultTable, Row, line
from weaklearn.experiments.results_page import results_page

QUICK = ["ten-points", "sample-complexity"]


def test_page_and_files(tmp_path: Path) -> None:
    said: list[str] = []
    outcomes = reproduce(QUICK, output=tmp_path / "out", quick=True, say=said.append)
    assert [outcome.experiment.name for outcome in outcomes] == QUICK
    assert said[0] == "[1/2] ten-points: Ten points, three rounds (seed 0, quick)"
    page = (tmp_path / "out" / "index.html").read_text()
    assert all(EXPERIMENTS[name].title in page for name in QUICK)
    assert "http" not in page.split("</style>")[1].replace("http-equiv", "")
    with (tmp_path / "out" / "ten-points.csv").open() as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == 40
    assert rows[0]["ours"] == rows[0]["published"] == "0.3"
    assert (tmp_path / "out" / "sample-complexity-curves.csv").stat().st_size > 100


def test_finished_experiments_are_not_run_again(tmp_path: Path) -> None:
    def kept(**more: object) -> bool:
        return reproduce(["ten-points"], output=tmp_path, **more)[0].kept

    assert not kept()
    assert kept()
    assert not kept(again=True)
    assert not kept(seed=1)
    (tmp_path / "ten-points.json").write_text('{"format": 1, "sec')
    assert not kept()
    record = json.loads((tmp_path / "ten-points.json").read_text())
    record["result"]["tables"][0]["rows"][0]["unknown"] = 1
    (tmp_path / "ten-points.json").write_text(json.dumps(record))
    assert not kept()


def test_the_quick_form_replaces_no_full_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full, parts, quick = tmp_path / "full", tmp_path / "parts", tmp_path / "quick"
    reproduce(["ten-points"], output=full)
    before = {path.name: path.read_bytes() for path in full.iterdir()}
    words = r"holds results of the full form \(ten-points\), .* name another folder"
    with pytest.raises(ValueError, match=words):
        reproduce(["games"], output=full, quick=True, again=True)
    said = refused("reproduce", "ten-points", "--quick", "-o", full)
    assert "which the quick form would replace; name another folder." in said
    assert before == {path.name: path.read_bytes() for path in full.iterdir()}

    def interrupt(setting: Any) -> Result:
        setting.part("first", lambda: 1)
        raise KeyboardInterrupt

    monkeypatch.setitem(EXPERIMENTS, "games", replace(EXPERIMENTS["games"], run=interrupt))
    with pytest.raises(KeyboardInterrupt):
        reproduce(["games"], output=parts)
    with pytest.raises(ValueError, match=r"full form \(games\)"):
        reproduce(["ten-points"], output=parts, quick=True)
    assert reproduce(["ten-points"], output=quick, quick=True)[0].why == ""
    assert not reproduce(["ten-points"], output=quick)[0].kept  # the full form may follow


def test_an_interrupted_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(setting: object) -> Result:
        setting.part("first", lambda: made.append("first") or 1)
        if len(calls) == 0:
            calls.append("interrupted")
            raise KeyboardInterrupt
        return Result((ResultTable("all", (Row("one", 1.0),)),), runs="one run")

    made: list[str] = []
    calls: list[str] = []
    monkeypatch.setitem(EXPERIMENTS, "games", replace(EXPERIMENTS["games"], run=interrupt))
    with pytest.raises(KeyboardInterrupt):
        reproduce(["ten-points", "games"], output=tmp_path)
    assert "Ten points" in (tmp_path / "index.html").read_text()
    first, second = reproduce(["ten-points", "games"], output=tmp_path)
    assert first.kept
    assert second.result is not None
    assert made == ["first"]  # a finished part is not made again
    assert not list(tmp_path.glob("*.parts.json"))


def test_the_largest_seed(tmp_path: Path) -> None:
    [outcome] = reproduce(["uci-tables"], output=tmp_path, quick=True, seed=4_000_000)
    assert outcome.why == ""


def test_one_that_cannot_run_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_data(setting: object) -> Result:
        raise NoDataError("the shelf is empty <b>")

    def broken(setting: object) -> Result:
        raise ZeroDivisionError("by zero")

    monkeypatch.setitem(EXPERIMENTS, "spam", replace(EXPERIMENTS["spam"], run=no_data))
    monkeypatch.setitem(EXPERIMENTS, "games", replace(EXPERIMENTS["games"], run=broken))
    outcomes = reproduce(["spam", "games", "ten-points"], output=tmp_path)
    assert [outcome.why for outcome in outcomes] == [
        "the shelf is empty <b>",
        "ZeroDivisionError: by zero",
        "",
    ]
    page = (tmp_path / "index.html").read_text()
    assert "could not run: the shelf is empty &lt;b&gt;" in page


def test_refused_arguments(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no experiment 'leters'; .*letters"):
        reproduce(["leters"], output=tmp_path)
    with pytest.raises(ValueError, match="does not exist"):
        reproduce(data=tmp_path / "absent", output=tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="is a file; name a folder"):
        reproduce(output=tmp_path / "file")
    with pytest.raises(ValueError, match="is a file"):
        reproduce(data=tmp_path / "file", output=tmp_path)
    with pytest.raises(TypeError, match="output=3"):
        reproduce(output=3)
    for name, value in (("seed", -1), ("seed", 4_000_001), ("quick", "yes"), ("runs", 0)):
        with pytest.raises((TypeError, ValueError), match=name):
            reproduce(["ten-points"], output=tmp_path, **{name: value})


@pytest.mark.skipif(os.name == "nt", reason="folders have no such rights")
def test_an_unwritable_folder_is_refused_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "out" / "index.html").mkdir(parents=True)  # also for those who may write anywhere
    with pytest.raises(OSError, match=r"index\.html"):
        reproduce(["ten-points"], output=tmp_path / "out")
    assert not (tmp_path / "out" / "ten-points.json").exists()


def test_command_line(tmp_path: Path) -> None:
    listed = call("reproduce", "--list")
    assert listed.status == 0
    assert all(name in listed.out for name in EXPERIMENTS)
    called = call("reproduce", "ten-points", "-o", tmp_path / "out")
    assert called.status == 0
    assert (tmp_path / "out" / "index.html").is_file()
    failed = call("reproduce", "faces", "-o", tmp_path / "out")
    assert failed.status == 1
    assert "could not run: faces." in failed.err
    assert "no experiment 'lettres'" in refused("reproduce", "lettres", "-o", tmp_path / "out")
    assert "does not exist" in refused("reproduce", "--data", tmp_path / "absent")


def test_hostile_names_and_odd_numbers_on_the_page() -> None:
    hostile = '</script><b onclick="x">'
    rows = tuple(Row(f"{hostile} {k}", None, hostile, "found", note=hostile) for k in range(20))
    charts = (
        Chart(hostile, hostile, hostile, (line(hostile, [1], [2], [0.5], "points"),)),
        Chart("logarithms", "x", "y", (line("none", [0, 0], [0, 0]),), log_x=True, log_y=True),
        Chart("empty", "x", "y", (line("none", [], []),), diagonal=True),
    )
    table = ResultTable(hostile, rows, "%")
    for tables in ((table,), (table,) * 8):
        result = Result(tables, charts, hostile, (hostile,))
        page = results_page([Outcome(EXPERIMENTS["games"], result, machine=hostile)], 0, False)
        assert hostile not in page
        assert "<b onclick" not in page
