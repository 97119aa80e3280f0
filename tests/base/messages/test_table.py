"""Tables: readable in a terminal and a notebook, whatever the names in them."""

from __future__ import annotations

import html
import json
import pickle
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weaklearn.base import Table
from weaklearn.base.messages.table import Spelled

HOSTILE = [
    "<script>alert('x')</script>",
    "a & b < c > \"d\" 'e'",
    "line\nbreak\rreturn\ttab",
    "\x1b[31mred\x1b[0m",
    "\x00\x07bell",
    "\u202egnp.exe",  # right to left
    "\u2028\u2029\u200b",
    "\ud800",  # half a pair
    "x" * 10_000,
    "",
]


def test_layout() -> None:
    table = Table("scores", ["name", "value"], [("a", 1.23456), ("bb", None), ("c", True)])
    assert str(table).splitlines() == ["name  value", "a     1.235", "bb", "c       yes"]
    assert (len(table), table[0], list(table)[1]) == (3, ("a", 1.23456), ("bb", None))
    assert repr(table) == str(table)


def test_numbers_stand_to_the_right() -> None:
    lines = str(Table("", ["n"], [(1,), (100,)])).splitlines()
    assert lines == ["  n", "  1", "100"]
    assert str(Table("", ["x"], [(float("nan"),), (np.float32(0.5),)])).splitlines()[1] == ""


def test_empty() -> None:
    assert str(Table("t", ["a", "b"], [])) == "a  b\n(no rows)"
    assert "<table " in Table("t", ["a"], [])._repr_html_()


def test_the_middle_of_long_tables_is_left_out() -> None:
    table = Table("t", ["i"], [(i,) for i in range(1_000)])
    lines = str(table).splitlines()
    assert len(lines) == 15
    assert lines[11].strip() == "..."
    assert [line.strip() for line in lines[-3:-1]] == ["998", "999"]
    assert lines[-1] == "12 of 1000 rows; to_frame() has all"
    assert "to_frame" not in str(Table("t", ["i"], [(1,)]))
    assert len(table.to_frame()) == 1_000


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names(text: str) -> None:
    table = Table(text, [text, "other"], [(text, 1.0), ("ok", 2.0)], note=text)
    lines = str(table).split("\n")
    assert len(lines) <= 4  # a header, two rows, a note
    for line in lines[:3]:
        assert line.isprintable()
        assert len(line) < 200
    page = table._repr_html_()
    tags = r"</?(table|caption|thead|tbody|tr|th|td|p)( style='[a-z0-9:;#. -]*')?>"
    inside = re.sub(tags, "", page)
    assert "<" not in inside
    assert "script>" not in html.unescape(inside) or "&lt;script" in inside


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_titles_and_notes(text: str) -> None:
    table = Table(text, ["a"], [(1,)], note=text)
    for shown in (str(table), table._repr_html_()):
        marks = [c for c in shown if not c.isprintable() and c != "\n"]
        assert marks == []
    assert len(str(table).split("\n")) <= 3


@settings(deadline=None, max_examples=100)
@given(st.text(), st.text())
def test_any_text_is_one_printable_cell(name: str, cell: str) -> None:
    table = Table("t", [name], [(cell,)])
    lines = str(table).split("\n")
    assert len(lines) == 2
    assert all(line.isprintable() for line in lines)
    assert str(table).encode("utf-8", "strict")
    page = table._repr_html_()
    assert page.count("<td ") == 1
    assert all(c.isprintable() for c in page)


def test_frames() -> None:
    frame = Table("t", ["a", "b"], [(1, "x"), (2, "y")]).to_frame()
    assert frame["b"].tolist() == ["x", "y"]


def test_wide_tables_are_broken_between_words() -> None:
    rows = [("a", "some words " * 12, 0.25, "more of them " * 8), ("b", "short", 1.0, "")]
    table = Table("t", ["id", "told", "n", "why"], rows, width=60)
    lines = str(table).splitlines()
    assert max(map(len, lines)) <= 60
    assert len(lines) > 4
    words = " ".join(" ".join(lines).split()).split()
    assert words.count("words") == 12
    assert words.count("them") == 8
    free = Table("t", ["id", "told", "n", "why"], rows)
    assert len(str(free).splitlines()) == 3
    narrow = Table("t", ["id", "told"], [("a", "two words")], width=60)
    assert str(narrow) == str(Table("t", ["id", "told"], [("a", "two words")]))


def test_a_number_that_is_spelled_is_a_number_for_work() -> None:
    step = Spelled(1 / 3, "+0.3333")
    table = Table("steps", ["step"], [(step,), (Spelled(-2.0, "-2"),)])
    assert str(table).splitlines() == ["   step", "+0.3333", "     -2"]
    assert "+0.3333" in table._repr_html_()
    assert table.to_frame()["step"].sum() == 1 / 3 - 2
    assert json.loads(json.dumps(step)) == 1 / 3
    again = pickle.loads(pickle.dumps(step))
    assert (again, str(again)) == (1 / 3, "+0.3333")
