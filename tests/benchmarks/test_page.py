"""Numbers of runs in the page on benchmarks: its parts are written anew, the rest stays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import page, table
from benchmarks.growth import Curve
from benchmarks.rows import Outcome, Row, Run
from benchmarks.threads import Measured

TEXT = """Before.

<!-- measured: machine -->

an old machine

<!-- measured: end -->
<!-- measured: ratios -->
<!-- measured: end -->
<!-- measured: gains -->
old gains
<!-- measured: end -->
<!-- measured: growth -->
<!-- measured: end -->
After.
"""


def unmeasured(run: Run) -> Outcome:
    raise AssertionError("outcomes are given")


def written(path: Path, outcomes: dict[int, Outcome], curves: list[Curve]) -> Path:
    row = Row("forest-100", "a forest", "peer", 2, 5, unmeasured)
    path.write_text(json.dumps(table.as_json(Run(), [Measured(row, outcomes)], curves)))
    return path


def test_parts_with_numbers_are_written_anew(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    first = {1: Outcome({"weaklearn": 8.0}), 4: Outcome({"weaklearn": 2.5, "XGBoost": 7.5})}
    later = {4: Outcome({"weaklearn": 1.0, "XGBoost": 9.0}), 8: Outcome({"weaklearn": 2.0})}
    files = [
        written(tmp_path / "first.json", first, []),
        written(tmp_path / "later.json", later, [Curve("fit, by rows", 1, [1, 2], [1.0, 2.0])]),
    ]
    place = tmp_path / "page.md"
    place.write_text(TEXT)
    assert page.main([*map(str, files), "--page", str(place)]) == 0
    text = place.read_text()
    assert text.startswith("Before.\n")
    assert text.endswith("After.\n")
    assert "old" not in text
    assert (
        "| a forest | 4       | 2.5 s     | XGBoost, 7.5 s            | 3 × ✓ | 2 ×, 5 ×  |" in text
    )
    assert "| a forest | 8 s | 2.5 s | 2 s | 4 × from 1 to 8 |" in text
    for name in ("threads", "growth"):
        assert f"](images/{name}.png)" in text
        assert (tmp_path / "images" / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    assert page.main([*map(str, files), "--page", str(place)]) == 0
    assert place.read_text() == text


def test_parts_without_numbers_stay(tmp_path: Path) -> None:
    alone = written(tmp_path / "alone.json", {1: Outcome({"weaklearn": 8.0})}, [])
    text = page.filled(TEXT, page.Numbers([alone]), tmp_path)
    assert "old gains" in text
    assert "an old machine" not in text


def test_the_page_has_every_part_once() -> None:
    text = Path(page.__file__).parents[1].joinpath(page.PAGE).read_text(encoding="utf-8")
    for name in page.PARTS:
        assert text.count(f"<!-- measured: {name} -->") == 1
