"""The demonstration: it runs, shows the book's digits, writes its picture, and asks for extras."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests import golden
from weaklearn.show import demo

pytest.importorskip("rich")
pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """What the demonstration prints into a pipe, and the picture it leaves."""
    folder = tmp_path_factory.mktemp("demo")
    done = subprocess.run(
        [sys.executable, "-m", "weaklearn.show.demo"],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=1200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, folder / "weaklearn-demo.png"


def test_the_toy_example_digit_by_digit(shown):
    table = golden.case("toy_adaboost", "ten_points_three_rounds")["expected"]["two_decimal_table"]
    lines = shown[0].splitlines()
    start = next(i for i, line in enumerate(lines) if "ten points" in line)
    numbers = [re.findall(r"\b\d\.\d\d\b", line) for line in lines[start:]]
    rows = [row for row in numbers if len(row) == 11]
    assert len(rows) == 9
    for t in range(3):
        facts = [table["eps"][t], table["alpha"][t], table["Z"][t]]
        kinds = [table["D"][t], table["factor"][t], table["product"][t]]
        for row, kind, fact in zip(rows[3 * t : 3 * t + 3], kinds, facts):
            assert row == [f"{value:.2f}" for value in [*kind, fact]]


def test_it_tells_rules_rounds_and_guarantees(shown):
    text, _ = shown
    assert text.count("malignant") >= 6
    assert "1000/1000" in text
    assert re.search(r"^ +1 +6\.5% +49\.4% +14\.0% +-1\.000", text, re.MULTILINE)
    assert text.count("holds") >= 4
    assert "violated" not in text
    assert "gets 10 of 10 points right" in text


def test_a_pipe_gets_plain_text_in_eighty_columns(shown):
    text, picture = shown
    assert "\x1b" not in text
    assert "…" not in text  # nothing was cut off
    assert all(len(line) <= 80 for line in text.splitlines() if str(picture) not in line)


def test_the_picture_is_written_and_named(shown):
    text, picture = shown
    assert str(picture) in text
    assert picture.stat().st_size > 30_000
    assert picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def _shorter(monkeypatch):
    """A demonstration of as many rounds as its sentences need."""
    monkeypatch.setattr(demo, "_ROUNDS", 200)


@pytest.mark.usefixtures("_shorter")
def test_the_picture_goes_where_asked(tmp_path, capsys):
    path = tmp_path / "other.svg"
    assert demo.main([str(path)]) == 0
    assert "<svg" in path.read_text(encoding="utf-8")
    assert str(path) in capsys.readouterr().out.replace("\n", "")


@pytest.mark.usefixtures("_shorter")
def test_a_place_that_cannot_be_written_is_one_line(tmp_path, capsys):
    assert demo.main([str(tmp_path / "no" / "such" / "folder.png")]) == 1
    message = capsys.readouterr().err
    assert "could not be written" in message
    assert message.count("\n") == 1


@pytest.mark.parametrize("missing", ["rich", "matplotlib"])
def test_without_an_extra_one_line_names_the_command(missing, monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, missing, None)
    assert demo.main([]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert (
        err == f'the demonstration needs {missing}: pip install ".[demo]" in a clone of weaklearn\n'
    )
